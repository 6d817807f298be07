// Making elements. Text always becomes text nodes.

const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

const maker =
  (namespace) =>
  (tag, attributes = {}, ...children) => {
    const made = namespace ? document.createElementNS(namespace, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

export const html = maker(null);
export const svg = maker(SVG);
export const math = maker(MATHML);

export const byId = (id) => document.getElementById(id);

export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

// A box whose content is wider than itself can be focused, so that the keyboard can scroll it.
// Call this whenever the content has changed; changes of the box's size are noticed here.
export function reachable(box) {
  settle(box);
  if (watched.has(box)) return;
  watched.add(box);
  observer.observe(box);
}

const watched = new WeakSet();
const observer = new ResizeObserver((changes) => changes.forEach(({ target }) => settle(target)));

function settle(box) {
  if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
  else box.removeAttribute("tabindex");
}
