"""Toy language models for decoding, small enough to be read.

A model takes prefixes, an int array of shape (k, t) whose rows start with `BOS`, and returns the
log-probabilities of the next token, shape (k, V). Models hold arrays and numbers only.
"""

from dataclasses import dataclass

import numpy as np

BOS, EOS = 0, 1
WORDS = ("<bos>", "<eos>", "a", "the", "cat", "poem", "song", "of", "cats", "dogs", "rhymes", "ends", "grows")


def ids_of(text):
    """Return the ids of the words of a text."""
    return tuple(map(WORDS.index, text.split()))


def spell(token_ids):
    """Return the words of a sequence of ids, as one text."""
    return " ".join(WORDS[token] for token in token_ids) or "(empty)"


@dataclass(frozen=True, eq=False)
class TableModel:
    """A model given as a table from prefixes to distributions.

    Attributes
    ----------
    table : dict of tuple of int to ndarray of shape (V,)
        Log-probabilities of the next token after these ids (without the start symbol).
    otherwise : ndarray of shape (V,)
        Log-probabilities after any other ids.
    bos_id : int
    """

    table: dict
    otherwise: np.ndarray
    bos_id: int = BOS

    def __call__(self, prefixes):
        rows = checked(prefixes, self.bos_id).tolist()
        return np.array([self.table.get(tuple(row[1:]), self.otherwise) for row in rows])


@dataclass(frozen=True, eq=False)
class PrefixModel:
    """A model whose every distribution depends on all the tokens before.

    Attributes
    ----------
    tables : ndarray of shape (n_positions, V, V)
        Entry (i, w, v): what the token w at position i adds to the logit of v as the next token. Position 0 is that
        of the start symbol.
    bos_id : int
    """

    tables: np.ndarray
    bos_id: int = BOS

    def __call__(self, prefixes):
        prefixes = checked(prefixes, self.bos_id)
        positions = np.arange(prefixes.shape[1]) % len(self.tables)
        return log_softmax(self.tables[positions, prefixes].sum(axis=1))  # (k, t, V) to (k, V)


@dataclass(frozen=True, eq=False)
class StepModel:
    """A model whose distributions depend on the number of tokens before, and on nothing else.

    Attributes
    ----------
    rows : ndarray of shape (n_steps, V)
        Log-probabilities of the token after 0, 1, 2, ... tokens; the last row goes on for ever.
    bos_id : int
    """

    rows: np.ndarray
    bos_id: int = BOS

    def __call__(self, prefixes):
        prefixes = checked(prefixes, self.bos_id)
        return self.rows[[min(prefixes.shape[1], len(self.rows)) - 1] * len(prefixes)]


@dataclass(frozen=True, eq=False)
class LastTokenModel:
    """A model whose distributions depend on the last token, and on nothing before it.

    Attributes
    ----------
    rows : ndarray of shape (V, V)
        Row i: log-probabilities of the token after token i.
    bos_id : int
    """

    rows: np.ndarray
    bos_id: int = BOS

    def __call__(self, prefixes):
        return self.rows[checked(prefixes, self.bos_id)[:, -1]]


class CountingModel:
    """A model that remembers which prefixes it was given.

    Attributes
    ----------
    passes : int
        How often it was called.
    rows : int
        How many prefixes it was given in all.
    prefixes : list of tuple of int
        Without the start symbol.
    """

    def __init__(self, model):
        self.model = model
        self.passes, self.prefixes = 0, []

    @property
    def rows(self):
        return len(self.prefixes)

    def __call__(self, prefixes):
        log_probs = self.model(prefixes)  # which refuses what are no prefixes
        self.passes += 1
        self.prefixes += [tuple(row[1:]) for row in np.asarray(prefixes).tolist()]
        return log_probs


def write(model, choose, max_len=10):
    """Write a sentence: `choose` gets the next token's log-probabilities, shape (V,), and returns its id."""
    prefix = [BOS]
    while len(prefix) <= max_len and (len(prefix) == 1 or prefix[-1] != EOS):
        prefix.append(choose(model(np.array([prefix]))[0]))
    return tuple(prefix[1:])


def checked(prefixes, bos_id):
    """Return prefixes as an array.

    Raises
    ------
    ValueError
        If they are not what a model understands; the message says what it expects.
    """
    prefixes = np.asarray(prefixes)
    if prefixes.ndim != 2 or prefixes.dtype.kind not in "iu":
        raise ValueError(
            "the model expects prefixes as an int array of shape (k, t), one prefix per row; "
            f"got shape {prefixes.shape}, dtype {prefixes.dtype}"
        )
    if prefixes.shape[1] == 0 or (prefixes[:, 0] != bos_id).any():
        raise ValueError(f"every prefix must start with bos_id = {bos_id}; got {prefixes[:3].tolist()}")
    return prefixes


def log_softmax(logits):
    """Return the logarithms of the softmax of every row."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def log_probs(probabilities):
    """Return the logarithms of probabilities; that of 0 is -inf.

    By way of log2, so that on every machine the logarithm of 1/4 is exactly twice that of 1/2: such products tie.
    """
    with np.errstate(divide="ignore"):
        return np.log2(np.asarray(probabilities, dtype=float)) * np.log(2)


def table_model(table, vocab_size, otherwise, bos_id=BOS):
    """Return a `TableModel` from probabilities.

    Parameters
    ----------
    table : dict of tuple of int to dict of int to float
        Probabilities of the next ids after a sequence of ids; what is left out has probability 0.
    vocab_size : int
    otherwise : dict of int to float
        The same, after any other sequence.
    bos_id : int
    """

    def row(probabilities):
        dense = np.zeros(vocab_size)
        dense[list(probabilities)] = list(probabilities.values())
        return log_probs(dense)

    return TableModel({ids: row(p) for ids, p in table.items()}, row(otherwise), bos_id)


def random_model(rng, vocab_size, bos_id=BOS, spread=0.8, n_positions=8):
    """Return a `PrefixModel` drawn from a random generator; a larger `spread` makes it surer of itself."""
    return PrefixModel(spread * rng.standard_normal((n_positions, vocab_size, vocab_size)), bos_id)


def in_words(table):
    """Return a `TableModel` over `WORDS`, in which every sentence ends where the table ends.

    `table` maps the words so far to the next words and their probabilities: ``{"the cat": {"<eos>": 1.0}}``.
    """
    ids = {ids_of(words): {WORDS.index(word): p for word, p in following.items()} for words, following in table.items()}
    return table_model(ids, len(WORDS), {EOS: 1.0})


# Greedy takes "a" (0.5), and then no word stands out; "the poem" is far likelier than anything after "a".
GREEDY_LOSES = in_words(
    {
        "": {"a": 0.5, "the": 0.4, "<eos>": 0.1},
        "a": {"cat": 0.35, "poem": 0.3, "song": 0.25, "<eos>": 0.1},
        "the": {"poem": 0.9, "song": 0.1},
    }
)

# All that GREEDY_LOSES can write.
SENTENCES = ("<eos>", "a <eos>", "a cat <eos>", "a poem <eos>", "a song <eos>", "the poem <eos>", "the song <eos>")

# A beam of 2 in three steps: the empty sentence finishes first, its place is filled, and two more finish together.
STEP_BY_STEP = in_words(
    {
        "": {"<eos>": 0.4, "a": 0.35, "the": 0.25},
        "a": {"cat": 0.6, "song": 0.4},
        "the": {"poem": 1.0},
    }
)

# A beam of 2 leaves "a cat" for two sentences that begin with "the" and then scatter.
BEAM_LOSES = in_words(
    {
        "": {"a": 0.45, "the": 0.35, "song": 0.2},
        "a": {"cat": 0.36, "poem": 0.33, "song": 0.31},
        "the": {"song": 0.52, "poem": 0.48},
        "song": {"ends": 0.5, "grows": 0.5},
        "the song": {"rhymes": 0.4, "ends": 0.35, "grows": 0.25},
        "the poem": {"rhymes": 0.4, "ends": 0.32, "grows": 0.28},
    }
)

# The model may stop at once. Whatever it adds costs probability, though word by word it is rather sure.
SHORT_WINS = in_words(
    {
        "": {"the": 0.6, "<eos>": 0.4},
        "the": {"poem": 0.8, "song": 0.2},
        "the poem": {"of": 0.9, "<eos>": 0.1},
        "the song": {"of": 1.0},
        "the poem of": {"cats": 0.9, "dogs": 0.1},
        "the song of": {"dogs": 1.0},
    }
)

# Next-token logits of two kinds: one word stands out, or many will do.
SURE = np.array([4.0, 1.0, 0.5, 0.2, 0.0, -0.5, -1.0, -1.5])
OPEN = np.array([1.2, 1.1, 1.0, 0.9, 0.8, 0.5, 0.2, -0.5])
CHOICES = ("poem", "song", "cat", "dog", "moon", "sea", "list", "the")
