// What is wider than its card can be reached and scrolled with the keyboard, and only that.

const watched = new WeakSet();
const observer = new ResizeObserver((changes) => changes.forEach(({ target }) => settle(target)));

// Call it whenever the content of a box has changed; changes of its size are noticed here.
export function reachable(box) {
  settle(box);
  if (watched.has(box)) return;
  watched.add(box);
  observer.observe(box);
}

function settle(box) {
  if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
  else box.removeAttribute("tabindex");
}
