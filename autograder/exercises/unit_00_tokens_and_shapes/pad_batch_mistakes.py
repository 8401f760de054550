"""The known mistakes of `pad_batch`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

IDS = 0
MASK = 1
SECTION = "Exercise 0.4: pad_batch"
RECTANGLE = "One rectangle for sentences of all lengths"
PLACES = "Padding is a matter of place"


def _mask_from_ids(sequences, pad_id):
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids != pad_id


def _mask_from_zeros(sequences, pad_id):
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids != 0


def _inverted(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, ~is_token


def _inverted_from_ids(sequences, pad_id):
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids == pad_id


def _mask_of_numbers(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, is_token.astype(np.int64)


def _mask_of_floats(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, is_token.astype(np.float64)


def _lengths(sequences, pad_id):
    return reference.pad_batch(sequences, pad_id)[IDS], np.array([len(sequence) for sequence in sequences])


def _zeros(sequences, pad_id):
    return reference.pad_batch(sequences, 0)


def _float_ids(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.astype(np.float64), is_token


def _in_front(sequences, pad_id):
    token_ids, is_token = reference.pad_batch([sequence[::-1] for sequence in sequences], pad_id)
    return token_ids[:, ::-1].copy(), is_token[:, ::-1].copy()


def _cut(sequences, pad_id):
    shortest = min(len(sequence) for sequence in sequences)
    return reference.pad_batch([sequence[:shortest] for sequence in sequences], pad_id)


def _first_length(sequences, pad_id):
    n = len(sequences[0])
    token_ids = np.full((len(sequences), n), pad_id)
    is_token = np.zeros((len(sequences), n), dtype=bool)
    for i, sequence in enumerate(sequences):
        token_ids[i, : len(sequence)] = sequence
        is_token[i, : len(sequence)] = True
    return token_ids, is_token


def _ragged(sequences, pad_id):
    token_ids = np.array(sequences)
    return token_ids, np.ones(token_ids.shape, dtype=bool)


def _lists_only(sequences, pad_id):
    n_max = max(len(sequence) for sequence in sequences)
    token_ids = np.array([sequence + [pad_id] * (n_max - len(sequence)) for sequence in sequences])
    return token_ids, np.array([[j < len(sequence) for j in range(n_max)] for sequence in sequences])


def _appended(sequences, pad_id):
    lengths = np.array([len(sequence) for sequence in sequences])
    for sequence in sequences:
        while len(sequence) < lengths.max():
            sequence.append(pad_id)
    return np.array(sequences), np.arange(lengths.max()) < lengths[:, None]


def _lists_returned(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.tolist(), is_token.tolist()


def _columns(sequences, pad_id):
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids.T, is_token.T


def _exchanged(sequences, pad_id):
    return reference.pad_batch(sequences, pad_id)[::-1]


def _ids_only(sequences, pad_id):
    return reference.pad_batch(sequences, pad_id)[IDS]


MISTAKES = (
    Mistake(
        "mask-from-ids",
        "A real token whose id equals pad_id is taken for padding",
        _mask_from_ids,
        "The ids alone cannot tell a token from padding, because both may be the same number. The lengths of the "
        "sequences can.",
        PLACES,
    ),
    Mistake(
        "mask-from-zeros",
        "Tokens with the id 0 are taken for padding, and padding for tokens",
        _mask_from_zeros,
        "The id of the padding is an argument and need not be 0. And even if it is, a real token may have it: "
        "only the lengths of the sequences tell.",
        PLACES,
    ),
    Mistake(
        "inverted",
        "True and False have changed places in is_token",
        _inverted,
        "The name says what True means: here *is* a *token*. Some libraries have it the other way round; this "
        "course never does.",
        PLACES,
    ),
    Mistake(
        "inverted-from-ids",
        "is_token is True where the id equals pad_id",
        _inverted_from_ids,
        "The name says what True means: here *is* a *token*. And the ids alone cannot tell, because a real "
        "token may have the same id.",
        PLACES,
    ),
    Mistake(
        "mask-of-numbers",
        "is_token holds the integers 1 and 0",
        _mask_of_numbers,
        "Used as an index, 1 and 0 mean row 1 and row 0, not yes and no. A mask is an array of booleans.",
        PLACES,
    ),
    Mistake(
        "mask-of-floats",
        "is_token holds the floating-point numbers 1 and 0",
        _mask_of_floats,
        "`np.ones` and `np.zeros` make floats unless they are told the dtype. A mask is an array of booleans.",
        PLACES,
    ),
    Mistake(
        "lengths",
        "The lengths are returned in place of the mask",
        _lengths,
        "The lengths say the same, but one step too early. Turn them into one True or False per place.",
        PLACES,
    ),
    Mistake(
        "zeros",
        "The padding is always 0",
        _zeros,
        "0 is only the most usual choice. A function that takes an argument must use it.",
        RECTANGLE,
    ),
    Mistake(
        "float-ids",
        "The ids are floating-point numbers",
        _float_ids,
        "`np.zeros` and `np.ones` make floats unless they are told the dtype, and floats cannot be indices.",
        RECTANGLE,
    ),
    Mistake(
        "in-front",
        "The padding stands in front",
        _in_front,
        "Then the first word of each sentence has another position in every batch. Start every sequence in column 0.",
        RECTANGLE,
    ),
    Mistake(
        "cut",
        "Every sequence is cut to the length of the shortest",
        _cut,
        "Words get lost that way. Make room for the longest and fill up the others.",
        RECTANGLE,
    ),
    Mistake(
        "first-length",
        "The first sequence decides how many columns there are",
        _first_length,
        "Another sequence may be longer. The longest one decides.",
        RECTANGLE,
    ),
    Mistake(
        "ragged",
        "The sequences are put into an array without filling them up",
        _ragged,
        "An array is a rectangle: NumPy refuses rows of different lengths. This is what padding is for.",
        RECTANGLE,
    ),
    Mistake(
        "lists-only",
        "The filling works for lists only",
        _lists_only,
        "Between lists `+` means: put one behind the other. Between an array and a list it *adds* the numbers. "
        "`encode` returns arrays, so they will come.",
        RECTANGLE,
    ),
    Mistake(
        "appended",
        "The padding is appended to the caller's own lists",
        _appended,
        "Whoever called the function finds padding in their sentences afterwards. And an array from `encode` has "
        "no `append`. Make new arrays and write the ids into them.",
        RECTANGLE,
    ),
    Mistake(
        "lists-returned",
        "Lists are returned, not arrays",
        _lists_returned,
        "A list of lists looks the same when it is printed, but it has no shape. Turn both into arrays.",
        SECTION,
    ),
    Mistake(
        "columns",
        "The sequences stand in columns",
        _columns,
        "The first axis counts sequences, the second one places within a sequence.",
        RECTANGLE,
    ),
    Mistake(
        "exchanged",
        "The two results have changed places",
        _exchanged,
        "Results come as a tuple in the order of the docstring: the ids first, then the mask.",
        SECTION,
    ),
    Mistake(
        "ids-only",
        "Only the ids are returned",
        _ids_only,
        "Two results are asked for, with a comma between them: the ids and the mask.",
        SECTION,
    ),
)
