"""The known mistakes of `encoder_layer` in one of its two blocks."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_07_add_and_layer_norm.encoder_layer_mistakes import SECTION, sublayers
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import layer_norm, post_norm, pre_norm

MISTAKES = KnownMistakes()


def _in_blocks(X, params, n_heads, mask, norm_first, eps, blocks=(None, None), activation=reference.relu):
    """Apply two blocks; in the place of None, the right one. A block takes X, its sub-layer, its norm and eps."""
    right = pre_norm if norm_first else post_norm
    functions = sublayers(params, n_heads, mask, activation)
    for block, function, norm in zip(blocks, functions, (params.norm_1, params.norm_2), strict=True):
        X = (block or right)(X, function, *norm, eps)
    return X


def _without_residual(norm_first):
    """Return a block that does not add its input."""

    def block(X, sublayer, gamma, beta, eps):
        if norm_first:
            return sublayer(layer_norm(X, gamma, beta, eps))
        return layer_norm(sublayer(X), gamma, beta, eps)

    return block


@MISTAKES.add(where=SECTION)
def no_relu(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network has no activation.

    Without ReLU between them, its two maps are one. The loaded `position_wise_ffn` has it by default.
    """
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, activation=lambda hidden: hidden)


@MISTAKES.add(where=SECTION)
def no_residual_around_attention(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The input of the attention is not added to its output.

    Both sub-layers stand inside a residual connection, the attention as well as the network.
    """
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (_without_residual(norm_first), None))


@MISTAKES.add(where=SECTION)
def no_residual_around_ffn(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The input of the feed-forward network is not added to its output.

    Both sub-layers stand inside a residual connection, the network as well as the attention.
    """
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (None, _without_residual(norm_first)))


@MISTAKES.add(where=SECTION)
def attention_not_normed(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the attention gets the tokens as they came in, not the normalised ones.

    Does your function of one array use its argument, or the X around it? A sub-layer works on what it is given.
    """

    def block(Y, sublayer, gamma, beta, eps):
        return (pre_norm if norm_first else post_norm)(Y, lambda _: sublayer(Y), gamma, beta, eps)

    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (block, None))


@MISTAKES.add(where=SECTION)
def inputs_added_twice(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The inputs of the sub-layers are added twice.

    `post_norm` and `pre_norm` add the input already. A sub-layer returns what it has made of it, and no more.
    """
    right = pre_norm if norm_first else post_norm

    def block(X, sublayer, gamma, beta, eps):
        return right(X, lambda Z: Z + sublayer(Z), gamma, beta, eps)

    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (block, block))


@MISTAKES.add(where=SECTION)
def second_norm_missing(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The block of the feed-forward network has no norm.

    Each of the two sub-layers has a norm of its own. `params.norm_2` is the one of the network.
    """
    return _in_blocks(
        X, params, n_heads, mask, norm_first, eps, (None, lambda X, sublayer, *norm_and_eps: X + sublayer(X))
    )


@MISTAKES.add(where=SECTION)
def second_block_from_input(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The block of the feed-forward network starts from the input of the layer, so attention is lost.

    The two blocks follow each other: the second one takes what the first one has made.
    """
    arrange = pre_norm if norm_first else post_norm
    return arrange(X, sublayers(params, n_heads, mask)[1], *params.norm_2, eps)


def _from(X, norm_first):
    """Return a block that adds X, whatever it is given."""

    def block(Y, sublayer, gamma, beta, eps):
        if norm_first:
            return X + sublayer(layer_norm(Y, gamma, beta, eps))
        return layer_norm(X + sublayer(Y), gamma, beta, eps)

    return block


@MISTAKES.add(where=SECTION)
def residual_from_input_in_post_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In post-norm the second sum adds the input of the layer.

    What is added to a sub-layer's output is the input of its own block: here, the result of the first block.
    """
    second = None if norm_first else _from(X, norm_first)
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (None, second))


@MISTAKES.add(where=SECTION)
def residual_from_input(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The second sum adds the input of the layer, in both orders.

    What is added to a sub-layer's output is the input of its own block: here, the result of the first block.
    """
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (None, _from(X, norm_first)))


@MISTAKES.add(where=SECTION)
def second_block_post_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """norm_first reaches the first block only: the second one is always post-norm.

    Both blocks are arranged alike. Choose the arrangement once and use it twice.
    """
    return _in_blocks(X, params, n_heads, mask, norm_first, eps, (None, post_norm))


@MISTAKES.add(where=SECTION)
def norm_at_the_end(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In pre-norm there is one more norm at the end of the layer.

    That norm comes once, at the top of the whole stack. A layer ends with a sum.
    """
    output = reference.encoder_layer(X, params, n_heads, mask, norm_first, eps)
    return layer_norm(output, *params.norm_2, eps) if norm_first else output


@MISTAKES.add(where=SECTION)
def always_two_heads(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """There are two heads, whatever n_heads says.

    Two is the number of the example. The shapes fit for any number that divides the width, so nothing fails.
    """
    return reference.encoder_layer(X, params, 2, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def norm_not_unpacked(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The whole norm is passed in place of its gamma.

    A norm is a pair of gamma and beta. A star in front of it passes both, one after the other.
    """
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = sublayers(params, n_heads, mask)
    return arrange(arrange(X, attend, params.norm_1, eps=eps), ffn, params.norm_2, eps=eps)


def _eps_for(place, X, params, n_heads, mask, norm_first, eps):
    """Apply a layer in which eps reaches the norm at one place only."""
    first, second = sublayers(params, n_heads, mask)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    given = [(eps,) if place == number else () for number in (1, 2)]
    return wrap(wrap(X, first, *params.norm_1, *given[0]), second, *params.norm_2, *given[1])


@MISTAKES.add(where=SECTION)
def eps_for_the_first_norm_only(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """eps is passed on to the first norm only.

    There are two norms, and each falls back on its default where it is given no eps.
    """
    return _eps_for(1, X, params, n_heads, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def eps_for_the_second_norm_only(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """eps is passed on to the second norm only.

    There are two norms, and each falls back on its default where it is given no eps.
    """
    return _eps_for(2, X, params, n_heads, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
@edited(reference.encoder_layer, {"params.norm_1": "params.norm_2"})
def second_norm_for_both():
    """Both sub-layers use norm_2.

    Each sub-layer has its own norm with its own gamma and beta.
    """
