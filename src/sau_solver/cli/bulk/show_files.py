"""The problems of a file -> answers on the screen, or a worksheet."""

from __future__ import annotations

from pathlib import Path

from sau_solver import solver
from sau_solver.cli.bulk.solve_files import BadLines, Solving, check_file, exit_if_all_bad, summary_line
from sau_solver.cli.bulk.sources import PIPE, Source
from sau_solver.cli.bulk.streaming import Tally, to_record
from sau_solver.cli.solution_screen import show_solution
from sau_solver.cli.terminal import complain, output, progress, write_file
from sau_solver.errors import InputError
from sau_solver.sheets.sheet import Answers, item_of, make_sheet
from sau_solver.sheets.sheet_formats import SHEET_FORMATS, SheetFormat
from sau_solver.solution import Solution
from sau_solver.text.lists.problem_lists import MAX_PROBLEMS


def show_file(source: Source, solving: Solving) -> None:
    """Solve the problems of a file or pipe and show them one after the other."""
    source.check()
    solve = solving.lines(solver.load(solving.model))
    tally = Tally()
    for line in source.problems():
        output().rule(style="dim")
        found = line.error or next(iter(solve([line])))
        _count(tally, found)
        if isinstance(found, Solution):
            show_solution(output(), found)
        else:
            complain(f"{source.path}:{line.number}: {found}")
    exit_if_all_bad(tally)


def write_sheet(source: Source, target: str, solving: Solving, form: SheetFormat, answers: Answers) -> None:
    """Solve the problems of a file or pipe and write a worksheet."""
    check_file(source, target)
    lines = list(source.problems())
    if len(lines) > MAX_PROBLEMS:
        raise InputError.phrased("en", "list_many", count=len(lines), limit=MAX_PROBLEMS)
    tally = Tally()
    items = []
    with progress() as bars:
        task, bad = bars.add_task(source.name, total=len(lines)), BadLines(bars)
        solved = solving.lines(solver.load(solving.model))([line for line in lines if not line.error])
        for line in lines:
            result = None if line.error else next(solved)
            _count(tally, result)
            record = to_record(line, result)
            if isinstance(result, Solution):
                record["step_kinds"] = [step.kind for step in result.steps]
            else:
                bad.report(f"{source.name}:{line.number}: {record['error']}")
            items.append(item_of(record, line.text, line.label))
            bars.update(task, completed=tally.lines)
    text = SHEET_FORMATS[form].write(make_sheet(items, answers, solving.reader))
    write_file(Path(target), text)
    complain(summary_line(tally, "standard output" if target == PIPE else target, "problems"))
    exit_if_all_bad(tally)


def _count(tally: Tally, found: object) -> None:
    tally.count("bad" if not isinstance(found, Solution) else "abstained" if found.abstained else "solved")
