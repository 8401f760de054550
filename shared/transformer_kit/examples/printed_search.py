"""A greedy search as a set of lecture notes prints it, with an error to find."""

from typing import NamedTuple

import numpy as np

from transformer_kit.examples.toy_models import StepModel, log_probs


class PrintedSearch(NamedTuple):
    """A greedy search as a set of lecture notes prints it: a distribution for each of five steps.

    `probabilities` has one row per step; the right numbers beside it have six decimals.
    `renormalised` is the faulty row divided by its sum.
    """

    words: tuple
    probabilities: np.ndarray
    path: tuple
    path_probability: float
    faulty_step: int
    renormalised: np.ndarray
    renormalised_path_probability: float
    best_if_left: np.ndarray


# `best_if_left`: the most that any sequence can reach which leaves the path at this step.
PRINTED_SEARCH = PrintedSearch(
    words=("the", "cat", "sat", "on", "<end>"),
    probabilities=np.array(
        [
            [0.80, 0.05, 0.05, 0.05, 0.05],
            [0.10, 0.70, 0.10, 0.05, 0.05],
            [0.05, 0.05, 0.85, 0.03, 0.02],
            [0.02, 0.03, 0.10, 0.85, 0.01],
            [0.01, 0.01, 0.01, 0.02, 0.95],
        ]
    ),
    path=(0, 1, 2, 3, 4),
    path_probability=0.384370,
    faulty_step=3,
    renormalised=np.array([0.019802, 0.029703, 0.099010, 0.841584, 0.009901]),
    renormalised_path_probability=0.380564,
    best_if_left=np.array([0.05, 0.08, 0.028, 0.0476, 0.008092]),
)


def printed_model():
    """Return the printed search as a model, its faulty row divided by its sum; the start symbol comes last."""
    rows = PRINTED_SEARCH.probabilities / PRINTED_SEARCH.probabilities.sum(axis=1, keepdims=True)
    never = np.zeros((len(rows), 1))
    return StepModel(log_probs(np.hstack([rows, never])), bos_id=len(PRINTED_SEARCH.words))
