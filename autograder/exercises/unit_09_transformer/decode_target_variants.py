"""What the wrong versions of `decode_target` are made of: its stack, with another input or other masks."""

from autograder.exercises.unit_09_transformer.embedding_variants import embedded
from transformer_kit.reference import causal_mask, decoder_layer, padding_mask


def matrix(model):
    """Return what makes logits of vectors."""
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def through(X, memory, source_is_token, model, **options):
    """Send X through all layers; the options are those of `decoder_layer`."""
    masks = causal_mask(X.shape[-2]), padding_mask(source_is_token)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, *masks, **options)
    return X


def from_input(X, memory, source_is_token, model):
    """Return the logits of a decoder whose first layer gets X."""
    return through(X, memory, source_is_token, model) @ matrix(model)


def under_masks(masks, target_ids, memory, source_is_token, model):
    """Return the logits of a decoder whose two attentions get ``masks(causal, padding)``."""
    X = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        both = masks(causal_mask(X.shape[-2]), padding_mask(source_is_token))
        X = decoder_layer(X, memory, params, model.n_heads, *both)
    return X @ matrix(model)
