// The view of several problems: a pasted list or a file goes to the server, which finds the problems in it.

import { ServerError, Superseded, askProblems } from "./api.js";
import { byId, fill, html } from "./dom.js";
import { opened } from "./files.js";
import { say } from "./i18n.js";
import { clearError, showError } from "./notice.js";
import { listenSheet, relabelSheet, runSheet, takeSheet } from "./sheet.js";

let source = null; // {text, format, name}: what the problems were read from

export function listenList() {
  byId("list-form").addEventListener("submit", () => read({ text: byId("list-text").value, name: "" }, true));
  byId("list-file").addEventListener("change", () => {
    const [file] = byId("list-file").files;
    if (file) readFile(file);
    byId("list-file").value = ""; // the same file can be chosen again
  });
  byId("column").addEventListener("change", () => read({ ...source, column: byId("column").value }, false));
  listenDrop(byId("list-form"));
  listenSheet();
}

export const relabelList = relabelSheet;

// Shows problems that were read already; `text` is what they were read from.
export function takeProblems(problems, text) {
  byId("list-text").value = text;
  show({ problems }, true);
}

function listenDrop(form) {
  const over = (is) => (event) => {
    event.preventDefault();
    form.classList.toggle("dropping", is);
  };
  form.addEventListener("dragover", over(true));
  form.addEventListener("dragleave", over(false));
  form.addEventListener("drop", (event) => {
    over(false)(event);
    const [file] = event.dataTransfer.files;
    if (file) readFile(file);
  });
}

async function readFile(file) {
  try {
    await read({ ...(await opened(file)), name: file.name }, false);
  } catch (error) {
    fail(error);
  }
}

async function read(given, start) {
  clearError(byId("list-error"));
  if (!given.text.trim() && !given.name) {
    showError(byId("list-error"), new ServerError("empty_list"));
    byId("list-text").focus();
    return;
  }
  source = given;
  const { text, format, column } = given;
  byId("list-form").setAttribute("aria-busy", true);
  try {
    show(await askProblems({ text, ...(format ? { format } : {}), ...(column ? { column } : {}) }), start);
  } catch (error) {
    fail(error, () => read(given, start));
  }
  byId("list-form").setAttribute("aria-busy", false);
}

function fail(error, again) {
  if (error instanceof Superseded) return;
  if (!(error instanceof ServerError)) throw error;
  const kind = { no_problem: "no_list", too_long: "long_list" }[error.kind];
  showError(byId("list-error"), kind ? Object.assign(error, { kind }) : error, again);
}

// found: {problems, column, columns}, where a problem is {text, number, error}.
function show({ problems, column = "", columns = [] }, start) {
  byId("column-choice").hidden = columns.length < 2;
  fill(byId("column"), ...columns.map((name) => html("option", { value: name, selected: name === column }, name)));
  takeSheet(problems, source?.name ?? "");
  byId("status").textContent = say("list_found", { count: problems.length });
  if (start) runSheet();
}
