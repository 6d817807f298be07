// The server's MathML as elements of the page. Only known elements are copied; everything else becomes text.

import { math } from "./dom.js";

const NAMESPACE = "http://www.w3.org/1998/Math/MathML";
const KNOWN = new Set(["math", "mrow", "mi", "mn", "mo", "mfrac", "msup", "msqrt", "mtext"]);

// "Solve <math>…</math> for x." -> text and elements. The document that is parsed here runs no script and loads nothing.
export function drawn(markup) {
  const { body } = new DOMParser().parseFromString(`<p>${markup}</p>`, "text/html");
  return [...body.firstChild.childNodes].map(copied);
}

// A number of the problem keeps its place, which gives it its color and its highlight.
function copied(node) {
  if (node.namespaceURI !== NAMESPACE || !KNOWN.has(node.localName)) return node.textContent;
  const number = node.getAttribute("data-number");
  const numbered = /^\d+$/.test(number) ? { class: `number n${number % 8}`, "data-number": number } : {};
  const attributes = { display: node.getAttribute("display"), ...numbered };
  return math(node.localName, attributes, ...[...node.childNodes].map(copied));
}
