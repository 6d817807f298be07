"""A pretrained encoder tokenizes and computes like the reference implementation, and trains like the BiGRU."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from sau_solver.errors import InputError
from sau_solver.models.checkpoint import load_predictor, read_checkpoint, write_checkpoint
from sau_solver.models.encoders.pretrained import KINDS, find_encoder, read_pretrained
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import stack
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import EncodedProblem, Targets, encode_text
from sau_solver.text.numbers import NUMBER_WORD, map_text, shown_words
from sau_solver.text.pieces import END, START, Marks, Pieces
from sau_solver.text.tokens import NUMBER, UNKNOWN_WORD
from sau_solver.training.learning import Solver, learn
from sau_solver.training.training_options import TrainingOptions
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert, tiny_mpnet, words
from tests.training.tasks import SHORT, StoppedError, same, stop_after, task, weights

OPTIONS = SauOptions(hidden=12, dropout=0.2, minimum_word_count=1, minimum_constant_count=1)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module", params=[tiny_bert, tiny_mpnet])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = request.param(tmp_path_factory.mktemp("encoder"))
    return folder


def texts() -> list[tuple[str, ...]]:
    return [example.text.words for example in examples()]


# Tokens


def test_a_number_is_one_piece_and_words_know_where_they_begin() -> None:
    pieces = Pieces(("tom", "has", "apple", "##s", "."))
    text = map_text("Tom has 25 apples.", "en")
    ids, begins = pieces.read(text.words)
    assert ids == [START, 5, 6, NUMBER, 7, 8, 9, END]
    assert begins == [1, 2, 3, 4, 6]
    assert encode_text(text, pieces).places == (3,)


def test_a_number_shown_as_it_is_written_is_one_piece() -> None:
    text = map_text("Two boys share 25% of 1/3 litre, thrice, for 7 cents.", "en")
    words_of = shown_words(text)
    published = ["two", "boys", "th", "##rice", "%", "/", *map(str, range(10))]
    pieces = Pieces.build(published, [words_of], True, 1)
    ids, begins = pieces.read(words_of)
    names = dict(enumerate(pieces.pieces, 5)) | {NUMBER: "a number"}
    assert [names[ids[begins[place]]] for place in text.positions] == ["two", "NUM %", "NUM /", "a number", "NUM 0"]
    assert len(ids) == len(text.words) + 2
    found = pieces.stand_ins(published, Marks("<pad>", "<unk>", "<s>", "</s>"))
    stand_ins = dict(zip(pieces.pieces, found[5:], strict=True))
    assert found[:5] == [("<pad>",), ("<unk>",), tuple("123456789"), ("<s>",), ("</s>",)]
    assert stand_ins["NUM %"] == (*"123456789", "%")
    assert stand_ins["two"] == ("two",)


def test_an_unknown_word_is_one_piece_and_a_text_without_words_is_start_and_end() -> None:
    pieces = Pieces(("a", "##b"))
    assert pieces.read(["abb", "abc", "", "a" * 101])[0] == [START, 5, 6, 6, *[UNKNOWN_WORD] * 3, END]
    assert pieces.read([])[0] == [START, END]


# Characters whose category is the same in every version of Unicode.
CHARACTERS = st.one_of(st.characters(codec="gb2312"), st.characters(codec="latin-1"))


@pytest.mark.slow
@given(
    st.lists(st.text(CHARACTERS, min_size=1, max_size=12).filter(lambda word: word != NUMBER_WORD and "]" not in word))
)
def test_pieces_are_those_of_the_tokenizers_library(some: list[str]) -> None:
    tokenizer, pieces = _both()
    for word in [*some, *(word[1:] for word in words())]:
        expected = tokenizer.encode(word, add_special_tokens=False).tokens or ["[UNK]"]
        found = [pieces.pieces[index - 5] if index >= 5 else "[UNK]" for index in pieces.read([word])[0][1:-1]]
        assert found == expected


_MADE: list[tuple[Tokenizer, Pieces]] = []


def _both() -> tuple[Tokenizer, Pieces]:
    if not _MADE:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            tokenizer = Tokenizer.from_file(str(tiny_bert(Path(folder)) / "tokenizer.json"))
        vocabulary = tokenizer.get_vocab(with_added_tokens=False)
        _MADE.append((tokenizer, Pieces(tuple(sorted(vocabulary, key=vocabulary.__getitem__)))))
    return _MADE[0]


def test_a_vocabulary_is_reduced_to_pieces_of_training_texts_and_single_characters() -> None:
    published = ["apple", "pear", "##s", "##ing", "p", "##e", "的", "##的", "龘"]
    pieces = Pieces.build(published, [["apples", "pear"], ["apple"]], True, 2)
    assert pieces.pieces == ("apple", "##s", "p", "##e", "的")


# The encoder


@pytest.mark.slow
@pytest.mark.parametrize("layers", [0, 1])
def test_states_are_those_of_the_reference_implementation(encoder: Path, layers: int) -> None:
    found = read_pretrained(str(encoder), texts(), 1, layers)
    ours = KINDS[found.shape.kind].layers(len(found.tokens), found.shape)
    ours.load_state_dict(found.weights)
    import transformers

    reference = transformers.AutoModel.from_pretrained(encoder, add_pooling_layer=False)
    reference.eval()
    if layers:
        reference.encoder.layer = reference.encoder.layer[:layers]
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    for example in examples()[:6]:
        read = [word for word in example.text.words if word != NUMBER_WORD]
        ids, _ = found.tokens.read(read)
        given = tokenizer(read, is_split_into_words=True, return_tensors="pt")
        expected = reference(given["input_ids"]).last_hidden_state[0]
        padded = torch.tensor([[*ids, 0, 0, 0]])
        states = ours(padded, torch.tensor([len(ids)]), keep_all)[0, : len(ids)]
        torch.testing.assert_close(states, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_capital_letters_are_lowered_if_the_vocabulary_has_none(tmp_path: Path) -> None:
    found = read_pretrained(str(tiny_bert(tmp_path, lowercase=False)), texts(), 1)
    assert isinstance(found.tokens, Pieces)
    assert found.tokens.lowercase
    assert found.tokens.read(["A"]) == found.tokens.read(["a"])
    assert UNKNOWN_WORD not in found.tokens.read(["A"])[0]


@pytest.mark.slow
def test_a_text_longer_than_all_positions_is_read_to_its_end(encoder: Path) -> None:
    found = read_pretrained(str(encoder), texts(), 1)
    ours = KINDS[found.shape.kind].layers(len(found.tokens), found.shape)
    ours.load_state_dict(found.weights)
    assert found.shape.positions == 64
    states = ours(torch.full((1, 200), START), torch.tensor([200]), keep_all)
    assert states.shape == (1, 200, 16)
    assert states.isfinite().all()


@pytest.mark.slow
def test_no_operation_of_an_encoder_depends_on_values(encoder: Path) -> None:
    """A CUDA graph can record the encoder then. Tensors on the meta device have no values."""
    found = read_pretrained(str(encoder), texts(), 1)
    ours = KINDS[found.shape.kind].layers(len(found.tokens), found.shape).to("meta")
    pieces, lengths = (torch.empty(shape, dtype=torch.int64, device="meta") for shape in ((3, 9), (3,)))
    assert ours(pieces, lengths, keep_all).shape == (3, 9, 16)


def made(encoder: Path, seed: int) -> tuple[SauNetwork, list[EncodedProblem]]:
    found = read_pretrained(str(encoder), texts(), 1)
    targets = Targets.build([example.tree for example in examples()], 1)
    torch.manual_seed(seed)
    network = SauNetwork(len(found.tokens), targets, replace(OPTIONS, encoder=str(encoder)), found.shape)
    return network.double(), [encode_text(example.text, found.tokens) for example in examples()]


@pytest.mark.slow
def test_stacked_encoders_have_the_states_of_each(encoder: Path) -> None:
    networks = [made(encoder, seed)[0] for seed in range(3)]
    batch = collate_texts(made(encoder, 0)[1][:2] * 3)
    together = stack(networks).encode(batch, keep_all)[0]
    for run, network in enumerate(networks):
        torch.testing.assert_close(together[2 * run : 2 * run + 2], network.encode(batch, keep_all)[0][:2])


# Training


def trained(
    encoder: Path, folder: Path | None = None, training: TrainingOptions = SHORT, forms: bool = False
) -> Solver:
    options = replace(OPTIONS, encoder=str(encoder), number_forms=forms)
    (solver,) = learn([task(folder, options=options)], training)
    return solver


@pytest.mark.slow
@pytest.mark.parametrize("forms", [False, True])
def test_a_solver_with_a_pretrained_encoder_is_loaded_from_its_folder(
    encoder: Path, forms: bool, tmp_path: Path
) -> None:
    copied = shutil.copytree(encoder, tmp_path / "encoder")
    solver = trained(copied, tmp_path / "run", replace(SHORT, epochs=2), forms)
    shutil.rmtree(copied)  # a trained solver does not need the published encoder
    loaded = load_predictor(tmp_path / "run/model")
    some = [example.text for example in examples()]
    assert same(loaded, solver)
    assert loaded.predict(some) == solver.predict(some)
    assert loaded.vocabulary == solver.vocabulary


@pytest.mark.slow
def test_a_quantized_solver_has_almost_the_states_of_the_trained_one(encoder: Path, tmp_path: Path) -> None:
    solver = trained(encoder, tmp_path / "run", replace(SHORT, epochs=1))
    write_checkpoint(read_checkpoint(tmp_path / "run/model").quantized(127), tmp_path / "small")
    small = load_predictor(tmp_path / "small")
    assert small.network.shape == solver.network.shape
    batch = collate_texts([encode_text(example.text, solver.vocabulary) for example in examples()[:4]])
    with torch.no_grad():
        found, expected = (one.network.encode(batch, keep_all)[0] for one in (small, solver))
    assert 0 < float((found - expected).norm() / expected.norm()) < 0.01


@pytest.mark.slow
def test_an_interrupted_training_ends_with_the_same_weights(bert: Path, tmp_path: Path) -> None:
    options = replace(OPTIONS, encoder=str(bert))
    training = replace(SHORT, encoder_rate=1e-4, warmup=0.3)
    (whole,) = learn([task(options=options)], training)
    with pytest.raises(StoppedError):
        learn([task(tmp_path, options=options)], training, stop_after(3))
    (resumed,) = learn([task(tmp_path, options=options)], training, resume=True)
    assert same(whole, resumed)


@pytest.mark.slow
@pytest.mark.parametrize("tiny", [tiny_bert, tiny_mpnet])
def test_it_learns_example_problems_by_heart(tiny: Callable[..., Path], tmp_path: Path) -> None:
    encoder, learned = tiny(tmp_path, dropout=0.0), examples()[::3]
    options = replace(OPTIONS, encoder=str(encoder), hidden=64, dropout=0.0)
    training = TrainingOptions(
        epochs=100, batch=7, learning_rate=1e-2, encoder_rate=1e-3, schedule="cosine", device="cpu"
    )
    (solver,) = learn([task(options=options, learned=learned)], training)
    found = solver.predict([example.text for example in learned])
    right = sum(candidates[0].tree == one.tree for candidates, one in zip(found, learned, strict=True))
    assert right >= len(learned) - 1  # rounding differs between processors, and decides the last one


@pytest.mark.slow
def test_the_encoder_has_a_learning_rate_of_its_own(bert: Path) -> None:
    first = read_pretrained(str(bert), texts(), 1).weights
    plain = replace(SHORT, epochs=1, averaging=0.0, schedule="halving")

    def moved(solver: Solver) -> float:
        now, start = weights(solver), "encoder.pretrained."
        return max(float((now[start + name] - value).abs().max()) for name, value in first.items())

    slow, fast = (moved(trained(bert, training=replace(plain, encoder_rate=rate))) for rate in (1e-6, 0.0))
    assert 0 < slow < 1e-4 < fast


@pytest.mark.slow
def test_the_rate_grows_and_falls_step_by_step(bert: Path) -> None:
    from sau_solver.training.trainer import EpochReport

    told: list[EpochReport] = []
    training = replace(SHORT, epochs=4, warmup=0.5, learning_rate=1.0, encoder_rate=1e-9)
    learn([task(options=replace(OPTIONS, encoder=str(bert), dropout=0.0))], training, told.append)
    rates = [one.rate for one in told if not one.part]
    assert rates[0] < rates[1] > rates[2] > rates[3] == pytest.approx(0.0, abs=1e-12)


# Errors


@pytest.mark.slow
def test_an_encoder_is_found_by_its_hub_name_in_a_folder(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_ENCODERS", str(bert.parent))
    assert find_encoder(bert.name) == bert
    assert find_encoder("nobody/nothing") is None


@pytest.mark.slow
def test_a_deeper_encoder_has_each_layer_several_times(encoder: Path) -> None:
    read = read_pretrained(str(encoder), texts(), 1)
    deep = read_pretrained(str(encoder), texts(), 1, 4)
    assert (read.shape.layers, deep.shape.layers) == (2, 4)
    assert len(deep.weights) > len(read.weights)
    for name, value in deep.weights.items():
        found = re.sub(r"layers\.(\d)", lambda match: f"layers.{int(match[1]) // 2}", name)
        assert torch.equal(value, read.weights[found])


@pytest.mark.slow
def test_wrong_encoders_are_refused_with_a_reason(bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="must be an encoder of the Hugging Face hub or a folder with one"):
        read_pretrained("nobody/nothing", texts(), 1)
    with pytest.raises(InputError, match="must be bert or mpnet, got distilbert"):
        read_pretrained(changed(bert, tmp_path / "other", model_type="distilbert"), texts(), 1)
    with pytest.raises(InputError, match="encoder_layers must be at most 2"):
        read_pretrained(str(bert), texts(), 1, 3)
    broken = shutil.copytree(bert, tmp_path / "broken")
    (broken / "tokenizer.json").write_text("{")
    with pytest.raises(InputError, match="Copy the whole folder again"):
        read_pretrained(str(broken), texts(), 1)
    with pytest.raises(InputError, match="encoder_layers must be 0 or more and needs a pretrained encoder"):
        SauOptions(encoder_layers=2)


@pytest.mark.slow
def test_encoders_that_only_resemble_their_kind_are_refused(encoder: Path, tmp_path: Path) -> None:
    for name, entry, reason in (
        ("relu", {"hidden_act": "relu"}, "must use gelu and absolute positions"),
        ("buckets", {"relative_attention_num_buckets": 64}, "must use 32 buckets of distances"),
    ):
        with pytest.raises(InputError, match=reason):
            read_pretrained(changed(encoder, tmp_path / name, **entry), texts(), 1)
    (other,) = {"bert", "mpnet"} - {json.loads((encoder / "config.json").read_text())["model_type"]}
    with pytest.raises(InputError, match=f"is missing in this {other}. Choose another encoder."):
        read_pretrained(changed(encoder, tmp_path / "kind", model_type=other), texts(), 1)
    cut = Path(changed(encoder, tmp_path / "cut"))
    whole = (cut / "model.safetensors").read_bytes()
    (cut / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"model\.safetensors: this file of the pretrained encoder cannot be read"):
        read_pretrained(str(cut), texts(), 1)


def changed(encoder: Path, folder: Path, **entries: object) -> str:
    """Return a copy of an encoder with other entries in its config.json."""
    path = shutil.copytree(encoder, folder) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return str(folder)
