"""Right functions of unit 00 in other styles than the reference's."""

from collections import defaultdict
from itertools import zip_longest

import numpy as np


def encode_by_loop(text, vocabulary):
    token_ids = []
    for word in text.split():
        word = word.lower()
        if word in vocabulary:
            token_ids.append(vocabulary[word])
        else:
            token_ids.append(vocabulary["<unk>"])
    return np.array(token_ids, dtype=int)


def encode_with_try(text, vocabulary):
    words = text.lower().split()
    token_ids = np.empty(len(words), dtype=np.int32)
    for i, word in enumerate(words):
        try:
            token_ids[i] = vocabulary[word]
        except KeyError:
            token_ids[i] = vocabulary["<unk>"]
    return token_ids


def encode_with_default(text, vocabulary):
    ids = defaultdict(lambda: vocabulary["<unk>"], vocabulary)
    return np.fromiter((ids[word] for word in text.casefold().split()), dtype=np.int64)


def encode_and_convert(text, vocabulary):
    return np.array([vocabulary.get(w.lower(), vocabulary["<unk>"]) for w in text.split()]).astype(np.int64)


def one_hot_from_eye(token_ids, vocab_size):
    return np.eye(vocab_size)[token_ids]


def one_hot_by_loop(token_ids, vocab_size):
    rows = np.zeros((*np.shape(token_ids), vocab_size))
    for place, token_id in np.ndenumerate(token_ids):
        rows[place][token_id] = 1.0
    return rows


def one_hot_by_putting(token_ids, vocab_size):
    rows = np.zeros((*token_ids.shape, vocab_size))
    np.put_along_axis(rows, token_ids[..., np.newaxis], 1, axis=-1)
    return rows


def one_hot_with_where(token_ids, vocab_size):
    return np.where(np.expand_dims(token_ids, -1) == np.arange(vocab_size), 1.0, 0.0)


def one_hot_on_a_flat_list(token_ids, vocab_size):
    flat = np.ravel(token_ids)
    rows = np.zeros((flat.size, vocab_size))
    rows[np.arange(flat.size), flat] = 1
    return rows.reshape(*np.shape(token_ids), vocab_size)


def embed_by_index(token_ids, E):
    if token_ids.min() < 0 or token_ids.max() > len(E) - 1:
        raise ValueError(f"ids from {token_ids.min()} to {token_ids.max()}, but there are {len(E)} rows")
    return E[token_ids]


def embed_with_take(token_ids, E):
    """NumPy's own error names an id that is too large."""
    if np.any(token_ids < 0):
        raise ValueError(f"negative id in {token_ids}")
    try:
        return np.take(E, token_ids, axis=0)
    except IndexError as error:
        raise ValueError(str(error)) from error


def embed_by_product(token_ids, E):
    for token_id in np.ravel(token_ids):
        if token_id not in range(len(E)):
            raise ValueError("no row for id " + str(token_id))
    return np.eye(len(E), dtype=E.dtype)[token_ids] @ E


def embed_by_loop(token_ids, E):
    vocab_size, d_model = E.shape
    vectors = []
    for token_id in token_ids.flatten().tolist():
        if not 0 <= token_id < vocab_size:
            raise ValueError(f"{token_id} is not in [0, {vocab_size})")
        vectors.append(E[token_id])
    return np.array(vectors).reshape(*token_ids.shape, d_model)


def pad_by_loop(sequences, pad_id):
    n_max = max(len(sequence) for sequence in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for i, sequence in enumerate(sequences):
        token_ids[i, : len(sequence)] = sequence
        is_token[i, : len(sequence)] = True
    return token_ids, is_token


def pad_lists(sequences, pad_id):
    n_max = max(map(len, sequences))
    token_ids = [list(sequence) + [pad_id] * (n_max - len(sequence)) for sequence in sequences]
    is_token = [[True] * len(sequence) + [False] * (n_max - len(sequence)) for sequence in sequences]
    return np.array(token_ids), np.array(is_token)


def pad_with_numpy(sequences, pad_id):
    n_max = max(len(s) for s in sequences)
    rows = [np.pad(np.asarray(s, dtype=int), (0, n_max - len(s)), constant_values=pad_id) for s in sequences]
    lengths = np.array([len(s) for s in sequences])
    return np.stack(rows), np.arange(n_max)[None, :] < lengths[:, None]


def pad_by_transposing(sequences, pad_id):
    """A mark that cannot be an id is put into the gaps, and then replaced."""
    columns = list(zip_longest(*sequences))
    is_token = np.array([[entry is not None for entry in column] for column in columns]).T
    token_ids = np.array([[pad_id if entry is None else entry for entry in column] for column in columns]).T
    return [token_ids, is_token]


def linear_by_dot(X, W, b):
    return np.dot(X, W) + b


def linear_by_einsum(X, W, b):
    return np.einsum("...i,io->...o", X, W) + b


def linear_by_loops(X, W, b):
    output = np.zeros((*X.shape[:-1], W.shape[1]))
    for place in np.ndindex(*X.shape[:-1]):
        for column in range(W.shape[1]):
            output[place][column] = sum(x * w for x, w in zip(X[place], W[:, column], strict=True)) + b[column]
    return output


def linear_with_ones(X, W, b):
    """The bias as one more row of the weights."""
    ones = np.ones((*X.shape[:-1], 1), dtype=X.dtype)
    return np.concatenate([X, ones], axis=-1) @ np.vstack([W, b])


def linear_with_columns(X, W, b):
    return np.matmul(W.T, X[..., np.newaxis])[..., 0] + b


STYLES = {
    "encode": (encode_by_loop, encode_with_try, encode_with_default, encode_and_convert),
    "one_hot": (one_hot_from_eye, one_hot_by_loop, one_hot_by_putting, one_hot_with_where, one_hot_on_a_flat_list),
    "embed": (embed_by_index, embed_with_take, embed_by_product, embed_by_loop),
    "pad_batch": (pad_by_loop, pad_lists, pad_with_numpy, pad_by_transposing),
    "linear": (linear_by_dot, linear_by_einsum, linear_by_loops, linear_with_ones, linear_with_columns),
}
