"""Log records -> JSON lines on standard error: time, level, event, and what the event is about."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
OURS = "sau_solver.server"


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


def write_logs(stream: TextIO | None = None) -> None:
    """Let this package's server and uvicorn write JSON lines, and nothing twice."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in ((OURS, logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
