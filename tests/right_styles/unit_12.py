"""Right functions of unit 12 in other styles than the reference's."""

from itertools import pairwise

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams


def pieces_as_published(word, vocabulary, unknown="[UNK]"):
    """The two loops of BERT's own tokenizer."""
    letters, start, found = list(word), 0, []
    while start < len(letters):
        end, piece = len(letters), None
        while start < end:
            part = "".join(letters[start:end])
            if start > 0:
                part = "##" + part
            if part in vocabulary:
                piece = part
                break
            end -= 1
        if piece is None:
            return [unknown]
        found.append(piece)
        start = end
    return found


def pieces_by_recursion(word, vocabulary, unknown="[UNK]"):
    def cut(rest):
        """Return the pieces of a rest, or None; the mark stands before it already."""
        for end in range(len(rest), 0, -1):
            if rest[:end] in vocabulary and rest[:end] != "##":
                if end == len(rest):
                    return [rest]
                tail = cut("##" + rest[end:])
                return None if tail is None else [rest[:end], *tail]
        return None

    if not word:
        return []
    found = cut(word)
    return [unknown] if found is None else found


def pieces_by_their_length(word, vocabulary, unknown="[UNK]"):
    """The pieces of the vocabulary, longest first, and the first one with which the rest begins."""
    first = sorted((piece for piece in vocabulary if not piece.startswith("##")), key=len, reverse=True)
    later = sorted((piece[2:] for piece in vocabulary if piece.startswith("##")), key=len, reverse=True)
    found, rest = [], word
    while rest:
        fitting = [piece for piece in (later if found else first) if piece and rest.startswith(piece)]
        if not fitting:
            return [unknown]
        found.append("##" + fitting[0] if found else fitting[0])
        rest = rest[len(fitting[0]) :]
    return found


def pieces_with_for_and_else(word, vocabulary, unknown="[UNK]"):
    pieces = []
    while word:
        prefix = "##" if pieces else ""
        for length in range(len(word), 0, -1):
            piece = prefix + word[:length]
            if vocabulary.get(piece) is not None:
                pieces += [piece]
                word = word[length:]
                break
        else:
            return [unknown]
    return pieces


def merge_one_place_at_a_time(symbols, ranks):
    """The leftmost place of the lowest pair, again and again."""
    symbols = symbols.copy()
    while True:
        places = [(ranks[pair], i) for i, pair in enumerate(pairwise(symbols)) if pair in ranks]
        if not places:
            return symbols
        _, i = min(places)
        symbols = [*symbols[:i], symbols[i] + symbols[i + 1], *symbols[i + 2 :]]


def merge_as_published(symbols, ranks):
    """GPT-2's own loop, with `index` and infinite ranks."""
    word = tuple(symbols)
    while len(word) > 1:
        pair = min(set(pairwise(word)), key=lambda pair: ranks.get(pair, float("inf")))
        if pair not in ranks:
            break
        first, second = pair
        new, i = [], 0
        while i < len(word):
            if first not in word[i:]:
                new.extend(word[i:])
                break
            j = word.index(first, i)
            new.extend(word[i:j])
            i = j
            if i < len(word) - 1 and word[i + 1] == second:
                new.append(first + second)
                i += 2
            else:
                new.append(word[i])
                i += 1
        word = tuple(new)
    return list(word)


def merge_in_the_order_of_learning(symbols, ranks):
    """Once through all pairs, by rank: a new symbol has pairs of higher ranks only."""
    for first, second in sorted(ranks, key=ranks.get):
        joined = []
        for symbol in symbols:
            if joined and joined[-1] == first and symbol == second:
                joined[-1] = first + second
            else:
                joined.append(symbol)
        symbols = joined
    return list(symbols)


def merge_by_deleting(symbols, ranks):
    """In a list of its own, from the left, while it becomes shorter."""
    symbols = [*symbols]
    while True:
        known = {(a, b): ranks[a, b] for a, b in pairwise(symbols) if (a, b) in ranks}
        if not known:
            return symbols
        lowest = min(known.values())
        pair = next(pair for pair, rank in known.items() if rank == lowest)
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i] += symbols.pop(i + 1)
            i += 1


def attention_with_an_input_of_ones(X_query, X_key, params, n_heads, mask=None):
    """A bias is one more row of a matrix, for a feature that is always 1."""

    def with_one(X):
        return np.concatenate([X, np.ones_like(X[..., :1])], axis=-1)

    W_Q, W_K, W_V = (np.vstack([getattr(params, f"W_{a}"), getattr(params, f"b_{a}")]) for a in "QKV")
    larger = AttentionParams(W_Q, W_K, W_V, params.W_O)
    output, weights = reference.multi_head_attention(with_one(X_query), with_one(X_key), larger, n_heads, mask)
    return output + params.b_O, weights


def attention_without_the_bias_of_keys(X_query, X_key, params, n_heads, mask=None):
    """b_K adds the same number to all scores of a row, and changes nothing."""
    Q = reference.split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = reference.split_heads(X_key @ params.W_K, n_heads)
    V = reference.split_heads(X_key @ params.W_V, n_heads) + reference.split_heads(params.b_V[None], n_heads)
    scores = np.einsum("...hqd,...hkd->...hqk", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = reference.softmax(scores)
    return reference.merge_heads(weights @ V) @ params.W_O + params.b_O, weights


def attention_head_by_head(X_query, X_key, params, n_heads, mask=None):
    """Slices of all matrices and biases, one head after the other."""
    output, weights = params.b_O, []
    blocks = [np.split(getattr(params, name), n_heads, axis=-1) for name in ("W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V")]
    for W_Q, b_Q, W_K, b_K, W_V, b_V, W_O in zip(*blocks, np.split(params.W_O, n_heads), strict=True):
        Q, K, V = X_query @ W_Q + b_Q, X_key @ W_K + b_K, X_key @ W_V + b_V
        blended, of_head = reference.masked_attention(Q, K, V, mask)
        output = output + blended @ W_O
        weights.append(of_head)
    return output, np.stack(weights, axis=-3)


def attention_with_biases_at_the_end(X_query, X_key, params, n_heads, mask=None):
    """The weights of a row sum to 1, so the bias of the values comes through as it is."""
    X_query, X_key = np.asarray(X_query), np.asarray(X_key)
    Q = reference.split_heads(reference.linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = reference.split_heads(reference.linear(X_key, params.W_K, params.b_K), n_heads)
    V = reference.split_heads(X_key @ params.W_V, n_heads)
    shared = None if mask is None else np.expand_dims(mask, -3)
    heads, weights = reference.masked_attention(Q, K, V, shared)
    return reference.merge_heads(heads) @ params.W_O + (params.b_V @ params.W_O + params.b_O), weights


def _tanh_gelu(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * x * (1 + 0.044715 * x * x)))


def block_in_two_lines(X, params, n_heads, mask=None):
    normed = reference.layer_norm(X, *params.norm_1)
    X = X + reference.biased_attention(normed, normed, params.attention, n_heads, mask)[0]
    return X + reference.position_wise_ffn(reference.layer_norm(X, *params.norm_2), params.ffn, _tanh_gelu)


def block_with_the_logistic_function(X, params, n_heads, mask=None):
    """(1 + tanh(z)) / 2 is the logistic function of 2 z."""

    def gelu(x):
        return x / (1 + np.exp(-2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    def network(Z):
        return gelu(Z @ params.ffn.W_1 + params.ffn.b_1) @ params.ffn.W_2 + params.ffn.b_2

    def attention(Z):
        return reference.biased_attention(Z, Z, params.attention, n_heads, mask)[0]

    X = reference.pre_norm(X, attention, *params.norm_1)
    return reference.pre_norm(X, network, *params.norm_2)


def block_written_out(X, params, n_heads, mask=None):
    """Everything by itself, with var and mean."""
    attention, norm_1, ffn, norm_2 = params

    def normed(X, norm):
        mean, variance = X.mean(axis=-1, keepdims=True), X.var(axis=-1, keepdims=True)
        return (X - mean) / np.sqrt(variance + 1e-5) * norm.gamma + norm.beta

    Z = normed(X, norm_1)
    Q, K, V = (
        reference.split_heads(Z @ getattr(attention, f"W_{a}") + getattr(attention, f"b_{a}"), n_heads) for a in "QKV"
    )
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -1e30)
    blended = reference.merge_heads(reference.softmax(scores) @ V)
    X = X + blended @ attention.W_O + attention.b_O
    hidden = normed(X, norm_2) @ ffn.W_1 + ffn.b_1
    inner = 0.7978845608028654 * (hidden + 0.044715 * np.power(hidden, 3))
    return X + (0.5 * hidden * (1.0 + np.tanh(inner))) @ ffn.W_2 + ffn.b_2


def vector_with_einsum(X, is_token):
    total = np.einsum("...nd,...n->...d", X, is_token.astype(X.dtype))
    return total / np.sqrt(np.maximum((total**2).sum(axis=-1, keepdims=True), 1e-30))


def vector_by_loops(X, is_token):
    """One sentence after the other."""
    vectors = np.zeros((*X.shape[:-2], X.shape[-1]))
    for place in np.ndindex(X.shape[:-2]):
        tokens = X[place][is_token[place]]
        if len(tokens):
            mean = tokens.mean(axis=0)
            vectors[place] = mean / np.sqrt(mean @ mean)
    return vectors


def vector_of_the_mean(X, is_token):
    count = is_token.sum(axis=-1, keepdims=True)
    mean = (X * is_token[..., None]).sum(axis=-2) / np.maximum(count, 1)
    return mean / np.maximum(np.linalg.norm(mean, axis=-1, keepdims=True), 1e-12)


def vector_as_a_masked_mean(X, is_token):
    """NumPy's masked arrays; what is masked everywhere becomes 0."""
    hidden = np.broadcast_to(~is_token[..., None], X.shape)
    mean = np.ma.masked_array(X, hidden).mean(axis=-2).filled(0)
    length = np.linalg.norm(mean, axis=-1, keepdims=True)
    return np.divide(mean, length, out=np.zeros_like(mean), where=length > 0)


STYLES = {
    "word_pieces": (pieces_as_published, pieces_by_recursion, pieces_by_their_length, pieces_with_for_and_else),
    "byte_pair_merge": (
        merge_one_place_at_a_time,
        merge_as_published,
        merge_in_the_order_of_learning,
        merge_by_deleting,
    ),
    "biased_attention": (
        attention_with_an_input_of_ones,
        attention_without_the_bias_of_keys,
        attention_head_by_head,
        attention_with_biases_at_the_end,
    ),
    "gpt2_block": (block_in_two_lines, block_with_the_logistic_function, block_written_out),
    "sentence_vector": (vector_with_einsum, vector_by_loops, vector_of_the_mean, vector_as_a_masked_mean),
}
