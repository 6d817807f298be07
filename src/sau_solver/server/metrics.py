"""What /metrics tells Prometheus: requests, latency, batches, queues, workers, abstentions and outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        counter = _counters(self._registry)
        self._requests = counter("sau_requests", "Requests answered.", "endpoint", "status")
        self._abstentions = counter("sau_abstentions", "Problems without a confident answer.", "language")
        self._outcomes = counter("sau_outcomes", "How solving the equations ended.", "source", "outcome")
        self._replaced = counter("sau_workers_replaced", "Worker processes that ended and were replaced.", "lane")
        self._seconds = Histogram(
            "sau_request_seconds", "From the request to its answer.", ["endpoint"], buckets=SECONDS,
            registry=self._registry,
        )  # fmt: skip
        self._sizes = Histogram(
            "sau_batch_size", "Items that a worker took at a time.", ["lane"], buckets=SIZES, registry=self._registry
        )
        self._waiting = Gauge(
            "sau_requests_waiting", "Requests that no worker has taken yet.", ["lane"], registry=self._registry
        )
        self._ready = Gauge("sau_workers_ready", "Workers that can work.", ["lane"], registry=self._registry)

    def watch(self, lane: str, waiting: Callable[[], int], ready: Callable[[], int]) -> None:
        """Ask these whenever somebody reads the metrics."""
        self._waiting.labels(lane).set_function(waiting)
        self._ready.labels(lane).set_function(ready)
        self._replaced.labels(lane)  # 0 is shown, too

    def request(self, endpoint: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def batch(self, lane: str, size: int) -> None:
        """A worker took a batch."""
        self._sizes.labels(lane).observe(size)

    def replaced(self, lane: str) -> None:
        """A worker ended."""
        self._replaced.labels(lane).inc()

    def answer(self, source: str, counted: dict[str, Any]) -> None:
        """What a worker said of one item."""
        if "outcome" in counted:
            self._outcomes.labels(source, counted["outcome"]).inc()
        if counted.get("abstained"):
            self._abstentions.labels(counted["language"]).inc()

    def text(self) -> bytes:
        """All of them in the format of Prometheus."""
        return generate_latest(self._registry)


def _counters(registry: CollectorRegistry) -> Callable[..., Counter]:
    return lambda name, told, *labels: Counter(name, told, labels, registry=registry)
