"""What the worker of the scratch dataset does: the same reading as the store's, and writing."""

from __future__ import annotations

from typing import Any

from workbench.graph import endpoint
from workbench.graph.scratch import Scratch
from workbench.serve.output import Output
from workbench.serve.problem import Problem


class ScratchEngine:
    """The scratch dataset, opened for writing by this process alone."""

    def __init__(self, path: str) -> None:
        self._scratch = Scratch(path)

    def opened(self) -> dict[str, Any]:
        """Nothing that a client would ask for."""
        return {"generation": "scratch", "episodes": 0, "recorded": None}

    def reopen(self) -> None:
        """It always sees all."""

    def answer(self, ask: dict[str, Any], body: bytes, out: Output, accept: Any) -> dict[str, Any]:
        """Do one of: query, update, graph, dataset, put, post, delete, statistics."""
        scratch, store, op = self._scratch, self._scratch.store, ask["op"]
        if op == "query":
            dataset = endpoint.Dataset(tuple(ask["default"]), tuple(ask["named"]))
            endpoint.answer(store, ask["text"], accept, out, dataset=dataset, base=ask["base"])
        elif op == "graph":
            endpoint.write_graph(store, ask["graph"], accept, out)
        elif op == "dataset":
            endpoint.write_dataset(store, accept, out)
        elif op == "update":
            scratch.update(ask["text"], ask["base"], ask["default"], ask["named"])
        elif op in ("put", "post"):
            return {"new": self._written(ask, body)}
        elif op == "delete":
            scratch.drop(ask["graph"])
        else:
            raise Problem(500, f"unknown request {op!r}")
        return {}

    def _written(self, ask: dict[str, Any], body: bytes) -> bool:
        """Write the parts of a body; each is (media type, length)."""
        documents, at = [], 0
        for media, length in ask["parts"]:
            documents.append((media, body[at:at + length]))
            at += length
        return self._scratch.put(ask["graph"], documents, ask["base"], add=ask["op"] == "post")
