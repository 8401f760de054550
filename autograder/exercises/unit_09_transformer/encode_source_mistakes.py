"""The known mistakes of `encode_source`."""

import numpy as np

from autograder.exercise import Mistake
from autograder.exercises.unit_09_transformer.embedded_wrong import INPUTS, embedded
from transformer_kit import reference
from transformer_kit.reference import causal_mask, encoder_layer, padding_mask

SECTION = "Exercise 9.2: encode_source"
INPUT = "The input of the first layer"
STACK = "Layer after layer"


def _with_input(vectors):
    """Make an encoder whose first layer gets ``vectors(ids, table)``."""

    def encode_source(source_ids, source_is_token, model):
        return _through(vectors(source_ids, model.source_embedding), model, padding_mask(source_is_token))

    return encode_source


def _with_mask(mask_of):
    """Make an encoder with another mask: ``mask_of(is_token)``."""

    def encode_source(source_ids, source_is_token, model):
        return _through(embedded(source_ids, model.source_embedding), model, mask_of(source_is_token))

    return encode_source


def _with_model(changed):
    """Make an encoder that takes another model: ``changed(model)``."""

    def encode_source(source_ids, source_is_token, model):
        return reference.encode_source(source_ids, source_is_token, changed(model))

    return encode_source


def _through(X, model, mask, **options):
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, mask, **options)
    return X


def _all_fed_the_input(source_ids, source_is_token, model):
    X = memory = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        memory = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return memory


def _sum_of_layers(source_ids, source_is_token, model):
    X = memory = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
        memory = memory + X
    return memory


def _list_of_layers(source_ids, source_is_token, model):
    memories = [embedded(source_ids, model.source_embedding)]
    for params in model.encoder:
        memories.append(encoder_layer(memories[-1], params, model.n_heads, padding_mask(source_is_token)))
    return memories


def _first_layer_only(source_ids, source_is_token, model):
    X = embedded(source_ids, model.source_embedding)
    for params in model.encoder:
        return encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return X


def _positions_in_every_layer(source_ids, source_is_token, model):
    X = embedded(source_ids, model.source_embedding)
    for number, params in enumerate(model.encoder):
        if number:
            X = X + reference.positional_encoding(*X.shape[-2:]).astype(X.dtype)
        X = encoder_layer(X, params, model.n_heads, padding_mask(source_is_token))
    return X


def _two_layers(source_ids, source_is_token, model):
    X, mask = embedded(source_ids, model.source_embedding), padding_mask(source_is_token)
    X = encoder_layer(X, model.encoder[0], model.n_heads, mask)
    return encoder_layer(X, model.encoder[1], model.n_heads, mask)


def _pre_norm(source_ids, source_is_token, model):
    mask = padding_mask(source_is_token)
    return _through(embedded(source_ids, model.source_embedding), model, mask, norm_first=True)


def _other_table(source_ids, source_is_token, model):
    return reference.encode_source(source_ids, source_is_token, model._replace(source_embedding=model.target_embedding))


def _padding_zeroed(source_ids, source_is_token, model):
    return reference.encode_source(source_ids, source_is_token, model) * source_is_token[..., None]


def _table_scaled_in_place(source_ids, source_is_token, model):
    model.source_embedding[...] *= model.source_embedding.shape[-1] ** 0.5
    return _through(embedded(source_ids, model.source_embedding, scale=1), model, padding_mask(source_is_token))


def _causal_too(is_token):
    return padding_mask(is_token) & causal_mask(is_token.shape[-1])


MISTAKES = (
    Mistake(
        "no-scale",
        "The embeddings are not multiplied by the root of d_model",
        _with_input(INPUTS["no-scale"]),
        "The entries of the table are small, and next to the positions, which go up to 1, the words would hardly be "
        "heard. Section 3.4 of the paper has the factor.",
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
        "positions-scaled-only",
        "The positions are multiplied by the root of d_model, and the embeddings are not",
        _with_input(INPUTS["positions-scaled-only"]),
        "The factor belongs to the embeddings: it lifts the words above the positions.",
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
        "root-of-length",
        "The embeddings are multiplied by the root of the number of tokens",
        _with_input(INPUTS["root-of-length"]),
        "What counts is the width of the vectors, not how many there are. Which axis is which?",
        INPUT,
    ),
    Mistake(
        "no-positions",
        "The positions are not added",
        _with_input(INPUTS["no-positions"]),
        "Without them the encoder reads a bag of words: it cannot tell who does what.",
        INPUT,
    ),
    Mistake(
        "positions-from-1",
        "The positions are counted from 1",
        _with_input(INPUTS["positions-from-1"]),
        "The first word has the first row of the table, position 0. The model translates nearly as well with the "
        "others, so only a comparison of numbers shows it.",
        INPUT,
    ),
    Mistake(
        "target-table",
        "The words are looked up in the target's embedding",
        _other_table,
        "The ids are those of English words. The other table has the vectors of Spanish ones.",
        INPUT,
    ),
    Mistake(
        "table-scaled-in-place",
        "The model's table is scaled in place",
        _table_scaled_in_place,
        "The first call is right, and every further one multiplies again. Scale what you have looked up, not the "
        "table.",
        INPUT,
    ),
    Mistake(
        "no-mask",
        "There is no mask: padding is attended to",
        _with_mask(lambda is_token: None),
        "Two sentences of different lengths stand in one array. The shorter one must not see its padding.",
        STACK,
    ),
    Mistake(
        "causal-too",
        "The encoder has a causal mask",
        _with_mask(_causal_too),
        "The source is known as a whole before the first word is written. Every word may see all others.",
        STACK,
    ),
    Mistake(
        "causal-only",
        "The encoder has a causal mask in the place of the padding mask",
        _with_mask(lambda is_token: causal_mask(is_token.shape[-1])),
        "The source is known as a whole, so nothing in it is later. What has to be hidden is its padding.",
        STACK,
    ),
    Mistake(
        "mask-inverted",
        "The mask hides the words and shows the padding",
        _with_mask(lambda is_token: padding_mask(~is_token)),
        "True means “may attend”, and source_is_token is True where there is a word.",
        STACK,
    ),
    Mistake(
        "hides-queries",
        "The mask hides queries, not keys",
        _with_mask(lambda is_token: is_token[..., None]),
        "A row of a mask belongs to a query, a column to a key. Padding must not be seen, so its columns are hidden.",
        STACK,
    ),
    Mistake(
        "raw-mask",
        "source_is_token is handed on as it is",
        _with_mask(lambda is_token: is_token),
        "It has an axis for the sentences and one for the words. A mask has one for the queries between them.",
        STACK,
    ),
    Mistake(
        "padding-zeroed",
        "The memory of the padding is set to 0",
        _padding_zeroed,
        "It is hidden by the mask wherever it could be read, so leave it as it comes.",
        STACK,
    ),
    Mistake(
        "all-fed-the-input",
        "Every layer gets the embeddings, and only the last one's result is used",
        _all_fed_the_input,
        "A layer takes what the one below has made. As it is, all but the last work for nothing.",
        STACK,
    ),
    Mistake(
        "first-layer-only",
        "The function returns after the first layer",
        _first_layer_only,
        "Look at how far your `return` is indented.",
        STACK,
    ),
    Mistake(
        "one-layer-again-and-again",
        "All layers use the parameters of the first one",
        _with_model(lambda model: model._replace(encoder=model.encoder[:1] * len(model.encoder))),
        "model.encoder has one entry per layer.",
        STACK,
    ),
    Mistake(
        "layers-reversed",
        "The layers come in the opposite order",
        _with_model(lambda model: model._replace(encoder=model.encoder[::-1])),
        "The first entry of model.encoder is the layer at the bottom, which takes the embeddings.",
        STACK,
    ),
    Mistake(
        "two-layers",
        "The number of layers is fixed at two",
        _two_layers,
        "The trained model has two, others have one or six, and none is a model, too. Ask model.encoder.",
        STACK,
    ),
    Mistake(
        "sum-of-layers",
        "The results of all layers are added up",
        _sum_of_layers,
        "The sums of the residual connections are inside the layers. The memory is what the last layer returns.",
        STACK,
    ),
    Mistake(
        "list-of-layers",
        "The results of all layers are returned in a list",
        _list_of_layers,
        "All layers of the decoder read one and the same memory: what the last layer returns.",
        STACK,
    ),
    Mistake(
        "positions-in-every-layer",
        "Positions are added before every layer",
        _positions_in_every_layer,
        "They are added once, at the bottom. The residual connections carry them up.",
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
        "batch-lost",
        "Only the first sentence of the batch is encoded",
        lambda source_ids, source_is_token, model: reference.encode_source(
            np.asarray(source_ids)[:1], source_is_token[:1], model
        ),
        "The ids have an axis for the sentences, and the memory has one, too.",
        SECTION,
    ),
)
