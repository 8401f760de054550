# %% [markdown]
# # 06 The position-wise feed-forward network
#
# Attention moves information between tokens. The other half of a Transformer layer works on each token by itself.
# Here you write that half, forward and backward, and watch it learn.
#
# **{{points}}, {{time}}.**
# You need matrix products and broadcasting, the idea of attention (02), its matrices (04), and for the second sitting the chain rule.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np
from scipy import special

from autograder import check, load, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.examples.networks import PRINTED
from transformer_kit.experiments import one_network
from transformer_kit.experiments.corners import learn_a_curve
from transformer_kit.experiments.open_tasks import answers_by_count
from transformer_kit.experiments.whole_model.hidden_units import answers, hidden_layer
from transformer_kit.experiments.whole_model.one_change import count_right, only_in_the_first_layer
from transformer_kit.parameters import FeedForwardParams, init_feed_forward
from transformer_kit.pictures import corners
from transformer_kit.trained.model import load_model

scaled_dot_product_attention = load("scaled_dot_product_attention")  # from unit 02

# %%
progress("06")

# %% [markdown]
# ## What does one neuron respond to?
#
# This half is a small network. Inside it each word's vector becomes a wider one, the *hidden layer*, whose numbers are called
# hidden *units*, or neurons; in the course's translator 64 become 256. Before you write such a network, look inside a trained one,
# the network of the second encoder layer, while the translator reads 600 new sentences.
#
# ### Predict: how many are at work?
#
# A unit is *on* for a word if its number is above 0. How many of the 256 units are on for a word, on average?
#
# - **A** about 5
# - **B** about 50
# - **C** about 128
# - **D** about 200

# %% answer="units-at-work"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("units-at-work", answer)

# %%
hidden = hidden_layer(load_model(), layer=1)
print("on for a word:", (hidden.numbers > 0).sum(axis=1).mean().round(2), "of", hidden.numbers.shape[1])
strongest = answers(hidden, unit=39)
plots.bars(list(strongest.values()), list(strongest), title="Unit 39: its mean at each word", y_label="number")

# %% [markdown]
# Nobody told this unit what an object pronoun is, and yet *them*, *us* and *me* are its words. Try others in the cell above: 106, 88 and
# 126 are just as clear; most are not.
#
# ## What attention leaves out
#
# Each output of attention is a weighted average of values.
# Averaging brings together what belongs together, but computes nothing new from it.
# That is left to the second part of a layer, which takes every token's vector alone (Vaswani et al. 2017, section 3.3):
#
# $$\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# This is a linear map to the hidden layer, a *bend* (a *nonlinearity*, whose graph is not a straight line; here the maximum with 0),
# and a linear map back. The parameters come in a named tuple, `FeedForwardParams(W_1, b_1, W_2, b_2)`. Two of them lead from a token of
# width `d_model` to the hidden layer, `W_1` of shape `(d_model, d_ff)` and its bias `b_1`, `(d_ff,)`; the other two lead back, `W_2` of
# shape `(d_ff, d_model)` and `b_2`, `(d_model,)`.
#
# ### Predict: the nonlinearity or the FFN
#
# The translator gets 39 of 40 new sentences right. In one experiment the FFN of its first encoder layer is removed, so it adds
# nothing. In another the FFN stays, and only the maximum is left out. Which one does more harm?
#
# - **A** removing the FFN
# - **B** leaving out the maximum
# - **C** neither, and both do little
# - **D** neither, and both do the same

# %% answer="bend-or-network"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("bend-or-network", answer)

# %%
without_ffn = only_in_the_first_layer(lambda X, params: 0 * X)
without_maximum = only_in_the_first_layer(lambda X, params: (X @ params.W_1 + params.b_1) @ params.W_2 + params.b_2)
print("without the FFN:", count_right(position_wise_ffn=without_ffn), "of 40 are right")
print("without the maximum:", count_right(position_wise_ffn=without_maximum))

# %% [markdown]
# ## Exercise {{relu}}: relu
#
# *{{points relu}}, about 3 minutes, difficulty 1 of 5*
#
# The nonlinearity of the paper is the *rectified linear unit*: negative numbers are switched off, the rest pass unchanged.
#
# $$\text{ReLU}(x) = \max(0, x)$$
#
# An *activation* such as this acts on each number alone, so the result has the shape of the argument.
# The input array is left as it is.
#
# **By hand.** (-2, -0.5, 0, 0.5, 3) becomes (0, 0, 0, 0.5, 3).

# %% solution="relu"
def relu(x):
    """Replace negative numbers by 0.

    x of any shape -> the same shape.
    """
    ### BEGIN SOLUTION
    return np.maximum(x, 0)  # maximum compares number by number; max would look for one largest number
    ### END SOLUTION


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
# For every number, take the larger of that number and 0. Return the results as a new array.
#
# </details>

# %% [markdown]
# ## Exercise {{gelu}}: gelu
#
# *{{points gelu}}, about 6 minutes, difficulty 2 of 5*
#
# ReLU decides by the sign alone. Many later models, BERT and GPT-2 among them, use a softer nonlinearity:
# each number is multiplied by the probability $\Phi(x)$ that a standard normal random number is smaller than it
# (Hendrycks and Gimpel 2016).
#
# $$\text{GELU}(x) = x\,\Phi(x)$$
#

# $\Phi$ is the area under the bell curve to the left of $x$. NumPy does not provide it, but SciPy has the *error function* erf,
# `special.erf`, which takes arrays. From the far left to the far right it rises from -1 to 1:
#
# $$\Phi(x) = \frac{1}{2}\left(1 + \text{erf}\!\left(\frac{x}{\sqrt 2}\right)\right)$$
#
# **By hand.** $\Phi(0) = \tfrac12$ and $\Phi(1) = 0.8413$.
# So GELU turns 0 into 0, 1 into 0.8413, and -1 into $-(1 - 0.8413) = -0.1587$.

# %% solution="gelu"
def gelu(x):
    """Multiply every number by the probability that a standard normal number is smaller.

    x of any shape -> the same shape.
    """
    ### BEGIN SOLUTION
    probability = 0.5 * (1 + special.erf(x / 2**0.5))
    return x * probability
    ### END SOLUTION


# %%
x = np.linspace(-4, 4, 81)
with skip_if_unimplemented():
    both = {"relu": relu(x), "gelu": gelu(x)}
    dip = "Far out both agree. Near 0 GELU is smooth and dips below 0, down to -0.17 near x = -0.75."
    display(plots.curves(x, both, x_label="x", alt=dip))

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
# 3. Multiply the numbers by it.
#
# </details>
#
# ### Which GELU
#
# Two approximations go by the same name: one with tanh, off by up to 0.0005, which GPT-2 was trained with, and one with a sigmoid, off
# by up to 0.02. Run a model with a form that it was not trained with, and every layer is slightly off.
#
# ## Exercise {{position_wise_ffn}}: position_wise_ffn
#
# *{{points position_wise_ffn}}, about 10 minutes, difficulty 2 of 5*
#
# Now the FFN itself, with an activation $\sigma$ of the caller's choice:
#
# $$\text{FFN}(x) = \sigma(x W_1 + b_1)\, W_2 + b_2$$
#
# After the second map there is no activation:
# the output will be added to the token's vector (unit 07), so negative numbers must be possible.
#
# Tokens are rows: `X[i]` is the $x$ of the formula for position `i`.
# All rows meet the same weights, and no row meets another.
# Leading axes are left alone. (If you change `relu` later, run the cell below again.)
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | tokens |
# | `params` | as above | the four parameters |
# | `activation` | a function | returns an array of the same shape; by default your `relu` |
# | result | `(..., n, d_model)` | a new array |
#
# **By hand.** One token $x = (1, 2)$ and three hidden units:
#
# $$W_1 = \begin{pmatrix} 1 & -1 & 0 \\ 0 & 1 & -2 \end{pmatrix} \quad b_1 = (0, 0, 1) \quad
# W_2 = \begin{pmatrix} 2 & 0 \\ 1 & -3 \\ 5 & 5 \end{pmatrix} \quad b_2 = (0, 1)$$
#
# The first map gives $(1, 1, -4)$, with its bias $(1, 1, -3)$. ReLU makes it $(1, 1, 0)$,
# so the second map adds up the first two rows of $W_2$: $(3, -3)$, and with the bias $(3, -2)$.

# %% solution="position_wise_ffn"
def position_wise_ffn(X, params, activation=relu):
    """Apply the same two-layer network to every position by itself.

    X (..., n, d_model), params: W_1 (d_model, d_ff), b_1 (d_ff,), W_2 (d_ff, d_model), b_2 (d_model,)
    -> (..., n, d_model).
    """
    ### BEGIN SOLUTION
    hidden = activation(X @ params.W_1 + params.b_1)  # (..., n, d_ff)
    return hidden @ params.W_2 + params.b_2
    ### END SOLUTION


# %%
small = FeedForwardParams(
    W_1=np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -2.0]]), b_1=np.array([0.0, 0.0, 1.0]),
    W_2=np.array([[2.0, 0.0], [1.0, -3.0], [5.0, 5.0]]), b_2=np.array([0.0, 1.0]),
)
one_token = np.array([[1.0, 2.0]])
with skip_if_unimplemented():
    print(position_wise_ffn(one_token, small))  # by hand: 3, -2

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
#
# ### Change one word
#
# Only the vector of "poem" changes. Compare what that does to your network's outputs and to attention's.

# %%
with skip_if_unimplemented():
    display(one_network.moved_by_one_word(scaled_dot_product_attention, position_wise_ffn))

# %% [markdown]
# ## Find the error: shapes that do not multiply
#
# A set of lecture notes works through the FFN with two tokens. Here are the tokens from its table and the parameters from its
# worked steps.

# %%
print("X", PRINTED.X.shape, PRINTED.X.tolist())
for name, value in PRINTED.params._asdict().items():
    print(name, value.shape, value.tolist())

# %% [markdown]
# ### Repair the shapes
#
# `X @ W_1` fails. Which repair makes this a network that a Transformer layer can use?
# (The layer adds the output to the input.)
#
# - **A** Give every token a third number, which makes `X` (2, 3).
# - **B** Transpose `W_1`, and leave `W_2` and both biases.
# - **C** Swap the two factors, and compute `W_1 @ X`.
# - **D** Take a `W_1` with two rows and a `W_2` with two columns.

# %% answer="printed-shapes"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("printed-shapes", answer)

# %% [markdown]
# ## Keys and values that are learned
#
# Write the FFN as a sum over its hidden units.
# Let $k_i$ be column $i$ of $W_1$, and $v_i$ row $i$ of $W_2$. Then
#
# $$\text{FFN}(x) = \sum_{i} \sigma(x \cdot k_i + b_{1,i})\; v_i + b_2$$
#
# This looks like attention: $x$ is a query, it is compared with keys, and the values are summed with weights (Geva et al. 2021).
#
# | | attention | feed-forward network |
# |---|---|---|
# | keys and values | from the tokens of this text | learned, fixed |
# | how many | one for each token | `d_ff` |
# | weights | softmax: they share a budget of 1 | ReLU: each on its own, from 0 upwards |
#
# Let us set keys and values by hand. A vector has one feature for each name: three countries, then three capitals. Each unit has a
# country as its key and a capital as its value; the bias of -0.5 keeps it off for a faint signal. Asked for "Spain and Japan",
# attention would have to share a budget of 1 between two capitals. What will the network return?

# %%
countries, capitals = ["France", "Spain", "Japan"], ["Paris", "Madrid", "Tokyo"]
atlas = FeedForwardParams(
    W_1=np.eye(6)[:, :3], b_1=np.full(3, -0.5), W_2=2 * np.eye(6)[3:], b_2=np.zeros(6)
)  # column i of W_1 is country i; row i of W_2 is capital i, twice, to make up for the threshold

questions = {"France": [1, 0, 0], "0.4 Spain": [0, 0.4, 0], "Spain and Japan": [0, 1, 1]}
queries = np.array([[*strengths, 0, 0, 0] for strengths in questions.values()], dtype=float)
recalled = "One row for each question, one column for each country and each capital."
with skip_if_unimplemented():
    recalls = position_wise_ffn(queries, atlas)
    display(plots.heatmap(recalls, list(questions), countries + capitals, y_label="token", alt=recalled))

# %% [markdown]
# ## Exercise {{collapse_linear}}: collapse_linear
#
# *{{points collapse_linear}}, about 7 minutes, difficulty 2 of 5*
#
# Without its nonlinearity the whole FFN is a single linear map. Which one?
#
# $$(x W_1 + b_1)\, W_2 + b_2 \;=\; x\, W + b$$
#
# Expand the left-hand side, and separate what multiplies $x$ from what does not: these are $W$ and $b$.
# (Strictly, a linear map with a bias is *affine*; we call both linear.)
#
# **By hand.** The small network of Exercise {{position_wise_ffn}} has
#
# $$W = \begin{pmatrix} 1 & 3 \\ -9 & -13 \end{pmatrix} \qquad b = (5, 6)$$
#
# so without ReLU the token $(1, 2)$ becomes $(-12, -17)$. With it, it became $(3, -2)$.

# %% solution="collapse_linear"
def collapse_linear(params):
    """Return the one linear map that the two are when no activation lies between them.

    params: FeedForwardParams -> W (d_model, d_model), b (d_model,).
    """
    ### BEGIN SOLUTION
    W = params.W_1 @ params.W_2
    b = params.b_1 @ params.W_2 + params.b_2  # the first bias passes through the second map
    return W, b
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    W, b = collapse_linear(small)
    print(one_token @ W + b, position_wise_ffn(one_token, small, activation=lambda hidden: hidden))

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
#
# ### Predict: the rank of W
#
# The *rank* of a matrix (unit 01) is also the number of dimensions that the outputs of its map fill.
# Let `d_model` be 8 and `d_ff` be 3, with random weights. What is the rank of $W$?
#
# - **A** 3
# - **B** 5
# - **C** 8
# - **D** 11

# %% answer="rank-without-activation"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("rank-without-activation", answer)

# %%
with skip_if_unimplemented():
    for d_ff in (3, 8, 2048):
        W, _ = collapse_linear(init_feed_forward(np.random.default_rng(6), d_model=8, d_ff=d_ff))
        print(f"d_ff = {d_ff}: W has rank {np.linalg.matrix_rank(W)}", end="   ")

# %% [markdown]
# ## Exercise {{counting_network}}: counting_network
#
# *{{points counting_network}}, about 15 minutes, difficulty 4 of 5*
#
# With ReLU each hidden unit adds one corner: where its number before ReLU is 0, the slope changes. Set some corners yourself.
# A token is a row of bits, zeros and ones, and your network shall have one output: **1 if the number of ones is among `counts`, and 0 if not**.
# For two bits and `counts` = (1,) that is the *exclusive or*, which no linear map can do.
#
# Here is no formula, and more than one right answer. Only what your network, with ReLU, says to *every* row of bits
# counts, for lengths and counts that you do not see. It may miss 0 or 1 by a millionth.
#
# | name | shape | meaning |
# |---|---|---|
# | `n_bits` | int | length of a row, from 2 to 9 |
# | `counts` | a tuple of ints | one or more different numbers from 0 to `n_bits`, in any order |
# | result | a `FeedForwardParams` | `(n_bits, d_ff)`, `(d_ff,)`, `(d_ff, 1)` and `(1,)`; `d_ff` at most 40 |
#
# **Example.** Three bits and `counts` = (0, 3): only 0 0 0 and 1 1 1 get a 1.

# %% solution="counting_network"
def counting_network(n_bits, counts):
    """Return the weights of a network that says whether the number of ones is one of `counts`.

    n_bits int, counts tuple of int -> FeedForwardParams with W_1 (n_bits, d_ff) and W_2 (d_ff, 1).
    """
    ### BEGIN SOLUTION
    W_1, b_1, W_2 = [], [], []
    for count in counts:
        for corner, bend in ((count - 1, 1.0), (count, -2.0), (count + 1, 1.0)):  # up, down, and level again
            W_1.append(np.ones(n_bits))  # every unit sees the number of ones
            b_1.append(-float(corner))
            W_2.append([bend])
    return FeedForwardParams(np.array(W_1).T, np.array(b_1), np.array(W_2), np.zeros(1))
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    display(answers_by_count(counting_network, position_wise_ffn, n_bits=6, counts=(2, 5)))

# %% check="counting_network"
check(counting_network)

# %% [markdown]
# <details><summary>Hint 1: what can one unit see?</summary>
#
# Which weights make a unit's number before ReLU depend on how many ones there are, and not on where they stand? What does
# its bias do then? Draw what the unit says against the number of ones.
#
# </details>
#
# <details><summary>Hint 2: how often does the slope change?</summary>
#
# Draw the answers for 6 bits and `counts` = (2,) against the number of ones, and join the dots. At which numbers does
# the slope change, and by how much? What is the slope at the far right, and who sees to that?
#
# </details>
#
# <details><summary>Hint 3: the second map</summary>
#
# A unit is a corner; what is its entry in `W_2`? What changes in your drawing if two neighbours are asked for, or 0?
#
# </details>
#
# ### Who sets the corners?
#
# So 16 units can follow a curve in up to 17 straight pieces. Where should the corners be? From now on gradients decide.
# This is a good place to stop for today.
#
# ## Second sitting: a network that learns
#
# ### One step on paper
#
# The last step of the network is $Y = H W_2 + b_2$, for all positions at once: row $i$ of $H$ and of $Y$ belongs to position $i$.
# You know the gradient of the loss with respect to every output, $dY_{ij}$. What is the gradient for one parameter, $dW_{2,kj}$?
#
# - **A** $\max_i H_{ik}\, dY_{ij}$
# - **B** $\sum_i H_{ik}\, dY_{ij}$
# - **C** $\sum_j H_{ik}\, dY_{ij}$

# %% answer="gradient-of-w2"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("gradient-of-w2", answer)

# %% [markdown]
# ## Exercise {{ffn_backward}}: ffn_backward
#
# *{{points ffn_backward}}, about 12 minutes, difficulty 4 of 5*
#
# You are given $dY = \partial L / \partial Y$, the gradient of a loss $L$ with respect to the output (`d_output`).
# Return the gradients with respect to `X` and to the four parameters. The activation is ReLU.
#
# ### Backwards, line by line
#
# Name the steps of the forward pass, and go through them in reverse:
#
# | forward | backward |
# |---|---|
# | $Z = X W_1 + b_1$ | $dX = dZ\, W_1^\top$, $\quad dW_1 = X^\top dZ$, $\quad db_1 = \sum dZ$ |
# | $H = \text{ReLU}(Z)$ | $dZ = dH$ where $Z$ is positive, 0 elsewhere (also where $Z = 0$) |
# | $Y = H W_2 + b_2$ | $dH = dY\, W_2^\top$, $\quad dW_2 = H^\top dY$, $\quad db_2 = \sum dY$ |
#
# A gradient always has the shape of what it belongs to. That alone tells you which factor to transpose.
#

# ### One network, many positions
#
# Every position of every sequence uses the same parameters, so each parameter collects the gradients of all of them.
# The sums, and those inside the products $X^\top dZ$ and $H^\top dY$, run over **all axes but the last**: treat all positions as the
# rows of one long matrix.
#
# | name | shape | meaning |
# |---|---|---|
# | `d_output` | `(..., n, d_model)` | $dY$ |
# | `X`, `params` | as before | the input and the parameters of the forward pass |
# | `dX` | `(..., n, d_model)` | first result |
# | `d_params` | a `FeedForwardParams` | second result: the gradient of each parameter, in the parameter's shape |
#
# **By hand.** The token $(1, 2)$ in the small network again, with $dY = (1, 1)$.
# $dH$ holds the sums of the rows of $W_2$: $(2, -2, 10)$. The third unit was off, so $dZ = (2, -2, 0)$.
# Then $dX = (2 + 2,\; -2) = (4, -2)$ and $db_1 = dZ$.

# %% solution="ffn_backward"
def ffn_backward(d_output, X, params):
    """Return the gradients of a loss through the feed-forward network with ReLU.

    d_output (..., n, d_model), X (..., n, d_model), params: FeedForwardParams
    -> dX (..., n, d_model), d_params: FeedForwardParams, summed over all positions.
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
with skip_if_unimplemented():
    dX, d_params = ffn_backward(np.array([[1.0, 1.0]]), one_token, small)
    print("dX =", dX, " db_1 =", d_params.b_1)  # by hand: (4, -2) and (2, -2, 0)

# %% [markdown]
# Never trust a gradient until you have compared it with central differences. `gaps` moves every number of the tokens and the parameters
# a little up and down, measures how a loss changes, and tells how far your gradients are from that.

# %%
with skip_if_unimplemented():
    print(one_network.gaps(position_wise_ffn, ffn_backward))

# %% check="ffn_backward"
check(ffn_backward)

# %% [markdown]
# <details><summary>Hint 1: which numbers of the forward pass do you need again?</summary>
#
# The table uses $X$, $H$ and the sign of $Z$. Two of them are not given to you. How do you get them?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `reshape(-1, width)` makes one long matrix out of any leading axes. Do it to `X` and to `d_output`: then
# all products are plain matrix products, all sums run over axis 0, and only `dX` has to get its shape back.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Turn tokens and output gradients into rows.
# 2. Compute the hidden layer once more, before and after ReLU.
# 3. Bring the output gradient back through the second matrix, and set it to 0 where the hidden layer was not
#    positive.
# 4. Form the two products and two sums for the parameters, and one product for the tokens.
# 5. Return the last of them in the shape of `X`, then the four others as a `FeedForwardParams`.
#
# </details>
#
# ### Find the bug: a network that does not learn
#
# A colleague's version runs, and all its shapes are right, but no network learns with it. Ask the central differences why:

# %%
def hurried_backward(d_output, X, params):
    """Return the gradients for a single sequence."""
    before = X @ params.W_1 + params.b_1
    d_hidden = d_output @ params.W_2.T
    d_before = d_hidden * (d_hidden > 0)
    d_W_1, d_b_1 = X.T @ d_before, d_before.sum(axis=0)
    d_W_2, d_b_2 = np.maximum(before, 0).T @ d_output, d_output.sum(axis=0)
    return d_before @ params.W_1.T, FeedForwardParams(d_W_1, d_b_1, d_W_2, d_b_2)


with skip_if_unimplemented():
    print(one_network.gaps(position_wise_ffn, hurried_backward))

# %% [markdown]
# Two gradients are right, three are not. Which line is to blame?
#
# - **A** the line of `d_before`
# - **B** the line of `d_hidden`
# - **C** the line of `d_W_1`

# %% answer="hurried-backward"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("hurried-backward", answer)

# %% [markdown]
# ### Corners that follow a curve
#
# With your two functions, a network with `d_model` = 1 learns the grey curve in 4,000 steps.
# Below the curve you see where the network's corners have been, with the first step at the top.
# Press Play. Where do the corners gather, and what becomes of those that leave the picture?

# %%
with skip_if_unimplemented():
    display(corners(learn_a_curve(position_wise_ffn, ffn_backward)))

# %% [markdown]
# A unit whose corner has left is on everywhere, and bends nothing, or off everywhere. An off unit passes no gradient, so it cannot
# come back: it is *dead*. Does that happen in a trained model? Count in ours:

# %%
never_on = ~(hidden.numbers > 0).any(axis=0)
print(never_on.sum(), "of", len(never_on), "units are off at all of the", len(hidden.words), "words")

# %% [markdown]
# ## Exercise {{count_layer_parameters}}: count_layer_parameters
#
# *{{points count_layer_parameters}}, about 4 minutes, difficulty 1 of 5*
#
# Which has more parameters, attention or the FFN?
#
# Attention has four matrices of shape `(d_model, d_model)`, for the queries, keys and values of all heads and for the output
# (unit 04), and no biases. The network has two matrices and two biases.
# (The two small norms of a layer, from unit 07, are not counted.)
#
# | name | meaning |
# |---|---|
# | `d_model`, `d_ff` | ints |
# | results `attention`, `ffn` | two ints, in this order |
#
# **By hand.** For `d_model` = 2 and `d_ff` = 3 attention has 16 numbers, and the FFN 6 + 3 + 6 + 2 = 17.

# %% solution="count_layer_parameters"
def count_layer_parameters(d_model, d_ff):
    """Count the parameters of the two sub-layers of an encoder layer.

    d_model and d_ff are ints -> two ints: attention without biases, ffn with them.
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
# The four shapes of the FFN stand in *What attention leaves out*, below its formula.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Add up four square matrices for the one result, and two matrices and two biases of different lengths for the other.
#
# </details>
#
# ### Predict: the share of the FFN
#
# In the base model `d_model` is 512 and `d_ff` is 2048. What share of these parameters is in the FFN?
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
with skip_if_unimplemented():
    attention, ffn = count_layer_parameters(512, 2048)
    print(f"attention {attention:,}, FFN {ffn:,}, share of the FFN {ffn / (attention + ffn):.4f}")

# %% [markdown]
# A decoder layer has two attentions, so there the FFN's share is about half.
#
# ## Exercise {{swiglu}}: swiglu
#
# *{{points swiglu}}, about 8 minutes, difficulty 3 of 5*
#
# Many recent models, such as LLaMA (Touvron et al. 2023), replace the fixed nonlinearity by a **gate**
# (Shazeer 2020): one linear map of the token says how much of a second one is let through.
#
# $$\text{SwiGLU}(X) = \big(\,\text{SiLU}(X W_\text{gate}) \odot X W_\text{up}\,\big)\, W_\text{down}
# \qquad \text{SiLU}(z) = z \cdot \text{sigmoid}(z) = \frac{z}{1 + e^{-z}}$$
#
# Here $\odot$ multiplies number by number. There are no biases.
#
# Both branches have the same shape, so no error tells you when they are swapped.
# SiLU belongs to the branch of $W_\text{gate}$ alone. The other stays linear.
#
# In float64 $e^{710}$ is already infinite, but your function must get SiLU(-1000) = 0 and SiLU(1000) = 1000 right.
# Think about which exponentials you form, or look for a ready-made sigmoid in `scipy.special`.
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

    X (..., n, d_model), W_gate and W_up (d_model, d_ff), W_down (d_ff, d_model) -> (..., n, d_model).
    """
    ### BEGIN SOLUTION
    gate = X @ W_gate  # (..., n, d_ff)
    silu = gate * special.expit(gate)  # expit is the logistic sigmoid, safe for any number
    return (silu * (X @ W_up)) @ W_down
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(swiglu(np.array([[1.0]]), np.array([[np.log(3)]]), np.array([[2.0]]), np.array([[4.0]])).round(4))

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
# Both branches have shape `(..., n, d_ff)`. So has their product, number by number.
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
#
# ### Predict: the same number of parameters
#
# A network with two matrices and `d_ff` = 2048 is replaced by a SwiGLU with three.
# Which width keeps the number of parameters (biases aside)?
#
# - **A** 1365
# - **B** 1536
# - **C** 2048
# - **D** 3072

# %% answer="swiglu-width"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("swiglu-width", answer)

# %% [markdown]
# ## Going further
#
# *Not graded.*
#
# - **Fewer corners.** Give `learn_a_curve` another `d_ff` or `seed`. How few units are enough?
# - **Your own neuron.** Find units that respond to questions or to names. `answers(hidden_layer(load_model(), 0), 26)` is one for numbers.
#
# ### Since 2017: a mixture of experts
#
# Many large models have several such networks side by side, the *experts*, and send each token to a few of them only (Shazeer et al. 2017; Fedus et al. 2022):
# many parameters, little work for a token. Here the translator's 256 units are cut into 8 experts of 32, and every token keeps the `k`
# that have most to say. (A real *router* has to guess these from the token alone.)

# %%
def some_experts(k, n_experts=8):
    """Return a network that is cut into experts, of which every token uses `k`."""

    def network(X, params):
        W_1, b_1 = np.split(params.W_1, n_experts, axis=1), np.split(params.b_1, n_experts)
        experts = zip(W_1, b_1, np.split(params.W_2, n_experts), [0 * params.b_2] * n_experts, strict=True)
        said = np.stack([position_wise_ffn(X, FeedForwardParams(*expert)) for expert in experts])
        size = np.linalg.norm(said, axis=-1, keepdims=True)  # (n_experts, ..., 1)
        return (said * (size >= np.sort(size, axis=0)[-k])).sum(axis=0) + params.b_2

    return network


with skip_if_unimplemented():
    for k in (8, 4, 2, 1):
        print(k, "of 8 experts:", count_right(position_wise_ffn=some_experts(k)), "of 40 are right")

# %% [markdown]
# Half of the experts do as well as all, although nobody trained the model for it.
#
# ## What you have now
#
# - `position_wise_ffn` is the second half of every layer, with two thirds of its parameters; `swiglu` has taken its place in many of
#   today's models.
# - `collapse_linear` showed what the nonlinearity is for: without it no width helps.
# - `ffn_backward` took a gradient back through a whole sub-layer, and a network learned with it.
#
# Next: **[07 Add and layer norm](../07_add_and_layer_norm/07_add_and_layer_norm.ipynb)**.
# It completes the encoder layer, and keeps its numbers in bounds.
