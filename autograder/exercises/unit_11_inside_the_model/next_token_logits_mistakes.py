"""The known mistakes of `next_token_logits`."""

import numpy as np

from autograder.exercises.skipped_layers import add_skips
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask, embed, encoder_layer, positional_encoding

SECTION = "Exercise 11.5: next_token_logits"
INPUT = "What goes in, what comes out"
STACK = "One stack, one mask"

MISTAKES = KnownMistakes()


def _scaled(token_ids, E):
    return embed(token_ids, E) * E.shape[-1] ** 0.5


def _placed(X, first=0):
    n, d_model = X.shape[-2:]
    return X + positional_encoding(n + first, d_model)[first:]


def _logits(token_ids, model, X=None, mask=None, **options):
    """Return logits made from some input of the first layer, under some mask; options are those of the layers."""
    X = _placed(_scaled(token_ids, model.embedding)) if X is None else X
    mask = causal_mask(token_ids.shape[-1]) if mask is None else mask
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, mask, **options)
    return X @ model.embedding.T


@MISTAKES.add(where=STACK)
def no_mask(token_ids, model):
    """There is no mask: every position sees the tokens that it has to predict.

    Nothing comes after the last position, so the text that comes out looks right for a while. All other positions
    are wrong, and from the second layer on the last one reads their vectors.
    """
    n = token_ids.shape[-1]
    return _logits(token_ids, model, mask=np.ones((n, n), dtype=bool))


@MISTAKES.add(where=STACK)
def mask_transposed(token_ids, model):
    """The mask shows the later tokens and hides the earlier ones.

    A row of the mask belongs to a query, a column to a key: the query at position 3 may see the keys 0 to 3.
    """
    return _logits(token_ids, model, mask=causal_mask(token_ids.shape[-1]).T)


@MISTAKES.add(where=STACK)
def hides_itself(token_ids, model):
    """A position may not see itself.

    It has to predict the token after it. Its own token is known, and tells it most.
    """
    n = token_ids.shape[-1]
    return _logits(token_ids, model, mask=np.tri(n, k=-1, dtype=bool))


@MISTAKES.add(where=STACK)
def mask_one_too_far(token_ids, model):
    """Every position also sees the token right after it.

    That is the token that it has to predict. Nothing beyond the diagonal of the mask may be seen.
    """
    n = token_ids.shape[-1]
    return _logits(token_ids, model, mask=np.tri(n, k=1, dtype=bool))


@MISTAKES.add(where=INPUT)
def no_scale(token_ids, model):
    """The embeddings are not multiplied by the root of d_model.

    The same table makes the logits, so its entries are small. The factor lifts the tokens above their positions.
    """
    return _logits(token_ids, model, _placed(embed(token_ids, model.embedding)))


@MISTAKES.add(where=INPUT)
def both_scaled(token_ids, model):
    """The positions are multiplied by the root of d_model, too.

    The factor belongs to the embeddings alone. First scale, then add.
    """
    E = model.embedding
    return _logits(token_ids, model, _placed(embed(token_ids, E)) * E.shape[-1] ** 0.5)


@MISTAKES.add(where=INPUT)
def no_positions(token_ids, model):
    """The positions are not added.

    The mask tells each token how many are before it, but not in which order.
    """
    return _logits(token_ids, model, _scaled(token_ids, model.embedding))


@MISTAKES.add(where=INPUT)
def positions_from_1(token_ids, model):
    """The positions are counted from 1.

    The first token has the first row of the table, position 0.
    """
    return _logits(token_ids, model, _placed(_scaled(token_ids, model.embedding), first=1))


@MISTAKES.add(where=STACK)
def positions_in_the_loop(token_ids, model):
    """Positions are added inside the loop, before every layer.

    They are added once, before the first layer, whether there are any layers or none. The residual connections carry
    them up.
    """
    X, mask = _scaled(token_ids, model.embedding), causal_mask(token_ids.shape[-1])
    for params in model.layers:
        X = encoder_layer(_placed(X), params, model.n_heads, mask)
    return X @ model.embedding.T


@MISTAKES.add(where=INPUT)
def half_of_width(token_ids, model):
    """The embeddings are multiplied by half of d_model.

    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.
    """
    E = model.embedding
    return _logits(token_ids, model, _placed(embed(token_ids, E) * E.shape[-1] / 2))


@MISTAKES.add(where=INPUT)
def only_the_last_position(token_ids, model):
    """Only the logits of the last position are returned.

    That is what writing needs. Here every position has its prediction, as in training: take the last one when you use
    the function.
    """
    return reference.next_token_logits(token_ids, model)[:, -1]


@MISTAKES.add(where=INPUT)
def states_returned(token_ids, model):
    """The vectors of the last layer are returned, not logits.

    A logit for every token is the dot product of the vector with that token's row of the table.
    """
    X = _placed(_scaled(token_ids, model.embedding))
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, causal_mask(token_ids.shape[-1]))
    return X


@MISTAKES.add(where=INPUT)
def probabilities(token_ids, model):
    """The logits go through a softmax.

    The task asks for logits. Probabilities can be made from them; temperature and filters need logits.
    """
    return reference.softmax(reference.next_token_logits(token_ids, model))


@MISTAKES.add(where=INPUT)
def logits_scaled(token_ids, model):
    """The logits are multiplied by the root of d_model, as the embeddings are.

    The factor is for the way in. On the way out the table is used as it is.
    """
    return reference.next_token_logits(token_ids, model) * model.embedding.shape[-1] ** 0.5


@MISTAKES.add(where=STACK)
def first_layer_only(token_ids, model):
    """The function uses the first layer only.

    Every layer takes what the one before it gives. Is a `return` indented so far that it belongs to the loop?
    """
    return reference.next_token_logits(token_ids, model._replace(layers=model.layers[:1]))


@MISTAKES.add(where=STACK)
def one_layer_again_and_again(token_ids, model):
    """All layers use the parameters of the first one.

    model.layers has one entry for each layer.
    """
    return reference.next_token_logits(token_ids, model._replace(layers=model.layers[:1] * len(model.layers)))


@MISTAKES.add(where=STACK)
def layers_reversed(token_ids, model):
    """The layers come in the opposite order.

    The first entry of model.layers is the layer at the bottom, which takes the embeddings.
    """
    return reference.next_token_logits(token_ids, model._replace(layers=model.layers[::-1]))


@MISTAKES.add(where=STACK)
def all_fed_the_input(token_ids, model):
    """Every layer gets the embeddings, and only the last one's result is used.

    A layer takes the output of the one below. Here all but the last work for nothing.
    """
    return reference.next_token_logits(token_ids, model._replace(layers=model.layers[-1:]))


@MISTAKES.add(where=STACK)
def pre_norm(token_ids, model):
    """The layers are run in pre-norm.

    GPT-2 is built that way. This model has the norm after the sum, which is the default of your layer.
    """
    return _logits(token_ids, model, norm_first=True)


@MISTAKES.add(where=STACK)
def one_head(token_ids, model):
    """The layers are run with one head.

    The number of heads is model.n_heads. With another one the shapes fit all the same.
    """
    return reference.next_token_logits(token_ids, model._replace(n_heads=1))


@MISTAKES.add(where=INPUT)
def table_scaled_in_place(token_ids, model):
    """The model's table is scaled in place.

    The logits need the table as it was, and so does the next call. Scale what you have looked up.
    """
    model.embedding[...] *= model.embedding.shape[-1] ** 0.5
    return _logits(token_ids, model, _placed(embed(token_ids, model.embedding)))


add_skips(MISTAKES, reference.next_token_logits, "layers", STACK)
