const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -99, End: 99 };
choose([...svg.querySelectorAll(".part")], data.start, steps, (index) => { caption.textContent = data.sentences[index]; });
caption.textContent = data.note;
