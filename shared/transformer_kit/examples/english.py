"""English sentences in pairs of the same words, to see what a trained encoder makes of them."""

from itertools import permutations

NOUNS = (("cat", "cats"), ("dog", "dogs"), ("boy", "boys"), ("girl", "girls"), ("man", "men"), ("woman", "women"))
VERBS_TO_LEARN, VERBS_TO_TEST = ("see", "help", "look for"), ("visit", "wait for", "know")


def one_and_many(verbs):
    """Say who can do something to whom: one to many, and with the same words many to one.

    Parameters
    ----------
    verbs : sequence of str

    Returns
    -------
    sentences : list of str
        "The cat can see the dogs.", "The dogs can see the cat." and so on.
    plural : list of bool
        Whether the subject is plural.
    """
    found = []
    for verb in verbs:
        for (one, _), (_, many) in permutations(NOUNS, 2):
            found += [(f"The {one} can {verb} the {many}.", False), (f"The {many} can {verb} the {one}.", True)]
    sentences, plural = zip(*found, strict=True)
    return list(sentences), list(plural)
