// One solution on the page, with the problem's own numbers or with others, and every card that shows it.

import { isExact, isSecret, newAnswer, revealAnswer, showAnswer } from "./answer.js";
import { ServerError, askTemplate } from "./api.js";
import { showCandidates } from "./candidates.js";
import { byId, fill, reachable } from "./dom.js";
import { attempt, offerEquations, openEditor } from "./editor.js";
import { say } from "./i18n.js";
import { live } from "./live.js";
import { drawn } from "./mathematics.js";
import { clearError, showError } from "./notice.js";
import { heat, rewritten, showReading, showStrip } from "./reading.js";
import { picture } from "./share.js";
import { openSteps, showSteps, stepsOf } from "./steps.js";
import { drawTree, zoomable } from "./tree.js";
import { answersText } from "./values.js";

// solution: the server's answer to the problem; worked: its answer with other numbers, or null; typed: the texts of the
// number fields; left: the places of fields that the reader has left; unread: the place of one that is not a number.
let state = null;
const zoom = zoomable(byId("tree"), { larger: byId("zoom-in"), smaller: byId("zoom-out"), fit: byId("zoom-fit") });
const edits = live({
  ask: askAgain,
  show: takeWorked,
  fail: failed,
  waiting: (is) => byId("result").classList.toggle("outdated", is),
});

export function takeSolution(solution) {
  edits.stop();
  state = {
    solution,
    worked: null,
    typed: solution.numbers.map((number) => number.text),
    left: new Set(),
    unread: null,
  };
  newAnswer();
  byId("result").classList.remove("bare");
  openEditor(false);
  clearError(byId("reading-error"));
  byId("result").hidden = false;
  offerEquations(solution, true);
  showSolution(isSecret(view()) ? 0 : 1);
  zoom.start();
}

// The same problem in the other language; the typed numbers and the open steps stay.
export function renew(solution) {
  if (!isShown(solution.problem)) return;
  state.solution = solution;
  showSolution();
  const changed = solution.numbers.some(({ text }, place) => state.typed[place] !== text);
  if (state.worked || changed) edits.now(); // also if an answer in the old language is still on its way
}

export function clearResult() {
  edits.stop();
  state = null;
  byId("result").hidden = true;
}

// Also called when the page's language changes: open steps stay open.
export function showSolution(opened = openSteps()) {
  if (!state) return;
  const { solution, typed } = state;
  const read = isExact(solution) ? { ...solution, numbers: [] } : solution; // the editor changes mathematics
  showReading(byId("reading"), read, typed, change);
  showStrip(byId("strip"), read, typed);
  byId("reading-hint").hidden = !solution.tree || isExact(solution);
  showResult(opened);
  showCandidates(solution, attempt);
  showUnread();
}

export const shownProblem = () => state?.solution.problem ?? null;
export const isShown = (text) => shownProblem() === text;

// The answer in words: "goats: 13".
export const answerText = () => answersText(current());

export function latex() {
  const lines = current().latex;
  return lines.length > 1 ? `\\begin{cases}\n${lines.join(" \\\\\n")}\n\\end{cases}` : lines.join("");
}

export const svgPicture = () => picture(byId("tree").querySelector("svg"));

export const asJson = () => current();

export function restore() {
  byId("text").value = state.solution.problem;
  takeSolution(state.solution);
  byId("reading").querySelector("input")?.focus();
}

// The server's answer that the cards show.
const current = () => state.worked ?? state.solution;

// What the answer card shows. Other numbers keep the confidence and the unit of the problem's own solution.
function view() {
  const { solution, worked } = state;
  const { abstained, confidence } = solution;
  return { ...current(), abstained, confidence, changed: worked !== null, reveal: () => showResult(openSteps()) };
}

// Everything that follows the numbers.
function showResult(opened) {
  const { abstained } = state.solution;
  const { equations, mathml, tree } = current();
  const nodes = tree?.nodes;
  fill(byId("equations"), ...mathml.flatMap(drawn));
  reachable(byId("equations"));
  showAnswer(view());
  showSteps(stepsOf(current()), opened, isSecret(view()), reveal);
  byId("steps-title").textContent = say(abstained ? "steps_guess" : "steps");
  byId("steps-card").hidden = !current().steps.length;
  byId("equations-card").hidden = !equations.length;
  byId("tree-card").hidden = !nodes;
  byId("restore").hidden = !state.worked;
  byId("result").classList.toggle("empty", !equations.length && !current().steps.length);
  byId("result").classList.toggle("treeless", !nodes);
  const label = say("tree_label", { equations: equations.join("; ") });
  fill(byId("tree"), nodes ? drawTree(nodes, label, (place) => attend(nodes, place)) : null);
  attend(nodes, null);
}

// The last step is the answer: whoever has opened it sees everything.
function reveal() {
  revealAnswer();
  showResult(openSteps());
}

// Colors the words that a node attended to, and names the three most important ones.
function attend(nodes, place) {
  const { attention } = state.solution;
  const weights = place === null ? null : (attention?.weights[place] ?? null);
  heat([byId("reading"), byId("strip")], weights);
  if (!weights) {
    byId("attended").textContent = attention ? say("attend_hint") : "";
    return;
  }
  const words = weights
    .map((weight, word) => ({ weight, word: attention.words[word].text }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .map(({ weight, word }) => say("attended_word", { word, share: Math.round(100 * weight) }));
  byId("attended").textContent = say("attended", { label: nodes[place].label, words: words.join(say("comma")) });
}

// --- other numbers ---------------------------------------------------------------------------------------------------

// A number field was typed into, or left. The old answer stays until the server has the new one.
function change(place, text, left) {
  const isNew = state.typed[place] !== text;
  state.typed[place] = text;
  if (left) state.left.add(place);
  else state.left.delete(place);
  if (left && !isNew) return showUnread();
  byId("text").value = rewritten(state.solution, state.typed);
  showStrip(byId("strip"), state.solution, state.typed);
  return edits.later();
}

// The server solves the same equations with the typed numbers; no model takes part.
async function askAgain() {
  const { solution, typed } = state;
  const { problem, tree, numbers } = solution;
  if (numbers.every(({ text }, place) => typed[place] === text)) return null;
  const values = numbers.map(({ text, value }, place) => (typed[place] === text ? value : typed[place]));
  return askTemplate(problem, tree.prefix, values);
}

// `worked` is null, or has the same values, if the numbers are the problem's own again.
function takeWorked(worked) {
  const { numbers } = state.solution;
  const isOwn = !worked || worked.numbers.every(({ value }, place) => value === numbers[place].value);
  state.worked = isOwn ? null : worked;
  state.unread = null;
  clearError(byId("reading-error"));
  showUnread();
  offerEquations(current());
  showResult(openSteps());
  zoom.again();
  if (current().answers.length) byId("status").textContent = say("announce_changed", { answer: answerText() });
}

function failed(error) {
  const place = /^numbers\.(\d+)$/.exec(error.field)?.[1];
  if (place === undefined) return showError(byId("reading-error"), error, edits.now);
  state.unread = Number(place);
  return showUnread();
}

// A text that is not a number is an error only after its field was left: until then it is half typed.
function showUnread() {
  const { unread, left } = state;
  const complained = left.has(unread) ? unread : null;
  for (const field of byId("reading").querySelectorAll("input"))
    field.setAttribute("aria-invalid", Number(field.dataset.number) === complained);
  if (complained !== null) showError(byId("reading-error"), new ServerError("typed"));
  else if (byId("reading-error").querySelector("[data-error=typed]")) clearError(byId("reading-error"));
}
