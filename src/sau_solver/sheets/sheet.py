"""A worksheet: problems with their solutions, made from the objects that `sau solve --json` and the server return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sau_solver.phrases import Language, say

Answers = Literal["inline", "separate", "none"]


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One problem of a worksheet. All fields are plain text, as they were read or printed."""

    problem: str
    answer: str = ""  # as a reader sees it, with its unit
    equations: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    confidence: float | None = None
    abstained: bool = False  # the answer is only a guess
    reason: str = ""  # why there is no confident answer, or why the text was refused
    language: Language | None = None
    number: int | None = None  # its own number in the list it comes from


@dataclass(frozen=True, slots=True)
class Sheet:
    """The problems of a worksheet in order, and how it is written."""

    items: tuple[SheetItem, ...]
    language: Language  # of the headings
    answers: Answers = "inline"  # below each problem, after the last problem, or nowhere

    @property
    def numbered(self) -> list[tuple[int, SheetItem]]:
        """The items with the numbers that they are printed with: their own if they are all different and in order."""
        own = [item.number for item in self.items if item.number is not None]
        if len(own) == len(self.items) and own == sorted(set(own)):
            return list(zip(own, self.items, strict=True))
        return list(enumerate(self.items, start=1))

    def says(self, code: str, **values: object) -> str:
        """Return a heading or remark in the language of the sheet."""
        return say(self.language, f"sheet_{code}", **values)

    def remark(self, item: SheetItem) -> str:
        """Return what is said instead of an answer, or an empty string if the problem has a confident answer."""
        if not item.abstained:
            return ""
        reason = item.reason or self.says("unknown_reason")
        return (
            self.says("guess", answer=item.answer, reason=reason) if item.answer else self.says("none", reason=reason)
        )


def item_of(record: Mapping[str, Any], problem: str = "", number: int | None = None) -> SheetItem:
    """Return the item of a solution as JSON, or of an error in place of one; `problem` is the text it belongs to."""
    if "error" in record:
        reason = " ".join(str(record[key]) for key in ("message", "hint") if record.get(key)) or str(record["error"])
        return SheetItem(str(record.get("problem", problem)), abstained=True, reason=reason, number=number)
    roots = record.get("roots") or [{}]
    return SheetItem(
        problem=str(record["problem"]),
        answer=_answer(record) or ("" if record["abstained"] else str(record["reason"])),
        equations=tuple(map(str, record["equations"])),
        unknowns=tuple(map(str, roots[0])),
        steps=_steps(record),
        confidence=record["confidence"] if record.get("kind", "problem") == "problem" else None,  # else it is exact
        abstained=bool(record["abstained"]),
        reason=str(record["reason"]),
        language=record["language"],
        number=number,
    )


def _steps(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the steps without the answer, which the sheet writes in a line of its own."""
    steps = tuple(map(str, record["steps"]))
    kinds = record.get("step_kinds") or ["work"] * len(steps)
    return tuple(step for step, kind in zip(steps, kinds, strict=True) if kind != "answer")


def printable(text: str, instead: str = "·") -> str:
    """Replace each control character except line breaks; the length stays the same."""
    return "".join(char if char.isprintable() or char == "\n" else instead for char in text)


def make_sheet(items: Iterable[SheetItem], answers: Answers = "inline", language: Language | None = None) -> Sheet:
    """Return a sheet. By default its headings are in the language of most problems."""
    listed = tuple(items)
    return Sheet(listed, language or _common_language(listed), answers)


def _answer(record: Mapping[str, Any]) -> str:
    """Return the answer as it is displayed; if the object has no display, the exact values with their unit."""
    if record.get("display"):
        return str(record["display"])
    values, unit = ", ".join(map(str, record["answers"])), str(record.get("unit", ""))
    glue = "" if record["language"] == "zh" or unit in ("", "%") else " "
    return f"{values}{glue}{unit}" if values else ""


def _common_language(items: Sequence[SheetItem]) -> Language:
    chinese = sum(item.language == "zh" for item in items)
    return "zh" if 2 * chinese > sum(item.language is not None for item in items) else "en"
