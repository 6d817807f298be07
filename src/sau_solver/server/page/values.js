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

// [{text, mathml, decimal}] and their unit; several values of one unknown are alternatives.
export function answersShown(values, unit, alternatives) {
  const last = values.length - 1;
  const joint = (place) => say(place < last ? "comma" : alternatives ? "or" : "and");
  return values.flatMap(({ text, mathml, decimal }, place) => [
    place ? html("span", { class: "between" }, joint(place)) : null,
    html("span", { class: "value" }, ...drawn(mathml), decimalShown(text, decimal)),
    place === last && unit ? html("span", { class: "unit" }, spaced(unit)) : null,
  ]);
}

export function answersText(values, unit, alternatives) {
  return `${values.map(({ text }) => text).join(say(alternatives ? "or" : "and"))}${spaced(unit)}`;
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
