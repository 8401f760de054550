"""The known mistakes of `cached_decode_step` in which one name of its ten similar lines is left out or is another's."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import CACHE, POSITION, STEP
from autograder.specification import KnownMistakes
from transformer_kit.reference import cached_decode_step

MISTAKES = KnownMistakes()

MATRICES = "own, cross = params.self_attention, params.cross_attention"


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
@edited(cached_decode_step, {MATRICES: "own = cross = params.self_attention"})
def self_attention_for_both():
    """Both attentions use the parameters of the self-attention.

    All their matrices have the same shapes, so nothing fails. They are two attentions, learned separately.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {MATRICES: "own = cross = params.cross_attention"})
def cross_attention_for_both():
    """Both attentions use the parameters of the attention to the source.

    All their matrices have the same shapes, so nothing fails. They are two attentions, learned separately.
    """


@MISTAKES.add(where=STEP, id="own-queries-by-W_K")
@edited(cached_decode_step, {"split_heads(X @ own.W_Q": "split_heads(X @ own.W_K"})
def own_queries_by_W_K():
    """The queries of the self-attention are made with W_K.

    Queries, keys and values have a matrix each.
    """


@MISTAKES.add(where=STEP, id="queries-to-the-source-by-W_K")
@edited(cached_decode_step, {"split_heads(X @ cross.W_Q": "split_heads(X @ cross.W_K"})
def queries_to_the_source_by_W_K():
    """The queries to the source are made with W_K.

    Queries, keys and values have a matrix each.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"layer.K, layer.V)": "layer.K, layer.K)"})
def own_keys_as_values():
    """The self-attention uses the keys as values, too.

    The weights come from queries and keys. What they average are the values.
    """


@MISTAKES.add(where=POSITION)
@edited(
    cached_decode_step,
    {"embed(np.asarray(token_ids)[:, None], E)": "embed(token_ids[:, None], model.source_embedding)"},
)
def source_table():
    """The words are looked up in the source's embedding.

    The ids are those of target words. The two languages have a table each.
    """
