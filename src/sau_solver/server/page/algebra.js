// Equations -> all their real solutions, exactly, in the browser: arithmetic, linear systems, and what substitution
// brings down to one quadratic. Null where that is not enough; the server's POST /v1/equation then has the word.
//
// A value is {text, decimal, exact}: the server's exact string, a float, and the Fraction where it is one.

import { unknownsOf } from "./expression.js";
import { Fraction, TooLarge, ZERO, wholeRoot } from "./fraction.js";
import { NotPolynomial, Polynomial, quotient } from "./polynomial.js";

// {outcome: "solved" | "none" | "infinite", roots: [{unknown: value}]}, or null.
export function solve(equations) {
  try {
    const names = unknownsOf(equations);
    const sides = equations.flatMap(({ left, right }) => [[quotient(left), quotient(right)]]);
    const vanishing = sides.map(([a, b]) => a.top.times(b.bottom).minus(b.top.times(a.bottom)));
    const bottoms = sides.flatMap(([a, b]) => [a.bottom, b.bottom]);
    return solved(vanishing, bottoms, names);
  } catch (error) {
    if (error instanceof NotPolynomial || error instanceof TooLarge) return null;
    if (error instanceof RangeError) return { outcome: "none", roots: [], reason: "division" };
    throw error;
  }
}

function valueOf(fraction) {
  return { text: fraction.toString(), decimal: fraction.toNumber(), exact: fraction };
}

function solved(vanishing, bottoms, names) {
  const substitutions = [];
  let left = vanishing.filter((polynomial) => polynomial.terms.size);
  for (let step; (step = substitution(left));) {
    substitutions.push(step);
    left = left
      .filter((polynomial) => polynomial !== step.used)
      .map((polynomial) => polynomial.replaced(step.name, step.by))
      .filter((polynomial) => polynomial.terms.size);
  }
  if (left.some((polynomial) => polynomial.isConstant)) return { outcome: "none", roots: [] };
  const free = names.filter((name) => !substitutions.some((step) => step.name === name));
  if (!free.length) return finished([new Map()], substitutions, bottoms, names);
  if (!left.length) return { outcome: "infinite", roots: [] };
  if (free.length > 1 || left.length > 1) return null;
  const roots = quadratic(left[0], free[0]);
  if (roots === null) return null;
  if (roots.some((root) => !root.exact)) {
    if (names.length > 1 || bottoms.some((bottom) => !bottom.isConstant)) return null;
    return { outcome: "solved", roots: roots.map((root) => ({ [free[0]]: root })) };
  }
  return finished(
    roots.map((root) => new Map([[free[0], root.exact]])),
    substitutions,
    bottoms,
    names,
  );
}

// An equation in which one unknown stands alone with a constant factor, solved for it.
function substitution(polynomials) {
  for (const used of polynomials)
    for (const name of used.unknowns) {
      const [rest, slope, ...higher] = used.coefficients(name);
      if (!higher.length && slope.isConstant) {
        const by = new Polynomial().minus(rest).times(Polynomial.constant(new Fraction(1n).over(slope.value)));
        return { used, name, by };
      }
    }
  return null;
}

// Roots of the free unknown -> whole solutions, without those that make a denominator zero.
function finished(found, substitutions, bottoms, names) {
  const roots = [];
  for (const known of found) {
    for (const { name, by } of [...substitutions].reverse()) known.set(name, evaluated(by, known));
    if (bottoms.every((bottom) => evaluated(bottom, known).sign))
      roots.push(Object.fromEntries(names.map((name) => [name, valueOf(known.get(name))])));
  }
  return { outcome: roots.length ? "solved" : "none", roots };
}

function evaluated(polynomial, known) {
  let result = polynomial;
  for (const name of polynomial.unknowns) result = result.replaced(name, Polynomial.constant(known.get(name) ?? ZERO));
  return result.value;
}

// The real roots of a polynomial of degree 1 or 2 in one unknown, the smaller first; null for a higher one.
function quadratic(polynomial, name) {
  if (polynomial.degree(name) > 2) return null;
  const [c, b, a] = polynomial.coefficients(name).map((coefficient) => coefficient.value);
  if (!a) return [valueOf(c.negated().over(b))];
  const half = b.negated().over(a.plus(a)); // the middle between the roots
  const square = half.times(half).minus(c.over(a)); // the distance of both from it, squared
  if (square.sign < 0) return [];
  const distance = square.root();
  if (distance) return distance.sign ? [valueOf(half.minus(distance)), valueOf(half.plus(distance))] : [valueOf(half)];
  return [-1, 1].map((sign) => surd(half, square, sign));
}

// half ± sqrt(square) with the square's largest whole factor taken out of the root.
function surd(half, square, sign) {
  let inside = square.numerator * square.denominator;
  let outside = 1n;
  for (let k = 2n; k * k <= inside && k < 2000n; k++)
    while (inside % (k * k) === 0n) [inside, outside] = [inside / (k * k), outside * k];
  if (wholeRoot(inside) !== null) [inside, outside] = [1n, outside * wholeRoot(inside)];
  const factor = new Fraction(outside, square.denominator);
  const bottom = (half.denominator * factor.denominator) / common(half.denominator, factor.denominator);
  const [top, times] = [half.times(new Fraction(bottom)), factor.times(new Fraction(bottom))];
  const rooted = `${times.numerator === 1n ? "" : `${times.numerator}*`}sqrt(${inside})`;
  const sum = top.sign ? `${top.numerator}${sign < 0 ? "-" : "+"}${rooted}` : `${sign < 0 ? "-" : ""}${rooted}`;
  const text = bottom === 1n ? sum : `${top.sign ? `(${sum})` : sum}/${bottom}`;
  return { text, decimal: half.toNumber() + sign * Math.sqrt(square.toNumber()), exact: null };
}

function common(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}
