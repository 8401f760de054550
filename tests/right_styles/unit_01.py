"""Right functions of unit 01 in other styles than the reference's."""

import math

import numpy as np
from scipy.linalg import block_diag, expm


def _refuse_odd(d_model):
    if d_model % 2:
        raise ValueError("odd width: %d" % d_model)  # noqa: UP031


def frequencies_from_logarithms(d_model, base=10000.0):
    _refuse_odd(d_model)
    return np.exp(np.arange(0, d_model, 2) * -(math.log(base) / d_model))


def frequencies_by_loop(d_model, base=10000.0):
    if d_model % 2 == 1:
        raise ValueError(f"d_model={d_model} is odd")
    frequencies = []
    for i in range(d_model // 2):
        frequencies.append(1 / base ** (2 * i / d_model))
    return np.array(frequencies)


def frequencies_as_powers(d_model, base=10000.0):
    _refuse_odd(d_model)
    return np.power(base, -2.0 * np.arange(d_model // 2) / d_model)


def frequencies_by_products(d_model, base=10000.0):
    _refuse_odd(d_model)
    ratio = base ** (-2 / d_model)
    return np.cumprod(np.full(d_model // 2, ratio)) / ratio


def encoding_by_loops(seq_len, d_model, base=10000.0):
    _refuse_odd(d_model)
    P = np.zeros((seq_len, d_model))
    for p in range(seq_len):
        for column in range(0, d_model, 2):
            angle = p / base ** (column / d_model)
            P[p, column] = math.sin(angle)
            P[p, column + 1] = math.cos(angle)
    return P


def encoding_by_stacking(seq_len, d_model, base=10000.0):
    _refuse_odd(d_model)
    angles = np.outer(np.arange(seq_len), frequencies_as_powers(d_model, base))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(seq_len, d_model)


def encoding_with_a_phase(seq_len, d_model, base=10000.0):
    """The cosine as a sine that is a quarter turn ahead."""
    _refuse_odd(d_model)
    columns = np.arange(d_model)
    rates = base ** (-2.0 * (columns // 2) / d_model)
    return np.sin(np.arange(seq_len)[:, np.newaxis] * rates + np.pi / 2 * (columns % 2))


def encoding_with_where(seq_len, d_model, base=10000.0):
    _refuse_odd(d_model)
    p, column = np.indices((seq_len, d_model))
    angles = p / np.power(base, (column - column % 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


def encoding_from_complex_numbers(seq_len, d_model, base=10000.0):
    _refuse_odd(d_model)
    turns = np.exp(1j * np.einsum("p,i->pi", np.arange(seq_len), frequencies_by_loop(d_model, base)))
    P = np.empty((seq_len, d_model))
    P[:, ::2], P[:, 1::2] = turns.imag, turns.real
    return P


def add_by_slicing(X, P):
    n = X.shape[-2]
    if n > len(P):
        raise ValueError(f"{n} > {len(P)}")
    return X + P[:n]


def add_trusting_broadcasting(X, P):
    """NumPy's own error names both lengths, except for a table of one row."""
    if len(P) == 1 and X.shape[-2] != 1:
        raise ValueError(f"{X.shape[-2]} tokens, 1 position")
    return np.add(X, P[: X.shape[-2], :])


def add_by_loops(X, P):
    n, d_model = X.shape[-2:]
    if n > P.shape[0]:
        raise ValueError("too long: " + str(n) + " tokens for " + str(P.shape[0]) + " positions")
    flat = X.reshape(-1, n, d_model)
    output = np.zeros(flat.shape)
    for sequence in range(len(flat)):
        for p in range(n):
            output[sequence, p] = flat[sequence, p] + P[p]
    return output.reshape(X.shape)


def add_to_a_copy(X, P):
    n = np.shape(X)[-2]
    if P[:n].shape[0] != n:
        raise ValueError(f"expected at most {P.shape[0]} tokens, got {n}")
    output = X.astype(np.result_type(X, P))
    output += P[:n]
    return output


def similarity_by_matmul(P):
    return np.matmul(P, np.transpose(P))


def similarity_by_einsum(P):
    return np.einsum("id,jd->ij", P, P)


def similarity_by_list(P):
    return np.array([[np.dot(p, q) for q in P] for p in P])


def similarity_by_broadcasting(P):
    return (P[:, None, :] * P[None, :, :]).sum(axis=-1)


def shift_by_loop(offset, d_model, base=10000.0):
    _refuse_odd(d_model)
    R = np.eye(d_model)
    for j in range(0, d_model, 2):
        angle = offset / base ** (j / d_model)
        c, s = math.cos(angle), math.sin(angle)
        R[j : j + 2, j : j + 2] = np.array([[c, s], [-s, c]])
    return R


def shift_by_block_diag(offset, d_model, base=10000.0):
    _refuse_odd(d_model)
    angles = offset * frequencies_as_powers(d_model, base)
    return block_diag(*[[[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]] for a in angles])


def shift_by_matrix_power(offset, d_model, base=10000.0):
    return np.linalg.matrix_power(shift_by_loop(1, d_model, base), offset)


def shift_by_matrix_exponential(offset, d_model, base=10000.0):
    """A rotation is the exponential of a skew-symmetric matrix."""
    _refuse_odd(d_model)
    rates = np.zeros(d_model - 1)
    rates[::2] = frequencies_as_powers(d_model, base)
    return expm(offset * (np.diag(rates, 1) - np.diag(rates, -1)))


def shift_by_diagonals(offset, d_model, base=10000.0):
    _refuse_odd(d_model)
    angles = np.repeat(offset * frequencies_by_loop(d_model, base), 2)
    off_diagonal = np.sin(angles)[:-1] * (np.arange(d_model - 1) % 2 == 0)
    return np.diag(np.cos(angles)) + np.diag(off_diagonal, 1) - np.diag(off_diagonal, -1)


STYLES = {
    "angular_frequencies": (
        frequencies_from_logarithms,
        frequencies_by_loop,
        frequencies_as_powers,
        frequencies_by_products,
    ),
    "positional_encoding": (
        encoding_by_loops,
        encoding_by_stacking,
        encoding_with_a_phase,
        encoding_with_where,
        encoding_from_complex_numbers,
    ),
    "add_positions": (add_by_slicing, add_trusting_broadcasting, add_by_loops, add_to_a_copy),
    "position_similarity": (
        similarity_by_matmul,
        similarity_by_einsum,
        similarity_by_list,
        similarity_by_broadcasting,
    ),
    "shift_matrix": (
        shift_by_loop,
        shift_by_block_diag,
        shift_by_matrix_power,
        shift_by_matrix_exponential,
        shift_by_diagonals,
    ),
}
