"""Why a fact holds, what closed it, or why nothing did."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.graph.facts import Facts, label_or_iri, shown_facts
from workbench.graph.graph import Graph
from workbench.graph.relations import SchemaIndex
from workbench.ingest.claims import find_record
from workbench.ingest.settle import Cause, Force, Policy, believe
from workbench.ingest.slots import Slots, rules_of
from workbench.model.errors import NotFound
from workbench.model.schema import Relation
from workbench.model.time import FOREVER, Instant


def explain(graph: Graph, schema: SchemaIndex, policy: Policy, fact: str) -> dict[str, Any]:
    """Everything about one record: itself, its evidence, the rules behind its start and end, and what became of it.

    Args:
        graph, schema, policy: where and how.
        fact: a fact id, whole or its last part.

    Raises:
        NotFound: no such fact.
    """
    with graph.lock:
        row = find_record(graph, fact)
        if row is None:
            raise NotFound(f"no fact {fact!r} in the store; `facts` and `history` show the ids")
        timeline = graph.timeline
        shown = shown_facts(graph, schema, [row])[0]
        relation = schema.by_iri(shown.relation_iri)
        start, end = _causes(graph, schema, policy, row)
        report: dict[str, Any] = {
            "fact": shown.to_json(),
            "believed": timeline.records.get("kt", row) == FOREVER,
            "evidence": [_evidence(graph, item) for item in timeline.rows("support_of", row).tolist()],
            "starts_because": _words(graph, start), "ends_because": _words(graph, end),
            "relation": _declared(relation),
        }
        if not report["believed"]:
            report["closed"] = {"by": shown.closed_by, "known_to": str(shown.known_to),
                                "reason": graph.reason_closed(shown.id),
                                "replaced_by": [other.id for other in _revisions(graph, schema, row)]}
        else:
            report["not_closed_because"] = _not_closed(graph, schema, row, relation)
        return report


def _revisions(graph: Graph, schema: SchemaIndex, row: int) -> Facts:
    return shown_facts(graph, schema, np.flatnonzero(graph.timeline.records["revises"] == row).tolist())


def _evidence(graph: Graph, support: int) -> dict[str, Any]:
    timeline = graph.timeline
    claim = timeline.supports.get("claim", support)
    since, until = timeline.supports.get("af", support), timeline.supports.get("at", support)
    return {
        **_claim(graph, claim), "known_from": str(Instant(timeline.supports.get("kf", support))),
        "attests": [str(Instant(since)), str(Instant(until))] if since < until else None,
    }


def _claim(graph: Graph, claim: int) -> dict[str, Any]:
    """One stored claim: its episode, and the claim as extracted."""
    timeline = graph.timeline
    identifier = timeline.episode_id(timeline.claims.get("episode", claim))
    found = graph.entry(identifier)
    number = timeline.claims.get("number", claim)
    said = found[1].claims[number] if found and 0 <= number < len(found[1].claims) else None
    return {"episode": identifier, "observed_at": str(Instant(timeline.claims.get("observed", claim))),
            "quote": None if said is None else said.quote, "claim": None if said is None else said.to_json()}


def _causes(graph: Graph, schema: SchemaIndex, policy: Policy, row: int) -> tuple[Cause | None, Cause | None]:
    """The rules behind start and end, from the claims known when the record was made."""
    slots = Slots(graph, schema, policy, up_to=graph.timeline.records.get("episode", row))
    target = slots.segment(row)
    claims = slots.claims_for(target.triple)
    rules = rules_of(slots.relation(graph.timeline.records.get("r", row)))
    for segment in believe(claims, rules, policy, [target.triple]):
        if segment.content == target.content:
            return segment.start_cause, segment.end_cause
    return None, None


def _words(graph: Graph, cause: Cause | None) -> dict[str, Any] | None:
    if cause is None:
        return None
    report: dict[str, Any] = {"rule": cause.rule}
    if cause.claim is not None:
        report["claim"] = _claim(graph, cause.claim)
    return report


def _declared(relation: Relation) -> dict[str, Any]:
    return {"iri": relation.iri, "declared": relation.declared, "functional": relation.functional,
            "inverse_functional": relation.inverse_functional, "symmetric": relation.symmetric,
            "event": relation.event}


def _not_closed(graph: Graph, schema: SchemaIndex, row: int, relation: Relation) -> list[str]:
    """In words, why the other values of its slot did not close it, and that no end was stated."""
    timeline = graph.timeline
    get = timeline.records.get
    others = [other for other in timeline.rows("by_subject", get("s", row), get("r", row)).tolist()
              if other != row and get("kt", other) == FOREVER and get("o", other) != get("o", row)]
    names = ", ".join(sorted({label_or_iri(timeline, get("o", other)) for other in others})[:5])
    if get("vt", row) != FOREVER:
        return ["it has an end already; nothing said since changes it"]
    reasons = ["no episode states its end or denies it"]
    if relation.event:
        reasons.append("an event is never closed by another")
    elif others and not relation.exclusive:
        kind = "is not declared functional" if relation.declared else "is undeclared"
        reasons.append(f"its relation {kind}, so other values ({names}) hold beside it")
    elif others:
        reasons.append(f"other values of the slot ({names}) hold at other times, or compete with it")
    denied = [claim for claim in timeline.rows("claims_by_subject", get("s", row), get("r", row)).tolist()
              if timeline.claims.get("force", claim) == Force.DENY and timeline.claims.get("o", claim) == get("o", row)]
    if denied:
        reasons.append("a denial of it was observed earlier, or is trusted less")
    return reasons
