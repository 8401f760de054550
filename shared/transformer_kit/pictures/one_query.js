const parts = [...svg.querySelectorAll(".part")], moving = [...svg.querySelectorAll(".n")];
const said = box.querySelector(":scope details div").textContent.split("\n");
let query = 0, step = 0;
const show = () => {
  const now = data.lit[step], seen = data.lit.slice(0, step + 1).flat();
  parts.forEach((part) => {
    const name = part.dataset.part;
    part.classList.toggle("later", !seen.includes(name));
    part.classList.toggle("dim", seen.includes(name) && !now.includes(name));
  });
  svg.querySelectorAll("tspan").forEach((part) => part.classList.toggle("now", now.includes(part.dataset.name)));
  caption.textContent = said[data.lit.length * query + step];
};
radios("query", data.words, query, (index) => {
  query = index;
  moving.forEach((element, number) => {
    const [attributes, text] = data.states[query][number];
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    element.textContent = text;
  });
  show();
});
stepper(() => data.lit.length, (index) => { step = index; show(); });
