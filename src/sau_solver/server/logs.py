"""Log records -> JSON lines on standard error, written by a thread of their own.

The reader of the log may be slow or gone; the event loop must not wait for it.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from typing import cast

OURS = "sau_solver.server"
MAX_LINES = 10_000  # lines waiting to be written; further lines are dropped
LAST_SECONDS = 0.5  # time to write the last lines when the server ends

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object: time, level, event, and the fields given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. An exception is named by type and place; its message is left out: it may quote a problem."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info and record.exc_info[0]:
            trace = record.exc_info[2]
            while trace and trace.tb_next:
                trace = trace.tb_next
            place = f" at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}" if trace else ""
            line["cause"] = record.exc_info[0].__name__ + place
        return json.dumps(line, ensure_ascii=False, default=str)


class _Queue(QueueHandler):
    """Formats records and queues them; drops them when the queue is full."""

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            super().enqueue(record)
        except queue.Full:
            return


class _Listener(QueueListener):
    """Waits for a free place in the queue when it is told to stop."""

    def enqueue_sentinel(self) -> None:
        cast("queue.Queue[logging.LogRecord | None]", self.queue).put(None)


class _Descriptor(logging.Handler):
    """Writes lines to a file descriptor without Python's buffers, whose locks could block the end of the process."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage().encode("utf-8", "backslashreplace") + b"\n"
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError:  # nobody reads the log any more; the server keeps running
            return


@contextmanager
def json_logs(descriptor: int = 2) -> Iterator[None]:
    """Let the server and uvicorn log JSON lines to standard error."""
    lines: queue.Queue[logging.LogRecord | None] = queue.Queue(MAX_LINES)
    handler = _Queue(lines)
    handler.setFormatter(JsonLines())
    listener = _Listener(lines, _Descriptor(descriptor))
    listener.start()
    for name, level in ((OURS, logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    try:
        yield
    finally:
        stopping = threading.Thread(target=listener.stop, daemon=True)  # blocks while nobody reads the log
        stopping.start()
        stopping.join(LAST_SECONDS)
