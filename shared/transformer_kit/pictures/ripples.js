const words = [...svg.querySelectorAll(".word")], lanes = [...svg.querySelectorAll(".lane")];
function show(place) {
  words.forEach((word, i) => word.classList.toggle("chosen", i == place));
  lanes.forEach((lane, side) => data.moved[side][place].forEach((moved, state) => {
    const [bar, text] = [lane.children[2 * state], lane.children[2 * state + 1]];
    const base = data.base[side], height = moved * data.scale;
    bar.setAttribute("y", side ? base : base - height);
    bar.setAttribute("height", height);
    text.setAttribute("y", side ? base + height + 14 : base - height - 5);
    text.textContent = moved.toFixed(2);
    text.classList.toggle("still", !moved);
  }));
  caption.textContent = data.sentences[place];
}
choose(words, data.start, { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 }, show);
show(data.start);
