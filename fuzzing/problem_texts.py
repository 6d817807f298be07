"""Texts of all kinds through the whole pipeline: changed problems of the curriculum, mathematics, random Unicode.

Nothing but InputError may be raised, the JSON must be valid, and roots must satisfy the printed equations. A predictor
that guesses trees takes the place of the network, so that every stage behind it sees more than good trees.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from flint import ctx

from fuzzing.certified import PRECISION, UnclearError, enclosure, value_ball
from fuzzing.printed_equations import PIECES
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.answering.candidates import Candidate
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.equations.parser import parse_statements
from sau_solver.equations.uet import Uet
from sau_solver.errors import EquationError, InputError, SauError, TooLargeError
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.solver import Solver, load
from sau_solver.text.numbers import MappedText
from sau_solver.text.screening import MAX_CHARACTERS

MATHEMATICS = Path(__file__).parent.parent / "benchmarks" / "mathematics"
CURRICULUM = 200  # problems of each language
_NUMBERS = (
    "0", "1", "-3", "1/2", "0.125", "25%", "10000000000000000000", "1/0", "3又1/4", "两千", "三分之二",
    "twenty-five", "1e9",
    "½", "9" * 60, "a third", "七折", "x", "0.0000001", "１２",
)  # fmt: skip
_PHRASES = (
    "how many are left?", "求x的值", "两人各有多少？", "rounded to the nearest tenth", "保留两位小数",
    "in percent", "最大公约数",
    "Solve for x.", "the ratio of", "sqrt(2)", "x^2=4", "?", "。", "\n", "每", "each", "如果", "not", "and", "相差",
)  # fmt: skip


class Guessing:
    """Proposes trees over the numbers of a text that depend on nothing but the text."""

    name = "guessing"

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return random candidates."""
        found = []
        for text in texts:
            random = Random(zlib.crc32(text.text.encode("utf-8", "surrogatepass")))
            trees = dict.fromkeys(self._tree(random, len(text.numbers)) for _ in range(min(beam, 4)))
            found.append([Candidate(Uet.from_text(tree), math.log(1 / (2 + k))) for k, tree in enumerate(trees)])
        return found

    def _tree(self, random: Random, numbers: int) -> str:
        kind = random.random()
        slots = [f"N{k}" for k in range(numbers)] or ["1"]

        def side(unknowns: str, depth: int) -> str:
            if depth == 0 or random.random() < 0.2:
                leaves: list[str] = [*slots, *slots, *unknowns, "1", "2", "100", "7"]
                return random.choice(leaves)
            operator = random.choice("++--**//^") if depth < 3 else random.choice("+-*/")
            return f"{operator} {side(unknowns, depth - 1)} {side(unknowns, depth - 1)}"

        if kind < 0.4:
            return side("", random.randint(0, 3))
        if kind < 0.75:
            return f"= {side('x', 2)} {side('x', random.randint(0, 2))}"
        return f"; = {side('xy', 2)} {side('xy', 1)} = {side('xy', 2)} {side('xy', 1)}"


def guessing_solver(longest: int = MAX_CHARACTERS) -> Solver:
    """Return the pipeline with guessed trees."""
    model = Model(Guessing(), name="guessing")
    return Solver({"zh": lambda: model, "en": lambda: model}, longest)


@cache
def known_texts() -> tuple[str, ...]:
    """Return problems of the curriculum and the sentences with mathematics."""
    texts = [one.text for lang in ("zh", "en") for one in islice(generate(Choice(lang), 7), CURRICULUM)]
    for file in sorted(MATHEMATICS.glob("*.jsonl")):
        texts += [json.loads(line)["text"] for line in file.read_text("utf-8").splitlines()]
    return tuple(texts)


def changed(random: Random, text: str) -> str:
    """Return a text with a few random changes."""
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        place = random.randrange(len(text) + 1)
        end = min(len(text), place + int(10 ** random.uniform(0, 1.5)))
        match random.randrange(8):
            case 0:
                text = text[:place] + text[end:]
            case 1:
                text = text[:place] + text[place:end] * random.choice((2, 3, 40)) + text[end:]
            case 2:
                text = text[:place] + random.choice(_NUMBERS) + text[place:]
            case 3:
                text = text[:place] + random.choice(_PHRASES) + text[place:]
            case 4:
                text = text[:place] + chr(random.randrange(0x11_0000)) + text[place:]
            case 5:
                digits = [k for k, sign in enumerate(text) if sign.isdigit()]
                if digits:
                    at = random.choice(digits)
                    text = text[:at] + random.choice(_NUMBERS) + text[at + 1 :]
            case 6:
                words = text.split(" ")
                random.shuffle(words)
                text = " ".join(words) if random.random() < 0.3 else text
            case _:
                text = text.replace(random.choice(text) if text else "a", random.choice("0 x。.?-/（"), 3)
    return text


class ProblemTexts:
    """Texts through the pipeline with guessed trees."""

    name = "texts"

    def __init__(self) -> None:
        self.solver = guessing_solver()
        self.texts = known_texts()

    def draw(self, random: Random) -> Spec:
        """Return a text, sometimes of 10,000 characters and more."""
        kind = random.random()
        if kind < 0.06:
            size = int(10 ** random.uniform(0, 2.5))
            text = "".join(
                chr(random.randrange(1, 0x3000 if random.random() < 0.8 else 0x11_0000)) for _ in range(size)
            )
        elif kind < 0.2:
            text = "".join(random.choice((*PIECES, *_PHRASES, *_NUMBERS)) for _ in range(random.randint(1, 20)))
        else:
            text = changed(random, random.choice(self.texts))
        if random.random() < 0.004:
            text = (text + " ") * (10_000 // (len(text) + 1) + 1)
        return {"text": text, "reader": random.choice((None, "zh", "en"))}

    def check(self, spec: Spec) -> str:
        """Solve the text and check what comes out."""
        text = spec["text"]
        if spec["reader"] not in (None, "zh", "en"):
            raise InvalidSpecError
        try:
            solution = self.solver.solve(text, reader=spec["reader"])
        except InputError as error:
            require(str(error), "errors have a message", text)
            return f"refused {error.code}"
        found = json.loads(json.dumps(solution.as_json(), allow_nan=False))
        for shown in (str(solution), repr(solution), solution._repr_html_()):
            require(isinstance(shown, str) and shown, "a solution can be shown", text)
        solution._repr_latex_()
        require(len(found["decimal"]) == len(found["answers"]), "a decimal for each answer", text)
        self._check_roots(text, found["equations"], found["roots"])
        return (
            f"{found['kind']} {'abstained' if found['abstained'] else 'answered' if found['answers'] else 'no answer'}"
        )

    @staticmethod
    def _check_roots(text: str, equations: list[str], roots: list[dict[str, str]]) -> None:
        """Check that every root satisfies the printed equations."""
        try:
            stated = parse_statements("; ".join(equations)).equations if equations else ()
        except (EquationError, TooLargeError):
            return
        with ctx.workprec(PRECISION):
            for root in roots:
                try:
                    known = {name: value_ball(value) for name, value in root.items()}
                    for one in stated:
                        left, right = enclosure(one.left, known), enclosure(one.right, known)
                        met = not (left.is_finite() and right.is_finite()) or (left - right).contains(0)
                        require(met, "roots satisfy the printed equations", f"{text!r}: {one} at {root}")
                except (UnclearError, SauError, KeyError):
                    continue


class ShippedModels(ProblemTexts):
    """Texts through the pipeline with the shipped models."""

    name = "shipped models"

    def __init__(self) -> None:
        super().__init__()
        self.solver = load()
