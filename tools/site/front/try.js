// The two forms of the front page. A model is loaded when it is asked for the first time.
import { define, read, translate } from "./transformer.js";

const loading = {};

async function load(name) {
  const answer = await fetch(`models/${name}.bin`);
  if (!answer.ok) throw Error("The model could not be loaded. Try again in a moment.");
  return read(await answer.arrayBuffer());
}

function connect(form, name, ask) {
  const output = form.querySelector("output"), button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    output.className = "waiting";
    output.textContent = name in loading ? "…" : `Loading the model, ${form.dataset.size} …`;
    try {
      const model = await (loading[name] ??= load(name));
      await new Promise((resolve) => setTimeout(resolve)); // let the page show what it says
      const start = performance.now(), text = ask(model, new FormData(form));
      output.className = "answer";
      output.textContent = text;
      output.title = `computed in this page in ${Math.max(1, Math.round(performance.now() - start))} ms`;
    } catch (error) {
      if (!(await loading[name]?.catch(() => null))) delete loading[name];
      output.className = "remark";
      output.textContent = error.message;
    }
    button.disabled = false;
  });
  for (const example of form.querySelectorAll("[data-example]")) {
    example.addEventListener("click", () => {
      const [text, kind] = example.dataset.example.split("|");
      form.elements.text.value = text;
      if (kind) form.elements.kind.value = kind;
      form.requestSubmit();
    });
  }
}

connect(document.querySelector("#translate"), "translator", (model, form) => translate(form.get("text"), model));
connect(document.querySelector("#define"), "dictionary", (model, form) => define(form.get("text"), form.get("kind"), model));
