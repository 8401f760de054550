# %% [markdown]
# # 10 Training
#
# The Transformer of the capstone came with its parameters. Where do parameters come from?
# In this notebook you write what a model learns from: its targets, its loss, the gradient of the loss, and the step that follows.
# Then a Transformer learns to translate before your eyes, with your functions, and a mistake that we plant shows what a loss cannot tell.
#
# **20 points, about 75 minutes.**
# You need `one_hot` (00), `softmax` (02), masks and `first_leak` (03), and for exercise 10.4 the chain rule.
#
# [START HERE](../START_HERE.ipynb) says how checks, hints and predictions work.
# Before it imports NumPy, the next cell asks for one thread only: several threads slow each other down on matrices as small as ours.

# %%
import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

from types import SimpleNamespace

import numpy as np

from autograder import check, load, predict
from transformer_kit import corpus, plots, when_written
from transformer_kit.evaluation import score
from transformer_kit.examples.toy_models import PRINTED_SEARCH
from transformer_kit.model import load_model
from transformer_kit.numerical import numerical_gradient
from transformer_kit.reference import decoder_layer, translate
from transformer_kit.training import forward, live, make_batch, train
from transformer_kit.trees import flatten
from transformer_kit.vocabulary import BOS, EOS, ids_of

causal_mask, first_leak, one_hot, softmax = load("causal_mask", "first_leak", "one_hot", "softmax")

# %% [markdown]
# ## Exercise 10.1: shift_right
#
# *2 points, about 6 minutes, difficulty 1 of 5*
#
# A translator says one word after the other, and each time it has read what came before.
# So every sentence of the training data is many small tasks at once: after "me", say "gustan"; after "me gustan", say "los".
#
# ### What the decoder reads, and what it has to say
#
# | position | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | has to say (the *target*) | me | gustan | los | gatos | `<eos>` |
# | reads | `<bos>` | me | gustan | los | gatos |
#
# - It reads the target **one place later**, behind the start symbol.
# - It reads the *right* words, whatever it would have said itself.
#   In use it reads its own words, and a slip can lead it to places that it has never seen in training (Bengio et al. 2015).
# - Nobody reads the last token: after it, nothing is to be said.
#
# The causal mask lets position 2 see positions 0 to 2: "`<bos>` me gustan", and not "los", which it has to say.
# So a position may see itself *because* of the shift.
#
# | name | shape | meaning |
# |---|---|---|
# | `target_ids` | `(B, n)` | ids, padded to one length |
# | `bos_id` | an int | the start symbol |
# | result | `(B, n)` | ids, a new array |
#
# **By hand.** With start symbol 2, the target (5, 6, 7, 3) becomes (2, 5, 6, 7).


# %% solution="shift_right"
def shift_right(target_ids, bos_id):
    """Return what the decoder reads while it learns to write the target.

    Parameters
    ----------
    target_ids : ndarray of shape (B, n), int
    bos_id : int
        The start symbol.

    Returns
    -------
    ndarray of shape (B, n), int
    """
    ### BEGIN SOLUTION
    shifted = np.empty_like(target_ids)
    shifted[:, 0] = bos_id
    shifted[:, 1:] = target_ids[:, :-1]
    return shifted
    ### END SOLUTION


# %%
with when_written():
    print(shift_right(np.array([[5, 6, 7, 3]]), 2))  # by hand: 2 5 6 7

# %% check="shift_right"
check(shift_right)

# %% [markdown]
# <details><summary>Hint 1: which token leaves, and which one comes in?</summary>
#
# The result is as long as the target. Write down target and result below each other for a sentence of four tokens.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Of `(B, n)` ids you need all columns but one: `(B, n - 1)`. The start symbols are a column, `(B, 1)`.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Make a new array of the target's shape, for whole numbers.
# 2. Write the start symbol into its first column.
# 3. Write all columns of the target but the last into its other columns.
#
# </details>

# %% [markdown]
# ### Find the error: a printed decoder input
#
# A set of lecture notes follows a translation of "I like cats". "Me gustan" has been written, and "los" is to be found next.
# The notes give the decoder's input at this moment two rows, one for each word so far.
# How many rows should it have?
#
# - **A** 2
# - **B** 3
# - **C** 4

# %% answer="printed-decoder-input"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("printed-decoder-input", answer)

# %% [markdown]
# ## Teacher forcing
#
# To give the decoder the right words, and not its own, is called *teacher forcing*.
#
# ### Predict: how many passes in training?
#
# In notebook 08, writing 12 tokens took 12 passes through the model.
# A target has 12 tokens. How many passes through the decoder does training need for the distributions at all 12 positions?
#
# - **A** 1
# - **B** 12
# - **C** 1 + 2 + ... + 12 = 78

# %% answer="training-passes"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("training-passes", answer)

# %% [markdown]
# Let us measure it with the trained model of the course.
# `make_batch` pads sentence pairs and makes the masks. What the decoder reads is up to your function.

# %%
trained = load_model(dtype=np.float64)
source = ids_of(["i", "like", "cats", "."], trained.source_vocabulary)
target = [*map(trained.target_words.index, ["me", "gustan", "los", "gatos", "."]), EOS]


def collate(pairs):
    """Make a batch in which the decoder reads what your function says."""
    batch = make_batch(pairs)
    return batch._replace(decoder_ids=shift_right(batch.target_ids, BOS))


# %%
with when_written():
    together = forward(trained, collate([(source, target)]))[0][0]  # (n, V): the whole target at once
    singly = [forward(trained, collate([(source, target[: t + 1])]))[0][0, -1] for t in range(len(target))]
    print("largest difference:", np.abs(together - singly).max())
    words = trained.target_words
    for read, say, probs in zip([BOS, *target], target, softmax(together), strict=False):
        print(f"reads {words[read]:<8} has to say {words[say]:<8} probability {probs[say]:.2f}")

# %% [markdown]
# One pass gives what six passes give, up to rounding.
# A recurrent network cannot do this: it has to wait for each state. It is one reason why Transformers train fast.

# %% [markdown]
# ## Exercise 10.2: smooth_labels
#
# *3 points, about 8 minutes, difficulty 2 of 5*
#
# What *should* the model say at a position? The plain answer: the right word with probability 1, every other word with 0.
# But a softmax reaches 1 only with an infinite logit, so training would pull the logits apart for ever,
# and the model would become more certain than it has reason to be.
# *Label smoothing* takes a small share $\varepsilon$ away and spreads it evenly (Szegedy et al. 2016).
#
# $$t_v = (1 - \varepsilon)\,[v = y] + \frac{\varepsilon}{V}$$
#
# ### Who gets which share
#
# - All $V$ words get $\varepsilon / V$, the right one **included**: it has $1 - \varepsilon + \varepsilon / V$ in the end.
# - So a row still sums to 1, and no word is impossible.
# - $\varepsilon = 0$ is the plain answer, and $\varepsilon = 1$ is an even distribution.
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(...)` | the right words; any axes, also none |
# | `vocab_size` | an int | $V$ |
# | `epsilon` | a float | the share, 0 to 1; 0.1 in the paper |
# | result | `(..., V)` | a distribution for each token |
#
# **By hand.** Four words and $\varepsilon = 0.2$: everybody gets 0.05, and the right word 0.8 on top, which makes 0.85.


# %% solution="smooth_labels"
def smooth_labels(token_ids, vocab_size, epsilon):
    """Return the distributions that the model should come close to.

    Parameters
    ----------
    token_ids : ndarray of shape (...), int
    vocab_size : int
    epsilon : float
        The share that is spread evenly over the whole vocabulary.

    Returns
    -------
    ndarray of shape (..., vocab_size)
    """
    ### BEGIN SOLUTION
    return (1 - epsilon) * one_hot(token_ids, vocab_size) + epsilon / vocab_size
    ### END SOLUTION


# %%
with when_written():
    print(smooth_labels(np.array([2, 0]), 4, 0.2))  # by hand: 0.85 at places 2 and 0

# %%
plots.yours_and_target(
    smooth_labels,
    np.array([1, 4, 2]),
    6,
    0.3,
    x_label="word",
    y_label="position",
    alt="In each row the right word has 0.75, and every other word has 0.05.",
)

# %% check="smooth_labels"
check(smooth_labels)

# %% [markdown]
# <details><summary>Hint 1: what does everybody get?</summary>
#
# Begin with the even shares. What has to be added, and where, so that the row sums to 1?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Ids of shape `(2, 3)` become distributions of shape `(2, 3, V)`. Your `one_hot` of notebook 00 makes that step.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Make the one-hot rows and scale them down to what is left without the share.
# 2. Add to every entry its even part of the share.
#
# </details>

# %% [markdown]
# ## Exercise 10.3: cross_entropy
#
# *4 points, about 15 minutes, difficulty 3 of 5*
#
# How far is the model from the target? Training needs one number for that, the *loss*:
#
# $$\ell_i = -\sum_{v} t_{iv} \log p_{iv}, \qquad p_i = \operatorname{softmax}(z_i), \qquad
# L = \frac{1}{n}\sum_{i\ \text{is a token}} \ell_i$$
#
# ### From logits to a loss
#
# With a plain target, $\ell_i$ is minus the log-probability of the right word.
# So the loss compares *distributions*: a wrong word that was nearly as likely as the right one costs little.
# Smoothed targets have a share for every word, and every word counts by its share.
#
# ### The logarithm of a softmax
#
# Do not take the logarithm of a probability: an unlikely word has a probability that is 0 in floating point.
# With $c = \max_u z_u$, nothing overflows, and nothing is lost:
#
# $$\log p_v = z_v - c - \log \sum_u e^{z_u - c}$$
#
# ### The mean, and what it leaves out
#
# The loss is a mean over tokens, so that batches of any size can be compared.
# `is_token` is False where the target is padding. Padding enters neither the sum nor the number of tokens.
# All real tokens count alike, those of long sentences and those of short ones.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits` | `(..., n, V)` | what the model puts out |
# | `target_distribution` | `(..., n, V)` | every row sums to 1 |
# | `is_token` | `(..., n)` | bool; None: everything counts |
# | result | a float | in nats per token |
#
# **By hand.** Logits $\log 1$, $\log 2$, $\log 5$ mean probabilities 1/8, 2/8, 5/8. If the second word is right, the loss is $\log 4 = 1.3863$.


# %% solution="cross_entropy"
def cross_entropy(logits, target_distribution, is_token=None):
    """Return how many nats per token the target costs on average.

    Parameters
    ----------
    logits, target_distribution : ndarray of shape (..., n, V)
    is_token : ndarray of shape (..., n), bool, optional
        False where the target is padding.

    Returns
    -------
    float
    """
    ### BEGIN SOLUTION
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_probs).sum(axis=-1)  # (..., n): one for each token
    return float(losses.mean() if is_token is None else losses[is_token].mean())
    ### END SOLUTION


# %%
with when_written():
    logits, right = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    print("first token alone:", cross_entropy(logits[:1], right[:1]))  # by hand: 1.3863
    print("both tokens:      ", cross_entropy(logits, right))
    print("second is padding:", cross_entropy(logits, right, np.array([True, False])))

# %% check="cross_entropy"
check(cross_entropy)

# %% [markdown]
# <details><summary>Hint 1: which axes disappear, and in which order?</summary>
#
# Terms, losses of tokens, loss: three arrays, each with fewer axes than the one before.
# Which axis belongs to the sum of the formula, and which ones to the mean?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The largest logit and the logarithm of the sum have shape `(..., n, 1)`. The losses have shape `(..., n)`, as `is_token` has:
# it can select among them.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Subtract from every row of logits its largest entry.
# 2. Subtract the logarithm of the sum of the exponentials: these are log-probabilities.
# 3. Weight them with the target, add along the vocabulary, and turn the sign round.
# 4. Take the mean of the losses, of the selected ones if there is a selection, as a float.
#
# </details>

# %% [markdown]
# A loss is a probability in disguise.
# Notebook 08 repaired a printed search for "the cat sat on" and the end; the path had the probability 0.3806.

# %%
with when_written():
    loss = cross_entropy(np.log(PRINTED_SEARCH.probabilities), np.eye(5))  # step t found word t
    print(f"loss {loss:.4f}; five tokens have the probability {np.exp(-5 * loss):.4f}")

# %% [markdown]
# ### Entropy, cross-entropy, KL divergence
#
# $$\underbrace{-\sum_v t_v \log p_v}_{\text{cross-entropy}} = \underbrace{-\sum_v t_v \log t_v}_{\text{entropy of the target}}
# + \underbrace{\sum_v t_v \log \frac{t_v}{p_v}}_{\text{KL divergence}}$$
#
# The KL divergence is never negative, and 0 only for $p = t$.
# The model has no influence on the entropy. So to make the cross-entropy small is to make the KL divergence small.
#
# ### Predict: the floor of the loss
#
# A vocabulary of five words, $\varepsilon = 0.1$: the target is 0.92 for the right word and 0.02 for each other one.
# What is the smallest loss that *any* model can have? Give three decimals. (Python may compute: `np.log` is the logarithm.)

# %% answer="loss-floor"
### BEGIN SOLUTION
answer = 0.390
### END SOLUTION
predict("loss-floor", answer)

# %% [markdown]
# The figure shows the loss against the probability of the right word; the others share the rest.

# %%
p = np.linspace(0.02, 0.998, 163)
deepest = "Without smoothing the loss falls to 0 at probability 1. With it, the lowest point is 0.39, at 0.92."
with when_written():
    logits = np.log(np.stack([p, *[(1 - p) / 4] * 4], axis=-1))
    wanted = {f"epsilon = {epsilon}": smooth_labels(np.array([0]), 5, epsilon) for epsilon in (0.0, 0.1)}
    losses = {name: [cross_entropy(row[None], t) for row in logits] for name, t in wanted.items()}
    display(plots.curves(p, losses, x_label="probability of the right word", y_label="loss", alt=deepest))

# %% [markdown]
# With smoothing, too much certainty is *punished*: right of 0.92 the loss rises again.
# And a loss that stops at the floor has not stopped learning too early: it has arrived.
# Do not compare the losses of two trainings with different $\varepsilon$.

# %% [markdown]
# ## Exercise 10.4: cross_entropy_backward
#
# *4 points, about 12 minutes, difficulty 3 of 5*
#
# In which direction should the logits move? Log-softmax has the derivative
# $\partial \log p_u / \partial z_v = [u = v] - p_v$. Weighted with $-t_u$ and added over $u$, because the target sums to 1:
#
# $$\frac{\partial \ell_i}{\partial z_{iv}} = p_{iv} - t_{iv}$$
#
# ### The difference of two distributions
#
# No logarithm and no Jacobian is left: where the model gives a word more than its share, its logit has to go down, and the other way round.
# Each row sums to 0. From here, the gradients go down through the layers, by the backward functions of notebooks 02, 06 and 07.
#
# ### Divide by the tokens, and leave padding alone
#
# The loss is a mean over the real tokens. So every row is divided by *their* number, and the rows of padding are 0.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits`, `target_distribution`, `is_token` | | as in `cross_entropy` |
# | result | `(..., n, V)` | the gradient of the mean loss |
#
# **By hand.** Probabilities 1/8, 2/8, 5/8, and the second word is right: the gradient is (0.125, -0.75, 0.625).
# If the batch has two tokens, it is half of that.


# %% solution="cross_entropy_backward"
def cross_entropy_backward(logits, target_distribution, is_token=None):
    """Return the gradient of the cross-entropy with respect to the logits.

    Parameters
    ----------
    logits, target_distribution : ndarray of shape (..., n, V)
    is_token : ndarray of shape (..., n), bool, optional

    Returns
    -------
    ndarray of shape (..., n, V)
        0 where the target is padding.
    """
    ### BEGIN SOLUTION
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    d_logits = (softmax(logits) - target_distribution) / int(is_token.sum())
    return d_logits * is_token[..., None]  # (..., n, 1): 0 for padding
    ### END SOLUTION


# %%
with when_written():
    logits, right = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    print(cross_entropy_backward(logits[:1], right[:1]))  # by hand: 0.125 -0.75 0.625
    slope = numerical_gradient(lambda z: cross_entropy(z, right), logits)
    print("off from the central differences by", np.abs(cross_entropy_backward(logits, right) - slope).max())

# %%
plots.yours_and_target(
    cross_entropy_backward,
    np.random.default_rng(10).standard_normal((4, 6)),
    np.eye(6)[[3, 0, 5, 0]],
    np.array([True, True, True, False]),
    x_label="word",
    y_label="position",
    alt="In each row the right word is negative and the others are positive. The last row, padding, is 0.",
)

# %% check="cross_entropy_backward"
check(cross_entropy_backward)

# %% [markdown]
# <details><summary>Hint 1: what is there for a single token?</summary>
#
# First forget padding and the mean. Which two arrays of shape `(n, V)` does the formula subtract?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `is_token` has shape `(..., n)`. To act on rows of shape `(..., n, V)` it needs one axis more.
# The number of tokens is a single number: how many entries of `is_token` are True?
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. If there is no `is_token`, everything is a token.
# 2. Turn the logits into probabilities and subtract the target.
# 3. Divide by the number of tokens, and make the rows of padding 0.
#
# </details>

# %% [markdown]
# ## Exercise 10.5: noam_learning_rate
#
# *3 points, about 8 minutes, difficulty 2 of 5*
#
# How far to go along the gradient? The *learning rate* says so. The paper lets it rise first and fall later
# (Vaswani et al. 2017, equation 3). The name of this schedule is that of one of its authors, Noam Shazeer.
#
# $$\text{rate} = d_\text{model}^{-1/2} \cdot \min\left(\text{step}^{-1/2},\ \text{step} \cdot \text{warmup}^{-3/2}\right)$$
#
# ### Two curves, and the lower one counts
#
# - At the beginning the second term is the smaller one: a straight line up. The gradients of random layers are wild,
#   and the means that you will write in 10.6 still rest on few of them.
# - Later the first term is the smaller one: four times as many steps, half the rate.
# - They meet at the last step of the warm-up, where the rate is $1 / \sqrt{d_\text{model} \cdot \text{warmup}}$.
# - Steps count from 1.
#
# | name | type | meaning |
# |---|---|---|
# | `step` | an int | 1, 2, 3, ... |
# | `d_model` | an int | width of the model |
# | `warmup_steps` | an int | the step of the largest rate |
# | result | a float | |
#
# **By hand.** For $d_\text{model} = 64$ and 400 steps of warm-up the peak is 1/160 = 0.00625.
# At step 100 the rate is a quarter of that, and at step 1600 a half.


# %% solution="noam_learning_rate"
def noam_learning_rate(step, d_model, warmup_steps):
    """Return the learning rate of a step.

    Parameters
    ----------
    step : int
        From 1.
    d_model, warmup_steps : int

    Returns
    -------
    float
    """
    ### BEGIN SOLUTION
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
    ### END SOLUTION


# %%
steps = np.arange(1, 2001)
rising = "All three rise along a line, to 0.00625, 0.00395 and 0.00313, and then fall ever more slowly."
with when_written():
    print([noam_learning_rate(step, 64, 400) for step in (100, 400, 1600)])  # by hand: peak 0.00625
    sizes = {"64 wide, 400": (64, 400), "64 wide, 1000": (64, 1000), "256 wide, 400": (256, 400)}
    rates = {name: [noam_learning_rate(int(step), *size) for step in steps] for name, size in sizes.items()}
    display(plots.curves(steps, rates, x_label="step", y_label="learning rate", alt=rising))

# %% check="noam_learning_rate"
check(noam_learning_rate)

# %% [markdown]
# <details><summary>Hint 1: which of the two is it at step 1?</summary>
#
# Compute both terms by hand for a warm-up of 100 steps, at steps 1, 100 and 10,000.
#
# </details>
#
# <details><summary>Hint 2: the types</summary>
#
# Everything is a plain number. In Python, `**` takes negative exponents and fractions.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Compute the curve that falls and the line that rises.
# 2. Take the smaller of the two.
# 3. Multiply by the width to the power of minus one half.
#
# </details>

# %% [markdown]
# ## Exercise 10.6: adam_update
#
# *4 points, about 12 minutes, difficulty 3 of 5*
#
# One learning rate for all parameters does not fit: the embedding of a rare word gets a gradient now and then, and others get large ones all the time.
# *Adam* (Kingma and Ba 2015) measures for every single parameter how large its gradients usually are, and divides by it.
#
# $$m \leftarrow \beta_1 m + (1 - \beta_1)\, g \qquad v \leftarrow \beta_2 v + (1 - \beta_2)\, g^2$$
#
# $$\hat m = \frac{m}{1 - \beta_1^{\,\text{step}}} \qquad \hat v = \frac{v}{1 - \beta_2^{\,\text{step}}} \qquad
# \theta \leftarrow \theta - \text{lr}\, \frac{\hat m}{\sqrt{\hat v} + \varepsilon}$$
#
# ### Two running means, corrected
#
# - $m$ is a running mean of the gradient and $v$ one of its square, entry by entry.
# - Both begin at 0, so at first they are too small: after one step $m$ is only a tenth of the gradient.
#   Dividing by $1 - \beta^{\,\text{step}}$ makes up for it. After many steps the divisor is nearly 1.
# - The corrected means serve this step alone: what is returned is $m$ and $v$ **as they are**.
#
# ### What eps is for
#
# A parameter whose gradient has always been 0 would give 0 / 0. $\varepsilon$ is added to the **root**, not under it.
#
# | name | shape | meaning |
# |---|---|---|
# | `param`, `grad`, `m`, `v` | `(...)` | of one shape, any |
# | `step` | an int | from 1 |
# | `lr`, `beta_1`, `beta_2`, `eps` | floats | rate of this step; 0.9, 0.98 and 1e-9 in the paper |
# | result | three arrays | new `param`, `m`, `v` |
#
# **By hand.** Step 1, gradient 0.5, rate 0.25, parameter 1: $m = 0.05$ and $v = 0.005$, corrected 0.5 and 0.25.
# Their ratio, $0.5 / \sqrt{0.25}$, is 1: the parameter becomes 0.75. With gradient -8 it becomes 1.25: the size cancels.


# %% solution="adam_update"
def adam_update(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Move a parameter against its gradient, by steps of about the learning rate.

    Parameters
    ----------
    param, grad, m, v : ndarray of any shape
        The parameter, its gradient, and the running means of the gradient and of its square.
    step : int
        From 1.
    lr, beta_1, beta_2, eps : float

    Returns
    -------
    param, m, v : ndarray of the shape of `param`
        New arrays.
    """
    ### BEGIN SOLUTION
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    mean, mean_square = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * mean / (np.sqrt(mean_square) + eps), m, v
    ### END SOLUTION


# %%
with when_written():
    param, m, v = adam_update(np.ones(2), np.array([0.5, -8.0]), np.zeros(2), np.zeros(2), step=1, lr=0.25)
    print(param, m, v)  # by hand: 0.75 and 1.25

# %% [markdown]
# Two parameters have to come to 0. The loss is steep in one, $50\,a^2$, and flat in the other, $0.005\,b^2$.
# Plain gradient descent must take steps so small that the steep one does not explode, and the flat one hardly moves.

# %%
slopes = np.array([100.0, 0.01])  # the gradient is slopes * point
plain, adam, state = [np.ones(2)], [np.ones(2)], (np.zeros(2), np.zeros(2))
apart = "With plain descent the flat parameter stays near 1. With Adam both follow the same line down."
with when_written():
    for step in range(1, 101):
        plain.append(plain[-1] - 0.005 * slopes * plain[-1])
        moved, *state = adam_update(adam[-1], slopes * adam[-1], *state, step, lr=0.03)
        adam.append(moved)
    paths = {"plain": np.array(plain), "Adam": np.array(adam)}
    lines = {f"{name}, steep": path[:, 0] for name, path in paths.items()}
    lines |= {f"{name}, flat": path[:, 1] for name, path in paths.items()}
    display(plots.curves(range(101), lines, x_label="step", y_label="parameter", alt=apart))

# %% check="adam_update"
check(adam_update)

# %% [markdown]
# <details><summary>Hint 1: what belongs to the next step, and what to this one only?</summary>
#
# Of the six quantities in the formulas, three are handed on. Which three?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything acts entry by entry, and all arrays have the shape of `param`. The step and the betas are plain numbers.
#
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# 1. Make the new means from the old ones and the gradient, in new arrays.
# 2. Divide each by one minus its beta to the power of the step, under new names.
# 3. Divide the corrected mean by the root of the corrected mean square plus eps, multiply by the rate, and subtract.
# 4. Return the parameter and the means of the first step, uncorrected.
#
# </details>

# %% [markdown]
# ## A Transformer that learns while you watch
#
# The task is a small part of the course's grammar: 74 English words and marks, 6,000 sentence pairs.
# The model has one layer in the encoder and one in the decoder, 64 wide, with four heads.
# Forward and backward passes are the course's, in NumPy: the functions of notebooks 02, 06 and 07, one after the other.

# %%
pairs, others, untrained = live.small_task()
vocab_size = len(untrained.target_words)
print(f"{flatten(untrained).size} parameters, {vocab_size} Spanish words and marks")
print(live.SETTINGS)

# %% [markdown]
# ### Predict: the first loss
#
# The model has random parameters and 147 words to choose from. How large is its loss at the first step, about?
#
# - **A** 0
# - **B** 1
# - **C** 5
# - **D** 147

# %% answer="first-loss"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("first-loss", answer)

# %% [markdown]
# ### Your functions train it
#
# All six functions have to pass their checks first. When they do, run the cells from here on again.

# %%
own = (shift_right, smooth_labels, cross_entropy, cross_entropy_backward, noam_learning_rate, adam_update)
waiting = [function.__name__ for function in own if (found := check(function)) < found.max_points]
yours = SimpleNamespace(**{function.__name__: function for function in own})
ready = not waiting
print("Ready." if ready else f"The cells below wait until these pass: {', '.join(waiting)}.")


# %%
def train_live(collate, steps, title):
    """Train the small model with your functions, and show the loss meanwhile."""
    target = smooth_labels(np.array([0]), vocab_size, live.SETTINGS.label_smoothing)
    floor = cross_entropy(np.log(target), target)
    curve = plots.LiveCurve(steps, "loss", levels={"floor": floor}, title=title)
    settings = live.SETTINGS._replace(steps=steps)
    model, _ = train(untrained, pairs, settings, collate=collate, functions=yours, watch=curve)
    return model, curve


# %% [markdown]
# This takes 10 to 30 seconds. If your `adam_update` goes through the 97,344 parameters in a loop, it takes minutes:
# the bar says how many are left. The floor is the entropy of the smoothed targets.

# %%
if ready:
    model, honest = train_live(collate, live.SETTINGS.steps, "Training with your functions")

# %% [markdown]
# ### Sentences that it has never seen
#
# A loss is not the task. Let it translate, greedily, sentences that were not in the training data.
# In *held-out* ones, two words stand together that never did so in training, such as "red" and "car".
# A translation is right if it is among those of the grammar. To translate 800 sentences takes some seconds.


# %%
def share_right(model, split):
    """Translate 200 sentences and count."""
    unseen = corpus.load(split, 200, corpus.SMALL_WORDS)
    right = [corpus.translations(sentence.english) for sentence in unseen]
    return score(model, unseen, right).acceptable / len(unseen)


splits = ["new", "held-out"]
many = "Before training nothing is right; after it, nearly all new sentences and most held-out ones."
if ready:
    models = {"before": untrained, "after": model}
    shares = {name: [share_right(one, split) for split in splits] for name, one in models.items()}
    display(plots.bars(shares, splits, y_label="share right", limits=(0, 1), alt=many))

# %%
sentences = ["I like cats.", "The red car is big.", "Do they see the black cat?", "Ana does not want milk."]
if ready:
    for sentence in sentences:
        print(f"{sentence:<28}{translate(sentence, model)}")

# %% [markdown]
# Put in sentences of your own. A word that the model does not know is refused by name.
# What it has learned is this grammar, not Spanish.

# %% [markdown]
# ## A bug that the loss likes
#
# Now we plant a mistake that is easy to make: the mask of the decoder is off by one.
# Every position also sees the *next* place of what the decoder reads, and there stands the word that it has to say.


# %%
def collate_off_by_one(pairs):
    """Make a batch whose decoder sees one place too far."""
    batch = collate(pairs)
    n = batch.target_ids.shape[1]
    return batch._replace(decoder_mask=batch.decoder_mask | np.tri(n, k=1, dtype=bool))


reads = ["<bos>", "me", "gustan", "los", "gatos"]
further = "On the left a position sees itself and what came before. On the right it sees the next place, too."
plots.beside(
    plots.mask_picture(causal_mask(5), reads, reads, title="right mask"),
    plots.mask_picture(np.tri(5, k=1, dtype=bool), reads, reads, title="off by one"),
    alt=further,
)

# %% [markdown]
# ### Predict: how does the loss react?
#
# Compared with the training above, the loss of this model
#
# - **A** falls less: the mask gives it a word that does not belong there.
# - **B** falls about as far.
# - **C** falls faster and further.

# %% answer="one-too-many"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("one-too-many", answer)

# %%
if ready:
    cheater, cheating = train_live(collate_off_by_one, 500, "Training with the mask off by one")

# %% [markdown]
# Both losses over the same 500 steps, in means of 25:

# %%
marks = np.arange(25, 501, 25)
lower = "From step 100 on the loss with the mask off by one is the lower one. It comes close to the floor."
if ready:
    curves = {"right mask": honest, "off by one": cheating}
    losses = {name: np.reshape(curve.values[:500], (-1, 25)).mean(axis=1) for name, curve in curves.items()}
    losses["floor"] = np.full(len(marks), honest.levels["floor"])
    display(plots.curves(marks, losses, x_label="step", y_label="loss", alt=lower))
    print(f"off by one, 500 steps: {cheating.means[-1]:.3f}; right mask, 1500 steps: {honest.means[-1]:.3f}")

# %% [markdown]
# By the loss, the second model is the better one, after a third of the training. Let both write:

# %%
if ready:
    for sentence in sentences:
        print(f"{sentence:<28}{translate(sentence, model):<28}{translate(sentence, cheater)}")
    print("share right, new sentences:", share_right(cheater, "new"))

# %% [markdown]
# ### Training is not a test
#
# The second model has learned to copy the word that it can see, and nothing else: it did not need the English sentence.
# When it writes, there is no next word to see yet, and it has nothing to say.
#
# Would a loss on sentences that it was not trained on have told us? It is computed with the same mask:

# %%
if ready:
    for name, one, how in (("right mask", model, collate), ("off by one", cheater, collate_off_by_one)):
        batch = how(others)
        wanted = smooth_labels(batch.target_ids, vocab_size, live.SETTINGS.label_smoothing)
        print(f"{name}: {cross_entropy(forward(one, batch)[0], wanted, batch.target_is_token):.3f}")

# %% [markdown]
# It is just as pleased. Two things tell: to *use* the model as it will be used, and to test the property that must hold.
# `first_leak` of notebook 03 needs no training at all. It names the first position whose output depends on a later token, or None:

# %%
rng = np.random.default_rng(3)
memory, read = rng.standard_normal((7, 64)), rng.standard_normal((len(pairs[0][1]), 64))


def decoder_with(mask):
    """Return the decoder of the untrained model as a function of the vectors that it reads."""
    return lambda X: decoder_layer(X, memory, untrained.decoder[0], untrained.n_heads, mask)


with when_written():
    for name, how in (("right mask", collate), ("off by one", collate_off_by_one)):
        print(f"{name}: {first_leak(decoder_with(how(pairs[:1]).decoder_mask[0]), read)}")

# %% [markdown]
# The same mistake without any mask: `shift_right` forgotten, and every position reads the word that it has to say.
# That is why the shift and the mask belong together, and why both are tested.

# %% [markdown]
# ## What you have now
#
# | function | what for |
# |---|---|
# | `shift_right` | many tasks in one pass; with the causal mask it makes training look like writing |
# | `smooth_labels` | targets that ask for no more certainty than there is |
# | `cross_entropy`, `cross_entropy_backward` | one number to make smaller, and the direction |
# | `noam_learning_rate`, `adam_update` | how far to go, at each step and for each parameter |
#
# This was the last notebook. Look back at what you have written:
#
# | notebooks | what you can do |
# |---|---|
# | 00, 01 | turn words into vectors that know their places |
# | 02, 03, 04, 05 | attention: scaled, masked, with several heads, within a sentence and across two |
# | 06, 07 | the rest of a layer, and why deep stacks can be trained |
# | 08, 09 | make text out of probabilities, and run a trained Transformer |
# | 10 | find the parameters |
#
# Larger models have more layers, more words and far more text; many have only one of the two halves.
# But each of their layers is made of parts that you have written and tested yourself, and you can now read
# "Attention Is All You Need" (Vaswani et al. 2017) from the first page to the last. Do: it is the best test of this course.
#
# ### Going further
#
# *Not graded.* Train with 1,000 sentence pairs (`live.small_task(1000)`), without label smoothing, or with two layers
# (`live.SIZES`). Predict first what will happen to the loss, and what to the share of right held-out sentences.
