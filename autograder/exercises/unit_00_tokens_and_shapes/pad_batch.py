"""Specification of `pad_batch`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_00_tokens_and_shapes import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

PLACES = "Padding is about position, not value"
RECTANGLE = "One rectangle for sentences of all lengths"

RETURNS = (Output("token_ids", "(B, n_max)"), Output("is_token", "(B, n_max)"))

EXERCISE = Exercise(
    reference=reference.pad_batch,
    asks="all sequences in one array, filled up with pad_id, and a mask that is True where there is a token.",
    returns=RETURNS,
    where=RECTANGLE,
    calls=calls.PAD_BATCH,
    lookalike=lookalikes.PAD_BATCH,
)


def _sequences(rng, lengths, low=10, high=99):
    return [[int(i) for i in rng.integers(low, high, n)] for n in lengths]


@EXERCISE.claim(1)
def ids(call, rng):
    """token_ids holds every sequence from column 0 on, then pad_id"""
    call.agrees_in(IDS, [[5, 8], [7, 5, 6, 9], [4]], 0)  # by hand
    call.agrees_in(IDS, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))
    call.agrees_in(IDS, _sequences(rng, (1,)), 0)  # a single token
    call.agrees_in(IDS, [[0, 7, 6, 0], [6, 0]], 7)  # tokens with the id 0 and with that of the padding


@EXERCISE.claim(0.5)
def mask(call, rng):
    """is_token is True for tokens and False for padding"""
    call.agrees_in(MASK, [[5, 8], [7, 5, 6, 9], [4]], 0)
    call.agrees_in(MASK, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))
    call.agrees_in(MASK, _sequences(rng, (1,)), 0)  # a single token


@EXERCISE.claim(0.75)
def disguised(call, rng):
    """a token whose id is 0 or equal to pad_id is still a token"""
    # Some tokens have the id of the padding, and some have the id 0.
    pad_id = int(rng.integers(3, 9))
    sequences = _sequences(rng, (3, 6, 4))
    for sequence, place in zip(sequences, (-1, 3, -1), strict=True):
        sequence[place] = pad_id
        sequence[1] = 0
    call.agrees_in(MASK, sequences, pad_id)


@EXERCISE.claim(0.25, side=True)
def arrays(call, rng):
    """takes the arrays that `encode` returns, also an empty one, and leaves lists and arrays alone"""
    lists, pad_id = _sequences(rng, (4, 6, 1, 5)), int(rng.integers(1, 9))
    call.leaves_inputs_alone(lists, pad_id)
    call.agrees(lists, pad_id)
    sequences = [np.array(sequence, dtype=np.int64) for sequence in _sequences(rng, (4, 6, 0, 5))]
    agrees_here(call, sequences, pad_id)
    call.leaves_inputs_alone(sequences, pad_id)
    call.leaves_inputs_alone(sequences[:1], pad_id)  # nothing to fill up, and a new array all the same


wrong = WrongAnswers(EXERCISE, globals())

IDS = 0

MASK = 1

wrong.at(PLACES)
wrong("mask-from-ids", {", is_token": ", token_ids != pad_id"}, """
    A real token whose id equals pad_id is mistaken for padding.
    The ids alone cannot tell a token from padding, because both may be the same number. The lengths of the sequences
    can.""")

wrong("mask-from-zeros", {", is_token": ", token_ids != 0"}, """
    Tokens with the id 0 are mistaken for padding, and padding for tokens.
    The id of the padding is an argument and need not be 0. And even if it is, a real token may have it: only the
    lengths of the sequences can tell.""")

wrong("inverted", {"token_ids, ": "token_ids, ~"}, """
    True and False are swapped in is_token.
    The name says what True means: here *is* a *token*. Some libraries do it the other way round; this course never
    does.""")

wrong("inverted-from-ids", {", is_token": ", token_ids == pad_id"}, """
    is_token is True where the id equals pad_id.
    The name says what True means: here *is* a *token*. And the ids alone cannot tell, because a real token may have the
    same id.""")

wrong("last-token-hidden", {", is_token": ", np.arange(lengths.max()) < lengths[:, None] - 1"}, """
    The last token of every sequence counts as padding.
    A slice `[:n]` ends before the place n, and `[n:]` begins there. With the length of the sequence for n, all its
    tokens are kept.""")

wrong("mask-of-numbers", {", is_token": ", is_token.astype(np.int64)"}, """
    is_token holds the integers 1 and 0.
    Used as an index, 1 and 0 mean row 1 and row 0, not yes and no. A mask is an array of booleans.""")

wrong("mask-of-floats", {", is_token": ", is_token.astype(np.float64)"}, """
    is_token holds the floating-point numbers 1 and 0.
    A mask is an array of booleans, as `dtype=bool` or a comparison makes it.""")

wrong("lengths", "(pad_batch(sequences, pad_id)[IDS], np.array([len(sequence) for sequence in sequences]))", """
    The lengths are returned instead of the mask.
    The lengths say the same, but one step too early. Turn them into one True or False per place.""")

wrong.at(RECTANGLE)
wrong("zeros", "pad_batch(sequences, 0)", """
    The padding is always 0.
    0 is only the most usual choice. A function that takes an argument must use it.""")

wrong("zeros-replaced", {"return token_ids": "return np.where(token_ids == 0, pad_id, token_ids)"}, """
    Tokens with the id 0 are replaced by pad_id.
    A rectangle of zeros does not tell an empty place from a token whose id is 0. Fill it with pad_id from the
    start.""")

wrong("float-ids", {"return token_ids": "return token_ids.astype(np.float64)"}, """
    The ids are floating-point numbers.
    Ids index a table, and floats cannot. A `dtype` says what kind of numbers an array has.""")

wrong("in-front",
      {"np.arange(lengths.max()) < lengths[:, None]": "np.arange(lengths.max())[::-1] < lengths[:, None]"}, """
    The padding stands in front.
    Then the first word of a sentence has a different position in every batch. Start every sequence in column 0.""")

wrong("cut",
      "pad_batch([sequence[:min(len(sequence) for sequence in sequences)] for sequence in sequences], pad_id)", """
    Every sequence is cut to the length of the shortest.
    Words are lost that way. Make room for the longest and fill up the others.""")


@wrong.function
def first_length(sequences, pad_id):
    """The first sequence decides how many columns there are.
    Another sequence may be longer. The longest one decides."""
    n = len(sequences[0])
    token_ids = np.full((len(sequences), n), pad_id)
    is_token = np.zeros((len(sequences), n), dtype=bool)
    for i, sequence in enumerate(sequences):
        token_ids[i, : len(sequence)] = sequence
        is_token[i, : len(sequence)] = True
    return token_ids, is_token


wrong("ragged", "(np.array(sequences), np.ones(np.array(sequences).shape, dtype=bool))", """
    The sequences are put into an array without filling them up.
    An array is a rectangle: NumPy refuses rows of different lengths. This is what padding is for.""")


@wrong.function
def lists_only(sequences, pad_id):
    """The padding works only for lists.
    Between lists `+` means: append one to the other. Between an array and a list it *adds* the numbers. `encode`
    returns arrays, so they will come."""
    n_max = max(len(sequence) for sequence in sequences)
    token_ids = np.array([sequence + [pad_id] * (n_max - len(sequence)) for sequence in sequences])
    return token_ids, np.array([[j < len(sequence) for j in range(n_max)] for sequence in sequences])


@wrong.function
def appended(sequences, pad_id):
    """The padding is appended to the caller's own lists.
    The caller finds padding in their sentences afterwards. And an array from `encode` has no `append`. Make new arrays
    and write the ids into them."""
    lengths = np.array([len(sequence) for sequence in sequences])
    for sequence in sequences:
        while len(sequence) < lengths.max():
            sequence.append(pad_id)
    return np.array(sequences), np.arange(lengths.max()) < lengths[:, None]


wrong.at()
wrong("lists-returned", {", is_token": ".tolist(), is_token.tolist()"}, """
    Lists are returned, not arrays.
    A list of lists looks the same when it is printed, but it has no shape. Turn both into arrays.""")

wrong.at(RECTANGLE)
wrong("columns", {", is_token": ".T, is_token.T"}, """
    The sequences stand in columns.
    The first axis counts sequences, the second one places within a sequence.""")

wrong.at()
wrong("exchanged", "pad_batch(sequences, pad_id)[::-1]", """
    The two results are swapped.
    Results come as a tuple in the order of the docstring: the ids first, then the mask.""")

wrong("ids-only", "pad_batch(sequences, pad_id)[IDS]", """
    Only the ids are returned.
    Return two results, with a comma between them: the ids and the mask.""")

wrong.at(RECTANGLE)


@wrong.function
def appended_to_lists(sequences, pad_id):
    """The padding is appended to the caller's own lists, and arrays are copied.
    The caller finds padding in their sentences afterwards. Make new lists or arrays for all of them."""
    n_max = max(len(sequence) for sequence in sequences)
    lengths = np.array([len(sequence) for sequence in sequences])
    rows = []
    for sequence in sequences:
        row = sequence if isinstance(sequence, list) else sequence.tolist()
        row.extend([pad_id] * (n_max - len(row)))
        rows.append(row)
    return np.array(rows), np.arange(n_max) < lengths[:, None]


wrong("empty-left-out", "pad_batch([sequence for sequence in sequences if len(sequence)], pad_id)", """
    An empty sequence gets no row.
    `if sequence` and a loop over words skip what is empty. But row b belongs to sequence b, and an empty sequence is a
    row of nothing but padding.""")

wrong.at(PLACES)
wrong("length-counts-too",
      {"return token_ids, is_token": "return token_ids, np.arange(lengths.max()) <= lengths[:, None]"}, """
    In every row one place too many counts as a token.
    Places count from 0, so the last token of a sequence of length 3 is at place 2. Place 3 is already padding.""")

wrong("all-tokens", {", is_token": ", np.ones_like(is_token)"}, """
    is_token is True everywhere.
    Once a row is padded, its length says nothing. Use the lengths of the sequences as they were given.""")

wrong("no-tokens", {", is_token": ", np.zeros_like(is_token)"}, """
    is_token is False everywhere.
    The mask was made and never filled. Where there is a token, it has to become True.""")

wrong.at(RECTANGLE)


@wrong.function
def last_token_repeated(sequences, pad_id):
    """The rows are filled up with their last token.
    A repeated word is still a word. Fill up with `pad_id`."""
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    last = np.array([sequence[-1] if len(sequence) else pad_id for sequence in sequences])
    return np.where(is_token, token_ids, last[:, None]), is_token
