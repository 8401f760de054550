"""Functions that learners wrote for `adam_update`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "the running means are not corrected: m and v are used as they are",
    names={"not-corrected"},
    line="param = param - lr * m / (np.sqrt(v) + eps)",
)
def uncorrected(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    param = param - lr * m / (np.sqrt(v) + eps)
    return param, m, v


@wrong(
    "returns the corrected means instead of m and v as they are, so the next step corrects them again",
    names={"correction-kept"},
    line="m = m / (1 - beta_1**step)",
)
def returns_corrected(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m = m / (1 - beta_1**step)
    v = v / (1 - beta_2**step)
    param = param - lr * m / (np.sqrt(v) + eps)
    return param, m, v


@wrong(
    "eps is added under the root instead of to the root",
    names={"eps-inside"},
    line="new_param = param - lr * m_hat / np.sqrt(v_hat + eps)",
)
def eps_under_root(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad * grad
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    new_param = param - lr * m_hat / np.sqrt(v_hat + eps)
    return new_param, m, v


@wrong(
    "moves along the gradient instead of against it",
    names={"sign"},
    line="param = param + lr * m_hat / (np.sqrt(v_hat) + eps)",
)
def uphill(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    param = param + lr * m_hat / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong("the root of the mean square is forgotten", names={"no-root"}, line="param = param - lr * m_hat / (v_hat + eps)")
def no_root(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * np.square(grad)
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    param = param - lr * m_hat / (v_hat + eps)
    return param, m, v


@wrong(
    "v is a running mean of the gradient, not of its square",
    names={"not-squared"},
    line="v = beta_2 * v + (1 - beta_2) * grad",
)
def gradient_not_squared(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    update = lr * m_hat / (np.sqrt(v_hat) + eps)
    return param - update, m, v


@wrong(
    "updates param, m and v in place, so the caller's arrays are changed instead of new ones being made",
    names={"in-place"},
    line="m *= beta_1",
)
def in_place(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m *= beta_1
    m += (1 - beta_1) * grad
    v *= beta_2
    v += (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    param -= lr * m_hat / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong(
    "the correction divides by 1 - beta at every step: the power of the step is missing",
    names={"constant-correction"},
    line="m_hat = m / (1 - beta_1)",
)
def power_forgotten(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1)
    v_hat = v / (1 - beta_2)
    param = param - lr * m_hat / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong(
    "the weights of the mean are exchanged: the old m gets 1 - beta_1 and the gradient beta_1",
    names={"weights-of-m-exchanged"},
    line="m_new = (1 - beta_1) * m + beta_1 * grad",
)
def weights_exchanged(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m_new = (1 - beta_1) * m + beta_1 * grad
    v_new = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m_new / (1 - beta_1**step)
    v_hat = v_new / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m_new, v_new


@wrong("returns m, v and the parameter in the wrong order", names={"another-order"}, line="return m, v, param")
def wrong_order(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    param = param - lr * m_hat / (np.sqrt(v_hat) + eps)
    return m, v, param


@wrong(
    "the correction of v uses beta_1 instead of beta_2",
    names={"one-beta-for-both"},
    line="v_hat = v_new / (1 - beta_1**step)",
)
def wrong_beta(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m_new = beta_1 * m + (1 - beta_1) * grad
    v_new = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m_new / (1 - beta_1**step)
    v_hat = v_new / (1 - beta_1**step)
    new = param - lr * m_hat / (np.sqrt(v_hat) + eps)
    return new, m_new, v_new


@wrong(
    "divides the gradient itself by the root of the mean square: the running mean m takes no part in the step",
    names={"gradient-over-root"},
    line="param = param - lr * grad / (np.sqrt(v_hat) + eps)",
)
def gradient_instead_of_mean(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    v_hat = v / (1 - beta_2**step)
    param = param - lr * grad / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong(
    "the correction counts steps from 0: it uses the power step + 1",
    names={"one-step-ahead"},
    line="m_hat = m / (1 - beta_1 ** (step + 1))",
)
def one_step_too_many(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1 ** (step + 1))
    v_hat = v / (1 - beta_2 ** (step + 1))
    param = param - lr * m_hat / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong(
    "v is the same for all entries: the squares are averaged over the whole array instead of entry by entry",
    names={"one-mean-for-all-entries"},
    line="v = beta_2 * v + (1 - beta_2) * np.mean(grad**2)",
)
def mean_over_entries(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * np.mean(grad**2)
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong(
    "the brackets around root and eps are missing: eps is added to the parameter, and 0 / 0 remains",
    line="param = param - lr * m_hat / np.sqrt(v_hat) + eps",
)
def brackets_missing(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    param = param - lr * m_hat / np.sqrt(v_hat) + eps
    return param, m, v


@wrong(
    "two: plain gradient descent moves the parameter, and m and v are returned unchanged",
    names={"plain-descent"},
    line="param = param - lr * grad",
)
def plain_descent(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    param = param - lr * grad
    return param, m, v


@wrong(
    "two: the corrected values are made of the old m and v, and beta_2 is used for both means",
    names={"old-means"},
    line="m_hat = m / (1 - beta_1**step)",
)
def corrects_old_means(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    m = beta_2 * m + (1 - beta_2) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    param = param - lr * m_hat / (np.sqrt(v_hat) + eps)
    return param, m, v


@right
def formulas(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@right
def on_copies(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    param, m, v = param.copy(), m.copy(), v.copy()
    m *= beta_1
    m += (1 - beta_1) * grad
    v *= beta_2
    v += (1 - beta_2) * np.square(grad)
    param -= lr * (m / (1 - beta_1**step)) / (np.sqrt(v / (1 - beta_2**step)) + eps)
    return param, m, v


@right
def towards_the_gradient(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    new_m = m + (1 - beta_1) * (grad - m)
    new_v = v + (1 - beta_2) * (grad * grad - v)
    root = np.power(np.divide(new_v, 1 - np.power(beta_2, step)), 0.5)
    direction = np.divide(new_m, 1 - np.power(beta_1, step)) / np.add(root, eps)
    return np.subtract(param, lr * direction), new_m, new_v


@right
def entry_by_entry(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    new_param, new_m, new_v = np.empty_like(param), np.empty_like(m), np.empty_like(v)
    for place in np.ndindex(*param.shape):
        new_m[place] = beta_1 * m[place] + (1 - beta_1) * grad[place]
        new_v[place] = beta_2 * v[place] + (1 - beta_2) * grad[place] ** 2
        m_hat = new_m[place] / (1 - beta_1**step)
        v_hat = new_v[place] / (1 - beta_2**step)
        new_param[place] = param[place] - lr * m_hat / (v_hat**0.5 + eps)
    return new_param, new_m, new_v


@wrong(
    "measures how far the gradient is from its mean instead of its square",
    line="v = beta_2 * v + (1 - beta_2) * (grad - m) ** 2",
)
def distance_from_mean(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * (grad - m) ** 2
    m_hat, v_hat = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong("corrects with the number of the next step", names={"one-step-ahead"})
def next_step(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    step = step + 1
    m_hat, v_hat = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong(
    "takes the gradient itself in place of its corrected mean",
    names={"gradient-over-root"},
    line="param = param - lr * grad / (np.sqrt(v_hat) + eps)",
)
def gradient_itself(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    v_hat = v / (1 - beta_2**step)
    param = param - lr * grad / (np.sqrt(v_hat) + eps)
    return param, m, v


@wrong("multiplies by the corrections instead of dividing by them", names={"multiplied"})
def correction_multiplied(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m * (1 - beta_1**step)
    v_hat = v * (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong(
    "makes v of the square of m instead of the square of the gradient",
    names={"square-of-mean"},
    line="v = beta_2 * v + (1 - beta_2) * m**2",
)
def square_of_m(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * m**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong("cuts the gradient off at -1 and 1 first", names={"gradient-clipped"}, line="grad = np.clip(grad, -1, 1)")
def clipped_gradient(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    grad = np.clip(grad, -1, 1)
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong("two: adds all squares up as AdaGrad does, and corrects nothing", names={"adagrad"})
def adagrad(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    v = v + grad**2
    m = beta_1 * m + (1 - beta_1) * grad
    return param - lr * m / (np.sqrt(v) + eps), m, v


@wrong(
    "AdaGrad: adds all squares up and divides the gradient itself, m is only kept",
    names={"adagrad-of-the-gradient"},
)
def plain_adagrad(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = v + grad**2
    return param - lr * grad / (np.sqrt(v) + eps), m, v


@wrong(
    "RMSProp: divides the gradient itself by the root of the uncorrected mean square, m is only kept",
    names={"rmsprop"},
)
def rmsprop(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    return param - lr * grad / (np.sqrt(v) + eps), m, v


@wrong(
    "takes beta_2 for the mean of the gradient and beta_1 for that of its square; the corrections are right",
    names={"betas-exchanged-in-the-means"},
    line="m = beta_2 * m + (1 - beta_2) * grad",
)
def betas_of_the_means_swapped(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_2 * m + (1 - beta_2) * grad
    v = beta_1 * v + (1 - beta_1) * grad**2
    m_hat = m / (1 - beta_1**step)
    v_hat = v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong(
    "corrects m with beta_2 and v with beta_1",
    names={"betas-exchanged-in-the-corrections"},
    line="m_hat = m / (1 - beta_2**step)",
)
def corrections_swapped(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    m_hat = m / (1 - beta_2**step)
    v_hat = v / (1 - beta_1**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v


@wrong(
    "makes both running means with beta_1",
    names={"beta-1-in-both-means"},
    line="v = beta_1 * v + (1 - beta_1) * grad * grad",
)
def beta_1_twice(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_1 * v + (1 - beta_1) * grad * grad
    m_hat, v_hat = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * m_hat / (np.sqrt(v_hat) + eps), m, v
