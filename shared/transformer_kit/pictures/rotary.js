const dials = [...svg.querySelectorAll(".dial")], said = [...svg.querySelectorAll(".said")];
const order = [0, 1].flatMap((half) => [0, 1, 2, 3].flatMap((line) => [0, 1, 2, 3].map((column) => 8 * line + 4 * half + column)));
let [position, distance] = data.start;
function show() {
  const query = data.table[position], key = data.table[position - distance], { radius, bar } = data;
  let sum = 0;
  dials.forEach((dial, i) => {
    const at = 2 * order[i], product = query[at] * key[at] + query[at + 1] * key[at + 1], length = (bar * product).toFixed(1);
    const hand = (row) => `M0 0L${(radius * row[at]).toFixed(1)} ${(-radius * row[at + 1]).toFixed(1)}`;
    dial.querySelector(".query").setAttribute("d", hand(query));
    dial.querySelector(".key").setAttribute("d", hand(key));
    const drawn = dial.querySelector(".bar");
    drawn.setAttribute("d", `M0 ${radius + 9}h${length}v10h${-length}z`);
    drawn.setAttribute("class", product < 0 ? "bar less" : "bar");
    sum += product;
  });
  const told = `sum of the 32 products: ${sum.toFixed(1)}`;
  said[0].textContent = `query at ${position}`;
  said[1].textContent = `key at ${position - distance}`;
  said[2].textContent = told;
  caption.textContent = `Query at ${position}, key at ${position - distance}: ${told}.`;
}
slider("query and key, both moved", [data.far, 2 * data.far], position, (value) => { position = value; show(); });
slider("distance between them", [0, data.far], distance, (value) => { distance = value; show(); });
show();
