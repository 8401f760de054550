"""The known mistakes of `biased_attention` in which one parameter stands where another belongs."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_12_models_you_know.biased_attention_mistakes import BIASES, SECTION
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()

VALUES = "linear(X_key, params.W_V, params.b_V)"


@MISTAKES.add(where=SECTION, id="values-by-W_K")
@edited(reference.biased_attention, {VALUES: "linear(X_key, params.W_K, params.b_K)"})
def values_by_W_K():
    """The values are made with the matrix and the bias of the keys.

    Queries, keys and values have a matrix and a bias each.
    """


@MISTAKES.add(where=BIASES)
@edited(reference.biased_attention, {VALUES: "linear(X_key, params.W_V, params.b_K)"})
def values_with_the_bias_of_keys():
    """The values get the bias of the keys.

    Queries, keys and values have a matrix and a bias each.
    """


@MISTAKES.add(where=BIASES)
@edited(reference.biased_attention, {"params.W_O, params.b_O": "params.W_O, params.b_V"})
def bias_of_values_at_the_end():
    """The bias of the values is added at the end, not b_O.

    Both may have the same shape, so nothing complains. What has gone through W_O gets b_O.
    """


@MISTAKES.add(where=SECTION, id="queries-by-W_K")
@edited(reference.biased_attention, {"params.W_Q": "params.W_K"})
def queries_by_W_K():
    """The queries are made with W_K.

    Queries, keys and values have a matrix and a bias each.
    """


@MISTAKES.add(where=SECTION, id="keys-by-W_Q")
@edited(reference.biased_attention, {"params.W_K": "params.W_Q"})
def keys_by_W_Q():
    """The keys are made with W_Q.

    Queries, keys and values have a matrix and a bias each.
    """
