"""Specification of `adam_update`."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

STEPS = "Two running means, corrected"
EPS = "What eps is for"

RETURNS = (Output("param", "(...)"), Output("m", "(...)"), Output("v", "(...)"))

EXERCISE = Exercise(
    reference=reference.adam_update,
    asks="one update of a parameter by Adam, with the new running means.",
    returns=RETURNS,
    where=STEPS,
    calls=calls.ADAM_UPDATE,
    lookalike=lookalikes.ADAM_UPDATE,
)


def _state(rng, *shape):
    """Draw a parameter, its gradient, and running means as they are in the middle of a training."""
    param, grad, m = rng.standard_normal((3, *shape))
    return param, grad, m, rng.random(shape) + 0.5


def _steep(rng, *shape):
    """Draw such a state with gradients so large that the eps of the paper does not matter, wherever it is added."""
    param, grad, m, v = _state(rng, *shape)
    return param, 2.0**5 * grad, 2.0**5 * m, 2.0**10 * v


def _later(rng):
    return int(rng.integers(3, 9)), float(rng.uniform(0.1, 0.5))


@EXERCISE.claim(0.5)
def mean_of_gradient(call, rng):
    """m is the running mean of the gradient"""
    param, grad, m, v = _state(rng, 6)
    call.agrees_in(1, param, 30 * grad, m, v, *_later(rng))  # large gradients are not cut


@EXERCISE.claim(0.5)
def mean_of_square(call, rng):
    """v is the running mean of its square"""
    param, grad, m, v = _state(rng, 6)
    call.agrees_in(2, param, 30 * grad, m, v, *_later(rng))


@EXERCISE.claim(1)
def first(call, rng):
    """the first step goes by the learning rate, whatever the size of the gradient"""
    nothing = np.zeros(3)
    call.agrees_in(0, np.array([1.0, 2.0, 3.0]), np.array([0.5, -8.0, 0.0]), nothing, nothing, 1, 0.25)  # by hand
    param, grad, *_ = _state(rng, 7)
    grad *= 10.0 ** rng.permutation(np.arange(-3, 4))
    call.agrees_in(0, param, grad, np.zeros(7), np.zeros(7), 1, _later(rng)[1])


@EXERCISE.claim(0.75)
def corrected(call, rng):
    """later steps are corrected by their own number"""
    call.agrees_in(0, *_steep(rng, 6), *_later(rng))
    call.agrees_in(0, *_steep(rng, 6), int(rng.integers(20, 40)), 0.3)
    param, grad, m, v = _steep(rng, 6)
    grad *= 5.0
    grad[2] = 0.0  # the mean of earlier gradients still moves it
    call.agrees_in(0, param, grad, m, v, int(rng.integers(120, 160)), 0.3)


@EXERCISE.claim(0.75)
def numbers(call, rng):
    """takes both betas and eps as they are given; eps is added to the root"""
    beta_1, beta_2 = float(rng.uniform(0.5, 0.7)), float(rng.uniform(0.75, 0.85))

    def draw():
        return *_state(rng, 5), *_later(rng), beta_1, beta_2, 0.2

    call.agrees(*telling(EXERCISE, draw, "gradient-clipped"))
    call.agrees(*_state(rng, 5), *_later(rng), eps=0.5, beta_2=beta_2)


@EXERCISE.claim(0.25)
def any_shape(call, rng):
    """takes arrays of any shape, and float32"""
    call.agrees(*_steep(rng), *_later(rng))  # a single number
    call.agrees(*_steep(rng, 2, 3, 4), *_later(rng))
    call.agrees(*_steep(rng, 1, 3, 1), *_later(rng))
    call.agrees(*(array.astype(np.float32) for array in _state(rng, 4)), *_later(rng))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = (*_steep(rng, 5), *_later(rng))
    call.leaves_inputs_alone(*args)
    call.agrees_in(0, *args)


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
MEAN = "beta_1 * m + (1 - beta_1) * grad"
MEAN_SQUARE = "beta_2 * v + (1 - beta_2) * grad**2"
QUOTIENT = "mean / (np.sqrt(mean_square) + eps)"

wrong("not-corrected", {"m / (1 - beta_1**step)": "m", "v / (1 - beta_2**step)": "v"}, """
    Neither of the means is corrected.
    Both means begin at 0 and take many steps to get away from it. Uncorrected, the first steps have the wrong size.""")

wrong("only-m-corrected", {"v / (1 - beta_2**step)": "v"}, """
    Only the mean of the gradient is corrected.
    The mean of the squares begins at 0, too. While it is too small, the steps are too large.""")

wrong("only-v-corrected", {"m / (1 - beta_1**step)": "m"}, """
    Only the mean of the squares is corrected.
    The mean of the gradient begins at 0, too. While it is too small, so are the steps.""")

wrong("multiplied", {"m / (": "m * (", "v / (": "v * ("}, """
    The means are multiplied by their corrections.
    The corrections are less than 1, and the means are too small: divide.""")

wrong("constant-correction", {"beta_1**step": "beta_1", "beta_2**step": "beta_2"}, """
    The betas are not raised to the power of the step.
    That is right for the first step only. Later the means have less and less to be corrected.""")

for mean, beta in (("m", "beta_1"), ("v", "beta_2")):
    wrong(f"constant-correction-of-{mean}", {f"{beta}**step": beta}, f"""
    {beta} is not raised to the power of the step.
    That is right for the first step only. Later {mean} has less and less to be corrected.""")

wrong("times-the-step", {"beta_1**step": "beta_1 * step", "beta_2**step": "beta_2 * step"}, """
    A beta is multiplied by the step, not raised to its power.
    `**` is the power. A product soon exceeds 1, and the correction becomes negative.""")

wrong("times-the-step-for-m", {"beta_1**step": "beta_1 * step"}, """
    beta_1 is multiplied by the step, not raised to its power.
    `**` is the power. A product soon exceeds 1, and the correction becomes negative.""")

wrong("power-of-the-difference",
      {"(1 - beta_1**step)": "(1 - beta_1) ** step", "(1 - beta_2**step)": "(1 - beta_2) ** step"}, """
    1 - beta is raised to the power of the step, not beta alone.
    The power belongs to the beta, inside the brackets. Your correction falls towards 0, when it should rise towards
    1.""")

for mean, beta in (("m", "beta_1"), ("v", "beta_2")):
    wrong(f"power-of-the-difference-for-{mean}", {f"(1 - {beta}**step)": f"(1 - {beta}) ** step"}, f"""
    1 - {beta} is raised to the power of the step, not {beta} alone.
    The power belongs to the beta, inside the brackets. Your correction falls towards 0, when it should rise towards
    1.""")

wrong("correction-kept", {"eps), m, v": "eps), mean, mean_square"}, """
    The corrected means are returned.
    The correction is for this step only. The next step goes on from the means as they are, or it would correct what has
    been corrected already.""")

wrong("one-step-ahead", {"beta_1**step": "beta_1 ** (step + 1)", "beta_2**step": "beta_2 ** (step + 1)"}, """
    The correction is that of the next step.
    Steps count from 1, so the power is 1 at the first step already.""")

wrong("one-step-behind", {"beta_1**step": "beta_1 ** (step - 1)", "beta_2**step": "beta_2 ** (step - 1)"}, """
    The correction is that of the step before.
    The steps count from 1. With the power 0 the first correction would be a division by 0.""")

wrong.at(EPS)
wrong("eps-inside", {"(np.sqrt(mean_square) + eps)": "np.sqrt(mean_square + eps)"}, """
    eps is added inside the root.
    In layer norm eps is inside the root. Here it is added to the root, as in the paper on Adam.""")

wrong("eps-before-correction", {QUOTIENT: "mean * np.sqrt(1 - beta_2**step) / (np.sqrt(v) + eps)"}, """
    eps is added before the mean of the squares is corrected.
    Some libraries do so. Here the mean is corrected first, and eps is added to the root of the result.""")

wrong("no-eps", {" + eps": ""}, """
    eps is left out.
    Where the gradient has always been 0, that would be 0 divided by 0.""")

wrong.at(STEPS)
wrong("no-root", {"np.sqrt(mean_square)": "mean_square"}, """
    The gradient is divided by the mean square, without a root.
    The mean of the squares has the size of a squared gradient. Only its root has the size of a gradient, so that the
    two cancel.""")

wrong("correction-outside-root", {"np.sqrt(mean_square)": "np.sqrt(v) / (1 - beta_2**step)"}, """
    The root of the mean square is corrected, not the mean square itself.
    First v is corrected, then the root is taken.""")

wrong("one-beta-for-both", {"beta_2**step": "beta_1**step"}, """
    Both corrections are made with beta_1.
    Each mean is corrected with the beta that it is made with.""")

wrong.at(EPS)
wrong("eps-outside-fraction", {QUOTIENT: "(mean / np.sqrt(mean_square) + eps)"}, """
    eps is added to the quotient, not to the root.
    `/` comes before `+`. The sum below the fraction bar needs brackets.""")

wrong.at()
wrong("sign", {"param - lr": "param + lr"}, """
    The parameter moves along the gradient.
    The gradient points to where the loss grows. The step goes the other way.""")

wrong.at(STEPS)
wrong("old-means", {
    f"m = {MEAN}": f"old_m, old_v = m, v\n    m = {MEAN}",
    "m / (1 - beta_1**step), v / (": "old_m / (1 - beta_1**step), old_v / (",
}, """
    The parameter is moved by the old means.
    First the means take in the new gradient, then the parameter moves. At the first step the old means are 0.""")

wrong("plain-descent", {QUOTIENT: "grad"}, """
    The parameter is moved by the gradient itself.
    That is gradient descent. In Adam the means decide the step.""")

wrong("not-squared", {"grad**2": "grad"}, """
    v is a mean of the gradient, not of its square.
    v measures how large the gradients are, whatever their sign. So they are squared, entry by entry.""")

wrong("square-of-mean", {"grad**2": "m**2"}, """
    v is the mean of the squares of m.
    Where gradients change their sign, m is small. v has to say how large they are all the same.""")

wrong("weights-exchanged", {
    MEAN: "(1 - beta_1) * m + beta_1 * grad",
    MEAN_SQUARE: "(1 - beta_2) * v + beta_2 * grad**2",
}, """
    beta and 1 - beta are swapped in both means.
    The betas are close to 1: a running mean keeps most of what it was, and takes in a little of what is new.""")

wrong("not-weighted", {"(1 - beta_1) * grad\n": "grad\n", "(1 - beta_2) * grad**2": "grad**2"}, """
    The new gradient is added with its full weight.
    That is a sum that fades, as in momentum. In a mean the two weights sum to 1.""")

wrong("no-memory", {"beta_1 * m + ": "", "beta_2 * v + ": ""}, """
    The old means are forgotten.
    A running mean consists of what it was and of what is new.""")

wrong("betas-exchanged", "adam_update(param, grad, m, v, step, lr, beta_2, beta_1, eps)", """
    The two betas are swapped.
    beta_1 belongs to the mean of the gradient, beta_2 to that of its square.""")

wrong.at()
wrong("own-numbers", "adam_update(param, grad, m, v, step, lr, 0.9, 0.999, 1e-8)", """
    The betas and eps are those of other libraries: 0.9, 0.999 and 1e-8.
    They are arguments, with the values of the Transformer paper as defaults. Use what comes in.""")

wrong("numbers-ignored", "adam_update(param, grad, m, v, step, lr)", """
    The betas and eps are always the defaults.
    They are arguments. Use what comes in.""")

wrong("only-the-step", {f"{QUOTIENT}, m, v": f"{QUOTIENT} - param, m, v"}, """
    The change is returned in place of the new parameter.
    What is asked for is where the parameter is after the step.""")

wrong("another-order", {"return param": "return m, v, param", ", m, v\n": "\n"}, """
    The means come first, and the parameter last.
    The order is param, m, v, as among the arguments.""")

wrong("parameter-only", "adam_update(param, grad, m, v, step, lr, beta_1, beta_2, eps)[0]", """
    Only the parameter is returned.
    The next step needs the means, too: return all three.""")

wrong("in-place", {
    f"m = {MEAN}": "m *= beta_1\n    m += (1 - beta_1) * grad",
    f"v = {MEAN_SQUARE}": "v *= beta_2\n    v += (1 - beta_2) * grad**2",
    f"return param - lr * {QUOTIENT}": f"param -= lr * {QUOTIENT}\n    return param",
}, """
    The parameter and the means are changed in place.
    Operators such as `*=` and `+=` write into the arrays that you were given. Make new ones.""")

wrong.at(STEPS)
wrong("squares-added-up", {MEAN_SQUARE: "v + grad**2"}, """
    v is the sum of all squares.
    That is AdaGrad, whose steps become smaller and smaller. Adam forgets: the old v counts beta_2, the new square 1 -
    beta_2.""")

wrong("one-mean-for-all-entries", {"grad**2": "(grad**2).mean()"}, """
    The squares are averaged over all entries.
    Every entry has a v of its own. That is what gives each parameter its own step.""")

wrong("weights-of-m-exchanged", {MEAN: "(1 - beta_1) * m + beta_1 * grad"}, """
    beta_1 and 1 - beta_1 are swapped.
    The old mean keeps the large weight: it changes slowly.""")

wrong("gradient-over-root", {"lr * mean": "lr * grad"}, """
    The gradient itself is divided by the root, not its running mean.
    m is there to smooth out what differs from batch to batch. It stands above the fraction bar.""")

wrong.at()
wrong("no-gradient-no-step", {QUOTIENT: f"{QUOTIENT} * (grad != 0)"}, """
    Where the gradient is 0, the parameter is not moved.
    The mean of earlier gradients still moves it.""")

wrong.at(STEPS)
wrong("adagrad", {
    MEAN_SQUARE: "v + grad**2",
    "m / (1 - beta_1**step), v / (1 - beta_2**step)": "m, v",
}, """
    v is the sum of all squares, and nothing is corrected.
    That is AdaGrad. Adam forgets: the old v counts beta_2, the new square 1 - beta_2. And both means begin too
    small.""")

wrong("adagrad-of-the-gradient",
      {MEAN_SQUARE: "v + grad**2", "lr * mean": "lr * grad", "v / (1 - beta_2**step)": "v"}, """
    v is the sum of all squares, and the gradient itself is divided by its root.
    That is AdaGrad. In Adam v is a running mean, and so is what stands above the fraction bar; both are corrected.""")

wrong("rmsprop", {"lr * mean": "lr * grad", "v / (1 - beta_2**step)": "v"}, """
    The gradient itself is divided by the root of v, which is not corrected.
    That is RMSProp. Adam has the running mean of the gradient above the fraction bar, and corrects both means.""")

wrong("gradient-clipped", "adam_update(param, np.clip(grad, -1, 1), m, v, step, lr, beta_1, beta_2, eps)", """
    The gradient is cut off at -1 and 1.
    Nothing in the formulas does that. Large gradients are dealt with by the root of v.""")

wrong("betas-exchanged-in-the-means", {
    f"m = {MEAN}": "m = beta_2 * m + (1 - beta_2) * grad",
    MEAN_SQUARE: "beta_1 * v + (1 - beta_1) * grad**2",
}, """
    The two betas are swapped in the running means, and not in the corrections.
    beta_1 belongs to the mean of the gradient, beta_2 to that of its square.""")

wrong("betas-exchanged-in-the-corrections",
      {"m / (1 - beta_1**step), v / (1 - beta_2": "m / (1 - beta_2**step), v / (1 - beta_1"}, """
    The two betas are swapped in the corrections, and not in the running means.
    A correction undoes what the 0 at the beginning has done to its own mean. So it needs the beta of that mean.""")

wrong("beta-1-in-both-means", {MEAN_SQUARE: "beta_1 * v + (1 - beta_1) * grad**2"}, """
    v is made with beta_1, like m.
    The mean of the squares has a beta of its own, which makes it forget more slowly. Its correction expects that
    one.""")

wrong("beta-2-in-both-means", {"beta_1 * m + (1 - beta_1) * grad\n": "beta_2 * m + (1 - beta_2) * grad\n"}, """
    m is made with beta_2, like v.
    The mean of the gradient has a beta of its own, which makes it forget faster. Its correction expects that one.""")

wrong("bracket-of-v-too-wide", {MEAN_SQUARE: "beta_2 * v + (1 - beta_2 * grad**2)"}, """
    In v, the square of the gradient is inside the bracket of 1 - beta_2.
    Two weights that sum to 1 make a mean: beta_2 for the old v and 1 - beta_2 for the new square.""")

wrong("step-for-lr", {"param - lr * mean": "param - step * mean"}, """
    The parameter is moved by the number of the step times the quotient, not by lr times the quotient.
    lr says how far to go. The number of the step is for the corrections alone.""")

wrong("v-from-m", {"beta_2 * v": "beta_2 * m"}, """
    The new v is made from m, not from the old v.
    m and v are two means that know nothing of each other: v continues v.""")

wrong.at(STEPS)
for mean, words, kept in (("m", "gradient", "mean, v"), ("v", "squares", "m, mean_square")):
    wrong(f"correction-kept-in-{mean}", {"eps), m, v": f"eps), {kept}"}, f"""
    The corrected mean of the {words} is returned in the place of {mean}.
    The correction is for this step only. The next step goes on from {mean} as it is, or it would correct what has been
    corrected already.""")

wrong.at(EPS)
wrong("eps-added-to-the-parameter", {QUOTIENT: "mean / np.sqrt(mean_square) + eps"}, """
    eps is added to the parameter, not to the root.
    `/` comes before `+`. The sum below the fraction bar needs brackets.""")

wrong("rate-in-the-root", {f"lr * {QUOTIENT}": "mean / (np.sqrt(mean_square / lr) + eps)"}, """
    The learning rate stands under the root.
    It multiplies the whole step, so that a rate that is half as large makes half the step.""")
