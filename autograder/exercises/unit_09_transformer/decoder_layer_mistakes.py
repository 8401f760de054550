"""The known mistakes of `decoder_layer`."""

from autograder.exercise import Mistake
from autograder.exercises.unit_09_transformer import decoder_layer_wrong as wrong
from transformer_kit.reference import causal_mask, cross_attention, multi_head_attention

SECTION = "Exercise 9.1: decoder_layer"
ORDER = "Three sub-layers, each with its own norm"
MASKS = "Which mask goes where"
MEMORY = "The memory comes in from the side"


def _zipped(sublayers, norms):
    return list(zip(sublayers, norms, strict=False))


MISTAKES = (
    Mistake(
        "always-post-norm",
        "norm_first is ignored: it is always post-norm",
        wrong.with_arguments(lambda **_: {"norm_first": False}),
        "With norm_first=True all three sub-layers are to be arranged as in your `pre_norm`.",
        ORDER,
    ),
    Mistake(
        "always-pre-norm",
        "norm_first is ignored: it is always pre-norm",
        wrong.with_arguments(lambda **_: {"norm_first": True}),
        "The default is the order of the original paper, in which the norm comes last.",
        ORDER,
    ),
    Mistake(
        "order-inverted",
        "Post-norm and pre-norm have changed places",
        wrong.with_arguments(lambda norm_first, **_: {"norm_first": not norm_first}),
        "norm_first=True is pre-norm: the norm comes before the sub-layer.",
        ORDER,
    ),
    Mistake(
        "memory-normed",
        "With norm_first=True the memory is normed, too",
        wrong.cross_attention_by(
            lambda Z, memory, params, n_heads, mask, norm: multi_head_attention(Z, norm(memory), params, n_heads, mask)
        ),
        "The norm of this sub-layer belongs to the vectors of the target. The memory is an input from outside, the "
        "same for all layers, and comes in as the encoder left it.",
        MEMORY,
    ),
    Mistake(
        "source-first",
        "The attention to the source comes before the self-attention",
        wrong.arranged(lambda s, norms, X: _zipped((s[1], s[0], s[2]), (norms[1], norms[0], norms[2]))),
        "A word that is to ask the source has first to know what was written before it.",
        ORDER,
    ),
    Mistake(
        "source-first-norms-kept",
        "The two attentions have changed places, and the norms have not",
        wrong.arranged(lambda s, norms, X: _zipped((s[1], s[0], s[2]), norms)),
        "First the self-attention, then the attention to the source; norm_1 and norm_2 belong to them in this order.",
        ORDER,
    ),
    Mistake(
        "ffn-second",
        "The feed-forward network comes before the attention to the source",
        wrong.arranged(lambda s, norms, X: _zipped((s[0], s[2], s[1]), (norms[0], norms[2], norms[1]))),
        "Both attentions collect first. Then the network works on what each position has collected.",
        ORDER,
    ),
    Mistake(
        "no-cross-attention",
        "There is no attention to the source",
        wrong.arranged(lambda s, norms, X: _zipped((s[0], s[2]), (norms[0], norms[2]))),
        "Without it the decoder writes sentences that have nothing to do with the source. A layer of the encoder has "
        "two sub-layers, one of the decoder has three.",
        ORDER,
    ),
    Mistake(
        "no-self-attention",
        "There is no self-attention",
        wrong.arranged(lambda s, norms, X: _zipped((s[1], s[2]), (norms[1], norms[2]))),
        "Then no position knows what was written before it.",
        ORDER,
    ),
    Mistake(
        "no-ffn",
        "There is no feed-forward network",
        wrong.arranged(lambda s, norms, X: _zipped(s[:2], norms)),
        "The third sub-layer is the same network as in the encoder.",
        ORDER,
    ),
    Mistake(
        "keys-from-target",
        "The second attention takes keys and values from the target, not from the memory",
        wrong.cross_attention_by(
            lambda Z, memory, params, n_heads, mask, norm: multi_head_attention(Z, Z, params, n_heads, mask)
        ),
        "Queries come from the decoder, keys and values from the encoder. As it is, the layer never reads the source.",
        MEMORY,
    ),
    Mistake(
        "queries-from-memory",
        "The roles in the second attention are exchanged: the memory asks, the target answers",
        wrong.cross_attention_by(
            lambda Z, memory, params, n_heads, mask, norm: multi_head_attention(memory, Z, params, n_heads, mask)
        ),
        "Whoever asks gets as many answers as it has tokens. The result has to have as many as the target.",
        MEMORY,
    ),
    Mistake(
        "self-attention-to-memory",
        "The first attention reads the memory, too",
        wrong.arranged(lambda s, norms, X: _zipped((s[1], s[1], s[2]), norms)),
        "In the first sub-layer the target attends to itself, with parameters of its own.",
        MEMORY,
    ),
    Mistake(
        "self-mask-dropped",
        "self_mask is accepted but not handed on",
        wrong.with_arguments(lambda **_: {"self_mask": None}),
        "Without the causal mask every position sees the words that it has to predict. In training that looks like "
        "success.",
        MASKS,
    ),
    Mistake(
        "cross-mask-dropped",
        "cross_mask is accepted but not handed on",
        wrong.with_arguments(lambda **_: {"cross_mask": None}),
        "Without it the target attends to the padding of the source. With one sentence at a time nobody would notice.",
        MASKS,
    ),
    Mistake(
        "masks-exchanged",
        "Each of the two masks goes to the attention of the other one",
        wrong.with_arguments(lambda self_mask, cross_mask, **_: {"self_mask": cross_mask, "cross_mask": self_mask}),
        "self_mask has one column for every token of the target, cross_mask one for every token of the source.",
        MASKS,
    ),
    Mistake(
        "mask-for-tokens",
        "`cross_attention` of notebook 05 gets the mask",
        wrong.cross_attention_by(
            lambda Z, memory, params, n_heads, mask, norm: cross_attention(Z, memory, params, n_heads, mask)
        ),
        "It asks which tokens of the source are real, and makes the mask itself. Here the mask is made already: "
        "`multi_head_attention` takes it as it is.",
        MASKS,
    ),
    Mistake(
        "self-mask-for-both",
        "self_mask is used in both attentions",
        wrong.with_arguments(lambda self_mask, **_: {"cross_mask": self_mask}),
        "The source is known as a whole: nothing in it is later. Its mask hides padding and is another one.",
        MASKS,
    ),
    Mistake(
        "cross-mask-for-both",
        "cross_mask is used in both attentions",
        wrong.with_arguments(lambda cross_mask, **_: {"self_mask": cross_mask}),
        "cross_mask has columns for the tokens of the source. In the self-attention the keys are those of the target.",
        MASKS,
    ),
    Mistake(
        "self-mask-inverted",
        "self_mask is inverted on its way",
        wrong.with_arguments(lambda self_mask, **_: {"self_mask": wrong.inverted(self_mask)}),
        "True means “may attend”, here as everywhere in the course.",
        MASKS,
    ),
    Mistake(
        "cross-mask-inverted",
        "cross_mask is inverted on its way",
        wrong.with_arguments(lambda cross_mask, **_: {"cross_mask": wrong.inverted(cross_mask)}),
        "True means “may attend”, here as everywhere in the course.",
        MASKS,
    ),
    Mistake(
        "masks-lost-in-pre-norm",
        "With norm_first=True both masks are lost",
        wrong.with_arguments(lambda norm_first, **_: {"self_mask": None, "cross_mask": None} if norm_first else {}),
        "Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?",
        MASKS,
    ),
    Mistake(
        "always-causal",
        "The self-attention is causal even where no mask is given",
        wrong.with_arguments(
            lambda X, self_mask, **_: {"self_mask": causal_mask(X.shape[-2]) if self_mask is None else self_mask}
        ),
        "Whoever calls the layer decides what is hidden; None means that nothing is.",
        MASKS,
    ),
    Mistake(
        "one-norm-for-all",
        "All three sub-layers use norm_1",
        wrong.with_arguments(lambda params, **_: {"params": params._replace(norm_2=params[1], norm_3=params[1])}),
        "Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would "
        "notice.",
        ORDER,
    ),
    Mistake(
        "norms-1-and-2-exchanged",
        "norm_1 and norm_2 have changed places",
        wrong.with_arguments(
            lambda params, **_: {"params": params._replace(norm_1=params.norm_2, norm_2=params.norm_1)}
        ),
        "The norms are numbered in the order of the sub-layers.",
        ORDER,
    ),
    Mistake(
        "norms-2-and-3-exchanged",
        "norm_2 and norm_3 have changed places",
        wrong.with_arguments(
            lambda params, **_: {"params": params._replace(norm_2=params.norm_3, norm_3=params.norm_2)}
        ),
        "The norms are numbered in the order of the sub-layers.",
        ORDER,
    ),
    Mistake(
        "norm-2-for-ffn",
        "The feed-forward network uses norm_2 again",
        wrong.with_arguments(lambda params, **_: {"params": params._replace(norm_3=params.norm_2)}),
        "The encoder's layer has two norms, this one has three.",
        ORDER,
    ),
    Mistake(
        "one-attention-for-both",
        "Both attentions use the parameters of the self-attention",
        wrong.with_arguments(lambda params, **_: {"params": params._replace(cross_attention=params.self_attention)}),
        "All their matrices have the same shapes, so nothing fails. They are two attentions, learned apart.",
        ORDER,
    ),
    Mistake(
        "attentions-exchanged",
        "The parameters of the two attentions have changed places",
        wrong.with_arguments(
            lambda params, **_: {
                "params": params._replace(self_attention=params.cross_attention, cross_attention=params.self_attention)
            }
        ),
        "All their matrices have the same shapes, so nothing fails. Look at the names of the fields.",
        ORDER,
    ),
    Mistake(
        "no-residual",
        "The inputs of the sub-layers are not added",
        wrong.around_each(lambda X, f, norm, first: f(norm(X)) if first else norm(f(X))),
        "All three sub-layers stand inside a residual connection. Your functions of notebook 07 do the adding.",
        ORDER,
    ),
    Mistake(
        "norm-before-adding",
        "In post-norm the sub-layer's output is normed before the sum",
        wrong.around_each(lambda X, f, norm, first: X + (f(norm(X)) if first else norm(f(X)))),
        "The sum first, then the norm, as in `post_norm`.",
        ORDER,
    ),
    Mistake(
        "normed-residual",
        "In pre-norm the normed input is added instead of the input itself",
        wrong.around_each(lambda X, f, norm, first: norm(X) + f(norm(X)) if first else norm(X + f(X))),
        "The residual connection takes the input as it was before the norm, as in `pre_norm`.",
        ORDER,
    ),
    Mistake(
        "sublayers-not-normed",
        "In pre-norm the sub-layers get the input itself, not the normed one",
        wrong.around_each(lambda X, f, norm, first: X + f(X) if first else norm(X + f(X))),
        "A sub-layer has to use what it is handed over. In post-norm that is X itself, so there nobody notices.",
        ORDER,
    ),
    Mistake(
        "side-by-side",
        "All sub-layers get the input of the layer, not what the one before has made",
        wrong.arranged(lambda s, norms, X: [(lambda _, f=f: f(X), norm) for f, norm in zip(s, norms, strict=True)]),
        "The three sub-layers follow each other: each takes what the one before has made.",
        ORDER,
    ),
    Mistake(
        "keys-not-normed",
        "In pre-norm only the queries of the self-attention are normed; keys and values come from the raw input",
        wrong.keys_not_normed,
        "Self-attention has one input. Whatever the sub-layer is given takes both roles.",
        ORDER,
    ),
    Mistake(
        "gelu",
        "The feed-forward network uses GELU",
        wrong.with_gelu,
        "Later models do. The layer of the original paper, and of this exercise, uses ReLU.",
        ORDER,
    ),
    Mistake(
        "one-head",
        "n_heads is not handed on: there is one head",
        wrong.with_arguments(lambda **_: {"n_heads": 1}),
        "The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.",
        ORDER,
    ),
    Mistake(
        "eps-not-handed-on",
        "eps is not handed on to the norms",
        wrong.with_arguments(lambda **_: {"eps": 1e-5}),
        "It has to pass through all three calls, otherwise each norm falls back on its default.",
        SECTION,
    ),
    Mistake(
        "tuple-added",
        "The attention's whole result, output and weights, is added to X",
        wrong.tuple_added,
        "Multi-head attention returns two things. A sub-layer returns one: the output.",
        ORDER,
    ),
    Mistake(
        "extra-norm",
        "In pre-norm the result is normed once more at the end of the layer",
        wrong.extra_norm,
        "A pre-norm stack has one more norm at its very top, not in every layer.",
        ORDER,
    ),
    Mistake(
        "in-place",
        "The vectors of the caller are overwritten",
        wrong.in_place,
        "The input may be needed again, for a figure or for the gradients. Make a new array.",
        SECTION,
    ),
)
