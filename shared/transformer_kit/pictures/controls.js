// Native controls in a row of their own, above the caption: radio buttons, and a slider with its number.
function row(name, role) {
  const found = document.createElement("div");
  found.style = "display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;margin:6px 0;accent-color:#2563eb";
  found.setAttribute("role", role);
  found.setAttribute("aria-label", name);
  found.append(name);
  caption.before(found);
  return found;
}
function radios(name, choices, start, show) {
  const group = row(name, "radiogroup"), id = `choice${Math.random()}`;
  choices.forEach((choice, index) => {
    const label = document.createElement("label");
    label.style = "display:flex;align-items:center;gap:5px";
    label.innerHTML = `<input type="radio" name="${id}" style="margin:0">`;
    label.append(choice);
    label.firstChild.checked = index == start;
    label.firstChild.addEventListener("change", () => show(index));
    group.append(label);
  });
}
function slider(name, [from, to], start, show) {
  const group = row("", "presentation"), label = document.createElement("label");
  label.innerHTML = `${name} <input type="range" min="${from}" max="${to}" value="${start}" style="width:min(300px,45vw);max-width:100%;vertical-align:middle"> <output></output>`;
  const [knob, output] = label.children;
  const change = () => { output.value = knob.value; show(+knob.value); };
  knob.addEventListener("input", change);
  output.value = start;
  group.append(label);
  return { row: group, move: (value) => { knob.value = value; change(); } };
}

// Buttons for the states from 0 to count() - 1; the arrow keys walk, too. What is returned shows the state again.
function stepper(count, show) {
  const bar = document.createElement("p"), place = document.createElement("span");
  const [back, next] = [["‹ back", -1], ["next ›", 1]].map(([text, step]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.style = "font:inherit;color:inherit;background:none;border:1px solid;border-radius:6px;padding:3px 12px;margin:0 4px 0 0";
    button.addEventListener("click", () => go(step, button));
    return button;
  });
  let state = 0;
  function go(step, button) {
    state = Math.max(state + step, 0);
    for (const each of [back, next]) each.tabIndex = each == button ? 0 : -1;
    button.focus();
    tell();
  }
  function tell() {
    const last = count() - 1;
    state = Math.min(state, last);
    back.setAttribute("aria-disabled", state == 0);
    next.setAttribute("aria-disabled", state == last);
    place.textContent = ` ${state + 1} of ${last + 1} `;
    show(state);
  }
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -999, End: 999 }[event.key];
    if (!step) return;
    event.preventDefault();
    go(step, step < 0 ? back : next);
  });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "steps");
  bar.style.margin = "6px 0";
  back.tabIndex = -1;
  bar.append(back, place, next);
  caption.before(bar);
  tell();
  return tell;
}
