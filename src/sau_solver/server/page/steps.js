// The worked steps, which unfold one by one, and the check.

import { byId, fill, html } from "./dom.js";
import { say, tag } from "./i18n.js";
import { drawn } from "./mathematics.js";

let told = [];
let shown = 0;

// steps: [{text, mathml, kind}]; `language` is the problem's; `opened` is how many steps are open from the start.
export function showSteps(steps, language, opened) {
  told = steps.filter((step) => step.kind !== "check");
  shown = 0;
  byId("steps").lang = tag(language);
  fill(byId("steps"));
  for (let k = 0; k < Math.max(1, Math.min(opened, told.length)); k++) unfold(false);
  showCheck(
    steps.filter((step) => step.kind === "check"),
    language,
  );
}

// The steps of a server's answer as the list that showSteps takes.
export const stepsOf = ({ steps, steps_mathml: mathml, step_kinds: kinds }) =>
  steps.map((text, place) => ({ text, mathml: mathml[place], kind: kinds[place] }));

export const stepShown = ({ mathml }) => html("span", {}, ...drawn(mathml));

export const openSteps = () => shown;

export function listenSteps() {
  byId("next-step").addEventListener("click", () => unfold(true));
  byId("all-steps").addEventListener("click", () => {
    while (shown < told.length) unfold(false);
    byId("steps").lastElementChild?.focus();
  });
}

// A step that is opened by the reader is announced; the last one takes the focus, because the buttons disappear.
function unfold(announced) {
  if (shown < told.length) {
    const step = told[shown++];
    byId("steps").append(html("li", { class: `step ${step.kind}`, tabindex: "-1" }, stepShown(step)));
    if (announced)
      byId("status").textContent = `${say("step_shown", { place: shown, count: told.length })} ${step.text}`;
  }
  const left = told.length - shown;
  byId("next-step").hidden = byId("all-steps").hidden = left === 0;
  if (announced && left === 0) byId("steps").lastElementChild.focus();
}

// The card's title already says "Check", so the lines do not repeat it.
function showCheck(lines, language) {
  byId("check-card").hidden = !lines.length;
  byId("check").lang = tag(language);
  fill(
    byId("check"),
    ...lines.map(({ mathml }) => html("li", {}, stepShown({ mathml: mathml.replace(/^(Check: |检验：)/, "") }))),
  );
}
