"""Pictures of what the reader answers to an open task."""

import numpy as np

from transformer_kit import plots
from transformer_kit.examples.toy_models import BOS, EOS, LastTokenModel, log_probs
from transformer_kit.experiments.counting import every_row
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model


def sums_of_pairs(build, words, longest=5):
    """Draw the sum of each pair of words in each column of the reader's table.

    Parameters
    ----------
    build : callable
        The reader's `telling_sums`.
    words : list of str
    longest : int

    Returns
    -------
    DescribedFigure
    """
    columns = np.asarray(build(len(words), longest)).T
    maps = [plots.heatmap(np.add.outer(column, column), words, words, x_label="plus") for column in columns]
    return plots.beside(*maps, title="Sums of two words", alt="The sum of the vectors of each pair of words.")


def moved_outputs(build, attention, mask):
    """Draw how far each output moves from the reader's one array of tokens to the other.

    Parameters
    ----------
    build, attention : callable
        The reader's `show_leak` and `masked_attention`.
    mask : ndarray of shape (n, n), bool

    Returns
    -------
    DescribedFigure
    """
    X, Y = map(np.asarray, build(mask))
    moves = np.abs(attention(X, X, X, mask)[0] - attention(Y, Y, Y, mask)[0]).max(axis=-1)
    labels = [f"{position}{', changed' * changed}" for position, changed in enumerate((X != Y).any(axis=-1).tolist())]
    return plots.bars(
        moves,
        labels,
        title="How far the outputs move",
        x_label="position",
        y_label="movement",
        alt="Before the first position whose token is changed, nothing moves under a causal mask.",
    )


def weight_and_effect(build, context_vector, words, seen, needed):
    """Draw the weight of each word, and how far the context moves without it.

    Parameters
    ----------
    build, context_vector : callable
        The reader's `misleading_weights` and `context_vector`.
    words : list of str
    seen, needed : int

    Returns
    -------
    DescribedFigure
    """
    query, keys, values = map(np.asarray, build(len(words), seen, needed))
    context, weights = context_vector(query, keys, values)
    rest = [np.arange(len(words)) != word for word in range(len(words))]
    moves = [np.abs(context_vector(query, keys[others], values[others])[0] - context).max() for others in rest]
    return plots.beside(
        plots.bars(weights, words, title="Weight", y_label="weight"),
        plots.bars(moves, words, title="Without the word", y_label="movement"),
        alt="The weight of each word, and how far the context moves when the word is left out.",
    )


def answers_by_count(build, network, n_bits=6, counts=(2, 5)):
    """Draw the answers of the reader's network against the number of ones, beside those that are asked for.

    Parameters
    ----------
    build, network : callable
        The reader's `counting_network` and `position_wise_ffn`.
    n_bits : int
    counts : tuple of int

    Returns
    -------
    DescribedFigure
    """
    rows = every_row(n_bits)
    answers, ones = network(rows, build(n_bits, counts))[:, 0], rows.sum(axis=1)
    of_count = [answers[ones == count] for count in range(n_bits + 1)]
    lowest, highest = (np.array([end(said) for said in of_count]) for end in (np.min, np.max))
    yours = {"yours": lowest} if np.allclose(lowest, highest) else {"yours, lowest": lowest, "yours, highest": highest}
    lines = {"asked for": np.isin(range(n_bits + 1), counts), **yours}
    return plots.curves(
        range(n_bits + 1),
        lines,
        x_label="number of ones",
        y_label="answer",
        title=f"Is the number of ones among {', '.join(map(str, counts))}?",
        alt=f"The answers to all {len(rows)} rows of {n_bits} bits.",
    )


def words_after_folding(fold_norm, layer_norm, n_words=6):
    """Draw the scores of the translator's likeliest next words, before and after its last norm is folded.

    Parameters
    ----------
    fold_norm, layer_norm : callable
        The reader's functions.
    n_words : int

    Returns
    -------
    DescribedFigure
    """
    model = load_model(dtype=np.float64)
    car = watched("The red car is new.", model)
    X = (car.parts["decoder.1.norm_2"] + car.parts["decoder.1.ffn"])[0, 1:2]  # (1, d_model), after "el"
    gamma, beta = model.decoder[-1].norm_3
    E = model.target_embedding
    W, b = fold_norm(gamma, beta, E.T.copy(), np.zeros(len(E)))
    before = (layer_norm(X, gamma, beta) @ E.T)[0]
    after = (layer_norm(X, np.ones_like(gamma), np.zeros_like(beta)) @ W + b)[0]
    best = np.argsort(-before)[:n_words]
    return plots.bars(
        {"the translator": before[best], "yours": after[best]},
        [model.target_words[i] for i in best],
        title="The red car is new. → el ...",
        x_label="next word",
        y_label="logit",
        alt="The six likeliest next words, with the last norm as it is and with yours.",
    )


def restored_block(quantise, dequantise, seed=0):
    """Draw a block of 32 numbers, in order, and what is left of them with 4 bits each.

    Parameters
    ----------
    quantise, dequantise : callable
        The reader's `quantised` and `dequantised`.
    seed : int

    Returns
    -------
    DescribedFigure
    """
    numbers = np.random.default_rng(seed).standard_normal((1, 32)).astype(np.float32)
    restored, order = dequantise(*quantise(numbers)), numbers[0].argsort()
    return plots.curves(
        range(32),
        {"the numbers": numbers[0, order], "with 4 bits": restored[0, order]},
        x_label="place in their order",
        y_label="number",
        alt="A block of 32 numbers in order, and what your 4 bits restore of them.",
    )


def found_by_width(build, beam_search, width=3, widths=range(1, 9)):
    """Draw how likely what a beam finds is, for beams of several widths and the reader's table for one of them.

    Parameters
    ----------
    build, beam_search : callable
        The reader's `losing_beam` and `beam_search`.
    width : int
        Which the table is made for.
    widths : iterable of int

    Returns
    -------
    DescribedFigure
    """
    model = LastTokenModel(log_probs(build(width)))
    found = [beam_search(model, BOS, EOS, one, 12)[0][0] for one in widths]
    return plots.curves(
        list(widths),
        {"beam search": np.exp(found)},
        x_label="width of the beam",
        y_label="probability of what it finds",
        title=f"A table for width {width}",
        alt="Width 1 is greedy search.",
    )
