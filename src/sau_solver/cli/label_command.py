"""`sau data label`: find equations for problems that have only answers."""

from __future__ import annotations

from pathlib import Path

from sau_solver.cli.model_option import named_model
from sau_solver.cli.terminal import complain, output, progress
from sau_solver.data import Corpus
from sau_solver.data.prepared.answer_labels import Label, LabelOptions, is_learnable, likely_labels, unambiguous_labels
from sau_solver.data.prepared.label_files import Labels
from sau_solver.errors import InputError
from sau_solver.models.loading import require_torch
from sau_solver.problem import Problem


def label_corpus(corpus: Corpus, target: Path, options: LabelOptions | None, model: str | None) -> None:
    """Write equations for the problems of a corpus that have only answers; without options, use no model."""
    problems = [problem for problem in corpus if is_learnable(problem)]
    if not problems:
        raise InputError(
            f"{corpus.name} must have problems with an answer and without equations, got none. Give another corpus."
        )
    if options is None:
        with progress(f"Searching trees for {len(problems):,} problems"):
            found = list(unambiguous_labels(problems, "raw"))
    else:
        language = problems[0].language
        found = _by_network(problems, named_model(model or language).folder(language), options)
    Labels.of({corpus.name: found}).write(target)
    share = 100 * len(found) / len(problems)
    line = f"{len(found):,} of {len(problems):,} problems ({share:.1f} %) got equations -> {target}"
    output().print(line, markup=False, soft_wrap=True)
    if not found:
        complain("No problem got equations. Lower --share or --probability, or train the model longer.")


def _by_network(problems: list[Problem], folder: Path, options: LabelOptions) -> list[Label]:
    require_torch()
    from sau_solver.models.checkpoint import load_with_data

    predictor, data = load_with_data(folder, "auto")
    found: list[Label] = []
    with progress() as bars:
        task = bars.add_task("labeling", total=len(problems))
        for label in likely_labels(problems, predictor, data.get("text", "raw"), options):
            found += [label] if label else []
            bars.advance(task)
    return found
