# %% [markdown]
# # 00 Tokens and shapes
#
# The translator of this course turns "I like cats." into *Me gustan los gatos*: *to me, cats are pleasing*. Word by word
# that would have been *Yo gusto gatos*, which no Spanish speaker says. And nothing in the English sentence stands for
# *los*. So how does the model know? In this unit you build the front end of such a model, from words to arrays. Then you
# open its table of words, and find something in it that nobody put there.
#
# **{{points}}, {{time}}.** The second sitting, the road to attention, carries no points and can wait.
# You need Python functions and dictionaries, NumPy arrays, what a matrix product is, probabilities and logarithms.
#
# **How this notebook works.** Run the cells from top to bottom.
# Six times you write a function in place of the line that says `YOUR CODE HERE`.
# You cannot break anything: a cell that needs a function you have not written yet just says so.
# **[START HERE](../START_HERE.ipynb)** says how checks, hints and predictions work.

# %%
import math
from timeit import repeat

import numpy as np

from autograder import check, predict, progress
from transformer_kit import plots, skip_if_unimplemented
from transformer_kit.examples.tokens import EMBEDDINGS, LONGER, PRINTED_VOCABULARY, SENTENCES, VOCABULARY, next_words
from transformer_kit.experiments.open_tasks import sums_of_pairs
from transformer_kit.pictures import cross_ribbons, ripples
from transformer_kit.reference import scaled_dot_product_attention, softmax  # lent: you write them in unit 02
from transformer_kit.trained.model import load_model

# %%
progress("00")

# %% [markdown]
# ## What a translator computes
#
# ### Predict: where does it look?
#
# The model writes one word at a time. When it is about to write the verb, *gustan*, at which English words does it look?
#
# - **A** for the most part at *like*
# - **B** for the most part at *cats*
# - **C** at *like* and *cats* equally
# - **D** for the most part at *I*

# %% answer="where-gustan-looks"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("where-gustan-looks", answer)

# %%
cross_ribbons("I like cats.")

# %% [markdown]
# Now point at *los*. While it is written, 46 % of the weight is on *cats*, since in Spanish what you like has an article,
# and 40 % on the full stop, of all tokens. (`<eos>`, the end, is one, too.) The picture is the mean of four heads, the last
# that look at the English words. It says where they look, not why; unit 11 comes back to the full stop.
#
# ### One word at a time
#
# You are given an English sentence $F$ and want a Spanish one, $E$, of any length. A translation model
# gives a probability $P(E \mid F)$ to **every** Spanish sentence. Nobody can list them all, so the model works word by
# word, and says how likely each possible next word is, given $F$ and the words so far:
#
# $$P(E \mid F) = \prod_{i=1}^{m} P(e_i \mid e_1, \dots, e_{i-1}, F)$$
#
# The last word $e_m$ is always a special one, `<end>`, which says that the sentence is finished.
# `next_words` is a toy model that knows only "I like cats".

# %%
print(next_words(()))
print(next_words(("me", "gustan")))
print(next_words(("me", "gustan", "los", "gatos")))

# %%
target = ("me", "gustan", "los", "gatos", "<end>")
log_p = 0.0
for i, word in enumerate(target):
    log_p += math.log(next_words(target[:i])[word])
print(f"log P = {log_p:.4f}, P = {math.exp(log_p):.4f}")

# %% [markdown]
# Multiply a hundred factors of 0.0001 and the computer gives exactly 0; their logarithms add up to a harmless -921.
#
# ### Predict: who needs an end?
#
# Suppose that we leave out the factor of `<end>`. "me" is then a sentence with a probability of its own, "me gustan"
# another, and so on: every prefix counts as a sentence. What do the probabilities of all these sentences add up to?
#
# - **A** more than 1
# - **B** exactly 1
# - **C** less than 1

# %% answer="who-needs-an-end"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("who-needs-an-end", answer)

# %%
finished, without_end, unfinished = {}, 0.0, {(): 1.0}
while unfinished:
    prefix, p = unfinished.popitem()
    for word, p_word in next_words(prefix).items():
        if word == "<end>":
            finished[" ".join(prefix)] = p * p_word
        else:
            unfinished[(*prefix, word)] = p * p_word
            without_end += p * p_word

# %%
for sentence, p in finished.items():
    print(f"{p:.4f}  {sentence}")
print("sum:", round(sum(finished.values()), 12), "and without the factor of <end>:", round(without_end, 3))

# %% [markdown]
# All that is missing is a *network* in place of the toy table, and a network needs arrays.

# %% [markdown]
# ## Exercise {{encode}}: encode
#
# *{{points encode}}, about 5 minutes, difficulty 1 of 5*
#
# A *vocabulary* is a dictionary that gives each word a number, its *id*. A word of a text is called a *token*.
# Ids are names and nothing more: any other numbers would do.
#
# ### Words in, ids out
#
# - The vocabulary is in lower case, so turn the text into lower case first.
# - Words are separated by any amount of white space: spaces, tabs, new lines.
#   Nothing else separates them: `cats,` with its comma is a different word from `cats`.
# - A word that is not in the vocabulary gets the id of `"<unk>"` ("unknown"), which every vocabulary holds. Do not
#   change the vocabulary itself.
# - A text without words gives an empty array, of shape `(0,)`. It is still an array of *integers*.
#
# | name | shape | meaning |
# |---|---|---|
# | `text` | a string | may be empty |
# | `vocabulary` | a dict | from word to id, `"<unk>"` included |
# | result | `(n,)` | one integer id per word |
#
# **By hand.** With `{"i": 101, "like": 200, "cats": 300, "<unk>": 100}`
# the text "I like dragons" becomes 101, 200, 100.


# %% solution="encode"
def encode(text, vocabulary):
    """Turn a text into token ids.

    text is a str, vocabulary a dict from words to ids -> (n,), int.
    """
    ### BEGIN SOLUTION
    unknown = vocabulary["<unk>"]
    token_ids = [vocabulary.get(word, unknown) for word in text.lower().split()]
    return np.array(token_ids, dtype=np.int64)  # an empty list would become floats
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(encode("I like dragons", PRINTED_VOCABULARY))

# %% check="encode"
check(encode)

# %% [markdown]
# <details><summary>Hint 1: which methods does a string have?</summary>
#
# One returns the text in lower case. Another cuts it into a list of words; what does it do without an argument?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# A string becomes a list of `n` words, then a list of `n` ids, then an array of shape `(n,)`.
# Which dtype does NumPy choose for an empty list, and how do you ask for another?
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# From text to words, from words to ids, from ids to an array. For the second step the `get` of a dictionary helps: its
# second argument says what to answer when nothing is found.
#
# </details>

# %% [markdown]
# ## Exercise {{one_hot}}: one_hot
#
# *{{points one_hot}}, about 4 minutes, difficulty 1 of 5*
#
# A network does arithmetic, so it would mistake ids for quantities.
# With 3 for "like", 4 for "cats" and 7 for "poem", a poem would be the sum of the other two.
# A *one-hot* vector identifies the word without implying any arithmetic: it has a 1 at the position of the id and 0 everywhere else.
#
# $$\text{row}_j = \begin{cases} 1 & \text{if } j = \text{id} \\ 0 & \text{otherwise} \end{cases}
# \qquad j = 0, \dots, V - 1$$
#
# ### One row per token, one column per word
#
# The ids may have any shape: one id, a sentence, a batch of sentences. The result has **one axis more**, at the end.
# Its width is the size of the vocabulary, even when the largest ids do not occur.
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(...)` | an array of integers from 0 to `vocab_size` - 1 |
# | `vocab_size` | an int | the $V$ of the formula |
# | result | `(..., vocab_size)` | floats: vectors to calculate with |
#
# **By hand.** The ids 2, 0, 2 with `vocab_size` = 4 give the rows 0 0 1 0, then 1 0 0 0, then 0 0 1 0.


# %% solution="one_hot"
def one_hot(token_ids, vocab_size):
    """Return a vector per token with a 1 at the place of its id and 0 elsewhere.

    token_ids (...), int -> (..., vocab_size), float.
    """
    ### BEGIN SOLUTION
    is_here = token_ids[..., None] == np.arange(vocab_size)  # (..., 1) against (vocab_size,)
    return is_here.astype(float)
    ### END SOLUTION


# %%
plots.yours_and_target(one_hot, np.array([2, 0, 2]), 4, x_label="word of the vocabulary", y_label="token",
                       alt="Each row has a single 1, in the column of its id.")

# %% check="one_hot"
check(one_hot)

# %% [markdown]
# <details><summary>Hint 1: when is an entry 1?</summary>
#
# When its column and the id of its row have what in common? Can you ask that of all columns and all ids at once?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Ids of shape `(3,)` become `(3, 1)` when an axis is added at the end.
# Compared with column numbers of shape `(4,)`, that gives `(3, 4)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# Let broadcasting compare every id with every column number, which gives True and False, and turn these into numbers.
# Or: each row that you want is a row of a well-known matrix, so it can be looked up.
#
# </details>

# %% [markdown]
# ## Exercise {{embed}}: embed
#
# *{{points embed}}, about 5 minutes, difficulty 1 of 5*
#
# One-hot vectors are long, and by them "cats" is as far from "dogs" as from "about".
# So a model keeps a table $E$ with one short vector per word, and learns its entries.
# Multiply a one-hot row by the table: the 1 picks a row, the zeros wipe out all the others.
#
# $$\text{one\_hot}(t)\,E = E_t$$
#
# A product that only picks a row need not be computed: look the row up. This is called an *embedding*.
#
# ### A table with one row per word
#
# | name | shape | meaning |
# |---|---|---|
# | `token_ids` | `(..., n)` | ids of a sentence, or of many |
# | `E` | `(V, d_model)` | row `t` is the vector of the word with the id `t`; `d_model` is its width |
# | result | `(..., n, d_model)` | the shape of the ids, with one axis more |
#
# ### Ids that have no row
#
# If an id is below 0 or not below $V$, raise a `ValueError` whose message contains that id.
# NumPy would not always protect you: it reads -1 as the last row, without complaint.
#
# **By hand.** The table has the rows (0.5, -1), (4, 1.5), (0.25, 3).
# The ids 2, 0 give (0.25, 3), (0.5, -1). The ids 3 and -1 are refused.


# %% solution="embed"
def embed(token_ids, E):
    """Look up the row of the table that belongs to every token.

    token_ids (..., n), int, E (V, d_model) -> (..., n, d_model). An id below 0 or not below V: a ValueError.
    """
    ### BEGIN SOLUTION
    vocab_size = len(E)
    has_no_row = (token_ids < 0) | (token_ids >= vocab_size)
    if has_no_row.any():
        raise ValueError(f"ids go from 0 to {vocab_size - 1}, got {token_ids[has_no_row]}")
    return E[token_ids]
    ### END SOLUTION


# %%
plots.yours_and_target(embed, np.array([2, 3, 4]), EMBEDDINGS, row_labels=["I", "like", "cats"], x_label="column of E",
                       alt="Three word vectors of width 4: rows 2, 3 and 4 of the table.")

# %% check="embed"
check(embed)

# %% [markdown]
# <details><summary>Hint 1: what may stand in square brackets?</summary>
#
# Not only a number: what happens when an array is indexed with a whole array of integers?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Indexing the first axis of a `(V, d_model)` table with ids of shape `(2, 3)` gives `(2, 3, d_model)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# Checking comes first, for all ids at once: one boolean array says which of them have no row, and also picks them for
# the message. After that the look-up is a single pair of brackets.
#
# </details>

# %% [markdown]
# ### Predict: the same word in two sentences
#
# "cats" is the third word of "I like cats" and the fifth of "Write a poem about cats".
# Compare the two vectors that `embed` gives it.
#
# - **A** Different: the neighbours differ.
# - **B** Different: the places differ.
# - **C** Equal: the word is the same.

# %% answer="same-word"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("same-word", answer)

# %%
with skip_if_unimplemented():
    for text in SENTENCES:
        print(text, "->", embed(encode(text, VOCABULARY), EMBEDDINGS)[-1])

# %% [markdown]
# ### Your function in the trained model
#
# The translator has a table of 916 English words with 64 numbers each. At first they were random; training did the
# rest. Two vectors are alike if the cosine of the angle between them is near 1.
#
# ### Predict: which word is like cat?
#
# Which of these words has the vector most like that of *cat*?
#
# - **A** *cats*
# - **B** *table*
# - **C** *milk*
# - **D** *shoe*

# %% answer="nearest-to-cat"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("nearest-to-cat", answer)

# %%
model = load_model()


def likeness(one, others):
    """Return the cosine between the trained vector of one word and those of others."""
    vectors = embed(encode(f"{one} {others}", model.source_vocabulary), model.source_embedding)
    vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    cosines = (vectors[1:] @ vectors[0]).astype(float).round(2)
    return dict(zip(others.split(), cosines.tolist(), strict=True))


with skip_if_unimplemented():
    print("cat:   ", likeness("cat", "cats table milk shoe"))
    print("mother:", likeness("mother", "father aunt house"))

# %% [markdown]
# And *mother* is more like *house*, *la casa*, than like *father*. Try other nouns.

# %% [markdown]
# ## Exercise {{telling_sums}}: telling_sums
#
# *{{points telling_sums}}, about 12 minutes, difficulty 3 of 5*
#
# The simplest vector for a sentence is the sum of its words' vectors. That loses the order, until unit 01: *the dog sees
# the cat* and *the cat sees the dog* have the same sum. Make a table of **at most two columns whose sums tell which words
# a sentence contains, and how often.**
#
# Many answers are right. Sentences with different words need sums that differ by at least 0.01 in some column.
#
# | name | shape | meaning |
# |---|---|---|
# | `n_words` | an int | number of words, at most 7 |
# | `longest` | an int | words in the longest sentence, at most 5, or 12 with four words |
# | result `E` | `(n_words, d)` | one row per word; `d` is 1 or 2; numbers up to a million |
#
# **Example.** For two words and sentences of at most two, the numbers 1 and 3 will do: the sums are 1, 3, 2, 4 and 6.


# %% solution="telling_sums"
def telling_sums(n_words, longest):
    """Return a table of embeddings whose sum over a sentence tells which words are in it, and how often.

    n_words, longest ints -> (n_words, d), d at most 2.
    """
    ### BEGIN SOLUTION
    counted = longest + 1  # how often a word occurs: 0 to longest times
    return np.array([[float(counted**word)] for word in range(n_words)])  # digits of a number
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    display(sums_of_pairs(telling_sums, ["the", "dog", "sees", "a", "cat"]))

# %% check="telling_sums"
check(telling_sums)

# %% [markdown]
# <details><summary>Hint 1: a question</summary>
#
# With the numbers 1 and 2, which two sentences have the same sum? If a sentence has at most three words, how much larger than
# the first must the second number be? And the third?
#
# </details>
#
# <details><summary>Hint 2: something you know</summary>
#
# A purse holds coins of several values, at most nine of each. For which values does the amount tell you how many there are of
# each?
#
# </details>
#
# <details><summary>Hint 3: the two limits</summary>
#
# How large is your largest number for 7 words? And what changes if a sentence has twelve words, not nine?
#
# </details>

# %% [markdown]
# ## Exercise {{pad_batch}}: pad_batch
#
# *{{points pad_batch}}, about 8 minutes, difficulty 2 of 5*
#
# ### One rectangle for sentences of all lengths
#
# Networks process many sentences at once, a *batch*. But an array is a rectangle, and sentences differ in length.
# So every sentence starts in column 0, and the short ones are filled up with a *padding* id.
#
# ### Padding is about position, not value
#
# Later on, padding must not be mistaken for words. So a second array keeps a record: True means "here is a token".
#
# $$\text{is\_token}_{b,j} = (\,j < \text{length of sequence } b\,)$$
#
# A real token may happen to have the id `pad_id`. It is still a token, so the ids alone cannot tell.
#
# | name | shape | meaning |
# |---|---|---|
# | `sequences` | a list of `B` sequences | lists of ints, or arrays from `encode`; one of them may be empty |
# | `pad_id` | an int | fills the places after the end |
# | `token_ids` | `(B, n_max)` | integers; `n_max` is the length of the longest sequence |
# | `is_token` | `(B, n_max)` | booleans |
#
# **By hand.** The sequences [5, 8] and [7, 0, 6], with `pad_id` = 0. There are two zeros, but only the first is padding:
#
# | `token_ids` | | | `is_token` | | |
# |---|---|---|---|---|---|
# | 5 | 8 | **0** | True | True | **False** |
# | 7 | 0 | 6 | True | True | True |


# %% solution="pad_batch"
def pad_batch(sequences, pad_id):
    """Put sequences of different lengths into one array.

    A list of B sequences of ids -> token_ids (B, n_max), int, is_token (B, n_max), bool.
    """
    ### BEGIN SOLUTION
    n_max = max(len(sequence) for sequence in sequences)
    token_ids = np.full((len(sequences), n_max), pad_id)
    is_token = np.zeros((len(sequences), n_max), dtype=bool)
    for row, sequence in enumerate(sequences):
        token_ids[row, : len(sequence)] = sequence
        is_token[row, : len(sequence)] = True
    return token_ids, is_token
    ### END SOLUTION


# %%
only_one = "1 is True, 0 is False. Only the last place of the first row is padding."
plots.yours_and_target(pad_batch, [[5, 8], [7, 0, 6]], 0, pick=1, title="is_token", alt=only_one)

# %% check="pad_batch"
check(pad_batch)

# %% [markdown]
# <details><summary>Hint 1: what do you know before the ids are in the array?</summary>
#
# The length of each sequence. How does that tell you which places of a row hold tokens?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# Both arrays have one row per sequence, and as many columns as the longest sequence has ids.
# Look up `np.full`, and how to ask for booleans with `dtype`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# Begin with two rectangles in which there is nothing but padding, wide enough for the longest sequence. Then let every
# sequence overwrite the beginning of its own row, in both of them.
#
# </details>

# %% [markdown]
# ## Exercise {{linear}}: linear
#
# *{{points linear}}, about 3 minutes, difficulty 1 of 5*
#
# The operation that networks use most is a *linear map*: it turns each token vector into another one, possibly of
# another width. The numbers in $W$ and $b$ are learned.
#
# $$Y_t = X_t\,W + b \qquad \text{for every token } t$$
#
# ### Tokens are rows
#
# Many books write $W x$, with vectors as columns. **Here tokens are rows, and $W$ stands on the right.**
# And a matrix product is not a product entry by entry: NumPy has a sign for each.
# When all sizes are equal, either slip gives wrong numbers without an error, so try your code on sizes that differ.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., d_in)` | one vector, a sentence, a batch, ...; may hold whole numbers |
# | `W` | `(d_in, d_out)` | weights |
# | `b` | `(d_out,)` | *bias*, added to every token |
# | result | `(..., d_out)` | a new array |
#
# **By hand.** The token (2, 4), the weights with the rows (1, 0, 3) and (2, -1, 0.5), the bias (1, 0, -1):
# 2·1 + 4·2 + 1 = 11, then 2·0 - 4·1 + 0 = -4, then 2·3 + 4·0.5 - 1 = 7.


# %% solution="linear"
def linear(X, W, b):
    """Apply the same linear map to every token vector.

    X (..., d_in), W (d_in, d_out), b (d_out,) -> (..., d_out).
    """
    ### BEGIN SOLUTION
    return X @ W + b
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    W, b = np.array([[1.0, 0.0, 3.0], [2.0, -1.0, 0.5]]), np.array([1.0, 0.0, -1.0])
    print(linear(np.array([2.0, 4.0]), W, b))

# %% check="linear"
check(linear)

# %% [markdown]
# <details><summary>Hint 1: which NumPy sign is the matrix product?</summary>
#
# It is not the star. What does each of the two signs make of arrays of shapes (3, 4) and (4, 6)?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `(..., n, d_in)` times `(d_in, d_out)` is `(..., n, d_out)`: neighbouring sizes must agree.
# An array of shape `(d_out,)` is added to every token.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# The formula is for one token, but NumPy applies it to all of them: one line, without a loop.
#
# </details>

# %% [markdown]
# ## Shapes are the language of this course
#
# Most errors first show up as a wrong shape. Make a habit of knowing the shape before you run a cell.
#
# ### Predict: fill in the shapes
#
# Our two sentences, of 3 and 5 words, go through your five functions.
# The vocabulary has 9 words (ids 0 to 8), the table has width 4, and a linear map turns 4 numbers into 6.
#
# | array | shape |
# |---|---|
# | `token_ids` from `pad_batch` | (2, **?1**) |
# | `is_token` | as `token_ids`, with **?2** places that are False |
# | `one_hot(token_ids, 9)` | (2, ?1, **?3**) |
# | `X = embed(token_ids, EMBEDDINGS)` | (2, ?1, **?4**) |
# | `W` | (**?5**, **?6**) |
# | `b` | (**?7**,) |
# | `linear(X, W, b)` | (2, ?1, **?8**) |
#
# Set `answer` to a list of eight numbers, from ?1 to ?8.

# %% answer="shape-table"
### BEGIN SOLUTION
answer = [5, 2, 9, 4, 4, 6, 6, 6]
### END SOLUTION
predict("shape-table", answer)

# %%
with skip_if_unimplemented():
    token_ids, is_token = pad_batch([encode(text, VOCABULARY) for text in SENTENCES], VOCABULARY["<pad>"])
    X = embed(token_ids, EMBEDDINGS)
    output = linear(X, np.ones((4, 6)), np.ones(6))
    print(token_ids.shape, one_hot(token_ids, 9).shape, X.shape, output.shape)
    through_one_hot = linear(one_hot(token_ids, 9), EMBEDDINGS, np.zeros(4))
    print("one-hot times table equals look-up:", np.allclose(through_one_hot, X))

# %% [markdown]
# **A good place to stop.** The rest shows, with your own functions, why attention was invented.
#
# ## Second sitting: the road to attention
#
# ### Reading word by word
#
# An embedding knows nothing of the words around it. The first neural translators that worked well therefore *read* the sentence
# with a **recurrent network** (RNN; Cho et al. 2014, Sutskever et al. 2014).
# It keeps a *state*, a vector $h$, and mixes every new word into it: $h \leftarrow \tanh([h, x]\,W + b)$, where
# $[h, x]$ is the two vectors concatenated. The last state was all that the second half of the model, the
# *decoder*, ever saw of the sentence.

# %%
rng = np.random.default_rng(0)
W_rnn, b_rnn = 0.9 / math.sqrt(16) * rng.standard_normal((16 + 4, 16)), np.zeros(16)


def rnn_states(X):
    """Read token vectors from left to right; return the state after each of them."""
    h, states = np.zeros(16), []
    for x in X:
        h = np.tanh(linear(np.concatenate([h, x]), W_rnn, b_rnn))
        states.append(h)
    return np.array(states)


# %% [markdown]
# ### Predict: what does the last state remember?
#
# Take sentences of 20 random word vectors and a network with random weights, replace one word, and measure how far the
# last state moves. Compared with the first word, the last one moves it
#
# - **A** about 4 times as far
# - **B** about 20 times as far
# - **C** about 500 times as far
# - **D** about 10,000 times as far

# %% answer="last-state"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("last-state", answer)


# %%
def influence(read, X):
    """Replace one word at a time; return how far every state moves, of shape (states, words)."""
    states, others = read(X), np.random.default_rng(1).standard_normal(X.shape)
    columns = []
    for place in range(len(X)):
        changed = X.copy()
        changed[place] = others[place]
        columns.append(np.linalg.norm(read(changed) - states, axis=-1))
    return np.array(columns).T


# %%
random_sentences = rng.standard_normal((20, 20, 4))
axes = {"x_label": "words between the replaced word and the end", "y_label": "how far the result moves"}
with skip_if_unimplemented():
    last_state = np.mean([influence(rnn_states, X)[-1] for X in random_sentences], axis=0)[::-1]
    what = "How far the last state moves, for each word; the vertical axis is logarithmic."
    display(plots.curves(range(20), {"last state": last_state}, log_y=True, alt=what, **axes))

# %% [markdown]
# One vector of fixed width has to hold the whole sentence: it is a **bottleneck**.
# Sutskever et al. (2014) got better translations when they fed the source sentence in *backwards*, which brings its
# first words close to the first words of the translation.
#
# ### Reading in both directions
#
# Why keep only the last state? There is one per word. But a state knows only the words up to its own.
# So read a second time, from right to left, and put the two states of each word side by side
# (Schuster and Paliwal 1997).


# %%
def backwards(X):
    """Read from right to left; return the states in the order of the words. (Real networks have other weights here.)"""
    return rnn_states(X[::-1])[::-1]


# %% [markdown]
# Replace a word of this sentence, with the pointer or the arrow keys. Which states do not react? (In one sentence
# traces fade less evenly than in the mean above.)

# %%
with skip_if_unimplemented():
    X = embed(encode(LONGER, VOCABULARY), EMBEDDINGS)
    display(ripples(LONGER.split(), influence(rnn_states, X), influence(backwards, X), start=3))

# %% [markdown]
# Between them, the two states of a word know the whole sentence.
#
# ### A weighted sum of all states
#
# How can a decoder use however many states there are?
# The answer of Bahdanau, Cho and Bengio (on arXiv in 2014, ICLR 2015) is called *attention*.
# For each word that it writes, the decoder compares a *query*, its own state, with every state of the encoder.
# This gives weights that sum to 1, and the weighted sum of the states is the *context*, from which it goes on.
# Here is a recurrent decoder that begins with the encoder's last state, asks at every step, and returns a distribution
# over all words.

# %%
def write(states, n_words, attends):
    """Decode with random weights; return a distribution over the vocabulary for each word that is written."""
    random = np.random.default_rng(2)
    W_dec, W_out = random.standard_normal((16 + 4 + 16, 16)) / 6, random.standard_normal((16, 9))
    h, word, distributions = states[-1], EMBEDDINGS[0], []  # begins with the last state of the encoder
    for _ in range(n_words):
        context = np.zeros(16)
        if attends:
            (context,), _ = scaled_dot_product_attention(h[None], states, states)  # one query meets all the states
        h = np.tanh(linear(np.concatenate([h, word, context]), W_dec, np.zeros(16)))
        distributions.append(softmax(linear(h, W_out, np.zeros(9))))
        word = EMBEDDINGS[distributions[-1].argmax()]  # what was written is read at the next step
    return np.array(distributions)

# %% [markdown]
# ### Predict: what does attention buy?
#
# Replace the **first** of 20 words once more, and see how far the first distribution of the decoder moves, with the
# context and without it. With the context it moves
#
# - **A** about twice as far
# - **B** about 30 times as far
# - **C** about 500 times as far

# %% answer="what-attention-buys"
### BEGIN SOLUTION
answer = "B"
### END SOLUTION
predict("what-attention-buys", answer)

# %%
def moved(attends):
    """Return how far the first distribution moves, on average, when one word is replaced, the last word first."""
    influences = [influence(lambda X: write(rnn_states(X), 1, attends), X)[0] for X in random_sentences]
    return np.mean(influences, axis=0)[::-1]


with skip_if_unimplemented():
    series = {"last state only": moved(False), "with attention": moved(True)}
    display(plots.curves(range(20), series, log_y=True, alt="Two decoders, with and without attention.", **axes))

# %% [markdown]
# One step remained. Vaswani et al. (2017) dropped the recurrent network and kept the attention:
# in a *Transformer* the words of a sentence query one another, all at once.
# So its encoder does not squeeze a sentence into one vector. It returns **one vector per token**,
# and each of them knows the whole sentence.
#
# ### Loop or attention: time them
#
# In the loop state 20 has to wait for state 19. In attention nothing waits, so any number of processors can share the
# work. But it compares every word with every other: 2,000 words mean four million scores. Which of the two is quicker
# on your machine, for a sentence and for a long text? And how does each time grow when the text doubles?

# %%
def attention(X):
    """Let every word ask all the words; return one vector for each."""
    return scaled_dot_product_attention(X, X, X)[0]


def milliseconds(read, X):
    """Return the shortest of three times that reading X takes."""
    return 1000 * min(repeat(lambda: read(X), number=1, repeat=3))


with skip_if_unimplemented():
    for n in (15, 125, 1000, 2000):
        X = rng.standard_normal((n, 4))
        loop, at_once = milliseconds(rnn_states, X), milliseconds(attention, X)
        print(f"{n:5} words: {loop:8.2f} ms in a loop, {at_once:8.2f} ms with attention")

# %% [markdown]
# For twice the text the loop takes twice as long, attention four times: on one processor the loop may win in the end.
# On thousands it cannot, since it waits for every word.
#
# ## What you have now
#
# - `encode`, `pad_batch` and `embed` turn sentences into an array of shape `(B, n, d_model)`.
# - `linear` will make queries, keys and values, and much else.
# - One state is a bottleneck, and a weighted sum of all states is not.
#
# But a weighted sum does not care in which order the states are listed.
# Without the loop, who tells the model that "dog bites man" is not "man bites dog"?
# Next: **[01 Positional encoding](../01_positional_encoding/01_positional_encoding.ipynb)**.
