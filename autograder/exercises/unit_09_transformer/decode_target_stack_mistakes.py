"""The known mistakes of `decode_target` with its layers and its output."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.skipped_layers import add_skips
from autograder.exercises.unit_09_transformer.decode_target_variants import matrix, through
from autograder.exercises.unit_09_transformer.embedding_variants import embedded, without_positions
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask, decoder_layer, encoder_layer, softmax

STACK = "The decoder's stack"
OUTPUT = "From vectors to logits"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STACK)
def all_fed_the_input(target_ids, memory, source_is_token, model):
    """Every layer gets the embeddings, and only the last one's result is used.

    A layer takes the output of the one below.
    """
    X = last = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        last = through(X, memory, source_is_token, model._replace(decoder=(params,)))
    return last @ matrix(model)


@MISTAKES.add(where=STACK)
def memory_replaced(target_ids, memory, source_is_token, model):
    """The second layer reads the first one's result in place of the memory.

    All layers of the decoder read the same memory: what the encoder returned.
    """
    X = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, causal_mask(X.shape[-2]), None)
        memory = X
    return X @ matrix(model)


@MISTAKES.add(where=STACK)
def memory_with_positions(target_ids, memory, source_is_token, model):
    """Positions are added to the memory.

    The encoder has added them at its bottom. The memory comes as it is.
    """
    P = reference.positional_encoding(*memory.shape[-2:]).astype(memory.dtype)
    return reference.decode_target(target_ids, memory + P, source_is_token, model)


@MISTAKES.add(where=STACK)
def positions_in_the_loop(target_ids, memory, source_is_token, model):
    """Positions are added inside the loop, before every layer.

    They are added once, before the first layer, whether there are any layers or none. The residual connections carry
    them up.
    """
    X = embedded(target_ids, model.target_embedding, combine=without_positions)
    for params in model.decoder:
        X = X + reference.positional_encoding(*X.shape[-2:]).astype(X.dtype)
        X = through(X, memory, source_is_token, model._replace(decoder=(params,)))
    return X @ matrix(model)


@MISTAKES.add(where=STACK)
def first_layer_only(target_ids, memory, source_is_token, model):
    """Only the first layer is run.

    Every layer takes what the one before it gives. Is the line after your loop indented so far that it belongs to it?
    """
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(decoder=model.decoder[:1]))


@MISTAKES.add(where=STACK)
def one_layer_again_and_again(target_ids, memory, source_is_token, model):
    """All layers use the parameters of the first one.

    model.decoder has one entry per layer.
    """
    return reference.decode_target(
        target_ids, memory, source_is_token, model._replace(decoder=model.decoder[:1] * len(model.decoder))
    )


@MISTAKES.add(where=STACK)
def layers_reversed(target_ids, memory, source_is_token, model):
    """The layers are run in reverse order.

    The first entry of model.decoder is the layer at the bottom, which takes the embeddings.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(decoder=model.decoder[::-1]))


@MISTAKES.add(where=STACK)
def encoder_layers(target_ids, memory, source_is_token, model):
    """The layers of the decoder are run as layers of an encoder.

    You have written a function for them in Exercise 9.1: they have three sub-layers.
    """
    X = embedded(target_ids, model.target_embedding)
    for params in model.decoder:
        X = encoder_layer(X, params, model.n_heads, causal_mask(X.shape[-2]))
    return X @ matrix(model)


@MISTAKES.add(where=STACK)
def pre_norm(target_ids, memory, source_is_token, model):
    """The layers are run in pre-norm.

    This model was trained with the norm after the sum, as in the paper.
    """
    X = embedded(target_ids, model.target_embedding)
    return through(X, memory, source_is_token, model, norm_first=True) @ matrix(model)


@MISTAKES.add(where=STACK)
def one_head(target_ids, memory, source_is_token, model):
    """The layers are run with one head.

    The number of heads is model.n_heads. The shapes fit for every number that divides the width.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(n_heads=1))


@MISTAKES.add(where=OUTPUT)
def own_projection_ignored(target_ids, memory, source_is_token, model):
    """The logits are always made with the target's embedding.

    A model may have a matrix of its own for them. Look at what None means there.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(output_projection=None))


@MISTAKES.add(where=OUTPUT)
def always_own_projection(target_ids, memory, source_is_token, model):
    """model.output_projection is used even where it is None.

    None says that this model has no matrix of its own: its table of embeddings takes its place.
    """
    X = through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)
    return X @ model.output_projection


@MISTAKES.add(where=OUTPUT)
def not_transposed(target_ids, memory, source_is_token, model):
    """The table of embeddings is not transposed for the logits.

    The table has a row for every word. A product with vectors of width d_model needs a column for every word.
    """
    X = through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)
    return X @ (model.target_embedding if model.output_projection is None else model.output_projection)


@MISTAKES.add(where=OUTPUT)
def vectors_returned(target_ids, memory, source_is_token, model):
    """The vectors of the last layer are returned.

    One step is missing: a number for every word of the vocabulary.
    """
    return through(embedded(target_ids, model.target_embedding), memory, source_is_token, model)


@MISTAKES.add(where=OUTPUT)
def logits_scaled(target_ids, memory, source_is_token, model):
    """The logits are multiplied by the root of d_model, as the embeddings were.

    The factor belongs to the way in. On the way out the table is used as it is.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model) * model.target_embedding.shape[-1] ** 0.5


@MISTAKES.add(where=OUTPUT)
def probabilities(target_ids, memory, source_is_token, model):
    """The result is probabilities, not logits.

    The task asks for logits: decoding and training need logarithms, and make them from logits.
    """
    return softmax(reference.decode_target(target_ids, memory, source_is_token, model))


@MISTAKES.add(where=OUTPUT)
def last_position_only(target_ids, memory, source_is_token, model):
    """Only the logits of the last position are returned.

    Decoding takes the last position. Here the task asks for all of them, as training does.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model)[:, -1]


@MISTAKES.add(where=STACK)
def memory_overwritten(target_ids, memory, source_is_token, model):
    """The memory of the padding is overwritten with 0.

    The memory is used again for every further word. Hide the padding with a mask and leave the array alone.
    """
    memory[~np.asarray(source_is_token)] = 0
    return reference.decode_target(target_ids, memory, source_is_token, model)


@MISTAKES.add(where=STACK)
def four_heads(target_ids, memory, source_is_token, model):
    """The number of heads is fixed at 4.

    Models differ in that, too. model.n_heads says how many there are.
    """
    return reference.decode_target(target_ids, memory, source_is_token, model._replace(n_heads=4))


@MISTAKES.add(where=OUTPUT)
def logits_divided(target_ids, memory, source_is_token, model):
    """The logits are divided by the root of d_model.

    Scores of attention are. Here no factor is left.
    """
    logits = reference.decode_target(target_ids, memory, source_is_token, model)
    return logits / model.target_embedding.shape[-1] ** 0.5


@MISTAKES.add(where=OUTPUT)
def truth_of_matrix(target_ids, memory, source_is_token, model):
    """One truth value is asked of a whole matrix, as by `or`.

    A matrix of several entries is neither true nor false. Whether there is one is asked with `is None`.
    """
    matrix = model.output_projection or model.target_embedding.T
    X = embedded(target_ids, model.target_embedding)
    return through(X, memory, source_is_token, model) @ matrix


@MISTAKES.add(where=STACK)
@edited(reference.decode_target, {"decoder_layer(X, memory": "decoder_layer(memory, X"})
def roles_exchanged():
    """Memory and target are swapped in the call of `decoder_layer`.

    The target comes first: it asks. The memory, which comes in from the side, answers.
    """


add_skips(MISTAKES, reference.decode_target, "decoder", STACK)
