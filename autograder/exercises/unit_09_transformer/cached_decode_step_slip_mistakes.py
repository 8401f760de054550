"""The known mistakes of `cached_decode_step` in which one name of its ten similar lines is left out or is another's."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import CACHE, STEP
from autograder.specification import KnownMistakes
from transformer_kit.reference import cached_decode_step

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"merge_heads(attended) @ cross.W_O": "merge_heads(attended)"})
def no_output_matrix_of_cross_attention():
    """The attention to the source ends without its W_O.

    W_O mixes what the heads have found. Both attentions have one.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"merge_heads(attended) @ own.W_O": "merge_heads(attended)"})
def no_output_matrix_of_self_attention():
    """The self-attention ends without its W_O.

    W_O mixes what the heads have found. Both attentions have one.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"merge_heads(attended) @ cross.W_O": "merge_heads(attended) @ own.W_O"})
def output_matrix_of_self_attention_twice():
    """The attention to the source ends with the W_O of the self-attention.

    The two attentions of a layer have four matrices each.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"split_heads(X @ cross.W_Q": "split_heads(X"})
def queries_to_the_source_not_projected():
    """The queries to the source are made without W_Q.

    The keys in the cache were projected, and a query meets them only after it has been projected, too.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"split_heads(X @ own.W_Q": "split_heads(X"})
def own_queries_not_projected():
    """The queries of the self-attention are made without W_Q.

    The keys in the cache were projected, and a query meets them only after it has been projected, too.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"split_heads(X @ cross.W_Q": "split_heads(X @ own.W_Q"})
def queries_to_the_source_with_own_matrix():
    """The queries to the source are made with the W_Q of the self-attention.

    The two attentions of a layer have four matrices each.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"split_heads(X @ own.W_Q": "split_heads(X @ cross.W_Q"})
def own_queries_with_matrix_of_the_other():
    """The queries of the self-attention are made with the W_Q of the attention to the source.

    The two attentions of a layer have four matrices each.
    """


@MISTAKES.add(where=CACHE)
@edited(cached_decode_step, {"project_memory(X, own": "project_memory(X, cross"})
def own_keys_with_matrices_of_the_other():
    """Keys and values of the new token are made with the matrices of the attention to the source.

    What is kept of the target's tokens belongs to the self-attention, which has W_K and W_V of its own.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"layer.K_source, layer.V_source": "layer.V_source, layer.K_source"})
def source_exchanged():
    """The keys and the values of the source are swapped.

    Both have the same shape, so nothing complains. `masked_attention` takes the queries, the keys and the values.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"layer.K, layer.V)": "layer.V, layer.K)"})
def own_exchanged():
    """The self-attention reads the values as keys, and the keys as values.

    Both have the same shape, so nothing complains. `scaled_dot_product_attention` takes Q, K and V.
    """


@MISTAKES.add(where=CACHE)
@edited(cached_decode_step, {"[layer.V, V]": "[layer.K, V]"})
def values_behind_keys():
    """The new value is put behind the old keys, not behind the old values.

    Both have the same shape, so nothing complains. Keys go on from keys, values from values.
    """


@MISTAKES.add(where=CACHE)
@edited(cached_decode_step, {"[layer.V, V]": "[layer.V, K]"})
def key_kept_as_value():
    """The key of the new token is put behind the old values.

    Both have the same shape, so nothing complains. Keys go on from keys, values from values.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"params.ffn), *params.norm_3": "params.ffn), *params.norm_2"})
def norm_2_twice():
    """The feed-forward network uses norm_2 again.

    Each of the three sub-layers has a norm of its own.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"cross.W_O, *params.norm_2": "cross.W_O, *params.norm_1"})
def norm_1_twice():
    """The attention to the source uses norm_1 again.

    Each of the three sub-layers has a norm of its own.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"params.ffn), *params.norm_3": "params.ffn), *params.norm_1"})
def norm_1_for_the_network():
    """The feed-forward network uses norm_1 again.

    Each of the three sub-layers has a norm of its own.
    """


@MISTAKES.add(where=STEP)
@edited(
    cached_decode_step,
    {
        "own.W_O, *params.norm_1": "own.W_O, *params.norm_2",
        "cross.W_O, *params.norm_2": "cross.W_O, *params.norm_1",
    },
)
def norms_1_and_2_exchanged():
    """norm_1 and norm_2 are swapped.

    The norms are numbered in the order of their sub-layers.
    """


@MISTAKES.add(where=STEP)
@edited(
    cached_decode_step,
    {
        "        own, cross =": "        X_in, own, cross = X,",
        "X + merge_heads(attended) @ cross.W_O": "X_in + merge_heads(attended) @ cross.W_O",
    },
)
def input_of_the_layer_added_to_cross_attention():
    """What the attention to the source brings is added to the input of the layer, so the self-attention is lost.

    Each sub-layer adds to what has come out of the one before.
    """


@MISTAKES.add(where=STEP)
@edited(
    cached_decode_step,
    {
        "        own, cross =": "        X_in, own, cross = X,",
        "X + position_wise_ffn": "X_in + position_wise_ffn",
    },
)
def input_of_the_layer_added_to_the_network():
    """What the feed-forward network brings is added to the input of the layer, so both attentions are lost.

    Each sub-layer adds to what has come out of the one before.
    """


@MISTAKES.add(where=STEP)
@edited(
    cached_decode_step,
    {
        "        own, cross =": "        X_in, own, cross = X,",
        "position_wise_ffn(X, params.ffn)": "position_wise_ffn(X_in, params.ffn)",
    },
)
def network_gets_the_input_of_the_layer():
    """The feed-forward network gets the input of the layer, not what comes out of the two attentions.

    The sub-layers stand one behind the other.
    """
