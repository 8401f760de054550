"""The choices behind a sentence: made at random, or tried in every way that can lead to a given English sentence.

The grammar is an ordinary program that asks for every choice. `Draw` answers with a random number. `Search` runs the
program again and again, one path of answers after another, and leaves out answers whose English words the given
sentence does not hold.
"""

from itertools import accumulate


class DeadEndError(Exception):
    """No option is left."""


class Choices:
    """What both kinds share: answers by name, and the pairs of words that stand in relation.

    Parameters
    ----------
    words : set of str, optional
        The English words that may be said; all when left out.

    Attributes
    ----------
    links : list of tuple of (str, str)
        Pairs such as ``("eat", "apple")`` and ``("red", "car")``: a verb and its object, an adjective and its noun.
    """

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
            From an option to English words of which at least one will be said, or to None.

        Returns
        -------
        object
            One option.

        Raises
        ------
        DeadEndError
            If none can be said.
        """
        raise NotImplementedError

    def perhaps(self, chance, *words):
        """Say whether something optional is said; if so, one of the given English words must be possible."""
        return self.pick({True: chance, False: 1 - chance}, english=lambda said: words or None if said else None)

    def once(self, name, options):
        """Pick the first time, and give the same answer whenever the name is asked for again."""
        if name not in self._named:
            self._named[name] = self.pick(options)
        return self._named[name]

    def link(self, first, second):
        """Note that two English words stand in relation."""
        self.links.append((first, second))

    def _left(self, options, english):
        """Return the options that can be said, with their weights."""
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
        if self._words is None and not isinstance(options, dict):
            return options[int(self._rng.random() * len(options))]
        weights = self._left(options, english)
        sums = list(accumulate(weights.values()))
        point = self._rng.random() * sums[-1]
        return next(option for option, total in zip(weights, sums, strict=True) if point < total)


class Search(Choices):
    """Choices that follow a path as far as it goes, and then the first option that is left.

    Parameters
    ----------
    words : set of str
    path : list
        One entry per choice: the options that are left, from that of this time on, and their probabilities. The
        choices made are added.

    Attributes
    ----------
    probability : float
        Product over all choices made.
    """

    def __init__(self, words, path):
        super().__init__(words)
        self.probability = 1.0
        self._path, self._depth = path, 0

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


def all_ways(grammar, english):
    """Yield every way in which a grammar says an English sentence.

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
    words, path = set(english), []
    while True:
        search = Search(words, path)
        try:
            said, spanish = grammar(search)
        except DeadEndError:
            said = None
        if said == english:
            yield spanish, search.probability
        while path and len(path[-1]) == 1:
            path.pop()
        if not path:
            return
        path[-1] = path[-1][1:]
