const faces = [...svg.querySelectorAll(".clock")], said = [...svg.querySelectorAll(".said")];
let [base, position, offset] = data.start;
const place = ([sine, cosine], radius = data.radius) => [radius * sine, -radius * cosine].map((number) => number.toFixed(1));
const pairs = (row) => faces.map((_, i) => `(${row[2 * i].toFixed(3)}, ${row[2 * i + 1].toFixed(3)})`).join(", ");
const wedge = (pair, turned) => {
  const round = 2 * Math.PI, angle = Math.atan2(...turned) - Math.atan2(...pair), clockwise = offset >= 0 ? 1 : 0;
  const large = (((clockwise ? angle : -angle) % round) + round) % round > Math.PI ? 1 : 0, r = data.wedge;
  return `M0 0L${place(pair, r).join(" ")}A${r} ${r} 0 ${large} ${clockwise} ${place(turned, r).join(" ")}z`;
};
const circle = (x, y, r = data.ring) => `M${x} ${y}m-${r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0`;
function show() {
  const table = data.tables[base], row = table[position], target = table[position + offset];
  const matrix = data.matrices[offset + data.far];
  const turned = matrix && matrix.map((line) => line.reduce((sum, entry, j) => sum + entry * row[j], 0));
  faces.forEach((clock, i) => {
    const pair = (from) => from.slice(2 * i, 2 * i + 2), [x, y] = place(pair(row));
    const before = table.slice(Math.max(position - data.trail, 0), position);
    const paths = { trail: before.map((line) => `M${place(pair(line)).join(" ")}h0`).join(""),
      reading: `M0 ${y}H${x}V0`, hand: `M0 0L${x} ${y}`, end: `M${x} ${y}h0` };
    if (matrix) {
      paths.wedge = wedge(pair(row), pair(turned));
      paths.turned = `M0 0L${place(pair(turned)).join(" ")}`;
      paths.ring = target ? circle(...place(pair(target))) : "";
    }
    for (const name in paths) clock.querySelector(`.${name}`).setAttribute("d", paths[name]);
    clock.querySelector(".speed").textContent = data.speeds[base][i];
    const numbers = [0, 1].flatMap((part) => (matrix ? [row, turned] : [row]).map((from) => pair(from)[part].toFixed(3)));
    clock.querySelectorAll(".number").forEach((text, j) => { text.textContent = numbers[j]; });
  });
  const names = [`position ${position}`, `turned by R(${offset})`, target ? `position ${position + offset}` : "not in the table"];
  said.forEach((text, i) => { text.textContent = names[i]; });
  caption.textContent = `Position ${position}: the pairs (sin, cos) are ${pairs(row)}.`;
  if (!matrix) return;
  const same = target && turned.every((number, j) => Math.abs(number - target[j]) < 0.001);
  caption.textContent = `R(${offset}) turns position ${position} to ${pairs(turned)}. ` + (!target ? ""
    : same ? `That is the row of position ${position + offset}.` : `The row of position ${position + offset} is another one: ${pairs(target)}.`);
}
const time = slider("position", [0, data.last], position, (value) => { position = value; show(); });
if (data.matrices.length) slider("offset", [-data.far, data.far], offset, (value) => { offset = value; show(); });
if (data.bases.length > 1) radios("base", data.bases, base, (index) => { base = index; show(); });
if (matchMedia("(prefers-reduced-motion: no-preference)").matches) {
  const button = document.createElement("button");
  button.style = "font:inherit;color:inherit;background:none;border:1px solid;border-radius:6px;padding:3px 12px";
  let running;
  const stop = () => {
    clearInterval(running);
    running = undefined;
    button.textContent = "Play";
    caption.setAttribute("aria-live", "polite");
  };
  button.addEventListener("click", () => {
    if (running) return stop();
    button.textContent = "Pause";
    caption.setAttribute("aria-live", "off"); // not every step is to be read out
    if (position == data.last) time.move(0);
    running = setInterval(() => (position < data.last && box.isConnected ? time.move(position + 1) : stop()), 250);
  });
  stop();
  time.row.append(button);
}
show();
