"""Functions that learners wrote for `position_similarity`, each with what is truly wrong with it."""

import numpy as np
from transformer_kit import reference

from tests.bank import right, wrong


@wrong("multiplies columns with columns instead of rows with rows", names={"columns"}, line=None)
def columns_with_columns(P):
    return P.T @ P


@wrong("multiplies entry by entry instead of taking the matrix product", names={"elementwise"}, line="S = P * P.T")
def star(P):
    S = P * P.T
    return S


@wrong("forgets to exchange rows and columns of the second factor", names={"not-transposed"}, line=None)
def no_transpose(P):
    return P @ P


@wrong(
    "reshapes the second factor instead of transposing it, which mixes up its entries",
    line="columns = P.reshape(d_model, n)",
)
def reshape_for_transpose(P):
    n, d_model = P.shape
    columns = P.reshape(d_model, n)
    return P @ columns


@wrong(
    "normalises the rows, so it gives the cosine of the angle instead of the dot product",
    names={"cosine"},
    line="unit = P / np.linalg.norm(P, axis=1, keepdims=True)",
)
def cosine(P):
    unit = P / np.linalg.norm(P, axis=1, keepdims=True)
    return unit @ unit.T


@wrong("divides by the square root of d_model", names={"scaled"}, line="return products / np.sqrt(P.shape[1])")
def scaled(P):
    products = P @ P.T
    return products / np.sqrt(P.shape[1])


@wrong(
    "divides by the number of columns: it takes the mean of the products instead of their sum",
    names={"mean-product"},
    line="S[i, j] = np.mean(P[i] * P[j])",
)
def mean_for_sum(P):
    n = len(P)
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            S[i, j] = np.mean(P[i] * P[j])
    return S


@wrong("returns the distances of the position numbers, without the table", line="return np.abs(p[:, None] - p)")
def distance_of_numbers(P):
    p = np.arange(len(P))
    return np.abs(p[:, None] - p)


@wrong(
    "returns Euclidean distances between the rows instead of dot products",
    names={"distances"},
    line="return np.linalg.norm(differences, axis=-1)",
)
def euclidean(P):
    differences = P[:, None, :] - P[None, :, :]
    return np.linalg.norm(differences, axis=-1)


@wrong(
    "fills the upper triangle only: below the diagonal stay zeros",
    names={"upper-triangle"},
    line="for j in range(i, n):",
)
def upper_triangle(P):
    n = P.shape[0]
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            S[i, j] = P[i] @ P[j]
    return S


@wrong("leaves the diagonal at 0", line="for j in range(i):")
def diagonal_missing(P):
    n = P.shape[0]
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            S[i, j] = S[j, i] = np.dot(P[i], P[j])
    return S


@wrong("applies a softmax to the dot products", names={"weights-returned"}, line="return reference.softmax(S)")
def softmaxed(P):
    S = P @ P.T
    return reference.softmax(S)


@wrong(
    "returns the dot product of every row with itself only, one number per row", names={"only-with-itself"}, line=None
)
def row_with_itself(P):
    return (P * P).sum(axis=1)


@wrong("compares each row with row 0 only, so it gives one row of the table", names={"only-with-row-0"}, line=None)
def first_row_only(P):
    return P @ P[0]


@wrong(
    "gives correlations instead of dot products: it subtracts the mean and normalises",
    names={"centred", "cosine"},
    line=None,
)
def correlation(P):
    return np.corrcoef(P)


@wrong(
    "subtracts the mean of each row before the dot products",
    names={"centred"},
    line="centred = P - P.mean(axis=1, keepdims=True)",
)
def centred_rows(P):
    centred = P - P.mean(axis=1, keepdims=True)
    return centred @ centred.T


@wrong(
    "ignores the given table and computes one of its own with base 10000",
    names={"own-table"},
    line="table = reference.positional_encoding(n, d_model)",
)
def own_table(P):
    n, d_model = P.shape
    table = reference.positional_encoding(n, d_model)
    return table @ table.T


@wrong(
    "adds the products up along the rows instead of along the columns of the table",
    line="return products.sum(axis=0)",
)
def sum_over_wrong_axis(P):
    products = P[:, None, :] * P[None, :, :]
    return products.sum(axis=0)


@wrong("uses the even columns only, the sines", line="sines = P[:, 0::2]")
def sines_only(P):
    sines = P[:, 0::2]
    return sines @ sines.T


@wrong("takes the absolute value of the dot products", names={"absolute"}, line="S = np.abs(P @ P.T)")
def absolute(P):
    S = np.abs(P @ P.T)
    return S


@wrong("stores the dot products in an array of integers, which cuts them off", line="S = np.zeros((n, n), dtype=int)")
def integer_table(P):
    n = P.shape[0]
    S = np.zeros((n, n), dtype=int)
    for i in range(n):
        S[i] = P @ P[i]
    return S


@wrong("divides by d_model / 2, so that the diagonal becomes 1", names={"diagonal-of-ones"}, line="S /= P.shape[1] / 2")
def diagonal_one(P):
    S = P @ P.T
    S /= P.shape[1] / 2
    return S


@wrong("loop ends too early: the last row and column stay 0", line="for i in range(len(P) - 1):")
def loop_too_short(P):
    S = np.zeros((len(P), len(P)))
    for i in range(len(P) - 1):
        for j in range(len(P) - 1):
            S[i][j] = sum(P[i] * P[j])
    return S


@wrong(
    "two: multiplies columns with columns instead of rows with rows, and divides by the width",
    names={"columns", "mean-product"},
    line="S = P.T @ P",
)
def columns_and_divided(P):
    S = P.T @ P
    S = S / P.shape[1]
    return S


@wrong(
    "two: normalises the rows, and leaves the diagonal at 0",
    names={"cosine"},
    line="unit = P / np.sqrt((P**2).sum(axis=1))[:, None]",
)
def cosine_without_diagonal(P):
    unit = P / np.sqrt((P**2).sum(axis=1))[:, None]
    S = unit @ unit.T
    np.fill_diagonal(S, 0)
    return S


@wrong("is half-finished: it fills the diagonal and its two neighbours only", line="for j in (i - 1, i, i + 1):")
def three_diagonals(P):
    n = len(P)
    S = np.zeros((n, n))
    for i in range(n):
        for j in (i - 1, i, i + 1):
            if 0 <= j < n:
                S[i, j] = P[i] @ P[j]
    return S


@wrong(
    "two: fills the upper triangle only, and divides by the square root of d_model",
    names={"scaled"},
    line="for j in range(i, len(P)):",
)
def upper_and_scaled(P):
    S = np.zeros((len(P), len(P)))
    for i in range(len(P)):
        for j in range(i, len(P)):
            S[i, j] = np.dot(P[i], P[j]) / np.sqrt(P.shape[1])
    return S


@right
def product(P):
    return P @ P.T


@right
def with_inner(P):
    return np.inner(P, P)


@right
def with_einsum(P):
    return np.einsum("id,jd->ij", P, P)


@right
def two_loops(P):
    n = len(P)
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            S[i, j] = np.dot(P[i], P[j])
    return S


@right
def broadcast_and_sum(P):
    products = P[:, None, :] * P[None, :, :]
    return products.sum(axis=-1)


@wrong("computes in single precision and returns float64", line="P = P.astype(np.float32)")
def float32_inside(P):
    P = P.astype(np.float32)
    return (P @ P.T).astype(float)
