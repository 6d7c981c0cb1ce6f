"""Writes operations.jsonl from truth.csv: questions that need more than a slot, in two sets of wordings.

`dev` wordings were looked at when the questions were first understood; `test` wordings were written afterwards and are
for measuring. Gold comes from the table alone; this script imports nothing of the workbench.

    python operations.py          writes the file anew
    python operations.py --check  only says whether the file is as it would be
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SEED = 20260101
TITLES = {
    ("headOf", "London"): "mayor of London", ("headOf", "New York City"): "mayor of New York City",
    ("headOf", "NATO"): "Secretary General of NATO", ("headOf", "Bank of England"): "Governor of the Bank of England",
    ("headOf", "United Nations"): "Secretary-General of the United Nations",
    ("headOf", "International Monetary Fund"): "managing director of the International Monetary Fund",
    ("chairOf", "Federal Reserve"): "chair of the Federal Reserve",
    ("presidentOf", "European Central Bank"): "president of the European Central Bank",
    ("presidentOf", "United States"): "president of the United States",
    ("primeMinisterOf", "United Kingdom"): "prime minister of the United Kingdom",
    ("primeMinisterOf", "Germany"): "Chancellor of Germany",
}
NOUNS = {"presidentOf": "president of", "primeMinisterOf": "prime minister of", "headOf": "head of",
         "chairOf": "chair of"}
WORDINGS: dict[str, dict[str, list[str]]] = {
    "first": {"dev": ["Who was the first {office}?"], "test": ["Who is the earliest known {office}?"]},
    "before": {"dev": ["Who was {office} before {person}?"],
               "test": ["Who preceded {person} as {office}?", "Who was {person}'s predecessor as {office}?"]},
    "after": {"dev": ["Who succeeded {person} as {office}?"],
              "test": ["Who came after {person} as {office}?", "{person} was replaced as {office} by whom?",
                       "Who was {office} after {person}?"]},
    "count": {"dev": ["How many people have been {office}?"],
              "test": ["How many different people have served as {office}?"]},
    "duration": {"dev": ["How long was {person} {office}?"],
                 "test": ["For how long did {person} serve as {office}?", "How many days was {person} {office}?"]},
    "start": {"dev": ["When did {person} become {office}?"],
              "test": ["On what date did {person} start as {office}?", "Since when has {person} been {office}?"]},
    "end": {"dev": ["When did {person} stop being {office}?"],
            "test": ["Until when was {person} {office}?", "When did {person} leave as {office}?"]},
    "yes_no": {"dev": ["Was {person} {office} on {day}?"],
               "test": ["On {day}, was {person} {office}?", "Did {person} serve as {office} on {day}?"]},
    "overlap": {"dev": ["Who was {office} when {person} became {other}?"],
                "test": ["When {person} became {other}, who was {office}?",
                         "Who was serving as {office} at the time {person} became {other}?"]},
    "order": {"dev": ["Who became {office} first, {person} or {rival}?"],
              "test": ["Who was {office} earlier, {person} or {rival}?"]},
    "set": {"dev": ["Who was {office} in {year}?"], "test": ["Name everyone who was {office} during {year}.",
                                                             "Which people were {office} in {year}?"]},
    "offices": {"dev": ["Which offices has {person} held?"], "test": ["What positions has {person} ever held?"]},
    "known": {"dev": ["As our records stood on {known}, who was {office} on {day}?"],
              "test": ["Going by what we knew on {known}, who was {office} on {day}?",
                       "Who did we believe on {known} to be {office} on {day}?"]},
    "nobody": {"dev": ["Who was {office} on {day}?"], "test": ["Who served as {office} on {day}?"]},
    "unknown": {"dev": ["Who was {none} on {day}?", "When did {stranger} become {office}?"],
                "test": ["Which person held the office of {none} on {day}?", "How long was {stranger} {office}?",
                         "Who was deputy {office} on {day}?"]},
}
NONE = ["king of France", "mayor of Atlantis", "treasurer of NATO", "archbishop of Brazil",
        "chair of the Moon Committee"]
STRANGERS = ["Mary Poppins", "Zaphod Beeblebrox", "Sherlock Holmes"]
EACH = 7
Row = dict[str, str]


def day(text: str) -> date:
    """An ISO date."""
    return date.fromisoformat(text)


def spoken(at: date) -> str:
    """5 May 2020."""
    return f"{at.day} {at:%B %Y}"


def title(row: Row) -> str:
    """An office in words."""
    return TITLES.get((row["relation"], row["object"]), f"{NOUNS[row['relation']]} {row['object']}")


def believed(truth: list[Row], at: str | None = None) -> list[Row]:
    """The versions believed at an instant; None = at the end."""
    return [row for row in truth if (at is None and not row["known_to"]) or (
        at is not None and row["known_from"] <= at and (not row["known_to"] or at < row["known_to"]))]


def holders(rows: list[Row], office: tuple[str, str], at: date) -> list[str]:
    """Who held an office on a day."""
    return sorted({row["subject"] for row in rows if (row["relation"], row["object"]) == office
                   and day(row["valid_from"]) <= at and (not row["valid_to"] or at < day(row["valid_to"]))})


def cases(truth: list[Row], draw: random.Random) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """(type, what fills the wording, gold)."""
    rows = sorted(believed(truth), key=lambda row: (row["relation"], row["object"], row["valid_from"]))
    by_office: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by_office[row["relation"], row["object"]].append(row)
    plain = {key: terms for key, terms in by_office.items() if key[1].isascii() and len(terms) > 2}
    once = {key: [row for row in terms if sum(one["subject"] == row["subject"] for one in terms) == 1]
            for key, terms in plain.items()}
    keys = sorted(plain)
    for key in draw.sample(keys, EACH):
        yield "first", {"office": title(plain[key][0])}, [plain[key][0]["subject"]]
    for key in draw.sample(keys, EACH):
        yield "count", {"office": title(plain[key][0])}, [str(len({row["subject"] for row in plain[key]}))]
    for kind in ("before", "after"):
        for key in draw.sample(keys, EACH):
            terms = plain[key]
            places = [n for n, row in enumerate(terms) if row in once[key] and 0 < n < len(terms) - 1]
            if places:
                place = draw.choice(places)
                beside = terms[place + (1 if kind == "after" else -1)]
                yield kind, {"office": title(beside), "person": terms[place]["subject"]}, [beside["subject"]]
    for kind in ("duration", "start", "end"):
        for key in draw.sample(keys, EACH):
            closed = [row for row in once[key] if row["valid_to"]]
            if closed:
                row = draw.choice(closed)
                gold = {"duration": f"{(day(row['valid_to']) - day(row['valid_from'])).days} days",
                        "start": row["valid_from"], "end": row["valid_to"]}[kind]
                yield kind, {"office": title(row), "person": row["subject"]}, [gold]
    for key in draw.sample(keys, EACH):
        row = draw.choice([row for row in plain[key] if row["valid_to"]])
        inside = draw.random() < 0.5
        at = day(row["valid_from"]) + timedelta(days=40) if inside else day(row["valid_to"]) + timedelta(days=40)
        held = row["subject"] in holders(rows, key, at)
        if held or holders(rows, key, at):
            gold = ["yes" if held else "no"]
            yield "yes_no", {"office": title(row), "person": row["subject"], "day": spoken(at)}, gold
    for key in draw.sample(keys, EACH):
        other = draw.choice([one for one in keys if one != key and once[one]])
        row = draw.choice(once[other])
        gold = holders(rows, key, day(row["valid_from"]))
        if gold:
            yield "overlap", {"office": title(plain[key][0]), "person": row["subject"], "other": title(row)}, gold
    for key in draw.sample(keys, EACH):
        if len(once[key]) > 1:
            one, two = draw.sample(once[key], 2)
            first = min(one, two, key=lambda row: row["valid_from"])
            yield "order", {"office": title(one), "person": one["subject"], "rival": two["subject"]}, [first["subject"]]
    for key in draw.sample(keys, EACH):
        year = draw.choice([day(row["valid_from"]).year for row in plain[key]])
        gold = sorted({row["subject"] for row in plain[key] if day(row["valid_from"]) < date(year + 1, 1, 1)
                       and (not row["valid_to"] or day(row["valid_to"]) > date(year, 1, 1))})
        yield "set", {"office": title(plain[key][0]), "year": str(year)}, gold
    people: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["object"].isascii():
            people[row["subject"]].add(f"{row['relation']} {row['object']}")
    for person in draw.sample(sorted(name for name, held in people.items() if len(held) > 1), 4):
        yield "offices", {"person": person}, sorted(people[person])
    for key in draw.sample(keys, EACH):
        old = [row for row in truth if (row["relation"], row["object"]) == key and row["known_to"]]
        if not old:
            continue
        row = draw.choice(old)
        known = day(row["known_from"][:10]) + timedelta(days=1)
        at = day(row["valid_from"]) + timedelta(days=60)
        gold = holders(believed(truth, f"{known}T12:00:00Z"), key, at)
        if len(gold) == 1:
            yield "known", {"office": title(row), "day": spoken(at), "known": spoken(known)}, gold
    for key in draw.sample(keys, EACH):
        at = day(plain[key][0]["valid_from"]) - timedelta(days=400)
        yield "nobody", {"office": title(plain[key][0]), "day": spoken(at)}, []
    for _ in range(2 * EACH):
        key = draw.choice(keys)
        at = day(draw.choice(plain[key])["valid_from"]) + timedelta(days=90)
        yield "unknown", {"none": draw.choice(NONE), "day": spoken(at), "stranger": draw.choice(STRANGERS),
                          "office": title(plain[key][0])}, []


def questions(truth: list[Row]) -> Iterator[dict[str, Any]]:
    """Every case in one dev and one test wording."""
    draw = random.Random(SEED)
    for number, (kind, parts, gold) in enumerate(cases(truth, draw), 1):
        for split in ("dev", "test"):
            text = draw.choice(WORDINGS[kind][split]).format(**parts)
            question = text[0].upper() + text[1:]
            yield {"id": f"{kind}-{number:03d}-{split}", "type": f"{kind}/{split}", "question": question,
                   "answers": gold, "unanswerable": not gold}


def main() -> int:
    """Write the file; exit 1 with `--check` if it would change."""
    with (HERE / "truth.csv").open(encoding="utf-8", newline="") as stream:
        truth = list(csv.DictReader(stream))
    path = HERE / "operations.jsonl"
    after = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in questions(truth))
    if "--check" in sys.argv[1:]:
        return int(not path.exists() or path.read_text(encoding="utf-8") != after)
    path.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
