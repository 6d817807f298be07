// Polynomials in several unknowns with exact coefficients: a Map from a monomial such as "x^2*y" to its Fraction.

import { ONE, ZERO } from "./fraction.js";

const MAX_TERMS = 300;

export class NotPolynomial extends Error {}

export class Polynomial {
  constructor(terms = new Map()) {
    this.terms = new Map([...terms].filter(([, coefficient]) => coefficient.sign));
    if (this.terms.size > MAX_TERMS) throw new NotPolynomial();
  }

  static constant(value) {
    return new Polynomial(new Map([["", value]]));
  }

  static unknown(name) {
    return new Polynomial(new Map([[`${name}^1`, ONE]]));
  }

  get isConstant() {
    return [...this.terms.keys()].every((key) => key === "");
  }

  // The coefficient of the monomial without unknowns.
  get value() {
    return this.terms.get("") ?? ZERO;
  }

  get unknowns() {
    return [...new Set([...this.terms.keys()].flatMap((key) => [...powers(key).keys()]))];
  }

  degree(name) {
    return Math.max(0, ...[...this.terms.keys()].map((key) => powers(key).get(name) ?? 0));
  }

  plus(other, factor = ONE) {
    const terms = new Map(this.terms);
    for (const [key, coefficient] of other.terms)
      terms.set(key, (terms.get(key) ?? ZERO).plus(coefficient.times(factor)));
    return new Polynomial(terms);
  }

  minus(other) {
    return this.plus(other, ONE.negated());
  }

  times(other) {
    const terms = new Map();
    for (const [one, a] of this.terms)
      for (const [two, b] of other.terms) {
        const key = joined(one, two);
        terms.set(key, (terms.get(key) ?? ZERO).plus(a.times(b)));
      }
    return new Polynomial(terms);
  }

  // The coefficients of the powers of one unknown, each a polynomial in the others.
  coefficients(name) {
    const found = Array.from({ length: this.degree(name) + 1 }, () => new Map());
    for (const [key, coefficient] of this.terms) {
      const rest = powers(key);
      const power = rest.get(name) ?? 0;
      rest.delete(name);
      found[power].set(written(rest), coefficient);
    }
    return found.map((terms) => new Polynomial(terms));
  }

  // This polynomial with another in the place of an unknown.
  replaced(name, by) {
    return this.coefficients(name).reduceRight((sum, coefficient) => sum.times(by).plus(coefficient), new Polynomial());
  }
}

// An expression -> {top, bottom}, polynomials; throws NotPolynomial where it is no quotient of such.
export function quotient(node) {
  switch (node.kind) {
    case "unknown":
      return { top: Polynomial.unknown(node.name), bottom: Polynomial.constant(ONE) };
    case "negation": {
      const { top, bottom } = quotient(node.inner);
      return { top: new Polynomial().minus(top), bottom };
    }
    case "operator":
      return combined(node.symbol, quotient(node.left), quotient(node.right));
    case "root":
      throw new NotPolynomial();
    default:
      return { top: Polynomial.constant(node.value), bottom: Polynomial.constant(ONE) };
  }
}

function combined(symbol, a, b) {
  switch (symbol) {
    case "+":
    case "-": {
      const [left, right] = [a.top.times(b.bottom), b.top.times(a.bottom)];
      return { top: symbol === "+" ? left.plus(right) : left.minus(right), bottom: a.bottom.times(b.bottom) };
    }
    case "*":
      return { top: a.top.times(b.top), bottom: a.bottom.times(b.bottom) };
    case "/":
      if (!b.top.terms.size) throw new RangeError("division by zero");
      return { top: a.top.times(b.bottom), bottom: a.bottom.times(b.top) };
    default:
      return raised(a, b);
  }
}

function raised(base, exponent) {
  if (!exponent.top.isConstant || !exponent.bottom.isConstant) throw new NotPolynomial();
  const power = exponent.top.value.over(exponent.bottom.value);
  if (base.top.isConstant && base.bottom.isConstant) {
    const value = base.top.value.over(base.bottom.value).power(power);
    if (!value) throw new NotPolynomial();
    return { top: Polynomial.constant(value), bottom: Polynomial.constant(ONE) };
  }
  const size = Number(power.numerator);
  if (!power.isWhole || size < 0 || size > 12) throw new NotPolynomial();
  let [top, bottom] = [Polynomial.constant(ONE), Polynomial.constant(ONE)];
  for (let k = 0; k < size; k++) [top, bottom] = [top.times(base.top), bottom.times(base.bottom)];
  return { top, bottom };
}

function powers(key) {
  return new Map(key ? key.split("*").map((part) => [part.split("^")[0], Number(part.split("^")[1])]) : []);
}

function written(found) {
  return [...found]
    .filter(([, power]) => power)
    .sort()
    .map(([name, power]) => `${name}^${power}`)
    .join("*");
}

function joined(one, two) {
  const found = powers(one);
  for (const [name, power] of powers(two)) found.set(name, (found.get(name) ?? 0) + power);
  return written(found);
}
