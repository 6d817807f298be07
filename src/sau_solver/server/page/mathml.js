// Expressions -> MathML. A number of the text carries its place, so that it can be lit with the others.

import { math } from "./dom.js";
import { bindsWeaker, readEquation, readExpression } from "./expression.js";

const SHOWN = { "-": "−", "*": "×" };

export function equationMath(equation, block = false) {
  return math(
    "math",
    block ? { display: "block" } : {},
    math("mrow", {}, shown(equation.left), math("mo", {}, "="), shown(equation.right)),
  );
}

export function expressionMath(node) {
  return math("math", {}, shown(node));
}

// The server's exact value or equation as mathematics; as it came where it is not read.
export function textMath(text, block = false) {
  const equation = readEquation(text);
  if (equation) return equationMath(equation, block);
  const expression = readExpression(text);
  return expression ? expressionMath(expression) : math("math", {}, math("mtext", {}, text));
}

function shown(node, leading = true) {
  switch (node.kind) {
    case "unknown":
      return math("mi", {}, node.name);
    case "root":
      return math("msqrt", {}, shown(node.inner));
    case "negation":
      return math("mrow", {}, math("mo", { form: "prefix" }, "−"), operand(node.inner, 3, false));
    case "operator":
      return operation(node, leading);
    default:
      return number(node, leading);
  }
}

function operation(node, leading) {
  const { symbol, left, right } = node;
  if (symbol === "/") return math("mfrac", {}, shown(left), shown(right));
  if (symbol === "^")
    return math("msup", {}, fractional(left) ? bracketed(shown(left)) : operand(left, 5, false), shown(right));
  const own = symbol === "*" ? 3 : 2;
  const joined = symbol === "*" && invisible(left, right) ? "\u2062" : (SHOWN[symbol] ?? symbol);
  return math("mrow", {}, operand(left, own, leading), math("mo", {}, joined), operand(right, own + 1, false));
}

// 2x, 3(x+1), xy; but 2×3.
function invisible(left, right) {
  const opens =
    right.kind === "unknown" || bindsWeaker(right, 3) || (right.symbol === "^" && right.left.kind === "unknown");
  return (
    opens &&
    right.symbol !== "/" &&
    (left.kind === "unknown" || "value" in left ? left.value?.isWhole !== false : false)
  );
}

function operand(node, least, leading) {
  return bindsWeaker(node, least) && node.symbol !== "/" ? bracketed(shown(node)) : shown(node, leading);
}

function number(node, leading) {
  const { value } = node;
  const attributes = node.kind === "number" ? { class: `number n${node.index % 8}`, "data-number": node.index } : {};
  const size = value.sign < 0 ? value.negated() : value;
  const text = size.toDecimal();
  const [top, bottom] = text.split("/");
  const made = bottom
    ? math("mfrac", attributes, math("mn", {}, top), math("mn", {}, bottom))
    : math("mn", attributes, text);
  if (value.sign >= 0) return made;
  const negative = math("mrow", {}, math("mo", { form: "prefix" }, "−"), made);
  return leading ? negative : bracketed(negative);
}

const fractional = (node) =>
  node.symbol === "/" || (node.value && (node.value.sign < 0 || node.value.toDecimal().includes("/")));

function bracketed(inner) {
  return math(
    "mrow",
    {},
    math("mo", { form: "prefix", stretchy: "true" }, "("),
    inner,
    math("mo", { form: "postfix", stretchy: "true" }, ")"),
  );
}
