"""Which episodes stand: all but those that a standing later one takes back, replaces or supersedes.

Derived anew from the catalogue each time, so that taking back a retraction, in whatever order and however often, gives
the belief as if it had never been made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.change import Entry
from workbench.graph.graph import Graph
from workbench.model.episode import Episode


def activity(graph: Graph, entry: Entry) -> dict[int, int]:
    """Stored claim rows that an episode takes out of force (0) or puts in force again (1).

    Args:
        graph: as it is before the episode.
        entry: a retraction, a re-extraction, or a new version of a document.
    """
    standing = Standing(graph, entry.episode)
    changed: dict[int, int] = {}
    for identifier in standing.concerned():
        number = graph.number_of(identifier)
        if number is None:  # the episode itself
            continue
        counts = int(standing.counts(identifier))
        for row in graph.timeline.rows("claims_by_episode", number).tolist():
            if graph.timeline.claims.get("active", row) != counts:
                changed[row] = counts
    return changed


class Standing:
    """Whether episodes stand, with one more episode than the graph holds.

    Attributes:
        graph: read only; only episodes that its timeline holds are looked at.
    """

    def __init__(self, graph: Graph, more: Episode) -> None:
        self.graph, self._more = graph, more
        self._retracting: dict[str, list[str]] = defaultdict(list)
        self._replacing: dict[str, list[str]] = defaultdict(list)
        self._targets: dict[str, list[str]] = {}
        stored = [(action, one) for action in ("retract", "reextract") for one in self._of_action(action)]
        for action, episode in [*stored, (more.action, more)]:
            if action in ("retract", "reextract"):
                named = targets(episode)
                self._targets[episode.id] = named
                by = self._retracting if action == "retract" else self._replacing
                for identifier in named:
                    by[identifier].append(episode.id)

    def stands(self, identifier: str) -> bool:
        """Whether what an episode says or does is in force, its claims being replaced aside."""
        if any(self.stands(by) for by in self._retracting.get(identifier, ())):
            return False
        return not any(self.stands(version) for version in self._later_versions(identifier))

    def counts(self, identifier: str) -> bool:
        """Whether the claims stored with an episode are in force."""
        if not self.stands(identifier):
            return False
        replaced = self._targets.get(identifier, []) if identifier in self._replacers() else []
        for source in replaced or [identifier]:
            by = self._replacing.get(source, [])
            later = by[by.index(identifier) + 1:] if identifier in by else by
            if any(self.stands(one) for one in later) or (replaced and not self.stands(source)):
                return False
        return True

    def concerned(self) -> list[str]:
        """Every episode whose standing the one more may change, itself included, each once."""
        found = [self._more.id, *targets(self._more)]
        for identifier in found:
            near = [*self._targets.get(identifier, ()), *self._replacing.get(identifier, ()),
                    *self._retracting.get(identifier, ()), *self._earlier_versions(identifier)]
            found += [one for one in dict.fromkeys(near) if one not in found]
        return found

    def _replacers(self) -> set[str]:
        return {by for of_one in self._replacing.values() for by in of_one}

    def _of_action(self, action: str) -> list[Episode]:
        """Stored curation episodes of an action, in sequence."""
        found = [self.graph.entry(v.episode_id(iri)) for iri in self.graph.quads.subjects(
            v.TCG_ACTION, codec.term(codec.literal_text(action)))]
        pairs = [pair for pair in found if pair is not None and pair[0] <= self.graph.episodes]
        return [entry.episode for _, entry in sorted(pairs, key=lambda pair: pair[0])]

    def _later_versions(self, identifier: str) -> Iterator[str]:
        """The versions of a document that came after one, oldest first."""
        while (later := self._next_version(identifier)) is not None:
            yield later
            identifier = later

    def _next_version(self, identifier: str) -> str | None:
        base, _, number = identifier.rpartition("#")
        starts = [(identifier, 2)]
        if self._supersedes(identifier) is not None and number.isdecimal():
            starts.append((base, int(number) + 1))
        for name, count in starts:
            while self._holds(later := f"{name}#{count}"):
                if self._supersedes(later) == identifier:
                    return later
                count += 1
        return None

    def _holds(self, identifier: str) -> bool:
        return identifier == self._more.id or self.graph.number_of(identifier) is not None

    def _earlier_versions(self, identifier: str) -> Iterator[str]:
        while (earlier := self._supersedes(identifier)) is not None:
            yield earlier
            identifier = earlier

    def _supersedes(self, identifier: str) -> str | None:
        if identifier == self._more.id:
            return next(iter(targets(self._more)), None) if self._more.action is None else None
        return superseded_by(self.graph, identifier)


def is_version(graph: Graph, identifier: str, of: str) -> bool:
    """Whether a stored episode is the version of a document that superseded `of`."""
    return superseded_by(graph, identifier) == of


def superseded_by(graph: Graph, identifier: str) -> str | None:
    """The id of the version of a document that a stored episode superseded, or None."""
    if graph.number_of(identifier) is None or (found := graph.entry(identifier)) is None:
        return None
    of = found[1].episode.arguments.get("supersedes")
    return None if of is None else str(of)


def targets(episode: Episode) -> list[str]:
    """The ids of the episodes that an episode retracts, re-extracts or supersedes."""
    given = episode.arguments
    if episode.action == "retract":
        return [str(given.get("episode") or given.get("episodes"))]
    if episode.action == "reextract":
        return [str(one) for one in given.get("replaces", ())]
    return [] if given.get("supersedes") is None else [str(given["supersedes"])]
