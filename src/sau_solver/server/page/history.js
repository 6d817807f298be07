// The recent problems, stored in this browser only.

import { byId, fill, html } from "./dom.js";
import { say } from "./i18n.js";
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
        html(
          "button",
          {
            type: "button",
            class: "round forget-one",
            title: say("forget_one"),
            "aria-label": `${say("forget_one")}: ${text}`,
            onclick: () => forgetOne(text, again),
          },
          html("span", { "aria-hidden": "true" }, "×"),
        ),
      ),
    ),
  );
}

// The focus goes to the problem that takes its place.
function forgetOne(text, again) {
  const place = past().findIndex((one) => one.text === text);
  const others = past().filter((one) => one.text !== text);
  if (others.length) keep("history", others);
  else forget("history");
  showHistory(again);
  (byId("history").children[Math.min(place, others.length - 1)]?.querySelector(".forget-one") ?? byId("text")).focus();
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
