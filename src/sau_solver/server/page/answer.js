// The answer card: the value and its confidence. Below the threshold it says so, and shows its guess after a click.

import { byId, fill, html, reachable } from "./dom.js";
import { say, spoken } from "./i18n.js";
import { answersShown } from "./values.js";

let open = false; // whether the guess is shown

export function newAnswer() {
  open = false;
}

// view: {values, unit, alternatives, confidence, abstained, reason, language, changed, outcome}
export function showAnswer(view) {
  byId("result").classList.toggle("unsure", view.abstained && !open);
  byId("result").classList.toggle("guess", view.abstained);
  fill(byId("answer"), ...(view.abstained ? unsure(view) : view.changed ? changed(view) : sure(view)));
  if (byId("big-answer")) reachable(byId("big-answer"));
}

const figure = (confidence) => Math.round(100 * confidence);

// The page never claims 100 %.
const nearlyCertain = (confidence) => figure(confidence) > 99;

export const sureness = (confidence) =>
  nearlyCertain(confidence) ? say("confidence_most") : say("confidence", { figure: figure(confidence) });

function value({ values, unit, alternatives }) {
  return html("p", { class: "big", id: "big-answer" }, ...answersShown(values, unit, alternatives).filter(Boolean));
}

function sure(view) {
  return [value(view), confidence(view.confidence)];
}

function confidence(share) {
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
      sureness(share),
    ),
  );
}

function unsure(view) {
  const guess = view.changed || view.values.length > 0;
  const words = [
    html("p", { class: "unsure-words" }, say(guess ? "not_sure" : "no_guess")),
    html("p", {}, guess ? say("not_sure_text", { figure: figure(view.confidence) }) : say("no_guess_text")),
    !guess && view.reason && view.language === spoken() ? html("p", { class: "reason" }, view.reason) : null,
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
  const said = view.values.length
    ? value(view)
    : html("p", { class: "unsure-words", id: "big-answer" }, say(`changed_${view.outcome}`));
  return [said, html("p", { class: "quiet", id: "confidence" }, say("changed"))];
}
