// Files to keep: the problems with answers and steps as Markdown, HTML, CSV or LaTeX. The server writes them.

import { ServerError, Superseded, askExport } from "./api.js";
import { fill, html } from "./dom.js";
import { save } from "./files.js";
import { say } from "./i18n.js";
import { clearError, showError } from "./notice.js";

const FORMATS = { md: "Markdown", html: "HTML", csv: "CSV", tex: "LaTeX" };

// `chosen()` returns {items, answers}: the server's solutions, and where their answers go.
export function offerExports(place, chosen) {
  const error = html("div", { class: "notice-place" });
  const button = ([format, name]) =>
    html("button", { type: "button", "data-format": format, onclick: () => run(format, chosen, error) }, name);
  fill(
    place,
    html("div", { class: "actions" }, html("span", { class: "quiet" }, say("save_as")), ...Object.entries(FORMATS).map(button)),
    error,
  );
}

async function run(format, chosen, place) {
  clearError(place);
  try {
    save(await askExport({ ...chosen(), format }), `${say("file_name")}.${format}`);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof ServerError)) throw error;
    showError(place, error, () => run(format, chosen, place));
  }
}
