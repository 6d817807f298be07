"""A mathematical request -> its exact answers with worked steps, without a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Statements,
    Unknown,
    unknowns_of,
    walk,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.equations.readable import DECIMALS, FRACTIONS, MINUS, MIXED, NumberStyle, readable
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.explaining.calculation import root_steps
from sau_solver.explaining.derivation import explain, style_of
from sau_solver.explaining.formats import Forms, decimal_text, forms_of, value_shown
from sau_solver.explaining.number_requests import Result, about_numbers, shown
from sau_solver.explaining.school import with_fractions
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.terms import NotInSchoolError
from sau_solver.explaining.work import value_expression
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.solving import (
    DEADLINE_SECONDS,
    Assignment,
    Formula,
    Outcome,
    Solved,
    Value,
    about,
    decimal_of,
    solve,
    solve_statements,
)
from sau_solver.solving.angles import substituted
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.budget import spending
from sau_solver.solving.outcomes import DividesByZeroError, NotPolynomialError, TooHardError
from sau_solver.solving.rewriting import derivative, expanded, factored
from sau_solver.solving.values import is_printable
from sau_solver.text.mathematics.request import NotMathematicsError, Request

_REWRITING = ("simplify", "expand", "factor", "derivative")
VERDICTS = ("yes", "no", "prime", "composite")
# Values that are tried for a free unknown, and how many of them must lead to a solution.
_TRIED = tuple(Fraction(text) for text in ("1", "1/2", "3", "-2", "7/5", "11"))
MIN_TRIED = 3
_LETTERS = "xyztuvwpqrsmnabcdefghijkl"


@dataclass(frozen=True, slots=True)
class Fulfilled:
    """The answers to a request. `labels` names each answer: its unknown, or what was computed.

    `reason` says why there is no answer, or that the equations have none. `kind` is the request's, or "simplify" if
    the expression has letters.
    """

    kind: str
    equations: Equations = ()
    roots: tuple[Assignment, ...] = ()
    answers: tuple[Value, ...] = ()
    labels: tuple[str, ...] = ()
    shown: str = ""  # all answers as one text
    unit: str = ""
    outcome: Outcome = Outcome.SOLVED
    reason: str = ""
    steps: tuple[Step, ...] = ()


def fulfill(request: Request, language: Language, deadline: float = DEADLINE_SECONDS) -> Fulfilled:
    """Answer a request with steps in a language; raise NotMathematicsError if it makes no sense."""
    with spending():
        return _fulfilled(request, language, deadline)


def _fulfilled(request: Request, language: Language, deadline: float) -> Fulfilled:
    step = StepWriter(language)
    try:
        if request.kind == "equation":
            return _solved(request, request.statements, language, deadline)
        steps: list[Step] = []
        if request.statements.equations and _letters(request.terms):
            if request.kind == "expression" and len(request.terms) == 1:
                return _derived(request, language, deadline)
            request, steps = _filled(request, language, deadline)
        if request.kind in _REWRITING or (request.kind == "expression" and _letters(request.terms)):
            return _rewritten(request, step)
        if request.kind in ("expression", "round"):
            return _calculated(request, language, deadline)
        found = about_numbers(request, _values(request.terms, deadline), step)
        return _answered(request, found, tuple(steps), step)
    except NotPolynomialError:
        return _failed(request.kind, Phrase("no_method"), step)
    except DividesByZeroError:
        return _failed(request.kind, Phrase("divides_by_zero"), step)
    except TooHardError as error:
        return _failed(request.kind, error.reason, step)
    except TooLargeError:  # 10^400*z is read, but its coefficient is too long to be written down
        return _failed(request.kind, Phrase("large_coefficients"), step)


def _letters(terms: Sequence[Expression]) -> tuple[str, ...]:
    return unknowns_of(tuple(Equation(term, term) for term in terms))


def _failed(kind: str, reason: Phrase, step: StepWriter) -> Fulfilled:
    said = step("too_hard", reason=reason)
    return Fulfilled(kind, outcome=Outcome.TOO_HARD, reason=said.text, steps=(said,))


def _solved(request: Request, statements: Statements, language: Language, deadline: float) -> Fulfilled:
    """Solve equations, and answer with the unknowns that are asked for."""
    equations = statements.equations
    solved = solve_statements(statements, deadline)
    steps = explain(equations, solved, language, statements.conditions)
    wanted = request.wanted or unknowns_of(equations)
    found = solved.solutions
    if solved.outcome is Outcome.INFINITE and request.wanted:  # what is asked for may be determined
        families = solved.families
        if families and all(name in family for family in families for name in wanted):
            found = tuple({name: family[name] for name in wanted} for family in families)
    if not found:
        return _unsolved(request.kind, equations, solved, steps, language)
    pairs = [(name, solution[name]) for solution in found for name in wanted]
    if len(wanted) == 1:
        pairs = list(dict.fromkeys(pairs))
    answers, labels = tuple(value for _, value in pairs), tuple(name for name, _ in pairs)
    result = Result(answers, labels, ())
    return replace(
        _answered(request, result, tuple(steps), StepWriter(language)), equations=equations, roots=solved.solutions
    )


def _unsolved(kind: str, equations: Equations, solved: Solved, steps: list[Step], language: Language) -> Fulfilled:
    code = {Outcome.NONE: "none", Outcome.INFINITE: "infinite"}.get(solved.outcome, "too_hard")
    said = StepWriter(language)(code, reason=solved.reason or Phrase("no_method"))
    return Fulfilled(kind, equations, outcome=solved.outcome, reason=said.text, steps=tuple(steps))


def _derived(request: Request, language: Language, deadline: float) -> Fulfilled:
    """Solve equations for the value of an expression in their unknowns."""
    solved = solve_statements(request.statements, deadline)
    (term,) = request.terms
    known = solved.solutions[0] if len(solved.solutions) == 1 else {}
    if known and all(isinstance(value, Fraction) for value in known.values()):
        filled, steps = _filled(request, language, deadline)
        found = _calculated(filled, language, deadline)
        equations = request.statements.equations
        return replace(found, equations=equations, roots=solved.solutions, steps=(*steps, *found.steps))
    names = unknowns_of(request.statements.equations)
    target = next(letter for letter in _LETTERS if letter not in (*names, *_letters(request.terms)))
    equations = (*request.statements.equations, Equation(Unknown(target), term))
    statements = Statements(equations, request.statements.conditions)
    asked = replace(request, kind="equation", wanted=(target,))
    found = _solved(asked, statements, language, deadline)
    if found.outcome is Outcome.INFINITE and (values := _common_values(statements, target, names)):
        step = StepWriter(language)
        worked = step("constant", expression=term, values=tuple(map(value_expression, values)))
        result = Result(values, (readable(term),) * len(values), ())
        return replace(_answered(asked, result, (worked,), step), equations=request.statements.equations)
    return found


def _common_values(statements: Statements, target: str, names: Sequence[str]) -> tuple[Value, ...]:
    """Return the values of an unknown if they do not depend on the free unknowns; otherwise return an empty tuple.

    The equation a:5=4:b determines neither a nor b, but ab is always 20.
    """
    for name in names:
        found: list[tuple[Value, ...]] = []
        for value in _TRIED:
            fixed = Equation(Unknown(name), Number(value))
            solved = solve_statements(replace(statements, equations=(*statements.equations, fixed)))
            if solved.outcome is Outcome.SOLVED:
                found.append(tuple(dict.fromkeys(solution[target] for solution in solved.solutions)))
        if len(found) >= MIN_TRIED and len({frozenset(values) for values in found}) == 1:
            return found[0]
    return ()


def _filled(request: Request, language: Language, deadline: float) -> tuple[Request, list[Step]]:
    """Return the request with the values of the unknowns that its equations determine."""
    solved = solve_statements(request.statements, deadline)
    if len(solved.solutions) != 1:
        raise NotMathematicsError
    known: dict[Expression, Expression] = {}
    for name, value in solved.solutions[0].items():
        if not isinstance(value, Fraction):
            raise NotMathematicsError
        known[Unknown(name)] = Number(value)
    terms = tuple(substituted((Equation(term, term),), known)[0].left for term in request.terms)
    given = request.statements
    return replace(request, terms=terms), explain(given.equations, solved, language, given.conditions)


def _rewritten(request: Request, step: StepWriter) -> Fulfilled:
    """Expand, factor, simplify or differentiate an expression in letters."""
    if len(request.terms) != 1:
        raise NotMathematicsError
    (term,) = request.terms
    kind = "simplify" if request.kind == "expression" else request.kind
    match kind:
        case "factor":
            text = factored(term)
        case "derivative":
            names = _letters(request.terms)
            if len(names) > 1 and not request.option:
                raise NotMathematicsError
            text = derivative(term, request.option or (names[0] if names else "x"))
        case _:
            text = expanded(term)
    formula = Formula(text)
    after = parse_expression(text, _letters(request.terms), mixed_numbers=False)
    same = kind != "derivative" and readable(term) == readable(after)
    steps = [step(f"same_{kind}", expression=term) if same else step(f"rewrite_{kind}", before=term, after=after)]
    found = Result((formula,), ("",), tuple(steps))
    return _answered(replace(request, kind=kind), found, (), step)


def _calculated(request: Request, language: Language, deadline: float) -> Fulfilled:
    """Calculate expressions without letters, one after the other."""
    step = StepWriter(language)
    steps: list[Step] = []
    answers: list[Value] = []
    labels: list[str] = []
    equations: list[Equation] = []
    for term in request.terms:
        equation = Equation(Unknown("x"), term)
        style = DECIMALS if request.option in ("decimal", "percent") else _style(request.text, equation)
        if isinstance(term, Number):
            value: Value = term.value
        else:
            try:
                value = evaluate(term, {}, exact=True)
                solved = Solved(Outcome.SOLVED, ({"x": value},))
            except NotEvaluatedError:
                solved = solve((equation,), deadline)
                if not solved.solutions:
                    _, *worked = explain((equation,), solved, language)
                    worked.insert(0, step("calculate", expression=term))
                    return _unsolved(request.kind, (equation,), solved, worked, language)
                value = solved.solutions[0]["x"]
            if not is_printable(value):
                raise TooHardError("large_power")
            if any(isinstance(node, Function) for node in walk(term)) or not solved.moves:
                written = equation if style is None else with_fractions(equation, style)
                steps += explain((written,), solved, language, style=style)
            else:
                steps += root_steps(term, value, StepWriter(language, FRACTIONS))
        answers.append(value)
        labels.append("" if len(request.terms) == 1 else str(term))
        equations.append(equation)
    found = Result(tuple(answers), tuple(labels), (), "%" if request.option == "percent" else "")
    done = _answered(request, found, tuple(steps), step)
    if len(request.terms) > 1:
        return done
    return replace(done, equations=tuple(equations), roots=({"x": answers[0]},))


def _style(text: str, equation: Equation) -> NumberStyle | None:
    """Return fractions or mixed numbers if the text calculates with them, as in 1/2 + 3/4; None for 965/7 alone."""
    forms = forms_of(text)
    if forms.decimals or not forms.fractions or any(sign in text for sign in "÷%"):
        return None
    try:
        written = with_fractions(equation, FRACTIONS)
    except NotInSchoolError:  # a very long number
        return None
    if isinstance(equation.right, Operation) and isinstance(written.right, Number):
        return None
    return MIXED if forms.mixed else FRACTIONS


def _values(terms: Sequence[Expression], deadline: float) -> list[Value]:
    found: list[Value] = []
    for term in terms:
        try:
            found.append(evaluate(term, {}, exact=True))
        except NotEvaluatedError:
            solved = solve((Equation(Unknown("x"), term),), deadline)
            if _letters([term]):
                raise NotMathematicsError from None
            if not solved.solutions:
                raise TooHardError("large_power") from None
            found.append(solved.solutions[0]["x"])
    return found


def _answered(request: Request, found: Result, before: tuple[Step, ...], step: StepWriter) -> Fulfilled:
    """Round the answers if the request wants that, and add the last step."""
    answers = found.answers
    steps = [*before, *found.steps]
    if request.places is not None:
        answers = tuple(_rounded(value, request.places) for value in answers)
        for exact, value in zip(found.answers, answers, strict=True):
            steps.append(step("rounded", before=shown(exact), after=_with_decimals(value, request.places)))
    joined = _joined(answers, found.labels, request, step) + found.unit
    steps.append(step("answer", answer=joined))
    done = tuple(dict.fromkeys(steps))
    return Fulfilled(request.kind, (), (), answers, found.labels, joined, found.unit, steps=done)


def _joined(answers: Sequence[Value], labels: Sequence[str], request: Request, step: StepWriter) -> str:
    """Return all answers as one text: x = 2 or x = 3; x = 7, y = 3; 12."""
    stated = (*(Equation(term, term) for term in request.terms), *request.statements.equations)
    parts = []
    for value, label in zip(answers, labels, strict=True):
        if request.places is not None:
            text = _with_decimals(value, request.places).replace("-", MINUS)
        elif request.option == "decimal" or (request.option == "percent" and "/" not in shown(value)):
            text = _decimal_text(value)
        else:
            forms = Forms(fractions=True) if request.option == "fraction" else forms_of(request.text)
            text = _value_text(value, stated, forms, step.language)
        parts.append(f"{label} = {text}" if label else text)
    listed, alternative = (Phrase(code).said(step.language) for code in ("list", "or"))
    if request.kind not in ("equation", "roots"):
        return listed.join(parts)
    size = len(dict.fromkeys(labels))  # unknowns of one solution
    return alternative.join(listed.join(parts[k : k + size]) for k in range(0, len(parts), size))


def _decimal_text(value: Value) -> str:
    """Return a value as a decimal: 0.375, ≈ 0.333333."""
    text = shown(value)
    ends = isinstance(value, Fraction) and "/" not in text
    decimal = "" if ends else about(value)
    return (f"≈ {decimal}" if decimal else text).replace("-", MINUS)


def _value_text(value: Value, stated: Equations, forms: Forms, language: Language) -> str:
    """Return an exact value as people write it, followed by its decimal if it is a fraction or a root."""
    style = style_of(stated)
    if isinstance(value, Formula):
        if value.text in VERDICTS:
            return Phrase(f"verdict_{value.text}").said(language)
        if ":" in value.text:
            return value.text
        try:
            return readable(parse_expression(value.text, unknowns_of(stated), mixed_numbers=False), style)
        except EquationError:  # a comparison
            return value.text
    if isinstance(value, Fraction):
        return value_shown(value, forms).replace("-", MINUS)
    text = readable(value_expression(value), style)
    decimal = about(value)
    return (f"{text} (≈ {decimal})" if decimal else text).replace("-", MINUS)


def _rounded(value: Value, places: int) -> Value:
    """Round half away from zero, as schools do; what is no number, such as 3*x, stays as it is."""
    if not isinstance(value, Fraction) and not math.isfinite(decimal_of(value)):
        return value
    exact = value if isinstance(value, Fraction) else Fraction(decimal_of(value))
    scaled = abs(exact) * Fraction(10) ** places
    size = Fraction(int(scaled + Fraction(1, 2))) / Fraction(10) ** places
    return -size if exact < 0 else size


def _with_decimals(value: Value, places: int) -> str:
    """Return a rounded value with all its decimals: 2.50."""
    if not isinstance(value, Fraction) or places <= 0:
        return str(value)
    return decimal_text(value, places)
