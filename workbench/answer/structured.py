"""Answers without a model: slots, paths, first and last, before and after, overlaps, counts, durations, order.

What is asked is worked out by `workbench.answer.question`; here it is looked up. Where nothing can be said, the answer
says why: `not understood`, `nothing found`, `only possible`, `competing`, `ambiguous`, `outside what was known`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from workbench.answer.directions import directions
from workbench.answer.lexicon import Lexicon, Match
from workbench.answer.question import Asked, Kind, Pick, understand
from workbench.answer.spans import Clauses, Held, beside, holding, picked
from workbench.answer.wording import duration_of, end_of, interval_of, start_of, value_of
from workbench.graph.facts import Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.vocabulary import local_name
from workbench.model.claim import Value
from workbench.model.fact import Answer, Fact, Reading
from workbench.model.schema import Relation
from workbench.model.time import Instant, Interval, Vantage

_HOPS: Final = 3
_BRANCHES: Final = 200


def ask(graph: Graph, schema: SchemaIndex, question: str, vantage: Vantage, now: Instant, *,
        fixed: bool = False, lexicon: Lexicon | None = None, asked: Asked | None = None) -> Answer:
    """Answer a question from a vantage.

    Args:
        graph, schema: where to look.
        question: in words.
        vantage: used where the question names no time.
        now: the present that "last year" speaks from.
        fixed: the vantage's knowledge time was given, so a later one in the question is not followed.
        lexicon, asked: the words for relations, and what was understood already, if at hand.

    Returns:
        The answer with its evidence, or an abstention with the reason.
    """
    with graph.lock:
        if asked is None:
            asked = understand(graph, schema, lexicon or Lexicon.of(graph, schema), question, now, vantage.known_at)
        known = asked.times.known
        place = vantage
        if known is not None:
            if not (fixed and known > vantage.known_at):
                place = Vantage(vantage.valid_at, known)
            if asked.times.valid is None and not fixed:
                place = Vantage(known, place.known_at)
        first = graph.timeline.episodes.get("recorded", 0) if graph.episodes else None
        if first is None or first > place.known_at:
            return Answer(question, place, abstained="outside what was known: nothing had been recorded by then")
        if asked.unexplained:
            words = ", ".join(f"“{word}”" for word in asked.unexplained[:5])
            return Answer(question, place, abstained=f"not understood: {words}")
        if not asked.entities:
            return Answer(question, place, abstained="not understood: no entity that the store knows is named")
        return _Run(graph, schema, asked, place).answer()


@dataclass(frozen=True)
class _Found:
    """Facts with the side that answers, and how they were found."""

    held: tuple[Held, ...] = ()
    path: str = ""
    via: tuple[Fact, ...] = ()


class _Run:
    """One question being answered."""

    def __init__(self, graph: Graph, schema: SchemaIndex, asked: Asked, place: Vantage) -> None:
        self.graph, self.schema, self.asked, self.place = graph, schema, asked, place

    def answer(self) -> Answer:
        asked = self.asked
        if not (asked.matches or asked.office or self._where() or len(asked.entities) > 1):
            return self._no("not understood: no relation that the schema or the store knows is named")
        if asked.kind is Kind.ORDER:
            return self._order()
        if len(asked.entities) > 1 and not (self._together() and asked.kind in (Kind.VALUE, Kind.COUNT)):
            return self._pair()
        if asked.kind is Kind.YESNO and asked.anchor is None:
            return self._no("not understood: a question for yes or no names two things")
        found = self._values()
        if isinstance(found, Answer):
            return found
        return self._tell(found)

    # -- finding --------------------------------------------------------------------------------------------------

    def _values(self) -> _Found | Answer:
        """The facts whose other side answers."""
        asked, founds = self.asked, []
        for mention, at in asked.entities:
            options = [found for term in mention.terms if (found := self._from(term, at)).held]
            if len(options) > 1:
                return self._no("ambiguous: several things of that name have an answer",
                                [held.fact for option in options for held in option.held])
            founds.append(options[0] if options else _Found(path="slot"))
        found = founds[0]
        for other in founds[1:]:
            keep = {held.key for held in other.held}
            mine = tuple(held for held in found.held if held.key in keep)
            theirs = tuple(held for held in other.held if held.key in {one.key for one in mine})
            found = _Found(mine, f"{found.path}, both", tuple(held.fact for held in theirs))
        return found

    def _from(self, term: int, at: int) -> _Found:
        asked = self.asked
        groups = [list(asked.matches), *map(list, asked.hops)] if asked.matches else []
        if not groups or (asked.office and not self._slot(term, at, groups[0], timed=False).held):
            return self._loose(term)
        if len(groups) == 1:
            main = {self.schema.canonical(match.relation)[0].iri for match in groups[0]}
            nouns = [match for match in asked.nouns if self.schema.canonical(match.relation)[0].iri not in main]
            if nouns and (found := self._path([term], at, [nouns, groups[0]])).held:
                return found
            found = self._slot(term, at, groups[0], timed=asked.anchor is None)
            if not found.path and asked.others:
                found = self._slot(term, at, asked.others, timed=asked.anchor is None)
            return found
        near = sorted(range(len(groups)), key=lambda n: abs(groups[n][0].at[0] - at))
        orders = sorted(permutations(range(len(groups))), key=lambda order: [near.index(n) for n in order])
        for order in orders:
            found = self._path([term], at, [groups[n] for n in order])
            if found.held:
                return found
        return _Found(path="path")

    def _slot(self, term: int, at: int, matches: Sequence[Match], *, timed: bool, hint: bool = True,
              typed: bool = True) -> _Found:
        """The facts of the first relation and direction that has any that hold at the time asked, if there is one.

        Without a path: there are none at any time.
        """
        empty = _Found()
        for match in matches:
            path = f"slot: {display_label(match.relation)}"
            for forward in directions(self.graph, self.schema, match, term, at if hint else None, self.asked):
                found = self._facts(Pattern((term,), match.relation) if forward
                                    else Pattern(None, match.relation, (term,)))
                held = tuple(Held(fact, forward) for fact in found)
                held = self._typed(held) if typed else held
                if held:
                    kept = self._held(held) if timed else held
                    if kept:
                        return _Found(kept, path)
                    empty = _Found(path=path) if not empty.path else empty
        return empty

    def _path(self, terms: Sequence[int], at: int, groups: Sequence[Sequence[Match]]) -> _Found:
        via: list[Fact] = []
        names: list[str] = []
        held: tuple[Held, ...] = ()
        for number, group in enumerate(groups[:_HOPS]):
            last = number == len(groups) - 1
            steps = [self._hop(term, at if number == 0 else None, group, last) for term in terms[:_BRANCHES]]
            held = tuple(one for step in steps for one in step.held)
            if not held:
                return _Found(path="path")
            names.append(next(step.path for step in steps if step.held))
            if not last:
                via += [one.fact for one in held]
                terms = list(dict.fromkeys(
                    term for one in held if (term := self._term(one.other_iri)) is not None))
        return _Found(held, "path: " + " → ".join(name.removeprefix("slot: ") for name in names), tuple(via))

    def _hop(self, term: int, at: int | None, group: Sequence[Match], last: bool) -> _Found:
        found = self._slot(term, 0 if at is None else at, group, timed=True, hint=at is not None, typed=last)
        return found if last else replace(found, held=tuple(one for one in found.held if one.other_iri))

    def _loose(self, term: int) -> _Found:
        """Where someone is, or which office someone holds, whatever the relation."""
        facts = [Held(fact, True) for fact in self._facts(Pattern((term,)))]
        asked = self.asked
        if asked.office:
            offices = tuple(held for held in facts if self._is_office(held.fact.relation_iri))
            held = offices if asked.anchor is not None else self._held(self._typed(offices))
            return _Found(held, "offices")
        for kinds in (("Place",), ("Team", "Organization")):
            here = [held for held in facts if any(self._ranges_over(held.fact, kind) for kind in kinds)]
            if here:
                return _Found(self._held(tuple(here)), "places")
        return _Found(path="places")

    def _where(self) -> bool:
        first = self.asked.text.lstrip().casefold()
        return first.startswith(("where", "wo ", "dónde")) or any(
            word.text.casefold() == "where" for word in self.asked.words[:8])

    def _is_office(self, iri: str) -> bool:
        relation = self.schema.by_iri(iri)
        person = self.schema.entity_type("Person").iri
        if relation.inverse_functional and relation.domain is not None and self.schema.is_subtype(
                relation.domain, person):
            return True
        return local_name(iri) == "holdsRole"

    def _ranges_over(self, fact: Fact, kind: str) -> bool:
        relation, wanted = self.schema.by_iri(fact.relation_iri), self.schema.entity_type(kind).iri
        return relation.range is not None and self.schema.is_subtype(relation.range, wanted)

    def _facts(self, pattern: Pattern) -> list[Fact]:
        return list(select(self.graph, self.schema, pattern, None, self.place.known_at, Reading.BEST))

    def _term(self, iri: str | None) -> int | None:
        return None if iri is None else self.graph.timeline.terms.find(iri)

    def _typed(self, held: tuple[Held, ...]) -> tuple[Held, ...]:
        """Those whose answer may have one of the types asked for."""
        wanted = self.asked.types
        if not wanted:
            return held
        def fits(one: Held) -> bool:
            term = self._term(one.other_iri)
            kinds = [] if term is None else [kind for kind, _ in self.graph.timeline.types_of_entity(term)]
            return not kinds or any(self.schema.compatible(kind, want) for kind in kinds for want in wanted)
        return tuple(one for one in held if fits(one))

    # -- time -----------------------------------------------------------------------------------------------------

    def _window(self) -> tuple[Interval | None, tuple[Fact, ...]]:
        """(what a clause says of the time, the facts that say it)."""
        clause = self.asked.clause
        if clause is None or self.asked.side is None:
            return None, ()
        run = _Run(self.graph, self.schema, replace(clause, ever=True), self.place)
        facts = run._clause_facts()
        return Clauses(clause, self.asked.side).window(facts), tuple(facts)

    def _clause_facts(self) -> list[Fact]:
        asked = self.asked
        if len(asked.entities) > 1:
            return [held.fact for held in self._pairs().held]
        found = self._values()
        return [] if isinstance(found, Answer) else [held.fact for held in found.held]

    def _held(self, held: tuple[Held, ...]) -> tuple[Held, ...]:
        asked = self.asked
        if asked.clause is not None:
            window, _ = self._window()
            if window is None:
                return ()
            return Clauses(asked.clause, asked.side or "").choose(held, window)
        return holding(held, asked, self.place.valid_at)

    # -- telling --------------------------------------------------------------------------------------------------

    def _tell(self, found: _Found) -> Answer:
        asked, held = self.asked, found.held
        if asked.anchor is not None and asked.kind in (Kind.VALUE, Kind.COUNT):
            held = beside(held, self._anchor_keys(), asked.side or "")
        held = tuple(sorted(held, key=lambda one: (one.start, one.end, one.key)))
        if asked.pick is not None:
            held = picked(held, asked.pick, self.place.valid_at)
        if not held:
            return self._nothing(found)
        facts = [*(one.fact for one in held), *found.via, *self._window()[1]]
        if asked.kind in (Kind.WHEN, Kind.START, Kind.END, Kind.DURATION):
            return self._dates([one.fact for one in held], found.path, facts)
        if any(one.fact.status == "competing" for one in held) and asked.kind is Kind.VALUE:
            return replace(self._no("competing: the sources disagree", facts), path=found.path)
        values = list(dict.fromkeys(self._value(one) for one in held))
        if asked.kind is Kind.COUNT:
            return self._yes((len(values),), facts, f"{found.path}, count")
        return self._yes(tuple(values), facts, found.path)

    def _value(self, held: Held) -> Value:
        if self.asked.office and self._is_office(held.fact.relation_iri):
            relation = self.schema.by_iri(held.fact.relation_iri)
            if relation.inverse_functional:
                return f"{display_label(relation)} {held.fact.object}"
        return value_of(held)

    def _anchor_keys(self) -> frozenset[str]:
        assert self.asked.anchor is not None
        return frozenset(self.graph.timeline.terms[term] for term in self.asked.anchor.terms)

    def _dates(self, facts: Sequence[Fact], path: str, evidence: Sequence[Fact]) -> Answer:
        kind, asked = self.asked.kind, self.asked
        if asked.pick is None and asked.times.valid is not None:
            facts = [held.fact for held in holding([Held(fact, True) for fact in facts], asked, self.place.valid_at)]
        if kind is Kind.DURATION:
            told: list[Value] = [text] if (text := duration_of(facts, self.place.valid_at)) is not None else []
        else:
            write = {Kind.START: start_of, Kind.END: end_of, Kind.WHEN: interval_of}[kind]
            told = [text for fact in facts if (text := write(fact)) is not None]
        if not told:
            return replace(self._no("nothing found: no such date is known", evidence), path=path)
        return self._yes(tuple(dict.fromkeys(told)), evidence, f"{path}, {kind}")

    def _nothing(self, found: _Found) -> Answer:
        """Nothing held; perhaps something may have."""
        asked = self.asked
        if asked.kind in (Kind.VALUE, Kind.COUNT) and not asked.hops and asked.anchor is None and asked.pick is None:
            at = asked.times.valid.start if asked.times.valid is not None else self.place.valid_at
            for mention, place in asked.entities:
                for match in asked.matches:
                    forward = directions(self.graph, self.schema, match, mention.terms[0], place, asked)[0]
                    pattern = Pattern(mention.terms, match.relation) if forward else Pattern(
                        None, match.relation, mention.terms)
                    possible = select(self.graph, self.schema, pattern, at, self.place.known_at, Reading.POSSIBLE)
                    if len(possible):
                        return replace(self._no("only possible", list(possible)), path=found.path)
        return replace(self._no("nothing found"), path=found.path)

    # -- two things -----------------------------------------------------------------------------------------------

    def _together(self) -> bool:
        """Whether the things named are taken together: "both Ann and Bob"."""
        asked = self.asked
        (first, _), *others = asked.entities
        between = asked.text[first.span[1]:others[-1][0].span[0]].casefold() if others else ""
        return between.strip() in ("and", "and also", "as well as", "und", "y", "&", "with") or (
            "both" in asked.text.casefold().split() and " and " in between)

    def _pairs(self) -> _Found:
        """The facts between two of the things named, whichever is the subject."""
        asked = self.asked
        if not asked.matches:
            for (one, _), (other, _) in permutations(asked.entities, 2):
                if found := self._facts(Pattern(one.terms, None, other.terms)):
                    return _Found(tuple(Held(fact, True) for fact in found), "any relation between the two")
        for match in asked.matches:
            for (one, at), (other, _) in permutations(asked.entities, 2):
                forward = directions(self.graph, self.schema, match, one.terms[0], at, asked)[0]
                pairs = [(one, other), (other, one)] if forward else [(other, one), (one, other)]
                for subject, value in pairs:
                    found = self._facts(Pattern(subject.terms, match.relation, value.terms))
                    if found:
                        return _Found(tuple(Held(fact, True) for fact in found),
                                      f"slot: {display_label(match.relation)}")
        return _Found(path="slot")

    def _pair(self) -> Answer:
        asked, found = self.asked, self._pairs()
        if asked.kind is Kind.YESNO:
            return self._yes_or_no(found)
        if asked.kind in (Kind.VALUE, Kind.COUNT):
            return self._no("not understood: more is named than the relation takes")
        held = found.held
        if asked.times.begins is not None or asked.times.ends is not None:
            held = holding(held, asked, self.place.valid_at)
        return self._tell(replace(found, held=held))

    def _yes_or_no(self, found: _Found) -> Answer:
        asked = self.asked
        if asked.anchor is not None:
            return self._earlier(found)
        held = self._held(found.held)
        facts = [one.fact for one in held]
        if facts:
            if all(fact.status == "competing" for fact in facts):
                return self._no("competing: the sources disagree", facts)
            return self._yes(("yes",), facts, found.path)
        if found.held and any(self._may_hold(match.relation) for match in asked.matches):
            return replace(self._no("only possible", [one.fact for one in found.held]), path=found.path)
        if found.held:
            return self._yes(("no",), [one.fact for one in found.held], f"{found.path}: at another time")
        for match in asked.matches:
            rivals = self._rivals(match.relation)
            if rivals:
                return self._yes(("no",), [one.fact for one in rivals], f"slot: {display_label(match.relation)}: "
                                                                        "another value holds")
        return replace(self._no("nothing found"), path=found.path)

    def _may_hold(self, relation: Relation) -> bool:
        """Whether what is asked about possibly held then, because its start or end is not known."""
        at = self.asked.times.valid.start if self.asked.times.valid is not None else self.place.valid_at
        return any(len(select(self.graph, self.schema, Pattern(one.terms, relation, other.terms), at,
                              self.place.known_at, Reading.POSSIBLE))
                   for (one, _), (other, _) in permutations(self.asked.entities, 2))

    def _earlier(self, found: _Found) -> Answer:
        """Whether what is asked about began before (after) the same with the anchor in one of the places."""
        asked = self.asked
        assert asked.anchor is not None
        first, second = (mention for mention, _ in asked.entities[:2])
        for match in asked.matches:
            for one, other in ((first, asked.anchor), (asked.anchor, second), (asked.anchor, first),
                               (second, asked.anchor)):
                rivals = self._facts(Pattern(one.terms, match.relation, other.terms))
                if rivals and found.held:
                    mine, its = (min(held.start for held in some) for some in (
                        found.held, [Held(fact, True) for fact in rivals]))
                    facts = [*(held.fact for held in found.held), *rivals]
                    if mine == its:
                        return self._no("nothing found: the order is not known", facts)
                    return self._yes(("yes" if (mine < its) == (asked.side == "before") else "no",), facts,
                                     "order of two starts")
        return self._no("nothing found")

    def _rivals(self, relation: Relation) -> tuple[Held, ...]:
        """Facts that hold then and leave no room for the one asked about."""
        for mention, _ in self.asked.entities:
            if relation.functional or relation.symmetric:
                held = self._held(tuple(Held(f, True) for f in self._facts(Pattern(mention.terms, relation))))
                if held and relation.functional:
                    return held
            if relation.inverse_functional:
                held = self._held(tuple(Held(f, False) for f in self._facts(Pattern(None, relation, mention.terms))))
                if held:
                    return held
        return ()

    def _order(self) -> Answer:
        """Which of the last two things named came first (or last) in the slot of the others."""
        asked = self.asked
        starts: list[tuple[Instant, str, Fact]] = []
        rivals = [mention for mention, _ in asked.entities][-2:]
        others = [item for item in asked.entities if item[0] not in rivals]
        for match in asked.matches:
            for rival in rivals:
                patterns = [Pattern(rival.terms, match.relation)] if not others else [
                    Pattern(others[0][0].terms, match.relation, rival.terms),
                    Pattern(rival.terms, match.relation, others[0][0].terms)]
                facts = [fact for pattern in patterns for fact in self._facts(pattern) if fact.valid_from is not None]
                if facts:
                    first = min(facts, key=lambda fact: fact.valid_from or Instant(0))
                    assert first.valid_from is not None
                    starts.append((first.valid_from, asked.text[rival.span[0]:rival.span[1]], first))
            if len(starts) == 2:
                break
            starts = []
        if len(starts) < 2 or starts[0][0] == starts[1][0]:
            return self._no("nothing found: the order is not known", [fact for _, _, fact in starts])
        late = asked.pick in (Pick.LAST, Pick.NEXT) or any(word.text.casefold() == "later" for word in asked.words)
        starts.sort(reverse=late)
        return self._yes((starts[0][1],), [fact for _, _, fact in starts], "order of two starts")

    def _yes(self, values: tuple[Value, ...], facts: Sequence[Fact], path: str) -> Answer:
        return Answer(self.asked.text, self.place, values, tuple(dict.fromkeys(facts)), path=path)

    def _no(self, reason: str, facts: Sequence[Fact] = ()) -> Answer:
        return Answer(self.asked.text, self.place, facts=tuple(dict.fromkeys(facts)), abstained=reason)
