// On paper a page is light, whatever it is on the screen.
const page = document.documentElement;
let onScreen;
matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) onScreen = page.dataset.theme;
  page.dataset.theme = matches ? "light" : onScreen;
});
