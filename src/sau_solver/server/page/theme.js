// Light or dark: the system's setting until the reader chooses here.

import { byId } from "./dom.js";
import { keepWord } from "./storage.js";

const system = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
const show = () => byId("theme").setAttribute("aria-pressed", isDark());

export function listenTheme() {
  byId("theme").addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    keepWord("theme", chosen);
    show();
  });
  system.addEventListener("change", show);
  show();
}
