"""Every objective of the alignment equals a slow reimplementation, alone and stacked, and can be recorded."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from benchmarks.node_by_node import oracle_losses
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import stack, unstacked
from sau_solver.models.options import OBJECTIVES, Objective
from sau_solver.models.sau.alignment_objectives import number_windows
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Batch, PaddedTrees, collate
from sau_solver.models.targets import EncodedProblem
from tests.models.cases import (
    FEW,
    TARGETS,
    VARIANTS,
    WORDS,
    close,
    gradients,
    network,
    problem,
    random_problem,
    random_problems,
    small_problems,
)

CPU = torch.device("cpu")
NEW: tuple[Objective, ...] = ("infonce", "span", "vicreg")
OPTIONS = {one: replace(VARIANTS[0], alignment=one) for one in OBJECTIVES}


def dense(problems: Sequence[EncodedProblem], blanks: int = 0) -> Batch:
    shelf = PaddedTrees(problems, TARGETS, CPU)
    return shelf.pick(torch.tensor([*range(len(problems)), *[shelf.blank] * blanks]))


def assert_as_the_oracle(made: SauNetwork, problems: Sequence[EncodedProblem], blanks: int = 2) -> None:
    expected = oracle_losses(made, problems)
    wanted = gradients(made, expected.total)
    for batch in (collate(problems, TARGETS), dense(problems, blanks)):
        found = made.losses(batch, keep_all)
        close(found.alignment, expected.alignment.view(1))
        close(found.total, expected.total)
        close(gradients(made, found.total), wanted)


@pytest.mark.parametrize("objective", NEW)
def test_losses_and_gradients_are_those_of_a_loop_over_subtrees(objective: Objective) -> None:
    made = network(OPTIONS[objective], seed=1, scale=1.5)
    assert_as_the_oracle(made, list(small_problems().values()))


@pytest.mark.parametrize("objective", NEW)
@pytest.mark.parametrize("name", ["one leaf", "no numbers", "only repeats", "one number", "three equations"])
def test_a_problem_alone_has_the_loss_of_the_oracle(objective: Objective, name: str) -> None:
    """Alone, a problem has no rivals and perhaps no operator, number or variance."""
    assert_as_the_oracle(network(OPTIONS[objective], seed=2), [small_problems()[name]])


@pytest.mark.slow
@FEW
@given(random_problems, st.sampled_from(NEW), st.integers(0, 99))
def test_random_batches_have_the_losses_of_the_oracle(
    problems: list[EncodedProblem], objective: Objective, seed: int
) -> None:
    assert_as_the_oracle(network(OPTIONS[objective], seed, scale=2), problems, seed % 3)


def stacked_options() -> list[Any]:
    """Return the arms of a comparison: nothing, a head that is not used, and every objective."""
    without = replace(VARIANTS[0], ssar=0.0)
    return [without, replace(without, idle_head=True), *OPTIONS.values()]


@pytest.mark.slow
def test_networks_with_different_objectives_learn_together_what_each_learns_alone() -> None:
    alone = [network(options, seed).float() for seed, options in enumerate(stacked_options())]
    runs = len(alone)
    together = stack(alone).double()
    problems = [random_problem(random.Random(i)) for i in range(4)] + list(small_problems().values())[:3]
    shelf = PaddedTrees(problems, TARGETS, CPU)
    rows = [[*range(run % 2, len(problems)), *[shelf.blank] * (run % 2)] for run in range(runs)]
    found = together.losses(shelf.pick(torch.tensor(rows).view(-1), runs), keep_all)
    learned = gradients(together, found.total)
    for run, one in enumerate(alone):
        mine, own = problems[run % 2 :], one.double()
        expected = oracle_losses(own, mine)
        if one.options.ssar:
            close(found.alignment[run], expected.alignment)
        close(unstacked(learned, run, dict(own.named_parameters())), gradients(own, expected.total))


@pytest.mark.parametrize("objective", NEW)
def test_a_run_without_problems_learns_nothing_and_harms_no_other(objective: Objective) -> None:
    alone = [SauNetwork(WORDS, TARGETS, OPTIONS[objective]) for _ in range(2)]
    together = stack(alone).double()
    problems = list(small_problems().values())[:3]
    shelf = PaddedTrees(problems, TARGETS, CPU)
    found = together.losses(shelf.pick(torch.tensor([0, 1, 2, *[shelf.blank] * 3]), 2), keep_all)
    learned = gradients(together, found.total)
    own = dict(alone[0].double().named_parameters())
    close(unstacked(learned, 0, own), gradients(alone[0], oracle_losses(alone[0], problems).total))
    assert not any(gradient.any() for gradient in unstacked(learned, 1, own).values())


def test_an_idle_head_changes_nothing_that_the_network_learns() -> None:
    options = replace(VARIANTS[0], ssar=0.0)
    plain, idle = network(options, seed=4), network(replace(options, idle_head=True), seed=4)
    assert plain.alignment is None
    assert idle.alignment is not None
    batch = collate(list(small_problems().values()), TARGETS)
    expected = gradients(plain, plain.losses(batch, keep_all).total)
    found = gradients(idle, idle.losses(batch, keep_all).total)
    assert all(torch.equal(found[name], gradient) for name, gradient in expected.items())
    assert not any(gradient.any() for name, gradient in found.items() if name.startswith("alignment."))


class _Recording(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Refuses operations that a CUDA graph cannot hold: those that read values or whose shapes depend on values."""

    _FORBIDDEN = ("_local_scalar_dense", "nonzero", "masked_select", "unique", "item", "is_nonzero", "equal")

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = function.overloadpacket.__name__
        assert name not in self._FORBIDDEN, f"{name} waits for the GPU"
        if name == "index":
            assert all(each is None or each.dtype is not torch.bool for each in args[1]), "a mask as an index"
        # A number becomes an argument of a kernel; a list becomes a tensor on the CPU that has to be copied.
        assert name != "lift_fresh" or not args[0].dim(), "a new tensor of values has to be copied to the GPU"
        return function(*args, **(kwargs or {}))


def test_steps_of_every_objective_can_be_recorded() -> None:
    """Neither the losses of dense batches nor their gradients look at a value or copy one from the CPU."""
    alone = [SauNetwork(WORDS, TARGETS, options) for options in stacked_options()]
    together = stack(alone)
    problems = list(small_problems().values())
    chosen = torch.tensor([*range(3)] * len(alone))
    shelf = PaddedTrees(problems, TARGETS, CPU)
    with _Recording():  # type: ignore[no-untyped-call]
        together.losses(shelf.pick(chosen, len(alone)), keep_all).total.backward()  # type: ignore[no-untyped-call]
    assert together.alignment is not None
    assert together.alignment.attention.query.weight.grad is not None


def test_the_guard_of_recorded_steps_notices_what_cannot_be_recorded() -> None:
    values = torch.arange(4.0)
    for act in (
        lambda: float(values.sum()),
        lambda: values[values > 1],
        lambda: values[:, None][[0, 1]],
        lambda: values + torch.tensor([1.0]),
    ):
        with pytest.raises(AssertionError), _Recording():  # type: ignore[no-untyped-call]
            act()


def test_the_windows_of_a_subtree_are_the_words_around_all_its_numbers() -> None:
    one = problem("3 4 =20 5 6 7 8 9 =7 3 4 5 6 =20", "= + x N0 * N1 N0")
    batch = collate([one], TARGETS)
    real = torch.ones(1, len(one.words), dtype=torch.bool)
    equation, left, right = number_windows(batch, real, TARGETS.generated)[0].tolist()
    first = [1 / 6] * 6 + [0] * 8  # two words before the number and three after it
    middle = [0] * 5 + [1 / 7] * 7 + [0] * 2
    last = [0] * 10 + [1 / 4] * 4
    assert left == pytest.approx([(a + b) / 2 for a, b in zip(first, last, strict=True)])
    both = [(a + b + c) / 3 for a, b, c in zip(first, middle, last, strict=True)]
    assert right == pytest.approx(both)
    assert equation == pytest.approx(both)
