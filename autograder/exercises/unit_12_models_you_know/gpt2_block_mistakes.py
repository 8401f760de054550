"""The known mistakes of `gpt2_block` with its norms, sums and arguments."""

import numpy as np

from autograder.exercises.unit_12_models_you_know.gpt2_block_variants import (
    attended,
    tanh_gelu,
    transformed,
    with_other,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import biased_attention, layer_norm, position_wise_ffn

SECTION = "Exercise 12.4: gpt2_block"
NORM = "The norm first"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=NORM)
def norm_last(X, params, n_heads, mask=None):
    """The norm comes after the sum, as in the paper.

    GPT-2 has pre-norm: the residual stream itself is never normed.
    """
    X = layer_norm(X + biased_attention(X, X, params.attention, n_heads, mask)[0], *params.norm_1)
    return layer_norm(X + position_wise_ffn(X, params.ffn, tanh_gelu), *params.norm_2)


@MISTAKES.add(where=NORM)
def normed_residual(X, params, n_heads, mask=None):
    """The sub-layers are added to the normed vectors.

    The norm is for the sub-layer only. What it adds goes to X as it came in.
    """
    X = layer_norm(X, *params.norm_1)
    X = X + biased_attention(X, X, params.attention, n_heads, mask)[0]
    X = layer_norm(X, *params.norm_2)
    return X + position_wise_ffn(X, params.ffn, tanh_gelu)


@MISTAKES.add(where=NORM)
def no_residuals(X, params, n_heads, mask=None):
    """Nothing is added: each sub-layer replaces what came in.

    There is a residual connection around the attention, and one around the network.
    """
    return transformed(attended(X, params, n_heads, mask), params)


@MISTAKES.add(where=NORM)
def inputs_added_twice(X, params, n_heads, mask=None):
    """The inputs of the sub-layers are added twice.

    `pre_norm` adds what came in already. A sub-layer returns what it has made of the normed vectors, and no more.
    """
    normed = layer_norm(X, *params.norm_1)
    X = X + normed + attended(X, params, n_heads, mask)
    return X + layer_norm(X, *params.norm_2) + transformed(X, params)


@MISTAKES.add(where=NORM)
def no_second_residual(X, params, n_heads, mask=None):
    """The network's output is not added to what came in.

    There are two residual connections, one around each sub-layer.
    """
    return transformed(X + attended(X, params, n_heads, mask), params)


@MISTAKES.add(where=NORM)
def no_first_residual(X, params, n_heads, mask=None):
    """The attention's output is not added to what came in.

    There are two residual connections, one around each sub-layer.
    """
    X = attended(X, params, n_heads, mask)
    return X + transformed(X, params)


@MISTAKES.add(where=NORM)
def second_sum_from_the_beginning(X, params, n_heads, mask=None):
    """The network's output is added to the X that came in at the beginning.

    Then what the attention has found is lost. It is added to the sum that the network was given.
    """
    return X + transformed(X + attended(X, params, n_heads, mask), params)


@MISTAKES.add(where=NORM)
def side_by_side(X, params, n_heads, mask=None):
    """The network sees the same input as the attention, not the sum.

    The two sub-layers follow each other. Other models, such as GPT-J, have them side by side.
    """
    return X + attended(X, params, n_heads, mask) + transformed(X, params)


@MISTAKES.add(where=NORM)
def network_first(X, params, n_heads, mask=None):
    """The network comes before the attention.

    In every layer the attention comes first.
    """
    X = X + transformed(X, params)
    return X + attended(X, params, n_heads, mask)


@MISTAKES.add(where=NORM)
def norms_exchanged(X, params, n_heads, mask=None):
    """The two norms are exchanged.

    norm_1 belongs to the attention, norm_2 to the network.
    """
    return reference.gpt2_block(X, params._replace(norm_1=params.norm_2, norm_2=params.norm_1), n_heads, mask)


@MISTAKES.add(where=NORM)
def one_norm_for_both(X, params, n_heads, mask=None):
    """norm_1 is used for both sub-layers.

    Each sub-layer has a norm of its own.
    """
    return reference.gpt2_block(X, params._replace(norm_2=params.norm_1), n_heads, mask)


@MISTAKES.add(where=NORM)
def no_norms(X, params, n_heads, mask=None):
    """Nothing is normed.

    Before each sub-layer there is a norm.
    """
    X = X + biased_attention(X, X, params.attention, n_heads, mask)[0]
    return X + position_wise_ffn(X, params.ffn, tanh_gelu)


@MISTAKES.add(where=NORM)
def norm_of_queries_only(X, params, n_heads, mask=None):
    """The queries are made of normed vectors, keys and values of those that came in.

    The attention sees nothing but normed vectors: both of its arguments are normed.
    """
    normed = layer_norm(X, *params.norm_1)
    X = X + biased_attention(normed, X, params.attention, n_heads, mask)[0]
    return X + transformed(X, params)


@MISTAKES.add(where=NORM)
def network_without_norm(X, params, n_heads, mask=None):
    """The network sees vectors that are not normed.

    The second norm comes before the network.
    """
    X = X + attended(X, params, n_heads, mask)
    return X + position_wise_ffn(X, params.ffn, tanh_gelu)


@MISTAKES.add(where=NORM)
def normed_at_the_end(X, params, n_heads, mask=None):
    """The result is normed once more.

    GPT-2 norms after its last layer, once. That norm does not belong to the layer.
    """
    return layer_norm(reference.gpt2_block(X, params, n_heads, mask), *params.norm_2)


@MISTAKES.add(where=NORM)
def tiny_eps(X, params, n_heads, mask=None):
    """eps is 1e-12, as in BERT.

    GPT-2 was trained with 1e-5, like your norm of unit 07.
    """
    return with_other(X, params, n_heads, mask, eps=1e-12)


@MISTAKES.add(where=NORM)
def small_eps(X, params, n_heads, mask=None):
    """eps is 1e-6.

    GPT-2 was trained with 1e-5.
    """
    return with_other(X, params, n_heads, mask, eps=1e-6)


@MISTAKES.add(where=SECTION)
def mask_ignored(X, params, n_heads, mask=None):
    """The mask is not used.

    Pass it on to the attention.
    """
    return reference.gpt2_block(X, params, n_heads)


@MISTAKES.add(where=SECTION)
def always_causal(X, params, n_heads, mask=None):
    """A causal mask is made inside, whatever mask is given.

    Whoever calls the layer says what may be seen. Without a mask everything may.
    """
    return reference.gpt2_block(X, params, n_heads, np.tri(X.shape[-2], dtype=bool))


@MISTAKES.add(where=SECTION)
def no_biases(X, params, n_heads, mask=None):
    """The attention has no biases.

    GPT-2 has biases in all four projections, which your `biased_attention` adds.
    """
    zeros = {name: np.zeros_like(getattr(params.attention, name)) for name in ("b_Q", "b_K", "b_V", "b_O")}
    return reference.gpt2_block(X, params._replace(attention=params.attention._replace(**zeros)), n_heads, mask)


@MISTAKES.add(where=SECTION)
def weights_too(X, params, n_heads, mask=None):
    """The weights are returned as well.

    The result is the vectors alone, which the next layer takes.
    """
    weights = biased_attention(X, X, params.attention, n_heads, mask)[1]
    return reference.gpt2_block(X, params, n_heads, mask), weights


@MISTAKES.add(where=SECTION)
def in_place(X, params, n_heads, mask=None):
    """What the sub-layers bring is added to the array that was given.

    `X += ...` writes into the caller's array. `X = X + ...` makes a new one.
    """
    X += attended(X, params, n_heads, mask)
    X += transformed(X, params)
    return X
