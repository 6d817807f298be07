"""A network learns from the opinion of trained networks, alone and stacked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.checkpoint import read_checkpoint, write_checkpoint
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.loading import shipped_folder
from sau_solver.models.network import stack
from sau_solver.models.options import GtsOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.sau.teachers import weights_with_layers
from sau_solver.models.sau.tree_batch import PaddedTrees
from sau_solver.text.pieces import Pieces
from sau_solver.training.first_weights import started_from
from sau_solver.training.learning import Solver, learn
from sau_solver.training.training_options import TrainingOptions
from tests.models.cases import TARGETS, VARIANTS, WORDS, small_problems
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert
from tests.training.tasks import SHORT, TINY, StoppedError, same, stop_after, task


def networks(count: int) -> list[SauNetwork]:
    made = []
    with torch.random.fork_rng():
        for seed in range(count):
            torch.manual_seed(seed)
            made.append(SauNetwork(WORDS, TARGETS, VARIANTS[0]).double())
    return made


def padded() -> PaddedTrees:
    return PaddedTrees(list(small_problems().values()), TARGETS, torch.device("cpu"))


def test_the_loss_is_shared_between_gold_symbols_and_the_mean_opinion() -> None:
    network, one, two = networks(3)
    problems = padded()
    batch = problems.pick(torch.arange(problems.blank))
    plain = network.losses(batch, keep_all)
    aligned = float(network.ssar * plain.alignment.detach())
    gold = float(plain.total.detach()) - aligned
    counted = batch.trees.scored.index_select(0, batch.trees.nodes.index)
    logs = []
    for each in (network, one, two):
        scores, real, _ = each.scored(batch, each.write(batch, keep_all), keep_all)
        logs.append(scores.masked_fill(~real, -torch.inf).log_softmax(1))
    opinion = (logs[1].exp() + logs[2].exp()) / 2
    told = -(opinion * logs[0].nan_to_num(neginf=0)).sum(1) @ counted.double() / problems.blank
    for share in (0.25, 1.0):
        network.learn_from([one, two], share)
        total = float(network.losses(batch, keep_all).total.detach())
        assert total == pytest.approx((1 - share) * gold + share * float(told.detach()) + aligned)


def test_stacked_networks_have_the_losses_of_each_alone() -> None:
    first, second, teacher = networks(3)
    problems = padded()
    alone = []
    for network in (first, second):
        network.learn_from([teacher], 0.5)
        alone.append(float(network.losses(problems.pick(torch.arange(problems.blank)), keep_all).total.detach()))
    together = stack([first, second]).double()
    together.learn_from([stack([teacher, teacher]).double()], 0.5)
    both = together.losses(problems.pick(torch.arange(problems.blank).repeat(2), 2), keep_all)
    assert float(both.total.detach()) == pytest.approx(sum(alone))


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> tuple[Solver, Path]:
    folder = tmp_path_factory.mktemp("teacher")
    (solver,) = learn([task(folder, seed=3)], replace(SHORT, epochs=20))
    return solver, folder / "model"


@pytest.mark.slow
def test_a_network_that_is_taught_thinks_more_like_its_teacher(teacher: tuple[Solver, Path]) -> None:
    solver, folder = teacher
    options = replace(TINY, dropout=0.0)
    training = TrainingOptions(epochs=30, batch=11, learning_rate=1e-2, device="cpu")
    texts, trees = [one.text for one in examples()], [[one.tree] for one in examples()]

    def opinion(solver: Solver) -> torch.Tensor:
        assert isinstance(solver, SauPredictor)
        return torch.tensor(solver.log_probabilities(texts, trees))

    (alone,) = learn([task(options=options)], training)
    (taught,) = learn([task(options=options)], replace(training, teachers=(str(folder),), teacher_share=1.0))
    wanted = opinion(solver)
    assert (opinion(taught) - wanted).abs().mean() < 0.5 * (opinion(alone) - wanted).abs().mean()


@pytest.mark.slow
def test_a_taught_training_resumes_where_it_was_stopped(teacher: tuple[Solver, Path], tmp_path: Path) -> None:
    training = replace(SHORT, teachers=(str(teacher[1]),))
    (whole,) = learn([task()], training)
    with pytest.raises(StoppedError):
        learn([task(tmp_path)], training, stop_after(3))
    (resumed,) = learn([task(tmp_path)], training, resume=True)
    assert same(whole, resumed)


@pytest.mark.slow
def test_a_teacher_of_other_data_is_refused(teacher: tuple[Solver, Path]) -> None:
    with pytest.raises(InputError, match="teachers must have learned from the same data"):
        learn([task(learned=examples()[:5])], replace(SHORT, teachers=(str(teacher[1]),)))


@pytest.mark.slow
def test_only_sau_learns_from_teachers(tmp_path: Path) -> None:
    options = GtsOptions(embedding=6, hidden=8, minimum_word_count=1)
    learn([task(tmp_path, options=options)], replace(SHORT, epochs=1))
    with pytest.raises(InputError, match="teachers needs the model sau, got gts"):
        learn([task(options=options)], replace(SHORT, teachers=(str(tmp_path / "model"),)))


def test_every_second_layer_of_a_trained_encoder_is_kept() -> None:
    weights = {f"encoder.pretrained.layers.{layer}.norm.weight": torch.tensor(layer) for layer in range(12)}
    weights["decoder.leaves"] = torch.tensor(-1)
    kept = {name: int(value) for name, value in weights_with_layers(weights, 6).items()}
    assert kept.pop("decoder.leaves") == -1
    assert kept == {f"encoder.pretrained.layers.{place}.norm.weight": 2 * place + 1 for place in range(6)}
    assert list(map(int, weights_with_layers(weights, 5).values())) == [1, 3, 6, 8, 11, -1]
    assert weights_with_layers(weights, 12) == weights_with_layers(weights, 0) == weights


@pytest.mark.slow
def test_a_training_begins_with_the_weights_of_a_trained_network(teacher: tuple[Solver, Path]) -> None:
    solver, folder = teacher
    nearly_none = replace(SHORT, epochs=1, learning_rate=1e-9, start=str(folder))
    (begun,) = learn([task(seed=8)], nearly_none)
    wanted = dict(solver.network.state_dict())
    for name, value in begun.network.state_dict().items():
        torch.testing.assert_close(value, wanted[name], atol=1e-5, rtol=0)


@pytest.mark.slow
def test_a_shipped_model_can_be_continued_though_it_lacks_the_weights_that_only_training_uses(
    teacher: tuple[Solver, Path], tmp_path: Path
) -> None:
    solver, folder = teacher
    shipped = read_checkpoint(folder).quantized(127)
    assert not any(name.startswith("alignment.") for name in shipped.weights)
    write_checkpoint(shipped, tmp_path / "shipped")
    nearly_none = replace(SHORT, start=str(tmp_path / "shipped"), epochs=1, learning_rate=1e-9)
    first, second = (learn([task()], nearly_none)[0] for _ in range(2))
    assert same(first, second)  # the new weights come from the seed
    wanted = dict(solver.network.state_dict())
    for name, value in first.network.state_dict().items():
        if not name.startswith("alignment."):
            torch.testing.assert_close(value, wanted[name], atol=0.02, rtol=0)


@pytest.mark.slow
def test_a_trained_network_learns_other_problems_with_its_own_words_and_symbols(teacher: tuple[Solver, Path]) -> None:
    solver, folder = teacher
    (tuned,) = learn([task(learned=examples()[:5])], replace(SHORT, start=str(folder)))
    assert tuned.vocabulary == solver.vocabulary
    assert tuned.network.targets == solver.network.targets
    assert not same(tuned, solver)
    options = GtsOptions(embedding=6, hidden=8, minimum_word_count=1)
    with pytest.raises(InputError, match=r"\[training\] start must be a gts network"):
        learn([task(options=options)], replace(SHORT, start=str(folder)))


def test_a_training_starts_from_a_folder_or_from_a_shipped_model() -> None:
    assert started_from("zh") == shipped_folder("zh")
    assert started_from("runs/zh/model") == Path("runs/zh/model")


@pytest.mark.slow
def test_a_network_begins_with_some_layers_of_a_deeper_one(tmp_path: Path) -> None:
    encoder = str(tiny_bert(tmp_path / "bert"))
    options = replace(TINY, encoder=encoder)
    (deep,) = learn([task(tmp_path, options=options)], replace(SHORT, epochs=1))
    nearly_none = replace(SHORT, epochs=1, learning_rate=1e-9, start=str(tmp_path / "model"))
    (flat,) = learn([task(options=replace(options, encoder_layers=1), seed=8)], nearly_none)
    assert (deep.network.depth, flat.network.depth) == (2, 1)
    last, only = deep.network.encoder.pretrained.layers[1], flat.network.encoder.pretrained.layers[0]
    torch.testing.assert_close(only.wide.weight, last.wide.weight, atol=1e-5, rtol=0)
    with pytest.raises(CheckpointError, match="do not fit this network"):
        learn([task(options=replace(options, hidden=20))], nearly_none)


def pieces_of(solver: Solver) -> tuple[str, ...]:
    assert isinstance(solver.vocabulary, Pieces)
    return solver.vocabulary.pieces


def embedding(solver: Solver, piece: str) -> torch.Tensor:
    pieces = pieces_of(solver)
    weights: dict[str, torch.Tensor] = dict(solver.network.state_dict())
    return weights["encoder.pretrained.embedding.weight"][len(solver.vocabulary) - len(pieces) + pieces.index(piece)]


@pytest.mark.slow
def test_a_continued_network_gets_the_words_and_symbols_of_its_teacher(tmp_path: Path) -> None:
    options = replace(TINY, encoder=str(tiny_bert(tmp_path / "bert")))
    (old,) = learn([task(tmp_path / "old", options=options, learned=examples()[:3])], replace(SHORT, epochs=1))
    (teacher,) = learn([task(tmp_path / "teacher", options=options, seed=5)], replace(SHORT, epochs=1))
    nearly_none = replace(SHORT, epochs=1, learning_rate=1e-9, start=str(tmp_path / "old/model"))
    taught = replace(nearly_none, teachers=(str(tmp_path / "teacher/model"),))
    (solver,) = learn([task(options=options, seed=8)], taught)
    assert (solver.vocabulary, solver.network.targets) == (teacher.vocabulary, teacher.network.targets)
    old_pieces, new_pieces = pieces_of(old), pieces_of(solver)
    assert set(new_pieces) - set(old_pieces)
    assert set(new_pieces) & set(old_pieces)
    for piece in new_pieces:
        wanted = embedding(old if piece in old_pieces else teacher, piece)
        torch.testing.assert_close(embedding(solver, piece), wanted, atol=1e-5, rtol=0)
    leaves = {one: dict(one.network.state_dict())["decoder.leaves"] for one in (old, solver)}
    for number in set(old.network.targets.constants) & set(solver.network.targets.constants):
        own, kept = (
            leaves[one][len(one.network.targets.unknowns) + one.network.targets.constants.index(number)]
            for one in (solver, old)
        )
        torch.testing.assert_close(own, kept, atol=1e-5, rtol=0)


@pytest.mark.slow
def test_a_continued_network_without_pieces_cannot_get_other_words(
    teacher: tuple[Solver, Path], tmp_path: Path
) -> None:
    learn([task(tmp_path, learned=examples()[:5])], replace(SHORT, epochs=1))
    training = replace(SHORT, start=str(tmp_path / "model"), teachers=(str(teacher[1]),))
    with pytest.raises(InputError, match="start must know the words and symbols of the first teacher"):
        learn([task()], training)


@pytest.mark.parametrize("share", [0.0, 1.5])
def test_the_share_is_checked(share: float) -> None:
    with pytest.raises(InputError, match="teacher_share must be above 0"):
        TrainingOptions(teacher_share=share)
