"""A scripted worker that imports nothing for equations before the first one comes: most tests send none.

python -m tests.server.lazy_worker solve "" MAX_TEXT | equation SECONDS MAX_TEXT MODEL
"""

from __future__ import annotations

import fcntl
import os
import select
import sys
import termios

READY = b'{"ready": true, "models": []}\t\n'


def unread(file: int) -> int:
    """Return how many bytes of a pipe can be read; 0 at its end."""
    count = bytearray(4)
    fcntl.ioctl(file, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


def report_and_wait() -> None:
    """Report that the worker is ready, and wait for its first job; end with the input."""
    os.write(1, READY)
    select.select([0], [], [])
    if not unread(0):
        os._exit(0)


def main() -> None:
    lazy = sys.argv[1] == "equation"
    if lazy:
        report_and_wait()
    from unittest.mock import patch

    from sau_solver.server.workers import worker
    from tests.server.scripted_worker import prepare

    write, reported = worker._write, lazy

    def write_rest(*reply: object) -> None:
        nonlocal reported
        if not reported:
            write(*reply)  # type: ignore[arg-type]
        reported = False  # a second report would be taken for an answer

    with patch.object(worker, "_write", write_rest):
        worker.run(prepare)


if __name__ == "__main__":
    main()
