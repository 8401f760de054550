"""The pictures of unit 07: who shares a mean, and twelve layers with and without norms."""

import numpy as np

from transformer_kit import plots
from transformer_kit.experiments import depth


def who_shares_a_mean():
    """Draw which numbers of two sentences are averaged together by layer norm and by batch norm."""
    number = np.arange(24).reshape(6, 4)
    rows = [f"sentence {s}, token {t}" for s in range(2) for t in range(3)]
    return plots.beside(
        plots.heatmap(number // 4, rows, title="layer norm:\n6 groups", x_label="feature"),
        plots.heatmap(number % 4, rows, title="batch norm:\n4 groups", x_label="feature"),
        title="Which numbers share a mean",
        alt="In layer norm every row is a group, in batch norm every column.",
    )


def layers_without_norm():
    """Draw the size of vectors and gradients in twelve layers, with and without residual connections."""
    alone, with_sum = depth.without_norm(residual=False), depth.without_norm(residual=True)
    sizes, gradients = ({"sub-layers alone": a, "with a sum": b} for a, b in zip(alone, with_sum, strict=True))
    passed, axes = range(depth.N_LAYERS + 1), {"log_y": True, "x_label": "layers passed"}
    return plots.beside(
        plots.curves(passed, sizes, y_label="size of the vectors", **axes),
        plots.curves(passed, gradients, y_label="size of the gradient", **axes),
        title="Twelve layers without any norm",
        alt="Alone, vectors fade on the way up and gradients on the way down. With a sum, both grow layer by layer.",
    )


def norm_inputs_in_training(recording):
    """Draw how large the vectors are that the norms are given, before the recorded training and after ten steps.

    Parameters
    ----------
    recording : Norms
    """
    order = "post-norm", "pre-norm", "post-norm, warm-up"
    sizes = {run: recording.norm_input[list(recording.runs).index(run)] for run in order}  # (n_steps, n_norms)
    labels = {"x_label": "norm", "y_label": "size of what it is given", "log_y": True}
    before = {run: sizes[run][0] for run in order[:2]}
    after = {run: size[-1] for run, size in sizes.items()}
    return plots.beside(
        plots.curves(range(len(before["post-norm"])), before, **labels, title="before the training"),
        plots.curves(range(len(before["post-norm"])), after, **labels, title="after ten steps"),
        title="The size of what every norm is given, in the recorded runs",
        alt="Post-norm: about the same for all norms; larger after ten steps, but not with a warm-up. "
        "Pre-norm: larger from norm to norm, and more so after ten steps.",
    )


def gradients_by_layer(encoder_layer, layer_norm, layer_norm_backward):
    """Draw the size of the gradients in stacks of 6, 12 and 24 layers, computed by the reader's functions."""
    yours = encoder_layer, layer_norm, layer_norm_backward

    def stack(n_layers):
        orders = {"post-norm": False, "pre-norm": True}
        lines = {name: depth.weight_gradients(*yours, first, n_layers) for name, first in orders.items()}
        said = "One curve for each order, from the first layer to the last."
        labels = {"x_label": "layer", "y_label": "size of the gradient", "limits": (0, 12)}
        return plots.curves(range(n_layers), lines, alt=said, **labels)

    return plots.slider(stack, "layers", [6, 12, 24], start=12)
