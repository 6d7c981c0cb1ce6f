"""What a worker of the store does: queries, graphs and descriptions from a frozen snapshot, from any vantage."""

from __future__ import annotations

from typing import Any, Final

from workbench.api import Workbench
from workbench.graph import describing, endpoint, scoped
from workbench.graph import vocabulary as v
from workbench.model.errors import NotFound
from workbench.model.time import SECOND, Instant
from workbench.serve.output import Output
from workbench.serve.problem import Problem

KEPT: Final = 8
"""How many scoped datasets are kept for the next request."""
LISTED: Final = 10_000


class StoreEngine:
    """A store opened read-only: it sees one commit until it is opened anew."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._wb = Workbench.open(path, read_only=True)
        self._kept: dict[Any, Any] = {}

    def opened(self) -> dict[str, Any]:
        """The commit: generation, number of episodes, knowledge time of the last."""
        graph, home = self._wb.graph, self._wb.home
        recorded = graph.last_recorded
        return {"generation": "" if home is None or graph.folder is None else graph.folder.name,
                "episodes": graph.episodes, "recorded": None if recorded is None else int(recorded)}

    def reopen(self) -> None:
        """Open the newest commit; the old one stays if that fails."""
        fresh = Workbench.open(self._path, read_only=True)
        self._kept.clear()
        old, self._wb = self._wb, fresh
        old.close()

    def answer(self, ask: dict[str, Any], body: bytes, out: Output, accept: Any) -> dict[str, Any]:
        """Do one of: query, graph, dataset, describe, times, statistics."""
        op = ask["op"]
        if op == "query":
            dataset = endpoint.Dataset(tuple(ask["default"]), tuple(ask["named"]))
            endpoint.answer(self._store(ask), ask["text"], accept, out, dataset=dataset, base=ask["base"])
            return {}
        if op == "graph":
            endpoint.write_graph(self._store(ask), ask["graph"], accept, out)
            return {}
        if op == "dataset":
            endpoint.write_dataset(self._store(ask), accept, out)
            return {}
        if op == "describe":
            return self._describe(ask, out, accept)
        out.start("application/json")
        if op == "times":
            return {"told": self._times(ask)}
        if op == "statistics":
            whole = ask.get("sources") is None
            return {"told": describing.statistics_of(self._wb.graph) if whole
                    else describing.statistics(self._store(ask))}
        raise Problem(500, f"unknown request {op!r}")

    # -- datasets -------------------------------------------------------------------------------------------------

    def _view(self, ask: dict[str, Any]) -> tuple[Instant, Instant] | None:
        """The vantage of a request, None if it asks for all quads.

        "Now" is the end of the running second and all that is known, so that a view serves several requests.
        """
        valid, known, last = ask.get("valid"), ask.get("known"), self._wb.graph.last_recorded
        if valid is None and known is None:
            return None
        now = self._wb.now
        return (Instant(-(-int(now) // SECOND) * SECOND if valid is None else valid),
                Instant(now if last is None else last) if known is None else Instant(known))

    def _store(self, ask: dict[str, Any]) -> Any:
        """The dataset of a request: all quads or the view from a vantage, cut to what the asker may see."""
        graph, sources, vantage = self._wb.graph, ask.get("sources"), self._view(ask)
        if sources is None:
            return graph.quads.store if vantage is None else self._wb.at(*vantage).store
        key = (tuple(sources), vantage)
        found = self._kept.pop(key, None)
        if found is None:
            raw_key = (tuple(sources), None)
            found = self._kept.get(raw_key)
            if found is None:
                found = self._kept[raw_key] = scoped.cut(graph, frozenset(sources))
            if vantage is not None:
                found = scoped.cut_view(self._wb.at(*vantage).store, found)
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        return found

    # -- descriptions ---------------------------------------------------------------------------------------------

    def _describe(self, ask: dict[str, Any], out: Output, accept: Any) -> dict[str, Any]:
        store, iri = self._store(ask), ask["iri"]
        viewed = ask.get("valid") is not None or ask.get("known") is not None
        if viewed and ask["kind"] != "entity":
            known = ask.get("known")
            store = self._store({**ask, "valid": None, "known": None})
            quads = describing.described(store, ask["kind"], iri)
            if known is not None:
                quads = [quad for quad in quads if describing.known_by(self._wb.graph, quad, Instant(known))]
        else:
            quads = describing.described(store, ask["kind"], iri)
        if not quads:
            elsewhere = self._named(ask)
            if elsewhere is None:
                raise NotFound(f"there is no {ask['kind']} <{iri}>" + (" from that vantage" if viewed else ""))
            out.start("text/plain")
            return {"status": 303, "iri": elsewhere}
        endpoint.write_quads(quads, accept, out)
        return {}

    def _named(self, ask: dict[str, Any]) -> str | None:
        """The IRI of the one entity called so; names are looked up only for those who may see all."""
        if ask["kind"] != "entity" or ask.get("sources") is not None:
            return None
        try:
            found = self._wb.graph.timeline.terms[self._wb.entity(ask["name"])]
        except NotFound:
            return None
        return found if found.startswith(v.ENTITY) and found != ask["iri"] else None

    def _times(self, ask: dict[str, Any]) -> dict[str, Any]:
        """Knowledge times at which a resource changed: around an instant, or all of them (the latest)."""
        graph = self._wb.graph
        if ask.get("iri") is None:
            times = describing.all_times(graph) if ask.get("sources") is None else describing.times(
                graph, describing.graphs_of(self._store({**ask, "valid": None, "known": None})))
        else:
            raw = self._store({**ask, "valid": None, "known": None})
            times = describing.times(graph, {quad.graph_name for quad in describing.described(
                raw, ask["kind"], ask["iri"])}, ask["iri"])
        if not times:
            raise NotFound("nothing of that was ever known here")
        if ask.get("at") is None:
            return {"first": times[0], "last": times[-1], "times": times[-LISTED:], "cut": len(times) > LISTED}
        # HTTP dates are whole seconds
        before = [time for time in times if time // SECOND * SECOND <= ask["at"]]
        position = max(0, len(before) - 1)
        return {"first": times[0], "last": times[-1], "chosen": times[position],
                "previous": times[position - 1] if position else None,
                "next": times[position + 1] if position + 1 < len(times) else None}
