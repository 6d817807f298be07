"""CSV -> the problems of one column, found by its name, by a usual header, or as the column with the longest texts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sau_solver.errors import InputError
from sau_solver.phrases import say
from sau_solver.problem import Language
from sau_solver.text.lists.numbered import asks
from sau_solver.text.lists.problem_lines import ProblemLine

DELIMITERS = ",\t;"
MAX_NAMED = 12  # columns that an error names
MAX_NAME = 40  # characters of a column's name in an error

# Usual names of the column, best first.
_HEADERS = (
    "problem", "problems", "text", "题目", "题干", "应用题", "问题", "question", "questions", "exercise", "task",
    "word problem", "math problem", "original_text", "题", "内容", "题目内容", "sentence", "body",
)  # fmt: skip
_NUMBER_HEADERS = ("no", "no.", "nr", "nr.", "number", "#", "题号", "编号", "序号")
_ID_HEADERS = ("id", "key")
_LANGUAGE_HEADERS = ("lang", "language", "语言")

Row = tuple[int, list[str]]  # the line where it begins, and its cells


def looks_like_csv(text: str) -> bool:
    """Return whether a text has several columns and a usual header, or cells separated by tabs in every line."""
    head = text.lstrip().partition("\n")[0]
    for delimiter in DELIMITERS:
        cells = [_plain(cell) for cell in head.split(delimiter)]
        if len(cells) > 1 and any(cell.strip('"') in _HEADERS for cell in cells):
            return True
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.count("\t") == lines[0].count("\t") > 0 for line in lines)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written: its delimiter, its header, and where the problems are."""

    delimiter: str
    has_header: bool
    columns: tuple[str, ...]
    place: int  # of the problems, from 0
    others: tuple[int | None, int | None, int | None]  # places of number, id and language
    width: int  # cells of the header, or 0
    language: Language  # of errors

    def problem(self, row: Row) -> ProblemLine:
        """Return the problem of a row; a row without one becomes an error."""
        return _problem(_whole(row, self.place, self.width), self.place, self.others, self.language)


def read_table(text: str, column: str, language: Language) -> tuple[list[ProblemLine], str, tuple[str, ...]]:
    """Return the problems of the rows, the name of their column and of all columns.

    A row without a problem becomes an error.
    """
    layout, rows = find_layout(text, column, language)
    body = rows[1:] if layout.has_header else rows
    name = layout.columns[layout.place]
    if not body:
        raise InputError.phrased(language, "list_header_only", column=_short(name))
    return [layout.problem(row) for row in body], name, layout.columns


def find_layout(text: str, column: str, language: Language, whole: bool = True) -> tuple[Layout, list[Row]]:
    """Return how a table is written, and its rows with the header; raise InputError if it has no problems.

    If the text is not the whole table, its last row can be incomplete and does not count.
    """
    delimiter, rows = _rows(text, language, whole)
    if not rows:
        raise InputError.phrased(language, "list_empty")
    header = [_plain(cell) for cell in rows[0][1]]
    place = _named(column, rows, language) if column else _usual(header)
    has_header = place is not None and (_is_name(header, place, column) or _is_header(rows[0][1], place))
    if place is None:
        place = _longest(rows, language)
        has_header = _is_header(rows[0][1], place)
    number, name, spoken = (
        _find(header, names) if has_header else None for names in (_NUMBER_HEADERS, _ID_HEADERS, _LANGUAGE_HEADERS)
    )
    width = len(header) if has_header else 0
    columns = _columns(rows, has_header)
    return Layout(delimiter, has_header, columns, place, (number, name, spoken), width, language), rows


def _columns(rows: Sequence[Row], has_header: bool) -> tuple[str, ...]:
    """Return a name for each column: its header, or its number if that is missing or not unique."""
    names = [cell.strip() for cell in rows[0][1]] if has_header else []
    names += [""] * (max(len(cells) for _, cells in rows) - len(names))
    return tuple(name if name and names.count(name) == 1 else str(place) for place, name in enumerate(names, start=1))


def _rows(text: str, language: Language, whole: bool) -> tuple[str, list[Row]]:
    """Return the delimiter that gives a usual header or, failing that, the most columns, and the rows it gives."""
    end = None if whole else -1
    parsed = [
        (delimiter, list(parsed_rows(io.StringIO(text, newline=""), delimiter, language))[:end])
        for delimiter in DELIMITERS
    ]
    return max(parsed, key=lambda one: _plausibility(one[1]))


def _plausibility(rows: Sequence[Row]) -> tuple[bool, bool, int]:
    """Prefer a usual header, then rows of one width: the commas of sentences give rows of many widths."""
    if not rows:
        return False, False, 0
    widths = {len(cells) for _, cells in rows}
    usual = _usual([_plain(cell) for cell in rows[0][1]]) is not None
    return usual and (max(widths) > 1 or len(widths) == 1), len(widths) == 1, max(widths)


def parsed_rows(lines: Iterable[str], delimiter: str, language: Language) -> Iterator[Row]:
    """Yield the rows of lines that end with line breaks, and skip blank rows.

    A field has at most as many characters as the module csv allows.
    """
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error:
        raise InputError.phrased(language, "list_broken_csv", line=reader.line_num) from None


def _named(column: str, rows: Sequence[Row], language: Language) -> int:
    """Return the place of the column with a name, or with a number that counts from 1."""
    header = [_plain(cell) for cell in rows[0][1]]
    wanted = _plain(column)
    if wanted in header:
        return header.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted[:6]) <= max(len(cells) for _, cells in rows):
        return int(wanted) - 1
    raise InputError.phrased(language, "list_unknown_column", column=_short(column), columns=_names(rows[0][1]))


def _usual(header: Sequence[str]) -> int | None:
    return _find(header, _HEADERS)


def _find(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _longest(rows: Sequence[Row], language: Language) -> int:
    """Return the column with the longest texts that ask for something."""
    lengths = [0] * max(len(cells) for _, cells in rows)
    for _, cells in rows:
        for place, cell in enumerate(cells):
            lengths[place] += len(cell) * (asks(cell) and not _is_number(cell))
    if not any(lengths):
        raise InputError.phrased(language, "list_no_column", columns=_names(rows[0][1]))
    return lengths.index(max(lengths))


def _is_name(header: Sequence[str], place: int, column: str) -> bool:
    return place < len(header) and header[place] == (_plain(column) if column else header[place])


def _is_header(cells: Sequence[str], place: int) -> bool:
    return place >= len(cells) or not (asks(cells[place]) or any(char.isdecimal() for char in cells[place]))


def _is_number(text: str) -> bool:
    return not any(char.isalpha() or char in "=+*×÷/" for char in text)


def _whole(row: Row, place: int, width: int) -> Row:
    """Join the cells of a last column whose commas were not quoted; empty the row if it is not the last column."""
    line, cells = row
    if not width or len(cells) <= width:
        return row
    return line, [*cells[:place], ", ".join(cells[place:])] if place == width - 1 else []


def _problem(row: Row, place: int, others: Sequence[int | None], language: Language) -> ProblemLine:
    line, cells = row
    number, name, spoken = (cells[at].strip() if at is not None and at < len(cells) else "" for at in others)
    label = int(number) if number.isdecimal() and len(number) < 7 else None
    text = cells[place].strip() if place < len(cells) else ""
    if not cells:
        return ProblemLine(line, error=say(language, "list_extra_cells"))
    if not text:
        return ProblemLine(line, id=name or None, label=label, error=say(language, "list_no_cell"))
    known: Language | None = "zh" if spoken.lower() == "zh" else "en" if spoken.lower() == "en" else None
    return ProblemLine(line, text, name or None, known, label=label)


def _plain(name: str) -> str:
    return name.strip().strip("\ufeff").lower()


def _names(cells: Sequence[str]) -> str:
    shown = ", ".join(_short(cell.strip()) for cell in cells[:MAX_NAMED])
    return shown + (" …" if len(cells) > MAX_NAMED else "")


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[:MAX_NAME] + "…"
