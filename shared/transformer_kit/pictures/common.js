const caption = box.querySelector("p");
svg.setAttribute("role", "group");
const page = [0, 0, svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
let shown = page;
new ResizeObserver(([{ contentRect: { width } }]) => {
  const view = width < fold ? phone : page;
  if (!width || view == shown) return;
  shown = view;
  svg.classList.toggle("narrow", view == phone);
  svg.setAttribute("viewBox", view.join(" "));
  svg.setAttribute("width", view[2]);
  svg.setAttribute("height", view[3]);
}).observe(box);
// JupyterLab takes the arrow keys of whatever has the focus, unless that very element is marked.
box.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));

// A tab stop for all items together; `steps` says how far each key goes, and `show` what happens to the one in focus.
function choose(items, start, steps, show) {
  const select = (index) => {
    items.forEach((item, i) => item.setAttribute("tabindex", i == index ? 0 : -1));
    show(index);
  };
  items.forEach((item, index) => {
    item.addEventListener("pointerenter", () => select(index));
    item.addEventListener("click", () => item.focus());
    item.addEventListener("focus", () => select(index));
    item.addEventListener("keydown", (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      items[Math.min(Math.max(index + steps[event.key], 0), items.length - 1)].focus();
    });
  });
  items.forEach((item, i) => item.setAttribute("tabindex", i == start ? 0 : -1));
}
