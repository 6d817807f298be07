// Files to keep: the problems with answers and steps as Markdown, HTML, CSV or LaTeX. The server writes them.

import { ServerError, Superseded, askExport } from "./api.js";
import { fill, html } from "./dom.js";
import { save } from "./files.js";
import { say } from "./i18n.js";
import { clearError, showError } from "./notice.js";

const FORMATS = { md: "Markdown", html: "HTML", csv: "CSV", tex: "LaTeX" };

// `chosen()` returns {problems, answers}: the texts, and where their answers go.
export function offerExports(place, chosen) {
  const error = html("div", { class: "notice-place" });
  const wait = html("span", { class: "quiet", role: "status" });
  const button = ([format, name]) =>
    html("button", { type: "button", "data-format": format, onclick: () => run(format, chosen, error, wait) }, name);
  const title = html("span", { class: "quiet" }, say("save_as"));
  fill(place, html("div", { class: "actions" }, title, ...Object.entries(FORMATS).map(button), wait), error);
}

async function run(format, chosen, place, wait) {
  clearError(place);
  wait.textContent = say("writing_file");
  try {
    save(await askExport({ ...chosen(), format }), `${say("file_name")}.${format}`);
    wait.textContent = say("file_saved");
  } catch (error) {
    if (error instanceof Superseded) return;
    wait.textContent = "";
    if (!(error instanceof ServerError)) throw error;
    showError(place, error, () => run(format, chosen, place, wait));
  }
}
