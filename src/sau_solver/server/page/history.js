// The recent problems, stored in this browser only.

import { byId, fill, html } from "./dom.js";
import { forget, keep, kept } from "./storage.js";

const MOST = 12;

export function remember(text, answer) {
  const others = past().filter((one) => one.text !== text);
  keep("history", [{ text, answer }, ...others].slice(0, MOST));
}

export function showHistory(again) {
  const problems = past();
  byId("history-card").hidden = !problems.length;
  fill(
    byId("history"),
    ...problems.map(({ text, answer }) =>
      html(
        "li",
        {},
        html(
          "button",
          { type: "button", class: "past", onclick: () => again(text) },
          html("span", { class: "past-text" }, text),
          answer ? html("span", { class: "past-answer" }, answer) : null,
        ),
      ),
    ),
  );
}

export function listenHistory(again) {
  byId("forget").addEventListener("click", () => {
    forget("history");
    showHistory(again);
    byId("text").focus();
  });
}

function past() {
  const found = kept("history", []);
  return Array.isArray(found)
    ? found.filter((one) => typeof one?.text === "string" && typeof one?.answer === "string")
    : [];
}
