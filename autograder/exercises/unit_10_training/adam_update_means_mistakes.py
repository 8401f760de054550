"""The known mistakes of `adam_update` with its running means, its arguments and its results."""

import numpy as np

from autograder.exercises.unit_10_training.adam_update_variants import from_means, means, means_and_corrections, rule
from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 10.6: adam_update"
STEPS = "Two running means, corrected"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def sign(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The parameter moves along the gradient.

    The gradient points to where the loss grows. The step goes the other way.
    """
    m, v, c_1, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * -rule(m, v, c_1, c_2, eps), m, v


@MISTAKES.add(where=STEPS)
def old_means(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The parameter is moved by the old means.

    First the means take in the new gradient, then the parameter moves. At the first step the old means are 0.
    """
    moved = param - lr * rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps)
    return moved, *means(grad, m, v, beta_1, beta_2)


@MISTAKES.add(where=STEPS)
def plain_descent(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The parameter is moved by the gradient itself.

    That is gradient descent. In Adam the means decide the step.
    """
    return param - lr * grad, *means(grad, m, v, beta_1, beta_2)


@MISTAKES.add(where=STEPS)
def not_squared(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """v is a mean of the gradient, not of its square.

    v measures how large the gradients are, whatever their sign. So they are squared, entry by entry.
    """
    m, v = beta_1 * m + (1 - beta_1) * grad, beta_2 * v + (1 - beta_2) * grad
    return from_means(m, v, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def square_of_mean(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """v is the mean of the squares of m.

    Where gradients change their sign, m is small. v has to say how large they are all the same.
    """
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * m**2
    return from_means(m, v, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def weights_exchanged(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """beta and 1 - beta are swapped in both means.

    The betas are close to 1: a running mean keeps most of what it was, and takes in a little of what is new.
    """
    m, v = means(grad, m, v, 1 - beta_1, 1 - beta_2)
    return from_means(m, v, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def not_weighted(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The new gradient is added with its full weight.

    That is a sum that fades, as in momentum. In a mean the two weights sum to 1.
    """
    m, v = beta_1 * m + grad, beta_2 * v + grad**2
    return from_means(m, v, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def no_memory(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The old means are forgotten.

    A running mean consists of what it was and of what is new.
    """
    m, v = (1 - beta_1) * grad, (1 - beta_2) * grad**2
    return from_means(m, v, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def betas_exchanged(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The two betas are swapped.

    beta_1 belongs to the mean of the gradient, beta_2 to that of its square.
    """
    return reference.adam_update(param, grad, m, v, step, lr, beta_2, beta_1, eps)


@MISTAKES.add(where=SECTION)
def own_numbers(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The betas and eps are those of other libraries: 0.9, 0.999 and 1e-8.

    They are arguments, with the values of the Transformer paper as defaults. Use what comes in.
    """
    return reference.adam_update(param, grad, m, v, step, lr, 0.9, 0.999, 1e-8)


@MISTAKES.add(where=SECTION)
def numbers_ignored(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The betas and eps are always the defaults.

    They are arguments. Use what comes in.
    """
    return reference.adam_update(param, grad, m, v, step, lr)


@MISTAKES.add(where=SECTION)
def only_the_step(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The change is returned in place of the new parameter.

    What is asked for is where the parameter is after the step.
    """
    moved, m, v = reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)
    return moved - param, m, v


@MISTAKES.add(where=SECTION)
def another_order(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The means come first, and the parameter last.

    The order is param, m, v, as among the arguments.
    """
    m, v, moved = (reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)[i] for i in (1, 2, 0))
    return m, v, moved


@MISTAKES.add(where=SECTION)
def parameter_only(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Only the parameter is returned.

    The next step needs the means, too: return all three.
    """
    return reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)[0]


@MISTAKES.add(where=SECTION)
def in_place(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The parameter and the means are changed in place.

    `*=`, `+=` and `-=` write into the arrays that you were given. Make new ones.
    """
    m *= beta_1
    m += (1 - beta_1) * grad
    v *= beta_2
    v += (1 - beta_2) * grad**2
    param -= lr * rule(m, v, 1 - beta_1**step, 1 - beta_2**step, eps)
    return param, m, v


@MISTAKES.add(where=STEPS)
def squares_added_up(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """v is the sum of all squares.

    That is AdaGrad, whose steps become smaller and smaller. Adam forgets: the old v counts beta_2, the new square
    1 - beta_2.
    """
    m, _ = means(grad, m, v, beta_1, beta_2)
    return from_means(m, v + grad**2, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def one_mean_for_all_entries(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The squares are averaged over all entries.

    Every entry has a v of its own. That is what gives each parameter its own step.
    """
    m, _ = means(grad, m, v, beta_1, beta_2)
    return from_means(m, beta_2 * v + (1 - beta_2) * (grad**2).mean(), param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def weights_of_m_exchanged(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """beta_1 and 1 - beta_1 are swapped.

    The old mean keeps the large weight: it changes slowly.
    """
    _, v_new = means(grad, m, v, beta_1, beta_2)
    return from_means((1 - beta_1) * m + beta_1 * grad, v_new, param, step, lr, beta_1, beta_2, eps)


@MISTAKES.add(where=STEPS)
def gradient_over_root(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The gradient itself is divided by the root, not its running mean.

    m is there to smooth out what differs from batch to batch. It stands above the fraction bar.
    """
    m, v, _, c_2 = means_and_corrections(grad, m, v, step, beta_1, beta_2)
    return param - lr * rule(grad, v, 1.0, c_2, eps), m, v


@MISTAKES.add(where=SECTION)
def no_gradient_no_step(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Where the gradient is 0, the parameter is not moved.

    The mean of earlier gradients still moves it.
    """
    moved, m, v = reference.adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)
    return param + (grad != 0) * (moved - param), m, v


@MISTAKES.add(where=STEPS)
def adagrad(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """v is the sum of all squares, and nothing is corrected.

    That is AdaGrad. Adam forgets: the old v counts beta_2, the new square 1 - beta_2. And both means begin too small.
    """
    m, v = means(grad, m, v, beta_1, beta_2)[0], v + grad**2
    return param - lr * rule(m, v, 1, 1, eps), m, v


@MISTAKES.add(where=STEPS)
def adagrad_of_the_gradient(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """v is the sum of all squares, and the gradient itself is divided by its root.

    That is AdaGrad. In Adam v is a running mean, and so is what stands above the fraction bar; both are corrected.
    """
    m, v = means(grad, m, v, beta_1, beta_2)[0], v + grad**2
    return param - lr * rule(grad, v, 1, 1, eps), m, v


@MISTAKES.add(where=STEPS)
def rmsprop(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The gradient itself is divided by the root of v, which is not corrected.

    That is RMSProp. Adam has the running mean of the gradient above the fraction bar, and corrects both means.
    """
    m, v = means(grad, m, v, beta_1, beta_2)
    return param - lr * rule(grad, v, 1, 1, eps), m, v


@MISTAKES.add(where=STEPS)
def gradient_clipped(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """The gradient is cut off at -1 and 1.

    Nothing in the formulas does that. Large gradients are dealt with by the root of v.
    """
    return reference.adam_update(param, np.clip(grad, -1, 1), m, v, step, lr, beta_1, beta_2, eps)
