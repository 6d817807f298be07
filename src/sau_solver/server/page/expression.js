// Equations as trees: from the server's prefix nodes, from typed text, and back to text.
//
// A node is {kind: "operator", symbol, left, right}, {kind: "number", index, value}, {kind: "constant", value},
// {kind: "unknown", name}, {kind: "root", inner} or {kind: "negation", inner}; an equation is {left, right}. Values are
// Fractions.
// `at` is a node's place in the prefix order, where it came from there.

import { Fraction } from "./fraction.js";

const PRECEDENCE = { "+": 2, "-": 2, "*": 3, "/": 3, "^": 4 };

// Prefix nodes and the values of the text's numbers -> equations. A bare expression becomes x = expression.
export function equationsOf(nodes, values) {
  let place = 0;
  const build = () => {
    const at = place++;
    const node = nodes[at];
    if (node.kind === "operator") return { kind: "operator", symbol: node.symbol, left: build(), right: build(), at };
    if (node.kind === "number") return { kind: "number", index: node.number, value: values[node.number], at };
    if (node.kind === "constant") return { kind: "constant", value: Fraction.read(node.value), at };
    return { kind: "unknown", name: node.symbol, at };
  };
  const equations = split(build());
  return equations.map((one) =>
    one.symbol === "=" ? { left: one.left, right: one.right } : { left: { kind: "unknown", name: "x" }, right: one },
  );
}

function split(node) {
  return node.symbol === ";" ? [...split(node.left), ...split(node.right)] : [node];
}

export function* walk(node) {
  yield node;
  if (node.kind === "operator") {
    yield* walk(node.left);
    yield* walk(node.right);
  } else if (node.inner) yield* walk(node.inner);
}

export function unknownsOf(equations) {
  const names = new Set();
  for (const { left, right } of equations)
    for (const side of [left, right]) for (const node of walk(side)) if (node.kind === "unknown") names.add(node.name);
  return [...names];
}

// --- to text, with the fewest brackets, as the server prints it ------------------------------------------------

export const equationText = ({ left, right }) => `${expressionText(left)}=${expressionText(right)}`;

function expressionText(node, leading = true) {
  switch (node.kind) {
    case "unknown":
      return node.name;
    case "root":
      return `sqrt(${expressionText(node.inner)})`;
    case "negation":
      return leading ? `-${operandText(node.inner, 3, false)}` : `(-${operandText(node.inner, 3, false)})`;
    case "operator": {
      const power = node.symbol === "^";
      const own = PRECEDENCE[node.symbol];
      const left = operandText(node.left, own + (power ? 1 : 0), leading && !power);
      return `${left}${node.symbol}${operandText(node.right, own + (power ? 0 : 1), false)}`;
    }
    default: {
      const text = node.value.sign < 0 ? node.value.negated().toDecimal() : node.value.toDecimal();
      const literal = text.includes("/") ? `(${text})` : text;
      return node.value.sign >= 0 ? literal : leading ? `-${literal}` : `(-${literal})`;
    }
  }
}

export const bindsWeaker = (node, least) => node.kind === "operator" && PRECEDENCE[node.symbol] < least;

function operandText(node, least, leading) {
  return bindsWeaker(node, least) ? `(${expressionText(node)})` : expressionText(node, leading);
}

// --- from text: enough of the server's notation to show it as mathematics; null where it is something else ---------

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z]+(?:_\w+)?)|(\*\*|[-+*/^()=]))/y;

export function readEquation(text) {
  const tokens = tokenize(text);
  if (!tokens) return null;
  const sides = [[]];
  for (const token of tokens) token === "=" ? sides.push([]) : sides.at(-1).push(token);
  const read = sides.map(readTokens);
  return sides.length === 2 && read.every(Boolean) ? { left: read[0], right: read[1] } : null;
}

export function readExpression(text) {
  const tokens = tokenize(text);
  return tokens && !tokens.includes("=") ? readTokens(tokens) : null;
}

function tokenize(text) {
  const plain = text.normalize("NFKC").replace(/[−–]/g, "-").replace(/[×·⋅]/g, "*").replace(/÷/g, "/").trim();
  if (plain.length > 2000) return null;
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const match = TOKEN.exec(plain);
    if (!match) return null;
    tokens.push(match[3] === "**" ? "^" : match[0].trim());
  }
  return tokens;
}

function readTokens(tokens) {
  let place = 0;
  let depth = 0;
  const accept = (...signs) => (signs.includes(tokens[place]) ? tokens[place++] : null);
  const binary =
    (operand, ...signs) =>
    () => {
      let node = operand();
      for (let sign; node && (sign = accept(...signs));) {
        const right = operand();
        node = right && { kind: "operator", symbol: sign, left: node, right };
      }
      return node;
    };
  const atom = () => {
    const token = tokens[place++];
    if (token === "(") {
      if (++depth > 60) return null;
      const inner = sum();
      depth--;
      return accept(")") ? inner : null;
    }
    if (token === undefined) return null;
    if (/^\d/.test(token)) return { kind: "constant", value: Fraction.read(token) };
    if (!/^[A-Za-z]/.test(token)) return null;
    if (token !== "sqrt") return { kind: "unknown", name: token };
    if (!accept("(")) return null;
    const inner = sum();
    return inner && accept(")") ? { kind: "root", inner } : null;
  };
  const power = () => {
    const base = atom();
    if (!base || !accept("^")) return base;
    const exponent = signed();
    return exponent && { kind: "operator", symbol: "^", left: base, right: exponent };
  };
  const signed = () => {
    if (!accept("-")) return power();
    const node = signed();
    if (!node) return null;
    return node.kind === "constant" ? { ...node, value: node.value.negated() } : { kind: "negation", inner: node };
  };
  const implicit = () => {
    let node = signed();
    while (node && tokens[place] !== undefined && /^[A-Za-z(]/.test(tokens[place])) {
      if (node.name?.length > 1) return null; // ln(5) is no product
      const right = power();
      node = right && { kind: "operator", symbol: "*", left: node, right };
    }
    return node;
  };
  const product = binary(implicit, "*", "/");
  const sum = binary(product, "+", "-");
  const node = sum();
  return place === tokens.length ? node : null;
}
