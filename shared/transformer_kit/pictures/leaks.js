const words = [...svg.querySelectorAll(".word")], outputs = [...svg.querySelectorAll(".output")];
let [choice, changed] = data.start;
function show() {
  words.forEach((word, j) => word.classList.toggle("chosen", j == changed));
  outputs.forEach((output, i) => {
    const row = data.moved[choice][i], [bar, amount] = [...output.children].slice(row.length);
    row.forEach((moved, j) => {
      const kind = moved == "0" ? "" : i < j ? " leak" : " moved";
      output.children[j].setAttribute("class", `cell${kind}${j == changed ? " lit" : ""}`);
    });
    const width = row[changed] == "0" ? 0 : Math.max(data.scale * row[changed], 2);
    bar.setAttribute("width", width);
    bar.setAttribute("class", i < changed ? "bar leaks" : "bar");
    amount.setAttribute("x", +bar.getAttribute("x") + width + 7);
    amount.textContent = row[changed];
  });
  caption.textContent = data.sentences[choice][changed];
}
choose(words, changed, { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 }, (index) => { changed = index; show(); });
radios("mask", data.names, choice, (index) => { choice = index; show(); });
show();
