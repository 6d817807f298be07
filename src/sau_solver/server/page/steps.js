// The worked steps, which unfold one by one, and the check.

import { byId, fill, html } from "./dom.js";
import { say } from "./i18n.js";
import { drawn } from "./mathematics.js";

let told = [];
let shown = 0;
let finished = null; // called when the last step is opened

// steps: [{text, mathml, kind}]; `opened` is how many of them are open from the start. The others are on paper only, and
// not even there as long as the answer is a secret. `done` is called when the reader opens the last one.
export function showSteps(steps, opened, secret, done) {
  told = steps.filter((step) => step.kind !== "check");
  finished = secret ? done : null;
  shown = Math.max(secret ? 0 : 1, Math.min(opened, told.length));
  byId("steps-card").classList.toggle("secret-steps", secret);
  fill(byId("steps"), ...told.map(stepItem));
  told.forEach((_, place) => byId("steps").children[place].classList.toggle("later", place >= shown));
  showCheck(steps.filter((step) => step.kind === "check"));
  label();
}

// The steps of a server's answer as the list that showSteps takes.
export const stepsOf = ({ steps, steps_mathml: mathml, step_kinds: kinds }) =>
  steps.map((text, place) => ({ text, mathml: mathml[place], kind: kinds[place] }));

// A formula and the punctuation after it stay in one line: U+2060 joins them.
export const stepShown = ({ mathml }) =>
  html("span", {}, ...drawn(mathml).map((part) => (/^[.,;:。，；：]/.test(part) ? `\u2060${part}` : part)));

export const stepItem = (step) => html("li", { class: `step ${step.kind}`, tabindex: "-1" }, stepShown(step));

export const openSteps = () => shown;

export function listenSteps() {
  byId("next-step").addEventListener("click", () => unfold());
  byId("all-steps").addEventListener("click", () => {
    while (shown < told.length) byId("steps").children[shown++].classList.remove("later");
    end();
  });
}

// A step that is opened by the reader is announced.
function unfold() {
  const step = told[shown];
  byId("steps").children[shown++].classList.remove("later");
  byId("status").textContent = `${say("step_shown", { place: shown, count: told.length })} ${step.text}`;
  if (shown === told.length) end();
  else label();
}

// The last step takes the focus, because the buttons disappear.
function end() {
  finished?.();
  label();
  byId("steps").children[shown - 1]?.focus();
}

function label() {
  byId("next-step").hidden = byId("all-steps").hidden = shown === told.length;
  byId("next-step").textContent = say(finished ? (shown ? "next_hint" : "hint") : "next_step");
}

// The card's title already says "Check", so the lines do not repeat it.
function showCheck(lines) {
  byId("check-card").hidden = !lines.length;
  fill(
    byId("check"),
    ...lines.map(({ mathml }) => html("li", {}, stepShown({ mathml: mathml.replace(/^(Check:? |检验：? ?)/, "") }))),
  );
}
