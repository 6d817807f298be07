"""Break a server in eight ways under load, and count what happens to the requests and how long it takes to recover.

    python benchmarks/faults.py [ROUNDS] [--only FAULT …] [--light]

Eight clients ask problems, batches and equations whose answers are known. In every round, something fails while they
ask. Each request must get its right answer or an error that says to try again; a broken connection is
counted as lost, except where the server itself is killed: there the clients send the request again. A round ends when
all workers are ready again and a new problem and a new equation are answered; recovery is the time until then, from the
fault, or from its end if it lasts. Every round also looks for evidence that the fault took effect: a replaced worker,
a line of the log, a metric, or connections that broke. A round that does not recover is counted and told, and the next
one gets a new server. `--light` replaces the models by a lookup table, so that workers start quickly.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.fault_load import Tally, batch, clients, encode, equation, single  # noqa: E402
from benchmarks.fault_victim import LONGEST_RECOVERY, NotRecoveredError, Victim  # noqa: E402

HEAD = (
    "| fault | rounds | took effect | recovered | requests | right | refused | failed | lost | wrong | slowest "
    "| recovery: median, maximum |"
)
HELD = 1.0  # seconds that a lasting fault lasts
LONGEST_EFFORT = 20.0  # seconds to make a fault take effect
OFFSETS = [sign * seconds for sign in (-1, 1) for seconds in (3_600, 86_400, 31_536_000)]

Evidence = Callable[[Victim, Tally], Awaitable[float]]  # a count that grows if a fault takes effect


async def kill_worker(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Kill a worker with SIGKILL."""
    victim.gone = draw.choice(victim.workers())
    os.kill(victim.gone, signal.SIGKILL)
    return time.perf_counter()


async def kill_server(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Kill the server with SIGKILL and start it again, as systemd does; its workers must end by themselves."""
    workers, began = victim.workers(), time.perf_counter()
    victim.process.kill()
    await victim.process.wait()
    await victim.start()
    while alive := [pid for pid in workers if Path(f"/proc/{pid}").exists() and _state(pid) != "Z"]:
        if time.perf_counter() > began + LONGEST_RECOVERY:
            raise NotRecoveredError(f"workers {alive} outlive their server")
        await asyncio.sleep(0.02)
    return began


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


async def stop_worker(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Stop a worker with SIGSTOP for 30 seconds, or until the server has ended it."""
    victim.gone = stopped = draw.choice(victim.workers())
    began = time.perf_counter()
    os.kill(stopped, signal.SIGSTOP)
    while _state(stopped) != "Z" and time.perf_counter() < began + 30:
        await asyncio.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(stopped, signal.SIGCONT)
    return began


async def fill_disk(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Let the log file grow by a few bytes only (RLIMIT_FSIZE)."""
    before = await _unwritten(victim, tally)
    victim.limit(victim.pid, resource.RLIMIT_FSIZE, victim.log.stat().st_size + draw.randrange(1_000))
    await asyncio.sleep(HELD)
    await _grown(_unwritten, victim, tally, before)
    victim.limit(victim.pid, resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
    return time.perf_counter()


async def starve_worker(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Limit the memory of a worker to half of what it uses (RLIMIT_AS), and ask for what needs more until it ends.

    A worker for equations needs no more memory than it has, so it is one for problems.
    """
    tally.outcomes[await victim.ask_hungry()] += 1
    victim.gone = starved = draw.choice(victim.workers("solve"))
    used = int(Path(f"/proc/{starved}/statm").read_text().split()[0]) * resource.getpagesize()
    victim.limit(starved, resource.RLIMIT_AS, used // 2)
    latest = time.perf_counter() + LONGEST_EFFORT
    while _state(starved) != "Z" and time.perf_counter() < latest:
        tally.outcomes.update(await asyncio.gather(*(victim.ask_hungry() for _ in range(2))))
    victim.gone = 0 if _state(starved) != "Z" else starved
    victim.limit(starved, resource.RLIMIT_AS, resource.RLIM_INFINITY)
    return time.perf_counter()


async def turn_clock(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Set the clock of server and workers to another hour, day or year."""
    victim.offset.write_text(str(draw.choice([one for one in OFFSETS if str(one) != victim.offset.read_text()])))
    await asyncio.sleep(HELD)
    return time.perf_counter()


async def exhaust_descriptors(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Leave the server without file descriptors, open connections that it cannot accept, and kill a worker."""
    failed = await _not_accepted(victim, tally)
    used = {int(one.name) for one in Path(f"/proc/{victim.pid}/fd").iterdir()}
    before = resource.prlimit(victim.pid, resource.RLIMIT_NOFILE)[0]
    lowest_free = next(number for number in itertools.count() if number not in used)
    victim.limit(victim.pid, resource.RLIMIT_NOFILE, lowest_free)
    waiting = [await asyncio.open_connection("127.0.0.1", victim.port) for _ in range(40)]
    for _, writer in waiting:
        writer.write(b"GET / HTTP/1.1\r\nx-a: ")
    await kill_worker(victim, draw, tally)
    await asyncio.sleep(HELD)
    await _grown(_not_accepted, victim, tally, failed)  # a starved server may not even have tried yet
    victim.limit(victim.pid, resource.RLIMIT_NOFILE, before)
    began = time.perf_counter()
    for _, writer in waiting:
        writer.close()
    return began


async def disappear(victim: Victim, draw: random.Random, tally: Tally) -> float:
    """Send requests and close their connections before the answers, and sometimes before the end of the request."""

    async def one() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", victim.port)
        request = encode(draw.choice((single, batch, equation))())
        writer.write(request[: draw.choice((len(request), draw.randrange(len(request))))])
        await asyncio.sleep(draw.random() ** 3 * HELD / 2)
        writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(20)))
    return time.perf_counter()


@dataclass(frozen=True)
class Fault:
    """Something that breaks, and the evidence that it did."""

    title: str
    make: Callable[[Victim, random.Random, Tally], Awaitable[float]]  # makes it, ends it, and returns when
    evidence: Evidence


async def _replaced(victim: Victim, tally: Tally) -> float:
    return await victim.metric("sau_workers_replaced_total")


async def _unwritten(victim: Victim, tally: Tally) -> float:
    return await victim.metric("sau_log_lines_dropped_total", "write")


async def _deserted(victim: Victim, tally: Tally) -> float:
    return await victim.metric("sau_requests_total", '"499"')


async def _broken(victim: Victim, tally: Tally) -> float:
    return tally.outcomes["broken, sent again"]


async def _stopped(victim: Victim, tally: Tally) -> float:
    return victim.event("worker stopped")


async def _jumped(victim: Victim, tally: Tally) -> float:
    return victim.event("jump")


async def _not_accepted(victim: Victim, tally: Tally) -> float:
    return victim.event("socket.accept() out of system resource")  # asyncio logs it


FAULTS = {
    "kill-worker": Fault("kill -9 of a worker", kill_worker, _replaced),
    "kill-server": Fault("kill -9 of the server, started again", kill_server, _broken),
    "stop-worker": Fault("SIGSTOP of a worker, up to 30 s", stop_worker, _stopped),
    "full-disk": Fault("disk full for the log", fill_disk, _unwritten),
    "memory": Fault("no memory for a worker", starve_worker, _replaced),
    "clock": Fault("clock set by an hour, a day or a year", turn_clock, _jumped),
    "descriptors": Fault("no file descriptors, and a killed worker", exhaust_descriptors, _not_accepted),
    "clients": Fault("20 clients disappear", disappear, _deserted),
}


@dataclass
class Report:
    """The results of all rounds of one fault."""

    tally: Tally = field(default_factory=Tally)
    recovery: list[float] = field(default_factory=list)  # seconds of the rounds that recovered
    effective: int = 0  # rounds in which the fault took effect
    stuck: list[str] = field(default_factory=list)  # what was seen in rounds that did not recover
    torn: int = 0  # log lines that are not JSON, beyond one in each round of a full disk

    @property
    def rounds(self) -> int:
        """The number of rounds so far."""
        return len(self.recovery) + len(self.stuck)

    def problems(self) -> list[str]:
        """Return what must not have happened."""
        bad = [kind for kind in ("broken", "wrong", "failed") if self.tally.outcomes[kind]]
        bad += ["log lines that are not JSON"] if self.torn > 0 else []
        bad += [f"no effect in {self.rounds - self.effective} rounds"] if self.effective < self.rounds else []
        return bad + [f"not recovered: {seen}" for seen in self.stuck]


async def inject(name: str, rounds: int, light: bool, seed: int = 0) -> Report:
    """Run all rounds of one fault on a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with Victim(light, Path(folder), fake_clock=name == "clock") as victim:
            return await inject_into(victim, name, rounds, seed)


async def inject_into(victim: Victim, name: str, rounds: int, seed: int = 0) -> Report:
    """Run all rounds of one fault on a running server."""
    report, draw, fault = Report(), random.Random(seed), FAULTS[name]
    torn = victim.event("torn")
    for _ in range(rounds):
        async with clients(victim.port, again=name == "kill-server") as tally:
            await asyncio.sleep(0.2 + 0.3 * draw.random())
            try:
                before = await fault.evidence(victim, tally)
                began = await fault.make(victim, draw, tally)
                report.effective += await _grown(
                    fault.evidence, victim, tally, before
                )  # before that, nothing has failed
                report.recovery.append(await victim.recovered(began))
            except (NotRecoveredError, OSError, EOFError, TimeoutError) as error:
                report.stuck.append(f"{type(error).__name__}: {error}")
                await victim.start_again()
        report.tally.add(tally)
    report.torn = victim.event("torn") - torn - (rounds if name == "full-disk" else 0)
    return report


async def _grown(evidence: Evidence, victim: Victim, tally: Tally, before: float) -> bool:
    """Return whether the evidence grows. The server notices a fault, and writes its log, a moment later."""
    began = time.perf_counter()
    while time.perf_counter() < began + LONGEST_EFFORT:
        with suppress(OSError, EOFError, TimeoutError):  # of the connection that reads the metrics
            if await evidence(victim, tally) > before:
                return True
        await asyncio.sleep(0.02)
    return False


def row(name: str, report: Report) -> str:
    """Return the line of a fault in the table."""
    count = report.tally.outcomes
    again = count["broken, sent again"]
    broken = f"{count['broken']:,}" + (f" ({again:,} sent again)" if again else "")
    times = report.recovery
    recovery = f"{statistics.median(times):.1f} s, {max(times):.1f} s" if times else "never"
    rounds = f"{report.rounds} | {report.effective} | {len(times)}"
    counts = f"{report.tally.requests:,} | {count['right']:,} | {count['refused']:,} | {count['failed']:,} | {broken}"
    slowest = f"{report.tally.slowest:.1f} s"
    return f"| {FAULTS[name].title} | {rounds} | {counts} | {count['wrong']:,} | {slowest} | {recovery} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", type=int, nargs="?", default=100, metavar="ROUNDS")
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--light", action="store_true", help="workers without models")
    given = parser.parse_args()
    print(HEAD)
    print("|---|" + "---:|" * 10 + "---|", flush=True)
    bad = []
    for name in given.only:
        try:
            report = asyncio.run(inject(name, given.rounds, given.light))
        except NotRecoveredError as error:  # not even a new server works; the other faults are still tried
            bad.append(f"{name}: {error}")
            continue
        print(row(name, report), flush=True)
        bad += [f"{name}: {problem}" for problem in report.problems()]
    sys.exit("\n".join(bad) or None)


if __name__ == "__main__":
    main()
