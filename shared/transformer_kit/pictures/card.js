const senses = [...svg.querySelectorAll(".sense")];
stepper(() => senses.length, (state) => {
  senses.forEach((sense, i) => sense.classList.toggle("on", i == state));
  caption.textContent = data.told[state];
});
