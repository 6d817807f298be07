"""Log records -> JSON lines on standard error, written by a separate thread.

The reader of the log may be slow or gone, or its disk full; the event loop must not wait for it. Lines of one kind are
limited, so that an attack cannot fill the disk or hide other lines.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from typing import cast

OURS = "sau_solver.server"
MAX_LINES = 10_000  # lines waiting to be written; further lines are dropped
LAST_SECONDS = 0.5  # time to write the last lines when the server ends
MAX_KINDS = 200  # kinds of lines that are counted separately
LONGEST_EVENT = 200  # characters

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName", "kind"}

OnDrop = Callable[[str], None]


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object: time, level, event, and the fields given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. An exception is named by type and place; its message is left out: it may quote a problem."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage().strip().partition("\n")[0][:LONGEST_EVENT],
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info and record.exc_info[0]:
            line["cause"] = cause_of(*record.exc_info[:2])
        return json.dumps(line, ensure_ascii=False, default=str)


def cause_of(kind: type[BaseException], error: BaseException | None) -> str:
    """Return the type of an exception and the place that raised it."""
    trace = error.__traceback__ if error else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}" if trace else ""
    return kind.__name__ + place


class LineLimit:
    """Limits the lines of each kind per second. A line a second later says how many were left out."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self._clock = most, clock
        self._began = clock()
        self._seen: Counter[str] = Counter()

    def admits(self, record: logging.LogRecord) -> bool:
        """Count a record, and return whether it is written."""
        kind = str(getattr(record, "kind", None) or record.msg).strip().partition("\n")[0][:LONGEST_EVENT]
        if kind not in self._seen and len(self._seen) >= MAX_KINDS:
            kind = "other"
        self._seen[kind] += 1
        return self._seen[kind] <= self.most

    def summary(self) -> logging.LogRecord | None:
        """Return a record of the lines that the last second left out, once that second is over."""
        if self._clock() < self._began + 1.0:
            return None
        over = Counter({kind: count - self.most for kind, count in self._seen.items() if count > self.most})
        self._began, self._seen = self._clock(), Counter()
        if not over:
            return None
        fields = {"name": OURS, "levelno": logging.WARNING, "levelname": "WARNING", "msg": "log lines dropped"}
        return logging.makeLogRecord(fields | {"lines": over.total(), "kinds": dict(over.most_common(5))})


class _Queue(QueueHandler):
    """Formats records and queues them; drops them when the queue is full or there are too many of one kind."""

    def __init__(self, lines: queue.Queue[logging.LogRecord | None], most: int, on_drop: OnDrop) -> None:
        super().__init__(lines)
        self._limit, self._on_drop = LineLimit(most), on_drop

    def emit(self, record: logging.LogRecord) -> None:
        if summary := self._limit.summary():
            super().emit(summary)
        if self._limit.admits(record):
            super().emit(record)
        else:
            self._on_drop("rate")

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            super().enqueue(record)
        except queue.Full:
            self._on_drop("queue")


class _Listener(QueueListener):
    """A listener that can be stopped while the queue is full: it waits for a free place."""

    def enqueue_sentinel(self) -> None:
        cast("queue.Queue[logging.LogRecord | None]", self.queue).put(None)


class _Descriptor(logging.Handler):
    """Writes lines to a file descriptor without Python's buffers, whose locks could block the end of the process."""

    def __init__(self, descriptor: int, on_drop: OnDrop) -> None:
        super().__init__()
        self._descriptor, self._on_drop = descriptor, on_drop
        self._broken = False  # the file ends within a line

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage().encode("utf-8", "backslashreplace") + b"\n"
        rest = b"\n" + line if self._broken else line
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            self._broken = False
        except OSError:  # nobody reads the log any more, or the disk is full; the server keeps running
            self._broken = len(rest) < len(line) or (self._broken and len(rest) > len(line))
            self._on_drop("write")


@contextmanager
def json_logs(most: int, on_drop: OnDrop, descriptor: int = 2) -> Iterator[None]:
    """Let the server, uvicorn and asyncio log JSON lines to standard error, at most `most` per second and kind."""
    lines: queue.Queue[logging.LogRecord | None] = queue.Queue(MAX_LINES)
    handler = _Queue(lines, most, on_drop)
    handler.setFormatter(JsonLines())
    listener = _Listener(lines, _Descriptor(descriptor, on_drop))
    listener.start()
    for name in (OURS, "uvicorn", "asyncio", "py.warnings"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == OURS else logging.WARNING)
    logging.captureWarnings(capture=True)
    hooks = sys.unraisablehook, threading.excepthook
    sys.unraisablehook = threading.excepthook = _log_exception
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        sys.unraisablehook, threading.excepthook = hooks
        stopping = threading.Thread(target=listener.stop, daemon=True)  # blocks while nobody reads the log
        stopping.start()
        stopping.join(LAST_SECONDS)


def _log_exception(found: sys.UnraisableHookArgs | threading.ExceptHookArgs) -> None:
    """Log an exception that nobody can catch, instead of printing it."""
    if found.exc_type is not None:
        cause = cause_of(found.exc_type, found.exc_value)
        logging.getLogger(OURS).error("exception ignored", extra={"cause": cause})
