// The other trees that the model proposed, in a folded list.

import { byId, fill, html } from "./dom.js";
import { say } from "./i18n.js";
import { textMath } from "./mathml.js";
import { answersShown } from "./values.js";

// `attempt(equations)` is called with the equations of a candidate that the reader wants solved.
export function showCandidates(solution, attempt) {
  const own = solution.equations.join(";");
  const others = solution.candidates.filter((candidate) => candidate.equations.join(";") !== own);
  byId("candidates-card").hidden = !others.length;
  byId("candidates-title").textContent = say("candidates", { count: others.length });
  fill(byId("candidates"), ...others.map((candidate) => row(candidate, attempt)));
}

function row({ equations, outcome, answers, log_probability: belief }, attempt) {
  const share = 100 * Math.exp(belief);
  const result =
    outcome === "solved" && answers.length
      ? answersShown(
          answers.map((text) => [text, null]),
          "",
          false,
        )
      : [say(`outcome_${outcome}`)];
  const button = html(
    "button",
    { type: "button", class: "link", onclick: () => attempt(equations) },
    say("try_candidate"),
  );
  if (equations.length) button.setAttribute("aria-label", `${say("try_candidate")}: ${equations.join("; ")}`);
  return html(
    "li",
    {},
    html("div", { class: "equations small" }, ...equations.map((text) => textMath(text))),
    html("div", { class: "candidate-result" }, ...result.filter(Boolean)),
    html("div", { class: "quiet" }, say("candidate_share", { share: share < 1 ? share.toFixed(1) : share.toFixed(0) })),
    equations.length ? button : null,
  );
}
