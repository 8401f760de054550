"""The parameters of a Transformer: named tuples, and their initial values."""

from transformer_kit.parameters.containers import (
    AttentionParams,
    DecoderLayerParams,
    EncoderLayerParams,
    FeedForwardParams,
    LayerCache,
    LayerNormParams,
    Model,
)
from transformer_kit.parameters.initial import (
    SIZES,
    Sizes,
    init_attention,
    init_decoder_layer,
    init_encoder_layer,
    init_feed_forward,
    init_layer_norm,
    init_model,
)

__all__ = [
    "SIZES",
    "AttentionParams",
    "DecoderLayerParams",
    "EncoderLayerParams",
    "FeedForwardParams",
    "LayerCache",
    "LayerNormParams",
    "Model",
    "Sizes",
    "init_attention",
    "init_decoder_layer",
    "init_encoder_layer",
    "init_feed_forward",
    "init_layer_norm",
    "init_model",
]
