"""What temperature, filters and samplers do to small distributions, drawn with the reader's functions of unit 08."""

from functools import partial

import numpy as np

from transformer_kit import plots
from transformer_kit.examples.toy_models import BOS, CHOICES, GREEDY_LOSES, OPEN, SENTENCES, SURE, ids_of, spell
from transformer_kit.reference import softmax

TEMPERATURES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
KEPT, SHARES = (1, 2, 3, 5, 8), (0.2, 0.5, 0.8, 0.9, 0.95, 1.0)


def choices_at(apply_temperature):
    """Draw a sure and an open distribution at several temperatures, with a slider."""

    def at(temperature):
        both = {"sure": apply_temperature(SURE, temperature), "open": apply_temperature(OPEN, temperature)}
        return plots.bars(both, CHOICES, title=f"temperature {temperature:g}", limits=(0, 1.1))

    return plots.slider(at, "temperature", TEMPERATURES, start=1.0)


def choices_kept(top_k_filter, top_p_filter):
    """Draw both distributions before and after each of two filters, with one slider for the two."""
    filters = {f"top-k, k = {k}": partial(top_k_filter, k=k) for k in KEPT}
    filters |= {f"top-p, p = {p}": partial(top_p_filter, p=p) for p in SHARES}

    def after(name):
        panels = (_before_and_after(kind, logits, filters[name]) for kind, logits in (("sure", SURE), ("open", OPEN)))
        return plots.beside(*panels, title=name)

    return plots.slider(after, "filter", filters, start="top-k, k = 3")


def _before_and_after(kind, logits, filter_logits):
    filtered = filter_logits(logits)
    mass = softmax(logits)[np.isfinite(filtered)].sum()
    pair = {"before": softmax(logits), "after": softmax(filtered)}
    return plots.bars(pair, CHOICES, title=f"{kind}: kept {mass:.0%}", limits=(0, 1.1))


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
