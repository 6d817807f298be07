// Equations edited by hand: the server draws and solves them while they are typed, without a model.

import { askEquation } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { say } from "./i18n.js";
import { live } from "./live.js";
import { drawn } from "./mathematics.js";
import { clearError, isOfTheText, showError } from "./notice.js";
import { stepShown, stepsOf } from "./steps.js";
import { rootShown } from "./values.js";

let offered = ""; // the text that the page put into the editor
let alone = { hidden: true }; // whether the result was hidden before the editor was opened alone
let insisted = false; // the reader pressed the button: from now on, complaints are shown until an answer comes

const edits = live({
  ask: () => askEquation(lines()),
  show,
  fail,
  waiting: (is) => byId("equation-result").classList.toggle("waiting", is),
});

const lines = () =>
  byId("equation-text")
    .value.split(/[\n;；]/)
    .map((line) => line.trim())
    .filter(Boolean);

export function listenEditor() {
  byId("edit").addEventListener("click", () => {
    if (byId("result").classList.contains("bare")) closeAlone();
    else openEditor(byId("editor").hidden);
  });
  byId("write-equations").addEventListener("click", openAlone);
  byId("equation-text").addEventListener("input", edits.later);
  byId("editor").addEventListener("submit", solveByHand);
}

// Puts the problem's equations into the editor. Text written by hand stays, unless the problem is a new one.
export function offerEquations({ equations, mathml }, isNew = false) {
  if (!isNew && byId("equation-text").value !== offered) return;
  edits.stop();
  insisted = false;
  offered = equations.join("\n");
  byId("equation-text").value = offered;
  byId("equation-text").rows = Math.max(2, equations.length);
  clearError(byId("equation-error"));
  fill(byId("equation-result"));
  showPreview(mathml);
}

export function openEditor(open) {
  byId("editor").hidden = !open;
  byId("equations").hidden = open;
  byId("edit").setAttribute("aria-expanded", open);
  byId("edit").textContent = say(open ? "edit_close" : "edit");
  if (open) byId("equation-text").focus();
}

// The editor without a problem, or beside one whose equations are not shown.
function openAlone() {
  const result = byId("result");
  if (result.hidden || !byId("equations-card").checkVisibility()) {
    alone = { hidden: result.hidden };
    result.classList.add("bare");
    byId("equations-card").hidden = false;
    if (result.hidden) offerEquations({ equations: [], mathml: [] }, true);
    result.hidden = false;
  }
  openEditor(true);
  byId("editor").scrollIntoView({ block: "nearest" });
}

function closeAlone() {
  byId("result").classList.remove("bare");
  byId("result").hidden = alone.hidden;
  openEditor(false);
  byId("write-equations").focus();
}

// Solves a candidate's equations.
export function attempt(candidate) {
  offerEquations(candidate, true);
  openEditor(true);
  byId("editor").scrollIntoView({ block: "nearest" });
  solveByHand();
}

// The language of the page has changed: the answer and the complaint are asked for again in the new one.
export function relabel() {
  byId("edit").textContent = say(byId("editor").hidden ? "edit" : "edit_close");
  if (byId("equation-result").firstChild || byId("equation-error").firstChild) edits.now();
}

function solveByHand() {
  insisted = true;
  edits.now();
}

function showPreview(mathml) {
  fill(byId("preview"), ...mathml.flatMap(drawn));
}

// Half-typed equations only lose their preview; they are not an error yet.
function fail(error) {
  if (isOfTheText(error)) {
    fill(byId("preview"));
    if (!insisted) return;
    fill(byId("equation-result"));
  }
  showError(byId("equation-error"), error, edits.now);
}

function show(answer) {
  const { outcome, roots, roots_mathml: mathml, decimal, reason } = answer;
  insisted = false;
  clearError(byId("equation-error"));
  showPreview([...answer.mathml, ...answer.conditions_mathml]);
  const found = roots.map((root, place) => rootShown(root, mathml[place], decimal[place]).filter(Boolean));
  fill(
    byId("equation-result"),
    html("p", { class: "outcome" }, say(`outcome_${outcome}`)),
    ...found.map((root) => html("p", { class: "big by-hand-root" }, ...root)),
    outcome !== "solved" && reason ? html("p", { class: "quiet" }, reason) : null,
    html("ol", { class: "steps" }, ...stepsOf(answer).map((step) => html("li", { class: "step" }, stepShown(step)))),
  );
  const spokenRoots = roots.map((root) => Object.entries(root).map((one) => one.join(" = ")).join(say("comma")));
  byId("status").textContent = [say(`outcome_${outcome}`), spokenRoots.join(say("or"))].filter(Boolean).join(": ");
}
