"""Compare three ways to compute additive attention scores: our kernels, torch.compile and plain PyTorch.

Prints the time and peak memory of forward and backward for batches of the size that training sees. Run it on a GPU for
the Triton kernels, or on a CPU for the ragged code path:

python benchmarks/compiled_attention.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch
from torch import Tensor

from sau_solver.models.layers.additive import Rows, additive_scores

HIDDEN = 512
# (problems, queries of each, keys of each): a level of the tree against the words, and against the symbols.
SHAPES = {"words": (64, 8, 48), "symbols": (64, 8, 24), "long texts": (64, 16, 128)}
REPEATS = 30

Scores = Callable[[Tensor, Tensor, Tensor], Tensor]


def main() -> None:
    """Print one table."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name() if device.type == 'cuda' else 'CPU'}")
    print(f"{'shape':<12}{'way':<16}{'ms':>8}{'MB':>8}{'first call, s':>16}{'largest difference':>22}")
    for name, (problems, width, count) in SHAPES.items():
        drawn = torch.Generator().manual_seed(1)
        shapes = ((problems, width, HIDDEN), (problems, count, HIDDEN), (HIDDEN,))
        queries, keys, weights = (torch.randn(shape, generator=drawn).to(device) / 4 for shape in shapes)
        wanted = plain(queries.double(), keys.double(), weights.double())
        for way, scores in (("ours", ours(problems, width, count, device)), ("compiled", compiled()), ("plain", plain)):
            inputs = [one.clone().requires_grad_() for one in (queries, keys, weights)]
            start = time.perf_counter()
            found = step(scores, inputs)
            first = time.perf_counter() - start
            difference = float((found.double() - wanted).abs().max())
            milliseconds, megabytes = measured(scores, inputs, device)
            print(f"{name:<12}{way:<16}{milliseconds:8.3f}{megabytes:8.0f}{first:16.2f}{difference:22.1e}", flush=True)


def plain(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    """Return v . tanh(query + key) with a tensor for every pair of query and key."""
    return torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1)) @ weights


def compiled() -> Scores:
    """Return the same formula, fused by torch.compile for shapes that vary."""
    torch._dynamo.reset()
    fused: Scores = torch.compile(
        lambda queries, keys, weights: (torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1)) * weights).sum(-1),
        dynamic=True,
    )
    return fused


def ours(problems: int, width: int, count: int, device: torch.device) -> Scores:
    """Return the package's own scores: Triton kernels on a GPU, ragged products on a CPU."""
    rows = Rows.even(problems, width, device, ragged=device.type == "cpu")
    counts = [count] * problems if device.type == "cpu" else None

    def scores(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
        found = additive_scores(queries.flatten(0, 1), keys, weights, rows, counts)
        return found.view(problems, width, count)

    return scores


def step(scores: Scores, inputs: list[Tensor]) -> Tensor:
    """Compute the scores and the gradients of all inputs, and return the scores."""
    for one in inputs:
        one.grad = None
    found = scores(*inputs)
    found.square().sum().backward()  # type: ignore[no-untyped-call]
    return found.detach()


def measured(scores: Scores, inputs: list[Tensor], device: torch.device) -> tuple[float, float]:
    """Return the median time of a step in milliseconds and, on a GPU, its peak memory in megabytes."""
    on_gpu = device.type == "cuda"
    times = []
    for _ in range(3):
        step(scores, inputs)
    if on_gpu:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    for _ in range(REPEATS):
        start = time.perf_counter()
        step(scores, inputs)
        if on_gpu:
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1000 * median(times), torch.cuda.max_memory_allocated() / 1e6 if on_gpu else float("nan")


if __name__ == "__main__":
    main()
