const steps = { ArrowUp: -data.columns, ArrowRight: 1, ArrowDown: data.columns, ArrowLeft: -1, Home: -999, End: 999 };
const cells = [...svg.querySelectorAll(".cell")];
const signed = (cost) => (cost < 0 ? "" : "+") + cost.toFixed(2);
const name = (index) => `${index % data.columns}.${Math.floor(index / data.columns)}`;
cells.forEach((cell, index) => {
  cell.setAttribute("role", "button");
  cell.setAttribute("aria-label", `head ${name(index)}`);
});
choose(cells, data.start, steps, (index) => {
  const [copying, english] = data.costs[index].map(signed);
  caption.textContent = `Head ${name(index)} silent: copying ${copying}, English ${english}.`;
});
caption.textContent = data.note;
