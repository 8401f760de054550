"""Specification of `logit_lens`."""

import numpy as np

from autograder.exercises.unit_11_inside_the_model import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

TABLE = "The last step, taken early"

EXERCISE = Exercise(
    reference=reference.logit_lens,
    asks="for every layer and every position the token whose logit would be the largest.",
    returns=(Output("token_ids", "(n_layers, n)"),),
    lookalike=lookalikes.LOGIT_LENS,
)


def _given(rng, n_layers=3, n=5, vocab_size=13, d_model=8):
    return rng.standard_normal((n_layers, n, d_model)) + 0.5, rng.standard_normal((vocab_size, d_model))


@EXERCISE.claim(1)
def values(call, rng):
    """the token of the largest logit, for every layer and position"""
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, 6, 14, 9, 4))
    call.agrees(*_given(rng, 40, 3))


@EXERCISE.claim(0.5)
def ties(call, rng):
    """of equal logits the first one counts"""
    for _ in range(2):
        states, embedding = (rng.integers(-3, 4, shape).astype(float) for shape in ((3, 7, 4), (6, 4)))
        order = rng.permutation(np.repeat(np.arange(6), 2))  # every row stands in the table twice
        call.agrees(states, embedding[order])


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    states, embedding = _given(rng)
    call.leaves_inputs_alone(states, embedding)
    call.agrees(states.astype(np.float32), embedding.astype(np.float32))
    call.agrees(*_given(rng, 4, 6))


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(TABLE)
wrong("logits-returned", "states @ embedding.T", """
    The logits are returned, not the tokens.
    The task asks for the token that the model would say: the place of the largest logit.""")

wrong("largest-logits", "(states @ embedding.T).max(axis=-1)", """
    The largest logits are returned, not where they stand.
    `max` says how large, `argmax` says which one.""")

wrong("smallest", "(states @ embedding.T).argmin(axis=-1)", """
    The token of the smallest logit is taken.
    The larger a logit, the likelier the token.""")

wrong("absolute", {"argmax(states @ embedding.T, axis=-1)": "abs(states @ embedding.T).argmax(axis=-1)"}, """
    The logits are compared without their sign.
    A logit far below 0 is a token that the model is sure not to say.""")

wrong("nearest", "np.square(states[..., None, :] - embedding).sum(axis=-1).argmin(axis=-1)", """
    The token whose row of the table is nearest is taken.
    The model compares by the dot product, in which long rows count more. Distance is something else.""")

wrong("cosine", "(states @ (embedding / np.linalg.norm(embedding, axis=-1, keepdims=True)).T).argmax(axis=-1)", """
    The rows of the table are first scaled to length 1.
    That is the cosine. The logits of the model are plain dot products.""")

wrong("features", "states.argmax(axis=-1)", """
    The largest feature of a vector is taken for the token.
    The vectors have d_model features, and the vocabulary V tokens. The table leads from one to the other.""")

wrong.at()
wrong("along-positions", "(states @ embedding.T).argmax(axis=1)", """
    The largest logit is searched for along the positions.
    Every position has a token of its own. The tokens of the vocabulary are the last axis of the logits.""")

wrong("last-highest", "len(embedding) - 1 - (states @ embedding[::-1].T).argmax(axis=-1)", """
    Of equal logits the last one is taken.
    Which one is right is a convention, but greedy search takes the first one, and the lens should say the same.""")

wrong("last-layer", "(states[-1] @ embedding.T).argmax(axis=-1)", """
    Only the last layer is read.
    That is what the model says anyway. The lens reads all layers.""")

wrong("last-position", "(states[:, -1] @ embedding.T).argmax(axis=-1)", """
    Only the last position is read.
    Every position predicts its next token, at every layer.""")

wrong.at(TABLE)
wrong("changes", "logit_lens(np.diff(states, axis=0, prepend=0), embedding)", """
    What each layer has added is read, not the states themselves.
    That is another question, and an interesting one. Here each layer is treated as if it were the last.""")

wrong("added-up", "logit_lens(states.cumsum(axis=0), embedding)", """
    The states of all layers so far are added up.
    The residual connections have done that already: each state holds what came before.""")

wrong("centred", "logit_lens(states - states.mean(axis=-1, keepdims=True), embedding)", """
    The mean of every vector is subtracted first, as in a norm.
    In this model every layer ends with a norm: its states have been through it. GPT-2 has one more before the logits;
    this model does not.""")

wrong.at()
wrong("transposed", "logit_lens(states, embedding).T", """
    The rows are positions and the columns layers.
    A row of the result is a layer, as in the states.""")

wrong("as-floats", "logit_lens(states, embedding).astype(float)", """
    The ids are floats.
    Ids are names, and looking something up takes integers.""")

wrong.at(TABLE)
wrong("probabilities", "softmax(states @ embedding.T)", """
    Probabilities are returned, not tokens.
    The softmax changes no order, so it is not needed: the token of the largest logit is also the likeliest one.""")

wrong.at()
wrong("first-layer-left-out", "logit_lens(states[1:], embedding)", """
    The first entry of the states is left out.
    It is a layer like the others; what the array begins with is for the caller to say.""")
