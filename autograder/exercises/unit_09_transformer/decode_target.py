"""Specification of `decode_target`."""

import numpy as np

from autograder.exercises.families import SKIPPED, take_other_models
from autograder.exercises.unit_09_transformer import calls, lookalikes
from autograder.exercises.unit_09_transformer.embedding import take_other_inputs
from autograder.exercises.unit_09_transformer.inputs import (
    D_MODEL,
    LONG,
    TARGET,
    layer_by_layer,
    long_model,
    small_model,
    small_target,
    trained,
    trained_batch,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

INPUT = "The input of the first layer"
STACK = "The decoder's stack"
OUTPUT = "From vectors to logits"

EXERCISE = Exercise(
    reference=reference.decode_target,
    asks="logits for every position: the target's vectors through all layers of the decoder, times the output matrix.",
    returns=(Output("logits", "(B, n_target, V)"),),
    where=STACK,
    calls=calls.DECODE_TARGET,
    lookalike=lookalikes.DECODE_TARGET,
)


def _given(rng, lengths=(4, 7), n_target=5):
    """Draw ids of the target, a memory, and where it has tokens."""
    is_token = np.arange(max(lengths)) < np.array(lengths)[:, None]
    memory = rng.standard_normal((*is_token.shape, D_MODEL))
    return small_target(rng, len(lengths), n_target), memory, is_token


@EXERCISE.claim(1.5)
def without_layers(call, rng):
    """without layers: embeddings, positions, and the same table again for the logits"""
    call.agrees(*_given(rng), small_model(rng, n_layers=0))
    call.agrees(*_given(rng, (6, 3, 6), 4), small_model(rng, n_layers=0))
    call.agrees(*_given(rng, (3,), LONG), long_model(rng))


@EXERCISE.claim(1)
def own_projection(call, rng):
    """uses the model's own output matrix where it has one"""
    call.agrees(*_given(rng), small_model(rng, n_layers=0, tied=False))


@EXERCISE.claim(1.5)
def stack(call, rng):
    """several layers follow each other, and all of them read the memory"""
    call.agrees(*_given(rng, (4, 4), 4), small_model(rng, n_layers=1))  # masks of one shape: those exchanged fit, too
    call.agrees(*_given(rng, (6, 6)), small_model(rng, n_layers=3))


@EXERCISE.claim(1)
def causal(call, rng):
    """is causal: later words do not move earlier logits"""
    (target_ids, memory, is_token), model = _given(rng, (6, 6)), small_model(rng)
    n, shape = target_ids.shape[1], (*target_ids.shape, len(TARGET))
    turned = 4 + (target_ids - 3) % (len(TARGET) - 4)  # other words everywhere

    def logits(changed):
        return call.array(shape, np.where(changed, turned, target_ids), memory, is_token, model)

    before, late, early = logits(np.zeros(n, bool)), logits(np.arange(n) > 2), logits(np.arange(n) == 1)
    leak = np.abs(late - before)[:, :3].max()
    call.holds(leak < 1e-9, f"other words from position 3 on move earlier logits by {leak:.3g}.")
    effect = np.abs(early - before)[:, 1:].max(axis=(0, 2)).min()
    call.holds(effect > 1e-6, "another word at position 1 does not move the logits of every position from 1 on.")


@EXERCISE.claim(0.5)
def padding(call, rng):
    """the padding of the source is hidden, even where there is nothing else"""
    (target_ids, memory, is_token), model = _given(rng, (4, 7, 0)), small_model(rng)
    shape, noise = (*target_ids.shape, len(TARGET)), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    before, hidden, visible = (
        call.array(shape, target_ids, changed, is_token, model)
        for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
    )
    leak = np.abs(hidden - before).max()
    call.holds(leak < 1e-9, f"changing the memory of the padding moves the logits by {leak:.3g}.")
    effect = np.abs(visible - before)[:2].max(axis=-1).min()
    call.holds(effect > 1e-6, "changing the memory of the first word does not move all logits.")
    plain, shown = (
        call.array(shape, target_ids, changed, np.ones_like(is_token), model)
        for changed in (memory, memory + noise * ~is_token[..., None])
    )
    call.holds(np.abs(shown - plain).max() > 1e-6, "where nothing is padding, the last words move no logits either.")


@EXERCISE.claim(1)
def trained_model(call, rng):
    """the trained decoder, layer by layer, on beginnings of translations"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    layer_by_layer(call, "decoder", target_ids, memory, is_token, model=model)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    given, model = _given(rng), small_model(rng)
    call.leaves_inputs_alone(*given, model)
    call.agrees(*given, small_model(rng, n_layers=0))


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(INPUT)
wrong("no-scale", {" * math.sqrt(d_model)": ""}, """
    The embeddings are not multiplied by the root of d_model.
    The decoder begins as the encoder does, with the same factor.""")

take_other_inputs(wrong, "decoder_layer", "scale-on-positions", "divided-by-root", "times-d-model")

wrong("no-positions", {"add_positions(X, _positions(n, d_model).astype(X.dtype))": "X"}, """
    The positions are not added.
    The words that are already written have an order, too, and attention is blind to it.""")

wrong("positions-from-1", {"_positions(n, d_model)": "_positions(n + 1, d_model)[1:]"}, """
    The positions are counted from 1.
    The start symbol stands at position 0.""")

wrong("source-table", {"target_ids, model.target_embedding": "target_ids, model.source_embedding"}, """
    The words are looked up in the source's embedding.
    The ids are those of Spanish words. The other table has the vectors of English ones.""")

wrong("shifted-again", {
    "    X = _embedded(":
        "    target_ids = np.insert(target_ids[:, :-1], 0, BOS, axis=1)\n    X = _embedded(",
}, """
    A start symbol is put in front, and the last word is lost.
    The rows of target_ids begin with the start symbol already. In training the target is shifted before it gets here,
    and when decoding it grows word by word; this function does neither.""")

wrong.at(STACK)
wrong("no-causal-mask", {"self_mask, cross_mask)": "None, cross_mask)"}, """
    There is no causal mask.
    Every position has to predict the word that comes next, and without the mask it can look it up.""")

wrong("no-source-mask", {"self_mask, cross_mask)": "self_mask, None)"}, """
    The padding of the source is not hidden.
    The memory has rows for padding, too. Every layer of the decoder needs the mask that hides them.""")

wrong("masks-exchanged", {"self_mask, cross_mask)": "cross_mask, self_mask)"}, """
    The causal mask and the mask of the source are swapped.
    The first mask is for the self-attention, whose keys are words of the target; the second one for the attention to
    the source.""")

wrong("source-mask-for-both", {"self_mask, cross_mask)": "cross_mask, cross_mask)"}, """
    The mask of the source is used in the self-attention, too.
    In the self-attention the keys are words of the target, and what comes later has to be hidden.""")

wrong("cannot-see-itself", {"causal_mask(X.shape[-2])": "np.tri(X.shape[-2], k=-1, dtype=bool)"}, """
    The causal mask hides every word from itself, too.
    A position predicts the word after its own, so its own may be seen.""")

wrong("looks-ahead", {"causal_mask(X.shape[-2])": "np.tri(X.shape[-2], k=1, dtype=bool)"}, """
    The causal mask is off by one: every word sees the next one.
    The next word is the very one that has to be predicted.""")

wrong("causal-transposed", {"self_mask, cross_mask)": "self_mask.T, cross_mask)"}, """
    The causal mask is transposed: every word sees itself and what comes later.
    Rows of a mask belong to queries, columns to keys.""")

wrong.at(INPUT)
take_other_inputs(wrong, "decoder_layer", "half-of-width", "root-of-vocabulary", "short-table")

wrong.at(STACK)
wrong("mask-of-source-length", {"causal_mask(X.shape[-2])": "causal_mask(memory.shape[-2])"}, """
    The causal mask has the length of the source.
    It hides later words of the target, so it has a row and a column for each of these.""")

wrong("all-fed-the-input", {
    "        X = decoder_layer(X,": "        last = decoder_layer(X,",
    "(B, n_target, d_model)\n": "(B, n_target, d_model)\n    last = X\n",
    "return X @": "return last @",
}, """
    Every layer gets the embeddings, and only the last one's result is used.
    A layer takes the output of the one below.""")

wrong("memory-replaced", {
    "X = decoder_layer(X, memory, params, model.n_heads, self_mask, cross_mask)":
        "X = memory = decoder_layer(X, memory, params, model.n_heads, self_mask, None)",
}, """
    The second layer reads the first one's result in place of the memory.
    All layers of the decoder read the same memory: what the encoder returned.""")

wrong("memory-with-positions",
      {"X, memory, params": "X, memory + positional_encoding(*memory.shape[-2:]).astype(memory.dtype), params"}, """
    Positions are added to the memory.
    The encoder has added them at its bottom. The memory comes as it is.""")

take_other_inputs(wrong, "decoder_layer", "positions-in-the-loop")

wrong("first-layer-only",
      "decode_target(target_ids, memory, source_is_token, model._replace(decoder=model.decoder[:1]))", """
    Only the first layer is run.
    Every layer takes what the one before it gives. Is the line after your loop indented so far that it belongs to
    it?""")

take_other_models(wrong, "decoder", "one-layer-again-and-again", "layers-reversed")

wrong("encoder-layers", {
    "decoder_layer(X, memory, params, model.n_heads, self_mask, cross_mask)":
        "encoder_layer(X, params, model.n_heads, self_mask)",
}, """
    The layers of the decoder are run as layers of an encoder.
    You have written a function for them, `decoder_layer`: they have three sub-layers.""")

wrong("pre-norm", {"self_mask, cross_mask)": "self_mask, cross_mask, norm_first=True)"}, """
    The layers are run in pre-norm.
    This model was trained with the norm after the sum, as in the paper.""")

take_other_models(wrong, "decoder", "one-head")

wrong.at(OUTPUT)
wrong("own-projection-ignored",
      "decode_target(target_ids, memory, source_is_token, model._replace(output_projection=None))", """
    The logits are always made with the target's embedding.
    A model may have a matrix of its own for them. Look at what None means there.""")

wrong("always-own-projection", {"_output_projection(model)\n": "model.output_projection\n"}, """
    model.output_projection is used even where it is None.
    None says that this model has no matrix of its own: its table of embeddings takes its place.""")

wrong("not-transposed", {"embedding.T if": "embedding if"}, """
    The table of embeddings is not transposed for the logits.
    The table has a row for every word. A product with vectors of width d_model needs a column for every word.""")

wrong("vectors-returned", {" @ _output_projection(model)": ""}, """
    The vectors of the last layer are returned.
    One step is missing: a number for every word of the vocabulary.""")

wrong("logits-scaled",
      {"@ _output_projection(model)": "@ _output_projection(model) * model.target_embedding.shape[-1] ** 0.5"}, """
    The logits are multiplied by the root of d_model, as the embeddings were.
    The factor belongs to the way in. On the way out the table is used as it is.""")

wrong("probabilities", "softmax(decode_target(target_ids, memory, source_is_token, model))", """
    The result is probabilities, not logits.
    The task asks for logits: decoding and training need logarithms, and make them from logits.""")

wrong("last-position-only", "decode_target(target_ids, memory, source_is_token, model)[:, -1]", """
    Only the logits of the last position are returned.
    Decoding takes the last position. Here the task asks for all of them, as training does.""")

wrong.at(STACK)
wrong("memory-overwritten",
      {"    X = _embedded(": "    memory[~np.asarray(source_is_token)] = 0\n    X = _embedded("}, """
    The memory of the padding is overwritten with 0.
    The memory is used again for every further word. Hide the padding with a mask and leave the array alone.""")

take_other_models(wrong, "decoder", "four-heads")

wrong.at(OUTPUT)
wrong("logits-divided",
      {"@ _output_projection(model)": "@ _output_projection(model) / model.target_embedding.shape[-1] ** 0.5"}, """
    The logits are divided by the root of d_model.
    Scores of attention are. Here no factor is left.""")

wrong("truth-of-matrix", {
    "model.target_embedding.T if model.output_projection is None else model.output_projection":
        "model.output_projection or model.target_embedding.T",
}, """
    One truth value is asked of a whole matrix, as by `or`.
    A matrix of several entries is neither true nor false. Whether there is one is asked with `is None`.""")

wrong.at(STACK)
wrong("roles-exchanged", {"decoder_layer(X, memory": "decoder_layer(memory, X"}, """
    Memory and target are swapped in the call of `decoder_layer`.
    The target comes first: it asks. The memory, which comes in from the side, answers.""")

take_other_models(wrong, "decoder", *SKIPPED)
