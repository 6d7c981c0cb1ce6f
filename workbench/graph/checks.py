"""Whether quads and timeline agree, and whether the quads keep their own rules."""

from __future__ import annotations

import numpy as np
import pyoxigraph as ox

from workbench.graph import codec
from workbench.graph import vocabulary as v
from workbench.graph.graph import Graph
from workbench.graph.timeline import STATED
from workbench.model.time import BEGINNING, EARLIEST, FOREVER, LATEST, Instant

_MOST = 20


def check(graph: Graph) -> list[str]:
    """Findings, each saying what, where and what to do; empty if all is well."""
    findings = _episodes(graph)
    facts, found = _facts(graph)
    findings += found
    findings += _times(graph, facts)
    findings += _entities(graph)
    if len(findings) > _MOST:
        findings = [*findings[:_MOST], f"and {len(findings) - _MOST} more"]
    return findings


def _episodes(graph: Graph) -> list[str]:
    rows = graph.catalogue()
    findings = []
    if [sequence for sequence, _ in rows] != list(range(1, len(rows) + 1)):
        findings.append("sequence numbers of episodes have gaps or repeats; restore a backup")
    if len(rows) != graph.episodes:
        findings.append(f"the quads hold {len(rows)} episodes, the timeline {graph.episodes}; run `store rebuild`")
    recorded = graph.timeline.episodes["recorded"]
    if (np.diff(recorded) < 0).any():
        findings.append("knowledge time runs backwards in the timeline; run `store rebuild`")
    return findings


def _facts(graph: Graph) -> tuple[dict[str, int], list[str]]:
    """Fact IRI → row, and what is wrong with either side."""
    timeline, store = graph.timeline, graph.quads.store
    rows = {timeline.fact_id(row): row for row in range(timeline.records.n)}
    findings, seen = [], set()
    if len(rows) != timeline.records.n:
        findings.append("two records share a fact id; run `store rebuild`")
    for quad in store.quads_for_pattern(None, codec.node(v.RDF_REIFIES), None, None):
        if not isinstance(quad.subject, ox.NamedNode) or not quad.subject.value.startswith(v.FACT):
            continue
        fact, triple = quad.subject.value, quad.object
        assert isinstance(triple, ox.Triple)
        seen.add(fact)
        if ox.Quad(triple.subject, triple.predicate, triple.object, quad.graph_name) not in store:
            findings.append(f"{fact} is not asserted in its graph {quad.graph_name}")
        row = rows.get(fact)
        if row is None:
            findings.append(f"{fact} is in the quads but not in the timeline; run `store rebuild`")
        elif quad.graph_name != ox.NamedNode(v.episode_iri(timeline.episode_id(timeline.records.get("episode", row)))):
            findings.append(f"{fact} stands in graph {quad.graph_name}, not in its episode's")
    findings += [f"{fact} is in the timeline but not in the quads; run `store rebuild`" for fact in rows.keys() - seen]
    return rows, findings


_COLUMNS = ((v.TCG_KNOWN_FROM, "kf"), (v.TCG_KNOWN_TO, "kt"), (v.TCG_VALID_FROM, "vf"), (v.TCG_VALID_TO, "vt"))


def _times(graph: Graph, facts: dict[str, int]) -> list[str]:
    timeline, store = graph.timeline, graph.quads.store
    findings = []
    for predicate, column in _COLUMNS:
        stored: dict[int, int] = {}
        for quad in store.quads_for_pattern(None, codec.node(predicate), None, None):
            row = facts.get(quad.subject.value) if isinstance(quad.subject, ox.NamedNode) else None
            if row is not None and isinstance(quad.object, ox.Literal):
                stored[row] = int(Instant.parse(quad.object.value))
        values = timeline.records[column].astype(np.int64)
        expected = {row: min(max(int(value), EARLIEST), LATEST) for row, value in enumerate(values.tolist())
                    if BEGINNING < value < FOREVER
                    and not (column == "vf" and not timeline.records.get("flags", row) & STATED)}
        findings += [f"{timeline.fact_id(row)}: {v.local_name(predicate)} differs between quads and timeline; "
                     f"run `store rebuild`" for row in sorted({*stored, *expected})
                     if stored.get(row) != expected.get(row)]
    return findings


def _entities(graph: Graph) -> list[str]:
    """No entity without a mention, no label that nothing knows."""
    timeline = graph.timeline
    named = {timeline.terms[term] for term in set(timeline.names["entity"].tolist())
             if not timeline.terms[term].startswith(v.RELATION)}
    labelled = graph.quads.store.quads_for_pattern(None, codec.node(v.RDFS_LABEL), None, None)
    found = {quad.subject.value for quad in labelled if isinstance(quad.subject, ox.NamedNode)}
    unlabelled = [f"{iri} has a name in the timeline but no label in the quads" for iri in sorted(named - found)]
    return unlabelled + [f"{iri} has a label but is unknown to the timeline; run `store rebuild`"
                         for iri in sorted(found - named)]
