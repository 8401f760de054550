"""Definitions written piece by piece, on functions that are handed over."""

import math
from collections import defaultdict

import numpy as np

from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.dictionary.pieces import KINDS, prompt_ids
from transformer_kit.dictionary.unfit import is_unfit
from transformer_kit.examples.toy_models import checked, log_softmax

TEMPERATURE, TOP_P = 0.5, 0.9
TRIES = 20


class Entry:
    """An entry of the dictionary as a model for the functions of unit 08: its start symbol stands for the word.

    Parameters
    ----------
    word, kind : str
        As in `define`.
    model : Dictionary
    functions : object
        Has the functions of units 00 to 07 as attributes.

    Attributes
    ----------
    bos_id, eos_id, max_len : int
    """

    bos_id, eos_id = BOS, EOS

    def __init__(self, word, kind, model, functions):
        self.prompt, self.max_len = prompt_ids(word, kind, model.pieces), model.max_len
        self._pieces, self._following = model.pieces, writer(model, functions)

    def __call__(self, prefixes):
        """Return the log-probabilities of the next piece, of shape (k, V), after prefixes of shape (k, t)."""
        prefixes = checked(prefixes, BOS)
        return self._following(np.column_stack([np.tile(self.prompt, (len(prefixes), 1)), prefixes[:, 1:]]))

    def text(self, ids):
        """Return the text of a decoded sequence, without "<eos>"."""
        return self._pieces.decode(i for i in ids if i != EOS).strip()


def define(word, kind, model, functions, rng, temperature=TEMPERATURE, top_p=TOP_P, sampler=None):
    """Write a definition of a word, existing or not.

    Parameters
    ----------
    word : str
    kind : str
        "noun", "verb", "adjective" or "adverb".
    model : Dictionary
    functions : object
        Has the functions of units 00 to 08 as attributes.
    rng : numpy.random.Generator
    temperature, top_p : float
        For `apply_temperature` and `top_p_filter`.
    sampler : callable, optional
        `sample_decode` of unit 08. Without it the three functions of that unit choose, the filter first.

    Returns
    -------
    str
        Fit for a class: one that is not is thrown away, and another is drawn.

    Raises
    ------
    ValueError
        If the word is empty, too long or not fit for a class, or there is no such kind.
    """
    word = " ".join(word.lower().split())
    if kind not in KINDS:
        raise ValueError(f"a word is one of {', '.join(KINDS)}; got {kind!r}")
    if is_unfit(word):
        raise ValueError(f"this dictionary has nothing to say about {word!r}; give it another word")
    n_pieces = len(model.pieces.encode(f" {word}")) if word else 0
    if not 0 < n_pieces <= model.longest_word:
        raise ValueError(f"a word has to have 1 to {model.longest_word} pieces; {word!r} has {n_pieces}")
    for _ in range(TRIES):
        if sampler:
            entry = Entry(word, kind, model, functions)
            numbers = rng.random(model.max_len)
            text = entry.text(sampler(entry, BOS, EOS, model.max_len, numbers, temperature, top_p=top_p))
        else:
            (text,) = definitions([(word, kind)], model, functions, rng, temperature, top_p)
        if text and not is_unfit(text):
            return text
    raise ValueError(f"{TRIES} definitions of {word!r} were not fit for a class; try a lower temperature")


def definitions(words, model, functions, rng, temperature=TEMPERATURE, top_p=TOP_P):
    """Write a definition of each of several words; words of the same number of pieces side by side.

    Parameters
    ----------
    words : sequence of (str, str)
        Words and their kinds, as in `define`.
    model, functions, rng, temperature, top_p
        As in `define`.

    Returns
    -------
    list of str
        As they come: not searched for what is unfit for a class.
    """
    next_log_probs = writer(model, functions)

    def choose(log_probs):
        return functions.sample_token(functions.apply_temperature(log_probs, temperature), rng.random())

    def choose_each(log_probs):
        return [choose(row) for row in functions.top_p_filter(log_probs, top_p)]

    groups, found = defaultdict(list), {}
    for i, (word, kind) in enumerate(words):
        prompt = prompt_ids(word, kind, model.pieces)
        groups[len(prompt)].append((i, prompt))
    for group in groups.values():
        numbers, prompts = zip(*group, strict=True)
        found |= zip(numbers, continued(prompts, next_log_probs, choose_each, model.max_len), strict=True)
    return [model.pieces.decode(found[i]).strip() for i in range(len(words))]


def writer(model, functions):
    """Return what the searches of unit 08 call: a function from prefixes of an entry to its next piece.

    Parameters
    ----------
    model : Dictionary
    functions : object
        Has the functions of units 00 to 07 as attributes.

    Returns
    -------
    callable
        From prefixes, an int array of shape (k, t), to log-probabilities of the next piece, of shape (k, V).
    """

    def next_log_probs(prefixes):
        *_, X = states(prefixes, model, functions)
        return log_softmax(X[:, -1] @ model.embedding.T)

    return next_log_probs


def states(token_ids, model, functions):
    """Run texts through a stack of layers that look back, and yield the vectors on the way.

    Parameters
    ----------
    token_ids : ndarray of shape (..., n), int
    model : DecoderOnly
        Or any other model that has its three fields.
    functions : object
        Has the functions of units 00 to 07 as attributes.

    Yields
    ------
    ndarray of shape (..., n, d_model)
        The input of the first layer, then what each layer returns.
    """
    E, n = model.embedding, token_ids.shape[-1]
    X = functions.embed(token_ids, E) * math.sqrt(E.shape[-1])
    X = functions.add_positions(X, functions.positional_encoding(n, E.shape[-1]).astype(E.dtype))
    yield X
    for params in model.layers:
        X = functions.encoder_layer(X, params, model.n_heads, functions.causal_mask(n))
        yield X


def greedy_definition(word, kind, model, next_token_logits):
    """Write a definition of a word, always with the likeliest piece.

    Parameters
    ----------
    word, kind : str
        As in `define`.
    model : Dictionary
    next_token_logits : callable
        The function of unit 11.

    Returns
    -------
    prompt, definition : list of int
        Their ids, without "<eos>".
    """

    def last_logits(prefixes):
        return next_token_logits(prefixes, model)[:, -1]

    prompt = prompt_ids(word, kind, model.pieces)
    return prompt, continued([prompt], last_logits, lambda logits: logits.argmax(axis=-1), model.max_len)[0]


def continued(prompts, next_log_probs, choose_each, max_len):
    """Continue prompts of the same length, piece by piece, until "<eos>".

    Parameters
    ----------
    prompts : sequence of list of int
    next_log_probs : callable
        As `writer` returns it.
    choose_each : callable
        From log-probabilities, of shape (k, V), to k ids.
    max_len : int
        The largest number of ids in a continuation.

    Returns
    -------
    list of list of int
        Without "<eos>".
    """
    prefixes, unfinished = np.array(prompts), np.arange(len(prompts))
    found = [[] for _ in prompts]
    for _ in range(max_len):
        chosen = np.array(choose_each(next_log_probs(prefixes)))
        goes_on = chosen != EOS
        prefixes = np.column_stack([prefixes, chosen])[goes_on]
        unfinished = unfinished[goes_on]
        for i, piece in zip(unfinished, chosen[goes_on], strict=True):
            found[i].append(int(piece))
        if not len(unfinished):
            break
    return found
