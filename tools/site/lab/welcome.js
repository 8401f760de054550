// What JupyterLite does not say: that Python is on its way, how much is loaded, and where to read on a small screen.
const MEGABYTES = 50, NARROW = 700; // loaded at the first start; CSS pixels of a window
const unit = (new URLSearchParams(location.search).get("path") ?? "").split("/").pop().replace(".ipynb", "");
const page = `../../${unit || "contents"}.html`;

const box = document.createElement("aside");
box.id = "course-welcome";
box.setAttribute("role", "status");
box.style.cssText =
  "position:fixed;right:16px;bottom:40px;z-index:2000;max-width:min(24rem,calc(100vw - 32px));padding:14px 18px;" +
  "font:15px/1.45 system-ui,sans-serif;color:#fff;background:#123a80;border-radius:10px;box-shadow:0 6px 24px #0006";
document.body.append(box);

function say(html) {
  box.innerHTML = `${html}<br><button type="button" style="margin-top:8px;font:inherit;padding:2px 10px">Close</button>`;
  box.querySelector("button").onclick = () => box.remove();
}

const tells = innerWidth < NARROW
  ? `Writing code needs a larger screen. <a style="color:#fff" href="${page}">Read this unit in the book</a>, and come back with a computer.`
  : `<strong>Python is starting.</strong> The first time, about ${MEGABYTES} MB are loaded; this browser keeps them. ` +
    "Read on meanwhile. What you write stays in this browser.";
say(tells);

const starting = setInterval(async () => {
  const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
  if (!kernel) return;
  clearInterval(starting);
  window.jupyterapp.commands.execute("toc:show-panel");
  await kernel.info; // the kernel says it is idle long before Python is there, but answers only then
  document.documentElement.dataset.python = "ready";
  if (innerWidth >= NARROW && box.isConnected) {
    say("<strong>Python is ready.</strong> Run a cell with Shift and Enter.");
    setTimeout(() => box.remove(), 5000);
  }
}, 250);
