// A sentence with mathematics in it -> text and MathML. Quoted words of the problem stay as they are.

import { walk, readEquation, readExpression } from "./expression.js";
import { equationMath, expressionMath } from "./mathml.js";

const LONGEST = 44; // MathML does not break into lines; a longer equation stays text, which does
const QUOTED = /(“[^”]*”|「[^」]*」)/;
const MATHEMATICS = /[-(]*[0-9A-Za-z(](?:[0-9A-Za-z.+\-*/^()=]*[0-9A-Za-z)])?/g;

// `names` are the unknowns, which are mathematics also where they stand alone.
export function typeset(sentence, names = []) {
  return sentence.split(QUOTED).flatMap((part) => (QUOTED.test(part) ? [part] : pieces(part, names)));
}

function pieces(text, names) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(MATHEMATICS)) {
    const made = names.includes(match[0]) ? expressionMath({ kind: "unknown", name: match[0] }) : mathematics(match[0]);
    if (!made) continue;
    found.push(text.slice(end, match.index), made);
    end = match.index + match[0].length;
  }
  return [...found, text.slice(end)];
}

function mathematics(text) {
  if (text.length > LONGEST || !/[=*^/+]|\d-|-\d|[a-z]-[a-z]\b/.test(text)) return null;
  const equation = readEquation(text);
  const sides = equation ? [equation.left, equation.right] : [readExpression(text)];
  const named = (node) => node.kind === "unknown" && node.name.length > 1 && !node.name.includes("_");
  if (!sides.every((side) => side && ![...walk(side)].some(named))) return null;
  return equation ? equationMath(equation) : expressionMath(sides[0]);
}
