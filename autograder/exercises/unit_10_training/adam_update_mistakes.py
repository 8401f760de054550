"""The known mistakes of `adam_update` with its corrections and eps."""

import numpy as np

from autograder.exercises.unit_10_training.adam_update_variants import means, means_and_corrections, rule
from autograder.specification import KnownMistakes
from transformer_kit import reference

STEPS = "Two running means, corrected"
EPS = "What eps is for"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STEPS)
def not_corrected(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Neither of the means is corrected.

    Both means begin at 0 and take many steps to get away from it. Uncorrected, the first steps have the wrong size.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    return param - lr * (m / (np.sqrt(v) + eps)), m, v


@MISTAKES.add(where=STEPS)
def only_m_corrected(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Only the mean of the gradient is corrected.

    The mean of the squares begins at 0, too. While it is too small, the steps are too large.
    """
    m, v, c_1, _ = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / (np.sqrt(v) + eps)), m, v


@MISTAKES.add(where=STEPS)
def only_v_corrected(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Only the mean of the squares is corrected.

    The mean of the gradient begins at 0, too. While it is too small, so are the steps.
    """
    m, v, _, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / (np.sqrt(v / c_2) + eps)), m, v


@MISTAKES.add(where=STEPS)
def multiplied(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The means are multiplied by their corrections.

    The corrections are less than 1, and the means are too small: divide.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m * c_1 / (np.sqrt(v * c_2) + eps)), m, v


@MISTAKES.add(where=STEPS)
def constant_correction(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The betas are not raised to the power of the step.

    That is right for the first step only. Later the means have less and less to be corrected.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    return param - lr * rule(m, v, 1 - beta_1, 1 - beta_2, eps), m, v


@MISTAKES.add(where=STEPS)
def constant_correction_of_m(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """beta_1 is not raised to the power of the step.

    That is right for the first step only. Later m has less and less to be corrected.
    """
    m, v, _, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, 1 - beta_1, c_2, eps), m, v


@MISTAKES.add(where=STEPS)
def constant_correction_of_v(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """beta_2 is not raised to the power of the step.

    That is right for the first step only. Later v has less and less to be corrected.
    """
    m, v, c_1, _ = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, c_1, 1 - beta_2, eps), m, v


@MISTAKES.add(where=STEPS)
def times_the_step(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """A beta is multiplied by the step, not raised to its power.

    `**` is the power. A product soon exceeds 1, and the correction becomes negative.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    return param - lr * rule(m, v, 1 - beta_1 * step, 1 - beta_2 * step, eps), m, v


@MISTAKES.add(where=STEPS)
def times_the_step_for_m(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """beta_1 is multiplied by the step, not raised to its power.

    `**` is the power. A product soon exceeds 1, and the correction becomes negative.
    """
    m, v, _, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, 1 - beta_1 * step, c_2, eps), m, v


@MISTAKES.add(where=STEPS)
def power_of_the_difference(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """1 - beta is raised to the power of the step, not beta alone.

    The power belongs to the beta, inside the brackets. Your correction falls towards 0, when it should rise towards 1.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    return param - lr * rule(m, v, (1 - beta_1) ** step, (1 - beta_2) ** step, eps), m, v


@MISTAKES.add(where=STEPS)
def power_of_the_difference_for_m(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """1 - beta_1 is raised to the power of the step, not beta_1 alone.

    The power belongs to the beta, inside the brackets. Your correction falls towards 0, when it should rise towards 1.
    """
    m, v, _, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, (1 - beta_1) ** step, c_2, eps), m, v


@MISTAKES.add(where=STEPS)
def power_of_the_difference_for_v(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """1 - beta_2 is raised to the power of the step, not beta_2 alone.

    The power belongs to the beta, inside the brackets. Your correction falls towards 0, when it should rise towards 1.
    """
    m, v, c_1, _ = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, c_1, (1 - beta_2) ** step, eps), m, v


@MISTAKES.add(where=STEPS)
def correction_kept(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The corrected means are returned.

    The correction is for this step only. The next step goes on from the means as they are, or it would correct what
    has been corrected already.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    m, v = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * m / (np.sqrt(v) + eps), m, v


@MISTAKES.add(where=STEPS)
def one_step_ahead(param, grad, m, v, step, *rest, **named):
    """The correction is that of the next step.

    Steps count from 1, so the power is 1 at the first step already.
    """
    return reference.adam_update(param, grad, m, v, step + 1, *rest, **named)


@MISTAKES.add(where=STEPS)
def one_step_behind(param, grad, m, v, step, *rest, **named):
    """The correction is that of the step before.

    The steps count from 1. With the power 0 the first correction would be a division by 0.
    """
    return reference.adam_update(param, grad, m, v, step - 1, *rest, **named)


@MISTAKES.add(where=EPS)
def eps_inside(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """eps is added inside the root.

    In layer norm eps is inside the root. Here it is added to the root, as in the paper on Adam.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / np.sqrt(v / c_2 + eps)), m, v


@MISTAKES.add(where=EPS)
def eps_before_correction(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """eps is added before the mean of the squares is corrected.

    Some libraries do so. Here the mean is corrected first, and eps is added to the root of the result.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 * np.sqrt(c_2) / (np.sqrt(v) + eps)), m, v


@MISTAKES.add(where=EPS)
def no_eps(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """eps is left out.

    Where the gradient has always been 0, that would be 0 divided by 0.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / np.sqrt(v / c_2)), m, v


@MISTAKES.add(where=STEPS)
def no_root(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The gradient is divided by the mean square, without a root.

    The mean of the squares has the size of a squared gradient. Only its root has the size of a gradient, so that
    the two cancel.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / (v / c_2 + eps)), m, v


@MISTAKES.add(where=STEPS)
def correction_outside_root(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The root of the mean square is corrected, not the mean square itself.

    First v is corrected, then the root is taken.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / (np.sqrt(v) / c_2 + eps)), m, v


@MISTAKES.add(where=STEPS)
def one_beta_for_both(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Both corrections are made with beta_1.

    Each mean is corrected with the beta that it is made with.
    """
    m, v, c_1, _ = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(m, v, c_1, c_1, eps), m, v


@MISTAKES.add(where=EPS)
def eps_outside_fraction(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """eps is added to the quotient, not to the root.

    `/` comes before `+`. The sum below the fraction bar needs brackets.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * (m / c_1 / np.sqrt(v / c_2) + eps), m, v
