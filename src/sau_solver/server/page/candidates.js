// The other candidates of the model, in a folded list.

import { byId, fill, html } from "./dom.js";
import { say } from "./i18n.js";
import { drawn } from "./mathematics.js";
import { answersShown } from "./values.js";

// `attempt(candidate)` is called when the reader wants to solve a candidate's equations.
export function showCandidates(solution, attempt) {
  const own = solution.equations.join(";");
  const others = solution.candidates.filter((candidate) => candidate.equations.join(";") !== own);
  byId("candidates-card").hidden = !others.length;
  byId("candidates-title").textContent = say("candidates", { count: others.length });
  fill(byId("candidates"), ...others.map((candidate) => row(candidate, attempt)));
}

function row(candidate, attempt) {
  const { equations, mathml, outcome, answers, answers_mathml: answersMathml, log_probability: logProbability } = candidate;
  const share = 100 * Math.exp(logProbability);
  const isSolved = outcome === "solved" && answers.length > 0;
  const result = isSolved ? answersShown({ answers, answers_mathml: answersMathml }) : [say(`outcome_${outcome}`)];
  const button = html(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => attempt(candidate),
      "aria-label": `${say("try_candidate")}: ${equations.join("; ")}`,
    },
    say("try_candidate"),
  );
  return html(
    "li",
    {},
    html("div", { class: "equations small" }, ...mathml.flatMap(drawn)),
    html("div", { class: "candidate-result" }, ...result),
    html("div", { class: "quiet" }, say("candidate_share", { share: share.toFixed(share < 1 ? 1 : 0) })),
    equations.length ? button : null,
  );
}
