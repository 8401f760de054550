"""What temperature, filters and samplers do to small distributions, drawn with the reader's functions of unit 08."""

from functools import partial

import numpy as np

from transformer_kit import plots
from transformer_kit.examples.toy_models import BOS, CHOICES, GREEDY_LOSES, OPEN, SENTENCES, SURE, ids_of, spell
from transformer_kit.reference import softmax

KINDS = {"sure": SURE, "open": OPEN}
TEMPERATURES, KEPT, SHARES = (0.0, 0.5, 1.0, 2.0), (1, 3), (0.5, 0.9)


def choices(apply_temperature, top_k_filter, top_p_filter):
    """Draw a sure and an open distribution as temperature and filters change them, with one slider for all."""
    ways = {f"temperature {T:g}": partial(apply_temperature, temperature=T) for T in TEMPERATURES}
    ways |= {f"top-k, k = {k}": _filtered(top_k_filter, k) for k in KEPT}
    ways |= {f"top-p, p = {p}": _filtered(top_p_filter, p) for p in SHARES}

    def after(name):
        pairs = {kind: {"before": softmax(z), "after": ways[name](z)} for kind, z in KINDS.items()}
        return plots.beside(*(plots.bars(pair, CHOICES, title=kind, limits=(0, 1.1)) for kind, pair in pairs.items()))

    return plots.slider(after, "choice", ways, start="temperature 1")


def _filtered(filter_logits, value):
    return lambda logits: softmax(filter_logits(logits, value))


def shares_written(sampler, sequence_log_prob, n=2000, seed=8):
    """Draw how often a sampler writes each sentence of a toy model, beside the sentence's probability.

    Parameters
    ----------
    sampler : callable
        From the model and a random generator to a tuple of ids.
    sequence_log_prob : callable
        The reader's function of this name.
    n, seed : int

    Returns
    -------
    DescribedFigure
    """
    rng = np.random.default_rng(seed)
    written = [spell(sampler(GREEDY_LOSES, rng)) for _ in range(n)]
    both = {
        "probability": [np.exp(sequence_log_prob(GREEDY_LOSES, BOS, ids_of(words))) for words in SENTENCES],
        f"share of {n}": [written.count(words) / n for words in SENTENCES],
    }
    return plots.bars(both, [words.removesuffix("<eos>").strip() or "(empty)" for words in SENTENCES])
