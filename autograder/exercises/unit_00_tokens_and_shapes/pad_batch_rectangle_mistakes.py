"""The known mistakes of `pad_batch` with the rectangle of ids, with its results, and some more with the mask."""

import numpy as np

from autograder.exercises.unit_00_tokens_and_shapes.pad_batch_mistakes import IDS, PLACES
from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 0.4: pad_batch"
RECTANGLE = "One rectangle for sentences of all lengths"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=RECTANGLE)
def zeros(sequences, pad_id):
    """The padding is always 0.

    0 is only the most usual choice. A function that takes an argument must use it.
    """
    return reference.pad_batch(sequences, 0)


@MISTAKES.add(where=RECTANGLE)
def zeros_replaced(sequences, pad_id):
    """Tokens with the id 0 are replaced by pad_id.

    A rectangle of zeros does not tell an empty place from a token whose id is 0. Fill it with pad_id from the start.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return np.where(token_ids == 0, pad_id, token_ids), is_token


@MISTAKES.add(where=RECTANGLE)
def float_ids(sequences, pad_id):
    """The ids are floating-point numbers.

    `np.zeros` and `np.ones` make floats unless they are told the dtype, and floats cannot be indices.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.astype(np.float64), is_token


@MISTAKES.add(where=RECTANGLE)
def in_front(sequences, pad_id):
    """The padding stands in front.

    Then the first word of a sentence has a different position in every batch. Start every sequence in column 0.
    """
    token_ids, is_token = reference.pad_batch([sequence[::-1] for sequence in sequences], pad_id)
    return token_ids[:, ::-1].copy(), is_token[:, ::-1].copy()


@MISTAKES.add(where=RECTANGLE)
def cut(sequences, pad_id):
    """Every sequence is cut to the length of the shortest.

    Words are lost that way. Make room for the longest and fill up the others.
    """
    shortest = min(len(sequence) for sequence in sequences)
    return reference.pad_batch([sequence[:shortest] for sequence in sequences], pad_id)


@MISTAKES.add(where=RECTANGLE)
def first_length(sequences, pad_id):
    """The first sequence decides how many columns there are.

    Another sequence may be longer. The longest one decides.
    """
    n = len(sequences[0])
    token_ids = np.full((len(sequences), n), pad_id)
    is_token = np.zeros((len(sequences), n), dtype=bool)
    for i, sequence in enumerate(sequences):
        token_ids[i, : len(sequence)] = sequence
        is_token[i, : len(sequence)] = True
    return token_ids, is_token


@MISTAKES.add(where=RECTANGLE)
def ragged(sequences, pad_id):
    """The sequences are put into an array without filling them up.

    An array is a rectangle: NumPy refuses rows of different lengths. This is what padding is for.
    """
    token_ids = np.array(sequences)
    return token_ids, np.ones(token_ids.shape, dtype=bool)


@MISTAKES.add(where=RECTANGLE)
def lists_only(sequences, pad_id):
    """The padding works only for lists.

    Between lists `+` means: append one to the other. Between an array and a list it *adds* the numbers. `encode`
    returns arrays, so they will come.
    """
    n_max = max(len(sequence) for sequence in sequences)
    token_ids = np.array([sequence + [pad_id] * (n_max - len(sequence)) for sequence in sequences])
    return token_ids, np.array([[j < len(sequence) for j in range(n_max)] for sequence in sequences])


@MISTAKES.add(where=RECTANGLE)
def appended(sequences, pad_id):
    """The padding is appended to the caller's own lists.

    The caller finds padding in their sentences afterwards. And an array from `encode` has no `append`. Make new arrays
    and write the ids into them.
    """
    lengths = np.array([len(sequence) for sequence in sequences])
    for sequence in sequences:
        while len(sequence) < lengths.max():
            sequence.append(pad_id)
    return np.array(sequences), np.arange(lengths.max()) < lengths[:, None]


@MISTAKES.add(where=SECTION)
def lists_returned(sequences, pad_id):
    """Lists are returned, not arrays.

    A list of lists looks the same when it is printed, but it has no shape. Turn both into arrays.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.tolist(), is_token.tolist()


@MISTAKES.add(where=RECTANGLE)
def columns(sequences, pad_id):
    """The sequences stand in columns.

    The first axis counts sequences, the second one places within a sequence.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.T, is_token.T


@MISTAKES.add(where=SECTION)
def exchanged(sequences, pad_id):
    """The two results are swapped.

    Results come as a tuple in the order of the docstring: the ids first, then the mask.
    """
    return reference.pad_batch(sequences, pad_id)[::-1]


@MISTAKES.add(where=SECTION)
def ids_only(sequences, pad_id):
    """Only the ids are returned.

    Return two results, with a comma between them: the ids and the mask.
    """
    return reference.pad_batch(sequences, pad_id)[IDS]


@MISTAKES.add(where=RECTANGLE)
def appended_to_lists(sequences, pad_id):
    """The padding is appended to the caller's own lists, and arrays are copied.

    The caller finds padding in their sentences afterwards. Make new lists or arrays for all of them.
    """
    n_max = max(len(sequence) for sequence in sequences)
    lengths = np.array([len(sequence) for sequence in sequences])
    rows = []
    for sequence in sequences:
        row = sequence if isinstance(sequence, list) else sequence.tolist()
        row.extend([pad_id] * (n_max - len(row)))
        rows.append(row)
    return np.array(rows), np.arange(n_max) < lengths[:, None]


@MISTAKES.add(where=RECTANGLE)
def empty_left_out(sequences, pad_id):
    """An empty sequence gets no row.

    `if sequence` and a loop over words skip what is empty. But row b belongs to sequence b,
    and an empty sequence is a row of nothing but padding.
    """
    return reference.pad_batch([sequence for sequence in sequences if len(sequence)], pad_id)


@MISTAKES.add(where=PLACES)
def length_counts_too(sequences, pad_id):
    """In every row one place too many counts as a token.

    Places count from 0, so the last token of a sequence of length 3 is at place 2. Place 3 is already padding.
    """
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    lengths = np.array([len(sequence) for sequence in sequences])
    return token_ids, np.arange(token_ids.shape[1]) <= lengths[:, None]


@MISTAKES.add(where=PLACES)
def all_tokens(sequences, pad_id):
    """is_token is True everywhere.

    Once a row is padded, its length says nothing. Use the lengths of the sequences as they were given.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, np.ones_like(is_token)


@MISTAKES.add(where=PLACES)
def no_tokens(sequences, pad_id):
    """is_token is False everywhere.

    The mask was made and never filled. Where there is a token, it has to become True.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, np.zeros_like(is_token)


@MISTAKES.add(where=RECTANGLE)
def last_token_repeated(sequences, pad_id):
    """The rows are filled up with their last token.

    A repeated word is still a word. Fill up with `pad_id`.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    last = np.array([sequence[-1] if len(sequence) else pad_id for sequence in sequences])
    return np.where(is_token, token_ids, last[:, None]), is_token
