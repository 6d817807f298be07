// An error, in words and next to what caused it, with a way on: try again, or enter the key.

import { ServerError, Superseded, useKey } from "./api.js";
import { fill, html } from "./dom.js";
import { say, spoken } from "./i18n.js";

// These are about the text itself: the server says what is wrong with it, and trying again would not help.
const OF_THE_TEXT = new Set(["no_problem", "no_equation", "no_list", "long_list", "invalid", "too_long", "no_exercise"]);
const IN_BOTH_LANGUAGES = new Set(["no_problem", "no_equation", "no_list", "long_list", "no_exercise"]); // the server's other messages are English
export const isOfTheText = (error) => OF_THE_TEXT.has(error.kind);

export function showError(place, error, retry) {
  if (!isOfTheText(error) && place.firstElementChild?.dataset.error === error.kind) return; // already there
  const known = say.has(`error_${error.kind}`) ? error.kind : "failed";
  const own = isOfTheText(error) && (spoken() === "en" || (IN_BOTH_LANGUAGES.has(error.kind) && error.field !== "body")) && error.said;
  fill(
    place,
    html(
      "div",
      { class: "notice", role: "alert", "data-error": error.kind },
      html(
        "p",
        {},
        html("strong", {}, say(`error_${known}`, error.values)),
        own ? " " : null,
        ...(own ? said(error.said) : []),
      ),
      html("p", { class: "quiet" }, say(`error_${known}_help`, error.values)),
      error.kind === "unauthorized" ? keyField(retry) : null,
      retry && !isOfTheText(error) && error.kind !== "unauthorized"
        ? html("button", { type: "button", class: "retry", onclick: retry }, say("retry"))
        : null,
    ),
  );
  place.firstElementChild.scrollIntoView({ block: "nearest" });
}

// A complaint about equations has a second part: the line, and a mark under the column. It needs its spaces.
function said(message) {
  const [sentence, ...lines] = message.split("\n");
  return [html("span", {}, sentence), lines.length ? html("code", { class: "pointed" }, lines.join("\n")) : null];
}

// Returns what `act` returns; null if the server refuses it, which is said at the place, with a way to try again.
export async function attempt(place, act, again) {
  clearError(place);
  try {
    return await act();
  } catch (error) {
    if (error instanceof Superseded) return null;
    if (!(error instanceof ServerError)) throw error;
    showError(place, error, again);
    return null;
  }
}

export function clearError(place) {
  fill(place);
}

// Not a form of its own: it is inside the form of the problem, which Enter would submit with the old key.
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
