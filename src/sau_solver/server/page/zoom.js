// Zoom of a drawing inside a box that scrolls: buttons, and the wheel with Ctrl.

const STEP = 1.25;
const [LEAST, MOST] = [0.1, 4];

export function zoomable(box, buttons) {
  let scale = 1;
  let waiting = false;
  const drawing = () => box.querySelector("svg");
  const natural = () => drawing().viewBox.baseVal;
  const set = (wanted) => {
    if (!drawing()) return;
    scale = Math.min(MOST, Math.max(LEAST, wanted));
    const { width, height } = natural();
    drawing().setAttribute("width", (width * scale).toFixed(1));
    drawing().setAttribute("height", (height * scale).toFixed(1));
  };
  const whole = () => drawing() && set(Math.min(1.5, (box.clientWidth - 2) / natural().width));
  // A small tree in its own size, a wider one as wide as the box as long as it can be read; then it scrolls.
  const start = () => {
    waiting = !box.clientWidth; // behind a click: when it is shown
    if (!drawing() || waiting) return;
    set(Math.min(1, Math.max(0.7, (box.clientWidth - 2) / natural().width)));
    const [root, frame] = [box.querySelector("[data-node]"), box].map((one) => one.getBoundingClientRect());
    box.scrollLeft += root.x + root.width / 2 - frame.x - frame.width / 2;
  };
  buttons.larger.addEventListener("click", () => set(scale * STEP));
  buttons.smaller.addEventListener("click", () => set(scale / STEP));
  buttons.fit.addEventListener("click", whole);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    set(scale * (event.deltaY < 0 ? STEP : 1 / STEP));
  });
  new ResizeObserver(() => waiting && start()).observe(box);
  return { start, again: () => set(scale) };
}
