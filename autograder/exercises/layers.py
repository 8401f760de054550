"""A trained model on a learner's own functions, part by part: which part differs first, and why.

A notebook calls `compare_layers(functions)`.
"""

from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import numpy as np

from autograder.evaluation.evaluate import Verdict
from autograder.feedback.finding import of_cause
from autograder.feedback.html import GREEN, RED, badge, box, escaped
from autograder.feedback.report import MARKS
from autograder.learner.local import evaluate_locally
from autograder.registry import find, unit_of
from transformer_kit import reference
from transformer_kit.corpus.vocabulary import PAD, ids_of
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.pictures import machine
from transformer_kit.pictures.parts import parts_of
from transformer_kit.trained.model import load_model

TOLERANCE = 1e-3  # other values of eps and other precisions stay below 3e-4, known mistakes are above 1e-2
ENGLISH = ("i like black cats .", "the red car is new today .")
SPANISH = ("<bos> me gustan los gatos", "<bos> el coche rojo es")
SCROLLS = 'style="overflow-x:auto" role="region" aria-label="Part by part" tabindex="0"'  # on a phone, by keys, too
LAST_UNIT = "07"  # from which `trace` calls functions


@dataclass(frozen=True)
class Part:
    """A part of the computation: its name, and its largest difference from what it should be.

    `problem` says in words why there is no difference to measure.
    """

    name: str
    difference: float = np.inf
    problem: str = ""

    @property
    def right(self) -> bool:
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
    from_course : tuple of str
        Names of the functions that are the course's own.
    """

    def __init__(
        self, parts: tuple[Part, ...], verdicts: tuple[Verdict, ...], from_course: tuple[str, ...] = ()
    ) -> None:
        self.parts, self.verdicts, self.from_course = parts, verdicts, from_course
        self.first = None if parts[-1].right else parts[-1].name

    @property
    def mistakes(self) -> tuple[tuple[str, str], ...]:
        """Names of functions and ids of their known mistakes, as ``(("layer_norm", "ddof-1"),)``."""
        causes = ((v.exercise.name, v.cause) for v in self.verdicts)
        return tuple((inside or name, mistake.id) for name, cause in causes if cause for mistake, inside in cause.pairs)

    def __repr__(self):
        rows = (f"  {MARKS[part.right]} {part.name:<34}{_measured(part)}" for part in self.parts)
        return "\n".join([self._headline(), *rows, *(f"  {text}" for text in self._advice())])

    def _repr_html_(self):
        cell = '<td style="text-align:left;padding:1px 12px 1px 0">'
        rows = "".join(
            f"<tr>{cell}{badge(part.right)}</td>{cell}<code>{part.name}</code></td>"
            f"{cell}{escape(_measured(part))}</td></tr>"
            for part in self.parts
        )
        head = f"<tr>{cell}</td>{cell}<strong>part</strong></td>{cell}<strong>largest difference</strong></td></tr>"
        advice = "".join(f'<div style="margin:8px 0 2px 0">{escaped(text)}</div>' for text in self._advice())
        table = f"<div {SCROLLS}><table>{head}{rows}</table></div>"
        shown, folded = (self.machine.html, table) if self.first else ("", self.machine.html + table)
        content = f"<strong>{escape(self._headline())}</strong>{advice}{shown}"
        content += f"<details><summary>Part by part</summary>{folded}</details>"
        return box(RED if self.first else GREEN, content)

    @property
    def machine(self) -> Any:
        """The model with what is right and what is not."""
        verdicts: dict[str, bool] = {}
        for part in self.parts:
            key = part.name.removesuffix(".weights")
            verdicts[key] = verdicts.get(key, True) and part.right
        return machine(verdicts=verdicts, model=_model())

    def _headline(self):
        if self.first is None:
            return f"All {len(self.parts)} parts of the trained model are right{self._origin()}."
        after = "Everything after it depends on it, so nothing more is shown."
        return f"The first part that differs: {in_words(self.first)}. {after}"

    def _origin(self):
        if not self.from_course:
            return ", with your functions"
        return f", but these functions are the course's: {', '.join(self.from_course)}"

    def _advice(self):
        if self.first is None:
            return []
        names = ", ".join(f"`{name}`" for name in at_work(self.first)) or "none of yours"
        causes = [_cause(verdict) for verdict in self.verdicts]
        if not causes:
            causes = ["The checks of these functions find nothing. Did you load the versions that you have checked?"]
        return [f"At work there: {names}.", *causes]


def compare_layers(functions: object) -> Comparison:
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
    (source_ids, source_is_token, target_ids, model), expected = _trained()
    got: dict[str, Any] = {}
    error = None
    try:
        with np.errstate(all="ignore"):
            trace(source_ids, source_is_token, target_ids, model, functions, got)
    except Exception as raised:  # of the learner's
        error = raised
    parts = _parts(got, expected, error)
    suspects = [] if parts[-1].right else _found(functions, at_work(parts[-1].name))
    verdicts = (evaluate_locally(find(name), function)[0] for name, function in suspects)
    from_course = tuple(
        name for name, function in vars(functions).items() if function is getattr(reference, name, None)
    )
    return Comparison(parts, tuple(v for v in verdicts if v.status != "passed"), from_course)


@cache
def _trained():
    """Return the inputs of a trace, two sentences of different lengths, and the reference's parts."""
    model = load_model()
    numbers = {word: number for number, word in enumerate(model.target_words)}
    sources = [ids_of(words.split(), model.source_vocabulary) for words in ENGLISH]
    target_ids = np.array([ids_of(words.split(), numbers) for words in SPANISH])
    given = *reference.pad_batch(sources, PAD), target_ids, model
    return given, trace(*given)


def _model():
    return _trained()[0][-1]


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


def at_work(part: str) -> tuple[str, ...]:
    """Return the names of the functions that a part is made of, in the order of the course."""
    key = part.removesuffix(".weights")
    keys = (f"{key}.embedding", key)  # a trace has the vectors only when their positions are in them
    names = (name for one in parts_of(_model()) if one.key in keys for name in one.functions)
    return tuple(name for name in names if unit_of(find(name)).id[:2] <= LAST_UNIT)


def in_words(part: str) -> str:
    """Say which part a name stands for: "encoder layer 0, norm_1"."""
    stack, *rest = part.split(".")
    if not rest:
        ends = {"source": "the input of the encoder", "target": "the input of the decoder", "logits": "the logits"}
        return ends[stack]
    number, *rest = rest
    kind = " ".join(rest).replace("_", "-") if "norm" not in rest[0] else rest[0]
    return f"{stack} layer {number}, {kind}"


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
    exercise = verdict.exercise
    number = unit_of(exercise).id[:2]
    points = f"`{exercise.name}` gets {verdict.points:g} of {exercise.points:g} points"
    if not verdict.cause:
        return f"{points} in its check: look at notebook {number}, the section “{exercise.where}”."
    return f"{points}. {of_cause(verdict.cause, exercise).in_words(number)}"
