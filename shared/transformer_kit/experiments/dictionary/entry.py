"""An entry of the course's dictionary, computed by a learner's functions."""

from transformer_kit import reference
from transformer_kit.dictionary.definitions import Entry
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.trained.dictionary import load_dictionary


def entry(word, kind, functions=()):
    """Return an entry that the functions of unit 08 can continue.

    Parameters
    ----------
    word : str
    kind : str
        "noun", "verb", "adjective" or "adverb".
    functions : sequence of callable
        The learner's functions of units 00 to 07; the course lends the others.

    Returns
    -------
    Entry
    """
    used = replaced(reference, **{function.__name__: function for function in functions})
    return Entry(word, kind, load_dictionary(), used)
