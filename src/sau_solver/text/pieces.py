"""Turn words into WordPiece ids, as BERT reads them: always the longest known piece. A number is one piece.

A vocabulary is reduced to the pieces that occur in training texts, and to single characters, from which all other words
are built. The algorithm is implemented here because the `tokenizers` library depends on a client for a web service; a
test compares the two.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sau_solver.errors import InputError
from sau_solver.text.numbers import FORMS, form_of
from sau_solver.text.tokens import NUMBER, PADDING, UNKNOWN_WORD

START, END = 3, 4  # ids of the marks before and after a text; 0 to 2 are reserved in every vocabulary
_FIRST = 5
_DIGITS = tuple("123456789")  # a number starts as the mean of their embeddings
_FORM = "NUM "  # prefix of the pieces for the forms of numbers

_INSIDE = "##"  # prefix of a piece inside a word
_LONGEST_WORD = 100  # characters; a longer word is unknown, as in BERT
# Chinese characters and ASCII punctuation; other punctuation is recognized by its Unicode category.
_SPACES = re.compile(r"\s+")
_ALONE = re.compile(f"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f{re.escape(string.punctuation)}]")


@dataclass(frozen=True, slots=True)
class Marks:
    """The published pieces that initialize the reserved ids."""

    padding: str
    unknown: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces that a model knows. Their ids follow the five reserved ids."""

    pieces: tuple[str, ...]
    lowercase: bool = True
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)
    _longest: int = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)  # a cache of words and their ids

    def __post_init__(self) -> None:
        ids = {piece: index for index, piece in enumerate(self.pieces, _FIRST)}
        if len(ids) != len(self.pieces):
            raise InputError("The pieces of a vocabulary must be unique, got a repeated piece. Build it again.")
        object.__setattr__(self, "_ids", ids)
        object.__setattr__(self, "_longest", max(map(len, self.pieces), default=0))
        object.__setattr__(self, "_known", {})

    @classmethod
    def build(
        cls, published: Collection[str], texts: Iterable[Sequence[str]], lowercase: bool, minimum_count: int
    ) -> Pieces:
        """Select the published pieces that training texts use often enough, and those of one common character."""
        whole = cls(tuple(published), lowercase)
        counts: Counter[int] = Counter()
        forms: Counter[str] = Counter()
        for words in texts:
            counts.update(whole.read(words)[0])
            forms.update(form for word in words if (form := form_of(word)) in FORMS)
        kept = [p for p in published if counts[whole._ids[p]] >= minimum_count or _is_character(p)]
        return cls((*kept, *(_FORM + form for form in FORMS if forms[form] >= minimum_count)), lowercase)

    def read(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the ids of the pieces of a text, between START and END, and the position of each word."""
        ids, begins = [START], []
        for word in words:
            begins.append(len(ids))
            if (form := form_of(word)) is not None:
                ids.append(self._ids.get(_FORM + form if form in FORMS else form, NUMBER))
                continue
            found = self._known.get(word)
            if found is None:
                found = tuple(piece for part in self._parts(word) for piece in self._matched(part)) or (UNKNOWN_WORD,)
                if len(self._known) < 1 << 16:  # a limit, because a server keeps seeing new words
                    self._known[word] = found
            ids += found
        return [*ids, END], begins

    def stand_ins(self, published: Collection[str], marks: Marks) -> list[tuple[str, ...]]:
        """Return, for each id, the published pieces whose mean embedding initializes it."""
        reserved = {
            PADDING: (marks.padding,),
            UNKNOWN_WORD: (marks.unknown,),
            NUMBER: _DIGITS,
            START: (marks.start,),
            END: (marks.end,),
        }
        forms = {_FORM + form: (*_DIGITS, *(c for c in form if c in published)) for form in FORMS}
        return [*reserved.values(), *(forms.get(piece, (piece,)) for piece in self.pieces)]

    def __len__(self) -> int:
        return len(self.pieces) + _FIRST

    def _parts(self, word: str) -> Iterator[str]:
        """Split a word at spaces, Chinese characters and punctuation. The latter two become parts of their own."""
        word = "".join(character for character in word if not _is_control(character))
        if self.lowercase:
            # Lowercase models also drop accents.
            bare = (c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
            word = "".join(bare).lower()
        return (part for spaced in _SPACES.split(_ALONE.sub(r" \g<0> ", word)) for part in _cut(spaced))

    def _matched(self, part: str) -> list[int]:
        """Match the longest piece at the start of the part, then the longest piece that continues it, and so on."""
        if len(part) > _LONGEST_WORD:
            return [UNKNOWN_WORD]
        found, start = [], 0
        while start < len(part):
            mark = _INSIDE if start else ""
            for end in range(min(len(part), start + self._longest), start, -1):
                if (index := self._ids.get(mark + part[start:end])) is not None:
                    break
            else:
                return [UNKNOWN_WORD]
            found.append(index)
            start = end
        return found


def _cut(text: str) -> Iterator[str]:
    """Split a text without spaces at non-ASCII punctuation."""
    start = 0
    for place, character in enumerate(text):
        if not character.isascii() and unicodedata.category(character).startswith("P"):
            yield from filter(None, (text[start:place], character))
            start = place + 1
    if start < len(text):
        yield text[start:]


def _is_control(character: str) -> bool:
    return character not in "\t\n\r" and (unicodedata.category(character).startswith("C") or character == "�")


def _is_character(piece: str) -> bool:
    """Return whether a piece is one common character: ASCII, or one of the 3,755 most common Chinese characters."""
    character = piece.removeprefix(_INSIDE)
    if len(character) != 1:
        return False
    if character.isascii():
        return True
    try:
        encoded = character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    # Punctuation and the first level of GB 2312. Chinese characters never continue a word.
    return encoded[0] <= 0xA3 or (0xB0 <= encoded[0] <= 0xD7 and not piece.startswith(_INSIDE))
