"""What the claims of this unit share: small models, the trained one, sentences, and the layer at which they differ.

Ids are the integers that NumPy indexes with: in a browser np.take refuses int64.
"""

from functools import cache
from itertools import islice

import numpy as np

from autograder.evaluation.trials import Failed
from transformer_kit import corpus
from transformer_kit.corpus.vocabulary import BOS, PAD, ids_of, make_vocabulary
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.reference import pad_batch
from transformer_kit.trained.model import load_model

SOURCE, TARGET = make_vocabulary(["abcdefghi.?"]), make_vocabulary(["uvwxyz"])
D_MODEL, N_HEADS, D_FF = 12, 3, 20
LONG = 1100  # tokens: more than a table of positions that is made once and for all has rows

trained = cache(load_model)


def small_model(rng, n_layers=2, tied=True):
    """Draw a model of few numbers, in which no two parts are alike."""
    return init_model(rng, SOURCE, TARGET, Sizes(D_MODEL, N_HEADS, D_FF, n_layers), tied, noise=0.3, lengths=(9, 8))


def long_model(rng, n_layers=0):
    """Draw a small model for sentences of any length."""
    return small_model(rng, n_layers)._replace(longest_source=LONG, max_len=LONG)


def small_source(rng, lengths=(4, 7)):
    """Draw source sentences for a small model, padded: ids and where there are tokens."""
    return _padded([rng.integers(4, len(SOURCE), n) for n in lengths])


def small_target(rng, batch=2, n=5):
    """Draw beginnings of translations for a small model."""
    words = rng.integers(4, len(TARGET), (batch, n - 1))
    return np.concatenate([np.full((batch, 1), BOS), words], axis=1).astype(np.intp)


def _padded(sequences):
    ids, is_token = pad_batch(sequences, PAD)
    return ids.astype(np.intp), is_token


def sentences(rng, count, fits=lambda sentence: True):
    """Draw sentences of the grammar that the trained model may be given."""
    drawn = corpus.draws(int(rng.integers(2**32)))
    longest = trained().longest_source
    fitting = (s for s in drawn if 5 <= len(s.english) <= longest and fits(s))
    return list(islice(fitting, count))


def trained_batch(rng, lengths=(6, 9, 7), n_target=5):
    """Draw sentences of these numbers of words: source ids, where there are tokens, and beginnings of translations."""
    model = trained()
    chosen = [sentences(rng, 1, lambda s, n=n: len(s.english) == n and len(s.spanish) >= n_target)[0] for n in lengths]
    source_ids, is_token = _padded([ids_of(s.english, model.source_vocabulary) for s in chosen])
    numbers = {word: number for number, word in enumerate(model.target_words)}
    target_ids = np.array([[BOS, *ids_of(s.spanish[: n_target - 1], numbers)] for s in chosen])
    return source_ids, is_token, target_ids


def layer_by_layer(call, stack, *args, model):
    """Require the reference's result of a model cut to no layer, to one, and so on; say where the first difference is.

    Parameters
    ----------
    call : Call
    stack : str
        The field of the model with the layers, "encoder" or "decoder".
    *args : object
        All arguments but the model, which is the last one.
    model : Model
    """
    layers = getattr(model, stack)
    for depth in range(len(layers) + 1):
        try:
            call.agrees(*args, model._replace(**{stack: layers[:depth]}))
        except Failed as failed:
            raise Failed(f"{_place(stack, depth, len(layers))} {failed.text}", failed.difference) from None


def _place(stack, depth, n_layers):
    """Say what differs first: the model was cut behind this layer, and behind all earlier ones the result was right."""
    cut = f"the model was cut to {depth} of its {n_layers} {stack} layers"
    if depth == 0:
        return f"already the input of the first {stack} layer differs, or what follows the last one ({cut})."
    before = "the input of the first layer is" if depth == 1 else f"all up to layer {depth - 2} is"
    return f"{stack} layer {depth - 1} is the first that differs; {before} right ({cut})."
