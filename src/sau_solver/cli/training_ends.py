"""Messages and exit codes of a training that stops early: Ctrl+C, a signal, or an error in one of several processes.

Each process says why it stops, and how to continue. A process that waits for a lost one, on the GPU or in a network
call, cannot run Python code. So a thread reports the signal with which torchrun ends such a process.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from sau_solver.cli.terminal import BAD_INPUT, complain, restore_cursor
from sau_solver.errors import ProcessLostError, SauError, ToldElsewhereError
from sau_solver.training.processes import Processes

LOST = 1  # exit code: another process has ended
_SIGNALED = 128  # exit codes of processes that a signal ended are above this


class Ends:
    """The messages of one process; `advice` says how to continue once there is something to continue."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._speaking, self._said = threading.Lock(), False
        self.advice = ""

    def say(self, message: str, with_advice: bool = True) -> None:
        """Print why this process ends; only the first reason counts."""
        with self._speaking:
            if not self._said:
                who = f"[rank {self._processes.rank} of {self._processes.size}] "
                complain(f"{who}{message}{f' {self.advice}' if with_advice and self.advice else ''}")
            self._said = True

    def stop(self, message: str, code: int = LOST) -> NoReturn:
        """Say why this process ends, and end it at once, whatever the main thread waits for."""
        self.say(message)
        restore_cursor()
        os._exit(code)


@contextmanager
def explaining_ends(processes: Processes) -> Iterator[Ends]:
    """Turn interruptions and errors inside the block into messages and exit codes."""
    ends = Ends(processes)
    try:
        if processes.size == 1:
            yield ends
        else:
            with _reporting_termination(ends):
                yield ends
    except KeyboardInterrupt:
        if processes.first:
            complain(f"Interrupted. {ends.advice}".rstrip())
        raise typer.Exit(130) from None
    except ToldElsewhereError:
        raise typer.Exit(BAD_INPUT) from None
    except ProcessLostError as error:
        ends.say(str(error))
        raise typer.Exit(LOST) from None
    except SauError as error:
        if processes.size == 1:
            raise
        ends.say(str(error), with_advice=False)
        raise typer.Exit(BAD_INPUT) from None


@contextmanager
def _reporting_termination(ends: Ends) -> Iterator[None]:
    """Report SIGTERM and exit at once, whatever the main thread waits for."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)

    def watch() -> None:
        while numbers := reader.recv(64):
            if signal.SIGTERM in numbers:
                message = "Stopped by SIGTERM: another process has ended, or the job was canceled."
                ends.stop(message, _SIGNALED + signal.SIGTERM)

    handler = signal.signal(signal.SIGTERM, lambda *_: None)  # so that Python passes the signal to the socket
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGTERM, handler)
        writer.close()
        thread.join()
        reader.close()
