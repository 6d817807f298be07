"""A problem's ranked candidates -> the Solution: the answer, how sure it is, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from sau_solver.answering.candidates import Ranked, RankedCandidate
from sau_solver.answering.confidence import evidence
from sau_solver.explaining.story import tell
from sau_solver.models.loading import Model
from sau_solver.problem import Language
from sau_solver.solution import Solution, SolvedCandidate
from sau_solver.text.numbers import MappedText

_REASONS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "unlikely": "The best guess is more likely wrong than right (confidence {confidence:.2f}).",
        "unsure": "The best guess is not sure enough (confidence {confidence:.2f}; {threshold:.2f} is asked for).",
        "unsolved": "None of the model's equations has a solution that could be the answer.",
        "silent": "The model proposes no equations for this text.",
        "renumbered": "With these numbers the equations have no solution that could be the answer.",
    },
    "zh": {
        "unlikely": "最佳猜测更可能是错的（置信度 {confidence:.2f}）。",
        "unsure": "最佳猜测不够可靠（置信度 {confidence:.2f}，要求至少 {threshold:.2f}）。",
        "unsolved": "模型列出的方程都没有可作为答案的解。",
        "silent": "模型没有为这道题列出方程。",
        "renumbered": "换成这些数后，方程没有可作为答案的解。",
    },
}


def conclude(ranked: Ranked, model: Model) -> Solution:
    """The solution of a problem that a model has looked at."""
    text, best = ranked.text, ranked.best
    candidates = tuple(one.tree for one in ranked.candidates)
    if best is None or best.solved is None or best.chosen is None:
        why = _REASONS[text.language]["unsolved" if candidates else "silent"]
        return unsolved(text, why, model.name, candidates)
    confidence = model.calibration.confidence(evidence(ranked, model.unknown_words(text)))
    reason = _doubt(confidence, model.calibration.threshold, text.language)
    return _told(text, best, confidence, reason, candidates, model.name)


def conclude_again(ranked: Ranked) -> Solution:
    """The solution by equations that are given: no model speaks, so that nothing can be said of its confidence."""
    text, best = ranked.text, ranked.best
    if best is None:
        candidates = tuple(one.tree for one in ranked.candidates)
        return unsolved(text, _REASONS[text.language]["renumbered"], candidates=candidates)
    return _told(text, best, 0.0, "", (), "")


def _told(
    text: MappedText,
    best: RankedCandidate,
    confidence: float,
    reason: str,
    candidates: tuple[SolvedCandidate, ...],
    model: str,
) -> Solution:
    assert best.solved is not None
    assert best.chosen is not None
    story = tell(text, best.tree.tree, best.tree.equations, best.solved, best.chosen)
    return Solution(
        text=text,
        equations=best.tree.equations,
        tree=best.tree.tree,
        roots=best.solved.solutions,
        answers=best.tree.answers,
        unit=story.unit,
        confidence=confidence,
        abstained=bool(reason),
        reason=reason,
        steps=story.steps,
        candidates=candidates,
        model=model,
    )


def unsolved(text: MappedText, reason: str, model: str = "", candidates: tuple[SolvedCandidate, ...] = ()) -> Solution:
    """What is said of a problem without an answer; `model` is empty where none has looked at it."""
    return Solution(
        text=text,
        equations=(),
        tree=None,
        roots=(),
        answers=(),
        unit="",
        confidence=0.0,
        abstained=True,
        reason=reason,
        steps=(),
        candidates=candidates,
        model=model,
    )


def _doubt(confidence: float, threshold: float, language: Language) -> str:
    """Why an answer below the threshold is only a guess; empty for one above it."""
    if confidence >= threshold:
        return ""
    kind = "unlikely" if confidence < 0.5 else "unsure"
    return _REASONS[language][kind].format(confidence=confidence, threshold=threshold)
