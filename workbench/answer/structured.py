"""Answers without a model: a question in words becomes a slot, a vantage and a question type; the graph answers it.

Rules over the schema's labels and the store's names, for plain questions about one relation; what they do not
understand is an abstention with its reason, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from workbench.graph.facts import Facts, Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.model.fact import Answer, Fact, Reading
from workbench.model.names import name_key
from workbench.model.schema import Relation
from workbench.model.time import BEGINNING, FOREVER, Bound, Instant, Interval, Unparsed, Vantage


class Span(Protocol):
    """A resolved time expression: start and end as bounds."""

    @property
    def start(self) -> Bound | None:
        """Its start, or None."""
        ...

    @property
    def end(self) -> Bound | None:
        """Its end, or None."""
        ...


TimeFinder = Callable[[str, Instant], Sequence[tuple[tuple[int, int], Span | Unparsed]]]
"""Finds time expressions in a text, read at an anchor: (character span, what it means)."""

_WORD = re.compile(r"[^\W_]+(?:['’.&+-][^\W_]+)*[+#]*|[^\W_]", re.UNICODE)
_KNOWLEDGE = re.compile(
    r"\b(?:as (?:was |were )?(?:known|recorded|believed)|(?:as )?(?:the )?records? (?:stood|said|showed)|on record|"
    r"did (?:we|you|the store) (?:know|believe|think)|(?:was|were) (?:known|recorded|believed)|according to)\b", re.I)
_PREPOSITIONS: Final = frozenset("in at for of to by with on from as into".split())
_WEAK: Final = _PREPOSITIONS | frozenset("is be was ar has hav do did does the a an".split())
_NAME_WORDS: Final = 7


@dataclass(frozen=True)
class _Question:
    """What was understood.

    Attributes:
        entities: terms in order of mention, with the number of the word where each starts.
        relation, at: the relation, and the number of the word where its words start.
        window: the valid time asked about, or None.
        known: knowledge time asked about, or None.
        kind: `value`, `when`, `count` or `yesno`.
    """

    entities: tuple[tuple[int, int], ...]
    relation: Relation | None
    at: int
    window: Interval | None
    known: Instant | None
    kind: str


def ask(graph: Graph, schema: SchemaIndex, find_times: TimeFinder, question: str, vantage: Vantage, now: Instant,
        fixed: bool = False) -> Answer:
    """Answer a question from a vantage.

    Args:
        graph, schema: where to look.
        find_times: reads time expressions.
        question: in words.
        vantage: used where the question names no time.
        now: the present that "last year" speaks from.
        fixed: the vantage was given, so the question's own times only narrow the valid time.

    Returns:
        The answer with its evidence, or an abstention with the reason.
    """
    with graph.lock:
        asked = _understand(graph, schema, find_times, question, now)
        known = vantage.known_at if asked.known is None or (fixed and asked.known > vantage.known_at) else asked.known
        valid = asked.window or Interval(vantage.valid_at, Instant(vantage.valid_at + 1))
        if asked.window is None and asked.known is not None and not fixed:
            valid = Interval(asked.known, Instant(asked.known + 1))
        place = Vantage(valid.start, known)
        if not asked.entities:
            return Answer(question, place, abstained="not understood: no entity that the store knows is named")
        if asked.relation is None:
            return Answer(question, place, abstained="not understood: no relation of the schema is named")
        return _answer(graph, schema, asked, question, place, valid)


def _answer(graph: Graph, schema: SchemaIndex, asked: _Question, question: str, place: Vantage, valid: Interval
            ) -> Answer:
    assert asked.relation is not None
    name = display_label(asked.relation)
    for forward in _directions(graph, schema, asked):
        pattern = _pattern(asked, forward)
        found = select(graph, schema, pattern, None, place.known_at, Reading.BEST)
        held = list(found) if asked.kind == "when" else [fact for fact in found if _overlaps(fact, valid)]
        path = f"slot {'of' if forward else 'to'} {name}, {asked.kind}, valid {valid}, known {place.known_at}"
        if held:
            return _with(question, place, asked, held, forward, path)
    possible = select(graph, schema, _pattern(asked, True), valid.start, place.known_at, Reading.POSSIBLE)
    if len(possible):
        return Answer(question, place, facts=tuple(possible), abstained="only possible", path=f"slot of {name}")
    if asked.kind == "yesno":
        whole = _about(graph, schema, asked, place.known_at)
        if len(whole):
            return Answer(question, place, ("no",), tuple(whole), path=f"slot of {name}: other values hold")
    return Answer(question, place, abstained="nothing found", path=f"slot of {name}")


def _with(question: str, place: Vantage, asked: _Question, held: Sequence[Fact], forward: bool, path: str) -> Answer:
    if asked.kind == "yesno":
        return Answer(question, place, ("yes",), tuple(held), path=path)
    if asked.kind == "when":
        return Answer(question, place, tuple(_interval(fact) for fact in held), tuple(held), path=path)
    values = list(dict.fromkeys(
        (fact.object if fact.object is not None else fact.value) if forward else fact.subject for fact in held))
    told = [value for value in values if value is not None]
    if asked.kind == "count":
        return Answer(question, place, (len(told),), tuple(held), path=path)
    if any(fact.status == "competing" for fact in held):
        return Answer(question, place, facts=tuple(held), abstained="competing: the sources disagree", path=path)
    return Answer(question, place, tuple(told), tuple(held), path=path)


def _interval(fact: Fact) -> str:
    start = "?" if fact.valid_from is None else fact.valid_from.iso()
    return f"{start} – {'…' if fact.valid_to is None else fact.valid_to.iso()}"


def _overlaps(fact: Fact, window: Interval) -> bool:
    start = fact.valid_from or fact.valid_from_latest or BEGINNING
    end = fact.valid_to or FOREVER
    return start < end and window.overlaps(Interval(start, end))


def _pattern(asked: _Question, forward: bool) -> Pattern:
    first = (asked.entities[0][0],)
    second = (asked.entities[1][0],) if len(asked.entities) > 1 else None
    return Pattern(first, asked.relation, second) if forward else Pattern(second, asked.relation, first)


def _about(graph: Graph, schema: SchemaIndex, asked: _Question, known: Instant) -> Facts:
    return select(graph, schema, Pattern((asked.entities[0][0],), asked.relation, None), None, known, Reading.BEST)


def _directions(graph: Graph, schema: SchemaIndex, asked: _Question) -> list[bool]:
    """Whether to take the first entity as subject (True) or as object, most likely first."""
    assert asked.relation is not None
    entity, at = asked.entities[0]
    kinds = [kind for kind, _ in graph.timeline.types_of_entity(entity)]
    sides = (asked.relation.domain, asked.relation.range)
    fits = [all(schema.compatible(kind, side) for kind in kinds) for side in sides]
    if fits == [True, False]:
        return [True]
    if fits == [False, True]:
        return [False]
    return [False, True] if asked.at < at and len(asked.entities) == 1 else [True, False]


# -- understanding ------------------------------------------------------------------------------------------------


def _understand(graph: Graph, schema: SchemaIndex, find_times: TimeFinder, question: str, now: Instant) -> _Question:
    times = [(span, value) for span, value in find_times(question, now) if not isinstance(value, Unparsed)]
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(question)]
    free = [word for word in words if not any(low < word[2] and word[1] < high for (low, high), _ in times)]
    entities = _entities(graph, free, question)
    taken = {index for _, first, last in entities for index in range(first, last)}
    relation, at = _relation(schema, [(i, word[0]) for i, word in enumerate(free) if i not in taken])
    window, known = _window(question, times)
    return _Question(tuple((term, first) for term, first, _ in entities), relation, at, window, known,
                     _kind(question, len(entities)))


def _kind(question: str, entities: int) -> str:
    first = question.strip().casefold()
    if re.match(r"(when|since when|from when|until when|how long)\b", first):
        return "when"
    if re.match(r"how many\b", first):
        return "count"
    return "yesno" if entities > 1 and re.match(r"(is|was|are|were|does|do|did|has|had)\b", first) else "value"


def _window(question: str, times: Sequence[tuple[tuple[int, int], Span]]) -> tuple[Interval | None, Instant | None]:
    """(valid time, knowledge time) that the question names; a time right after words of knowing is the latter."""
    window: Interval | None = None
    known: Instant | None = None
    cue = _KNOWLEDGE.search(question)
    for (low, _), value in times:
        start = value.start.best if value.start else BEGINNING
        period = value.start.period if value.start else None
        end = value.end.best if value.end else period.end if period else Instant(start + 1)
        if end <= start:
            continue
        if cue is not None and low >= cue.start() and known is None:
            known = Instant(end - 1) if end < FOREVER else start
        else:
            window = Interval(start, end)
    return window, known


def _entities(graph: Graph, words: Sequence[tuple[str, int, int]], question: str) -> list[tuple[int, int, int]]:
    """(term, first word, word after the last) of known names, the longest first, in order of mention."""
    timeline = graph.timeline
    found: list[tuple[int, int, int]] = []
    start = 0
    while start < len(words):
        for length in range(min(_NAME_WORDS, len(words) - start), 0, -1):
            text = question[words[start][1]:words[start + length - 1][2]]
            terms = _named(graph, text) or _named(graph, re.sub(r"['’]s$", "", text))
            if terms:
                found.append((terms[0], start, start + length))
                start += length
                break
        else:
            start += 1
    return [item for item in found if timeline.labels_of(item[0])]


def _named(graph: Graph, text: str) -> list[int]:
    key = graph.timeline.terms.find(name_key(text))
    if key is None or not text.strip():
        return []
    column = graph.timeline.names.take("entity", graph.timeline.rows("names_by_key", key))
    return list(dict.fromkeys(graph.mappings.apply(entity) for entity in column.tolist()))


def _relation(schema: SchemaIndex, words: Sequence[tuple[int, str]]) -> tuple[Relation | None, int]:
    """The relation whose words the question holds, the longest match first, and where it starts."""
    stems = [_stem(word) for _, word in words]
    best: tuple[int, int, Relation, int] | None = None
    for order, form in enumerate(schema.surface_forms()):
        parts = [_stem(word) for word in form.text.split()]
        choices = [parts]
        if len(parts) > 1 and parts[-1] in _PREPOSITIONS:
            choices.append(parts[:-1])  # "Where does Ann live?"
        if len(parts) > 1 and parts[0] in ("is", "be"):
            choices.append(parts[1:])
        for wanted in choices:
            if all(part in _WEAK for part in wanted):
                continue
            at = _position(stems, [part for part in wanted if part])
            if at is not None and (best is None or (len(wanted), -order) > best[:2]):
                best = (len(wanted), -order, form.relation, words[at][0])
    return (None, -1) if best is None else (best[2], best[3])


def _position(stems: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted stems stand in order, with at most two other words between neighbours."""
    for start in range(len(stems)):
        if not wanted or stems[start] != wanted[0]:
            continue
        at = start
        for part in wanted[1:]:
            following = [i for i in range(at + 1, min(at + 4, len(stems))) if stems[i] == part]
            if not following:
                break
            at = following[0]
        else:
            return start
    return None


def _stem(word: str) -> str:
    """A crude English stem, good enough to match "works", "worked" and "working" with "work"."""
    text = word.casefold()
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if text.endswith(ending) and len(text) - len(ending) >= 3:
            text = text[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            break
    return text.removesuffix("e") if len(text) > 3 else text
