"""Functions that learners wrote for `layer_norm_backward`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "leaves the last term out, x_hat times the mean of g times x_hat",
    names={"deviation-constant"},
    line="dX = (g - g.mean(-1, keepdims=True)) / s",
)
def no_stretch_term(d_output, X, gamma, eps=1e-5):
    mu = X.mean(-1, keepdims=True)
    s = np.sqrt(X.var(-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "leaves the mean of g out, so the gradient still shifts the whole token",
    names={"mean-constant"},
    line="dX = (g - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s",
)
def no_shift_term(d_output, X, gamma, eps=1e-5):
    c = X - X.mean(axis=-1, keepdims=True)
    s = np.sqrt((c**2).mean(axis=-1, keepdims=True) + eps)
    x_hat = c / s
    g = d_output * gamma
    dX = (g - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    d = X.shape[-1]
    return dX, (d_output * x_hat).reshape(-1, d).sum(axis=0), d_output.reshape(-1, d).sum(axis=0)


@wrong("forgets gamma: g is the gradient of the output itself", names={"gamma-forgotten"}, line="g = d_output")
def gamma_forgotten(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output
    g_bar = g.mean(axis=-1, keepdims=True)
    gx_bar = (g * x_hat).mean(axis=-1, keepdims=True)
    dX = (g - g_bar - x_hat * gx_bar) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "computes the gradients of gamma and beta with g, so gamma is multiplied in where it does not belong",
    names={"gamma-in-parameters"},
    line="d_gamma = (g * x_hat).sum(axis=axes)",
)
def gamma_in_parameter_gradients(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    d_gamma = (g * x_hat).sum(axis=axes)
    d_beta = g.sum(axis=axes)
    return dX, d_gamma, d_beta


@wrong(
    "does not sum the gradients of gamma and beta over the tokens: they have the shape of X",
    names={"not-summed"},
    line="d_gamma = d_output * x_hat",
)
def not_summed(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    d_gamma = d_output * x_hat
    d_beta = d_output
    return dX, d_gamma, d_beta


@wrong(
    "sums the gradients of gamma and beta over axis 0 only, so a batch keeps its other axes and a single token "
    "gives one number",
    names={"first-axis-only"},
    line="d_gamma = np.sum(d_output * x_hat, axis=0)",
)
def sums_first_axis(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    m1 = g.mean(axis=-1, keepdims=True)
    m2 = (g * x_hat).mean(axis=-1, keepdims=True)
    d_gamma = np.sum(d_output * x_hat, axis=0)
    d_beta = np.sum(d_output, axis=0)
    return (g - m1 - x_hat * m2) / s, d_gamma, d_beta


@wrong(
    "divides dX by the variance plus eps instead of by its root",
    names={"divided-by-variance"},
    line="dX = (g - m1 - x_hat * m2) / var",
)
def divides_by_variance(d_output, X, gamma, eps=1e-5):
    c = X - X.mean(axis=-1, keepdims=True)
    var = np.mean(c**2, axis=-1, keepdims=True) + eps
    x_hat = c / np.sqrt(var)
    g = gamma * d_output
    m1 = np.mean(g, axis=-1, keepdims=True)
    m2 = np.mean(g * x_hat, axis=-1, keepdims=True)
    dX = (g - m1 - x_hat * m2) / var
    axes = tuple(range(X.ndim - 1))
    return dX, np.sum(d_output * x_hat, axis=axes), np.sum(d_output, axis=axes)


@wrong(
    "takes sums over the features where the formula has means",
    names={"sums-for-means"},
    line="m1 = g.sum(axis=-1, keepdims=True)",
)
def sums_for_means(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    m1 = g.sum(axis=-1, keepdims=True)
    m2 = (g * x_hat).sum(axis=-1, keepdims=True)
    dX = (g - m1 - x_hat * m2) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong("returns d_beta before d_gamma", names={"beta-before-gamma"}, line="return dX, d_beta, d_gamma")
def order_of_results(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    d_gamma = (d_output * x_hat).sum(axis=axes)
    d_beta = d_output.sum(axis=axes)
    return dX, d_beta, d_gamma


@wrong(
    "adds eps to the standard deviation, outside the root",
    names={"eps-outside"},
    line="s = X.std(axis=-1, keepdims=True) + eps",
)
def eps_outside(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = X.std(axis=-1, keepdims=True) + eps
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "uses the input X where the formula has the normalised token x_hat",
    line="m2 = (g * X).mean(axis=-1, keepdims=True)",
)
def input_for_normalised(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    g = d_output * gamma
    m1 = g.mean(axis=-1, keepdims=True)
    m2 = (g * X).mean(axis=-1, keepdims=True)
    dX = (g - m1 - X * m2) / s
    d = X.shape[-1]
    d_gamma = (d_output * X).reshape(-1, d).sum(axis=0)
    d_beta = d_output.reshape(-1, d).sum(axis=0)
    return dX, d_gamma, d_beta


@wrong(
    "treats mean and deviation as constants: dX is g / s, both correcting terms are missing",
    names={"only-divided"},
    line="dX = g / s",
)
def only_first_term(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = g / s
    axes = tuple(range(d_output.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong("adds the last term instead of subtracting it", names={"sign-of-deviation"}, line="inner = g - m1 + x_hat * m2")
def sign_of_stretch(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    m1 = g.mean(axis=-1, keepdims=True)
    m2 = (g * x_hat).mean(axis=-1, keepdims=True)
    inner = g - m1 + x_hat * m2
    axes = tuple(range(X.ndim - 1))
    return inner / s, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "sums the gradients of gamma and beta over the features, so there is one number per token",
    names={"summed-over-features"},
    line="d_gamma = (d_output * x_hat).sum(axis=-1)",
)
def sums_over_features(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    d_gamma = (d_output * x_hat).sum(axis=-1)
    d_beta = d_output.sum(axis=-1)
    return dX, d_gamma, d_beta


@wrong(
    "multiplies the two means, of g and of x_hat, instead of taking the mean of their product",
    names={"deviation-constant"},
    line="m2 = g.mean(axis=-1, keepdims=True) * x_hat.mean(axis=-1, keepdims=True)",
)
def mean_of_each(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    m1 = g.mean(axis=-1, keepdims=True)
    m2 = g.mean(axis=-1, keepdims=True) * x_hat.mean(axis=-1, keepdims=True)
    axes = tuple(range(X.ndim - 1))
    return (g - m1 - x_hat * m2) / s, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "two: gamma is forgotten in dX, and the gradients of gamma and beta are averaged over the tokens, not summed",
    names={"gamma-forgotten", "mean-over-tokens"},
    line="m1 = d_output.mean(axis=-1, keepdims=True)",
)
def gamma_and_mean(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    m1 = d_output.mean(axis=-1, keepdims=True)
    m2 = (d_output * x_hat).mean(axis=-1, keepdims=True)
    dX = (d_output - m1 - x_hat * m2) / s
    d = X.shape[-1]
    return dX, (d_output * x_hat).reshape(-1, d).mean(axis=0), d_output.reshape(-1, d).mean(axis=0)


@wrong(
    "forgets keepdims in the means of g and of g times x_hat, so they do not line up with the tokens",
    line="dX = (g - g.mean(axis=-1) - x_hat * (g * x_hat).mean(axis=-1)) / s",
)
def means_without_keepdims(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1) - x_hat * (g * x_hat).mean(axis=-1)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "two: the last term is missing in dX, and the gradients of gamma and beta are exchanged",
    names={"beta-before-gamma", "deviation-constant"},
    line="dX = (g - np.mean(g, axis=-1, keepdims=True)) / s",
)
def term_and_order(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = (g - np.mean(g, axis=-1, keepdims=True)) / s
    d = X.shape[-1]
    d_gamma = (d_output * x_hat).reshape(-1, d).sum(axis=0)
    d_beta = d_output.reshape(-1, d).sum(axis=0)
    return dX, d_beta, d_gamma


@right
def by_the_formula(d_output, X, gamma, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@right
def long_rows(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    x, dy = X.reshape(-1, d), d_output.reshape(-1, d)
    c = x - x.mean(1)[:, None]
    s = np.sqrt((c * c).mean(1) + eps)[:, None]
    h = c / s
    g = dy * gamma
    dx = (g - g.mean(1)[:, None] - h * (g * h).mean(1)[:, None]) / s
    return dx.reshape(X.shape), np.einsum("td,td->d", dy, h), dy.sum(0)


@right
def chain_rule_in_steps(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    c = X - X.mean(axis=-1, keepdims=True)
    var = (c**2).mean(axis=-1, keepdims=True)
    s = np.sqrt(var + eps)
    d_hat = d_output * gamma
    d_var = (d_hat * c).sum(axis=-1, keepdims=True) * -0.5 / s**3
    d_c = d_hat / s + 2 * c * d_var / d
    dX = d_c - d_c.mean(axis=-1, keepdims=True)
    rows = (d_output * c / s).reshape(-1, d)
    return dX, rows.sum(axis=0), d_output.reshape(-1, d).sum(axis=0)


@right
def jacobian_for_each_token(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    dX, d_gamma, d_beta = np.zeros(X.shape), np.zeros(d), np.zeros(d)
    for i in np.ndindex(X.shape[:-1]):
        s = np.sqrt(X[i].var() + eps)
        h = (X[i] - X[i].mean()) / s
        J = (np.eye(d) - 1 / d - np.outer(h, h) / d) / s
        dX[i] = J @ (gamma * d_output[i])
        d_gamma += d_output[i] * h
        d_beta += d_output[i]
    return dX, d_gamma, d_beta


@wrong(
    "takes the tokens as they came in for the gradient of gamma",
    names={"raw-x-in-d-gamma"},
    line="d_gamma = (d_output * X).reshape(-1, X.shape[-1]).sum(axis=0)",
)
def gamma_from_X(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    d_gamma = (d_output * X).reshape(-1, X.shape[-1]).sum(axis=0)
    d_beta = d_output.reshape(-1, X.shape[-1]).sum(axis=0)
    return dX, d_gamma, d_beta


@wrong("has gamma in the gradients of gamma and beta", names={"gamma-in-parameters"})
def gamma_everywhere(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    d_output = d_output * gamma
    m1 = d_output.mean(axis=-1, keepdims=True)
    m2 = (d_output * x_hat).mean(axis=-1, keepdims=True)
    axes = tuple(range(X.ndim - 1))
    return (d_output - m1 - x_hat * m2) / s, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "multiplies the mean of g by the mean of x_hat instead of taking the mean of the product",
    names={"deviation-constant"},
)
def product_of_means(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    g_mean = g.mean(axis=-1, keepdims=True)
    dX = (g - g_mean - x_hat * g_mean * x_hat.mean(axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong("multiplies x_hat by gamma, as in the output of the forward pass", line="x_hat = gamma * (X - mean) / s")
def scaled_x_hat(d_output, X, gamma, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = gamma * (X - mean) / s
    g = d_output * gamma
    dX = (g - g.mean(-1, keepdims=True) - x_hat * (g * x_hat).mean(-1, keepdims=True)) / s
    lead = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(lead), d_output.sum(lead)


@wrong("takes the means of g and of g times x_hat over the tokens instead of the features", names={"over-tokens"})
def means_over_tokens(d_output, X, gamma, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mean) / s
    g = d_output * gamma
    dX = (g - g.mean(axis=0) - x_hat * (g * x_hat).mean(axis=0)) / s
    lead = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(lead), d_output.sum(lead)


@wrong(
    "the mean of g times x_hat has no axis: one number for all tokens",
    names={"product-averaged-over-everything"},
    line="third = x_hat * np.mean(g * x_hat)",
)
def one_mean_for_all(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    mu = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(((X - mu) ** 2).mean(axis=-1, keepdims=True) + eps)
    x_hat = (X - mu) / s
    g = d_output * gamma
    third = x_hat * np.mean(g * x_hat)
    dX = (g - g.mean(axis=-1, keepdims=True) - third) / s
    d_gamma = (d_output * x_hat).reshape(-1, d).sum(axis=0)
    return dX, d_gamma, d_output.reshape(-1, d).sum(axis=0)


@wrong("divides only the last of three terms by the deviation", names={"only-last-term-divided"})
def only_last_term_divided(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "takes both means over the whole array",
    names={"means-of-everything"},
    line="dX = (g - g.mean() - x_hat * (g * x_hat).mean()) / s",
)
def means_of_everything(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = (g - g.mean() - x_hat * (g * x_hat).mean()) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)


@wrong(
    "two mistakes: gamma is missing in dX, and the sums run over the first axis only",
    names={"first-axis-only", "gamma-forgotten"},
)
def no_gamma_and_axis_0(d_output, X, gamma, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - mean) / s
    g = d_output
    dX = (g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)) / s
    d = X.shape[-1]
    return dX, (d_output * x_hat).sum(axis=0), d_output.sum(axis=0)


@wrong(
    "takes the mean of the gradient over the whole array",
    names={"mean-of-everything"},
    line="dX = (g - np.mean(g) - x_hat * np.mean(g * x_hat, axis=-1, keepdims=True)) / s",
)
def one_mean_without_axis(d_output, X, gamma, eps=1e-5):
    s = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    x_hat = (X - X.mean(axis=-1, keepdims=True)) / s
    g = d_output * gamma
    dX = (g - np.mean(g) - x_hat * np.mean(g * x_hat, axis=-1, keepdims=True)) / s
    axes = tuple(range(X.ndim - 1))
    return dX, (d_output * x_hat).sum(axis=axes), d_output.sum(axis=axes)
