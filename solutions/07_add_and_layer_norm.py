# %% [markdown]
# # 07 Add and layer norm
#
# Every sub-layer of a Transformer, attention or feed-forward network, is wrapped in two operations: a sum and a norm.
# Here you write both, build an encoder layer, and find out why their order can decide whether a model learns at all.
#
# **{{points}}, {{time}}.**
# You need means and variances along an axis, masks (03), multi-head attention (04), the feed-forward network (06), and for the second
# sitting the chain rule.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
from functools import partial

import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import skip_if_unimplemented
from transformer_kit.examples.norms import PRINTED
from transformer_kit.experiments import depth, norms
from transformer_kit.experiments.open_tasks import words_after_folding
from transformer_kit.experiments.whole_model.one_change import count_right
from transformer_kit.experiments.whole_model.one_sentence import translated, watched
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import init_encoder_layer
from transformer_kit.pictures import training_runs
from transformer_kit.trained.model import load_model
from transformer_kit.trained.recorded import load_recording

causal_mask, first_leak, multi_head_attention, position_wise_ffn = load(
    "causal_mask", "first_leak", "multi_head_attention", "position_wise_ffn"
)

# %%
progress("07")

# %% [markdown]
# ## Three training runs
#
# A sub-layer's input is added to its output, and a *norm* rescales every vector to the same size. The norm can go in two places:
#
# - **post-norm**, as in the original paper: first the sum, then the norm;
# - **pre-norm**, as in most later models: the norm first, before the sub-layer, and then the sum.
#
# Three training runs of a model with six layers were recorded: the same first parameters, the same batches, the same learning rate (the
# size of a step). In one of them the rate rises to its full size over 200 steps, a *warm-up*.
#
# ### Predict: which one learns nothing?
#
# - **A** post-norm with warm-up
# - **B** post-norm without warm-up
# - **C** pre-norm without warm-up
# - **D** none of these three runs

# %% answer="which-training-stalls"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("which-training-stalls", answer)

# %%
training_runs(load_recording("norms"))

# %% [markdown]
# Go through the first ten steps with the arrow keys. Nothing explodes, and nothing becomes NaN. What goes wrong instead? The second
# sitting comes back to it.
#
# ## Why deep stacks need help
#
# Take 12 layers with random weights, and measure after each the size of the vectors (their root mean square), and of the gradient that
# arrives from a loss at the top (read this plot from right to left). In one stack the sub-layers simply follow each other. In the
# other, each sub-layer's input is added to its output: a *residual connection* (He et al. 2015).

# %%
norms.layers_without_norm()

# %% [markdown]
# The sum gives vectors and gradients a direct path. But now both grow, the gradients more than a millionfold. Something has to keep
# the size in check.
#
# ## Exercise {{layer_norm}}: layer_norm
#
# *{{points layer_norm}}, about 15 minutes, difficulty 2 of 5*
#
# Layer norm (Ba et al. 2016) gives every token vector mean 0 and variance 1, and then each feature a scale and a shift that are learned.
# For one token $x$ with $d$ features:
#
# $$\mu = \frac{1}{d}\sum_{j} x_j \qquad \sigma^2 = \frac{1}{d}\sum_{j} (x_j - \mu)^2 \qquad
# y_j = \gamma_j\,\frac{x_j - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta_j$$
#
# ### One mean and one variance per token
#
# Two sentences of three tokens with four features; numbers that are averaged together share a group number.

# %%
norms.who_shares_a_mean()

# %% [markdown]
# *Batch norm* (Ioffe and Szegedy 2015) works down the columns: a token's result depends on all others in the batch, padding
# included. Layer norm treats every token on its own: 8 sentences of 10 tokens have 80 means.
#
# ### The variance, and eps inside the root
#
# - The squares are divided by $d$, not by $d - 1$ (*population* variance).
# - Subtract the mean before you square. $\overline{x^2} - \mu^2$ is the same on paper, but for a token far from 0 it
#   is a small difference of two huge numbers, and the digits that matter are lost.
# - $\varepsilon$ is added to the variance, under the root. So a vector of equal entries becomes $\beta$ and not 0 / 0.
#
# $\gamma$ and $\beta$ have one entry per feature, the same for all tokens, and start at 1 and 0. "Mean 0 and variance 1" holds *before*
# they are applied. That is where the variance 1 of unit 02 came from: at the start of training, queries and keys are made of such vectors.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., d)` | token vectors; any leading axes, or none |
# | `gamma`, `beta` | `(d,)` | scale and shift of every feature |
# | means, variances | `(..., 1)` | one per token |
# | result | `(..., d)` | a new array |
#
# **By hand.** Take (1, 2, 3, 4), $\gamma$ = (1, 1, 2, 1), $\beta$ = (0, 0, 0, 10) and $\varepsilon$ = 0.
# The mean is 2.5. The squares 2.25, 0.25, 0.25, 2.25 have the mean 1.25, and its root is 1.1180.
# Normalised: -1.3416, -0.4472, 0.4472, 1.3416. Scaled and shifted: -1.3416, -0.4472, 0.8944, 11.3416.

# %% solution="layer_norm"
def layer_norm(X, gamma, beta, eps=1e-5):
    """Give every token vector mean 0 and variance 1, then scale and shift its features.

    X (..., d), gamma and beta (d,) -> (..., d). eps is added to the variance.
    """
    ### BEGIN SOLUTION
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)  # (..., 1)
    return gamma * centred / np.sqrt(variance + eps) + beta
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    gamma, beta = np.array([1.0, 1.0, 2.0, 1.0]), np.array([0.0, 0.0, 0.0, 10.0])
    print(layer_norm(np.array([1.0, 2.0, 3.0, 4.0]), gamma, beta, eps=0.0).round(4))

# %% check="layer_norm"
check(layer_norm)

# %% [markdown]
# <details><summary>Hint 1: which axis, counted from which end?</summary>
#
# The same function gets one token of shape `(d,)`, a sentence `(n, d)` and a batch `(B, n, d)`.
# Which number names the features in all three?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The mean of `(2, 3, 5)` over its last axis has shape `(2, 3)`, and that does not line up with `(2, 3, 5)`.
# With `keepdims=True` it has shape `(2, 3, 1)`, and that does.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Subtract from every token its own mean, and keep the result in a new array.
# 2. Average the squares of what is left.
# 3. Add eps, take the root, and divide by it.
# 4. Multiply by gamma and add beta. Both line up with the last axis by themselves.
#
# </details>
#
# ### Predict: a nearly constant token
#
# A token's standard deviation is 0.0001. What is it after the norm, with
# $\varepsilon$ = 1e-5, $\gamma$ = 1 and $\beta$ = 0?
#
# - **A** 0
# - **B** 0.03
# - **C** 0.91
# - **D** 1

# %% answer="tiny-spread"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("tiny-spread", answer)

# %% [markdown]
# ## Exercise {{post_norm}}: post_norm
#
# *{{points post_norm}}, about 5 minutes, difficulty 1 of 5*
#
# "Add & Norm" in the figure of the original paper means (Vaswani et al. 2017, section 3.1):
#
# $$\text{post-norm}(X) = \text{LayerNorm}\big(X + \text{sublayer}(X)\big)$$
#
# `sublayer` is a *function*, from an array to an array of the same shape.
# Give it all of `X` at once: in attention the tokens look at each other.
# The norm is the last step. Pass `gamma`, `beta` and `eps` to your `layer_norm`.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d)` | token vectors |
# | `sublayer` | a function | takes and returns the shape of `X` |
# | `gamma`, `beta` | `(d,)` | for the norm |
# | result | `(..., n, d)` | a new array |
#
# **By hand.** A sub-layer that swaps neighbours and doubles them turns (1, 2, 3, 4) into (4, 2, 8, 6).
# The sum, (5, 4, 11, 10), becomes -0.8220, -1.1508, 1.1508, 0.8220.

# %% solution="post_norm"
def post_norm(X, sublayer, gamma, beta, eps=1e-5):
    """Add what a sub-layer returns to its input, then normalise.

    X (..., n, d), sublayer from this shape to the same, gamma and beta (d,) -> (..., n, d).
    """
    ### BEGIN SOLUTION
    return layer_norm(X + sublayer(X), gamma, beta, eps)
    ### END SOLUTION


# %%
def exchange_and_double(Z):
    """Play the part of a sub-layer."""
    return 2 * Z[..., [1, 0, 3, 2]]


with skip_if_unimplemented():
    print(post_norm(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4)).round(4))

# %% check="post_norm"
check(post_norm)

# %% [markdown]
# <details><summary>Hint 1: what is the last thing that happens?</summary>
#
# Read the formula from the inside to the outside. Which operation is outermost?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything has the shape of `X`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Call the sub-layer with the input.
# 2. Add the input to the result, in a new array.
# 3. Return the layer norm of the sum, with the scale, the shift and the eps that you were given.
#
# </details>

# %% [markdown]
# ## Find the error: a bad example
#
# A set of lecture notes explains "Add & Norm" with one token of two features, with $\varepsilon$ = 0.

# %%
print("x", PRINTED.x, "+ sub-layer", PRINTED.sublayer, "= sum", PRINTED.total)
print("mean", PRINTED.total.mean(), "variance", PRINTED.total.var(), "normalised", PRINTED.normalised)

# %% [markdown]
# ### What is wrong with it?
#
# - **A** Its variance is divided by $d$, and it should be by $d - 1$.
# - **B** Its sum comes before the norm, and it should come after it.
# - **C** Its sub-layer adds more than the token had to begin with.
# - **D** Its result is -1 and 1 for nearly any other numbers as well.

# %% answer="two-features"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("two-features", answer)

# %% [markdown]
# ## Exercise {{pre_norm}}: pre_norm
#
# *{{points pre_norm}}, about 5 minutes, difficulty 1 of 5*
#
# Many later models, GPT-2 for instance, move the norm to another place:
#
# $$\text{pre-norm}(X) = X + \text{sublayer}\big(\text{LayerNorm}(X)\big)$$
#
# The sub-layer sees normalised vectors, but what is added to its output is $X$ **as it came in**.
# So a path of nothing but sums runs from the bottom of the stack to its top.
# In return the stack needs one more norm at its top.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d)` | token vectors |
# | result | `(..., n, d)` | a new array |
#
# **By hand.** (1, 2, 3, 4), normalised: -1.3416, -0.4472, 0.4472, 1.3416.
# Swapped and doubled: -0.8944, -2.6833, 2.6833, 0.8944.
# Added to the token: 0.1056, -0.6833, 5.6833, 4.8944.

# %% solution="pre_norm"
def pre_norm(X, sublayer, gamma, beta, eps=1e-5):
    """Add to the input what a sub-layer makes of the normalised input.

    X (..., n, d), sublayer from this shape to the same, gamma and beta (d,) -> (..., n, d).
    """
    ### BEGIN SOLUTION
    return X + sublayer(layer_norm(X, gamma, beta, eps))
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(pre_norm(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4)).round(4))

# %% check="pre_norm"
check(pre_norm)

# %% [markdown]
# <details><summary>Hint 1: which two arrays are added?</summary>
#
# One of them is what the sub-layer returns. Is the other one the input, or the normalised input?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything has the shape of `X`. Keep the normalised array under a name of its own.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Normalise the input.
# 2. Call the sub-layer with the normalised input.
# 3. Add the original input, in a new array.
#
# </details>

# %% [markdown]
# ## Exercise {{encoder_layer}}: encoder_layer
#
# *{{points encoder_layer}}, about 15 minutes, difficulty 3 of 5*
#
# Now one whole layer of the encoder: four boxes of the machine. In post-norm, with two norms $\text{LN}_1$ and $\text{LN}_2$:
#
# $$Y = \text{LN}_1\big(X + \text{attention}(X)\big) \qquad \text{output} = \text{LN}_2\big(Y + \text{FFN}(Y)\big)$$
#
# and in pre-norm:
#
# $$Y = X + \text{attention}\big(\text{LN}_1(X)\big) \qquad \text{output} = Y + \text{FFN}\big(\text{LN}_2(Y)\big)$$
#
# - `multi_head_attention(X_query, X_memory, params, n_heads, mask)` and `position_wise_ffn(X, params)` are loaded.
#   In *self*-attention `X_query` and `X_memory` are the same array, the one that the sub-layer is given.
#   It returns `output` and `weights`; a sub-layer returns one array.
# - The sub-layer that your `post_norm` or `pre_norm` calls takes **one** array. A `lambda`, or a function inside your
#   function, can fix the other arguments: `cut = lambda Z: np.clip(Z, -limit, limit)` fixes `limit`.
# - `params` has the fields `attention`, `norm_1`, `ffn` and `norm_2`. A norm is a pair:
#   `*params.norm_1` passes its `gamma` and its `beta`. `norm_first=True` means pre-norm, and `eps` goes to both norms.
# - Only in attention do tokens meet, so only attention needs the mask. No error tells you when it is forgotten: the padding is attended
#   to as well.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | token vectors |
# | `params` | `EncoderLayerParams` | all weights of the layer |
# | `mask` | broadcasts to `(..., n, n)` | True = may attend; None = no mask |
# | result | `(..., n, d_model)` | the same shape: layers can be stacked |
#
# **By hand.** Set `W_O`, `W_2` and `b_2` to zero, and both sub-layers return zeros.
# Then pre-norm must return `X` itself, and post-norm the tokens, normalised twice.

# %% solution="encoder_layer"
def encoder_layer(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """Apply one layer of the encoder: self-attention, then the feed-forward network, each with its residual.

    X (..., n, d_model), params: EncoderLayerParams, mask broadcasts to (..., n, n) or is None
    -> (..., n, d_model). norm_first: False is post-norm, True pre-norm.
    """

    ### BEGIN SOLUTION
    def attend(Z):
        output, _ = multi_head_attention(Z, Z, params.attention, n_heads, mask)
        return output

    def feed_forward(Z):
        return position_wise_ffn(Z, params.ffn)

    add_and_norm = pre_norm if norm_first else post_norm
    X = add_and_norm(X, attend, *params.norm_1, eps)
    return add_and_norm(X, feed_forward, *params.norm_2, eps)
    ### END SOLUTION


# %%
tokens = np.random.default_rng(7).standard_normal((5, 8))
params = init_encoder_layer(np.random.default_rng(0), 8, 2, 20, noise=0.3)
silent = params._replace(
    attention=params.attention._replace(W_O=np.zeros((8, 8))),
    ffn=params.ffn._replace(W_2=np.zeros((20, 8)), b_2=np.zeros(8)),
)
with skip_if_unimplemented():
    print("pre-norm is the identity:  ", np.array_equal(encoder_layer(tokens, silent, 2, norm_first=True), tokens))
    twice = layer_norm(layer_norm(tokens, *silent.norm_1), *silent.norm_2)
    print("post-norm normalises twice:", np.allclose(encoder_layer(tokens, silent, 2), twice))

# %% check="encoder_layer"
check(encoder_layer)

# %% [markdown]
# <details><summary>Hint 1: how can one function do both orders?</summary>
#
# `post_norm` and `pre_norm` take the same arguments. A variable can hold a function, like any other value.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Every array between the steps has the shape `(..., n, d_model)`.
# The mask goes to the attention exactly as it came.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Write a function of one array that runs self-attention with the mask and returns the output alone.
# 2. Write a function of one array that runs the feed-forward network.
# 3. Choose the arrangement by `norm_first`.
# 4. Apply it to the input with the first function and the first norm; then to the result with the second ones.
#
# </details>
#
# ### Find the bug: a layer in a hurry
#
# A colleague has written a layer that must not see the future. The causal mask is right, the shapes are right, and the numbers look
# right. Your `first_leak` from unit 03 finds the first position whose output a later token can change:

# %%
poem = np.random.default_rng(4).standard_normal((5, 8))


def hurried_layer(X):
    """Apply masked attention and the FFN, each with its sum and its norm."""
    attended, _ = multi_head_attention(X, X, params.attention, 2, causal_mask(len(X)))
    Y = X + attended
    Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0) + 1e-5)
    Z = Y + position_wise_ffn(Y, params.ffn)
    return (Z - Z.mean(axis=-1, keepdims=True)) / np.sqrt(Z.var(axis=-1, keepdims=True) + 1e-5)


print("first leak of the hurried layer:", first_leak(hurried_layer, poem))
with skip_if_unimplemented():
    causal_layer = partial(encoder_layer, params=params, n_heads=2, mask=causal_mask(5))
    print("first leak of your layer:", first_leak(causal_layer, poem))

# %% [markdown]
# Which line lets the future in?
#
# - **A** the line of `attended`
# - **B** the second line of `Y`
# - **C** the line of `Z`
# - **D** the line of the `return`

# %% answer="hurried-layer"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("hurried-layer", answer)

# %% [markdown]
# ## The size of the vectors in twelve layers
#
# The twelve-layer stack again, now with your layer:

# %%
with skip_if_unimplemented():
    X, stack = depth.random_stack(seed=0)
    for name, norm_first in (("post-norm", False), ("pre-norm", True)):
        states = [X]
        for layer in stack:
            states.append(encoder_layer(states[-1], layer, depth.N_HEADS, norm_first=norm_first))
        print(f"{name:9} after 0, 4, 8 and 12 layers:", *(f"{np.sqrt((state**2).mean()):.2f}" for state in states[::4]))

# %% [markdown]
# Post-norm sets the size back to 1 after every sub-layer. In pre-norm every sub-layer adds about the same amount, so the sum grows slowly.
#
# ## A layer of the trained model
#
# Here is the course's translator, with the input and the output of its first layer for one sentence.

# %%
model = load_model()
car = watched("The red car is new.", model)
into, out_of = car.parts["source"], car.parts["encoder.0.norm_2"]
with skip_if_unimplemented():
    yours = encoder_layer(into, model.encoder[0], model.n_heads)
    print("shape", yours.shape, "largest difference from the trained model:", np.abs(yours - out_of).max())

# %% [markdown]
# ### Predict: gamma or beta?
#
# The translator gets 39 of 40 new sentences right. In one experiment $\gamma$ is set to 1 in all of its ten norms, in another $\beta$
# is set to 0. Which does more harm?
#
# - **A** setting $\gamma$ to 1
# - **B** setting $\beta$ to 0
# - **C** neither of the two

# %% answer="gamma-or-beta"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("gamma-or-beta", answer)

# %%
with skip_if_unimplemented():
    unscaled = count_right(layer_norm=lambda X, gamma, beta: layer_norm(X, np.ones_like(gamma), beta))
    unshifted = count_right(layer_norm=lambda X, gamma, beta: layer_norm(X, gamma, np.zeros_like(beta)))
    print(f"right with gamma = 1: {unscaled} of 40, with beta = 0: {unshifted}")

# %% [markdown]
# ### Predict: the other order
#
# Both orders have the same parameters. What does the translator write if its encoder, trained in post-norm, runs in pre-norm?
#
# - **A** the same sentence as before
# - **B** one with a few wrong words
# - **C** hardly any words at all

# %% answer="the-other-order"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("the-other-order", answer)

# %%
with skip_if_unimplemented():
    print("post-norm:", translated("The red car is new.", model, encoder_layer))
    print("pre-norm: ", translated("The red car is new.", model, partial(encoder_layer, norm_first=True)))

# %% [markdown]
# ### Predict: one layer twice
#
# In post-norm again, every sentence now goes through the encoder's first layer *twice*, and then through the second. How many of the
# 40 sentences does the translator, trained with each layer once, still get right?
#
# - **A** as many as before
# - **B** about half
# - **C** next to none

# %% answer="one-layer-twice"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("one-layer-twice", answer)

# %%
first, second = model.encoder
with skip_if_unimplemented():
    for name, layers in {"0, 0, 1": (first, first, second), "1, 0": (second, first), "0 alone": (first,)}.items():
        print(f"layers {name}:", count_right(model._replace(encoder=layers), layer_norm=layer_norm), "of 40 are right")

# %% [markdown]
# ## Exercise {{fold_norm}}: fold_norm
#
# *{{points fold_norm}}, about 12 minutes, difficulty 3 of 5*
#
# A norm is often followed by a linear map, as the last one of the translator is by the table of words. Then the map can do the work
# of $\gamma$ and $\beta$. **Return a map that gives, after a norm with $\gamma = 1$ and $\beta = 0$, what the old map gave
# after the whole norm**, so that nobody who sees the outputs notices. There is more than one. Only the outputs count: of tokens
# that you do not see, and of the translator. None of them may move by more than a millionth.
#
# | name | shape | meaning |
# |---|---|---|
# | `gamma`, `beta` | `(d_model,)` | of the norm |
# | `W`, `b` | `(d_model, d_out)`, `(d_out,)` | the old map |
# | results `W`, `b` | the same | the new one |
#
# **Example.** With `gamma` = (2, 5), `beta` = (1, 1), `W` = (1), (10) and `b` = (0.5), the token (1, 3), normalised to (-1, 1), gives
# -1 · 1 + 6 · 10 + 0.5 = 59.5, and with `beta` = (0, 0) it gives 48.5. What does your map make of (-1, 1)?

# %% solution="fold_norm"
def fold_norm(gamma, beta, W, b):
    """Return a linear map that does without gamma and beta in the norm before it.

    gamma and beta (d_model,), W (d_model, d_out), b (d_out,) -> W (d_model, d_out), b (d_out,).
    """
    ### BEGIN SOLUTION
    new_W = gamma[:, None] * W  # feature i meets row i of W, and gamma[i] before it
    new_b = b + beta @ W  # the same for every token
    return new_W, new_b
    ### END SOLUTION

# %%
with skip_if_unimplemented():
    display(words_after_folding(fold_norm, layer_norm))

# %% check="fold_norm"
check(fold_norm)

# %% [markdown]
# <details><summary>Hint 1: what is the same for every token?</summary>
#
# Write the old output of a normalised token $z$ with $\gamma$ and $\beta$ in it. Which part of it does not depend on $z$?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Take `d_out` = 1. By which numbers is feature 3 multiplied on its way, and in which row or column of `W` does the last of them stand?
#
# </details>
#
# <details><summary>Hint 3: more than one</summary>
#
# You may as well ask the old way: what does it make of $z = 0$, and of a $z$ that is 1 in one feature? And when it works: add 5 to a
# whole column of your `W`. Why does nothing move?
#
# </details>

# %% [markdown]
# You can stop here for today, or do unit 08 first and come back.
#
# ## Second sitting: the way back
#
# To see why one of the three runs learned nothing, you need its gradients, and so a way back through the norm.
#
# ### One step on paper
#
# Let $\hat x = (x - \mu) / s$ be a normalised token, with $s = \sqrt{\sigma^2 + \varepsilon}$. How does $s$ move when one feature $x_i$ moves?
# Start from $s^2 = \frac1d \sum_j (x_j - \mu)^2 + \varepsilon$, and use the fact that the deviations $x_j - \mu$ sum to 0.
# What is $\partial s / \partial x_i$?
#
# - **A** $2\,(x_i - \mu) / d$
# - **B** $(x_i - \mu) / s$
# - **C** $\hat x_i / d$

# %% answer="how-s-moves"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("how-s-moves", answer)

# %% [markdown]
# ## Exercise {{layer_norm_backward}}: layer_norm_backward
#
# *{{points layer_norm_backward}}, about 20 minutes, difficulty 4 of 5*
#
# You are given `d_output`, the gradient of a loss with respect to the output $y$.
# Find the gradients with respect to $x$, $\gamma$ and $\beta$.
# The step above, $\partial \mu / \partial x_i = 1/d$ and the quotient rule give
# (where $\odot$ multiplies entry by entry and a bar is the mean over the features of a token):
#
# $$g = d_\text{output} \odot \gamma \qquad
# dx = \frac{1}{s}\Big(g - \overline{g} - \hat x \odot \overline{g \odot \hat x}\Big)$$
#
# ### Three ways in which a feature counts
#
# Move one feature of a token a little. Three things happen:
#
# 1. Its own entry of $\hat x$ moves: the term $g$.
# 2. The mean moves, so **all** entries shift back a little: the term $\overline{g}$.
# 3. The standard deviation changes, so all entries are stretched or squeezed: the last term.
#
# ### The gradients of gamma and beta
#
# For one token, $d\gamma = d_\text{output} \odot \hat x$ and $d\beta = d_\text{output}$.
# All tokens share one $\gamma$ and one $\beta$, so their contributions are **summed over all leading axes**, if there are any.
#
# | name | shape | meaning |
# |---|---|---|
# | `d_output`, `X` | `(..., d)` | gradient of the output, and the input of the forward pass |
# | `gamma` | `(d,)` | `beta` is not needed |
# | results | `(..., d)`, `(d,)`, `(d,)` | `dX`, `d_gamma`, `d_beta`, in this order |
#
# **By hand.** Take x = (3, 7, -1, 3), $\gamma$ = 1 and $\varepsilon$ = 0, so $\hat x$ = (0, 1.4142, -1.4142, 0) and
# s = 2.8284. The loss is the second output: g = (0, 1, 0, 0). Its mean is 0.25.
# The mean of $g \odot \hat x$ is 0.3536, and times $\hat x$ that is (0, 0.5, -0.5, 0).
# So dx = (-0.25, 0.25, 0.25, -0.25) / 2.8284 = (-0.0884, 0.0884, 0.0884, -0.0884).

# %% solution="layer_norm_backward"
def layer_norm_backward(d_output, X, gamma, eps=1e-5):
    """Return the gradients of a loss through layer normalisation.

    d_output (..., d), X (..., d), gamma (d,)
    -> dX (..., d), d_gamma and d_beta (d,), summed over all leading axes.
    """
    ### BEGIN SOLUTION
    centred = X - X.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    normed = centred / deviation
    g = d_output * gamma
    shift = g.mean(axis=-1, keepdims=True)
    stretch = (g * normed).mean(axis=-1, keepdims=True)
    leading = tuple(range(X.ndim - 1))
    return (g - shift - normed * stretch) / deviation, (d_output * normed).sum(axis=leading), d_output.sum(axis=leading)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    x, gamma = np.array([3.0, 7.0, -1.0, 3.0]), np.array([1.0, 1.0, 2.0, 1.0])
    print(layer_norm_backward(np.array([0.0, 1.0, 0.0, 0.0]), x, np.ones(4))[0].round(4))  # by hand: dx
    slopes = numerical_gradient(lambda x: layer_norm(x, gamma, np.zeros(4)), x)
    yours = layer_norm_backward(np.eye(4), np.tile(x, (4, 1)), gamma)[0]
    print("largest difference from central differences:", np.abs(yours - slopes).max())

# %% check="layer_norm_backward"
check(layer_norm_backward)

# %% [markdown]
# <details><summary>Hint 1: what do you need again from the forward pass?</summary>
#
# Which quantities in the formula are not among the arguments?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The divisor and both means have shape `(..., 1)`, one number per token.
# For `d_gamma` and `d_beta` sum over all axes but the last: none for one token, three for a 4-D array.
# A tuple of axes does it, or a reshape to `(-1, d)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Compute the normalised tokens and the divisor again, with the eps that you were given.
# 2. Multiply the gradient of the output by gamma.
# 3. Take two means over the features: of that product, and of that product times the normalised token.
# 4. Subtract the first mean, and the normalised token times the second one; divide by the divisor.
# 5. For gamma, sum the gradient of the output times the normalised tokens; for beta, the gradient alone.
#
# </details>
#
# ## Gradients through twelve layers
#
# This is how a gradient $G$ travels down through one sub-layer $f$:
#
# | | forward | backward |
# |---|---|---|
# | post-norm | LN(X + f(X)) | through the norm to $G'$; then $G'$ itself, plus what comes back through f |
# | pre-norm | X + f(LN(X)) | $G$ itself, plus what comes back through f and the norm |
#
# In post-norm every gradient passes every norm on its way. In pre-norm $G$ reaches the bottom without passing any norm except the one
# at the top of the stack.
#
# ### Predict: which layers get the large gradients?
#
# Twelve untrained layers, with the loss at the top. For each layer we measure the gradient with respect to the weights of
# its network.
#
# - **A** Pre-norm: largest at the bottom, falling towards the top. Post-norm: nearly the same in all layers.
# - **B** Pre-norm: nearly the same in all layers. Post-norm: largest at the top, falling towards the bottom.
# - **C** Pre-norm: largest at the top, falling towards the bottom. Post-norm: nearly the same in all layers.

# %% answer="gradients-by-depth"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("gradients-by-depth", answer)

# %%
with skip_if_unimplemented():
    display(norms.gradients_by_layer(encoder_layer, layer_norm, layer_norm_backward))

# %% [markdown]
# Post-norm looks like the better of the two, yet without a warm-up it learned nothing. How can that be?
#
# The picture shows the start. Here are the recorded runs, before the training and ten steps later. How large is what the norms are given?

# %%
runs = load_recording("norms")
for name, size in zip(runs.runs, runs.norm_input, strict=True):
    print(f"{name:18} all twelve multiplied: {size[0].prod():,.0f}, and after ten steps {size[-1].prod():,.0f}")
norms.norm_inputs_in_training(runs)

# %% [markdown]
# A norm divides the gradient by the size of what it is given (Exercise {{layer_norm_backward}}), and in post-norm the path of the sums leads
# through all twelve. At the start they divide by 22, and what comes back through the sub-layers makes up for it. Ten steps later the
# vectors have not even doubled, but twelve times in a row that is 11,529, and the gradient of layer 0 falls below a hundredth.
#
# Pre-norm's vectors are larger still, but its path of sums meets no norm. And a warm-up makes the first steps small (Vaswani et al. 2017,
# section 5.3). Small gradients alone do not: *Adam*, with which all models here are trained, divides each by its usual size (unit 10).
#
# ## Exercise {{rms_norm}}: rms_norm
#
# *{{points rms_norm}}, about 4 minutes, difficulty 1 of 5*
#
# Is the mean needed at all?
# Zhang and Sennrich (2019) trained models without it, and without the shift $\beta$, as do many of today's, such as LLaMA.
#
# $$y_j = \gamma_j\,\frac{x_j}{\sqrt{\frac{1}{d}\sum_k x_k^2 + \varepsilon}}$$
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., d)` | token vectors |
# | `gamma` | `(d,)` | scale; there is no `beta` |
# | result | `(..., d)` | a new array |
#
# **By hand.** With $\gamma$ = 1 and $\varepsilon$ = 0, (3, 4, 0, 0) has the root mean square 2.5 and becomes (1.2, 1.6, 0, 0).

# %% solution="rms_norm"
def rms_norm(X, gamma, eps=1e-5):
    """Divide every token vector by its root mean square, without centring it.

    X (..., d), gamma (d,) -> (..., d). eps is added to the mean square.
    """
    ### BEGIN SOLUTION
    mean_square = (X**2).mean(axis=-1, keepdims=True)
    return gamma * X / np.sqrt(mean_square + eps)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(rms_norm(np.array([3.0, 4.0, 0.0, 0.0]), np.ones(4), eps=0.0))

# %% check="rms_norm"
check(rms_norm)

# %% [markdown]
# <details><summary>Hint 1: what is left of layer norm?</summary>
#
# Go through its steps one by one. Which ones mention the mean of the features or the shift?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# One mean square per token, of shape `(..., 1)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Square, average over the features, add eps, take the root; divide the token by it and multiply by gamma.
#
# </details>
#
# ### Predict: without the mean
#
# The translator was trained with means. Now its ten norms stop subtracting them: they are your `rms_norm`, plus the model's $\beta$.
# How many of the 40 sentences does it still get right?
#
# - **A** nearly all
# - **B** about half
# - **C** next to none

# %% answer="without-the-mean"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("without-the-mean", answer)

# %%
with skip_if_unimplemented():
    print(count_right(layer_norm=lambda X, gamma, beta: rms_norm(X, gamma) + beta), "of 40 are right")

# %% [markdown]
# ## What you have now
#
# - `layer_norm` and `rms_norm` bring every token, by itself, to the same size.
# - `post_norm` and `pre_norm` wrap any sub-layer, and you know what their order does to vectors, gradients and trained weights.
# - `encoder_layer` is the repeating block of the encoder, and it runs a trained one.
# - `layer_norm_backward` takes gradients back through the norm.
#
# Next: **[08 Decoding](../08_decoding/08_decoding.ipynb)**, where a model's probabilities become text.
