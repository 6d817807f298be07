"""`sau solve` as users see it: screens, JSON, drawings, interrupted files, and bad input."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.kill_rounds import Wait, after_progress, kill_and_resume
from sau_solver import solver as pipeline
from sau_solver.cli import main
from sau_solver.cli.solution_screen import show_solution
from sau_solver.models.loading import Model
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.lists.problem_lines import read_lines
from sau_solver.text.screening import screen
from tests import commands
from tests.by_heart import CHICKENS, DOUBTFUL, GARDEN, ByHeart, pens, solver
from tests.cli.progress_lines import without_progress

ROOT = Path(__file__).parent.parent.parent
KILLS = 4

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sau(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs `sau solve` in this process; returns exit code, output and messages without progress."""
    monkeypatch.setattr(pipeline, "load", lambda model=None: solver())

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sau", "solve", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capfd.readouterr()
        assert "Traceback" not in printed.err
        return int(ended.value.code or 0), printed.out, without_progress(printed.err)

    return run


def on_terminal(solution: Solution, width: int = 80, **options: str) -> str:
    """Return what a terminal of that width receives."""
    shown = io.StringIO()
    environment = {"TERM": "xterm-256color"} | options
    console = Console(file=shown, width=width, height=50, force_terminal=True, highlight=False, _environ=environment)
    show_solution(console, solution)
    return shown.getvalue()


class TestOneProblem:
    def test_the_screen_shows_problem_equations_tree_steps_and_answer(self, sau: Command) -> None:
        code, out, err = sau(CHICKENS)
        assert (code, err) == (0, "")
        assert out == (ROOT / "tests/cli/chickens.txt").read_text(encoding="utf-8")

    def test_json_is_the_documented_object(self, sau: Command) -> None:
        code, out, err = sau(GARDEN, "--json", "--lang", "en", "--beam", "3")
        assert (code, err) == (0, "")
        assert json.loads(out) == solver().solve(GARDEN).as_json()
        assert out.count("\n") == 1

    def test_the_tree_is_drawn_with_the_numbers_of_the_text(self, sau: Command, tmp_path: Path) -> None:
        code, _, _ = sau(CHICKENS, "--tree", str(tmp_path / "tree.svg"))
        drawn = (tmp_path / "tree.svg").read_text(encoding="utf-8")
        assert code == 0
        assert drawn.startswith("<svg")
        assert ">20</text>" in drawn
        assert ">50</text>" in drawn

    def test_a_dash_reads_standard_input(self, sau: Command) -> None:
        code, out, _ = sau("-", "--json", stdin=GARDEN.encode())
        assert (code, json.loads(out)["answers"]) == (0, ["7"])

    def test_without_confidence_the_guess_is_marked_and_the_exit_code_is_3(self, sau: Command) -> None:
        code, out, err = sau(DOUBTFUL)
        assert (code, err) == (3, "")
        assert "No confident answer\n" in out
        assert "\nBest guess: 21 pens\n" in out
        assert out.index("No confident answer\n") < out.index("Equations\n")
        assert "1. This is a guess: " in out
        assert "Check" not in out
        assert "  Confidence 31 %: about 31 of 100 such answers are right.\n" in out
        assert "\nAnswer\n" not in out
        code, out, _ = sau(DOUBTFUL, "--json")
        assert (code, json.loads(out)["abstained"], json.loads(out)["answers"]) == (3, True, ["21"])

    def test_no_confidence_is_100_percent(self) -> None:
        printed = on_terminal(replace(solver().solve(GARDEN), confidence=0.9953))
        assert "Confidence above 99 %: more than 99 of 100 such answers are right." in printed

    @pytest.mark.parametrize(
        ("greeting", "reason"), [("hello world", "This is not a math word problem"), ("你好", "这不是应用题")]
    )
    def test_a_greeting_is_not_a_problem(self, sau: Command, greeting: str, reason: str) -> None:
        code, out, err = sau(greeting)
        assert (code, out) == (2, "")
        assert err.startswith(reason)
        code, out, _ = sau(greeting, "--json")
        assert (code, json.loads(out)["answers"]) == (2, [])
        assert json.loads(out)["reason"].startswith(reason)

    def test_without_any_answer_there_is_a_reason_and_no_tree(self, sau: Command, tmp_path: Path) -> None:
        code, out, err = sau("Divide 3 by zero pens. How many pens are there?", "--tree", str(tmp_path / "t.svg"))
        assert code == 3
        assert "No confident answer\n  None of the model's equations" in out
        assert "Best guess" not in out
        assert "Confidence" not in out
        assert "has no tree" in err
        assert not (tmp_path / "t.svg").exists()

    def test_markup_in_a_problem_is_printed_literally(self, sau: Command) -> None:
        _, out, _ = sau("[red]A box[/red] holds 5 <script>pens</script>. How many pens are in 3 boxes?")
        assert "[red]A box[/red] holds [5] <script>pens</script>." in out

    def test_piped_output_is_plain_and_complete(self, sau: Command) -> None:
        _, out, _ = sau(GARDEN)
        assert "\x1b" not in out
        assert all(line == line.rstrip() for line in out.splitlines())
        assert GARDEN.replace("5 ", "[5] ").replace("84 ", "[84] ") in out


class TestTheScreen:
    def test_numbers_are_colored_and_underlined(self) -> None:
        shown = on_terminal(solver().solve(pens(5, 3)))
        assert "A box holds \x1b[1;4;36m5\x1b[0m pens." in shown
        assert "\x1b[1;32m15 pens\x1b[0m" in shown

    def test_without_color_they_are_underlined(self) -> None:
        assert "A box holds \x1b[1;4m5\x1b[0m pens." in on_terminal(solver().solve(pens(5, 3)), NO_COLOR="1")

    def test_a_dumb_terminal_gets_brackets(self) -> None:
        shown = on_terminal(solver().solve(pens(5, 3)), TERM="dumb")
        assert "A box holds [5] pens." in shown
        assert "\x1b" not in shown

    @pytest.mark.parametrize("width", [20, 34, 80])
    @pytest.mark.parametrize("text", [CHICKENS, GARDEN, DOUBTFUL])
    def test_no_line_is_wider_than_the_terminal(self, text: str, width: int) -> None:
        shown = on_terminal(solver().solve(text), width, NO_COLOR="1", TERM="dumb")
        wide = Console(width=200)
        assert all(wide.measure(line.rstrip()).maximum <= width for line in shown.splitlines())
        assert "…" not in shown

    def test_a_tree_that_does_not_fit_is_not_printed(self) -> None:
        shown = on_terminal(solver().solve(CHICKENS), 20)
        assert "--tree" in shown
        assert "┌" not in shown

    def test_control_characters_are_not_sent_to_the_terminal(self) -> None:
        shown = on_terminal(solver().solve("A box\u202e holds\r 5 pens. How many pens are in 3 boxes?"), TERM="dumb")
        assert "A box· holds· [5] pens." in shown


BAD = {
    "empty": ("", "The problem is empty."),
    "blank": (" \n\t ", "The problem is empty."),
    "emoji": ("🙂🙂🙂", "no words"),
    "500 numbers": ("Add " + " and ".join(map(str, range(500))) + ". How many?", "at most 60"),
    "another language": ("Сколько яблок у Маши, если у неё 3 и 4?", "Chinese or English"),
    "right to left": ("كم عدد التفاحات إذا كان هناك 3 و 4؟", "Chinese or English"),
}


class TestBadInput:
    @pytest.mark.parametrize(("text", "complaint"), BAD.values(), ids=BAD)
    def test_it_gets_one_message_and_exit_code_2(self, sau: Command, text: str, complaint: str) -> None:
        for arguments in ([text], [text, "--json"]):
            code, out, err = sau(*arguments)
            assert (code, out) == (2, "")
            assert complaint in err

    @pytest.mark.parametrize(("raw", "complaint"), [(b"a" * (1 << 20), "at most 4,000"), (b"\x80\x00 3?", "UTF-8")])
    def test_a_megabyte_and_binary_input_are_refused(self, sau: Command, raw: bytes, complaint: str) -> None:
        code, out, err = sau("-", stdin=raw)
        assert (code, out) == (2, "")
        assert complaint in err

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            ([], "There is no problem to solve"),
            (["3?", "--lang", "fr"], "--lang must be one of auto, zh, en, got 'fr'"),
            (["--input", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
            (["--output", "a.jsonl"], "--output needs --input"),
            (["3?", "--input", "p.jsonl", "--output", "a.jsonl"], "are for one problem"),
            (["--input", "nowhere.jsonl", "--output", "a.jsonl"], "nowhere.jsonl: no such file"),
            (["--input", "p.jsonl", "--output", "p.jsonl"], "is the input file"),
            (["--input", "p.jsonl", "--output", "no/a.jsonl"], "The folder no does not exist"),
            (["--input", "p.jsonl", "--output", "."], "is the input file"),
            (["--input", "-", "--output", "p.jsonl"], "a pipe cannot continue it"),
            ([GARDEN, "--tree", "no/tree.svg"], "no/tree.svg: cannot be written (No such file or directory)"),
        ],
    )
    def test_wrong_arguments_are_explained(
        self, sau: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("p.jsonl").write_text(json.dumps(pens(5, 3)) + "\n", encoding="utf-8")
        code, out, err = sau(*arguments)
        assert (code, out) == (2, "")
        assert complaint in err
        assert not Path("a.jsonl").exists()


class TestFiles:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_answers_bad_lines_and_a_summary(self, sau: Command) -> None:
        Path("p.jsonl").write_text(
            "\n".join([json.dumps({"id": 1, "text": CHICKENS}), "oops", json.dumps(DOUBTFUL)]), encoding="utf-8"
        )
        code, out, err = sau("--input", "p.jsonl", "--output", "a.jsonl")
        assert (code, out) == (0, "")
        assert err.splitlines() == [
            'p.jsonl:2: The line is not JSON (Expecting value). A line must be a JSON object such as {"text": "…"}.',
            "3 lines: 1 solved, 1 without a confident answer, 1 bad. Answers: a.jsonl",
        ]
        records = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [record["line"] for record in records] == [1, 2, 3]
        code, out, err = sau("--input", "p.jsonl", "--output", "a.jsonl")
        assert (code, out, err) == (0, "", "All lines of p.jsonl are already answered in a.jsonl.\n")

    @pytest.mark.parametrize("output", [["--output", "a.jsonl"], ["--output", "a.html"], []])
    def test_a_last_line_that_is_cut_off_is_named(self, sau: Command, output: list[str]) -> None:
        whole = json.dumps({"text": CHICKENS}) + "\n" + json.dumps({"text": pens(5, 3)})
        Path("p.jsonl").write_text(whole[:-10], encoding="utf-8")
        code, _, err = sau("--input", "p.jsonl", *output)
        assert code == 0
        assert err.splitlines()[0] == (
            "p.jsonl:2: The line is not JSON (Unterminated string starting at). "
            "The last line is incomplete (file truncated?)."
        )

    def test_another_model_does_not_continue_the_output(self, sau: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("p.jsonl").write_text(json.dumps(CHICKENS) + "\n", encoding="utf-8")
        assert sau("--input", "p.jsonl", "--output", "a.jsonl")[0] == 0
        for languages, named in ({"zh": "sau-zh"}, "sau-zh"), ({"en": "sau-en"}, "none"):
            models = {one: partial(Model, ByHeart(), name=name) for one, name in languages.items()}
            monkeypatch.setattr(pipeline, "load", lambda model, models=models: Solver(models))
            code, _, err = sau("--input", "p.jsonl", "--output", "a.jsonl", "--model", "x")
            assert code == 2
            assert f"started with the model by heart, but the model is now {named}" in err

    def test_only_the_first_bad_lines_are_reported(self, sau: Command) -> None:
        Path("p.jsonl").write_text("oops\n" * 50, encoding="utf-8")
        code, _, err = sau("--input", "p.jsonl", "--output", "a.jsonl")
        assert code == 2
        assert err.splitlines()[19].startswith("p.jsonl:20: ")
        assert err.splitlines()[20:] == [
            "Further bad lines are only counted here; the output has them all.",
            "50 lines: 0 solved, 0 without a confident answer, 50 bad. Answers: a.jsonl",
        ]

    def test_plain_text_has_one_problem_per_line(self, sau: Command) -> None:
        Path("p.txt").write_text(f"{pens(5, 3)}\n\n{CHICKENS}\n", encoding="utf-8")
        assert sau("--input", "p.txt", "--output", "a.jsonl")[0] == 0
        lines = Path("a.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["answers"] for line in lines] == [["15"], ["15", "5"]]

    def test_pipes_carry_problems_and_answers(self, sau: Command) -> None:
        code, out, err = sau("--input", "-", "--output", "-", stdin=json.dumps(pens(5, 3)).encode())
        assert (code, json.loads(out)["answers"]) == (0, ["15"])
        assert err == "1 lines: 1 solved, 0 without a confident answer, 0 bad. Answers: standard output\n"

    def test_without_an_output_answers_are_shown_one_after_the_other(self, sau: Command) -> None:
        lines = [json.dumps(pens(5, 3)), "{", json.dumps({"text": "Who is 3?"})]
        code, out, err = sau("--input", "-", stdin="\n".join(lines).encode())
        assert code == 0
        assert out.index("15") < out.index("Who is [3]?")
        assert err.startswith("-:2: The line is not JSON")

    def test_json_without_an_output_goes_to_the_screen(self, sau: Command) -> None:
        code, out, _ = sau("--input", "-", "--json", stdin=json.dumps(pens(5, 3)).encode())
        assert (code, json.loads(out)["answers"]) == (0, ["15"])

    def test_ctrl_c_says_how_to_continue(self, sau: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("p.jsonl").write_text("".join(json.dumps(pens(n, 2)) + "\n" for n in range(1, 90)), encoding="utf-8")
        with monkeypatch.context() as patched:
            left, conclude = iter(range(70)), pipeline._concluded

            def pressed(*arguments: object) -> Solution:
                if next(left, None) is None:
                    raise KeyboardInterrupt
                return conclude(*arguments)  # type: ignore[arg-type]

            patched.setattr(pipeline, "_concluded", pressed)
            code, _, err = sau("--input", "p.jsonl", "--output", "a.jsonl")
        assert code == 130
        assert err == "Interrupted after 70 lines. To continue, run the same command again.\n"
        code, _, err = sau("--input", "p.jsonl", "--output", "a.jsonl")
        assert code == 0
        assert "Resumed after line 70, where an earlier run stopped.\n19 lines: " in err


def test_the_examples_are_problems_of_both_languages() -> None:
    with (ROOT / "examples" / "problems.jsonl").open("rb") as file:
        lines = list(read_lines(file))
    screened = [screen(line.text) for line in lines]
    assert not any(line.error for line in lines)
    assert not any(one.obstacle for one in screened)
    assert len({line.id for line in lines}) == len(lines)
    assert {one.language for one in screened} == {"zh", "en"}


@pytest.mark.slow
def test_a_run_that_is_killed_several_times_writes_the_same_bytes_as_an_uninterrupted_one(tmp_path: Path) -> None:
    lines = [json.dumps({"id": n, "text": pens(n, 3)}) for n in range(1, 1500)]
    lines[100], lines[700], lines[701] = "oops", "", json.dumps({"text": "🙂"})
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    draw = random.Random(20_261_115)

    def start(output: Path) -> commands.Command:
        code = (
            "from sau_solver import solver as pipeline\n"
            "from tests.by_heart import solver\n"
            "pipeline.load = lambda model=None: solver(delay=0.0005)\n"
        )
        return commands.Command(
            "solve", "--input", str(tmp_path / "p.jsonl"), "--output", str(output), folder=tmp_path, before=code
        )

    killed, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"

    def size() -> int:
        return killed.stat().st_size if killed.exists() else 0

    def is_longer(before: int) -> bool:
        return size() > before

    def moments() -> Iterator[Wait]:
        for _ in range(KILLS):
            # After new answers it may be reading, solving or writing.
            yield after_progress(partial(is_longer, size()), draw.uniform(0, 0.12))

    interrupted = kill_and_resume(partial(start, killed), moments())
    assert interrupted.kills > 0  # on a busy machine it may end before it is killed again
    assert "Resumed after line" in interrupted.printed or "already answered" in interrupted.printed
    assert "Resumed after line" not in kill_and_resume(partial(start, whole), ()).printed
    assert killed.read_bytes() == whole.read_bytes()
    assert [json.loads(line)["line"] for line in whole.read_bytes().splitlines()] == [
        n for n in range(1, 1500) if n != 701
    ]


@pytest.mark.slow
def test_help_and_error_messages_need_no_torch() -> None:
    code = "import sys; sys.modules['torch'] = None; from sau_solver.cli import main; main()"
    for arguments, expected in ((["--help"], 0), (["3+*"], 2), ([""], 2)):
        done = subprocess.run(
            [sys.executable, "-c", code, "solve", *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == expected
        assert "Traceback" not in done.stderr
