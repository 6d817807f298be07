"""Solving without torch gives the candidates of the torch network, which is the oracle here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from sau_solver.errors import CheckpointError, NotATreeError
from sau_solver.models.checkpoint import Checkpoint, load_predictor, write_checkpoint
from sau_solver.models.checkpoint_files import read_files
from sau_solver.models.encoders.mpnet import buckets
from sau_solver.models.inference.array_encoder import bucket_of
from sau_solver.models.inference.array_predictor import ArrayPredictor, is_readable
from sau_solver.models.inference.onnx_graph import default_threads
from sau_solver.models.loading import load_model, shipped_folder
from sau_solver.models.network_shapes import BertShape, MpnetShape, network_shapes
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.targets import Targets
from sau_solver.text.numbers import map_text
from sau_solver.text.pieces import Pieces
from sau_solver.text.screening import screen
from tests.models.networks import small_solver
from tests.models.problems import examples

ROOT = Path(__file__).parents[3]
SIZES = {"layers": 2, "size": 16, "heads": 2, "inner": 24, "positions": 20}  # some texts are longer than 20 pieces
TEXTS = [example.text for example in examples()]
LONG = map_text("Tom has 3 pears, 3 plums and 4 figs, " * 3 + "and Ann has 3 more. How many are there?", "en")


def network(shape: BertShape, **options: Any) -> SauPredictor:
    """Return a random network that is sure enough of what it writes."""
    chosen = SauOptions(embedding=5, hidden=12, dropout=0.0, longest_tree=13, encoder="some/encoder", **options)
    words = {word.lower() for text in TEXTS for word in text.words}
    pieces = Pieces(tuple(sorted(words - {"<NUM>", "<num>"})))
    targets = Targets.build([example.tree for example in examples()], 1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        made = SauNetwork(len(pieces), targets, chosen, shape)
        with torch.no_grad():
            for name, parameter in made.named_parameters():
                if "norm" not in name:  # noise that the size of a layer does not amplify: rounding must not decide
                    parameter.add_(torch.randn_like(parameter) * 2 * parameter.shape[-1] ** -0.5)
    return SauPredictor(made.eval(), pieces)


def stored(solver: SauPredictor, folder: Path, most: int = 0) -> Path:
    """Write a network to a folder, with weights up to `most` if they are to be integers."""
    model, vocabulary = solver.describe()
    weights = {name: value.clone() for name, value in solver.network.state_dict().items()}
    checkpoint = Checkpoint(model, {"language": "en"}, {}, vocabulary, weights)
    write_checkpoint(checkpoint.quantized(most) if most else checkpoint, folder)
    return folder


@pytest.mark.parametrize(
    ("shape", "options", "most"),
    [
        (BertShape(**SIZES), {}, 0),
        (MpnetShape(**SIZES), {"number_forms": True}, 0),
        (BertShape(**SIZES), {"operator_score": "linear", "operator_size": "embedding"}, 0),
        (MpnetShape(**(SIZES | {"size": 512, "inner": 32})), {"repeated_number": "mean"}, 127),
        (MpnetShape(**(SIZES | {"size": 512, "inner": 33})), {}, 7),
        (BertShape(**SIZES), {"idle_head": True, "ssar": 0.1}, 0),  # the head of the alignment is not read
    ],
    ids=["bert", "mpnet", "linear scores", "integers", "pairs of integers", "aligned"],
)
@pytest.mark.parametrize("beam", [1, 5])
def test_candidates_and_attention_are_those_of_the_torch_network(
    shape: BertShape, options: dict[str, Any], most: int, beam: int, tmp_path: Path
) -> None:
    folder = stored(network(shape, **options), tmp_path / "model", most)
    oracle, fast = load_predictor(folder), ArrayPredictor.read(read_files(folder))
    texts = [*TEXTS, LONG]
    expected, found = oracle.predict(texts, beam), fast.predict(texts, beam)
    assert [[one.tree for one in own] for own in found] == [[one.tree for one in own] for own in expected]
    for mine, theirs in zip(found, expected, strict=True):
        logs = [[one.log_probability for one in own] for own in (mine, theirs)]
        assert logs[0] == pytest.approx(logs[1], abs=1e-3)
    assert isinstance(oracle, SauPredictor)
    for text, (best, *_) in zip(texts[:3], expected, strict=False):
        assert np.allclose(fast.attended(text, best.tree), oracle.attended(text, best.tree), atol=1e-4)
    assert [fast.unknown_words(text) for text in texts] == [oracle.unknown_words(text) for text in texts]


def test_many_texts_have_the_candidates_of_each_alone(tmp_path: Path) -> None:
    fast = ArrayPredictor.read(read_files(stored(network(BertShape(**SIZES)), tmp_path / "model")))
    texts = [*TEXTS, LONG] * 5
    together = fast.predict(texts)
    assert len(texts) > 2 * 16  # several batches
    alone = [fast.predict([text])[0] for text in texts[: len(TEXTS) + 1]] * 5
    assert [[one.tree for one in own] for own in together] == [[one.tree for one in own] for own in alone]
    assert fast.predict([]) == []


def test_a_tree_with_a_number_that_the_text_lacks_has_no_attention(tmp_path: Path) -> None:
    fast = ArrayPredictor.read(read_files(stored(network(BertShape(**SIZES)), tmp_path / "model")))
    most = max(examples(), key=lambda example: len(example.tree.slots()))
    with pytest.raises(NotATreeError, match="the text has 0 numbers"):
        fast.attended(map_text("How many?", "en"), most.tree)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_models_find_the_candidates_of_the_torch_network(language: str) -> None:
    folder = shipped_folder("zh" if language == "zh" else "en")
    lines = map(json.loads, (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines())
    texts = [screen(one["text"]).mapped for one in lines if f"-{language}" in one["id"]]
    oracle, fast = load_predictor(folder), ArrayPredictor.read(read_files(folder))
    for mine, theirs in zip(fast.predict(texts), oracle.predict(texts), strict=True):
        assert [one.tree for one in mine] == [one.tree for one in theirs]
        logs = [[one.log_probability for one in own] for own in (mine, theirs)]
        assert logs[0] == pytest.approx(logs[1], abs=1e-4)


@pytest.mark.parametrize("shape", [BertShape(**SIZES), MpnetShape(**SIZES)], ids=["bert", "mpnet"])
@pytest.mark.parametrize("score", ["additive", "linear"])
def test_the_shapes_of_weights_are_those_of_the_torch_network(shape: BertShape, score: str) -> None:
    made = network(shape, operator_score=score, ssar=0.0).network
    expected = {name: tuple(value.shape) for name, value in made.state_dict().items()}
    assert network_shapes(made.options, shape, made.targets, made.words) == expected


def test_other_networks_are_left_to_torch(tmp_path: Path) -> None:
    solver, _ = small_solver("sau")  # with a BiGRU
    model, vocabulary = solver.describe()
    weights = {name: value.clone() for name, value in solver.network.state_dict().items()}
    write_checkpoint(Checkpoint(model, {}, {}, vocabulary, weights), tmp_path / "model")
    assert not is_readable(read_files(tmp_path / "model"))
    assert isinstance(load_model(tmp_path / "model").predictor, SauPredictor)
    pretrained = stored(network(BertShape(**SIZES)), tmp_path / "pretrained")
    assert isinstance(load_model(pretrained).predictor, ArrayPredictor)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weights: weights.pop("decoder.leaves"), "missing: decoder.leaves"),
        (lambda weights: weights.update({"decoder.leafs": torch.ones(2)}), "unexpected: decoder.leafs"),
        (lambda weights: weights.update({"decoder.leaves": torch.ones(2, 3)}), "decoder.leaves must be floats"),
        (lambda weights: weights.update({"decoder.leaves": weights["decoder.leaves"].long()}), "must be floats"),
    ],
)
def test_weights_that_do_not_fit_are_refused(change: Any, message: str, tmp_path: Path) -> None:
    solver = network(BertShape(**SIZES))
    model, vocabulary = solver.describe()
    weights = {name: value.clone() for name, value in solver.network.state_dict().items()}
    change(weights)
    write_checkpoint(Checkpoint(model, {}, {}, vocabulary, weights), tmp_path / "model")
    with pytest.raises(CheckpointError, match=message):
        load_model(tmp_path / "model")


def test_distances_have_the_same_buckets() -> None:
    distances = np.arange(-200, 201)
    assert bucket_of(distances).tolist() == buckets(torch.from_numpy(distances)).tolist()


@pytest.mark.parametrize(("told", "threads"), [("3", 3), ("1", 1)])
def test_the_number_of_threads_can_be_set(told: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert default_threads() == threads
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert default_threads() >= 1


@pytest.mark.parametrize("most", [1, 30])
def test_texts_that_are_encoded_a_few_at_a_time_have_the_same_candidates(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = ArrayPredictor.read(read_files(stored(network(MpnetShape(**SIZES)), tmp_path / "model")))
    texts = [*TEXTS, LONG]
    together = fast.predict(texts, 3)
    monkeypatch.setattr("sau_solver.models.inference.array_encoder.MAX_PIECES", most)
    for mine, theirs in zip(fast.predict(texts, 3), together, strict=True):
        assert [one.tree for one in mine] == [one.tree for one in theirs]
        assert [one.log_probability for one in mine] == pytest.approx([one.log_probability for one in theirs], abs=1e-4)
