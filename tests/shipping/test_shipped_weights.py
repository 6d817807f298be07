"""The shipped models are undamaged, small enough, documented, and able to solve."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import sau_solver
from sau_solver.experiments.config import load_config
from sau_solver.models.loading import check_shipped, shipped_folder
from sau_solver.problem import Language
from sau_solver.shipping import ship as shipping
from sau_solver.shipping.card_copies import far_answers
from sau_solver.shipping.card_licenses import comparison
from sau_solver.shipping.cards import MARKS, card, draw_curves, page, summary
from sau_solver.shipping.ship import verify
from tests.data.read_corpora import corpus_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MOST_BYTES: dict[Language, int] = {"zh": 20_000_000, "en": 26_000_000}


@pytest.mark.parametrize("language", MOST_BYTES)
def test_weights_are_whole_and_small(language: Language) -> None:
    assert "checksums match" in check_shipped(language)
    assert sum(path.stat().st_size for path in shipped_folder(language).iterdir()) <= MOST_BYTES[language]


@pytest.mark.corpus
@pytest.mark.parametrize(
    "language", [pytest.param(one, marks=pytest.mark.xdist_group(f"shipped {one}")) for one in MOST_BYTES]
)
def test_the_chain_from_corpora_to_weights_holds(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "load", lambda name, data: corpus_of(name))
    config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
    checks = verify(config, shipped_folder(language))
    if missing := [one.partition(":")[0] for one in checks.skipped if "not available" in one]:
        pytest.skip(f"not under SAU_DATA: {', '.join(missing)}")
    made = tuple(f"{name}: made for the mixture, fingerprint not compared" for name in ("curriculum", "augmented"))
    assert checks.skipped == (*made, "trained weights: not given, not compared")
    assert len(checks.passed) == 2 + len(config.one_mixture().sources)


@pytest.mark.parametrize("language", MOST_BYTES)
def test_the_near_copies_of_the_test_problems_belong_to_the_shipped_weights(language: Language) -> None:
    described = json.loads((shipped_folder(language) / "config.json").read_bytes())
    far = far_answers(described, ROOT / "results/shipped" / language)
    assert set(far) == set(described["data"]["test"]), "run: python scripts/ship.py copies"
    assert far_answers({"files": {"model.safetensors": {"sha256": "other"}}}, ROOT / "results/shipped" / language) == {}


def test_the_cards_are_those_of_the_reports() -> None:
    reports = ROOT / "results/shipped"
    parts = {language: card(language, shipped_folder(language), reports / language) for language in MOST_BYTES}
    both = {language: (reports / language, reports / f"{language}-permissive") for language in MOST_BYTES}
    assert (ROOT / "docs/shipped-models.md").read_text(encoding="utf-8") == page(parts, comparison(both))


@pytest.mark.parametrize("language", MOST_BYTES)
def test_the_pictures_show_every_test_part(language: Language, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra `report`)")
    report = ROOT / "results/shipped" / language
    draw_curves(language, report, tmp_path / "drawn.svg")
    for picture in (tmp_path / "drawn.svg", ROOT / f"docs/pictures/risk-coverage-{language}.svg"):
        text = picture.read_text(encoding="utf-8")
        parts = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))["test"]
        assert all(f">{part}</text>" in text for part in parts)


def test_the_readme_has_the_figures_of_the_reports() -> None:
    table = summary({language: ROOT / "results/shipped" / language for language in MOST_BYTES})
    assert MARKS[0] + table + MARKS[1] in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_sample_problem_is_answered() -> None:
    lines = (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines()
    expected = ["24", "300", "200", "15", "23 12", "10 6", "1/5", "1/5", "35", "8", "7", "50 70", "31 17", "12 11"]
    solutions = list(sau_solver.load().solve_many([json.loads(line)["text"] for line in lines]))
    assert [" ".join(map(str, solution.answers)) for solution in solutions] == expected
    assert not any(solution.abstained for solution in solutions)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("学校买来5箱苹果，每箱24个，分给学生96个，还剩多少个？", (Fraction(24),)),
        ("Tom had 42 marbles. He lost 15 of them. How many marbles does he have now?", (27,)),
    ],
)
def test_typed_problems_are_answered(text: str, answers: tuple[Fraction, ...]) -> None:
    solution = sau_solver.load().solve(text)
    assert solution.answers == answers
    assert not solution.abstained
    assert solution.steps
