"""A trained SAU-Solver and one problem -> attention maps of the decoder and of SSAR, for figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from sau_solver.data import find_corpus
from sau_solver.data.prepared.examples import Prepared
from sau_solver.equations.expressions import to_text
from sau_solver.equations.symbols import Slot, symbol_text
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.figure_data import AttentionMap
from sau_solver.experiments.judging import Judged, judge_problem
from sau_solver.models.base import Predictor
from sau_solver.models.loading import LANGUAGES, require_torch
from sau_solver.problem import Language, Problem
from sau_solver.text.numbers import MappedText, map_text

# The problem that figures show by default: the first case of the paper, and a similar one in English.
EXAMPLES: Mapping[Language, str] = {
    "zh": "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？",
    "en": "A farmer has 20 hens and cows. They have 50 legs. How many hens does he have?",
}
_DIGITS = 4
_LEAST = 5  # symbols of a tree that makes an instructive picture


def attention_of_model(folder: Path, problem: str | None = None) -> list[AttentionMap]:
    """Return the attention of a trained model for the tree that it finds; by default for an example in its language."""
    require_torch()
    from sau_solver.models.checkpoint import load_with_data  # imports torch

    solver, data = load_with_data(folder)
    language: Language = data["language"] if "language" in data else find_corpus(data["corpus"]).language
    text = map_text(problem or EXAMPLES[language], language)
    asked = Problem(LANGUAGES[language], text.text, language, (), ())
    judged = judge_problem(Prepared(asked, text, None, None, None), solver.predict([text])[0])
    looks = attention_maps(solver, text, judged)
    if not looks:
        raise InputError(
            f"{folder} ({solver.name}) has no attention to draw for this problem: it is not a SAU-Solver, or it finds "
            "no tree with the numbers of the problem. Give another model or problem."
        )
    return looks


def attention_in_example(solver: Predictor, tested: Sequence[Prepared], judged: Sequence[Judged]) -> list[AttentionMap]:
    """Return the attention for one test problem: the shortest right one whose tree has at least five symbols."""
    fitting = [
        (len(one.text.words), place)
        for place, one in enumerate(tested)
        if judged[place].right("answer") and (chosen := judged[place].chosen()) and len(chosen.tree) >= _LEAST
    ]
    if not fitting:
        return []
    _, place = min(fitting)
    return attention_maps(solver, tested[place].text, judged[place])


def attention_maps(solver: Predictor, text: MappedText, judged: Judged) -> list[AttentionMap]:
    """Return the attention maps for the tree that was chosen; empty for a model without this attention."""
    from sau_solver.models.sau.attention_maps import alignment_of, attention_of  # imports torch
    from sau_solver.models.sau.sau_predictor import SauPredictor

    chosen = judged.chosen()
    if not isinstance(solver, SauPredictor) or chosen is None:
        return []
    if max(chosen.tree.slots(), default=-1) >= len(text.numbers):
        return []
    tree, numbers = chosen.tree, [number.value for number in text.numbers]
    words = tuple(text.text[start:end] for start, end in text.spans)
    looks = [AttentionMap(judged.id, "decoder", words, _nodes(tree, text), _rounded(attention_of(solver, text, tree)))]
    aligned = alignment_of(solver, text, tree)
    if aligned and aligned.places:
        subtrees = tuple(subtree_text(tree, place, numbers) for place in aligned.places)
        distances = tuple(round(one, _DIGITS) for one in aligned.distances)
        looks.append(AttentionMap(judged.id, "alignment", words, subtrees, _rounded(aligned.weights), distances))
        if aligned.similarities:
            shown = _rounded(aligned.similarities)
            looks.append(AttentionMap(judged.id, "similarity", words, subtrees, shown, distances))
    return looks


def subtree_text(tree: Uet, place: int, numbers: Sequence[Fraction]) -> str:
    """Return the subtree that begins at a symbol as equations or an expression, with the numbers of the text."""
    open_places, end = 1, place
    while open_places:
        open_places += 1 if isinstance(tree.symbols[end], str) else -1
        end += 1
    text = to_text(Uet(tree.symbols[place:end]).equations(numbers))
    return text if tree.symbols[place] in (";", "=") else text.removeprefix("x=")  # was added to an expression


def _nodes(tree: Uet, text: MappedText) -> tuple[str, ...]:
    """Return each symbol in prefix order, indented by its depth; a slot is shown as its number in the text."""
    named = []
    waiting: list[int] = []  # for each open operator, how many operands are missing
    for symbol in tree.symbols:
        shown = text.numbers[symbol.index].text if isinstance(symbol, Slot) else symbol_text(symbol)
        named.append("· " * len(waiting) + shown)
        if isinstance(symbol, str):
            waiting.append(2)
            continue
        while waiting:
            waiting[-1] -= 1
            if waiting[-1]:
                break
            waiting.pop()
    return tuple(named)


def _rounded(weights: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(weight, _DIGITS) for weight in row) for row in weights)
