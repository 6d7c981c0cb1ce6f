"""Looking things up for a question: slots, paths, places and offices, at the time that the question means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from workbench.answer.asked import Asked
from workbench.answer.directions import directions
from workbench.answer.lexicon import Match
from workbench.answer.spans import Clauses, Held, holding
from workbench.graph.facts import Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.graph.vocabulary import local_name
from workbench.model.fact import Answer, Fact, Reading
from workbench.model.time import Interval, Vantage

_HOPS: Final = 3
_BRANCHES: Final = 200


@dataclass(frozen=True)
class Found:
    """Facts with the side that answers, and how they were found."""

    held: tuple[Held, ...] = ()
    path: str = ""
    via: tuple[Fact, ...] = ()


class Finder:
    """Finds the facts that one question is about."""

    def __init__(self, graph: Graph, schema: SchemaIndex, asked: Asked, place: Vantage) -> None:
        self.graph, self.schema, self.asked, self.place = graph, schema, asked, place

    # -- facts --------------------------------------------------------------------------------------------------

    def _values(self) -> Found | Answer:
        """The facts whose other side answers."""
        asked, founds = self.asked, []
        for mention, at in asked.entities:
            options = [found for term in mention.terms if (found := self._from(term, at)).held]
            kinds = [self.graph.timeline.types_of_entity(term) for term in mention.terms]
            if len(options) > 1 or (options and any(kind and kind in kinds[:n] for n, kind in enumerate(kinds))):
                return self._no("ambiguous: several things of that name have an answer",
                                [held.fact for option in options for held in option.held])
            founds.append(options[0] if options else Found(path="slot"))
        found = founds[0]
        for other in founds[1:]:
            keep = {held.key for held in other.held}
            mine = tuple(held for held in found.held if held.key in keep)
            theirs = tuple(held for held in other.held if held.key in {one.key for one in mine})
            found = Found(mine, f"{found.path}, both", tuple(held.fact for held in theirs))
        return found

    def _from(self, term: int, at: int) -> Found:
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
        return Found(path="path")

    def _slot(self, term: int, at: int, matches: Sequence[Match], *, timed: bool, hint: bool = True,
              typed: bool = True) -> Found:
        """The facts of the first relation and direction that has any that hold at the time asked, if there is one.

        Without a path: there are none at any time.
        """
        empty = Found()
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
                        return Found(kept, path)
                    empty = Found(path=path) if not empty.path else empty
        return empty

    def _path(self, terms: Sequence[int], at: int, groups: Sequence[Sequence[Match]]) -> Found:
        via: list[Fact] = []
        names: list[str] = []
        held: tuple[Held, ...] = ()
        for number, group in enumerate(groups[:_HOPS]):
            last = number == len(groups) - 1
            steps = [self._hop(term, at if number == 0 else None, group, last) for term in terms[:_BRANCHES]]
            held = tuple(one for step in steps for one in step.held)
            if not held:
                return Found(path="path")
            names.append(next(step.path for step in steps if step.held))
            if not last:
                via += [one.fact for one in held]
                terms = list(dict.fromkeys(
                    term for one in held if (term := self._term(one.other_iri)) is not None))
        return Found(held, "path: " + " → ".join(name.removeprefix("slot: ") for name in names), tuple(via))

    def _hop(self, term: int, at: int | None, group: Sequence[Match], last: bool) -> Found:
        found = self._slot(term, 0 if at is None else at, group, timed=True, hint=at is not None, typed=last)
        return found if last else replace(found, held=tuple(one for one in found.held if one.other_iri))

    def _loose(self, term: int) -> Found:
        """Where someone is, or which office someone holds, whatever the relation."""
        facts = [Held(fact, True) for fact in self._facts(Pattern((term,)))]
        asked = self.asked
        if asked.office:
            offices = tuple(held for held in facts if self._is_office(held.fact.relation_iri))
            held = offices if asked.anchor is not None else self._held(self._typed(offices))
            return Found(held, "offices")
        for kinds in (("Place",), ("Team", "Organization")):
            here = [held for held in facts if any(self._ranges_over(held.fact, kind) for kind in kinds)]
            if here:
                return Found(self._held(tuple(here)), "places")
        return Found(path="places")

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
        run = Finder(self.graph, self.schema, replace(clause, ever=True), self.place)
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

    def _pairs(self) -> Found:
        """The facts between two of the things named, whichever is the subject."""
        asked = self.asked
        if not asked.matches:
            for (one, _), (other, _) in permutations(asked.entities, 2):
                if found := self._facts(Pattern(one.terms, None, other.terms)):
                    return Found(tuple(Held(fact, True) for fact in found), "any relation between the two")
        for match in asked.matches:
            for (one, at), (other, _) in permutations(asked.entities, 2):
                for forward in directions(self.graph, self.schema, match, one.terms[0], at, asked):
                    subject, value = (one, other) if forward else (other, one)
                    found = self._facts(Pattern(subject.terms, match.relation, value.terms))
                    if found:
                        return Found(tuple(Held(fact, True) for fact in found),
                                      f"slot: {display_label(match.relation)}")
        return Found(path="slot")


    def _no(self, reason: str, facts: Sequence[Fact] = ()) -> Answer:
        return Answer(self.asked.text, self.place, facts=tuple(dict.fromkeys(facts)), abstained=reason)
