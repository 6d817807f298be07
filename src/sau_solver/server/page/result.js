// The solution of one problem as it stands on the page: its own numbers or others, and every card that follows them.

import { newAnswer, showAnswer } from "./answer.js";
import { ServerError, Superseded, askTemplate } from "./api.js";
import { showCandidates } from "./candidates.js";
import { byId, fill } from "./dom.js";
import { attempt, offerEquations, openEditor } from "./editor.js";
import { equationText, equationsOf, unknownsOf } from "./expression.js";
import { Fraction, readTyped } from "./fraction.js";
import { say } from "./i18n.js";
import { equationsLatex } from "./latex.js";
import { equationMath } from "./mathml.js";
import { clearError, showError } from "./notice.js";
import { heat, rewritten, showReading, showStrip } from "./reading.js";
import { reachable } from "./scrolling.js";
import { picture } from "./share.js";
import { openSteps, showSteps } from "./steps.js";
import { drawTree, nodeLabel } from "./tree.js";
import { answersText } from "./values.js";
import { vary } from "./variation.js";
import { zoomable } from "./zoom.js";

// solution: the server's; typed, values: the numbers as they stand in the fields; local: what the browser made of changed
// numbers; worked: what the server did.
let state = null;
const zoom = zoomable(byId("tree"), { larger: byId("zoom-in"), smaller: byId("zoom-out"), fit: byId("zoom-fit") });

export function takeSolution(solution) {
  state = {
    solution,
    typed: solution.numbers.map((number) => number.text),
    values: ownValues(solution),
    changed: false,
    local: null,
    worked: null,
  };
  newAnswer();
  openEditor(false);
  clearError(byId("reading-error"));
  clearError(byId("steps-error"));
  byId("result").hidden = false;
  offerEquations(equations().map(equationText), true);
  showSolution(1);
  zoom.start();
}

// Also when the page's language changes: the steps that are open stay open.
export function showSolution(opened = openSteps()) {
  if (!state) return;
  const { solution, typed } = state;
  showReading(byId("reading"), solution, typed, change);
  showStrip(byId("strip"), solution, typed);
  byId("reading-hint").hidden = !solution.tree;
  showResult(opened);
  showCandidates(solution, attempt);
}

export const isShown = (text) => state?.solution.problem === text;

// The answer in words: "150 and 150 tickets".
export function answerText() {
  const { values, unit, alternatives } = view();
  return answersText(values, unit, alternatives);
}

export const latex = () => equationsLatex(equations());
export const svgPicture = () => picture(byId("tree").querySelector("svg"));

export function asJson() {
  const { solution, changed, worked, local, typed } = state;
  if (!changed) return solution;
  const own = { problem: rewritten(solution, typed), language: solution.language, unit: solution.unit };
  return (
    worked ?? { ...own, equations: equations().map(equationText), answers: (local?.values ?? []).map(([text]) => text) }
  );
}

export function restore() {
  byId("text").value = state.solution.problem;
  takeSolution(state.solution);
  byId("reading").querySelector("input")?.focus();
}

const ownValues = (solution) => solution.numbers.map((number) => Fraction.read(number.value));

function equations() {
  const nodes = state.solution.tree?.nodes;
  return nodes ? equationsOf(nodes.map(withValue), state.values) : [];
}

// A constant of the tree says its value in its symbol.
const withValue = (node) => ({ ...node, value: node.symbol });

// What the answer card shows now: the solution's own answer, or that of the changed numbers.
function view() {
  const { solution, changed, worked, local } = state;
  if (!changed) return { ...spokenOf(solution), changed: false };
  const common = {
    unit: solution.unit,
    abstained: solution.abstained,
    language: solution.language,
    confidence: solution.confidence,
    changed: true,
  };
  if (worked) return { ...spokenOf(worked), ...common, outcome: worked.answers.length ? "solved" : "none" };
  return { values: [], alternatives: false, ...local, ...common };
}

function spokenOf({ answers, decimal, unit, confidence, abstained, reason, language, roots }) {
  const names = Object.keys(roots[0] ?? {});
  return {
    values: answers.map((text, place) => [text, decimal[place]]),
    unit,
    confidence,
    abstained,
    reason,
    language,
    alternatives: names.length < 2,
  };
}

// All that follows the numbers.
function showResult(opened) {
  const { solution, changed, worked, local, values } = state;
  const now = equations();
  fill(byId("equations"), ...now.map((equation) => equationMath(equation, true)));
  showAnswer(view());
  reachable(byId("equations"));
  const told = changed && !worked ? (local?.steps ?? []) : kinds(worked ?? solution);
  showSteps(told, unknownsOf(now), solution.language, opened);
  byId("full-working").hidden = !changed || Boolean(worked);
  byId("restore").hidden = !changed;
  const nodes = solution.tree?.nodes.map((node) =>
    node.kind === "number" ? { ...node, label: values[node.number].toDecimal() } : node,
  );
  byId("result").classList.toggle("empty", !nodes);
  fill(
    byId("tree"),
    nodes
      ? drawTree(nodes, say("tree_label", { equations: now.map(equationText).join("; ") }), (place) =>
          attend(nodes, place),
        )
      : null,
  );
  attend(nodes, null);
}

const kinds = ({ steps, step_kinds: found }) => steps.map((text, place) => ({ text, kind: found?.[place] ?? "work" }));

function attend(nodes, place) {
  const { attention } = state.solution;
  const row = place === null ? null : (attention?.weights?.[place] ?? null);
  heat([byId("reading"), byId("strip")], row);
  if (!row) {
    byId("attended").textContent = attention ? say("attend_hint") : "";
    return;
  }
  const shown = row
    .map((share, word) => ({ share, word: attention.words[word].text }))
    .sort((a, b) => b.share - a.share);
  const words = shown
    .slice(0, 3)
    .map(({ share, word }) => say("attended_word", { word, share: Math.round(100 * share) }));
  byId("attended").textContent = say("attended", { label: nodeLabel(nodes[place]), words: words.join(say("comma")) });
}

// --- other numbers ---------------------------------------------------------------------------------------------------

// A field is being typed into; what is half typed is complained of when the field is left.
function change(place, text, left) {
  const { solution } = state;
  state.typed[place] = text;
  const value = text === solution.numbers[place].text ? ownValues(solution)[place] : readTyped(text);
  complain(place, !value && left);
  if (!value || (left && value.equals(state.values[place]))) return;
  state.values[place] = value;
  state.worked = null;
  state.changed = state.values.some((one, k) => !one.equals(ownValues(solution)[k]));
  state.local = state.changed ? vary(equations(), solution.language) : null;
  byId("text").value = rewritten(solution, state.typed);
  offerEquations(equations().map(equationText));
  showStrip(byId("strip"), solution, state.typed);
  showResult(openSteps());
  zoom.again();
  if (state.changed && !state.local?.certain) work();
  announceChange();
}

function complain(place, unreadable) {
  const fields = byId("reading");
  fields.querySelector(`input[data-number="${place}"]`).setAttribute("aria-invalid", unreadable);
  if (unreadable) showError(byId("reading-error"), new ServerError("typed"));
  else if (!fields.querySelector("[aria-invalid=true]")) clearError(byId("reading-error"));
}

function announceChange() {
  if (view().values.length) byId("status").textContent = say("announce_changed", { answer: answerText() });
}

// The server works the changed numbers out in full: no model takes part.
export async function work() {
  const { solution } = state;
  const values = [...state.values];
  const place = byId("steps-error");
  clearError(place);
  try {
    const worked = await askTemplate(solution.problem, solution.language, solution.tree.prefix, values.map(String));
    if (state.solution !== solution || state.values.some((value, k) => value !== values[k])) return;
    state.worked = worked;
    showResult(openSteps());
    zoom.again();
    announceChange();
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof ServerError)) throw error;
    showError(place, error, work);
  }
}
