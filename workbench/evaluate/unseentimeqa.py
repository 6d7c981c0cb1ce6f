"""Suite `unseentimeqa`: an event log becomes interval claims, and questions are answered as of a minute (MIT).

Every item is a world of its own, so its packages are named after the item. `logistics` derives where each package is
and which questions the stated times determine; the store holds the intervals and answers. Items carry a
`do_not_train` flag: nothing here learns from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate import logistics
from workbench.evaluate.baselines import Statement
from workbench.evaluate.data import find_files, need_files, read_rows, schema_named
from workbench.evaluate.harness import (
    SYSTEM,
    Asked,
    Found,
    ask,
    ask_baselines,
    build,
    limited,
    share_row,
)
from workbench.evaluate.logistics import Event, Stay
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.suite import Outcome, Request
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import FOREVER, SECOND, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "unseentimeqa"
IS_IN: Final = "is in"
_DAY_ZERO: Final = Instant.of(2000, 1, 3)
_OBSERVED: Final = Instant.of(2000, 2, 1)
_MINUTE: Final = 60 * SECOND
_SHIFT: Final = re.compile(r"(\d+) (hour|minute)s? (after|before)")
_GAPS: Final = range(8)


@dataclass(frozen=True)
class World:
    """One item, with times where they are determined.

    Attributes:
        id: names the item; `package`: the one asked about.
        kind: level and question type, such as `easy static_time`.
        stays: where every package is, or empty if that is not determined.
        minutes: the moments that the question may mean.
        determined, robust: see `logistics`.
        reason: why it is not determined.
    """

    id: str
    kind: str
    line: Mapping[str, Any]
    package: str = ""
    stays: Sequence[Stay] = ()
    minutes: Sequence[int] = ()
    determined: bool = False
    robust: bool = False
    reason: str = ""


def run(request: Request) -> Outcome:
    """All levels whose files are there; parallel logs and what-if questions are counted as unscored."""
    need_files(request.data, DATASET, "*.json*", ("UnSeenTimeQA",))
    files = [path for path in find_files(request.data, DATASET, "*.json*", ("UnSeenTimeQA",)) if _is_data(path)]
    worlds = [world for path in files for world in _worlds(path, request.limit)]
    bench, rows = build([_episode(world) for world in worlds if world.determined], request, DATASET,
                        schema=schema_named("plain"))
    samples: list[Sample] = []
    with bench:
        for done, world in enumerate(worlds, start=1):
            if world.determined:
                question = _asked(world)
                samples += [ask(question, partial(_answer, bench, world)), *ask_baselines(question)]
            else:
                samples.append(_undetermined(world))
            request.progress(f"{DATASET}: questions", done, len(worlds))
    return Outcome(samples, [*rows, *_coverage(worlds, samples)], files)


def _is_data(path: Path) -> bool:
    return re.match(r"(easy|medium|hard)", path.name) is not None


def _worlds(path: Path, limit: int | None) -> Iterator[World]:
    stem = path.name.split(".")[0]
    for line in limited(read_rows(path), limit):
        yield read_world(f"{stem} {line['id']}", line)


def read_world(name: str, line: Mapping[str, Any]) -> World:
    """Derive an item's intervals and say whether its question is determined."""
    serial = line.get("execution", "serial") == "serial"
    kind = f"{line.get('data_split', '')} {line.get('question_type', '')}".strip()
    kind = kind if serial else f"{kind} parallel"
    if not serial:
        return World(name, kind, line, reason="parallel log")
    question = line["question"]
    events, initial = logistics.read_log(line["events"]), logistics.initial_places(line["initial_states_description"])
    packages = re.findall(r"\bp\d+\b", question.rsplit("here is", 1)[-1])
    times = re.findall(r"\d{2}:\d{2} [AP]M", question)
    if len(packages) != 1 or not times or not events:
        return World(name, kind, line, reason="what-if or unknown form of question")
    known = _known_start(question)
    expected = 1 if known is None else 2
    if len(times) != expected or (known is None and question.lower().startswith("if")):
        return World(name, kind, line, reason="what-if or unknown form of question")
    readings = [reading for gap in (_GAPS if known is not None else (0,))
                if (reading := _reading(events, initial, known, packages[0], question, times, gap)) is not None]
    if not readings:
        return World(name, kind, line, packages[0], reason="the stated times place no event")
    stays, minutes, answers = readings[0]
    determined, everywhere = len(answers) == 1, set().union(*(found for _, _, found in readings))
    return World(name, kind, line, packages[0], stays, minutes, determined, len(everywhere) == 1,
                 "" if determined else "two days fit")


def _known_start(question: str) -> tuple[Event, int] | None:
    match = re.match(r"If (.+?) starts at (\d{2}:\d{2} [AP]M)", question)
    event = logistics.read_event(match[1]) if match else None
    return None if match is None or event is None else (event, logistics.minutes(match[2]))


def _reading(events: Sequence[Event], initial: dict[str, str], known: tuple[Event, int] | None, package: str,
             question: str, times: Sequence[str], gap: int) -> tuple[list[Stay], list[int], set[frozenset[str]]] | None:
    timed = list(events) if known is None else logistics.placed(events, known[0], known[1], gap)
    if timed is None or any(event.start is None or event.end is None for event in timed):
        return None
    stays = logistics.stays(initial, timed, (timed[0].start or 0) - logistics.DAY)
    asked = logistics.minutes(times[-1])
    if known is not None:
        # The question looks at a moment after the start that it gives, within a day of it.
        minutes = [known[1] + (asked + _shift(question) - known[1]) % logistics.DAY]
    else:
        # "5 hours before 03:50 PM" names a time of day; the anchor itself may lie outside the log.
        minutes = logistics.moments(timed, asked + _shift(question))
    return stays, minutes, {logistics.where(stays, package, minute) for minute in minutes}


def _shift(question: str) -> int:
    match = _SHIFT.search(question)
    if match is None:
        return 0
    size = int(match[1]) * (60 if match[2] == "hour" else 1)
    return size if match[3] == "after" else -size


def _instant(minute: int) -> Instant:
    return _DAY_ZERO.plus(minute * _MINUTE)


def _episode(world: World) -> Episode:
    claims = [Claim(f"{package} of {world.id}", IS_IN, object=place, valid_from=_instant(start).iso(),
                    valid_to=None if end is None else _instant(end).iso())
              for package, place, start, end in _spans(world.stays)]
    lines = [*world.line["initial_states_description"], *world.line["events"]]
    return Episode(id=world.id, kind=EpisodeKind.EVENT, text="\n".join(lines), source=DATASET, observed_at=_OBSERVED,
                   recorded_at=_OBSERVED, claims=tuple(claims))


def _spans(stays: Sequence[Stay]) -> Iterator[tuple[str, str, int, int | None]]:
    """Unbroken stretches of one package in one place."""
    for package in dict.fromkeys(stay.package for stay in stays):
        open_since: dict[str, int] = {}
        mine = [stay for stay in stays if stay.package == package]
        for stay in mine:
            for place in [place for place in open_since if place not in stay.places]:
                yield package, place, open_since.pop(place), stay.start
            for place in stay.places:
                open_since.setdefault(place, stay.start)
        for place, start in open_since.items():
            yield package, place, start, None


def _asked(world: World) -> Asked:
    statements = [Statement("", place, _instant(start), FOREVER if end is None else _instant(end), _instant(start))
                  for package, place, start, end in _spans(world.stays) if package == world.package]
    return Asked(DATASET, world.id, world.kind, world.line["question"], frozenset(world.line["answers"]),
                 _instant(world.minutes[0]), FOREVER, statements, _OBSERVED)


def _answer(bench: Workbench, world: World) -> Found:
    facts = tuple(bench.facts(f"{world.package} of {world.id}", IS_IN, valid_at=_instant(world.minutes[0])))
    return Found(frozenset(fact.object for fact in facts if fact.object), facts)


def _undetermined(world: World) -> Sample:
    return Sample(DATASET, SYSTEM, world.id, world.kind, world.line["question"],
                  tuple(sorted(world.line["answers"])), (), None, note=world.reason)


def _coverage(worlds: Sequence[World], samples: Sequence[Sample]) -> list[Row]:
    right = {sample.id: bool(sample.correct) for sample in samples if sample.system == SYSTEM}
    rows = []
    for kind in sorted({world.kind for world in worlds}):
        mine = [world for world in worlds if world.kind == kind]
        robust = [world for world in mine if world.robust]
        rows += [
            share_row(DATASET, f"determined[{kind}]", sum(world.determined for world in mine), len(mine)),
            share_row(DATASET, f"robust[{kind}]", len(robust), len(mine)),
            share_row(DATASET, f"accuracy_robust[{kind}]", sum(right[world.id] for world in robust), len(robust)),
        ]
    return rows
