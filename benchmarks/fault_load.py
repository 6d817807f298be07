"""Requests whose answers are known, sent to a server while something fails; every one of them is accounted for."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

SINGLE_CLIENTS, BATCH_CLIENTS, EQUATION_CLIENTS = 4, 2, 2
BATCH = 20
REFUSALS = (408, 429, 503, 504)  # answers that tell the client to try again
PAUSE = 0.03  # seconds between an answer and the next request of a client
PATIENCE = 60.0  # seconds that a client waits for a response


@dataclass(frozen=True)
class Question:
    """A request and the answers that it must get."""

    path: str
    body: dict[str, Any]
    answers: list[str]

    def right(self, found: dict[str, Any]) -> bool:
        """Return whether these are the answers to this request and to no other."""
        if self.path == "/v1/solve":
            return bool(found["answers"] == self.answers and found["problem"] == self.body["text"])
        if self.path == "/v1/equation":
            return bool([root["x"] for root in found["roots"]] == self.answers)
        results = found["results"]
        same = [one.get("problem") for one in results] == self.body["texts"]
        return same and [one["answers"][0] for one in results] == self.answers


_numbers = itertools.count()


def _pens() -> tuple[str, str]:
    number = next(_numbers)
    held, boxes = 11 + number % 83, 3 + number // 83 % 89
    return f"A box holds {held} pens. How many pens are in {boxes} boxes?", str(held * boxes)


def single() -> Question:
    """Return a problem that was not asked just before."""
    text, answer = _pens()
    return Question("/v1/solve", {"text": text}, [answer])


def batch(size: int = BATCH) -> Question:
    """Return a batch of such problems."""
    texts, answers = zip(*(_pens() for _ in range(size)), strict=True)
    return Question("/v1/solve/batch", {"texts": list(texts)}, list(answers))


def equation() -> Question:
    """Return an equation with a new root."""
    number = next(_numbers)
    return Question("/v1/equation", {"equations": f"3*x+5={3 * number + 5}"}, [str(number)])


@dataclass
class Tally:
    """What became of the requests."""

    outcomes: Counter[str] = field(default_factory=Counter)  # right, refused, failed, broken, wrong
    slowest: float = 0.0  # seconds until a right answer

    @property
    def requests(self) -> int:
        """The number of requests, not counting those that were sent again."""
        return self.outcomes.total() - self.outcomes["broken, sent again"]

    def add(self, other: Tally) -> None:
        """Add the results of another round."""
        self.outcomes += other.outcomes
        self.slowest = max(self.slowest, other.slowest)


def encode(question: Question) -> bytes:
    """Return the request as HTTP."""
    body = json.dumps(question.body).encode()
    head = f"POST {question.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def _object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a response; {} if it is something else."""
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def refused_or_failed(status: int, found: dict[str, Any]) -> str:
    """Return what became of a request whose status is not 200."""
    return "refused" if status in REFUSALS and "error" in found else "failed"


class Client:
    """A client with one connection at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: bytes) -> tuple[int, dict[str, Any]]:
        """Return status and JSON of the response. Raise OSError or EOFError if the connection breaks."""
        status, body = await self._exchange(request)
        return status, _object(body)

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        try:
            async with asyncio.timeout(PATIENCE):
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self.port)
                reader, writer = self._streams
                writer.write(request)
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
                body = await reader.readexactly(length)
        except BaseException:
            self.close()
            raise
        if b"connection: close" in head:
            self.close()
        return int(head[9:12]), body

    async def get(self, path: str) -> tuple[int, dict[str, Any]]:
        """Return status and JSON of the response to a GET request."""
        return await self.send(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())

    async def read(self, path: str) -> bytes:
        """Return the body of the response to a GET request."""
        return (await self._exchange(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()))[1]

    async def ask(self, question: Question) -> str:
        """Send a question once, and return what became of it."""
        try:
            status, found = await self.send(encode(question))
        except (OSError, EOFError, TimeoutError):
            return "broken"
        if status == 200:
            return "right" if question.right(found) else "wrong"
        return refused_or_failed(status, found)

    def close(self) -> None:
        """Close the connection."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


@asynccontextmanager
async def clients(port: int, again: bool = False) -> AsyncIterator[Tally]:
    """Let clients ask, with a short pause after each answer; yield their tally, which is complete at the end.

    With `again`, a client repeats a request whose connection broke, as clients of a server that restarts do.
    """
    tally, stop = Tally(), asyncio.Event()

    async def run(questions: Iterator[Question]) -> None:
        client = Client(port)
        for question in questions:
            if stop.is_set():
                break
            began = time.perf_counter()
            while (outcome := await client.ask(question)) == "broken" and again:
                tally.outcomes["broken, sent again"] += 1
                await asyncio.sleep(0.05)
            tally.outcomes[outcome] += 1
            if outcome == "right":
                tally.slowest = max(tally.slowest, time.perf_counter() - began)
            await asyncio.sleep(PAUSE)
        client.close()

    kinds = ((single, SINGLE_CLIENTS), (batch, BATCH_CLIENTS), (equation, EQUATION_CLIENTS))
    streams = [iter(make, None) for make, count in kinds for _ in range(count)]
    tasks = [asyncio.create_task(run(stream)) for stream in streams]
    try:
        yield tally
    finally:
        stop.set()
        await asyncio.gather(*tasks)
