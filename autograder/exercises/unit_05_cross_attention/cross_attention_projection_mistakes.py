"""The known mistakes of `cross_attention` with its projections, its weights and its results."""

from autograder.exercises.unit_05_cross_attention.cross_attention_variants import attend, for_heads, projected
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import merge_heads, project_memory, split_heads

SECTION = "Exercise 5.3: cross_attention"
ROLES = "Who asks and who answers"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def no_output_projection(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The heads are not mixed by W_O.

    Side by side the heads are n_heads · d_v wide and know nothing of one another. W_O mixes them and brings the
    result back to d_model.
    """
    heads, weights = reference.masked_attention(
        *projected(X_decoder, memory, params, n_heads), for_heads(memory_is_token)
    )
    return merge_heads(heads), weights


@MISTAKES.add(where=SECTION)
def not_merged(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The heads are put side by side with a reshape alone.

    A reshape keeps the order of the numbers in memory, so numbers of different target positions end up in one row.
    Your `merge_heads` of unit 04 moves the axis first.
    """
    Q, K, V = projected(X_decoder, memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, for_heads(memory_is_token))
    *lead, _, n_target, _ = heads.shape
    return heads.reshape(*lead, n_target, -1) @ params.W_O, weights


@MISTAKES.add(where=ROLES)
def queries_not_projected(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The decoder states serve as queries without W_Q.

    A decoder state carries much more than its question to the source. W_Q is what picks the question out.
    """
    Q = split_heads(X_decoder, n_heads)
    K, V = project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


@MISTAKES.add(where=ROLES)
def memory_not_projected(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The memory itself serves as keys and values.

    Keys and values have the same source, but each is the memory times a learned matrix of its own.
    """
    Q, K = split_heads(X_decoder @ params.W_Q, n_heads), split_heads(memory, n_heads)
    heads, weights = reference.masked_attention(Q, K, K, for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


@MISTAKES.add(where=ROLES)
def values_with_W_K(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The values are the keys: both come from W_K.

    What makes a token easy to find and what it has to say are two different things. The values have their own matrix.
    """
    params = params._replace(W_V=params.W_K)
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)


@MISTAKES.add(where=SECTION)
def scaled_by_d_model(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The scores are divided by the square root of d_model.

    Each head multiplies vectors of width d_k, so that is the width that counts.
    """
    mask = for_heads(memory_is_token)
    return attend(X_decoder, memory, params, n_heads, mask, divisor=X_decoder.shape[-1])


@MISTAKES.add(where=SECTION)
def not_scaled(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The scores are not divided by the square root of d_k.

    Nothing about the scale changes when the keys come from another sentence.
    """
    return attend(X_decoder, memory, params, n_heads, for_heads(memory_is_token), divisor=1)


@MISTAKES.add(where=ROLES)
def over_targets(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The weights sum to 1 over the target positions.

    Every target position shares out its own attention among the source tokens. Two target positions may both take
    all of one word.
    """
    return attend(X_decoder, memory, params, n_heads, for_heads(memory_is_token), axis=-2)


@MISTAKES.add(where=SECTION)
def over_heads(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The weights sum to 1 over the heads.

    Every head has a budget of its own, which it shares out among the source tokens.
    """
    return attend(X_decoder, memory, params, n_heads, for_heads(memory_is_token), axis=-3)


@MISTAKES.add(where=SECTION)
def mean_weights(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The weights are averaged over the heads.

    Some libraries return them this way, but the result has one map per head. What the heads do differently would be
    lost.
    """
    output, weights = reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)
    return output, weights.mean(axis=-3)


@MISTAKES.add(where=SECTION)
def results_exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The weights come first and the output second.

    The order is output, weights, as in units 02 to 04.
    """
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)[::-1]


@MISTAKES.add(where=SECTION)
def residual_added(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The decoder states are added to the output.

    That is what happens next, in Add & Norm, and unit 07 does it. Here only what was found in the source is
    returned.
    """
    output, weights = reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)
    return X_decoder + output, weights


@MISTAKES.add(where=SECTION)
def keys_and_values_exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The keys are used as values and the values as keys.

    `project_memory` returns the keys first. With equal widths nothing complains when they are unpacked the other way
    round.
    """
    exchanged = params._replace(W_K=params.W_V, W_V=params.W_K)
    return reference.cross_attention(X_decoder, memory, exchanged, n_heads, memory_is_token)


@MISTAKES.add(where=ROLES)
def queries_with_W_K(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The queries are made with W_K.

    What a position asks for and how it would be found are two different things. The queries have their own matrix.
    """
    return reference.cross_attention(X_decoder, memory, params._replace(W_Q=params.W_K), n_heads, memory_is_token)


@MISTAKES.add(where=SECTION)
def one_head(X_decoder, memory, params, n_heads, memory_is_token=None):
    """n_heads is not used: there is one head.

    All columns together make one wide head with one map. Cut them into heads, each with a map of its own.
    """
    return reference.cross_attention(X_decoder, memory, params, 1, memory_is_token)


@MISTAKES.add(where=SECTION)
def precedence(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The scores are divided by twice d_k, as where a power lacks its brackets.

    In Python `**` binds more tightly than `/`, so `/ d ** 1/2` divides twice.
    """
    d_k = params.W_Q.shape[1] // n_heads
    return attend(X_decoder, memory, params, n_heads, for_heads(memory_is_token), divisor=(2 * d_k) ** 2)


@MISTAKES.add(where=SECTION)
def half_of_d_k(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The scores are divided by half of d_k.

    In Python `**` binds more tightly than `/`, so `(d ** 1/2)` is half of d. Write `d ** 0.5`.
    """
    d_k = params.W_Q.shape[1] / n_heads
    return attend(X_decoder, memory, params, n_heads, for_heads(memory_is_token), divisor=(d_k / 2) ** 2)
