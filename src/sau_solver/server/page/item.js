// One problem of a list: its text, its answer, and its steps, which unfold. On paper, everything is open.

import { html } from "./dom.js";
import { hintsFirst } from "./hint.js";
import { say, tag } from "./i18n.js";
import { stepItem, stepsOf } from "./steps.js";
import { linkTo } from "./share.js";
import { answersShown } from "./values.js";

// The item as an element of the list. `item` remembers whether it is open and whether its answer was asked for.
export function itemShown(item) {
  const body = html("div", { class: "item-body" }, html("p", { class: "item-text" }, item.text), ...outcome(item));
  if (item.solution) body.querySelector(".item-text").lang = tag(item.solution.language);
  const guess = item.solution?.abstained ? "guessing" : "";
  return html("li", { class: `card item ${item.state} ${guess}`, value: item.label }, number(item), body);
}

// The same answer on a page of its own.
export function answerOnPaper(item) {
  const { solution } = item;
  const shown = !solution
    ? [errorLine(item)]
    : solution.abstained && !item.open
      ? [html("p", { class: "item-unsure" }, say(solution.answers.length ? "not_sure" : "no_guess"))]
      : [answerLine(solution), stepList(solution, "")];
  return html("li", { class: "item", value: item.label }, number(item), html("div", { class: "item-body" }, ...shown));
}

const number = ({ label }) => html("span", { class: "item-number", "aria-hidden": "true" }, String(label));

function outcome(item) {
  if (item.state === "waiting") return [];
  if (item.state === "solving") return [html("p", { class: "quiet" }, say("solving"))];
  if (item.state === "failed") return [errorLine(item)];
  return solved(item);
}

function errorLine({ error }) {
  const known = say.has(`error_${error?.kind}`) ? say(`error_${error.kind}`) : "";
  return html("p", { class: "item-error" }, html("strong", {}, known), " ", error?.said ?? "");
}

function solved(item) {
  const { solution } = item;
  const secret = hintsFirst() && !item.asked && !solution.abstained;
  const answer = answerLine(solution);
  const steps = stepList(solution, item.open ? "" : "folded");
  const isGuess = solution.abstained;
  answer.classList.toggle("folded", secret || (isGuess && !item.open));
  const more = toggle(item, steps, answer);
  const ask = html(
    "button",
    {
      type: "button",
      class: "show-answer",
      onclick: () => {
        item.asked = true;
        answer.classList.remove("folded");
        ask.remove();
      },
    },
    say("show_answer"),
  );
  const open = html("a", { class: "open-item", href: linkTo(item.text) }, say("open_item"));
  return [
    isGuess ? html("p", { class: "item-unsure" }, say(solution.answers.length ? "not_sure" : "no_guess")) : null,
    solution.reason && !solution.answers.length ? html("p", { class: "quiet" }, solution.reason) : null,
    answer,
    secret ? ask : null,
    html("p", { class: "item-more" }, solution.steps.length ? more : null, open),
    steps,
  ].filter(Boolean);
}

function toggle(item, steps, answer) {
  const words = item.solution.abstained ? ["show_guess", "hide_guess"] : ["show_steps", "hide_steps"];
  const button = html(
    "button",
    {
      type: "button",
      class: "link",
      "aria-expanded": String(Boolean(item.open)),
      onclick: () => {
        item.open = !item.open;
        steps.classList.toggle("folded", !item.open);
        if (item.solution.abstained) answer.classList.toggle("folded", !item.open);
        button.setAttribute("aria-expanded", String(item.open));
        button.textContent = say(words[Number(item.open)]);
      },
    },
    say(words[Number(Boolean(item.open))]),
  );
  return button;
}

function answerLine(solution) {
  const words = say(solution.abstained ? "guess" : "answer");
  const shown = html("div", { class: "item-answer" }, html("span", { class: "small-title" }, words));
  if (solution.answers.length) shown.append(html("div", { class: "big" }, ...answersShown(solution)));
  else shown.replaceChildren();
  return shown;
}

// All steps with the check; a guess has no check, because it may fit equations that are wrong.
function stepList(solution, folded) {
  const told = stepsOf(solution).filter(({ kind }) => kind !== "check" || !solution.abstained);
  return html("ol", { class: `steps ${folded}` }, ...told.map(stepItem));
}
