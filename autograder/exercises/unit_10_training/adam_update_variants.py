"""The right links of `adam_update`, for its known mistakes."""

import numpy as np


def means(grad, m, v, beta_1, beta_2):
    """Return the running means."""
    return beta_1 * m + (1 - beta_1) * grad, beta_2 * v + (1 - beta_2) * grad**2


def means_and_corrections(grad, m, v, step, beta_1, beta_2):
    """Return the running means, and what they are to be divided by."""
    return *means(grad, m, v, beta_1, beta_2), 1 - beta_1**step, 1 - beta_2**step


def rule(m, v, c_1, c_2, eps):
    """Return what lr is multiplied by."""
    return m / c_1 / (np.sqrt(v / c_2) + eps)


def from_means(m, v, param, step, lr, beta_1, beta_2, eps):
    """Take the right step from running means."""
    return param - lr * rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps), m, v
