"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

ANGULAR_FREQUENCIES = (
    "angular_frequencies(6, base=64.0)",
    "angular_frequencies(5)",
)
POSITIONAL_ENCODING = ("positional_encoding(3, 4, base=16.0)",)
ADD_POSITIONS = (
    "add_positions(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([[0.5, 0.25]]))",
    "add_positions(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([[0.5, 0.25], [0.75, 1.5]]))",
    "add_positions(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, 0.25], [0.75, 1.5]]))",
)
SHIFT_MATRIX = (
    "shift_matrix(2, 4, base=16.0)",
    "shift_matrix(0, 4)",
    "shift_matrix(-1, 4, base=16.0)",
)
