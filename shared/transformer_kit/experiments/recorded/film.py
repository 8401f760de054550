"""One sentence during the training of a small translation model: what the decoder looks at, and what it writes."""

import numpy as np

from transformer_kit import corpus
from transformer_kit.corpus.vocabulary import EOS, PAD, ids_of
from transformer_kit.experiments.recorded.descent import train_translator
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.reference import translate
from transformer_kit.trained.recorded import Film
from transformer_kit.training import live, loss_and_gradients, make_batch

SETTINGS = live.SETTINGS._replace(label_smoothing=0.0, record_every=50)
ENGLISH = ("the", "girl", "likes", "black", "birds", ".")  # never trained on


def record(settings=SETTINGS):
    """Train the model of unit 10 and look at the sentence again and again.

    Parameters
    ----------
    settings : Settings

    Returns
    -------
    Film
    """
    pairs, others, model = live.small_task()
    camera = Camera(model, others)
    for step in train_translator(model, pairs, settings):
        if step.number % settings.record_every == 0:
            camera.take(step.number, step.model)
    return camera.film()


class Camera:
    """Takes pictures of a model in training.

    Parameters
    ----------
    model : Model
        Before its training: the first picture.
    others : sequence of (list of int, list of int)
        Pairs that are not trained on, for the loss.
    """

    def __init__(self, model, others):
        self.spanish = next(iter(corpus.translations(ENGLISH)))
        ids = ids_of(ENGLISH, model.source_vocabulary), [*map(model.target_words.index, self.spanish), EOS]
        self.watched, self.others, self.frames = make_batch([ids]), make_batch(others), []
        self.take(0, model)

    def take(self, number, model):
        """Look at the loss, the translation and the attention after a step."""
        loss, _ = loss_and_gradients(model, self.others, 0.0)
        written = translate(corpus.english_text(ENGLISH), model)
        source_ids = self.watched.source_ids
        parts = trace(source_ids, source_ids != PAD, self.watched.decoder_ids, model)
        self.frames.append((number, loss, written, parts["decoder.0.cross_attention.weights"][0]))

    def film(self):
        """Return all pictures.

        Returns
        -------
        Film
        """
        spanish = *self.spanish, "<eos>"
        return Film(*map(np.array, (ENGLISH, spanish, *zip(*self.frames, strict=True))))
