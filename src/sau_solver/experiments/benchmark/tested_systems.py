"""The systems that a benchmark asks: our own models, and any program that speaks JSON lines.

A program reads one problem a line, {"id": "7", "text": "…", "language": "en"}, and writes one reply a line, in any
order: {"id": "7", "equations": ["x=3+5"], "answers": ["8"], "confidence": 0.9}. It needs equations or answers;
confidence and `abstained` are optional.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from sau_solver.answering.ranking import rank
from sau_solver.data import corpora
from sau_solver.data.prepared.examples import mapped
from sau_solver.errors import InputError
from sau_solver.experiments.benchmark.learned_data import Learned, Unknown, learned_from
from sau_solver.experiments.benchmark.replies import Reply, read_reply
from sau_solver.models.base import BEAM
from sau_solver.models.loading import LANGUAGES, Model, model_of, require_torch
from sau_solver.models.options import DeviceName
from sau_solver.problem import Language, Problem
from sau_solver.solution import Solution
from sau_solver.solver import BATCH, Solver

Advance = Callable[[int], None]  # the number of replies so far
TIMEOUT = 600.0  # seconds without a reply after which a program is stopped
_PATIENCE = 5.0  # seconds that a program may need to end after its last reply


class System(Protocol):
    """Something that replies to problems."""

    name: str
    learned: Learned
    languages: tuple[Language, ...]

    @property
    def at_once(self) -> bool:
        """Return whether the system must get all problems in one call, because it takes long to start."""
        ...

    def facts(self) -> dict[str, Any]:
        """Return what the report says about the system: kind, parameters, size."""
        ...

    def ask(self, problems: Sequence[Problem], advance: Advance) -> tuple[list[Reply], float]:
        """Return the reply to each problem, and the seconds it took."""
        ...


@dataclass
class OwnModel:
    """A trained network of this package in one language, as `sau solve` uses it."""

    name: str
    model: Model
    languages: tuple[Language, ...]
    learned: Learned = field(default_factory=Unknown)
    view: str = "raw"  # the text that the network learned from: published words, or raw text
    beam: int = BEAM
    bytes: int = 0

    @property
    def at_once(self) -> bool:
        """Return False: a loaded model gets one part after the other, so that the speed of each is known."""
        return False

    @classmethod
    def load(cls, folder: Path, name: str, beam: int = BEAM, device: DeviceName = "auto") -> OwnModel:
        """Load a model folder."""
        require_torch()
        from sau_solver.models.checkpoint import load_with_data  # imports torch

        predictor, data = load_with_data(folder, device)
        known = data.get("language") or (
            corpora()[data["corpus"]].language if data.get("corpus") in corpora() else None
        )
        languages: tuple[Language, ...] = (known,) if known else tuple(LANGUAGES)
        size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
        view = data.get("text", "raw")
        return cls(name, model_of(predictor, data, name), languages, learned_from(data), view, beam, size)

    def facts(self) -> dict[str, Any]:
        """Return the number of parameters, and the size of the folder."""
        network: Any = getattr(self.model.predictor, "network", None)
        parameters = sum(one.numel() for one in network.parameters()) if network is not None else None
        return {"kind": "model", "parameters": parameters, "bytes": self.bytes, "beam": self.beam}

    def ask(self, problems: Sequence[Problem], advance: Advance) -> tuple[list[Reply], float]:
        """Solve the problems in batches."""
        start = time.perf_counter()
        replies: list[Reply] = []
        for reply in self._published(problems) if self.view == "published" else self._raw(problems):
            replies.append(reply)
            advance(len(replies))
        return replies, time.perf_counter() - start

    def latencies(self, problems: Sequence[Problem]) -> list[float]:
        """Return the seconds for each problem if the problems come one at a time."""
        return [self.ask([problem], lambda _: None)[1] for problem in problems]

    def _raw(self, problems: Sequence[Problem]) -> Iterator[Reply]:
        solver = Solver(dict.fromkeys(LANGUAGES, lambda: self.model))
        texts = ((one.text, one.language) for one in problems)
        for solution in solver.solve_many(texts, beam=self.beam, errors="return"):
            yield _reply_of(solution) if isinstance(solution, Solution) else Reply(confidence=0.0, abstained=True)

    def _published(self, problems: Sequence[Problem]) -> Iterator[Reply]:
        """Yield the replies of a network that learned from published words; it gets these words."""
        model = self.model
        for start in range(0, len(problems), BATCH):
            texts = [mapped(one, "published") for one in problems[start : start + BATCH]]
            for text, candidates in zip(texts, model.predictor.predict(texts, self.beam), strict=True):
                ranked = rank(text, candidates, model.preference, model.unknown_words(text), model.asked_first)
                if (best := ranked.best) is None:
                    yield Reply(confidence=0.0, abstained=True, candidates=ranked.candidates)
                    continue
                confidence = model.calibration.confidence(ranked.confidence_features())
                unsure = confidence < model.calibration.threshold
                yield Reply(best.equations, best.solved, best.answers, confidence, unsure, ranked.candidates)


def _reply_of(solution: Solution) -> Reply:
    best = next((one for one in solution.candidates if one.answers and one.tree == solution.tree), None)
    return Reply(
        equations=solution.equations,
        solved=best.solved if best else None,
        answers=solution.answers,
        confidence=solution.confidence,
        abstained=solution.abstained,
        candidates=solution.candidates,
    )


@dataclass
class Program:
    """Any program that reads problems and writes replies as JSON lines. It is started once for all problems."""

    command: str
    name: str
    languages: tuple[Language, ...] = tuple(LANGUAGES)
    learned: Learned = field(default_factory=Unknown)
    timeout: float = TIMEOUT
    notes: list[str] = field(default_factory=list)  # what went wrong

    @property
    def at_once(self) -> bool:
        """Return True."""
        return True

    def facts(self) -> dict[str, Any]:
        """Return the command, and what went wrong."""
        return {"kind": "program", "command": self.command, "notes": list(self.notes)}

    def ask(self, problems: Sequence[Problem], advance: Advance) -> tuple[list[Reply], float]:
        """Give the program all problems and collect its replies; a missing reply counts as no answer."""
        start = time.perf_counter()
        try:
            process = subprocess.Popen(  # noqa: S603  # the user's own program
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError) as error:
            raise InputError(f"The program {self.command!r} cannot be started ({error}). Check --program.") from None
        lines: queue.Queue[str | None] = queue.Queue()
        threads = [
            threading.Thread(target=_feed, args=(process, problems), daemon=True),
            threading.Thread(target=_collect, args=(process, lines), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            replies, silent = self._replies(lines, problems, advance)
            _end(process, 0.0 if silent else _PATIENCE)
        finally:
            _end(process, 0.0)
            for thread in threads:
                thread.join()
            assert process.stdout is not None
            process.stdout.close()
        seconds = time.perf_counter() - start
        if not replies:
            raise InputError(
                f"The program {self.command!r} gave no reply (exit code {process.returncode}). It must write one JSON "
                'object per line, such as {"id": "0", "answers": ["8"]}.'
            )
        self._remark(replies, problems, process.returncode)
        return [replies.get(place, Reply()) for place in range(len(problems))], seconds

    def _replies(
        self, lines: queue.Queue[str | None], problems: Sequence[Problem], advance: Advance
    ) -> tuple[dict[int, Reply], bool]:
        """Return the replies by the place of their problem, and whether the program was silent for too long."""
        replies: dict[int, Reply] = {}
        silent = False
        unreadable: list[str] = []
        while len(replies) < len(problems):
            try:
                line = lines.get(timeout=self.timeout)
            except queue.Empty:
                silent = True
                self.notes.append(f"The program was stopped after {self.timeout:.0f} s without a reply.")
                break
            if line is None:
                break
            fields = _fields(line)
            place = _place(fields, len(problems))
            if fields is None or place is None:
                unreadable += [line.strip()] if line.strip() else []
                continue
            replies[place] = read_reply(fields, problems[place].language)
            advance(len(replies))
        if unreadable:
            count = f"{len(unreadable):,} lines are" if len(unreadable) > 1 else "1 line is"
            self.notes.append(f"{count} not a JSON object with the id of a problem, such as: {unreadable[0][:200]}")
        return replies, silent

    def _remark(self, replies: Mapping[int, Reply], problems: Sequence[Problem], code: int) -> None:
        if missing := len(problems) - len(replies):
            self.notes.append(f"{missing:,} of {len(problems):,} problems have no reply; they count as wrong.")
        faulty = [one.fault for one in replies.values() if one.fault]
        if faulty:
            self.notes.append(f"{len(faulty):,} replies cannot be read completely, the first: {faulty[0][:200]}")
        if code > 0:
            self.notes.append(f"The program ended with the exit code {code}.")


def _end(process: subprocess.Popen[str], patience: float) -> None:
    """Wait until a program ends by itself after its last reply, and stop it if that takes too long."""
    try:
        process.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _feed(process: subprocess.Popen[str], problems: Sequence[Problem]) -> None:
    """Write the problems to the program, which may close its input early."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        for place, problem in enumerate(problems):
            line = {"id": str(place), "text": problem.text, "language": problem.language}
            process.stdin.write(json.dumps(line, ensure_ascii=False) + "\n")
            process.stdin.flush()
    with suppress(OSError):
        process.stdin.close()


def _collect(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    with suppress(ValueError):  # output that is not UTF-8, or a closed pipe
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _fields(line: str) -> dict[str, Any] | None:
    try:
        fields = json.loads(line, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _place(fields: Mapping[str, Any] | None, count: int) -> int | None:
    """Return the place of the problem that a reply names; None if it names none."""
    given = None if fields is None else fields.get("id")
    text = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
    return int(text) if text.isascii() and text.isdigit() and int(text) < count else None
