"""Specification of `dequantised`."""

import numpy as np

from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

HALVES = "Two numbers in a byte"
LEVELS = "Sixteen levels"

EXERCISE = Exercise(
    reference=reference.dequantised,
    asks="the numbers of every block: its lowest level plus its step times what the halves of the bytes say.",
    returns=(Output("numbers", "(n_blocks, 32)"),),
    calls=calls.DEQUANTISED,
    lookalike=lookalikes.DEQUANTISED,
)


def _halfs(rng, *shape, size=1.0):
    """Draw numbers of half precision."""
    return (size * rng.standard_normal(shape)).astype(np.float16)


def _packed(rng, n_blocks):
    return rng.integers(0, 256, (n_blocks, 16)).astype(np.uint8)


@EXERCISE.claim(1)
def order(call, rng):
    """the low halves of the 16 bytes come first, then the high halves"""
    one, none = np.ones(1, np.float16), np.zeros(1, np.float16)
    by_hand = np.zeros((1, 16), np.uint8)
    by_hand[0, :2] = 0x21, 0x43  # 1, 3, 0, ... and, from place 16 on, 2, 4, 0, ...
    call.agrees(one, none, by_hand)
    call.agrees(one, none, rng.permuted(np.arange(16) * 16 + rng.permutation(16))[None].astype(np.uint8))
    for n_blocks in (3, 5):
        call.agrees(np.ones(n_blocks, np.float16), np.zeros(n_blocks, np.float16), _packed(rng, n_blocks))


@EXERCISE.claim(0.75)
def levels(call, rng):
    """every block has its own step and its own lowest level"""
    for n_blocks in (1, 4, 7, 16, 32):
        call.agrees(np.abs(_halfs(rng, n_blocks)), _halfs(rng, n_blocks), _packed(rng, n_blocks))


@EXERCISE.claim(0.5)
def precision(call, rng):
    """computes in single precision: nothing is rounded, and nothing becomes infinite"""
    call.agrees(_halfs(rng, 5, size=9000.0), _halfs(rng, 5, size=20000.0), _packed(rng, 5) | 0x99)
    for n_blocks in (3, 6):  # numbers that single precision holds exactly, in whatever order they are computed
        scales, smallest = ((rng.integers(1, 2000, n_blocks) / 2**20).astype(np.float16) for _ in range(2))
        given = scales, smallest, _packed(rng, n_blocks)
        expected = reference.dequantised(*given)
        call.equals(call.array(expected.shape, *given), expected, call.exercise.returns[0], ())


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    given = _halfs(rng, 4), _halfs(rng, 4), _packed(rng, 4)
    call.leaves_inputs_alone(*given)
    call.agrees(*given)


wrong = WrongAnswers(EXERCISE, globals())


wrong.at(HALVES)
wrong("alternating", {
    "np.concatenate([packed & 15, packed >> 4], axis=-1)":
        "np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(packed), -1)",
}, """
    The two halves of a byte become neighbours.
    The low halves of all 16 bytes are numbers 0 to 15, the high halves are numbers 16 to 31.""")

wrong("high-first", {"[packed & 15, packed >> 4]": "[packed >> 4, packed & 15]"}, """
    The high halves come first.
    The low halves are numbers 0 to 15.""")

wrong("not-shifted", {"packed >> 4": "packed & 240"}, """
    The high halves are not moved down.
    `packed & 0xF0` keeps the four upper bits where they are, where they are worth 16 times as much.""")

wrong("not-cut-off", {"packed & 15": "packed"}, """
    The low halves still have the high halves in them.
    `packed & 15` keeps the four lower bits.""")

wrong("joined-below", {"np.concatenate([packed & 15, packed >> 4], axis=-1)":
                       "np.concatenate([packed & 15, packed >> 4]).reshape(len(packed), -1)"}, """
    All low halves come first, those of the other blocks as well.
    The halves of a block belong together: join them along the last axis, side by side.""")

wrong("low-half-twice", {"packed >> 4": "packed & 15"}, """
    The low halves are used twice.
    Each byte holds two levels.""")

wrong("seven", {"packed & 15": "packed & 7"}, """
    One bit of each low half is lost.
    Four bits hold the numbers 0 to 15, and `& 15` keeps them.""")

wrong("one-bit-too-few", {"packed >> 4": "packed >> 3"}, """
    The high halves are moved by three bits.
    Half a byte has four.""")

wrong.at(LEVELS)
wrong("centred", {"* levels": "* (levels - 8.0)"}, """
    8 is subtracted from every level.
    There are formats in which the levels lie around 0. Here the lowest level is stored, and 0 is that level.""")

wrong("exchanged", "dequantised(smallest, scales, packed)", """
    The step and the lowest level are exchanged.
    The step multiplies, the lowest level is added.""")

wrong("added-first", {"_column(scales) * levels + _column(smallest)": "_column(scales) * (levels + _column(smallest))"},
      """
    The lowest level is added before it is multiplied.
    It is a number like those that come out, not a count of steps.""")

wrong("zero-point", {"* levels + _column(smallest)": "* (levels - _column(smallest))"}, """
    The lowest level is subtracted before it is multiplied.
    There are formats with a zero point, a level that stands for 0. Here a number is stored, which is added.""")

wrong("no-lowest-level", {" + _column(smallest)": ""}, """
    The lowest level is not added.
    The step alone makes numbers from 0 on.""")

wrong("subtracted", {"levels + _column": "levels - _column"}, """
    The lowest level is subtracted.
    It is added; where numbers are negative, it is negative itself.""")

wrong("one-step-for-all", "dequantised(np.full_like(scales, scales[0]), smallest, packed)", """
    All blocks have the step of the first one.
    Each block of 32 numbers has its own.""")

wrong("one-lowest-level-for-all", "dequantised(scales, np.full_like(smallest, smallest[0]), packed)", """
    All blocks have the lowest level of the first one.
    Each block of 32 numbers has its own.""")

wrong("fifteenths", {"* levels": "* (levels / np.float32(15))"}, """
    The levels are divided by 15.
    The step is the distance between two levels, not the whole range.""")

wrong.at()
wrong("half-precision", {".astype(np.float32)": ".astype(np.float16)"}, """
    The numbers are computed in half precision.
    Half precision has three digits, and ends at 65,504. Turn step and lowest level to float32 before you multiply.""")

wrong("half-precision-on-the-way", {
    "_column(scales) * levels + _column(smallest)":
        "(_column(scales).astype(np.float16) * levels + _column(smallest).astype(np.float16)).astype(np.float32)",
}, """
    The numbers are computed in half precision, and become float32 at the end.
    What was rounded on the way stays rounded. Turn step and lowest level to float32 before you multiply.""")

wrong("in-one-row", "dequantised(scales, smallest, packed).ravel()", """
    All numbers stand in one row.
    There is a row for each block.""")

wrong("blocks-as-columns", "dequantised(scales, smallest, packed).T", """
    The blocks stand in columns.
    There is a row for each block.""")
