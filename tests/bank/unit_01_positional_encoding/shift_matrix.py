"""Functions that learners wrote for `shift_matrix`, each with what is truly wrong with it."""

import math

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import positional_encoding
from transformer_kit import reference
from transformer_kit.reference import angular_frequencies


@wrong(
    "has the blocks transposed, so it shifts backwards",
    names={"transposed"},
    line="R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]",
)
def transposed_blocks(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        c, s = np.cos(a), np.sin(a)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return R


@wrong("returns the transposed matrix, so it shifts backwards", names={"transposed"}, line="return R.T")
def returns_transposed(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    even, odd = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    R[even, even] = np.cos(angles)
    R[even, odd] = np.sin(angles)
    R[odd, even] = -np.sin(angles)
    R[odd, odd] = np.cos(angles)
    return R.T


@wrong(
    "has the sign of the offset reversed, so it shifts backwards",
    names={"transposed"},
    line="angles = -offset * reference.angular_frequencies(d_model, base)",
)
def reversed_offset(offset, d_model, base=10000.0):
    angles = -offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        c, s = np.cos(angles[i]), np.sin(angles[i])
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@wrong(
    "does not hand on the base, so 10000 is always used",
    names={"base-ignored"},
    line="omega = reference.angular_frequencies(d_model)",
)
def base_not_handed_on(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model)
    R = np.zeros((d_model, d_model))
    for i, w in enumerate(omega):
        k = 2 * i
        R[k, k] = R[k + 1, k + 1] = np.cos(w * offset)
        R[k, k + 1] = np.sin(w * offset)
        R[k + 1, k] = -np.sin(w * offset)
    return R


@wrong(
    "has plus signs at both sines, the minus of the second addition theorem is missing",
    names={"minus-lost"},
    line="R[2 * i + 1, 2 * i] = math.sin(angle)",
)
def minus_missing(offset, d_model, base=10000.0):
    R = np.zeros((d_model, d_model))
    for i, omega in enumerate(reference.angular_frequencies(d_model, base)):
        angle = offset * omega
        R[2 * i, 2 * i] = math.cos(angle)
        R[2 * i, 2 * i + 1] = math.sin(angle)
        R[2 * i + 1, 2 * i] = math.sin(angle)
        R[2 * i + 1, 2 * i + 1] = math.cos(angle)
    return R


@wrong("gives the last cosine of every block a minus sign as well", line="block = np.array([[c, s], [-s, -c]])")
def reflection(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i in range(len(omega)):
        c, s = np.cos(offset * omega[i]), np.sin(offset * omega[i])
        block = np.array([[c, s], [-s, -c]])
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    return R


@wrong(
    "has sine and cosine exchanged in the blocks",
    names={"sine-on-diagonal"},
    line="R[j : j + 2, j : j + 2] = [[s, c], [c, -s]]",
)
def exchanged(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for j, angle in zip(range(0, d_model, 2), angles):
        s, c = np.sin(angle), np.cos(angle)
        R[j : j + 2, j : j + 2] = [[s, c], [c, -s]]
    return R


@wrong(
    "puts block i at row and column i instead of 2i, so the blocks overlap and the lower right stays 0",
    names={"blocks-overlap"},
    line="R[i : i + 2, i : i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]",
)
def blocks_overlap(offset, d_model, base=10000.0):
    angles = reference.angular_frequencies(d_model, base) * offset
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        R[i : i + 2, i : i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@wrong("turns every pair by the angle of the first pair", names={"one-angle"}, line="a = offset * omega[0]")
def one_angle_for_all(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    a = offset * omega[0]
    for j in range(0, d_model, 2):
        R[j, j], R[j, j + 1] = np.cos(a), np.sin(a)
        R[j + 1, j], R[j + 1, j + 1] = -np.sin(a), np.cos(a)
    return R


@wrong(
    "leaves the offset out of the angles", names={"offset-ignored"}, line="c, s = np.cos(omega[i]), np.sin(omega[i])"
)
def offset_left_out(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2):
        c, s = np.cos(omega[i]), np.sin(omega[i])
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@wrong(
    "drops the sign of the offset, so negative offsets turn forwards",
    names={"sign-of-offset-lost"},
    line="angles = abs(offset) * reference.angular_frequencies(d_model, base)",
)
def absolute_offset(offset, d_model, base=10000.0):
    angles = abs(offset) * reference.angular_frequencies(d_model, base)
    R = np.diag(np.repeat(np.cos(angles), 2))
    for i, s in enumerate(np.sin(angles)):
        R[2 * i, 2 * i + 1] = s
        R[2 * i + 1, 2 * i] = -s
    return R


@wrong("raises no ValueError for an odd d_model", line=None)
def odd_is_accepted(offset, d_model, base=10000.0):
    R = np.eye(d_model)
    for i in range(d_model // 2):
        angle = offset / base ** (2 * i / d_model)
        c, s = np.cos(angle), np.sin(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@wrong(
    "treats the angles as degrees",
    names={"degrees"},
    line="angles = np.deg2rad(offset * reference.angular_frequencies(d_model, base))",
)
def degrees(offset, d_model, base=10000.0):
    angles = np.deg2rad(offset * reference.angular_frequencies(d_model, base))
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@wrong("loop ends too early: the last block stays 0", line="for i in range(d_model // 2 - 1):")
def last_block_missing(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i in range(d_model // 2 - 1):
        a = angles[i]
        R[2 * i, 2 * i : 2 * i + 2] = np.cos(a), np.sin(a)
        R[2 * i + 1, 2 * i : 2 * i + 2] = -np.sin(a), np.cos(a)
    return R


@wrong("returns inside the loop, so the first block only is filled", names={"first-block-only"}, line="return R")
def returns_in_loop(offset, d_model, base=10000.0):
    R = np.zeros((d_model, d_model))
    for i, omega in enumerate(reference.angular_frequencies(d_model, base)):
        c, s = np.cos(omega * offset), np.sin(omega * offset)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
        return R


@wrong(
    "shifts the entries of the vector by the offset instead of turning the pairs",
    names={"columns-moved"},
    line="return np.eye(d_model, k=offset)",
)
def shifted_identity(offset, d_model, base=10000.0):
    if d_model % 2:
        raise ValueError(f"odd d_model {d_model}")
    return np.eye(d_model, k=offset)


@wrong(
    "is laid out for a table with all sines in the left half and all cosines in the right half",
    names={"halves"},
    line="top = np.hstack([np.diag(c), np.diag(s)])",
)
def halves(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    c, s = np.cos(angles), np.sin(angles)
    top = np.hstack([np.diag(c), np.diag(s)])
    bottom = np.hstack([np.diag(-s), np.diag(c)])
    return np.vstack([top, bottom])


@wrong(
    "returns a stack of blocks instead of one matrix with the blocks on its diagonal",
    line="return np.array(blocks)",
)
def stack_of_blocks(offset, d_model, base=10000.0):
    blocks = []
    for omega in reference.angular_frequencies(d_model, base):
        a = offset * omega
        blocks.append([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.array(blocks)


@wrong(
    "multiplies cosine and sine of the frequency by the offset instead of taking those of the product",
    names={"offset-outside"},
    line="c, s = np.cos(w) * offset, np.sin(w) * offset",
)
def offset_outside(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i, w in enumerate(omega):
        c, s = np.cos(w) * offset, np.sin(w) * offset
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@wrong(
    "stores the factors in an array of integers, which cuts them off",
    line="R = np.zeros((d_model, d_model), dtype=int)",
)
def integer_matrix(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model), dtype=int)
    for i, a in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@wrong(
    "divides the frequencies by the offset instead of multiplying, which also fails for offset 0",
    line="angles = omega / offset",
)
def divides_by_offset(offset, d_model, base=10000.0):
    omega = reference.angular_frequencies(d_model, base)
    angles = omega / offset
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@wrong("fills the diagonal with the cosines only, the sines beside it are missing", names={"cosines-only"}, line=None)
def cosines_only(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    both = np.repeat(np.cos(angles), 2)
    return np.diag(both)


@wrong("fills all places outside the blocks with 1 instead of 0", line="R = np.ones((d_model, d_model))")
def ones_outside(offset, d_model, base=10000.0):
    R = np.ones((d_model, d_model))
    for i, omega in enumerate(reference.angular_frequencies(d_model, base)):
        c, s = np.cos(omega * offset), np.sin(omega * offset)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = np.array([[c, s], [-s, c]])
    return R


@wrong(
    "two: has the blocks transposed, and does not hand on the base",
    names={"transposed", "base-ignored"},
    line="angles = offset * reference.angular_frequencies(d_model)",
)
def transposed_without_base(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model)
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return R


@wrong(
    "two: turns every pair by the angle of the first pair, and raises no ValueError for an odd d_model",
    names={"one-angle"},
    line="c, s = np.cos(offset), np.sin(offset)",
)
def frequency_one_unchecked(offset, d_model, base=10000.0):
    c, s = np.cos(offset), np.sin(offset)
    block = np.array([[c, s], [-s, c]])
    return np.kron(np.eye(d_model // 2), block)


@wrong(
    "is half-finished: the blocks are made but never put into R, which stays the identity",
    line="return R",
)
def blocks_not_used(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.eye(d_model)
    blocks = []
    for a in angles:
        c, s = np.cos(a), np.sin(a)
        blocks.append(np.array([[c, s], [-s, c]]))
    return R


@wrong(
    "two: drops the sign of the offset, so negative offsets turn forwards, and has plus signs at both sines",
    names={"sign-of-offset-lost", "minus-lost"},
    line="k = abs(offset)",
)
def absolute_and_plus(offset, d_model, base=10000.0):
    k = abs(offset)
    R = np.zeros((d_model, d_model))
    for i, w in enumerate(reference.angular_frequencies(d_model, base)):
        c, s = np.cos(w * k), np.sin(w * k)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [s, c]]
    return R


@right
def block_loop(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(angles):
        c, s = np.cos(angle), np.sin(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@right
def index_arrays(offset, d_model, base=10000.0):
    angles = reference.angular_frequencies(d_model, base=base) * offset
    even = np.arange(0, d_model, 2)
    odd = even + 1
    R = np.zeros((d_model, d_model))
    R[even, even] = R[odd, odd] = np.cos(angles)
    R[even, odd] = np.sin(angles)
    R[odd, even] = -np.sin(angles)
    return R


@right
def three_diagonals(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    R = np.diag(np.repeat(np.cos(angles), 2))
    beside = np.zeros(d_model)
    beside[0::2] = np.sin(angles)
    beside = beside[:-1]
    return R + np.diag(beside, k=1) - np.diag(beside, k=-1)


@right
def entry_by_entry(offset, d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model must be even, it is {d_model}")
    R = np.zeros((d_model, d_model))
    for row in range(d_model):
        pair = row // 2
        angle = offset * base ** (-2 * pair / d_model)
        R[row, row] = math.cos(angle)
        if row % 2 == 0:
            R[row, row + 1] = math.sin(angle)
        else:
            R[row, row - 1] = -math.sin(angle)
    return R


@wrong("turns every pair by the angle of the first", names={"one-angle"})
def one_angle(offset, d_model, base=10000.0):
    angle = angular_frequencies(d_model, base)[0] * offset
    block = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.kron(np.eye(d_model // 2), block)


@wrong(
    "raises the frequencies to the power of the offset instead of multiplying",
    names={"frequencies-to-a-power"},
    line="angles = angular_frequencies(d_model, base) ** offset",
)
def frequencies_to_a_power(offset, d_model, base=10000.0):
    angles = angular_frequencies(d_model, base) ** offset
    R = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return R


@wrong("fills only the cosines next to the diagonal of the blocks: the sines stand two columns away")
def sines_two_apart(offset, d_model, base=10000.0):
    a = offset * angular_frequencies(d_model, base)
    R = np.diag(np.repeat(np.cos(a), 2))
    for i in range(d_model // 2):
        R[i, i + 1] = np.sin(a[i])
        R[i + 1, i] = -np.sin(a[i])
    return R


@wrong(
    "turns the angles into degrees, although the sine takes radians",
    names={"into-degrees"},
    line="angles = np.degrees(offset * w)",
)
def into_degrees(offset, d_model, base=10000.0):
    w = reference.angular_frequencies(d_model, base)
    angles = np.degrees(offset * w)
    M = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return M


@wrong("takes the angles for degrees", names={"degrees"}, line="angles = np.radians(offset * w)")
def from_degrees(offset, d_model, base=10000.0):
    w = reference.angular_frequencies(d_model, base)
    angles = np.radians(offset * w)
    M = np.zeros((d_model, d_model))
    for i, a in enumerate(angles):
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return M


@wrong("fits the matrix to four positions, which do not determine it", names={"fitted-to-few-positions"})
def least_squares_of_four(offset, d_model, base=10000.0):
    P = positional_encoding(4 + abs(offset), d_model, base)
    R, *_ = np.linalg.lstsq(P[:4], P[offset : offset + 4], rcond=None)
    return R.T
