"""Specification of `encode_source`."""

import numpy as np

from autograder.exercises.families import SKIPPED, take_other_models
from autograder.exercises.unit_09_transformer import calls, lookalikes
from autograder.exercises.unit_09_transformer.embedding import take_other_inputs
from autograder.exercises.unit_09_transformer.inputs import (
    LONG,
    SOURCE,
    layer_by_layer,
    long_model,
    small_model,
    small_source,
    trained,
    trained_batch,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

INPUT = "The input of the first layer"
STACK = "Layer after layer"

EXERCISE = Exercise(
    reference=reference.encode_source,
    asks="the memory: embeddings times the root of d_model, plus positions, through all layers of the encoder.",
    returns=(Output("memory", "(B, n_source, d_model)"),),
    where=STACK,
    calls=calls.ENCODE_SOURCE,
    lookalike=lookalikes.ENCODE_SOURCE,
)


@EXERCISE.claim(1.5)
def first_input(call, rng):
    """the input of the first layer: embeddings times the root of d_model, plus positions"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=0))
    call.agrees(*small_source(rng, (3, 3, 3)), small_model(rng, n_layers=0))
    call.agrees(*small_source(rng, (LONG,)), long_model(rng))


@EXERCISE.claim(1)
def one_layer(call, rng):
    """one layer of the encoder takes this input"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=1))


@EXERCISE.claim(1)
def stack(call, rng):
    """several layers follow each other, each with its own parameters"""
    call.agrees(*small_source(rng, (5, 5)), small_model(rng, n_layers=3))
    call.agrees(*small_source(rng, (4, 4, 4)), small_model(rng, n_layers=2))


@EXERCISE.claim(1)
def padding(call, rng):
    """padding is hidden: it does not move the memory of real words"""
    (source_ids, is_token), model = small_source(rng), small_model(rng, n_layers=2)
    shape = (*source_ids.shape, model.source_embedding.shape[1])
    others = rng.integers(4, len(SOURCE), source_ids.shape).astype(np.intp)
    other = np.where(is_token, source_ids, others)
    memory, changed = (call.array(shape, ids, is_token, model) for ids in (source_ids, other))
    leak = np.abs(changed - memory)[is_token].max()
    call.holds(leak < 1e-9, f"other words in the place of the padding move the memory of a real one by {leak:.3g}.")
    turned = np.where(np.arange(shape[1]) == 0, 4 + (source_ids - 3) % (len(SOURCE) - 4), source_ids)
    effect = np.abs(call.array(shape, turned, is_token, model) - memory)[:, 1].max()
    call.holds(effect > 1e-6, "another word in the first place does not move the memory of the second one.")
    plain, shown = (call.array(shape, ids, np.ones_like(is_token), model) for ids in (source_ids, other))
    effect = np.abs(shown - plain)[is_token].max()
    call.holds(effect > 1e-6, "where nothing is padding, later words do not move the memory of earlier ones.")
    nothing = np.zeros_like(is_token)
    alone, shown = (call.array(shape, ids, nothing, model)[:, 0] for ids in (source_ids, other))
    leak = np.abs(shown - alone).max()
    call.holds(leak < 1e-9, f"where all is padding, later places move the memory of the first one by {leak:.3g}.")


@EXERCISE.claim(1)
def trained_model(call, rng):
    """the trained encoder, layer by layer, on sentences of different lengths"""
    source_ids, is_token, _ = trained_batch(rng)
    layer_by_layer(call, "encoder", source_ids, is_token, model=trained())


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    (source_ids, is_token), model = small_source(rng), small_model(rng)
    call.leaves_inputs_alone(source_ids, is_token, model)
    call.agrees(source_ids, is_token, small_model(rng, n_layers=0))


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(INPUT)
wrong("no-scale", {" * math.sqrt(d_model)": ""}, """
    The embeddings are not multiplied by the root of d_model.
    The entries of the table are small, and next to the positions, which go up to 1, the words would be drowned out.
    Section 3.4 of the paper has the factor.""")

take_other_inputs(wrong, "encoder_layer", "scale-on-positions")

wrong("positions-scaled-only", {
    "* math.sqrt(d_model)": "",
    "_positions(n, d_model).astype(X.dtype)": "_positions(n, d_model).astype(X.dtype) * math.sqrt(d_model)",
}, """
    The positions are multiplied by the root of d_model, and the embeddings are not.
    The factor belongs to the embeddings: it lifts the words above the positions.""")

take_other_inputs(wrong, "encoder_layer", "divided-by-root", "times-d-model")

wrong("root-of-length", {"math.sqrt(d_model)": "math.sqrt(n)"}, """
    The embeddings are multiplied by the root of the number of tokens.
    What counts is the width of the vectors, not how many there are. Which axis is which?""")

wrong("no-positions", {"add_positions(X, _positions(n, d_model).astype(X.dtype))": "X"}, """
    The positions are not added.
    Without them the encoder reads a bag of words: it cannot tell who does what.""")

wrong("positions-from-1", {"_positions(n, d_model)": "_positions(n + 1, d_model)[1:]"}, """
    The positions are counted from 1.
    The first word has the first row of the table, position 0. The model translates nearly as well from position 1 on,
    so only a comparison of numbers shows it.""")

wrong("target-table",
      "encode_source(source_ids, source_is_token, model._replace(source_embedding=model.target_embedding))", """
    The words are looked up in the target's embedding.
    The ids are those of English words. The other table has the vectors of Spanish ones.""")

wrong("table-scaled-in-place", {
    "    X = _embedded(":
        "    model.source_embedding[...] *= model.source_embedding.shape[-1] ** 0.5\n    X = _embedded(",
    " * math.sqrt(d_model)": "",
}, """
    The model's table is scaled in place.
    The first call is right, and every further one multiplies again. Scale what you have looked up, not the table.""")

take_other_inputs(wrong, "encoder_layer", "half-of-width", "root-of-vocabulary", "short-table")

wrong.at(STACK)
wrong("no-mask", {"padding_mask(source_is_token)": "None"}, """
    There is no mask: padding is attended to.
    Two sentences of different lengths stand in one array. The shorter one must not see its padding.""")

wrong("causal-too", {"padding_mask(source_is_token)": "padding_mask(source_is_token) & causal_mask(X.shape[-2])"}, """
    The encoder has a causal mask.
    The source is known as a whole before the first word is written. Every word may see all others.""")

wrong("causal-only", {"padding_mask(source_is_token)": "causal_mask(X.shape[-2])"}, """
    The encoder has a causal mask in place of the padding mask.
    The source is known as a whole, so nothing in it is later. What has to be hidden is its padding.""")

wrong("mask-inverted", {"(source_is_token)": "(~source_is_token)"}, """
    The mask hides the words and shows the padding.
    True means “may attend”, and source_is_token is True where there is a word.""")

wrong("hides-queries", {"padding_mask(source_is_token)": "source_is_token[..., None]"}, """
    The mask hides queries, not keys.
    A row of a mask belongs to a query, a column to a key. Padding must not be seen, so its columns are hidden.""")

wrong("raw-mask", {"padding_mask(source_is_token)": "source_is_token"}, """
    source_is_token is passed on as it is.
    It has an axis for the sentences and one for the words. A mask has one for the queries between them.""")

wrong("padding-zeroed", "encode_source(source_ids, source_is_token, model) * source_is_token[..., None]", """
    The memory of the padding is set to 0.
    It is hidden by the mask wherever it could be read, so leave it as it comes.""")

wrong("all-fed-the-input", {
    "        X = encoder_layer(": "        memory = encoder_layer(",
    "    mask = ": "    memory = X\n    mask = ",
    "return X\n": "return memory\n",
}, """
    Every layer gets the embeddings, and only the last one's result is used.
    A layer takes the output of the one below. Here all but the last work for nothing.""")

wrong("first-layer-only", {"        X = encoder_layer(": "        return encoder_layer("}, """
    The function returns after the first layer.
    Look at how far your `return` is indented.""")

take_other_models(wrong, "encoder", "one-layer-again-and-again", "layers-reversed")

wrong("two-layers", {"in model.encoder": "in (model.encoder[0], model.encoder[1])"}, """
    The number of layers is fixed at two.
    The trained model has two, others have one or six, and a model may have none at all. Ask model.encoder.""")

wrong("sum-of-layers", {
    "    mask = ": "    memory = X\n    mask = ",
    "model.n_heads, mask)": "model.n_heads, mask)\n        memory = memory + X",
    "return X\n": "return memory\n",
}, """
    The results of all layers are added up.
    The sums of the residual connections are inside the layers. The memory is what the last layer returns.""")

wrong("list-of-layers", {
    "    mask = ": "    memories = [X]\n    mask = ",
    "model.n_heads, mask)": "model.n_heads, mask)\n        memories.append(X)",
    "return X\n": "return memories\n",
}, """
    The results of all layers are returned in a list.
    All layers of the decoder read the same memory: what the encoder's last layer returns.""")

wrong("positions-in-every-layer", {
    "for params in model.encoder:": "for number, params in enumerate(model.encoder):",
    "encoder_layer(X,": "encoder_layer(X + (number > 0) * positional_encoding(*X.shape[-2:]).astype(X.dtype),",
}, """
    Positions are added before every layer.
    They are added once, at the bottom. The residual connections carry them up.""")

take_other_inputs(wrong, "encoder_layer", "positions-in-the-loop")

wrong("pre-norm", {"model.n_heads, mask)": "model.n_heads, mask, norm_first=True)"}, """
    The layers are run in pre-norm.
    This model was trained with the norm after the sum, as in the paper.""")

take_other_models(wrong, "encoder", "one-head")

wrong.at()
wrong("batch-lost", "encode_source(np.asarray(source_ids)[:1], source_is_token[:1], model)", """
    Only the first sentence of the batch is encoded.
    The ids have an axis for the sentences, and the memory has one, too.""")

wrong.at(STACK)
take_other_models(wrong, "encoder", "four-heads")

take_other_models(wrong, "encoder", *SKIPPED)
