"""The path of one episode: checked, extracted, interpreted, settled, committed."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from workbench.graph.change import Change, Entry
from workbench.graph.facts import label_or_iri
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex, display_label
from workbench.ingest.claims import Interpreter
from workbench.ingest.curation import curate, prepared, schema_of
from workbench.ingest.resolve import Resolver
from workbench.ingest.seam import Context, Extraction, ExtractionFailed, Extractor
from workbench.ingest.settle import Force, Policy
from workbench.ingest.slots import Outcome, Slots
from workbench.ingest.standing import Standing, activity, is_version, targets
from workbench.ingest.surroundings import believed, mentioned
from workbench.model.claim import Correction, claims_text
from workbench.model.clock import Clock
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import EpisodeError, TimeError, UsageError, WorkbenchError
from workbench.model.ids import check_id
from workbench.model.recall import without_recalled
from workbench.model.time import Instant

GIVEN: Final = "given"
_EXTRACTION: Final = "extraction: "
_DROPPED: Final = "dropped: "
TURNS: Final = 6


class Status(StrEnum):
    """What became of an episode."""

    DONE = "done"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True)
class EpisodeResult:
    """What one episode did.

    Attributes:
        id: as stored (a new version of a document has `#2`, `#3`, … appended).
        claims, added, closed, supported, competing, denied: counts; `denied` are denials, ends and withdrawals.
        failures: why claims or the episode could not be used.
        notes: what the user should know (assumed zone, ambiguous names, nothing to extract, drafts that were dropped).
        model_calls, tokens: of language models, to extract it.
    """

    id: str
    status: Status
    claims: int = 0
    added: int = 0
    closed: int = 0
    supported: int = 0
    competing: int = 0
    denied: int = 0
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    model_calls: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Curated:
    """What a curation step did, or would do.

    Attributes:
        id: of its episode.
        dry_run: True if nothing was written.
        adds, closes: facts in words, with the reason for each closing.
        failures: why claims, or drafts of claims, could not be used.
        model_calls, tokens: of language models.
    """

    id: str
    dry_run: bool
    adds: tuple[str, ...]
    closes: tuple[str, ...]
    failures: tuple[str, ...] = ()
    model_calls: int = 0
    tokens: int = 0


def _check_characters(episode: Episode) -> None:
    texts = [episode.text, episode.source, episode.session, episode.speaker, episode.action]
    for claim in episode.claims or ():
        texts += [claim.subject, claim.relation, claim.object, claim.datatype, claim.subject_type, claim.object_type,
                  claim.valid_from, claim.valid_to, claim.quote, claim.value if isinstance(claim.value, str) else None]
        texts += [getattr(claim.corrects, name) for name in Correction.__slots__] if claim.corrects else []
    if episode.record or episode.arguments:
        texts.append(json.dumps([episode.record, episode.arguments], ensure_ascii=False, default=str))
    try:
        "".join(filter(None, texts)).encode()
    except UnicodeEncodeError as error:
        raise EpisodeError(f"episode {episode.id!r}: a text holds half of a surrogate pair "
                           f"(U+{ord(error.object[error.start]):04X}); mend its encoding") from error


@dataclass
class Pipeline:
    """Takes episodes into a graph, one at a time.

    Attributes:
        schema: the schema in force; a schema episode replaces it.
        extractor: for episodes without ready claims; None = such episodes yield no claims.
    """

    graph: Graph
    schema: SchemaIndex
    clock: Clock
    extractor: Extractor | None = None
    policy: Policy = field(default_factory=Policy)
    _turns: dict[str, deque[Episode]] = field(default_factory=dict, init=False)

    def ingest(self, episode: Episode, *, force: bool = False, ready: Extraction | EpisodeError | None = None
               ) -> EpisodeResult:
        """Take one episode in; the same content under the same id again changes nothing.

        Args:
            episode: the input.
            force: take in what was erased before.
            ready: what the extractor made of it ahead of time; None = extract now.

        Raises:
            EpisodeError, UsageError, TimeError: it cannot be taken in; nothing was written.
            StoreError: the store failed; nothing was written.
        """
        said = None if episode.claims is None else claims_text(episode.claims)
        digest = episode.content_hash(said)
        check_id(episode.id)
        _check_characters(episode)
        if not 0.0 <= episode.trust <= 1.0:
            raise UsageError(f"episode {episode.id!r}: trust {episode.trust} is not between 0 and 1")
        version = self._version(episode, digest)
        if version is None:
            return EpisodeResult(episode.id, Status.UNCHANGED)
        if not force:
            self._refuse_erased(episode.id, digest)
        if version.kind is EpisodeKind.CURATION:
            version = prepared(self.graph, self.schema, version)
        if version.claims is not episode.claims:
            said = None
        entry, notes, made = self._entry(self._dated(version), digest, said, ready)
        change = self.plan(entry)
        self.graph.commit(change)
        return replace(self._after(change, notes), model_calls=made.model_calls, tokens=made.tokens)

    def curate(self, episode: Episode, program: str, *, dry_run: bool, dropped: Sequence[str] = ()) -> Curated:
        """Carry out a curation episode, or tell what it would do.

        Args:
            episode: the step.
            program: fingerprint of what made its claims.
            dry_run: write nothing.
            dropped: what the program drafted that does not count, with reasons; kept with the episode.

        Raises:
            UsageError, NotFound, AmbiguousName, EpisodeError: it cannot be done; nothing was written.
        """
        check_id(episode.id)
        if self.graph.number_of(episode.id) is not None:
            raise UsageError(f"there is an episode {episode.id!r} already; give the curation another id")
        digest = episode.content_hash()
        episode = prepared(self.graph, self.schema, episode)
        entry = Entry(self._dated(episode), episode.claims or (), program, digest, _drop_notes(dropped))
        change = self.plan(entry)
        if len(change.entry.failures) > len(dropped) and not change.claims and episode.claims:
            raise EpisodeError("; ".join(change.entry.failures))
        words = self._words(change)
        if not dry_run:
            self.graph.commit(change)
            self._after(change, ())
        return Curated(episode.id, dry_run, *words, change.entry.failures)

    def _words(self, change: Change) -> tuple[tuple[str, ...], tuple[str, ...]]:
        timeline = self.graph.timeline

        def text(s: int, r: int, o: int, start: int, end: int) -> str:
            relation = self.schema.by_iri(timeline.terms[r])
            return (f"{label_or_iri(timeline, s)} {display_label(relation)} {label_or_iri(timeline, o)} "
                    f"[{Instant(start)}, {Instant(end)})")

        fresh = {named.entity: timeline.terms[named.label] for named in change.names}
        adds = [text(row.s, row.r, row.o, row.vf, row.vt) for row in change.records]
        for entity, label in fresh.items():
            adds = [line.replace(timeline.terms[entity] + " ", label + " ") for line in adds]
        get = timeline.records.get
        closes = [text(*(get(name, row) for name in ("s", "r", "o", "vf", "vt"))) + f": {reason}"
                  for row, reason in change.closings]
        return tuple(adds), tuple(closes)

    def replay(self, entry: Entry, *, write: bool = False) -> None:
        """Take a stored episode in again, from its stored claims; by default only into the timeline."""
        kept = tuple(failure for failure in entry.failures if failure.startswith((_EXTRACTION, _DROPPED)))
        change = self.plan(replace(entry, failures=kept))
        self.graph.commit(change, write=write)
        self._after(change, ())

    def plan(self, entry: Entry) -> Change:
        """The change that an entry causes; writes nothing, so a dry run is a plan that is not committed."""
        if entry.episode.kind is EpisodeKind.CURATION:
            return self._curated(entry)
        return self._said(entry, activity(self.graph, entry) if "supersedes" in entry.episode.arguments else {})

    # -- before ---------------------------------------------------------------------------------------------------

    def _version(self, episode: Episode, digest: str) -> Episode | None:
        """The episode under the id it gets, or None if the store holds it already."""
        last, identifier, number = None, episode.id, 1
        while self.graph.number_of(identifier) is not None:
            if last is None or is_version(self.graph, identifier, last):
                last = identifier
            number += 1
            identifier = f"{episode.id}#{number}"
        if last is None:
            return episode
        stored = self.graph.entry(last)
        if stored is not None and stored[1].content_hash == digest:
            return None
        if episode.kind is EpisodeKind.CURATION:
            raise UsageError(f"curation episode {episode.id!r} is in the store with other content; give it another id")
        return replace(episode, id=identifier, arguments={**episode.arguments, "supersedes": last})

    def _refuse_erased(self, identifier: str, digest: str) -> None:
        for seal in self.graph.seals():
            salt, _, code = seal.partition("$")
            if hashlib.sha256(f"{salt}{digest}".encode()).hexdigest() == code:
                raise EpisodeError(f"episode {identifier!r}: this content was erased from the store; "
                                   f"use --force to take it in again")

    def _dated(self, episode: Episode) -> Episode:
        now, last = self.clock.now(), self.graph.last_recorded
        recorded = episode.recorded_at
        if recorded is None:
            recorded = now if last is None else max(now, last)
        elif last is not None and recorded < last:
            raise TimeError(f"episode {episode.id!r}: recorded_at {recorded} is before the store's last, {last}; "
                            f"knowledge time may not run backwards: order the backfill by recorded_at, or leave it out")
        elif recorded > now:
            raise TimeError(f"episode {episode.id!r}: recorded_at {recorded} lies in the future of the store's "
                            f"clock, {now}; leave it out")
        if episode.recorded_at is not None and episode.observed_at is not None:
            return episode
        return replace(episode, recorded_at=recorded,
                       observed_at=recorded if episode.observed_at is None else episode.observed_at)

    def _entry(self, episode: Episode, digest: str, said: str | None, ready: Extraction | EpisodeError | None
               ) -> tuple[Entry, tuple[str, ...], Extraction]:
        nothing = Extraction()
        notes = (f"{episode.id}: observed_at has no offset; read as UTC",) if episode.zone_assumed else ()
        if episode.claims is not None or episode.kind is EpisodeKind.CURATION:
            return Entry(episode, episode.claims or (), GIVEN, digest, claims_text=said), notes, nothing
        if not says_something(episode):
            return Entry(episode, (), GIVEN, digest), (*notes, f"{episode.id}: nothing to extract"), nothing
        if self.extractor is None:
            return Entry(episode, (), GIVEN, digest), notes, nothing
        program = self.extractor.fingerprint
        try:
            if isinstance(ready, EpisodeError):
                raise ready
            made = self.extracted(episode, self.extractor) if ready is None else ready
        except EpisodeError as error:
            spent = error.spent if isinstance(error, ExtractionFailed) else nothing
            return Entry(episode, (), program, digest, (f"{_EXTRACTION}{error}",)), notes, spent
        return Entry(episode, made.claims, program, digest, _drop_notes(made.dropped)), notes, made

    def extracted(self, episode: Episode, extractor: Extractor, context: Context | None = None) -> Extraction:
        """What a program reads from an episode's text; lines recalled from a store are no part of it.

        Args:
            episode: as stored or to be stored.
            extractor: the program.
            context: what it may look at besides; None = what the store knows now.

        Raises:
            EpisodeError: the text cannot be read.
        """
        said = replace(episode, claims=None, text=without_recalled(episode.text or ""))
        found = extractor.extract(said, self.context(episode) if context is None else context)
        return found if isinstance(found, Extraction) else Extraction(tuple(found))

    def extracts(self, episode: Episode, *, force: bool = False) -> bool:
        """Whether `ingest` would have the extractor read this episode, as far as that can be told now."""
        if self.extractor is None or episode.claims is not None or episode.kind is EpisodeKind.CURATION or (
                not says_something(episode)):
            return False
        try:
            check_id(episode.id)
            _check_characters(episode)
            digest = episode.content_hash()
            if not force:
                self._refuse_erased(episode.id, digest)
            return 0.0 <= episode.trust <= 1.0 and self._version(episode, digest) is not None
        except WorkbenchError:
            return False

    def context(self, episode: Episode) -> Context:
        """What an extractor may look at besides the episode."""
        earlier: Sequence[Episode] = ()
        if episode.session is not None:
            if episode.session not in self._turns:
                stored = [entry.episode for entry in self.graph.session(episode.session, TURNS)]
                self._turns[episode.session] = deque(stored, maxlen=TURNS)
            earlier = tuple(self._turns[episode.session])
        return Context(self.schema.schema, tuple(mentioned(self.graph, episode.text or "")), earlier,
                       lambda subject, relation: believed(self.graph, self.schema, subject, relation))

    # -- change ---------------------------------------------------------------------------------------------------

    def _said(self, entry: Entry, changed: dict[int, int]) -> Change:
        resolver = Resolver(self.graph, self.schema)
        interpreter = Interpreter(self.graph, self.schema, entry, resolver)
        interpreter.read()
        inactive, revived = ({row for row, active in changed.items() if active == wanted} for wanted in (0, 1))
        slots = Slots(self.graph, self.schema, self.policy, interpreter.rows, interpreter.quotes, inactive, revived)
        outcome = slots.settle({slots.triple_of(row) for row in changed})
        return self._change(entry, interpreter, outcome, changed)

    def _change(self, entry: Entry, interpreter: Interpreter, outcome: Outcome, activity: dict[int, int]) -> Change:
        resolver = interpreter.resolver
        failures = (*entry.failures, *interpreter.failures, *resolver.notes)
        if failures != entry.failures:
            entry = replace(entry, failures=failures)
        return Change(
            entry, tuple(resolver.mentions), tuple(resolver.names), tuple(resolver.types),
            tuple(interpreter.rows.values()), tuple(outcome.records), tuple(outcome.closings),
            tuple(outcome.supports), activity)

    def _curated(self, entry: Entry) -> Change:
        if entry.episode.action == "reextract":
            for identifier in targets(entry.episode):
                if not Standing(self.graph, entry.episode).stands(identifier):
                    raise UsageError(f"episode {identifier!r} was retracted or superseded; re-extract what stands")
            return self._said(entry, activity(self.graph, entry))
        if entry.claims:
            return self._said(entry, {})
        return curate(self.graph, self.schema, self.policy, entry)

    def _after(self, change: Change, notes: tuple[str, ...]) -> EpisodeResult:
        entry = change.entry
        if entry.episode.action == "schema":
            self.schema = SchemaIndex(schema_of(entry))
        if entry.episode.session is not None and entry.episode.session in self._turns:
            self._turns[entry.episode.session].append(entry.episode)
        forces = [row.force for row in change.claims]
        broken = [failure for failure in entry.failures if failure.startswith((_EXTRACTION, "claim "))]
        dropped = [failure for failure in entry.failures if failure.startswith(_DROPPED)]
        return EpisodeResult(
            entry.episode.id, Status.FAILED if broken and not change.claims else Status.DONE, len(entry.claims),
            len(change.records), len(change.closings), len(change.supports),
            sum(bool(row.flags & 2) for row in change.records), sum(force != Force.AFFIRM for force in forces),
            tuple(failure for failure in entry.failures if failure not in dropped),
            (*notes, *(f"{entry.episode.id}: {failure}" for failure in dropped)))


def _drop_notes(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{_DROPPED}{reason}" for reason in reasons)


def says_something(episode: Episode) -> bool:
    """Whether an episode has text that is not only recalled from a store."""
    return bool(without_recalled(episode.text or "").strip())
