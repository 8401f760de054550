"""Positions: a printed table of four position vectors of width 4, and what was added to four tokens.

The right numbers have six decimals; the printed ones are those of a set of lecture notes.
"""

import numpy as np

D_MODEL = 4

# Rows are positions 0 to 3.
TABLE = np.array(
    [
        [0.000000, 1.000000, 0.000000, 1.000000],
        [0.841471, 0.540302, 0.010000, 0.999950],
        [0.909297, -0.416147, 0.019999, 0.999800],
        [0.141120, -0.989992, 0.029996, 0.999550],
    ]
)

# Columns 2 and 3 repeat columns 0 and 1, and cos 3 is cut off, not rounded.
PRINTED_TABLE = np.array(
    [
        [0.0000, 1.0000, 0.0000, 1.0000],
        [0.8415, 0.5403, 0.8415, 0.5403],
        [0.9093, -0.4161, 0.9093, -0.4161],
        [0.1411, -0.9899, 0.1411, -0.9899],
    ]
)

# Token vectors, one row per token.
EMBEDDINGS = np.array(
    [
        [0.2, 0.1, 0.3, 0.4],
        [0.5, 0.4, 0.3, 0.2],
        [0.9, 0.8, 0.7, 0.6],
        [0.1, 0.2, 0.3, 0.4],
    ]
)

# EMBEDDINGS + TABLE.
SUMS = np.array(
    [
        [0.200000, 1.100000, 0.300000, 1.400000],
        [1.341471, 0.940302, 0.310000, 1.199950],
        [1.809297, 0.383853, 0.719999, 1.599800],
        [0.241120, -0.789992, 0.329996, 1.399550],
    ]
)

# Tokens 0 and 1 only: one addition is wrong, and two entries inherit the wrong table.
PRINTED_SUMS = np.array(
    [
        [0.2000, 1.1000, 0.3000, 2.4000],
        [1.3415, 0.9403, 1.1415, 0.7403],
    ]
)
