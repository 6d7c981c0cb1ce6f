"""What the graph knows of identity: names resolved before, and entities that count as another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from workbench.graph.change import Mapped, Mention

REMEMBERED_NAMES: Final = 100_000


class Resolved:
    """Names that were resolved before, until something is learnt that could change the answer."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str | None, str | None], Mention] = {}
        self._under: dict[int, list[tuple[str, str | None, str | None]]] = defaultdict(list)

    def get(self, text: str, given: str | None, inferred: str | None) -> Mention | None:
        """The entity that a name with these types stands for, and the name; None if not known."""
        return self._found.get((text, given, inferred))

    def put(self, text: str, given: str | None, inferred: str | None, entity: int, label: int, key: int) -> None:
        """Remember; `key` is the term of the name's key."""
        if len(self._found) > REMEMBERED_NAMES:
            self.clear()
        name = (text, given, inferred)
        self._found[name] = Mention(entity, label)
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
    """Entities that count as another: merges (everywhere) and splits (for one episode's claims).

    Each mapping is kept as it was made, between the entities that were named, and what counts as what is worked out
    from all of them in order; so taking one back leaves what the others alone would have given.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, int]] = []
        self._merged: dict[int, int] = {}
        self._split: dict[tuple[int, int], int] = {}
        self._sources: dict[int, set[int]] = {}

    def __bool__(self) -> bool:
        """Whether any entity counts as another."""
        return bool(self._rows)

    def apply(self, entity: int, episode: int = -1) -> int:
        """What an entity counts as, in claims of an episode."""
        entity = self._split.get((episode, entity), entity)
        while entity in self._merged:  # ends: an entity is only ever mapped to one that was not mapped then
            entity = self._merged[entity]
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
        self._rows.append((*mapped, by))
        self._enter(*mapped)

    def unset(self, by: int) -> None:
        """Take back what a curation episode mapped."""
        self._rows = [row for row in self._rows if row[3] != by]
        self._merged, self._split, self._sources = {}, {}, {}
        for entity, to, episode, _ in self._rows:
            self._enter(entity, to, episode)

    def _enter(self, entity: int, to: int, episode: int) -> None:
        if episode >= 0:
            self._split[(episode, entity)] = to
        else:
            entity, to = self.apply(entity), self.apply(to)
            if entity == to:
                return
            self._merged[entity] = to
        self._sources.setdefault(to, set()).add(entity)

    def made_by(self, number: int) -> list[Mapped]:
        """The mappings in force that a curation episode made."""
        return [Mapped(*row[:3]) for row in self._rows if row[3] == number]

    def dump(self) -> list[list[int]]:
        """Rows of entity, what it counts as, episode or -1, number of the curation episode, in order."""
        return [list(row) for row in self._rows]

    @classmethod
    def restore(cls, rows: Iterable[Sequence[int]]) -> Mappings:
        """From what `dump` gave; an independent copy."""
        mappings = cls()
        for entity, to, episode, by in rows:
            mappings.set(Mapped(entity, to, episode), by)
        return mappings
