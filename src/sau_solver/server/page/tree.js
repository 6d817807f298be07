// The universal expression tree as SVG: leaves side by side, an operator above the middle of its operands.

import { svg } from "./dom.js";
import { say } from "./i18n.js";

const ROW = 62;
const HEIGHT = 34;
const GAP = 18;
const MARGIN = 16;
const ZOOM_STEP = 1.25;
const [SMALLEST, LARGEST] = [0.1, 4]; // scales
const LETTER = 9.2; // pixels per character of a label

// Returns {placed: [{x, y, half}], width, height}; `half` is half the width of a node.
function layout(nodes) {
  const placed = nodes.map((node) => ({
    half: Math.max(HEIGHT, [...node.label].length * LETTER + 18) / 2,
    x: 0,
    y: 0,
  }));
  let edge = MARGIN;
  let deepest = 0;
  const put = (place, depth) => {
    const { children } = nodes[place];
    const box = placed[place];
    box.y = MARGIN + HEIGHT / 2 + depth * ROW;
    deepest = Math.max(deepest, depth);
    for (const child of children) put(child, depth + 1);
    if (children.length) box.x = (placed[children[0]].x + placed[children.at(-1)].x) / 2;
    else {
      box.x = edge + box.half;
      edge = box.x + box.half + GAP;
    }
  };
  put(0, 0);
  return { placed, width: edge - GAP + MARGIN, height: deepest * ROW + HEIGHT + 2 * MARGIN };
}

// `attend(place)` is called with the node that is pointed at or focused, or with null.
export function drawTree(nodes, label, attend) {
  const { placed, width, height } = layout(nodes);
  const edges = nodes.flatMap((node, place) =>
    node.parent === null ? [] : [edge(placed[node.parent], placed[place])],
  );
  const shapes = nodes.map((node, place) => shape(node, placed[place], level(nodes, place), place));
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`,
      width: width.toFixed(0),
      height: height.toFixed(0),
      role: "tree",
      "aria-label": label,
    },
    svg("g", { class: "edges", "aria-hidden": "true" }, ...edges),
    ...shapes,
  );
  shapes[0].setAttribute("tabindex", "0");
  const placeOf = (event) => event.target.closest?.("[data-node]")?.getAttribute("data-node") ?? null;
  const hear = (event) => {
    const place = placeOf(event);
    for (const one of shapes) one.classList.toggle("pointed", one.getAttribute("data-node") === place);
    attend(place === null ? null : Number(place));
  };
  drawing.addEventListener("pointerover", hear);
  drawing.addEventListener("focusin", hear);
  drawing.addEventListener("pointerleave", () => settle(drawing, shapes, attend));
  drawing.addEventListener("focusout", () => attend(null));
  drawing.addEventListener("keydown", (event) => walk(event, nodes, shapes));
  return drawing;
}

// When the pointer leaves, the focused node is attended to again.
function settle(drawing, shapes, attend) {
  const focused = drawing.contains(document.activeElement) ? document.activeElement.getAttribute("data-node") : null;
  for (const one of shapes) one.classList.toggle("pointed", one.getAttribute("data-node") === focused);
  attend(focused === null ? null : Number(focused));
}

function edge(from, to) {
  const [top, bottom] = [from.y + HEIGHT / 2, to.y - HEIGHT / 2];
  const middle = (top + bottom) / 2;
  const at = (value) => value.toFixed(1);
  return svg("path", {
    d: `M${at(from.x)} ${at(top)}C${at(from.x)} ${at(middle)} ${at(to.x)} ${at(middle)} ${at(to.x)} ${at(bottom)}`,
    fill: "none",
  });
}

function shape(node, { x, y, half }, depth, place) {
  const numbered = node.kind === "number";
  return svg(
    "g",
    {
      class: `node ${numbered ? `number n${node.number % 8}` : node.kind}`,
      "data-node": place,
      "data-number": numbered ? node.number : null,
      role: "treeitem",
      tabindex: "-1",
      "aria-level": depth,
      "aria-label": spokenLabel(node),
    },
    svg("rect", {
      x: (x - half).toFixed(1),
      y: (y - HEIGHT / 2).toFixed(1),
      width: (2 * half).toFixed(1),
      height: HEIGHT,
      rx: HEIGHT / 2,
    }),
    svg(
      "text",
      { x: x.toFixed(1), y: (y + 5.5).toFixed(1), "text-anchor": "middle", "aria-hidden": "true" },
      node.label,
    ),
  );
}

function spokenLabel(node) {
  const label = node.kind === "operator" ? say(`name_${node.symbol}`) : node.label;
  return say(`node_${node.kind}`, { label, place: node.number + 1 });
}

function level(nodes, place) {
  let depth = 1;
  for (let parent = nodes[place].parent; parent !== null; parent = nodes[parent].parent) depth++;
  return depth;
}

// Arrow keys: up to the parent, down to the first operand, left and right in the order of reading.
function walk(event, nodes, shapes) {
  const here = shapes.indexOf(event.target.closest("[data-node]"));
  if (here < 0) return;
  const { parent, children } = nodes[here];
  const to = {
    ArrowUp: parent,
    ArrowDown: children[0],
    ArrowRight: here + 1,
    ArrowLeft: here - 1,
    Home: 0,
    End: nodes.length - 1,
  }[event.key];
  if (to === undefined || to === null || !shapes[to]) return;
  event.preventDefault();
  shapes[here].setAttribute("tabindex", "-1");
  shapes[to].setAttribute("tabindex", "0");
  shapes[to].focus();
}

// --- zoom of a drawing inside a box that scrolls: with buttons, or with Ctrl and the wheel ---------------------------

export function zoomable(box, buttons) {
  let scale = 1;
  let waiting = false;
  const drawing = () => box.querySelector("svg");
  const natural = () => drawing().viewBox.baseVal;
  const set = (wanted) => {
    if (!drawing()) return;
    scale = Math.min(LARGEST, Math.max(SMALLEST, wanted));
    const { width, height } = natural();
    drawing().setAttribute("width", (width * scale).toFixed(1));
    drawing().setAttribute("height", (height * scale).toFixed(1));
  };
  const whole = () => drawing() && set(Math.min(1.5, (box.clientWidth - 2) / natural().width));
  // A small tree has its own size, a wide one is shrunk to fit as long as it can be read; a wider one scrolls.
  const start = () => {
    waiting = !box.clientWidth; // hidden until a click: starts when it is shown
    if (!drawing() || waiting) return;
    set(Math.min(1, Math.max(0.7, (box.clientWidth - 2) / natural().width)));
    const [root, frame] = [box.querySelector("[data-node]"), box].map((one) => one.getBoundingClientRect());
    box.scrollLeft += root.x + root.width / 2 - frame.x - frame.width / 2;
  };
  buttons.larger.addEventListener("click", () => set(scale * ZOOM_STEP));
  buttons.smaller.addEventListener("click", () => set(scale / ZOOM_STEP));
  buttons.fit.addEventListener("click", whole);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    set(scale * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
  });
  new ResizeObserver(() => waiting && start()).observe(box);
  return { start, again: () => set(scale) };
}
