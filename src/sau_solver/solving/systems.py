"""Polynomial systems -> exact real solutions, by substitution and elimination.

An equation a*y + b = 0, with a and b free of y, gives y = -b/a if a is not zero; the case a = b = 0 is a branch of its
own. Equations left in one unknown are factored. Equations left in two unknowns go through a resultant, after a shear of
the axes that separates the solutions. Everything is exact: all unknowns are computed in the field of each irreducible
factor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq_poly

from sau_solver.solving.algebraic import irreducible_factors, real_roots
from sau_solver.solving.budget import MAX_COEFFICIENT_BITS, Budget
from sau_solver.solving.curves import has_curve, takes_both_signs
from sau_solver.solving.number_field import GENERATOR, Field
from sau_solver.solving.outcomes import NotPolynomialError, TooHardError, UndeterminedError
from sau_solver.solving.polynomials import Polynomial, Ring
from sau_solver.solving.recording import Branch, Case, Substitution
from sau_solver.solving.resultants import MAX_ELIMINATION_DEGREE, eliminant_of, separated, univariate, used_in
from sau_solver.solving.values import Value

MAX_UNKNOWNS = 12
MAX_ELIMINATION_TERMS = 600
MAX_SIZE = (12, 200, 1_000)  # total degree, terms and coefficient bits of an equation given to elimination
MAX_FACTORED_VOLUME = 200_000  # bits of a polynomial in two unknowns that is factored, which takes 0.1 s
SHEARS = (0, 1, -1, 2, 3, -2, 5, 7)

Assignment = dict[str, Value]


@dataclass(frozen=True, slots=True)
class System:
    """Polynomials that must vanish, others that must not, and the substitutions and cases that led here.

    A branch is added to `branches` at the end of each way through the cases; the last one is the general branch.
    """

    ring: Ring
    vanishing: tuple[Polynomial, ...]
    nonzero: tuple[Polynomial, ...]
    trail: tuple[Substitution | Case, ...] = ()
    budget: Budget = field(default_factory=Budget)
    branches: list[Branch] = field(default_factory=list)
    given: tuple[Polynomial, ...] = ()

    def solutions(self) -> Iterator[Assignment]:
        """Yield all real solutions; one that lacks an unknown leaves it free.

        Raise UndeterminedError, TooHardError or NotPolynomialError if there is no such list.
        """
        if len(self.ring.unknowns) > MAX_UNKNOWNS:
            raise TooHardError("many_nonlinear_unknowns", count=len(self.ring.unknowns), limit=MAX_UNKNOWNS)
        self.budget.case()
        if not self.trail:
            self._refuse_large()
        vanishing = tuple(p for p in self.vanishing if not p.is_zero())
        if any(p.is_constant() for p in vanishing) or any(p.is_zero() for p in self.nonzero):
            self.branches.append(Branch(self.trail))
            return
        pivot = self._pivot(vanishing)
        if pivot is None:
            branch = Branch(self.trail)
            self.branches.append(branch)
            for solution in self._eliminated(vanishing, branch):
                branch.solved = True
                yield solution
            return
        index, unknown = pivot
        slope, rest = _linear_parts(self.ring, vanishing[index], unknown)
        if not slope.is_constant():
            others = vanishing[:index] + vanishing[index + 1 :]
            yield from self._next((*others, slope, rest), self.nonzero, Case(slope)).solutions()
        yield from self._substituted(vanishing, index, unknown).solutions()

    def _refuse_large(self) -> None:
        """Leave equations that could keep python-flint busy for too long to SymPy, whose process can be killed."""
        for polynomial in self.vanishing + self.nonzero:
            size = (int(polynomial.total_degree()), len(polynomial), self.ring.height_bits(polynomial))
            if any(actual > limit for actual, limit in zip(size, MAX_SIZE, strict=True)):
                raise NotPolynomialError

    def _substituted(self, vanishing: tuple[Polynomial, ...], index: int, unknown: str) -> System:
        slope, rest = _linear_parts(self.ring, vanishing[index], unknown)
        others = vanishing[:index] + vanishing[index + 1 :]
        shared = slope.gcd(rest)  # y*x = y/4 gives x = 1/4 although y is free
        numerator, denominator = -rest / shared, slope / shared

        def put(polynomial: Polynomial) -> Polynomial:
            self._afford(polynomial, unknown, numerator, denominator)
            return _substitute(self.ring, polynomial, unknown, numerator, denominator)

        left = tuple(p if p.is_zero() else p / p.leading_coefficient() for p in map(put, others))  # keeps them small
        step = Substitution(unknown, numerator, denominator, vanishing[index], left)
        nonzero = (*map(put, self.nonzero), slope)
        return self._next(left, nonzero, step)

    def _afford(self, polynomial: Polynomial, unknown: str, *quotient: Polynomial) -> None:
        """Spend what a substitution can make; raise TooHardError if that is too much."""
        degree = int(polynomial.degrees()[self.ring.unknowns.index(unknown)])
        if degree <= 0:
            self.budget.spend(0)
            return
        bits = self.ring.height_bits(polynomial) + degree * max(map(self.ring.height_bits, quotient))
        if bits > MAX_COEFFICIENT_BITS:
            raise TooHardError("large_elimination")
        self.budget.spend(bits * len(polynomial))

    def _next(
        self, vanishing: tuple[Polynomial, ...], nonzero: tuple[Polynomial, ...], entry: Substitution | Case
    ) -> System:
        return System(self.ring, vanishing, nonzero, (*self.trail, entry), self.budget, self.branches, self.given)

    @property
    def substitutions(self) -> tuple[Substitution, ...]:
        """The substitutions made so far, the first one first."""
        return tuple(entry for entry in self.trail if isinstance(entry, Substitution))

    def free_unknowns(self) -> tuple[str, ...]:
        """Return the unknowns that have not been substituted."""
        gone = {step.unknown for step in self.substitutions}
        return tuple(name for name in self.ring.unknowns if name not in gone)

    def _pivot(self, vanishing: tuple[Polynomial, ...]) -> tuple[int, str] | None:
        """Return the equation and unknown to substitute: a constant coefficient first, then the smallest equation."""
        candidates = []
        for index, polynomial in enumerate(vanishing):
            for name, degree in zip(self.ring.unknowns, polynomial.degrees(), strict=True):
                if degree == 1:
                    position = self.ring.unknowns.index(name)
                    slope = {m: c for m, c in polynomial.to_dict().items() if m[position]}
                    slope_varies = any(sum(monomial) > 1 for monomial in slope)
                    is_unit = not slope_varies and abs(next(iter(slope.values()))) == 1
                    rank = (slope_varies, not is_unit, int(polynomial.total_degree()), len(polynomial))
                    candidates.append((rank, index, name))
        return min(candidates)[1:] if candidates else None

    def _eliminated(self, vanishing: tuple[Polynomial, ...], branch: Branch) -> Iterator[Assignment]:
        """Solve equations without a linear unknown; unknowns that occur nowhere are free and not in the assignment."""
        used = tuple(name for name in self.free_unknowns() if any(name in used_in(self.ring, p) for p in vanishing))
        if len(used) == 0:
            yield from self._embed(Field(GENERATOR), {})
        elif len(used) == 1:
            common = _common_divisor(self.ring, vanishing, used[0])
            factors = _factors(common)
            branch.unknown, branch.remaining, branch.factors = used[0], common, factors
            branch.equations = len(vanishing)
            for factor in factors:
                yield from self._embed(Field.of(factor), {used[0]: GENERATOR})
        elif len(used) == 2:
            yield from self._two_unknowns(vanishing, used, branch)
        elif len(vanishing) == 1:
            yield from self._one_equation(vanishing[0], used)
        else:
            raise NotPolynomialError  # three or more truly non-linear unknowns: SymPy tries

    def _one_equation(self, polynomial: Polynomial, used: tuple[str, ...]) -> Iterator[Assignment]:
        """Solve one equation in three or more unknowns: it has infinitely many solutions, or isolated ones."""
        for divisor in self.nonzero:
            polynomial = divmod(polynomial, polynomial.gcd(divisor))[0]
        signs = takes_both_signs(self.ring, polynomial, used, self.budget)
        if signs is None or polynomial.is_constant():
            raise NotPolynomialError
        if signs:
            raise UndeterminedError
        slopes = tuple(polynomial.derivative(self.ring.unknowns.index(name)) for name in used)
        vanishing = (polynomial, *slopes)
        left = System(self.ring, vanishing, self.nonzero, self.trail, self.budget, self.branches, self.given)
        yield from left.solutions()

    def _two_unknowns(
        self, vanishing: tuple[Polynomial, ...], left: tuple[str, ...], branch: Branch
    ) -> Iterator[Assignment]:
        self.budget.spend(0)
        first, second = left
        common = vanishing[0]
        for other in vanishing[1:]:
            self.budget.spend(0)
            common = common.gcd(other)
        if not common.is_constant():
            yield from self._shared(vanishing, common, left, branch)
            return
        for shear in SHEARS:
            self.budget.spend(0)
            sheared = [self._shear(p, first, second, shear) for p in vanishing]
            eliminant = eliminant_of(self.ring, sheared, first, second, self.budget)
            factors = _factors(eliminant)
            if not shear:
                branch.unknown, branch.remaining, branch.factors = first, eliminant, factors
                branch.eliminated = second
            points = list(separated(self.ring, sheared, factors, first, second))
            if all(found is not None for found in points):
                break
        else:
            raise NotPolynomialError
        for found in points:
            assert found is not None
            field, ordinate = found
            abscissa = field.reduce(GENERATOR - shear * ordinate)
            yield from self._embed(field, {first: abscissa, second: ordinate})

    def _shared(
        self, vanishing: tuple[Polynomial, ...], common: Polynomial, left: tuple[str, ...], branch: Branch
    ) -> Iterator[Assignment]:
        """Solve equations that share a factor: it has a real curve, or it vanishes only where its derivatives do."""
        if len(common) * self.ring.height_bits(common) > MAX_FACTORED_VOLUME:
            raise TooHardError("shared_factor")
        for factor, _ in common.factor()[1]:
            self.budget.spend(0)
            if any(divmod(one, factor)[1].is_zero() for one in self.nonzero):
                continue  # a divisor vanishes wherever the factor does
            used = [name for name in left if name in used_in(self.ring, factor)]
            if len(used) == 1:
                if any(map(real_roots, _factors(univariate(self.ring, factor, used[0])))):
                    raise UndeterminedError
                continue
            if has_curve(self.ring, factor, left, self.budget):
                raise UndeterminedError
            slopes = [factor.derivative(self.ring.unknowns.index(name)) for name in left]
            yield from self._two_unknowns((factor, *slopes), left, branch)
        rest = tuple(divmod(one, common)[0] for one in vanishing)
        if not any(one.is_constant() for one in rest):
            yield from self._two_unknowns(rest, left, branch)

    def _shear(self, polynomial: Polynomial, first: str, second: str, shear: int) -> Polynomial:
        """Return the polynomial with `first` replaced by first - shear * second."""
        if not shear:
            return polynomial
        images = dict(self.ring.generators)
        images[first] = images[first] - shear * images[second]
        return polynomial.compose(*(images[name] for name in self.ring.unknowns))

    def _embed(self, field: Field, known: dict[str, Any]) -> Iterator[Assignment]:
        """Compute the substituted unknowns in the field, drop forbidden points, and yield the real embeddings."""
        values = dict(known)
        for step in reversed(self.substitutions):
            if not (self._known(step.numerator, values) and self._known(step.denominator, values)):
                if step.numerator.is_zero():
                    values[step.unknown] = fmpq_poly([0])
                continue  # otherwise it depends on an unknown that is free
            denominator = _evaluate(self.ring, step.denominator, values, field)
            if denominator.is_zero():
                return
            numerator = _evaluate(self.ring, step.numerator, values, field)
            values[step.unknown] = field.reduce(numerator * field.inverse(denominator))
        if any(_vanishes(self.ring, forbidden, values, field) for forbidden in self.nonzero):
            return
        for given in self.given:  # every solution is put into the equations that were given
            if self._known(given, values) and not _evaluate(self.ring, given, values, field).is_zero():
                raise TooHardError("unproven")
        names = tuple(name for name in self.ring.unknowns if name in values)
        for embedded in field.embeddings([values[name] for name in names]):
            yield dict(zip(names, embedded, strict=True))

    def _known(self, polynomial: Polynomial, values: dict[str, Any]) -> bool:
        return all(name in values for name in used_in(self.ring, polynomial))


def _linear_parts(ring: Ring, polynomial: Polynomial, unknown: str) -> tuple[Polynomial, Polynomial]:
    rest, slope = _coefficients(ring, polynomial, unknown, 1)
    return slope, rest


def _coefficients(ring: Ring, polynomial: Polynomial, unknown: str, degree: int) -> list[Polynomial]:
    """Return the coefficients of 1, unknown, unknown², …"""
    position = ring.unknowns.index(unknown)
    parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(degree + 1)]
    for monomial, coefficient in polynomial.to_dict().items():
        rest = (*monomial[:position], 0, *monomial[position + 1 :])
        parts[monomial[position]][rest] = coefficient
    return [ring.context.from_dict(part) for part in parts]


def _substitute(
    ring: Ring, polynomial: Polynomial, unknown: str, numerator: Polynomial, denominator: Polynomial
) -> Polynomial:
    """Return the polynomial at unknown = numerator / denominator, times the power of the denominator that clears it."""
    degree = int(polynomial.degrees()[ring.unknowns.index(unknown)])
    if degree <= 0:
        return polynomial
    top = max(ring.degree(numerator), ring.degree(denominator), 0)
    if ring.degree(polynomial) - 1 + degree * top > 2 * MAX_ELIMINATION_DEGREE:
        raise TooHardError("high_elimination_degree")
    result = ring.context.constant(0)
    for power, coefficient in enumerate(_coefficients(ring, polynomial, unknown, degree)):
        term = ring.product(coefficient, ring.power(numerator, power))
        result += ring.product(term, ring.power(denominator, degree - power))
    if int(result.total_degree()) > MAX_ELIMINATION_DEGREE or len(result) > MAX_ELIMINATION_TERMS:
        raise TooHardError("high_elimination_degree")
    return result


def _common_divisor(ring: Ring, vanishing: tuple[Polynomial, ...], unknown: str) -> Any:
    common = fmpq_poly([0])
    for polynomial in vanishing:
        common = common.gcd(univariate(ring, polynomial, unknown))
    return common


def _factors(polynomial: Any) -> list[Any]:
    """Return the irreducible factors of a dense polynomial; a constant has none."""
    return irreducible_factors(polynomial) if polynomial.degree() > 0 else []


def _evaluate(ring: Ring, polynomial: Polynomial, values: dict[str, Any], field: Field) -> Any:
    total = fmpq_poly([0])
    for monomial, coefficient in polynomial.to_dict().items():
        term = fmpq_poly([coefficient])
        for name, power in zip(ring.unknowns, monomial, strict=True):
            if power:
                term = field.reduce(term * field.power(values[name], power))
        total += term
    return field.reduce(total)


def _vanishes(ring: Ring, polynomial: Polynomial, values: dict[str, Any], field: Field) -> bool:
    """Return whether a polynomial is zero at the values, for all values of the unknowns that are free."""
    parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    known = [name in values for name in ring.unknowns]
    for monomial, coefficient in polynomial.to_dict().items():
        free = tuple(0 if fixed else power for fixed, power in zip(known, monomial, strict=True))
        fixed = tuple(power if fixed else 0 for fixed, power in zip(known, monomial, strict=True))
        parts.setdefault(free, {})[fixed] = coefficient
    return all(_evaluate(ring, ring.context.from_dict(part), values, field).is_zero() for part in parts.values())
