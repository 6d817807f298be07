"""Words -> ids of word pieces, as BERT reads them: the longest known piece first (WordPiece); a number is one piece.

A vocabulary is cut to the pieces that training texts use, and to single characters, of which every other word is made.
Written here, fifteen lines, since the library for it brings a client of a web service along; a test compares the two.
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

START, END = 3, 4  # ids of the marks before and after a text; 0 to 2 are those of every vocabulary
_FIRST = 5
# What stands for the reserved ids in a published vocabulary. A number is read like the mean of the digits.
_RESERVED = {
    PADDING: ("[PAD]",),
    UNKNOWN_WORD: ("[UNK]",),
    NUMBER: tuple("123456789"),
    START: ("[CLS]",),
    END: ("[SEP]",),
}
_FORM = "NUM "  # before the form of a number, as a piece is called

_INSIDE = "##"  # before a piece that does not begin a word
_LONGEST_WORD = 100  # characters; a longer one is unknown, as in BERT
# Chinese characters, and ASCII that is no letter or digit; other punctuation is told by its category.
_SPACES = re.compile(r"\s+")
_ALONE = re.compile(f"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f{re.escape(string.punctuation)}]")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces that a model knows; a piece's id is its place after the five reserved ids."""

    pieces: tuple[str, ...]
    lowercase: bool = True
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)
    _longest: int = field(init=False, repr=False, compare=False)
    _known: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)  # words that were read before

    def __post_init__(self) -> None:
        ids = {piece: index for index, piece in enumerate(self.pieces, _FIRST)}
        if len(ids) != len(self.pieces):
            raise InputError("A vocabulary lists each piece once; this one repeats a piece. Build it anew.")
        object.__setattr__(self, "_ids", ids)
        object.__setattr__(self, "_longest", max(map(len, self.pieces), default=0))
        object.__setattr__(self, "_known", {})

    @classmethod
    def build(
        cls, published: Collection[str], texts: Iterable[Sequence[str]], lowercase: bool, minimum_count: int
    ) -> Pieces:
        """The published pieces that training texts use often enough, and those of one common character."""
        whole = cls(tuple(published), lowercase)
        counts: Counter[int] = Counter()
        forms: Counter[str] = Counter()
        for words in texts:
            counts.update(whole.read(words)[0])
            forms.update(form for word in words if (form := form_of(word)) in FORMS)
        kept = [p for p in published if counts[whole._ids[p]] >= minimum_count or _is_character(p)]
        return cls((*kept, *(_FORM + form for form in FORMS if forms[form] >= minimum_count)), lowercase)

    def read(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, and where among them each word begins; a mark before and after the text."""
        ids, begins = [START], []
        for word in words:
            begins.append(len(ids))
            if (form := form_of(word)) is not None:
                ids.append(self._ids.get(_FORM + form if form in FORMS else form, NUMBER))
                continue
            found = self._known.get(word)
            if found is None:
                found = tuple(piece for part in self._parts(word) for piece in self._matched(part)) or (UNKNOWN_WORD,)
                if len(self._known) < 1 << 16:  # a server sees new words for as long as it runs
                    self._known[word] = found
            ids += found
        return [*ids, END], begins

    def stand_ins(self, published: Collection[str]) -> list[tuple[str, ...]]:
        """For each id the published pieces whose mean it begins with."""
        forms = {_FORM + form: (*_RESERVED[NUMBER], *(c for c in form if c in published)) for form in FORMS}
        return [*_RESERVED.values(), *(forms.get(piece, (piece,)) for piece in self.pieces)]

    def __len__(self) -> int:
        return len(self.pieces) + _FIRST

    def _parts(self, word: str) -> Iterator[str]:
        """A word cut at spaces, and at Chinese characters and punctuation, which stand alone."""
        word = "".join(character for character in word if not _is_control(character))
        if self.lowercase:
            # Accents go with the capitals.
            bare = (c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
            word = "".join(bare).lower()
        return (part for spaced in _SPACES.split(_ALONE.sub(r" \g<0> ", word)) for part in _cut(spaced))

    def _matched(self, part: str) -> list[int]:
        """The longest piece that begins the part, then the longest that goes on, and so on."""
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
    """A text without spaces, cut at punctuation that is not ASCII."""
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
    """A piece of one character that any text may have: ASCII, or one of the 3,755 most common Chinese characters."""
    character = piece.removeprefix(_INSIDE)
    if len(character) != 1:
        return False
    if character.isascii():
        return True
    try:
        encoded = character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    # The first level of GB 2312, and its punctuation; Chinese characters never go on a word.
    return encoded[0] <= 0xA3 or (0xB0 <= encoded[0] <= 0xD7 and not piece.startswith(_INSIDE))
