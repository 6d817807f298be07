"""Our own layers equal those of torch, gradients included; dropout is fair and reproducible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from sau_solver.models.layers.additive import Rows, additive_scores, search_keys, searched_scores
from sau_solver.models.layers.dropout import Noise, keep_all
from sau_solver.models.layers.gru import BiGru
from sau_solver.models.sau.tree_batch import collate
from tests.models.cases import FEW, TARGETS, close, small_problems

LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=6)


def normal(*shape: int, seed: int = 0, scale: float = 1.0) -> Tensor:
    drawn = torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return (scale * drawn).requires_grad_()


def torch_gru(layer: BiGru, inputs: int, hidden: int) -> nn.GRU:
    """Return torch's own bidirectional layer with the same weights."""
    whole = nn.GRU(inputs, hidden, batch_first=True, bidirectional=True).double()
    with torch.no_grad():
        for name, parameter in layer.ahead.named_parameters():
            getattr(whole, name).copy_(parameter)
            getattr(whole, f"{name}_reverse").copy_(layer.back.get_parameter(name))
    return whole


def assert_as_torch(lengths: Sequence[int], spare: int = 0, seed: int = 0) -> None:
    size, hidden = 3, 4
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        layer = BiGru(size, hidden).double()
        whole = torch_gru(layer, size, hidden)
    count, words = len(lengths), max(lengths)
    inputs = normal(count, words + spare, size, seed=seed)
    ahead, back, last, first = layer(inputs, torch.tensor(lengths))

    packed = pack_padded_sequence(inputs, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
    outputs, final = whole(packed)
    states, _ = pad_packed_sequence(outputs, batch_first=True)

    real = (torch.arange(words) < torch.tensor(lengths).unsqueeze(1)).unsqueeze(-1)
    found = torch.cat([ahead, back], -1)[:, :words] * real
    close(found, states)
    close(torch.stack([last, first]), final)

    weights, more = normal(*states.shape, seed=1).detach(), normal(*final.shape, seed=2).detach()
    ours = (found * weights).sum() + (torch.stack([last, first]) * more).sum()
    theirs = (states * weights).sum() + (final * more).sum()
    close(
        torch.autograd.grad(ours, inputs, retain_graph=True)[0],
        torch.autograd.grad(theirs, inputs, retain_graph=True)[0],
    )
    for name in dict(layer.ahead.named_parameters()):
        mine = torch.autograd.grad(
            ours, [layer.ahead.get_parameter(name), layer.back.get_parameter(name)], retain_graph=True
        )
        its = [whole.get_parameter(name), whole.get_parameter(f"{name}_reverse")]
        close(mine, torch.autograd.grad(theirs, its, retain_graph=True))


@FEW
@given(LENGTHS, st.integers(0, 2), st.integers(0, 99))
def test_a_bidirectional_layer_equals_that_of_torch_on_packed_texts(lengths: list[int], spare: int, seed: int) -> None:
    """The longest texts first, which skips finished texts, and in any order, with extra padding."""
    assert_as_torch(sorted(lengths, reverse=True), spare, seed)
    assert_as_torch(lengths, spare, seed)


def test_texts_in_any_order_are_read_as_the_longest_first() -> None:
    assert_as_torch([1, 5, 3, 5, 2])
    assert_as_torch([5, 5, 3, 2, 1])
    assert_as_torch([1])


def test_padding_does_not_matter() -> None:
    layer = BiGru(3, 4).double()
    lengths = torch.tensor([2, 4, 1])
    inputs = normal(3, 4, 3).detach()
    other = inputs.clone()
    other[0, 2:], other[2, 1:] = 1e3, -1e3
    _, _, last, first = layer(inputs, lengths)
    _, _, other_last, other_first = layer(other, lengths)
    assert torch.equal(last, other_last)
    assert torch.equal(first, other_first)


def ragged(counts: Sequence[int]) -> Rows:
    width = max(1, *counts)
    dense = [problem * width + place for problem, count in enumerate(counts) for place in range(count)]
    return Rows(torch.arange(sum(counts)), width, tuple(counts), torch.tensor(dense, dtype=torch.int64))


def plain(
    queries: Tensor, keys: Tensor, weights: Tensor, counts: Sequence[int], key_counts: Sequence[int]
) -> list[Tensor]:
    """Return v . tanh(q + k) for each problem, (queries, keys)."""
    ends = [0, *torch.tensor(counts).cumsum(0).tolist()]
    return [
        torch.tanh(queries[start:end].unsqueeze(1) + keys[problem, :real]) @ weights
        for problem, ((start, end), real) in enumerate(zip(pairwise(ends), key_counts, strict=True))
    ]


def assert_additive(
    queries: Tensor, keys: Tensor, weights: Tensor, counts: Sequence[int], key_counts: Sequence[int]
) -> None:
    found = additive_scores(queries, keys, weights, ragged(counts), list(key_counts))
    expected = plain(queries, keys, weights, counts, key_counts)
    problems = torch.arange(len(counts)).repeat_interleave(torch.tensor(counts))
    real = torch.arange(keys.shape[1]) < torch.tensor(key_counts)[problems].unsqueeze(1)
    close(found[real], torch.cat([part.flatten() for part in expected]))

    given = normal(*found.shape, seed=9).detach() * real
    ours = torch.autograd.grad((found * given).sum(), [queries, keys, weights])
    total = torch.cat([part.flatten() for part in expected]) @ given[real]
    close(ours, torch.autograd.grad(total, [queries, keys, weights]))


@FEW
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 5)), min_size=1, max_size=5), st.integers(0, 99))
def test_ragged_additive_scores_are_those_of_the_formula(sizes: list[tuple[int, int]], seed: int) -> None:
    counts, key_counts = zip(*sizes, strict=True)
    queries, keys = normal(sum(counts), 3, seed=seed), normal(len(counts), max(key_counts), 3, seed=seed + 1)
    assert_additive(queries, keys, normal(3, seed=seed + 2), counts, key_counts)


@pytest.mark.parametrize(("query", "key"), [(60.0, 9.0), (9.0, 60.0), (-60.0, 9.0), (60.0, 60.0), (39.0, 39.0)])
def test_additive_scores_of_large_values_neither_overflow_nor_lose_their_sign(query: float, key: float) -> None:
    """Exponents are clipped at 80, which matters only if a query and a key exceed 40 with opposite signs."""
    counts, key_counts = (2, 0, 3), (4, 2, 3)
    signs, key_signs = normal(5, 3).detach().sign(), normal(3, 4, 3, seed=1).detach().sign()
    if min(abs(query), abs(key)) > 40:
        signs, key_signs = signs.abs(), key_signs.abs()
    queries, keys = (query * signs).requires_grad_(), (key * key_signs).requires_grad_()
    assert_additive(queries, keys, normal(3, seed=2), counts, key_counts)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_large_values_in_either_precision_have_finite_gradients(dtype: torch.dtype) -> None:
    sizes = torch.tensor([-60.0, -45.0, -20.0, -1.0, 0.0, 1.0, 20.0, 45.0, 60.0], dtype=dtype)
    queries = sizes.view(-1, 1).clone().requires_grad_()
    keys = sizes.view(1, -1, 1).clone().requires_grad_()
    weights = torch.ones(1, dtype=dtype, requires_grad=True)
    scores = additive_scores(queries, keys, weights, ragged([9]), [9])
    total = sizes.view(-1, 1) + sizes
    told = (sizes.abs().view(-1, 1) <= 40) | (sizes.abs() <= 20) | (sizes.view(-1, 1) * sizes > 0)
    torch.testing.assert_close(scores[told], torch.tanh(total)[told], rtol=1e-5, atol=1e-6)
    for gradient in torch.autograd.grad(scores.sum(), [queries, keys, weights]):
        assert gradient.isfinite().all()
    found = searched_scores(queries.detach().unsqueeze(0), search_keys(keys.detach()), weights.detach())
    torch.testing.assert_close(found[0], scores.detach())


def test_searched_scores_are_those_of_the_formula() -> None:
    for problems, width, count, scale in ((1, 1, 1, 1.0), (3, 2, 5, 3.0), (40, 5, 30, 1.0)):
        queries = normal(problems, width, 64, scale=scale).detach()
        keys, weights = normal(problems, count, 64, seed=1, scale=scale).detach(), normal(64, seed=2).detach()
        expected = torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1)) @ weights
        close(searched_scores(queries, search_keys(keys), weights), expected)


def test_dense_and_ragged_rows_score_alike() -> None:
    queries, keys, weights = normal(6, 3), normal(2, 4, 3, seed=1), normal(3, seed=2)
    dense = additive_scores(queries, keys, weights, Rows(torch.arange(6), 3), None)
    close(dense, additive_scores(queries, keys, weights, ragged([3, 3]), [4, 4]))


def test_gathering_undoes_spreading() -> None:
    values = normal(5, 2).detach()
    rows = ragged([2, 0, 3])
    spread = rows.spread(values, 3)
    assert spread.shape == (3, 3, 2)
    assert not spread[1].any()
    assert not spread[0, 2].any()
    assert torch.equal(rows.gathered(spread), values)
    for level in collate(list(small_problems().values()), TARGETS).trees.down:
        assert sum(level.rows.counts or ()) == len(level.rows.index) == len(level.left) == len(level.right)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.8])
def test_noise_drops_its_share_and_keeps_the_expectation(share: float) -> None:
    noise = Noise(share, torch.Generator())
    noise.seed(1)
    count = 400_000
    kept = noise(torch.ones(count))
    deviation = math.sqrt(share * (1 - share) / count)
    assert (kept == 0).double().mean() == pytest.approx(share, abs=0.002 + 5 * deviation)
    assert kept.double().mean() == pytest.approx(1, abs=5 * deviation / (1 - share))
    assert len(set(kept.tolist())) == 2  # dropped, or scaled


def test_the_random_bytes_behind_noise_are_fair() -> None:
    """Each of the 256 possible shares drops as many values as it should, and neighbors are independent."""
    noise = Noise(0.5, torch.Generator())
    noise.seed(2)
    kept = (noise(torch.ones(1 << 20)) > 0).double()
    by_place = kept.view(-1, 8).mean(0)  # the eight bytes of a random word
    assert by_place.tolist() == pytest.approx([0.5] * 8, abs=5 * 0.5 / math.sqrt(1 << 17))
    for apart in (1, 2, 7, 8, 64):
        together = (kept[apart:] * kept[:-apart]).mean()
        assert together == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / (1 << 20)))
    for dropped in (1, 17, 128, 200, 255):
        noise = Noise(dropped / 256, torch.Generator())
        noise.seed(dropped)
        share = (noise(torch.ones(1 << 20)) == 0).double().mean()
        chance = dropped / 256
        assert share == pytest.approx(chance, abs=5 * math.sqrt(chance * (1 - chance) / (1 << 20)))


def test_noise_depends_on_its_seed_alone() -> None:
    noise = Noise(0.5, torch.Generator())
    values = torch.ones(1000)

    def drawn(seed: int) -> list[Tensor]:
        noise.seed(seed)
        return [noise(values) for _ in range(3)]

    first, other, again = drawn(1), drawn(2), drawn(1)
    assert all(map(torch.equal, first, again))
    assert not torch.equal(first[0], other[0])
    assert not torch.equal(first[0], first[1])
    with torch.random.fork_rng():
        torch.manual_seed(0)  # the global generator must not matter
        assert all(map(torch.equal, drawn(1), first))


def test_all_bits_of_a_seed_count() -> None:
    """A trainer puts a run's seed above the bits of the step; torch's CPU generator reads only 32 bits."""
    noise = Noise(0.5, torch.Generator())
    masks = set()
    seeds = [*range(20), *(run << 40 | step for run in range(1, 20) for step in range(3)), -1]
    for seed in seeds:
        noise.seed(seed)
        masks.add(tuple(noise(torch.ones(64)).tolist()))
    assert len(masks) == len(seeds)


def test_noise_that_is_larger_than_a_pool_is_drawn_whole() -> None:
    noise = Noise(0.5, torch.Generator())
    noise.seed(0)
    assert noise(torch.ones(3, 1 << 19)).mean() == pytest.approx(1, abs=0.01)


def test_shares_of_nothing_and_of_nearly_everything() -> None:
    values = torch.arange(5.0)
    assert Noise(0.0, torch.Generator())(values) is values
    assert keep_all(values) is values
    noise = Noise(0.999, torch.Generator())
    noise.seed(0)
    assert (noise(torch.ones(10_000)) == 0).double().mean() > 0.99


def test_gradients_pass_where_noise_kept_a_value() -> None:
    noise = Noise(0.5, torch.Generator())
    noise.seed(0)
    values = torch.ones(100, requires_grad=True)
    noisy = noise(values)
    (gradient,) = torch.autograd.grad(noisy.sum(), values)
    assert torch.equal(gradient, noisy.detach())
