"""A process that has imported the package and torch, and forks once for each command `sau` that a test runs.

A command of its own takes seconds to import what it needs; a fork has it already and is otherwise a process like any
other: it has its own arguments, working folder, environment, standard streams and exit code, and can be killed. A
command whose Python settings differ from those of the server, such as PYTHONPATH, starts a new interpreter instead.

`python tests/command_server.py SOCKET` serves until its standard input is closed. See tests/commands.py.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import socket
import struct
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

MAIN = "from sau_solver.cli import main; main()"
ROOT = Path(__file__).parents[1]
LENGTH = struct.Struct("!Q")


def import_everything() -> None:
    """Import every module of the package, and what commands import when they need it."""
    import sau_solver

    for module in walk_packages(sau_solver.__path__, "sau_solver."):
        if "kernels" not in module.name and not module.name.endswith("__main__"):
            with suppress(ModuleNotFoundError):  # it needs an extra that is not installed
                import_module(module.name)
    for name in ("safetensors.torch", "torch._dynamo", "torch.utils.tensorboard", "matplotlib.figure"):
        with suppress(ModuleNotFoundError):
            import_module(name)
    gc.collect()
    gc.freeze()  # forks share what was imported


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return what a client asks for, and its standard streams."""
    head, streams, _, _ = socket.recv_fds(connection, LENGTH.size, 3)
    with connection.makefile("rb") as file:
        return json.loads(file.read(LENGTH.unpack(head)[0])), streams


def python_settings(environment: dict[str, str]) -> dict[str, str]:
    """Return what the interpreter and torch read when they start."""
    return {name: value for name, value in environment.items() if name.startswith(("PYTHON", "OMP_", "MKL_"))}


def become(asked: dict[str, Any], streams: list[int]) -> None:
    """Make this fork the process that was asked for, up to its first statement."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 256)
    os.chdir(asked["folder"])
    if python_settings(asked["environment"]) != python_settings(dict(os.environ)):
        own = [sys.executable, "-P", "-c", asked["before"] + MAIN, *asked["arguments"]]
        os.execve(sys.executable, own, asked["environment"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["sau", *asked["arguments"]]
    vars(sys.modules["__main__"]).pop("__file__", None)  # as in `python -c`: processes that it spawns import no main


def attend(connection: socket.socket) -> bool:
    """Fork for one client and report the process id and the exit code; return True in the fork."""
    asked, streams = receive(connection)
    command = os.fork()
    if not command:
        become(asked, streams)
        if asked["before"]:
            sys.path.insert(0, str(ROOT))
            exec(asked["before"], {})
        return True
    for stream in streams:
        os.close(stream)
    connection.sendall(LENGTH.pack(command))
    status = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    connection.sendall(struct.pack("!q", status))
    return False


def serve(path: Path) -> bool:
    """Serve until standard input is closed; return True in a fork that is to run its command."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen(16)
        attending: set[int] = set()
        while True:
            ready, _, _ = select.select([server, sys.stdin], [], [])
            attending -= {one for one in attending if os.waitpid(one, os.WNOHANG)[0]}  # counts their processor time
            if sys.stdin in ready:
                return False
            connection, _ = server.accept()
            if one := os.fork():
                attending.add(one)
            else:
                server.close()
                if attend(connection):
                    return True
                os._exit(0)
            connection.close()


def run() -> None:
    """Run the command and end this fork without freeing one by one what was imported, which takes half a second."""
    from sau_solver.cli import main

    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    import_everything()
    if serve(Path(sys.argv[1])):
        run()
