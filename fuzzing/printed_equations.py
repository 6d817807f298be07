"""Random trees and random texts of equations -> what is printed reads back to the same tree, in three notations."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from fuzzing.residues import latex_residue, mathml_residue, residue
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Statements,
    Unknown,
    walk_equations,
)
from sau_solver.equations.notation import latex, mathml
from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.errors import EquationError, TooLargeError

NAMES = ("x", "y", "z", "boys", "adult_tickets", "速度")
OPERATORS = "+-*/^"
CALLS = {
    "abs": 1, "ln": 1, "log": 1, "exp": 1, "floor": 1, "sin": 1, "cos": 1, "tan": 1, "asin": 1, "acos": 1, "atan": 1,
    "comb": 2, "gcd": 2, "mod": 2,
}  # fmt: skip
PIECES = (
    *"xyzab0123456789+-*/^=<>()[]{}|!%:;,.、 \n²³½√π°×÷−≤≥≠（），",
    "sqrt(", "sin(", "ln(", "log(", "comb(", "gcd(", "abs(", "is_integer(", "is_prime(", " and ",
    "unkn: x,y\nequ: ", "equ:",
    "pi", "e", "1/2", "(1/3)", "3(1/4)", "2 1/2", "25%", "x^2", "1,000", "0.5", "1e5", "10^400", "速度",
    "adult_tickets", "_", "≥",
)  # fmt: skip


def tree_of(spec: Spec) -> Expression:
    """Return the expression that a nested list describes."""
    match spec:
        case str():
            return Unknown(spec if spec in NAMES else "x")
        case [int() as top, int() as bottom] if bottom > 0:
            return Number(Fraction(top, bottom))
        case ["pi"]:
            return Function("pi", ())
        case [str() as sign, left, right] if sign in OPERATORS and sign:
            return Operation(sign, tree_of(left), tree_of(right))  # type: ignore[arg-type]
        case [str() as name, *arguments] if CALLS.get(name) == len(arguments):
            return Function(name, tuple(map(tree_of, arguments)))
    raise InvalidSpecError


def random_tree(random: Random, size: int) -> Spec:
    """Return a random expression with about so many leaves."""
    if size <= 1:
        if random.random() < 0.5:
            return random.choice(NAMES)
        if random.random() < 0.05:
            return ["pi"]
        bottom = random.choice((1, 1, 1, 10, 100, 3, 7, random.randint(1, 60)))
        return [random.choice((random.randint(0, 30), random.randint(-9, 0), random.randint(-(10**6), 10**9))), bottom]
    if random.random() < 0.15:
        name = random.choice(tuple(CALLS))
        return [name, *(random_tree(random, size // CALLS[name]) for _ in range(CALLS[name]))]
    left = random.randint(1, size - 1)
    return [random.choice(OPERATORS), random_tree(random, left), random_tree(random, size - left)]


class PrintedTrees:
    """Trees are printed as text, LaTeX and MathML, and read back."""

    name = "printing"

    def draw(self, random: Random) -> Spec:
        """Return both sides of an equation."""
        return [random_tree(random, random.randint(1, 12)) for _ in range(2)]

    def check(self, spec: Spec) -> str:
        """Check that each notation means what the tree means."""
        if not isinstance(spec, list) or len(spec) != 2:
            raise InvalidSpecError
        equation = Equation(*map(tree_of, spec))
        statements = parse_statements(str(equation), mixed_numbers=False)
        for read in (statements, parse_statements(str(equation))):
            stated: list[Equation | Condition] = [*read.equations, *read.conditions]
            found = [(one.left, one.right) for one in stated]
            require(found == [(equation.left, equation.right)], "text reads back", f"{equation} -> {found}")
        require(parse_expression(str(equation.left)) == equation.left, "expression reads back", equation)
        meaning = [residue(equation.left), residue(equation.right)]
        written = [latex_residue(latex(side)) for side in (equation.left, equation.right)]
        require(written == meaning, "LaTeX means the same", f"{equation}: {latex(equation)}")
        written = [mathml_residue(mathml(side)) for side in (equation.left, equation.right)]
        require(written == meaning, "MathML means the same", f"{equation}: {mathml(equation)}")
        return f"{min(9, sum(1 for _ in walk_equations((equation,))) // 4)}"


class TypedEquations:
    """Texts of pieces of equations: what is accepted prints to a text that is read as the same."""

    name = "parser"

    def draw(self, random: Random) -> Spec:
        """Return a text."""
        length = int(10 ** random.uniform(0, 3.9 if random.random() < 0.005 else 1.6))
        text = "".join(random.choice(PIECES) for _ in range(length))
        if random.random() < 0.5:
            text = f"{text}={''.join(random.choice('xy123+-*/()') for _ in range(random.randint(1, 9)))}"
        if random.random() < 0.1:
            place = random.randrange(len(text) + 1)
            text = text[:place] + chr(random.randrange(0x11_0000)) + text[place:]
        return text

    def check(self, spec: Spec) -> str:
        """Check that a text is refused with an error of ours, or reads back after printing."""
        try:
            found = parse_statements(spec)
        except (EquationError, TooLargeError) as error:
            for language in ("zh", "en"):
                error.language = language
                require(str(error), "errors have a message", spec)
            return type(error).__name__
        printed = "; ".join(map(str, (*found.equations, *found.conditions)))
        try:
            again = parse_statements(printed)
        except TooLargeError:  # a product of many factors needs more brackets or characters than were typed
            return "longer"
        same = Statements(tuple(found.equations), tuple(found.conditions)) == again
        require(same, "accepted text reads back", f"{spec!r} -> {printed!r} -> {again}")
        return f"{len(found.equations)} {len(found.conditions)}" if len(found.equations) < 5 else "many"
