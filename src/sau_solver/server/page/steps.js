// The worked steps, unfolding one by one, and the check.

import { byId, fill, html } from "./dom.js";
import { say, tag } from "./i18n.js";
import { typeset } from "./typeset.js";

let told = [];
let shown = 0;
let names = []; // of the unknowns

// [{text, kind}], the names of the unknowns, the problem's language, and how many are open from the start.
export function showSteps(steps, unknowns, language, opened) {
  names = unknowns;
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

export const openSteps = () => shown;

export function listenSteps() {
  byId("next-step").addEventListener("click", () => unfold(true));
  byId("all-steps").addEventListener("click", () => {
    while (shown < told.length) unfold(false);
    byId("steps").lastElementChild?.focus();
  });
}

// A step that opens on demand takes the focus, so that it is read out and the next key press finds the button again.
function unfold(focus) {
  if (shown < told.length) {
    const { text, kind } = told[shown++];
    const step = html("li", { class: `step ${kind}`, tabindex: "-1" }, html("span", {}, ...typeset(text, names)));
    byId("steps").append(step);
    if (focus) byId("status").textContent = `${say("step_shown", { place: shown, count: told.length })}. ${text}`;
  }
  const left = told.length - shown;
  byId("next-step").hidden = byId("all-steps").hidden = left === 0;
  if (focus && left === 0) byId("steps").lastElementChild.focus();
}

function showCheck(lines, language) {
  byId("check-card").hidden = !lines.length;
  byId("check").lang = tag(language);
  fill(
    byId("check"),
    ...lines.map(({ text }) =>
      html("li", {}, html("span", {}, ...typeset(text.replace(/^(Check: |检验：)/, ""), names))),
    ),
  );
}
