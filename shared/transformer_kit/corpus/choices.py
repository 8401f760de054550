"""The choices behind a sentence: made at random, or tried in every way that can lead to a given English sentence.

The grammar is an ordinary program that asks for every choice. `Draw` answers with a random number. `Search` runs the
program again and again, one path of answers after another, and leaves out answers whose English words the given
sentence does not hold.
"""

from itertools import accumulate


class Choices:
    """What both kinds share: answers by name, and the pairs of words that stand in relation.

    Attributes
    ----------
    links : list of tuple of (str, str)
        Pairs such as ``("eat", "apple")`` and ``("red", "car")``: a verb and its object, an adjective and its noun.
    """

    def __init__(self):
        self.links = []
        self._named = {}

    def once(self, name, options):
        """Pick the first time, and give the same answer whenever the name is asked for again."""
        if name not in self._named:
            self._named[name] = self.pick(options)
        return self._named[name]

    def perhaps(self, chance, *words):
        """Say whether something optional is said; if so, one of the given English words must be possible."""
        return self.pick({True: chance, False: 1 - chance}, english=lambda said: words or None if said else None)

    def link(self, first, second):
        """Note that two English words stand in relation."""
        self.links.append((first, second))


class Draw(Choices):
    """Random choices.

    Parameters
    ----------
    rng : random.Random
    """

    def __init__(self, rng):
        super().__init__()
        self._rng = rng

    def pick(self, options, english=None):
        """Pick one of some options.

        Parameters
        ----------
        options : sequence, or dict from option to weight
            Those of a sequence are equally likely.
        english : callable, optional
            From an option to English words of which at least one will be said, or to None; of no use here.

        Returns
        -------
        object
            One option.
        """
        if not isinstance(options, dict):
            return options[int(self._rng.random() * len(options))]
        sums = list(accumulate(options.values()))
        point = self._rng.random() * sums[-1]
        return next(option for option, total in zip(options, sums, strict=True) if point < total)


class DeadEndError(Exception):
    """No option is left."""


class Search(Choices):
    """Choices that follow a path as far as it goes, and then the first option that is left.

    Parameters
    ----------
    words : set of str
        The English words that may be said.
    path : list
        One entry per choice: the options that are left, from that of this time on, and their probabilities. The
        choices made are added.

    Attributes
    ----------
    probability : float
        Product over all choices made.
    """

    def __init__(self, words, path):
        super().__init__()
        self.probability = 1.0
        self._words, self._path, self._depth = words, path, 0

    def pick(self, options, english=None):
        """Pick as `Draw.pick` does, but in order, and only what can be said in the words of the sentence."""
        if self._depth == len(self._path):
            self._path.append(self._left(options, english))
        option, probability = self._path[self._depth][0]
        self._depth += 1
        self.probability *= probability
        return option

    def _left(self, options, english):
        weights = options if isinstance(options, dict) else dict.fromkeys(options, 1)
        total = sum(weights.values())
        needed = {option: english and english(option) for option in weights}
        left = [
            (option, weight / total)
            for option, weight in weights.items()
            if weight > 0 and (needed[option] is None or not self._words.isdisjoint(needed[option]))
        ]
        if not left:
            raise DeadEndError
        return left


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
