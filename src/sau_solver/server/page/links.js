// One number, lit wherever it stands: pointing at it in the text, an equation or the tree lights the others.

let lit = null;

export function light(number) {
  if (number === lit) return;
  lit = number;
  for (const one of document.querySelectorAll(".number.lit")) one.classList.remove("lit");
  if (number === null) return;
  for (const one of document.querySelectorAll(`.number[data-number="${CSS.escape(number)}"]`)) one.classList.add("lit");
}

export function listen(root) {
  const numberAt = (event) => event.target.closest?.("[data-number]")?.getAttribute("data-number") ?? null;
  root.addEventListener("pointerover", (event) => light(numberAt(event)));
  root.addEventListener("pointerleave", () => light(null));
  root.addEventListener("focusin", (event) => light(numberAt(event)));
  root.addEventListener("focusout", () => light(null));
}
