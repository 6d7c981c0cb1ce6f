"""Writes `episodes.jsonl` from `phrasings.txt`: invented people, teams and firms, with what each text states.

    python make.py

Standard library only. The same seed gives the same file; `tests/evaluate` checks that it is up to date.
"""

# ruff: noqa: DTZ001 - readings of the speaker's wall clock; make.py puts the zones on
from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from times import Moment, Stated, Stretch, stated

SEED = 20240508
EACH = 3
FOLDER = Path(__file__).resolve().parent
SPLITS = ("test", "train", "test", "dev", "train")

PEOPLE = [(f"{first} {last}", kind) for kind, firsts in (
    ("she", "Nora Amira Ilse Paloma Greta Yuna Saskia Odile Tamsin Wren".split()),
    ("he", "Anton Bastian Rafiq Milo Kenji Osei Leandro Tobias Ivo Piers".split()))
    for first, last in zip(firsts, "Quist Varga Holm Adeyo Brandt Tanaru Lindqvist Okoro Marsh Delacroy".split()
                           if kind == "she" else "Rehn Castellan Nazari Fenwick Moriwa Boateng Prado Wessel Halvor "
                                                 "Ashdown".split(), strict=True)]
TEAMS = ["Harbor Team", "Lantern Crew", "Payments Team", "Night Desk", "Falcon Squad", "Orchard Group",
         "Mobile Guild", "Data Platform Team", "Kitchen Cabinet", "Red Desk"]
COMPANIES = ["Brightwater", "Nimbus Foods", "Ostergard Glass", "Kestrel Motors", "Palisade Bank", "Tern & Sons",
             "Aldercroft", "Solvane Energy", "Mirabel Press", "Quarry Lane Books"]
CITIES = ["Oslo", "Lisbon", "Graz", "Valencia", "Bergen", "Leeds", "Nantes", "Turin", "Porto", "Gdansk"]
ROLES = ["treasurer", "sales lead", "chief engineer", "press officer", "deputy director", "team coach"]
SERVICES = ["checkout-api", "ledger-db", "Beacon", "mail-relay", "Atlas", "search-index", "Pigeon", "auth-gateway"]
PROJECTS = ["Project Heron", "the Winter Release", "Project Sable", "the Atlas Migration"]
HAN = {
    "zh": {"PQX": [("林晓岚", "she"), ("周启明", "he"), ("何雨桐", "she"), ("沈立群", "he")],
           "TU": ["港湾团队", "灯塔小组", "数据组"], "CD": ["明川公司", "星禾科技", "远帆集团"],
           "LM": ["苏州", "大连", "昆明", "西安"]},
    "ja": {"PQX": [("佐野真琴", "she"), ("三浦悠人", "he"), ("青木遥", "she"), ("原田航", "he")],
           "TU": ["港湾チーム", "灯台班"], "CD": ["星野製作所", "青波商事", "北斗印刷"],
           "LM": ["札幌", "仙台", "長崎", "金沢"]},
}
TYPES = {"P": "Person", "Q": "Person", "X": "Person", "T": "Team", "U": "Team", "C": "Company", "D": "Company",
         "L": "City", "M": "City", "R": "Role", "S": "Service", "W": "Service", "K": "Project"}
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Singapore"]
SPEAKERS = ["Mara Lind", "Joss Petrie", "Elif Sarac"]
FEMALE, MALE = re.compile("casada|[Mm]y wife"), re.compile("travaille-t-il")


@dataclass(frozen=True)
class Phrasing:
    """A line of `phrasings.txt`."""

    number: int
    language: str
    kind: str
    earlier: list[str]
    text: str
    claims: list[str]


def phrasings() -> list[Phrasing]:
    """All phrasings, in the order of the file."""
    found = []
    for line in (FOLDER / "phrasings.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        language, kind, earlier, text, claims = (part.strip() for part in line.split("|"))
        found.append(Phrasing(len(found) + 1, language, kind, _parts(earlier, ">"), text, _parts(claims, ";")))
    return found


def _parts(text: str, joint: str) -> list[str]:
    return [part.strip() for part in text.split(joint) if part.strip()]


def split_of(every: list[Phrasing]) -> dict[int, str]:
    """Split by phrasing, even over languages and kinds: no wording of the test part occurs in the others."""
    draw = random.Random(SEED)
    found: dict[int, str] = {}
    groups: dict[tuple[str, str], list[int]] = {}
    for phrasing in every:
        groups.setdefault((phrasing.language, phrasing.kind), []).append(phrasing.number)
    turn = 0
    for numbers in groups.values():
        draw.shuffle(numbers)
        for number in numbers:
            found[number] = SPLITS[turn % len(SPLITS)]
            turn += 1
    return found


def _names(phrasing: Phrasing, draw: random.Random) -> tuple[dict[str, str], str]:
    han = HAN.get(phrasing.language)
    people = list(han["PQX"] if han else PEOPLE)
    draw.shuffle(people)
    wanted = "she" if FEMALE.search(phrasing.text) else "he" if MALE.search(phrasing.text) else None
    people.sort(key=lambda pair: wanted is not None and pair[1] != wanted)
    names = dict(zip("PQX", (name for name, _ in people), strict=False))
    pools = {"TU": TEAMS, "CD": COMPANIES, "LM": CITIES, "R": ROLES, "SW": SERVICES, "K": PROJECTS} | {
        key: pool for key, pool in (han or {}).items() if key != "PQX"}
    for letters, pool in pools.items():
        names |= dict(zip(letters, draw.sample(pool, len(letters)), strict=True))
    names["N"] = str(draw.randint(12, 400))
    return names, people[0][1]


def _filled(text: str, names: dict[str, str], gender: str, times: dict[str, Stated]) -> str:
    pronouns = {"he": gender, "his": "her" if gender == "she" else "his", "him": "her" if gender == "she" else "him"}
    values = names | pronouns | {"He": gender.title()} | {slot: found.phrase for slot, found in times.items()}
    filled = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], text)
    return filled[:1].upper() + filled[1:] if text.startswith("{") and text[1:2].islower() else filled


def _ordered(times: dict[str, Stated]) -> bool:
    """Whether an end does not come before its start where a phrasing tells both."""
    if "start" not in times or "end" not in times:
        return True
    return _last(times["start"].start) < _first(times["end"].end)


def _first(value: Moment | Stretch | None) -> Moment:
    assert value is not None
    return value[0] if isinstance(value, tuple) else value


def _last(value: Moment | Stretch | None) -> Moment:
    assert value is not None
    return value[1] if isinstance(value, tuple) else value


def episodes() -> Iterator[dict[str, object]]:
    """All episodes, in the order of the phrasings."""
    every = phrasings()
    splits = split_of(every)
    for phrasing in every:
        for copy in range(EACH):
            draw = random.Random(f"{SEED}/{phrasing.text}/{copy}")
            yield _episode(phrasing, copy, splits[phrasing.number], draw)


def _episode(phrasing: Phrasing, copy: int, split: str, draw: random.Random) -> dict[str, object]:
    names, gender = _names(phrasing, draw)
    zone = draw.choice(ZONES)
    now = datetime(2021, 3, 1, 7) + timedelta(days=draw.randint(0, 1800), minutes=draw.randint(0, 14 * 60))
    slots = list(dict.fromkeys(slot for slot in re.findall(r"\{(\w+)\}", phrasing.text) if slot.islower()
                               and slot not in ("he", "his", "him")))
    while True:
        times = {slot: stated(slot, phrasing.language, now, draw) for slot in slots}
        if _ordered(times):
            break
    speaker, other = draw.sample(SPEAKERS, 2)
    names["me"] = speaker
    used = [letter for letter in TYPES if f"{{{letter}}}" in phrasing.text + "".join(phrasing.earlier)]
    return {
        "id": f"{phrasing.language}-{phrasing.number}-{copy + 1}", "split": split, "phrasing": phrasing.number,
        "kind": phrasing.kind, "language": phrasing.language, "speaker": speaker,
        "observed_at": now.replace(tzinfo=ZoneInfo(zone)).isoformat(), "time_zone": zone,
        "earlier": [{"speaker": other if number % 2 == len(phrasing.earlier) % 2 else speaker,
                     "text": _filled(turn, names, gender, {})}
                    for number, turn in enumerate(phrasing.earlier, start=2)],
        "text": _filled(phrasing.text, names, gender, times),
        "entities": [{"name": names[letter], "type": TYPES[letter]} for letter in used],
        "claims": [_claim(claim, names, times, now, zone) for claim in phrasing.claims],
    }


def _claim(text: str, names: dict[str, str], times: dict[str, Stated], now: Moment, zone: str) -> dict[str, object]:
    denied = text.startswith("not ")
    subject, relation, thing, *ends = text.removeprefix("not ").split()
    row: dict[str, object] = {"subject": names[subject], "relation": relation}
    if thing.startswith("="):
        row["value"] = names.get(thing[1:], thing[1:])
    else:
        row["object"] = names[thing]
    if relation in ("allergicTo", "likes") and "value" in row:
        row["object"] = row.pop("value")
    row["polarity"] = "denied" if denied else "affirmed"
    row |= {"valid_from": None, "valid_to": None}
    for part in ends:
        side, slot = part.split("=")
        name = "valid_from" if side == "from" else "valid_to"
        if slot == "never":
            row[name] = ".."
        elif slot == "now":
            row[name] = _utc(now, zone)
            row[f"{name}_phrase"], row[f"{name}_class"] = None, "now"
        else:
            found = times[slot]
            value = found.start if side == "from" else found.end
            if isinstance(value, tuple):
                row[name] = None
                row[f"{name}_within"] = [_utc(value[0], zone), _utc(value[1], zone)]
            else:
                assert value is not None
                row[name] = _utc(value, zone)
            row[f"{name}_phrase"], row[f"{name}_class"] = found.phrase, found.kind
    return row


def _utc(local: Moment, zone: str) -> str:
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")


def text() -> str:
    """The whole file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in episodes())


if __name__ == "__main__":
    (FOLDER / "episodes.jsonl").write_text(text(), encoding="utf-8")
