"""Split the text between numbers into words with their positions: jieba for Chinese, a pattern for English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from sau_solver.problem import Language
from sau_solver.text.numbers.english_text import lower
from sau_solver.text.numbers.mapped import NUMBER_WORD

Word = tuple[str, int, int]  # word, start, end

_ENGLISH_WORD = re.compile(
    r"'s(?![a-z])|[a-z]++(?:'(?!s(?![a-z]))[a-z]++)*+[0-9]*+[a-z]*+|[0-9]++(?:[:.^][0-9]++)*+|\S"
)
_TIME = r"[0-9]{1,2}[:：][0-5][0-9](?![0-9:：])"
# Unlike jieba, rjieba keeps x-y and v_0 whole, so split them here. A time such as 12:30 is one word.
_CHINESE_CHUNK = re.compile(rf"({_TIME})|[-_]|(?:[^\s_0-9-]|(?!{_TIME})[0-9])++")
_SURROGATE = re.compile("[\ud800-\udfff]")
# One word per punctuation mark, full-width or ASCII. NUM in a user's text is not a number.
_SPELT = {NUMBER_WORD: NUMBER_WORD.lower(), **dict(zip(",.．｡?!;:()", "，。。。？！；：（）", strict=True))}
_STRAIGHT = str.maketrans("’‘“”–—−", "''\"\"---")


class _Cutter(Protocol):
    def __call__(self, text: str) -> list[str]: ...


@cache
def _cutter() -> _Cutter:
    """Load jieba at the first Chinese text, not at import, because its dictionary takes a tenth of a second."""
    import rjieba

    cutter: _Cutter = rjieba.cut
    return cutter


def words_between(text: str, start: int, end: int, language: Language) -> Iterator[Word]:
    """Yield the words of text[start:end] with their positions, without white space."""
    if language == "en":
        piece = lower(text[start:end]).translate(_STRAIGHT)
        for match in _ENGLISH_WORD.finditer(piece):
            yield match[0], start + match.start(), start + match.end()
        return
    for chunk in _CHINESE_CHUNK.finditer(text, start, end):
        place = chunk.start()
        if chunk[1]:
            yield chunk[1].replace("：", ":"), place, chunk.end()
            continue
        for word in _cutter()(_SURROGATE.sub("\ufffd", chunk[0])):
            yield _SPELT.get(word, word), place, place + len(word)
            place += len(word)
