"""Measure how long single requests take while other clients send full batches, or long texts, without a pause.

    python benchmarks/serving_fairness.py [--singles 300] [--rounds 2] [--streams 2] [--bulk-size 1 32] [--long]

One client sends single problems one after the other, first alone and then with the batches; both are repeated in each
round, with the same problems. A batch has as many problems as the server allows; with `--long`, the other clients send
single problems of 3,700 characters instead. The load generator shares the machine
with the server. The counts of statuses are of those requests that have ended.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.serving_load import Client, Load, serving, solvable  # noqa: E402
from benchmarks.solve_speed import problems  # noqa: E402

BATCH = 256
LONG = "The shop is near the old school and the river where children play. " * 54
PAUSE = 0.2  # seconds after a batch that was refused


async def singles(port: int, texts: list[str]) -> Load:
    """Send single problems one after the other."""
    result, client = Load(), Client(port)
    for text in texts:
        began = time.perf_counter()
        result.add(await client.ask(json.dumps({"text": text}).encode()), time.perf_counter() - began)
    client.close()
    return result


@asynccontextmanager
async def batches(port: int, texts: list[str], given: argparse.Namespace) -> AsyncIterator[Counter[int]]:
    """Send full batches or long texts over several connections; yield the counts of their statuses."""
    statuses: Counter[int] = Counter()

    async def send(seed: int) -> None:
        draw, client = random.Random(seed), Client(port)
        while True:
            if given.long:
                status = await client.ask(json.dumps({"text": LONG + draw.choice(texts)}).encode())
            else:
                many = json.dumps({"texts": draw.choices(texts, k=BATCH)}).encode()
                status = await client.ask(many, b"/v1/solve/batch")
            statuses[status] += 1
            if status != 200:
                await asyncio.sleep(PAUSE)

    running = [asyncio.create_task(send(seed)) for seed in range(given.streams)]
    await asyncio.sleep(2.0)  # the workers are busy
    yield statuses
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def measure(given: argparse.Namespace, texts: list[str], bulk_size: int) -> None:
    """Print a line without and a line with batches."""
    alone, together, sent = Load(), Load(), Counter[int]()
    options = ("--bulk-size", str(bulk_size), "--max-body", "1000000", "--workers", str(given.workers))
    async with serving(given.model, *options) as (port, _):
        await singles(port, texts[:50])
        for _ in range(given.rounds):
            add(alone, await singles(port, texts[: given.singles]))
            async with batches(port, texts, given) as statuses:
                add(together, await singles(port, texts[: given.singles]))
            sent += statuses
            await asyncio.sleep(3)  # until the workers have finished what the last batches left behind
    others = "long texts" if given.long else "batches"
    ratio = together.quantile(0.99) / alone.quantile(0.99)
    for name, load in (("alone", alone), (f"with {others}", together)):
        times = f"median {load.quantile(0.5):6.0f} ms, p99 {load.quantile(0.99):6.0f} ms"
        print(f"--bulk-size {bulk_size:2}  {name:13} {times}  {dict(load.statuses)}", flush=True)
    print(f"                p99 with {others} is {ratio:.2f} times its value alone; {others} {dict(sent)}", flush=True)


def add(to: Load, more: Load) -> None:
    """Add results to others."""
    to.statuses += more.statuses
    to.seconds += more.seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a model (default: the shipped models)")
    parser.add_argument("--singles", type=int, default=300, help="single requests per round, of each kind")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--streams", type=int, default=2, help="clients that send batches")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--bulk-size", type=int, nargs="+", default=[1])
    parser.add_argument("--long", action="store_true", help="other clients send long texts instead of batches")
    given = parser.parse_args()
    texts = [text for language in ("zh", "en") for text in problems(language, given.singles // 2)]
    random.Random(0).shuffle(texts)
    texts = solvable(given.model, texts)
    streams = f"{given.streams} streams of " + ("long texts" if given.long else f"batches of {BATCH}")
    print(f"{os.cpu_count()} cores, {given.workers} workers, {streams}")
    for bulk_size in given.bulk_size:
        asyncio.run(measure(given, texts, bulk_size))


if __name__ == "__main__":
    main()
