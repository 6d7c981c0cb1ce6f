"""Suite `factconsolidation`: superseded facts in a controlled language, from the text of the statements (MIT).

MemoryAgentBench, split Conflict_Resolution: numbered statements, of which the one with the higher number holds, and
questions over one to four hops. No model takes part: `controlled_language` reads statements, `relation_path` reads
questions, both by rules. The loader turns the number of a statement into `observed_at` and `recorded_at`; which one
holds is then the store's affair (all relations are functional in the suite's schema), never a place in a list.

An answer is right if one of the gold aliases occurs in each of its values (SubEM; articles, case and punctuation do
not count). Three numbers belong together: the share of questions that were *parsed*, the accuracy on those, and
`gold_superseded`: the share of parsed questions whose gold is what the same path gives with a statement that a later
one supersedes. On these the set contradicts its own rule, because its edits were made case by case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from workbench.evaluate.baselines import BASELINES, Statement
from workbench.evaluate.controlled_language import ControlledLanguageRules, read_statement
from workbench.evaluate.data import need_files, read_rows, schema_named
from workbench.evaluate.harness import SYSTEM, build, limited, share_row
from workbench.evaluate.records import Row, Sample
from workbench.evaluate.relation_path import Path, read_path
from workbench.evaluate.suite import Outcome, Request
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.fact import Fact
from workbench.model.names import name_key
from workbench.model.time import FOREVER, SECOND, Instant

if TYPE_CHECKING:
    from workbench.api import Workbench

DATASET: Final = "factconsolidation"
_FOLDERS: Final = ("memoryagentbench-cr", "MemoryAgentBench", "memoryagentbench")
_NUMBERED: Final = re.compile(r"(\d+)\.\s+(.+)")
_EPOCH: Final = Instant.of(2001, 1, 1)

Slots = Mapping[tuple[str, str], Sequence[Statement]]


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
    bench, measured = build(episodes, request, f"{DATASET} {names[0].split('_')[-1]}",
                            schema=schema_named("controlled_language"), extractor=ControlledLanguageRules())
    at = max(episode.observed_at or _EPOCH for episode in episodes)
    slots = _slots(episodes)
    samples: list[Sample] = []
    with bench:
        memory = Memory(bench, at)
        for name, member in zip(names, members, strict=True):
            pairs = limited(zip(member["questions"], member["answers"], strict=True), request.limit)
            for number, (question, answers) in enumerate(pairs, start=1):
                samples += _ask(f"{DATASET}-{name}", f"{name}-{number}", question, answers, memory, slots)
                request.progress(f"{DATASET} {name}: questions", number, len(pairs))
    return samples, [*measured, *_parsed_rows(samples)]


def read_context(context: str) -> Iterator[Episode]:
    """One episode a numbered statement; number n was said and recorded n seconds after the first."""
    for line in context.split("\n"):
        if match := _NUMBERED.fullmatch(line.strip()):
            at = _EPOCH.plus(int(match[1]) * SECOND)
            yield Episode(id=f"statement {match[1]}", kind=EpisodeKind.TEXT, text=match[2], source=DATASET,
                          observed_at=at, recorded_at=at)


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
        return [(fact.relation, str(fact.object)) for fact in self.facts(entity) if name_key(fact.subject) == name_key(entity)]


def _ask(dataset: str, identity: str, question: str, answers: Sequence[str], memory: Memory,
         slots: Slots) -> Iterator[Sample]:
    started = perf_counter()
    path = read_path(question, memory.names, memory.neighbours)
    seconds = perf_counter() - started
    note = "not understood" if path is None else f"{path.anchor} → {' → '.join(path.relations)}"
    if path is not None and not path.strict:
        note = f"{note} (a phrase left aside)"
    base = Sample(dataset, SYSTEM, identity, "questions", question, tuple(answers), (), False, "empty",
                  memory.at, memory.at, seconds, note=note)
    if path is None:
        yield base
        return
    yield _judged(replace(base, evidence=_evidence(memory, path)), frozenset({path.answer}), path, slots)
    for name, baseline in BASELINES.items():
        values = _follow(path, slots, lambda found, baseline=baseline: baseline(found, memory.at, memory.at))  # type: ignore[misc]
        yield _judged(replace(base, system=name, seconds=0.0), values, path, slots)


def _evidence(memory: Memory, path: Path) -> tuple[str, ...]:
    steps = zip((path.anchor, *path.values), path.relations, path.values, strict=False)
    return tuple(dict.fromkeys(
        episode for subject, relation, value in steps for fact in memory.facts(subject)
        if (fact.relation, fact.object) == (relation, value) for episode in fact.episodes))


def _judged(sample: Sample, values: frozenset[str], path: Path, slots: Slots) -> Sample:
    right = bool(values) and all(contains_answer(value, sample.gold) for value in values)
    error = None if right else "empty" if not values else _error(sample, values, path, slots)
    note = sample.note
    if not right and sample.system == SYSTEM and _gold_superseded(sample.gold, path, slots):
        note = f"{note}; gold superseded"
    return replace(sample, predicted=tuple(sorted(values)), correct=right, error=error, note=note)


def _error(sample: Sample, values: frozenset[str], path: Path, slots: Slots) -> str:
    """Stale if some value is one that the same path reaches only through superseded statements."""
    latest = _follow(path, slots, lambda found: frozenset(item.value for item in found if item.known_to == FOREVER))
    ever = _follow(path, slots, lambda found: frozenset(item.value for item in found))
    wrong = {value for value in values if not contains_answer(value, sample.gold)}
    return "stale" if any(value in ever and value not in latest for value in wrong) else "wrong"


def _gold_superseded(gold: Sequence[str], path: Path, slots: Slots) -> bool:
    ever = _follow(path, slots, lambda found: frozenset(item.value for item in found))
    return any(contains_answer(value, gold) for value in ever)


def _follow(path: Path, slots: Slots, choose: Callable[[Sequence[Statement]], frozenset[str]]) -> frozenset[str]:
    at = frozenset({path.anchor})
    for relation in path.relations:
        at = frozenset(value for name in at for value in choose(slots.get((name_key(name), relation), ())))
    return at


def _slots(episodes: Sequence[Episode]) -> Slots:
    """By (subject, relation): the statements, each known from its own time to that of the next."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for episode in episodes:
        stated, at = read_statement(episode.text or ""), episode.observed_at or _EPOCH
        if stated is None:
            continue
        items = found[name_key(stated.subject), stated.relation]
        if items:
            items[-1] = replace(items[-1], known_to=at)
        items.append(Statement("", stated.value, known_from=at))
    for items in found.values():
        # A store without knowledge time keeps every statement standing.
        items[:] = [item if item.known_to == FOREVER else replace(item, valid_to=item.known_to) for item in items]
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
