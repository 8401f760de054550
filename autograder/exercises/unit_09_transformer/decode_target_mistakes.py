"""The known mistakes of `decode_target`."""

import numpy as np

from autograder.exercise import Mistake
from autograder.exercises.unit_09_transformer.embedded_wrong import INPUTS, embedded
from transformer_kit import reference
from transformer_kit.reference import causal_mask, decoder_layer, encoder_layer, padding_mask, softmax
from transformer_kit.vocabulary import BOS

SECTION = "Exercise 9.3: decode_target"
INPUT = "The input of the first layer"
STACK = "The decoder's stack"
OUTPUT = "From vectors to logits"


def _matrix(model):
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def _with_input(vectors):
    """Make a decoder whose first layer gets ``vectors(ids, table)``."""

    def decode_target(target_ids, memory, source_is_token, model):
        X = vectors(target_ids, model.target_embedding)
        return _through(X, memory, source_is_token, model) @ _matrix(model)

    return decode_target


def _with_masks(masks):
    """Make a decoder with other masks: ``masks(causal, padding)`` are those of the two attentions."""

    def decode_target(target_ids, memory, source_is_token, model):
        X = embedded(target_ids, model.target_embedding)
        for params in model.decoder:
            both = masks(causal_mask(X.shape[-2]), padding_mask(source_is_token))
            X = decoder_layer(X, memory, params, model.n_heads, *both)
        return X @ _matrix(model)

    return decode_target


def _with_model(changed):
    """Make a decoder that takes another model: ``changed(model)``."""

    def decode_target(target_ids, memory, source_is_token, model):
        return reference.decode_target(target_ids, memory, source_is_token, changed(model))

    return decode_target


def _then(changed):
    """Make a decoder whose logits are changed: ``changed(logits, model)``."""

    def decode_target(target_ids, memory, source_is_token, model):
        return changed(reference.decode_target(target_ids, memory, source_is_token, model), model)

    return decode_target


def _through(X, memory, source_is_token, model, **options):
    masks = causal_mask(X.shape[-2]), padding_mask(source_is_token)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, *masks, **options)
    return X


def _all_fed_the_input(target_ids, memory, source_is_token, model):
    X = last = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        last = _through(X, memory, source_is_token, model._replace(decoder=(params,)))
    return last @ _matrix(model)


def _memory_replaced(target_ids, memory, source_is_token, model):
    X = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, causal_mask(X.shape[-2]), None)
        memory = X
    return X @ _matrix(model)


def _encoder_layers(target_ids, memory, source_is_token, model):
    X = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        X = encoder_layer(X, params, model.n_heads, causal_mask(X.shape[-2]))
    return X @ _matrix(model)


def _pre_norm(target_ids, memory, source_is_token, model):
    X = embedded(target_ids, model.target_embedding)
    return _through(X, memory, source_is_token, model, norm_first=True) @ _matrix(model)


def _first_layer_only(target_ids, memory, source_is_token, model):
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(decoder=model.decoder[:1]))


def _memory_with_positions(target_ids, memory, source_is_token, model):
    P = reference.positional_encoding(*memory.shape[-2:]).astype(memory.dtype)
    return reference.decode_target(target_ids, memory + P, source_is_token, model)


def _shifted_again(target_ids, memory, source_is_token, model):
    shifted = np.concatenate([np.full_like(target_ids[:, :1], BOS), target_ids[:, :-1]], axis=1)
    return reference.decode_target(shifted, memory, source_is_token, model)


def _not_transposed(target_ids, memory, source_is_token, model):
    X = _through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)
    return X @ (model.target_embedding if model.output_projection is None else model.output_projection)


def _always_own(target_ids, memory, source_is_token, model):
    X = _through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)
    return X @ model.output_projection


def _no_output_matrix(target_ids, memory, source_is_token, model):
    return _through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)


def _memory_in_place(target_ids, memory, source_is_token, model):
    memory[~np.asarray(source_is_token)] = 0
    return reference.decode_target(target_ids, memory, source_is_token, model)


MISTAKES = (
    Mistake(
        "no-scale",
        "The embeddings are not multiplied by the root of d_model",
        _with_input(INPUTS["no-scale"]),
        "The decoder begins as the encoder does, with the same factor.",
        INPUT,
    ),
    Mistake(
        "scale-on-positions",
        "The positions are multiplied by the root of d_model, too",
        _with_input(INPUTS["scale-on-positions"]),
        "The factor belongs to the embeddings alone. First scale, then add.",
        INPUT,
    ),
    Mistake(
        "divided-by-root",
        "The embeddings are divided by the root of d_model",
        _with_input(INPUTS["divided-by-root"]),
        "Scores are divided by a root. Embeddings are multiplied by one.",
        INPUT,
    ),
    Mistake(
        "times-d-model",
        "The embeddings are multiplied by d_model, not by its root",
        _with_input(INPUTS["times-d-model"]),
        "Look at the formula once more: there is a root.",
        INPUT,
    ),
    Mistake(
        "no-positions",
        "The positions are not added",
        _with_input(INPUTS["no-positions"]),
        "The words that are already written have an order, too, and attention is blind to it.",
        INPUT,
    ),
    Mistake(
        "positions-from-1",
        "The positions are counted from 1",
        _with_input(INPUTS["positions-from-1"]),
        "The start symbol stands at position 0.",
        INPUT,
    ),
    Mistake(
        "source-table",
        "The words are looked up in the source's embedding",
        lambda target_ids, memory, source_is_token, model: (
            _through(embedded(target_ids, model.source_embedding), memory, source_is_token, model) @ _matrix(model)
        ),
        "The ids are those of Spanish words. The other table has the vectors of English ones.",
        INPUT,
    ),
    Mistake(
        "shifted-again",
        "A start symbol is put in front, and the last word is lost",
        _shifted_again,
        "The rows of target_ids begin with the start symbol already. In training somebody shifts the target, in "
        "decoding it grows by itself; this function does neither.",
        INPUT,
    ),
    Mistake(
        "no-causal-mask",
        "There is no causal mask",
        _with_masks(lambda causal, padding: (None, padding)),
        "Every position has to predict the word that comes next, and without the mask it can look it up.",
        STACK,
    ),
    Mistake(
        "no-source-mask",
        "The padding of the source is not hidden",
        _with_masks(lambda causal, padding: (causal, None)),
        "The memory has rows for padding, too. Every layer of the decoder needs the mask that hides them.",
        STACK,
    ),
    Mistake(
        "masks-exchanged",
        "The causal mask and the mask of the source have changed places",
        _with_masks(lambda causal, padding: (padding, causal)),
        "The first mask is for the self-attention, whose keys are words of the target; the second one for the "
        "attention to the source.",
        STACK,
    ),
    Mistake(
        "source-mask-for-both",
        "The mask of the source is used in the self-attention, too",
        _with_masks(lambda causal, padding: (padding, padding)),
        "In the self-attention the keys are words of the target. What has to be hidden there is what comes later.",
        STACK,
    ),
    Mistake(
        "cannot-see-itself",
        "The causal mask hides every word from itself, too",
        _with_masks(lambda causal, padding: (np.tri(len(causal), k=-1, dtype=bool), padding)),
        "A position predicts the word after its own, so its own may be seen.",
        STACK,
    ),
    Mistake(
        "looks-ahead",
        "The causal mask is off by one: every word sees the next one",
        _with_masks(lambda causal, padding: (np.tri(len(causal), k=1, dtype=bool), padding)),
        "The next word is just the one that is to be predicted.",
        STACK,
    ),
    Mistake(
        "causal-transposed",
        "The causal mask is transposed: every word sees itself and what comes later",
        _with_masks(lambda causal, padding: (causal.T, padding)),
        "Rows of a mask belong to queries, columns to keys.",
        STACK,
    ),
    Mistake(
        "all-fed-the-input",
        "Every layer gets the embeddings, and only the last one's result is used",
        _all_fed_the_input,
        "A layer takes what the one below has made.",
        STACK,
    ),
    Mistake(
        "memory-replaced",
        "The second layer reads the first one's result in the place of the memory",
        _memory_replaced,
        "All layers of the decoder read one and the same memory: what the encoder has made.",
        STACK,
    ),
    Mistake(
        "memory-with-positions",
        "Positions are added to the memory",
        _memory_with_positions,
        "The encoder has added them at its bottom. The memory comes as it is.",
        STACK,
    ),
    Mistake(
        "first-layer-only",
        "Only the first layer is run",
        _first_layer_only,
        "Look at how far the line after your loop is indented.",
        STACK,
    ),
    Mistake(
        "one-layer-again-and-again",
        "All layers use the parameters of the first one",
        _with_model(lambda model: model._replace(decoder=model.decoder[:1] * len(model.decoder))),
        "model.decoder has one entry per layer.",
        STACK,
    ),
    Mistake(
        "layers-reversed",
        "The layers come in the opposite order",
        _with_model(lambda model: model._replace(decoder=model.decoder[::-1])),
        "The first entry of model.decoder is the layer at the bottom, which takes the embeddings.",
        STACK,
    ),
    Mistake(
        "encoder-layers",
        "The layers of the decoder are run as layers of an encoder",
        _encoder_layers,
        "You have written a function for them in Exercise 9.1: they have three sub-layers.",
        STACK,
    ),
    Mistake(
        "pre-norm",
        "The layers are run in pre-norm",
        _pre_norm,
        "This model was trained with the norm after the sum, as in the paper.",
        STACK,
    ),
    Mistake(
        "one-head",
        "The layers are run with one head",
        _with_model(lambda model: model._replace(n_heads=1)),
        "The number of heads is model.n_heads. With another one the shapes fit all the same.",
        STACK,
    ),
    Mistake(
        "own-projection-ignored",
        "The logits are always made with the target's embedding",
        _with_model(lambda model: model._replace(output_projection=None)),
        "A model may have a matrix of its own for them. Look at what None means there.",
        OUTPUT,
    ),
    Mistake(
        "always-own-projection",
        "model.output_projection is used even where it is None",
        _always_own,
        "None says that this model has no matrix of its own: its table of embeddings does this work, too.",
        OUTPUT,
    ),
    Mistake(
        "not-transposed",
        "The table of embeddings is not transposed for the logits",
        _not_transposed,
        "The table has a row for every word. A product with vectors of width d_model needs a column for every word.",
        OUTPUT,
    ),
    Mistake(
        "vectors-returned",
        "The vectors of the last layer are returned",
        _no_output_matrix,
        "One step is missing: a number for every word of the vocabulary.",
        OUTPUT,
    ),
    Mistake(
        "logits-scaled",
        "The logits are multiplied by the root of d_model, as the embeddings were",
        _then(lambda logits, model: logits * model.target_embedding.shape[-1] ** 0.5),
        "The factor belongs to the way in. On the way out the table is used as it is.",
        OUTPUT,
    ),
    Mistake(
        "probabilities",
        "The result is probabilities, not logits",
        _then(lambda logits, model: softmax(logits)),
        "Logits are asked for: decoding needs their logarithms, and training, too.",
        OUTPUT,
    ),
    Mistake(
        "last-position-only",
        "Only the logits of the last position are returned",
        _then(lambda logits, model: logits[:, -1]),
        "Whoever decodes takes the last position. Here all of them are asked for, as training needs them.",
        OUTPUT,
    ),
    Mistake(
        "memory-overwritten",
        "The memory of the padding is overwritten with 0",
        _memory_in_place,
        "The memory is used again for every further word. Hide the padding by a mask and leave the array alone.",
        STACK,
    ),
)
