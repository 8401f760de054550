"""Five words and a small random network: what unit 06 tries on them with the reader's functions."""

import numpy as np

from transformer_kit import plots
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import init_feed_forward

WORDS, CHANGED = ("write", "a", "poem", "about", "cats"), 2
D_MODEL, D_FF = 4, 16


def moved_by_one_word(attention, network, seed=6):
    """Draw how far the outputs of attention and of the network move when the vector of one word changes.

    Parameters
    ----------
    attention, network : callable
        The reader's `scaled_dot_product_attention` and `position_wise_ffn`.
    seed : int

    Returns
    -------
    DescribedFigure
    """
    X, params = _words_and_network(seed)
    changed = X.copy()
    changed[CHANGED] += 1.0
    attended = np.abs(attention(changed, changed, changed)[0] - attention(X, X, X)[0])
    moved = np.abs(network(changed, params) - network(X, params))
    axes = {"x_label": "feature", "limits": (0, max(attended.max(), moved.max()))}
    return plots.beside(
        plots.heatmap(attended, WORDS, title="attention", **axes),
        plots.heatmap(moved, WORDS, title="feed-forward network", **axes),
        title=f"How far the outputs move when only “{WORDS[CHANGED]}” changes",
        alt="One row for each word, one column for each feature; attention left, the network right.",
    )


def gaps(forward, backward, seed=6):
    """Compare a backward pass of the feed-forward network with central differences.

    Parameters
    ----------
    forward, backward : callable
        What takes and returns what `position_wise_ffn` and `ffn_backward` do.
    seed : int

    Returns
    -------
    dict from str to float
        The largest difference in the gradient of the tokens and of each parameter, to one digit.
    """
    X, params = _words_and_network(seed)
    d_output = np.random.default_rng(seed + 1).standard_normal(X.shape)
    dX, d_params = backward(d_output, X, params)

    def gap(gradient, moved, x):
        slopes = numerical_gradient(lambda value: (d_output * forward(*moved(value))).sum(), x)
        return float(f"{np.abs(gradient - slopes).max():.1g}")

    found = {"X": gap(dX, lambda value: (value, params), X)}
    for name, value in params._asdict().items():
        found[name] = gap(getattr(d_params, name), lambda v, name=name: (X, params._replace(**{name: v})), value)
    return found


def _words_and_network(seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((len(WORDS), D_MODEL)), init_feed_forward(rng, D_MODEL, D_FF, noise=0.5)
