r"""Equations and expressions -> MathML for pages and LaTeX for papers.

Fractions have a bar, powers are raised, roots have their sign, and 2*x is written 2x. The slots N0, N1 … of a problem's
numbers are unknowns here, and `fills` maps each of them to the number that is shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from html import escape

from sau_solver.equations.expressions import (
    PRECEDENCE,
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
)
from sau_solver.equations.readable import DECIMALS, HALF, ZERO, NumberStyle, Shown, stands_beside

NAMESPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'

# Characters that are commands, or that pdflatex does not know.
_ESCAPED: Mapping[str, str] = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "'": "'{}", "-": "-{}", "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "…": r"\ldots{}",
    "×": r"$\times$", "÷": r"$\div$", "−": "$-$", "·": r"$\cdot$", "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$",
    "≠": r"$\ne$", "≈": r"$\approx$", "°": r"\textdegree{}", "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}",
    "√": r"$\surd$", "π": r"$\pi$", "½": r"$\frac12$", "¼": r"$\frac14$", "¾": r"$\frac34$", "€": r"\texteuro{}",
    "£": r"\pounds{}", "¥": r"\textyen{}", "\N{NO-BREAK SPACE}": "~",
}  # fmt: skip

Fills = Mapping[str, tuple[int, Fraction]]  # name of a slot -> index and value of the number


def mathml(shown: Shown, fills: Fills | None = None, block: bool = True, style: NumberStyle = DECIMALS) -> str:
    """Return a `<math>` element, on a line of its own if `block`; a number of the text has a `data-number`."""
    display = ' display="block"' if block else ""
    return f"<math {NAMESPACE}{display}>{_MathMl(fills or {}, style).statement(shown)}</math>"


def latex(shown: Equation | Condition | Expression, fills: Fills | None = None) -> str:
    """Return LaTeX for math mode, without the dollar signs."""
    return _Latex(fills or {}).statement(shown)


def escape_latex(text: str) -> str:
    """Return any text as LaTeX for text mode: no character of it is a command."""
    return "".join(_ESCAPED.get(char, char if char.isprintable() else " ") for char in text)


class _Writer(ABC):
    """The part that both notations share: where brackets are needed, and what is a fraction or a root."""

    invisible_times: str  # between the factors of 2x

    def __init__(self, fills: Fills, style: NumberStyle = DECIMALS) -> None:
        self.fills, self.style = fills, style

    def statement(self, shown: Shown) -> str:
        if isinstance(shown, Equation):
            return self.equation(shown)
        if not isinstance(shown, Condition):
            return self.write(shown)
        if shown.relation.isalpha():
            return self.function(f"is_{shown.relation}", [self.write(shown.left)])
        return self.row(self.write(shown.left), self.sign(shown.relation), self.write(shown.right))

    def equation(self, equation: Equation) -> str:
        return self.row(self.write(equation.left), self.sign("="), self.write(equation.right))

    def write(self, node: Expression, leading: bool = True) -> str:
        """Write an expression; `leading` means that nothing comes before it, so a minus sign needs no brackets."""
        match node:
            case Number(value):
                return self._number(value, None, leading)
            case Unknown(name):
                if name in self.fills:
                    index, value = self.fills[name]
                    return self._number(value, index, leading)
                return self.unknown(name)
            case Function(name, arguments):
                return self.function(name, [self.write(argument) for argument in arguments])
            case Operation(operator, left, right):
                return self._operation(operator, left, right, leading)

    def _operation(self, operator: str, left: Expression, right: Expression, leading: bool) -> str:
        if operator == "/":
            if leading and isinstance(left, Number) and left.value < 0:
                return self.row(self.sign("-"), self.fraction(self.write(Number(-left.value)), self.write(right)))
            return self.fraction(self.write(left), self.write(right))
        if operator == "^":
            if right == HALF:
                return self.root(self.write(left))
            return self.power(self._base(left), self.write(right))
        own = PRECEDENCE[operator]
        if operator == "-" and left == ZERO:  # -y is read as 0-y
            negative = self.row(self.sign("-"), self._operand(right, own + 1, leading=False))
            return negative if leading else self.brackets(negative)
        first = self._operand(left, own, leading)
        second = self._operand(right, own + (operator != "*"), leading=False)
        if operator == "*":
            return self.row(first, self.invisible_times if self._juxtaposed(left, right) else self.sign("*"), second)
        return self.row(first, self.sign(operator), second)

    def _operand(self, node: Expression, least: int, leading: bool) -> str:
        if isinstance(node, Operation) and node.operator not in "/^" and PRECEDENCE[node.operator] < least:
            return self.brackets(self.write(node))
        return self.write(node, leading)

    def _base(self, node: Expression) -> str:
        """Write the base of a power, in brackets unless it is a single name or whole number."""
        value = node.value if isinstance(node, Number) else None
        if isinstance(node, Unknown):
            value = self.fills[node.name][1] if node.name in self.fills else Fraction(0)
        whole = value is not None and value >= 0 and value.denominator == 1
        return self.write(node) if whole else self.brackets(self.write(node))

    def _number(self, value: Fraction, index: int | None, leading: bool) -> str:
        shown = self.style.digits(abs(value))
        if "/" in shown:
            *whole, rest = shown.split()  # 2 1/2
            above, below = map(self.number, rest.split("/"))
            fraction = self.fraction(above, below, None if whole else index)
            positive = self.row(self.number(whole[0], index), fraction) if whole else fraction
        else:
            positive = self.number(shown, index)
        if value >= 0:
            return positive
        negative = self.row(self.sign("-"), positive)
        return negative if leading else self.brackets(negative)

    def _juxtaposed(self, left: Expression, right: Expression) -> bool:
        """Return whether a product needs no sign, as in 2x and x(x+1), unlike 2·3."""
        if isinstance(right, Unknown) and right.name in self.fills:
            return False
        filled = isinstance(left, Unknown) and left.name in self.fills
        return stands_beside(ZERO if filled else left, right)

    @abstractmethod
    def row(self, *parts: str) -> str: ...

    @abstractmethod
    def sign(self, operator: str) -> str: ...

    @abstractmethod
    def number(self, digits: str, index: int | None = None) -> str: ...

    @abstractmethod
    def unknown(self, name: str) -> str: ...

    @abstractmethod
    def function(self, name: str, arguments: list[str]) -> str: ...

    @abstractmethod
    def fraction(self, above: str, below: str, index: int | None = None) -> str: ...

    @abstractmethod
    def power(self, base: str, exponent: str) -> str: ...

    @abstractmethod
    def root(self, inside: str) -> str: ...

    @abstractmethod
    def brackets(self, inside: str) -> str: ...


class _MathMl(_Writer):
    _SIGNS: Mapping[str, str] = {"*": "×", "-": "−", "<=": "≤", ">=": "≥", "!=": "≠", "<": "&lt;", ">": "&gt;"}
    invisible_times = "<mo>\N{INVISIBLE TIMES}</mo>"  # read aloud by screen readers

    def row(self, *parts: str) -> str:
        return f"<mrow>{''.join(parts)}</mrow>"

    def sign(self, operator: str) -> str:
        return f"<mo>{self._SIGNS.get(operator, operator)}</mo>"

    def number(self, digits: str, index: int | None = None) -> str:
        return f"<mn{self._mark(index)}>{digits}</mn>"

    def unknown(self, name: str) -> str:
        return f"<mi>{escape(name)}</mi>"

    def function(self, name: str, arguments: list[str]) -> str:
        if name == "pi":
            return "<mi>π</mi>"
        if name == "abs":
            return self.row("<mo>|</mo>", *arguments, "<mo>|</mo>")
        listed = "<mo>,</mo>".join(arguments)
        return self.row(f"<mi>{escape(name)}</mi>", self.brackets(listed))

    def fraction(self, above: str, below: str, index: int | None = None) -> str:
        return f"<mfrac{self._mark(index)}>{above}{below}</mfrac>"

    def power(self, base: str, exponent: str) -> str:
        return f"<msup>{base}{exponent}</msup>"

    def root(self, inside: str) -> str:
        return f"<msqrt>{inside}</msqrt>"

    def brackets(self, inside: str) -> str:
        return self.row("<mo>(</mo>", inside, "<mo>)</mo>")

    @staticmethod
    def _mark(index: int | None) -> str:
        return "" if index is None else f' data-number="{index}"'


class _Latex(_Writer):
    _OWN = frozenset({"log", "ln", "exp", "sin", "cos", "tan", "gcd"})  # functions that LaTeX has a command for
    _SIGNS: Mapping[str, str] = {"*": r" \cdot ", "<=": r" \le ", ">=": r" \ge ", "!=": r" \ne "}
    invisible_times = ""

    def row(self, *parts: str) -> str:
        return "".join(parts)

    def sign(self, operator: str) -> str:
        return self._SIGNS.get(operator, operator)

    def number(self, digits: str, index: int | None = None) -> str:
        return digits.replace("%", r"\%")

    def unknown(self, name: str) -> str:
        if len(name) == 1 and name.isascii() and name.isalpha():
            return name
        safe = name.isascii() and name.replace("_", "").isalnum()
        return rf"\mathit{{{escape_latex(name)}}}" if safe else rf"\text{{{escape_latex(name)}}}"

    def function(self, name: str, arguments: list[str]) -> str:
        if name == "pi":
            return r"\pi "
        if name == "abs":
            return rf"\left|{','.join(arguments)}\right|"
        head = f"\\{name}" if name in self._OWN else rf"\operatorname{{{escape_latex(name)}}}"
        return head + self.brackets(",".join(arguments))

    def fraction(self, above: str, below: str, index: int | None = None) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def brackets(self, inside: str) -> str:
        return rf"\left({inside}\right)"
