"""Two training runs of one small translation model: with the causal mask, and with a mask that is off by one."""

import numpy as np

from transformer_kit import corpus
from transformer_kit.experiments.recorded.descent import train_translator
from transformer_kit.experiments.whole_model.evaluation import score
from transformer_kit.reference import translate
from transformer_kit.trained.recorded import Leaking
from transformer_kit.training import live, loss_and_gradients, make_batch

SETTINGS = live.SETTINGS._replace(steps=1000, label_smoothing=0.0, record_every=50)
AHEAD = {"causal": 0, "one ahead": 1}  # how many places beyond itself a position of the decoder sees
ENGLISH = ("I like dogs.", "The white house is big.", "Do they see the small dog?", "Ana does not want milk.")
N_UNSEEN = 200


def record(settings=SETTINGS):
    """Train the model of unit 10 twice, from the same parameters and with the same batches.

    Both models write in the same way: greedily, where no word is there yet that a mask could show.

    Parameters
    ----------
    settings : Settings

    Returns
    -------
    Leaking
    """
    pairs, others, untrained = live.small_task()
    unseen = corpus.load("new", N_UNSEEN, corpus.SMALL_WORDS)
    translations = [corpus.translations(sentence.english) for sentence in unseen]

    def run(ahead):
        """Return a history of shape (n_records, 4) and what the model writes in the end."""
        history, losses = [], []
        for step in train_translator(untrained, pairs, settings, lambda chosen: batch_that_sees(chosen, ahead)):
            losses.append(step.loss)
            if step.number % settings.record_every == 0:
                development, _ = loss_and_gradients(step.model, batch_that_sees(others, ahead), 0.0)
                right = score(step.model, unseen, translations).acceptable / N_UNSEEN
                history.append((step.number, np.mean(losses), development, right))
                losses = []
        return history, [translate(sentence, step.model) for sentence in ENGLISH]

    histories, written = zip(*map(run, AHEAD.values()), strict=True)
    steps, *curves = np.transpose(histories, (2, 0, 1))
    return Leaking(list(AHEAD), steps[0].astype(int), *curves, ENGLISH, written)


def batch_that_sees(pairs, ahead):
    """Put sentence pairs into one batch.

    Parameters
    ----------
    pairs : sequence of (sequence of int, sequence of int)
    ahead : int
        How many places beyond itself a position of the decoder sees: 0 if all is right.

    Returns
    -------
    Batch
    """
    batch = make_batch(pairs)
    n = batch.target_ids.shape[1]
    return batch._replace(decoder_mask=batch.decoder_mask | np.tri(n, k=ahead, dtype=bool))
