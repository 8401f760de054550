"""Specification of `decoder_layer`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls, lookalikes
from autograder.exercises.unit_09_transformer.inputs import D_FF, D_MODEL, N_HEADS, trained, trained_batch
from autograder.exercises.unit_09_transformer.sublayers import (
    take_exchanged_norms,
    take_one_attention,
    take_other_norms,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_decoder_layer

ORDER = "Three sub-layers, each with its own norm"
MASKS = "Which mask goes where"
MEMORY = "The memory comes in from the side"

EXERCISE = Exercise(
    reference=reference.decoder_layer,
    asks="one layer of the decoder: self-attention, attention to the memory, then the feed-forward network.",
    returns=(Output("output", "(..., n_target, d_model)"),),
    where=ORDER,
    calls=calls.DECODER_LAYER,
    lookalike=lookalikes.DECODER_LAYER,
)


def _parameters(rng):
    """Draw a layer whose norms differ and whose biases are not 0."""
    return init_decoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


def _inputs_of(rng, *lead, n_target=5, n_source=7):
    return rng.standard_normal((*lead, n_target, D_MODEL)), rng.standard_normal((*lead, n_source, D_MODEL))


@EXERCISE.claim(1.5)
def post_norm_by_default(call, rng):
    """post-norm, the default: equals the three sub-layers in their order"""
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=False)


@EXERCISE.claim(1.5)
def pre_norm_where_asked(call, rng):
    """pre-norm, with norm_first=True: equals them, and the memory is not normalised"""
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS, None, None, True)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=True)


@EXERCISE.claim(1)
def trained_model(call, rng):
    """equals the first decoder layer of the trained model, on sentences"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    X = reference.embed(target_ids, model.target_embedding) * 8
    X = X + reference.positional_encoding(X.shape[1], X.shape[2]).astype(X.dtype)
    masks = reference.causal_mask(X.shape[1]), reference.padding_mask(is_token)
    call.agrees(X, memory, model.decoder[0], model.n_heads, *masks)


@EXERCISE.claim(1.5)
def self_mask(call, rng):
    """self_mask hides tokens of the target, and nothing else; it may hide all of them"""
    (X, memory), params = _inputs_of(rng, 2), _parameters(rng)
    n, noise = X.shape[1], rng.standard_normal(X.shape)
    hidden = np.arange(n) == np.array([[n - 1], [0]])  # the last token of one sentence, the first one of the other
    mask = ~hidden[:, None] | np.eye(n, dtype=bool)
    places = ~hidden, np.broadcast_to(np.isin(np.arange(n), (1, 3)), hidden.shape)  # of the others; of two of them
    for norm_first in (False, True):
        before, with_hidden, with_visible = (
            call.array(X.shape, changed, memory, params, N_HEADS, mask, None, norm_first)
            for changed in (X, X + noise * hidden[..., None], X + noise * (np.arange(n) == 2)[:, None])
        )
        leak = np.abs(with_hidden - before)[places[0]].max()
        call.holds(leak < 1e-9, f"changing a hidden token of the target moves another one by {leak:.3g}.")
        effect = np.abs(with_visible - before)[places[1]].max(axis=-1).min()
        call.holds(effect > 1e-6, "changing token 2 of the target does not move both token 1 and token 3.")
        plain, shown = (
            call.array(X.shape, changed, memory, params, N_HEADS, None, None, norm_first)
            for changed in (X, X + noise * hidden[..., None])
        )
        effect = np.abs(shown - plain)[places[0]].max(axis=-1).min()
        call.holds(effect > 1e-6, "without self_mask, a token that it would hide does not move all others either.")
        blind = mask & (np.arange(n) != 1)[:, None]
        alone, others = (
            call.array(X.shape, changed, memory, params, N_HEADS, blind, None, norm_first)[:, 1]
            for changed in (X, X + noise * (np.arange(n) != 1)[:, None])
        )
        leak = np.abs(others - alone).max()
        call.holds(leak < 1e-9, f"a token from which all are hidden moves by {leak:.3g} with the others.")


@EXERCISE.claim(1)
def cross_mask(call, rng):
    """cross_mask hides tokens of the source, and nothing else; it may hide all of them"""
    (X, memory), params = _inputs_of(rng, 3), _parameters(rng)
    is_token = np.arange(memory.shape[1]) < np.array([[4], [6], [0]])
    mask, noise = reference.padding_mask(is_token), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    for norm_first in (False, True):
        before, hidden, visible = (
            call.array(X.shape, X, changed, params, N_HEADS, None, mask, norm_first)
            for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
        )
        leak = np.abs(hidden - before).max()
        call.holds(leak < 1e-9, f"changing the memory where it is hidden moves the output by {leak:.3g}.")
        effect = np.abs(visible - before)[:2].max(axis=-1).min()
        call.holds(effect > 1e-6, "changing the memory where it is visible moves nothing: the source is not read.")
        plain, shown = (
            call.array(X.shape, X, changed, params, N_HEADS, None, None, norm_first)
            for changed in (memory, memory + noise * ~is_token[..., None])
        )
        effect = np.abs(shown - plain).max(axis=-1).min()
        call.holds(effect > 1e-6, "without cross_mask, the memory that it hides moves nothing either.")


@EXERCISE.claim(0.5)
def eps(call, rng):
    """passes eps to all three norms"""
    X, memory = (0.4 * array for array in _inputs_of(rng))
    for norm_first in (False, True):
        call.agrees(X, memory, _parameters(rng), N_HEADS, None, None, norm_first, 0.1)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_inputs_of(rng, 2), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, 2, 3, n_target=4, n_source=6), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, 1, 3, n_target=1, n_source=4), _parameters(rng), N_HEADS)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    (X, memory), params = _inputs_of(rng), _parameters(rng)
    for norm_first in (False, True):
        masks = reference.causal_mask(len(X)), reference.padding_mask(np.arange(len(memory)) < 5)
        call.leaves_inputs_alone(X, memory, params, N_HEADS, *masks, norm_first)
    call.agrees(X, memory, params, N_HEADS)


wrong = WrongAnswers(EXERCISE, globals())


def inverted(mask):
    """Return the opposite of a mask."""
    return None if mask is None else ~np.asarray(mask)


wrong("always-post-norm", "decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, False, eps)", """
    norm_first is ignored: it is always post-norm.
    With norm_first=True all three sub-layers are arranged as in your `pre_norm`.""")

wrong("always-pre-norm", "decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, True, eps)", """
    norm_first is ignored: it is always pre-norm.
    The default is the order of the original paper, in which the norm comes last.""")

wrong("order-inverted", "decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, not norm_first, eps)", """
    Post-norm and pre-norm are swapped.
    norm_first=True is pre-norm: the norm comes before the sub-layer.""")

wrong.at(MEMORY)
wrong("memory-normed", {"Z, memory,": "Z, layer_norm(memory, *params.norm_2, eps) if norm_first else memory,"}, """
    With norm_first=True the memory is normalised, too.
    The norm of this sub-layer belongs to the vectors of the target. The memory is an input from outside, the same for
    all layers, and comes in as the encoder left it.""")

wrong.at(ORDER)
wrong("source-first", {
    "attend_to_self, *params.norm_1": "attend_to_source, *params.norm_2",
    "attend_to_source, *params.norm_2": "attend_to_self, *params.norm_1",
}, """
    The attention to the source comes before the self-attention.
    Before a word asks the source, it has to know what was written before it.""")

wrong("source-first-norms-kept", {"attend_to_self,": "attend_to_source,", "attend_to_source,": "attend_to_self,"}, """
    The two attentions are swapped, and the norms are not.
    The self-attention comes first, then the attention to the source; norm_1 and norm_2 belong to them in this
    order.""")

NETWORK = "lambda Z: position_wise_ffn(Z, params.ffn)"  # as it stands in the reference

wrong("ffn-second", {
    "attend_to_source, *params.norm_2": f"{NETWORK}, *params.norm_3",
    f"{NETWORK}, *params.norm_3": "attend_to_source, *params.norm_2",
}, """
    The feed-forward network comes before the attention to the source.
    Both attentions collect first. Then the network works on what each position has collected.""")

wrong("no-cross-attention", {"add_and_norm(X, attend_to_source, *params.norm_2, eps)": "X"}, """
    There is no attention to the source, or its result is not used.
    Without it the decoder writes sentences that have nothing to do with the source. A layer of the encoder has two
    sub-layers; a layer of the decoder has three.""")

wrong("no-self-attention", {"add_and_norm(X, attend_to_self, *params.norm_1, eps)": "X"}, """
    There is no self-attention, or its result is not used.
    Then no position knows what was written before it.""")

wrong("no-ffn", {f"add_and_norm(X, {NETWORK}, *params.norm_3, eps)": "X"}, """
    There is no feed-forward network, or its result is not used.
    The third sub-layer is the same network as in the encoder.""")

wrong.at(MEMORY)
wrong("keys-from-target", {"Z, memory,": "Z, Z,"}, """
    The second attention takes keys and values from the target, not from the memory.
    Queries come from the decoder, keys and values from the encoder. As it is, the layer never reads the source.""")

wrong("queries-from-memory", {"Z, memory,": "memory, Z,"}, """
    The roles in the second attention are swapped: the memory asks, the target answers.
    Attention returns one row for each query, and the result has to have a row for each token of the target.""")

wrong("self-attention-to-memory",
      {"Z, Z, params.self_attention, n_heads, self_mask": "Z, memory, params.cross_attention, n_heads, cross_mask"}, """
    The first attention reads the memory, too.
    In the first sub-layer the target attends to itself, with parameters of its own.""")

wrong.at(MASKS)
wrong("self-mask-dropped", "decoder_layer(X, memory, params, n_heads, None, cross_mask, norm_first, eps)", """
    self_mask is accepted but not passed on.
    Without the causal mask every position sees the words that it has to predict. In training that looks like
    success.""")

wrong("cross-mask-dropped", "decoder_layer(X, memory, params, n_heads, self_mask, None, norm_first, eps)", """
    cross_mask is accepted but not passed on.
    Without it the target attends to the padding of the source. With one sentence at a time nobody would notice.""")

wrong("masks-exchanged", "decoder_layer(X, memory, params, n_heads, cross_mask, self_mask, norm_first, eps)", """
    The two masks are swapped.
    self_mask has one column for every token of the target, cross_mask one for every token of the source.""")

wrong("mask-for-tokens", {"multi_head_attention(Z, memory": "cross_attention(Z, memory"}, """
    The cross mask is taken for which tokens are real, as by `cross_attention` of unit 05.
    That function expects to be told which tokens are real, and makes the mask itself. Here the mask is ready:
    `multi_head_attention` takes it as it is.""")

wrong("self-mask-for-both", "decoder_layer(X, memory, params, n_heads, self_mask, self_mask, norm_first, eps)", """
    self_mask is used in both attentions.
    The source is known as a whole: nothing in it is later. Its own mask hides padding.""")

wrong("cross-mask-for-both", "decoder_layer(X, memory, params, n_heads, cross_mask, cross_mask, norm_first, eps)", """
    cross_mask is used in both attentions.
    cross_mask has columns for the tokens of the source. In the self-attention the keys are those of the target.""")

for mask in ("self", "cross"):
    wrong(f"{mask}-mask-inverted", {f"{mask}_mask)[0]": f"inverted({mask}_mask))[0]"}, f"""
    {mask}_mask is inverted on its way.
    True means “may attend”, here as everywhere in the course.""")

wrong("masks-lost-in-pre-norm", {
    "self_mask)[0]": "None if norm_first else self_mask)[0]",
    "cross_mask)[0]": "None if norm_first else cross_mask)[0]",
}, """
    With norm_first=True both masks are lost.
    Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?""")

wrong("always-causal", {"self_mask)[0]": "causal_mask(X.shape[-2]) if self_mask is None else self_mask)[0]"}, """
    The self-attention is causal even where no mask is given.
    The caller decides what is hidden; None means that nothing is.""")

wrong.at(ORDER)
wrong("one-norm-for-all", {"norm_2": "norm_1", "norm_3": "norm_1"}, """
    All three sub-layers use norm_1.
    Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would notice.""")

take_exchanged_norms(wrong, "norms-1-and-2-exchanged", 1, 2)
take_exchanged_norms(wrong, "norms-2-and-3-exchanged", 2, 3)

wrong("norm-2-for-ffn", {"norm_3": "norm_2"}, """
    The feed-forward network uses norm_2 again.
    The encoder's layer has two norms, this one has three.""")

take_one_attention(wrong, "one-attention-for-both", 1)

wrong("attentions-exchanged",
      {"params.self_attention": "params.cross_attention", "params.cross_attention": "params.self_attention"}, """
    The parameters of the two attentions are swapped.
    All their matrices have the same shapes, so nothing fails. Look at the names of the fields.""")

wrong("no-residual", {
    "pre_norm if norm_first else post_norm":
        "(lambda X, f, *norm: f(layer_norm(X, *norm)) if norm_first else layer_norm(f(X), *norm))",
}, """
    The inputs of the sub-layers are not added.
    All three sub-layers have a residual connection. Your functions of unit 07 do the adding.""")

wrong("norm-before-adding",
      {"else post_norm": "else (lambda X, sublayer, *norm: X + layer_norm(sublayer(X), *norm))"}, """
    In post-norm the sub-layer's output is normalised before the sum.
    First the sum, then the norm, as in `post_norm`.""")

wrong("normed-residual", {"pre_norm if": "(lambda X, f, *norm: layer_norm(X, *norm) + f(layer_norm(X, *norm))) if"}, """
    In pre-norm the normalised input is added instead of the input itself.
    The residual connection takes the input as it was before the norm, as in `pre_norm`.""")

wrong("sublayers-not-normed", {"pre_norm if": "(lambda X, sublayer, *norm: X + sublayer(X)) if"}, """
    In pre-norm the sub-layers get the input itself, not the normalised one.
    A sub-layer has to use what it is given. In post-norm that is X itself, so there it makes no difference.""")

wrong("side-by-side", {
    "X = add_and_norm(X, attend_to_self,": "first = X\n    X = add_and_norm(X, lambda _: attend_to_self(first),",
    "X, attend_to_source,": "X, lambda _: attend_to_source(first),",
    "X, lambda Z: position_wise_ffn(Z,": "X, lambda _: position_wise_ffn(first,",
}, """
    All sub-layers get the input of the layer, not the output of the one before.
    The three sub-layers follow each other: each takes the output of the one before.""")

wrong("keys-not-normed", {"    def attend_to_self(Z)": "    def attend_to_self(Z, X=X)", "Z, Z,": "Z, X,"}, """
    In pre-norm only the queries of the self-attention are normalised; keys and values come from the raw input.
    In self-attention queries, keys and values are all made from one array: what the sub-layer is given.""")

wrong("gelu", {"params.ffn)": "params.ffn, gelu)"}, """
    The feed-forward network uses GELU.
    Later models do. The layer of the original paper, and of this exercise, uses ReLU.""")

wrong("one-head", "decoder_layer(X, memory, params, 1, self_mask, cross_mask, norm_first, eps)", """
    n_heads is not passed on: there is one head.
    The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.""")

wrong.at()
wrong("eps-not-handed-on", "decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, 1e-5)", """
    eps is not passed to the norms.
    It has to pass through all three calls, otherwise each norm falls back on its default.""")

wrong.at(ORDER)
wrong("tuple-added", {"self_mask)[0]": "self_mask)"}, """
    The attention's whole result, output and weights, is added to X.
    Multi-head attention returns two things. A sub-layer returns one: the output.""")

wrong("extra-norm", {
    "return add_and_norm(": "last = layer_norm if norm_first else lambda X, *_: X\n    return last(add_and_norm(",
    "*params.norm_3, eps)": "*params.norm_3, eps), *params.norm_3, eps)",
}, """
    In pre-norm the result is normalised once more at the end of the layer.
    A pre-norm stack has one more norm at its very top, not in every layer.""")

wrong.at()


@wrong.function
def in_place(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The vectors of the caller are overwritten.
    The input may be needed again, for a figure or for the gradients. Make a new array."""
    X[...] = reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
    return X


wrong.at(ORDER)
wrong("no-residual-of-self-attention", {"X, attend_to_self,": "X, lambda Z: attend_to_self(Z) - X,"}, """
    The input of the self-attention is not added to its output.
    Each of the three sub-layers has a residual connection, the first one included.""")

wrong("no-residual-of-cross-attention", {"X, attend_to_source,": "X, lambda Z: attend_to_source(Z) - X,"}, """
    The input of the attention to the source is not added to its output.
    What the target has collected so far would be lost: the output is made of the memory alone.""")

wrong("no-residual-of-ffn", {"position_wise_ffn(Z, params.ffn),": "position_wise_ffn(Z, params.ffn) - X,"}, """
    The input of the feed-forward network is not added to its output.
    Each of the three sub-layers has a residual connection, the network included.""")

wrong("inputs-added-twice", {
    "multi_head_attention(Z, Z,": "Z + multi_head_attention(Z, Z,",
    "multi_head_attention(Z, memory": "Z + multi_head_attention(Z, memory",
    "lambda Z: ": "lambda Z: Z + ",
}, """
    The inputs of the sub-layers are added twice.
    `post_norm` and `pre_norm` add the input already. A sub-layer returns what it has made of it, and no more.""")

wrong("no-activation", {"params.ffn)": "params.ffn, lambda Z: Z)"}, """
    The feed-forward network has no ReLU.
    Without it two matrices are one, and the network can do no more than a single linear map.""")

wrong("queries-not-normed",
      {"    def attend_to_source(Z)": "    def attend_to_source(_)", "(Z, memory,": "(X, memory,"}, """
    In pre-norm the attention to the source asks with vectors that are not normalised.
    A sub-layer works with what it is given, not with an X from outside of it.""")

wrong.at(MASKS)
wrong("own-causal-mask",
      "decoder_layer(X, memory, params, n_heads, causal_mask(X.shape[-2]), cross_mask, norm_first, eps)", """
    self_mask is replaced by a causal mask that the layer makes itself.
    The caller decides what is hidden. Use the mask that you are given, and none where it is None.""")

wrong.at(ORDER)
take_other_norms(wrong, {"norm-1-for-both-attentions": (2, 1), "norm-1-for-ffn": (3, 1)})
take_one_attention(wrong, "cross-attention-for-both", 2)
take_other_norms(wrong, {
    "norm-2-for-both-attentions": (1, 2),
    "norm-3-for-self-attention": (1, 3),
    "norm-3-for-attention-to-source": (2, 3),
})

wrong("ffn-second-norms-kept", {"X, attend_to_source": f"X, {NETWORK}", f"X, {NETWORK}": "X, attend_to_source"}, """
    The feed-forward network comes before the attention to the source, and takes its norm.
    Both attentions collect first, with norm_1 and norm_2. Then the network works on what each position has collected,
    with norm_3.""")

wrong("source-asked-with-input", {
    "    X = add_and_norm(X, attend_to_self,": "    first, X = X, add_and_norm(X, attend_to_self,",
    "X, attend_to_source,": "X, lambda _: attend_to_source(first),",
}, """
    The attention to the source asks with the input of the layer, not with the output of the self-attention.
    Each sub-layer takes the output of the one before. A word asks the source once it knows what was written before
    it.""")

wrong("second-block-added-again",
      {"X = add_and_norm(X, attend_to_source": "X = X + add_and_norm(X, attend_to_source"}, """
    The input of the second block is added once more to its result.
    `post_norm` and `pre_norm` add the input of their sub-layer already.""")
