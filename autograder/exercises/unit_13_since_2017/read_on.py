"""Specification of `read_on`."""

from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.unit_13_since_2017.inputs import small_decoder, some_cache, some_ids
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import empty_cache

END = "Only the last row"
CACHES = "A cache for every block"

EXERCISE = Exercise(
    reference=reference.read_on,
    asks="the logits for what follows the new tokens, and the cache with the new tokens in it.",
    returns=(Output("logits", "(V,)"), Output("cache")),
    calls=calls.READ_ON,
    may_be_view=True,
    lookalike=lookalikes.READ_ON,
)


def _given(rng, n=4, n_before=3, n_blocks=2):
    """Draw new tokens, a decoder, and a cache in which no two numbers are alike."""
    cache = tuple(some_cache(rng, n_before=n_before) for _ in range(n_blocks))
    return some_ids(rng, n), small_decoder(rng, n_blocks), cache


@EXERCISE.claim(0.75)
def logits(call, rng):
    """the logits are made of the last vector, normed, and of the table of embeddings"""
    call.agrees_in(0, *_given(rng, 3, 0, n_blocks=0))
    for n, n_before, n_blocks in ((4, 0, 1), (1, 3, 2), (5, 2, 3)):
        call.agrees_in(0, *_given(rng, n, n_before, n_blocks))


@EXERCISE.claim(0.5)
def caches(call, rng):
    """every block has a cache of its own, and all are returned"""
    for n, n_before in ((4, 0), (1, 3)):
        call.agrees_in(1, *_given(rng, n, n_before, 3))


@EXERCISE.claim(0.5)
def piece_by_piece(call, rng):
    """read piece by piece, a text ends in the same logits as read at once"""
    model, token_ids = small_decoder(rng, 3), some_ids(rng, 6)
    expected, _ = reference.read_on(token_ids, model, empty_cache(model))
    cache = empty_cache(model)
    for start, end in ((0, 3), (3, 4), (4, 6)):
        logits, cache = call.results(token_ids[start:end], model, cache)
    call.equals(logits, expected, call.exercise.returns[0], (expected,))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs and the old cache alone"""
    given = _given(rng)
    call.leaves_inputs_alone(*given)
    call.agrees(*given)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(END)
wrong("last-norm-missing", {"rms_norm(X[-1], model.norm, model.eps)": "X[-1]"}, """
    The last vector is not normalised before it becomes logits.
    After the last block there is one more norm, model.norm. In a trained model the vectors are long by then, and
    without it another word is the likeliest.""")

wrong("own-eps", {"model.norm, model.eps)": "model.norm)"}, """
    The last norm has the default eps.
    All norms of the model take model.eps.""")

wrong("first-row", {"X[-1]": "X[0]"}, """
    The logits are made of the first new token.
    The one that follows is predicted at the last.""")

wrong("all-rows", {"X[-1]": "X"}, """
    There is a row of logits for every new token.
    Only what follows the last one is asked for. For the others it is known already, and 49,152 products each would be
    wasted.""")

wrong("mean-of-rows", {"rms_norm(X[-1]": "rms_norm(X.mean(axis=0)"}, """
    The logits are made of the mean of all new tokens.
    The last vector has seen all others. It alone predicts what follows.""")

wrong("embeddings-scaled", {
    "embed(token_ids, model.embedding)": "embed(token_ids, model.embedding) * model.embedding.shape[1] ** 0.5",
}, """
    The embeddings are multiplied by the root of d_model.
    That was the paper's habit, where positions were added to them. Here nothing is added, and the model was trained
    without the factor.""")

wrong("positions-added",
      {"embed(token_ids, model.embedding)":
       "reference.add_positions(embed(token_ids, model.embedding), reference.positional_encoding(len(token_ids), "
       "model.embedding.shape[1]))"}, """
    Positions are added to the embeddings.
    Here positions come in where queries and keys are turned, and nowhere else.""")

wrong("probabilities", "(softmax(read_on(token_ids, model, cache)[0]), read_on(token_ids, model, cache)[1])", """
    The logits go through a softmax.
    Whoever chooses the next token does that, after temperature and filters.""")

wrong("vector-for-logits", {" @ model.embedding.T": ""}, """
    The normalised vector is returned, not logits.
    Its products with all rows of the table of embeddings are the logits.""")

wrong.at(CACHES)
wrong("first-cache-for-all", {"zip(model.blocks, cache,": "zip(model.blocks, cache[:1] * len(cache),"}, """
    All blocks get the cache of the first.
    Each block has keys and values of its own.""")

wrong("cache-from-block-to-block", {"model.eps, old)": "model.eps, kept[-1] if kept else old)"}, """
    Each block gets the cache that the block before it has returned.
    The vectors go from block to block. The caches do not: each block has its own.""")

wrong("cache-ignored", "read_on(token_ids, model, empty_cache(model))", """
    The cache is not used.
    The blocks take the keys and values of the earlier tokens from it.""")

wrong("old-cache-returned", {"tuple(kept)": "cache"}, """
    The cache is returned as it came.
    Every block returns a new one, with the new tokens in it. Collect them.""")

wrong("last-cache-only", {"tuple(kept)": "tuple(kept[-1:])"}, """
    Only the last block's cache is returned.
    Every block needs its own at the next step.""")

wrong("caches-in-reverse", {"tuple(kept)": "tuple(kept[::-1])"}, """
    The caches come back in the opposite order.
    The first belongs to the first block.""")

wrong("embeddings-for-all", {"X, _, new = modern_block(X,":
                             "Z, _, new = modern_block(embed(token_ids, model.embedding),",
                             "kept.append(new)": "kept.append(new)\n        X = Z"}, """
    Every block gets the embeddings.
    A block takes what the one before it has made.""")

wrong("one-head-of-keys-for-each", {"model.n_heads, model.n_kv_heads": "model.n_kv_heads, model.n_kv_heads"}, """
    The blocks are run with as many heads of queries as of keys.
    model.n_heads and model.n_kv_heads are two numbers.""")

wrong("base-of-the-paper", "read_on(token_ids, model._replace(base=10000.0), cache)", """
    The base of the positions is 10,000, whatever the model says.
    model.base is what it was trained with.""")

wrong("eps-of-the-course", "read_on(token_ids, model._replace(eps=1e-5), cache)", """
    eps is 1e-5, whatever the model says.
    model.eps is what it was trained with.""")

wrong("last-block-missing", {"zip(model.blocks, cache,": "zip(model.blocks[:-1], cache[:-1],"}, """
    The last block is left out.
    As many steps are needed as there are blocks. Does a slice or a range end too early?""")

wrong("first-block-missing", {"zip(model.blocks, cache,": "zip(model.blocks[1:], cache[1:],"}, """
    The first block is left out.
    Blocks are counted from 0. Does a slice or a range begin too late?""")

wrong("first-block-only", {"zip(model.blocks, cache,": "zip(model.blocks[:1], cache[:1],"}, """
    Only the first block is run.
    Every block takes what the one before it gives. Is a `return` indented so far that it belongs to the loop?""")

wrong("one-block-again-and-again",
      "read_on(token_ids, model._replace(blocks=model.blocks[:1] * len(model.blocks)), cache)", """
    All blocks use the parameters of the first.
    model.blocks has one entry for each block.""")

wrong("blocks-reversed", "read_on(token_ids, model._replace(blocks=model.blocks[::-1]), cache)", """
    The blocks are run in the opposite order.
    The first entry of model.blocks takes the embeddings.""")

wrong.small("base-of-the-paper eps-of-the-course", logits)
