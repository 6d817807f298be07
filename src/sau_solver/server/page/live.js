// Questions to the server while somebody types: one after each pause, and only the newest answer is shown.

import { ServerError, Superseded } from "./api.js";

const PAUSE = 40; // milliseconds without a key press before the server is asked
const LONGEST_PAUSE = 1000;
const SLOW = 250; // after this long, `waiting(true)` is called
const RETRY = 2000;
const AWAY = new Set(["stopped", "patience", "busy", "stopping"]); // the server may be back soon

// `ask()` returns a promise, `show(answer)` and `fail(error)` receive its outcome. If the server is slow, the pause is
// as long as the last answer took, so that a hard equation is not asked again with every key.
export function live({ ask, show, fail, waiting }) {
  let timer;
  let slow;
  let newest = 0;
  let took = 0;

  function reset() {
    clearTimeout(timer);
    clearTimeout(slow);
    return ++newest;
  }

  async function now() {
    const own = reset();
    slow = setTimeout(() => waiting(true), SLOW);
    const started = performance.now();
    try {
      const answer = await ask();
      took = performance.now() - started;
      if (own !== newest) return;
      stop();
      show(answer);
    } catch (error) {
      if (own !== newest || error instanceof Superseded) return;
      if (!(error instanceof ServerError)) throw error;
      fail(error);
      if (AWAY.has(error.kind)) timer = setTimeout(now, RETRY);
    }
  }

  function later() {
    reset();
    timer = setTimeout(now, took < SLOW ? PAUSE : Math.min(LONGEST_PAUSE, took));
  }

  function stop() {
    reset();
    waiting(false);
  }

  return { now, later, stop };
}
