// Exact values for the eye and the ear: mathematics, followed by a decimal if that helps.

import { html, math } from "./dom.js";
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

// The answer of a solution as elements: each thing asked for, with its name. Answers without questions, such as those
// of candidates, are bare values.
export function answersShown(solution) {
  const { asked = [], asked_mathml: markup = [], display = "" } = solution;
  if (!asked.length) return valuesShown(solution);
  if (solution.kind === "equation") return solutionsShown(asked, markup);
  const isNamed = (one) => asked.length > 1 || (one.quantity && display.startsWith(one.quantity));
  return asked.map((one, place) => askedShown(one, markup[place], isNamed(one)));
}

function valuesShown({ answers, answers_mathml: mathml }) {
  const joint = (place) => say(place < answers.length - 1 ? "comma" : "and");
  return answers.flatMap((_, place) => [
    ...(place ? [html("span", { class: "between" }, joint(place))] : []),
    html("span", { class: "value" }, ...drawn(mathml[place])),
  ]);
}

// x = −3 or x = −2; x = 15, y = 5: a solution in each line.
function solutionsShown(asked, markup) {
  const lines = [];
  asked.forEach(({ unknown }, place) => {
    const line = lines.at(-1);
    if (line && !line.some((other) => other.unknown === unknown)) line.push({ unknown, place });
    else lines.push([{ unknown, place }]);
  });
  const value = ({ unknown, place }, at, { length }) =>
    html("span", { class: "value" }, ...equal(unknown, drawn(markup[place])), at < length - 1 ? say("comma") : null);
  return lines.map((line, at) => {
    const or = at ? html("span", { class: "between" }, say("or").trim()) : null;
    return html("div", { class: "asked" }, or, ...line.map(value));
  });
}

// x = value as one formula; what follows it, such as a decimal, stays text.
function equal(unknown, [first, ...rest]) {
  const value = first instanceof Element ? [...first.childNodes] : [math("mn", {}, first)];
  return [math("math", {}, math("mi", {}, unknown), math("mo", {}, "="), ...value), ...rest];
}

// "goats: 13". A question without an answer is named by its words.
function askedShown({ question, quantity, unknown, answer, unit }, markup, isNamed) {
  const isAnswered = answer !== null;
  const name = isAnswered ? (isNamed ? quantity || unknown : "") : question;
  const value = isAnswered ? drawn(withoutUnit(markup, unit, name)) : [say("not_answered")];
  return html(
    "div",
    { class: isAnswered ? "asked" : "asked skipped" },
    name ? html("span", { class: "quantity" }, name, html("span", {}, say("colon"))) : null,
    html("span", { class: "value" }, ...value),
  );
}

// "150", not "150 tickets", beside "adult tickets".
function withoutUnit(markup, unit, name) {
  const isSaid = unit && name.toLowerCase().endsWith(unit.toLowerCase()) && markup.endsWith(` ${unit}`);
  return isSaid ? markup.slice(0, -unit.length - 1) : markup;
}

// The same in words.
export const answersText = ({ display, asked }) => display || asked.map(() => say("not_answered")).join(say("comma"));

// x = 12, y = 8 for one solution of equations; the three objects have an entry for each unknown.
export function rootShown(root, mathml, decimals) {
  return Object.entries(root).flatMap(([name, text], place) => [
    place ? html("span", { class: "between" }, say("comma")) : null,
    ...drawn(mathml[name]),
    decimalShown(text, decimals[name]),
  ]);
}
