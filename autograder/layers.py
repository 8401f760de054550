"""A trained model on a learner's own functions, part by part: which part differs first, and why.

A notebook calls `compare_layers(functions)`.
"""

from dataclasses import dataclass
from functools import cache
from html import escape

import numpy as np

from autograder.exercises import find, unit_of
from autograder.feedback import FAIL, PASS, badge, box, escaped
from autograder.verdict import verdict_on
from transformer_kit import reference
from transformer_kit.activations import trace
from transformer_kit.model import load_model
from transformer_kit.vocabulary import PAD, ids_of

TOLERANCE = 1e-3  # other values of eps and other precisions stay below 3e-4, known mistakes are above 1e-2
ENGLISH = ("i like black cats .", "the red car is new today .")
SPANISH = ("<bos> me gustan los gatos", "<bos> el coche rojo es")
ATTENTION = ("softmax", "attention_scores", "masked_softmax", "masked_attention", "split_heads", "merge_heads")
# What the parts are made of, in the order of the course.
AT_WORK = {
    "source": ("embed", "angular_frequencies", "positional_encoding", "add_positions"),
    "target": ("embed", "angular_frequencies", "positional_encoding", "add_positions"),
    "attention": ("padding_mask", *ATTENTION, "multi_head_attention"),
    "self_attention": ("causal_mask", *ATTENTION, "multi_head_attention"),
    "cross_attention": ("padding_mask", *ATTENTION, "project_memory", "cross_attention"),
    "norm": ("layer_norm",),
    "ffn": ("relu", "position_wise_ffn"),
    "logits": (),
}


@dataclass(frozen=True)
class Part:
    """A part of the computation: its name, and its largest difference from what it should be.

    `problem` says in words why there is no difference to measure.
    """

    name: str
    difference: float = np.inf
    problem: str = ""

    @property
    def right(self):
        return not self.problem and self.difference <= TOLERANCE


class Comparison:
    """All parts up to the first one that differs; displays itself as a report.

    Attributes
    ----------
    parts : tuple of Part
    first : str or None
        Name of the first part that differs.
    verdicts : tuple of Verdict
        On the functions at work there that lose points, in the order of the course.
    lent : tuple of str
        Names of the functions that are the course's own.
    """

    def __init__(self, parts, verdicts, lent=()):
        self.parts, self.verdicts, self.lent = parts, verdicts, lent
        self.first = None if parts[-1].right else parts[-1].name

    @property
    def mistakes(self):
        """Names of functions and ids of their known mistakes, as ``(("layer_norm", "ddof-1"),)``."""
        return tuple((v.exercise.name, v.mistake.id) for v in self.verdicts if v.mistake)

    def __repr__(self):
        rows = (f"  {'PASS' if part.right else 'FAIL'} {part.name:<34}{_measured(part)}" for part in self.parts)
        return "\n".join([self._headline(), *rows, *(f"  {text}" for text in self._advice())])

    def _repr_html_(self):
        cell = '<td style="text-align:left;padding:1px 12px 1px 0">'
        rows = "".join(
            f"<tr>{cell}{badge('PASS' if part.right else 'FAIL')}</td>{cell}<code>{part.name}</code></td>"
            f"{cell}{escape(_measured(part))}</td></tr>"
            for part in self.parts
        )
        head = f"<tr>{cell}</td>{cell}<strong>part</strong></td>{cell}<strong>largest difference</strong></td></tr>"
        advice = "".join(f'<div style="margin:8px 0 2px 0">{escaped(text)}</div>' for text in self._advice())
        table = f"<table>{head}{rows}</table>"
        return box(FAIL if self.first else PASS, f"<strong>{escape(self._headline())}</strong>{table}{advice}")

    def _headline(self):
        if self.first is None:
            return f"All {len(self.parts)} parts of the trained model are right{self._whose()}."
        behind = "Everything behind it is made of it, so nothing more is shown."
        return f"The first part that differs: {in_words(self.first)}. {behind}"

    def _whose(self):
        if not self.lent:
            return ", with your functions"
        return f", but these functions are the course's: {', '.join(self.lent)}"

    def _advice(self):
        if self.first is None:
            return []
        names = ", ".join(f"`{name}`" for name in at_work(self.first)) or "none of yours"
        causes = [_cause(verdict) for verdict in self.verdicts]
        if not causes:
            causes = ["The checks of these functions find nothing. Did you load the versions that you have checked?"]
        return [f"At work there: {names}.", *causes]


def compare_layers(functions):
    """Run the trained model on functions of units 00 to 07, and compare every part with what it should be.

    Parameters
    ----------
    functions : object
        Has the functions as attributes: embed, positional_encoding, add_positions, padding_mask, causal_mask,
        multi_head_attention, cross_attention, position_wise_ffn, layer_norm.

    Returns
    -------
    Comparison
    """
    given, expected = _trained()
    got, error = {}, None
    try:
        with np.errstate(all="ignore"):
            trace(*given, functions, got)
    except Exception as raised:  # of the learner's
        error = raised
    parts = _parts(got, expected, error)
    suspects = [] if parts[-1].right else _found(functions, at_work(parts[-1].name))
    verdicts = (verdict_on(find(name), function)[0] for name, function in suspects)
    lent = tuple(name for name, function in vars(functions).items() if function is getattr(reference, name, None))
    return Comparison(parts, tuple(v for v in verdicts if v.status != "passed"), lent)


@cache
def _trained():
    """Return the inputs of a trace, two sentences of different lengths, and the reference's parts."""
    model = load_model()
    numbers = {word: number for number, word in enumerate(model.target_words)}
    sources = [ids_of(words.split(), model.source_vocabulary) for words in ENGLISH]
    target_ids = np.array([ids_of(words.split(), numbers) for words in SPANISH])
    given = *reference.pad_batch(sources, PAD), target_ids, model
    return given, trace(*given)


def _parts(got, expected, error):
    """Compare part by part, up to the first one that is not right."""
    parts = []
    for name, right in expected.items():
        parts.append(_part(name, got, right, error))
        if not parts[-1].right:
            break
    return tuple(parts)


def _part(name, got, right, error):
    if name not in got:
        return Part(name, problem=f"{type(error).__name__}: {error}")
    if not isinstance(got[name], np.ndarray) or got[name].shape != right.shape:
        return Part(name, problem=f"expected shape {right.shape}, got {np.shape(got[name])}")
    difference = np.abs(got[name] - right).max()
    return Part(name, difference, "" if np.isfinite(difference) else "there are numbers that are not finite")


def at_work(part):
    """Return the names of the functions that a part is made of, in the order of the course."""
    kind = next(piece for piece in reversed(part.split(".")) if piece != "weights")
    return AT_WORK["norm" if kind.startswith("norm") else kind]


def in_words(part):
    """Say which part a name stands for: "encoder layer 1, norm_1"."""
    stack, *rest = part.split(".")
    if not rest:
        ends = {"source": "the input of the encoder", "target": "the input of the decoder", "logits": "the logits"}
        return ends[stack]
    number, *rest = rest
    kind = " ".join(rest).replace("_", "-") if "norm" not in rest[0] else rest[0]
    return f"{stack} layer {int(number) + 1}, {kind}"


def _found(functions, names):
    """Yield the functions of these names; one that is not handed over may stand beside the one that calls it."""
    top = [getattr(functions, name, None) for name in reversed(names)]  # multi_head_attention before its helpers
    spaces = [vars(functions)] + [getattr(function, "__globals__", {}) for function in top]
    for name in names:
        function = next((space[name] for space in spaces if callable(space.get(name))), None)
        if function:
            yield name, function


def _measured(part):
    return part.problem or f"{part.difference:.2g}"


def _cause(verdict):
    exercise, mistake = verdict.exercise, verdict.mistake
    unit = unit_of(exercise)
    points = f"`{exercise.name}` gets {verdict.points:g} of {exercise.points:g} points"
    if not mistake:
        return f"{points} in its check: look at notebook {unit.id[:2]}, the section “{exercise.where}”."
    return f"{points}. Likely cause: {mistake.name}. {mistake.why} See notebook {unit.id[:2]}, “{mistake.where}”."
