"""Plain text with several problems -> the problems: a numbered list, blocks between blank lines, or one per line.

Marks such as （1） or ② that follow the words of a problem are its questions and stay in it, and "3.5 kg" at the
beginning of a line does not start an item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sau_solver.text.lists.problem_lines import ProblemLine

MAX_SKIPPED = 3  # numbers that may be missing between two items
MAX_HEADING = 60  # characters

_HAN_DIGITS = "一二三四五六七八九"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
# One pattern for each kind of mark. The value is in the group `n`.
_STYLES = {
    "named": re.compile(
        r"(?:(?:problem|question|exercise|task|q) ?#? ?(?P<n>\d{1,4}) ?[.:)：]?|第 ?(?P<m>\d{1,4}) ?题 ?[.:：、．]?)",
        re.IGNORECASE,
    ),
    "dot": re.compile(r"(?P<n>\d{1,4})(?:[.．](?!\d)|、)"),
    "bracket": re.compile(r"(?P<n>\d{1,4})[)）]"),
    "han": re.compile(rf"(?P<n>[{_HAN_DIGITS}十]{{1,3}})、"),
    "brackets": re.compile(r"[(（] ?(?P<n>\d{1,3}) ?[)）]"),
    "circled": re.compile(rf"(?P<n>[{_CIRCLED}])"),
}
_OUTER = ("named", "dot", "bracket", "han")  # a problem begins like this even inside a list of another kind
_DIGITS = ("dot", "bracket")  # people mix these two
_QUESTION_MARK = re.compile(rf"(?:[(（] ?(?:\d{{1,2}}|[a-h]) ?[)）]|[{_CIRCLED}])")
_BULLET = re.compile(r"^[-*•] (?=[^\d\s])")
_ASKS = re.compile(
    r"[?？]|多少|几|求|计算|解方程|\b(?:how|what|which|find|calculate|compute|solve|evaluate|simplify|factor)\b",
    re.IGNORECASE,
)
_MATHEMATICS = re.compile(r"[\d\sA-Za-z.,+\-*/^()=<>×÷−²³√%＋－＝（）]*")
_WORD = re.compile(r"[A-Za-z]{3,}")
_ANSWER_WORDS = frozenset({"", "answer", "ans", "ans.", "solution", "答", "答案", "解"})  # before a line to write on
_EMPHASIS = re.compile(r"^\s*(?:[*_]{2}(?=[^*_\s]+[*_]{2}))?")
_HAN_END = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    style: str = ""
    value: int = 0
    rest: str = ""  # the text after the mark

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def numbered_list(text: str) -> list[ProblemLine]:
    """Return the items of a numbered list, or nothing if the text is not one."""
    lines = _lines(text)
    items = _items(lines)
    if len(items) > 1:
        return items
    alone = not _problem_per_line([line for line in lines if not line.blank])
    return _inline(text) or (items if alone else [])


def blocks(text: str) -> list[ProblemLine]:
    """Return the blocks between blank lines; a block in which most lines ask something has a problem per line."""
    found: list[ProblemLine] = []
    for block in _blocks(_lines(text)):
        found += _each_line(block) if _problem_per_line(block) else [_joined(block)]
    return [one for one in found if one.text]


def one_per_line(text: str) -> list[ProblemLine]:
    """Return the lines; a line that begins with （1）, (a) or ② belongs to the line before it."""
    return _each_line([line for line in _lines(text) if not line.blank])


def asks(text: str) -> bool:
    """Return whether a text asks for something or is mathematics."""
    if _ASKS.search(text):
        return True
    has_number = any(char.isdecimal() for char in text)
    return has_number and bool(_MATHEMATICS.fullmatch(text)) and not _WORD.search(text)


def _lines(text: str) -> list[_Line]:
    return [_marked(number, line) for number, line in enumerate(text.splitlines(), start=1)]


def _marked(number: int, text: str) -> _Line:
    """Return a line with the mark that it begins with, if any."""
    plain = text[_EMPHASIS.match(text).end() :]  # type: ignore[union-attr]
    for style, pattern in _STYLES.items():
        if found := pattern.match(plain):
            value = found["n"] or found["m"]
            rest = plain[found.end() :].removeprefix("**").removeprefix("__").strip()
            return _Line(number, text, style, _value(value), rest)
    return _Line(number, text)


def _value(text: str) -> int:
    if text.isdecimal():
        return int(text)
    if text in _CIRCLED:
        return _CIRCLED.index(text) + 1
    tens, ten, ones = text.rpartition("十")
    units = _HAN_DIGITS.find(ones or "") + 1 if ones else 0
    return units + (10 * (_HAN_DIGITS.find(tens) + 1 if tens else 1) if ten else 0)


def _items(lines: Sequence[_Line]) -> list[ProblemLine]:
    """Return the items of the kind of mark that comes first; a heading such as 一、应用题 is not one."""
    first = next((place for place, line in enumerate(lines) if line.style), None)
    if first is None or not all(_is_heading(line.text) for line in lines[:first] if not line.blank):
        return []
    styles, before = _same_level(lines, lines[first].style), 0
    starts: list[int] = []
    for place, line in enumerate(lines):
        if line.style in styles and (not starts or before < line.value <= before + 1 + MAX_SKIPPED or line.value == 1):
            starts.append(place)
            before = line.value
    found: list[ProblemLine] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        found += _item(lines[start], lines[start + 1 : end])
    return found


def _same_level(lines: Sequence[_Line], style: str) -> set[str]:
    """Return the kinds of marks of the items: 1. and 2) go together unless the other kind has its own 1."""
    own_list = {line.style for line in lines if line.value == 1}
    return {style, *(other for other in _DIGITS if style in _DIGITS and other not in own_list)}


def _item(head: _Line, rest: Sequence[_Line]) -> list[ProblemLine]:
    inner = next((place for place, line in enumerate(rest) if line.style in _OUTER and line.style != head.style), None)
    if inner is not None:
        stem = " ".join([head.rest, *(line.text for line in rest[:inner])])
        if _is_heading(stem) and (own := _items(rest[inner:])):
            return own
    joined = _joined([_Line(head.number, head.rest), *_without_heading(rest)])
    return [ProblemLine(head.number, joined.text, label=head.value)] if joined.text else []


def _without_heading(rest: Sequence[_Line]) -> Sequence[_Line]:
    """Leave out a heading at the end that belongs to the next part of a list: a short last line after a blank one."""
    filled = [place for place, line in enumerate(rest) if not line.blank]
    if not filled:
        return ()
    last = rest[filled[-1]]
    apart = filled[-1] > 0 and rest[filled[-1] - 1].blank
    digits = any(char.isdecimal() for char in last.text)
    is_heading = apart and not last.style and _is_heading(last.text) and (not digits or last.text.startswith("#"))
    return rest[: filled[-1]] if is_heading else rest


def _is_heading(text: str) -> bool:
    """Return whether a line is a title or an instruction, not a part of a problem."""
    text = text.strip()
    if text.startswith("#"):
        return True
    if "?" in text or "？" in text or len(text) > 2 * MAX_HEADING:
        return False
    without_numbers = not any(char.isdecimal() for char in text)
    return without_numbers or (len(text) <= MAX_HEADING and not text.endswith((".", "。", "，", ",", "；", ";")))


def _inline(text: str) -> list[ProblemLine]:
    """Return the items of a list whose line breaks were lost: 1. …? 2. …?"""
    line = " ".join(text.split())
    first = _marked(1, line)
    if first.style not in ("dot", "bracket", "brackets", "circled"):
        return []
    pattern = re.compile(rf"(?:^|(?<=[?？.。!！;；])\s*){_STYLES[first.style].pattern}")
    starts = list(pattern.finditer(line))
    kept = starts[:1]
    for found in starts[1:]:
        if _value(found["n"]) == _value(kept[-1]["n"]) + 1:
            kept.append(found)
    ends = [*(found.start() for found in kept[1:]), len(line)]
    pieces = [(line[found.end() : end].strip(), _value(found["n"])) for found, end in zip(kept, ends, strict=True)]
    if len(pieces) < 2 or not all(asks(piece) for piece, _ in pieces):
        return []
    return [ProblemLine(1, piece, label=label) for piece, label in pieces]


def _blocks(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    block: list[_Line] = []
    for line in [*lines, _Line(0, "")]:
        if not line.blank:
            block.append(line)
        elif block:
            yield block
            block = []


def _problem_per_line(block: Sequence[_Line]) -> bool:
    own = [line for line in block if not _QUESTION_MARK.match(line.text.strip())]
    asking = sum(asks(line.text) for line in own)
    return len(own) > 1 and asks(own[0].text) and 2 * asking > len(own)


def _each_line(lines: Sequence[_Line]) -> list[ProblemLine]:
    groups: list[list[_Line]] = []
    for line in lines:
        if groups and _QUESTION_MARK.match(line.text.strip()):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_joined(group) for group in groups]


def _joined(lines: Sequence[_Line]) -> ProblemLine:
    """Join the lines of a problem. Its questions keep lines of their own; Chinese lines are joined without a space."""
    text = ""
    for line in lines:
        part = _BULLET.sub("", line.text.strip(), count=1)
        if not part or part.strip("_＿:： .。").lower() in _ANSWER_WORDS:
            continue
        glue = "" if not text else "\n" if _QUESTION_MARK.match(part) else " "
        if glue == " " and _HAN_END.match(text[-1]) and _HAN_END.match(part):
            glue = ""
        text += glue + part
    return ProblemLine(lines[0].number, text)
