"""Understanding a question without a model: what is asked, of whom, by which relation, about which times.

Every word with content must be explained by an entity, a relation, a time or an operation; a question with a word that
nothing explains is not answered, because an answer to half a question is a false one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from workbench.answer.asked import Asked, Kind, Pick
from workbench.answer.lexicon import Lexicon, Match
from workbench.answer.short_names import link_short
from workbench.answer.times import Times, read_times
from workbench.answer.words import KINDS, ORGANISATIONAL, TURNED, TURNING, Word, is_filler, is_generic, stem, words
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.model.schema import EntityType
from workbench.model.time import Instant, Interval
from workbench.retrieve.link import Mention, link

_SIDE: Final = re.compile(
    r"\b(?:(?P<before>(?:came |comes? )?before|prior to|preced(?:ed|ing|es)|predecessor (?:of|to)|vor|antes de)"
    r"|(?P<after>(?:came |comes? )?after|follow(?:ing|ed|s)|succeed(?:ed|ing|s)|replac(?:ed|ing|es)"
    r"|successor (?:of|to)|took over from|nach|después de)"
    r"|(?P<during>while|during|when|(?:at|on|by) the (?:time|moment|day|date)(?: that| when)?|as long as|während"
    r"|mientras)"
    r"|(?P<until>until|till|bis|hasta)|(?P<since>since))\b\s*", re.I)
_POSSESSED: Final = re.compile(r"^\s*['’]s?\s+(?:(?:direct|immediate)\s+)?(?P<what>predecessor|successor)\b", re.I)
_ACTIVE: Final = re.compile(r"succeed|replac|took over|follow", re.I)
_PASSED: Final = re.compile(
    r"^\s*(?:was|is|were|has been|had been)\s+(?P<what>succeeded|replaced|followed|preceded)\b", re.I)
# "When Ann joined, who led Billing?": the clause comes first
_CLAUSE_FIRST: Final = re.compile(
    r"^\W*(?P<side>when|while|during|before|after|until|since|at the time(?: that| when)?|on the day(?: that| when)?)"
    r"\s+(?P<clause>[^,?]+),\s*(?=(?:who|whom|which|what|where|how|in|at|on|for|did|was|is|were|had|has)\b)", re.I)
_PICKS: Final = {
    Pick.FIRST: "first original initial earliest inaugural erste primer",
    Pick.LAST: "last latest recent newest final letzte último",
    Pick.PREVIOUS: "previous former prior preceding predecessor previously formerly vorherige anterior",
    Pick.NEXT: "next subsequent successor nächste siguiente",
}
_PICK_OF: Final = {word: pick for pick, group in _PICKS.items() for word in group.split()}
_STARTING: Final = frozenset(map(stem, "join start begin become appoint hire elect commence found".split()))
_ENDING: Final = frozenset(map(stem, "leave end stop quit finish resign cease expire retire depart step".split()))
_AMONG: Final = frozenset(("on", "in"))
LONGEST: Final = 2_000
MOST_ENTITIES: Final = 6
_JOINED: Final = words("joined")[0]
_WHEN: Final = re.compile(
    r"^\W*(?:(?P<since>since when|from when|seit wann|desde cuándo|从什么时候)"
    r"|(?P<until>until when|till when|bis wann|hasta cuándo)"
    r"|(?P<long>(?:for )?how (?:long|many (?:days|weeks|months|years))\b(?! ago)|wie lange|cuánto tiempo|多久)"
    r"|(?P<many>how many|wie viele|cuántos|cuántas|.{0,12}几个|.{0,12}多少)"
    r"|(?P<when>when|(?:on|in|at|by|for)? ?(?:what|which) (?:exact )?(?:year|date|day|month|time|period)"
    r"|wann|cuándo|.{0,14}什么时候|.{0,14}何时))", re.I)
_PREFACE: Final = re.compile(
    r"^\W*(?:please )?(?:(?:do|can|could|would) you )?(?:know|tell me|say|remember)\b\s*"
    r"|^\W*(?:as|according|back|given|based|with|from|going|looking|judging|per)\b[^,:?]*[,:]\s*", re.I)
_AUXILIARY: Final = re.compile(
    r"^\W*(?:is|was|are|were|does|do|did|has|had|have|isn't|wasn't|didn't|war|ist|hat|es|fue|era|estaba)\b", re.I)
_PAST: Final = re.compile(r"\b(?:was|were|did|had|used to|formerly|war|hatte|fue|era)\b", re.I)
_EVER: Final = re.compile(
    r"\b(?:ever|has been|have been|has had|have had|over time|so far|in total|altogether|all the|throughout|history of"
    r"|(?:has|have)\W+(?:\w+\W+){0,4}?(?:been|had|\w+ed|led|held|left|met|won)|over the years|to date|jemals"
    r"|alguna vez)\b", re.I)
_YEAR: Final = re.compile(r"(?<![0-9A-Za-z.,:/#-])(?:1[0-9]|20)[0-9]{2}(?![0-9A-Za-z:/-]|[.,][0-9])")
_MOVING: Final = re.compile(
    r"\b(?:zog|zieht|ziehen|gezogen|umgezogen|wechselte|wechselt|gewechselt|ging|kam|reiste)\b", re.I)
_CHOICE: Final = re.compile(r"\b(?:or|oder|o)\b", re.I)


def understand(graph: Graph, schema: SchemaIndex, lexicon: Lexicon, text: str, now: Instant, known: Instant,
               linked: Sequence[Mention] | None = None) -> Asked:
    """What a question asks.

    Args:
        graph, schema: what can be asked about.
        lexicon: the words for relations.
        text: the question.
        now: the present that relative times count from.
        known: names that came later are not known.
        linked: what `link` finds in it at `known`, if that is at hand.
    """
    if len(text) > LONGEST:
        return Asked(text, unexplained=(f"a question of more than {LONGEST} characters",))
    times = read_times(text, now)
    at = times.known or known
    if linked is None or at != known:
        linked = link(graph, text, at)
    mentions = [mention for mention in linked if not _overlaps(mention.span, times.spans)]
    times = _bare_year(text, times, [mention.span for mention in mentions])
    mentions += link_short(graph, lexicon.short_names, text, at, mentions)
    mentions.sort(key=lambda mention: mention.span)
    return _Reader(schema, lexicon, text, times, mentions).read()


def _bare_year(text: str, times: Times, named: Sequence[tuple[int, int]]) -> Times:
    """The same with a year that stands for itself: "Wer leitete Payments 2020?"."""
    for found in _YEAR.finditer(text):
        if times.valid is None and not _overlaps(found.span(), (*times.spans, *named)):
            window = Interval(Instant.of(int(found[0])), Instant.of(int(found[0]) + 1))
            times = replace(times, valid=window, spans=(*times.spans, found.span()))
    return times


class _Reader:
    def __init__(self, schema: SchemaIndex, lexicon: Lexicon, text: str, times: Times, mentions: Sequence[Mention]
                 ) -> None:
        self.schema, self.lexicon, self.text, self.times = schema, lexicon, text, times
        self.words = tuple(words(text))
        self.mentions = [mention for mention in mentions if not self._is_relation(mention)]

    def _is_relation(self, mention: Mention) -> bool:
        """A name in small letters that is also the word for a relation: the relation is meant."""
        name = self.text[mention.span[0]:mention.span[1]]
        if name != name.lower() or not name.isascii() or any(char.isdigit() for char in name):
            return False
        inside = self._inside([mention.span])
        return all(is_filler(self.words[at]) for at in inside) or any(
            match.whole and set(inside) <= set(match.at) for match in self.lexicon.matches(self.words, inside))

    def _inside(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        return [at for at, word in enumerate(self.words) if _overlaps((word.start, word.end), spans)]

    def read(self) -> Asked:
        self.start = len(self.text) - len(self._head())
        first = _CLAUSE_FIRST.match(self.text)
        if first is not None and not self._inside_is_time(first.span("clause")):
            return self._clause_first(first)
        whole = self._whole()
        cut = self._side()
        if cut is None:
            return self._main(whole, (self.start, len(self.text)), self.mentions)
        side, (low, high), anchor = cut
        if anchor is None:
            rest = (self.start, low) if low > self.start + 10 else (high, len(self.text))
            return self._with_clause(side, (low, high), rest)
        others = [mention for mention in self.mentions if mention is not anchor]
        asked = self._main(whole, (self.start, len(self.text)), others, aside=(low, high))
        return replace(asked, anchor=anchor, side=side)

    def _inside_is_time(self, span: tuple[int, int]) -> bool:
        """Whether a stretch is a time as it stands ("During 2019, …")."""
        inside = [at for at in self._inside([span]) if not is_filler(self.words[at])]
        return all(at in self._inside(self.times.spans) for at in inside)

    def _clause_first(self, first: re.Match[str]) -> Asked:
        self.start = first.end()
        word = first["side"].casefold()
        side = word if word in ("before", "after", "until", "since") else "during"
        return self._with_clause(side, first.span("clause"), (self.start, len(self.text)))

    def _with_clause(self, side: str, clause: tuple[int, int], rest: tuple[int, int]) -> Asked:
        """A question whose time a clause names; what the clause or the rest does not name is the other's."""
        whole = self._whole()
        inner = [mention for mention in self.mentions if clause[0] <= mention.span[0] < clause[1]]
        outer = [mention for mention in self.mentions if mention not in inner]
        named = self._main(replace(whole, kind=Kind.WHEN), clause, inner or outer[:1])
        return replace(self._main(whole, rest, outer or inner[:1]), clause=named, side=side)

    def _whole(self) -> Asked:
        return Asked(self.text, kind=self._kind(), times=self.times, words=self.words,
                     past=bool(_PAST.search(self.text)), ever=bool(_EVER.search(self.text)))

    def _kind(self) -> Kind:
        head = self.text[self.start:]
        found = _WHEN.match(head)
        if found is None:
            if len(self.mentions) > 1 and _CHOICE.search(self.text) and re.search(
                    r"\b(?:first|earlier|before|later|last|sooner)\b", self.text, re.I):
                return Kind.ORDER
            return Kind.YESNO if _AUXILIARY.match(head) else Kind.VALUE
        for name, kind in (("since", Kind.START), ("until", Kind.END), ("long", Kind.DURATION), ("many", Kind.COUNT)):
            if found[name]:
                return kind
        stems = {word.stem for at, word in enumerate(self.words) if at not in self._inside(self.times.spans)}
        if stems & _ENDING:
            return Kind.END
        return Kind.START if stems & _STARTING or re.search(r"\bmove[ds]?\b|\bsince\b", self.text) else Kind.WHEN

    def _head(self) -> str:
        """The question without what it is prefaced by: "As our records stood on 5 May, …", "In 2019, …"."""
        at, before = 0, -1
        while at != before:
            before = at
            if preface := _PREFACE.match(self.text[at:]):
                at += preface.end()
            for low, high in self.times.spans:
                if 0 <= low - at <= 1 and high < len(self.text):
                    at = high + len(self.text[high:]) - len(self.text[high:].lstrip(" ,:;"))
        return self.text[at:]

    def _side(self) -> tuple[str, tuple[int, int], Mention | None] | None:
        """(side, characters of what follows, the entity if it is one) of a "before …", "while …" in the question."""
        for mention in self.mentions:
            if found := _PASSED.match(self.text[mention.span[1]:]):
                side = "before" if found["what"].lower() == "preceded" else "after"
                return side, (mention.span[1], mention.span[1] + found.end()), mention
            if found := _POSSESSED.match(self.text[mention.span[1]:]):
                side = "after" if found["what"].lower() == "successor" else "before"
                return side, (mention.span[1], mention.span[1] + found.end()), mention
        for found in _SIDE.finditer(self.text):
            leading = found.start() - self.start < 3
            asking = _WHEN.match(self.text[self.start:])
            if found.start() < self.start + (0 if asking is None else asking.end()):
                continue
            if found.group().strip().casefold() == "nach" and _MOVING.search(self.text):
                continue  # "zog nach Graz": whither, not after what
            if _overlaps(found.span(), self.times.spans) or any(
                    _overlaps(found.span(), [mention.span]) for mention in self.mentions):
                continue
            side = next(name for name, value in found.groupdict().items() if value)
            low, high = found.end(), len(self.text)
            if leading and (comma := self.text.find(",", low)) > 0:
                high = comma
            inside = [at for at, word in enumerate(self.words) if low <= word.start < high]
            free = [at for at in inside if at not in self._inside([mention.span for mention in self.mentions])
                    and at not in self._inside(self.times.spans)]
            here = [mention for mention in self.mentions if low <= mention.span[0] < high]
            content = [at for at in free if not is_filler(self.words[at]) and not is_generic(self.words[at])]
            if here and here[0].span[0] - low <= 4 and (side in ("before", "after")) and (
                    not content or _ACTIVE.search(found.group()) or re.match(
                        r"\s*(?:as|in|at|of|did|was|do|does|$|\?)", self.text[here[0].span[1]:])):
                return side, (found.start(), found.end()), here[0]
            if content and (any(match.whole for match in self.lexicon.matches(self.words, free))
                            or any(self.words[at].stem in _STARTING | _ENDING for at in content)):
                return side, (low, high), None
        return None

    def _main(self, asked: Asked, part: tuple[int, int], mentions: Sequence[Mention],
              aside: tuple[int, int] | None = None) -> Asked:
        """Fill in entities, relations, types and what is left unexplained, from a part of the text."""
        low, high = part
        here = [at for at, word in enumerate(self.words) if low <= word.start < high]
        outside = [mention.span for mention in self.mentions] + list(self.times.spans) + ([aside] if aside else [])
        taken = frozenset(self._inside(outside))
        free = [at for at in here if at not in taken]
        content = [at for at in free if not is_filler(self.words[at])]
        typed, kinds, office = self._wanted(content, taken)
        matches = self.lexicon.matches(self.words, content)
        first, hops, left = _cover(matches, content, typed, self.words)
        leaving = [at for at in content if self.words[at].stem in _ENDING]
        among = self._inside([mention.span for mention in mentions])
        belonging = [at for at in here if self.words[at].text.casefold() in _AMONG and at + 1 in among
                     and any(self.words[asking].text.casefold() in _WHO for asking in here)]
        if not first and (leaving := leaving or belonging):
            # what one leaves, or is on, is what one joined
            first = [replace(match, at=tuple(leaving[:1])) for match in self.lexicon.matches((_JOINED,), (0,))
                     if match.whole]
        first = self._stranded(first)
        pick = next((_PICK_OF[word] for at in free if (word := self.words[at].text.casefold()) in _PICK_OF
                     and not any(at in match.at for match in first)), None)
        unexplained = [self.words[at].text for at in left
                       if at not in typed and not is_generic(self.words[at])
                       and self.words[at].text.casefold() not in _PICK_OF
                       and self.words[at].stem not in _STARTING | _ENDING]
        unexplained += [self.words[at].text for at in free if self._turns(at)]
        placed = tuple((mention, self._inside([mention.span])[0]) for mention in mentions)
        if len(placed) > MOST_ENTITIES:
            unexplained.append(f"more than {MOST_ENTITIES} things named")
        needed = {at for match in first[:1] for at in match.at if at not in typed
                  and not is_generic(self.words[at]) and self.words[at].text.casefold() not in KINDS}
        others = self._stranded([match for match in matches if needed and needed <= set(match.at)
                                 and match not in first], first)
        asked_for = {at for at in typed if any(
            word.text.casefold() in ASKING for word in self.words[max(0, at - 2):at])}
        nouns = [match for match in matches if match.whole and first and set(match.at) <= typed - asked_for
                 and not set(match.at) & {at for group in (first, *hops) for match in group for at in match.at}]
        who = any(self.words[at].text.casefold() in _WHO for at in here)
        asked = replace(asked, past=asked.past or any(match.relation.event for match in first))
        ever = asked.ever or (asked.past and len(placed) > 1 and "both" in asked.text.casefold())
        return replace(asked, part=part, entities=placed, others=tuple(others), nouns=tuple(nouns), who=who, ever=ever,
                       matches=tuple(first), hops=tuple(map(tuple, hops)),
                       types=frozenset(kind.iri for kind in kinds), office=office, pick=pick, taken=taken,
                       unexplained=tuple(unexplained), times=self._aspect(asked, first))

    def _stranded(self, matches: Sequence[Match], beside: Sequence[Match] = ()) -> list[Match]:
        """Those that a preposition left behind allows: "report to" in "Who did Ann report to in 2020?" is no report."""
        def left_behind(match: Match) -> bool:
            after = [word.text.casefold() for word in self.words[match.at[-1] + 1:match.at[-1] + 3]]
            return bool(match.form.tail) and after[:1] == [match.form.tail] and (
                len(after) == 1 or after[1] in _PREPOSITIONS)
        if not any(left_behind(match) for match in (*matches, *beside)):
            return list(matches)
        return [match for match in matches if match.form.tail]

    def _turns(self, at: int) -> bool:
        """Whether a word makes it another question; "Isn't Ann on Billing?" is the same as without."""
        word = self.words[at]
        if word.text.casefold() not in TURNING or word.text == "May":
            return False
        after = self.words[at + 1].text.casefold() if at + 1 < len(self.words) else ""
        return word.start - self.start > 1 and not (word.text.casefold() == "same" and after in TURNED)

    def _aspect(self, asked: Asked, matches: Sequence[Match]) -> Times:
        """"Who joined in 2019?" asks for what began in 2019."""
        times, stems = self.times, {word.stem for word in self.words}
        if asked.kind is Kind.VALUE and times.valid is not None and not times.day:
            if stems & _STARTING:
                return replace(times, begins=times.valid, valid=None)
            if stems & _ENDING:
                return replace(times, ends=times.valid, valid=None)
        return times

    def _wanted(self, content: Sequence[int], taken: frozenset[int]) -> tuple[set[int], list[EntityType], bool]:
        """(positions, types, whether an office) of the noun after "which" or "what", or alone as a noun."""
        positions: set[int] = set()
        kinds: list[EntityType] = []
        office = False
        for at in content:
            if self.words[at].stem in self.lexicon.types:
                positions.add(at)
                before = self.words[at - 1].text.casefold() if at and at - 1 not in taken else ""
                second = self.words[at - 2].text.casefold() if at > 1 and at - 2 not in taken else ""
                if before in ASKING or (second in ASKING and at - 1 in content):
                    kinds.append(self.lexicon.types[self.words[at].stem])
            elif self.words[at].text.casefold().rstrip("s") in ORGANISATIONAL:
                positions.add(at)
                office = True
            elif self.words[at].text.casefold() in KINDS and (
                    at + 1 in taken  # "the team Enosis"
                    or any(word.text.casefold() in ASKING for word in self.words[max(0, at - 3):at])):
                positions.add(at)
        return positions, kinds, office


_PREPOSITIONS: Final = frozenset("in on at during since until before after by from between while when as".split())
_WHO: Final = frozenset("who whom whose people everyone everybody anyone wer wen wem wessen quién quiénes 谁".split())
ASKING: Final = frozenset("which what many welche welcher welches qué cuál".split())


def _cover(matches: Sequence[Match], content: Sequence[int], typed: set[int], text: Sequence[Word]
           ) -> tuple[list[Match], list[list[Match]], list[int]]:
    """(equally good first matches, those of further relations, words left).

    A match that covers only nouns of type gives way to any other.
    """
    def good(match: Match) -> bool:
        return match.whole and not all(at in typed or is_generic(text[at]) for at in match.at)
    chosen: list[list[Match]] = []
    left = list(content)
    pool = [match for match in matches if good(match)] or [match for match in matches if match.whole] or list(matches)
    while pool:
        best = max(pool, key=lambda match: len(set(match.at) & set(left)))
        size = len(set(best.at) & set(left))
        if size < len(best.at) or size == 0:
            pool = [match for match in pool if match is not best and set(match.at) <= set(left)]
            continue
        group = [match for match in pool if match.at == best.at]
        same = {match.relation.iri for match in group}
        earlier = {match.relation.iri for one in chosen for match in one}
        if chosen and same & earlier:  # "which employer did she work for": two words for one relation
            chosen[0] = [match for match in chosen[0] if match.relation.iri in same] or chosen[0]
        elif not chosen or not all(is_generic(text[at]) or at in typed for at in best.at):
            chosen.append(group)
        left = [at for at in left if at not in best.at]
        pool = [match for match in pool if set(match.at) <= set(left)]
    # "when did she become head of": the start of something is no relation of its own beside another
    telling = [group for group in chosen if not all(text[at].stem in _STARTING | _ENDING for at in group[0].at)]
    chosen = sorted(telling or chosen, key=lambda group: group[0].at[0])
    return (chosen[0] if chosen else []), chosen[1:], left


def _overlaps(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(low < span[1] and span[0] < high for low, high in spans)
