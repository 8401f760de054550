"""The known mistakes of `adam_update`: the right steps with one exchangeable link."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 10.6: adam_update"
STEPS = "Two running means, corrected"
EPS = "What eps is for"


def _means(grad, m, v, beta_1, beta_2):
    return beta_1 * m + (1 - beta_1) * grad, beta_2 * v + (1 - beta_2) * grad**2


def _with(move):
    """Make a function with right running means; `move(m, v, c_1, c_2, eps)` is what lr is multiplied by.

    c_1 and c_2 are what the means are divided by to correct them.
    """

    def function(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
        m, v = _means(grad, m, v, beta_1, beta_2)
        return param - lr * move(m, v, 1 - beta_1**step, 1 - beta_2**step, eps), m, v

    return function


def _rule(m, v, c_1, c_2, eps):
    return m / c_1 / (np.sqrt(v / c_2) + eps)


def _from_means(means):
    """Make a function that is right but for the running means, `means(grad, m, v, beta_1, beta_2)`."""

    def function(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
        m, v = means(grad, m, v, beta_1, beta_2)
        return param - lr * _rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps), m, v

    return function


def _square_of_mean(grad, m, v, beta_1, beta_2):
    m = beta_1 * m + (1 - beta_1) * grad
    return m, beta_2 * v + (1 - beta_2) * m**2


def _shifted(by):
    """Make a function that takes another step's correction."""
    return lambda param, grad, m, v, step, *rest, **named: reference.adam_update(
        param, grad, m, v, step + by, *rest, **named
    )


def _old_means(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    moved = param - lr * _rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps)
    return moved, *_means(grad, m, v, beta_1, beta_2)


def _constant_correction(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m, v = _means(grad, m, v, beta_1, beta_2)
    return param - lr * _rule(m, v, 1 - beta_1, 1 - beta_2, eps), m, v


def _correction_kept(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m, v = _means(grad, m, v, beta_1, beta_2)
    m, v = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * m / (np.sqrt(v) + eps), m, v


def _betas_exchanged(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    return reference.adam_update(param, grad, m, v, step, lr, beta_2, beta_1, eps)


def _own_numbers(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    return reference.adam_update(param, grad, m, v, step, lr, 0.9, 0.999, 1e-8)


def _numbers_ignored(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    return reference.adam_update(param, grad, m, v, step, lr)


def _only_the_step(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    moved, m, v = reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)
    return moved - param, m, v


def _plain_descent(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    return param - lr * grad, *_means(grad, m, v, beta_1, beta_2)


def _another_order(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m, v, moved = (reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)[i] for i in (1, 2, 0))
    return m, v, moved


def _parameter_only(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    return reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)[0]


def _in_place(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m *= beta_1
    m += (1 - beta_1) * grad
    v *= beta_2
    v += (1 - beta_2) * grad**2
    param -= lr * _rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps)
    return param, m, v


MISTAKES = (
    Mistake(
        "not-corrected",
        "Neither of the means is corrected",
        _with(lambda m, v, c_1, c_2, eps: m / (np.sqrt(v) + eps)),
        "Both means begin at 0 and need many steps to get away from it. Uncorrected, the first steps have the wrong "
        "size.",
        STEPS,
    ),
    Mistake(
        "only-m-corrected",
        "Only the mean of the gradient is corrected",
        _with(lambda m, v, c_1, c_2, eps: m / c_1 / (np.sqrt(v) + eps)),
        "The mean of the squares begins at 0, too. While it is too small, the steps are too large.",
        STEPS,
    ),
    Mistake(
        "only-v-corrected",
        "Only the mean of the squares is corrected",
        _with(lambda m, v, c_1, c_2, eps: m / (np.sqrt(v / c_2) + eps)),
        "The mean of the gradient begins at 0, too. While it is too small, so are the steps.",
        STEPS,
    ),
    Mistake(
        "multiplied",
        "The means are multiplied by their corrections",
        _with(lambda m, v, c_1, c_2, eps: m * c_1 / (np.sqrt(v * c_2) + eps)),
        "The corrections are less than 1, and the means are too small: divide.",
        STEPS,
    ),
    Mistake(
        "constant-correction",
        "The betas are not raised to the power of the step",
        _constant_correction,
        "That is right for the first step only. Later the means have less and less to be corrected.",
        STEPS,
    ),
    Mistake(
        "correction-kept",
        "The corrected means are returned",
        _correction_kept,
        "The correction is for this step only. The next step goes on from the means as they are, or it would correct "
        "what has been corrected already.",
        STEPS,
    ),
    Mistake(
        "one-step-ahead",
        "The correction is that of the next step",
        _shifted(1),
        "The steps count from 1, so the first one has the power 1 already.",
        STEPS,
    ),
    Mistake(
        "one-step-behind",
        "The correction is that of the step before",
        _shifted(-1),
        "The steps count from 1. With the power 0 the first correction would be a division by 0.",
        STEPS,
    ),
    Mistake(
        "eps-inside",
        "eps is added under the root",
        _with(lambda m, v, c_1, c_2, eps: m / c_1 / np.sqrt(v / c_2 + eps)),
        "In layer norm eps stands under the root. Here it is added to the root, as in the paper on Adam.",
        EPS,
    ),
    Mistake(
        "eps-before-correction",
        "eps is added before the mean of the squares is corrected",
        _with(lambda m, v, c_1, c_2, eps: m / c_1 * np.sqrt(c_2) / (np.sqrt(v) + eps)),
        "Some libraries do so. Here the mean is corrected first, and eps is added to the root of the result.",
        EPS,
    ),
    Mistake(
        "no-eps",
        "eps is left out",
        _with(lambda m, v, c_1, c_2, eps: m / c_1 / np.sqrt(v / c_2)),
        "Where the gradient has always been 0, that would be 0 divided by 0.",
        EPS,
    ),
    Mistake(
        "no-root",
        "The gradient is divided by the mean square, without a root",
        _with(lambda m, v, c_1, c_2, eps: m / c_1 / (v / c_2 + eps)),
        "The mean of the squares has the size of a squared gradient. Only its root has the size of a gradient, so that "
        "the two cancel.",
        STEPS,
    ),
    Mistake(
        "sign",
        "The parameter moves along the gradient",
        _with(lambda *numbers: -_rule(*numbers)),
        "The gradient points to where the loss grows. The step goes the other way.",
        SECTION,
    ),
    Mistake(
        "old-means",
        "The parameter is moved by the old means",
        _old_means,
        "First the means take in the new gradient, then the parameter moves. At the first step the old means are 0.",
        STEPS,
    ),
    Mistake(
        "plain-descent",
        "The parameter is moved by the gradient itself",
        _plain_descent,
        "That is gradient descent. In Adam the means decide about the step.",
        STEPS,
    ),
    Mistake(
        "not-squared",
        "v is a mean of the gradient, not of its square",
        _from_means(
            lambda grad, m, v, beta_1, beta_2: (beta_1 * m + (1 - beta_1) * grad, beta_2 * v + (1 - beta_2) * grad)
        ),
        "v measures how large the gradients are, whatever their sign. So they are squared, entry by entry.",
        STEPS,
    ),
    Mistake(
        "square-of-mean",
        "v is the mean of the squares of m",
        _from_means(_square_of_mean),
        "Where gradients change their sign, m is small. v is to tell how large they are all the same.",
        STEPS,
    ),
    Mistake(
        "weights-exchanged",
        "beta and 1 - beta are exchanged in both means",
        _from_means(lambda grad, m, v, beta_1, beta_2: _means(grad, m, v, 1 - beta_1, 1 - beta_2)),
        "The betas are close to 1: a running mean keeps most of what it was, and takes in a little of what is new.",
        STEPS,
    ),
    Mistake(
        "not-weighted",
        "The new gradient is added with its full weight",
        _from_means(lambda grad, m, v, beta_1, beta_2: (beta_1 * m + grad, beta_2 * v + grad**2)),
        "That is a sum that fades, as in momentum. In a mean the two weights sum to 1.",
        STEPS,
    ),
    Mistake(
        "no-memory",
        "The old means are forgotten",
        _from_means(lambda grad, m, v, beta_1, beta_2: ((1 - beta_1) * grad, (1 - beta_2) * grad**2)),
        "A running mean consists of what it was and of what is new.",
        STEPS,
    ),
    Mistake(
        "betas-exchanged",
        "The two betas are exchanged",
        _betas_exchanged,
        "beta_1 belongs to the mean of the gradient, beta_2 to that of its square.",
        STEPS,
    ),
    Mistake(
        "own-numbers",
        "The betas and eps are those of other libraries: 0.9, 0.999 and 1e-8",
        _own_numbers,
        "They are arguments, with the values of the Transformer paper as defaults. Use what comes in.",
        SECTION,
    ),
    Mistake(
        "numbers-ignored",
        "The betas and eps are always the defaults",
        _numbers_ignored,
        "They are arguments. Use what comes in.",
        SECTION,
    ),
    Mistake(
        "only-the-step",
        "The change is returned in place of the new parameter",
        _only_the_step,
        "Asked for is where the parameter is after the step.",
        SECTION,
    ),
    Mistake(
        "another-order",
        "The means come first, and the parameter last",
        _another_order,
        "The order is param, m, v, as among the arguments.",
        SECTION,
    ),
    Mistake(
        "parameter-only",
        "Only the parameter is returned",
        _parameter_only,
        "The next step needs the means, too: return all three.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The parameter and the means are changed in place",
        _in_place,
        "`*=`, `+=` and `-=` write into the arrays that you were given. Make new ones.",
        SECTION,
    ),
)
