"""A schema's labels and surface forms, compiled once into an index of word sequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from workbench.graph.relations import SchemaIndex, is_datatype
from workbench.ingest.rules.text import words_of
from workbench.ingest.rules.words import ARTICLES, BE, ENDINGS, IRREGULAR, PAST_TO_PRESENT
from workbench.model.schema import Relation, Schema


class Tag(Enum):
    """What the words in the text say by themselves."""

    PRESENT = auto()  # "works at"
    BASE = auto()  # "work at": only with an auxiliary or a subject that takes it
    PAST = auto()  # "worked at", the past of a surface form: it was so
    DONE = auto()  # "joined", a surface form in the past: it has become so (or, of an event, happened)
    GERUND = auto()  # "working at"
    PARTICIPLE = auto()  # "drunk"
    COMPLEMENT = auto()  # "member of", after a form of be
    NOUN = auto()  # "spouse", in "Ann's spouse is Bob"
    ENDING = auto()  # "left": ends what the relations say


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write some relations: its words in lower case, how they say it, and the relations, by IRI."""

    words: tuple[str, ...]
    tag: Tag
    relations: tuple[Relation, ...]
    languages: frozenset[str] = frozenset()

    def spoken_in(self, language: str) -> bool:
        """Whether to expect the form in a text of that language; two words or more are telling enough anywhere."""
        return len(self.words) > 1 or not self.languages or language in self.languages


_PREPOSITIONS: Final = frozenset(
    "of at in to for with on from by against under as into about near along out over than towards after".split())
_NOUN_ENDINGS: Final = ("ss", "us", "is", "ics", "as")


class FormIndex:
    """Finds surface forms in a row of words.

    Attributes:
        schema: the schema's own index.
        type_nouns: "team" → IRI, by label in any language.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = SchemaIndex(schema)
        found: dict[tuple[tuple[str, ...], Tag], list[Relation]] = {}
        spoken: dict[tuple[tuple[str, ...], Tag], set[str]] = {}
        self.plain: dict[str, list[Relation]] = {}
        for surface in self.schema.surface_forms():
            words = _split(surface.text)
            if not words:
                continue
            if surface.language in ("", "en"):
                variants: Iterator[tuple[tuple[str, ...], Tag]] = _variants(words)
            elif surface.language in ("de", "es"):
                variants = ((form, _foreign_tag(form, surface.language))
                            for form in _contracted(words, surface.language))
            else:
                if surface.language == "zh":
                    self.plain.setdefault(surface.text, []).append(surface.relation)
                continue
            for variant in variants:
                relations = found.setdefault(variant, [])
                spoken.setdefault(variant, set()).add(surface.language or "en")
                if surface.relation not in relations:
                    relations.append(surface.relation)
            self._nominal(found, words, surface.relation, surface.language)
        self._endings(found)
        by_first: dict[str, list[Form]] = {}
        for (form_words, tag), relations in found.items():
            languages = frozenset(spoken.get((form_words, tag), {"en"}))
            by_first.setdefault(form_words[0], []).append(Form(form_words, tag, tuple(relations), languages))
        self._by_first = {first: tuple(sorted(forms, key=lambda form: (-len(form.words), form.tag.value)))
                          for first, forms in by_first.items()}
        self.type_nouns = {text.lower(): kind.iri for kind in schema.types.values() for text, _ in kind.labels}

    @staticmethod
    def _nominal(found: dict[tuple[tuple[str, ...], Tag], list[Relation]], words: tuple[str, ...],
                 relation: Relation, language: str) -> None:
        if language in ("", "en") and _is_noun(words):
            relations = found.setdefault((words, Tag.NOUN), [])
            if relation not in relations:
                relations.append(relation)

    def _endings(self, found: dict[tuple[tuple[str, ...], Tag], list[Relation]]) -> None:
        for verb, sources in ENDINGS.items():
            relations: list[Relation] = []
            for source in sources:
                for relation in self.schema.candidates(source):
                    if not relation.event and relation not in relations:
                        relations.append(relation)
            if relations:
                found.setdefault((tuple(verb.split()), Tag.ENDING), relations)

    def at(self, lows: list[str], i: int) -> tuple[Form, ...]:
        """The longest forms that start at word `i`, all of one length (they may differ in tag)."""
        matches: list[Form] = []
        for form in self._by_first.get(lows[i], ()):
            if matches and len(form.words) < len(matches[0].words):
                break
            if lows[i:i + len(form.words)] == list(form.words):
                matches.append(form)
        return tuple(matches)

    def literal(self, relation: Relation) -> bool:
        """Whether the relation's values are literals."""
        return relation.range is not None and is_datatype(relation.range)


def _split(text: str) -> tuple[str, ...]:
    return tuple(word.low for word in words_of(text, 0, len(text), []))


def _contracted(words: tuple[str, ...], language: str) -> Iterator[tuple[str, ...]]:
    """The form, and how its last preposition joins an article: "presidente del", "Präsident der"."""
    yield words
    for last in {("es", "de"): ("del",), ("de", "von"): ("vom", "des", "der")}.get((language, words[-1]), ()):
        if len(words) > 1:
            yield (*words[:-1], last)


def _foreign_tag(words: tuple[str, ...], language: str) -> Tag:
    """German and Spanish forms are taken as written; "ist"/"es" may be left out of the label."""
    return Tag.PRESENT if len(words) > 1 or language else Tag.DONE


def _is_noun(words: tuple[str, ...]) -> bool:
    if words[-1] in _PREPOSITIONS:
        words = words[:-1]
    first = words[0] if words else ""
    return bool(first) and first not in BE and first not in PAST_TO_PRESENT and first not in IRREGULAR and not (
        first.endswith("ed") or (first.endswith("s") and not first.endswith(_NOUN_ENDINGS)) or len(words) > 3)


def _variants(words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Tag]]:
    """The ways in which one English surface form appears in a text."""
    first, rest = words[0], words[1:]
    if first in BE and rest:
        rest = rest[1:] if rest[0] in ARTICLES else rest
        if rest and rest[0].endswith("ing") and len(rest[0]) > 5:
            yield rest, Tag.GERUND
        elif rest:
            yield rest, Tag.DONE if first == "was" else Tag.COMPLEMENT
        return
    if first in ("has", "have") and rest and rest[0] in ("been", "become", "moved"):
        if rest[1:]:
            yield (rest[1:], Tag.COMPLEMENT) if rest[0] != "moved" else (rest, Tag.DONE)
        return
    if first in PAST_TO_PRESENT and first != "read" and first not in IRREGULAR:
        yield words, Tag.DONE
        base, _, participle = IRREGULAR[PAST_TO_PRESENT[first]]
        yield (base, *rest), Tag.BASE
        yield (participle, *rest), Tag.PARTICIPLE
        return
    if first.endswith("ed") and len(first) > 4 and not _adjectival(words):
        yield words, Tag.DONE
        for base in {first[:-2], first[:-1], first[:-3] + "y" if first.endswith("ied") else first[:-2]}:
            yield (base, *rest), Tag.BASE
        return
    if _is_verb(words):
        yield words, Tag.PRESENT
        base, past, participle = _inflected(first)
        yield (base, *rest), Tag.BASE
        yield (past, *rest), Tag.PAST
        if participle != past:
            yield (participle, *rest), Tag.PARTICIPLE
        for gerund in _gerunds(base):
            yield (gerund, *rest), Tag.GERUND
        return
    if words[-1] in _PREPOSITIONS or first.endswith("ed"):
        yield words, Tag.COMPLEMENT


def _adjectival(words: tuple[str, ...]) -> bool:
    """"located in", "interested in", "founded by": a participle that needs a form of be."""
    return len(words) == 2 and words[1] in ("in", "by", "to", "with", "for") and words[0] not in (
        "moved", "relocated", "switched", "transferred", "talked", "travelled", "traveled", "signed", "played",
        "settled", "participated", "belonged", "reported", "enrolled", "worked", "lived", "applied", "subscribed",
        "returned", "listened", "voted", "retired", "stayed")


def _is_verb(words: tuple[str, ...]) -> bool:
    first = words[0]
    if first in IRREGULAR:
        return True
    return first.endswith("s") and not first.endswith(_NOUN_ENDINGS) and len(first) > 3


def _inflected(present: str) -> tuple[str, str, str]:
    """(base, past, participle) of a verb in the third person present."""
    if present in IRREGULAR:
        return IRREGULAR[present]
    if present.endswith("ies"):
        stem = present[:-3]
        return stem + "y", stem + "ied", stem + "ied"
    base = present[:-2] if present.endswith(("sses", "shes", "ches", "xes", "zes", "oes")) else present[:-1]
    past = base + "d" if base.endswith("e") else base + "ed"
    if _doubles(base):
        past = base + base[-1] + "ed"
    return base, past, past


def _doubles(base: str) -> bool:
    vowels = "aeiou"
    return (len(base) in (3, 4) and base[-1] not in vowels + "wxy" and base[-2] in vowels and base[-3] not in vowels)


def _gerunds(base: str) -> tuple[str, ...]:
    if base.endswith("ie"):
        return (base[:-2] + "ying",)
    if base.endswith("e") and not base.endswith("ee"):
        return (base[:-1] + "ing",)
    return (base + base[-1] + "ing", base + "ing") if _doubles(base) else (base + "ing",)
