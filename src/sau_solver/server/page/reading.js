// The problem's text: its numbers are colored fields, its words can be colored by attention.
// Positions count code points, as the server does.

import { html } from "./dom.js";
import { say, tag } from "./i18n.js";

// Cuts the text at the edges of words and numbers: [{text, word, number}], where word and number are places or null.
export function pieces(solution) {
  const characters = [...solution.problem];
  const words = solution.attention?.words ?? [];
  const cuts = new Set([0, characters.length]);
  for (const { start, end } of [...words, ...solution.numbers]) cuts.add(start).add(end);
  const covered = solution.numbers.map(({ start, end }) => ({ start, end }));
  const edges = [...cuts]
    .filter((cut) => !covered.some(({ start, end }) => start < cut && cut < end))
    .sort((a, b) => a - b);
  return edges.slice(1).map((end, place) => {
    const start = edges[place];
    const holds = (span) => span.start < end && start < span.end;
    const word = words.findIndex(holds);
    const number = covered.findIndex((span) => span.start === start && span.end === end);
    return {
      text: characters.slice(start, end).join(""),
      word: word < 0 ? null : word,
      number: number < 0 ? null : number,
    };
  });
}

// Numbers that the tree uses become fields. `change(place, text, left)` is called on every input, and when a field is left.
export function showReading(place, solution, typed, change) {
  const used = new Set(solution.tree?.nodes.map((node) => node.number));
  const shown = (piece) => {
    if (piece.number === null) return word(piece);
    return used.has(piece.number) ? field(piece, typed[piece.number], change) : unused(piece);
  };
  place.lang = tag(solution.language);
  place.replaceChildren(...pieces(solution).map(shown));
}

// The text with the typed numbers in place of its own.
export function rewritten(solution, typed) {
  return pieces(solution)
    .map((piece) => (piece.number === null ? piece.text : typed[piece.number]))
    .join("");
}

// The same text without fields, for the strip below the tree.
export function showStrip(place, solution, typed) {
  place.lang = tag(solution.language);
  const shown = pieces(solution).map((piece) =>
    piece.number === null ? piece : { ...piece, text: typed[piece.number] },
  );
  place.replaceChildren(...shown.map(word));
}

// Colors the words by their weights; null removes the colors.
export function heat(places, weights) {
  const most = weights ? Math.max(...weights, 1e-9) : 1;
  for (const place of places) {
    place.classList.toggle("heated", weights !== null);
    for (const one of place.querySelectorAll("[data-word]"))
      one.style.setProperty("--heat", weights ? (weights[one.dataset.word] / most).toFixed(3) : "0");
  }
}

function word({ text, word: place }) {
  return html("span", place === null ? {} : { "data-word": place, class: "word" }, text);
}

function unused({ word: place, number, text }) {
  return html(
    "span",
    { class: "number unused word", "data-number": number, "data-word": place, title: say("unused") },
    text,
  );
}

function field({ word: place, number, text }, typed, change) {
  const input = html("input", {
    class: `number n${number % 8} word`,
    "data-number": number,
    "data-word": place,
    "data-own": text,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "reading-error",
    "aria-label": say("number_label", { place: number + 1, value: typed }),
  });
  const fit = () => (input.style.width = `${width(input.value)}ch`);
  input.value = typed;
  fit();
  input.addEventListener("input", () => {
    fit();
    change(number, input.value, false);
  });
  input.addEventListener("change", () => change(number, input.value, true));
  return input;
}

// The width of a field; full-width characters take two columns.
function width(text) {
  return (
    Math.max(
      1,
      [...text].reduce((sum, one) => sum + (one.codePointAt(0) > 0x2e7f ? 2 : 1), 0),
    ) + 0.9
  );
}

// --- highlights: pointing at a number in the text, an equation or the tree highlights it everywhere ------------------

let lit = null;

function light(number) {
  if (number === lit) return;
  lit = number;
  for (const one of document.querySelectorAll(".number.lit")) one.classList.remove("lit");
  if (number === null) return;
  for (const one of document.querySelectorAll(`.number[data-number="${CSS.escape(number)}"]`)) one.classList.add("lit");
}

export function listenNumbers(root) {
  const numberAt = (event) => event.target.closest?.("[data-number]")?.getAttribute("data-number") ?? null;
  root.addEventListener("pointerover", (event) => light(numberAt(event)));
  root.addEventListener("pointerleave", () => light(null));
  root.addEventListener("focusin", (event) => light(numberAt(event)));
  root.addEventListener("focusout", () => light(null));
}
