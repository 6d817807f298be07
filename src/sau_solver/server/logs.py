"""Log records -> JSON lines on standard error: time, level, event, and what the event is about.

A thread writes them: whoever reads the log may be slow, and the event loop waits for nobody.
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

OURS = "sau_solver.server"
MOST_LINES = 10_000  # that wait to be written; what comes when so many wait is dropped
LAST_SECONDS = 0.5  # for the last lines, when the server ends

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object a record; what was given as `extra` becomes fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; of an exception its kind and place, not its message, which may quote a problem."""
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


class _Writer(logging.Handler):
    """Hands lines to a thread that writes them to a file descriptor; a reader that has gone is no reason to stop."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._thread = threading.Thread(target=self._write, args=(descriptor,), daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line, or drop it where too many wait."""
        try:
            self._lines.put_nowait(self.format(record).encode("utf-8", "backslashreplace") + b"\n")
        except queue.Full:
            return

    def finish(self) -> None:
        """Write what waits, if somebody reads it."""
        try:
            self._lines.put(None, timeout=LAST_SECONDS)
        except queue.Full:
            return
        self._thread.join(LAST_SECONDS)

    def _write(self, descriptor: int) -> None:
        while line := self._lines.get():
            try:
                while line:
                    line = line[os.write(descriptor, line) :]
            except OSError:
                continue


@contextmanager
def written_logs(descriptor: int = 2) -> Iterator[None]:
    """Let this package's server and uvicorn write JSON lines to standard error, and nothing twice."""
    writer = _Writer(descriptor)
    for name, level in ((OURS, logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [writer], False
        logger.setLevel(level)
    try:
        yield
    finally:
        writer.finish()
