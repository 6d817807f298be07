"""The table [mixture] of an experiment: it is checked, a network learns from it, and its sources are not tested."""

from __future__ import annotations

import dataclasses
import gzip
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sau_solver.curriculum.additions import additions
from sau_solver.data import load
from sau_solver.data.prepared.mixtures import gather_mixture
from sau_solver.errors import CheckpointError, InputError, RowError, SauError
from sau_solver.experiments.config import ExperimentConfig, load_config, parse_config, with_defaults
from sau_solver.experiments.crossval import crossval_all
from sau_solver.experiments.evaluation import evaluate, evaluate_trained
from sau_solver.experiments.material import gather
from sau_solver.experiments.runs import Run
from sau_solver.experiments.training_runs import check_training, train
from sau_solver.models.checkpoint import read_checkpoint
from tests.data.prepared.small_mixture import mawps, write, write_small_corpora
from tests.experiments.config_text import config_text
from tests.experiments.conftest import corpus as small_corpus
from tests.experiments.conftest import problems

CONFIGS = Path(__file__).parents[2] / "configs"
CONFIG = """
[experiment]
name = "mixed"
model = "sau"
text = "raw"
equations = "ordered"

[mixture]
language = "en"
sources = ["alg514", "mawps", "gsm8k"]
test = ["alg514/fold0", "gsm8k/test"]
validation = ["mawps/slice3"]
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_small_corpora(tmp_path / "data", monkeypatch)


@pytest.fixture
def config() -> ExperimentConfig:
    return parse_config(CONFIG)


class TestConfiguration:
    def test_it_survives_the_round_trip(self, config: ExperimentConfig) -> None:
        assert parse_config(config_text(config)) == config
        assert config.mixture is not None
        assert config.mixture.sources == ("alg514", "mawps", "gsm8k")
        assert (config.mixture.checked, config.mixture.near, config.mixture.within) == (True, 0.8, "words")

    def test_options_for_more_problems_survive_the_round_trip(self) -> None:
        config = parse_config(CONFIG + MORE)
        assert parse_config(config_text(config)) == config != parse_config(CONFIG)
        assert config.one_mixture().weights == {"mawps": 2.0, "curriculum": 0.5}
        assert config.one_mixture().made == ("curriculum", "augmented")
        assert len({config, parse_config(CONFIG + MORE), parse_config(CONFIG)}) == 2  # runs are keys of dictionaries
        changed = parse_config(CONFIG + MORE, ["mixture.weights={ mawps = 3.0 }", "mixture.generated=0"])
        assert changed.one_mixture().weights == {"mawps": 3.0}

    def test_options_that_a_stored_configuration_lacks_had_their_defaults(self, config: ExperimentConfig) -> None:
        fields = config.run_fields()
        older = {name: value for name, value in fields["mixture"].items() if name in OLDER}
        assert with_defaults(fields | {"mixture": older}) == fields

    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_the_shipped_configurations_hold_out_school_and_what_earlier_ones_held_out(self, language: str) -> None:
        shipped = load_config(CONFIGS / f"shipped/shipped-{language}.toml").one_mixture()
        school = load_config(CONFIGS / f"choices/f0-{language}-school.toml").one_mixture()
        assert {f"school-{language}", f"workbook-{language}", f"stories-{language}"} <= set(shipped.sources)
        assert {f"school-{language}/test", f"school-{language}/transfer"} <= set(school.test) <= set(shipped.test)
        assert f"school-{language}/validation" in school.validation
        assert set(school.validation) <= set(shipped.validation)
        assert shipped.asked_first

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            (
                'name = "mixed"',
                'name = "mixed"\ncorpus = "alg514"',
                r"either a corpus or a table \[mixture\], got both",
            ),
            ("sources", "source", "Did you mean sources"),
            ('"mawps", ', '"mwaps", ', "Did you mean mawps"),
            ('"mawps", ', '"hmwp", ', r"the language en, got hmwp \(zh\)"),
            ('"mawps", ', '"alg514", ', "must name alg514 only once"),
            ('validation = ["mawps/slice3"]', 'validation = ["gsm8k/test"]', "must name gsm8k/test only once"),
            ("alg514/fold0", "alg514", r"given as alg514/test or alg514/fold0, got 'alg514'"),
            ('language = "en"', 'language = "de"', "zh, en"),
            ('language = "en"', 'language = "en"\nnear = 0', "near must be above 0 and at most 1, got 0"),
            ('language = "en"', 'language = "en"\nwithin = "numbers"', "words, text"),
            ('language = "en"', 'language = "en"\nweights = 2.0', r"weights must be a table such as .*, got 2.0"),
            ('language = "en"', 'language = "en"\nweights = { mawps = "2" }', "weights.mawps must be float, got '2'"),
            ('text = "raw"', 'test = "validation"', "Remove division and test"),
            ('model = "sau"', 'model = "retrieval"', r"\[mixture\] works with sau"),
        ],
    )
    def test_what_is_wrong_is_said_with_the_way_out(self, old: str, new: str, message: str) -> None:
        assert old in CONFIG
        with pytest.raises(SauError, match=message):
            parse_config(CONFIG.replace(old, new, 1))

    def test_an_experiment_needs_a_corpus_or_a_mixture(self) -> None:
        with pytest.raises(InputError, match=r"either a corpus or a table \[mixture\], got neither"):
            parse_config('[experiment]\nname = "a"\nmodel = "sau"\n')

    @pytest.mark.parametrize(
        "use",
        [lambda c: crossval_all([c]), gather, lambda c: evaluate(c, small_corpus())],
        ids=["crossval", "gather", "evaluate"],
    )
    def test_there_are_no_folds_to_cross_validate(
        self, config: ExperimentConfig, use: Callable[[ExperimentConfig], object]
    ) -> None:
        with pytest.raises(InputError, match=r"a mixture of alg514, mawps, gsm8k. Train a mixture with sau train"):
            use(config)

    def test_a_fold_is_refused_in_training(self, config: ExperimentConfig, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match=r"held-out parts of its own \(alg514/fold0, gsm8k/test\). Leave --fold out"
        ):
            check_training(Run(config, 0, 0, tmp_path), resume=False)

    def test_a_corpus_has_no_mixture(self) -> None:
        with pytest.raises(InputError, match=r"must have a table \[mixture\], got the corpus alg514"):
            load_config(CONFIGS / "paper/sau-alg514.toml").one_mixture()


# Lines of [mixture] for problems beside the corpora.
MORE = """weights = { mawps = 2, curriculum = 0.5 }
generated = 40
augmented = 0.5
asked_first = true
"""
# The options of [mixture] when the first models were shipped.
OLDER = ("language", "sources", "test", "validation", "checked", "near", "within")

NETWORK = """
[sau]
embedding = 6
hidden = 8
minimum_word_count = 1
minimum_constant_count = 1

[training]
epochs = 1
batch = 8
device = "cpu"
"""


class TestTraining:
    @pytest.mark.slow
    @pytest.mark.usefixtures("data")
    def test_a_network_learns_from_generated_problems_and_copies_with_weights(self, tmp_path: Path) -> None:
        config = parse_config(CONFIG + MORE + NETWORK)
        material = gather_mixture(config.one_mixture(), config.text, config.equations, make=additions)
        run = Run(config, None, 0, tmp_path / "runs")
        assert train(run) == len(material.train)
        assert read_checkpoint(run.model).data == material.data
        assert train(run) == len(material.train)
        other = parse_config(CONFIG + MORE + NETWORK, ["mixture.weights={ mawps = 3.0 }"])
        with pytest.raises(CheckpointError, match=r"weights was .* and is {'mawps': 3.0}"):
            train(dataclasses.replace(run, config=other))

    @pytest.mark.slow
    def test_a_network_learns_from_the_mixture_and_remembers_it(self, data: Path, tmp_path: Path) -> None:
        config = parse_config(CONFIG + NETWORK)
        material = gather_mixture(config.one_mixture(), config.text, config.equations, data)
        run = Run(config, None, 0, tmp_path / "runs")
        assert train(run) == len(material.train)
        assert run.model == tmp_path / "runs" / "mixed" / "all-seed0" / "model"
        assert read_checkpoint(run.model).data == material.data
        assert train(run) == len(material.train)  # the same mixture is not trained again

    @pytest.mark.slow
    def test_rows_that_cannot_be_read_are_reported_with_their_corpus(self, data: Path, tmp_path: Path) -> None:
        path = data / "mawps/mawps.jsonl.gz"
        path.write_bytes(gzip.decompress(path.read_bytes())[:-20])
        reported: dict[str, Sequence[RowError]] = {}
        train(Run(parse_config(CONFIG + NETWORK), None, 0, tmp_path), on_rejected=reported.__setitem__)
        assert list(reported) == ["mawps"]
        (error,) = reported["mawps"]
        assert str(error).endswith("the last line is incomplete (file truncated?)")

    @pytest.mark.slow
    def test_what_it_learned_from_is_not_tested(self, data: Path, tmp_path: Path) -> None:
        run = Run(parse_config(CONFIG + NETWORK), None, 0, tmp_path)
        train(run)
        with pytest.raises(
            InputError, match=r"trained on a mixture with mawps.*a held-out part: alg514/fold0, gsm8k/test"
        ):
            evaluate_trained(run.model, load("mawps", data))
        write(data, {"mawps": mawps()[3:]})
        with pytest.raises(InputError, match="trained on a mixture with mawps"):
            evaluate_trained(run.model, load("mawps", data))
        assert evaluate_trained(run.model, load("gsm8k", data).part("test"), beam=1).problems == 1  # held out
        with pytest.raises(InputError, match="trained on a mixture with gsm8k"):
            evaluate_trained(run.model, load("gsm8k", data).part("train"))
        other = dataclasses.replace(small_corpus(), name="mine", problems=problems()[:2])
        assert evaluate_trained(run.model, other, beam=1).problems == 2
