// Puts the parts of the page together: a problem goes to the server, its solution comes back and is shown.

import { sureness } from "./answer.js";
import { ServerError, Superseded, askSolve } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { listenEditor, relabel } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { listenHistory, remember, showHistory } from "./history.js";
import { chooseLanguage, onLanguage, say, spoken, translate } from "./i18n.js";
import { clearError, showError } from "./notice.js";
import { listenNumbers } from "./reading.js";
import { answerText, asJson, isShown, latex, restore, showSolution, svgPicture, takeSolution } from "./result.js";
import { copy, linkTo, linkedProblem, newCopy, putInAddress } from "./share.js";
import { listenSteps } from "./steps.js";
import { listenTheme } from "./theme.js";

async function solve() {
  const text = byId("text").value;
  const place = byId("text-error");
  clearError(place);
  byId("text").removeAttribute("aria-invalid");
  if (!text.trim()) {
    showError(place, new ServerError("empty"));
    byId("text").focus();
    return;
  }
  busy(true);
  try {
    const solution = await askSolve(text);
    busy(false);
    putInAddress(text);
    present(solution);
  } catch (error) {
    if (error instanceof Superseded) return; // a newer question is still running
    busy(false);
    if (!(error instanceof ServerError)) {
      showError(place, new ServerError("failed"), solve);
      throw error; // a bug of this page: the console has the details
    }
    if (error.field === "text") byId("text").setAttribute("aria-invalid", "true");
    byId("result").hidden = !isShown(text); // the result belongs to another text
    showError(place, error, solve);
  }
}

function busy(is) {
  byId("solve").dataset.say = is ? "solving" : "solve";
  byId("solve").textContent = say(byId("solve").dataset.say);
  byId("form").setAttribute("aria-busy", is);
  byId("result").classList.toggle("waiting", is);
}

function ask(text) {
  byId("text").value = text;
  solve();
}

function present(solution) {
  document.body.classList.add("answered");
  newCopy();
  takeSolution(solution);
  const { abstained, confidence } = solution;
  remember(solution.problem, abstained ? "" : answerText());
  showHistory(ask);
  byId("status").textContent = abstained
    ? say("announce_unsure")
    : say("announce", { answer: answerText(), confidence: sureness(confidence) });
  byId("answer").scrollIntoView({ block: "nearest" });
}

function showExamples() {
  const chip = ([type, text]) => {
    const attributes = { type: "button", class: "chip", "data-type": type, title: text, onclick: () => ask(text) };
    return html("li", {}, html("button", attributes, say(`type_${type}`)));
  };
  fill(byId("examples"), ...EXAMPLES[spoken()].map(chip));
}

function openLinked() {
  const text = linkedProblem();
  if (text && text !== byId("text").value) ask(text);
}

function submitOnCtrlEnter(field, form) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

function listenToLanguage() {
  for (const one of document.querySelectorAll("[data-language]"))
    one.addEventListener("click", () => chooseLanguage(one.dataset.language));
  onLanguage(() => {
    showExamples();
    showSolution();
    relabel();
  });
}

function listenToCopying() {
  byId("copy-link").addEventListener("click", () => copy(linkTo(byId("text").value)));
  byId("copy-latex").addEventListener("click", () => copy(latex()));
  byId("copy-json").addEventListener("click", () => copy(JSON.stringify(asJson(), null, 2)));
  byId("copy-svg").addEventListener("click", () => copy(svgPicture(), "image/svg+xml"));
}

function start() {
  translate();
  showExamples();
  showHistory(ask);
  submitOnCtrlEnter(byId("text"), byId("form"));
  submitOnCtrlEnter(byId("equation-text"), byId("editor"));
  byId("form").addEventListener("submit", solve);
  byId("restore").addEventListener("click", restore);
  listenNumbers(byId("result"));
  listenToLanguage();
  listenToCopying();
  listenTheme();
  listenSteps();
  listenEditor();
  listenHistory(ask);
  window.addEventListener("hashchange", openLinked);
  openLinked();
}

start();
