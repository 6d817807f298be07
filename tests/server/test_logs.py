"""The log has JSON lines only, a limited number of them, even under attack or on a full disk."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sau_solver.server.logs import MAX_KINDS, OURS, LineLimit, _Descriptor, json_logs
from sau_solver.server.workers.process import WorkerError, WorkerProcess


def record(message: str = "request", **fields: object) -> logging.LogRecord:
    return logging.makeLogRecord({"msg": message, **fields})


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_lines_of_one_kind_are_limited_per_second_and_the_rest_is_counted() -> None:
    now = [0.0]
    limit = LineLimit(3, lambda: now[0])
    assert [limit.admits(record(kind="/v1/solve 401")) for _ in range(9)] == [True] * 3 + [False] * 6
    assert limit.admits(record(kind="/v1/solve 200"))
    assert limit.summary() is None
    now[0] = 1.5
    summary = limit.summary()
    assert summary is not None
    assert (summary.msg, vars(summary)["lines"], vars(summary)["kinds"]) == (
        "log lines dropped",
        6,
        {"/v1/solve 401": 6},
    )
    assert limit.admits(record(kind="/v1/solve 401"))
    now[0] = 3.0
    assert limit.summary() is None


def test_many_kinds_of_lines_are_limited_together() -> None:
    limit = LineLimit(3, lambda: 0.0)
    admitted = sum(limit.admits(record(f"message {number}")) for number in range(MAX_KINDS + 1_000))
    assert admitted == MAX_KINDS + 3


def test_whatever_is_logged_is_one_json_line(tmp_path: Path) -> None:
    dropped: list[str] = []
    with (tmp_path / "log").open("wb") as file, json_logs(5, dropped.append, file.fileno()):
        for _ in range(20):
            logging.getLogger(f"{OURS}.requests").info("request", extra={"kind": "a"})
        logging.getLogger("asyncio").error("socket.accept() out of system resource\nsocket: <private>")
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("a warning", stacklevel=1)
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()
        sys.unraisablehook(type("Args", (), {"exc_type": ValueError, "exc_value": None})())
    events = [line["event"] for line in written(tmp_path / "log")]
    assert dropped
    assert set(dropped) == {"rate"}
    assert events.count("request") + len(dropped) == 20
    assert "socket.accept() out of system resource" in events
    assert "Invalid HTTP request received." in events
    assert events.count("exception ignored") == 2
    assert any("a warning" in event for event in events)


def test_a_full_disk_costs_lines_and_tears_one_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, real, dropped = [25], os.write, list[str]()

    def write(descriptor: int, line: bytes) -> int:
        part = line[: room[0]]
        if not part:
            raise OSError(28, "No space left on device")
        room[0] -= len(part)
        return real(descriptor, part)

    with tempfile.TemporaryFile() as file:
        log = _Descriptor(file.fileno(), dropped.append)
        monkeypatch.setattr(os, "write", write)
        for number in range(6):
            log.emit(record('{"number": %d}', args=(number,)))
            if number == 3:
                room[0] = 1_000
        file.seek(0)
        assert file.read().splitlines() == [b'{"number": 0}', b'{"number": ', b'{"number": 4}', b'{"number": 5}']
    assert dropped == ["write"] * 3


def test_what_a_worker_writes_to_standard_error_is_logged_as_json(tmp_path: Path) -> None:
    code = "import os; os.write(2, b'corrupted size vs. prev_size\\n' + b'x' * 5000 + b'\\n'); os._exit(3)"

    async def start() -> None:
        process = WorkerProcess([sys.executable, "-c", code])
        with pytest.raises(WorkerError, match="exit code 3"):
            await process.start()
        assert process._logging is not None
        await process._logging

    with (
        (tmp_path / "log").open("wb") as file,
        json_logs(9, lambda _: None, file.fileno()),
        ThreadPoolExecutor(1) as threads,
    ):
        threads.submit(asyncio.run, start()).result()
    lines = written(tmp_path / "log")
    assert [line["event"] for line in lines] == ["worker message"] * 2
    assert [line["line"] for line in lines] == ["corrupted size vs. prev_size", "x" * 300]
