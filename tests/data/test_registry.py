"""The registry lists every corpus, loading explains what is missing, and fingerprints identify the data."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from sau_solver.data import available, corpora, data_folder, find_corpus, load, load_file
from sau_solver.data.readers.file_formats import FORMATS
from sau_solver.errors import CorpusError, InputError, MissingCorpusError, UnknownCorpusError
from tests.data.published_chinese import HMWP
from tests.data.published_english import DOLPHIN18K, MAWPS
from tests.data.published_form import lines

# Part of the package.
PACKAGED = tuple(
    f"{name}-{language}" for name in ("school", "families", "workbook", "stories") for language in ("en", "zh")
)


def put(folder: Path, file: str, content: bytes) -> None:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if file.endswith(".gz") else content)


def test_the_registered_corpora() -> None:
    assert set(corpora()) == {
        *("hmwp", "hmwp-all", "math23k", "alg514", "draw1k", "dolphin1878", "dolphin_l", "dolphin18k"),
        *("dolphin18k-manual", "dolphin18k-reconstructed", "mawps", "mawps-single", "asdiv", "asdiv-a", "svamp"),
        *("ape210k-valid", "cm17k-valid", "mathqa-valid", "mathqa-train", "gsm8k", "gsm8k-zh", "contest-zh"),
        *PACKAGED,
    }


@pytest.mark.parametrize("name", corpora())
def test_every_entry_is_complete_and_every_source_is_pinned(name: str) -> None:
    info = find_corpus(name)
    assert info.format in FORMATS
    assert all((info.title, info.license, info.citation, info.notes, info.files, info.problems))
    for source in info.sources:
        assert re.fullmatch(r"[0-9a-f]{40}", source.commit)
        assert re.fullmatch(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/.+", source.url())
        assert not Path(source.file).is_absolute()
        assert source.file not in info.files


def test_an_unknown_name_suggests_the_most_similar() -> None:
    with pytest.raises(UnknownCorpusError, match="Did you mean math23k"):
        load("Math23")
    with pytest.raises(UnknownCorpusError, match="Known: hmwp, "):
        load("?")


def test_an_absent_corpus_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MissingCorpusError, match="sau data fetch hmwp"):
        load("hmwp", tmp_path)
    with pytest.raises(MissingCorpusError, match="cannot be downloaded"):
        load("dolphin18k", tmp_path)


def test_the_data_folder_is_sau_data_or_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAU_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("SAU_DATA")
    assert data_folder().name == "sau-solver"


def test_available_names_the_corpora_whose_files_are_here(tmp_path: Path) -> None:
    assert available(tmp_path) == PACKAGED
    put(tmp_path, "hmwp/hmwp.jsonl.gz", HMWP.folder_form)
    put(tmp_path, "mawps/mawps_source.json", MAWPS.content)
    put(tmp_path, "gsm8k/train.jsonl", b"")  # only one of the two published files
    assert available(tmp_path) == ("hmwp", "hmwp-all", "mawps", *PACKAGED)


def test_loading_gives_problems_and_rejected_rows(tmp_path: Path) -> None:
    put(tmp_path, "mawps/mawps.jsonl.gz", MAWPS.folder_form + b"broken\n")
    corpus = load("mawps", tmp_path)
    assert list(corpus) == [MAWPS.problem]
    assert len(corpus) == 1
    assert [error.line for error in corpus.rejected] == [2]
    assert corpus.info is corpora()["mawps"]
    assert corpus.files == (tmp_path / "mawps/mawps.jsonl.gz",)


def test_hmwp_contains_the_problems_that_the_paper_uses(tmp_path: Path) -> None:
    row = json.loads(HMWP.folder_form)
    unanswered = {**row, "idx": 1, "answer": []}
    broken = {**row, "idx": 2, "equation": "x * − * 5.0 = 3.0"}
    put(tmp_path, "hmwp/hmwp.jsonl.gz", lines(row, unanswered, broken))
    assert [problem.id for problem in load("hmwp", tmp_path)] == ["0"]
    assert [problem.id for problem in load("hmwp-all", tmp_path)] == ["0", "1", "2"]


def test_dolphin18k_manual_keeps_manual_problems_with_equations(tmp_path: Path) -> None:
    row = json.loads(DOLPHIN18K.folder_form)
    rows = [row, {**row, "id": "b", "label": "auto"}, {**row, "id": "c", "equations": []}]
    put(tmp_path, "dolphin18k/dolphin18k.jsonl.gz", lines(*rows))
    assert [problem.id for problem in load("dolphin18k-manual", tmp_path)] == ["made.up.2"]
    assert len(load("dolphin18k", tmp_path)) == 3


def test_the_fingerprint_changes_with_any_field_and_with_nothing_else(tmp_path: Path) -> None:
    def fingerprint(**change: object) -> str:
        path = tmp_path / "f.jsonl"
        path.write_bytes(lines({"id": "1", "text": "How many?", "answers": ["1/2"], **change}))
        return load_file(path).fingerprint

    plain = fingerprint()
    assert re.fullmatch(r"[0-9a-f]{64}", plain)
    assert plain == fingerprint() == fingerprint(answers=["0.5"], ignored=1)
    changes: dict[str, object] = {
        **{"id": "2", "text": "How much?", "language": "zh", "equations": ["x=1"], "answers": ["1"]},
        **{"alternatives": [["1"]], "words": ["How"], "unknowns": ["x"], "fold": 0, "split": "dev", "kind": "k"},
    }
    assert len({plain, *(fingerprint(**{field: value}) for field, value in changes.items())}) == len(changes) + 1


def test_a_users_own_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(lines({"text": "How many?"}) + b"{broken\n")
    corpus = load_file(path)
    assert (corpus.name, len(corpus), len(corpus.rejected), corpus.info) == ("mine.jsonl", 1, 1, None)


def test_a_file_without_any_problem_is_an_error(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty.jsonl", tmp_path / "broken.jsonl"
    empty.write_bytes(b"\n")
    broken.write_bytes(b"{broken\n")
    with pytest.raises(CorpusError, match="no problem that can be read"):
        load_file(empty)
    with pytest.raises(CorpusError, match=r"broken\.jsonl:1: not JSON"):
        load_file(broken)
    with pytest.raises(InputError, match="no such file"):
        load_file(tmp_path / "absent.jsonl")


@pytest.mark.parametrize("spelling", ["license", "licence"])
def test_a_users_corpus_may_spell_its_license_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    monkeypatch.setenv("SAU_DATA", str(tmp_path))
    fields = {"title": "T", "language": "en", "format": "sau", spelling: "MIT", "citation": "C", "notes": "N"}
    table = "".join(f'{field} = "{value}"\n' for field, value in fields.items())
    (tmp_path / "corpora.toml").write_text(f'[mine]\n{table}problems = 1\nfiles = ["m.jsonl"]\n', encoding="utf-8")
    assert corpora()["mine"].license == "MIT"


GUIDE = Path(__file__).parents[2] / "docs" / "data.md"


def test_the_guide_lists_every_corpus_with_its_count() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]+\| ([\d,]+) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: int(count.replace(",", "")) for name, count in rows} == {
        name: info.problems for name, info in corpora().items()
    }


def test_the_example_in_the_guide_can_be_read(tmp_path: Path) -> None:
    (example,) = re.findall(r'^ *(\{"id".*\})$', GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    path = tmp_path / "mine.jsonl"
    path.write_text(example, encoding="utf-8")
    (problem,) = load_file(path)
    assert (problem.id, problem.language, [int(value) for value in problem.answers]) == ("hens", "en", [15, 5])
