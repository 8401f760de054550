"""What the claims of this unit share: logits, targets and which of them are padding, steps of a training."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe
from autograder.specification import Output
from transformer_kit import reference
from transformer_kit.parameters import SentencePairs, TrainingSettings, TrainingState

N_CLASSES = 7
MANY_TOKENS, MANY_CLASSES = 101, 307


def logits_and_targets(rng, *shape, n_classes=N_CLASSES, epsilon=0.0):
    """Draw logits of shape (*shape, n_classes) and targets, smoothed by epsilon."""
    token_ids = rng.integers(0, n_classes, shape)
    return rng.standard_normal((*shape, n_classes)), reference.smooth_labels(token_ids, n_classes, epsilon)


def many(rng):
    """Draw logits and targets of so many tokens and words that nobody can move one logit after the other in time."""
    return logits_and_targets(rng, MANY_TOKENS, n_classes=MANY_CLASSES, epsilon=0.2)


def padded(rng, *lengths):
    """Return which positions are tokens, for sentences of these lengths and a padded length one larger."""
    return np.arange(max(lengths) + 1) < rng.permutation(lengths)[:, None]


def with_a_sure_token(rng):
    """Draw logits and targets of four tokens; the first one is predicted for certain, so its loss is exactly 0."""
    logits, targets = logits_and_targets(rng, 4)
    return logits + np.where(np.arange(4)[:, None] == 0, 1000.0 * targets, 0.0), targets


def far_apart(rng, n):
    """Draw logits that reach from -1000 to 1000 within every row, and one-hot targets that are neither extreme."""
    levels = np.array([-1000.0, -300.0, 0.0, 400.0, 1000.0])
    order = rng.permuted(np.broadcast_to(np.arange(5), (n, 5)), axis=-1)
    middle = np.argmax(order == rng.integers(1, 4, (n, 1)), axis=-1)
    return levels[order] + rng.standard_normal((n, 5)), reference.one_hot(middle, 5)


def at_many_levels(rng, n):
    """Draw logits of ordinary spread around -1000 in one row, around 1000 in the next, and so on; smoothed targets."""
    logits, targets = logits_and_targets(rng, n, n_classes=6, epsilon=0.2)
    return logits + np.where(np.arange(n) % 2, 1000.0, -1000.0)[:, None], targets


class SmallModel:
    """A model that can be gone through backwards in five lines: a word's logits come from its own row of a table, and
    from those of the source, by one matrix.

    Parameters
    ----------
    vocab_size, width : int
    """

    def __init__(self, vocab_size, width):
        self.shape = 2, vocab_size, width

    def forward(self, params, source_ids, decoder_ids):
        """Return the logits."""
        rows, columns = params.reshape(self.shape)
        return self._read(rows, source_ids, decoder_ids) @ columns.T

    def backward(self, d_logits, params, source_ids, decoder_ids):
        """Return the gradient of the parameters."""
        rows, columns = params.reshape(self.shape)
        d_columns = np.einsum("btv,btd->vd", d_logits, self._read(rows, source_ids, decoder_ids))
        dX, d_rows = d_logits @ columns, np.zeros_like(rows)
        np.add.at(d_rows, decoder_ids, dX)
        np.add.at(d_rows, source_ids, dX.sum(axis=1, keepdims=True) / source_ids.shape[1])
        return np.stack([d_rows, d_columns]).ravel()

    @staticmethod
    def _read(rows, source_ids, decoder_ids):
        return rows[decoder_ids] + rows[source_ids].mean(axis=1)[:, None]


def step_of_training(rng, done=0, lengths=(5, 5, 5), **changed):
    """Draw the arguments of `train_step`.

    Parameters
    ----------
    rng : numpy.random.Generator
    done : int
        Steps that have been made; from the first one on there are running means.
    lengths : sequence of int
        Of the targets.
    changed
        Settings that are not drawn.
    """
    vocab_size, width = int(rng.integers(11, 14)), 3
    model = SmallModel(vocab_size, width)
    params, m = rng.standard_normal((2, 2 * vocab_size * width))
    v = (rng.random(m.size) + 0.5) / 100
    state = TrainingState(done, params, *((m / 10, v) if done else (0 * m, 0 * v)))
    once = vocab_size - 1
    target_ids, is_token = reference.pad_batch([rng.integers(3, once, n) for n in lengths], 0)
    target_ids[0, :2] = (once, 0)[: lengths[0]]  # only `is_token` says what is padding, and then `once` moves nothing
    batch = SentencePairs(rng.integers(3, once, (len(lengths), 4)), target_ids, is_token)
    drawn = {
        "bos_id": 2,
        "epsilon": float(rng.uniform(0.2, 0.4)),
        "d_model": int(rng.integers(20, 60)),
        "warmup_steps": int(rng.integers(100, 200)),
    }
    return state, batch, model.forward, model.backward, TrainingSettings(**drawn | changed)


def by_hand():
    """Return arguments of `train_step`: one token to predict, and a model whose three parameters are its logits."""
    params = np.log([1.0, 2.0, 5.0])
    return (
        TrainingState(0, params, np.zeros(3), np.zeros(3)),
        SentencePairs(np.array([[2, 1]]), np.array([[1]]), np.array([[True]])),
        lambda params, source_ids, decoder_ids: params[None, None],
        lambda d_logits, params, source_ids, decoder_ids: d_logits.sum(axis=(0, 1)),
        TrainingSettings(bos_id=0, epsilon=0.0, d_model=4, warmup_steps=1),
    )


def state_agrees(call, args, *fields):
    """Require some parts of the new state to be right, whatever the others are."""
    state, expected = call.results(*args)[0], reference.train_step(*args)[0]
    if not isinstance(state, tuple | list) or len(state) != len(expected):
        raise WrongResult(f"state: expected a TrainingState of {', '.join(expected._fields)}, got {describe(state)}.")
    for field in fields:
        number = expected._fields.index(field)
        call.equals(state[number], expected[number], Output(f"state.{field}"), args)
