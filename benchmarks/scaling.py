"""Compare bulk solving by the local engine and by Ray, and estimate larger clusters.

    python benchmarks/scaling.py [--problems 1024] [--repeats 3] [--price 0.05] [--exact] [--address HOST:PORT]

Each repeat runs every engine once, in turn, so that other work on the machine slows all of them. A warm-up starts all
processes and loads the models; it is not counted. CPU time is that of the command and of all processes that it started,
Ray's own included. It says more than the rate if other work shares the machine.

The problems are those of benchmarks/solve_speed.py, English and Chinese in turn; what a million costs is measured for
each language alone. With --exact they are equations, which need no model: a window of them is quick, so it shows what
an engine adds at worst.

The estimate of larger clusters rests on a third measurement: lines that a worker answers at once, with answers as long
as those of the problems. What the driver and Ray's head (gcs_server) spend on such a line bounds a cluster, however
many workers it has.

By default each run with Ray starts a cluster of this machine. With --address the runs share a cluster whose nodes are
all on this machine, and its processes count as Ray's. The results are only printed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.solve_speed import sourced_problems  # noqa: E402
from sau_solver.cli.bulk.shards import find_shards, make_folders  # noqa: E402
from sau_solver.cli.bulk.solve_files import AnswerWindow, Solving  # noqa: E402
from sau_solver.cli.bulk.streaming import MAX_REPEATED, WINDOW, solve_shards  # noqa: E402
from sau_solver.engines.engine import EngineName, Place, open_engine  # noqa: E402
from sau_solver.models.base import BEAM  # noqa: E402

ENGINES: tuple[tuple[EngineName, int], ...] = (("local", 1), ("ray", 1), ("local", 2), ("ray", 2))
LANGUAGES = {"en": "English", "zh": "Chinese"}
DISTINCT = 512  # texts of a language at most; they are repeated if there are more problems
SHARDS = 4
WORKERS = (1, 2, 16, 64, 256, 1024)
HEAD = "gcs_server"  # the process of Ray's head that all nodes and drivers share
OWN = "local"  # the address that makes Ray start a cluster of this machine, whatever RAY_ADDRESS says
IDLE_LINES = 128 * WINDOW
ERROR_SIZE = 100  # bytes of the record of an error, without the text that it repeats


@dataclass(frozen=True)
class Kind:
    """Problems of one kind, and where their texts come from."""

    name: str
    texts: list[str]
    source: str


def kinds(count: int, exact: bool) -> list[Kind]:
    """Return the kinds of problems that are solved in turn."""
    if exact:
        texts = [f"{number % 90 + 2}x+{number}={3 * number + 7}" for number in range(count)]
        return [Kind("equations", texts, "made here")]
    each = min(-(-count // len(LANGUAGES)), DISTINCT)
    return [Kind(name, *sourced_problems(language, each)) for language, name in LANGUAGES.items()]


def in_turn(chosen: Sequence[Kind], count: int) -> list[str]:
    """Return `count` texts, one of each kind in turn; those of a kind are repeated if there are too few."""
    places = (divmod(number, len(chosen)) for number in range(count))
    return [chosen[kind].texts[place % len(chosen[kind].texts)] for place, kind in places]


def write_input(folder: Path, texts: Sequence[str], warm_up: int) -> None:
    """Write the problems to `many` and the first ones to `few`, each in four shards of equal size."""
    for part, count in (("few", warm_up), ("many", len(texts))):
        lines = [json.dumps({"text": texts[number % len(texts)]}) + "\n" for number in range(count)]
        (folder / part).mkdir(parents=True)
        for shard in range(SHARDS):
            own = lines[shard * count // SHARDS : (shard + 1) * count // SHARDS]
            (folder / part / f"part-{shard}.jsonl").write_text("".join(own), encoding="utf-8")


def solve(folder: Path, output: Path, place: Place) -> dict[str, float]:
    """Solve the warm-up, then the problems; return the seconds and the CPU seconds of the second part."""
    cluster = cluster_processes(place.address)
    with open_engine(place) as running:
        answers = partial(running.in_order, AnswerWindow(Solving(None, None, BEAM)))
        for part in ("few", "many"):
            shards = find_shards([str(folder / part)], str(output / part))
            make_folders(shards)
            began, spent = time.perf_counter(), {name: cpu_seconds(name, cluster) for name in ("", HEAD)}
            own = time.process_time()
            assert not [one.error for one in solve_shards(shards, answers, lambda *_: None) if one.error]
            seconds, driver = time.perf_counter() - began, time.process_time() - own
            cpu, head = (cpu_seconds(name, cluster) - before for name, before in spent.items())
    return {"seconds": seconds, "cpu": cpu, "driver": driver, "head": head}


def cluster_processes(address: str | None) -> list[int]:
    """Return the processes on this machine that lead a running cluster; those of its workers descend from them."""
    leading: dict[int, str] = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if Path(command.partition(" ")[0]).name in (HEAD, "raylet"):
                leading[int(path.parent.name)] = command
    sessions = {
        session
        for command in leading.values()
        if f"--gcs-address={address}" in command.split()
        for session in re.findall(r"/(session_\w[^/ ]*)/", command)
    }
    return [process for process, command in leading.items() if any(session in command for session in sessions)]


def cpu_seconds(name: str = "", others: Sequence[int] = ()) -> float:
    """Return the CPU time of this process, of others and of all that descend from them, with what those had waited for.

    With a name, only processes of that name count.
    """
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = path.read_text().rpartition(")")
        except OSError:  # it has ended
            continue
        process, fields = int(path.parent.name), after.split()
        parents.setdefault(int(fields[1]), []).append(process)
        counts = before.partition("(")[2].startswith(name)
        spent[process] = counts * sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def of_tree(process: int) -> float:
        return spent.get(process, 0.0) + sum(map(of_tree, parents.get(process, ())))

    return sum(map(of_tree, (os.getpid(), *others)))


def measured(given: argparse.Namespace, folder: Path, output: Path, engine: EngineName, jobs: int) -> dict[str, float]:
    """Run `solve` in its own process, with one thread per worker, as Ray has it."""
    command = [sys.executable, __file__, "--address", given.address]
    command += ["--one", str(folder), str(output), engine, str(jobs)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


@dataclass(frozen=True)
class Overhead:
    """CPU seconds of the driver and of Ray's head for a line that a worker answers at once, and the answer's length."""

    driver: float
    head: float
    size: int


def overhead(given: argparse.Namespace, folder: Path, records: Path) -> Overhead:
    """Measure Ray with lines that are no problems: their answers repeat the text, here as long as other answers."""
    lengths = [len(line) for path in records.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    size = min(round(statistics.mean(lengths)), MAX_REPEATED)
    lines = [json.dumps({"text": "?" * (size - ERROR_SIZE)}) + "\n"] * (given.idle // SHARDS)
    for part, count in (("few", WINDOW), ("many", len(lines))):
        (folder / part).mkdir(parents=True)
        for shard in range(SHARDS):
            (folder / part / f"part-{shard}.jsonl").write_text("".join(lines[:count]), encoding="utf-8")
    found = [measured(given, folder, folder / f"ray-{repeat}", "ray", 1) for repeat in range(given.repeats)]
    answered = [line for path in folder.glob("ray-0/many/*.jsonl") for line in path.read_bytes().splitlines()]
    assert len(answered) == SHARDS * len(lines)
    driver, head = (statistics.median(one[name] for one in found) / len(answered) for name in ("driver", "head"))
    return Overhead(driver, head, round(statistics.mean(map(len, answered))))


def compare(given: argparse.Namespace, folder: Path) -> tuple[dict[tuple[str, int], list[float]], dict[Any, float]]:
    """Return the rates of each repeat and the CPU time per problem, by engine and number of workers."""
    rates: dict[tuple[str, int], list[float]] = {one: [] for one in ENGINES}
    spent: dict[tuple[str, int], list[float]] = {one: [] for one in ENGINES}
    for repeat in range(given.repeats):
        for engine, jobs in ENGINES:
            output = folder / f"{engine}-{jobs}-{repeat}"
            found = measured(given, folder, output, engine, jobs)
            rates[engine, jobs].append(given.problems / found["seconds"])
            spent[engine, jobs].append(found["cpu"] / given.problems)
            for shard in sorted(output.glob("many/*")):
                assert shard.read_bytes() == (folder / "local-1-0" / "many" / shard.name).read_bytes(), shard
    return rates, {one: statistics.median(values) for one, values in spent.items()}


def cost(given: argparse.Namespace, folder: Path, count: int) -> float:
    """Return the median CPU seconds per problem of one worker of Ray."""
    found = [measured(given, folder, folder / f"ray-1-{repeat}", "ray", 1) for repeat in range(given.repeats)]
    return statistics.median(one["cpu"] for one in found) / count


def print_costs(given: argparse.Namespace, folder: Path, chosen: Sequence[Kind], warm_up: int) -> None:
    """Measure the problems of each kind alone, and print what a million of them costs."""
    count = given.problems // len(chosen)
    print(f"\nthe cost of a million with one worker of Ray, at {given.price} per CPU hour; {count} problems of a kind")
    print(f"{'kind':9}  CPU ms/problem  CPU hours  {'cost':>5}")
    for kind in chosen:
        write_input(folder / kind.name, in_turn([kind], count), warm_up)
        each = cost(given, folder / kind.name, count)
        hours = 1e6 * each / 3600
        print(f"{kind.name:9}  {1000 * each:14.1f}  {hours:9.1f}  {hours * given.price:5.2f}")


def report(given: argparse.Namespace, folder: Path) -> None:
    """Print the table, the costs and the model."""
    chosen = kinds(given.problems, given.exact)
    warm_up = SHARDS * WINDOW if given.exact else SHARDS * 16
    write_input(folder, in_turn(chosen, given.problems), warm_up)
    rates, spent = compare(given, folder)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.problems} problems, {given.repeats} repeats")
    for kind in chosen:
        print(f"{kind.name}: {len(set(kind.texts))} different texts ({kind.source})")
    print("all outputs are equal, byte for byte\n")
    print("engine  workers  problems/s  of local  CPU ms/problem  of local")
    for engine, jobs in ENGINES:
        # Each repeat is compared with the local run beside it; the median of the ratios is less noisy than theirs.
        share = statistics.median(
            own / local for own, local in zip(rates[engine, jobs], rates["local", jobs], strict=True)
        )
        rate, cpu = statistics.median(rates[engine, jobs]), spent[engine, jobs]
        of_cpu = cpu / spent["local", jobs]
        print(f"{engine:6}  {jobs:7}  {rate:10.1f}  {share:8.0%}  {1000 * cpu:14.1f}  {of_cpu:8.0%}")
    print_costs(given, folder, chosen, warm_up)
    each = spent["ray", 1]
    idle = overhead(given, folder / "idle", folder / "local-1-0" / "many")
    print(f"\nCPU ms for 1,000 lines that need no work, with answers of {idle.size:,} bytes, through Ray")
    print(f"the driver {1e6 * idle.driver:.1f}, Ray's head {1e6 * idle.head:.1f}\n")
    print("SIMULATED, not measured: workers with a core each, as fast as the CPU time above; one driver, one head")
    print("workers  problems/s  hours per million  bound by")
    for workers in WORKERS:
        rates_of = {
            "the workers": workers / each,
            "the driver": 1 / idle.driver,
            "Ray's head": 1 / max(idle.head, 1e-9),
        }
        bound = min(rates_of, key=rates_of.__getitem__)
        print(f"{workers:7}  {rates_of[bound]:10,.0f}  {1e6 / rates_of[bound] / 3600:17.2f}  {bound}")


def main() -> None:
    """Print the table, or run one engine for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--price", type=float, default=0.05, help="price of a CPU hour")
    parser.add_argument("--exact", action="store_true", help="solve equations, which need no model")
    parser.add_argument("--idle", type=int, default=IDLE_LINES, help="lines that a worker answers at once")
    parser.add_argument("--address", metavar="HOST:PORT", default=OWN, help="a running cluster of this machine")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        folder, output, engine, jobs = given.one
        place = Place("ray", given.address, int(jobs)) if engine == "ray" else Place("local", jobs=int(jobs))
        print(json.dumps(solve(Path(folder), Path(output), place)))
        return
    with tempfile.TemporaryDirectory(prefix="sau-scaling-") as temporary:
        report(given, Path(temporary))


if __name__ == "__main__":
    main()
