# %% [markdown]
# # 10 Training
#
# Two small translators have learned from the same 6,000 sentence pairs, 1,000 batches each.
# Here is their *loss* on sentences that neither had seen: how surprised they are, on average, by each next word. Lower is better.
#
# | | loss on new sentences |
# |---|---:|
# | model A | 0.287 |
# | model B | 0.017 |
# | somebody who knows the grammar by heart | 0.076 |
#
# The third line is computed from the grammar that made the sentences, with the odds of every choice that Spanish leaves open, such as *ellos* or *ellas* for "they".
#
# **{{points}}, {{time}}.**
# You need `one_hot` (00), `softmax` (02) and `first_leak` (03); for 10.4, the chain rule. If you left the derivatives of units 02, 06 and 07 for later, the course lends you its own.
#
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")  # small matrices: one thread is fastest
from types import SimpleNamespace

import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.experiments.floor import best_loss
from transformer_kit.experiments.recorded.film import Camera
from transformer_kit.experiments.whole_model.evaluation import share_right
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import SentencePairs, TrainingSettings, TrainingState
from transformer_kit.pictures import training_film
from transformer_kit.trained.recorded import load_recording
from transformer_kit.training import live

one_hot, softmax, first_leak, translate = load("one_hot", "softmax", "first_leak", "translate")

# %%
progress("10")

# %% [markdown]
# ## Predict: which one do you take?
#
# Which translator would you pick, and why?
#
# - **A** Model B: on new sentences it makes the better predictions.
# - **B** Model A: B has learned its training sentences by heart.
# - **C** Either: losses as small as these differ by chance.
# - **D** Model A: nobody can honestly have a loss like B's.

# %% answer="which-model"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("which-model", answer)

# %% [markdown]
# ## Exercise {{shift_right}}: shift_right
#
# *{{points shift_right}}, about 6 minutes, difficulty 1 of 5*
#
# A translation is written word by word, so every sentence of the training data holds several small tasks:
# after "me", write "gustan"; after "me gustan", write "los".
#
# ### What the decoder reads, and what it has to predict
#
# | position | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | has to predict (the *target*) | me | gustan | los | gatos | `<eos>` |
# | reads | `<bos>` | me | gustan | los | gatos |
#
# - The decoder reads the target **one place later**, after the start symbol, and never reads its last token.
#   The causal mask lets position 2 see "`<bos>` me gustan", but not "los", which it has to predict.
# - It reads the *right* words, whatever it would have written itself, so one pass makes all predictions at once. This is *teacher forcing*.
#   At inference it reads its own words, and one slip can take it somewhere training never went (Bengio et al. 2015).
#
# | name | shape | meaning |
# |---|---|---|
# | `target_ids` | `(B, n)` | ids, padded to one length |
# | `bos_id` | an int | the start symbol |
# | result | `(B, n)` | ids, a new array |
#
# **By hand.** With start symbol 2, (5, 6, 7, 3) becomes (2, 5, 6, 7).


# %% solution="shift_right"
def shift_right(target_ids, bos_id):
    """Return what the decoder reads while it learns to write the target.

    target_ids (B, n), int, bos_id is an int -> (B, n), int.
    """
    ### BEGIN SOLUTION
    shifted = np.empty_like(target_ids)
    shifted[:, 0] = bos_id
    shifted[:, 1:] = target_ids[:, :-1]
    return shifted
    ### END SOLUTION


# %% check="shift_right"
check(shift_right)

# %% [markdown]
# <details><summary>Hint 1: which token leaves, and which one comes in?</summary>
#
# The result is as long as the target. Take a sentence of four tokens, and write the result below the target.
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Of the `(B, n)` ids you need all columns but one: `(B, n - 1)`. The start symbols make a column, `(B, 1)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Make a new array for whole numbers, of the target's shape.
# 2. Fill its first column with the start symbol.
# 3. Fill the rest with the columns of the target, up to the second to last.
#
# </details>

# %% [markdown]
# ## Exercise {{smooth_labels}}: smooth_labels
#
# *{{points smooth_labels}}, about 8 minutes, difficulty 2 of 5*
#
# What *should* the model predict? The plain answer: the right word with probability 1, every other word with 0.
# But a softmax reaches 1 only with an infinite logit, so training would pull the logits apart for ever.
# *Label smoothing* takes a small share $\varepsilon$ away and spreads it evenly (Szegedy et al. 2016).
#
# With $[v = y]$ for 1 at the right word $y$ and 0 elsewhere:
#
# $$t_v = (1 - \varepsilon)\,[v = y] + \frac{\varepsilon}{V}$$
#
# ### Who gets which share
#
# All $V$ words get $\varepsilon / V$, the right one **included**: it ends up with $1 - \varepsilon + \varepsilon / V$.
# So a row still sums to 1, and no word is impossible.
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(...)` | the right words; any axes, or none |
# | `vocab_size` | an int | $V$ |
# | `epsilon` | a float | the share, 0 to 1; 0.1 in the paper |
# | result | `(..., V)` | a distribution for each token |
#
# **By hand.** Four words and $\varepsilon = 0.2$: each gets 0.05, and the right one 0.8 on top, which makes 0.85.


# %% solution="smooth_labels"
def smooth_labels(token_ids, vocab_size, epsilon):
    """Return the distributions that the model should come close to.

    token_ids (...), int, epsilon: the share that all words get evenly -> (..., vocab_size).
    """
    ### BEGIN SOLUTION
    return (1 - epsilon) * one_hot(token_ids, vocab_size) + epsilon / vocab_size
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    wanted = smooth_labels(np.array([0]), 4, 0.2)[0]  # by hand: 0.85 and 0.05
    display(plots.bars(wanted, ["gustan", "gusta", "los", "gatos"], y_label="probability", limits=(0, 1),
                       title="After “me”, with a share of 0.2 for all", alt="The right word keeps most, and no word gets nothing."))

# %% check="smooth_labels"
check(smooth_labels)

# %% [markdown]
# <details><summary>Hint 1: what does every word get?</summary>
#
# Start from a row in which all words have the same small share. What has to be added, and where, so that the row sums to 1?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Ids of shape `(2, 3)` become distributions of shape `(2, 3, V)`. Which function of unit 00 takes that step?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Make the one-hot rows, and multiply them by what is left once $\varepsilon$ has been taken away.
# 2. Add $\varepsilon / V$ to every entry.
#
# </details>

# %% [markdown]
# ## Exercise {{cross_entropy}}: cross_entropy
#
# *{{points cross_entropy}}, about 15 minutes, difficulty 3 of 5*
#
# One number says how far the model is from the target, the *loss*:
#
# $$\ell_i = -\sum_{v} t_{iv} \log p_{iv}, \qquad p_i = \operatorname{softmax}(z_i), \qquad
# L = \frac{1}{n}\sum_{i\ \text{is a token}} \ell_i$$
#
# ### From logits to a loss
#
# With a plain target, $\ell_i$ is minus the log-probability of the right word; with a smoothed one, every word counts by its share.
# All tokens count alike, whether their sentence is long or short.
#
# ### The logarithm of a softmax
#
# Do not take the logarithm of a probability: for a very unlikely word the probability underflows to 0.
# With $c = \max_u z_u$, nothing overflows, and nothing is lost: $\log p_v = z_v - c - \log \sum_u e^{z_u - c}$.
#
# ### The mean, and what it leaves out
#
# Padding, where `is_token` is False, enters neither the sum nor the number of tokens, $n$.
#
# | name | shape | meaning |
# |---|---|---|
# | `logits` | `(..., n, V)` | what the model puts out |
# | `target_distribution` | `(..., n, V)` | every row sums to 1 |
# | `is_token` | `(..., n)` | bool; None: everything counts |
# | result | a float | in nats per token |
#
# **By hand.** Logits $\log 1$, $\log 2$, $\log 5$ mean probabilities 1/8, 2/8, 5/8. If the second word is right, the loss is $\log 4 = 1.3863$:
# a loss is a probability in disguise, $1/4 = e^{-1.3863}$.


# %% solution="cross_entropy"
def cross_entropy(logits, target_distribution, is_token=None):
    """Return how many nats per token the target costs on average.

    logits and target_distribution (..., n, V), is_token (..., n), bool, or None -> a float.
    """
    ### BEGIN SOLUTION
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    losses = -(target_distribution * log_probs).sum(axis=-1)  # (..., n): one for each token
    return float(losses.mean() if is_token is None else losses[is_token].mean())
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    logits, right = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    print("both tokens:      ", cross_entropy(logits, right))
    print("second is padding:", cross_entropy(logits, right, np.array([True, False])))  # by hand: 1.3863

# %% check="cross_entropy"
check(cross_entropy)

# %% [markdown]
# <details><summary>Hint 1: which axes disappear, and in which order?</summary>
#
# Terms, losses of tokens, loss: each has fewer axes than the one before.
# Which axis belongs to the sum of the formula, and which ones to the mean?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# The largest logit and the logarithm of the sum have shape `(..., n, 1)`. The losses have shape `(..., n)`, and so has `is_token`:
# it can select among them.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Subtract from every row of logits its largest entry.
# 2. Subtract the logarithm of the sum of the exponentials: these are log-probabilities.
# 3. Multiply by the target, add along the vocabulary, and change the sign.
# 4. Select the losses of real tokens, if `is_token` was given, and return their mean as a float.
#
# </details>

# %% [markdown]
# ### Entropy, cross-entropy, KL divergence
#
# $$-\sum_v t_v \log p_v = -\sum_v t_v \log t_v + \sum_v t_v \log \frac{t_v}{p_v}$$
#
# The cross-entropy is the *entropy* of the target plus the *KL divergence*, which is never negative, and 0 only for $p = t$.
# The entropy does not depend on the model, so whoever lowers the cross-entropy lowers the divergence.
#
# ### Predict: the floor of the loss
#
# A vocabulary of five words, $\varepsilon = 0.1$: the target is 0.92 for the right word and 0.02 for each of the others.
# What is the smallest loss that *any* model can have? Give three decimals.

# %% answer="loss-floor"
### BEGIN SOLUTION
answer = 0.390
### END SOLUTION
predict("loss-floor", answer)

# %% [markdown]
# ### On paper: the way back to a logit
#
# The log-softmax has the derivative $\partial \log p_u / \partial z_v = [u = v] - p_v$. Substitute it into the derivative of a token's loss:
#
# $$\frac{\partial \ell}{\partial z_v} = -\sum_u t_u \big([u = v] - p_v\big) = -t_v + \sum_u t_u\, p_v$$
#
# What is the last sum?
#
# - **A** $t_v\, p_v$
# - **B** $V\, p_v$
# - **C** $p_v$
# - **D** $(1 - \varepsilon)\, p_v$

# %% answer="sum-over-targets"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("sum-over-targets", answer)

# %% [markdown]
# ## Exercise {{cross_entropy_backward}}: cross_entropy_backward
#
# *{{points cross_entropy_backward}}, about 12 minutes, difficulty 3 of 5*
#
# You have just found it: $\partial \ell_i / \partial z_{iv} = p_{iv} - t_{iv}$.
#
# ### The difference of two distributions
#
# No logarithm and no Jacobian is left. A word with more than its share goes down, one with less goes up, and each row sums to 0.
#
# ### Divide by the tokens, and leave padding alone
#
# The loss is a mean over the real tokens, so every row is divided by *their* number, and the rows of padding are 0.
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

    logits and target_distribution (..., n, V), is_token (..., n), bool, or None
    -> (..., n, V), 0 where the target is padding.
    """
    ### BEGIN SOLUTION
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    d_logits = (softmax(logits) - target_distribution) / int(is_token.sum())
    return d_logits * is_token[..., None]  # (..., n, 1): 0 for padding
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(cross_entropy_backward(logits[:1], right[:1]))  # by hand: 0.125 -0.75 0.625
    slope = numerical_gradient(lambda z: cross_entropy(z, right), logits)
    print("off from the central differences by", np.abs(cross_entropy_backward(logits, right) - slope).max())

# %% check="cross_entropy_backward"
check(cross_entropy_backward)

# %% [markdown]
# <details><summary>Hint 1: what is there for a single token?</summary>
#
# Forget padding and the mean at first. Which two arrays of shape `(n, V)` does the formula subtract?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `is_token` has shape `(..., n)`. To act on rows of shape `(..., n, V)` it needs one more axis.
# The number of tokens is a single number: how many entries of `is_token` are True?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. If there is no `is_token`, everything is a token.
# 2. Turn the logits into probabilities and subtract the target.
# 3. Divide by the number of tokens, and make the rows of padding 0.
#
# </details>

# %% [markdown]
# ## Exercise {{noam_learning_rate}}: noam_learning_rate
#
# *{{points noam_learning_rate}}, about 8 minutes, difficulty 2 of 5*
#
# How far should a step go? The *learning rate* decides. The paper lets it rise first and fall later
# (equation 3; the schedule is named after one of the authors, Noam Shazeer).
#
# $$\text{rate} = d_\text{model}^{-1/2} \cdot \min\left(\text{step}^{-1/2},\ \text{step} \cdot \text{warmup}^{-3/2}\right)$$
#
# ### Two curves, and the lower one counts
#
# - At first the second term is smaller: a straight line up, while the gradients of random layers are still wild.
# - Later the first term is smaller: after four times as many steps, half the rate.
# - They meet at the last step of the warm-up. Steps count from 1.
#
# **By hand.** For $d_\text{model} = 64$ and 400 steps of warm-up the peak is 1/160 = 0.00625.
# At step 100 the rate is a quarter of that, and at step 1600 a half. A wider model or a longer warm-up lowers the peak.


# %% solution="noam_learning_rate"
def noam_learning_rate(step, d_model, warmup_steps):
    """Return the learning rate of a step.

    All are ints, and step counts from 1 -> a float.
    """
    ### BEGIN SOLUTION
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
    ### END SOLUTION


# %%
steps = np.arange(20, 1601, 20)
with skip_if_unimplemented():
    rates = {"yours": [noam_learning_rate(int(step), 64, 400) for step in steps]}
    rates |= {"first term": steps**-0.5 / 8, "second term": steps * 400**-1.5 / 8}
    display(plots.curves(steps, rates, x_label="step", y_label="learning rate", limits=(0, 0.012),
                         alt="Yours follows the second term up to step 400, then the first one."))

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
# <details><summary>Hint 3: a plan</summary>
#
# 1. Compute the curve that falls and the line that rises.
# 2. Take the smaller of the two.
# 3. Multiply by the width to the power of minus one half.
#
# </details>

# %% [markdown]
# ## Exercise {{adam_update}}: adam_update
#
# *{{points adam_update}}, about 12 minutes, difficulty 3 of 5*
#
# One learning rate does not fit all parameters: the embedding of a rare word gets a gradient now and then, others get large ones all the time.
# *Adam* (Kingma and Ba 2015) keeps track, for every single parameter, of how large its gradients usually are, and divides by that.
#
# $$m \leftarrow \beta_1 m + (1 - \beta_1)\, g \qquad v \leftarrow \beta_2 v + (1 - \beta_2)\, g^2$$
#
# $$\hat m = \frac{m}{1 - \beta_1^{\,\text{step}}} \qquad \hat v = \frac{v}{1 - \beta_2^{\,\text{step}}} \qquad
# \theta \leftarrow \theta - \text{lr}\, \frac{\hat m}{\sqrt{\hat v} + \varepsilon}$$
#
# ### Two running means, corrected
#
# - $m$ is a running mean of the gradient, $v$ one of its square, entry by entry. Both begin at 0, so at first they are too small:
#   after one step $m$ is only a tenth of the gradient. Dividing by $1 - \beta^{\,\text{step}}$ makes up for it.
# - The corrected means are used for this step only. Return $m$ and $v$ **uncorrected**.
#
# ### What eps is for
#
# A parameter whose gradient has always been 0 would give 0 / 0. $\varepsilon$ is added to the **root**, not inside it.
#
# | name | shape | meaning |
# |---|---|---|
# | `param`, `grad`, `m`, `v` | `(...)` | all of one shape, any |
# | `step` | an int | from 1 |
# | `lr`, `beta_1`, `beta_2`, `eps` | floats | rate of this step; 0.9, 0.98 and 1e-9 in the paper |
# | result | three arrays | new `param`, `m`, `v` |
#
# **By hand.** Step 1, gradient 0.5, rate 0.25, parameter 1: $m = 0.05$ and $v = 0.005$, corrected 0.5 and 0.25.
# Since $0.5 / \sqrt{0.25} = 1$, the parameter becomes 0.75. With gradient -8 it becomes 1.25: the size cancels.


# %% solution="adam_update"
def adam_update(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    """Move a parameter against its gradient, by steps of about the learning rate.

    param, grad, m, v of any one shape, step counts from 1 -> new param, m, v of that shape.
    """
    ### BEGIN SOLUTION
    m = beta_1 * m + (1 - beta_1) * grad
    v = beta_2 * v + (1 - beta_2) * grad**2
    mean, mean_square = m / (1 - beta_1**step), v / (1 - beta_2**step)
    return param - lr * mean / (np.sqrt(mean_square) + eps), m, v
    ### END SOLUTION


# %% check="adam_update"
check(adam_update)

# %% [markdown]
# <details><summary>Hint 1: what belongs to the next step, and what to this one only?</summary>
#
# Of the six quantities in the formulas, three are passed on. Which three?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Everything acts entry by entry, and all arrays have the shape of `param`. The step and the betas are plain numbers.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Make the new means from the old ones and the gradient, in new arrays.
# 2. Divide each by one minus its beta to the power of the step, under new names.
# 3. Divide the corrected mean by the square root of the corrected mean square, plus eps, multiply by the rate, and subtract.
# 4. Return the parameter and the means from step 1, uncorrected.
#
# </details>

# %% [markdown]
# Two parameters should reach 0. The loss is steep in one, $50\,a^2$, and flat in the other, $0.005\,b^2$.

# %%
slopes = np.array([100.0, 0.01])  # the gradient is slopes * point
plain, adam, means = np.ones(2), np.ones(2), (np.zeros(2), np.zeros(2))
with skip_if_unimplemented():
    for step in range(1, 101):
        plain = plain - 0.005 * slopes * plain
        adam, *means = adam_update(adam, slopes * adam, *means, step, lr=0.03)
        if step in (10, 40, 100):
            print(f"step {step:3}   steep and flat: plain descent {plain.round(3)}   Adam {adam.round(3)}")

# %% [markdown]
# Plain descent is done with the steep parameter at once, and hardly moves the flat one. Adam takes longer over the steep one, but it takes
# both down the same path: each gradient is divided by its own usual size.
#
# ### Since 2017: AdamW
#
# Parameters are kept small by pulling them a little towards 0, *weight decay*. Added to the gradient, as was usual, the pull is divided by the gradient's size as well.
# *AdamW* (Loshchilov and Hutter 2019), with which most models are trained today, leaves it outside. A thousand parameters of each kind begin at 1, with gradients that are nothing but noise:

# %%
rate, decay, noise = 0.003, 1.0, np.array([10.0, 0.01])
with skip_if_unimplemented():
    for name, inside, outside in (("Adam ", decay, 0), ("AdamW", 0, decay)):
        rng, w, means = np.random.default_rng(10), np.ones((1000, 2)), (np.zeros((1000, 2)),) * 2
        for step in range(1, 301):
            gradient = noise * rng.standard_normal(w.shape) + inside * w
            w, *means = adam_update((1 - rate * outside) * w, gradient, *means, step, lr=rate)
        print(f"{name} means after 300 steps: {w.mean(axis=0).round(2)}")

# %% [markdown]
# With Adam the parameters of large gradients hardly shrink, and those of small ones lose more than three quarters. With AdamW both shrink alike.
#
# A good place to stop.
#
# ## Second sitting: a model learns
#
# Your `attention_backward`, `ffn_backward` and `layer_norm_backward` have been idle since you wrote them.
# End to end, they lead from `d_logits` down to every parameter of a Transformer. All that is missing is the step that ties them together.
#
# ## Exercise {{train_step}}: train_step
#
# *{{points train_step}}, about 25 minutes, difficulty 4 of 5*
#
# The model comes as two functions, and all its parameters as one array, so your step need not know what the model is made of.
#
# ### Forward, loss, backward, update
#
# A step makes predictions for a batch, compares them with the smoothed targets, goes back from the loss to the parameters, and lets Adam move them at this step's rate.
# It returns the loss before the move. Padding must not count anywhere.
#
# ### What one step leaves to the next
#
# `state.step` is the number of steps already taken: 0 at the beginning. Yours is the next one, and the new state counts it.
# The new state has arrays of its own; leave the old one as it was.
#
# | name | type | fields |
# |---|---|---|
# | `state` | `TrainingState` | `step`; `params`, `m`, `v`: each `(n_parameters,)` |
# | `batch` | `SentencePairs` | `source_ids` `(B, n_source)`; `target_ids`, `is_token`: each `(B, n_target)` |
# | `forward(params, source_ids, decoder_ids)` | function | returns the logits, `(B, n_target, V)` |
# | `backward(d_logits, params, source_ids, decoder_ids)` | function | returns the gradient of `params` |
# | `settings` | `TrainingSettings` | `bos_id`, `epsilon` of the smoothing, `d_model`, `warmup_steps` |
# | result | a pair | a `TrainingState`, and the loss, a float |
#
# **By hand.** A model has three parameters, which are its logits: $\log 1, \log 2, \log 5$. The second word is right, $\varepsilon = 0$, the width 4, the warm-up 1 step.
# The loss is 1.3863, the gradient (0.125, -0.75, 0.625), the rate 1/2. In Adam's first step the sizes cancel, so the parameters move by (-1/2, 1/2, -1/2).


# %% solution="train_step"
def train_step(state, batch, forward, backward, settings):
    """Take one step of training.

    state, batch, forward, backward, settings as above -> the TrainingState after the step, and the loss before it.
    """
    ### BEGIN SOLUTION
    step = state.step + 1
    decoder_ids = shift_right(batch.target_ids, settings.bos_id)
    logits = forward(state.params, batch.source_ids, decoder_ids)
    wanted = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    loss = cross_entropy(logits, wanted, batch.is_token)
    d_logits = cross_entropy_backward(logits, wanted, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    rate = noam_learning_rate(step, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, gradient, state.m, state.v, step, rate)
    return TrainingState(step, params, m, v), loss
    ### END SOLUTION


# %%
beginning = TrainingState(0, np.log([1.0, 2.0, 5.0]), np.zeros(3), np.zeros(3))
one_word = SentencePairs(np.array([[2]]), np.array([[1]]), np.array([[True]]))
model = (lambda params, source_ids, decoder_ids: params[None, None], lambda d_logits, *read: d_logits[0, 0])
with skip_if_unimplemented():
    state, loss = train_step(beginning, one_word, *model, TrainingSettings(0, epsilon=0.0, d_model=4, warmup_steps=1))
    print(f"{loss:.4f}", state.params - beginning.params)  # by hand: 1.3863, then -1/2, 1/2, -1/2

# %% check="train_step"
check(train_step)

# %% [markdown]
# <details><summary>Hint 1: who needs what?</summary>
#
# Each of your six functions is called once. Write down what each one takes. What of that is in the batch, the state or the settings, and what does another function return?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Ids `(B, n_target)` go in, logits `(B, n_target, V)` come out; `d_logits` has their shape, the gradient `(n_parameters,)` again. $V$ is not among the settings: which array knows it?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Go forward, with what the decoder reads.
# 2. Make the target distributions, the loss, and its gradient at the logits. Both functions need to know which positions are tokens.
# 3. Go backward, with the ids that the forward pass was given.
# 4. Compute this step's learning rate (steps count from 1) and apply the update. Return the new state and the loss.
#
# </details>

# %% [markdown]
# ## Your step trains a Transformer
#
# The task is a small part of the course's grammar. The model has one layer in each stack, 64 wide, with four heads.
# Both passes are made of your functions, from `embed` to `attention_backward`. The course lends what you have not written, and adds only what
# joins them and the way back through a look-up.

# %%
pairs, others, untrained = live.small_task()
floor = best_loss(others[:80], untrained, 0.1)
print(f"{len(pairs):,} sentence pairs, {len(untrained.target_words)} Spanish words and punctuation marks")
print(f"somebody who knows the grammar by heart: {floor:.2f}, against targets smoothed by 0.1")
levels = {"grammar by heart": floor}
mine = SimpleNamespace(**dict(zip(live.FUNCTIONS, load(*live.FUNCTIONS), strict=True)))
own = shift_right, smooth_labels, cross_entropy, cross_entropy_backward, noam_learning_rate, adam_update, train_step
waiting = [function.__name__ for function in own if (found := check(function)) < found.max_points]
ready = not waiting
print("Ready." if ready else f"The cells below wait until these pass: {', '.join(waiting)}.")

# %% [markdown]
# ### What it says, and where it looks
#
# Start the training run. A thousand steps take 10 to 30 seconds on a computer that has nothing else to do, and longer in a browser.
# Then you see a film: how the model translated a sentence outside its training data, every 50 steps. Press Play, or use the arrow keys.
# Which words come first? When does the attention map find its shape? Does a right translation stay right?
# (The film counts its loss against the words themselves, not against smoothed targets, so it may go below the floor.
# Until you are ready, you see a recorded run.)


# %%
def train(trainee, step_of_training, n_steps, title=""):
    """Take so many steps; return the state after every 50 and the losses. With a title, show the loss meanwhile."""
    curve = plots.LiveCurve(n_steps, "loss", levels=levels, title=title)
    state, states, losses = trainee.beginning, [], []
    for step, batch in live.batches(pairs, n_steps):
        state, loss = step_of_training(state, batch, trainee.forward, trainee.backward, trainee.settings)
        losses.append(loss)
        if title:
            curve(step, loss)
        if step % 50 == 0:
            states.append(state)
    return states, losses


if ready:
    honest, camera = live.Trainee(untrained, mine), Camera(untrained, others)
    states, losses = train(honest, train_step, 1000, "Your functions, your step")
    for state in states:
        camera.take(state.step, honest.model_with(state.params))
training_film(camera.film() if ready else load_recording("film"))

# %% [markdown]
# How many new sentences does the model translate correctly? *Held-out* ones have a pair of words that never occurred together in training,
# such as "red" and "car". Then try your own: the model knows 74 English words and punctuation marks, and this grammar, not Spanish; after so short a run it still makes mistakes.

# %%
if ready:
    for state in (states[2], states[-1]):
        shares = {split: share_right(honest.model_with(state.params), split, 200) for split in ("new", "held-out")}
        print(f"after {state.step:5,} steps", *(f"{split} {share:4.0%}" for split, share in shares.items()), sep="   ")
    for sentence in ("I like cats.", "The red car is big.", "Do they see the black cat?", "Ana does not want milk."):
        print(f"{sentence:<28}{translate(sentence, honest.model_with(states[-1].params))}")

# %% [markdown]
# ### Predict: attention left to chance
#
# Now train once more, but leave every $W_Q$ and $W_K$, in the encoder and in the decoder, as random as they are at the beginning. Fully trained,
# the model translates 84 % of the new sentences correctly. And this one?
#
# - **A** about as many
# - **B** about half as many
# - **C** next to none

# %% answer="attention-left-to-chance"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("attention-left-to-chance", answer)

# %% [markdown]
# ### Predict: the careless translator
#
# All parts are trained again, but in three of ten training pairs the English belongs to another sentence. How many new sentences come out right?
#
# - **A** about 20 %
# - **B** about 50 %
# - **C** about 80 %

# %% answer="careless-translator"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("careless-translator", answer)

# %% [markdown]
# The model of unit 09 was trained in the same way, only longer: 20,000 steps on 200,000 pairs, with two additions.
# *Dropout* sets a tenth of the numbers in each sub-layer's output to 0 at random, so that nothing relies on a single one.
# And over the last 40 percent of the steps the learning rate fell to 0, with dropout switched off.
#
# ## You train the cheater
#
# Back to model B. The mask of its decoder was off by one: every position also saw the *next* place, which holds the very word that it has to predict.
# Train one yourself: nothing else changes, and 400 steps are enough. (`first_leak` from unit 03 finds such a fault without any training.)

# %%
spanish = np.random.default_rng(3).standard_normal((6, untrained.target_embedding.shape[1]))
if ready:
    cheater = live.Trainee(untrained, mine, ahead=1)
    levels["your model, at the end"] = np.mean(losses[-50:])
    cheaters, _ = train(cheater, train_step, 400, "Mask off by one")
    print(translate("I like cats.", cheater.model_with(cheaters[-1].params)) or "(it writes nothing)")
    print("first_leak: yours", first_leak(honest.decoder(), spanish), "and the cheater", first_leak(cheater.decoder(), spanish))

# %% [markdown]
# ### Predict: the wrong English
#
# Take the unseen sentence pairs and shuffle the English, so that every Spanish sentence gets the wrong one. The cheater will hardly notice.
# What becomes of the honest model's loss, about 1 so far? It still reads the right Spanish words before each place.
#
# - **A** about 2.7: it knows which Spanish word follows which, and nothing else
# - **B** about 4.3: it knows how often each Spanish word occurs, and nothing else
# - **C** about 5: it hardly does better than if all words had the same probability

# %% answer="wrong-english"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("wrong-english", answer)

# %%
unseen = live.sentence_pairs(others)
exchanged = unseen._replace(source_ids=np.random.default_rng(0).permutation(unseen.source_ids))
if ready:
    for name, one, last in (("honest", honest, states[-1]), ("cheater", cheater, cheaters[-1])):
        found = [train_step(last, batch, one.forward, one.backward, one.settings)[1] for batch in (unseen, exchanged)]
        print(f"{name:<8} its English: {found[0]:.2f}   another's: {found[1]:.2f}")

# %% [markdown]
# ## A silent bug
#
# A colleague has written a training step, too. The mask is right, nothing fails, and after 400 steps the loss is lower than yours after 1,000:


# %%
def colleagues_step(state, batch, forward, backward, settings):
    """Take one step of training."""
    decoder_ids = batch.target_ids.copy()
    decoder_ids[:, 0] = settings.bos_id
    logits = forward(state.params, batch.source_ids, decoder_ids)
    wanted = smooth_labels(batch.target_ids, logits.shape[-1], settings.epsilon)
    d_logits = cross_entropy_backward(logits, wanted, batch.is_token)
    gradient = backward(d_logits, state.params, batch.source_ids, decoder_ids)
    rate = noam_learning_rate(state.step + 1, settings.d_model, settings.warmup_steps)
    params, m, v = adam_update(state.params, gradient, state.m, state.v, state.step + 1, rate)
    return TrainingState(state.step + 1, params, m, v), cross_entropy(logits, wanted, batch.is_token)


if ready:
    theirs = live.Trainee(untrained, mine)
    last, their_losses = train(theirs, colleagues_step, 400)
    print(f"mean loss of the last 50 steps: {np.mean(their_losses[-50:]):.2f}, yours {np.mean(losses[-50:]):.2f}")
    print("first_leak:", first_leak(theirs.decoder(), spanish))
    print(translate("I like cats.", theirs.model_with(last[-1].params)))

# %% [markdown]
# ### What is wrong?
#
# The loss is suspiciously good, the translation is rubbish, and `first_leak` finds nothing. Read the code.
#
# - **A** The targets contain the start symbol.
# - **B** The loss counts padding as well.
# - **C** The rate is one step ahead of Adam.
# - **D** The decoder reads what it has to predict.

# %% answer="silent-bug"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("silent-bug", answer)

# %% [markdown]
# ## What you have now
#
# Seven functions that make a model learn, and the whole of a Transformer, forward and backward.
# You can now read "Attention Is All You Need" (Vaswani et al. 2017) from the first page to the last.
#
# **Next: [11 Inside the model](../11_inside_the_model/11_inside_the_model.ipynb).** A trained model is taken apart, to find out which part causes what.
