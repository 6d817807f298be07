"""A process that draws and checks inputs of one target until its time is over: `fuzz_worker TARGET SEED START SECONDS`.

It tells the parent what it found as JSON lines. Before each input it writes the index to a file, so that the parent
knows at which input the process hung or crashed. `fuzz_worker TARGET FILE...` checks stored inputs again.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import struct
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from fuzzing.fuzz_state import read_finding
from fuzzing.limits import MAX_MEGABYTES, MAX_SECONDS, limit_memory, peak_megabytes, seconds_of_work
from fuzzing.shrinking import shrink
from fuzzing.target import InvalidSpecError, Spec, Target, WrongError, random_of
from fuzzing.targets import TARGETS

CURRENT = struct.Struct("<qd")  # index, and when its check began
TOLD_SECONDS = 2.0
KEPT = 5  # inputs of each kind that one process offers for the corpus
WARMING = 3
MORE_MEGABYTES = 2_048
_SOURCE = f"{os.sep}sau_solver{os.sep}"


class Checker:
    """Checks inputs of a target against its rules and the limits."""

    def __init__(self, target: Target) -> None:
        self.target = target
        for index in range(WARMING):  # imports, caches and processes are not part of an input
            self.verdict(target.draw(random_of(0, f"warm {target.name}", index)))
        self.base = peak_megabytes()
        self.seconds = self.megabytes = 0.0

    def verdict(self, spec: Spec) -> tuple[str, dict[str, str] | None]:
        """Return the kind of an input, and what is wrong with it: a rule and a detail."""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return self.target.check(spec), None
        except InvalidSpecError:
            return "invalid", None
        except WrongError as wrong:
            return "wrong", {"rule": wrong.rule, "detail": str(wrong)[:4_000]}
        except Exception as error:  # noqa: BLE001  # any other exception is a finding
            return "wrong", {"rule": f"{type(error).__name__} at {_place(error)}", "detail": _trace(error)}

    def limited(self, spec: Spec) -> tuple[str, dict[str, str] | None]:
        """Return the verdict, which may be that the input needed too much time or memory."""
        before = seconds_of_work()
        kind, wrong = self.verdict(spec)
        self.seconds = seconds_of_work() - before
        self.megabytes = peak_megabytes() - self.base
        if wrong is None and self.seconds > MAX_SECONDS:
            wrong = {"rule": "slow", "detail": f"{self.seconds:.1f} s of work"}
        if wrong is None and self.megabytes > MAX_MEGABYTES:
            wrong = {"rule": "memory", "detail": f"{self.megabytes:.0f} MB above {self.base:.0f} MB"}
        return kind, wrong

    def smallest(self, spec: Spec, wrong: dict[str, str]) -> Spec:
        """Return a smaller input that breaks the same rule."""
        if wrong["rule"] == "memory":  # the largest memory of a process never falls again
            return spec

        def fails(smaller: Spec) -> bool:
            found = self.limited(smaller)[1]
            return found is not None and found["rule"] == wrong["rule"]

        return shrink(spec, fails)


def _place(error: BaseException) -> str:
    """Return the innermost place in our own source."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _SOURCE in frame.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].name}"


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-4_000:]


def fuzz(target: Target, seed: int, start: int, seconds: float, current: Path) -> None:
    """Check inputs from an index on, until the seconds are over."""
    checker = Checker(target)
    limit_memory(MORE_MEGABYTES)
    kept: Counter[str] = Counter()
    slowest, slowest_index, index, checked = 0.0, start, start, 0
    end = told = time.monotonic()
    end += seconds
    known: set[str] = set()
    with current.open("wb", buffering=0) as place:
        while time.monotonic() < end:
            place.seek(0)
            place.write(CURRENT.pack(index, time.time()))
            spec = target.draw(random_of(seed, target.name, index))
            kind, wrong = checker.limited(spec)
            if checker.seconds > slowest:
                slowest, slowest_index = checker.seconds, index
            if wrong is not None:
                small = spec if wrong["rule"] in known else checker.smallest(spec, wrong)
                known.add(wrong["rule"])
                _tell({"finding": wrong | {"index": index, "input": small, "original": spec}})
            elif kind != "invalid" and kept[kind] < KEPT:
                kept[kind] += 1
                _tell({"keep": spec, "kind": kind})
            index += 1
            checked += kind != "invalid"
            if time.monotonic() - told > TOLD_SECONDS:
                told = time.monotonic()
                _tell(_progress(index, checked, slowest, slowest_index, checker))
                checked = 0
    _tell(_progress(index, checked, slowest, slowest_index, checker))


def _progress(index: int, checked: int, slowest: float, slowest_index: int, checker: Checker) -> dict[str, Any]:
    memory = peak_megabytes() - checker.base
    return {"next": index, "inputs": checked, "slowest": slowest, "slowest_index": slowest_index, "memory": memory}


def recheck(target: Target, files: list[Path]) -> None:
    """Check the inputs of files again, and tell which still break a rule."""
    checker = Checker(target)
    for file in files:
        finding = read_finding(file)
        spec = finding["input"]
        if spec is None:  # the process crashed or hung, so it could tell only which input it was
            spec = target.draw(random_of(finding["seed"], target.name, finding["index"]))
        wrong = checker.limited(spec)[1]
        _tell({"file": str(file), "wrong": wrong})


def _tell(line: dict[str, Any]) -> None:
    sys.__stdout__.write(json.dumps(line) + "\n")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]


def main(name: str, *arguments: str) -> None:
    """Fuzz a target, or check stored inputs again."""
    target = TARGETS[name]()
    if arguments[0].isdigit():
        seed, start, seconds, current = arguments
        fuzz(target, int(seed), int(start), float(seconds), Path(current))
    else:
        recheck(target, [Path(argument) for argument in arguments])


if __name__ == "__main__":
    main(*sys.argv[1:])
