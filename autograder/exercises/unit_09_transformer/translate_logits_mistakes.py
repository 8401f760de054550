"""The known mistakes of `translate` on the way from logits to log-probabilities."""

import numpy as np

from autograder.exercises.unit_09_transformer.translate_mistakes import DECODING
from autograder.exercises.unit_09_transformer.translate_variants import log_softmax, translation
from autograder.specification import KnownMistakes
from transformer_kit.reference import softmax

MISTAKES = KnownMistakes()


@MISTAKES.add(where=DECODING)
def raw_logits(sentence, model, beam_width=1, alpha=0.0):
    """The search adds up logits, not log-probabilities.

    For the best next token that makes no difference. But a beam compares different sentences, and logits after
    different prefixes have no common scale.
    """
    return translation(sentence, model, beam_width, alpha, normalised=lambda logits: logits)


@MISTAKES.add(where=DECODING)
def probabilities(sentence, model, beam_width=1, alpha=0.0):
    """The search adds up probabilities, not their logarithms.

    The probability of a sentence is a product. Logarithms turn it into a sum.
    """
    return translation(sentence, model, beam_width, alpha, normalised=softmax)


@MISTAKES.add(where=DECODING)
def normalised_over_beam(sentence, model, beam_width=1, alpha=0.0):
    """The log-probabilities are normalised over the hypotheses, not over the words.

    For each prefix the probabilities of all words sum to 1. Which axis is that?
    """

    def over_beam(logits):
        return np.swapaxes(log_softmax(np.swapaxes(logits, 0, 1)), 0, 1)

    return translation(sentence, model, beam_width, alpha, normalised=over_beam)


@MISTAKES.add(where=DECODING)
def normalised_over_everything(sentence, model, beam_width=1, alpha=0.0):
    """One sum over all hypotheses normalises the log-probabilities.

    For each prefix the probabilities of all words sum to 1, whatever the others say. A sum without an axis adds up
    all rows.
    """

    def over_everything(logits):
        return log_softmax(logits.reshape(1, -1)).reshape(logits.shape)

    return translation(sentence, model, beam_width, alpha, normalised=over_everything)


@MISTAKES.add(where=DECODING)
def unstable(sentence, model, beam_width=1, alpha=0.0):
    """The exponentials are taken of the logits as they are.

    They overflow where a logit is large. Subtract the maximum first: it cancels.
    """

    def unstable(logits):
        return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))

    return translation(sentence, model, beam_width, alpha, normalised=unstable)


@MISTAKES.add(where=DECODING)
def maximum_of_all_rows(sentence, model, beam_width=1, alpha=0.0):
    """The largest logit of all hypotheses is subtracted from every row.

    In a row of much smaller logits every exponential is then 0, and so is their sum. Each row has its own maximum.
    """

    def shifted_alike(logits):
        shifted = logits - logits.max()
        with np.errstate(divide="ignore"):
            return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))

    return translation(sentence, model, beam_width, alpha, normalised=shifted_alike)


@MISTAKES.add(where=DECODING)
def sum_of_all_rows(sentence, model, beam_width=1, alpha=0.0):
    """The sum under the logarithm has no axis: it adds up the words of all hypotheses.

    For each prefix the probabilities of all words sum to 1, whatever the others say. The sum runs along the words.
    """

    def summed_together(logits):
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum())

    return translation(sentence, model, beam_width, alpha, normalised=summed_together)
