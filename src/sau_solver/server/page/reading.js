// The problem's text with its numbers as fields in their colours, and its words, which can be heated by attention.
//
// The server counts code points; so does this.

import { html } from "./dom.js";
import { say, tag } from "./i18n.js";

// The text cut at the edges of words and numbers: [{text, word, number}] with places or null.
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

// Fields for the numbers that the tree uses; `change(place, typed, left)` hears of every
// change, and when a field is left.
export function showReading(place, solution, typed, change) {
  const used = new Set(solution.tree?.nodes.map((node) => node.number));
  const shown = (piece) => {
    if (piece.number === null) return word(piece);
    return used.has(piece.number) ? field(piece, typed[piece.number], change) : unused(piece);
  };
  place.lang = tag(solution.language);
  place.replaceChildren(...pieces(solution).map(shown));
}

// The text with other numbers in the places of its own.
export function rewritten(solution, typed) {
  return pieces(solution)
    .map((piece) => (piece.number === null ? piece.text : typed[piece.number]))
    .join("");
}

// The same as plain words, for the strip beside the tree.
export function showStrip(place, solution, typed) {
  place.lang = tag(solution.language);
  const shown = pieces(solution).map((piece) =>
    piece.number === null ? piece : { ...piece, text: typed[piece.number] },
  );
  place.replaceChildren(...shown.map(word));
}

// Weights over the words, or null for none.
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

// Full-width characters take two columns.
function width(text) {
  return (
    Math.max(
      1,
      [...text].reduce((sum, one) => sum + (one.codePointAt(0) > 0x2e7f ? 2 : 1), 0),
    ) + 0.9
  );
}
