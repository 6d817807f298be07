"""Solve the same shards with Ray Data and with our Ray tasks; print what becomes of files, order and killed drivers.

    python benchmarks/ray_data.py [--problems 512] [--repeats 1] [--workers 2]

It needs `pip install 'ray[data]'`. Ray Data has actors that load the models once and solve batches of the same size as
ours. It runs in three ways: `plain` is the default; `near` keeps the order and reads lines as text, as bad ones then do
not stop it; `checkpoint` has a checkpoint for killed drivers. It has as many blocks as there are files, so that a kill
finds a part done. Drivers are killed early, with the first rows in the output, and late, with three quarters of them.
Rate and CPU time include the start and loading the models, as actors belong to one job. CPU time is that of all
processes, Ray's own included; it says more if other work shares the machine. All ways run in turn.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.scaling import cpu_seconds  # noqa: E402
from benchmarks.solve_speed import problems  # noqa: E402
from sau_solver.cli.bulk.shards import find_shards, make_folders  # noqa: E402
from sau_solver.cli.bulk.solve_files import AnswerWindow, Solving  # noqa: E402
from sau_solver.cli.bulk.streaming import WINDOW, solve_shards  # noqa: E402
from sau_solver.engines.ray_engine import RayEngine  # noqa: E402
from sau_solver.models.base import BEAM  # noqa: E402
from sau_solver.text.lists.problem_lines import ProblemLine, read_line  # noqa: E402

SHARDS = 4
OURS = "ours"
WAYS = ("plain", "near", "checkpoint")  # of Ray Data
SECONDS = 900  # that one run may take


class SolveBatch:
    """An actor of Ray Data: solves batches of rows from read_json (id, text) or of lines from read_text."""

    def __init__(self) -> None:
        self.answers = AnswerWindow(Solving(None, None, BEAM))

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return the batch with records instead of texts."""
        if "id" in batch:
            texts = [str(text) for text in batch.pop("text")]
            lines = [ProblemLine(k + 1, text, str(name)) for k, (text, name) in enumerate(zip(texts, batch["id"]))]  # noqa: B905
        else:
            raw = [str(text).encode() for text in batch.pop("text")]
            lines = [read_line(one, k + 1) or ProblemLine(k + 1, error="blank") for k, one in enumerate(raw)]
        return {**batch, "record": [answer.record.decode() for answer in self.answers(lines)]}


def run_ray_data(folder: Path, output: Path, way: str, workers: int) -> None:
    """Solve a folder of JSON lines with Ray Data."""
    import ray
    from ray.data.checkpoint import CheckpointConfig

    for attempt in range(5):
        try:
            ray.init(address="local", num_cpus=workers + 1, include_dashboard=False, logging_level=logging.ERROR)
            break
        except Exception as error:  # a busy machine can need more time than Ray gives it
            if "timed out during startup" not in str(error) or attempt == 4:
                raise
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    if way == "near":
        context.execution_options.preserve_order = True
        rows = ray.data.read_text(str(folder), include_paths=True, override_num_blocks=SHARDS)
    else:
        rows = ray.data.read_json(str(folder), lines=True, override_num_blocks=SHARDS)
    if way == "checkpoint":
        place = output.with_name(f"{output.name}.checkpoint")
        context.checkpoint_config = CheckpointConfig(id_column="id", checkpoint_path=str(place))
    actors = ray.data.ActorPoolStrategy(size=workers)
    first = next(folder.iterdir()).read_bytes().count(b"\n")
    # Ray Data joins the rows of files until a batch is full; ours never joins files.
    rows.map_batches(SolveBatch, batch_size=min(WINDOW, first), compute=actors).write_json(str(output))
    print(cpu_seconds())


def run_ours(folder: Path, output: Path, workers: int) -> None:
    """Solve a folder of JSON lines with tasks."""
    with RayEngine(None, workers) as engine:
        shards = find_shards([str(folder)], str(output))
        make_folders(shards)
        solve = AnswerWindow(Solving(None, None, BEAM))
        list(solve_shards(shards, lambda windows: engine.in_order(solve, windows), lambda *_: None))
        print(cpu_seconds())


def write_input(folder: Path, count: int, bad: bool = False) -> list[str]:
    """Write the problems in shards of equal size, the second with a bad line; return their ids in order."""
    texts = problems("en", min(count, 512))
    folder.mkdir()
    names = [f"p{number:06}" for number in range(count)]
    for shard in range(SHARDS):
        own = names[shard * count // SHARDS : (shard + 1) * count // SHARDS]
        lines = [json.dumps({"id": name, "text": texts[int(name[1:]) % len(texts)]}) for name in own]
        if bad and shard == 1:
            lines.insert(1, "{bad")
        (folder / f"part-{shard}.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return names


def started(folder: Path, output: Path, way: str, workers: int) -> subprocess.Popen[str]:
    """Start a run in its own process, with one thread per worker."""
    command = [sys.executable, __file__, "--one", str(folder), str(output), way, "--workers", str(workers)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finished(process: subprocess.Popen[str]) -> tuple[str, float]:
    """Wait for a run; return the line with its error, or nothing, and its CPU seconds."""
    printed, errors = process.communicate(timeout=SECONDS)
    if process.returncode == 0:
        return "", float(printed.split()[-1])
    found = [line.strip() for line in errors.splitlines() if re.match(r"[\w.]*(Error|Exception|Invalid)\b.*: ", line)]
    return (found[-1][:160] if found else f"exit code {process.returncode}"), 0.0


def files(output: Path) -> list[Path]:
    """Return the files with records."""
    return sorted(path for path in output.rglob("*") if path.suffix in (".json", ".jsonl") and path.is_file())


def ids(output: Path) -> Iterator[str]:
    """Yield the ids of all complete records, file by file."""
    for path in files(output):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:  # the line that a kill cut
                continue
            record = json.loads(row["record"]) if "record" in row else row
            yield str(record.get("id", "bad line"))


def describe(output: Path, names: list[str]) -> str:
    """Return the files of an output and the order of its rows."""
    found = list(ids(output))
    shown = files(output)[0].relative_to(output).as_posix()
    order = "in order" if found == names else "not in order" if sorted(found) == names else "not the same rows"
    return f"{SHARDS} -> {len(files(output))} files such as {shown[-44:]}; {order}"


def killed(folder: Path, output: Path, way: str, workers: int, names: list[str], rows: int) -> str:
    """Kill the driver when that many records are written, run it again, and count."""
    process = started(folder, output, way, workers)
    end = time.monotonic() + SECONDS
    while process.poll() is None and sum(1 for _ in ids(output)) < rows and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = len(list(ids(output)))
    error, _ = finished(started(folder, output, way, workers))
    if error:
        return f"{before} rows before the kill; then {error}"
    counts = Counter(ids(output))
    doubled, missing = sum(count - 1 for count in counts.values()), len(set(names) - counts.keys())
    return f"{before} rows before the kill; afterwards {doubled} twice, {missing} missing"


def report(given: argparse.Namespace, folder: Path) -> None:
    """Print all findings."""
    names = write_input(folder / "in", given.problems)
    write_input(folder / "bad", SHARDS * 8, bad=True)
    rates: dict[str, list[float]] = {OURS: [], "plain": [], "near": []}
    spent: dict[str, list[float]] = {way: [] for way in rates}
    for repeat in range(given.repeats):
        for way, own in rates.items():
            began = time.perf_counter()
            error, cpu = finished(started(folder / "in", folder / f"{way}-{repeat}", way, given.workers))
            assert not error, f"{way}: {error}"
            own.append(given.problems / (time.perf_counter() - began))
            spent[way].append(1000 * cpu / given.problems)
    print(f"{given.problems} problems, {given.workers} workers, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for way, own in rates.items():
        cost = f"{statistics.median(own):.1f} problems/s, {statistics.median(spent[way]):.0f} CPU ms/problem"
        print(f"{way:10}  {cost}; {describe(folder / f'{way}-0', names)}")
    for way in rates:
        output = folder / f"bad-{way}"
        error, _ = finished(started(folder / "bad", output, way, given.workers))
        found = Counter(ids(output))
        print(f"{way:10}  a bad line: {error or 'no error'}; {found['bad line']} of 1 in the output, {len(found)} rows")
    for moment, rows in (("early", 1), ("late", 3 * given.problems // 4)):
        for way in (OURS, *WAYS):
            output = folder / f"killed-{moment}-{way}"
            counted = killed(folder / "in", output, way, given.workers, names, rows)
            print(f"{way:10}  driver killed {moment}: {counted}")


def main() -> None:
    """Print the findings, or do one run for them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        folder, output, way = Path(given.one[0]), Path(given.one[1]), given.one[2]
        if way == OURS:
            run_ours(folder, output, given.workers)
        else:
            run_ray_data(folder, output, way, given.workers)
        return
    with tempfile.TemporaryDirectory() as name:
        report(given, Path(name))


if __name__ == "__main__":
    main()
