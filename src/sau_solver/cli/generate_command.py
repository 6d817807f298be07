"""`sau generate`: make word problems for a skill or a grade, as a worksheet with an answer key or as JSON lines."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.table import Table

from sau_solver.cli.terminal import (
    AnswersOption,
    complain,
    completing,
    one_of,
    output,
    print_json,
    progress,
    write_file,
)
from sau_solver.curriculum.answer_key import solution_of
from sau_solver.curriculum.families import find_skill, skills
from sau_solver.curriculum.generation import MAX_SEED, Choice, Part, chosen_families, families_by_skill, generate
from sau_solver.curriculum.worksheets import different, worksheet
from sau_solver.data.lines import to_fields, write_lines
from sau_solver.errors import InputError
from sau_solver.problem import Language
from sau_solver.sheets.sheet import Answers
from sau_solver.sheets.sheet_formats import SHEET_FORMATS, sheet_format

MAX_COUNT = 200_000  # for more problems, use several seeds
MAX_ON_SHEET = 500
SHOWN = 10


def _skill_names(incomplete: str) -> list[str]:
    return [name for name in skills() if name.startswith(incomplete)]


def generate_problems(
    skill: Annotated[
        str | None, typer.Option(help="A skill; --list shows all. Default: every skill.", autocompletion=_skill_names)
    ] = None,
    grade: Annotated[int | None, typer.Option(help="Without --skill, only skills of this grade, 1 to 9.")] = None,
    lang: Annotated[
        str, typer.Option(help="Language of the problems: en or zh.", autocompletion=completing("en", "zh"))
    ] = "en",
    count: Annotated[int, typer.Option(help="Number of problems.")] = SHOWN,
    seed: Annotated[int, typer.Option(help="The same seed gives the same problems.")] = 1,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="A worksheet (.html, .md, .csv, .tex), or JSON lines (.jsonl, .jsonl.gz). Default: the screen. "
            "JSON lines may repeat a problem; worksheets and the screen do not.",
        ),
    ] = None,
    answers: AnswersOption = "separate",
    part: Annotated[
        str,
        typer.Option(
            help="Families to draw from: all, train (without held-out families) or held-out.",
            autocompletion=completing(*get_args(Part)),
        ),
    ] = "all",
    listed: Annotated[bool, typer.Option("--list", help="List skills and grades instead.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per problem.")] = False,
) -> None:
    """Make word problems with exact answers, equations and worked steps.

    Example: sau generate --skill speed --count 20 --seed 3 --output sheet.html
    """
    language = one_of("--lang", lang, get_args(Language))
    named = one_of("--part", part, get_args(Part))
    shown = one_of("--answers", answers, get_args(Answers))
    if listed:
        _show_skills(json, language, grade)
        return
    choice = Choice(language, skill, grade, named)
    chosen_families(choice)
    if skill is not None and grade not in (None, (taught := find_skill(skill).grade)):
        complain(f"{skill} is a skill of grade {taught}; its problems are the same for every grade.")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"--seed must be between 0 and {MAX_SEED}, got {seed}.")
    if json and target is not None:
        raise InputError("--json prints to the screen. For JSON lines in a file, use --output FILE.jsonl alone.")
    form = sheet_format(str(target or ""))
    limit = MAX_ON_SHEET if form else MAX_COUNT
    if not 1 <= count <= limit:
        what = "of a worksheet " if form else ""
        raise InputError(f"--count {what}must be between 1 and {limit:,}, got {count:,}.")
    if target is None:
        _show(choice, count, seed, json)
    elif form:
        sheet = worksheet(different(generate(choice, seed), count), shown, language)
        write_file(target, SHEET_FORMATS[form].write(sheet))
        kind = "without answers" if shown == "none" else "with answers and steps"
        complain(f"Wrote {len(sheet.items):,} problems {kind} to {target}.")
    else:
        if not target.name.endswith((".jsonl", ".jsonl.gz")):
            known = ", ".join(f".{form}" for form in SHEET_FORMATS)
            raise InputError(f"--output must end in {known}, .jsonl or .jsonl.gz, got {target}.")
        with progress(f"Generating {count:,} problems"):
            written = write_lines(islice(generate(choice, seed), count), target)
        complain(f"Wrote {written:,} problems to {target}.")


def _show(choice: Choice, count: int, seed: int, json: bool) -> None:
    if json:
        for exercise in islice(generate(choice, seed), count):
            print_json(to_fields(exercise))
        return
    exercises = list(different(generate(choice, seed), count))
    for number, exercise in enumerate(exercises, start=1):
        output().print(f"{number}. {exercise.text}", markup=False, highlight=False, soft_wrap=True)
    output().print()
    for number, exercise in enumerate(exercises, start=1):
        shown = solution_of(exercise).as_json()["display"]
        output().print(f"{number}: {shown}", style="dim", markup=False, highlight=False, soft_wrap=True)


def _show_skills(json: bool, reader: Language, grade: int | None) -> None:
    """Print all skills, or those of a grade; a Chinese reader gets their Chinese names."""
    counts = {language: families_by_skill(language) for language in ("en", "zh")}
    table = Table(box=None, pad_edge=False)
    for column in ("skill", "grade", "families en", "zh", "what it is about"):
        table.add_column(column, justify="left" if column.startswith(("skill", "what")) else "right")
    for name, skill in skills().items():
        if grade not in (None, skill.grade):
            continue
        english, chinese = (len(counts[language].get(name, ())) for language in ("en", "zh"))
        if json:
            print_json({"skill": name, "grade": skill.grade, "en": skill.en, "zh": skill.zh, "about": skill.about,
                        "families": {"en": english, "zh": chinese}})  # fmt: skip
        table.add_row(name, str(skill.grade), str(english), str(chinese), skill.zh if reader == "zh" else skill.about)
    if not json:
        output().print(table)
