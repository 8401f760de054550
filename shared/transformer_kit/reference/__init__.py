"""The canonical NumPy functions of the course, one module per unit."""

from transformer_kit.reference.unit_01_positional_encoding import (
    add_positions,
    angular_frequencies,
    position_similarity,
    positional_encoding,
    shift_matrix,
)
from transformer_kit.reference.unit_02_scaled_dot_product_attention import (
    attention_backward,
    attention_scores,
    scaled_dot_product_attention,
    softmax,
    softmax_backward,
    softmax_jacobian,
)
from transformer_kit.reference.unit_03_masking import (
    additive_mask,
    causal_mask,
    combine_masks,
    first_leak,
    masked_attention,
    masked_softmax,
    padding_mask,
)

__all__ = [
    "add_positions",
    "additive_mask",
    "angular_frequencies",
    "attention_backward",
    "attention_scores",
    "causal_mask",
    "combine_masks",
    "first_leak",
    "masked_attention",
    "masked_softmax",
    "padding_mask",
    "position_similarity",
    "positional_encoding",
    "scaled_dot_product_attention",
    "shift_matrix",
    "softmax",
    "softmax_backward",
    "softmax_jacobian",
]
