# %% [markdown]
# # 01 Positional encoding
#
# Take this course's trained translator, switch off one thing in its encoder, the half that reads, and have it
# translate *The red house is big.*

# %%
import numpy as np

from autograder import check, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.examples.positions import EMBEDDINGS, PRINTED_TABLE, TABLE
from transformer_kit.experiments.positions import frequency_curve, similarities
from transformer_kit.experiments.whole_model.one_change import count_right, counted_from
from transformer_kit.experiments.whole_model.word_order import translate_with, translate_without_order
from transformer_kit.pictures import clocks

# %%
translate_without_order("The red house is big.")

# %% [markdown]
# That means *The big house is red.* What is switched off is a table of waves that tells the encoder where a word stands.
# You build that table, find out why waves are a good choice, put it back, and see how much it helps.
#
# **{{points}}, {{time}}.**
# You need Python functions, NumPy slices and broadcasting, and sine, cosine and their formulas for a sum of angles.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
progress("01")

# %% [markdown]
# ## Why order has to be put in
#
# ### Predict: who sees whom?
#
# The same model, still without its table, turns *My mother sees my father* into *Mi madre ve a mi padre*, which is
# right. What does it make of *My father sees my mother*?
#
# - **A** *Mi madre ve a mi padre.*
# - **B** *Mi padre ve a mi madre.*
# - **C** *Ve mi a madre padre mi.*

# %% answer="who-sees-whom"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("who-sees-whom", answer)

# %%
translate_without_order("My mother sees my father.", "My father sees my mother.")

# %% [markdown]
# A recurrent network reads words one after the other, so it knows which came first. The Transformer has attention
# instead, which takes all words at once, as a set. So the position must be written into the vectors themselves.
#
# ### What would a good position vector look like?
#
# | idea for position $p$ | what goes wrong |
# |---|---|
# | the number $p$ itself | it grows without limit |
# | the fraction $p / n$ of the sentence | the size of a step depends on the length of the sentence |
# | the binary digits of $p$ | it jumps: from 7, `0111`, to 8, `1000`, all four digits change at once |
#
# The third idea is nearly right: the ones bit flips at every step, the twos bit half as often, and so on. Replace each digit
# with a smooth wave, the fast ones first and the slow ones last, and you have the encoding of the original
# Transformer (Vaswani et al. 2017, section 3.5).

# %%
bits = (np.arange(16) >> np.arange(4)[:, None]) & 1
plots.heatmap(bits, ["ones", "twos", "fours", "eights"], x_label="position", title="Positions in binary",
              annotate=False, alt="Each digit alternates between 0 and 1, half as fast as the one above it.")

# %% [markdown]
# ## Exercise {{angular_frequencies}}: angular_frequencies
#
# *{{points angular_frequencies}}, about 8 minutes, difficulty 1 of 5*
#
# Columns come in pairs, and each pair has one wave with its own speed.
# The speed is an *angular frequency*: the number of radians by which the angle grows from one position to the next.
#
# $$\omega_i = \frac{1}{\text{base}^{\,2i/d_\text{model}}}
# \qquad i = 0, 1, \dots, \frac{d_\text{model}}{2} - 1$$
#
# ### From the formula to the frequencies
#
# - $i$ counts pairs. So $2i$ is the first column of a pair: 0, 2, 4, and so on.
# - The frequencies start at 1 and fall by the same factor from one pair to the next.
# - The paper uses base 10000. Here that is only the default of an argument.
# - Columns come in pairs, so `d_model` must be even. For an odd `d_model`, raise a `ValueError` whose message contains the number.
#
# | name | shape | meaning |
# |---|---|---|
# | `d_model` | an int | width of a position vector, even |
# | `base` | a float | sets how slow the slow waves are |
# | result | `(d_model / 2,)` | one frequency per pair, fastest first; a new array |
#
# **By hand.** Take `d_model` = 6 and base 1000.
# The exponents are 0/6, 2/6 and 4/6.
# 1000 to the power of 1/3 is 10, so the divisors are 1, 10 and 100, and the frequencies 1, 0.1 and 0.01.


# %% solution="angular_frequencies"
def angular_frequencies(d_model, base=10000.0):
    """Return the angular frequency of every pair of columns, fastest first.

    d_model is an int, an odd one a ValueError -> (d_model / 2,).
    """
    ### BEGIN SOLUTION
    if d_model % 2 != 0:
        raise ValueError(f"columns come in pairs, so d_model must be even; got {d_model}")
    first_columns = np.arange(0, d_model, 2)  # of each pair: the 2i of the formula
    return base ** (-first_columns / d_model)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(angular_frequencies(6, base=1000.0))  # by hand: 1, 0.1, 0.01

# %%
plots.yours_and_target(angular_frequencies, 16, draw=frequency_curve,
                       alt="On a logarithmic axis the frequencies fall along a straight line.")

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
# <details><summary>Hint 3: a plan</summary>
#
# Refuse odd widths. Then write down all the exponents as one array, and let NumPy raise the base to it. A
# divisor becomes a factor when its exponent changes sign.
#
# </details>

# %% [markdown]
# ### Predict: how long is the longest wave?
#
# A wave of angular frequency $\omega$ repeats after $2\pi / \omega$ positions, its *wavelength*.
# The paper says of its base model, which has 512 columns, that the wavelengths go from $2\pi$ to $10000 \cdot 2\pi$,
# about 62,832 positions. How long, in positions, does its formula make the longest wave?
#
# - **A** 60,611
# - **B** 62,832
# - **C** 65,134

# %% answer="longest-wave"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("longest-wave", answer)

# %%
with skip_if_unimplemented():
    wavelengths = 2 * np.pi / angular_frequencies(512)
    print("shortest:", wavelengths[0].round(2), "longest:", wavelengths[-1].round(2))

# %% [markdown]
# ## Exercise {{positional_encoding}}: positional_encoding
#
# *{{points positional_encoding}}, about 15 minutes, difficulty 2 of 5*
#
# Now the table itself.
#
# $$P_{p,\,2i} = \sin(p\,\omega_i) \qquad P_{p,\,2i+1} = \cos(p\,\omega_i)$$
#
# Why two columns for one wave?
# A sine alone takes every value twice per turn, once rising and once falling.
# Sine and cosine together fix the angle, as the hand of a clock does: a row is a set of clocks, read at time $p$.
#
# ### From frequencies to the table
#
# The two columns of a pair are neighbours, and positions count from 0:
#
# | column | 0 | 1 | 2 | 3 | ... |
# |---|---|---|---|---|---|
# | row $p$ | $\sin(p\,\omega_0)$ | $\cos(p\,\omega_0)$ | $\sin(p\,\omega_1)$ | $\cos(p\,\omega_1)$ | ... |
#
# Both columns of a pair have **the same** angle, so their squares sum to 1,
# and all rows have the same length, the square root of $d_\text{model} / 2$.
#
# | name | shape | meaning |
# |---|---|---|
# | positions | `(seq_len,)` | 0, 1, 2, ... |
# | frequencies | `(d_model / 2,)` | from Exercise {{angular_frequencies}} |
# | angles | `(seq_len, d_model / 2)` | every position times every frequency |
# | result `P` | `(seq_len, d_model)` | sines in the even columns, cosines in the odd ones; a new array |
#
# An odd `d_model` raises a `ValueError`, as before. `angular_frequencies` does this for you if you call it.
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

    seq_len and d_model are ints, an odd d_model a ValueError -> (seq_len, d_model).
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
with skip_if_unimplemented():
    print(positional_encoding(3, 4, base=100.0).round(4))

# %%
plots.yours_and_target(positional_encoding, 60, 32, x_label="column", y_label="position",
                       alt="Columns on the left alternate quickly from row to row, those on the right hardly change.")

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
# <details><summary>Hint 3: a plan</summary>
#
# The frequencies are there already, if you pass on the base. Make the table of all angles, which is half as wide as the
# result, and interleave its sines and cosines in an empty table.
#
# </details>

# %% [markdown]
# Here is your table, with 8 columns, as four clocks: the sine is measured to the right, the cosine upwards. Move the
# position. Which hand tells neighbours apart, and which one tells the beginning of a text from its end? Then try a
# smaller base.

# %%
clocks(angular_frequencies, positional_encoding)

# %% [markdown]
# ## Find the error: a printed table
#
# A set of lecture notes prints the table below for `d_model` = 4 and base 10000.
# The formula above it was right, but something went wrong on the way to the numbers.

# %%
print(PRINTED_TABLE)

# %% [markdown]
# ### What went wrong?
#
# Try to answer by looking, before you calculate.
#
# - **A** In each pair, sine and cosine have changed places.
# - **B** The rows belong to the positions 1 to 4, not 0 to 3.
# - **C** Columns 2 and 3 turn as fast as columns 0 and 1.
# - **D** The cosine of 3, in row 3, ought to be positive.

# %% answer="printed-table"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("printed-table", answer)

# %% [markdown]
# One test needs no recalculation: the *rank* of the table, the number of independent columns.

# %%
print("rank of the printed table:", np.linalg.matrix_rank(PRINTED_TABLE))
with skip_if_unimplemented():
    print("rank of yours:", np.linalg.matrix_rank(positional_encoding(4, 4)))

# %% [markdown]
# ### Repair row 3
#
# Set `answer` to the four numbers of row 3 (position 3) as they should have been printed, with four decimals.
# One more number in this row is slightly off.

# %% answer="repaired-row"
### BEGIN SOLUTION
answer = [0.1411, -0.9900, 0.0300, 0.9996]
### END SOLUTION
predict("repaired-row", answer)

# %% [markdown]
# ## Exercise {{add_positions}}: add_positions
#
# *{{points add_positions}}, about 7 minutes, difficulty 1 of 5*
#
# How does the position get into a token's vector? It is simply added.
#
# $$\text{output}_{\dots,\,p,\,:} = X_{\dots,\,p,\,:} + P_{p,\,:}$$
#
# Adding keeps the width `d_model`, so no later layer has to change.
# The sum is a single vector: the model has to learn how to recover both meaning and position from it.
# (The paper first multiplies the word vectors by $\sqrt{d_\text{model}}$, in section 3.4. So does the model of unit 09.)
#
# ### Which rows of the table
#
# Build the table once, for the longest sequence you expect: it has `n_max` rows.
# A sequence of `n` tokens uses the rows 0 to `n` - 1 and no others.
# `X` may hold one sequence or many: `n` is always the **second to last axis**, whatever comes before it.
#
# If there are more tokens than rows, raise a `ValueError` that mentions both numbers.
# NumPy does not always protect you: it silently broadcasts a table of **one** row to all tokens.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | token vectors; any leading axes; may hold whole numbers |
# | `P` | `(n_max, d_model)` | the table, `n_max` ≥ `n` |
# | result | `(..., n, d_model)` | a new array; `X` and `P` stay as they are |
#
# **By hand.** Two tokens, (0.5, 0.2) and (0.1, 0.3).
# A table of three rows: (0, 1), (0.8415, 0.5403) and (0.9093, -0.4161).
# The sums are (0.5, 1.2) and (0.9415, 0.8403); row 2 is not used.


# %% solution="add_positions"
def add_positions(X, P):
    """Add the first n rows of the table to the n tokens of every sequence.

    X (..., n, d_model), P (n_max, d_model) -> (..., n, d_model). n_max < n: a ValueError with both numbers.
    """
    ### BEGIN SOLUTION
    n, n_max = X.shape[-2], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens, but the table has only {n_max} positions")
    return X + P[:n]  # (n, d_model) is spread over all leading axes of X
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    waves = np.array([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]])
    print(add_positions(np.array([[0.5, 0.2], [0.1, 0.3]]), waves))

# %%
plots.yours_and_target(add_positions, EMBEDDINGS, TABLE, x_label="column", y_label="position",
                       alt="Four token vectors of width 4 plus their position vectors.")

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
# <details><summary>Hint 3: a plan</summary>
#
# Compare the number of tokens with the number of rows before anything else, since NumPy may not. If it fits, a slice of
# the table is all that has to be added, and broadcasting does the rest.
#
# </details>

# %% [markdown]
# ### Your functions in the trained model
#
# Now switch the waves back on, this time your own.
#
# ### Predict: the fish and the girl
#
# What becomes of *The fish eats the girl*?
#
# - **A** *El pescado come a la niña.*
# - **B** *La niña come el pescado.*
# - **C** *El pescado y la niña comen.*

# %% answer="fish-and-girl"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("fish-and-girl", answer)

# %%
with skip_if_unimplemented():
    sentences = "My father sees my mother.", "The red house is big.", "The fish eats the girl."
    print(*translate_with(positional_encoding, add_positions, *sentences), sep="\n")

# %% [markdown]
# ## Exercise {{position_similarity}}: position_similarity
#
# *{{points position_similarity}}, about 7 minutes, difficulty 1 of 5*
#
# Attention compares vectors by their dot product.
# So let us see what the dot products of the position vectors say on their own.
#
# $$S_{ij} = P_i \cdot P_j$$
#
# ### What one pair of columns adds
#
# Its share of the dot product is
#
# $$\sin(i\,\omega)\sin(j\,\omega) + \cos(i\,\omega)\cos(j\,\omega) = \cos\big((i - j)\,\omega\big)$$
#
# and the whole dot product is a sum of such cosines.
# On the diagonal each of them is 1, so the entries there are $d_\text{model} / 2$.
#
# **By hand.** Take the table of Exercise {{positional_encoding}} with its frequencies 1 and 0.1.
# Rows 0 and 1 give $\cos 1 + \cos 0.1 = 0.5403 + 0.9950 = 1.5353$, and so do rows 1 and 2.


# %% solution="position_similarity"
def position_similarity(P):
    """Return the dot product of every pair of rows.

    P (n, d_model) -> (n, n).
    """
    ### BEGIN SOLUTION
    return P @ P.T
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(position_similarity(positional_encoding(3, 4, base=100.0)).round(4))

# %% check="position_similarity"
check(position_similarity)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# An entry of a matrix product is a row of the first matrix times a column of the second. What do you want in the
# columns?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(n, d_model)` times what shape gives `(n, n)`?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# You need every row of the table against every row. The plain dot product is all that is wanted: no division, no norm.
#
# </details>

# %% [markdown]
# Along a row the similarity falls at first, then oscillates around a slowly falling level:

# %%
with skip_if_unimplemented():
    display(similarities(position_similarity, positional_encoding))

# %% [markdown]
# ### Predict: a shuffled text
#
# Somebody shuffles the words of a text, and the rows of `P` along with them. You get the similarity of every pair of
# rows, and nothing else. How many word orders are consistent with these similarities?
#
# - **A** exactly one
# - **B** exactly two
# - **C** one for each word
# - **D** every order there is

# %% answer="shuffled-text"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("shuffled-text", answer)

# %% [markdown]
# With the rows themselves, put the text in order: begin with position 0, whose sines are all 0, and go on each time to the
# most similar of the remaining rows.

# %%
shuffled = ["waves", "the", "every", "still", "was", "word", "and", "where", "know", "each"]
order = [1, 0, 7, 2, 9, 8, 6, 4, 3, 5]  # used for the rows of P, and then forgotten
with skip_if_unimplemented():
    rows = positional_encoding(10, 32)[order]
    similarity = position_similarity(rows)
    found = [int(np.abs(rows[:, 0::2]).sum(axis=1).argmin())]
    while len(found) < len(rows):
        left = [row for row in range(len(rows)) if row not in found]
        found.append(max(left, key=lambda row: similarity[found[-1], row]))
    print(" ".join(shuffled[row] for row in found))

# %% [markdown]
# Similarity tells how far apart two positions are, not which comes first. The last exercise does.

# %% [markdown]
# ## Exercise {{own_positions}}: own_positions
#
# *{{points own_positions}}, about 15 minutes, difficulty 4 of 5*
#
# In the paper's table with 8 columns, words 6 places apart are more alike than neighbours. Do better:
# **positions of at most 8 numbers for up to 300 words, such that neighbours are the most alike.**
#
# Many answers are right. Only the similarity counts, the dot product:
#
# - For neighbours it is at least 0.1 larger than for all words farther apart.
# - For neighbours it is at most 0.95, so they can be told apart.
# - It depends only on the distance.
#
# | name | shape | meaning |
# |---|---|---|
# | `n` | an int | number of words, from 3 to 300 |
# | result | `(n, d)` | you choose `d`, at most 8; every row has length 1 |


# %% solution="own_positions"
def own_positions(n):
    """Return positions of length 1 such that neighbours are the most alike.

    n is an int from 3 to 300 -> (n, d) with d at most 8.
    """
    ### BEGIN SOLUTION
    angles = np.arange(n)[:, None] * (0.85 / 3.7 ** np.arange(4))  # every wave nearly four times as long as the one before
    return np.hstack([np.sin(angles), np.cos(angles)]) / 2  # four hands of length 1/2
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    alike = position_similarity(own_positions(300))[0]
    display(plots.curves(range(1, 300), {"yours": alike[1:]}, x_label="distance", y_label="similarity"))

# %% check="own_positions"
check(own_positions)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# What does one clock hand with the angular frequency $\omega$ add to the similarity at distance 1, 2, 3, ...? At which
# distances is that largest?
#
# </details>
#
# <details><summary>Hint 2: a smaller case</summary>
#
# Take two clocks. What must the second one do at the distances at which the first has come round? Now take four. How long
# does the longest wave have to be for 300 words, and how short may the shortest be?
#
# </details>
#
# <details><summary>Hint 3: look for it</summary>
#
# For several choices of waves, print two numbers: the similarity of neighbours, and the largest of all others. What in
# your function can you change, and what happens to the two numbers?
#
# </details>

# %% [markdown]
# ## Exercise {{shift_matrix}}: shift_matrix
#
# *{{points shift_matrix}}, about 15 minutes, difficulty 3 of 5*
#
# Why waves, of all things?
# Vaswani et al. (2017, section 3.5) give a reason:
# for every fixed offset $k$, the vector of position $p + k$ is a *linear function* of the vector of position $p$,
# and it is the same function for every $p$.
# A model that wants to look three tokens back can learn one matrix for it. You now build that matrix.
#
# $$P_{p+k} = P_p\,R(k)^\top \qquad \text{for every position } p$$
#
# For one pair of columns, the formulas for the sine and the cosine of a sum say how:
#
# $$\begin{aligned}
# \sin(\omega(p+k)) &= \sin(\omega p)\cos(\omega k) + \cos(\omega p)\sin(\omega k) \\
# \cos(\omega(p+k)) &= \cos(\omega p)\cos(\omega k) - \sin(\omega p)\sin(\omega k)
# \end{aligned}$$
#
# ### On paper: a quarter turn
#
# Let $\omega k$ be a quarter turn, so that $\cos(\omega k) = 0$ and $\sin(\omega k) = 1$. Which 2 by 2 block,
# multiplied from the left, turns the column $(\sin \omega p, \cos \omega p)$ into
# $(\sin \omega(p+k), \cos \omega(p+k))$? Give its two rows.

# %% answer="quarter-turn"
### BEGIN SOLUTION
answer = [[0, 1], [-1, 0]]
### END SOLUTION
predict("quarter-turn", answer)

# %% [markdown]
# ### From one pair to the whole matrix
#
# - In general the four factors form a block whose first **row** makes the new sine, its second row the new cosine.
# - Our vectors are rows: `P[p] @ R.T` holds the same numbers as `R @ P[p]`.
# - Every pair has its own frequency, and so its own angle $\omega_i k$ and its own block on the diagonal of $R$.
#   All other entries are 0.
#
# Each block turns one clock hand. So lengths do not change, $R(a)\,R(b) = R(a + b)$, and a negative offset turns back.
# An odd `d_model` raises a `ValueError`, as before.
#
# | name | shape | meaning |
# |---|---|---|
# | `offset` | an int | the $k$ of the formula; may be negative |
# | angles | `(d_model / 2,)` | one per pair |
# | result `R` | `(d_model, d_model)` | `d_model / 2` blocks on the diagonal, zeros elsewhere; a new array |
#
# **By hand.** Take `d_model` = 2, so the only frequency is 1. Move position 1, which is (0.8415, 0.5403), by one step:
# the new sine is 0.8415 · 0.5403 + 0.5403 · 0.8415 = 0.9093,
# the new cosine is 0.5403 · 0.5403 - 0.8415 · 0.8415 = -0.4161.
# That is the row of position 2 in Exercise {{add_positions}}.


# %% solution="shift_matrix"
def shift_matrix(offset, d_model, base=10000.0):
    """Return the matrix R with P[p + offset] = P[p] @ R.T for every position p.

    offset is an int, perhaps negative; d_model is an int, an odd one a ValueError -> (d_model, d_model).
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
with skip_if_unimplemented():
    print(np.array([0.8415, 0.5403]) @ shift_matrix(1, 2).T)  # by hand: 0.9093, -0.4161

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
# <details><summary>Hint 3: a plan</summary>
#
# One angle for each pair, with its sign. One small block for each angle, read off the two formulas as you did for the
# quarter turn. And a square of zeros to put the blocks in.
#
# </details>

# %% [markdown]
# The clocks once more, for a base of 16, with a second hand: `P[p] @ R.T`. The ring marks row $p + k$ of your table.
# Choose an offset, then move the position: what does not change?

# %%
clocks(angular_frequencies, positional_encoding, shift_matrix)

# %% [markdown]
# ### Predict: ten places later
#
# The trained translator gets 39 of 40 new sentences right. Let it count positions from 10 instead of 0, in both
# languages. How many are right now?
#
# - **A** 2
# - **B** 20
# - **C** 32
# - **D** 39

# %% answer="ten-places-later"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("ten-places-later", answer)

# %%
with skip_if_unimplemented():
    for first in (0, 1, 3, 10):
        print(f"from {first}:", count_right(positional_encoding=counted_from(first, positional_encoding)), "of 40")

# %% [markdown]
# ## Going further: rotary embedding
#
# *Not graded.*
# Many newer models add nothing to the word vectors. They *turn* the vectors that attention compares, called queries and
# keys, by angles that grow with the position (Su et al. 2021). Turn the query at position $m$ by $R(m)$ and the key at
# position $n$ by $R(n)$. Their dot product is then
#
# $$\big(R(m)\,q\big) \cdot \big(R(n)\,k\big) = q \cdot R(n - m)\,k$$
#
# so positions enter through $n - m$ only, and this time the direction counts.

# %%
query, key = np.random.default_rng(6).standard_normal((2, 8))
diagonals = "Every diagonal has one value; above and below the main diagonal the values differ."
with skip_if_unimplemented():
    turns = [shift_matrix(position, 8) for position in range(9)]
    scores = np.array([[(turn_q @ query) @ (turn_k @ key) for turn_k in turns] for turn_q in turns])
    display(plots.heatmap(scores, x_label="position of the key", y_label="position of the query", alt=diagonals))

# %% [markdown]
# ## What you have now
#
# - `angular_frequencies`, `positional_encoding` and `add_positions` tell a trained translator who sees whom.
# - `position_similarity` knows the distance between two words, and `shift_matrix` the direction too.
#
# A word of caution: it was the authors' hypothesis that this structure helps a model to attend by relative position.
# They also hoped that waves would extrapolate to lengths not seen in training. Position vectors that are learned, as
# word vectors are, gave nearly the same results (Vaswani et al. 2017, section 3.5 and table 3).
#
# Next: **[02 Scaled dot-product attention](../02_scaled_dot_product_attention/02_scaled_dot_product_attention.ipynb)**,
# where you write what this was leading up to: attention.
