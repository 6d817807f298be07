"""A worker that does what the text says: it sleeps, dies or raises. All other texts are solved by a lookup table.

python -m tests.server.scripted_worker solve "" MAX_TEXT | equation SECONDS MAX_TEXT MODEL
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from sau_solver.errors import CheckpointError, InputError
from sau_solver.server.workers.jobs import EquationJobs, Item, Jobs, SolveJobs
from sau_solver.server.workers.worker import run
from sau_solver.solution import Solution
from tests import by_heart

SECRET = "a private message"
OBEYED = ("sleep", "until", "die", "starve", "hoard")  # and then solved as another problem


class ScriptedJobs(SolveJobs):
    """Obeys a text: `sleep 60`, `until FILE`, `die`, `die once FILE`, `starve once FILE`, `hoard 64` (MB), `raise`."""

    def _results(self, items: Sequence[Item]) -> Iterator[Solution | InputError]:
        for item in items:
            words = item["text"].split()
            match words:
                case ["sleep", seconds]:
                    time.sleep(float(seconds))
                case ["until", file]:
                    while not Path(file).exists():
                        time.sleep(0.005)
                case ["die"]:
                    os._exit(7)
                case ["die", "once", file] if not Path(file).exists():
                    Path(file).touch()
                    os._exit(7)
                case ["starve", "once", file] if not Path(file).exists():
                    Path(file).touch()
                    raise MemoryError
                case ["hoard", megabytes]:
                    bytes(int(megabytes) << 20)
                case ["raise"]:
                    raise RuntimeError(SECRET)
            known = (
                by_heart.GARDEN if words and words[0] in ("sleep", "until", "die", "starve", "hoard") else item["text"]
            )
            yield from self.solver.solve_many([(known, None, item["lang"])], errors="return")


def prepare() -> Jobs:
    kind, argument, longest = sys.argv[1:4]
    if argument == "broken":
        raise CheckpointError("The weights are broken. Train the model again.")
    if kind == "equation":
        return EquationJobs(float(argument), int(longest))
    return ScriptedJobs(by_heart.solver(longest=int(longest)), ["zh", "en"])


if __name__ == "__main__":
    run(prepare)
