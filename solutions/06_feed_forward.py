# %% [markdown]
# # 06 The position-wise feed-forward network
#
# Attention moves information between tokens. In this notebook you build the other half of a Transformer layer, the
# small network that works on each token by itself, forward and backward.
# You find out why it needs a bend in the middle, and in what sense it is a memory.
#
# **20 points, about 50 minutes.**
# You need matrix products, broadcasting and, for one exercise, the chain rule.
# Of the earlier notebooks you need the idea of attention (02) and, for one count, its matrices (04).
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np
from scipy import special

from autograder import check, load, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.networks import PRINTED, REPAIRED
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import FeedForwardParams, init_feed_forward

scaled_dot_product_attention = load("scaled_dot_product_attention")  # of notebook 02

# %% [markdown]
# ## What attention leaves out
#
# An output of attention is a weighted average of values.
# Averaging brings together what belongs together, but it computes nothing new from it:
# once the weights are fixed, an output is a sum of values times constants.
#
# So each layer has a second part, which looks at every token's vector alone and transforms it
# (Vaswani et al. 2017, section 3.3, equation 2):
#
# $$\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# It is a linear map to a wider vector, a *bend*, and a linear map back.
# The bend is a function whose graph is not a straight line, here the maximum with 0.
# The wider vector is the *hidden layer*, and its numbers are called hidden *units*.
# In the base model of the paper a token has 512 numbers, and the hidden layer has 2048.
#
# The four parameters travel together in a named tuple, `FeedForwardParams(W_1, b_1, W_2, b_2)`:
#
# | name | shape | meaning |
# |---|---|---|
# | `params.W_1` | `(d_model, d_ff)` | first map, to the hidden layer |
# | `params.b_1` | `(d_ff,)` | its bias |
# | `params.W_2` | `(d_ff, d_model)` | second map, back to the width of a token |
# | `params.b_2` | `(d_model,)` | its bias |
#
# We begin with the bend.

# %% [markdown]
# ## Exercise 6.1: relu
#
# *2 points, about 3 minutes, difficulty 1 of 5*
#
# The bend of the paper is the *rectified linear unit*: what is negative is switched off, the rest passes unchanged.
#
# $$\text{ReLU}(x) = \max(0, x)$$
#
# ### One number at a time
#
# An *activation* such as this acts on each number alone, so the result has the shape of the argument, whatever that is.
# No number looks at its neighbours, and the array that comes in stays as it is.
#
# | name | shape | meaning |
# |---|---|---|
# | `x` | any | numbers |
# | result | the shape of `x` | a new array |
#
# **By hand.** (-2, -0.5, 0, 0.5, 3) becomes (0, 0, 0, 0.5, 3).


# %% solution="relu"
def relu(x):
    """Replace negative numbers by 0.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    ndarray of the shape of x
    """
    ### BEGIN SOLUTION
    return np.maximum(x, 0)  # maximum compares number by number; max would look for one largest number
    ### END SOLUTION


# %%
with when_written():
    print(relu(np.array([-2.0, -0.5, 0.0, 0.5, 3.0])))

# %% check="relu"
check(relu)

# %% [markdown]
# <details><summary>Hint 1: how many comparisons are there?</summary>
#
# For an array of ten numbers, how many times is something compared with 0, and how many answers do you want?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# An array and the single number 0 broadcast to the shape of the array.
# NumPy has a function for the larger of two arrays, number by number. It is not the one for the largest of an array.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Return, for every number, the larger one of it and 0, as a new array.
#
# </details>

# %% [markdown]
# ## Exercise 6.2: gelu
#
# *2 points, about 6 minutes, difficulty 2 of 5*
#
# ReLU decides by the sign alone, all or nothing. Many later models, BERT and GPT-2 among them, use a softer bend:
# each number is multiplied by the probability $\Phi(x)$ that a standard normal random number is smaller than it
# (Hendrycks and Gimpel 2016).
#
# $$\text{GELU}(x) = x\,\Phi(x)$$
#
# A large number keeps nearly everything, since nearly all normal numbers are smaller.
# A very negative one keeps next to nothing.
#
# ### From the error function to the probability
#
# $\Phi$ is the area under the bell curve to the left of $x$. NumPy does not have it.
# SciPy has the *error function* erf, which runs from -1 to 1 as $x$ runs from the far left to the far right:
#
# $$\Phi(x) = \frac{1}{2}\left(1 + \text{erf}\!\left(\frac{x}{\sqrt 2}\right)\right)$$
#
# It is called `special.erf` here (from SciPy), and it takes arrays.
#
# | name | shape | meaning |
# |---|---|---|
# | `x` | any | numbers |
# | result | the shape of `x` | a new array |
#
# **By hand.** $\Phi(0) = \tfrac12$ and $\Phi(1) = 0.8413$.
# So GELU of 0 is 0, of 1 it is 0.8413, and of -1 it is $-1 \cdot (1 - 0.8413) = -0.1587$.


# %% solution="gelu"
def gelu(x):
    """Weigh every number by the probability that a standard normal number is smaller.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    ndarray of the shape of x
    """
    ### BEGIN SOLUTION
    probability = 0.5 * (1 + special.erf(x / 2**0.5))
    return x * probability
    ### END SOLUTION


# %%
with when_written():
    print(gelu(np.array([-1.0, 0.0, 1.0])).round(4))

# %%
x = np.linspace(-4, 4, 81)
with when_written():
    two_bends = {"relu": relu(x), "gelu": gelu(x)}
    dip = "Far out both agree. Near 0 GELU is smooth and dips below 0, down to -0.17 near x = -0.75."
    display(plots.curves(x, two_bends, x_label="x", alt=dip))

# %% check="gelu"
check(gelu)

# %% [markdown]
# <details><summary>Hint 1: what does erf give at 0, and far out?</summary>
#
# Evaluate `special.erf` at -5, 0 and 5. What has to happen to these three numbers to make them 0, 1/2 and 1?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything here acts on each number alone, so no axis is named and the shape stays.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Divide every number by the square root of 2 and take the error function.
# 2. Move and shrink the result so that it runs from 0 to 1.
# 3. Weigh the numbers by it.
#
# </details>
#
# ### Which GELU
#
# Two approximations are in use under the same name: one with tanh, which GPT-2 was trained with, and one with a
# sigmoid.
# They are close to the exact form, but not equal to it.
# Load weights that were trained with one form into a model that computes another, and every layer is slightly off.

# %%
with when_written():
    cubic = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    print("with tanh, largest error:   ", np.abs(0.5 * x * (1 + np.tanh(cubic)) - gelu(x)).max().round(6))
    print("with a sigmoid, largest error:", np.abs(x / (1 + np.exp(-1.702 * x)) - gelu(x)).max().round(6))

# %% [markdown]
# ## Exercise 6.3: position_wise_ffn
#
# *5 points, about 10 minutes, difficulty 2 of 5*
#
# Now the network itself, with an activation $\sigma$ that can be chosen:
#
# $$\text{FFN}(x) = \sigma(x W_1 + b_1)\, W_2 + b_2$$
#
# ### Two maps and a bend between them
#
# The order is: first map, first bias, activation, second map, second bias.
# After the second map there is no activation.
# The output will be added to the token's vector (notebook 07), so it must be able to be negative.
#
# ### Every position alone
#
# Tokens are rows: `X[i]` is the $x$ of the formula for position `i`.
# All rows meet the same weights, and no row meets another row.
# So the last axis of `X` holds the features.
# Every axis in front of it, positions as well as batches, is left alone.
# The paper also describes this as two convolutions with kernel size 1: filters that see one position at a time.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | tokens |
# | `params` | as above | the four parameters |
# | `activation` | a function | from an array to an array of the same shape; your `relu` when none is named |
# | hidden layer | `(..., n, d_ff)` | after the first map |
# | result | `(..., n, d_model)` | a new array |
#
# (Python reads the default `activation=relu` when the cell below runs. If you change `relu` later, run it again.)
#
# **By hand.** One token $x = (1, 2)$ and three hidden units:
#
# $$W_1 = \begin{pmatrix} 1 & -1 & 0 \\ 0 & 1 & -2 \end{pmatrix} \quad b_1 = (0, 0, 1) \quad
# W_2 = \begin{pmatrix} 2 & 0 \\ 1 & -3 \\ 5 & 5 \end{pmatrix} \quad b_2 = (0, 1)$$
#
# The first map gives $(1, 1, -4)$, with its bias $(1, 1, -3)$. ReLU makes it $(1, 1, 0)$.
# The second map adds up its first two rows: $(3, -3)$, and with the bias $(3, -2)$.


# %% solution="position_wise_ffn"
def position_wise_ffn(X, params, activation=relu):
    """Apply the same two-layer network to every position by itself.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    params : FeedForwardParams
        W_1 (d_model, d_ff), b_1 (d_ff,), W_2 (d_ff, d_model), b_2 (d_model,).
    activation : callable
        Applied to the hidden layer.

    Returns
    -------
    ndarray of shape (..., n, d_model)
    """
    ### BEGIN SOLUTION
    hidden = activation(X @ params.W_1 + params.b_1)  # (..., n, d_ff)
    return hidden @ params.W_2 + params.b_2
    ### END SOLUTION


# %%
small = FeedForwardParams(
    W_1=np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -2.0]]),
    b_1=np.array([0.0, 0.0, 1.0]),
    W_2=np.array([[2.0, 0.0], [1.0, -3.0], [5.0, 5.0]]),
    b_2=np.array([0.0, 1.0]),
)
one_token = np.array([[1.0, 2.0]])

# %%
with when_written():
    print(position_wise_ffn(one_token, small))  # by hand: 3, -2

# %%
words = ["write", "a", "poem", "about", "cats"]
rng = np.random.default_rng(6)
X, params = rng.standard_normal((5, 4)), init_feed_forward(rng, d_model=4, d_ff=16, noise=0.5)
plots.yours_and_target(
    position_wise_ffn,
    X,
    params,
    row_labels=words,
    x_label="column",
    y_label="position",
    alt="Five tokens of width 4 after the network; some numbers are negative.",
)

# %% check="position_wise_ffn"
check(position_wise_ffn)

# %% [markdown]
# <details><summary>Hint 1: what does a matrix product do to the axes in front?</summary>
#
# What is the shape of `np.ones((3, 5, 4)) @ np.ones((4, 7))`? Which axes took part, and which were left alone?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(..., n, d_model)` times `(d_model, d_ff)` is `(..., n, d_ff)`, and a bias of shape `(d_ff,)` lines up with its last
# axis. The second map brings the width back. There is no loop, no `reshape` and no transpose.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Multiply the tokens by the first matrix and add the first bias.
# 2. Call the activation on the result.
# 3. Multiply by the second matrix, add the second bias, and stop.
#
# </details>

# %% [markdown]
# ### Predict: one token is changed
#
# The word "poem", at position 2, gets another vector. Which rows of the network's output change?
#
# - **A** All of them.
# - **B** Only row 2.
# - **C** Row 2 and the rows after it.

# %% answer="one-token-changed"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("one-token-changed", answer)

# %%
def attend(X):
    """Let every token attend to all tokens."""
    return scaled_dot_product_attention(X, X, X)[0]


changed = X.copy()
changed[2] += 1.0
with when_written():
    network_moved = position_wise_ffn(changed, params) - position_wise_ffn(X, params)
    display(
        plots.beside(
            plots.heatmap(np.abs(attend(changed) - attend(X)), words, title="attention"),
            plots.heatmap(np.abs(network_moved), words, title="feed-forward network"),
            title="How far the outputs move when only “poem” changes",
            alt="In attention every row moves. In the network only the row of poem does; all others show exactly 0.",
        )
    )

# %% [markdown]
# And what if the tokens only change places?

# %%
order = [3, 0, 4, 1, 2]
print("attention, largest difference:", np.abs(attend(X[order]) - attend(X)[order]).max())
with when_written():
    gap = np.abs(position_wise_ffn(X[order], params) - position_wise_ffn(X, params)[order]).max()
    print("network, largest difference:  ", gap)

# %% [markdown]
# Both differences are 0, up to rounding: permute the inputs, and the outputs are permuted in the same way.
# So permuting the tokens shows that neither of the two treats a position in a special way.
# It does not tell them apart. Changing one token does: attention mixes positions, the network does not.

# %% [markdown]
# ## Find the error: shapes that do not multiply
#
# A set of lecture notes works through the network with two tokens.
# Its table and its steps do not fit together: these are the tokens of the table and the parameters of the steps.

# %%
print("X =\n", PRINTED.X, "\n")
for name, value in PRINTED.params._asdict().items():
    print(f"{name}, shape {value.shape} =\n", value, "\n")

# %% [markdown]
# ### Repair the shapes
#
# `X @ W_1` fails. Which repair makes this a network that a Transformer layer can use?
# (The layer adds the output to the input.)
#
# - **A** Give every token a third number, so that `X` has shape (2, 3).
# - **B** Take a `W_1` with two rows and any number of columns, and a `W_2` that leads back to two.
# - **C** Transpose `W_1`.
# - **D** Exchange the factors: `W_1 @ X`.

# %% answer="printed-shapes"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("printed-shapes", answer)

# %% [markdown]
# ### Repair the hidden layer
#
# In its steps the example uses tokens with a third number after all. Let us follow it there.
# This is what it prints for the hidden layer $X W_1 + b_1$:

# %%
print("X in the steps =\n", PRINTED.X_in_the_steps, "\n")
print("printed hidden layer =\n", PRINTED.printed_hidden)

# %% [markdown]
# Set `answer` to what the hidden layer should be, two rows of two numbers (before ReLU).
# Use your functions, NumPy, or pen and paper.

# %% answer="repaired-hidden"
### BEGIN SOLUTION
answer = [[0.26, 0.30], [0.41, 0.19]]
### END SOLUTION
predict("repaired-hidden", answer)

# %% [markdown]
# ### Can an output be negative?
#
# Now the printed output. All four numbers are positive:

# %%
print("printed output =\n", PRINTED.printed_output)

# %% [markdown]
# Is that as it should be? (`W_2` and `b_2` are printed above.)
#
# - **A** Yes. After ReLU nothing is negative any more.
# - **B** No. With the printed hidden layer, and with the right one, one of the numbers is negative.
# - **C** No. About half of all outputs have to be negative.

# %% answer="all-outputs-positive"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("all-outputs-positive", answer)

# %% [markdown]
# ### An example that shows something
#
# There is one more weakness: no number of this hidden layer is negative, neither printed nor right.
# ReLU does nothing, so whoever forgets it gets the same output.
#
# The notes' table holds two other matrices, which are never used. With them the shapes fit, and ReLU has work to do.
# The biases are 0. Set `answer` to the output, two rows of two numbers with three decimals.

# %%
print("X =\n", REPAIRED.X, "\n\nW_1 =\n", REPAIRED.params.W_1, "\n\nW_2 =\n", REPAIRED.params.W_2)

# %% answer="repaired-output"
### BEGIN SOLUTION
answer = [[0.042, -0.014], [-0.168, 0.424]]
### END SOLUTION
predict("repaired-output", answer)

# %% [markdown]
# ## A memory of keys and values
#
# Write the network as a sum over its hidden units.
# Let $k_i$ be column $i$ of $W_1$, and $v_i$ row $i$ of $W_2$. Then
#
# $$\text{FFN}(x) = \sum_{i} \sigma(x \cdot k_i + b_{1,i})\; v_i + b_2$$
#
# This looks like attention: $x$ is a query, it is compared with keys, and the values are added up with weights.
# But keys and values are not made from tokens. They are parameters, the same for every text: a memory
# (Geva et al. 2021).
#
# | | attention | feed-forward network |
# |---|---|---|
# | keys and values | from the tokens of this text | learned, fixed |
# | how many | one for each token | `d_ff` |
# | weights | softmax: they share a budget of 1 | ReLU: each for itself, from 0 to any size |
#
# So let us write a memory by hand. The vectors have one column for each name:
# three countries, then three capitals. Each unit has a country as its key and a capital as its value.
# The bias of -0.5 is a threshold: a weak hint does not open a unit.

# %%
countries, capitals = ["France", "Spain", "Japan"], ["Paris", "Madrid", "Tokyo"]
memory = FeedForwardParams(
    W_1=np.eye(6)[:, :3], b_1=np.full(3, -0.5), W_2=2 * np.eye(6)[3:], b_2=np.zeros(6)
)  # column i of W_1 is country i; row i of W_2 is capital i, twice, to make up for the threshold

questions = {"France": [1, 0, 0], "0.4 Spain": [0, 0.4, 0], "Spain and Japan": [0, 1, 1]}
queries = np.array([[*strengths, 0, 0, 0] for strengths in questions.values()], dtype=float)

# %%
recalled = "France gives Paris. A weak Spain gives nothing. Spain and Japan give both capitals at full strength."
with when_written():
    answers = position_wise_ffn(queries, memory)
    display(plots.heatmap(answers, list(questions), countries + capitals, y_label="token", alt=recalled))

# %% [markdown]
# Attention would have to share its budget between Madrid and Tokyo. Here both come back in full.
# Move the slider: the unit of France opens as France gets stronger in the token.


# %%
def capitals_for(strength):
    """Draw what the memory gives for a token that is France with some strength, and Japan with strength 1."""
    token = np.array([[strength, 0, 1.0, 0, 0, 0]])
    recalled = position_wise_ffn(token, memory)[0, 3:]
    title, alt = f"{strength} · France + 1 · Japan", "Paris grows once France is stronger than 0.5; Tokyo stays at 1."
    return plots.bars(recalled, capitals, limits=(0, 3.5), title=title, alt=alt)


with when_written():
    display(plots.slider(capitals_for, "France", [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0], start=1.0))

# %% [markdown]
# A trained network is less tidy: its keys have many numbers that are not 0, so a unit answers to a pattern of many
# features at once.
#
# ## Exercise 6.4: collapse_linear
#
# *3 points, about 7 minutes, difficulty 2 of 5*
#
# What is the bend for? Leave it out, and see what remains.
#
# ### Multiply out
#
# $$(x W_1 + b_1)\, W_2 + b_2 \;=\; x\, W + b$$
#
# Two linear maps in a row are one linear map, whatever `d_ff` is.
# Expand the left-hand side, and separate what multiplies $x$ from what does not: these are $W$ and $b$.
# (With a bias such a map is also called *affine*. Here both kinds are called linear.)
#
# | name | shape | meaning |
# |---|---|---|
# | `params` | as above | the network |
# | `W` | `(d_model, d_model)` | first result |
# | `b` | `(d_model,)` | second result |
#
# **By hand.** The small network of Exercise 6.3 has
#
# $$W = \begin{pmatrix} 1 & 3 \\ -9 & -13 \end{pmatrix} \qquad b = (5, 6)$$
#
# so without ReLU the token $(1, 2)$ becomes $(-12, -17)$. With it, it became $(3, -2)$.


# %% solution="collapse_linear"
def collapse_linear(params):
    """Return the one linear map that the two are when no activation lies between them.

    Parameters
    ----------
    params : FeedForwardParams

    Returns
    -------
    W : ndarray of shape (d_model, d_model)
    b : ndarray of shape (d_model,)
    """
    ### BEGIN SOLUTION
    W = params.W_1 @ params.W_2
    b = params.b_1 @ params.W_2 + params.b_2  # the first bias passes through the second map
    return W, b
    ### END SOLUTION


# %%
with when_written():
    W, b = collapse_linear(small)
    print(one_token @ W + b, position_wise_ffn(one_token, small, activation=lambda hidden: hidden))

# %%
plots.yours_and_target(
    collapse_linear, params, pick=0, title="W", alt="A network with 16 hidden units has become a matrix of 4 by 4."
)

# %% check="collapse_linear"
check(collapse_linear)

# %% [markdown]
# <details><summary>Hint 1: what becomes of the zero vector?</summary>
#
# Put $x = 0$ into both sides of the equation. What is left on the right? On the left, which parameters are left?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(d_model, d_ff)` and `(d_ff, d_model)` should give `(d_model, d_model)`.
# The first bias has `d_ff` numbers, and `b` has `d_model`. What turns the one length into the other?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Multiply the two matrices, in the order in which a token meets them.
# 2. Send the first bias through the second map, its matrix as well as its bias.
# 3. Return both.
#
# </details>

# %% [markdown]
# ### Predict: a narrow middle
#
# Without its bend a network with 16 or 2048 hidden units can do no more than one matrix. And with few of them?
# The *rank* of a matrix (notebook 01) is also the number of dimensions that its outputs fill.
# Let `d_model` be 8 and `d_ff` be 3, with random weights. What is the rank of $W$?
#
# - **A** 8
# - **B** 3
# - **C** 11

# %% answer="rank-without-activation"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("rank-without-activation", answer)

# %%
with when_written():
    for d_ff in (3, 8, 2048):
        W, _ = collapse_linear(init_feed_forward(rng, d_model=8, d_ff=d_ff))
        print(f"d_ff = {d_ff}: W has shape {W.shape} and rank {np.linalg.matrix_rank(W)}")

# %% [markdown]
# ### What the bend is for
#
# With ReLU each hidden unit adds one corner.
# Below, a network with `d_model` = 1 imitates a sine.
# Unit $i$ switches on at its knot $t_i$ and changes the slope there.
# Move the slider: more units, more corners, a better imitation.
# Without ReLU the same parameters make one straight line, however many units there are.


# %%
def imitate_sine(d_ff):
    """Return the network that follows the sine in straight pieces between d_ff + 1 knots."""
    knots = np.linspace(0, 1.5 * np.pi, d_ff + 1)
    slopes = np.diff(np.sin(knots)) / np.diff(knots)
    changes = np.diff(slopes, prepend=0.0)  # of the slope, at every knot but the last
    return FeedForwardParams(np.ones((1, d_ff)), -knots[:-1], changes[:, None], np.zeros(1))


def draw_imitation(d_ff):
    """Draw the sine, your network, and the network without its bend."""
    t, net = np.linspace(0, 1.5 * np.pi, 97), imitate_sine(d_ff)
    W, b = collapse_linear(net)
    bent, straight = position_wise_ffn(t[:, None], net)[:, 0], W[0, 0] * t + b[0]
    lines = {"sine": np.sin(t), "with ReLU": bent, "without": straight}
    pieces = f"With ReLU {d_ff} straight pieces follow the sine. Without it, one line continues the last piece."
    return plots.curves(t, lines, limits=(-2.5, 2.5), x_label="t", title=f"d_ff = {d_ff}", alt=pieces)


with when_written():
    display(plots.slider(draw_imitation, "d_ff", [1, 2, 3, 4, 6, 8, 16], start=3))

# %% [markdown]
# ## Exercise 6.5: ffn_backward
#
# *4 points, about 12 minutes, difficulty 4 of 5*
#
# To train the network, you have to know how each of its parameters influences a loss $L$.
# You are given $dY = \partial L / \partial Y$, the gradient for the output (`d_output`),
# and return the gradients for `X` and for the four parameters.
# The activation is ReLU.
#
# ### Backwards, line by line
#
# Name the steps of the way forward, and go through them in the opposite order:
#
# | forward | backward |
# |---|---|
# | $Z = X W_1 + b_1$ | $dX = dZ\, W_1^\top$, $\quad dW_1 = X^\top dZ$, $\quad db_1 = \sum dZ$ |
# | $H = \text{ReLU}(Z)$ | $dZ = dH$ where the gate is open, 0 elsewhere |
# | $Y = H W_2 + b_2$ | $dH = dY\, W_2^\top$, $\quad dW_2 = H^\top dY$, $\quad db_2 = \sum dY$ |
#
# A gradient always has the shape of what it belongs to. That alone tells which factor is transposed, and where.
#
# ### The gate
#
# Where $Z$ is positive, ReLU has slope 1 and the gradient passes unchanged. Where it is negative, nothing passes.
# The gate looks at the number that went **forward**; the sign of the gradient does not matter.
# At exactly 0 there is a corner. By agreement nothing passes there either.
#
# ### One network, many positions
#
# Every position of every sequence uses the same parameters, so each parameter collects the gradients of all of them.
# The sums in the table run over **all axes but the last**.
# It is easiest to regard all positions of all sequences as the rows of one long matrix.
# (Here positions and sequences may share one axis, since the parameters' gradients are summed over it.
# Features keep their own.)
#
# | name | shape | meaning |
# |---|---|---|
# | `d_output` | `(..., n, d_model)` | $dY$ |
# | `X`, `params` | as before | what went forward |
# | `dX` | `(..., n, d_model)` | first result |
# | `d_params` | a `FeedForwardParams` | second result: the gradient of each parameter, in the parameter's shape |
#
# **By hand.** The token $(1, 2)$ in the small network again, with $dY = (1, 1)$.
# $dH$ holds the sums of the rows of $W_2$: $(2, -2, 10)$. The third unit was off, so $dZ = (2, -2, 0)$.
# Then $dX = (2 + 2,\; -2) = (4, -2)$ and $db_1 = dZ$.


# %% solution="ffn_backward"
def ffn_backward(d_output, X, params):
    """Return the gradients of a loss through the feed-forward network with ReLU.

    Parameters
    ----------
    d_output : ndarray of shape (..., n, d_model)
        Gradient of the loss with respect to the network's output.
    X : ndarray of shape (..., n, d_model)
        The network's input.
    params : FeedForwardParams

    Returns
    -------
    dX : ndarray of shape (..., n, d_model)
    d_params : FeedForwardParams
        Gradients of the four parameters, summed over all positions.
    """
    ### BEGIN SOLUTION
    rows = X.reshape(-1, X.shape[-1])  # (all positions, d_model)
    d_rows = d_output.reshape(rows.shape)
    before = rows @ params.W_1 + params.b_1  # (all positions, d_ff)
    d_before = (d_rows @ params.W_2.T) * (before > 0)
    d_params = FeedForwardParams(
        W_1=rows.T @ d_before,
        b_1=d_before.sum(axis=0),
        W_2=relu(before).T @ d_rows,
        b_2=d_rows.sum(axis=0),
    )
    return (d_before @ params.W_1.T).reshape(X.shape), d_params
    ### END SOLUTION


# %%
with when_written():
    dX, d_params = ffn_backward(np.array([[1.0, 1.0]]), one_token, small)
    print("dX =", dX, " db_1 =", d_params.b_1)  # by hand: (4, -2) and (2, -2, 0)

# %% [markdown]
# Never trust a gradient before you have compared it with a central difference: move one number a little up and down,
# and see by how much the loss moves. `numerical_gradient` does it for every number of an array.

# %%
d_output = rng.standard_normal(X.shape)


def loss(X, params):
    """Return a number whose gradient with respect to the output is d_output."""
    return (d_output * position_wise_ffn(X, params)).sum()


with when_written():
    dX, d_params = ffn_backward(d_output, X, params)
    print("gap in dX: ", np.abs(dX - numerical_gradient(lambda X: loss(X, params), X)).max())
    for name, value in params._asdict().items():
        slope = numerical_gradient(lambda v, name=name: loss(X, params._replace(**{name: v})), value)
        print(f"gap in {name}:", np.abs(getattr(d_params, name) - slope).max())

# %%
plots.yours_and_target(
    ffn_backward,
    d_output,
    X,
    params,
    pick=lambda results: results[1][0],
    x_label="hidden unit",
    y_label="column",
    title="Gradient of W_1",
    alt="One column for each of 16 hidden units; a column of zeros would be a unit that was off for all five tokens.",
)

# %% check="ffn_backward"
check(ffn_backward)

# %% [markdown]
# <details><summary>Hint 1: which numbers of the way forward do you need again?</summary>
#
# The table uses $X$, $H$ and the sign of $Z$. Two of them are not given to you. How do you get them?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `reshape(-1, width)` makes one long matrix out of any leading axes. Do it to `X` and to `d_output`; then
# every product is one of plain matrices, every sum is over axis 0, and only `dX` has to be shaped back.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Turn tokens and output gradients into rows.
# 2. Compute the hidden layer once more, before and after ReLU.
# 3. Bring the output gradient back through the second matrix, and close the gate where the hidden layer was not
#    positive.
# 4. Form the two products and two sums for the parameters, and one product for the tokens.
# 5. Return the last of them in the shape of `X`, then the four others as a `FeedForwardParams`.
#
# </details>

# %% [markdown]
# ## Exercise 6.6: count_layer_parameters
#
# *1 point, about 4 minutes, difficulty 1 of 5*
#
# A layer consists of attention and a network. Which of the two has more parameters?
#
# ### What there is to count
#
# - **Attention**: four matrices, for queries, keys, values and output.
#   Each has shape `(d_model, d_model)` when all heads are taken together (notebook 04). They have no biases.
# - **Feed-forward network**: two matrices and two biases.
#
# (A layer also has two small norms, the subject of the next notebook. They are not counted here.)
#
# | name | meaning |
# |---|---|
# | `d_model`, `d_ff` | ints |
# | results `attention`, `ffn` | two ints, in this order |
#
# **By hand.** For `d_model` = 2 and `d_ff` = 3 the attention has 16 numbers, and the network 6 + 3 + 6 + 2 = 17.


# %% solution="count_layer_parameters"
def count_layer_parameters(d_model, d_ff):
    """Count the parameters of the two sub-layers of an encoder layer.

    Parameters
    ----------
    d_model : int
    d_ff : int

    Returns
    -------
    attention : int
        The four projections, which have no biases.
    ffn : int
        The two linear maps with their biases.
    """
    ### BEGIN SOLUTION
    attention = 4 * d_model**2
    ffn = d_model * d_ff + d_ff + d_ff * d_model + d_model
    return attention, ffn
    ### END SOLUTION


# %% check="count_layer_parameters"
check(count_layer_parameters)

# %% [markdown]
# <details><summary>Hint 1: how many numbers are in a matrix?</summary>
#
# As many as the product of its two sizes. And in a bias?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The four shapes of the network stand in the table at the top of this notebook.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Add up four square matrices for the one result, and two matrices and two biases of different lengths for the other.
#
# </details>
#
# ### Predict: the share of the network
#
# In the base model `d_model` is 512 and `d_ff` is 2048. Which share of these parameters is in the network?
#
# - **A** about one third
# - **B** about one half
# - **C** about two thirds
# - **D** about nine tenths

# %% answer="share-of-the-layer"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("share-of-the-layer", answer)

# %%
with when_written():
    attention, ffn = count_layer_parameters(512, 2048)
    print(f"attention {attention:,}, network {ffn:,}, share of the network {ffn / (attention + ffn):.4f}")
    counts = np.array([count_layer_parameters(512, 512 * ratio) for ratio in range(1, 9)])
    shares = counts / counts.sum(axis=1, keepdims=True)
    lines = {"attention": shares[:, 0], "network": shares[:, 1]}
    meet = "Equal shares at d_ff = 2 d_model; two thirds for the network at d_ff = 4 d_model, the paper's choice."
    display(plots.curves(range(1, 9), lines, x_label="d_ff / d_model", y_label="share", limits=(0, 1), alt=meet))

# %% [markdown]
# That is an encoder layer. A decoder layer has two attentions, so there the network has about half.
#
# ## Exercise 6.7: swiglu
#
# *3 points, about 8 minutes, difficulty 3 of 5*
#
# Many recent models, such as LLaMA (Touvron et al. 2023), replace the fixed bend by a **gate**
# (Shazeer 2020): one linear map of the token says how much to let through of another linear map of the same token.
#
# $$\text{SwiGLU}(X) = \big(\,\text{SiLU}(X W_\text{gate}) \odot X W_\text{up}\,\big)\, W_\text{down}
# \qquad \text{SiLU}(z) = z \cdot \text{sigmoid}(z) = \frac{z}{1 + e^{-z}}$$
#
# Here $\odot$ is the product number by number, the sigmoid is $1 / (1 + e^{-z})$, and there are no biases.
#
# ### Which branch is the gate
#
# Both branches have the same shape, so no error tells you when they are exchanged.
# SiLU belongs to the branch of $W_\text{gate}$, and to that one only. The other branch stays linear.
#
# ### A sigmoid for large numbers
#
# In float64 $e^{710}$ is already infinite.
# Your function must also be right for $z = \pm 1000$: SiLU(-1000) is 0, and SiLU(1000) is 1000.
# So think about which exponentials you form, or look for a ready-made sigmoid in `scipy.special`.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | tokens |
# | `W_gate`, `W_up` | `(d_model, d_ff)` | the two branches |
# | `W_down` | `(d_ff, d_model)` | the way back |
# | result | `(..., n, d_model)` | a new array |
#
# **By hand.** All sizes are 1: $x = 1$, $w_\text{gate} = \ln 3$, $w_\text{up} = 2$, $w_\text{down} = 4$.
# The sigmoid of $\ln 3$ is $3/4$, so the gate is $\tfrac34 \ln 3$.
# The result is $\tfrac34 \ln 3 \cdot 2 \cdot 4 = 6 \ln 3 = 6.5917$.


# %% solution="swiglu"
def swiglu(X, W_gate, W_up, W_down):
    """Apply the feed-forward network in which one branch gates the other.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_gate, W_up : ndarray of shape (d_model, d_ff)
    W_down : ndarray of shape (d_ff, d_model)

    Returns
    -------
    ndarray of shape (..., n, d_model)
    """
    ### BEGIN SOLUTION
    gate = X @ W_gate  # (..., n, d_ff)
    silu = gate * special.expit(gate)  # expit is the logistic sigmoid, safe for any number
    return (silu * (X @ W_up)) @ W_down
    ### END SOLUTION


# %%
with when_written():
    print(swiglu(np.array([[1.0]]), np.array([[np.log(3)]]), np.array([[2.0]]), np.array([[4.0]])).round(4))

# %%
W_gate, W_up, W_down = rng.standard_normal((4, 6)), rng.standard_normal((4, 6)), rng.standard_normal((6, 4)) / 2
plots.yours_and_target(
    swiglu, X, W_gate, W_up, W_down, row_labels=words, x_label="column", y_label="position", alt="Five tokens, gated."
)

# %% check="swiglu"
check(swiglu)

# %% [markdown]
# <details><summary>Hint 1: when is a quotient of exponentials harmless?</summary>
#
# What is $1 / (1 + e^{1000})$, if the exponential is infinite? And what is infinity divided by infinity?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Both branches have shape `(..., n, d_ff)`. Their product number by number has it, too.
# The last map brings the width back.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Map the tokens with the gate's matrix, and multiply the result by its own sigmoid.
# 2. Map the tokens with the other matrix.
# 3. Multiply the two, number by number, and map the product back.
#
# </details>

# %% [markdown]
# ### Predict: the same number of parameters
#
# A network with two matrices and `d_ff` = 2048 is replaced by a SwiGLU with three.
# Which width keeps the number of parameters (biases aside)?
#
# - **A** 2048
# - **B** about 1365
# - **C** 1024
# - **D** 3072

# %% answer="swiglu-width"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("swiglu-width", answer)

# %%
for width in (2048, 1365, 1024, 3072):
    print(f"d_ff = {width}: {3 * 512 * width:,} numbers in three matrices; two matrices had {2 * 512 * 2048:,}")

# %% [markdown]
# ## Going further
#
# *Not graded.*
#
# - **Who is off?** With random weights about half of all hidden numbers are 0 after ReLU.
#   A unit that is off for *every* token gets no gradient at all. It is called dead, and it stays so until
#   the tokens change. The cell below shows how the share of dead units depends on `b_1`.
#   (It looks at the hidden layer by making the second map the identity.) Try GELU in place of ReLU.
# - **A memory, slot by slot.** Write the network as a loop over its hidden units, as in the formula of keys and values,
#   and compare it with `position_wise_ffn`.
# - **Forgetting.** Set one row of the memory's `W_2` to 0. What happens to the other capitals? What would happen if you
#   set a column of `W_1` to 0?

# %%
many_tokens = rng.standard_normal((1000, 64))
net = init_feed_forward(rng, d_model=64, d_ff=256)._replace(W_2=np.eye(256), b_2=np.zeros(256))
with when_written():
    for bias in (0.0, -1.0, -2.0, -3.0):
        hidden = position_wise_ffn(many_tokens, net._replace(b_1=np.full(256, bias)))
        off, dead = (hidden == 0).mean(), (hidden == 0).all(axis=0).mean()
        print(f"b_1 = {bias}: {off:.1%} of the hidden numbers are 0, {dead:.1%} of the units are dead")

# %% [markdown]
# ## What you have now
#
# - `relu`, `gelu` and `position_wise_ffn` are the second half of every layer. The next notebook uses them, and the
#   capstone runs on them.
# - `collapse_linear` showed what the bend is for: without it no width helps.
# - `ffn_backward` is the first backward pass of a whole sub-layer, confirmed by central differences.
# - `count_layer_parameters` found two thirds of an encoder layer's parameters in the network, one third in attention.
# - `swiglu` is what many models of today have in its place.
# - You repaired a printed example whose shapes did not multiply, and saw that shapes which do multiply can be worse.
#
# Next: **[07 Add and layer norm](../07_add_and_layer_norm/07_add_and_layer_norm.ipynb)**.
# It adds each sub-layer's output to its input, keeps the numbers in bounds,
# and puts attention and network together into a whole encoder layer.
