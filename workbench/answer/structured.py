"""Answers without a model: slots, paths, first and last, before and after, overlaps, counts, durations, order.

What is asked is worked out by `workbench.answer.question`; here it is looked up. Where nothing can be said, the answer
says why: `not understood`, `nothing found`, `only possible`, `competing`, `ambiguous`, `outside what was known`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from workbench.answer.asked import Asked, Kind, Pick
from workbench.answer.directions import directions
from workbench.answer.finding import Finder, Found
from workbench.answer.lexicon import Lexicon
from workbench.answer.question import understand
from workbench.answer.spans import Held, beside, holding, picked
from workbench.answer.wording import duration_of, end_of, interval_of, start_of, value_of
from workbench.graph.facts import Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.model.claim import Value
from workbench.model.fact import Answer, Fact, Reading
from workbench.model.schema import Relation
from workbench.model.time import Instant, Vantage


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


class _Run(Finder):
    """One question being answered."""

    def answer(self) -> Answer:
        asked = self.asked
        if not (asked.matches or asked.office or self._where() or len(asked.entities) > 1):
            return self._no("not understood: no relation that the schema or the store knows is named")
        if asked.kind is Kind.ORDER:
            return self._order()
        if asked.kind is Kind.YESNO and len(asked.entities) > 2 and asked.anchor is None and asked.clause is None:
            return self._no("not understood: more is named than the relation takes")
        if len(asked.entities) > 1 and not (self._together() and asked.kind in (Kind.VALUE, Kind.COUNT)):
            return self._pair()
        if asked.kind is Kind.YESNO and asked.anchor is None:
            return self._no("not understood: a question for yes or no names two things")
        found = self._values()
        if isinstance(found, Answer):
            return found
        return self._tell(found)

    # -- telling --------------------------------------------------------------------------------------------------

    def _tell(self, found: Found) -> Answer:
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

    def _nothing(self, found: Found) -> Answer:
        """Nothing held; perhaps something may have."""
        asked = self.asked
        if asked.kind in (Kind.VALUE, Kind.COUNT) and not asked.hops and asked.anchor is None and asked.pick is None:
            at = asked.times.valid.start if asked.times.valid is not None else self.place.valid_at
            for mention, place in asked.entities:
                for match in asked.matches:
                    ways = directions(self.graph, self.schema, match, mention.terms[0], place, asked)
                    if not ways:
                        continue
                    pattern = Pattern(mention.terms, match.relation) if ways[0] else Pattern(
                        None, match.relation, mention.terms)
                    sure, possible = (select(self.graph, self.schema, pattern, at, self.place.known_at, reading)
                                      for reading in (Reading.BEST, Reading.POSSIBLE))
                    open_ones = [fact for fact in possible if fact not in set(sure)]  # what holds was left out above
                    if open_ones:
                        return replace(self._no("only possible", open_ones), path=found.path)
        return replace(self._no("nothing found"), path=found.path)

    # -- two things -----------------------------------------------------------------------------------------------

    def _together(self) -> bool:
        """Whether the things named are taken together: "both Ann and Bob"."""
        asked = self.asked
        (first, _), *others = asked.entities
        between = asked.text[first.span[1]:others[-1][0].span[0]].casefold() if others else ""
        return between.strip() in ("and", "and also", "as well as", "und", "y", "&", "with") or (
            "both" in asked.text.casefold().split() and " and " in between)

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

    def _yes_or_no(self, found: Found) -> Answer:
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

    def _earlier(self, found: Found) -> Answer:
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
