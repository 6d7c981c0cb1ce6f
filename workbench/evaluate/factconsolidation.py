"""Suite `factconsolidation`: superseded facts in a controlled language, from the text of the statements (MIT).

MemoryAgentBench, split Conflict_Resolution: numbered statements, of which the one with the higher number holds, and
questions over one to four hops. No model takes part: `controlled_language` reads statements, `relation_path` reads
questions, both by rules. The loader turns the number of a statement into `observed_at` and `recorded_at`; which one
holds is then the store's affair (all relations are functional in the suite's schema), never a place in a list. To show
that, `workbench (shuffled)` takes the same statements in a random order of arrival, with `recorded_at` from there.

An answer is right if one of the gold aliases occurs in each of its values (SubEM; articles, case and punctuation do
not count). Three numbers belong together: the share of questions that were *parsed*, the accuracy on those, and
`gold_superseded`: the share of parsed questions whose gold is what the same path gives with a statement that a later
one supersedes. On these the set contradicts its own rule, because its edits were made case by case.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.controlled_language import RELATIONS, ControlledLanguageRules, read_statement
from workbench.evaluate.data import need_files, read_rows, schema_named
from workbench.evaluate.harness import SYSTEM, build, limited, share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.relation_path import Path, read_path
from workbench.evaluate.suite import Outcome, Request
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.fact import Fact
from workbench.model.names import name_key
from workbench.model.time import SECOND, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "factconsolidation"
_FOLDERS: Final = ("memoryagentbench-cr", "MemoryAgentBench", "memoryagentbench")
_NUMBERED: Final = re.compile(r"(\d+)\.\s+(.+)")
_EPOCH: Final = Instant.of(2001, 1, 1)

SHUFFLED: Final = "workbench (shuffled)"


@dataclass(frozen=True, slots=True)
class Standing:
    """A value that was stated, with the number of its statement and its place in the order of arrival."""

    value: str
    number: Instant
    arrival: Instant


Slots = Mapping[tuple[str, str], Sequence[Standing]]


def _latest(found: Sequence[Standing]) -> frozenset[str]:
    return frozenset({max(found, key=lambda item: item.number).value}) if found else frozenset()


def _last_arrived(found: Sequence[Standing]) -> frozenset[str]:
    return frozenset({max(found, key=lambda item: item.arrival).value}) if found else frozenset()


def _every(found: Sequence[Standing]) -> frozenset[str]:
    return frozenset(item.value for item in found)


# No statement tells a validity: a store with validity alone has nothing to choose by, and overwriting by number is
# all that this set asks for. The log sees the shuffled order.
_BASELINES: Final[Mapping[str, Callable[[Sequence[Standing]], frozenset[str]]]] = {
    "latest-only": _latest, "valid-time-only": _every, "arrival-order": _last_arrived,
}
_NAMES: Final = {re.sub(r"\W", "", name).lower(): name for name in RELATIONS}


def run(request: Request) -> Outcome:
    """All contexts found; contexts with the same statements share a store."""
    files = need_files(request.data, DATASET, "*o*.json*", _FOLDERS)
    lines = [line for path in files for line in read_rows(path) if "context" in line and "questions" in line]
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        groups[line["context"]].append(line)
    samples: list[Sample] = []
    rows: list[Row] = []
    for context, members in groups.items():
        found, measured = _context(context, members, request)
        samples += found
        rows += measured
    return Outcome(samples, rows, files, ["SubEM over gold aliases; no model; see factconsolidation.py"])


def _context(context: str, members: Sequence[Mapping[str, Any]], request: Request) -> tuple[list[Sample], list[Row]]:
    names = [str(member["metadata"]["source"]).removeprefix(f"{DATASET}_") for member in members]
    episodes = list(read_context(context))
    shuffled = _shuffled(episodes, request.seed)
    slots = _slots(shuffled)
    what = f"{DATASET}-{names[0].split('_')[-1]}"
    samples: list[Sample] = []
    rows: list[Row] = []
    for system, arriving in ((SYSTEM, episodes), (SHUFFLED, shuffled)):
        bench, measured = build(arriving, request, what, schema=schema_named("controlled_language"),
                                extractor=ControlledLanguageRules())
        rows += [*measured, _statements_row(what, context, episodes)] if system == SYSTEM else []
        with bench:
            memory = Memory(bench, max(episode.recorded_at or _EPOCH for episode in arriving))
            for name, member in zip(names, members, strict=True):
                pairs = limited(zip(member["questions"], member["answers"], strict=True), request.limit)
                for number, (question, answers) in enumerate(pairs, start=1):
                    samples += _ask(system, f"{DATASET}-{name}", f"{name}-{number}", question, answers, memory, slots)
                    request.progress(f"{DATASET} {name}: questions", number, len(pairs))
    return samples, [*rows, *_parsed_rows(samples)]


def _shuffled(episodes: Sequence[Episode], seed: int) -> list[Episode]:
    """The same statements, each said when it was said, but taken in at random one after another."""
    order = list(episodes)
    random.Random(seed).shuffle(order)
    last = max(episode.observed_at or _EPOCH for episode in episodes)
    return [replace(episode, recorded_at=last.plus(number * SECOND)) for number, episode in enumerate(order, start=1)]


def read_context(context: str) -> Iterator[Episode]:
    """One episode a numbered statement; number n was said and recorded n seconds after the first."""
    for line in context.split("\n"):
        if match := _NUMBERED.fullmatch(line.strip()):
            at = _EPOCH.plus(int(match[1]) * SECOND)
            yield Episode(id=f"statement {match[1]}", kind=EpisodeKind.TEXT, text=match[2], source=DATASET,
                          observed_at=at, recorded_at=at)


def _statements_row(what: str, context: str, episodes: Sequence[Episode]) -> Row:
    """How many lines were read as statements; an unnumbered or unknown line is counted, the heading apart."""
    lines = [line for line in context.split("\n") if line.strip()]
    heading = bool(lines) and lines[0].rstrip().endswith(":") and _NUMBERED.fullmatch(lines[0].strip()) is None
    known = sum(read_statement(episode.text or "") is not None for episode in episodes)
    return share_row(what, "statements_read", known, len(lines) - heading)


@dataclass
class Memory:
    """The store as the reader of questions sees it: names of subjects, and facts to follow, at one vantage."""

    bench: Workbench
    at: Instant

    def __post_init__(self) -> None:
        facts = self.bench.facts(valid_at=self.at, known_at=self.at)
        self._subjects = sorted({fact.subject for fact in facts}, key=lambda name: (-len(name), name))
        self._keys = {name: name_key(name) for name in self._subjects}

    def names(self, question: str) -> list[str]:
        """The known subjects that a question mentions, longest first."""
        text = name_key(question)
        return [name for name in self._subjects
                if (key := self._keys[name]) in text and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text)]

    def facts(self, entity: str) -> list[Fact]:
        """What holds of an entity."""
        return [fact for fact in self.bench.facts(entity, valid_at=self.at, known_at=self.at) if fact.object]

    def neighbours(self, entity: str) -> list[tuple[str, str]]:
        """(relation, value) pairs of an entity; none for a name that is nobody's."""
        return [(_NAMES.get(fact.relation.lower(), fact.relation), str(fact.object)) for fact in self.facts(entity)]


def _ask(system: str, dataset: str, identity: str, question: str, answers: Sequence[str], memory: Memory,
         slots: Slots) -> Iterator[Sample]:
    started = perf_counter()
    path = read_path(question, memory.names, memory.neighbours)
    seconds = perf_counter() - started
    note = "not understood" if path is None else f"{path.anchor} → {' → '.join(path.relations)}"
    if path is not None and not path.strict:
        note = f"{note} (a phrase left aside)"
    base = Sample(dataset, system, identity, "questions", question, tuple(answers), (), False, "empty",
                  memory.at, memory.at, seconds, note=note)
    if path is None:
        yield base
        return
    yield _judged(replace(base, evidence=_evidence(memory, path)), frozenset({path.answer}), path, slots)
    if system == SYSTEM:
        for name, baseline in _BASELINES.items():
            yield _judged(replace(base, system=name, seconds=0.0), _follow(path, slots, baseline), path, slots)


def _evidence(memory: Memory, path: Path) -> tuple[str, ...]:
    steps = zip((path.anchor, *path.values), path.relations, path.values, strict=False)
    return tuple(dict.fromkeys(
        episode for subject, relation, value in steps for fact in memory.facts(subject)
        if (_NAMES.get(fact.relation.lower()), fact.object) == (relation, value) for episode in fact.episodes))


def _judged(sample: Sample, values: frozenset[str], path: Path, slots: Slots) -> Sample:
    right = bool(values) and all(contains_answer(value, sample.gold) for value in values)
    error = None if right else "empty" if not values else _error(sample, values, path, slots)
    note = sample.note
    if not right and sample.system in (SYSTEM, SHUFFLED) and _gold_superseded(sample.gold, path, slots):
        note = f"{note}; gold superseded"
    return replace(sample, predicted=tuple(sorted(values)), correct=right, error=error, note=note)


def _error(sample: Sample, values: frozenset[str], path: Path, slots: Slots) -> str:
    """Stale if some value is one that the same path reaches only through superseded statements."""
    latest, ever = _follow(path, slots, _latest), _follow(path, slots, _every)
    wrong = {value for value in values if not contains_answer(value, sample.gold)}
    return "stale" if any(value in ever and value not in latest for value in wrong) else "wrong"


def _gold_superseded(gold: Sequence[str], path: Path, slots: Slots) -> bool:
    return any(contains_answer(value, gold) for value in _follow(path, slots, _every))


def _follow(path: Path, slots: Slots, choose: Callable[[Sequence[Standing]], frozenset[str]]) -> frozenset[str]:
    at = frozenset({path.anchor})
    for relation in path.relations:
        at = frozenset(value for name in at for value in choose(slots.get((name_key(name), relation), ())))
    return at


def _slots(episodes: Sequence[Episode]) -> Slots:
    found: dict[tuple[str, str], list[Standing]] = defaultdict(list)
    for episode in episodes:
        stated = read_statement(episode.text or "")
        if stated is not None:
            found[name_key(stated.subject), stated.relation].append(
                Standing(stated.value, episode.observed_at or _EPOCH, episode.recorded_at or _EPOCH))
    return found


def normalised(text: str) -> str:
    """Lower case, without articles, punctuation and repeated blanks (SQuAD's normalisation).

    >>> normalised("The  Beatles!")
    'beatles'
    """
    plain = re.sub(r"[^\w\s]", "", text.lower())
    return " ".join(word for word in plain.split() if word not in ("a", "an", "the"))


def contains_answer(value: str, gold: Sequence[str]) -> bool:
    """SubEM: some gold alias is part of the value."""
    return any(normalised(alias) in normalised(value) for alias in gold if normalised(alias))


def _parsed_rows(samples: Sequence[Sample]) -> list[Row]:
    rows = []
    for dataset in dict.fromkeys(sample.dataset for sample in samples):
        ours = [sample for sample in samples if sample.dataset == dataset and sample.system == SYSTEM]
        parsed = [sample for sample in ours if sample.predicted and "left aside" not in sample.note]
        superseded = [sample for sample in parsed if "gold superseded" in sample.note]
        right = sum(bool(sample.correct) for sample in parsed)
        rows += [
            share_row(dataset, "questions_parsed", len(parsed), len(ours)),
            share_row(dataset, "accuracy_parsed", right, len(parsed)),
            share_row(dataset, "gold_superseded", len(superseded), len(parsed)),
            share_row(dataset, "accuracy_parsed_gold_current", right, len(parsed) - len(superseded)),
        ]
    return rows
