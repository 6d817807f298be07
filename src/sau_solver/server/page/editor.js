// Equations edited by hand: shown as mathematics while they are typed, solved by the server without a model.

import { Superseded, askEquation } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { readEquation } from "./expression.js";
import { say, spoken } from "./i18n.js";
import { equationMath } from "./mathml.js";
import { clearError, showError } from "./notice.js";
import { typeset } from "./typeset.js";
import { rootShown } from "./values.js";

let solved = null; // the last answer of the server
let offered = ""; // what stood in the editor before anybody typed

const lines = () =>
  byId("equation-text")
    .value.split(/[\n;；]/)
    .map((line) => line.trim())
    .filter(Boolean);

export function listenEditor() {
  byId("edit").addEventListener("click", () => openEditor(byId("editor").hidden));
  byId("equation-text").addEventListener("input", preview);
  byId("editor").addEventListener("submit", solveByHand);
}

// The problem's equations are ready in the editor; what was written there by hand stays, unless the problem is a new one.
export function offerEquations(equations, anew = false) {
  if (!anew && byId("equation-text").value !== offered) return;
  solved = null;
  offered = equations.join("\n");
  byId("equation-text").value = offered;
  byId("equation-text").rows = Math.max(2, equations.length);
  clearError(byId("equation-error"));
  fill(byId("equation-result"));
  preview();
}

export function openEditor(open) {
  byId("editor").hidden = !open;
  byId("equations").hidden = open;
  byId("edit").setAttribute("aria-expanded", open);
  relabel();
  if (open) byId("equation-text").focus();
}

// A candidate's equations, tried out.
export function attempt(equations) {
  offerEquations(equations, true);
  openEditor(true);
  byId("editor").scrollIntoView({ block: "nearest" });
  solveByHand();
}

export function relabel() {
  byId("edit").textContent = say(byId("editor").hidden ? "edit" : "edit_close");
  if (solved) show();
}

function preview() {
  const read = lines().map(readEquation);
  fill(byId("preview"), ...(read.every(Boolean) ? read.map((equation) => equationMath(equation, true)) : []));
}

async function solveByHand() {
  clearError(byId("equation-error"));
  byId("solve-equation").setAttribute("aria-busy", "true");
  try {
    solved = await askEquation(lines(), spoken());
    show();
  } catch (error) {
    if (error instanceof Superseded) return;
    fill(byId("equation-result"));
    solved = null;
    showError(byId("equation-error"), error, solveByHand);
  } finally {
    byId("solve-equation").removeAttribute("aria-busy");
  }
}

function show() {
  const { outcome, roots, decimal, reason, steps } = solved;
  fill(
    byId("equation-result"),
    html("p", { class: "outcome" }, say(`outcome_${outcome}`)),
    ...roots.map((root, place) =>
      html("p", { class: "big by-hand-root" }, ...rootShown(root, decimal[place]).filter(Boolean)),
    ),
    outcome !== "solved" && reason ? html("p", { class: "quiet" }, reason) : null,
    html(
      "ol",
      { class: "steps" },
      ...steps.map((step) =>
        html("li", { class: "step" }, html("span", {}, ...typeset(step, Object.keys(roots[0] ?? {})))),
      ),
    ),
  );
}
