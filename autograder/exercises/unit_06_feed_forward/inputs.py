"""The networks that the claims of this unit are tried on."""

import numpy as np

from transformer_kit.parameters import FeedForwardParams, init_feed_forward

D_MODEL, D_FF = 4, 7

# Two wide inside, one wide outside: for a token x it gives 3 relu(x) - relu(1 - 2 x) + 10.
BY_HAND = FeedForwardParams(
    W_1=np.array([[1.0, -2.0]]), b_1=np.array([0.0, 1.0]), W_2=np.array([[3.0], [-1.0]]), b_2=np.array([10.0])
)


def network(rng, d_model=D_MODEL, d_ff=D_FF):
    """Draw the parameters of a network whose biases are not zero."""
    return init_feed_forward(rng, d_model, d_ff, noise=0.5)


def near_the_bend(rng):
    """Draw tokens, and a network in which all their hidden numbers are close to the bend of ReLU, on both sides."""
    params = network(rng)
    return 1e-8 * rng.standard_normal((5, D_MODEL)), params._replace(b_1=0 * params.b_1, b_2=0 * params.b_2)
