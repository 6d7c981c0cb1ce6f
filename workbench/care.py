"""Care of a store: rebuild, erase, verify, back up, restore, compare. What rewrites the past makes a new generation of
the store beside the old one and switches over in one step."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from workbench.api import Workbench
from workbench.graph.change import Entry
from workbench.graph.checks import check
from workbench.graph.facts import Pattern, select
from workbench.graph.graph import Graph
from workbench.graph.home import FORMAT, Home
from workbench.graph.quads import QuadStore
from workbench.graph.relations import SchemaIndex
from workbench.ingest.claims import find_record
from workbench.ingest.pipeline import Pipeline
from workbench.ingest.proposals import Proposal, propose
from workbench.ingest.standing import is_version, superseded_by
from workbench.model.episode import EpisodeKind
from workbench.model.errors import NotFound, StoreError, StoreReadOnly, UsageError, WorkbenchError
from workbench.model.fact import Reading

Progress = Callable[[int], None]


def replayed(wb: Workbench, folder: Path | None, keep: Callable[[Entry], bool], progress: Progress | None = None
             ) -> tuple[Graph, list[str]]:
    """A new graph from the stored episodes and claims that `keep` lets through, in sequence.

    Returns:
        The graph, and ids of curation episodes that went because what they named is gone.
    """
    graph = Graph(folder, QuadStore(None if folder is None else folder / "quads"))
    pipeline = Pipeline(graph, SchemaIndex(wb.start_schema), wb.pipeline.clock, None, wb.pipeline.policy)
    dropped: list[str] = []
    for number, (_, identifier) in enumerate(wb.graph.catalogue(), 1):
        found = wb.graph.entry(identifier)
        assert found is not None
        entry = found[1]
        if keep(entry):
            try:
                pipeline.replay(entry, write=True)
            except WorkbenchError as error:
                if isinstance(error, StoreError) or entry.episode.kind is not EpisodeKind.CURATION:
                    raise
                dropped.append(identifier)
        if progress is not None:
            progress(number)
    graph.quads.extend(wb.graph.tombstone_quads())
    return graph, dropped


def _swap(wb: Workbench, keep: Callable[[Entry], bool], tombstones: Iterable[tuple[str, str]] = (),
          progress: Progress | None = None) -> list[str]:
    """Put a replayed graph in the store's place, all or nothing."""
    if wb.graph.quads.read_only:
        raise StoreReadOnly("the store was opened read-only; open it for writing")
    folder = None if wb.home is None else wb.home.new_generation()
    try:
        graph, dropped = replayed(wb, folder, keep, progress)
        for token, seal in tombstones:
            graph.add_tombstone(token, seal, wb.now)
        graph.quads.compact()
        graph.quads.flush()
        graph.save()
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    old = wb.graph
    wb.move_index(graph)
    if wb.home is not None and folder is not None:
        old.quads.close()
        wb.home.switch(folder)
    wb.adopt(graph)
    return dropped


def rebuild(wb: Workbench, progress: Progress | None = None) -> None:
    """Make quads and timeline anew from episodes and claims; the result is identical, or there was a defect."""
    _swap(wb, lambda entry: True, progress=progress)


def erase(wb: Workbench, episodes: Iterable[str] = (), entity: str | None = None, source: str | None = None,
          dry_run: bool = False) -> dict[str, Any]:
    """Remove episodes for good: text, claims, facts, labels, in quads, timeline and files. Backups are the user's.

    Every version of a named document goes. What only they supported goes, what they had closed is open again; the
    store then equals one made from the remaining episodes, plus one tombstone per erased episode (random id and
    instant, no content).

    Raises:
        NotFound: nothing of that name.
        UsageError: nothing was named.
    """
    chosen = _chosen(wb, list(episodes), entity, source)
    doomed = set(chosen)
    for _, identifier in wb.graph.catalogue():  # in sequence, so that a correction of a correction goes too
        if _depends(wb, identifier, doomed):
            doomed.add(identifier)
    report: dict[str, Any] = {"erased": sorted(doomed), "dry_run": dry_run, "tombstones": []}
    if dry_run:
        return report
    tombstones = []
    for identifier in sorted(chosen):
        found = wb.graph.entry(identifier)
        assert found is not None
        salt = secrets.token_hex(16)
        code = hashlib.sha256(f"{salt}{found[1].content_hash}".encode()).hexdigest()
        tombstones.append((secrets.token_hex(12), f"{salt}${code}"))
    dropped = _swap(wb, lambda entry: entry.episode.id not in doomed, tombstones)
    if wb.home is not None:
        rows = [{**row, "reason": "not kept after an erasure; ingest the file again to see it"}
                for row in wb.home.failures()]
        wb.home.set_failures(rows)
    report["erased"] = sorted(doomed | set(dropped))
    report["tombstones"] = [token for token, _ in tombstones]
    return report


def _chosen(wb: Workbench, episodes: list[str], entity: str | None, source: str | None) -> set[str]:
    timeline, chosen = wb.graph.timeline, set()
    for identifier in episodes:
        base = identifier
        if wb.graph.number_of(identifier) is None:
            raise NotFound(f"no episode {identifier!r} in the store")
        while (earlier := superseded_by(wb.graph, base)) is not None:  # from any version to the first
            base = earlier
        chosen |= {identifier, base}
        number, last = 2, base
        while wb.graph.number_of(later := f"{base}#{number}") is not None:
            if is_version(wb.graph, later, last):
                last = later
                chosen.add(later)
            number += 1
    if entity is not None:
        for term in wb.graph.mappings.sources(wb.entity(entity)):
            for index in ("claims_by_subject", "claims_by_object"):
                rows = timeline.rows(index, term)
                chosen |= {timeline.episode_id(n) for n in timeline.claims.take("episode", rows).tolist()}
            rows = timeline.rows("names_of", term)
            chosen |= {timeline.episode_id(n) for n in timeline.names.take("episode", rows).tolist()}
    if source is not None:
        found = timeline.terms.find(source)
        if found is not None:
            chosen |= {timeline.episode_id(n) for n in (timeline.episodes["source"] == found).nonzero()[0].tolist()}
    if not chosen:
        if entity is None and source is None:
            raise UsageError("name what to erase: an episode, --entity or --source")
        raise NotFound(f"no episode is about {entity!r}" if entity else f"no episode comes from source {source!r}")
    return chosen


def _depends(wb: Workbench, identifier: str, chosen: set[str]) -> bool:
    """Whether a curation episode repeats content of erased ones: it corrects what only they say, or re-extracts it."""
    found = wb.graph.entry(identifier)
    if found is None or found[1].episode.kind is not EpisodeKind.CURATION:
        return False
    if chosen & {str(one) for one in found[1].episode.arguments.get("replaces", ())}:
        return True
    facts = {claim.corrects.fact for claim in found[1].claims if claim.corrects is not None and claim.corrects.fact}
    return any((said := _episodes_of(wb, fact)) and said <= chosen for fact in facts)


def _episodes_of(wb: Workbench, fact: str) -> set[str]:
    """The episodes that say what a record holds."""
    timeline, row = wb.graph.timeline, find_record(wb.graph, fact)
    claims = [] if row is None else timeline.supports.take("claim", timeline.rows("support_of", row)).tolist()
    return {timeline.episode_id(timeline.claims.get("episode", claim)) for claim in claims}


# -- checks -------------------------------------------------------------------------------------------------------


def verify(wb: Workbench, deep: bool = False) -> list[str]:
    """Findings, empty if all is well. `deep` also replays every episode and compares byte for byte (sorted N-Quads)."""
    findings = check(wb.graph)
    if wb.has_index():
        findings += [f"search index: {finding}" for finding in wb.retriever(semantic=False).index.check()]
    if deep and not findings:
        graph, dropped = replayed(wb, None, lambda entry: True)
        findings += [f"replay: curation episode {identifier!r} can no longer be carried out" for identifier in dropped]
        stored, again = wb.graph.quads.lines(), graph.quads.lines()
        if stored != again:
            missing, extra = set(again) - set(stored), set(stored) - set(again)
            findings += [f"replay: {len(missing)} quads are missing and {len(extra)} are not accounted for; "
                         f"run `workbench store rebuild`"]
            findings += [f"missing: {line}" for line in sorted(missing)[:5]]
            findings += [f"extra: {line}" for line in sorted(extra)[:5]]
    return findings


def against_schema(wb: Workbench) -> list[str]:
    """What is true now, measured by the schema's SHACL shapes: domains, ranges, one value per functional slot."""
    from workbench.graph.ontology import validate_view  # rdflib and pyshacl are slow to load

    return validate_view(wb.at().turtle(), wb.schema.schema)


def same_names(wb: Workbench, limit: int) -> list[Proposal]:
    """Pairs of entities whose names are alike, best first: candidates for `merge`. Nothing is merged by likeness."""
    timeline = wb.graph.timeline
    named = timeline.names["key"] != timeline.terms.find("")  # relations are filed under the blank name
    entities = {wb.graph.mappings.apply(entity) for entity in timeline.names["entity"][named].tolist()}
    return propose([timeline.label(entity) for entity in sorted(entities)], limit)


def info(wb: Workbench) -> dict[str, Any]:
    """Counts, sizes, schema and undeclared relations."""
    timeline, graph = wb.graph.timeline, wb.graph
    counts = Counter(timeline.claims["r"].tolist())
    undeclared = {timeline.relation_name(term): n for term, n in counts.most_common()
                  if not wb.schema.by_iri(timeline.terms[term]).declared}
    folder = None if wb.home is None else wb.home.folder
    last = graph.last_recorded
    return {
        "format": FORMAT, "folder": None if folder is None else str(folder), "episodes": graph.episodes,
        "claims": timeline.claims.n, "records": timeline.records.n,
        "believed": int((timeline.records["kt"] == 2**63 - 1).sum()),
        "entities": len(set(timeline.names["entity"].tolist())),
        "quads": len(graph.quads), "last_recorded": None if last is None else last.iso(),
        "schema": wb.schema.schema.digest, "undeclared_relations": undeclared,
        "bytes": 0 if folder is None else sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
    }


def failed(wb: Workbench) -> list[dict[str, Any]]:
    """What could not be used: input lines, episodes and claims, with their reasons."""
    rows = [] if wb.home is None else wb.home.failures()
    for identifier, reasons in wb.graph.failures():
        rows += [{"episode": identifier, "reason": reason} for reason in json.loads(reasons)]
    return rows


# -- copies -------------------------------------------------------------------------------------------------------


def backup(wb: Workbench, to: Path) -> None:
    """A copy of the store at this instant in a new folder; hard links where it can, so it costs little.

    Raises:
        StoreError: it cannot be written; UsageError: the store is in memory, or the folder is not new.
    """
    if wb.home is None:
        raise UsageError("a store in memory has no backup; export it instead")
    if to.exists() and any(to.iterdir()):
        raise UsageError(f"{to} is not empty; give a new folder")
    try:
        wb.graph.save()
        wb.graph.quads.flush()
        to.mkdir(parents=True, exist_ok=True)
        source = wb.home.generation
        target = to / source.name
        target.mkdir()
        wb.graph.quads.checkpoint(target / "quads")
        for path in source.glob("timeline-*"):
            shutil.copytree(path, target / path.name)
        for name in ("store.json", "CURRENT", "failed.jsonl"):
            if (wb.home.folder / name).exists():
                shutil.copy2(wb.home.folder / name, to / name)
    except OSError as error:
        raise StoreError(f"cannot back up to {to}: {error.strerror or error}") from error


def restore(backup_folder: Path, to: Path) -> None:
    """A store from a backup, in a new folder; the backup stays as it is.

    Raises:
        StoreError: there is no backup, or the folder is not new.
    """
    if Home.find(backup_folder) is None:
        raise StoreError(f"{backup_folder} holds no backup (no store.json)")
    if to.exists() and any(to.iterdir()):
        raise StoreError(f"{to} is not empty; give a new folder, or remove the damaged store first")
    try:
        shutil.copytree(backup_folder, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns("LOCK"))
    except (OSError, shutil.Error) as error:
        raise StoreError(f"cannot restore to {to}: {error}") from error


def difference(one: Workbench, other: Workbench) -> dict[str, dict[str, list[Any]]]:
    """Claims and facts (what is believed now) that only one of two stores has."""
    def claims(wb: Workbench) -> set[str]:
        found = set()
        for _, identifier in wb.graph.catalogue():
            entry = wb.graph.entry(identifier)
            assert entry is not None
            found |= {json.dumps({"episode": identifier, **claim.to_json()}, ensure_ascii=False, sort_keys=True)
                      for claim in entry[1].claims}
        return found

    def facts(wb: Workbench) -> set[str]:
        held = select(wb.graph, wb.schema, Pattern(), None, wb.vantage().known_at, Reading.POSSIBLE)
        names = ("subject", "relation", "object", "value", "valid_from", "valid_to", "status")
        return {json.dumps({name: fact.to_json()[name] for name in names}, ensure_ascii=False) for fact in held}

    report: dict[str, dict[str, list[Any]]] = {}
    for name, read in (("claims", claims), ("facts", facts)):
        left, right = read(one), read(other)
        report[name] = {"only_first": [json.loads(row) for row in sorted(left - right)],
                        "only_second": [json.loads(row) for row in sorted(right - left)]}
    return report
