"""Right functions of unit 09 in other styles than the reference's."""

import math

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.parameters import DecoderLayerParams, LayerCache


def layer_in_two_branches(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    if norm_first:
        normed = reference.layer_norm(X, *params.norm_1, eps)
        X = X + reference.multi_head_attention(normed, normed, params.self_attention, n_heads, self_mask)[0]
        normed = reference.layer_norm(X, *params.norm_2, eps)
        X = X + reference.multi_head_attention(normed, memory, params.cross_attention, n_heads, cross_mask)[0]
        return X + reference.position_wise_ffn(reference.layer_norm(X, *params.norm_3, eps), params.ffn)
    output, _ = reference.multi_head_attention(X, X, params.self_attention, n_heads, mask=self_mask)
    X = reference.layer_norm(X + output, params.norm_1.gamma, params.norm_1.beta, eps)
    output, _ = reference.multi_head_attention(X, memory, params.cross_attention, n_heads, mask=cross_mask)
    X = reference.layer_norm(X + output, params.norm_2.gamma, params.norm_2.beta, eps)
    return reference.layer_norm(X + reference.position_wise_ffn(X, params.ffn), *params.norm_3, eps=eps)


def layer_as_a_loop(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    self_attention, norm_1, cross_attention, norm_2, ffn, norm_3 = DecoderLayerParams(*params)
    sublayers = [
        (lambda Z: reference.multi_head_attention(Z, Z, self_attention, n_heads, self_mask)[0], norm_1),
        (lambda Z: reference.multi_head_attention(Z, memory, cross_attention, n_heads, cross_mask)[0], norm_2),
        (lambda Z: reference.position_wise_ffn(Z, ffn, activation=reference.relu), norm_3),
    ]
    arrange = {True: reference.pre_norm, False: reference.post_norm}[norm_first]
    for sublayer, (gamma, beta) in sublayers:
        X = arrange(X, sublayer, gamma, beta, eps=eps)
    return X


def layer_written_out(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """No function of an earlier unit but the attention of one head."""

    def normed(Z, norm):
        centred = Z - Z.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * norm.gamma + norm.beta

    def attend(Z, M, weights, mask):
        parts = zip(*(np.split(W, n_heads, axis=1) for W in weights[:3]), np.split(weights.W_O, n_heads), strict=True)
        return sum(reference.masked_attention(Z @ q, M @ k, M @ v, mask)[0] @ o for q, k, v, o in parts)

    def step(X, sublayer, norm):
        return X + sublayer(normed(X, norm)) if norm_first else normed(X + sublayer(X), norm)

    X = step(X, lambda Z: attend(Z, Z, params.self_attention, self_mask), params.norm_1)
    X = step(X, lambda Z: attend(Z, memory, params.cross_attention, cross_mask), params.norm_2)
    ffn = params.ffn
    return step(X, lambda Z: np.maximum(Z @ ffn.W_1 + ffn.b_1, 0) @ ffn.W_2 + ffn.b_2, params.norm_3)


def encode_in_double_precision(source_ids, source_is_token, model):
    """What comes of np.sqrt and of a table of positions in double precision."""
    d_model = model.source_embedding.shape[1]
    X = reference.embed(source_ids, model.source_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(source_ids.shape[1], d_model)
    for layer in model.encoder:
        X = reference.encoder_layer(X, layer, model.n_heads, reference.padding_mask(source_is_token))
    return X


def encode_one_sentence_at_a_time(source_ids, source_is_token, model):
    """Without padding: it is cut off, and nonsense of the right shape stands in its place."""
    n, d_model = source_ids.shape[1], model.source_embedding.shape[1]
    P = reference.positional_encoding(n, d_model)
    memory = []
    for ids, is_token in zip(source_ids, source_is_token, strict=True):
        X = math.sqrt(d_model) * model.source_embedding[ids] + P
        for layer in model.encoder:
            X = reference.encoder_layer(X, layer, model.n_heads, is_token[None, :])
        memory.append(X)
    return np.stack(memory)


def encode_with_one_hot(source_ids, source_is_token, model):
    E = model.source_embedding
    X = reference.one_hot(source_ids, len(E)) @ E * E.shape[1] ** 0.5
    X = reference.add_positions(X, reference.positional_encoding(model.longest_source, E.shape[1]))
    mask = np.repeat(source_is_token[:, None, :], source_ids.shape[1], axis=1)  # a row for every query
    for number in range(len(model.encoder)):
        X = reference.encoder_layer(X, model.encoder[number], n_heads=model.n_heads, mask=mask)
    return X


def encode_recursively(source_ids, source_is_token, model):
    if model.encoder:
        *below, top = model.encoder
        X = encode_recursively(source_ids, source_is_token, model._replace(encoder=tuple(below)))
        return reference.encoder_layer(X, top, model.n_heads, reference.padding_mask(source_is_token))
    X = np.take(model.source_embedding, source_ids, axis=0)
    n, d_model = X.shape[-2:]
    return X * math.sqrt(d_model) + reference.positional_encoding(n, d_model).astype(X.dtype)


def decode_in_double_precision(target_ids, memory, source_is_token, model):
    d_model = model.target_embedding.shape[1]
    X = reference.embed(target_ids, model.target_embedding) * np.sqrt(d_model)
    X = X + reference.positional_encoding(target_ids.shape[1], d_model)
    encoder_mask = reference.padding_mask(source_is_token)
    for layer in model.decoder:
        self_mask = reference.causal_mask(target_ids.shape[1])
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask, encoder_mask)
    if model.output_projection is not None:
        return X @ model.output_projection
    return X @ model.target_embedding.T


def decode_with_the_masks_of_unit_05(target_ids, memory, source_is_token, model):
    E = model.target_embedding
    X = reference.add_positions(
        reference.embed(target_ids, E) * E.shape[1] ** 0.5, reference.positional_encoding(model.max_len, E.shape[1])
    )
    is_token = np.ones(target_ids.shape, dtype=bool)
    _, self_mask, cross_mask = reference.translation_masks(source_is_token, is_token)
    for layer in model.decoder:
        X = reference.decoder_layer(X, memory, layer, model.n_heads, self_mask=self_mask, cross_mask=cross_mask)
    W = E.T if model.output_projection is None else model.output_projection
    return np.einsum("bnd,dv->bnv", X, W)


def decode_every_prefix_by_itself(target_ids, memory, source_is_token, model):
    """Without a causal mask: every prefix is run alone, and its last position kept."""
    E, mask, logits = model.target_embedding, reference.padding_mask(source_is_token), []
    W = E.T if model.output_projection is None else model.output_projection
    for n in range(1, target_ids.shape[1] + 1):
        X = reference.embed(target_ids[:, :n], E) * math.sqrt(E.shape[1]) + reference.positional_encoding(n, E.shape[1])
        seen = reference.causal_mask(n)
        for layer in model.decoder:
            X = reference.decoder_layer(X, memory, layer, model.n_heads, seen, mask)
        logits.append(X[:, -1] @ W)
    return np.stack(logits, axis=1)


def translate_step_by_step(sentence, model, beam_width=1, alpha=0.0):
    source_ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)
    source_ids = source_ids.reshape(1, -1)
    is_token = source_ids >= 0
    memory = reference.encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        rows = []
        for prefix in prefixes:
            logits = reference.decode_target(prefix[None], memory, is_token, model)
            rows.append(np.log(reference.softmax(logits[0, -1])))
        return np.array(rows)

    if beam_width > 1:
        _, token_ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0]
    else:
        token_ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    return written_sentence(token_ids, model)


def translate_with_a_broadcast_memory(sentence, model, beam_width=1, alpha=0.0):
    text = prepare_sentence(sentence, model)
    source_ids = np.array([[model.source_vocabulary[word] for word in text.split()]])
    is_token = np.full(source_ids.shape, True)
    memory = reference.encode_source(source_ids, is_token, model).astype(np.float64)

    def next_log_probs(prefixes):
        logits = reference.decode_target(prefixes, memory, is_token, model)[:, -1, :]
        return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)

    found = (
        reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
        if beam_width == 1
        else reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha=alpha)[0][1]
    )
    return written_sentence([token for token in found if token != EOS], model)


def translate_with_a_search_of_its_own(sentence, model, beam_width=1, alpha=0.0):
    """A greedy search that is written out: the largest logit is the largest probability."""
    words = prepare_sentence(sentence, model)
    source_ids = reference.encode(words, model.source_vocabulary)[np.newaxis]
    is_token = np.ones_like(source_ids, dtype=bool)
    memory = reference.encode_source(source_ids, is_token, model)
    if beam_width == 1:
        written = [BOS]
        while len(written) <= model.max_len and (len(written) == 1 or written[-1] != EOS):
            logits = reference.decode_target(np.array([written]), memory, is_token, model)
            written.append(int(logits[0, -1].argmax()))
        return written_sentence(written[1:], model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        memories, masks = np.tile(memory, (k, 1, 1)), np.tile(is_token, (k, 1))
        logits = reference.decode_target(prefixes, memories, masks, model)[:, -1].astype(float)
        exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.log(exponentials / exponentials.sum(axis=1, keepdims=True))

    hypotheses = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)
    return written_sentence(max(hypotheses, key=lambda hypothesis: hypothesis[0])[1], model)


def count_by_the_formula(vocab_size, d_model, d_ff, n_layers):
    V, d, f, n = vocab_size, d_model, d_ff, n_layers
    return V * d + n * (4 * d * d + 2 * d * f + f + 5 * d) + n * (8 * d * d + 2 * d * f + f + 7 * d)


def count_with_unit_04_and_06(vocab_size, d_model, d_ff, n_layers):
    attention = reference.count_attention_parameters(d_model, 1)
    _, ffn = reference.count_layer_parameters(d_model, d_ff)
    layers = n_layers * (3 * attention + 2 * ffn + 5 * 2 * d_model)
    return vocab_size * d_model + layers


def count_shapes(vocab_size, d_model, d_ff, n_layers):
    attention = [(d_model, d_model)] * 4
    ffn, norm = [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)], [(d_model,)] * 2
    encoder, decoder = attention + norm + ffn + norm, attention + norm + attention + norm + ffn + norm
    return sum(map(math.prod, [(vocab_size, d_model), *(encoder * n_layers), *(decoder * n_layers)]))


def step_with_softmax_written_out(token_ids, cache, source_is_token, model):
    E, n_heads = model.target_embedding, model.n_heads
    n_before, d_model = cache[0].K.shape[2], E.shape[1]
    X = E[token_ids] * math.sqrt(d_model) + reference.positional_encoding(n_before + 1, d_model)[n_before]  # (B, d)
    hidden = np.where(source_is_token, 0.0, -np.inf)[:, None, :]  # (B, 1, n_source)

    def heads(vectors):
        return vectors.reshape(len(vectors), n_heads, -1)  # (B, n_heads, d_k)

    def attend(Q, K, V, added, W_O):
        scores = np.einsum("bhk,bhnk->bhn", heads(Q), K) / math.sqrt(K.shape[-1]) + added
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights = weights / weights.sum(-1, keepdims=True)
        return np.einsum("bhn,bhnv->bhv", weights, V).reshape(len(Q), -1) @ W_O

    kept = []
    for layer, old in zip(model.decoder, cache, strict=True):
        own, cross = layer.self_attention, layer.cross_attention
        K = np.concatenate([old.K, heads(X @ own.W_K)[:, :, None]], axis=2)
        V = np.concatenate([old.V, heads(X @ own.W_V)[:, :, None]], axis=2)
        X = reference.layer_norm(X + attend(X @ own.W_Q, K, V, 0.0, own.W_O), *layer.norm_1)
        X = reference.layer_norm(
            X + attend(X @ cross.W_Q, old.K_source, old.V_source, hidden, cross.W_O), *layer.norm_2
        )
        X = reference.layer_norm(X + reference.position_wise_ffn(X, layer.ffn), *layer.norm_3)
        kept.append(LayerCache(K, V, old.K_source, old.V_source))
    return X @ (E.T if model.output_projection is None else model.output_projection), kept


def step_with_post_norm(token_ids, cache, source_is_token, model):
    n_heads, new_cache = model.n_heads, []
    E = model.target_embedding
    P = reference.positional_encoding(model.max_len, E.shape[1])
    X = reference.embed(token_ids.reshape(-1, 1), E) * E.shape[1] ** 0.5 + P[cache[0].K.shape[-2]]
    mask = source_is_token[:, None, None, :]
    for number, layer in enumerate(model.decoder):
        old, own, cross = cache[number], layer.self_attention, layer.cross_attention
        new_K, new_V = reference.project_memory(X, own, n_heads)
        K, V = np.append(old.K, new_K, axis=2), np.append(old.V, new_V, axis=2)

        def attend_to_self(Z, K=K, V=V, own=own):
            Q = reference.split_heads(Z @ own.W_Q, n_heads)
            seen = reference.causal_mask(1, K.shape[2])
            return reference.merge_heads(reference.masked_attention(Q, K, V, seen)[0]) @ own.W_O

        def attend_to_source(Z, old=old, cross=cross):
            Q = reference.split_heads(Z @ cross.W_Q, n_heads)
            heads, _ = reference.masked_attention(Q, old.K_source, old.V_source, mask)
            return reference.merge_heads(heads) @ cross.W_O

        X = reference.post_norm(X, attend_to_self, *layer.norm_1)
        X = reference.post_norm(X, attend_to_source, *layer.norm_2)
        X = reference.post_norm(X, lambda Z, ffn=layer.ffn: reference.position_wise_ffn(Z, ffn), *layer.norm_3)
        new_cache.append(old._replace(K=K, V=V))
    W = model.target_embedding.T if model.output_projection is None else model.output_projection
    return np.squeeze(X, axis=1) @ W, tuple(new_cache)


def step_sentence_by_sentence(token_ids, cache, source_is_token, model):
    """One sequence at a time, one head at a time."""
    results = [
        _one_sequence(token, [LayerCache(*(a[b] for a in layer)) for layer in cache], source_is_token[b], model)
        for b, token in enumerate(token_ids)
    ]
    kept = []
    for number, layer in enumerate(cache):
        K, V = (np.stack([one[1][number][part] for one in results]) for part in (0, 1))
        kept.append(layer._replace(K=K, V=V))
    return np.stack([logits for logits, _ in results]), tuple(kept)


def _one_sequence(token, cache, is_token, model):
    E, kept = model.target_embedding, []
    n, d_model = cache[0].K.shape[1], E.shape[1]
    x = E[token] * d_model**0.5 + reference.positional_encoding(n + 1, d_model)[n]
    for layer, old in zip(model.decoder, cache, strict=True):
        own, cross = layer.self_attention, layer.cross_attention
        q, k, v = (np.array(np.split(x @ W, model.n_heads)) for W in own[:3])  # (n_heads, d_k)
        K, V = np.concatenate([old.K, k[:, None]], axis=1), np.concatenate([old.V, v[:, None]], axis=1)
        context = [reference.context_vector(*head)[0] for head in zip(q, K, V, strict=True)]
        x = reference.layer_norm(x + np.concatenate(context) @ own.W_O, *layer.norm_1)
        q = np.split(x @ cross.W_Q, model.n_heads)
        source = old.K_source[:, is_token], old.V_source[:, is_token]
        context = [reference.context_vector(*head)[0] for head in zip(q, *source, strict=True)]
        x = reference.layer_norm(x + np.concatenate(context) @ cross.W_O, *layer.norm_2)
        x = reference.layer_norm(x + reference.position_wise_ffn(x[None], layer.ffn)[0], *layer.norm_3)
        kept.append((K, V))
    return x @ (E.T if model.output_projection is None else model.output_projection), kept


STYLES = {
    "decoder_layer": (layer_in_two_branches, layer_as_a_loop, layer_written_out),
    "encode_source": (
        encode_in_double_precision,
        encode_one_sentence_at_a_time,
        encode_with_one_hot,
        encode_recursively,
    ),
    "decode_target": (
        decode_in_double_precision,
        decode_with_the_masks_of_unit_05,
        decode_every_prefix_by_itself,
    ),
    "translate": (
        translate_step_by_step,
        translate_with_a_broadcast_memory,
        translate_with_a_search_of_its_own,
    ),
    "count_transformer_parameters": (count_by_the_formula, count_with_unit_04_and_06, count_shapes),
    "cached_decode_step": (step_with_softmax_written_out, step_with_post_norm, step_sentence_by_sentence),
}
