"""Chinese sentences in the order subject, surface form, object: 王明2019年加入阿里巴巴."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from workbench.ingest.dates import TimeMention
from workbench.ingest.rules.clauses import Mood
from workbench.ingest.rules.forms import FormIndex
from workbench.ingest.rules.times import TimeReader
from workbench.model.claim import Claim, Polarity

_SEGMENT: Final = re.compile(r"[^。！？!?；;\n，,]+")
_EDGE: Final = re.compile(r"^[\s的了是在于也就还又已经并且而且但]+|[\s的了是在于也就还又已经并且而且正]+$")
_NEGATED: Final = (("从未", Mood.NEVER), ("从来没有", Mood.NEVER), ("从不", Mood.NEVER), ("不再", Mood.ENDS),
                   ("没有", Mood.DENIED), ("没", Mood.DENIED), ("不", Mood.DENIED), ("未", Mood.DENIED))
_LEAVING: Final = ("离开了", "离开", "退出了", "退出", "離開")
_LONGEST: Final = 20
_OFFICE_END: Final = r"(?:一职|职务|的职务|的职位)?\s*$"
_BEING: Final = re.compile(
    r"(?P<subject>.*?)(?P<not>从未|从来没有|不再|没有|没|不|未)?(?P<past>曾经|曾)?(?:"
    r"(?P<ends>卸任|辞去|辞任)|(?P<begins>当选为|当选|就任|出任|接任|继任|成为|升任)|(?P<holds>担任|是|现任|(?<=曾)任))了?"
    r"(?P<object>.+)")
_BEING_MOODS: Final = (("ends", Mood.ENDS), ("begins", Mood.BEGINS), ("holds", Mood.HOLDS))
_Said = tuple[str, str, str, Mood]


def chinese_claims(text: str, mentions: list[TimeMention], index: FormIndex, reader: TimeReader) -> list[Claim]:
    """One claim for each segment between marks that holds a surface form; a left-out subject is the one before."""
    forms = sorted(index.plain, key=len, reverse=True)
    claims: list[Claim] = []
    last: str | None = None
    for segment in _SEGMENT.finditer(text):
        low, high = segment.span()
        if text[high:high + 1] in ("?", "？"):
            continue
        inside = [mention for mention in mentions if low <= mention.span[0] and mention.span[1] <= high]
        said = _office(_without(text, low, high, inside), forms) or _stated(text, (low, high), inside, forms)
        if said is None:
            claims.extend(_leaving(text, (low, high), inside, claims, reader))
            continue
        before, form, after, mood = said
        subject, target = _EDGE.sub("", before) or last, _EDGE.sub("", after)
        if not subject or not target or len(subject) > _LONGEST or len(target) > _LONGEST:
            continue
        last = subject
        relation = next((relation for relation in index.plain[form] if not index.literal(relation)), None)
        times = None if relation is None else reader.stated(mood, inside, event=relation.event, perfect=False)
        if relation is None or times is None:
            continue
        denied = times.denied or mood in (Mood.DENIED, Mood.NEVER)
        start = low + len(segment.group()) - len(segment.group().lstrip())
        claims.append(Claim(
            subject, relation.iri, object=target, valid_from=times.valid_from, valid_to=times.valid_to,
            start=times.start, end=times.end, polarity=Polarity.DENIED if denied else Polarity.AFFIRMED,
            confidence=0.7, quote=text[start:high], span=(start, high)))
    return claims


def _stated(text: str, segment: tuple[int, int], mentions: list[TimeMention], forms: list[str]) -> _Said | None:
    """Subject, form, object in this order."""
    low, high = segment
    form = next((form for form in forms if form in text[low:high]), None)
    if form is None:
        return None
    at = text.index(form, low)
    before, after = _without(text, low, at, mentions).rstrip(), _without(text, at + len(form), high, mentions)
    for words, negated in _NEGATED:
        if before.endswith(words):
            return before[:-len(words)], form, after, negated
    return before, form, after, Mood.HOLDS


def _office(text: str, forms: list[str]) -> _Said | None:
    """`李显龙担任新加坡总理`: a verb of being or becoming, then whose, then the form as a noun at the end."""
    noun = next((form for form in forms if len(form) > 1 and re.search(re.escape(form) + _OFFICE_END, text)), None)
    if noun is None:
        return None
    found = _BEING.fullmatch(re.sub(re.escape(noun) + _OFFICE_END, "", text))
    if found is None:
        return None
    mood = next(mood for group, mood in _BEING_MOODS if found[group] is not None)
    negated = next((mood for words, mood in _NEGATED if found["not"] == words), None)
    return found["subject"], noun, found["object"], negated or (
        Mood.PAST if found["past"] is not None and mood is Mood.HOLDS else mood)


def _leaving(text: str, segment: tuple[int, int], mentions: list[TimeMention], claims: list[Claim],
             reader: TimeReader) -> list[Claim]:
    """`离开` ends what was said last, or what its object names."""
    verb = next((verb for verb in _LEAVING if verb in text[segment[0]:segment[1]]), None)
    if verb is None:
        return []
    at = text.index(verb, segment[0])
    subject = _EDGE.sub("", _without(text, segment[0], at, mentions))
    target = _EDGE.sub("", _without(text, at + len(verb), segment[1], mentions))
    said = next((claim for claim in reversed(claims) if claim.polarity is Polarity.AFFIRMED
                 and subject in ("", claim.subject) and target in ("", claim.object)), None)
    times = reader.stated(Mood.ENDS, mentions, event=False, perfect=False)
    if said is None or times is None:
        return []
    return [replace(said, valid_from=times.valid_from, valid_to=times.valid_to, start=times.start, end=times.end,
                    polarity=Polarity.DENIED if times.denied else Polarity.AFFIRMED, confidence=0.6,
                    quote=text[segment[0]:segment[1]], span=segment)]


def _without(text: str, low: int, high: int, mentions: list[TimeMention]) -> str:
    kept, at = [], low
    for mention in mentions:
        if low <= mention.span[0] and mention.span[1] <= high:
            kept.append(text[at:mention.span[0]])
            at = mention.span[1]
    return "".join((*kept, text[at:high]))
