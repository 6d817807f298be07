"""`sau data` on a small file: counts, rejected rows, wrong names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import sau

pytestmark = pytest.mark.slow

PROBLEMS = [
    {"id": "hens", "text": "Hens and hares have 20 heads and 50 legs. How many of each?",
     "equations": ["x+y=20", "2*x+4*y=50"], "answers": ["15", "5"]},
    {"id": "rope", "text": "一根绳子长12米，用去三分之一，还剩几米？",
     "equations": ["x=12*(1-(1/3))"], "answers": ["8"]},
    {"id": "wrong", "text": "Ann has 3 apples and buys 4. How many has she?", "equations": ["x=3+4"], "answers": ["8"]},
    {"id": "rounded", "text": "Seven share 10 cakes. How much for each?", "equations": ["x=10/7"], "answers": ["1.43"]},
    {"id": "broken", "text": "2 and 3?", "equations": ["x=2+*3"], "answers": ["5"]},
    {"id": "free", "text": "The sum is 9. Find one number.", "equations": ["x+y=9"], "answers": ["4", "5"]},
]  # fmt: skip


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    lines = [json.dumps(problem, ensure_ascii=False) for problem in PROBLEMS]
    path.write_text("\n".join([*lines, "not json", ""]), encoding="utf-8")
    return path


def test_check_counts_what_reads_solves_and_agrees(corpus: Path) -> None:
    done = sau("data", "check", str(corpus), "--json")
    result = json.loads(done.stdout)
    assert (result["problems"], result["parsed"], result["round_tripped"]) == (6, 5, 5)
    assert (result["solved"], result["agreeing"], result["undetermined"], result["rounded"]) == (4, 3, 1, 1)
    assert result["chosen"] == 2
    assert result["disagreements"] == {"other": ["wrong"], "rounded": ["rounded"], "unparsed": ["broken"]}
    assert (result["numbers"], result["numbers_found"]) == (12, 10)


def test_a_broken_row_is_reported_by_file_and_line(corpus: Path) -> None:
    done = sau("data", "check", str(corpus), "--json")
    assert f"{corpus}:7:" in done.stderr.replace("\n", "")


def test_check_lists_every_disagreement(corpus: Path, tmp_path: Path) -> None:
    done = sau("data", "check", str(corpus), "--list", "--report", str(tmp_path / "labels.md"))
    assert "wrong [other] x=3+4  found x=7  annotated 8" in done.stdout
    assert (tmp_path / "labels.md").read_text(encoding="utf-8").startswith("# Labels")


def test_a_report_that_cannot_be_written_is_explained(corpus: Path, tmp_path: Path) -> None:
    done = sau("data", "check", str(corpus), "--report", str(tmp_path / "none" / "labels.md"))
    assert done.returncode == 2
    assert "labels.md: cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_stats_prints_the_columns_of_table_1(corpus: Path) -> None:
    result = json.loads(sau("data", "stats", str(corpus), "--json").stdout)
    assert result["problems"] == 6
    assert result["with_tree"] == 5
    assert result["templates"] == 5
    assert result["average_operators"] == (6 + 3 + 2 + 2 + 2) / 5  # `=` counts, `;` does not


def test_convert_writes_what_check_reads(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "converted.jsonl.gz"
    done = sau("data", "convert", str(corpus), str(target))
    assert "6 problems" in done.stdout
    first = sau("data", "stats", str(corpus), "--json").stdout
    again = sau("data", "stats", str(target), "--json").stdout
    assert json.loads(again) | {"name": ""} == json.loads(first) | {"name": ""}


def test_list_names_every_corpus() -> None:
    names = [json.loads(line)["name"] for line in sau("data", "list", "--json").stdout.splitlines()]
    assert {"hmwp", "math23k", "alg514", "draw1k", "mawps", "svamp", "gsm8k"} <= set(names)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["data", "check", "hmpw"], "Did you mean hmwp?"),
        (["data", "check", "absent.jsonl"], "no such file"),
        (["data", "fetch", "math32k"], "Did you mean math23k?"),
        (["evaluate", "configs/none.toml", "--data", "hmwp"], "none.toml"),
        (["crossval", "pyproject.toml"], "[experiment]"),
    ],
)
def test_wrong_names_are_explained(arguments: list[str], complaint: str) -> None:
    done = sau(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_label_finds_equations_for_problems_with_answers_only(tmp_path: Path) -> None:
    rows = [
        {"id": "one", "text": "Ann has 12 pears and buys 4 more pears. How many has she?", "answers": ["16"]},
        {"id": "two", "text": "Bob has 2 red cups and 2 blue cups. How many cups has he?", "answers": ["4"]},
        {"id": "test", "text": "Eve had 9 pens and lost 2. How many are left?", "answers": ["7"], "split": "test"},
    ]
    source, target = tmp_path / "mine.jsonl", tmp_path / "labels.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = sau("data", "label", str(source), "--output", str(target), "--simplest")
    assert "1 of 2 problems (50.0 %) got equations" in done.stdout
    (label,) = map(json.loads, target.read_text().splitlines())
    assert label == {"corpus": "mine.jsonl", "id": "one", "equations": ["x=12+4"], "log_probability": None}
    done = sau("data", "label", str(source), "--output", str(target))  # with the shipped model
    assert "2 of 2 problems (100.0 %) got equations" in done.stdout
    assert [json.loads(line)["equations"] for line in target.read_text().splitlines()] == [["x=12+4"], ["x=2+2"]]


def test_label_explains_that_nothing_needs_a_label(corpus: Path, tmp_path: Path) -> None:
    done = sau("data", "label", str(corpus), "--output", str(tmp_path / "labels.jsonl"), "--simplest")
    assert done.returncode == 2
    assert "must have problems with an answer and without equations" in done.stderr.replace("\n", " ")


def test_a_folder_of_parquet_files_is_checked_like_the_same_rows(corpus: Path, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")
    (tmp_path / "dataset").mkdir()
    for place, name in enumerate(("train-00000-of-00001.parquet", "test-00000-of-00001.parquet")):
        parquet.write_table(arrow.Table.from_pylist(PROBLEMS[3 * place : 3 * place + 3]), tmp_path / "dataset" / name)
    whole, packed = (
        json.loads(sau("data", "check", name, "--json", folder=tmp_path).stdout) for name in (str(corpus), "dataset")
    )
    assert packed == whole | {"name": "dataset"}
