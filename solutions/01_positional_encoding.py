# %% [markdown]
# # 01 Positional encoding
#
# Attention, the heart of the Transformer, cannot see the order of its tokens.
# In this notebook you build the table of waves that tells it the order, and you find out why waves are a good choice.
#
# **20 points, about 60 minutes.**
# You need Python functions, NumPy slices and broadcasting, and what sine and cosine are.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, predict
from transformer_kit import plots, when_written
from transformer_kit.examples.positions import EMBEDDINGS, PRINTED_SUMS, PRINTED_TABLE, TABLE
from transformer_kit.reference import scaled_dot_product_attention  # a preview: you write it in notebook 02

# %% [markdown]
# ## Why order has to be put in
#
# "Dog bites man" and "man bites dog" consist of the same words.
# A recurrent network reads them one after the other, so it knows which came first.
# Attention takes all tokens at once: the new vector of each token is a weighted average over all tokens,
# and the weights come from comparing vectors.
# Nothing in this says where a token stands.
#
# Let us test that before we repair it.
# Three words get one random vector each, and attention turns them into three new vectors.
# Then the words change places: "man bites dog".
#
# ### Predict: what happens to the three output rows?
#
# - **A** Each place keeps its row: the first row stays what it was, whichever word stands there.
# - **B** Each word keeps its row: the same three rows appear, in the new order.
# - **C** All three rows change, because every word now has other neighbours.

# %% answer="shuffled-tokens"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("shuffled-tokens", answer)

# %%
words = ["dog", "bites", "man"]
X = np.random.default_rng(1).standard_normal((3, 4))
output, _ = scaled_dot_product_attention(X, X, X)
output_reversed, _ = scaled_dot_product_attention(X[::-1], X[::-1], X[::-1])

# %%
plots.beside(
    plots.heatmap(output, words, title="dog bites man"),
    plots.heatmap(output_reversed, words[::-1], title="man bites dog"),
    title="Attention without positions",
    same_limits=True,
    alt="The two tables hold the same three rows, in opposite order.",
)

# %% [markdown]
# The dog that bites and the dog that is bitten get the same vector.
# Attention is *permutation-equivariant*: permute the inputs, and the outputs are permuted in the same way.
# So the position must be written into the vectors themselves.
#
# ### What would a good position vector look like?
#
# | idea for position $p$ | what goes wrong |
# |---|---|
# | the number $p$ itself | it grows without limit |
# | the fraction $p / n$ of the sentence | one step has another size in every sentence length |
# | the binary digits of $p$ | it jumps: from 7, `0111`, to 8, `1000`, all four digits change at once |
#
# The third idea is nearly right: the ones change at every step, the twos half as often, and so on.

# %%
bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
plots.heatmap(
    bits,
    column_labels=["ones", "twos", "fours", "eights"],
    y_label="position",
    title="Positions in binary",
    annotate=False,
    alt="Each digit alternates between 0 and 1, and each does so half as fast as the one to its left.",
)

# %% [markdown]
# Replace every alternating digit by a smooth wave, fast waves first and slow ones last.
# That is the encoding of the original Transformer (Vaswani et al. 2017, section 3.5).

# %% [markdown]
# ## Exercise 1.1: angular_frequencies
#
# *3 points, about 8 minutes, difficulty 1 of 5*
#
# Columns come in pairs, and each pair has one wave with its own speed.
# The speed is an *angular frequency*: the radians by which the angle grows from one position to the next.
#
# $$\omega_i = \frac{1}{\text{base}^{\,2i/d_\text{model}}}
# \qquad i = 0, 1, \dots, \frac{d_\text{model}}{2} - 1$$
#
# ### From the formula to the frequencies
#
# - $i$ counts pairs. So $2i$ is the first column of a pair: 0, 2, 4, and so on.
# - The exponent starts at 0 and ends just before 1, at $(d_\text{model} - 2) / d_\text{model}$.
# - The frequencies start at 1 and fall, each by the same factor.
# - The paper uses base 10000. Here that is only the default of an argument.
# - A column needs its partner. For an odd `d_model` raise a `ValueError` whose message contains the number.
#
# | name | shape | meaning |
# |---|---|---|
# | `d_model` | an int | width of a position vector, even |
# | `base` | a float | sets how slow the slow waves are |
# | result | `(d_model / 2,)` | one frequency per pair, fastest first |
#
# **By hand.** Take `d_model` = 6 and base 1000.
# The exponents are 0/6, 2/6 and 4/6.
# 1000 to the power of 1/3 is 10, so the divisors are 1, 10 and 100, and the frequencies 1, 0.1 and 0.01.


# %% solution="angular_frequencies"
def angular_frequencies(d_model, base=10000.0):
    """Return the angular frequency of every pair of columns, fastest first.

    Parameters
    ----------
    d_model : int
        Width of the encoding; an odd one raises a ValueError that mentions it.
    base : float

    Returns
    -------
    ndarray of shape (d_model / 2,)
    """
    ### BEGIN SOLUTION
    if d_model % 2 != 0:
        raise ValueError(f"columns come in pairs, so d_model must be even; got {d_model}")
    first_columns = np.arange(0, d_model, 2)  # of each pair: the 2i of the formula
    return base ** (-first_columns / d_model)
    ### END SOLUTION


# %%
with when_written():
    print(angular_frequencies(6, base=1000.0))  # by hand: 1, 0.1, 0.01

# %%
plots.yours_and_target(
    angular_frequencies,
    16,
    draw=lambda w: plots.curves(
        range(len(w)), {"frequency": w}, log_y=True, x_label="pair i", y_label="radians per position"
    ),
    alt="On a logarithmic axis the frequencies fall along a straight line.",
)

# %% check="angular_frequencies"
check(angular_frequencies)

# %% [markdown]
# <details><summary>Hint 1: which numbers stand in the exponents?</summary>
#
# Write down the exponents for `d_model` = 6 as fractions. How many are there? What is the step from one to the next?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `np.arange` can count in steps of two. For a width of 6 you want three numbers, so the result has shape `(3,)`.
# A number to the power of an array gives an array of the same shape.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. If the width is odd, raise the error, with the width in its message.
# 2. List the first column of every pair.
# 3. Divide by the width: these are the exponents.
# 4. Raise the base to them. A divisor becomes a factor when its exponent changes sign.
#
# </details>

# %% [markdown]
# ### Predict: how long is the longest wave?
#
# A wave of angular frequency $\omega$ repeats after $2\pi / \omega$ positions, its *wavelength*.
# The fastest one has $2\pi \approx 6.28$ positions.
# The base model of the paper has 512 columns. How long is its longest wave?
#
# - **A** a little less than $2\pi \cdot 10000$, which is about 62,832 positions
# - **B** exactly that
# - **C** a little more than that

# %% answer="longest-wave"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("longest-wave", answer)

# %%
with when_written():
    wavelengths = 2 * np.pi / angular_frequencies(512)
    print("shortest:", wavelengths[0].round(2), "longest:", wavelengths[-1].round(2))

# %% [markdown]
# ## Exercise 1.2: positional_encoding
#
# *6 points, about 15 minutes, difficulty 2 of 5*
#
# Now the table itself: one row per position, one column per entry of the position vector.
#
# $$P_{p,\,2i} = \sin(p\,\omega_i) \qquad P_{p,\,2i+1} = \cos(p\,\omega_i)$$
#
# Why two columns for one wave?
# A sine alone takes every height twice per turn, once rising and once falling.
# Sine and cosine together fix the angle, like the hand of a clock.
# So a row is a set of clocks, read at time $p$: one hand turns fast, the next more slowly, and so on.
#
# ### From frequencies to the table
#
# The two columns of a pair are neighbours, and positions count from 0:
#
# | column | 0 | 1 | 2 | 3 | ... |
# |---|---|---|---|---|---|
# | row $p$ | $\sin(p\,\omega_0)$ | $\cos(p\,\omega_0)$ | $\sin(p\,\omega_1)$ | $\cos(p\,\omega_1)$ | ... |
#
# Both columns of a pair have **the same** angle, so their squares sum to 1.
# Therefore all rows have the same length, the square root of $d_\text{model} / 2$.
#
# | name | shape | meaning |
# |---|---|---|
# | positions | `(seq_len,)` | 0, 1, 2, ... |
# | frequencies | `(d_model / 2,)` | from Exercise 1.1 |
# | angles | `(seq_len, d_model / 2)` | every position times every frequency |
# | result `P` | `(seq_len, d_model)` | sines in the even columns, cosines in the odd ones |
#
# An odd `d_model` raises a `ValueError`, as before. `angular_frequencies` may do this for you.
#
# **By hand.** Take `d_model` = 4 and base 100: the frequencies are 1 and 0.1.
#
# | position | sin p | cos p | sin 0.1p | cos 0.1p |
# |---|---|---|---|---|
# | 0 | 0 | 1 | 0 | 1 |
# | 1 | 0.8415 | 0.5403 | 0.0998 | 0.9950 |
# | 2 | 0.9093 | -0.4161 | 0.1987 | 0.9801 |


# %% solution="positional_encoding"
def positional_encoding(seq_len, d_model, base=10000.0):
    """Return the table of position vectors.

    Parameters
    ----------
    seq_len : int
        Number of positions, counted from 0.
    d_model : int
        Width of a position vector; an odd one raises a ValueError that mentions it.
    base : float

    Returns
    -------
    ndarray of shape (seq_len, d_model)
    """
    ### BEGIN SOLUTION
    positions = np.arange(seq_len)
    angles = positions[:, None] * angular_frequencies(d_model, base)  # (seq_len, d_model / 2)
    P = np.empty((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P
    ### END SOLUTION


# %%
with when_written():
    print(positional_encoding(3, 4, base=100.0).round(4))

# %%
plots.yours_and_target(
    positional_encoding,
    60,
    32,
    x_label="column",
    y_label="position",
    alt="Columns on the left alternate quickly from row to row, columns on the right hardly change.",
)

# %%
plots.yours_and_target(
    positional_encoding,
    60,
    32,
    draw=lambda P: plots.curves(range(60), {f"column {j}": P[:, j] for j in (0, 8, 16)}, x_label="position"),
    title="Waves",
    alt="Three sine waves that start at 0; each is slower than the one before.",
)

# %% check="positional_encoding"
check(positional_encoding)

# %% [markdown]
# <details><summary>Hint 1: what is an angle made of?</summary>
#
# Every angle needs one position and one frequency. Which operation on two lists gives all pairs at once?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Positions of shape `(seq_len, 1)` and frequencies of shape `(d_model / 2,)` broadcast to `(seq_len, d_model / 2)`.
# The table is twice as wide. A slice with a step of 2 selects every second column, and you can assign to it.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Get the frequencies; do not forget to hand on the base.
# 2. Multiply every position by every frequency.
# 3. Make an empty table of the full width.
# 4. Fill its even columns with the sines of the angles and its odd columns with the cosines.
#
# </details>

# %% [markdown]
# What does `base` do? Move the slider: with a larger base, more columns hardly change within 60 positions.


# %%
def table_for(base):
    """Draw your table for one base."""
    table = positional_encoding(60, 32, base)
    return plots.heatmap(table, title=f"base {base:g}", x_label="column", y_label="position")


with when_written():
    display(plots.slider(table_for, "base", [2.0, 10.0, 100.0, 1000.0, 10000.0]))

# %% [markdown]
# ## Find the error: a printed table
#
# A set of lecture notes prints the table below for `d_model` = 4 and base 10000.
# The formula above it was right. Something happened on the way to the numbers.

# %%
print(PRINTED_TABLE)
plots.heatmap(PRINTED_TABLE, title="As printed", x_label="column", y_label="position")

# %% [markdown]
# ### What went wrong?
#
# Try to answer by looking, before you calculate.
#
# - **A** Sine and cosine have changed places.
# - **B** The positions should have been counted from 1.
# - **C** Columns 2 and 3 have the frequency of columns 0 and 1.
# - **D** The cosine of 3 should be positive.

# %% answer="printed-table"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("printed-table", answer)

# %% [markdown]
# A test that needs no recalculation is the *rank* of the table, the number of columns that say something new.
# The printed table has four columns, but its rank is lower.

# %%
print("rank of the printed table:", np.linalg.matrix_rank(PRINTED_TABLE))
with when_written():
    print("rank of yours:", np.linalg.matrix_rank(positional_encoding(4, 4)))

# %% [markdown]
# ### Repair row 3
#
# Set `answer` to the four numbers of row 3 (position 3) as they should have been printed, with four decimals.
# Besides the copied columns, one more number of this row is not quite right.

# %% answer="repaired-row"
### BEGIN SOLUTION
answer = [0.1411, -0.9900, 0.0300, 0.9996]
### END SOLUTION
predict("repaired-row", answer)

# %% [markdown]
# ## Exercise 1.3: add_positions
#
# *3 points, about 7 minutes, difficulty 1 of 5*
#
# How does the position get into a token's vector? It is simply added.
#
# $$\text{output}_{\dots,\,p,\,:} = X_{\dots,\,p,\,:} + P_{p,\,:}$$
#
# Adding keeps the width `d_model`, so no later layer has to change.
# The sum is one vector: how to read meaning and position out of it is something that the model has to learn.
# (The paper first multiplies the word vectors by $\sqrt{d_\text{model}}$, in section 3.4. The capstone does so, too.)
#
# ### Which rows of the table
#
# A table is made once, for the longest sequence that may come: it has `n_max` rows.
# A sequence of `n` tokens uses the rows 0 to `n` - 1 and no others.
# `X` may hold one sequence or many: `n` is always the **last axis but one**, whatever stands in front of it.
#
# If there are more tokens than rows, raise a `ValueError` that mentions both numbers.
# NumPy does not always protect you: a table of **one** row would be stretched silently over all tokens.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | token vectors; any leading axes |
# | `P` | `(n_max, d_model)` | the table, `n_max` ≥ `n` |
# | result | `(..., n, d_model)` | a new array; `X` and `P` stay as they are |
#
# **By hand.** Two tokens, (0.5, 0.2) and (0.1, 0.3).
# A table of three rows: (0, 1), (0.8415, 0.5403) and (0.9093, -0.4161).
# The sums are (0.5, 1.2) and (0.9415, 0.8403); row 2 is not used.


# %% solution="add_positions"
def add_positions(X, P):
    """Add the first n rows of the table to the n tokens of every sequence.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    P : ndarray of shape (n_max, d_model)
        With n_max < n a ValueError mentions both numbers.

    Returns
    -------
    ndarray of shape (..., n, d_model)
    """
    ### BEGIN SOLUTION
    n, n_max = X.shape[-2], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens, but the table has only {n_max} positions")
    return X + P[:n]  # (n, d_model) is spread over all leading axes of X
    ### END SOLUTION


# %%
with when_written():
    waves = np.array([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]])
    print(add_positions(np.array([[0.5, 0.2], [0.1, 0.3]]), waves))

# %%
plots.yours_and_target(
    add_positions,
    EMBEDDINGS,
    TABLE,
    x_label="column",
    y_label="position",
    alt="Four token vectors of width 4 plus their position vectors.",
)

# %% check="add_positions"
check(add_positions)

# %% [markdown]
# <details><summary>Hint 1: what if X holds a batch?</summary>
#
# Write down the shape of `X` for 3 sequences of 5 tokens of width 6. Which entry is `n`, counted from the end?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Broadcasting lines shapes up from the right: `(3, 5, 6)` and `(5, 6)` fit without a loop.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Read `n` from the shape of `X`, and `n_max` from the shape of `P`.
# 2. If there are more tokens than rows, raise the error with both numbers.
# 3. Return the sum of `X` and the first `n` rows, as a new array.
#
# </details>

# %% [markdown]
# ### Find the error: two printed sums
#
# The same notes go on and add their table to four token vectors, `EMBEDDINGS`. They print two sums.
# Three of the eight numbers are wrong, for two different reasons.

# %%
print("token vectors:\n", EMBEDDINGS[:2])
print("printed sums:\n", PRINTED_SUMS)

# %% [markdown]
# Set `answer` to the two rows as they should be (a list of two lists, or an array of shape `(2, 4)`).
# Your own functions may help.

# %% answer="repaired-sums"
### BEGIN SOLUTION
answer = [[0.2000, 1.1000, 0.3000, 1.4000], [1.3415, 0.9403, 0.3100, 1.2000]]
### END SOLUTION
predict("repaired-sums", answer)

# %% [markdown]
# ## Exercise 1.4: position_similarity
#
# *3 points, about 7 minutes, difficulty 1 of 5*
#
# Attention compares vectors by their dot product.
# So let us see what the dot products of the position vectors say on their own.
#
# $$S_{ij} = P_i \cdot P_j$$
#
# | name | shape | meaning |
# |---|---|---|
# | `P` | `(n, d_model)` | a table of position vectors, one per row |
# | result | `(n, n)` | every row with every row |
#
# ### Why only the distance matters
#
# Look at one pair of columns. It adds
#
# $$\sin(i\,\omega)\sin(j\,\omega) + \cos(i\,\omega)\cos(j\,\omega) = \cos\big((i - j)\,\omega\big)$$
#
# to the dot product: the positions themselves have gone, and only their distance is left.
# The whole dot product is a sum of such cosines.
# At distance 0 each of them is 1, so the diagonal holds $d_\text{model} / 2$.
#
# **By hand.** Take the table of Exercise 1.2 with its frequencies 1 and 0.1.
# Rows 0 and 1 give $\cos 1 + \cos 0.1 = 0.5403 + 0.9950 = 1.5353$, and so do rows 1 and 2.


# %% solution="position_similarity"
def position_similarity(P):
    """Return the dot product of every pair of rows.

    Parameters
    ----------
    P : ndarray of shape (n, d_model)

    Returns
    -------
    ndarray of shape (n, n)
    """
    ### BEGIN SOLUTION
    return P @ P.T
    ### END SOLUTION


# %%
with when_written():
    print(position_similarity(positional_encoding(3, 4, base=100.0)).round(4))

# %% check="position_similarity"
check(position_similarity)

# %% [markdown]
# <details><summary>Hint 1: what does one entry of a matrix product hold?</summary>
#
# It holds a row of the first matrix times a column of the second. Which columns do you want there?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(n, d_model)` times what shape gives `(n, n)`?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Multiply the table, as a matrix, by itself with rows and columns exchanged. Nothing is divided or normalised.
#
# </details>

# %% [markdown]
# ### Predict: away from the diagonal
#
# Start on the diagonal and walk along a row. How does the similarity change with the distance, for 32 columns?
#
# - **A** It stays the same, because all rows have the same length.
# - **B** It falls all the way.
# - **C** It falls at first, then goes up and down while it sinks slowly.

# %% answer="away-from-the-diagonal"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("away-from-the-diagonal", answer)

# %%
band = "A band along the diagonal, the same in every row, with weaker stripes parallel to it."
labels = {"x_label": "position", "y_label": "position"}
with when_written():
    display(plots.yours_and_target(position_similarity, positional_encoding(60, 32), alt=band, **labels))

# %%
falling = "Both curves fall at first; then they swing and sink slowly, the wider table less."
with when_written():
    narrow, wide = (position_similarity(positional_encoding(60, width))[0] for width in (32, 128))
    shares = {"32 columns": narrow / 16, "128 columns": wide / 64}
    display(plots.curves(range(60), shares, x_label="distance", y_label="share of the diagonal", alt=falling))

# %% [markdown]
# Near positions are similar, far ones less so, and it does not matter where in the sentence you are.
# But the dot product is the same for three steps ahead and three steps back: it knows the distance, not the direction.
# The last exercise adds the direction.

# %% [markdown]
# ## Exercise 1.5: shift_matrix
#
# *5 points, about 15 minutes, difficulty 4 of 5*
#
# Why waves, of all things?
# Vaswani et al. (2017, section 3.5) give a reason.
# For every fixed offset $k$, the vector of position $p + k$ is a *linear function* of the vector of position $p$,
# and it is the same function for every $p$.
# A model that wants to look three tokens back can learn one matrix for it. You now build that matrix.
#
# $$P_{p+k} = P_p\,R(k)^\top \qquad \text{for every position } p$$
#
# For one pair of columns, the two addition theorems say what has to happen:
#
# $$\begin{aligned}
# \sin(\omega(p+k)) &= \sin(\omega p)\cos(\omega k) + \cos(\omega p)\sin(\omega k) \\
# \cos(\omega(p+k)) &= \cos(\omega p)\cos(\omega k) - \sin(\omega p)\sin(\omega k)
# \end{aligned}$$
#
# ### From one pair to the whole matrix
#
# - Both right-hand sides combine $\sin(\omega p)$ and $\cos(\omega p)$, with factors that do not contain $p$.
# - The four factors form a block of 2 by 2. Its first **row** makes the new sine, its second row the new cosine.
# - Our vectors are rows: `P[p] @ R.T` holds the same numbers as `R @ P[p]`.
# - Every pair has its own frequency, so its own angle $\omega_i k$ and its own block on the diagonal of $R$.
#   All other entries are 0.
#
# Each block turns a clock hand. So lengths do not change, $R(a)\,R(b) = R(a + b)$, and a negative offset turns back.
# An odd `d_model` raises a `ValueError`, as before.
#
# | name | shape | meaning |
# |---|---|---|
# | `offset` | an int | the $k$ of the formula; may be negative |
# | angles | `(d_model / 2,)` | one per pair |
# | result `R` | `(d_model, d_model)` | `d_model / 2` blocks on the diagonal, zeros elsewhere |
#
# **By hand.** Take `d_model` = 2, so the only frequency is 1. Move position 1, which is (0.8415, 0.5403), by one step:
# the new sine is 0.8415 · 0.5403 + 0.5403 · 0.8415 = 0.9093,
# the new cosine is 0.5403 · 0.5403 - 0.8415 · 0.8415 = -0.4161.
# That is the row of position 2 in Exercise 1.3.


# %% solution="shift_matrix"
def shift_matrix(offset, d_model, base=10000.0):
    """Return the matrix R with P[p + offset] = P[p] @ R.T for every position p.

    Parameters
    ----------
    offset : int
        May be negative.
    d_model : int
        An odd one raises a ValueError that mentions it.
    base : float

    Returns
    -------
    ndarray of shape (d_model, d_model)
    """
    ### BEGIN SOLUTION
    angles = offset * angular_frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    for i, (sine, cosine) in enumerate(zip(np.sin(angles), np.cos(angles), strict=True)):
        pair = slice(2 * i, 2 * i + 2)
        R[pair, pair] = [[cosine, sine], [-sine, cosine]]
    return R
    ### END SOLUTION


# %%
with when_written():
    print(np.array([0.8415, 0.5403]) @ shift_matrix(1, 2).T)  # by hand: 0.9093, -0.4161

# %%
plots.yours_and_target(
    shift_matrix,
    3,
    8,
    x_label="column",
    y_label="row",
    alt="Four blocks of 2 by 2 on the diagonal, each closer to the identity; zeros elsewhere.",
)

# %%
with when_written():
    P = positional_encoding(50, 8)
    moved = P[:-5] @ shift_matrix(5, 8).T
    print("largest difference between P[p + 5] and P[p] @ R.T:", np.abs(moved - P[5:]).max())

# %% check="shift_matrix"
check(shift_matrix)

# %% [markdown]
# <details><summary>Hint 1: what must R be for the offset 0?</summary>
#
# Nothing may move then. Which matrix does that? So which of the four entries of a block are cosines?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# There are `d_model / 2` angles. Block number `i` occupies rows and columns `2i` and `2i + 1`:
# a slice of two rows and two columns, to which a small list of lists can be assigned.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Get one angle per pair: offset times frequency. The sign of the offset takes care of itself.
# 2. Start from a square of zeros.
# 3. For each pair, read the four factors off the two theorems. Those of the new sine go into the block's upper row,
#    those of the new cosine into the lower row, each time the factor of the old sine first.
#
# </details>

# %% [markdown]
# ## Order matters now
#
# Back to the dog and the man. The same experiment, with positions added to the words first:

# %%
with when_written():
    P = positional_encoding(3, 4)
    first, second = add_positions(X, P), add_positions(X[::-1], P)
    output, _ = scaled_dot_product_attention(first, first, first)
    output_reversed, _ = scaled_dot_product_attention(second, second, second)
    display(
        plots.beside(
            plots.heatmap(output, words, title="dog bites man"),
            plots.heatmap(output_reversed, words[::-1], title="man bites dog"),
            title="Attention with positions",
            same_limits=True,
            alt="The row of each word now differs between the two sentences.",
        )
    )

# %% [markdown]
# The dog that bites and the dog that is bitten now have different vectors.
# How to use the difference is for the model to learn.
#
# ## Going further: rotary embedding
#
# *Not graded.*
# Many newer models add nothing to the words.
# They *turn* the vectors that attention compares, queries and keys, by angles that grow with the position
# (Su et al. 2021).
# Turn the query at position $m$ by $R(m)$ and the key at position $n$ by $R(n)$. Their dot product is then
#
# $$\big(R(m)\,q\big) \cdot \big(R(n)\,k\big) = q \cdot R(n - m)\,k$$
#
# so positions enter through $n - m$ only, and this time the direction counts.

# %%
query, key = np.random.default_rng(6).standard_normal((2, 8))
diagonals = "Every diagonal has one value; above and below the main diagonal the values differ."
with when_written():
    turns = [shift_matrix(position, 8) for position in range(16)]
    scores = np.array([[(turn_q @ query) @ (turn_k @ key) for turn_k in turns] for turn_q in turns])
    display(plots.heatmap(scores, x_label="position of the key", y_label="position of the query", alt=diagonals))

# %% [markdown]
# A challenge: write a function that turns every row of an `(n, d_model)` array by its own position
# *without* building a matrix, and compare it with the loop above.
#
# ## What you have now
#
# - `angular_frequencies`, `positional_encoding` and `add_positions` put the order into the vectors.
#   The capstone runs on them.
# - `position_similarity` showed that dot products of positions know the distance and nothing else.
# - `shift_matrix` showed that a step of any size is one fixed rotation.
# - You repaired a printed table, and saw how an error in one line travels into the next.
#
# A word of care: that this structure helps a model to attend by relative position was the authors' hypothesis.
# They also hoped that waves can be continued beyond the lengths seen in training.
# Position vectors that are learned, as word vectors are, gave nearly the same results
# (Vaswani et al. 2017, section 3.5 and table 3).
#
# Next: **[02 Scaled dot-product attention](../02_scaled_dot_product_attention/02_scaled_dot_product_attention.ipynb)**,
# where you write the function that was only borrowed here.
