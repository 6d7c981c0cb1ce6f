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
        form = next((form for form in forms if form in segment.group()), None)
        if form is None:
            claims.extend(_leaving(text, (low, high), inside, claims, reader))
            continue
        at = text.index(form, low)
        before, after = _without(text, low, at, inside), _without(text, at + len(form), high, inside)
        mood = Mood.HOLDS
        for words, negated in _NEGATED:
            if before.rstrip().endswith(words):
                before, mood = before.rstrip()[:-len(words)], negated
                break
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
