"""Send requests of all kinds to a server for a long time, and see whether memory, descriptors and latency stay level.

    python benchmarks/soak.py [--requests 100000] [--minutes 120] [--clients 8] [--picture FILE]

The soak ends after so many requests or minutes, whichever comes first. Nearly half of the requests are word problems
of both languages, each with numbers that were not sent before, so that nothing is answered from a cache. The others are
batches, equations, edited numbers, exercises, files of the page and mistakes of a client. Every answer must have the
status that its request deserves. A reading every half minute has the memory of the server and its workers, their open
descriptors and threads, and the latency of single word problems since the last reading.

"Level" compares the mean of the third quarter of the readings with that of the fourth.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.fault_load import Client  # noqa: E402
from benchmarks.serving_load import process_tree, proportional_memory, serving, solvable  # noqa: E402
from benchmarks.solve_speed import problems  # noqa: E402

EVERY = 30.0  # seconds between two readings
HEAD = "minutes  requests    MB  descriptors  threads  median ms  99 % ms"


@dataclass(frozen=True)
class Request:
    """A request and the status that its answer must have."""

    kind: str
    content: bytes
    status: int = 200


def post(kind: str, path: str, body: dict[str, Any], status: int = 200) -> Request:
    """Return a POST request with a JSON body."""
    content = json.dumps(body, ensure_ascii=False).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return Request(kind, f"{head}content-length: {len(content)}\r\n\r\n".encode() + content, status)


def get(path: str) -> Request:
    """Return a GET request."""
    return Request("get", f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())


def changed(text: str, draw: random.Random) -> str:
    """Return a problem with other whole numbers."""
    return re.sub(r"(?<![\d.,/:%])[1-9]\d?(?![\d.,/:%])", lambda _: str(draw.randrange(2, 100)), text)


def requests(texts: list[str], seed: int) -> Iterator[Request]:
    """Yield requests without end, the same for a seed."""
    draw = random.Random(seed)

    def word_problem() -> str:
        return changed(draw.choice(texts), draw)

    def equation() -> dict[str, str]:
        a, b, c = (draw.randrange(1, 500) for _ in range(3))
        return {
            "equations": draw.choice((f"{a}x+{b}={c}", f"x^2+{a}x={b}", f"x+y={a}; {b}x-y={c}", f"sqrt(x+{a})={b}"))
        }

    edited = {"text": "Tom has 3 apples and buys 5 more. How many apples does he have now?", "tree": "= x + N0 N1"}
    kinds: list[tuple[int, Callable[[], Request]]] = [
        (40, lambda: post("solve", "/v1/solve", {"text": word_problem()})),
        (2, lambda: post("explain", "/v1/solve", {"text": word_problem(), "explain": True})),
        (1, lambda: post("batch", "/v1/solve/batch", {"texts": [word_problem() for _ in range(8)]})),
        (24, lambda: post("equation", "/v1/equation", equation())),
        (12, lambda: post("edit", "/v1/template", edited | {"numbers": [str(draw.randrange(9999)) for _ in range(2)]})),
        (
            9,
            lambda: post("exercise", "/v1/generate", {"lang": draw.choice(("en", "zh")), "seed": draw.randrange(9**9)}),
        ),
        (8, lambda: get(draw.choice(("/", "/page/app.js", "/healthz", "/metrics")))),
        (2, lambda: post("mistake", "/v1/solve", {"text": ""}, 422)),
        (2, lambda: post("mistake", "/v1/equation", {"equations": f"{draw.randrange(99)}x+(=3"}, 422)),
    ]
    weights, makers = zip(*kinds, strict=True)
    while True:
        yield draw.choices(makers, weights)[0]()


@dataclass
class Soak:
    """What was seen so far."""

    limit: int
    wrong: Counter[str] = field(default_factory=Counter)  # answers with another status, by kind and status
    kinds: Counter[str] = field(default_factory=Counter)
    latest: list[float] = field(default_factory=list)  # seconds of single problems since the last reading
    rows: list[list[float]] = field(default_factory=list)

    def room(self) -> bool:
        """Return whether another request may be sent."""
        return self.kinds.total() < self.limit


async def ask(port: int, stream: Iterator[Request], soak: Soak, end: float) -> None:
    """Send one request after the other over one connection."""
    client = Client(port)
    while soak.room() and time.perf_counter() < end:
        request = next(stream)
        soak.kinds[request.kind] += 1
        began = time.perf_counter()
        try:
            status, _ = await client.send(request.content)
        except (OSError, EOFError, TimeoutError) as error:
            status = 0
            soak.wrong[f"{request.kind}: {type(error).__name__}"] += 1
        if status == request.status:
            if request.kind == "solve":
                soak.latest.append(time.perf_counter() - began)
        elif status:
            soak.wrong[f"{request.kind}: {status}"] += 1
    client.close()


async def read(pid: int, soak: Soak) -> None:
    """Take a reading every half minute, and print it."""
    began = time.perf_counter()
    print(HEAD, flush=True)
    for number in itertools.count(1):
        await asyncio.sleep(max(0.0, began + number * EVERY - time.perf_counter()))
        spent, soak.latest = sorted(soak.latest), []
        memory, descriptors, threads = resources(pid)
        median, late = (1000 * spent[int(share * (len(spent) - 1))] if spent else 0.0 for share in (0.5, 0.99))
        row = [(time.perf_counter() - began) / 60, soak.kinds.total(), memory, descriptors, threads, median, late]
        soak.rows.append(row)
        print("{:7.1f}  {:8,.0f}  {:4.0f}  {:11.0f}  {:7.0f}  {:9.0f}  {:7.0f}".format(*row), flush=True)


def resources(pid: int) -> tuple[float, int, int]:
    """Return the MB, the open descriptors and the threads of a process and its descendants."""
    memory, descriptors, threads = 0.0, 0, 0
    for one in process_tree(pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            memory += proportional_memory(one)
            descriptors += len(list(Path(f"/proc/{one}/fd").iterdir()))
            threads += len(list(Path(f"/proc/{one}/task").iterdir()))
    return memory, descriptors, threads


def level(rows: list[list[float]], column: int) -> str:
    """Return the means of the third and the fourth quarter, and their difference in percent."""
    quarter = max(1, len(rows) // 4)
    third, fourth = (
        statistics.fmean(row[column] for row in part) for part in (rows[-2 * quarter : -quarter], rows[-quarter:])
    )
    return f"{third:,.0f} -> {fourth:,.0f} ({100 * (fourth / third - 1):+.1f} %)"


def draw_picture(rows: list[list[float]], path: Path) -> None:
    """Draw memory, descriptors and latency over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6), layout="constrained")
    minutes = [row[0] for row in rows]
    drawn = (
        ("memory (MB)", {"all processes": 2}),
        ("open descriptors", {"all processes": 3}),
        ("latency (ms)", {"median": 5, "99 %": 6}),
    )
    for axes, (name, columns) in zip(figure.subplots(3, 1, sharex=True), drawn, strict=True):
        for label, column in columns.items():
            axes.plot(minutes, [row[column] for row in rows], label=label)
        axes.set_ylabel(name)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        if len(columns) > 1:
            axes.legend(loc="upper right")
    axes.set_xlabel("minutes")
    figure.savefig(path, dpi=110)


async def measure(given: argparse.Namespace, texts: list[str]) -> Soak:
    """Start a server and send requests until the end."""
    soak, stream = Soak(given.requests), requests(texts, given.seed)
    async with serving(given.model) as (port, pid):
        began = time.perf_counter()
        reading = asyncio.create_task(read(pid, soak))
        await asyncio.gather(*(ask(port, stream, soak, began + 60 * given.minutes) for _ in range(given.clients)))
        reading.cancel()
        seconds = time.perf_counter() - began
    print(f"\n{soak.kinds.total():,} requests in {seconds / 60:.1f} minutes, {dict(soak.kinds.most_common())}")
    print(f"other statuses than expected: {sum(soak.wrong.values())} {dict(soak.wrong)}")
    if len(soak.rows) >= 4:
        for name, column in (("memory, MB", 2), ("descriptors", 3), ("threads", 4), ("median, ms", 5), ("99 %, ms", 6)):
            print(f"level: {name:12} {level(soak.rows, column)}")
    return soak


def main() -> None:
    """Print the readings and the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a model (default: the shipped models)")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--picture", type=Path, help="also draw the readings (PNG, SVG or PDF)")
    given = parser.parse_args()
    texts = solvable(given.model, [text for language in ("zh", "en") for text in problems(language, 400)])
    print(f"{os.cpu_count()} cores, {given.clients} clients, {len(texts)} problems with changing numbers")
    soak = asyncio.run(measure(given, texts))
    if given.picture:
        draw_picture(soak.rows, given.picture)
    sys.exit(1 if soak.wrong else 0)


if __name__ == "__main__":
    main()
