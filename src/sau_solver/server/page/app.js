// Puts the parts of the page together.

import { ask, askInLanguage, follow, solve } from "./asking.js";
import { byId, fill, html } from "./dom.js";
import { listenEditor, relabel } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { offerExports } from "./exporting.js";
import { showHelp } from "./help.js";
import { listenHints, onHints } from "./hint.js";
import { listenHistory, showHistory } from "./history.js";
import { chooseLanguage, onLanguage, say, spoken, translate } from "./i18n.js";
import { listenList, relabelList } from "./list.js";
import { listenPractice } from "./practice.js";
import { listenNumbers } from "./reading.js";
import { asJson, latex, restore, showSolution, svgPicture } from "./result.js";
import { copy, linkTo } from "./share.js";
import { listenSteps } from "./steps.js";
import { listenTheme } from "./theme.js";
import { listenSkip } from "./views.js";

function showExamples() {
  const chip = ([type, text]) => {
    const attributes = { type: "button", class: "chip", "data-type": type, title: text, onclick: () => ask(text) };
    return html("li", {}, html("button", attributes, say(`type_${type}`)));
  };
  fill(byId("examples"), ...EXAMPLES[spoken()].map(chip));
}

function submitOnCtrlEnter(field, form) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

function showTexts() {
  showExamples();
  showHelp();
  showHistory(ask);
  offerExports(byId("export"), () => ({ problems: [asJson().problem], answers: "inline" }));
}

function listenToLanguage() {
  for (const one of document.querySelectorAll("[data-language]"))
    one.addEventListener("click", () => chooseLanguage(one.dataset.language));
  onLanguage(() => {
    showTexts();
    showSolution();
    relabel();
    relabelList();
    askInLanguage();
  });
}

function listenToCopying() {
  byId("copy-link").addEventListener("click", () => copy(linkTo(byId("text").value)));
  byId("copy-latex").addEventListener("click", () => copy(latex()));
  byId("copy-json").addEventListener("click", () => copy(JSON.stringify(asJson(), null, 2)));
  byId("copy-svg").addEventListener("click", () => copy(svgPicture(), "image/svg+xml"));
  for (const id of ["print", "print-list"]) byId(id).addEventListener("click", () => print());
}

function start() {
  translate();
  showTexts();
  submitOnCtrlEnter(byId("text"), byId("form"));
  submitOnCtrlEnter(byId("equation-text"), byId("editor"));
  submitOnCtrlEnter(byId("list-text"), byId("list-form"));
  byId("form").addEventListener("submit", () => solve());
  byId("restore").addEventListener("click", restore);
  listenNumbers(byId("result"));
  listenToLanguage();
  listenToCopying();
  listenTheme();
  listenSteps();
  listenEditor();
  listenHistory(ask);
  listenHints();
  onHints(() => showSolution());
  listenList();
  listenPractice();
  listenSkip();
  window.addEventListener("hashchange", follow);
  follow();
}

start();
