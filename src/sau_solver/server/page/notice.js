// An error, said in words at the place where the user looks, with a way on: try again, or give the key.

import { useKey } from "./api.js";
import { fill, html } from "./dom.js";
import { say } from "./i18n.js";

// These are about what was written: the server says best what is wrong with it, and the same again would fail again.
const OF_THE_TEXT = new Set(["no_problem", "no_equation", "invalid", "too_long"]);

export function showError(place, error, retry) {
  const known = say.has(`error_${error.kind}`) ? error.kind : "failed";
  const own = OF_THE_TEXT.has(error.kind) && error.said;
  fill(
    place,
    html(
      "div",
      { class: "notice", role: "alert", "data-error": error.kind },
      html(
        "p",
        {},
        html("strong", {}, say(`error_${known}`)),
        own ? " " : null,
        ...(own ? said(error.said) : []),
      ),
      html("p", { class: "quiet" }, say(`error_${known}_help`)),
      error.kind === "unauthorized" ? keyField(retry) : null,
      retry && !OF_THE_TEXT.has(error.kind) && error.kind !== "unauthorized"
        ? html("button", { type: "button", class: "retry", onclick: retry }, say("retry"))
        : null,
    ),
  );
  place.firstElementChild.scrollIntoView({ block: "nearest" });
}

// A complaint about equations shows the line below its sentence, and a mark under the column: that needs its spaces.
function said(message) {
  const [sentence, ...lines] = message.split("\n");
  return [html("span", {}, sentence), lines.length ? html("code", { class: "pointed" }, lines.join("\n")) : null];
}

export function clearError(place) {
  fill(place);
}

// No form: it stands inside the one of the problem, which Enter would send off with the old key.
function keyField(retry) {
  const field = html("input", { id: "key", type: "password", autocomplete: "off" });
  const use = () => {
    useKey(field.value.trim());
    retry?.();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    use();
  });
  return html(
    "div",
    { class: "key" },
    html("label", { for: "key" }, say("key")),
    field,
    html("button", { type: "button", onclick: use }, say("use_key")),
  );
}
