// The problem's equations with other numbers: solved here, in the browser, without asking anybody.

import { solve } from "./algebra.js";
import { equationText } from "./expression.js";
import { sayIn } from "./i18n.js";
import { quotient } from "./polynomial.js";

// {outcome, values, alternatives, steps, certain}, or null where the browser cannot solve them. `certain` is false where
// several solutions are left and the words of the problem have to choose, which is the server's business.
export function vary(equations, language) {
  const found = solve(equations);
  if (!found) return null;
  const [names, several] = [Object.keys(found.roots[0] ?? {}), found.roots.length > 1];
  const values = found.roots.flatMap((root) => Object.values(root).map((value) => [value.text, value.decimal]));
  return {
    outcome: found.outcome,
    values,
    alternatives: several || names.length === 1,
    steps: steps(equations, found, language),
    certain: !several,
  };
}

function steps(equations, { outcome, roots }, language) {
  const say = (key, values) => sayIn(language, key, values);
  const opening = { kind: "work", text: say("put_in", { equations: equations.map(equationText).join("; ") }) };
  if (outcome !== "solved") return [opening, { kind: "work", text: say(`impossible_${outcome}`) }];
  const solutions = roots.map((root) => ({
    kind: "answer",
    text: say("result", {
      solution: Object.entries(root)
        .map(([name, value]) => `${name}=${value.text}`)
        .join(", "),
    }),
  }));
  return [opening, ...solutions, ...roots.flatMap((root) => checks(equations, root, say))];
}

// Both sides of every equation with the values put in; nothing for values that are not rational.
function checks(equations, root, say) {
  if (Object.values(root).some((value) => !value.exact)) return [];
  const put = (node) => {
    if (node.kind === "unknown") return { kind: "constant", value: root[node.name].exact };
    if (node.kind === "operator") return { ...node, left: put(node.left), right: put(node.right) };
    return node.inner ? { ...node, inner: put(node.inner) } : node;
  };
  return equations.map(({ left, right }) => {
    const filled = { left: put(left), right: put(right) };
    return {
      kind: "check",
      text: say("check_line", { equation: equationText(filled), left: worth(filled.left), right: worth(filled.right) }),
    };
  });
}

function worth(node) {
  const { top, bottom } = quotient(node);
  return top.value.over(bottom.value).toString();
}
