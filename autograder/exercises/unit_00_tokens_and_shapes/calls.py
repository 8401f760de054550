"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

EMBED = (
    "embed(np.array([0, 2]), np.array([[1.0, 2.0], [3.0, 4.0]]))",
    "embed(np.array([1, -1]), np.array([[1.0, 2.0], [3.0, 4.0]]))",
    "embed(np.array([[0, 1], [2, 1]]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))",
    "embed(np.array([-1, 1]), np.array([[1.0, 2.0], [3.0, 4.0]]))",
)
PAD_BATCH = (
    "pad_batch([[5, 9], [7], [9, 4, 6]], pad_id=9)",
    "pad_batch([[5, 0], [7]], pad_id=3)",
    "pad_batch([[5], [7, 4]], pad_id=3)",
)
