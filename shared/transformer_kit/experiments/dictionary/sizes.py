"""Compare sizes of the dictionary in short training runs: `python -m transformer_kit.experiments.dictionary.sizes`.

All of them fit into three megabytes. The number of pieces differs, too, so losses are compared for each byte of text.
"""

import argparse
import math
import time
from functools import cache

import numpy as np

from transformer_kit.dictionary.entries import load_entries, split_entries
from transformer_kit.experiments.dictionary.figures import bytes_of, pieces_of
from transformer_kit.experiments.markdown import markdown_table
from transformer_kit.parameters import Sizes
from transformer_kit.parameters.tree import flatten
from transformer_kit.trained.dictionary import SIZES, init_dictionary
from transformer_kit.training.dictionary import N_PIECES, SETTINGS, mean_loss, train_dictionary, training_data

STEPS = 1500
CANDIDATES = (
    (SIZES, N_PIECES),
    (SIZES, N_PIECES // 2),
    (Sizes(d_model=112, n_heads=4, d_ff=448, n_layers=8), N_PIECES),
    (Sizes(d_model=128, n_heads=4, d_ff=512, n_layers=6), N_PIECES),
    (Sizes(d_model=192, n_heads=6, d_ff=512, n_layers=3), N_PIECES),
    (Sizes(d_model=224, n_heads=7, d_ff=560, n_layers=2), N_PIECES),
)


def row(sizes, n_pieces, steps):
    """Train a dictionary of some size for a short while.

    Parameters
    ----------
    sizes : Sizes
    n_pieces, steps : int

    Returns
    -------
    tuple of str
        The sizes, the number of parameters, bits per byte of held-out definitions, and milliseconds for each batch.
    """
    settings = SETTINGS._replace(steps=steps, record_every=steps, warmup_steps=min(SETTINGS.warmup_steps, steps // 2))
    examples, held_out, pieces = _data(n_pieces)
    model = init_dictionary(np.random.default_rng(settings.seed), pieces, sizes)
    start = time.process_time()
    model, _ = train_dictionary(model, examples, held_out[:1], settings)
    seconds = (time.process_time() - start) / steps
    bits = mean_loss(model, held_out) / math.log(2) * pieces_of(held_out) / bytes_of(split_entries(load_entries())[1])
    name = f"{sizes.n_layers} layers, d_model = {sizes.d_model}, d_ff = {sizes.d_ff}, {n_pieces:,} pieces"
    return name, f"{flatten(model).size:,}", f"{bits:.3f}", f"{1000 * seconds:.0f}"


@cache
def _data(n_pieces):
    return training_data(n_pieces=n_pieces)


def main(arguments=None):
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compare sizes of the dictionary in short training runs.")
    parser.add_argument("--steps", type=int, default=STEPS, help="number of batches of each")
    steps = parser.parse_args(arguments).steps
    rows = [row(*candidate, steps) for candidate in CANDIDATES]
    print(markdown_table((f"after {steps:,} batches", "parameters", "bits per byte", "ms for each batch"), *rows))


if __name__ == "__main__":
    main()
