"""A conversation in a notebook: the answer appears while it is written, and whose functions wrote it."""

from html import escape

import numpy as np

from transformer_kit.experiments.chat.lines import RIGHT, line_called
from transformer_kit.experiments.chat.running import written
from transformer_kit.pictures.learners import at_work, credit, drawn_or_said
from transformer_kit.plots.renewed import Renewed
from transformer_kit.public.smollm import END
from transformer_kit.style import BLUE, ORANGE

PIRATE = "You are a pirate."
TOP_P = 0.9  # where tokens are drawn
N_PIECES = 120
# The toolbar of JupyterLab has the one button that reaches a kernel which is busy; elsewhere ours says so.
STOP = """<button style="font:inherit;color:inherit;background:none;border:1px solid;border-radius:6px;padding:3px 12px"
 data-lm-suppress-shortcuts="true">■ Stop</button><script>{
const button = document.currentScript.previousElementSibling;
button.addEventListener("click", () => {
  const panel = button.closest(".jp-NotebookPanel");
  const own = panel && panel.querySelector('[data-command="notebook:interrupt-kernel"]');
  if (own) own.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })); // what JupyterLab listens to there
  else button.textContent = "Choose Interrupt in the menu Kernel";
});
}</script>"""
BOX = 'style="border-left:3px solid {colour};padding:2px 12px;margin:6px 0;max-width:640px;white-space:pre-wrap"'


class Chat:
    """A conversation with a chat model on a learner's functions. Call it with what you say.

    Parameters
    ----------
    model : ChatModel
    functions : object
        Has the functions of units 00 to 13 as attributes.
    system : str
        What the model is told about itself.
    broken : str, optional
        A line that is changed, by its name in `LINES`; then single functions are put together by the course.
    temperature : float
        0 takes the likeliest piece at each step.
    seed : int
        Of the draws.
    """

    def __init__(self, model, functions, system=PIRATE, broken=None, temperature=0.0, seed=0):
        self.model, self.functions, self.system, self.temperature = model, functions, system, temperature
        self.line = line_called(broken) if broken else RIGHT
        self.turns, self._rng = [], np.random.default_rng(seed)

    def __call__(self, text, n_pieces=N_PIECES):
        """Say something, and show the answer while it is written.

        Parameters
        ----------
        text : str
        n_pieces : int
            How many the model may write at most.
        """
        problem = self._say(text, n_pieces)
        if problem:
            Renewed(f"<p>{escape(problem.text)}</p>", problem.text)

    @drawn_or_said
    def _say(self, text, n_pieces):
        reply = _Reply(text, self.line)
        ids, ending = [], ""

        def answer():
            try:
                self._write([*self.turns, ("user", text)], ids, reply, n_pieces)
            except KeyboardInterrupt:
                return ", and stopped by you"
            return "" if len(ids) < n_pieces else f", and cut off after {n_pieces} pieces"

        ending, mine, lent = at_work(answer)
        said = self.model.pieces.decode(ids)
        self.turns += [("user", text), ("assistant", said)]
        reply.show(said, f"written {credit(mine, lent)}{ending}")

    def _write(self, turns, ids, reply, n_pieces):
        """Write an answer; its ids are put into a list as they come."""
        functions, (decoder, pieces) = self.functions, self.model
        prompt = pieces.encode(functions.chat_prompt(turns, self.system), functions.byte_pair_merge)
        ends = (pieces.marks[END],)

        def choose(logits):
            if self.temperature > 0:
                logits = functions.top_p_filter(logits, TOP_P)
            probs = functions.apply_temperature(logits, self.temperature)
            chosen = int(functions.sample_token(probs, self._rng.random()))
            if chosen not in ends:
                ids.append(chosen)
                reply.show(pieces.decode(ids).rstrip("\ufffd"), "writing ...")  # a character may need several pieces
            return chosen

        if self.line is RIGHT:
            functions.write(prompt, decoder, choose, ends, n_pieces)
        else:
            with np.errstate(all="ignore"):
                written(prompt, decoder, self.line.applied(functions), choose, ends, n_pieces)


class _Reply:
    """What is said and answered, shown at once and renewed with every piece."""

    def __init__(self, text, line):
        self._asked = text
        self._note = f"One line is wrong: {line.name}. " if line is not RIGHT else ""
        Renewed(STOP, "")
        self._page = Renewed(*self._content("", "reading ..."))

    def show(self, said, note):
        """Show an answer as far as it is known."""
        self._page.show(*self._content(said, note))

    def _content(self, said, note):
        note = self._note + note
        you, model = (BOX.format(colour=colour) for colour in (ORANGE, BLUE))
        page = (
            f"<div {you}>{escape(self._asked)}</div><div {model}>{escape(said)}</div>"
            f'<p style="opacity:.75;font-size:12px">{escape(note)}</p>'
        )
        return page, f"You: {self._asked}\nModel: {said}\n({note})"
