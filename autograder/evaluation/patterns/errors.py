"""Plain sentences for NumPy's errors, most of which are about shapes that do not go together."""

import math
import re

from autograder.evaluation.patterns import pytorch
from autograder.execution.outcome import LearnerError
from autograder.registry import reference

UNKNOWN = r"^name '(\w+)' is not defined"


def sentence(error: LearnerError, module: str = "") -> str:
    """Return one sentence about an error of NumPy or Python, empty where there is nothing to add to its message.

    Parameters
    ----------
    error : LearnerError
    module : str
        Of the reference of the exercise at hand: functions of earlier units can be loaded.

    Returns
    -------
    str
    """
    if habit := pytorch.sentence(error):
        return habit
    message = " ".join(error.message.split())
    if (unknown := re.search(UNKNOWN, message)) and _module(unknown[1]) < module:
        name = unknown[1]
        return f'`{name}` is a function of an earlier unit: bring it here with `{name} = load("{name}")`.'
    matches = ((re.search(pattern, message), words) for pattern, words in MESSAGES)
    return next((words(*match.groups()) for match, words in matches if match), "")


def _module(name):
    """Return the module of a function of the course; of any other name one that comes after all of them."""
    return getattr(getattr(reference(), name, None), "__module__", "~")


def _product(right, left):
    return f"A matrix product needs as many columns on its left as rows on its right; here {left} meets {right}."


def _entry_by_entry(shapes):
    shapes = [_lengths(shape) for shape in re.findall(r"\(([\d,]*)\)", shapes)]
    for axis in range(-1, -max(map(len, shapes)) - 1, -1):
        met = {}
        for shape in shapes:
            if len(shape) >= -axis and shape[axis] != 1:
                met.setdefault(shape[axis], shape)
        if len(met) > 1:
            (length, first), (other, second), *_ = met.items()
            return f"Shapes are paired from the right: {first} and {second} have {length} and {other} at axis {axis}."
    return ""


def _lengths(shape):
    return tuple(int(length) for length in shape.replace("newaxis", "-1").split(",") if length)


def _growing(shape, needed):
    shape, needed = _lengths(shape), _lengths(needed)
    return f"An array that is changed in place keeps its shape: {shape} cannot take in a result of shape {needed}."


def _reshaped(size, shape):
    lengths = _lengths(shape)
    product = -math.prod(lengths) if -1 in lengths else math.prod(lengths)
    if -1 in lengths:
        return f"{size} numbers cannot be laid out in the shape {lengths}: {size} is no multiple of {product}."
    return f"An array of {size} numbers cannot get the shape {lengths}, which holds {product}."


def _put(piece, room):
    return f"A piece of shape {_lengths(piece)} does not fit where it is put: there is room for {_lengths(room)}."


def _boolean(axis, size, other):
    return (
        f"A boolean index needs the length of the axis that it selects from: axis {axis} has {size}, the index {other}."
    )


def _outside(index, axis, size):
    numbers = f"-{size} to -1" if index.startswith("-") else f"0 to {int(size) - 1}"
    return f"Axis {axis} has the length {size}, so its entries have the numbers {numbers}: there is no entry {index}."


def _no_axis(axis, count):
    axes = "only axis 0 (or -1)" if count == "1" else f"the axes 0 to {int(count) - 1} (or -{count} to -1)"
    if count == "0":
        return "A single number has no axes to work along."
    return f"The array has {axes}: there is no axis {axis}."


def _joined(axis, length, other):
    return (
        f"Arrays that are joined must agree along the other axes: along axis {axis} one has {length}, another {other}."
    )


def _too_many_indices(count, indices):
    axis_word, index_word = "axis" if count == "1" else "axes", "index" if indices == "1" else "indices"
    return f"The array has {count} {axis_word}, but got {indices} {index_word}."


def _unpacked(names, values):
    there = "is only 1 value" if values == "1" else f"are only {values} values"
    return f"There are {names} names on the left, but there {there}: has the array fewer axes than you count on?"


def _unpacked_too_many(names):
    return f"More than {names} values come for {names} names: has the array more axes than you count on?"


def _unknown(name):
    return f"Nothing has the name `{name}` yet: run the cell that defines it, or look for a slip in the spelling."


def _too_early(name):
    return f"Nothing has been put into `{name}` yet: is that done in a line further down, or in an `if` or a loop?"


def _says(text):
    return lambda *_: text


SHAPE = r"\(([\d,]*)\)"  # in a message
MESSAGES = (
    (UNKNOWN, _unknown),
    (r"local variable '(\w+)' (?:where it is not|referenced before)", _too_early),
    (r"^matmul: .* core dimension 0.*\(size (\d+) is different from (\d+)\)", _product),
    (r"^shapes .* not aligned: (\d+) \(dim \d+\) != (\d+)", lambda left, right: _product(right, left)),
    (rf"non-broadcastable output operand with shape {SHAPE} doesn't match the broadcast shape {SHAPE}", _growing),
    (r"could not be broadcast together with shapes ((?:\([\d,]*\) ?)+)", _entry_by_entry),
    (r"cannot reshape array of size (\d+) into shape \(([\w,]*)\)", _reshaped),
    (rf"could not broadcast input array from shape {SHAPE} into shape {SHAPE}", _put),
    (r"boolean index .* along axis (\d+); size of axis is (\d+) but .* boolean axis is (\d+)", _boolean),
    (r"index (-?\d+) is out of bounds for axis (\d+) with size ([1-9]\d*)", _outside),
    (r"axis (-?\d+) is out of bounds for array of dimension (\d+)", _no_axis),
    (r"axes don't match array", _says("`transpose` needs one number for every axis of the array.")),
    (r"along dimension (\d+), the array at index \d+ has size (\d+) and the array .* has size (\d+)", _joined),
    (r"array is (\d+)-dimensional, but (\d+) were indexed", _too_many_indices),
    (r"truth value of an array", _says("`if`, `and`, `or` and `not` need one True or False, and got a whole array.")),
    (r"not enough values to unpack \(expected (\d+), got (\d+)\)", _unpacked),
    (r"too many values to unpack \(expected (\d+)", _unpacked_too_many),
    (r"inhomogeneous shape", _says("The rows that are put together have different lengths, so they make no array.")),
    (r"^operand has more dimensions than sub", _says("The array has more axes than your einsum has letters.")),
    (r"^output has more dimensions than sub", _says("The axes of your `...` before `->` have no place after it.")),
    (r"too many subscripts for operand", _says("Your einsum has more letters than the array has axes.")),
    (r"all input arrays must have the same shape", _says("Arrays that are stacked must all have the same shape.")),
    (r"Integers to negative integer powers", _says("Integers have no negative powers: write the base as a float.")),
)
