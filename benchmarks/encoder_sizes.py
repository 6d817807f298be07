"""Measure what a pretrained encoder costs before any training: size of the shipped checkpoint, rounding error, time.

    SAU_ENCODERS=FOLDER SAU_DATA=... python benchmarks/encoder_sizes.py configs/shipped/shipped-en.toml \
        --encoders sentence-transformers/all-MiniLM-L6-v2 sentence-transformers/all-mpnet-base-v2:4

NAME:4 means the first four layers. The vocabulary is that of all texts of the configuration's sources. The decoder has
random weights, which changes neither the size nor the time to encode. The error is the relative distance of the
encoder's states from those of the published weights, for each largest integer. Times are medians of encoding one
problem and 16 problems, in CPU time of one thread, and all encoders take turns, so that other load matters little.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from sau_solver.data import load
from sau_solver.equations.uet import Uet
from sau_solver.experiments.config import load_config
from sau_solver.models.base import Example
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.options import SauOptions
from sau_solver.models.quantized import quantize, restore
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.sau.tree_batch import Texts, collate_texts
from sau_solver.models.targets import Targets, encode_text
from sau_solver.text.numbers import MappedText, map_text

BATCH = 16  # problems, as in predictor.py
TIMED = 3 * BATCH  # problems whose encoding is timed
TREE = Uet.from_text("= x + N0 1")


def main() -> None:
    """Print a row of times for each encoder, then a row for each encoder and largest integer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--encoders", nargs="+", required=True, metavar="NAME[:LAYERS]")
    parser.add_argument("--most", nargs="+", type=int, default=[127, 59, 31, 15])
    given = parser.parse_args()
    torch.set_num_threads(1)
    config = load_config(given.config)
    options = config.options
    assert isinstance(options, SauOptions)
    problems = [problem for source in config.one_mixture().sources for problem in load(source)]
    examples = [Example(problem, map_text(problem.text, problem.language), TREE) for problem in problems]
    solvers = {name: fresh(name, examples, replace(options, ssar=0.0)) for name in given.encoders}
    texts = [example.text for example in examples[:: len(examples) // TIMED]][:TIMED]
    alone, batches = (times(solvers, texts, together) for together in (1, BATCH))
    first = next(iter(solvers))
    print("| encoder | ms for one problem | relative | problems/s in batches | relative |\n|---|---:|---:|---:|---:|")
    for name in solvers:
        one, many = 1000 * alone[name], BATCH / batches[name]
        relative = alone[name] / alone[first], batches[first] / batches[name]
        print(f"| {name} | {one:.1f} | {relative[0]:.2f} | {many:.0f} | {relative[1]:.2f} |", flush=True)
    print("| encoder | pieces | largest integer | MB | error |\n|---|---:|---:|---:|---:|")
    for name, solver in solvers.items():
        for most in given.most:
            size, error = rounded(solver, texts[:BATCH], most)
            print(f"| {name} | {len(solver.vocabulary):,} | {most} | {size / 1e6:.1f} | {error:.3f} |", flush=True)


def fresh(name: str, learned: Sequence[Example], options: SauOptions) -> SauPredictor:
    """Return a solver with a published encoder and a random decoder."""
    encoder, _, layers = name.partition(":")
    chosen = replace(options, encoder=encoder, encoder_layers=int(layers or 0))
    solver = SauPredictor.fresh(learned, Targets.build([TREE] * 9, 1), chosen)
    solver.network.eval()
    return solver


def collated(solver: SauPredictor, texts: Sequence[MappedText]) -> Texts:
    """Return a batch of texts."""
    return collate_texts([encode_text(text, solver.vocabulary, words=solver.shown(text)) for text in texts])


@torch.no_grad()
def rounded(solver: SauPredictor, texts: Sequence[MappedText], most: int) -> tuple[int, float]:
    """Return the bytes of the quantized weights, and the relative error of the encoder's states."""
    network, batch = solver.network, collated(solver, texts)
    exact: dict[str, Tensor] = {name: value.clone() for name, value in network.state_dict().items()}
    encoder: Any = network.encoder.get_submodule("pretrained")
    expected = encoder(batch.words, batch.lengths, keep_all)
    stored = quantize(exact, most)
    network.load_state_dict(restore(stored, {name: value.shape for name, value in exact.items()}))
    found = encoder(batch.words, batch.lengths, keep_all)
    network.load_state_dict(exact)
    real = torch.arange(found.shape[1]) < batch.lengths.unsqueeze(1)
    error = float((found - expected)[real].norm() / expected[real].norm())
    return len(safetensors.torch.save(stored)), error


@torch.no_grad()
def times(solvers: dict[str, SauPredictor], texts: Sequence[MappedText], together: int) -> dict[str, float]:
    """Return the median seconds that each solver takes to encode a batch of this many texts."""
    ordered = sorted(texts, key=lambda text: len(text.words))
    parts = [ordered[start : start + together] for start in range(0, len(ordered), together)]
    spent: dict[str, list[float]] = {name: [] for name in solvers}
    for part in parts:
        for name, solver in solvers.items():
            batch = collated(solver, part)
            started = time.process_time()
            solver.network.encode(batch, keep_all)
            spent[name].append(time.process_time() - started)
    return {name: statistics.median(own) for name, own in spent.items()}


if __name__ == "__main__":
    main()
