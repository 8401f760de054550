"""What the wrong versions of `encode_source` are made of: its stack of layers."""

from autograder.exercises.unit_09_transformer.embedding_variants import embedded
from transformer_kit.reference import encoder_layer, padding_mask


def through(X, model, mask, **options):
    """Send X through all layers; the options are those of `encoder_layer`."""
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, mask, **options)
    return X


def from_input(source_ids, source_is_token, model, **options):
    """Return what an encoder makes of wrong embeddings; see `embedded`."""
    return through(embedded(source_ids, model.source_embedding, **options), model, padding_mask(source_is_token))
