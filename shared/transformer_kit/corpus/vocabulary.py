"""Words and their ids."""

from itertools import chain

SPECIAL = ("<pad>", "<unk>", "<bos>", "<eos>")
PAD, UNK, BOS, EOS = range(4)


def make_vocabulary(sentences):
    """Number the words of some sentences.

    Parameters
    ----------
    sentences : iterable of sequence of str

    Returns
    -------
    dict from str to int
        "<pad>" is 0, "<unk>" 1, "<bos>" 2 and "<eos>" 3; the words follow in alphabetical order.
    """
    words = sorted(set(chain.from_iterable(sentences)))
    return {word: i for i, word in enumerate((*SPECIAL, *words))}


def ids_of(words, vocabulary):
    """Return the ids of some words.

    Parameters
    ----------
    words : sequence of str
    vocabulary : dict from str to int

    Returns
    -------
    list of int

    Raises
    ------
    KeyError
        If a word is not in the vocabulary.
    """
    return [vocabulary[word] for word in words]


def words_of(token_ids, words):
    """Return the words of some ids.

    Parameters
    ----------
    token_ids : iterable of int
    words : sequence of str, or dict from str to int
        All words in the order of their ids.

    Returns
    -------
    list of str
    """
    words = tuple(words)
    return [words[int(i)] for i in token_ids]
