const opened = svg.querySelector(".open"), heads = [...svg.querySelectorAll(".head")];
const names = data.rows.flatMap((row, r) => row.heads.map((_, h) => [r, h]));
let [row, head, query] = data.start;
const draw = (name, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  opened.append(element);
  return element;
};
function show(focus) {
  const [queries, keys] = data.rows[row].words, weights = data.rows[row].heads[head];
  query = Math.min(query, queries.length - 1);
  const [left, right] = data.rows[row].at, middle = (data.left + data.right) / 2;
  opened.replaceChildren();
  draw("text", { class: "quiet", x: data.left, y: 14, "text-anchor": "end" }, "query");
  draw("text", { class: "quiet", x: data.right, y: 14 }, "key");
  const links = weights.flatMap((line, i) => line.map((percent, j) => [percent / 100, i, j]));
  links.sort((a, b) => (a[1] == query) - (b[1] == query));
  for (const [share, i, j] of links) {
    if (100 * share < data.least) continue;
    const lit = i == query, d = `M${data.left + 8} ${left[i] - 5}C${middle} ${left[i] - 5} ${middle} ${right[j] - 5} ${data.right - 8} ${right[j] - 5}`;
    draw("path", { class: lit ? "link lit" : "link", d, "stroke-width": 0.5 + 7 * share,
      "stroke-opacity": lit ? 0.15 + 0.85 * share : 0.15 + 0.3 * share });
  }
  const words = queries.map((word, i) => draw("text", { class: i == query ? "query on" : "query", x: data.left, y: left[i],
    "text-anchor": "end", role: "button", "aria-label": `query ${word}` }, word));
  keys.forEach((word, j) => {
    const share = weights[query][j];
    const look = { class: share >= 25 ? "on" : "", y: right[j] };
    draw("text", { ...look, x: data.right }, word);
    if (share >= data.least) draw("text", { ...look, x: data.shares, "text-anchor": "end" }, `${share} %`);
  });
  words.forEach((word, i) => {
    word.setAttribute("tabindex", i == query ? 0 : -1);
    word.addEventListener("pointerenter", () => { if (i != query) { query = i; show(); } });
    word.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !queries[i + step]) return;
      event.preventDefault();
      query = i + step;
      show(true);
    });
  });
  if (focus) words[query].focus();
  heads.forEach((item, i) => item.classList.toggle("chosen", names[i][0] == row && names[i][1] == head));
  const best = weights[query].map((percent, j) => [percent, keys[j]]).filter(([percent]) => percent >= data.least);
  const listed = best.sort((a, b) => b[0] - a[0]).slice(0, data.listed).map(([percent, word]) => `${word} ${percent} %`);
  const next = data.rows[row].next[query], about = next ? `, before “${next}” is written,` : "";
  caption.textContent = `${data.rows[row].name}, head ${head}: “${queries[query]}”${about} looks at ${listed.join(", ")}.`;
}
const across = data.rows[0].heads.length, steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across };
const start = names.findIndex(([r, h]) => r == row && h == head);
choose(heads, start, steps, (index) => { [row, head] = names[index]; show(); });
show();
if (Object.keys(data.results).length) {
  const field = document.createElement("fieldset"), written = document.createElement("output");
  field.innerHTML = `<legend>Silence heads of ${data.rows[data.start[0]].name}</legend>`;
  const switches = data.rows[data.start[0]].heads.map((_, number) => {
    const label = document.createElement("label"), toggle = document.createElement("input");
    toggle.type = "checkbox";
    label.style.cssText = "margin-right:1.5em;white-space:nowrap;accent-color:#2563eb";
    label.append(toggle, ` head ${number}`);
    field.append(label);
    return toggle;
  });
  const write = () => {
    const silent = switches.flatMap((toggle, number) => (toggle.checked ? [number] : []));
    written.value = `${silent.length ? "Now it writes" : "It writes"}: ${data.results[silent.join(",")]}`;
  };
  written.style.display = "block";
  field.append(written);
  field.addEventListener("change", write);
  caption.after(field);
  write();
}
