const moving = [...svg.querySelector(".moving").children], last = data.steps.length - 1;
const bar = document.createElement("div"), button = document.createElement("button"), range = document.createElement("input");
const captions = box.querySelector(":scope details div").textContent.split("\n");
let timer = 0;
bar.style.cssText = `display:flex;gap:12px;align-items:center;max-width:${svg.viewBox.baseVal.width}px;margin:6px 0`;
button.type = "button";
button.style.cssText = "font:inherit;color:inherit;background:none;border:1px solid;border-radius:6px;padding:3px 0;width:6em;cursor:pointer";
Object.assign(range, { type: "range", min: 0, max: last, value: last });
range.setAttribute("aria-label", "step of training");
range.style.cssText = "flex:1;min-width:0;margin:0;accent-color:#3b82f6;cursor:pointer";
function show(index) {
  moving.forEach((element, i) => {
    const [attribute, values] = data.moving[i];
    if (attribute == "text") element.textContent = values[index];
    else element.setAttribute(attribute, values[index]);
  });
  caption.textContent = captions[index].split("\t")[0];
  range.setAttribute("aria-valuetext", `step ${data.steps[index]}`);
}
function stop() {
  clearInterval(timer);
  timer = 0;
  button.textContent = "▶ Play";
  caption.setAttribute("aria-live", "polite");
}
function forward() {
  if (range.valueAsNumber + 1 == last) stop();
  show(++range.value);
}
button.addEventListener("click", () => {
  if (timer) return stop();
  if (range.value == last) show((range.value = 0));
  button.textContent = "Pause";
  caption.setAttribute("aria-live", "off"); // nobody can listen so fast
  timer = setInterval(forward, 180);
});
range.addEventListener("input", () => { stop(); show(range.valueAsNumber); });
button.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
bar.append(button, range);
caption.before(bar);
stop();
show(last);
