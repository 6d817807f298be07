"""Prints a solution: problem, equations, tree, steps and answer, with headings in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from sau_solver.cli.terminal import MAX_DRAWN
from sau_solver.equations.drawing import draw_text
from sau_solver.equations.readable import readable
from sau_solver.phrases import say
from sau_solver.problem import Language
from sau_solver.sheets.sheet import printable
from sau_solver.solution import Solution
from sau_solver.text.numbers import MappedText

INDENT = 2
MIN_WIDTH = 12  # of a wrapped line on a narrow terminal
NUMBER = "bold underline cyan"


def show_solution(console: Console, solution: Solution) -> None:
    """Print a solution in sections with headings."""
    language = solution.read_in
    sections = {"problem": [marked(solution.text, console.is_terminal and not console.is_dumb_terminal)]}
    _print_sections(console, sections, language)
    if solution.abstained:  # say that it is a guess before showing it
        console.print(Text(say(language, "label_abstained"), "bold yellow"))
        if solution.reason:
            _print(console, Text(printable(solution.reason), "yellow"))
        if solution.answers:
            console.print()
    sections = {}
    if solution.equations:
        sections["equations"] = [Text(readable(equation)) for equation in solution.equations]
    if solution.tree is not None:
        sections["tree"] = _tree(console, solution)
    if solution.steps:
        sections["steps"] = [Text(printable(step.text)) for step in solution.steps]
    _print_sections(console, sections, language)
    _print_answer(console, solution)


def _print_sections(console: Console, sections: Mapping[str, Sequence[Text]], language: Language) -> None:
    for title, lines in sections.items():
        console.print(Text(say(language, f"label_{title}"), "bold"))
        for number, line in enumerate(lines, start=1):
            _print(console, line, f"{number:>{INDENT + 2}}. " if title == "steps" else " " * INDENT)
        console.print()


def _print(console: Console, line: Text, lead: str = " " * INDENT) -> None:
    """Print a line after its lead; on a terminal, wrap it and indent the rest by the lead."""
    if not console.is_terminal:
        console.print(Text.assemble(lead, line), soft_wrap=True)
        return
    for part in line.wrap(console, max(MIN_WIDTH, console.width - len(lead)), overflow="fold"):
        console.print(Text.assemble((lead, "dim"), part), soft_wrap=True)
        lead = " " * len(lead)


def marked(text: MappedText, styled: bool) -> Text:
    """Return the problem with its numbers underlined and colored, or in brackets without styles."""
    shown = printable(text.text)
    problem = Text()
    place = 0
    for number in text.numbers:
        problem.append(shown[place : number.start])
        words = shown[number.start : number.end]
        problem.append(words if styled else f"[{words}]", style=NUMBER if styled else None)
        place = number.end
    return problem.append(shown[place:])


def _tree(console: Console, solution: Solution) -> list[Text]:
    """Return the lines of the tree if it fits the screen, otherwise a line that says how to see it."""
    assert solution.tree is not None
    tree, text = solution.tree, solution.text
    if len(tree) > MAX_DRAWN:
        return [Text(say(solution.read_in, "label_too_large", count=len(tree)), "dim")]
    lines = draw_text(tree, [number.value for number in text.numbers]).splitlines()
    if max(map(len, lines)) > console.width - INDENT:
        return [Text(say(solution.read_in, "label_too_wide"), "dim")]
    return [Text(line, "cyan") for line in lines]


def _print_answer(console: Console, solution: Solution) -> None:
    language = solution.read_in
    if solution.kind != "problem":
        _print_exact(console, solution)
        return
    answer = printable(solution.display)
    if solution.abstained:
        if answer:
            console.print(Text(say(language, "label_guess", answer=answer), "bold yellow"))
    else:
        console.print(Text(say(language, "label_answer"), "bold"))
        _print(console, Text(answer, "bold green"))
    if answer:
        percent = round(100 * solution.confidence)
        label = "certain" if percent > 99 else "confidence"  # never claim 100 %
        _print(console, Text(say(language, f"label_{label}", percent=percent), "dim"))


def _print_exact(console: Console, solution: Solution) -> None:
    """Print the answer of mathematics, or why there is none."""
    if solution.abstained:
        return
    console.print(Text(say(solution.read_in, "label_answer"), "bold"))
    _print(console, Text(printable(solution.display or solution.reason), "bold green"))
    _print(console, Text(say(solution.read_in, "label_exact"), "dim"))
