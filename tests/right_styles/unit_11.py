"""Right functions of unit 11 in other styles than the reference's."""

from functools import reduce
from itertools import combinations, combinations_with_replacement

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, EncoderLayerParams


def logits_in_double_precision(token_ids, model):
    d_model = model.embedding.shape[1]
    X = model.embedding[token_ids] * np.sqrt(d_model)
    X = X + reference.positional_encoding(token_ids.shape[1], d_model)
    for layer in model.layers:
        X = reference.encoder_layer(X, layer, model.n_heads, np.tri(token_ids.shape[1], dtype=bool))
    return np.einsum("bnd,vd->bnv", X, model.embedding)


def logits_of_every_prefix(token_ids, model):
    """Without a mask: a prefix ends at the position that is asked for, and its earlier ones need prefixes of theirs."""
    E = model.embedding
    X = reference.embed(token_ids, E) * E.shape[-1] ** 0.5
    X = X + reference.positional_encoding(*X.shape[-2:]).astype(X.dtype)
    for layer in model.layers:
        X = np.stack(
            [reference.encoder_layer(X[:, : t + 1], layer, model.n_heads)[:, -1] for t in range(X.shape[1])], axis=1
        )
    return X @ E.T


def logits_written_out(token_ids, model):
    """One text at a time, the layers by their parts, with an additive mask."""
    return np.stack([_logits_of_one(text, model) for text in token_ids])


def _logits_of_one(text, model):
    E, n = model.embedding, len(text)
    X = E[text] * np.sqrt(E.shape[1]) + reference.positional_encoding(n, E.shape[1])
    later = reference.additive_mask(reference.causal_mask(n))
    for layer in model.layers:
        attention, norm_1, ffn, norm_2 = EncoderLayerParams(*layer)
        Q, K, V = (np.array(np.split(X @ W, model.n_heads, axis=1)) for W in attention[:3])
        weights = reference.softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1]) + later)
        X = reference.layer_norm(X + np.concatenate(list(weights @ V), axis=1) @ attention.W_O, *norm_1)
        X = reference.layer_norm(X + reference.position_wise_ffn(X, ffn), *norm_2)
    return X @ E.T


def outputs_head_by_head(X_query, X_key, params, n_heads, mask=None):
    """Slices of all four matrices, one head after the other."""
    blocks = zip(*(np.split(W, n_heads, axis=1) for W in params[:3]), np.split(params.W_O, n_heads), strict=True)
    outputs = [reference.masked_attention(X_query @ q, X_key @ k, X_key @ v, mask)[0] @ o for q, k, v, o in blocks]
    return np.stack(outputs, axis=-3)


def outputs_with_einsum(X_query, X_key, params, n_heads, mask=None):
    """The weights of multi-head attention, applied to values that have gone through W_O already."""
    _, weights = reference.multi_head_attention(X_query, X_key, params, n_heads, mask)
    V = reference.split_heads(np.asarray(X_key) @ params.W_V, n_heads)
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[1])
    return np.einsum("...hqk,...hkv,hvd->...hqd", weights, V, W_O)


def outputs_by_silencing_the_others(X_query, X_key, params, n_heads, mask=None):
    """Multi-head attention in which only one head speaks, for each head."""
    width, outputs = len(params.W_O) // n_heads, []
    for head in range(n_heads):
        own = np.arange(len(params.W_O)) // width == head
        alone = AttentionParams(*params[:3], params.W_O * own[:, None].astype(params.W_O.dtype))
        outputs.append(reference.multi_head_attention(X_query, X_key, alone, n_heads, mask)[0])
    return np.moveaxis(np.array(outputs), 0, -3)


def _refuse(n_heads, heads):
    wrong = [head for head in heads if head not in range(n_heads)]
    if wrong:
        raise ValueError(f"no such heads: {wrong}")


def silent_by_a_factor(params, n_heads, heads):
    """0 for the rows of silent heads, 1 for all others."""
    _refuse(n_heads, heads)
    speaks = np.array([head not in heads for head in range(n_heads)], dtype=params.W_O.dtype)
    return params._replace(W_O=params.W_O * np.repeat(speaks, len(params.W_O) // n_heads)[:, None])


def silent_by_reshaping(params, n_heads, heads):
    """An axis for the heads, in a copy."""
    _refuse(n_heads, heads)
    W_O = np.array(params.W_O)
    W_O.reshape(n_heads, -1, W_O.shape[1])[list(heads)] = 0
    return AttentionParams(params.W_Q, params.W_K, params.W_V, W_O)


def silent_values(params, n_heads, heads):
    """Not W_O but the values of these heads become 0, so that they have nothing to add."""
    _refuse(n_heads, heads)
    W_V = params.W_V.copy()
    width = W_V.shape[1] // n_heads
    for head in heads:
        W_V[:, head * width : (head + 1) * width] = 0
    return params._replace(W_V=W_V)


def silent_one_after_the_other(params, n_heads, heads):
    """Recursively; blocks of rows are put together again."""
    if not heads:
        return AttentionParams(*params)
    first, *others = heads
    if first < 0 or first >= n_heads:
        raise ValueError(f"head {first} is not between 0 and {n_heads - 1}")
    blocks = np.split(params.W_O, n_heads)
    blocks[first] = np.zeros_like(blocks[first])
    return silent_one_after_the_other(params._replace(W_O=np.concatenate(blocks)), n_heads, tuple(others))


def lens_with_einsum(states, embedding):
    return np.einsum("lnd,vd->lnv", states, embedding).argmax(-1)


def lens_by_loops(states, embedding):
    ids = np.zeros(states.shape[:2], dtype=int)
    for layer, vectors in enumerate(states):
        for position, vector in enumerate(vectors):
            logits = [float(vector @ row) for row in embedding]
            ids[layer, position] = logits.index(max(logits))
    return ids


def lens_by_sorting(states, embedding):
    logits = states @ np.transpose(embedding)
    return np.argsort(-logits, axis=-1, kind="stable")[..., 0]


def lens_through_probabilities(states, embedding):
    """Shifted and exponentiated: the largest logit is the only one that becomes 1."""
    logits = np.matmul(states, embedding.T)
    return (np.exp(logits - logits.max(axis=-1, keepdims=True)) == 1).argmax(axis=-1)


def rollout_by_norming(weights):
    """The identity is added to the mean, and the rows are brought to the sum 1 again."""
    layers = weights.mean(1) + np.eye(weights.shape[-1])
    layers = layers / layers.sum(-1, keepdims=True)
    return reduce(lambda below, layer: layer @ below, layers)


def rollout_from_the_top(weights):
    halves = [0.5 * heads.sum(axis=0) / len(heads) + 0.5 * np.identity(heads.shape[-1]) for heads in weights]
    rollout = np.identity(weights.shape[-1])
    for layer in reversed(halves):
        rollout = rollout @ layer
    return rollout


def rollout_row_by_row(weights):
    """Every position keeps half of what it is, and takes the other half from where it looks."""
    made_of = np.eye(weights.shape[-1])
    for heads in weights:
        looks = np.average(heads, axis=0)
        made_of = np.array([0.5 * made_of[i] + 0.5 * looks[i] @ made_of for i in range(len(made_of))])
    return made_of


def rollout_with_multi_dot(weights):
    layers = (weights.mean(axis=1) + np.eye(weights.shape[-1])) / 2
    return np.linalg.multi_dot(list(layers[::-1])) if len(layers) > 1 else layers[0]


def table_from_combinations(score, n_heads):
    whole = score(())
    losses = {pair: whole - score(pair) for pair in combinations(range(n_heads), 2)}
    table = np.diag([whole - score((head,)) for head in range(n_heads)])
    for (i, j), loss in losses.items():
        table[i, j] = table[j, i] = loss
    return table


def table_mirrored(score, n_heads):
    """The upper triangle, and then its mirror image; a head twice is one head."""
    whole, upper = score(()), np.zeros((n_heads, n_heads))
    for i, j in combinations_with_replacement(range(n_heads), 2):
        upper[i, j] = whole - score(tuple({i, j}))
    return upper + np.triu(upper, 1).T


def table_with_memory(score, n_heads):
    """Everything that was asked is remembered."""
    known = {}

    def remembered(*heads):
        heads = tuple(sorted(set(heads)))
        if heads not in known:
            known[heads] = score(list(heads))
        return known[heads]

    return np.array([[remembered() - remembered(i, j) for j in range(n_heads)] for i in range(n_heads)])


def table_by_indices(score, n_heads):
    scores = np.empty((n_heads, n_heads))
    rows, columns = np.tril_indices(n_heads)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        scores[i, j] = scores[j, i] = score((i, j) if i != j else (i,))
    return score(()) - scores


STYLES = {
    "next_token_logits": (logits_in_double_precision, logits_of_every_prefix, logits_written_out),
    "head_outputs": (outputs_head_by_head, outputs_with_einsum, outputs_by_silencing_the_others),
    "without_heads": (silent_by_a_factor, silent_by_reshaping, silent_values, silent_one_after_the_other),
    "logit_lens": (lens_with_einsum, lens_by_loops, lens_by_sorting, lens_through_probabilities),
    "attention_rollout": (rollout_by_norming, rollout_from_the_top, rollout_row_by_row, rollout_with_multi_dot),
    "ablation_table": (table_from_combinations, table_mirrored, table_with_memory, table_by_indices),
}
