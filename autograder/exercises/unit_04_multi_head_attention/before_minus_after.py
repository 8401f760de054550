"""Specification of `before_minus_after`, an open task: what counts is what the layer makes of the words."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array
from autograder.exercises.inputs import finite_array, require_size
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams

MAX_WIDTH, MAX_SIZE = 64, 1_000_000
MOST = 0.05  # by which an entry may be off, where those of the words are about 1 in size
NAMES = AttentionParams._fields

EXERCISE = Exercise(
    reference=reference.before_minus_after,
    asks="matrices of two heads that turn every word into the word before it minus the word after it.",
    returns=(
        *(Output(name, "(d_model, 2 * d_k)") for name in ("W_Q", "W_K")),
        Output("W_V", "(d_model, 2 * d_v)"),
        Output("W_O", "(2 * d_v, d_model)"),
    ),
    is_open=True,
)


def _matrices(call, d_word, d_position):
    """Call the function, and require four matrices of which a layer with two heads can be made."""
    named = dict(zip(NAMES, call.results(d_word, d_position), strict=True))
    widths = {name: _width_of_a_head(name, value, d_word + d_position) for name, value in named.items()}
    for one, other in (("W_Q", "W_K"), ("W_V", "W_O")):
        if widths[one] != widths[other]:
            raise WrongResult(f"the heads of {one} have the width {widths[one]}, those of {other} {widths[other]}.")
    arrays = (finite_array(call, value, value.shape, name).astype(float) for name, value in named.items())
    params = AttentionParams(*arrays)
    require_size(params, MAX_SIZE)
    return params


def _width_of_a_head(name, value, d_model):
    """Require a matrix that has the model's width on one side and two heads on the other."""
    letter = "v" if name in ("W_V", "W_O") else "k"
    wanted = f"(2 * d_{letter}, {d_model})" if name == "W_O" else f"({d_model}, 2 * d_{letter})"
    if is_plain_array(value) and value.ndim == 2:
        of_model, of_heads = value.shape[::-1] if name == "W_O" else value.shape
        if of_model == d_model and of_heads in range(2, 2 * MAX_WIDTH + 1, 2):
            return of_heads // 2
    raise WrongResult(
        f"{name}: expected an array of shape {wanted}, with d_{letter} from 1 to {MAX_WIDTH}, got {describe(value)}."
    )


def _tells_apart(call, rng, d_word, d_position, lengths):
    """Require the difference for every word that has both neighbours, in sentences that the function does not see."""
    params = _matrices(call, d_word, d_position)
    for n in lengths:
        words = rng.standard_normal((n, d_word))
        X = np.hstack([words, reference.positional_encoding(n, d_position)])
        output, weights = reference.multi_head_attention(X, X, params, 2)
        got, before, after = output[1:-1, :d_word], words[:-2], words[2:]
        gaps = np.abs(got - (before - after)).max(axis=-1)
        if gaps.max() > MOST:
            what = _as_a_sum(got, before, after) or _where_heads_look(weights, 1 + int(gaps.argmax()))
            n_wrong = int((gaps > MOST).sum())
            wrong = f"{n_wrong} come" if n_wrong > 1 else "one comes"
            raise WrongResult(f"in a sentence of {n} words, {wrong} out wrong, by up to {gaps.max():.3g}: {what}.")


def _as_a_sum(got, before, after):
    """Say what multiple of either word comes out, if it is one; otherwise return an empty text."""
    neighbours = np.stack([before.ravel(), after.ravel()], axis=-1)
    amounts = np.linalg.lstsq(neighbours, got.ravel())[0].round(2)
    if np.abs(neighbours @ amounts - got.ravel()).max() > MOST:
        return ""
    if not amounts.any():
        return "nothing comes out"
    sign = "minus" if amounts[1] < 0 else "plus"
    return f"{amounts[0]:g} times the word before {sign} {abs(amounts[1]):g} times the word after comes out"


def _where_heads_look(weights, at):
    """Say where the two heads look from one word."""
    looks = []
    for head, row in enumerate(weights[:, at]):
        share, is_spread = f"{row.max():.3g} of its weight", row.max() < 1.5 * row.mean()
        gives = f"no word more than {share}" if is_spread else f"{share} to {_word(at - int(row.argmax()))}"
        looks.append(f"head {head} gives {gives}")
    return f"from word {at}, {' and '.join(looks)}"


def _word(back):
    """Name a word by how far back it stands."""
    if back == 0:
        return "the word itself"
    if abs(back) == 1:
        return f"the word {'before' if back > 0 else 'after'}"
    return f"a word {abs(back)} places {'before' if back > 0 else 'after'}"


@EXERCISE.claim(1)
def short(call, rng):
    """in short sentences every word becomes the word before it minus the word after it"""
    for d_word in rng.permutation([2, 3, 4])[:2].tolist():
        _tells_apart(call, rng, d_word, 8, (3, 4, int(rng.integers(5, 8))))


@EXERCISE.claim(1)
def long(call, rng):
    """also in long sentences, and with other widths"""
    _tells_apart(call, rng, int(rng.integers(5, 8)), 4, rng.permutation(np.arange(25, 31))[:2].tolist())
    _tells_apart(call, rng, 4, 10, (29,))


wrong = WrongAnswers(EXERCISE, globals())

wrong("sum", {"np.vstack([word.T, -word.T])": "np.vstack([word.T, word.T])"}, """
    The two words are added.
    Weights cannot be negative. But what a head has found passes through another matrix before the heads are added.""")

wrong("after-minus-before", {"np.vstack([word.T, -word.T])": "np.vstack([-word.T, word.T])"}, """
    Every word becomes the word after it minus the word before it.
    The minus sign is on the head that looks back. It belongs on the one that looks ahead.""")

wrong("one-head", {"np.vstack([word.T, -word.T])": "np.vstack([word.T, 0 * word.T])"}, """
    The head that looks at the word after is silent.
    Its rows of W_O are 0, so only the word before is left.""")

wrong("both-back", {"shift_matrix(1, d_position)": "shift_matrix(-1, d_position)"}, """
    Both heads look at the word before.
    What they find is subtracted from itself, and nothing is left.""")

wrong("both-ahead", {"shift_matrix(-1, d_position)": "shift_matrix(1, d_position)"}, """
    Both heads look at the word after.
    What they find is subtracted from itself, and nothing is left.""")

wrong("itself", {"shift_matrix(-1, d_position)": "shift_matrix(0, d_position)"}, """
    One of the heads looks at the word itself.
    The query and the key of the same position match best, unless one of them is turned.""")

wrong("too-weak", {"1000 * ": ""}, """
    The heads look in the right directions, but spread their weight over neighbours.
    The larger the differences between scores, the more weight softmax gives to the largest.""")

wrong("sharp-enough-for-five", {"1000 * ": "50 * "}, """
    The heads are sharp enough for short sentences only.
    Among many positions some nearly match, such as one that stands a whole turn of the fastest clock away. How small
    is the gap to the best of them?""")

wrong("words-ask", {"position @ shift_matrix(-1": "word @ np.eye(d_word, d_position) + position @ shift_matrix(-1"}, """
    The words have a say in where a head looks.
    A query that holds parts of the word depends on what the word is. Only the position should count.""")

wrong("positions-found", {"np.hstack([word, word])": "np.roll(np.hstack([word, word]), d_word, axis=0)"}, """
    The heads bring back columns that are not those of the words.
    W_V chooses the columns that are averaged. The words are in the first d_word.""")

wrong("other-columns", {"np.vstack([word.T, -word.T])": "np.roll(np.vstack([word.T, -word.T]), d_word, axis=1)"}, """
    The difference is written into the wrong columns.
    W_O decides where it goes. It belongs in the first d_word columns.""")

wrong("one-step-too-far", {"shift_matrix(1,": "shift_matrix(2,", "shift_matrix(-1,": "shift_matrix(-2,"}, """
    The heads look two words away.
    The queries are turned one step too far.""")

wrong("half", {"np.vstack([word.T, -word.T])": "0.5 * np.vstack([word.T, -word.T])"}, """
    Half of the difference comes out.
    The outputs of heads are added, not averaged.""")

wrong("heads-as-rows", {"np.vstack([word.T, -word.T])": "np.hstack([word, -word])"}, """
    W_O is transposed.
    In the product, what the heads found stands on the left of W_O. Each of its columns meets a *row* of W_O.""")

wrong("one-width", "reference.before_minus_after(d_position, d_word)", """
    The two widths are exchanged.
    The words come first in a token, with d_word columns.""")
