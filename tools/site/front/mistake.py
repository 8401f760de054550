"""A function with a mistake that many make, for the report on the front page."""

import numpy as np


def attention_scores(Q, K):
    n_keys = K.shape[-2]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(n_keys)
