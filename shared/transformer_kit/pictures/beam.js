const nodes = [...svg.querySelectorAll(".node")];
let chosen = data.start;
const tell = stepper(() => data.told[chosen].length, (state) => {
  const last = data.told[chosen].length - 1, fates = data.fates[chosen];
  nodes.forEach((node, i) => {
    const appears = 2 * data.steps[i] - 1, fate = state == last ? fates[i] : fates[i].replace(" returned", "");
    node.setAttribute("class", `node ${!fate ? "away" : state < appears ? "later" : state == appears ? "fresh" : fate}`);
  });
  caption.textContent = data.told[chosen][state];
});
if (data.widths.length > 1) {
  slider("beam width", [data.widths[0], data.widths.at(-1)], data.widths[chosen], (width) => {
    chosen = data.widths.indexOf(width);
    tell();
  });
}
