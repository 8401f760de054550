"""Specification of `next_token_logits`."""

import numpy as np

from autograder.exercises.families import SKIPPED, take_other_models
from autograder.exercises.unit_11_inside_the_model import calls, lookalikes
from autograder.exercises.unit_11_inside_the_model.inputs import VOCAB_SIZE, small_model, small_texts
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import causal_mask, embed, encoder_layer, positional_encoding

INPUT = "What goes in, what comes out"
STACK = "One stack, one mask"

LONG = 600  # tokens: more than a table of positions that is made once and for all has rows

EXERCISE = Exercise(
    reference=reference.next_token_logits,
    asks="logits for every position: embeddings and positions, through causal layers, times the table transposed.",
    returns=(Output("logits", "(B, n, V)"),),
    calls=calls.NEXT_TOKEN_LOGITS,
    lookalike=lookalikes.NEXT_TOKEN_LOGITS,
)


@EXERCISE.claim(1)
def without_layers(call, rng):
    """without layers: embeddings times the root of d_model, positions, and the same table for the logits"""
    call.agrees(small_texts(rng), small_model(rng, n_layers=0))
    call.agrees(small_texts(rng, 3, 4), small_model(rng, n_layers=0))
    call.agrees(small_texts(rng, 1, LONG), small_model(rng, n_layers=0))


@EXERCISE.claim(1.5)
def stack(call, rng):
    """the layers follow each other, each with its own parameters"""
    call.agrees(small_texts(rng), small_model(rng, n_layers=1))
    call.agrees(small_texts(rng, 3, 4), small_model(rng, n_layers=3))


@EXERCISE.claim(1)
def causal(call, rng):
    """is causal: later tokens do not move earlier logits"""
    token_ids, model = small_texts(rng, n=6), small_model(rng)
    n, shape = token_ids.shape[1], (*token_ids.shape, VOCAB_SIZE)
    turned = (token_ids + 1) % VOCAB_SIZE  # other tokens everywhere

    def logits(changed):
        return call.array(shape, np.where(changed, turned, token_ids), model)

    before, late, early = logits(np.zeros(n, bool)), logits(np.arange(n) > 2), logits(np.arange(n) == 1)
    leak = np.abs(late - before)[:, :3].max()
    call.holds(leak < 1e-9, f"other tokens from position 3 on move earlier logits by {leak:.3g}.")
    effect = np.abs(early - before)[:, 1:].max(axis=(0, 2)).min()
    call.holds(effect > 1e-6, "another token at position 1 does not move the logits of every position from 1 on.")


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    token_ids = small_texts(rng)
    call.leaves_inputs_alone(token_ids, small_model(rng))
    call.agrees(token_ids, small_model(rng, n_layers=0))


wrong = WrongAnswers(EXERCISE, globals())


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


wrong.at(STACK)
wrong("no-mask", "_logits(token_ids, model, mask=np.ones((token_ids.shape[-1], token_ids.shape[-1]), dtype=bool))", """
    There is no mask: every position sees the tokens that it has to predict.
    Nothing comes after the last position, so the text that comes out looks right for a while. All other positions are
    wrong, and from the second layer on the last one reads their vectors.""")

wrong("mask-transposed", "_logits(token_ids, model, mask=causal_mask(token_ids.shape[-1]).T)", """
    The mask shows the later tokens and hides the earlier ones.
    A row of the mask belongs to a query, a column to a key: the query at position 3 may see the keys 0 to 3.""")

wrong("hides-itself", "_logits(token_ids, model, mask=np.tri(token_ids.shape[-1], k=-1, dtype=bool))", """
    A position may not see itself.
    It has to predict the token after it. Its own token is known, and tells it most.""")

wrong("mask-one-too-far", "_logits(token_ids, model, mask=np.tri(token_ids.shape[-1], k=1, dtype=bool))", """
    Every position also sees the token right after it.
    That is the token that it has to predict. Nothing beyond the diagonal of the mask may be seen.""")

wrong.at(INPUT)
wrong("no-scale", "_logits(token_ids, model, _placed(embed(token_ids, model.embedding)))", """
    The embeddings are not multiplied by the root of d_model.
    The same table makes the logits, so its entries are small. The factor lifts the tokens above their positions.""")

wrong("both-scaled",
      "_logits(token_ids, model, _placed(embed(token_ids, model.embedding)) * model.embedding.shape[-1] ** 0.5)", """
    The positions are multiplied by the root of d_model, too.
    The factor belongs to the embeddings alone. First scale, then add.""")

wrong("no-positions", "_logits(token_ids, model, _scaled(token_ids, model.embedding))", """
    The positions are not added.
    The mask tells each token how many are before it, but not in which order.""")

wrong("positions-from-1", "_logits(token_ids, model, _placed(_scaled(token_ids, model.embedding), first=1))", """
    The positions are counted from 1.
    The first token has the first row of the table, position 0.""")

wrong.at(STACK)


@wrong.function
def positions_in_the_loop(token_ids, model):
    """Positions are added inside the loop, before every layer.
    They are added once, before the first layer, whether there are any layers or none. The residual connections carry
    them up."""
    X, mask = _scaled(token_ids, model.embedding), causal_mask(token_ids.shape[-1])
    for params in model.layers:
        X = encoder_layer(_placed(X), params, model.n_heads, mask)
    return X @ model.embedding.T


wrong.at(INPUT)
wrong("half-of-width",
      "_logits(token_ids, model, _placed(embed(token_ids, model.embedding) * model.embedding.shape[-1] / 2))", """
    The embeddings are multiplied by half of d_model.
    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.""")

wrong("only-the-last-position", "next_token_logits(token_ids, model)[:, -1]", """
    Only the logits of the last position are returned.
    That is what writing needs. Here every position has its prediction, as in training: take the last one when you use
    the function.""")


@wrong.function
def states_returned(token_ids, model):
    """The vectors of the last layer are returned, not logits.
    A logit for every token is the dot product of the vector with that token's row of the table."""
    X = _placed(_scaled(token_ids, model.embedding))
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, causal_mask(token_ids.shape[-1]))
    return X


wrong("probabilities", "softmax(next_token_logits(token_ids, model))", """
    The logits go through a softmax.
    The task asks for logits. Probabilities can be made from them; temperature and filters need logits.""")

wrong("logits-scaled", "next_token_logits(token_ids, model) * model.embedding.shape[-1] ** 0.5", """
    The logits are multiplied by the root of d_model, as the embeddings are.
    The factor is for the way in. On the way out the table is used as it is.""")

wrong.at(STACK)
wrong("first-layer-only", "next_token_logits(token_ids, model._replace(layers=model.layers[:1]))", """
    The function uses the first layer only.
    Every layer takes what the one before it gives. Is a `return` indented so far that it belongs to the loop?""")

wrong("one-layer-again-and-again",
      "next_token_logits(token_ids, model._replace(layers=model.layers[:1] * len(model.layers)))", """
    All layers use the parameters of the first one.
    model.layers has one entry for each layer.""")

wrong("layers-reversed", "next_token_logits(token_ids, model._replace(layers=model.layers[::-1]))", """
    The layers come in the opposite order.
    The first entry of model.layers is the layer at the bottom, which takes the embeddings.""")

wrong("all-fed-the-input", "next_token_logits(token_ids, model._replace(layers=model.layers[-1:]))", """
    Every layer gets the embeddings, and only the last one's result is used.
    A layer takes the output of the one below. Here all but the last work for nothing.""")

wrong("pre-norm", "_logits(token_ids, model, norm_first=True)", """
    The layers are run in pre-norm.
    GPT-2 is built that way. This model has the norm after the sum, which is the default of your layer.""")

wrong("one-head", "next_token_logits(token_ids, model._replace(n_heads=1))", """
    The layers are run with one head.
    The number of heads is model.n_heads. With another one the shapes fit all the same.""")

wrong.at(INPUT)


@wrong.function
def table_scaled_in_place(token_ids, model):
    """The model's table is scaled in place.
    The logits need the table as it was, and so does the next call. Scale what you have looked up."""
    model.embedding[...] *= model.embedding.shape[-1] ** 0.5
    return _logits(token_ids, model, _placed(embed(token_ids, model.embedding)))


wrong.at(STACK)
take_other_models(wrong, "layers", *SKIPPED)
