"""Functions that learners wrote for `cached_decode_step`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import (
    embed,
    layer_norm,
    masked_attention,
    merge_heads,
    padding_mask,
    position_wise_ffn,
    positional_encoding,
    project_memory,
    scaled_dot_product_attention,
    split_heads,
)
from transformer_kit import reference
from transformer_kit.parameters import LayerCache


@wrong(
    "every token gets position 0: the length of the cache is not looked at",
    names={"position-0"},
    line="x = reference.add_positions(x, reference.positional_encoding(1, d_model))",
)
def always_position_0(token_ids, cache, source_is_token, model):
    x = reference.embed(token_ids[:, None], model.target_embedding)
    d_model = x.shape[-1]
    x = x * np.sqrt(d_model)
    x = reference.add_positions(x, reference.positional_encoding(1, d_model))
    mask = reference.padding_mask(source_is_token)[:, None]
    new = []
    for params, kept in zip(model.decoder, cache):
        q = reference.split_heads(x @ params.self_attention.W_Q, model.n_heads)
        K, V = reference.project_memory(x, params.self_attention, model.n_heads)
        K = np.concatenate([kept.K, K], axis=-2)
        V = np.concatenate([kept.V, V], axis=-2)
        out = reference.merge_heads(reference.scaled_dot_product_attention(q, K, V)[0])
        x = reference.layer_norm(x + out @ params.self_attention.W_O, *params.norm_1)
        q = reference.split_heads(x @ params.cross_attention.W_Q, model.n_heads)
        out = reference.merge_heads(reference.masked_attention(q, kept.K_source, kept.V_source, mask)[0])
        x = reference.layer_norm(x + out @ params.cross_attention.W_O, *params.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x, params.ffn), *params.norm_3)
        new.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "the position is one too far: the token after n_before others gets position n_before + 1",
    names={"position-from-1"},
    line="place = reference.positional_encoding(n_before + 2, d_model)[n_before + 1]",
)
def position_one_too_far(token_ids, cache, source_is_token, model):
    n_before = cache[0].K.shape[2]
    d_model = model.target_embedding.shape[1]
    place = reference.positional_encoding(n_before + 2, d_model)[n_before + 1]
    X = model.target_embedding[token_ids][:, None] * np.sqrt(d_model) + place
    cross_mask = source_is_token[:, None, None, :]
    caches = []
    for layer, old in zip(model.decoder, cache):
        k_new, v_new = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([old.K, k_new], 2), np.concatenate([old.V, v_new], 2)
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        heads, _ = reference.scaled_dot_product_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, old.K_source, old.V_source, cross_mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        caches.append(old._replace(K=K, V=V))
    if model.output_projection is None:
        logits = X @ model.target_embedding.T
    else:
        logits = X @ model.output_projection
    return logits[:, 0], tuple(caches)


@wrong(
    "returns the old cache: the extended keys and values are used once and not kept",
    names={"not-extended"},
    line="return logits, cache",
)
def returns_old_cache(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    n = cache[0].K.shape[-2]
    X = E[token_ids[:, None]] * np.sqrt(E.shape[1]) + reference.positional_encoding(n + 1, E.shape[1])[n:]
    mask = reference.padding_mask(source_is_token)[:, None]
    for p, c in zip(model.decoder, cache):
        K, V = reference.project_memory(X, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, K], axis=2)
        V = np.concatenate([c.V, V], axis=2)
        q = reference.split_heads(X @ p.self_attention.W_Q, model.n_heads)
        a = reference.scaled_dot_product_attention(q, K, V)[0]
        X = reference.layer_norm(X + reference.merge_heads(a) @ p.self_attention.W_O, *p.norm_1)
        q = reference.split_heads(X @ p.cross_attention.W_Q, model.n_heads)
        a = reference.masked_attention(q, c.K_source, c.V_source, mask)[0]
        X = reference.layer_norm(X + reference.merge_heads(a) @ p.cross_attention.W_O, *p.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, p.ffn), *p.norm_3)
    W = E.T if model.output_projection is None else model.output_projection
    logits = (X @ W)[:, 0, :]
    return logits, cache


@wrong(
    "the new token sees only the old keys and values, not itself (at the first step nothing, which fails)",
    names={"sees-only-the-others"},
    line="out, _ = reference.masked_attention(q, layer_cache.K, layer_cache.V)",
)
def does_not_see_itself(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    t = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(t + 1, d_model)[t]
    cross_mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for params, layer_cache in zip(model.decoder, cache):
        q = reference.split_heads(X @ params.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, params.self_attention, model.n_heads)
        out, _ = reference.masked_attention(q, layer_cache.K, layer_cache.V)
        K = np.concatenate([layer_cache.K, k], axis=-2)
        V = np.concatenate([layer_cache.V, v], axis=-2)
        X = reference.layer_norm(X + reference.merge_heads(out) @ params.self_attention.W_O, *params.norm_1)
        q = reference.split_heads(X @ params.cross_attention.W_Q, model.n_heads)
        out, _ = reference.masked_attention(q, layer_cache.K_source, layer_cache.V_source, cross_mask)
        X = reference.layer_norm(X + reference.merge_heads(out) @ params.cross_attention.W_O, *params.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, params.ffn), *params.norm_3)
        new_cache.append(LayerCache(K, V, layer_cache.K_source, layer_cache.V_source))
    W = model.output_projection if model.output_projection is not None else model.target_embedding.T
    return X[:, 0] @ W, tuple(new_cache)


@wrong(
    "the new keys and values are put in front of the old ones instead of behind them",
    names={"at-the-front"},
    line="K = np.concatenate([k, c.K], axis=-2)",
)
def new_in_front(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    P = reference.positional_encoding(n_before + 1, d_model)
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model) + P[-1]
    mask = reference.padding_mask(source_is_token)[:, None]
    result = []
    for layer, c in zip(model.decoder, cache):
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K = np.concatenate([k, c.K], axis=-2)
        V = np.concatenate([v, c.V], axis=-2)
        q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        h = reference.merge_heads(reference.scaled_dot_product_attention(q, K, V)[0]) @ layer.self_attention.W_O
        X = reference.layer_norm(X + h, *layer.norm_1)
        q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        h = reference.merge_heads(reference.masked_attention(q, c.K_source, c.V_source, mask)[0])
        X = reference.layer_norm(X + h @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        result.append(c._replace(K=K, V=V))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W).squeeze(1), tuple(result)


@wrong(
    "joins old and new keys along the axis of the heads instead of that of the positions, which fails",
    names={"joined-along-heads"},
    line="K = np.concatenate([c.K, k], axis=1)",
)
def joins_heads(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    new = []
    for layer, c in zip(model.decoder, cache):
        q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=1)
        V = np.concatenate([c.V, v], axis=1)
        a = reference.merge_heads(reference.scaled_dot_product_attention(q, K, V)[0]) @ layer.self_attention.W_O
        X = reference.layer_norm(X + a, *layer.norm_1)
        q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        a, _ = reference.masked_attention(q, c.K_source, c.V_source, source_is_token[:, None, None])
        X = reference.layer_norm(X + reference.merge_heads(a) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new)


@wrong(
    "the padding of the source is not hidden: source_is_token is never used",
    names={"no-source-mask"},
    line="b, _ = reference.scaled_dot_product_attention(q, c.K_source, c.V_source)",
)
def padding_visible(token_ids, cache, source_is_token, model):
    E, h = model.target_embedding, model.n_heads
    n_before = cache[0].K.shape[-2]
    x = E[token_ids][:, None, :] * np.sqrt(E.shape[-1])
    x = x + reference.positional_encoding(n_before + 1, E.shape[-1])[n_before]
    updated = ()
    for p, c in zip(model.decoder, cache):
        k, v = reference.project_memory(x, p.self_attention, h)
        K, V = np.concatenate([c.K, k], axis=-2), np.concatenate([c.V, v], axis=-2)
        q = reference.split_heads(x @ p.self_attention.W_Q, h)
        a, _ = reference.scaled_dot_product_attention(q, K, V)
        x = reference.layer_norm(x + reference.merge_heads(a) @ p.self_attention.W_O, *p.norm_1)
        q = reference.split_heads(x @ p.cross_attention.W_Q, h)
        b, _ = reference.scaled_dot_product_attention(q, c.K_source, c.V_source)
        x = reference.layer_norm(x + reference.merge_heads(b) @ p.cross_attention.W_O, *p.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x, p.ffn), *p.norm_3)
        updated += (LayerCache(K, V, c.K_source, c.V_source),)
    W = E.T if model.output_projection is None else model.output_projection
    return x[:, 0] @ W, updated


@wrong(
    "the mask of the source has shape (B, 1, n_source), without the axis of the heads, so the batch meets the heads",
    names={"mask-without-heads"},
    line="mask = reference.padding_mask(source_is_token)",
)
def mask_without_heads(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        K, V = reference.project_memory(X, layer.self_attention, model.n_heads)
        K = np.concatenate([kept.K, K], axis=-2)
        V = np.concatenate([kept.V, V], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the self-attention ends without its W_O",
    names={"no-output-matrix-of-self-attention"},
    line="X = reference.layer_norm(X + reference.merge_heads(heads), *layer.norm_1)",
)
def no_output_matrix(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = source_is_token[:, None, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads), *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the residual around the attention to the source is missing: its input is not added before norm_2",
    names={"no-residual-of-cross-attention"},
    line="X = reference.layer_norm(reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)",
)
def no_residual_at_source(token_ids, cache, source_is_token, model):
    X = reference.embed(token_ids[:, None], model.target_embedding)
    X = X * np.sqrt(X.shape[-1])
    n_before = cache[0].K.shape[-2]
    X = X + reference.positional_encoding(n_before + 1, X.shape[-1])[-1:]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for i in range(len(model.decoder)):
        layer, kept = model.decoder[i], cache[i]
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the keys and values that are kept are made of the vectors after the self-attention instead of the layer's input",
    line="k, v = reference.project_memory(X, layer.self_attention, model.n_heads)",
)
def keys_of_later_vectors(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        now = reference.project_memory(X, layer.self_attention, model.n_heads)
        heads, _ = reference.masked_attention(Q, *[np.concatenate([a, b], axis=-2) for a, b in zip(kept[:2], now)])
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the axis of length 1 is not dropped: the logits have shape (B, 1, V)",
    names={"axis-kept"},
    line="return X @ W, tuple(new_cache)",
)
def keeps_axis(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return X @ W, tuple(new_cache)


@wrong("every layer uses the cache of the first one", names={"one-cache-for-all"}, line="kept = cache[0]")
def first_cache_for_all(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    kept = cache[0]
    n_before = kept.K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer in model.decoder:
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the new cache is a tuple of plain tuples, without the fields of LayerCache, so the next step fails",
    line="new_cache.append((K, V, kept.K_source, kept.V_source))",
)
def plain_tuples(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K = np.concatenate([kept.K, k], axis=-2)
        V = np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append((K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong("the embedding of the token is not multiplied by the root of d_model", names={"no-scale"}, line=None)
def no_factor(token_ids, cache, source_is_token, model):
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding)
    X = X + reference.positional_encoding(n_before + 1, X.shape[-1])[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "keys and values of the new token are exchanged when project_memory's results are unpacked",
    names={"keys-and-values-exchanged", "keys-for-values", "project_memory/results-exchanged"},
    line="v, k = reference.project_memory(X, layer.self_attention, model.n_heads)",
)
def values_for_keys(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        v, k = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the queries for the source are made of the layer's input instead of the result of the self-attention",
    names={"queries-before-self-attention"},
    line="Q2 = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)",
)
def queries_too_early(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q1 = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        Q2 = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q1, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        heads, _ = reference.masked_attention(Q2, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "the self-attention gets the first row of a causal mask, so the new token sees only the first token",
    line="own_mask = reference.causal_mask(n_before + 1)[:1]",
)
def first_row_of_causal(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    own_mask = reference.causal_mask(n_before + 1)[:1]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V, own_mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "does not use the kept keys and values: the new token attends to itself alone",
    names={"sees-only-itself"},
    line="out, _ = reference.multi_head_attention(X, X, layer.self_attention, model.n_heads)",
)
def token_alone(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        out, _ = reference.multi_head_attention(X, X, layer.self_attention, model.n_heads)
        X = reference.layer_norm(X + out, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@wrong(
    "two: all sub-layers use norm_1, and the logits are always made with the table, also if there is a projection",
    names={"one-norm-for-all", "own-projection-ignored"},
    line="X = add_norm(X, reference.merge_heads(found) @ layer.cross_attention.W_O, layer.norm_1)",
)
def norm_1_and_tied(token_ids, cache, source_is_token, model):
    def add_norm(a, b, norm):
        return reference.layer_norm(a + b, norm.gamma, norm.beta)

    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = add_norm(X, reference.merge_heads(heads) @ layer.self_attention.W_O, layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        found, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = add_norm(X, reference.merge_heads(found) @ layer.cross_attention.W_O, layer.norm_1)
        X = add_norm(X, reference.position_wise_ffn(X, layer.ffn), layer.norm_1)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    return (X @ model.target_embedding.T)[:, 0], tuple(new_cache)


@wrong(
    "two: the token gets the position before its own (n_before - 1), and only the last layer's cache is returned",
    names={"last-layer-only", "position-one-behind"},
    line="X = X + reference.positional_encoding(n_before + 1, d_model)[n_before - 1]",
)
def position_before_and_one_cache(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = cache[0].K.shape[-2]
    X = reference.embed(token_ids[:, None], model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before - 1]
    mask = reference.padding_mask(source_is_token)[:, None]
    for layer, kept in zip(model.decoder, cache):
        Q = reference.split_heads(X @ layer.self_attention.W_Q, model.n_heads)
        k, v = reference.project_memory(X, layer.self_attention, model.n_heads)
        K, V = np.concatenate([kept.K, k], axis=-2), np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.masked_attention(Q, K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        Q = reference.split_heads(X @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = reference.masked_attention(Q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache = (LayerCache(K, V, kept.K_source, kept.V_source),)
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], new_cache


@wrong(
    "half-finished: embeds the token and multiplies by the output matrix; the layers and the cache are left out",
    line=None,
)
def no_layers_yet(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    t = cache[0].K.shape[-2]
    X = model.target_embedding[token_ids] * np.sqrt(d_model) + reference.positional_encoding(t + 1, d_model)[t]
    new_cache = []
    for layer in cache:
        new_cache.append(layer)
    if model.output_projection is None:
        return X @ model.target_embedding.T, tuple(new_cache)
    return X @ model.output_projection, tuple(new_cache)


@right
def step_by_step(token_ids, cache, source_is_token, model):
    E, h = model.target_embedding, model.n_heads
    n_before, d_model = cache[0].K.shape[-2], E.shape[1]
    X = reference.embed(token_ids[:, None], E) * np.sqrt(d_model)
    X = X + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = reference.padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        own, cross = layer.self_attention, layer.cross_attention
        k, v = reference.project_memory(X, own, h)
        K = np.concatenate([kept.K, k], axis=-2)
        V = np.concatenate([kept.V, v], axis=-2)
        heads, _ = reference.scaled_dot_product_attention(reference.split_heads(X @ own.W_Q, h), K, V)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ own.W_O, *layer.norm_1)
        q = reference.split_heads(X @ cross.W_Q, h)
        heads, _ = reference.masked_attention(q, kept.K_source, kept.V_source, mask)
        X = reference.layer_norm(X + reference.merge_heads(heads) @ cross.W_O, *layer.norm_2)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (X @ W)[:, 0], tuple(new_cache)


@right
def with_post_norm(token_ids, cache, source_is_token, model):
    def attend(x, K, V, p, mask=None):
        q = reference.split_heads(x @ p.W_Q, model.n_heads)
        return reference.merge_heads(reference.masked_attention(q, K, V, mask)[0]) @ p.W_O

    def one_layer(x, p, c):
        k, v = reference.project_memory(x, p.self_attention, model.n_heads)
        c = c._replace(K=np.append(c.K, k, axis=2), V=np.append(c.V, v, axis=2))
        x = reference.post_norm(x, lambda y: attend(y, c.K, c.V, p.self_attention), *p.norm_1)
        x = reference.post_norm(x, lambda y: attend(y, c.K_source, c.V_source, p.cross_attention, hidden), *p.norm_2)
        return reference.post_norm(x, lambda y: reference.position_wise_ffn(y, p.ffn), *p.norm_3), c

    hidden = source_is_token[:, np.newaxis, np.newaxis, :]
    width = model.target_embedding.shape[1]
    place = reference.positional_encoding(cache[0].K.shape[2] + 1, width)[-1]
    x = (model.target_embedding[token_ids] * width**0.5 + place)[:, None, :]
    kept = ()
    for p, c in zip(model.decoder, cache):
        x, c = one_layer(x, p, c)
        kept = (*kept, c)
    x = x.squeeze(axis=1)
    if model.output_projection is not None:
        return x @ model.output_projection, kept
    return x @ model.target_embedding.T, kept


@right
def einsum_without_time_axis(token_ids, cache, source_is_token, model):
    def norm(x, p):
        x = x - x.mean(axis=-1, keepdims=True)
        return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5) * p.gamma + p.beta

    def attend(q, K, V, visible):
        scores = np.einsum("bhd,bhnd->bhn", q, K) / np.sqrt(q.shape[-1])
        scores = np.where(visible, scores, -1e30)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * visible
        total = weights.sum(axis=-1, keepdims=True)
        weights = weights / np.where(total == 0, 1, total)
        return np.einsum("bhn,bhnd->bhd", weights, V).reshape(len(q), -1)

    B, h = len(token_ids), model.n_heads
    n_before, d_model = cache[0].K.shape[2], model.target_embedding.shape[1]
    x = model.target_embedding[token_ids] * np.sqrt(d_model)
    x = x + reference.positional_encoding(n_before + 1, d_model)[n_before]
    result = []
    for p, c in zip(model.decoder, cache):
        q, k, v = ((x @ W).reshape(B, h, -1) for W in p.self_attention[:3])
        K = np.concatenate((c.K, k[:, :, None, :]), axis=2)
        V = np.concatenate((c.V, v[:, :, None, :]), axis=2)
        x = norm(x + attend(q, K, V, np.ones((1, 1, n_before + 1), bool)) @ p.self_attention.W_O, p.norm_1)
        q = (x @ p.cross_attention.W_Q).reshape(B, h, -1)
        found = attend(q, c.K_source, c.V_source, source_is_token[:, None, :])
        x = norm(x + found @ p.cross_attention.W_O, p.norm_2)
        x = norm(x + np.maximum(x @ p.ffn.W_1 + p.ffn.b_1, 0) @ p.ffn.W_2 + p.ffn.b_2, p.norm_3)
        result.append(LayerCache(K, V, c.K_source, c.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return x @ W, tuple(result)


@wrong(
    "takes the axis of the heads for the number of tokens before this one",
    names={"position-from-heads"},
    line="n_before = cache[0].K.shape[1]",
)
def heads_for_positions(token_ids, cache, source_is_token, model):
    n_before = cache[0].K.shape[1]
    d_model = model.target_embedding.shape[1]
    x = np.sqrt(d_model) * model.target_embedding[token_ids][:, None]
    x = x + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = source_is_token[:, None, None, :]
    new = []
    for layer, old in zip(model.decoder, cache):
        attention = layer.self_attention
        q = reference.split_heads(x @ attention.W_Q, model.n_heads)
        k, v = reference.project_memory(x, attention, model.n_heads)
        K, V = np.concatenate([old.K, k], axis=2), np.concatenate([old.V, v], axis=2)
        heads = reference.masked_attention(q, K, V)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ attention.W_O, *layer.norm_1)
        q = reference.split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads = reference.masked_attention(q, old.K_source, old.V_source, mask)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x, layer.ffn), *layer.norm_3)
        new.append(LayerCache(K, V, old.K_source, old.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return x[:, 0] @ W, tuple(new)


@wrong(
    "attends to the source with its keys as values, too",
    names={"keys-of-source-as-values"},
    line="heads = reference.masked_attention(q, old.K_source, old.K_source, mask)[0]",
)
def source_keys_as_values(token_ids, cache, source_is_token, model):
    n_before = cache[0].K.shape[2]
    d_model = model.target_embedding.shape[1]
    x = np.sqrt(d_model) * model.target_embedding[token_ids][:, None]
    x = x + reference.positional_encoding(n_before + 1, d_model)[n_before]
    mask = source_is_token[:, None, None, :]
    new = []
    for layer, old in zip(model.decoder, cache):
        attention = layer.self_attention
        q = reference.split_heads(x @ attention.W_Q, model.n_heads)
        k, v = reference.project_memory(x, attention, model.n_heads)
        K, V = np.concatenate([old.K, k], axis=2), np.concatenate([old.V, v], axis=2)
        heads = reference.masked_attention(q, K, V)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ attention.W_O, *layer.norm_1)
        q = reference.split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads = reference.masked_attention(q, old.K_source, old.K_source, mask)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x, layer.ffn), *layer.norm_3)
        new.append(LayerCache(K, V, old.K_source, old.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return x[:, 0] @ W, tuple(new)


@wrong(
    "takes the length of the source for the position of the token",
    names={"position-from-source"},
    line="place = reference.positional_encoding(n_before + 1, d_model)[n_before]",
)
def source_length_for_position(token_ids, cache, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    n_before = source_is_token.shape[1]
    place = reference.positional_encoding(n_before + 1, d_model)[n_before]
    x = np.sqrt(d_model) * model.target_embedding[token_ids][:, None] + place
    mask = source_is_token[:, None, None, :]
    new = []
    for layer, old in zip(model.decoder, cache):
        attention = layer.self_attention
        q = reference.split_heads(x @ attention.W_Q, model.n_heads)
        k, v = reference.project_memory(x, attention, model.n_heads)
        K, V = np.concatenate([old.K, k], axis=2), np.concatenate([old.V, v], axis=2)
        heads = reference.masked_attention(q, K, V)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ attention.W_O, *layer.norm_1)
        q = reference.split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads = reference.masked_attention(q, old.K_source, old.V_source, mask)[0]
        x = reference.layer_norm(x + reference.merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x, layer.ffn), *layer.norm_3)
        new.append(LayerCache(K, V, old.K_source, old.V_source))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return x[:, 0] @ W, tuple(new)


@wrong(
    "leaves out W_O of the attention to the source",
    names={"no-output-matrix-of-cross-attention"},
    line="x = layer_norm(x + merge_heads(heads), *layer.norm_2)",
)
def cross_attention_without_W_O(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    n_before = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d) + positional_encoding(n_before + 1, d)[n_before]
    source_mask = padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        q = split_heads(x @ layer.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, layer.self_attention, model.n_heads)
        K = np.concatenate([kept.K, k], axis=-2)
        V = np.concatenate([kept.V, v], axis=-2)
        heads, _ = scaled_dot_product_attention(q, K, V)
        x = layer_norm(x + merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        q = split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = masked_attention(q, kept.K_source, kept.V_source, source_mask)
        x = layer_norm(x + merge_heads(heads), *layer.norm_2)
        x = layer_norm(x + position_wise_ffn(x, layer.ffn), *layer.norm_3)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new_cache)


@wrong(
    "uses norm_2 for the feed-forward network, too",
    names={"norm-2-twice"},
    line="x = layer_norm(x + position_wise_ffn(x, layer.ffn), *layer.norm_2)",
)
def network_with_norm_2(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    n_before = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d) + positional_encoding(n_before + 1, d)[n_before]
    source_mask = padding_mask(source_is_token)[:, None]
    new_cache = []
    for layer, kept in zip(model.decoder, cache):
        q = split_heads(x @ layer.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, layer.self_attention, model.n_heads)
        K = np.concatenate([kept.K, k], axis=-2)
        V = np.concatenate([kept.V, v], axis=-2)
        heads, _ = scaled_dot_product_attention(q, K, V)
        x = layer_norm(x + merge_heads(heads) @ layer.self_attention.W_O, *layer.norm_1)
        q = split_heads(x @ layer.cross_attention.W_Q, model.n_heads)
        heads, _ = masked_attention(q, kept.K_source, kept.V_source, source_mask)
        x = layer_norm(x + merge_heads(heads) @ layer.cross_attention.W_O, *layer.norm_2)
        x = layer_norm(x + position_wise_ffn(x, layer.ffn), *layer.norm_2)
        new_cache.append(LayerCache(K, V, kept.K_source, kept.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new_cache)


@wrong(
    "asks the source with vectors that are not multiplied by W_Q",
    names={"queries-to-the-source-not-projected"},
    line="q = split_heads(x, model.n_heads)",
)
def no_W_Q_to_the_source(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "makes the queries to the source with W_Q of the self-attention", names={"queries-to-the-source-with-own-matrix"}
)
def own_W_Q_to_the_source(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "passes the source's values as keys and its keys as values",
    names={"source-exchanged"},
    line="a = merge_heads(masked_attention(q, c.V_source, c.K_source, mask)[0])",
)
def source_values_as_keys(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.cross_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.V_source, c.K_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "adds the attention to the source to what came into the layer",
    names={"input-of-the-layer-added-to-cross-attention"},
    line="x = layer_norm(start + a @ p.cross_attention.W_O, *p.norm_2)",
)
def residual_from_the_start(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.cross_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(start + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "puts the new value behind the old keys", names={"values-behind-keys"}, line="V = np.concatenate([c.K, v], axis=-2)"
)
def new_value_behind_old_keys(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.K, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.cross_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "puts the new key behind the old values", names={"key-kept-as-value"}, line="V = np.concatenate([c.V, k], axis=-2)"
)
def new_key_behind_old_values(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = padding_mask(source_is_token)[:, None]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, k], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.cross_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)


@wrong(
    "makes a mask of the first token of the source only",
    names={"no-source-mask"},
    line="mask = source_is_token[:, None, None, :1]",
)
def mask_of_one_key(token_ids, cache, source_is_token, model):
    E = model.target_embedding
    d = E.shape[-1]
    t = cache[0].K.shape[-2]
    x = embed(token_ids[:, None], E) * np.sqrt(d)
    x = x + positional_encoding(t + 1, d)[t]
    mask = source_is_token[:, None, None, :1]
    new = []
    for p, c in zip(model.decoder, cache):
        start = x
        q = split_heads(x @ p.self_attention.W_Q, model.n_heads)
        k, v = project_memory(x, p.self_attention, model.n_heads)
        K = np.concatenate([c.K, k], axis=-2)
        V = np.concatenate([c.V, v], axis=-2)
        a = merge_heads(scaled_dot_product_attention(q, K, V)[0])
        x = layer_norm(x + a @ p.self_attention.W_O, *p.norm_1)
        q = split_heads(x @ p.cross_attention.W_Q, model.n_heads)
        a = merge_heads(masked_attention(q, c.K_source, c.V_source, mask)[0])
        x = layer_norm(x + a @ p.cross_attention.W_O, *p.norm_2)
        x = layer_norm(x + position_wise_ffn(x, p.ffn), *p.norm_3)
        new.append(LayerCache(K, V, c.K_source, c.V_source))
    W = E.T if model.output_projection is None else model.output_projection
    return (x @ W)[:, 0], tuple(new)
