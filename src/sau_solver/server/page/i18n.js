// The page's texts in the reader's language: the browser's, until another one is chosen here.

import { keepWord } from "./storage.js";
import { TEXTS } from "./texts.js";

let language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const listeners = [];

// say("confidence", {figure: 93}) -> the sentence with the figure in it.
export function say(key, values = {}) {
  const sentence = TEXTS[key]?.[language === "zh" ? 1 : 0] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

say.has = (key) => key in TEXTS;

// The value of a `lang` attribute; with "zh-CN" browsers choose the right glyphs.
export const tag = (one) => (one === "zh" ? "zh-CN" : one);

export const spoken = () => language;
export const onLanguage = (listener) => listeners.push(listener);

export function chooseLanguage(chosen) {
  language = chosen;
  keepWord("language", chosen);
  translate();
  for (const listener of listeners) listener();
}

// Fills the elements that name a text in their data-say attributes.
export function translate() {
  document.documentElement.lang = tag(language);
  document.title = `SAU-Solver · ${say("title")}`;
  for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
  for (const one of document.querySelectorAll("[data-say-label]")) {
    one.setAttribute("aria-label", say(one.dataset.sayLabel));
    if (one.tagName === "BUTTON") one.title = say(one.dataset.sayLabel);
  }
  for (const one of document.querySelectorAll("[data-say-placeholder]"))
    one.placeholder = say(one.dataset.sayPlaceholder);
  for (const one of document.querySelectorAll("[data-language]"))
    one.setAttribute("aria-pressed", one.dataset.language === language);
}
