"""Functions that learners wrote for `positional_encoding`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import angular_frequencies


@wrong(
    "puts all sines into the left half and all cosines into the right half",
    names={"halves"},
    line="return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)",
)
def halves(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.arange(seq_len)[:, None] * omega
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@wrong("has sine and cosine exchanged", names={"swapped"}, line="P[:, 0::2] = np.cos(angles)")
def exchanged(seq_len, d_model, base=10000.0):
    angles = np.outer(np.arange(seq_len), reference.angular_frequencies(d_model, base))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.cos(angles)
    P[:, 1::2] = np.sin(angles)
    return P


@wrong("counts the positions from 1", names={"positions-from-1"}, line="positions = np.arange(1, seq_len + 1)")
def positions_from_one(seq_len, d_model, base=10000.0):
    positions = np.arange(1, seq_len + 1)
    angles = positions[:, None] * reference.angular_frequencies(d_model, base)[None, :]
    P = np.empty((seq_len, d_model))
    P[:, ::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "does not hand on the base, so 10000 is always used",
    names={"base-ignored"},
    line="omega = reference.angular_frequencies(d_model)",
)
def base_not_handed_on(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model)
    p = np.arange(seq_len).reshape(-1, 1)
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.sin(p * omega)
    table[:, 1::2] = np.cos(p * omega)
    return table


@wrong(
    "gives every column a frequency of its own, so the cosine's angle differs from that of its sine",
    names={"own-exponent"},
    line="omega = 1 / base ** (j / d_model)",
)
def own_frequency_per_column(seq_len, d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"d_model {d_model} is odd")
    j = np.arange(d_model)
    omega = 1 / base ** (j / d_model)
    angles = np.arange(seq_len)[:, None] * omega
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))


@wrong(
    "turns the angles from degrees into radians, though they are radians already",
    names={"degrees"},
    line="angles = np.radians(angles)",
)
def degrees(seq_len, d_model, base=10000.0):
    angles = np.outer(np.arange(seq_len), reference.angular_frequencies(d_model, base))
    angles = np.radians(angles)
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "has rows and columns exchanged: one column per position",
    names={"transposed"},
    line="P = np.zeros((d_model, seq_len))",
)
def one_column_per_position(seq_len, d_model, base=10000.0):
    angles = np.outer(reference.angular_frequencies(d_model, base), np.arange(seq_len))
    P = np.zeros((d_model, seq_len))
    P[0::2] = np.sin(angles)
    P[1::2] = np.cos(angles)
    return P


@wrong(
    "fills every second row instead of every second column",
    names={"rows-alternate"},
    line="P[0::2] = np.sin(angles)[0::2]",
)
def every_second_row(seq_len, d_model, base=10000.0):
    omega = np.repeat(reference.angular_frequencies(d_model, base), 2)
    angles = np.arange(seq_len)[:, None] * omega
    P = np.zeros((seq_len, d_model))
    P[0::2] = np.sin(angles)[0::2]
    P[1::2] = np.cos(angles)[1::2]
    return P


@wrong("uses the sine in the odd columns as well", names={"sines-only"}, line="P[:, 1::2] = np.sin(angles)")
def only_sines(seq_len, d_model, base=10000.0):
    angles = np.arange(seq_len)[:, None] * reference.angular_frequencies(d_model, base)
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.sin(angles)
    return P


@wrong(
    "makes an array of integers, so all sines and cosines are cut off to -1, 0 or 1",
    line="P = np.zeros((seq_len, d_model), dtype=int)",
)
def integer_table(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    P = np.zeros((seq_len, d_model), dtype=int)
    for p in range(seq_len):
        P[p, 0::2] = np.sin(p * omega)
        P[p, 1::2] = np.cos(p * omega)
    return P


@wrong("leaves row 0 all zero, though its cosines are 1", line="for p in range(1, seq_len):")
def row_zero_empty(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    P = np.zeros((seq_len, d_model))
    for p in range(1, seq_len):
        for i in range(d_model // 2):
            P[p, 2 * i] = np.sin(p * omega[i])
            P[p, 2 * i + 1] = np.cos(p * omega[i])
    return P


@wrong(
    "multiplies positions and frequencies without adding an axis, so the shapes do not fit",
    line="angles = positions * omega",
)
def no_new_axis(seq_len, d_model, base=10000.0):
    positions = np.arange(seq_len)
    omega = reference.angular_frequencies(d_model, base)
    angles = positions * omega
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong("makes one row too few: the last position is missing", line="angles = np.outer(range(seq_len - 1), omega)")
def last_position_missing(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.outer(range(seq_len - 1), omega)
    P = np.zeros((len(angles), d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "divides the positions by the length of the sequence",
    names={"share-of-the-length"},
    line="p = np.arange(seq_len)[:, None] / seq_len",
)
def fraction_of_sentence(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    p = np.arange(seq_len)[:, None] / seq_len
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(p * omega)
    P[:, 1::2] = np.cos(p * omega)
    return P


@wrong(
    "multiplies the sine of the position by the frequency instead of taking the sine of the product",
    names={"frequency-outside"},
    line="P[:, 0::2] = np.sin(p) * omega",
)
def frequency_outside(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    p = np.arange(seq_len)[:, np.newaxis]
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(p) * omega
    P[:, 1::2] = np.cos(p) * omega
    return P


@wrong(
    "puts the pair i into the columns i and i + 1 instead of 2i and 2i + 1, so pairs overwrite each other and the "
    "right half stays 0",
    names={"pairs-overlap"},
    line="P[:, i] = np.sin(p * omega[i])",
)
def pairs_overlap(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    p = np.arange(seq_len)
    P = np.zeros((seq_len, d_model))
    for i in range(d_model // 2):
        P[:, i] = np.sin(p * omega[i])
        P[:, i + 1] = np.cos(p * omega[i])
    return P


@wrong("raises no ValueError that mentions the number for an odd d_model", names={"odd-unpaired"}, line=None)
def odd_not_refused(seq_len, d_model, base=10000.0):
    P = np.zeros((seq_len, d_model))
    for p in range(seq_len):
        for j in range(d_model):
            angle = p / base ** ((j - j % 2) / d_model)
            P[p, j] = np.sin(angle) if j % 2 == 0 else np.cos(angle)
    return P


@wrong(
    "has the exponent i / d_model instead of 2i / d_model",
    names={"exponent-halved"},
    line="omega = base ** (-np.arange(d_model // 2) / d_model)",
)
def single_i(seq_len, d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model = {d_model} is odd")
    omega = base ** (-np.arange(d_model // 2) / d_model)
    angles = np.arange(seq_len)[:, None] * omega
    P = np.zeros((seq_len, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


@wrong("divides every row by its length", line="return P / np.linalg.norm(P, axis=1, keepdims=True)")
def unit_rows(seq_len, d_model, base=10000.0):
    angles = np.outer(np.arange(seq_len), reference.angular_frequencies(d_model, base))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P / np.linalg.norm(P, axis=1, keepdims=True)


@wrong("forgets the cosines: the odd columns stay 0", names={"cosines-missing"}, line=None)
def cosines_forgotten(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.arange(seq_len).reshape(seq_len, 1) * omega
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    return P


@wrong(
    "raises the frequencies to the power of the position instead of multiplying",
    line="angles = omega ** np.arange(seq_len)[:, None]",
)
def power_of_position(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = omega ** np.arange(seq_len)[:, None]
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "gives all columns the first frequency",
    names={"one-frequency"},
    line="angles = np.arange(seq_len)[:, None] * omega[0] * np.ones(len(omega))",
)
def first_frequency_for_all(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.arange(seq_len)[:, None] * omega[0] * np.ones(len(omega))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "two: counts the positions from 1, and does not hand on the base",
    names={"positions-from-1", "base-ignored"},
    line="p = np.arange(1, seq_len + 1)[:, None]",
)
def from_one_without_base(seq_len, d_model, base=10000.0):
    p = np.arange(1, seq_len + 1)[:, None]
    angles = p * reference.angular_frequencies(d_model)
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "two: has sine and cosine exchanged, and puts them into two halves instead of neighbouring columns",
    names={"swapped", "halves"},
    line="P[:, :half] = np.cos(angles)",
)
def exchanged_halves(seq_len, d_model, base=10000.0):
    half = d_model // 2
    angles = np.outer(np.arange(seq_len), reference.angular_frequencies(d_model, base))
    P = np.zeros((seq_len, d_model))
    P[:, :half] = np.cos(angles)
    P[:, half:] = np.sin(angles)
    return P


@wrong(
    "returns the angles in both columns of a pair and takes neither sine nor cosine",
    line="return np.repeat(angles, 2, axis=1)",
)
def bare_angles(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.arange(seq_len)[:, None] * omega[None, :]
    return np.repeat(angles, 2, axis=1)


@wrong(
    "two: leaves row 0 all zero, though its cosines are 1, and has sine and cosine exchanged in the other rows",
    names={"swapped"},
    line="for p in range(1, seq_len):",
)
def row_zero_and_exchanged(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    P = np.zeros((seq_len, d_model))
    for p in range(1, seq_len):
        P[p, 0::2] = np.cos(p * omega)
        P[p, 1::2] = np.sin(p * omega)
    return P


@right
def strided_slices(seq_len, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = np.arange(seq_len)[:, None] * omega
    P = np.empty((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@right
def stack_and_reshape(seq_len, d_model, base=10000.0):
    angles = np.outer(np.arange(seq_len), reference.angular_frequencies(d_model, base=base))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)


@right
def two_loops(seq_len, d_model, base=10000.0):
    if d_model % 2 != 0:
        raise ValueError(f"d_model {d_model} is odd")
    table = np.zeros((seq_len, d_model))
    for p in range(seq_len):
        for i in range(d_model // 2):
            angle = p / base ** (2 * i / d_model)
            table[p, 2 * i] = np.sin(angle)
            table[p, 2 * i + 1] = np.cos(angle)
    return table


@right
def sine_with_phase(seq_len, d_model, base=10000.0):
    omega = np.repeat(reference.angular_frequencies(d_model, base), 2)
    phase = np.tile([0.0, np.pi / 2], d_model // 2)
    return np.sin(np.arange(seq_len)[:, None] * omega + phase)


@wrong(
    "makes the cosine from the sine, which loses its sign",
    names={"cosines-from-sines"},
    line="P[:, 1::2] = np.sqrt(1 - P[:, 0::2] ** 2)",
)
def cosine_from_sine(seq_len, d_model, base=10000.0):
    P = np.zeros((seq_len, d_model))
    angles = np.outer(np.arange(seq_len), angular_frequencies(d_model, base))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.sqrt(1 - P[:, 0::2] ** 2)
    return P


@wrong("writes a pair to the columns i and i + 1 instead of 2i and 2i + 1", names={"pairs-overlap"})
def columns_overlap(seq_len, d_model, base=10000.0):
    w = angular_frequencies(d_model, base)
    P = np.zeros((seq_len, d_model))
    for p in range(seq_len):
        for i in range(d_model // 2):
            P[p, i] = np.sin(p * w[i])
            P[p, i + 1] = np.cos(p * w[i])
    return P


@wrong(
    "stacks sines and cosines as two tables, and cuts them up anew",
    line="P = np.stack([np.sin(angles), np.cos(angles)])",
)
def stacked_in_front(seq_len, d_model, base=10000.0):
    angles = np.arange(seq_len)[:, None] * angular_frequencies(d_model, base)
    P = np.stack([np.sin(angles), np.cos(angles)])
    return P.reshape(seq_len, d_model)


@wrong(
    "turns the angles into degrees, although the sine takes radians",
    names={"into-degrees"},
    line="angles = np.rad2deg(positions * w)",
)
def into_degrees(seq_len, d_model, base=10000.0):
    w = reference.angular_frequencies(d_model, base)
    positions = np.arange(seq_len)[:, None]
    angles = np.rad2deg(positions * w)
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "takes the angles for degrees and turns them into radians",
    names={"degrees"},
    line="angles = np.deg2rad(positions * w)",
)
def from_degrees(seq_len, d_model, base=10000.0):
    w = reference.angular_frequencies(d_model, base)
    positions = np.arange(seq_len)[:, None]
    angles = np.deg2rad(positions * w)
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@wrong(
    "takes the positions for degrees",
    names={"degrees"},
    line="positions = np.radians(np.arange(seq_len))[:, None]",
)
def positions_in_degrees(seq_len, d_model, base=10000.0):
    w = reference.angular_frequencies(d_model, base)
    positions = np.radians(np.arange(seq_len))[:, None]
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(positions * w)
    P[:, 1::2] = np.cos(positions * w)
    return P
