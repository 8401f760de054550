"""Functions that learners wrote for `next_token_logits`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import (
    add_positions,
    causal_mask,
    embed,
    encoder_layer,
    padding_mask,
    positional_encoding,
    softmax,
)


@wrong(
    "the layers get no mask, so every position sees the later ones",
    names={"no-mask"},
    line="X = encoder_layer(X, layer, model.n_heads)",
)
def forgot_the_mask(token_ids, model):
    d_model = model.embedding.shape[1]
    X = embed(token_ids, model.embedding) * np.sqrt(d_model)
    X = add_positions(X, positional_encoding(token_ids.shape[1], d_model))
    for layer in model.layers:
        X = encoder_layer(X, layer, model.n_heads)
    return X @ model.embedding.T


@wrong(
    "a padding mask stands where the causal one should: nothing is hidden",
    names={"no-mask"},
    line="mask = padding_mask(np.ones(token_ids.shape, dtype=bool))",
)
def mask_of_the_encoder(token_ids, model):
    E = model.embedding
    n, d_model = token_ids.shape[1], E.shape[1]
    X = embed(token_ids, E) * d_model**0.5 + positional_encoding(n, d_model)
    mask = padding_mask(np.ones(token_ids.shape, dtype=bool))
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, mask)
    return X @ E.T


@wrong(
    "the root of d_model is missing",
    names={"no-scale"},
    line="X = add_positions(embed(token_ids, E), positional_encoding(n, E.shape[1]))",
)
def no_factor(token_ids, model):
    E = model.embedding
    n = token_ids.shape[1]
    X = add_positions(embed(token_ids, E), positional_encoding(n, E.shape[1]))
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, causal_mask(n))
    return X @ E.T


@wrong(
    "every layer gets the embeddings again, so only the last one counts",
    names={"all-fed-the-input"},
    line="out = encoder_layer(X, params, model.n_heads, causal_mask(n))",
)
def same_input_again(token_ids, model):
    E = model.embedding
    n = token_ids.shape[1]
    X = embed(token_ids, E) * E.shape[1] ** 0.5
    X = add_positions(X, positional_encoding(n, E.shape[1]))
    out = X
    for params in model.layers:
        out = encoder_layer(X, params, model.n_heads, causal_mask(n))
    return out @ E.T


@wrong(
    "a softmax turns the logits into probabilities",
    names={"probabilities"},
    line="return softmax(X @ E.T)",
)
def as_probabilities(token_ids, model):
    E = model.embedding
    n = token_ids.shape[1]
    X = embed(token_ids, E) * np.sqrt(E.shape[1])
    X = X + positional_encoding(n, E.shape[1])
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, causal_mask(n))
    return softmax(X @ E.T)


@wrong(
    "the table is not transposed, so the product does not exist",
    line="return X @ model.embedding",
)
def table_the_wrong_way_round(token_ids, model):
    d_model = model.embedding.shape[1]
    X = embed(token_ids, model.embedding) * np.sqrt(d_model)
    X = add_positions(X, positional_encoding(token_ids.shape[1], d_model))
    for layer in model.layers:
        X = encoder_layer(X, layer, model.n_heads, causal_mask(token_ids.shape[1]))
    return X @ model.embedding


@wrong(
    "returns inside the loop, so the first layer is the only one, and a model without layers gives None",
    names={"first-layer-only"},
    line="return X @ E.T",
)
def returns_in_the_loop(token_ids, model):
    E = model.embedding
    n = token_ids.shape[1]
    X = embed(token_ids, E) * E.shape[1] ** 0.5
    X = add_positions(X, positional_encoding(n, E.shape[1]))
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, causal_mask(n))
        return X @ E.T


@right
def as_asked(token_ids, model):
    table = model.embedding
    X = table[token_ids] * np.sqrt(table.shape[-1])
    X = add_positions(X, positional_encoding(token_ids.shape[-1], table.shape[-1]))
    mask = causal_mask(token_ids.shape[-1])
    for layer in model.layers:
        X = encoder_layer(X, layer, model.n_heads, mask=mask)
    return X @ np.transpose(table)
