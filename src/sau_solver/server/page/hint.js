// Hints first: with this switch on, the answer of every problem stays hidden until the reader asks for it.

import { keep, kept } from "./storage.js";

const listeners = [];

export const hintsFirst = () => kept("hints", false) === true;
export const onHints = (listener) => listeners.push(listener);

export function listenHints() {
  const switches = [...document.querySelectorAll("[data-hints]")];
  const show = () => {
    for (const one of switches) one.checked = hintsFirst();
    document.body.classList.toggle("hints", hintsFirst());
  };
  for (const one of switches)
    one.addEventListener("change", () => {
      keep("hints", one.checked);
      show();
      for (const listener of listeners) listener();
    });
  show();
}
