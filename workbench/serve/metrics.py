"""Counters, in the text format that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """What happened since the start.

    Attributes:
        requests: by (operation, status).
        kills: answers that broke off, by reason: time, memory, rows, bytes, client, died, error.
        refused: requests that found no place in the queue, or no worker in time.
        rows, bytes: of answers, before compression.
    """

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.kills: Counter[str] = Counter()
        self.refused = self.rows = self.bytes = 0
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def observe(self, operation: str, status: int, seconds: float) -> None:
        """One request done."""
        self.requests[operation, status] += 1
        self._seconds += seconds
        for number, bound in enumerate(_BOUNDS):
            if seconds <= bound:
                self._buckets[number] += 1
                return
        self._buckets[-1] += 1

    def text(self, gauges: Mapping[str, float]) -> str:
        """All of it; `gauges` are values of the moment by name."""
        return "".join(f"{line}\n" for line in self._lines(gauges))

    def _lines(self, gauges: Mapping[str, float]) -> Iterator[str]:
        yield "# TYPE workbench_requests_total counter"
        for (operation, status), n in sorted(self.requests.items()):
            yield f'workbench_requests_total{{operation="{operation}",status="{status}"}} {n}'
        yield "# TYPE workbench_broken_answers_total counter"
        for reason, n in sorted(self.kills.items()):
            yield f'workbench_broken_answers_total{{reason="{reason}"}} {n}'
        for name, n in (("refused", self.refused), ("rows", self.rows), ("bytes", self.bytes)):
            yield f"# TYPE workbench_{name}_total counter"
            yield f"workbench_{name}_total {n}"
        yield "# TYPE workbench_request_seconds histogram"
        total = 0
        for bound, n in zip((*_BOUNDS, "+Inf"), self._buckets, strict=True):
            total += n
            yield f'workbench_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"workbench_request_seconds_sum {self._seconds:.6f}"
        yield f"workbench_request_seconds_count {total}"
        for name, value in gauges.items():
            yield f"# TYPE workbench_{name} gauge"
            yield f"workbench_{name} {value}"
