"""`sau serve`: the solver over HTTP, with a web page."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.model_option import ModelOption, pinned_model
from sau_solver.cli.server_config import api_key, named_as_given, print_config, warn_of_unknown_variables
from sau_solver.cli.terminal import complain
from sau_solver.errors import InputError
from sau_solver.server.settings import MOST_TEXT, Settings

DEFAULT = Settings()


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all addresses.")] = DEFAULT.host,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on. 0 picks a free port.")] = DEFAULT.port,
    model: ModelOption = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes that hold the models. Default: one per usable core.")
    ] = None,
    equation_workers: Annotated[
        int, typer.Option(min=1, help="Number of processes that solve equations.")
    ] = DEFAULT.equation_workers,
    batch_size: Annotated[int, typer.Option(min=1, help="Maximum number of problems in a batch.")] = DEFAULT.batch_size,
    bulk_size: Annotated[
        int, typer.Option(min=1, help="Maximum number of problems of a batch request that a worker takes at once.")
    ] = DEFAULT.bulk_size,
    batch_wait: Annotated[float, typer.Option(min=0, help="Maximum time in ms to wait for a batch to fill.")] = 1000
    * DEFAULT.batch_wait,
    max_text: Annotated[
        int, typer.Option(min=1, max=MOST_TEXT, help="Maximum characters per problem.")
    ] = DEFAULT.max_text,
    max_body: Annotated[int, typer.Option(min=256, help="Maximum bytes per request.")] = DEFAULT.max_body,
    max_upload: Annotated[int, typer.Option(min=256, help="Maximum bytes of a list of problems.")] = DEFAULT.max_upload,
    max_batch: Annotated[int, typer.Option(min=1, help="Maximum problems per request.")] = DEFAULT.max_batch,
    max_generated: Annotated[
        int, typer.Option(min=1, help="Maximum number of generated problems per request.")
    ] = DEFAULT.max_generated,
    max_sheet: Annotated[
        int, typer.Option(min=1, help="Maximum number of problems of a generated worksheet.")
    ] = DEFAULT.max_sheet,
    max_waiting: Annotated[
        int, typer.Option(min=1, help="Maximum number of waiting requests. Further requests get error 429.")
    ] = DEFAULT.max_waiting,
    request_seconds: Annotated[
        float, typer.Option(min=0.1, help="Deadline of a request, in seconds.")
    ] = DEFAULT.request_seconds,
    batch_seconds: Annotated[
        float, typer.Option(min=0.1, help="Deadline of a request with more than 4 problems, in seconds.")
    ] = DEFAULT.batch_seconds,
    equation_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time limit of the symbolic solver, in seconds.")
    ] = DEFAULT.equation_seconds,
    stop_seconds: Annotated[
        float, typer.Option(min=3, help="Maximum time in seconds to finish accepted requests after Ctrl+C or SIGTERM.")
    ] = DEFAULT.stop_seconds,
    api_key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with the API key that requests must send. Or set SAU_SERVER_API_KEY."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Web site that may call this server: https://example.org. Repeatable."),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Name that requests may use for this server: math.example.org. Repeatable."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS", help="Address or network of a proxy whose x-forwarded-for is believed. Repeatable."
        ),
    ] = None,
    max_connections: Annotated[
        int, typer.Option(min=1, help="Maximum number of open connections.")
    ] = DEFAULT.max_connections,
    max_client_connections: Annotated[
        int, typer.Option(min=1, help="Maximum number of open connections of one address.")
    ] = DEFAULT.max_client_connections,
    header_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time for a client to send the header of a request, in seconds.")
    ] = DEFAULT.header_seconds,
    body_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time for a client to send the body of a request, in seconds.")
    ] = DEFAULT.body_seconds,
    idle_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time without a request after which a connection is closed, in seconds.")
    ] = DEFAULT.idle_seconds,
    send_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time for a client to read the next part of a response, in seconds.")
    ] = DEFAULT.send_seconds,
    max_log_lines: Annotated[
        int, typer.Option(min=1, help="Maximum number of log lines of one kind per second.")
    ] = DEFAULT.max_log_lines,
    log_text: Annotated[bool, typer.Option("--log-text", help="Write the texts of problems to the log.")] = False,
    log_client: Annotated[
        bool, typer.Option("--log-client", help="Write the addresses of clients to the log.")
    ] = False,
    print_configuration: Annotated[
        bool,
        typer.Option(
            "--print-config", allow_from_autoenv=False, help="Print all settings and where they come from, and exit."
        ),
    ] = False,
) -> None:
    """Start the HTTP server and its web page.

    Run `sau serve`, then open http://127.0.0.1:8000. Ctrl+C or SIGTERM stops the server after it has answered the
    accepted requests. The log goes to standard error as JSON lines. Each option can also come from an environment
    variable: SAU_SERVER_MAX_TEXT for --max-text.
    """
    if missing := [name for name in ("fastapi", "uvicorn", "prometheus_client") if find_spec(name) is None]:
        raise InputError(
            f"`sau serve` needs {', '.join(missing)}, which is not installed. Run in a checkout: pip install '.[serve]'"
        )
    warn_of_unknown_variables(context)
    with named_as_given(context, "api_key_file"):
        key = api_key(api_key_file)
    with named_as_given(context):
        settings = Settings(
            host=host,
            port=port,
            model=model,
            workers=workers or DEFAULT.workers,
            equation_workers=equation_workers,
            batch_size=batch_size,
            bulk_size=bulk_size,
            batch_wait=batch_wait / 1000,
            max_text=max_text,
            max_body=max_body,
            max_upload=max_upload,
            max_batch=max_batch,
            max_generated=max_generated,
            max_sheet=max_sheet,
            max_waiting=max_waiting,
            request_seconds=request_seconds,
            batch_seconds=batch_seconds,
            equation_seconds=equation_seconds,
            stop_seconds=stop_seconds,
            api_key=key,
            cors_origins=tuple(cors_origin or ()),
            allowed_hosts=tuple(allowed_host or ()),
            proxies=tuple(proxy or ()),
            max_connections=max_connections,
            max_client_connections=max_client_connections,
            header_seconds=header_seconds,
            body_seconds=body_seconds,
            idle_seconds=idle_seconds,
            send_seconds=send_seconds,
            max_log_lines=max_log_lines,
            log_text=log_text,
            log_client=log_client,
        )
    if print_configuration:
        print_config(context, settings)
        return
    from sau_solver.server.serving import serve as run
    from sau_solver.solver import load

    with named_as_given(context, "model"):
        settings = replace(settings, model=pinned_model(model))  # all workers load the same commit
        load(settings.model)  # raises an error for a wrong folder before anything starts
    if host not in (DEFAULT.host, "localhost", "::1") and not settings.api_key:
        complain(f"Listening on {host} without an API key: anyone who can reach this machine can use the server.")
    with named_as_given(context):
        run(settings)
