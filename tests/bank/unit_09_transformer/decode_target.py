"""Functions that learners wrote for `decode_target`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import (
    add_positions,
    causal_mask,
    decoder_layer,
    embed,
    padding_mask,
    positional_encoding,
)


@wrong(
    "there is no causal mask: every position sees the later ones",
    names={"no-causal-mask"},
    line="X = reference.decoder_layer(X, memory, layer, model.n_heads, None, cross_mask)",
)
def no_causal_mask(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, None, cross_mask)
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return X @ W


@wrong(
    "the padding of the source is not hidden: the layers get no cross_mask",
    names={"no-source-mask"},
    line="Y = reference.decoder_layer(Y, memory, params, model.n_heads, self_mask)",
)
def padding_visible(target_ids, memory, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_target = target_ids.shape[1]
    Y = reference.embed(target_ids, model.target_embedding) * np.sqrt(d_model)
    Y = reference.add_positions(Y, reference.positional_encoding(n_target, d_model))
    self_mask = reference.causal_mask(n_target)
    for params in model.decoder:
        Y = reference.decoder_layer(Y, memory, params, model.n_heads, self_mask)
    if model.output_projection is None:
        return Y @ model.target_embedding.T
    return Y @ model.output_projection


@wrong(
    "the two masks are exchanged: the padding mask goes to the self-attention and the causal one to the source",
    names={"masks-exchanged"},
    line="X = reference.decoder_layer(X, memory, layer, model.n_heads, padding, causal)",
)
def masks_exchanged(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    B, n, d_model = X.shape
    X = reference.add_positions(np.sqrt(d_model) * X, reference.positional_encoding(n, d_model))
    causal = reference.causal_mask(n)
    padding = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, padding, causal)
    if model.output_projection is not None:
        return X @ model.output_projection
    return X @ model.target_embedding.T


@wrong(
    "returns probabilities: a softmax is put on the logits",
    names={"probabilities"},
    line="return reference.softmax(logits)",
)
def softmax_at_the_end(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    W = model.output_projection
    if W is None:
        W = model.target_embedding.T
    logits = X @ W
    return reference.softmax(logits)


@wrong(
    "with the tied table the logits are made with the table times the root of d_model, so they are too large",
    names={"logits-scaled"},
    line="return X @ E.T",
)
def scaled_table_again(target_ids, memory, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    E = model.target_embedding * np.sqrt(d_model)
    X = E[target_ids]
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], d_model))
    self_mask = reference.causal_mask(X.shape[1])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    if model.output_projection is not None:
        return X @ model.output_projection
    return X @ E.T


@wrong(
    "always uses the target's table for the logits, also where the model has an output_projection",
    names={"own-projection-ignored"},
    line="return X @ model.target_embedding.T",
)
def always_tied(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    n, d = X.shape[1:]
    X = reference.add_positions(X * np.sqrt(d), reference.positional_encoding(n, d))
    self_mask = reference.causal_mask(n)
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    return X @ model.target_embedding.T


@wrong(
    "asks for the truth of an array with `or`, which raises a ValueError where the model has an output_projection",
    names={"truth-of-matrix"},
    line="W = model.output_projection or model.target_embedding.T",
)
def array_or(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding) * np.sqrt(model.target_embedding.shape[1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], X.shape[2]))
    for layer in model.decoder:
        X = reference.decoder_layer(
            X,
            memory,
            layer,
            model.n_heads,
            reference.causal_mask(X.shape[1]),
            reference.padding_mask(source_is_token),
        )
    W = model.output_projection or model.target_embedding.T
    return X @ W


@wrong(
    "the table of embeddings is not transposed for the logits, so the product fails",
    names={"not-transposed"},
    line="W = model.target_embedding",
)
def table_not_transposed(target_ids, memory, source_is_token, model):
    X = model.target_embedding[target_ids]
    X = X * X.shape[-1] ** 0.5
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    self_mask = reference.causal_mask(target_ids.shape[-1])
    cross_mask = reference.padding_mask(source_is_token)
    for params in model.decoder:
        X = reference.decoder_layer(X, memory, params, model.n_heads, self_mask, cross_mask)
    if model.output_projection is None:
        W = model.target_embedding
    else:
        W = model.output_projection
    return X @ W


@wrong(
    "returns the logits of the last position only, of shape (B, V)",
    names={"last-position-only"},
    line="last = X[:, -1]",
)
def last_position_only(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    last = X[:, -1]
    if model.output_projection is None:
        return last @ model.target_embedding.T
    return last @ model.output_projection


@wrong(
    "the memory is replaced by each layer's result, so the second layer does not attend to the source",
    names={"memory-replaced"},
    line="memory = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)",
)
def memory_overwritten(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        memory = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
        X = memory
    if model.output_projection is None:
        return X @ model.target_embedding.T
    return X @ model.output_projection


@wrong(
    "the causal mask is made for the source's length instead of the target's",
    names={"mask-of-source-length"},
    line="self_mask = reference.causal_mask(memory.shape[1])",
)
def mask_of_source_length(target_ids, memory, source_is_token, model):
    d_model = model.target_embedding.shape[-1]
    X = reference.embed(target_ids, model.target_embedding) * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(target_ids.shape[1], d_model))
    self_mask = reference.causal_mask(memory.shape[1])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return X @ W


@wrong(
    "looks the target words up in the source's table",
    names={"source-table"},
    line="X = model.source_embedding[target_ids] * np.sqrt(d)",
)
def source_table(target_ids, memory, source_is_token, model):
    d = model.target_embedding.shape[1]
    X = model.source_embedding[target_ids] * np.sqrt(d)
    X = reference.add_positions(X, reference.positional_encoding(X.shape[1], d))
    causal, padding = reference.causal_mask(X.shape[1]), reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, causal, padding)
    return X @ (model.target_embedding.T if model.output_projection is None else model.output_projection)


@wrong(
    "uses encoder_layer, which has no attention to the source, so its parameters do not fit",
    names={"encoder-layers"},
    line="X = reference.encoder_layer(X, params, model.n_heads, mask)",
)
def encoder_layers(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    mask = reference.causal_mask(X.shape[-2])
    for params in model.decoder:
        X = reference.encoder_layer(X, params, model.n_heads, mask)
    if model.output_projection is None:
        return X @ model.target_embedding.T
    return X @ model.output_projection


@wrong("the factor sqrt(d_model) is left out before the positions are added", names={"no-scale"}, line=None)
def no_factor(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    P = reference.positional_encoding(X.shape[-2], X.shape[-1])
    X = reference.add_positions(X, P)
    masks = reference.causal_mask(X.shape[-2]), reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, *masks)
    if model.output_projection is None:
        return X @ model.target_embedding.T
    return X @ model.output_projection


@wrong(
    "the logits are divided by the root of d_model", names={"logits-divided"}, line="return X @ W / np.sqrt(d_model)"
)
def scaled_logits(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    d_model = X.shape[-1]
    X = reference.add_positions(X * np.sqrt(d_model), reference.positional_encoding(X.shape[-2], d_model))
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return X @ W / np.sqrt(d_model)


@wrong(
    "cuts off the last token of the target before the decoder reads it, so there are n_target - 1 rows of logits",
    line="target_ids = target_ids[:, :-1]",
)
def cuts_last_token(target_ids, memory, source_is_token, model):
    target_ids = target_ids[:, :-1]
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    X = reference.add_positions(X, reference.positional_encoding(X.shape[-2], X.shape[-1]))
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    return X @ (model.target_embedding.T if model.output_projection is None else model.output_projection)


@wrong(
    "two: the causal mask is transposed, so positions see only themselves and later ones, and the output is softmaxed",
    names={"causal-transposed", "probabilities"},
    line="self_mask = reference.causal_mask(n).T",
)
def anti_causal_softmax(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    n, d_model = X.shape[-2], X.shape[-1]
    X = X * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(n, d_model))
    self_mask = reference.causal_mask(n).T
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return reference.softmax(X @ W)


@wrong(
    "two: no positions are added, and an output_projection is transposed though it is (d_model, V) already",
    names={"no-positions"},
    line=None,
)
def no_positions_and_transposed(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    self_mask = reference.causal_mask(X.shape[-2])
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    W = model.target_embedding if model.output_projection is None else model.output_projection
    return X @ W.T


@right
def step_by_step(target_ids, memory, source_is_token, model):
    X = reference.embed(target_ids, model.target_embedding)
    n, d_model = X.shape[-2:]
    X = X * np.sqrt(d_model)
    X = reference.add_positions(X, reference.positional_encoding(n, d_model))
    self_mask = reference.causal_mask(n)
    cross_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
    if model.output_projection is None:
        return X @ model.target_embedding.T
    return X @ model.output_projection


@right
def einsum_at_the_end(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    d_model = E.shape[1]
    Y = E[target_ids] * d_model**0.5 + reference.positional_encoding(target_ids.shape[1], d_model)
    n = Y.shape[1]
    for layer in model.decoder:
        Y = reference.decoder_layer(
            Y,
            memory,
            layer,
            model.n_heads,
            self_mask=np.tri(n, dtype=bool),
            cross_mask=source_is_token[:, None, :],
        )
    if model.output_projection is None:
        return np.einsum("bnd,vd->bnv", Y, E)
    return np.einsum("bnd,dv->bnv", Y, model.output_projection)


@right
def each_prefix_alone(target_ids, memory, source_is_token, model):
    width = model.target_embedding.shape[1]
    W = model.output_projection
    W = model.target_embedding.T if W is None else W
    rows = []
    for t in range(1, target_ids.shape[1] + 1):
        X = model.target_embedding[target_ids[:, :t]] * np.sqrt(width)
        X = reference.add_positions(X, reference.positional_encoding(t, width))
        for layer in model.decoder:
            mask = np.arange(t)[:, None] >= np.arange(t)
            X = reference.decoder_layer(X, memory, layer, model.n_heads, mask, reference.padding_mask(source_is_token))
        rows.append(X[:, -1] @ W)
    return np.stack(rows, axis=1)


@right
def sentence_by_sentence(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    n, d_model = target_ids.shape[1], E.shape[1]
    logits = np.zeros((len(target_ids), n, len(E)))
    for b in range(len(target_ids)):
        X = E[target_ids[b]] * np.sqrt(d_model) + reference.positional_encoding(n, d_model)
        for params in model.decoder:
            X = reference.decoder_layer(
                X, memory[b], params, model.n_heads, reference.causal_mask(n), source_is_token[b][None]
            )
        logits[b] = np.matmul(X, E.T) if model.output_projection is None else np.matmul(X, model.output_projection)
    return logits


@wrong("returns the logits of the last position alone")
def last_position(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    X = add_positions(embed(target_ids, E) * np.sqrt(E.shape[1]), positional_encoding(target_ids.shape[1], E.shape[1]))
    for layer in model.decoder:
        X = decoder_layer(
            X, memory, layer, model.n_heads, causal_mask(target_ids.shape[1]), padding_mask(source_is_token)
        )
    W = E.T if model.output_projection is None else model.output_projection
    return X[:, -1:] @ W


@wrong(
    "gives each layer what the layer before made of the memory",
    line="memory = decoder_layer(memory, X, layer, model.n_heads, None, None)",
)
def memory_replaced(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    X = add_positions(embed(target_ids, E) * np.sqrt(E.shape[1]), positional_encoding(target_ids.shape[1], E.shape[1]))
    self_mask, cross_mask = causal_mask(target_ids.shape[1]), padding_mask(source_is_token)
    for layer in model.decoder:
        X = decoder_layer(X, memory, layer, model.n_heads, self_mask, cross_mask)
        memory = decoder_layer(memory, X, layer, model.n_heads, None, None)
    W = E.T if model.output_projection is None else model.output_projection
    return X @ W


@wrong(
    "uses the table of the source for the logits",
    line="W = model.source_embedding.T if model.output_projection is None else model.output_projection",
)
def logits_of_the_source(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    X = add_positions(embed(target_ids, E) * np.sqrt(E.shape[1]), positional_encoding(target_ids.shape[1], E.shape[1]))
    for layer in model.decoder:
        X = decoder_layer(
            X, memory, layer, model.n_heads, causal_mask(target_ids.shape[1]), padding_mask(source_is_token)
        )
    W = model.source_embedding.T if model.output_projection is None else model.output_projection
    return X @ W


@wrong("goes through the layers of the encoder, which have no attention to the source")
def loops_over_the_encoder(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    n = target_ids.shape[1]
    X = add_positions(embed(target_ids, E) * np.sqrt(E.shape[1]), positional_encoding(n, E.shape[1]))
    for layer in model.encoder:
        X = decoder_layer(X, memory, layer, model.n_heads, causal_mask(n), padding_mask(source_is_token))
    return X @ (E.T if model.output_projection is None else model.output_projection)


@wrong(
    "swaps target and memory in the call of decoder_layer",
    names={"roles-exchanged"},
    line="X = decoder_layer(memory, X, layer, model.n_heads, causal_mask(n), padding_mask(source_is_token))",
)
def memory_comes_first(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    n = target_ids.shape[1]
    X = add_positions(embed(target_ids, E) * np.sqrt(E.shape[1]), positional_encoding(n, E.shape[1]))
    for layer in model.decoder:
        X = decoder_layer(memory, X, layer, model.n_heads, causal_mask(n), padding_mask(source_is_token))
    return X @ (E.T if model.output_projection is None else model.output_projection)
