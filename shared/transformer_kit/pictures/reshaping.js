const frames = svg.querySelector(".frames"), cells = [...svg.querySelectorAll(".moving g")], wrong = svg.querySelector(".wrong");
let route = 0, step = 0;
const place = () => { frames.innerHTML = data.drawn[route].join(""); };
place();
const show = () => {
  [...frames.children].forEach((frame, index) => frame.classList.toggle("later", index > step));
  cells.forEach((cell, index) => { cell.style.transform = `translate(${data.at[route][step][index].map((at) => `${at}px`)})`; });
  wrong.classList.toggle("later", step < data.at[route].length - 1);
  caption.textContent = data.said[route][step];
};
cells.forEach((cell, index) => { cell.style.transitionDelay = `${12 * index}ms`; });
radios("heads", data.counts, route, (index) => {
  route = index;
  place();
  wrong.setAttribute("d", data.wrong[route]);
  show();
});
stepper(() => data.at[0].length, (index) => { step = index; show(); });
