"""What the dictionary is compared with: a model that knows how often pieces follow each other."""

import math
from collections import Counter
from itertools import chain

from transformer_kit.corpus.vocabulary import PAD

DISCOUNT = 0.75


class Ngrams:
    """Probabilities of the next piece given a few before, with back-off to fewer: interpolated Kneser-Ney.

    Parameters
    ----------
    examples : iterable of (list of int, list of int)
        Prompts, which are only read, and definitions.
    vocab_size : int
    order : int
        How many pieces are counted together: 5 for the next one and four before it.

    Notes
    -----
    Chen and Goodman, *An empirical study of smoothing techniques for language modeling* (1999), section 4.1.6, with one
    discount.
    """

    def __init__(self, examples, vocab_size, order=5):
        self._order, self._vocab_size = order, vocab_size
        table = Counter(chain.from_iterable(self._ngrams(*example) for example in examples))
        self._tables = []  # the longest first
        for _ in range(order):
            totals, followers = Counter(), Counter()
            for ngram, number in table.items():
                totals[ngram[:-1]] += number
                followers[ngram[:-1]] += 1
            self._tables.append((table, totals, followers))
            table = Counter(ngram[1:] for ngram in table)  # after how many different pieces it was seen

    def _ngrams(self, prompt, definition):
        """Return the n-grams that end with each piece of a definition."""
        ids = (*[PAD] * self._order, *prompt, *definition)
        ends = range(len(ids) - len(definition) + 1, len(ids) + 1)
        return [ids[end - self._order : end] for end in ends]

    def probability(self, ngram):
        """Return the probability of the last piece of an n-gram given the others.

        Parameters
        ----------
        ngram : tuple of int

        Returns
        -------
        float
        """
        p = 1 / self._vocab_size
        for length, (table, totals, followers) in enumerate(self._tables[::-1], 1):
            end = ngram[-length:]
            if total := totals[end[:-1]]:
                p = (max(0, table[end] - DISCOUNT) + DISCOUNT * followers[end[:-1]] * p) / total
        return p

    def bits(self, prompt, definition):
        """Return the bits of a definition, the negative logarithm of its probability.

        Parameters
        ----------
        prompt, definition : list of int

        Returns
        -------
        float
        """
        return -sum(math.log2(self.probability(ngram)) for ngram in self._ngrams(prompt, definition))
