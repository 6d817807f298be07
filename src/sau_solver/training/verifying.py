"""Train a network's verifier on the candidates of problems that the network did not learn from.

The rest of the network stays as it is. Two losses are added: the right candidates of a problem should get a large share
of the softmax over all its candidates, and the sigmoid of a score should be the probability that the candidate is
right. The first chooses between candidates, the second makes scores of different problems comparable.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Noise, keep_all
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.sau.verifier import VerifierShape, collate_candidates
from sau_solver.models.targets import EncodedProblem, EncodedTree

FEWEST = 50  # problems with right and wrong candidates for a training
_PIECES = 16  # batches of texts of similar length are cut from this many batches of random problems


@dataclass(frozen=True, slots=True)
class Choices:
    """A problem in ids, its candidate trees, and which of them are right."""

    text: EncodedProblem
    trees: tuple[EncodedTree, ...]
    right: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class VerifierTraining:
    """How a verifier is trained."""

    epochs: int = 6
    batch: int = 64  # problems
    learning_rate: float = 5e-4
    weight_decay: float = 0.01
    dropout: float = 0.1
    warmup: float = 0.05
    seed: int = 0


@dataclass(frozen=True, slots=True)
class VerifierReport:
    """Progress after an epoch."""

    epoch: int
    loss: float  # mean over problems
    chosen: float  # share of the problems with a right candidate for which the best candidate is right


def train_verifier(
    network: SauNetwork,
    problems: Sequence[Choices],
    shape: VerifierShape,
    options: VerifierTraining,
    report: Callable[[VerifierReport], None] | None = None,
) -> None:
    """Give a network a new verifier and train it; the network's other weights do not change."""
    telling = sum(any(one.right) and not all(one.right) for one in problems)
    if telling < FEWEST:
        raise InputError(
            f"A verifier needs at least {FEWEST} problems with right and wrong candidates, got {telling}. "
            "Give it more problems."
        )
    network.eval()
    device = next(network.parameters()).device
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(options.seed)
        verifier = network.add_verifier(shape)
    noise = Noise(options.dropout, torch.Generator(device))
    optimizer = torch.optim.AdamW(verifier.parameters(), lr=0.0, weight_decay=options.weight_decay)
    steps = options.epochs * math.ceil(len(problems) / options.batch)
    step = 0
    for epoch in range(options.epochs):
        total = torch.zeros(3, device=device)  # loss, right choices, problems with a right candidate
        for batch in _batches(problems, options.batch, f"{options.seed} {epoch}"):
            rate = options.learning_rate * _share_of_rate(step / steps, options.warmup)
            for group in optimizer.param_groups:
                group["lr"] = rate
            noise.seed(options.seed << 40 | step)
            scores, right, real = _scored(network, batch, noise)
            loss, found = _losses(scores, right, real)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(verifier.parameters(), 1.0)
            optimizer.step()
            total += torch.stack([loss.detach() * len(batch), *found])
            step += 1
        if report:
            loss_sum, hits, able = total.tolist()
            report(VerifierReport(epoch + 1, loss_sum / len(problems), hits / max(1.0, able)))
    verifier.eval()


def _scored(network: SauNetwork, batch: Sequence[Choices], noise: Noise) -> tuple[Tensor, Tensor, Tensor]:
    """Return scores, right candidates and real candidates, each (problems, most candidates)."""
    assert network.verifier is not None
    device = network.ssar.device
    texts = collate_texts([one.text for one in batch], device)
    candidates = collate_candidates([one.trees for one in batch], texts, network.targets)
    with torch.no_grad():
        states = network.encode(texts, keep_all)[0]
    flat = network.verifier(states, texts, candidates, noise)
    most = max(len(one.trees) for one in batch)
    places = torch.tensor([row * most + place for row, one in enumerate(batch) for place in range(len(one.trees))])
    scores = torch.zeros(len(batch) * most, device=device, dtype=flat.dtype)
    scores = scores.index_copy(0, places.to(device), flat).view(len(batch), most)
    right = torch.tensor([[*one.right, *[False] * (most - len(one.right))] for one in batch], device=device)
    real = torch.tensor([[place < len(one.trees) for place in range(most)] for one in batch], device=device)
    return scores, right, real


def _losses(scores: Tensor, right: Tensor, real: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Return the loss of a batch; and how many problems have a right candidate, with it as the best one or not."""
    able = right.any(1)
    telling = able & (real & ~right).any(1)
    every = scores.masked_fill(~real, -torch.inf).logsumexp(1)
    # A problem without a right candidate has no share; its zero keeps the gradient finite.
    of_right = torch.where(right | ~able.unsqueeze(1), scores, -torch.inf).logsumexp(1)
    shares = ((every - of_right) * telling).sum() / telling.sum().clamp(min=1)
    single = functional.binary_cross_entropy_with_logits(scores, right.to(scores.dtype), reduction="none")
    single = ((single * real).sum(1) / real.sum(1).clamp(min=1)).mean()
    best = scores.detach().masked_fill(~real, -torch.inf).argmax(1, keepdim=True)
    hits = right.gather(1, best).squeeze(1).sum().float()
    return shares + single, (hits, able.sum().float())


def _batches(problems: Sequence[Choices], size: int, seed: str) -> Iterator[list[Choices]]:
    """Yield the problems in random batches; texts and trees of similar length share a batch, which saves padding."""
    draw = random.Random(seed)  # noqa: S311
    order = [one for one in problems if one.trees]
    draw.shuffle(order)
    batches = []
    for start in range(0, len(order), size * _PIECES):
        part = sorted(order[start : start + size * _PIECES], key=lambda one: len(one.text.words))
        batches += [part[begin : begin + size] for begin in range(0, len(part), size)]
    draw.shuffle(batches)
    yield from batches


def _share_of_rate(done: float, warmup: float) -> float:
    grown = min(1.0, done / warmup) if warmup else 1.0
    return grown * (1 + math.cos(math.pi * done)) / 2
