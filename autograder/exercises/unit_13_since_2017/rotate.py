"""Specification of `rotate`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, judged
from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import angular_frequencies

PAIRS = "Neighbouring columns turn"
POSITIONS = "Which position is it?"

EXERCISE = Exercise(
    reference=reference.rotate,
    asks="turn every pair of neighbouring columns by its position times the frequency of the pair.",
    returns=(Output("turned", "(..., n, d)"),),
    where=PAIRS,
    calls=calls.ROTATE,
    lookalike=lookalikes.ROTATE,
)


def _given(rng, n=5, d=6, start=0):
    return rng.standard_normal((n, d)), start + np.arange(n)


@EXERCISE.claim(1.25)
def values(call, rng):
    """each pair turns by its own angle, the first pair fastest"""
    call.agrees(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1]))  # by hand: (1, 0) and (cos 1, sin 1)
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, 3, 10), 40.0)
    call.agrees(*_given(rng, 7, 4, 900))


@EXERCISE.claim(0.75)
def distance(call, rng):
    """lengths stay, and the product of a query and a key depends on their distance only"""
    q, k = rng.standard_normal((2, 8))
    gap, far = int(rng.integers(2, 6)), int(rng.integers(200, 900))
    pairs = [(0, gap), (7, 7 + gap), (far, far + gap), (0, gap + 1)]
    turned = [call.array((2, 8), np.stack([q, k]), np.array(pair)) for pair in pairs]
    scores = [float(one[0] @ one[1]) for one in turned]
    lengths = np.linalg.norm(turned, axis=-1) - np.linalg.norm([q, k], axis=-1)
    slack = bound_for(1e-8, *turned)
    call.holds(np.abs(lengths).max() < slack, "a turned vector is not as long as it was. A rotation keeps lengths.")
    moved = max(abs(score - scores[0]) for score in scores[:3])
    call.holds(moved < slack, f"at the same distance, the product of a query and a key differs by {moved:.3g}.")
    call.holds(abs(scores[3] - scores[0]) > 1e-6, "at another distance, the product of a query and a key is the same.")


@EXERCISE.claim(1)
def positions(call, rng):
    """the positions are those given, in any order"""
    for n, d in ((4, 6), (1, 8)):
        call.agrees(rng.standard_normal((n, d)), rng.choice(np.arange(3, 60), n, replace=False))
    call.agrees(rng.standard_normal((3, 4)), np.array([5, 5, 2]) + int(rng.integers(3, 9)))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone; takes any leading axes, and float32"""
    X, places = _given(rng, 4, 6, 3)
    call.leaves_inputs_alone(X, places)
    call.agrees(X, places)
    agrees_here(call, rng.standard_normal((4, 3, 6)), np.arange(2, 5))
    agrees_here(call, rng.standard_normal((2, 3, 5, 4)), np.arange(5))
    with judged():
        call.agrees(X.astype(np.float32), places, 70.0)


@EXERCISE.claim(0.25, side=True)
def odd(call, rng):
    """an odd number of columns raises a ValueError"""
    width = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(rng.standard_normal((3, width)), np.arange(3), mentions=[])
    call.agrees(*_given(rng))


wrong = WrongAnswers(EXERCISE, globals())


def _turned(X, cos, sin):
    """Turn neighbouring columns; the sines and cosines have the shape (n, d / 2)."""
    first, second = X[..., 0::2], X[..., 1::2]
    return np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1).reshape(X.shape)


def _angles(X, positions, base):
    return np.asarray(positions)[:, None] * angular_frequencies(X.shape[-1], base)


wrong.at(PAIRS)


@wrong.function
def halves_for_neighbours(X, positions, base=10000.0):
    """Column i is paired with column i + d / 2, not with its neighbour.
    Both are called rotary positions, and models are trained with either. Here columns 0 and 1 make a pair, then 2 and
    3. A model that was trained with one way cannot be run with the other."""
    angles = _angles(X, positions, base)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(X, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


@wrong.function
def not_put_back(X, positions, base=10000.0):
    """The turned columns are not put back in their places: all first ones come before all second ones.
    Column 2i of the result belongs to column 2i of X. Write into the places with the same steps that you read from."""
    turned = reference.rotate(X, positions, base)
    return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)


wrong("backwards", "rotate(X, -np.asarray(positions), base)", """
    Every pair turns backwards.
    (1, 0) at position 1 becomes (cos 1, sin 1). With `X @ R.T` of unit 01's shift matrix it turns the other way, since
    the sines stood first there.""")

wrong("sine-and-cosine-exchanged", {"np.cos(angles)": "np.sin(angles)", "np.sin(angles)": "np.cos(angles)"}, """
    Sine and cosine are exchanged.
    At position 0 nothing turns: the cosine of 0 is 1, the sine is 0.""")

wrong("sign-missing", {"first * cos - second": "first * cos + second"}, """
    The minus is missing.
    With two plus signs lengths change, and nothing is turned. The sine is subtracted in the first column and added in
    the second.""")

wrong("second-column-exchanged", {"first * sin + second * cos": "first * cos + second * sin"}, """
    In the second column sine and cosine are exchanged.
    At position 0 both columns stay as they are: there the sine is 0, and what it multiplies is gone.""")

wrong("both-subtracted", {"first * sin + second": "first * sin - second"}, """
    Something is subtracted in both columns.
    That is a reflection. In the second column the two products are added.""")

wrong("turned-already", {"first * sin + second": "turned[..., 0::2] * sin + second"}, """
    The second column is made of the first one after it was turned.
    Both columns of a pair are made of both columns as they came in. Keep the old ones until the pair is done.""")

wrong("second-column-left", {"first * sin + second * cos": "second"}, """
    Only the first column of each pair is turned.
    A rotation moves both.""")

wrong("added", "X + positional_encoding(int(np.max(positions)) + 1, X.shape[-1], base)[np.asarray(positions)]", """
    Sines and cosines are added to X.
    That was the paper's way. Here nothing is added: each pair of columns is turned, so that its length stays.""")

wrong("multiplied", {"- second * sin": "", "first * sin + second * cos": "second * sin"}, """
    The first columns are multiplied by the cosine and the second ones by the sine.
    Turning mixes the two columns of a pair: each new one is made of both old ones.""")

wrong("one-speed", "_turned(X, np.cos(_angles(X, positions, 1.0)), np.sin(_angles(X, positions, 1.0)))", """
    All pairs turn at the same speed.
    The frequency of pair i is base to the power of -2i/d, as in unit 01: each pair is slower than the one before.""")

wrong("slow-first", {"angular_frequencies(X.shape[-1], base)": "angular_frequencies(X.shape[-1], base)[::-1]"}, """
    The last pair turns fastest.
    Columns 0 and 1 turn by one radian per position, and every further pair more slowly.""")

wrong("exponent-without-minus", {"angular_frequencies(X": "1 / angular_frequencies(X"}, """
    Every pair turns faster than the one before.
    The exponent of pair i is -2i/d: with the minus, each pair is slower than the one before.""")


@wrong.function
def angles_in_halves(X, positions, base=10000.0):
    """Neighbouring columns are paired, but their angles are those of columns i and i + d / 2.
    Where each angle stands twice, once for each column of its pair, the two are neighbours as well: `np.repeat`, and
    not the whole list once more."""
    angles = np.tile(_angles(X, positions, base), 2)
    other = np.stack([-X[..., 1::2], X[..., 0::2]], axis=-1).reshape(X.shape)
    return X * np.cos(angles) + other * np.sin(angles)


wrong("exponent-doubled", "rotate(X, positions, base**2)", """
    The exponent is twice too large.
    The exponent of pair i is -2i/d. Where the numbers 0, 2, 4 count columns, the factor 2 is in them already.""")

wrong("exponent-halved", "rotate(X, positions, base**0.5)", """
    The exponent is half as large as it should be.
    The exponent of pair i is -2i/d. With i from 0 to d/2 - 1, the factor 2 is needed.""")

wrong("base-ignored", "rotate(X, positions)", """
    The argument base is ignored.
    10,000 is only the default. The model of this unit has 100,000.""")

wrong.at(POSITIONS)
wrong("positions-counted", "rotate(X, np.arange(X.shape[-2]), base)", """
    The positions are counted from 0, whatever is given.
    A token that is read alone is not the first of its text. `positions` says where each row of X stands.""")

wrong("positions-from-1", "rotate(X, np.asarray(positions) + 1, base)", """
    Every position is one too high.
    The positions are given as they are to be used.""")

wrong("first-position-for-all", "rotate(X, np.full(X.shape[-2], np.asarray(positions)[0]), base)", """
    All rows turn by the angle of the first position.
    Each row has a position of its own. Is an axis missing in the product of positions and frequencies?""")

wrong("consecutive", {"np.asarray(positions)[:, None]": "(positions[0] + np.arange(X.shape[-2]))[:, None]"}, """
    Only the first of the positions is used, and the others are counted on from it.
    They may be any numbers, in any order. Use all of them.""")

wrong.at(PAIRS)


@wrong.function
def in_place(X, positions, base=10000.0):
    """X itself is turned.
    Whoever called the function may need the vector as it was. Write into a new array."""
    X[...] = reference.rotate(X, positions, base)
    return X


@wrong.function
def odd_column_left(X, positions, base=10000.0):
    """An odd number of columns is accepted, and the last one left as it is.
    Columns turn in pairs, so there has to be an even number of them. Anything else is a mistake of the caller."""
    even = X.shape[-1] // 2 * 2
    return np.concatenate([reference.rotate(X[..., :even], positions, base), X[..., even:]], axis=-1)
