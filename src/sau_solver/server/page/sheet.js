// Several problems, solved one after the other: progress, stop and continue, errors in place, paper and exports.

import { ServerError, Superseded, askItem, stopItem } from "./api.js";
import { byId, fill } from "./dom.js";
import { offerExports } from "./exporting.js";
import { onHints } from "./hint.js";
import { say } from "./i18n.js";
import { answerOnPaper, itemShown } from "./item.js";
import { isOfTheText, clearError, showError } from "./notice.js";
import { kept, keep } from "./storage.js";

const BUSY_PAUSE = 1500; // milliseconds until a busy server is asked again

// item: {text, label, state, solution, error}; state: waiting, solving, solved, failed
let items = [];
let name = ""; // of the file
let running = false;

export function takeSheet(problems, from) {
  stop();
  name = from;
  items = problems.map(({ text, number, error }, place) => ({
    text,
    label: number ?? place + 1,
    state: error ? "failed" : "waiting",
    error: error ? new ServerError("bad_line", { message: error }) : null,
    solution: null,
  }));
  byId("sheet").hidden = false;
  clearError(byId("sheet-error"));
  drawAll();
  byId("sheet").scrollIntoView({ block: "start" });
}

export function listenSheet() {
  byId("run").addEventListener("click", () => (running ? stop() : runSheet()));
  byId("answers-place").value = kept("answers", "inline");
  byId("answers-place").addEventListener("change", () => {
    keep("answers", byId("answers-place").value);
    placeAnswers();
  });
  onHints(drawAll);
  relabelSheet();
}

// The language of the page has changed: what is solved already is asked for again in the new one.
export function relabelSheet() {
  offerExports(byId("export-list"), exported);
  drawAll();
  if (!items.some(({ solution }) => solution)) return;
  stop();
  again();
  runSheet();
}

export async function runSheet() {
  if (items.every(({ state }) => state === "solved" || state === "failed")) again();
  running = true;
  clearError(byId("sheet-error"));
  const own = items;
  label();
  for (const item of own) {
    if (item.state !== "waiting") continue;
    const goOn = await solveItem(item);
    if (!goOn || own !== items || !running) break;
  }
  if (own !== items) return;
  running = false;
  label();
  if (left() === 0) byId("status").textContent = summary();
}

// Everything is solved: *Solve again* starts with the first problem.
function again() {
  for (const item of items) if (item.text) Object.assign(item, { state: "waiting", solution: null, error: null });
  drawAll();
}

function stop() {
  running = false;
  stopItem();
  label();
}

// Returns whether to go on with the next problem. What the server says about a text is shown in its place; if the
// server itself fails, the list stops and can be continued.
async function solveItem(item) {
  item.state = "solving";
  draw(item);
  try {
    item.solution = await askItem(item.text);
    item.state = "solved";
  } catch (error) {
    item.state = "waiting";
    if (error instanceof Superseded) return redraw(item, false);
    if (!(error instanceof ServerError)) throw error;
    if (error.kind === "busy") {
      await new Promise((resume) => setTimeout(resume, BUSY_PAUSE));
      return running ? solveItem(item) : redraw(item, false);
    }
    if (!isOfTheText(error) && error.kind !== "too_slow" && error.kind !== "failed") {
      showError(byId("sheet-error"), error, runSheet);
      return redraw(item, false);
    }
    item.state = "failed";
    item.error = error;
  }
  return redraw(item, true);
}

function redraw(item, goOn) {
  draw(item);
  label();
  return goOn;
}

const left = () => items.filter(({ state }) => state === "waiting" || state === "solving").length;

function summary() {
  const failed = items.filter(({ state }) => state === "failed").length;
  const unsure = items.filter(({ solution }) => solution?.abstained).length;
  const parts = [
    say("sheet_solved", { done: items.length - left() - failed - unsure, count: items.length }),
    unsure ? say("sheet_unsure", { count: unsure }) : "",
    failed ? say("sheet_failed", { count: failed }) : "",
  ];
  return parts.filter(Boolean).join(say("comma"));
}

function label() {
  const waiting = left();
  byId("sheet-title").textContent = [name, summary()].filter(Boolean).join(" · ");
  byId("progress").max = items.length || 1;
  byId("progress").value = items.length - waiting;
  const begun = waiting < items.length;
  byId("run").textContent = running
    ? say("stop")
    : say(waiting ? (begun ? "go_on" : "solve_count") : "solve_again", { count: waiting });
}

// --- drawing -----------------------------------------------------------------------------------------------------------

function drawAll() {
  fill(byId("items"), ...items.map(itemShown));
  placeAnswers();
  label();
}

function draw(item) {
  const place = items.indexOf(item);
  if (place < 0) return;
  byId("items").children[place].replaceWith(itemShown(item));
  if (isSeparate()) byId("answer-items").children[place].replaceWith(answerOnPaper(item));
}

const isSeparate = () => byId("answers-place").value === "separate";

// Where the answers are on paper. A page of their own is on paper only.
function placeAnswers() {
  byId("view-list").classList.toggle("separate", byId("answers-place").value !== "inline");
  fill(byId("answer-items"), ...(isSeparate() ? items.map(answerOnPaper) : []));
}

const exported = () => ({
  problems: items.map(({ text }) => text).filter(Boolean),
  answers: byId("answers-place").value,
});
