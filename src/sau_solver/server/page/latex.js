// Expressions -> LaTeX.

import { bindsWeaker } from "./expression.js";

export function equationsLatex(equations) {
  const lines = equations.map(({ left, right }) => [latex(left), latex(right)]);
  if (lines.length === 1) return lines[0].join(" = ");
  return `\\begin{cases}\n${lines.map((sides) => sides.join(" = ")).join(" \\\\\n")}\n\\end{cases}`;
}

function latex(node, leading = true) {
  switch (node.kind) {
    case "unknown":
      return node.name.length > 1 ? `\\mathit{${node.name.replaceAll("_", "\\_")}}` : node.name;
    case "root":
      return `\\sqrt{${latex(node.inner)}}`;
    case "negation":
      return `-${operand(node.inner, 3, false)}`;
    case "operator": {
      const { symbol, left, right } = node;
      if (symbol === "/") return `\\frac{${latex(left)}}{${latex(right)}}`;
      if (symbol === "^") return `${operand(left, 5, false)}^{${latex(right)}}`;
      if (symbol === "*") return `${operand(left, 3, leading)} \\times ${operand(right, 4, false)}`;
      return `${operand(left, 2, leading)} ${symbol} ${operand(right, 3, false)}`;
    }
    default:
      return number(node.value, leading);
  }
}

function operand(node, least, leading) {
  const weak = bindsWeaker(node, least) && (node.symbol !== "/" || least === 5);
  return weak ? `\\left(${latex(node)}\\right)` : latex(node, leading);
}

function number(value, leading) {
  const text = (value.sign < 0 ? value.negated() : value).toDecimal();
  const [top, bottom] = text.split("/");
  const size = bottom ? `\\frac{${top}}{${bottom}}` : text;
  return value.sign >= 0 ? size : leading ? `-${size}` : `\\left(-${size}\\right)`;
}
