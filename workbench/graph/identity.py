"""What the graph knows of identity: names resolved before, and entities that count as another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.graph.change import Mapped

REMEMBERED_NAMES: Final = 100_000


class Resolved:
    """Names that were resolved before, until something is learnt that could change the answer."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str | None, str | None], tuple[int, int]] = {}
        self._under: dict[int, list[tuple[str, str | None, str | None]]] = defaultdict(list)

    def get(self, text: str, given: str | None, inferred: str | None) -> tuple[int, int] | None:
        """(entity, term of the label) that a name with these types stands for, or None if that must be worked out."""
        return self._found.get((text, given, inferred))

    def put(self, text: str, given: str | None, inferred: str | None, entity: int, label: int, key: int) -> None:
        """Remember; `key` is the term of the name's key."""
        if len(self._found) > REMEMBERED_NAMES:
            self.clear()
        name = (text, given, inferred)
        self._found[name] = (entity, label)
        self._under[key].append(name)
        self._under[entity].append(name)

    def forget(self, term: int) -> None:
        """Forget what hangs on a key or an entity."""
        for name in self._under.pop(term, ()):
            self._found.pop(name, None)

    def clear(self) -> None:
        """Forget everything."""
        self._found.clear()
        self._under.clear()


class Mappings:
    """Entities that count as another: merges (everywhere) and splits (for one episode's claims)."""

    def __init__(self) -> None:
        self._merged: dict[int, int] = {}
        self._split: dict[tuple[int, int], int] = {}
        self._sources: dict[int, set[int]] = defaultdict(set)
        self._by: dict[tuple[int, int], int] = {}

    def apply(self, entity: int, episode: int = -1) -> int:
        """What an entity counts as, in claims of an episode."""
        entity = self._split.get((episode, entity), entity)
        seen = 0
        while entity in self._merged and seen < 1000:  # a bound, should a cycle ever be written
            entity, seen = self._merged[entity], seen + 1
        return entity

    def sources(self, entity: int) -> list[int]:
        """The entities under which claims about `entity` may be filed, itself first."""
        if not self._sources:
            return [entity]
        found = [entity]
        for name in found:
            found += sorted(self._sources.get(name, set()) - set(found))
        return found

    def set(self, mapped: Mapped, by: int) -> None:
        """Take in one mapping, made by the curation episode of that number."""
        if mapped.episode < 0:
            self._merged[mapped.entity] = mapped.to
        else:
            self._split[(mapped.episode, mapped.entity)] = mapped.to
        self._sources[mapped.to].add(mapped.entity)
        self._by[(mapped.entity, mapped.episode)] = by

    def unset(self, entity: int, episode: int) -> None:
        """Take one back."""
        to = self._merged.pop(entity, None) if episode < 0 else self._split.pop((episode, entity), None)
        self._by.pop((entity, episode), None)
        still = any(target == to for (_, source), target in self._split.items() if source == entity)
        if to is not None and not still and self._merged.get(entity) != to:
            self._sources[to].discard(entity)

    def made_by(self, number: int) -> list[tuple[int, int]]:
        """(entity, episode) of the mappings in force that a curation episode made."""
        return [key for key, by in self._by.items() if by == number]

    def dump(self) -> list[list[int]]:
        """Rows of entity, what it counts as, episode or -1, number of the curation episode."""
        merged = [(entity, to, -1) for entity, to in self._merged.items()]
        split = [(entity, to, episode) for (episode, entity), to in self._split.items()]
        return [[entity, to, episode, self._by[(entity, episode)]] for entity, to, episode in merged + split]

    @classmethod
    def restore(cls, rows: Iterable[Sequence[int]]) -> Mappings:
        """From what `dump` gave; an independent copy."""
        mappings = cls()
        for entity, to, episode, by in rows:
            mappings.set(Mapped(entity, to, episode), by)
        return mappings
