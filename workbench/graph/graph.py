"""The bitemporal graph: quads, the timeline derived from them, and the one way to change both."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.change import Change, Entry
from workbench.graph.identity import Mappings, Resolved
from workbench.graph.quads import QuadStore
from workbench.graph.timeline import Timeline, record_digest
from workbench.model.time import FOREVER, Instant

REMEMBERED: Final = 1_000


class Graph:
    """Quads and timeline under one lock. Every change goes through `commit`; reads take `lock` for microseconds.

    Attributes:
        folder: where it lives; None in memory.
        lock: guards the timeline: one writer, many readers.
        overtaken: a saved timeline was newer than these quads, or went while it was read: a writer was faster.
    """

    def __init__(self, folder: Path | None, quads: QuadStore) -> None:
        self.folder = folder
        self.quads = quads
        self.lock = threading.RLock()
        self.timeline = Timeline()
        self.mappings = Mappings()
        self.version = 0
        self._saved = 0
        self.resolved = Resolved()
        self._seals: list[str] | None = None
        self._entries: dict[str, tuple[int, Entry]] = {}
        self._load()

    # -- episodes -------------------------------------------------------------------------------------------------

    @property
    def episodes(self) -> int:
        """How many episodes the timeline holds; the next one's number."""
        return self.timeline.episodes.n

    @property
    def last_recorded(self) -> Instant | None:
        """Knowledge time of the last episode, or None."""
        return Instant(self.timeline.episodes.get("recorded", self.episodes - 1)) if self.episodes else None

    def number_of(self, episode: str) -> int | None:
        """The number of the episode with that id, or None."""
        found = self.timeline.terms.find(episode)
        if found is None:
            return None
        rows = self.timeline.rows("episodes_by_id", found)
        return int(rows[0]) if len(rows) else None

    def entry(self, episode: str) -> tuple[int, Entry] | None:
        """(sequence, entry) of an episode from the catalogue, or None; the latest asked for are remembered."""
        if (known := self._entries.get(episode)) is not None:
            return known
        subject = ox.NamedNode(v.episode_iri(episode))
        quads = list(self.quads.store.quads_for_pattern(subject, None, None, ox.DefaultGraph()))
        if not quads:
            return None
        if len(self._entries) > REMEMBERED:
            self._entries.clear()
        found = self._entries[episode] = codec.entry_from(quads, episode)
        return found

    def catalogue(self) -> list[tuple[int, str]]:
        """(sequence, id) of every stored episode, in sequence."""
        found = self.quads.store.quads_for_pattern(None, ox.NamedNode(v.TCG_SEQUENCE), None, ox.DefaultGraph())
        rows = [(int(quad.object.value), v.episode_id(quad.subject.value)) for quad in found
                if isinstance(quad.object, ox.Literal) and isinstance(quad.subject, ox.NamedNode)]
        return sorted(rows)

    def unapplied(self) -> Iterator[Entry]:
        """Stored episodes that the timeline does not hold yet, in sequence: what a crash left to catch up with."""
        if self._stored_count() == self.episodes:
            return
        for sequence, identifier in self.catalogue():
            if sequence > self.episodes:
                found = self.entry(identifier)
                assert found is not None
                yield found[1]

    def _stored_count(self) -> int:
        """The number of stored episodes, by probing sequence numbers from the timeline's (they have no gaps)."""
        def holds(sequence: int) -> bool:
            return bool(self.quads.subjects(v.TCG_SEQUENCE, ox.Literal(sequence)))
        count, step = self.episodes, 1
        if count and not holds(count):
            return -1
        while holds(count + step):
            count, step = count + step, step * 2
        while step > 1:
            step //= 2
            if holds(count + step):
                count += step
        return count

    def reified(self, fact: str) -> list[tuple[str, str, str]]:
        """The triples (as term texts) that a fact id stands for: one, or none if there is no such fact."""
        found = self.quads.store.quads_for_pattern(ox.NamedNode(fact), ox.NamedNode(v.RDF_REIFIES), None, None)
        rows = []
        for quad in found:
            triple = quad.object
            if isinstance(triple, ox.Triple) and isinstance(triple.subject, ox.NamedNode) and isinstance(
                    triple.object, ox.NamedNode | ox.Literal):
                rows.append((triple.subject.value, triple.predicate.value, codec.text_of(triple.object)))
        return rows

    def session(self, name: str, last: int) -> list[Entry]:
        """The last few stored episodes of a session, oldest first."""
        ids = [v.episode_id(iri) for iri in self.quads.subjects(v.TCG_SESSION, ox.Literal(name))]
        found = [entry for identifier in ids if (entry := self.entry(identifier)) is not None]
        return [entry for _, entry in sorted(found, key=lambda pair: pair[0])[-last:]]

    def last_action(self, action: str, up_to: int) -> Entry | None:
        """The last curation episode of that action among the first `up_to` episodes, or None."""
        found = [self.entry(v.episode_id(iri)) for iri in self.quads.subjects(v.TCG_ACTION, ox.Literal(action))]
        pairs = [pair for pair in found if pair is not None and pair[0] <= up_to]
        return max(pairs, key=lambda pair: pair[0])[1] if pairs else None

    def literals_of(self, text: str) -> list[int]:
        """The terms of stored literals that a text may mean: a string, or a number, boolean or date as written."""
        forms: list[str] = [codec.literal_text(text)]
        for read in (int, float):
            try:
                forms.append(codec.literal_text(read(text)))
            except (ValueError, OverflowError):
                continue
        forms += [codec.literal_text(text, kind) for kind in (v.XSD_DATE, v.XSD_DATE_TIME)]
        if text in ("true", "false"):
            forms.append(codec.literal_text(text == "true"))
        found = [self.timeline.terms.find(form) for form in dict.fromkeys(forms)]
        return [term for term in found if term is not None]

    def failures(self) -> list[tuple[str, str]]:
        """(episode id, JSON list of reasons) of every episode of which something could not be used."""
        found = self.quads.store.quads_for_pattern(None, ox.NamedNode(v.TCG_FAILURE), None, ox.DefaultGraph())
        return sorted((v.episode_id(quad.subject.value), quad.object.value) for quad in found
                      if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal))

    def reason_closed(self, fact: str) -> str | None:
        """Why a belief was ended, as kept with its closing, or None."""
        found = self.quads.store.quads_for_pattern(ox.NamedNode(fact), ox.NamedNode(v.TCG_REASON), None, None)
        return next((quad.object.value for quad in found if isinstance(quad.object, ox.Literal)), None)

    # -- tombstones -----------------------------------------------------------------------------------------------

    def seals(self) -> list[str]:
        """The seals of all tombstones: salt, `$`, SHA-256 of salt and content hash; they do not tell the content."""
        if self._seals is None:
            self._seals = [quad.object.value for quad in self.tombstone_quads()
                           if quad.predicate.value == v.TCG_SEAL and isinstance(quad.object, ox.Literal)]
        return self._seals

    def tombstone_quads(self) -> list[ox.Quad]:
        """The quads of all tombstones."""
        store, home = self.quads.store, ox.DefaultGraph()
        stones = list(store.quads_for_pattern(None, ox.NamedNode(v.RDF_TYPE), ox.NamedNode(v.TCG_TOMBSTONE), home))
        return [quad for stone in stones for quad in store.quads_for_pattern(stone.subject, None, None, home)]

    def add_tombstone(self, token: str, seal: str, at: Instant) -> None:
        """Leave a tombstone."""
        self._seals = None
        subject, home = ox.NamedNode(v.tombstone_iri(token)), ox.DefaultGraph()
        pairs: list[tuple[str, codec.Term]] = [
            (v.RDF_TYPE, codec.node(v.TCG_TOMBSTONE)), (v.TCG_SEAL, ox.Literal(seal)),
            (v.TCG_ERASED_AT, codec.moment(at))]
        self.quads.extend([ox.Quad(subject, codec.node(predicate), value, home) for predicate, value in pairs])

    # -- change ---------------------------------------------------------------------------------------------------

    def commit(self, change: Change, *, write: bool = True) -> list[int]:
        """Write an episode's change in one atomic step, then take it into the timeline.

        Args:
            change: all of it.
            write: False to replay an episode whose quads are stored already.

        Returns:
            The row numbers of the new records.

        Raises:
            StoreError: nothing was written.
        """
        with self.lock:
            if write:
                self.quads.load(self._encode(change))
            self.version += 1
            return self._take_in(change)

    def _encode(self, change: Change) -> str:
        timeline, entry = self.timeline, change.entry
        texts, identifier, recorded = timeline.terms, entry.episode.id, int(entry.recorded)
        home, known = v.episode_iri(identifier), codec.at(recorded)
        tail, stored = codec.tail(home), timeline.claims.n
        closed = {number: timeline.fact_id(number) for number, _ in change.closings}
        parts = [codec.catalogue(entry, home, self.episodes + 1), codec.labels(change, texts, tail)]
        for row in change.records:
            triple = texts[row.s], texts[row.r], texts[row.o]
            fact = v.fact_iri(record_digest(triple, row[3:10], identifier))
            revises = None if row.revises < 0 else closed.get(row.revises) or timeline.fact_id(row.revises)
            parts.append(codec.record(row, triple, fact, revises, known, tail))
            if any(item.claim < stored for item in row.supports):
                for by in sorted({self._episode_of(item.claim, entry) for item in row.supports} - {identifier}):
                    parts.append(codec.support(fact, v.episode_iri(by), tail))
        for number, reason in change.closings:
            parts.append(codec.closing(closed[number], reason, known, home, tail))
        for number, item in change.supports:
            by = v.episode_iri(self._episode_of(item.claim, entry))
            parts.append(codec.later_support(timeline.fact_id(number), by, item, recorded, tail))
        return "".join(parts)

    def _episode_of(self, claim: int, entry: Entry) -> str:
        """The id of a claim's episode: a stored one's, or the one being committed."""
        claims = self.timeline.claims
        return self.timeline.episode_id(claims.get("episode", claim)) if claim < claims.n else entry.episode.id

    def _take_in(self, change: Change) -> list[int]:
        timeline, entry = self.timeline, change.entry
        known, number = int(entry.recorded), self.episodes
        for claim, active in change.activity.items():
            timeline.claims.put("active", claim, active)
        for claim, trust in change.trust.items():
            timeline.claims.put("trust", claim, trust)
        for name in change.names:
            timeline.append("names", (*name, number))
            self.resolved.forget(name.key)
        for kind in change.types:
            timeline.append("types", (*kind, number))
            self.resolved.forget(kind.entity)
        for row in change.claims:
            timeline.append("claims", (*row, number))
        for record, _ in change.closings:
            timeline.records.put("kt", record, known)
            timeline.records.put("closer", record, number)
        added = []
        for new in change.records:
            record = timeline.append("records", (
                *new[:9], known, int(FOREVER), number, -1, new.revises, new.flags, new.confidence))
            added.append(record)
            for item in new.supports:
                timeline.append("supports", (record, item.claim, known, item.af, item.at))
        for record, item in change.supports:
            timeline.append("supports", (record, item.claim, known, item.af, item.at))
        if change.mapped or change.unmapped:
            self.resolved.clear()
        for by in change.unmapped:
            self.mappings.unset(by)
        for mapped in change.mapped:
            self.mappings.set(mapped, number)
        terms = timeline.terms
        timeline.append("episodes", (
            terms.add(entry.episode.id), int(entry.observed), known,
            terms.add(entry.episode.source) if entry.episode.source is not None else -1))
        timeline.tidy()
        return added

    # -- files ----------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """Take the newest readable saved timeline; without one, start empty (the caller replays)."""
        self.overtaken = False
        if self.folder is None:
            return
        for path in sorted(self.folder.glob("timeline-*"), reverse=True):
            try:
                timeline, state = Timeline.load(path)
            except FileNotFoundError:
                self.overtaken = True
                continue
            except (OSError, ValueError, KeyError, EOFError):
                continue
            self.timeline = timeline
            self.mappings = Mappings.restore(state["mappings"])
            self._saved = self.episodes
            if self._stored_count() < 0:  # of another set of quads
                self.timeline, self.mappings, self._saved = Timeline(), Mappings(), 0
                self.overtaken = True
                continue
            return

    @property
    def unsaved(self) -> int:
        """Episodes that came since the timeline was last saved."""
        return self.episodes - self._saved

    def save(self, *, anew: bool = False) -> None:
        """Save the timeline beside the quads, complete or not at all; older ones go.

        Args:
            anew: also if nothing came since the last time (the folder is another one).
        """
        if self.folder is None or self.quads.read_only or not (self.unsaved or anew):
            return
        with self.lock:
            target = self.folder / f"timeline-{self.episodes:012d}"
            part = self.folder / f"part-{self.episodes:012d}"
            shutil.rmtree(part, ignore_errors=True)
            shutil.rmtree(target, ignore_errors=True)
            part.mkdir()
            self.timeline.save(part, self._state())
            part.rename(target)
            self._saved = self.episodes
        for path in self.folder.glob("timeline-*"):
            if path != target:
                shutil.rmtree(path, ignore_errors=True)

    def _state(self) -> dict[str, Any]:
        return {"episodes": self.episodes, "mappings": self.mappings.dump()}

    def close(self) -> None:
        """Save, flush and let go."""
        self.save()
        self.quads.close()
