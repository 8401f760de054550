# %% [markdown]
# # 08 Decoding
#
# A trained model does not write. It only gives probabilities for the next token, and then something has to choose.
# Here you implement several ways of choosing, and see where each goes wrong.
#
# **{{points}}, {{time}}.**
# You need `softmax` from unit 02, logarithms, and sorting with NumPy.
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import skip_if_unimplemented
from transformer_kit.examples import toy_models
from transformer_kit.examples.printed_search import PRINTED_SEARCH, printed_model
from transformer_kit.examples.toy_models import BOS, EOS, SENTENCES, ids_of, spell
from transformer_kit.experiments import sampling
from transformer_kit.experiments.dictionary.entry import entry
from transformer_kit.experiments.open_tasks import found_by_width
from transformer_kit.pictures import beam_tree, dictionary_card, translation_card

softmax, *layers = load("softmax", "embed", "positional_encoding", "add_positions", "causal_mask",
                        "encoder_layer")

# %%
progress("08")

# %% [markdown]
# ## One model, one sentence, five translations
#
# A translator gives, at every step, a probability to each of its Spanish words. Which one is taken?
# Here it translates one sentence five times. All that changes is the *temperature* T: at T = 0 the likeliest word is taken at every step,
# and the higher T is, the more is left to chance. You need no Spanish: the card says what is right.

# %%
translation_card("Where is the red car?", layers, seed=0, temperatures=(0, 1, 1, 2, 2))

# %% [markdown]
# Line 4 asks for the red husband.
#
# ### Predict: how much does chance spoil?
#
# At T = 0, 59 of 60 other sentences are translated correctly. At T = 1 every word is drawn with the probability that the model gives it.
# How many are right then?
#
# - **A** 58
# - **B** 30
# - **C** 6

# %% answer="chance-in-a-translation"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("chance-in-a-translation", answer)

# %% [markdown]
# ## One word, four definitions
#
# Another small Transformer was trained on a dictionary. Give it a word, and it writes a definition, piece by piece (a piece
# is a word or part of one). It has learned how definitions sound, not what words mean: of a word that exists, **most of what it says is wrong**,
# and that is no mistake of yours. Ask it for words that do not exist.

# %%
dictionary_card("homework", "noun", layers, seed=2, temperatures=(0, 0.5, 1, 1.5))

# %% [markdown]
# ### Predict: how likely is line 1?
#
# Line 1 takes the likeliest piece at every step. How often would T = 1 write exactly line 1?
#
# - **A** about once in 60
# - **B** about once in 2,000
# - **C** about once in 65,000
# - **D** about once in 4,000,000

# %% answer="likeliest-definition"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("likeliest-definition", answer)

# %% [markdown]
# ## A model that says what comes next
#
# Here a model is a function `next_log_probs(prefixes)`.
# It takes `k` prefixes at once, an int array of shape `(k, t)` in which every row begins with the start symbol `bos_id`.
# It returns an array of shape `(k, V)`: for each prefix the *log-probability* of each of the `V` tokens that may come next.
# A *decoded sequence* is a tuple of ids, without the start symbol, and with the end symbol if it was produced.
#
# The dictionary is such a function, and so are our toy models, which have a vocabulary of thirteen tokens. Id 0 is the start symbol
# `<bos>`, and id 1 the end symbol `<eos>`.
#
# ## Exercise {{sequence_log_prob}}: sequence_log_prob
#
# *{{points sequence_log_prob}}, about 8 minutes, difficulty 1 of 5*
#
# How likely is a whole sequence $y_1, \dots, y_n$?
#
# $$\log P(y_1, \dots, y_n) = \log \prod_{t=1}^{n} P(y_t \mid y_1, \dots, y_{t-1})
# = \sum_{t=1}^{n} \log P(y_t \mid y_1, \dots, y_{t-1})$$
#
# Each factor is conditioned on **all** tokens before it, not only on the last one, and the end symbol has a probability like any other
# token. Why logarithms? A product of 400 factors of 0.1 is 0 in floating point; its logarithm is about -921.
#
# | name | shape | meaning |
# |---|---|---|
# | `next_log_probs` | a function | `(k, t)` ints → `(k, V)` log-probabilities |
# | `token_ids` | `n` ints | without the start symbol |
# | result | a float | natural logarithm, so in *nats* |
#
# **By hand.** Our first toy model gives "the" 0.4, then "poem" 0.9, then the end 1: log 0.36 = -1.0217.

# %% solution="sequence_log_prob"
def sequence_log_prob(next_log_probs, bos_id, token_ids):
    """Return the log-probability of a sequence.

    next_log_probs from (k, t), int, to (k, V); token_ids: n ints -> a float, 0.0 for the empty sequence.
    """
    ### BEGIN SOLUTION
    prefix, total = [bos_id], 0.0
    for token in token_ids:
        log_probs = next_log_probs(np.array([prefix]))  # one prefix: shape (1, V)
        total += float(log_probs[0, token])
        prefix.append(token)
    return total
    ### END SOLUTION


# %% check="sequence_log_prob"
check(sequence_log_prob)

# %% [markdown]
# <details><summary>Hint 1: what does the model have to be asked?</summary>
#
# For "the poem" and the end, three numbers are needed. Write down the three prefixes that the model must see.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# One prefix of `t` ids is an array of shape `(1, t)`, not `(t,)`. The answer has shape `(1, V)`, and you want one entry of it.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Begin with a prefix that holds the start symbol only, and a sum of 0.0.
# 2. For every token: ask the model with the prefix, add the log-probability of this token to the sum,
#    and only then append the token to the prefix.
# 3. Return the sum.
#
# </details>

# %% [markdown]
# Our first model can write seven sentences, and their probabilities sum to 1. Which is the likeliest?

# %%
with skip_if_unimplemented():
    for words in SENTENCES:
        print(f"{np.exp(sequence_log_prob(toy_models.GREEDY_LOSES, BOS, ids_of(words))):.3f} {words}", end="   ")

# %% [markdown]
# ## Exercise {{greedy_decode}}: greedy_decode
#
# *{{points greedy_decode}}, about 10 minutes, difficulty 2 of 5*
#
# The simplest search takes the likeliest token, $y_t = \arg\max_{v} P(v \mid y_1, \dots, y_{t-1})$, appends it, and asks again.
#
# - Stop when the end symbol has been produced. It belongs to the result.
# - Stop when there are `max_len` ids, because some models never end. The start symbol does not count.
#
# | name | shape | meaning |
# |---|---|---|
# | `bos_id`, `eos_id` | ints | start and end symbol of this model: not always 0 and 1 |
# | `max_len` | an int | the largest number of ids |
# | result | a tuple of ints | what was produced |
#
# **By hand.** Our model begins with "a" (0.5), "the" (0.4) or the end (0.1). After "a" come "cat" (0.35), "poem" (0.3), "song" (0.25) or
# the end (0.1), and after two words the end. So greedy search writes "a cat" and the end.

# %% solution="greedy_decode"
def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
    """Take the likeliest next token again and again.

    next_log_probs from (k, t), int, to (k, V) -> a tuple of at most max_len ints. Ties go to the lowest id.
    """
    ### BEGIN SOLUTION
    token_ids = []
    while len(token_ids) < max_len and eos_id not in token_ids:
        log_probs = next_log_probs(np.array([[bos_id, *token_ids]]))
        token_ids.append(int(np.argmax(log_probs[0])))  # argmax takes the first of equal values
    return tuple(token_ids)
    ### END SOLUTION


# %% check="greedy_decode"
check(greedy_decode)

# %% [markdown]
# <details><summary>Hint 1: what changes from step to step?</summary>
#
# Only the prefix. What does it look like before the first, the second and the third step?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The model gets shape `(1, t)`, where `t` is one more than the number of ids that you have. It returns `(1, V)`.
# Among equal entries `np.argmax` finds the first.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Begin with an empty list of ids.
# 2. While there are fewer than `max_len`, and the end symbol is not among them: ask the model with start symbol and list,
#    find the id of the largest log-probability, and append it.
# 3. Return the list as a tuple.
#
# </details>
#
# ### Where greedy loses
#
# Step through your search, and before each *next* say what it will take. (The numbers are log-probabilities so far.)

# %%
with skip_if_unimplemented():
    display(beam_tree(greedy_decode, toy_models.GREEDY_LOSES))

# %% [markdown]
# It ends in "a cat" (0.175), although "the poem" has 0.36.
# **The best next token need not begin the best sequence.**
#
# Here is your search on "The cat sat on", an example from a set of lecture notes:

# %%
with skip_if_unimplemented():
    printed, start, end = printed_model(), 5, 4
    path = greedy_decode(printed, start, end, max_len=10)
    print(" ".join(PRINTED_SEARCH.words[i] for i in path), np.exp(sequence_log_prob(printed, start, path)).round(4))

# %% [markdown]
# This is a good place to stop.
#
# ## Second sitting: drawing at random
#
# ## Exercise {{apply_temperature}}: apply_temperature
#
# *{{points apply_temperature}}, about 8 minutes, difficulty 2 of 5*
#
# Now the next token is drawn. The temperature divides the *logits* $z$, the numbers that softmax turns into probabilities:
# $p = \operatorname{softmax}(z / T)$.
# The division comes **before** the exponential; dividing probabilities and normalising them again changes nothing.
# Log-probabilities will do as logits: they differ only by a constant, which softmax ignores.
#
# $T = 0$ is a case of its own, greedy search: probability 1 for the largest logit (on ties, the lowest id), 0 for all others.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits` | `(..., V)` | any leading axes |
# | `temperature` | a number | 0 or more; a negative one raises a `ValueError` whose message names it |
# | result | `(..., V)` | probabilities |
#
# **By hand.** Three probabilities are in the ratio 4 to 9 to 1. At $T = 2$ every exponential becomes its square root:
# 2 to 3 to 1, so the probabilities are 2/6, 3/6 and 1/6.

# %% solution="apply_temperature"
def apply_temperature(logits, temperature):
    """Return the probabilities of logits at a temperature.

    logits (..., V), temperature is a number -> (..., V). A negative one: a ValueError that mentions it.
    """
    ### BEGIN SOLUTION
    if temperature < 0:
        raise ValueError(f"the temperature must be 0 or more; got {temperature}")
    if temperature == 0:
        best = np.argmax(logits, axis=-1)[..., None]  # (..., 1), to be compared with every id
        return (np.arange(logits.shape[-1]) == best).astype(float)
    return softmax(logits / temperature)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(apply_temperature(np.log([4.0, 9.0, 1.0]), 2.0).round(4))  # by hand: 2/6, 3/6, 1/6

# %% check="apply_temperature"
check(apply_temperature)

# %% [markdown]
# <details><summary>Hint 1: which of the two comes first?</summary>
#
# Try it with logits 0 and 2 and temperature 2: divide and then apply softmax, or the other way round.
# Which of the two results still sums to 1?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# For logits of shape `(2, 3, V)` the ids of the maxima have shape `(2, 3)`.
# With one more axis, `(2, 3, 1)`, they can be compared with all ids, `(V,)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. If the temperature is negative, raise the error.
# 2. If it is 0, find the id of the largest logit of every row, and make an array of zeros with a one at each of these ids.
# 3. Otherwise divide the logits and apply softmax along the last axis.
#
# </details>
#
# ## Exercise {{top_k_filter}}: top_k_filter
#
# *{{points top_k_filter}}, about 8 minutes, difficulty 2 of 5*
#
# At any position most tokens would be wrong. Each has a tiny probability, but together they are drawn far too often.
# *Top-k* sampling draws among the `k` likeliest tokens only (Fan et al. 2018).
# The filter goes from logits to logits: what is dropped becomes $-\infty$, and softmax gives it exactly 0.
#
# In every row exactly `k` logits stay, where they were. If equal logits compete for the last places, the lower ids win.
# With `k` ≥ `V` all stay.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits` | `(..., V)` | any leading axes |
# | `k` | an int | how many stay in each row; a `k` below 1 raises a `ValueError` whose message names it |
# | result | `(..., V)` | a new array; $-\infty$ where dropped |
#
# **By hand.** Of (2, 0.5, 3, 1), `k` = 2 keeps ids 0 and 2: (2, $-\infty$, 3, $-\infty$).

# %% solution="top_k_filter"
def top_k_filter(logits, k):
    """Keep the k largest logits of every row and set the others to -inf.

    logits (..., V), k is an int -> (..., V). A k below 1: a ValueError that mentions it.
    """
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"at least one token must be kept; got k = {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")  # descending; equal logits stay in the order of their ids
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, order[..., :k], True, axis=-1)
    return np.where(kept, logits, -np.inf)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(top_k_filter(np.array([2.0, 0.5, 3.0, 1.0]), 2))

# %% check="top_k_filter"
check(top_k_filter)

# %% [markdown]
# <details><summary>Hint 1: values or places?</summary>
#
# Take (1, 1, 1) and `k` = 2. Can any threshold for the *values* keep exactly two? What can?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `np.argsort` along the last axis gives ids of shape `(..., V)`; the first `k` of them have shape `(..., k)`.
# `np.put_along_axis` writes to the places that such ids name. The argument `kind="stable"` leaves equal entries in their order.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. If `k` is below 1, raise the error.
# 2. Sort the ids of every row so that the largest logit comes first. NumPy sorts upwards: what must be sorted, so
#    that the largest comes first and ties stay in order?
# 3. Mark the first `k` of these ids in a boolean array that is False everywhere.
# 4. Where that array is True take the logit, elsewhere minus infinity.
#
# </details>

# %% [markdown]
# ## Exercise {{top_p_filter}}: top_p_filter
#
# *{{points top_p_filter}}, about 15 minutes, difficulty 3 of 5*
#
# *Top-p* or *nucleus* sampling fixes the probability that is kept, not the number of tokens (Holtzman et al. 2020).
#
# - Add up the probabilities in **descending** order, equal ones by id.
# - Stop as soon as the sum is **at least** `p`. The token that crosses `p` is kept, so at least one stays.
# - With `p` = 1 every token of non-zero probability stays.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits` | `(..., V)` | any leading axes |
# | `p` | a float | above 0, at most 1; any other raises a `ValueError` whose message names it |
# | result | `(..., V)` | a new array; $-\infty$ where dropped |
#
# **By hand.** Of (0.1, 0.5, 0.15, 0.25), `p` = 0.7 keeps ids 1 and 3: 0.5 falls short, and 0.5 + 0.25 reaches 0.7.
# Their new probabilities are 2/3 and 1/3.

# %% [markdown]
# ### Predict: how many tokens are kept?
#
# The dictionary begins to define *homework*, and can choose among 2,048 pieces. The likeliest three hold half of the probability.
# How many does `p` = 0.9 keep?
#
# - **A** 7
# - **B** 28
# - **C** 128

# %% answer="pieces-kept"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("pieces-kept", answer)

# %% [markdown]
# Mind the rounding. In floating point 0.7 + 0.1 falls short of 0.8 (the checks avoid such sums); and at `p` = 1 the sum may reach 1
# before very unlikely tokens have been added, although they should stay.

# %% solution="top_p_filter"
def top_p_filter(logits, p):
    """Keep the likeliest tokens of every row until their probabilities reach p.

    logits (..., V), 0 < p <= 1 -> (..., V). Any other p: a ValueError that mentions it.
    """
    ### BEGIN SOLUTION
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1; got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs  # what all the likelier tokens hold
    needed = before < p - 1e-12 if p < 1 else probs > 0
    needed[..., 0] = True
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, order, needed, axis=-1)  # back into the order of the ids
    return np.where(kept, logits, -np.inf)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(softmax(top_p_filter(np.log([0.1, 0.5, 0.15, 0.25]), 0.7)).round(4))

# %% check="top_p_filter"
check(top_p_filter)

# %% [markdown]
# <details><summary>Hint 1: what does a token have to know?</summary>
#
# A token stays if the tokens before it, in descending order, have *not yet* reached `p`.
# How do you get the sum of those before it from a running total that includes it?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything keeps the shape `(..., V)`: the order of the ids, the sorted probabilities, their running total, the marks.
# `np.take_along_axis` brings probabilities into an order of ids, and `np.put_along_axis` brings marks back.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. If `p` is out of range, raise the error.
# 2. Sort the ids of every row by descending logit, as in the exercise before, and sort the probabilities in the same way.
# 3. For every place, work out the probability of all places before it. Mark the places where that is below `p`.
# 4. If `p` is 1, mark all places of positive probability instead.
# 5. Put the marks back into the order of the ids. Where marked, keep the logit; elsewhere write minus infinity.
#
# </details>

# %% [markdown]
# Sometimes a model is *sure*, and one word stands out; sometimes the choice is *open*. Is there a temperature that suits both? A `k`? A `p`?

# %%
with skip_if_unimplemented():
    display(sampling.choices(apply_temperature, top_k_filter, top_p_filter))

# %% [markdown]
# ## Exercise {{sample_token}}: sample_token
#
# *{{points sample_token}}, about 8 minutes, difficulty 2 of 5*
#
# To make the draw testable, its random number comes from outside: `u`, uniform in [0, 1).
#
# Lay the probabilities end to end on the line from 0 to 1, in the order of the ids. The number `u` falls on one of them: the first id
# $v$ with $p_0 + \dots + p_v > u$. The sum has to *exceed* `u`, so a `u` on a boundary belongs to the next token, and a token of
# probability 0 is never drawn. By rounding, the probabilities may sum to a little less than 1. If no sum exceeds `u`, the result is
# the last id of **positive** probability.
#
# | name | shape | meaning |
# |---|---|---|
# | `probs` | `(V,)` | probabilities |
# | `u` | a float | 0 ≤ `u` < 1 |
# | result | an int | the id that was drawn |
#
# **By hand.** The parts of (0.25, 0.5, 0.25) end at 0.25, 0.75 and 1.
# So `u` = 0.6 and `u` = 0.25 both draw id 1, and `u` = 0.8 draws id 2.

# %% solution="sample_token"
def sample_token(probs, u):
    """Draw a token with a uniform random number.

    probs (V,), u in [0, 1) -> an int, never the id of a token of probability 0.
    """
    ### BEGIN SOLUTION
    above = np.flatnonzero(np.cumsum(probs) > u)
    return int(above[0]) if above.size else int(np.flatnonzero(probs)[-1])
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print([sample_token(np.array([0.25, 0.5, 0.25]), u) for u in (0.6, 0.25, 0.8)])  # by hand: 1, 1, 2

# %% check="sample_token"
check(sample_token)

# %% [markdown]
# <details><summary>Hint 1: where does a token's part of the line end?</summary>
#
# Write down where each of the parts 0.25, 0.5, 0.25 begins and ends. Which function gives all the ends at once?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The running total has shape `(V,)`, and so has the question which of its entries exceed `u`.
# You want the first True. What does your way of finding it give when there is none?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Make the running total.
# 2. List the ids at which it exceeds `u`. If there are any, return the first, as an int.
# 3. Otherwise return the last of the ids whose probability is not 0.
#
# </details>

# %% [markdown]
# ### Find the bug: a sampler in a hurry
#
# A colleague's loop around your function writes proper sentences.
# Compare 2,000 of them with the probabilities from your `sequence_log_prob`:

# %%
def hurried(model, rng, max_len=10):
    """Draw a sentence."""
    ids, u = [], rng.random()
    while len(ids) < max_len and EOS not in ids:
        probs = np.exp(model(np.array([[BOS, *ids]]))[0])
        ids.append(sample_token(probs, u))
    return tuple(ids)


with skip_if_unimplemented():
    display(sampling.shares_written(hurried, sequence_log_prob))

# %% [markdown]
# The empty sentence comes about as often as it should, yet "a song" is never written. Where is the bug?
#
# - **A** `EOS not in ids`: the end is drawn before it is due.
# - **B** `u`: it is drawn once for the whole sentence.
# - **C** `np.exp`: what it gives does not sum to 1.

# %% answer="hurried-sampler"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("hurried-sampler", answer)

# %% [markdown]
# ## Exercise {{sample_decode}}: sample_decode
#
# *{{points sample_decode}}, about 12 minutes, difficulty 3 of 5*
#
# Now write the whole loop: temperature, both filters, and the draw.
#
# $$z = \log P(\cdot \mid y_1, \dots, y_{t-1}) \;\to\; z / T \;\to\; \text{top-k} \;\to\; \text{top-p} \;\to\; \operatorname{softmax} \;\to\; y_t$$
#
# ### First the temperature, then the filters
#
# Of probabilities 1/2, 1/4, 1/8, 1/8, at temperature 2 and `p` = 0.7, three tokens can be drawn in this order, but only two if the filter
# comes first. Libraries differ; we take this one. `apply_temperature` returns probabilities, but the filters need logits. The logarithm
# leads back, up to a constant (ignore NumPy's warning about the logarithm of 0). After the filters, softmax makes the shares of what is
# left sum to 1 again.
#
# The loop starts and stops as in `greedy_decode`, but each token is *drawn*: `uniforms[i]` decides token `i` of the result.
# (`uniforms` may be longer than the result.)
#
# | name | shape | meaning |
# |---|---|---|
# | `bos_id`, `eos_id`, `max_len` | ints | as in `greedy_decode` |
# | `uniforms` | at least `max_len` floats | each in [0, 1) |
# | `temperature`, `top_k`, `top_p` | numbers | as before; a filter that is None is left out |
# | result | a tuple of ints | what was drawn |
#
# **By hand.** Our first model with `uniforms` (0.7, 0.95, 0.2): the end takes the first 0.1 of the line and "a" the next 0.5, so 0.7 draws
# "the". Then "poem" ends at 0.9, and 0.95 draws "song". With `top_k` = 1 the same numbers draw "a cat".

# %% solution="sample_decode"
def sample_decode(
    next_log_probs, bos_id, eos_id, max_len, uniforms, temperature=1.0, top_k=None, top_p=None
):
    """Draw the next token again and again.

    next_log_probs from (k, t), int, to (k, V), uniforms in [0, 1) -> a tuple of at most max_len ints.
    """
    ### BEGIN SOLUTION
    token_ids = []
    while len(token_ids) < max_len and eos_id not in token_ids:
        log_probs = next_log_probs(np.array([[bos_id, *token_ids]]))[0]  # (V,)
        with np.errstate(divide="ignore"):  # the logarithm of 0 is -inf, which is what the filters write, too
            logits = np.log(apply_temperature(log_probs, temperature))
        if top_k is not None:
            logits = top_k_filter(logits, top_k)
        if top_p is not None:
            logits = top_p_filter(logits, top_p)
        token_ids.append(sample_token(softmax(logits), uniforms[len(token_ids)]))
    return tuple(token_ids)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(spell(sample_decode(toy_models.GREEDY_LOSES, BOS, EOS, 3, [0.7, 0.95, 0.2])))

# %% check="sample_decode"
check(sample_decode)

# %% [markdown]
# <details><summary>Hint 1: what is new?</summary>
#
# Put your `greedy_decode` beside the formula above. Which single line of it chooses? What does the new choice need that the old one did not?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The model returns `(1, V)`, and `sample_token` wants `(V,)`. Everything in between keeps the shape `(V,)`.
# How many ids do you have when the number for the next one is looked up?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Keep the loop of greedy search, with its two reasons to stop.
# 2. At each step, turn the log-probabilities into those at this temperature.
# 3. Pass them through the filters that are given, one after the other: each takes what the one before it returned.
# 4. Turn what is left into probabilities, and draw with the number of this step.
#
# </details>

# %% [markdown]
# ### Your own sentence, your own word
#
# Now the translator and the dictionary with your sampler. Try a sentence and a word of your own. At which temperature does each go astray?

# %%
my_sentence = "My friends are happy today."
my_word, its_kind = "moonberry", "noun"  # or "verb", "adjective", "adverb"
with skip_if_unimplemented():
    functions = [apply_temperature, top_k_filter, top_p_filter, sample_token, *layers]
    display(translation_card(my_sentence, functions, temperatures=(0, 1, 1.5, 2, 2.5), sampler=sample_decode))
    display(dictionary_card(my_word, its_kind, functions, temperatures=(0, 0.5, 1, 1.5), sampler=sample_decode))

# %% [markdown]
# Another good place to stop.
#
# ## Third sitting: the search for one good sentence
#
# A translator should find *one* sentence, if possible the likeliest.
# At every step *beam search* keeps the best few beginnings, or *hypotheses*; their number is its *width*.
#
# ### One step of the beam, on paper
#
# The width is 2. Two hypotheses are *live* (unfinished): "the" with probability 0.5, and "a" with 0.4.
# After "the" comes the end (0.6) or "poem" (0.4); after "a" comes "cat" (0.45), "song" (0.35) or the end (0.2).
#
# Rank all five candidates by their probability. One that ends is finished if it is among the best two, and leaves the beam.
# The best two that do not end are the next live beam. Set `answer` to their probabilities, the larger one first.

# %% answer="one-step"
### BEGIN SOLUTION
answer = [0.20, 0.18]
### END SOLUTION
predict("one-step", answer)

# %% [markdown]
# ## Exercise {{beam_search}}: beam_search
#
# *{{points beam_search}}, about 30 minutes, difficulty 5 of 5*
#
# ### The rules of the beam
#
# A *hypothesis* is a sequence with its log-probability. At first only the empty one is live. At every step:
#
# 1. **Extend** every live hypothesis by every token: the *candidates*. Drop those of log-probability $-\infty$.
# 2. **Rank** all candidates together, the likeliest first.
#    Ties: the one whose parent ranked earlier in the beam, then the lower id.
# 3. **Finish**: those among the best `beam_width` that end in `eos_id` are finished, and put aside.
# 4. **Refill**: the best `beam_width` of those that do not end in `eos_id` are the new live beam.
#    A hypothesis that finishes leaves no gap.
# 5. **Stop** if no hypothesis is live. Before step `max_len`, also stop as soon as at least `beam_width` hypotheses have finished,
#    and discard the live ones.
#
# After step `max_len` the live hypotheses **always join** the finished ones.
# Score them all, and return the best `beam_width`, the best first. Equal scores keep the order of finishing, live ones last.
#
# ### The length penalty
#
# $$\text{score} = \frac{\log P(y)}{\left(\frac{5 + L}{6}\right)^{\alpha}}$$
#
# $L$ is the number of ids, the end symbol included (Wu et al. 2016, equation 14).
# The penalty only decides the final order; with $\alpha = 0$ there is none. (The authors of the Transformer used $\alpha = 0.6$ and a
# beam of 4; Vaswani et al. 2017, section 6.1.)
#
# | name | shape | meaning |
# |---|---|---|
# | `beam_width` | an int | how many hypotheses are live, and how many results there are at most |
# | `max_len` | an int | the largest number of ids |
# | `alpha` | a float | strength of the length penalty |
# | result | a list of `(score, token_ids)` | best first; a float and a tuple of ints |
#
# **By hand.** The width is 2. The model begins with the end (0.4), "a" (0.35) or "the" (0.25).
# After "a" come "cat" (0.6) and "song" (0.4), after "the" only "poem".
#
# | step | candidates, best first | finished | live |
# |---|---|---|---|
# | 1 | **end 0.4**, a 0.35, the 0.25 | the empty sentence, 0.4 | a 0.35; the 0.25 |
# | 2 | the poem 0.25, a cat 0.21, a song 0.14 | | the poem 0.25; a cat 0.21 |
# | 3 | **the poem end 0.25**, **a cat end 0.21** | both | none |
#
# The best two of the three are the empty sentence, score $\log 0.4 = -0.9163$, and "the poem", $\log 0.25 = -1.3863$.
# With $\alpha = 0.6$ the second would score $-1.3863 / (8/6)^{0.6} = -1.1665$.

# %% solution="beam_search"
def beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Keep the likeliest unfinished sequences at every step, and rank those that finished.

    next_log_probs from (k, t), int, to (k, V) -> at most beam_width pairs of a score, a float, and a tuple
    of at most max_len ints, best first. alpha is the strength of the length penalty.
    """
    ### BEGIN SOLUTION
    live, finished = [(0.0, ())], []
    for length in range(1, max_len + 1):
        log_probs = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))  # (n_live, V)
        candidates = [
            (total + float(more), (*ids, token))
            for (total, ids), row in zip(live, log_probs, strict=True)
            for token, more in enumerate(row)
            if more > -np.inf
        ]
        candidates.sort(key=lambda candidate: -candidate[0])  # stable: ties stay in the order of parents and ids
        finished += [(total, ids) for total, ids in candidates[:beam_width] if ids[-1] == eos_id]
        live = [(total, ids) for total, ids in candidates if ids[-1] != eos_id][:beam_width]
        if length < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    scored = [(total / ((5 + len(ids)) / 6) ** alpha, ids) for total, ids in finished + live]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])[:beam_width]
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    for score, ids in beam_search(toy_models.STEP_BY_STEP, BOS, EOS, 2, 6, alpha=0.6):
        print(f"{score:.4f} {spell(ids)}")

# %% check="beam_search"
check(beam_search)

# %% [markdown]
# <details><summary>Hint 1: what has to be remembered?</summary>
#
# Two lists: the live hypotheses and the finished ones. What does an entry hold? What do the lists hold before step 1?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# All live hypotheses have the same length, so their prefixes make one array of shape `(n_live, t)`,
# and one pass gives `(n_live, V)`. Python's `sort` is stable: entries with equal keys stay in the order in which they were made.
# In which order must you make the candidates, then?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Live: the empty sequence with log-probability 0. Finished: nothing.
# 2. Repeat `max_len` times: ask the model for all live prefixes. For each live hypothesis, in order, and each token, in order,
#    make a candidate, unless it is impossible. Sort by log-probability alone, downwards.
# 3. Of the first `beam_width` candidates, those that end go to the finished ones.
#    Of all candidates, the first `beam_width` that do not end become the live ones.
# 4. If this was not the last step and enough have finished, empty the live list. If it is empty, leave the loop.
# 5. Divide every log-probability, finished first and then live, by its penalty. Sort by score alone, cut, return.
#
# </details>


# %% [markdown]
# ### Predict: is wider better?
#
# Greedy search and a beam of width 2 both define 50 ordinary nouns. The beam looks at more. For how many nouns does it find
# something *less* likely than greedy search?
#
# - **A** for 0
# - **B** for 1
# - **C** for 7

# %% answer="wider-beam"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("wider-beam", answer)

# %%
with skip_if_unimplemented():
    teacup = entry("teacup", "noun", layers)
    for width in (1, 2):
        score, ids = beam_search(teacup, teacup.bos_id, teacup.eos_id, width, teacup.max_len)[0]
        print(f"width {width}: {score:.2f} {teacup.text(ids)}")

# %% [markdown]
# How can that be? Step through your search in a small model. At which step does width 2 lose "a cat"? Then turn the width up.

# %%
with skip_if_unimplemented():
    display(beam_tree(beam_search, toy_models.BEAM_LOSES, [1, 2, 3, 4], start=2))

# %% [markdown]
# ## Exercise {{losing_beam}}: losing_beam
#
# *{{points losing_beam}}, about 20 minutes, difficulty 5 of 5*
#
# Build such a model yourself, for a beam of any width: **a table of next-word probabilities with which the beam finds a sentence
# at most half as likely as the one that greedy search finds.** Every table that does it is right.
#
# | name | shape | meaning |
# |---|---|---|
# | `width` | an int | of the beam, from 2 to 8; `max_len` is 12, and there is no length penalty |
# | result | `(V, V)` | row $i$: the probabilities of the word after word $i$, whatever came before. Word 0 is the start, and word 1 the end. All rows but that of the end sum to 1. You choose $V$, up to 60 |

# %% solution="losing_beam"
def losing_beam(width):
    """Return next-word probabilities with which a beam of this width finds less than greedy search does.

    width int -> (V, V).
    """
    ### BEGIN SOLUTION
    V = 14 + 3 * width
    good, promising, dull = np.split(np.arange(4, V), [2 * width, 3 * width])
    P = np.zeros((V, V))
    P[0, 2], P[0, 3] = 0.55, 0.45
    P[2, good] = 1 / len(good)  # the way of greedy search, for one step less likely than ...
    P[3, promising] = 1 / len(promising)  # ... these, which fill the beam,
    P[np.ix_(promising, dull)] = 1 / len(dull)  # and go nowhere
    P[[*good, *dull], 1] = 1
    P[1, 1] = 1
    return P
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    display(found_by_width(losing_beam, beam_search, width=3))

# %% check="losing_beam"
check(losing_beam)

# %% [markdown]
# <details><summary>Hint 1: when is the best one lost?</summary>
#
# Greedy search is a beam of width 1, and always has what is likeliest at the next step. What must be true of the others, at one step at least, if a
# beam of width 2 is to drop it? And how many others must there be?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Draw the tree first, with a few branches, and the products of probabilities beside its nodes; then number the words. Which row
# belongs to which node, and does every row sum to 1?
#
# </details>
#
# <details><summary>Hint 3: what comes after</summary>
#
# What the beam has kept must come to little in the end. How does a likely beginning lead to an unlikely sentence, when every row
# has to sum to 1? (There is another way: when does the search stop, and what happens to those that are still live?)
#
# </details>

# %% [markdown]
# ## Likelier is not better
#
# ### Predict: no definition at all
#
# The shortest text is nothing: the end as the very first piece. In the training data every word has a definition, but the model still
# gives that a little probability. For how many of the 50 nouns is that *likelier* than what greedy search writes?
#
# - **A** for 50
# - **B** for 37
# - **C** for 20
# - **D** for 3

# %% answer="no-definition"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("no-definition", answer)

# %%
with skip_if_unimplemented():
    umbrella = entry("umbrella", "noun", layers)
    print(f"{sequence_log_prob(umbrella, umbrella.bos_id, [umbrella.eos_id]):.2f} for no definition")
    for width in (1, 4):
        score, ids = beam_search(umbrella, umbrella.bos_id, umbrella.eos_id, width, umbrella.max_len)[0]
        print(f"{score:.2f} {umbrella.text(ids)}")

# %% [markdown]
# Stahlberg and Byrne (2019) searched a translation model exactly: for over half of the sentences the empty output was the likeliest.
# **The likeliest sequence need not be the best text.**
#
# ## What you have now
#
# - `greedy_decode` and `beam_search` look for one good text, as a translator should.
# - `sample_decode` writes a new text each time. The temperature sets how much is left to chance; `top_k_filter` and `top_p_filter` cut off
#   the tail of odd tokens.
#
# Next: **[09 The Transformer](../09_transformer/09_transformer.ipynb)**. You fill in the last three boxes of the machine, and it
# translates English into Spanish.
