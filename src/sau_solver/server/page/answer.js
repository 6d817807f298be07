// The answer card: what was asked with its values, and how sure that is. Below the threshold it says so, and shows its
// guess after a click. With hints first, the answer is also shown after a click.

import { byId, fill, html, reachable } from "./dom.js";
import { hintsFirst } from "./hint.js";
import { say } from "./i18n.js";
import { answersShown } from "./values.js";

let open = false; // whether the guess is shown
let asked = false; // whether the reader has asked for a hidden answer

export function newAnswer() {
  open = asked = false;
}

export function revealAnswer() {
  asked = true;
}

const hasAnswer = ({ answers, changed }) => changed || answers.length > 0;
export const isSecret = (view) => hintsFirst() && !asked && !view.abstained && hasAnswer(view);

// view: the server's answer with {abstained, confidence} of the problem's own solution, `changed` for other numbers, and
// reveal(), which shows the result again.
export function showAnswer(view) {
  const secret = isSecret(view);
  byId("result").classList.toggle("unsure", view.abstained && !open);
  byId("result").classList.toggle("guess", view.abstained);
  byId("result").classList.toggle("secret", secret);
  byId("answer-title").textContent = say(view.abstained && hasAnswer(view) ? "guess_title" : "answer");
  const shown = secret ? hidden : view.abstained ? unsure : view.changed ? changed : sure;
  fill(byId("answer"), ...shown(view));
  if (byId("big-answer")) reachable(byId("big-answer"));
}

const figure = (confidence) => Math.round(100 * confidence);

// The page never claims 100 %.
const nearlyCertain = (confidence) => figure(confidence) > 99;
export const isExact = ({ kind }) => (kind ?? "problem") !== "problem"; // mathematics: no model took part

export function sureness(solution) {
  if (isExact(solution)) return say("exact");
  const { confidence } = solution;
  return nearlyCertain(confidence) ? say("confidence_most") : say("confidence", { figure: figure(confidence) });
}

const value = (view) => html("div", { class: "big", id: "big-answer" }, ...answersShown(view));

function sure(view) {
  if (!hasAnswer(view)) return without(view);
  return [value(view), isExact(view) ? html("p", { class: "quiet", id: "confidence" }, say("exact")) : confidence(view)];
}

function confidence(view) {
  const share = view.confidence;
  const bar = html("span", { class: "bar" });
  bar.style.width = `${figure(share)}%`;
  return html(
    "div",
    { class: "confidence" },
    html("div", { class: "meter", "aria-hidden": "true" }, bar),
    html(
      "p",
      { id: "confidence" },
      html("b", {}, nearlyCertain(share) ? "> 99 %" : `${figure(share)} %`),
      " ",
      sureness(view),
    ),
  );
}

// Equations with no solution, or with infinitely many.
function without({ outcome, reason }) {
  return [html("p", { class: "unsure-words", id: "big-answer" }, say(`outcome_${outcome}`)), html("p", {}, reason)];
}

function hidden(view) {
  const show = () => {
    revealAnswer();
    view.reveal();
    byId("answer").focus();
  };
  return [
    html("p", { class: "quiet" }, say("answer_hidden")),
    html("button", { type: "button", id: "show-answer", onclick: show }, say("show_answer")),
  ];
}

function unsure(view) {
  const guess = hasAnswer(view);
  const share = Math.max(1, figure(view.confidence));
  const words = [
    html("p", { class: "unsure-words" }, say(guess ? "not_sure" : "no_guess")),
    html("p", {}, guess ? say("not_sure_text", { figure: share }) : say("no_guess_text")),
    !guess && view.reason ? html("p", { class: "reason" }, view.reason) : null,
    html("p", { class: "quiet" }, say("advice")),
  ];
  if (!guess) return words.filter(Boolean);
  const shown = html(
    "div",
    { id: "guess", hidden: !open },
    html("p", { class: "small-title" }, say("guess")),
    ...(view.changed ? changed(view) : [value(view)]),
  );
  const toggle = () => {
    open = !open;
    showAnswer(view);
    byId("show-guess").focus();
  };
  const button = html(
    "button",
    { type: "button", id: "show-guess", "aria-expanded": String(open), "aria-controls": "guess", onclick: toggle },
    say(open ? "hide_guess" : "show_guess"),
  );
  return [...words.filter(Boolean), button, shown];
}

// The answer with other numbers, or why there is none.
function changed(view) {
  const said = view.answers.length
    ? value(view)
    : html("p", { class: "unsure-words", id: "big-answer" }, say(`changed_${view.outcome}`));
  return [said, html("p", { class: "quiet", id: "confidence" }, say("changed"))];
}
