// The views of the page and their addresses: one problem (#problem=…), several problems (#list), practice (#practice=…)
// and help (#help).

import { byId } from "./dom.js";
import { linkedProblem } from "./share.js";

const VIEWS = ["one", "list", "practice", "help"];

// {view, text}: `text` is the problem in the address, or null; in practice the id of the exercise, which may be empty. Null for an address that is none of the page's.
export function here() {
  const name = location.hash.slice(1);
  const text = linkedProblem();
  if (text !== null) return { view: "one", text };
  const exercise = new URLSearchParams(name).get("practice");
  if (exercise !== null) return { view: "practice", text: exercise };
  if (name === "") return { view: "one", text: null };
  return VIEWS.includes(name) ? { view: name, text: null } : null;
}

export function showView(view) {
  for (const name of VIEWS) byId(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

export const goTo = (view) => (location.hash = view);

// The link to the first view leads back to the problem that it shows.
export function rememberPlace() {
  document.querySelector('[data-view="one"]').href = location.hash || "#";
}

// Not an ordinary link to a fragment: that would replace the problem in the address.
export function listenSkip() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector("main > :not([hidden]) :is(textarea, #typed, .tries a)")?.focus();
  });
}
