"""The known mistakes of `cached_decode_step` with a norm or a residual that belongs to another sub-layer."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import STEP
from autograder.specification import KnownMistakes
from transformer_kit.reference import cached_decode_step

MISTAKES = KnownMistakes()


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


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"cross.W_O, *params.norm_2": "cross.W_O, *params.norm_3"})
def norm_3_for_attention_to_source():
    """The attention to the source uses norm_3.

    Each of the three sub-layers has a norm of its own, in their order.
    """


@MISTAKES.add(where=STEP)
@edited(cached_decode_step, {"own.W_O, *params.norm_1": "own.W_O, *params.norm_2"})
def norm_2_for_both_attentions():
    """The self-attention uses norm_2.

    Each of the three sub-layers has a norm of its own, in their order.
    """
