// The page's own words in the language of the reader: the browser's unless another was chosen here.

import { keepWord } from "./storage.js";
import { WORDS } from "./words.js";

let language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const listeners = [];

// say("confidence", {figure: 93}) -> the sentence with its figure.
export const say = (key, values = {}) => sayIn(language, key, values);

// The same in the language of a problem.
export function sayIn(spokenLanguage, key, values = {}) {
  const sentence = WORDS[spokenLanguage][key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

say.has = (key) => key in WORDS.en;

// The tag of a language for `lang`: with it browsers choose the right Chinese letters.
export const tag = (one) => (one === "zh" ? "zh-CN" : one);

export const spoken = () => language;
export const onLanguage = (listener) => listeners.push(listener);

export function chooseLanguage(chosen) {
  language = chosen;
  keepWord("language", chosen);
  translate();
  for (const listener of listeners) listener();
}

// Puts the words into the elements that name them.
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
