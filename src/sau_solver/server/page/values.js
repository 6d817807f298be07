// Exact values for the eye and the ear: mathematics, followed by a decimal if that helps.

import { html } from "./dom.js";
import { say } from "./i18n.js";
import { drawn } from "./mathematics.js";

// "9/16" and 0.5625 -> "= 0.5625"; "1/3" and 0.3333… -> "≈ 0.333333"; nothing for whole numbers.
function decimalShown(text, decimal) {
  if (/^-?\d+$/.test(text) || decimal === null || decimal === undefined) return null;
  const rounded = String(Number(decimal.toPrecision(6)));
  const sign = isExactly(text, rounded) ? "=" : "≈";
  return html("small", { class: "decimal" }, ` ${sign} ${rounded.replace("-", "−")}`);
}

// Whether a fraction such as "9/16" equals a decimal such as "0.5625".
function isExactly(text, decimal) {
  const fraction = /^(-?\d+)\/(\d+)$/.exec(text);
  if (!fraction || decimal.includes("e")) return false;
  const [whole, places = ""] = decimal.split(".");
  return BigInt(whole + places) * BigInt(fraction[2]) === BigInt(fraction[1]) * 10n ** BigInt(places.length);
}

// The answer of a solution as elements: each thing asked for with its name, or the bare values.
export function answersShown({ asked = [], answers, answers_mathml: mathml, decimal = [], unit = "", roots = [] }) {
  if (asked?.length) return asked.map(askedShown);
  const last = answers.length - 1;
  const joint = (place) => say(place < last ? "comma" : areAlternatives(roots) ? "or" : "and");
  const shown = (text, place) => [
    place ? html("span", { class: "between" }, joint(place)) : null,
    html("span", { class: "value" }, ...drawn(mathml[place]), decimalShown(text, decimal[place])),
    place === last && unit ? html("span", { class: "unit" }, spaced(unit)) : null,
  ];
  return answers.flatMap(shown).filter(Boolean);
}

// Several values of one unknown.
const areAlternatives = (roots) => Object.keys(roots[0] ?? {}).length < 2;

// "goats: 13". A question without an answer is named by its words.
function askedShown({ question, quantity, answer, display, mathml }) {
  const isAnswered = answer !== null && answer !== undefined;
  const name = isAnswered ? nameBeside(quantity, display) : quantity || question;
  const value = isAnswered ? (mathml ? drawn(mathml) : [display]) : [say("not_answered")];
  return html(
    "div",
    { class: isAnswered ? "asked" : "asked skipped" },
    name ? html("span", { class: "quantity" }, name) : null,
    html("span", { class: "value" }, ...value),
  );
}

// No name beside "13 goats", which says it already.
const nameBeside = (quantity, display) => (display.toLowerCase().includes(quantity?.toLowerCase()) ? "" : quantity);

export function answersText({ asked = [], display = "", answers, unit, roots }) {
  if (display) return display;
  if (asked?.length) return asked.map((one) => one.display ?? say("not_answered")).join(say("comma"));
  return `${answers.join(say(areAlternatives(roots) ? "or" : "and"))}${spaced(unit)}`;
}

// 8 pencils, but 24个 and 25%.
const spaced = (unit) => (/^[A-Za-z]/.test(unit) ? ` ${unit}` : unit);

// x = 12, y = 8 for one solution of equations; the three objects have an entry for each unknown.
export function rootShown(root, mathml, decimals) {
  return Object.entries(root).flatMap(([name, text], place) => [
    place ? html("span", { class: "between" }, say("comma")) : null,
    ...drawn(mathml[name]),
    decimalShown(text, decimals[name]),
  ]);
}
