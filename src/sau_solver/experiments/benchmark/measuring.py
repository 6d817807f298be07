"""Systems and test parts -> the figures of a benchmark, and one row per problem from which they can be computed again.

`answer` and `annotated` are shares of the problems with annotated answers, `reference`, `strict`, `first` and
`candidates_oracle` of those with equations. A figure that a system or a corpus does not allow is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from sau_solver.data.labels import statements_of
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, published_type
from sau_solver.data.prepared.training_copies import NEAR, nearest_copies, pairs_of
from sau_solver.errors import EquationError, InputError, MissingCorpusError, TooLargeError
from sau_solver.experiments.benchmark.learned_data import Unknown
from sau_solver.experiments.benchmark.replies import AMONG, FIRST, Reply, gold_of, verdicts
from sau_solver.experiments.benchmark.suite import TestPart, chosen_corpora, only_answered, parts_of
from sau_solver.experiments.benchmark.tested_systems import OwnModel, System
from sau_solver.experiments.report.reliability import reliability
from sau_solver.problem import Problem

BY_ANSWERS = ("answer", "annotated")
BY_EQUATIONS = ("reference", "strict", FIRST, AMONG)
CLOSE = 0.8  # the similarity of a copy that differs in a word or two
_Z = 1.96  # of a 95 % interval
_ALONE = 20  # problems that are solved one at a time to measure the latency

OnProgress = Callable[[str, int, int], None]  # what is done, problems done, problems in total


@dataclass(frozen=True, slots=True)
class Row:
    """One tested problem with its reply and the metrics that count it as right."""

    problem: Problem
    type: str
    reply: Reply
    right: frozenset[str]
    copy: float | None = None  # similarity of the nearest training text, 0 if it is below NEAR; None if not known

    def as_json(self, part: str) -> dict[str, Any]:
        """Return a line of predictions.jsonl; it has no text of the corpus."""
        reply = self.reply
        return {
            "part": part,
            "id": self.problem.id,
            "equations": list(map(str, reply.equations)),
            "answers": list(map(str, reply.answers)),
            "confidence": None if reply.confidence is None else round(reply.confidence, 4),
            "abstained": reply.abstained,
            "right": sorted(self.right),
            "copy": None if self.copy is None else round(self.copy, 3),
        }


@dataclass(frozen=True, slots=True)
class Group:
    """Problems of one type, skill or contrast with annotated answers, and how many are right by `answer`."""

    problems: int
    right: int


@dataclass(frozen=True, slots=True)
class PartFigures:
    """The figures of one test part; shares are between 0 and 1."""

    name: str
    title: str
    language: str
    fingerprint: str
    problems: int
    available: int  # problems of the part before --limit
    metrics: Mapping[str, float | None]
    interval: tuple[float, float] | None  # 95 % interval of `answer`
    copies: Mapping[str, float] | None  # near, close: shares of the problems; the others without near copies
    calibration: Mapping[str, float | None]
    by_type: Mapping[str, Group]
    by_skill: Mapping[str, Group]
    by_contrast: Mapping[str, Group]
    unneeded: Group | None
    seconds: float | None  # None if the problems of all parts were given at once


@dataclass(frozen=True)
class Benchmark:
    """Everything that a report shows."""

    name: str
    systems: tuple[dict[str, Any], ...]
    parts: tuple[PartFigures, ...]
    skipped: Mapping[str, str]  # corpus or part -> why it was not tested
    speed: Mapping[str, float]
    notes: tuple[str, ...]
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict, repr=False)


def run_benchmark(
    name: str,
    systems: Sequence[System],
    names: Sequence[str] = (),
    limit: int | None = None,
    near_copies: bool = True,
    on_progress: OnProgress | None = None,
) -> Benchmark:
    """Ask each system the test problems in its languages; raise InputError if there are none."""
    report = on_progress or (lambda _what, _done, _total: None)
    figures: list[PartFigures] = []
    rows: dict[str, Sequence[Row]] = {}
    skipped: dict[str, str] = {}
    notes: list[str] = []
    alone: list[float] = []
    seconds, asked = 0.0, 0
    for system in systems:
        parts, left = _parts(system, names, limit)
        skipped |= left
        if not parts:
            continue
        times, replies = _ask(system, parts, report)
        asked += sum(len(part.problems) for part in parts)
        seconds += sum(times.values())
        copies, note = _copies(system, parts, report) if near_copies else ({}, "Near copies were not counted.")
        notes += [f"{system.name}: {note}"] if note else []
        for part in parts:
            judged = _judged(part, replies[part.name], copies.get(part.name), report)
            rows[part.name] = judged
            figures.append(_figures(part, judged, None if system.at_once else times[part.name]))
        if isinstance(system, OwnModel):
            sample = [problem for part in parts for problem in part.problems[: math.ceil(_ALONE / len(parts))]]
            alone += system.latencies(sample[:_ALONE])
    if not figures:
        reasons = "; ".join(f"{name}: {why}" for name, why in skipped.items())
        raise InputError(
            f"There is no problem to test{f' ({reasons})' if reasons else ''}. Set SAU_DATA, or give --data."
        )
    speed = {"problems": float(asked), "seconds": seconds}
    if alone:
        speed |= {"median_alone": median(alone), "slow_alone": sorted(alone)[math.ceil(0.95 * len(alone)) - 1]}
    told = tuple({"name": one.name, "languages": list(one.languages), **one.facts()} for one in systems)
    return Benchmark(name, told, tuple(figures), skipped, speed, tuple(notes), rows)


def _parts(system: System, names: Sequence[str], limit: int | None) -> tuple[list[TestPart], dict[str, str]]:
    """Return the parts to test, and why others are not."""
    chosen, skipped = chosen_corpora(names, system.languages)
    parts: list[TestPart] = []
    for name in chosen:
        own = "" if "/" in name else system.learned.own_part(name)
        for part in parts_of(f"{name}/{own}" if own else name, limit):
            if part.language not in system.languages:
                continue
            if reason := system.learned.refusal(part.corpus, part.part):
                skipped[part.name] = reason
            elif (left := only_answered(part)).problems:
                parts.append(left)
            else:
                skipped[part.name] = "has neither equations nor answers"
    return sorted(parts, key=lambda part: system.languages.index(part.language)), skipped


def _ask(
    system: System, parts: Sequence[TestPart], report: OnProgress
) -> tuple[dict[str, float], dict[str, list[Reply]]]:
    """Return the seconds and the replies of each part; a system that gets all at once has its time in the first."""
    if not system.at_once:
        found = {part.name: _ask_part(system, part, report) for part in parts}
        return {name: time for name, (_, time) in found.items()}, {name: own for name, (own, _) in found.items()}
    every = [problem for part in parts for problem in part.problems]
    replies, seconds = system.ask(every, lambda done: report(system.name, done, len(every)))
    left = iter(replies)
    divided = {part.name: [next(left) for _ in part.problems] for part in parts}
    return {part.name: seconds if place == 0 else 0.0 for place, part in enumerate(parts)}, divided


def _ask_part(system: System, part: TestPart, report: OnProgress) -> tuple[list[Reply], float]:
    return system.ask(part.problems, lambda done: report(part.name, done, len(part.problems)))


def _copies(system: System, parts: Sequence[TestPart], report: OnProgress) -> tuple[dict[str, list[float]], str]:
    """Return the similarity of the nearest training text for each problem; nothing if the training is not known."""
    if type(system.learned) is Unknown:
        return {}, system.learned.note
    tested = [problem for part in parts for problem in part.problems]
    report("near copies", 0, 0)
    try:
        note = system.learned.note
        left = iter(nearest_copies(list(map(pairs_of, tested)), system.learned.problems()))
    except MissingCorpusError as error:
        return {}, f"Near copies are not counted, because a training corpus is missing. {error}"
    return {part.name: [next(left) for _ in part.problems] for part in parts}, note


def _judged(part: TestPart, replies: Sequence[Reply], copies: Sequence[float] | None, report: OnProgress) -> list[Row]:
    rows = []
    for place, (problem, reply) in enumerate(zip(part.problems, replies, strict=True)):
        right = verdicts(problem, reply, gold_of(problem))
        rows.append(Row(problem, _type(problem), reply, right, copies[place] if copies else None))
        report(f"{part.name}: comparing", place + 1, len(replies))
    return rows


def _type(problem: Problem) -> str:
    try:
        return published_type(problem, statements_of(problem) if problem.equations else None)
    except (EquationError, TooLargeError):
        return published_type(problem, None)


def _figures(part: TestPart, rows: Sequence[Row], seconds: float | None) -> PartFigures:
    answered = [row for row in rows if row.problem.answers]
    metrics = shares(rows)
    return PartFigures(
        name=part.name,
        title=part.title,
        language=part.language,
        fingerprint=part.fingerprint,
        problems=len(rows),
        available=part.available,
        metrics=metrics,
        interval=interval(sum("answer" in row.right for row in answered), len(answered)),
        copies=_without_copies(rows),
        calibration=calibration(answered),
        by_type=_grouped(answered, lambda row: row.type, PROBLEM_TYPES),
        by_skill=_grouped(answered, lambda row: row.problem.lesson.skill if row.problem.lesson else ""),
        by_contrast=_grouped(answered, lambda row: row.problem.lesson.contrast if row.problem.lesson else ""),
        unneeded=_grouped(
            answered, lambda row: "yes" if row.problem.lesson and row.problem.lesson.unneeded else ""
        ).get("yes"),
        seconds=seconds,
    )


def shares(rows: Sequence[Row]) -> dict[str, float | None]:
    """Return the share of right problems by each metric."""
    known = [row for row in rows if row.problem.answers]
    labeled = [row for row in rows if row.problem.equations]
    found: dict[str, float | None] = {metric: _share(known, metric) for metric in BY_ANSWERS}
    writes = any(row.reply.equations for row in rows)
    searches = any(row.reply.candidates for row in rows)
    for metric in BY_EQUATIONS:
        allowed = searches if metric in (FIRST, AMONG) else writes
        found[metric] = _share(labeled, metric) if allowed else None
    return found


def calibration(rows: Sequence[Row]) -> dict[str, float | None]:
    """Return how many problems are answered, how many of these rightly, and how far the confidence can be trusted."""
    given = [row for row in rows if not row.reply.abstained and (row.reply.answers or row.reply.equations)]
    found: dict[str, float | None] = {
        "answered": len(given) / len(rows) if rows else None,
        "precision": _share(given, "answer"),
        "mean_confidence": None,
        "error": None,
        "least_error": None,
        "brier": None,
        "half": None,
    }
    if not rows or all(row.reply.confidence is None for row in rows):
        return found
    confidences = [row.reply.confidence or 0.0 for row in rows]
    reliable = reliability(confidences, ["answer" in row.right for row in rows])
    sure = [row.reply.confidence or 0.0 for row in given]
    return found | {
        "mean_confidence": sum(sure) / len(sure) if sure else None,
        "error": reliable.error_by_width,
        "least_error": reliable.floor,
        "brier": reliable.brier,
        "half": reliable.half,
    }


def interval(right: int, problems: int) -> tuple[float, float] | None:
    """Return Wilson's 95 % interval of a share."""
    if not problems:
        return None
    share, square = right / problems, _Z * _Z / problems
    middle = (share + square / 2) / (1 + square)
    wide = _Z * math.sqrt(share * (1 - share) / problems + square / (4 * problems)) / (1 + square)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def _without_copies(rows: Sequence[Row]) -> dict[str, float] | None:
    known = [row.copy for row in rows if row.copy is not None]
    if len(known) < len(rows) or not rows:
        return None
    far = [row for row in rows if not row.copy]
    found = {
        "near": sum(copy >= NEAR for copy in known) / len(rows),
        "close": sum(copy >= CLOSE for copy in known) / len(rows),
        "problems": float(len(far)),
    }
    return found | {metric: share for metric, share in shares(far).items() if share is not None}


def _share(rows: Sequence[Row], metric: str) -> float | None:
    return sum(metric in row.right for row in rows) / len(rows) if rows else None


def _grouped(rows: Sequence[Row], key: Callable[[Row], str], order: Iterable[str] = ()) -> dict[str, Group]:
    groups: dict[str, list[bool]] = {name: [] for name in order}
    for row in sorted(rows, key=key):
        if name := key(row):
            groups.setdefault(name, []).append("answer" in row.right)
    return {name: Group(len(found), sum(found)) for name, found in groups.items() if found}
