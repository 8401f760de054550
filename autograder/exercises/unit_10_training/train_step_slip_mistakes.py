"""The known mistakes of `train_step` in which one argument stands where another belongs."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_10_training.train_step_mistakes import ORDER
from autograder.exercises.unit_10_training.train_step_state_mistakes import RATE, STATE
from autograder.specification import KnownMistakes
from transformer_kit.reference import train_step

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STATE)
@edited(train_step, {"state.v, step, rate)": "state.v, rate, step)"})
def step_and_rate_exchanged():
    """`adam_update` gets the learning rate as the number of the step, and the number of the step as the learning rate.

    Both are plain numbers, so nothing complains. The order is param, grad, m, v, step, lr.
    """


@MISTAKES.add(where=STATE)
@edited(train_step, {"gradient, state.m, state.v, step": "gradient, state.v, state.m, step"})
def means_exchanged():
    """m and v are swapped in the call of `adam_update`.

    m is the running mean of the gradient, v that of its square. Both have the same shape, so nothing complains.
    """


@MISTAKES.add(where=STATE)
@edited(
    train_step,
    {
        "    return TrainingState(step, *adam_update(state.params, gradient, state.m, state.v, step, rate)), loss": (
            "    params, m, v = adam_update(state.params, gradient, state.m, state.v, step, rate)\n"
            "    return TrainingState(step, params, v, m), loss"
        )
    },
)
def new_means_exchanged():
    """The new m and the new v are swapped in the state.

    The next step takes each for the other. `adam_update` returns the parameters, m and v, in the order of the state.
    """


@MISTAKES.add(where=STATE)
@edited(train_step, {"adam_update(state.params, gradient": "adam_update(gradient, state.params"})
def gradient_and_params_exchanged():
    """`adam_update` gets the gradient as the parameter, and the parameter as its gradient.

    Both have the same shape, so nothing complains. The parameter comes first: it is what is moved.
    """


@MISTAKES.add(where=RATE)
@edited(train_step, {"settings.d_model, settings.warmup_steps": "settings.warmup_steps, settings.d_model"})
def width_and_warm_up_exchanged():
    """d_model and warmup_steps are swapped in the call of `noam_learning_rate`.

    Both are whole numbers, so nothing complains. The order is step, d_model, warmup_steps.
    """


@MISTAKES.add(where=RATE)
@edited(train_step, {"noam_learning_rate(step, settings.d_model": "noam_learning_rate(settings.d_model, step"})
def step_and_width_exchanged():
    """The number of the step and d_model are swapped in the call of `noam_learning_rate`.

    Both are whole numbers, so nothing complains. The order is step, d_model, warmup_steps.
    """


@MISTAKES.add(where=ORDER)
@edited(
    train_step,
    {
        "loss = cross_entropy(logits, wanted": "loss = cross_entropy(wanted, logits",
        "cross_entropy_backward(logits, wanted": "cross_entropy_backward(wanted, logits",
    },
)
def logits_and_target_exchanged():
    """The logits and the wanted distributions are swapped in the loss and in its gradient.

    Both have the same shape, so nothing complains. The logits come first.
    """


@MISTAKES.add(where=ORDER)
@edited(train_step, {"loss = cross_entropy(logits, wanted": "loss = cross_entropy(wanted, logits"})
def logits_and_target_exchanged_in_the_loss():
    """The logits and the wanted distributions are swapped in the loss.

    Both have the same shape, so nothing complains. The logits come first.
    """


@MISTAKES.add(where=ORDER)
@edited(train_step, {"cross_entropy_backward(logits, wanted": "cross_entropy_backward(wanted, logits"})
def logits_and_target_exchanged_in_the_gradient():
    """The logits and the wanted distributions are swapped in `cross_entropy_backward`.

    Both have the same shape, so nothing complains. The logits come first.
    """


@MISTAKES.add(where=STATE)
@edited(train_step, {"gradient, state.m, state.v": "state.m, state.v, gradient"})
def gradient_behind_the_means():
    """`adam_update` gets m and v before the gradient.

    All of them have the same shape, so nothing complains. The order is param, grad, m, v, step, lr.
    """


@MISTAKES.add(where=STATE)
@edited(train_step, {"state.m, state.v": "state.m, state.m"})
def m_twice():
    """`adam_update` gets m for v as well.

    m is the running mean of the gradient, v that of its square. Each goes on from its own old value.
    """


@MISTAKES.add(where=STATE)
@edited(train_step, {"state.m, state.v": "state.v, state.v"})
def v_twice():
    """`adam_update` gets v for m as well.

    m is the running mean of the gradient, v that of its square. Each goes on from its own old value.
    """
