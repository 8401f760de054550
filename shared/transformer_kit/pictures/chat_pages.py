"""What was recorded of the chat model, as pages to read: pairs of answers, one of each broken, and chats."""

from html import escape

from transformer_kit.style import BLUE, ORANGE

PAIRS = (  # the line that was changed, the number of the prompt, and whether its answer stands first
    ("the vectors are centred, as in layer norm", 2, True),
    ("base 10,000 in place of 100,000", 1, False),
    ("GELU in place of SiLU", 1, True),
    ("no mask", 0, False),
    ("positions counted from 0 in every call", 0, True),
)
CELL = 'style="border:1px solid;border-color:color-mix(in srgb, currentColor 30%, transparent);padding:6px 10px;'
TOP = f'{CELL}vertical-align:top;text-align:left;white-space:pre-wrap;max-width:300px"'


class Page:
    """A page without a script, with its text for everybody else.

    Parameters
    ----------
    html, text : str
    """

    def __init__(self, html, text):
        self.html, self.text = html, text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": self.text}

    def __repr__(self):
        return self.text


def broken_pairs(recording):
    """Show pairs of answers, of which one comes from a model with a wrong line; which it is stands folded below.

    Parameters
    ----------
    recording : Chat
        What `load_recording("chat")` returns.

    Returns
    -------
    Page
    """
    rows, texts, solved = [], [], []
    for number, (line, prompt, is_first) in enumerate(PAIRS, 1):
        place = list(recording.lines).index(line)
        answers = [str(recording.answers[which][prompt]) or "(nothing)" for which in (place, 0)]
        shown = answers if is_first else answers[::-1]
        key = f"The {'left' if is_first else 'right'} one. Its line: {line}; loss {recording.loss[place][0]:.2f}, "
        key += f"as it should be {recording.loss[0][0]:.2f}."
        asked = str(recording.prompts[prompt])
        cells = "".join(f"<td {TOP}>{escape(text)}</td>" for text in shown)
        fold = f"<details><summary>Which one is broken?</summary>{escape(key)}</details>"
        rows.append(f"<tr><th {TOP}>{number}. {escape(asked)}</th>{cells}<td {TOP}>{fold}</td></tr>")
        texts.append(f"{number}. {asked}\n   left:  {shown[0]!r}\n   right: {shown[1]!r}")
        solved.append(f"{number}: {key}")
    head = "".join(f'<th scope="col" {TOP}>{name}</th>' for name in ("asked", "left", "right", "solution"))
    table = f'<table style="border-collapse:collapse"><tr>{head}</tr>{"".join(rows)}</table>'
    return Page(table, "\n".join([*texts, "Solution: " + " ".join(solved)]))


def recorded_chats(recording):
    """Show what the model was told, asked, and what it said.

    Parameters
    ----------
    recording : Chat

    Returns
    -------
    Page
    """
    found, texts = [], []
    for system, asked, said in zip(recording.systems, recording.asked, recording.said, strict=True):
        found.append(
            f'<p style="opacity:.75;font-size:12px;margin:10px 0 2px">{escape(system)}</p>'
            f'<div style="border-left:3px solid {ORANGE};padding:2px 12px">{escape(asked)}</div>'
            f'<div style="border-left:3px solid {BLUE};padding:2px 12px;max-width:640px;white-space:pre-wrap">'
            f"{escape(said)}</div>"
        )
        texts.append(f"[{system}]\n  You: {asked}\n  Model: {said}")
    return Page("".join(found), "\n".join(texts))
