// The practice view: a fresh problem of a skill, a typed answer, hints one at a time, and the solution when asked for.

import { askCheck, askGenerate } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { onLanguage, say, tag } from "./i18n.js";
import { attempt } from "./notice.js";
import { isDone, listenScore, score, showScore } from "./score.js";
import { choice, fitChoice, listenChoice, offerSkills, skillName } from "./skills.js";
import { stepItem, stepsOf } from "./steps.js";
import { answersShown } from "./values.js";

let exercise = null; // {id, text, language, skill, grade, asked}
let hints = 0; // opened
let isSolved = false; // whether the solution is shown

export function listenPractice() {
  const submitted = (id, act) =>
    byId(id).addEventListener("submit", (event) => {
      event.preventDefault();
      act();
    });
  submitted("practice-form", fresh);
  submitted("typed-form", check);
  byId("next-exercise").addEventListener("click", fresh);
  byId("exercise-hint").addEventListener("click", () => showHints(hints + 1));
  byId("exercise-solve").addEventListener("click", () => {
    score(exercise.id, "shown");
    showSolution();
  });
  listenChoice();
  listenScore();
  onLanguage(relabel);
}

// Follows the address: an exercise of a link, the exercise that is open already, or a new one.
export async function openPractice(id) {
  if (exercise && (!id || id === exercise.id)) return history.replaceState(null, "", address());
  const isOffered = await tried(offerSkills, () => openPractice(id));
  if (isOffered && (!exercise || id)) take(id ? { id } : choice());
}

const address = () => `#practice=${exercise.id}`;

async function fresh() {
  if (await take(choice())) byId("typed").focus();
}

const tried = (act, again) => attempt(byId("practice-error"), act, again);

async function take(wanted) {
  const found = await tried(() => askGenerate(wanted), () => take(wanted));
  if (!found) return false;
  const isFirst = exercise === null;
  [exercise] = found.problems;
  if (wanted.id) fitChoice(exercise);
  if (location.hash !== address()) history[isFirst ? "replaceState" : "pushState"](null, "", address());
  document.querySelector('[data-view="practice"]').href = address();
  show();
  return true;
}

function show() {
  hints = 0;
  isSolved = false;
  byId("exercise").hidden = false;
  byId("exercise-text").lang = tag(exercise.language);
  byId("exercise-text").textContent = exercise.text;
  byId("exercise-link").href = address();
  byId("typed").value = "";
  verdict("", "");
  for (const id of ["exercise-steps", "exercise-answer"]) fill(byId(id));
  byId("exercise-hint").hidden = byId("exercise-solve").hidden = false;
  byId("next-exercise").hidden = !isDone(exercise.id);
  label();
}

function label() {
  const { asked, skill, grade } = exercise;
  byId("exercise-skill").textContent = `${say("grade_name", { grade })} · ${skillName(skill)}`;
  byId("exercise-hint").textContent = say(hints ? "next_hint" : "hint");
  const names = asked.map(({ quantity }, place) => quantity || place + 1).join(say("comma"));
  byId("typed-help").textContent =
    asked.length > 1 ? say("answers_help", { count: asked.length, names }) : say("answer_help");
}

// The language of the page has changed: hints and solution come in the new one.
async function relabel() {
  if (!exercise) return;
  await offerSkills();
  showScore();
  label();
  verdict("", "");
  if (isSolved) showSolution();
  else if (hints) showHints(hints);
}

async function check() {
  const { id } = exercise;
  const answer = byId("typed").value;
  const found = await tried(() => askCheck({ id, answer }).catch(withoutNumber), check);
  if (!found || id !== exercise.id) return;
  verdict(found.mark, found.message);
  if (found.mark === "right" || found.mark === "wrong") score(id, found.mark);
  byId("next-exercise").hidden = !isDone(id);
  if (!found.right) byId("typed").focus();
}

// An answer without a number is a typing mistake, not an error.
function withoutNumber(error) {
  if (error.kind !== "no_number") throw error;
  return { right: false, mark: "no_number", message: error.said };
}

function verdict(mark, message) {
  byId("verdict").className = mark === "right" ? "verdict right" : "verdict";
  byId("verdict").textContent = message;
}

async function showHints(count) {
  const { id } = exercise;
  hints = count;
  const found = await tried(() => askCheck({ id, reveal: "hint", steps: count }), () => showHints(count));
  if (!found || id !== exercise.id) return;
  fill(byId("exercise-steps"), ...stepsOf(found).map(stepItem));
  byId("status").textContent = found.steps.at(-1);
  label();
  byId("exercise-hint").hidden = found.left === 0;
  if (found.left === 0) byId("exercise-steps").lastChild.focus();
}

async function showSolution() {
  const { id } = exercise;
  const found = await tried(() => askCheck({ id, reveal: "solution" }), showSolution);
  if (!found || id !== exercise.id) return;
  isSolved = true;
  verdict("", "");
  const steps = stepsOf(found.solution).filter(({ kind }) => kind !== "check");
  fill(byId("exercise-answer"), html("h3", { class: "small-title" }, say("answer")), html("div", { class: "big" }, ...answersShown(found.solution)));
  fill(byId("exercise-steps"), ...steps.map(stepItem));
  byId("exercise-hint").hidden = byId("exercise-solve").hidden = true;
  byId("next-exercise").hidden = false;
  byId("exercise-answer").focus();
}
