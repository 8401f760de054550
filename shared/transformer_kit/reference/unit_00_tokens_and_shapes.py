"""Unit 00: from words to arrays: token ids, embeddings, padding, the linear map."""

import numpy as np

from transformer_kit.reference.floats import as_float


def encode(text, vocabulary):
    """Turn a text into token ids: lower-case words, separated by white space.

    Parameters
    ----------
    text : str
    vocabulary : dict
        The id of every known word, and of ``"<unk>"``, which stands for all others.

    Returns
    -------
    ndarray of shape (n,), int64
    """
    unknown = vocabulary["<unk>"]
    return np.array([vocabulary.get(word, unknown) for word in text.lower().split()], dtype=np.int64)


def one_hot(token_ids, vocab_size):
    """Return a vector per token with a 1 at the place of its id and 0 elsewhere.

    Parameters
    ----------
    token_ids : ndarray of shape (...), int
        Ids from 0 to vocab_size - 1.
    vocab_size : int

    Returns
    -------
    ndarray of shape (..., vocab_size), float64
    """
    return (np.asarray(token_ids)[..., None] == np.arange(vocab_size)).astype(np.float64)


def embed(token_ids, E):
    """Look up the row of the embedding table that belongs to every token.

    Parameters
    ----------
    token_ids : ndarray of shape (..., n), int
    E : ndarray of shape (V, d_model)
        One row per word of the vocabulary.

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Raises
    ------
    ValueError
        If an id is below 0 or not below V.
    """
    token_ids, vocab_size = np.asarray(token_ids), len(E)
    bad = token_ids[(token_ids < 0) | (token_ids >= vocab_size)]
    if bad.size:
        raise ValueError(f"token ids must be from 0 to {vocab_size - 1}; got {bad[0]}")
    return as_float(E)[token_ids]


def telling_sums(n_words, longest):
    """Return a table of embeddings whose sum over a sentence tells which words are in it, and how often.

    Parameters
    ----------
    n_words : int
        Number of words in the vocabulary.
    longest : int
        Number of words in the longest sentence.

    Returns
    -------
    ndarray of shape (n_words, 1)

    Notes
    -----
    One right answer of many. The digits of the sum, in a base that no digit reaches, say how often each word occurs.
    """
    return (longest + 1.0) ** np.arange(n_words)[:, None]


def pad_batch(sequences, pad_id):
    """Put sequences of different lengths into one array.

    Parameters
    ----------
    sequences : list of sequences of int
    pad_id : int
        The id that fills the places after the end of a sequence.

    Returns
    -------
    token_ids : ndarray of shape (B, n_max), int64
    is_token : ndarray of shape (B, n_max), bool
        False where there is padding. A token whose id happens to be `pad_id` is still a token.
    """
    lengths = np.array([len(sequence) for sequence in sequences])
    is_token = np.arange(lengths.max()) < lengths[:, None]  # (B, n_max)
    token_ids = np.full(is_token.shape, pad_id, dtype=np.int64)
    token_ids[is_token] = np.concatenate([np.asarray(sequence, dtype=np.int64) for sequence in sequences])
    return token_ids, is_token


def linear(X, W, b):
    """Apply the same linear map to every token vector.

    Parameters
    ----------
    X : ndarray of shape (..., d_in)
    W : ndarray of shape (d_in, d_out)
    b : ndarray of shape (d_out,)

    Returns
    -------
    ndarray of shape (..., d_out)
    """
    return as_float(X) @ as_float(W) + as_float(b)
