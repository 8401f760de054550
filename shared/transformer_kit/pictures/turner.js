const find = (name) => [...svg.querySelectorAll(`.${name}`)];
const [arrow, tip, blend, field] = ["query", "tip", "blend", "field"].map((name) => find(name)[0]);
const pulls = find("pull"), points = find("turning")[0].querySelectorAll(".point"), shares = find("share"), orbits = find("orbit");
const set = (element, attributes) => { for (const key in attributes) element.setAttribute(key, attributes[key]); };
let [length, turn] = data.start;
const knob = (name, count, value, change) => {
  const label = document.createElement("label"), input = document.createElement("input"), output = document.createElement("span");
  Object.assign(input, { type: "range", min: 0, max: count - 1, value });
  input.style.cssText = "vertical-align:middle;width:10em;margin:0 .6em;accent-color:#2563eb";
  input.addEventListener("input", () => { change(+input.value); draw(); });
  label.append(name, input, output);
  controls.append(label);
  return (text, at) => { output.textContent = text; input.value = at; input.setAttribute("aria-valuetext", text); };
};
const draw = () => {
  const { x: a, y: b } = orbits[length].points[turn], percent = data.percent[length][turn], [x, y] = data.centre;
  const degrees = turn * data.step, angle = (degrees * Math.PI) / 180, r = (data.radius * length) / (data.lengths.length - 1);
  const tipX = (x + r * Math.cos(angle)).toFixed(2), tipY = (y - r * Math.sin(angle)).toFixed(2);
  data.corners.forEach(([right, down], number) => {
    set(pulls[number], { d: `M${right} ${down}L${a.toFixed(1)} ${b.toFixed(1)}`, "stroke-width": (percent[number] / 12).toFixed(2) });
    set(points[number], { r: (Math.sqrt(Math.max(percent[number], 0)) * 1.7).toFixed(2) });
    shares[number].textContent = `${data.words[number]} ${percent[number]} %`;
  });
  set(arrow, { d: `M${x} ${y}L${tipX} ${tipY}` });
  set(tip, { transform: `translate(${tipX} ${tipY}) rotate(${-degrees})` });
  set(blend, { cx: a.toFixed(1), cy: b.toFixed(1) });
  orbits.forEach((orbit, number) => orbit.classList.toggle("now", number == length));
  showAngle(`${degrees}°`, turn);
  showLength(`${data.lengths[length]}`, length);
  const listed = data.words.map((word, number) => `${word} ${percent[number]} %`).join(", ");
  caption.textContent = `A query of length ${data.lengths[length]} at ${degrees}°: ${listed}.${data.note}`;
};
const controls = document.createElement("div");
controls.style.cssText = "display:flex;flex-wrap:wrap;gap:.4em 2em;margin:8px 0";
caption.before(controls);
const showAngle = knob("angle", data.percent[0].length, turn, (value) => { turn = value; });
const showLength = knob("length", data.lengths.length, length, (value) => { length = value; });
const follow = (event) => {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const degrees = (Math.atan2(data.centre[1] - place.y, place.x - data.centre[0]) * 180) / Math.PI;
  turn = Math.round((degrees + 360) / data.step) % data.percent[0].length;
  draw();
};
field.addEventListener("pointerdown", (event) => { field.setPointerCapture(event.pointerId); follow(event); });
field.addEventListener("pointermove", (event) => { if (field.hasPointerCapture(event.pointerId)) follow(event); });
draw();
