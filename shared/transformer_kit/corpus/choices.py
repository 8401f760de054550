"""The choices behind a sentence: made at random, or tried in every way that can lead to a given English sentence.

The grammar is an ordinary program that asks for every choice. `Draw` answers at random. `Search` runs the program again
and again, along one path of answers after another, and skips answers whose English words the given sentence lacks.
"""

from bisect import bisect
from collections import Counter
from itertools import accumulate, islice


class DeadEndError(Exception):
    """No option is left."""


class Choices:
    """What both kinds share: answers by name, and the pairs of words that are related.

    Parameters
    ----------
    words : set of str, optional
        The English words that may be used; all when left out.

    Attributes
    ----------
    links : list of tuple of (str, str)
        Pairs such as ``("eat", "apple")`` and ``("red", "car")``: a verb and its object, an adjective and its noun.
    past : bool
        The sentence is in the past tense; a form of sentence sets it before it says anything.
    """

    past = False

    def __init__(self, words=None):
        self.links = []
        self._words, self._named = words, {}

    def pick(self, options, english=None):
        """Pick one of some options.

        Parameters
        ----------
        options : sequence, or dict from option to weight
            Those of a sequence are equally likely.
        english : callable, optional
            From an option to English words of which at least one will be used, or to None.

        Returns
        -------
        object
            One option.

        Raises
        ------
        DeadEndError
            If none is possible.
        """
        raise NotImplementedError

    def take(self, options, english):
        """Pick like `pick`, and the English word of the option is used up: nothing else can take the same word."""
        return self.pick(options, english)

    def say(self, words):
        """Note that some English words stand side by side in the sentence: a dead end for a sentence without them."""

    def perhaps(self, chance, *words):
        """Decide whether to include something optional; to do so, one of the given English words must be possible."""
        return self.pick(
            {True: chance, False: 1 - chance}, english=lambda included: words or None if included else None
        )

    def once(self, name, options):
        """Pick the first time, and give the same answer whenever the same name comes again."""
        if name not in self._named:
            self._named[name] = self.pick(options)
        return self._named[name]

    def link(self, first, second):
        """Note that two English words are related."""
        self.links.append((first, second))

    def _left(self, options, english):
        """Return the options that are possible, with their weights."""
        weights = options if isinstance(options, dict) else dict.fromkeys(options, 1)
        if self._words is not None and english is not None:
            needed = {option: english(option) for option in weights}
            weights = {
                option: weight
                for option, weight in weights.items()
                if needed[option] is None or not self._words.isdisjoint(needed[option])
            }
        weights = {option: weight for option, weight in weights.items() if weight > 0}
        if not weights:
            raise DeadEndError
        return weights


class Draw(Choices):
    """Random choices.

    Parameters
    ----------
    rng : random.Random
    words : set of str, optional
    """

    def __init__(self, rng, words=None):
        super().__init__(words)
        self._rng = rng

    def pick(self, options, english=None):
        """Pick with a random number; see `Choices.pick`."""
        free = self._words is None and options  # all that has a weight may be taken
        if free and not isinstance(options, dict):
            return options[int(self._rng.random() * len(options))]
        weights = options if free else self._left(options, english)
        sums = list(accumulate(weights.values()))
        if not sums[-1]:
            raise DeadEndError
        return next(islice(weights, bisect(sums, self._rng.random() * sums[-1]), None))

    def perhaps(self, chance, *words):
        """Decide with a random number, without a table of two options where every word may be used."""
        if self._words is not None:
            return super().perhaps(chance, *words)
        return self._rng.random() * (chance + (1 - chance)) < chance


class Search(Choices):
    """Choices that follow a path as far as it goes, and then the first option that is left.

    Parameters
    ----------
    words : sequence of str
        Those of the English sentence, each as often as it comes.
    path : list
        One entry per choice: the options still to be tried, the current one first, with their probabilities. Choices
        beyond its end are added.

    Attributes
    ----------
    probability : float
        Product over all choices made.
    """

    def __init__(self, words, path):
        super().__init__(frozenset(words))
        self.probability = 1.0
        self._path, self._depth, self._free = path, 0, Counter(words)
        self._text = f" {' '.join(words)} "

    def take(self, options, english):
        """Pick only words that no earlier choice has taken; see `Choices.take`."""
        option = self.pick(options, lambda option: [word for word in english(option) if self._free[word]])
        taken = self._words.intersection(english(option))
        if len(taken) == 1:
            self._free.subtract(taken)
        return option

    def say(self, words):
        """Go no further where the sentence does not have these words; see `Choices.say`."""
        if words and f" {' '.join(words)} " not in self._text:
            raise DeadEndError

    def pick(self, options, english=None):
        """Pick the option of the path; see `Choices.pick`."""
        if self._depth == len(self._path):
            total = sum(options.values()) if isinstance(options, dict) else len(options)
            left = self._left(options, english).items()
            self._path.append([(option, weight / total) for option, weight in left])
        option, probability = self._path[self._depth][0]
        self._depth += 1
        self.probability *= probability
        return option


def derivations(grammar, english):
    """Yield every derivation of an English sentence in a grammar.

    Parameters
    ----------
    grammar : callable
        From `Choices` to two tuples of words, English and Spanish.
    english : tuple of str

    Yields
    ------
    spanish : tuple of str
    probability : float
        Of all the choices that lead there. The same Spanish sentence may come several times.
    """
    path = []
    while True:
        search = Search(english, path)
        try:
            sentence, spanish = grammar(search)
        except DeadEndError:
            sentence = None
        if sentence == english:
            yield spanish, search.probability
        while path and len(path[-1]) == 1:
            path.pop()
        if not path:
            return
        path[-1] = path[-1][1:]
