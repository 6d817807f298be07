"""Compare ways to serve from two workers: one server, two servers behind nginx, and Ray Serve.

    python benchmarks/serving_replicas.py [--requests 600] [--clients 16] [--repeats 3]

Each way answers the same problems from clients that wait for their answers, in turn, so that other work on the machine
slows all of them. nginx runs with the configuration of docs/scaling.md. Ray Serve has two replicas that collect batches
as `sau serve` does, but no limits, deadlines or checks. A way whose program (nginx, ray[serve]) is not installed is
left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.serving_load import closed_loop, serving, solvable  # noqa: E402
from benchmarks.solve_speed import problems  # noqa: E402
from sau_solver.server.settings import Settings  # noqa: E402

PORTS = {"8000": 18000, "8001": 18001, "8002": 18002}
RAY_PORT = 18003


@asynccontextmanager
async def one_server() -> AsyncIterator[int]:
    """Start one server with two workers."""
    async with serving(None, "--workers", "2") as (port, _):
        yield port


@asynccontextmanager
async def behind_nginx() -> AsyncIterator[int]:
    """Start two servers with one worker each, behind nginx."""
    page = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
    (config,) = re.findall(r"^```nginx\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = ("--workers", "1", "--proxy", "127.0.0.1")
        found = [await stack.enter_async_context(serving(None, *options)) for _ in range(2)]
        ports = PORTS | {"8001": found[0][0], "8002": found[1][0]}
        config = re.sub(r"(?<=127\.0\.0\.1:)\d+", lambda documented: str(ports[documented[0]]), config)
        (folder / "nginx.conf").write_text(config, encoding="utf-8")
        own = f"daemon off; pid {folder}/pid; error_log {folder}/log;"
        nginx = await asyncio.create_subprocess_exec("nginx", "-c", str(folder / "nginx.conf"), "-g", own)
        await asyncio.sleep(1)
        try:
            yield ports["8000"]
        finally:
            nginx.terminate()
            await nginx.wait()


@asynccontextmanager
async def ray_serve() -> AsyncIterator[int]:
    """Start two replicas of Ray Serve."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--ray", stdout=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdin is not None
    while (await process.stdout.readline()) not in (b"ready\n", b""):
        pass
    try:
        yield RAY_PORT
    finally:
        process.stdin.close()
        await process.wait()


def run_ray_serve() -> None:
    """Serve with Ray until standard input is closed."""
    import ray
    from ray import serve
    from starlette.responses import JSONResponse

    batches = Settings()

    class Replica:
        """A solver that collects batches."""

        def __init__(self) -> None:
            from sau_solver.solver import load

            self.solver = load()

        @serve.batch(  # type: ignore[untyped-decorator]
            max_batch_size=batches.batch_size, batch_wait_timeout_s=batches.batch_wait
        )
        async def solve(self, texts: list[str]) -> list[Any]:
            """Solve a batch."""
            return [one.as_json() for one in self.solver.solve_many(texts)]

        async def __call__(self, request: Any) -> Any:
            """Answer a request, with the length that the clients expect."""
            return JSONResponse(await self.solve((await request.json())["text"]))

    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": RAY_PORT})
    deployed = serve.deployment(num_replicas=2, max_ongoing_requests=64)(Replica)
    serve.run(deployed.bind(), route_prefix="/")
    print("ready", flush=True)
    sys.stdin.read()
    serve.shutdown()


async def measure(given: argparse.Namespace) -> None:
    """Measure each way in turn, and print a table."""
    texts = solvable(None, [text for language in ("zh", "en") for text in problems(language, 128)])
    bodies = [json.dumps({"text": text}, ensure_ascii=False).encode() for text in texts]
    many = [bodies[number % len(bodies)] for number in range(given.requests)]
    ways: dict[str, Callable[[], AbstractAsyncContextManager[int]]] = {"one server": one_server}
    if shutil.which("nginx"):
        ways["behind nginx"] = behind_nginx
    if find_spec("ray") and find_spec("ray.serve") and find_spec("aiohttp"):
        ways["Ray Serve"] = ray_serve
    rates: dict[str, list[float]] = {name: [] for name in ways}
    slow: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(given.repeats):
        for name, started in ways.items():
            async with started() as port:
                await closed_loop(port, many[:64], given.clients)
                result, seconds = await closed_loop(port, many, given.clients)
            assert set(result.statuses) == {200}, (name, result.statuses)
            rates[name].append(given.requests / seconds)
            slow[name].append(result.quantile(0.99))
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.repeats} times {given.requests} problems, "
        f"{given.clients} clients\n"
    )
    print("way           problems/s  of one server  p99 ms")
    for name in ways:
        share = statistics.median(own / one for own, one in zip(rates[name], rates["one server"], strict=True))
        rate, late = statistics.median(rates[name]), statistics.median(slow[name])
        print(f"{name:12}  {rate:10.1f}  {share:13.0%}  {late:6.0f}")


def main() -> None:
    """Print the table, or serve with Ray for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=600)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ray", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ray:
        run_ray_serve()
    else:
        asyncio.run(measure(given))


if __name__ == "__main__":
    main()
