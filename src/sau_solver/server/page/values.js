// Exact values for the eye and for the ear: mathematics with a decimal beside it where that says more.

import { html } from "./dom.js";
import { Fraction } from "./fraction.js";
import { say } from "./i18n.js";
import { textMath } from "./mathml.js";

// "9/16" and 0.5625 -> 9/16 as a fraction, and "= 0.5625" in small.
function valueShown(text, decimal) {
  return html("span", { class: "value" }, textMath(text), decimalShown(text, decimal));
}

function decimalText(text, decimal) {
  if (/^-?\d+$/.test(text) || decimal === null || decimal === undefined) return "";
  const rounded = Number(decimal.toPrecision(6));
  const exact = Fraction.read(text)?.equals(Fraction.read(String(rounded)) ?? new Fraction(0n));
  return `${exact ? "=" : "≈"} ${String(rounded).replace("-", "−")}`;
}

function decimalShown(text, decimal) {
  const shown = decimalText(text, decimal);
  return shown ? html("small", { class: "decimal" }, ` ${shown}`) : null;
}

// [[text, decimal]] and the unit; several values of one unknown are alternatives.
export function answersShown(values, unit, alternatives) {
  return values.flatMap(([text, decimal], place) => [
    place
      ? html(
          "span",
          { class: "between" },
          place === values.length - 1 ? say(alternatives ? "or" : "and") : say("comma"),
        )
      : null,
    valueShown(text, decimal),
    place === values.length - 1 && unit ? html("span", { class: "unit" }, spaced(unit)) : null,
  ]);
}

export function answersText(values, unit, alternatives) {
  return `${values.map(([text]) => text).join(say(alternatives ? "or" : "and"))}${spaced(unit)}`;
}

// 8 pencils, but 24个 and 25%.
const spaced = (unit) => (/^[A-Za-z]/.test(unit) ? ` ${unit}` : unit);

// x = 12, y = 8 for one solution of equations.
export function rootShown(root, decimals) {
  return Object.entries(root).flatMap(([name, text], place) => [
    place ? html("span", { class: "between" }, say("comma")) : null,
    textMath(`${name}=${text}`),
    decimalShown(text, decimals?.[name]),
  ]);
}
