"""Templates of sentences: parse them once, then write them as often as you like.

{a}  {a:digits}  {a:times}     a number of the family, and how it is written (spelling.py)
{8..14}  {20..90 by 5}         a number that the answer does not need
{thing}  {thing2}  {thing.one} a word of a pool, another word of the same pool, its singular
{N}  {N.he}  {N.His}           a child's name and its pronouns; M, K and L are other children
[Then|Later|]                  one of these texts
[1:a pen|a book] [1:it|that]   the same place in all brackets with the same digit
[0:pens|books]                 in a question or unit: the first with the first body, the second with the second
[?, who is {8..14},]           only in a problem with numbers that are not needed
<He has {a}. & She has {b}.>   these sentences in any order
<+>                            a place for another sentence with an unneeded number
{?}                            the place of the question; without it, the question comes last
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sau_solver.curriculum.formulas import Value, exact, formula
from sau_solver.curriculum.number_draws import Kind, Values
from sau_solver.curriculum.spelling import NumberHabits, spelled
from sau_solver.curriculum.word_pools import FORMS, WordChoice
from sau_solver.errors import FamilyError

NUMBER_FORMS = frozenset({"", "digits", "words", "times", "mixed", "money", "ordinal", "fraction", "percent"})
_SPECIAL = re.compile(r"\{[^{}]*\}|\[|\]|\||<\+>|<|>|&")
_NUMBER = re.compile(r"([a-z])(?::(\w+))?")
_DRAWN = re.compile(r"(-?[\d.]+?)\.\.([\d.]+?)(?: by ([\d.]+))?(?::(\w+))?")
_WORD = re.compile(r"([A-Za-z_]+\d?)(?:\.(\w+))?")
_LINK = re.compile(r"(\d):")
_MONEY_SIGNS = ("$", "£", "€")
_KEEPS_DIGITS = ("%", ":", "/", "-", "th ", "°", "°", "号", "月", "日", "年级", "班", "楼", "时", "：", "点")


@dataclass(slots=True)
class Draft:
    """One problem while it is written."""

    rng: Random
    values: Values
    kinds: Mapping[str, Kind]
    words: WordChoice
    habits: NumberHabits
    distracting: bool
    question: Sequence[Node] = ()
    extras: list[Sequence[Node]] = field(default_factory=list)  # sentences still to be placed at <+>
    links: dict[str, float] = field(default_factory=dict)
    letters: set[str] = field(default_factory=set)  # the numbers written so far
    unneeded: list[Value] = field(default_factory=list)

    def write(self, nodes: Sequence[Node]) -> str:
        """Return the text of some nodes."""
        return "".join([node if isinstance(node, str) else node.write(self) for node in nodes])


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the family, in the form that the template asks for."""

    letter: str
    form: str

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        draft.letters.add(self.letter)
        return spelled(draft.values[self.letter], draft.kinds[self.letter], self.form, draft.habits, draft.rng)


@dataclass(frozen=True, slots=True)
class Unneeded:
    """A number that the answer does not need; it is drawn when it is written."""

    low: Value
    steps: int
    step: Value
    form: str

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        taken = draft.values.values()
        for _ in range(20):
            value = exact(self.low + self.step * draft.rng.randint(0, self.steps))
            if value not in taken:
                break
        draft.unneeded.append(value)
        return spelled(value, "plain", self.form, draft.habits, draft.rng)


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that a word of a pool fills."""

    name: str
    form: str

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        return draft.words.word(self.name).form(self.form)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Several texts, one of which is written."""

    options: tuple[tuple[Node, ...], ...]
    link: str

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        place = draft.links.setdefault(self.link, draft.rng.random()) if self.link else draft.rng.random()
        return draft.write(self.options[int(place * len(self.options))])


@dataclass(frozen=True, slots=True)
class Distraction:
    """A text that is written only in problems with unneeded numbers."""

    inner: tuple[Node, ...]

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        return draft.write(self.inner) if draft.distracting and draft.rng.random() < 0.7 else ""


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """Texts that are written in random order."""

    parts: tuple[tuple[Node, ...], ...]
    joint: str

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        order = draft.rng.sample(self.parts, len(self.parts))
        return self.joint.join(draft.write(part).strip() for part in order)


@dataclass(frozen=True, slots=True)
class ExtraPlace:
    """A place for a sentence that the answer does not need."""

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        return f" {draft.write(draft.extras.pop())} " if draft.extras else " "  # an extra may be empty


@dataclass(frozen=True, slots=True)
class QuestionPlace:
    """The place where the question is written."""

    def write(self, draft: Draft) -> str:
        """Return the text that is written here."""
        return draft.write(draft.question)


Node = str | Number | Unneeded | Slot | Alternatives | Distraction | AnyOrder | ExtraPlace | QuestionPlace


class TemplateReader:
    """Parses the templates of one family, whose numbers and pools are known."""

    def __init__(self, letters: Sequence[str], pool_names: Sequence[str], joint: str) -> None:
        self._letters = frozenset(letters)
        self._pools = frozenset(pool_names)
        self._joint = joint

    def read(self, text: str) -> tuple[Node, ...]:
        """Return the nodes of a template; raise FamilyError if it is malformed."""
        self._text = text
        self._tokens = [token for token in re.split(f"({_SPECIAL.pattern})", text) if token]
        self._place = 0
        nodes = self._sequence(())
        if self._place < len(self._tokens):
            raise FamilyError(f"There is a {self._tokens[self._place]!r} too many in {text!r}.")
        return nodes

    def _sequence(self, ends: tuple[str, ...]) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while self._place < len(self._tokens) and self._tokens[self._place] not in ends:
            token = self._tokens[self._place]
            if token in ("]", ">"):
                break
            self._place += 1
            nodes.append(self._node(token))
        return tuple(nodes)

    def _node(self, mark: str) -> Node:
        if mark == "<+>":
            return ExtraPlace()
        if mark.startswith("{"):
            return self._slot(mark[1:-1])
        if mark == "[":
            return self._brackets()
        if mark == "<":
            return AnyOrder(self._parts("&", ">"), self._joint)
        return mark

    def _brackets(self) -> Node:
        following = self._tokens[self._place] if self._place < len(self._tokens) else ""
        if following.startswith("?"):
            self._tokens[self._place] = following[1:]
            return Distraction(self._parts("", "]")[0])
        link = ""
        if match := _LINK.match(following):
            link = match[1]
            self._tokens[self._place] = following[match.end() :]
        return Alternatives(self._parts("|", "]"), link)

    def _parts(self, between: str, end: str) -> tuple[tuple[Node, ...], ...]:
        parts = [self._sequence((between, end))]
        while self._place < len(self._tokens) and self._tokens[self._place] == between:
            self._place += 1
            parts.append(self._sequence((between, end)))
        if self._place >= len(self._tokens) or self._tokens[self._place] != end:
            raise FamilyError(f"A {end!r} is missing in {self._text!r}.")
        self._place += 1
        return tuple(parts)

    def _slot(self, inner: str) -> Node:
        if inner == "?":
            return QuestionPlace()
        before = self._tokens[self._place - 2] if self._place > 1 else ""
        after = self._tokens[self._place] if self._place < len(self._tokens) else ""
        if (match := _NUMBER.fullmatch(inner)) and (match[2] or "") in NUMBER_FORMS:
            if match[1] not in self._letters:
                raise FamilyError(f"{{{inner}}} in {self._text!r} is not a number of the family.")
            return Number(match[1], match[2] or _usual_form(before, after))
        if match := _DRAWN.fullmatch(inner):
            low, high, step = (formula(part or "1")({}) for part in match.group(1, 2, 3))
            return Unneeded(low, int((high - low) / step), step, match[4] or _usual_form(before, after))
        if (match := _WORD.fullmatch(inner)) and (match[2] or "") in FORMS:
            name = match[1]
            if name.rstrip("0123456789") in self._pools or name in ("N", "M", "K", "L"):
                return Slot(name, match[2] or "")
        raise FamilyError(f"{{{inner}}} in {self._text!r} is neither a number nor a word of a pool.")


def _usual_form(before: str, after: str) -> str:
    if before.endswith(_MONEY_SIGNS):
        return "money"
    return "digits" if after.startswith(_KEEPS_DIGITS) or (before[-1:] in "-/:：第" and before) else ""


def places_in(nodes: Sequence[Node]) -> int:
    """Return how many places for another sentence a template has."""
    return sum(isinstance(node, ExtraPlace) for node in nodes)
