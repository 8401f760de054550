"""The known mistakes of `adam_update` in which one name stands where another belongs."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_10_training.adam_update_mistakes import STEPS
from autograder.specification import KnownMistakes
from transformer_kit.reference import adam_update

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STEPS)
@edited(
    adam_update,
    {
        "m = beta_1 * m + (1 - beta_1) * grad": "m = beta_2 * m + (1 - beta_2) * grad",
        "v = beta_2 * v + (1 - beta_2) * grad**2": "v = beta_1 * v + (1 - beta_1) * grad**2",
    },
)
def betas_exchanged_in_the_means():
    """The two betas are swapped in the running means, and not in the corrections.

    beta_1 belongs to the mean of the gradient, beta_2 to that of its square.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"m / (1 - beta_1**step), v / (1 - beta_2": "m / (1 - beta_2**step), v / (1 - beta_1"})
def betas_exchanged_in_the_corrections():
    """The two betas are swapped in the corrections, and not in the running means.

    A correction undoes what the 0 at the beginning has done to its own mean. So it needs the beta of that mean.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"beta_2 * v + (1 - beta_2) * grad**2": "beta_1 * v + (1 - beta_1) * grad**2"})
def beta_1_in_both_means():
    """v is made with beta_1, like m.

    The mean of the squares has a beta of its own, which makes it forget more slowly. Its correction expects that one.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"beta_1 * m + (1 - beta_1) * grad\n": "beta_2 * m + (1 - beta_2) * grad\n"})
def beta_2_in_both_means():
    """m is made with beta_2, like v.

    The mean of the gradient has a beta of its own, which makes it forget faster. Its correction expects that one.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"v = beta_2 * v + (1 - beta_2) * grad**2": "v = beta_2 * v + (1 - beta_2 * grad**2)"})
def bracket_of_v_too_wide():
    """In v, the square of the gradient is inside the bracket of 1 - beta_2.

    Two weights that sum to 1 make a mean: beta_2 for the old v and 1 - beta_2 for the new square.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"param - lr * mean": "param - step * mean"})
def step_for_lr():
    """The parameter is moved by the number of the step times the quotient, not by lr times the quotient.

    lr says how far to go. The number of the step is for the corrections alone.
    """


@MISTAKES.add(where=STEPS)
@edited(adam_update, {"v = beta_2 * v + (1 - beta_2) * grad**2": "v = beta_2 * m + (1 - beta_2) * grad**2"})
def v_from_m():
    """The new v is made from m, not from the old v.

    m and v are two means that know nothing of each other: v continues v.
    """
