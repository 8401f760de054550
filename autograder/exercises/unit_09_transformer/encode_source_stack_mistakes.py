"""The known mistakes of `encode_source` with its mask and its layers."""

import numpy as np

from autograder.exercises.skipped_layers import add_skips
from autograder.exercises.unit_09_transformer.embedding_variants import embedded, without_positions
from autograder.exercises.unit_09_transformer.encode_source_variants import through
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask, encoder_layer, padding_mask

SECTION = "Exercise 9.2: encode_source"
STACK = "Layer after layer"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STACK)
def no_mask(source_ids, source_is_token, model):
    """There is no mask: padding is attended to.

    Two sentences of different lengths stand in one array. The shorter one must not see its padding.
    """
    return through(embedded(source_ids, model.source_embedding), model, None)


@MISTAKES.add(where=STACK)
def causal_too(source_ids, source_is_token, model):
    """The encoder has a causal mask.

    The source is known as a whole before the first word is written. Every word may see all others.
    """
    mask = padding_mask(source_is_token) & causal_mask(source_is_token.shape[-1])
    return through(embedded(source_ids, model.source_embedding), model, mask)


@MISTAKES.add(where=STACK)
def causal_only(source_ids, source_is_token, model):
    """The encoder has a causal mask in place of the padding mask.

    The source is known as a whole, so nothing in it is later. What has to be hidden is its padding.
    """
    mask = causal_mask(source_is_token.shape[-1])
    return through(embedded(source_ids, model.source_embedding), model, mask)


@MISTAKES.add(where=STACK)
def mask_inverted(source_ids, source_is_token, model):
    """The mask hides the words and shows the padding.

    True means “may attend”, and source_is_token is True where there is a word.
    """
    return through(embedded(source_ids, model.source_embedding), model, padding_mask(~source_is_token))


@MISTAKES.add(where=STACK)
def hides_queries(source_ids, source_is_token, model):
    """The mask hides queries, not keys.

    A row of a mask belongs to a query, a column to a key. Padding must not be seen, so its columns are hidden.
    """
    return through(embedded(source_ids, model.source_embedding), model, source_is_token[..., None])


@MISTAKES.add(where=STACK)
def raw_mask(source_ids, source_is_token, model):
    """source_is_token is passed on as it is.

    It has an axis for the sentences and one for the words. A mask has one for the queries between them.
    """
    return through(embedded(source_ids, model.source_embedding), model, source_is_token)


@MISTAKES.add(where=STACK)
def padding_zeroed(source_ids, source_is_token, model):
    """The memory of the padding is set to 0.

    It is hidden by the mask wherever it could be read, so leave it as it comes.
    """
    return reference.encode_source(source_ids, source_is_token, model) * source_is_token[..., None]


@MISTAKES.add(where=STACK)
def all_fed_the_input(source_ids, source_is_token, model):
    """Every layer gets the embeddings, and only the last one's result is used.

    A layer takes the output of the one below. Here all but the last work for nothing.
    """
    X = memory = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        memory = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return memory


@MISTAKES.add(where=STACK)
def first_layer_only(source_ids, source_is_token, model):
    """The function returns after the first layer.

    Look at how far your `return` is indented.
    """
    X = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        return encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return X


@MISTAKES.add(where=STACK)
def one_layer_again_and_again(source_ids, source_is_token, model):
    """All layers use the parameters of the first one.

    model.encoder has one entry per layer.
    """
    return reference.encode_source(
        source_ids, source_is_token, model._replace(encoder=model.encoder[:1] * len(model.encoder))
    )


@MISTAKES.add(where=STACK)
def layers_reversed(source_ids, source_is_token, model):
    """The layers are run in reverse order.

    The first entry of model.encoder is the layer at the bottom, which takes the embeddings.
    """
    return reference.encode_source(source_ids, source_is_token, model._replace(encoder=model.encoder[::-1]))


@MISTAKES.add(where=STACK)
def two_layers(source_ids, source_is_token, model):
    """The number of layers is fixed at two.

    The trained model has two, others have one or six, and a model may have none at all. Ask model.encoder.
    """
    X, mask = embedded(source_ids, model.source_embedding), padding_mask(source_is_token)
    X = encoder_layer(X, model.encoder[0], model.n_heads, mask)
    return encoder_layer(X, model.encoder[1], model.n_heads, mask)


@MISTAKES.add(where=STACK)
def sum_of_layers(source_ids, source_is_token, model):
    """The results of all layers are added up.

    The sums of the residual connections are inside the layers. The memory is what the last layer returns.
    """
    X = memory = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
        memory = memory + X
    return memory


@MISTAKES.add(where=STACK)
def list_of_layers(source_ids, source_is_token, model):
    """The results of all layers are returned in a list.

    All layers of the decoder read the same memory: what the encoder's last layer returns.
    """
    memories = [embedded(source_ids, model.source_embedding)]
    for params in model.encoder:
        memories.append(encoder_layer(memories[-1], params, model.n_heads, padding_mask(source_is_token)))
    return memories


@MISTAKES.add(where=STACK)
def positions_in_every_layer(source_ids, source_is_token, model):
    """Positions are added before every layer.

    They are added once, at the bottom. The residual connections carry them up.
    """
    X = embedded(source_ids, model.source_embedding)
    for number, params in enumerate(model.encoder):
        if number:
            X = X + reference.positional_encoding(*X.shape[-2:]).astype(X.dtype)
        X = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return X


@MISTAKES.add(where=STACK)
def positions_in_the_loop(source_ids, source_is_token, model):
    """Positions are added inside the loop, before every layer.

    They are added once, before the first layer, whether there are any layers or none. The residual connections carry
    them up.
    """
    X = embedded(source_ids, model.source_embedding, combine=without_positions)
    for params in model.encoder:
        X = X + reference.positional_encoding(*X.shape[-2:]).astype(X.dtype)
        X = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return X


@MISTAKES.add(where=STACK)
def pre_norm(source_ids, source_is_token, model):
    """The layers are run in pre-norm.

    This model was trained with the norm after the sum, as in the paper.
    """
    mask = padding_mask(source_is_token)
    return through(embedded(source_ids, model.source_embedding), model, mask, norm_first=True)


@MISTAKES.add(where=STACK)
def one_head(source_ids, source_is_token, model):
    """The layers are run with one head.

    The number of heads is model.n_heads. The shapes fit for every number that divides the width.
    """
    return reference.encode_source(source_ids, source_is_token, model._replace(n_heads=1))


@MISTAKES.add(where=SECTION)
def batch_lost(source_ids, source_is_token, model):
    """Only the first sentence of the batch is encoded.

    The ids have an axis for the sentences, and the memory has one, too.
    """
    return reference.encode_source(np.asarray(source_ids)[:1], source_is_token[:1], model)


@MISTAKES.add(where=STACK)
def four_heads(source_ids, source_is_token, model):
    """The number of heads is fixed at 4.

    Models differ in that, too. model.n_heads says how many there are.
    """
    return reference.encode_source(source_ids, source_is_token, model._replace(n_heads=4))


add_skips(MISTAKES, reference.encode_source, "encoder", STACK)
