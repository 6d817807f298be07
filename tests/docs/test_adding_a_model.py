"""docs/adding-a-model.md, followed to the letter, and what a configuration says where its file is wrong."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, load_config, parse_config
from sau_solver.experiments.own_models import file_of
from sau_solver.experiments.results import ResultStore
from tests.docs.pages import ROOT, Reader
from tests.experiments.config_text import config_text

MODEL = """
from dataclasses import dataclass
from typing import ClassVar
from sau_solver.models.options import LearnerOptions

@dataclass(frozen=True, slots=True)
class Options(LearnerOptions):
    model: ClassVar[str] = "silent"
    patience: int = 3

    def build(self):
        return Silent()

class Silent:
    name = "silent"

    def fit(self, examples):
        pass

    def predict(self, texts, beam=5):
        return [[] for _ in texts]
"""
CONFIG = """
[experiment]
name = "silent-alg514"
corpus = "alg514"
model = "silent"
file = "silent_model.py"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder with a model and its configuration; importing the model must not change sys.path."""
    (tmp_path / "silent_model.py").write_text(MODEL, encoding="utf-8")
    (tmp_path / "silent.toml").write_text(CONFIG, encoding="utf-8")
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    assert sys.path == path
    for name in set(sys.modules) - modules:
        if name.startswith("own_model_"):
            del sys.modules[name]


@pytest.fixture(scope="session")  # the tests of a worker may come in any order
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Return someone who has done what the page says."""
    reader = Reader(ROOT / "docs/adding-a-model.md", tmp_path_factory.mktemp("page"))
    assert len(reader.follow()) == 5
    return reader


@pytest.mark.slow
@pytest.mark.xdist_group("adding-a-model")
def test_the_page_can_be_followed_to_the_letter(reader: Reader) -> None:
    for name in ("most-common", "neighbors"):
        runs = ResultStore(reader.folder / "results", f"{name}-toy").runs()
        assert len(runs) == 5
        result = runs[0]
        assert (result.model, result.config["model"]) == (name, name)
        assert len(result.config["code"]) == 64


@pytest.mark.slow
@pytest.mark.xdist_group("adding-a-model")
def test_a_changed_file_makes_other_results(reader: Reader, tmp_path: Path) -> None:
    folder = shutil.copytree(reader.folder, tmp_path / "page")
    path = folder / "configs" / "most_common.py"
    path.write_text(path.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    refused = reader.run("sau report", folder)
    assert refused.returncode == 2
    assert "code = " in refused.stderr
    assert reader.run("sau crossval configs/most-common-toy.toml", folder).returncode == 0
    assert reader.run("sau report", folder).returncode == 0


@pytest.mark.slow
@pytest.mark.xdist_group("adding-a-model")
def test_a_trained_network_of_ones_own_is_opened_with_its_options(reader: Reader, tmp_path: Path) -> None:
    folder = shutil.copytree(reader.folder, tmp_path / "page")
    trained = reader.run("sau train configs/neighbors-toy.toml --set training.epochs=2", folder)
    assert trained.returncode == 0, trained.stderr
    code = (
        "from pathlib import Path\n"
        "from neighbors import NeighborOptions\n"
        "from sau_solver.errors import CheckpointError\n"
        "from sau_solver.text.numbers import map_text\n"
        "from sau_solver.models.checkpoint import load_predictor\n"
        "folder = Path('../runs/neighbors-toy/all-seed0/model')\n"
        "solver = load_predictor(folder, own=NeighborOptions)\n"
        "print(solver.name, len(solver.predict([map_text('Ann has 12 pears and 3 apples.')])[0]))\n"
        "try:\n    load_predictor(folder)\nexcept CheckpointError as error:\n    print(error)\n"
    )
    (folder / "configs" / "opening.py").write_text(code, encoding="utf-8")
    done = reader.run("python opening.py", folder / "configs")
    assert done.returncode == 0, done.stderr
    opened, refused = done.stdout.splitlines()
    assert opened == "neighbors 5"
    assert "own=MyOptions" in refused


def test_the_options_of_a_file_are_read_as_strictly_as_others(folder: Path) -> None:
    config = load_config(folder / "silent.toml", ["silent.patience=5"])
    assert json.loads(json.dumps(config.run_fields()["silent"])) == {"patience": 5}
    assert parse_config(config_text(config), folder=folder) == config
    with pytest.raises(InputError, match=r"Unknown key of \[silent\]: 'patients'. Did you mean patience"):
        load_config(folder / "silent.toml", ["silent.patients=5"])
    with pytest.raises(InputError, match="Unknown table: 'training'"):
        load_config(folder / "silent.toml", ["training.epochs=5"])


def test_files_of_one_name_and_of_names_that_python_has_do_not_clash(folder: Path) -> None:
    (folder / "other").mkdir()
    for path, model in ((folder / "json.py", "silent"), (folder / "other/json.py", "loud")):
        path.write_text(MODEL.replace('"silent"', f'"{model}"'), encoding="utf-8")
        config = parse_config(
            CONFIG.replace("silent_model.py", "json.py").replace('"silent"', f'"{model}"'), (), path.parent
        )
        assert type(config.options).model == model
        assert file_of(config.options) == path.resolve()


@pytest.mark.parametrize(
    ("file", "complaint"),
    [
        ("none_model.py", "the file that defines silent, does not exist"),
        ("../silent_model.py", "must be a Python file beside the configuration"),
        ("/tmp/silent_model.py", "must be a Python file beside the configuration"),
        ("silent model.py", "must be a Python file beside the configuration"),
        ("silent_model.txt", "must be a Python file beside the configuration"),
        ("importing_model.py", "cannot be imported .*no_such_package"),
        ("other_model.py", "model = 'silent', got no options"),
        ("named_model.py", "model = 'silent', got 'loud'"),
    ],
)
def test_a_file_that_defines_no_such_model_is_explained(folder: Path, file: str, complaint: str) -> None:
    (folder / "importing_model.py").write_text("import no_such_package", encoding="utf-8")
    (folder / "other_model.py").write_text("from sau_solver.models.options import LearnerOptions", encoding="utf-8")
    (folder / "named_model.py").write_text(MODEL.replace('"silent"', '"loud"'), encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        parse_config(CONFIG.replace("silent_model.py", file), folder=folder)


def test_models_of_the_package_are_not_replaced(folder: Path) -> None:
    with pytest.raises(InputError, match="file is only for models of your own, got retrieval"):
        parse_config(CONFIG.replace('"silent"', '"retrieval"'), folder=folder)


def test_options_that_are_not_the_models_are_refused() -> None:
    with pytest.raises(InputError, match="options of sau must be SauOptions, got RetrievalOptions"):
        ExperimentConfig("a", "alg514", "sau")
