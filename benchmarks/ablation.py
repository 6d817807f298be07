"""Train small networks with some of what the shipped models learn from, and measure what each source adds.

    SAU_DATA=... SAU_ENCODERS=... python benchmarks/ablation.py train en [--seeds 0 1 2] [--only all]
    python benchmarks/ablation.py table [--docs docs/results.md]

Every network sees the same number of problems (PROBLEMS) in one epoch, so that more sources do not mean more training:
the weights of the shipped configuration are scaled. They are far smaller and trained far shorter than the shipped
models: what counts is the difference between rows. `train` stores the figures of each variant in a file of
results/ablation and skips the seeds that it has, so that several processes can train different variants. On a GPU the
seeds of a variant train as one.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from sau_solver.curriculum.additions import additions
from sau_solver.data import load
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM, MixtureOptions
from sau_solver.data.prepared.mixtures import gather_mixture
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.runs import Run
from sau_solver.experiments.user_evaluation import figures_for_users
from sau_solver.files import write_atomically
from sau_solver.models.base import Example
from sau_solver.models.loading import Model, load_model
from sau_solver.models.options import BIGRU, SauOptions
from sau_solver.problem import Language
from sau_solver.training.learning import TrainingTask, learn

ROOT = Path(__file__).parents[1]
STORED = ROOT / "results/ablation"
START, END = "<!-- ablation -->", "<!-- end of ablation -->"
PROBLEMS = 80_000  # that a network sees
SMALL: dict[Language, str] = {"en": "sentence-transformers/all-MiniLM-L6-v2", "zh": "BAAI/bge-small-zh-v1.5"}
ANSWERS_ONLY = "contest-zh"
PARTS: dict[Language, tuple[str, ...]] = {
    "en": ("asdiv", "school-en/test"),
    "zh": ("contest-zh/test", "school-zh/test"),
}
TITLES = {
    "asdiv": "ASDiv",
    "contest-zh/test": "contest_zh test",
    "school-en/test": "School test, en",
    "school-zh/test": "School test, zh",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """What a network learns from beside the published corpora with equations, and its encoder."""

    school: bool = False  # School, Workbook and Stories
    curriculum: bool = False
    augmented: bool = False  # changed copies
    answers: bool = False  # problems with answers only; Chinese
    pretrained: bool = True


VARIANTS = {
    "published corpora": Variant(),
    "+ School, Workbook, Stories": Variant(school=True),
    "+ curriculum": Variant(curriculum=True),
    "+ changed copies": Variant(augmented=True),
    "+ answers only": Variant(answers=True),
    "all": Variant(True, True, True, True),
    "all, encoder not pretrained": Variant(True, True, True, True, pretrained=False),
}


def main() -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    learn = commands.add_parser("train", help="train and measure the networks of a language")
    learn.add_argument("language", choices=tuple(SMALL))
    learn.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    learn.add_argument("--only", nargs="+", choices=tuple(VARIANTS), default=list(VARIANTS))
    learn.add_argument("--runs", type=Path, default=ROOT / "runs", help="folder for checkpoints; needs 1 GB")
    shown = commands.add_parser("table", help="print the table")
    shown.add_argument("--docs", type=Path, help="page to renew")
    given = parser.parse_args()
    if given.command == "train":
        for name in given.only:
            if given.language == "zh" or name != "+ answers only":
                _measure(given.language, name, given.seeds, given.runs)
    elif given.docs:
        before, found, rest = given.docs.read_text(encoding="utf-8").partition(START)
        _, closed, after = rest.partition(END)
        if not (found and closed):
            raise SystemExit(f"{given.docs} has no place {START} … {END}.")
        given.docs.write_text(f"{before}{START}\n{table()}\n{END}{after}", encoding="utf-8")
    else:
        print(table())


def _measure(language: Language, name: str, seeds: Sequence[int], folder: Path) -> None:
    """Train and measure the networks of a variant whose figures are not stored."""
    path = STORED / f"{language}-{list(VARIANTS).index(name)}.json"
    runs: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    new = [seed for seed in seeds if seed not in {one["seed"] for one in runs}]
    if not new:
        return
    config = configuration(load_config(ROOT / f"configs/shipped/shipped-{language}.toml"), VARIANTS[name])
    options, training = config.options, config.training
    assert isinstance(options, SauOptions)
    assert training
    gathered = gather_mixture(config.one_mixture(), config.text, config.equations, make=additions)
    mixed = _of_equal_size(gathered.train)
    started = time.perf_counter()
    tasks = [
        TrainingTask(run.name, mixed, options, seed, run.folder)
        for seed in new
        for run in (Run(config, None, seed, folder),)
    ]
    learn(tasks, training)
    minutes = (time.perf_counter() - started) / 60
    for task in tasks:
        assert task.folder
        assert task.model_folder
        figures = _figures(language, load_model(task.model_folder))
        shares = ", ".join(f"{part} {100 * one['right'] / one['problems']:.1f} %" for part, one in figures.items())
        print(f"{language}, {name}, seed {task.seed}: {shares}", flush=True)
        runs.append(
            {"variant": name, "seed": task.seed, "distinct": len(mixed), "minutes": round(minutes, 1), "parts": figures}
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(runs, indent=1, ensure_ascii=False) + "\n")
        shutil.rmtree(task.folder)


def _figures(language: Language, model: Model) -> dict[str, dict[str, int]]:
    """Return the number of problems and of right answers, as users get them, of each part."""
    figures = {}
    for part in PARTS[language]:
        corpus, _, split = part.partition("/")
        found = figures_for_users(model, load(corpus).part(split) if split else load(corpus))
        assert found is not None
        figures[part] = {"problems": found.problems, "right": round(found.answer * found.problems)}
    return figures


def _of_equal_size(examples: Sequence[Example]) -> list[Example]:
    """Return the examples with weights that make an epoch PROBLEMS problems long."""
    share = PROBLEMS / sum(example.weight for example in examples)
    return [replace(example, weight=example.weight * share) for example in examples]


def configuration(shipped: ExperimentConfig, variant: Variant) -> ExperimentConfig:
    """Return the configuration of the networks of a variant."""
    options, training = shipped.options, shipped.training
    assert isinstance(options, SauOptions)
    assert training
    mixture = _mixture(shipped.one_mixture(), variant)
    encoder = SMALL[mixture.language] if variant.pretrained else BIGRU
    return replace(
        shipped,
        name=f"ablation-{mixture.language}-{list(VARIANTS.values()).index(variant)}",
        mixture=mixture,
        options=replace(options, encoder=encoder, encoder_layers=0),
        training=replace(
            training,
            epochs=1,
            batch=64,
            learning_rate=1e-3,
            encoder_rate=1e-4 if variant.pretrained else 0.0,
            averaging=0.99,
            start="",
            teachers=(),
            rounding=0,
        ),
    )


def _mixture(shipped: MixtureOptions, variant: Variant) -> MixtureOptions:
    """Return the mixture without the sources that the variant does not have."""
    without = {ANSWERS_ONLY} if not variant.answers else set()
    if not variant.school:
        without |= {f"{name}-{shipped.language}" for name in ("school", "workbook", "stories")}
    made = {name for name, used in ((CURRICULUM, variant.curriculum), (AUGMENTED, variant.augmented)) if not used}
    return replace(
        shipped,
        sources=tuple(name for name in shipped.sources if name not in without),
        labels=shipped.labels if variant.answers else (),
        generated=shipped.generated if variant.curriculum else 0,
        augmented=shipped.augmented if variant.augmented else 0.0,
        weights={name: weight for name, weight in shipped.weights.items() if name not in without | made},
    )


def table() -> str:
    """Return the right answers of all variants in percent as Markdown: mean and standard deviation over seeds."""
    stored: dict[str, list[dict[str, Any]]] = {language: [] for language in SMALL}
    for path in sorted(STORED.glob("*.json")):
        stored[path.stem.split("-")[0]] += json.loads(path.read_text(encoding="utf-8"))
    parts = [(language, part) for language in SMALL for part in PARTS[language]]
    lines = ["| learned from | " + " | ".join(TITLES[part] for _, part in parts) + " |", "|---|" + "---:|" * len(parts)]
    for name in VARIANTS:
        cells = [
            _cell([one["parts"][part] for one in stored[language] if one["variant"] == name])
            for language, part in parts
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(figures: list[dict[str, Any]]) -> str:
    shares = [100 * one["right"] / one["problems"] for one in figures]
    if not shares:
        return ""
    return f"{fmean(shares):.1f}" + (f" ± {stdev(shares):.1f}" if len(shares) > 1 else "")


if __name__ == "__main__":
    main()
