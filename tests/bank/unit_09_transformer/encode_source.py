"""Functions that learners wrote for `encode_source`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import add_positions, embed, encoder_layer, padding_mask, positional_encoding


@wrong("the embeddings are not multiplied by the root of d_model", names={"no-scale"}, line=None)
def no_factor(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    P = reference.positional_encoding(X.shape[-2], X.shape[-1])
    X = reference.add_positions(X, P)
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "the positions are multiplied by the root of d_model, too: the factor comes after the sum",
    names={"scale-on-positions"},
    line="X = np.sqrt(d_model) * (E + P)",
)
def factor_after_sum(source_ids, source_is_token, model):
    E = model.source_embedding[source_ids]
    n, d_model = E.shape[1], E.shape[2]
    P = reference.positional_encoding(n, d_model)
    X = np.sqrt(d_model) * (E + P)
    mask = reference.padding_mask(source_is_token)
    for params in model.encoder:
        X = reference.encoder_layer(X, params, model.n_heads, mask)
    return X


@wrong(
    "the factor is the root of the number of words in the table instead of the table's width",
    names={"root-of-vocabulary"},
    line="d_model = model.source_embedding.shape[0]",
)
def root_of_vocabulary(source_ids, source_is_token, model):
    d_model = model.source_embedding.shape[0]
    vectors = reference.embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    table = reference.positional_encoding(vectors.shape[1], vectors.shape[2])
    vectors = reference.add_positions(vectors, table)
    hidden = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        vectors = reference.encoder_layer(vectors, layer, model.n_heads, mask=hidden)
    return vectors


@wrong(
    "the padding is not hidden: the layers get no mask",
    names={"no-mask"},
    line="X = reference.encoder_layer(X, layer, model.n_heads)",
)
def padding_visible(source_ids, source_is_token, model):
    n = source_ids.shape[-1]
    d_model = model.source_embedding.shape[-1]
    X = reference.embed(source_ids, model.source_embedding) * d_model**0.5
    X = X + reference.positional_encoding(n, d_model)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads)
    return X


@wrong(
    "source_is_token of shape (B, n) is itself the mask, without the axis of the queries that padding_mask makes",
    names={"raw-mask"},
    line="X = reference.encoder_layer(X, params, model.n_heads, source_is_token)",
)
def mask_without_axis(source_ids, source_is_token, model):
    d = model.source_embedding.shape[1]
    X = model.source_embedding[source_ids] * np.sqrt(d)
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], d))
    for params in model.encoder:
        X = reference.encoder_layer(X, params, model.n_heads, source_is_token)
    return X


@wrong(
    "the mask is upside down: it hides the words and shows the padding",
    names={"mask-inverted"},
    line="mask = reference.padding_mask(~source_is_token)",
)
def mask_negated(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    mask = reference.padding_mask(~source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "returns inside the loop, so only the first layer works (and none at all gives None)",
    names={"first-layer-only"},
    line="return X",
)
def return_in_loop(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    B, n, d_model = X.shape
    X = np.sqrt(d_model) * X
    X = reference.add_positions(X, reference.positional_encoding(n, d_model))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
        return X


@wrong(
    "every layer gets the input of the first one, so only the last layer counts",
    names={"all-fed-the-input"},
    line="memory = reference.encoder_layer(X, layer, model.n_heads, mask)",
)
def layers_not_chained(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding) * np.sqrt(model.source_embedding.shape[1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], X.shape[2]))
    mask = reference.padding_mask(source_is_token)
    memory = X
    for layer in model.encoder:
        memory = reference.encoder_layer(X, layer, model.n_heads, mask)
    return memory


@wrong(
    "the number of heads is fixed at 4 instead of model.n_heads",
    names={"four-heads"},
    line="X = reference.encoder_layer(X, layer, 4, mask)",
)
def four_heads(source_ids, source_is_token, model):
    d_model = model.source_embedding.shape[-1]
    X = reference.embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], d_model))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, 4, mask)
    return X


@wrong(
    "the arguments of positional_encoding are exchanged, so its table has shape (d_model, n)",
    line="P = reference.positional_encoding(d_model, n)",
)
def encoding_exchanged(source_ids, source_is_token, model):
    B, n = source_ids.shape
    d_model = model.source_embedding.shape[1]
    X = reference.embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    P = reference.positional_encoding(d_model, n)
    X = reference.add_positions(X, P)
    mask = reference.padding_mask(source_is_token)
    for params in model.encoder:
        X = reference.encoder_layer(X, params, model.n_heads, mask)
    return X


@wrong(
    "looks the source words up in the target's table",
    names={"target-table"},
    line="X = reference.embed(source_ids, model.target_embedding)",
)
def target_table(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.target_embedding)
    X *= np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(*X.shape[1:]))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "multiplies the model's own table in place, so the model is changed and a second call gives something else",
    names={"table-scaled-in-place"},
    line="E *= np.sqrt(E.shape[1])",
)
def scales_the_table(source_ids, source_is_token, model):
    E = model.source_embedding
    E *= np.sqrt(E.shape[1])
    X = E[source_ids]
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], X.shape[2]))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "the norm comes first in every layer (norm_first=True), but the model has it after the sum",
    names={"pre-norm"},
    line="X = reference.encoder_layer(X, layer, model.n_heads, mask, norm_first=True)",
)
def pre_norm_layers(source_ids, source_is_token, model):
    width = model.source_embedding.shape[1]
    X = np.sqrt(width) * reference.embed(source_ids, model.source_embedding)
    X = reference.add_positions(X, reference.positional_encoding(source_ids.shape[1], width))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask, norm_first=True)
    return X


@wrong(
    "the positions are counted from 1 instead of 0",
    names={"positions-from-1"},
    line="P = reference.positional_encoding(n + 1, d_model)[1:]",
)
def positions_from_one(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    n, d_model = X.shape[-2:]
    X = X * np.sqrt(d_model)
    P = reference.positional_encoding(n + 1, d_model)[1:]
    X = reference.add_positions(X, P)
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "the root of d_model is taken as d_model ** 1 / 2, which is half of d_model",
    names={"half-of-width"},
    line="X = X * d_model**1 / 2",
)
def half_of_width(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    d_model = X.shape[-1]
    X = X * d_model**1 / 2
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], d_model))
    mask = reference.padding_mask(source_is_token)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong("the words are told nothing about their places: no positions are added", names={"no-positions"}, line=None)
def no_positions(source_ids, source_is_token, model):
    E = model.source_embedding
    X = E[source_ids] * np.sqrt(E.shape[1])
    mask = reference.padding_mask(source_is_token)
    for params in model.encoder:
        X = reference.encoder_layer(X, params, model.n_heads, mask)
    return X


@wrong(
    "the positions are added again before every layer instead of once",
    names={"positions-in-every-layer"},
    line="X = reference.add_positions(X, P)",
)
def positions_in_every_layer(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    X = X * np.sqrt(X.shape[-1])
    P = reference.positional_encoding(X.shape[1], X.shape[2])
    mask = reference.padding_mask(source_is_token)
    if not model.encoder:
        return X + P
    for layer in model.encoder:
        X = reference.add_positions(X, P)
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "a causal mask is added to the padding mask, so words do not see the later ones",
    names={"causal-too"},
    line="mask = reference.padding_mask(source_is_token) & reference.causal_mask(n)",
)
def causal_encoder(source_ids, source_is_token, model):
    n = source_ids.shape[1]
    d_model = model.source_embedding.shape[1]
    X = reference.embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(n, d_model))
    mask = reference.padding_mask(source_is_token) & reference.causal_mask(n)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@wrong(
    "the number of layers is fixed at two, so a model with more or fewer is not run as it is",
    names={"two-layers"},
    line="for i in range(2):",
)
def two_layers(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    mask = reference.padding_mask(source_is_token)
    for i in range(2):
        X = reference.encoder_layer(X, model.encoder[i], model.n_heads, mask)
    return X


@wrong(
    "two: the layers get no mask, and the embeddings are divided by the root of d_model instead of multiplied",
    names={"divided-by-root", "no-mask"},
    line="X = X / np.sqrt(X.shape[-1])",
)
def divided_and_unmasked(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    X = X / np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads)
    return X


@wrong(
    "two: the layers are run from the last to the first, and the factor sqrt(d_model) is forgotten",
    names={"layers-reversed", "no-scale"},
    line=None,
)
def backwards(source_ids, source_is_token, model):
    X = model.source_embedding[source_ids]
    X = X + reference.positional_encoding(X.shape[1], X.shape[2])
    mask = reference.padding_mask(source_is_token)
    for layer in reversed(model.encoder):
        X = reference.encoder_layer(X, layer, model.n_heads, mask)
    return X


@right
def step_by_step(source_ids, source_is_token, model):
    X = reference.embed(source_ids, model.source_embedding)
    n, d_model = X.shape[-2:]
    X = X * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(n, d_model))
    mask = reference.padding_mask(source_is_token)
    for params in model.encoder:
        X = reference.encoder_layer(X, params, model.n_heads, mask)
    return X


@right
def one_hot_lookup(source_ids, source_is_token, model):
    V, d_model = model.source_embedding.shape
    one_hot = np.eye(V)[source_ids]
    Y = np.einsum("bnv,vd->bnd", one_hot, model.source_embedding * np.sqrt(d_model))
    Y += reference.positional_encoding(source_ids.shape[1], d_model)[None]
    visible = source_is_token[:, None, :]
    layers = list(model.encoder)
    while layers:
        Y = reference.encoder_layer(Y, layers.pop(0), model.n_heads, mask=visible)
    return Y


@right
def sentence_by_sentence(source_ids, source_is_token, model):
    width = model.source_embedding.shape[1]
    places = reference.positional_encoding(source_ids.shape[1], width)
    results = []
    for ids, is_token in zip(source_ids, source_is_token):
        x = np.array([model.source_embedding[i] for i in ids]) * width**0.5 + places
        for layer in model.encoder:
            x = reference.encoder_layer(x, layer, model.n_heads, is_token[None, :])
        results.append(x)
    return np.stack(results)


@right
def full_mask(source_ids, source_is_token, model):
    def through(X, layers):
        if not layers:
            return X
        return through(reference.encoder_layer(X, layers[0], model.n_heads, mask), layers[1:])

    B, n = source_ids.shape
    mask = np.broadcast_to(source_is_token[:, np.newaxis, :], (B, n, n))
    E = np.take(model.source_embedding, source_ids, axis=0)
    return through(np.sqrt(E.shape[2]) * E + reference.positional_encoding(n, E.shape[2]), model.encoder)


@wrong(
    "adds the positions anew before every layer",
    names={"positions-in-the-loop"},
    line="X = encoder_layer(X + P, layer, model.n_heads, mask)",
)
def positions_in_every_layer_too(source_ids, source_is_token, model):
    E = model.source_embedding
    X = np.sqrt(E.shape[1]) * E[source_ids]
    P = positional_encoding(X.shape[-2], E.shape[1])
    mask = padding_mask(source_is_token)
    for layer in model.encoder:
        X = encoder_layer(X + P, layer, model.n_heads, mask)
    return X


@wrong("divides by the root of d_model instead of multiplying", names={"divided-by-root"})
def divided_by_the_root(source_ids, source_is_token, model):
    X = embed(source_ids, model.source_embedding)
    X = add_positions(X / np.sqrt(X.shape[-1]), positional_encoding(model.longest_source, X.shape[-1]))
    for layer in model.encoder:
        X = encoder_layer(X, layer, model.n_heads, padding_mask(source_is_token))
    return X


@wrong(
    "gives every layer the first input, and keeps the last result",
    names={"all-fed-the-input"},
    line="Y = encoder_layer(X, layer, model.n_heads, mask)",
)
def layers_side_by_side(source_ids, source_is_token, model):
    d_model = model.source_embedding.shape[-1]
    X = embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    X = add_positions(X, positional_encoding(source_ids.shape[-1], d_model))
    mask = padding_mask(source_is_token)
    Y = X
    for layer in model.encoder:
        Y = encoder_layer(X, layer, model.n_heads, mask)
    return Y
