// Exact rational numbers on BigInt, and what a person may type as a number: 12, 0.5, 3/4, 1 1/2, 25%, 八折.

const MAX_BITS = 40_000; // numbers beyond this are not for a page

export class TooLarge extends Error {}

export class Fraction {
  constructor(numerator, denominator = 1n) {
    if (denominator === 0n) throw new RangeError("division by zero");
    if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator];
    const divisor = gcd(numerator < 0n ? -numerator : numerator, denominator);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  // The exact strings of the server: "15", "-3/4"; and decimals: "0.25". Null for anything else.
  static read(text) {
    const match = /^\s*(-?)(\d+)(?:\.(\d+)|\/(\d+))?\s*$/.exec(text);
    if (!match || match[4]?.match(/^0+$/)) return null;
    const [, sign, whole, decimals = "", denominator = "1"] = match;
    const value = new Fraction(BigInt(whole + decimals), BigInt(denominator) * 10n ** BigInt(decimals.length));
    return sign ? value.negated() : value;
  }

  plus(other) {
    return bounded(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other) {
    return this.plus(other.negated());
  }

  times(other) {
    return bounded(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other) {
    return bounded(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  negated() {
    return new Fraction(-this.numerator, this.denominator);
  }

  // A whole power; null where the exponent is none.
  power(exponent) {
    if (exponent.denominator !== 1n) return null;
    const size = exponent.numerator < 0n ? -exponent.numerator : exponent.numerator;
    const bits = BigInt(Math.max(bitLength(this.numerator), bitLength(this.denominator)));
    if (size * bits > BigInt(MAX_BITS)) throw new TooLarge();
    const [top, bottom] = [this.numerator ** size, this.denominator ** size];
    return exponent.numerator < 0n ? new Fraction(bottom, top) : new Fraction(top, bottom);
  }

  // The square root where it is rational, else null.
  root() {
    const [top, bottom] = [wholeRoot(this.numerator), wholeRoot(this.denominator)];
    return top === null || bottom === null ? null : new Fraction(top, bottom);
  }

  equals(other) {
    return this.numerator === other.numerator && this.denominator === other.denominator;
  }

  get sign() {
    return this.numerator > 0n ? 1 : this.numerator < 0n ? -1 : 0;
  }

  get isWhole() {
    return this.denominator === 1n;
  }

  // "3/4": the server's exact string.
  toString() {
    return this.isWhole ? `${this.numerator}` : `${this.numerator}/${this.denominator}`;
  }

  // "0.75" where the decimals end within eight, else "1/3".
  toDecimal() {
    for (let places = 0; places <= 8; places++) {
      const scale = 10n ** BigInt(places);
      if (scale % this.denominator === 0n) {
        const digits =
          `${(this.numerator < 0n ? -this.numerator : this.numerator) * (scale / this.denominator)}`.padStart(
            places + 1,
            "0",
          );
        const whole = digits.slice(0, digits.length - places);
        return `${this.numerator < 0n ? "-" : ""}${whole}${places ? `.${digits.slice(-places)}` : ""}`;
      }
    }
    return this.toString();
  }

  toNumber() {
    const excess = Math.max(0, Math.max(bitLength(this.numerator), bitLength(this.denominator)) - 900);
    const shift = BigInt(excess);
    return Number(this.numerator >> shift) / Number(this.denominator >> shift || 1n);
  }
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
const HUNDRED = new Fraction(100n);

// What a person typed over a number of the text; null where it is no number.
export function readTyped(text) {
  const plain = text
    .normalize("NFKC")
    .trim()
    .replace(/^[$¥€£]/, "")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  if (plain.length > 60) return null;
  const chinese = /^([一二三四五六七八九]{1,2})折$/.exec(plain);
  const discount = chinese
    ? [...chinese[1]].map((digit) => "一二三四五六七八九".indexOf(digit) + 1).join("")
    : /^(\d{1,2})折$/.exec(plain)?.[1];
  if (discount) return new Fraction(BigInt(discount), 10n ** BigInt(discount.length));
  const mixed = /^(-?)(\d+)\s+(\d+\/\d+)$/.exec(plain);
  if (mixed) {
    const value = Fraction.read(mixed[3])?.plus(Fraction.read(mixed[2]));
    return value && mixed[1] ? value.negated() : (value ?? null);
  }
  if (/%$/.test(plain)) return Fraction.read(plain.slice(0, -1))?.over(HUNDRED) ?? null;
  return Fraction.read(plain);
}

function bounded(numerator, denominator) {
  if (bitLength(numerator) > MAX_BITS || bitLength(denominator) > MAX_BITS) throw new TooLarge();
  return new Fraction(numerator, denominator);
}

function gcd(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}

function bitLength(value) {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

export function wholeRoot(value) {
  if (value < 0n) return null;
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / 2) + 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) break;
    guess = next;
  }
  return guess * guess === value ? guess : null;
}
