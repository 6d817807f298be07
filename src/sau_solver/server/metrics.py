"""The Prometheus metrics of a server: requests, latency, batches, queues, workers, abstentions and outcomes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
    """The metrics of one server process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        counter = partial(Counter, registry=self._registry)
        self._requests = counter("sau_requests", "Answered requests.", ["endpoint", "status"])
        self._abstentions = counter("sau_abstentions", "Problems without a confident answer.", ["language"])
        self._outcomes = counter("sau_outcomes", "Outcomes of solving equations.", ["source", "outcome"])
        self._replaced = counter("sau_workers_replaced", "Worker processes that ended and were replaced.", ["lane"])
        self._seconds = Histogram(
            "sau_request_seconds", "Seconds from the request to its response.", ["endpoint"], buckets=SECONDS,
            registry=self._registry,
        )  # fmt: skip
        self._sizes = Histogram("sau_batch_size", "Items per batch.", ["lane"], buckets=SIZES, registry=self._registry)
        self._waiting = Gauge(
            "sau_requests_waiting", "Requests waiting for a worker.", ["lane"], registry=self._registry
        )
        self._connections = Gauge("sau_connections", "Open connections.", registry=self._registry)
        self._closed = counter("sau_connections_closed", "Connections that a limit closed or refused.", ["reason"])
        self._dropped = counter("sau_log_lines_dropped", "Log lines that were not written.", ["reason"])
        self._ready = Gauge("sau_workers_ready", "Workers that are ready.", ["lane"], registry=self._registry)

    def watch(self, lane: str, waiting: Callable[[], int], ready: Callable[[], int]) -> None:
        """Measure the queue and the workers of a lane with these functions whenever the metrics are read."""
        self._waiting.labels(lane).set_function(waiting)
        self._ready.labels(lane).set_function(ready)
        self._replaced.labels(lane)  # creates the counter, so that it shows 0

    def watch_connections(self, connections: Callable[[], int]) -> None:
        """Count the open connections with this function whenever the metrics are read."""
        self._connections.set_function(connections)

    def closed(self, reason: str) -> None:
        """Count a connection that a limit closed or refused."""
        self._closed.labels(reason).inc()

    def dropped(self, reason: str) -> None:
        """Count a log line that was not written."""
        self._dropped.labels(reason).inc()

    def request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def batch(self, lane: str, size: int) -> None:
        """Count a batch that a worker took."""
        self._sizes.labels(lane).observe(size)

    def replaced(self, lane: str) -> None:
        """Count a worker that ended and is replaced."""
        self._replaced.labels(lane).inc()

    def answer(self, source: str, counted: dict[str, Any]) -> None:
        """Count the outcome of one item, as the worker reported it."""
        if "outcome" in counted:
            self._outcomes.labels(source, counted["outcome"]).inc()
        if counted.get("abstained"):
            self._abstentions.labels(counted["language"]).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)
