"""`sau serve`: the solver over HTTP, and its page."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import complain
from sau_solver.errors import InputError
from sau_solver.server.settings import MOST_TEXT, Settings

DEFAULT = Settings()


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every address.")] = DEFAULT.host,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = DEFAULT.port,
    model: Annotated[
        str | None, typer.Option(metavar="DIR", help="A model's folder; the shipped models if not given.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that hold the models; one a core if not given.")
    ] = None,
    equation_workers: Annotated[
        int, typer.Option(min=1, help="Processes that solve equations.")
    ] = DEFAULT.equation_workers,
    batch_size: Annotated[
        int, typer.Option(min=1, help="Problems that a worker takes at a time.")
    ] = DEFAULT.batch_size,
    batch_wait: Annotated[float, typer.Option(min=0, help="Milliseconds that a problem waits for company.")] = 1000
    * DEFAULT.batch_wait,
    max_text: Annotated[int, typer.Option(min=1, max=MOST_TEXT, help="Characters of a problem.")] = DEFAULT.max_text,
    max_body: Annotated[int, typer.Option(min=256, help="Bytes of a request.")] = DEFAULT.max_body,
    max_batch: Annotated[int, typer.Option(min=1, help="Problems of a batch request.")] = DEFAULT.max_batch,
    max_waiting: Annotated[
        int, typer.Option(min=1, help="Requests that may wait; more are refused.")
    ] = DEFAULT.max_waiting,
    request_seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds until a request is given up.")
    ] = DEFAULT.request_seconds,
    equation_seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds for the symbolic solver.")
    ] = DEFAULT.equation_seconds,
    stop_seconds: Annotated[
        float, typer.Option(min=3, help="Seconds from the signal to stop to the end.")
    ] = DEFAULT.stop_seconds,
    api_key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file with the key that requests must bring; or set SAU_API_KEY."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="A site whose pages may ask, such as https://example.org; repeatable."),
    ] = None,
    log_text: Annotated[bool, typer.Option("--log-text", help="Write the problems into the log, too.")] = False,
) -> None:
    """Serve the solver and its page: sau serve, then open http://127.0.0.1:8000.

    Ctrl+C or SIGTERM stops it once what it took is answered. Logs are JSON lines on standard error.
    """
    if missing := [name for name in ("fastapi", "uvicorn", "prometheus_client") if find_spec(name) is None]:
        raise InputError(
            f"`sau serve` needs {', '.join(missing)}, which this installation lacks; "
            "install it with: pip install 'sau-solver[serve]'"
        )
    from sau_solver.server.serving import serve as run
    from sau_solver.solver import load

    load(model)  # complains of a folder that is none, before anything starts
    settings = Settings(
        host=host,
        port=port,
        model=model,
        workers=workers or DEFAULT.workers,
        equation_workers=equation_workers,
        batch_size=batch_size,
        batch_wait=batch_wait / 1000,
        max_text=max_text,
        max_body=max_body,
        max_batch=max_batch,
        max_waiting=max_waiting,
        request_seconds=request_seconds,
        equation_seconds=equation_seconds,
        stop_seconds=stop_seconds,
        api_key=_api_key(api_key_file),
        cors_origins=tuple(cors_origin or ()),
        log_text=log_text,
    )
    if host not in (DEFAULT.host, "localhost", "::1") and not settings.api_key:
        complain(f"Listening on {host} without an API key: everybody who reaches this machine can ask.")
    run(settings)


def _api_key(file: Path | None) -> str:
    if file is None:
        return os.environ.get("SAU_API_KEY", "")
    try:
        key = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: a file with an API key was expected, and it cannot be read ({error}).") from None
    if not key:
        raise InputError(f"{file}: an API key was expected, and the file is empty.")
    return key
