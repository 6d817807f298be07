// Links with the problem in the URL's fragment, which is never sent to a server, and copies as LaTeX, JSON and SVG.

import { byId } from "./dom.js";
import { say } from "./i18n.js";

const KEY = "problem";

export function linkedProblem() {
  const fragment = location.hash.slice(1);
  return new URLSearchParams(fragment).get(KEY);
}

export function linkTo(text) {
  return `${location.href.split("#")[0]}#${KEY}=${encodeURIComponent(text)}`;
}

// A new entry of the browser's history, so that "back" returns to the problem before.
export function putInAddress(text) {
  if (linkedProblem() !== text) history.pushState(null, "", linkTo(text));
}

export function newCopy() {
  byId("copied").textContent = "";
  byId("copy-by-hand").hidden = true;
}

// Copies a text; if the browser does not allow it, shows the text selected.
export async function copy(text, type = "text/plain") {
  const byHand = byId("copy-by-hand");
  byHand.hidden = true;
  try {
    await write(text, type);
    byId("copied").textContent = say("copied");
  } catch {
    byHand.hidden = false;
    byHand.value = text;
    byHand.focus();
    byHand.select();
    byId("copied").textContent = say("copy_failed");
  }
}

// A picture is copied both as a picture and as its source.
async function write(text, type) {
  if (type !== "text/plain" && globalThis.ClipboardItem?.supports?.(type)) {
    const as = (kind) => new Blob([text], { type: kind });
    await navigator.clipboard.write([new ClipboardItem({ [type]: as(type), "text/plain": as("text/plain") })]);
  } else await navigator.clipboard.writeText(text);
}

// The drawn tree as a standalone picture, with the page's colors written into it.
export function picture(drawing) {
  const alone = drawing.cloneNode(true);
  const [own, copied] = [drawing, alone].map((one) => [one, ...one.querySelectorAll("*")]);
  own.forEach((one, place) => {
    const { fill, stroke, strokeWidth, strokeDasharray } = getComputedStyle(one);
    const target = copied[place];
    if (/^(rect|path|text)$/.test(one.tagName)) {
      target.setAttribute("fill", fill);
      if (one.tagName !== "text")
        Object.entries({ stroke, "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray }).forEach(
          ([name, value]) => target.setAttribute(name, value),
        );
      else
        Object.entries({ "font-family": "sans-serif", "font-size": "17" }).forEach(([name, value]) =>
          target.setAttribute(name, value),
        );
    }
    for (const name of ["class", "role", "tabindex", "data-node", "data-number", "aria-level", "aria-hidden"])
      target.removeAttribute(name);
  });
  const { width, height } = drawing.viewBox.baseVal;
  alone.setAttribute("role", "img");
  alone.setAttribute("width", width);
  alone.setAttribute("height", height);
  return new XMLSerializer().serializeToString(alone);
}
