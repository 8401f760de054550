"""The known mistakes of `train_step` on the way from the batch to the gradient."""

from autograder.exercises.unit_10_training.train_step_variants import step_with
from autograder.specification import KnownMistakes
from transformer_kit import reference

ORDER = "Forward, loss, backward, update"
SHIFT = "What the decoder reads, and what it has to predict"
PADDING = "The mean, and what it leaves out"
SMOOTHED = "Who gets which share"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SHIFT)
def not_shifted(*args):
    """The decoder reads the target itself, not the shifted one.

    Then each position reads the very word that it has to predict. The loss soon goes to the floor, but the model
    cannot write.
    """
    return step_with(*args, shift_right=lambda target_ids, bos_id: target_ids)


@MISTAKES.add(where=SHIFT)
def cut_instead_of_shifted(state, batch, *rest):
    """The decoder reads the target without its last token and has to predict the target without its first.

    That is right for targets which begin with the start symbol. These do not: the first word is never asked for, and
    the model never learns how to begin.
    """
    cut = batch._replace(target_ids=batch.target_ids[:, 1:], is_token=batch.is_token[:, 1:])
    read = batch.target_ids[:, :-1]
    return step_with(state, cut, *rest, shift_right=lambda target_ids, bos_id: read)


@MISTAKES.add(where=SHIFT)
def has_to_say_what_it_reads(state, batch, forward, backward, settings):
    """The output is compared with what the decoder reads, not with the target.

    The shift is for the decoder's input alone. Compared with the shifted ids, the model learns to repeat the word
    that it has just read.
    """
    shifted = reference.shift_right(batch.target_ids, settings.bos_id)
    read = batch._replace(target_ids=shifted)
    return step_with(state, read, forward, backward, settings, shift_right=lambda target_ids, bos_id: target_ids)


@MISTAKES.add(where=ORDER)
def source_and_target_exchanged(state, batch, forward, *rest):
    """`forward` gets the decoder's ids as the source, and the source as what the decoder reads.

    It is called as forward(params, source_ids, decoder_ids).
    """
    return step_with(state, batch, lambda params, source, target: forward(params, target, source), *rest)


@MISTAKES.add(where=PADDING)
def padding_in_the_loss(*args):
    """Padding counts in the loss.

    `cross_entropy` has not been told which positions are tokens. The gradient has, so the model learns what it
    should; but the number on the curve depends on how much padding a batch happens to have.
    """
    return step_with(*args, cross_entropy=lambda logits, wanted, is_token: reference.cross_entropy(logits, wanted))


@MISTAKES.add(where=PADDING)
def padding_in_the_gradient(*args):
    """Padding counts in the gradient.

    `cross_entropy_backward` has not been told which positions are tokens, so the model is trained to write padding.
    """
    return step_with(
        *args, cross_entropy_backward=lambda logits, wanted, is_token: reference.cross_entropy_backward(logits, wanted)
    )


@MISTAKES.add(where=PADDING)
def padding_in_both(*args):
    """Padding counts, in the loss and in the gradient.

    The batch says which positions are tokens. Neither `cross_entropy` nor `cross_entropy_backward` has been told.
    """
    return step_with(
        *args,
        cross_entropy=lambda logits, wanted, is_token: reference.cross_entropy(logits, wanted),
        cross_entropy_backward=lambda logits, wanted, is_token: reference.cross_entropy_backward(logits, wanted),
    )


@MISTAKES.add(where=PADDING)
def padding_by_its_id(state, batch, *rest):
    """A target whose id is 0 is taken for padding.

    A word may have any id. The batch says which places hold tokens.
    """
    return reference.train_step(state, batch._replace(is_token=batch.target_ids != 0), *rest)


@MISTAKES.add(where=SMOOTHED)
def not_smoothed(*args):
    """The targets are not smoothed.

    The settings name a share `epsilon` that is spread over the whole vocabulary.
    """
    return step_with(*args, smooth_labels=lambda ids, size, epsilon: reference.one_hot(ids, size))


@MISTAKES.add(where=SMOOTHED)
def smoothed_in_the_loss_only(state, batch, *rest):
    """The loss is against smoothed targets, and the gradient against plain ones.

    Then the gradient is not that of the loss. Both take the same target distribution.
    """

    def against_plain(logits, wanted, is_token):
        plain = reference.one_hot(batch.target_ids, logits.shape[-1])
        return reference.cross_entropy_backward(logits, plain, is_token)

    return step_with(state, batch, *rest, cross_entropy_backward=against_plain)


@MISTAKES.add(where=SMOOTHED)
def smoothed_in_the_gradient_only(state, batch, *rest):
    """The gradient is against smoothed targets, and the loss against plain ones.

    Then the loss that is reported is not the one that gets smaller. Both take the same target distribution.
    """

    def against_plain(logits, wanted, is_token):
        plain = reference.one_hot(batch.target_ids, logits.shape[-1])
        return reference.cross_entropy(logits, plain, is_token)

    return step_with(state, batch, *rest, cross_entropy=against_plain)


@MISTAKES.add(where=SMOOTHED)
def epsilon_of_the_paper(*args):
    """The share of label smoothing is always 0.1.

    That is the paper's number. Yours is in the settings.
    """
    return step_with(*args, smooth_labels=lambda ids, size, epsilon: reference.smooth_labels(ids, size, 0.1))


@MISTAKES.add(where=ORDER)
def loss_after_the_step(state, batch, forward, backward, settings):
    """The loss is computed with the new parameters.

    It belongs to the forward pass from which the gradient comes, before the parameters move. A second forward pass
    costs time and tells nothing about this step.
    """
    new, _ = reference.train_step(state, batch, forward, backward, settings)
    return new, reference.train_step(new, batch, forward, backward, settings)[1]


@MISTAKES.add(where=ORDER)
def logits_sent_back(state, batch, forward, backward, settings):
    """`backward` gets the logits instead of their gradient.

    What goes back through the model is d_logits, from `cross_entropy_backward`.
    """
    return step_with(
        state, batch, forward, backward, settings, cross_entropy_backward=lambda logits, wanted, is_token: logits
    )


@MISTAKES.add(where=ORDER)
def loss_first(*args):
    """The loss comes first, then the state.

    The results have a fixed order: the new state, then the loss.
    """
    state, loss = reference.train_step(*args)
    return loss, state


@MISTAKES.add(where=ORDER)
def backward_with_other_ids(state, batch, forward, backward, settings):
    """`backward` gets the target ids, not what the decoder has read.

    The gradient belongs to the forward pass, so `backward` needs the same ids as `forward`: the shifted ones.
    """

    def other_ids(d_logits, params, source_ids, decoder_ids):
        return backward(d_logits, params, source_ids, batch.target_ids)

    return step_with(state, batch, forward, other_ids, settings)
