"""A model card has the figures that were measured, the sources and their licenses, in a form that the Hub reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sau_solver as sau
from sau_solver.errors import InputError
from sau_solver.hub.model_card import Figure, model_card, read_results, stored_figures
from sau_solver.models.loading import shipped_folder

SHIPPED = Path(__file__).parents[2] / "results" / "shipped" / "en.json"


def config(folder: Path) -> dict[str, Any]:
    described: dict[str, Any] = json.loads((folder / "config.json").read_bytes())
    return described


def test_the_figures_of_a_shipped_model_are_those_of_its_report() -> None:
    stored = stored_figures(config(shipped_folder("en")))
    measured = read_results(SHIPPED)
    assert [(one.part, one.problems) for one in stored] == [(one.part, one.problems) for one in measured]
    assert [one.answer for one in stored] == pytest.approx([one.answer for one in measured], abs=1e-4)


def test_the_hub_reads_the_head_of_the_card() -> None:
    cards = pytest.importorskip("huggingface_hub.repocard", reason="the extra `pretrained` is not installed")
    described = {"zh": config(shipped_folder("zh")), "en": config(shipped_folder("en"))}
    data = cards.ModelCard(model_card("ann/sau", described)).data  # type: ignore[arg-type]
    assert (data.library_name, data.language, data.model_name) == ("sau-solver", ["zh", "en"], "ann/sau")
    assert "| Curriculum, generated | 57,302 | that of this package |" in model_card("ann/sau", {None: described["en"]})
    read = {(one.dataset_type, one.dataset_split): one.metric_value for one in data.eval_results}
    expected = {tuple(one.part.split("/")): one.answer for own in described.values() for one in stored_figures(own)}
    assert read == expected


def test_the_card_lists_results_sources_and_licenses(small_model: Path) -> None:
    card = model_card("ann/small", {None: config(small_model)})
    assert "| gsm8k/test | 1,319 | 27.9 |" in card
    assert "| GSM8K | 12 | MIT |" in card
    assert "| mine | 3 | – |" in card
    assert f"`{config(small_model)['files']['model.safetensors']['sha256']}`" in card
    assert 'solver = sau.load("ann/small")' in card


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (
            {"name": "m", "parts": [{"name": "gsm8k/test", "problems": 9, "metrics": {"answer": 0.5}},
                                    {"name": "x", "problems": 2, "metrics": {"answer": None}}]},
            [Figure("gsm8k/test", 9, 0.5)],
        ),
        ({"model": "m", "data": "x.jsonl", "problems": 4, "metrics": {"answer": 0.25}}, [Figure("x.jsonl", 4, 0.25)]),
        ({"test": {"gsm8k/test": {"problems": 3, "answer": 1}}}, [Figure("gsm8k/test", 3, 1.0)]),
    ],
)  # fmt: skip
def test_results_of_three_commands_are_read(stored: Any, expected: list[Figure], tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(json.dumps(stored))
    assert read_results(tmp_path / "results.json") == expected


def test_given_results_replace_the_stored_ones(small_model: Path, tmp_path: Path) -> None:
    results = {"data": "exam.jsonl", "problems": 40, "metrics": {"answer": 0.875}}
    (tmp_path / "results.json").write_text(json.dumps(results))
    sau.load(small_model).save_pretrained(tmp_path / "saved", results=tmp_path / "results.json")
    card = (tmp_path / "saved" / "README.md").read_text(encoding="utf-8")
    assert "| exam.jsonl | 40 | 87.5 |" in card
    assert "gsm8k/test" not in card


@pytest.mark.parametrize("content", ["[]", "{}", "no json", '{"parts": [{}]}', '{"test": {"a": 1}}', '{"parts": 3}'])
def test_another_file_is_refused_and_nothing_is_written(content: str, small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(content)
    with pytest.raises(InputError, match=r"must be report\.json of `sau benchmark` or the output of `sau evaluate"):
        sau.load(small_model).save_pretrained(tmp_path / "saved", results=tmp_path / "results.json")
    with pytest.raises(InputError, match="cannot be read"):
        sau.load(small_model).save_pretrained(tmp_path / "saved", results=tmp_path / "missing.json")
    assert not (tmp_path / "saved").exists()


def test_a_name_cannot_break_out_of_a_table_or_the_head(small_model: Path) -> None:
    described = config(small_model)
    described["data"]["sources"] = {"a | b\n---\n<script>": {"learned": 1}}
    described["data"]["measured"]["test"] = {"x\n---\n# y|": 1.0}
    card = model_card("ann/small", {None: described})
    assert card.count("\n---\n") == 1
    assert "<script>" not in card
    assert "| x --- # y\\| | 0 | 100.0 |" in card


def test_a_model_without_results_says_so(small_model: Path) -> None:
    described = config(small_model)
    described["data"] = {"corpus": "hmwp", "test": "fold"}
    card = model_card("mine", {None: described})
    assert "No results are stored with this model." in card
    assert 'language: ["zh"]' in card
    assert "model-index" not in card
    assert "| HMWP" in card
