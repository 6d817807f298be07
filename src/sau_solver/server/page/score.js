// The running score, stored in this browser only: problems tried, solved, and solved in a row at the first attempt.

import { byId } from "./dom.js";
import { say } from "./i18n.js";
import { forget, keep, kept } from "./storage.js";

const MOST = 200; // problems whose outcome is remembered
const NONE = { right: 0, tried: 0, streak: 0, seen: {} };

function now() {
  const found = { ...NONE, ...kept("score", {}) };
  const isSound = ["right", "tried", "streak"].every((name) => Number.isInteger(found[name])) && found.seen instanceof Object;
  return isSound ? found : NONE;
}

export const isDone = (id) => now().seen[id] === "done";

// `outcome` is "right", "wrong" or "shown". A problem counts once, and not after its solution was shown.
export function score(id, outcome) {
  const { right, tried, streak, seen } = now();
  const before = seen[id];
  if (before === "done") return;
  const isRight = outcome === "right";
  const { [id]: _, ...others } = seen;
  const state = outcome === "wrong" ? "wrong" : "done";
  keep("score", {
    right: right + isRight,
    tried: tried + !before,
    streak: isRight ? streak + !before : 0,
    seen: Object.fromEntries([...Object.entries(others), [id, state]].slice(-MOST)),
  });
  showScore();
}

export function listenScore() {
  byId("forget-score").addEventListener("click", () => {
    forget("score");
    showScore();
    byId("typed").focus();
  });
  showScore();
}

export function showScore() {
  byId("score").hidden = !now().tried;
  byId("score-text").textContent = say("score", now());
}
