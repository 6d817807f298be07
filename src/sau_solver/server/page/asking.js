// A problem from the box goes to the server, its solution comes back and is shown. Solutions are kept for the way back.

import { sureness } from "./answer.js";
import { ServerError, Superseded, askProblems, askSolve } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { hintsFirst } from "./hint.js";
import { remember, showHistory } from "./history.js";
import { say, spoken } from "./i18n.js";
import { takeProblems } from "./list.js";
import { clearError, showError } from "./notice.js";
import { openPractice } from "./practice.js";
import { answerText, clearResult, isShown, renew, shownProblem, takeSolution } from "./result.js";
import { newCopy, putInAddress } from "./share.js";
import { goTo, here, rememberPlace, showView } from "./views.js";

const MOST_KEPT = 30;
const solutions = new Map(); // of this visit, by language and text
const keyOf = (text) => `${spoken()} ${text}`;

// Solves the text of the box. A text of several lines may be a list of problems; the server knows.
export async function solve(asOne = false) {
  const text = byId("text").value;
  clean();
  if (!text.trim()) {
    showError(byId("text-error"), new ServerError("empty"));
    byId("text").focus();
    return;
  }
  busy(true);
  try {
    const problems = !asOne && /\S\s*\n\s*\S/.test(text) ? await listed(text) : [];
    if (problems.length > 1) offerList(problems, text);
    else show(await solved(text), true);
    busy(false);
  } catch (error) {
    if (error instanceof Superseded) return; // a newer question is still running
    busy(false);
    failed(error, text);
  }
}

// The problems of a text of several lines. Lines that are all equations are one system unless they are numbered.
async function listed(text) {
  const { problems, format } = await askProblems({ text });
  return format === "txt" && problems.every((one) => one.text.includes("=")) ? [] : problems;
}

export function ask(text) {
  byId("text").value = text;
  return solve(true);
}

// Follows the address: another view, or a problem that was solved before or comes from a link.
export function follow() {
  const place = here();
  if (!place) return;
  showView(place.view);
  if (place.view === "practice") openPractice(place.text);
  if (place.view !== "one") return;
  rememberPlace();
  if (place.text === null) {
    byId("text").value = "";
    clearError(byId("text-error"));
    document.body.classList.remove("answered");
    clearResult();
  } else if (!isShown(place.text)) {
    byId("text").value = place.text;
    clearError(byId("text-error"));
    const known = solutions.get(keyOf(place.text));
    if (known) show(known, false);
    else solve(true);
  }
}

// The language of the page has changed: the steps come in the new one.
export async function askInLanguage() {
  const text = shownProblem();
  if (text === null) return;
  try {
    renew(await solved(text));
  } catch (error) {
    if (!(error instanceof ServerError || error instanceof Superseded)) throw error; // the old steps stay
  }
}

async function solved(text) {
  const solution = await askSolve(text);
  solutions.delete(keyOf(text));
  solutions.set(keyOf(text), solution);
  if (solutions.size > MOST_KEPT) solutions.delete(solutions.keys().next().value);
  return solution;
}

function show(solution, isNew) {
  if (isNew) putInAddress(solution.problem);
  rememberPlace();
  document.body.classList.add("answered");
  newCopy();
  takeSolution(solution);
  const { abstained, confidence } = solution;
  remember(solution.problem, abstained ? "" : answerText());
  showHistory(ask);
  byId("status").textContent = abstained
    ? say("announce_unsure")
    : hintsFirst()
      ? say("announce_hidden")
      : say("announce", { answer: answerText(), confidence: sureness(solution) });
  byId("answer").scrollIntoView({ block: "nearest" });
}

function clean() {
  clearError(byId("text-error"));
  byId("text").removeAttribute("aria-invalid");
}

function failed(error, text) {
  const again = () => solve();
  if (!(error instanceof ServerError)) {
    showError(byId("text-error"), new ServerError("failed"), again);
    throw error; // a bug of this page: the console has the details
  }
  if (error.field === "text") byId("text").setAttribute("aria-invalid", "true");
  byId("result").hidden = !isShown(text); // the result belongs to another text
  showError(byId("text-error"), error, again);
}

// The text looks like a list: the reader chooses.
function offerList(problems, text) {
  const asList = () => {
    clearError(byId("text-error"));
    takeProblems(problems, text);
    goTo("list");
  };
  fill(
    byId("text-error"),
    html(
      "div",
      { class: "notice offer", role: "alert" },
      html("p", {}, html("strong", {}, say("looks_like_list", { count: problems.length }))),
      html(
        "div",
        { class: "actions" },
        html("button", { type: "button", id: "as-list", class: "primary", onclick: asList }, say("as_list")),
        html("button", { type: "button", id: "as-one", onclick: () => solve(true) }, say("as_one")),
      ),
    ),
  );
}

function busy(is) {
  byId("solve").dataset.say = is ? "solving" : "solve";
  byId("solve").textContent = say(byId("solve").dataset.say);
  byId("form").setAttribute("aria-busy", is);
  byId("result").classList.toggle("waiting", is);
}
