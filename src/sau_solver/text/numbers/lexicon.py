"""Words that contain a numeral but are not numbers (一共, 四川, 零件), and patterns for word lists."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources


@cache
def words_with_numerals(file: str = "words_with_numerals.txt") -> tuple[str, ...]:
    """Return the words of a list: those that are also restored in HMWP, or those of words_not_restored.txt."""
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def any_of(words: tuple[str, ...]) -> str:
    """Return a pattern that matches the longest of `words`. Common prefixes are shared, so that it fails fast."""
    heads: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        if word:
            heads.setdefault(word[0], []).append(word[1:])
    branches = []
    singles = []
    for head, tails in heads.items():
        if tails == [""]:
            singles.append(re.escape(head))
            continue
        rest = any_of(tuple(tails))
        branches.append(re.escape(head) + (f"(?:{rest})?" if "" in tails else f"(?:{rest})"))
    if singles:
        branches.append(f"[{''.join(singles)}]" if len(singles) > 1 else singles[0])
    return "|".join(branches)
