"""The loss of somebody who knows the grammar by heart: no honest model can do better."""

import numpy as np

from transformer_kit import corpus
from transformer_kit.reference import cross_entropy, smooth_labels

NEVER = 1e-300  # stands for the probability 0, whose logarithm is multiplied by 0


def best_loss(pairs, model, epsilon):
    """Return the smallest loss on sentence pairs that can be expected of a model which sees no word too early.

    Where Spanish has several words to go on with, nobody can know which of them this sentence goes on with. So the
    best that can be said is the probability that the grammar gives to each, smoothed as the targets are.

    Parameters
    ----------
    pairs : sequence of (sequence of int, sequence of int)
        Ids of source and target; the target ends with "<eos>".
    model : Model
        For its vocabularies.
    epsilon : float
        Of label smoothing.

    Returns
    -------
    float
        In nats per token.
    """
    english = {number: word for word, number in model.source_vocabulary.items()}
    ids = {word: number for number, word in enumerate(model.target_words)}
    said, wanted = [], []
    for source, target in pairs:
        found = corpus.translations(tuple(english[number] for number in source))
        spanish = {(*(ids[word] for word in words), target[-1]): share for words, share in found.items()}
        even = epsilon / len(ids)
        said += [(1 - epsilon) * _next_word(spanish, target[:t], len(ids)) + even for t in range(len(target))]
        wanted.extend(target)
    return cross_entropy(np.log(np.maximum(said, NEVER)), smooth_labels(np.array(wanted), len(ids), epsilon))


def _next_word(sentences, beginning, vocab_size):
    """Return how likely every word is after the beginning of a sentence."""
    shares = np.zeros(vocab_size)
    for words, share in sentences.items():
        if list(words[: len(beginning)]) == list(beginning):
            shares[words[len(beginning)]] += share
    return shares / shares.sum()
