const bands = [...svg.querySelectorAll(".ribbon")], words = [...svg.querySelectorAll(".word")];
const queries = words.filter((word) => word.classList.contains("query"));
const keys = words.filter((word) => word.classList.contains("key"));
const steps = { ArrowDown: 1, ArrowUp: -1, Home: -999, End: 999 };
function light(side, index) {
  const lit = data.links.map((link) => link[side] == index);
  bands.forEach((band, n) => band.classList.toggle("lit", lit[n]));
  [queries, keys].forEach((group, which) => group.forEach((word, i) => {
    word.classList.toggle("here", which == side && i == index);
    word.classList.toggle("lit", which == side ? i == index : data.links.some((link, n) => lit[n] && link[which] == i));
  }));
  svg.classList.add("busy");
  caption.textContent = data.sentences[side ? data.queries + index : index];
}
choose(queries, 0, steps, (index) => light(0, index));
choose(keys, 0, steps, (index) => light(1, index));
caption.textContent = data.note;
