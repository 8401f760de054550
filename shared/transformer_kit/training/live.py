"""A training that is over within a minute: few words, one layer in the encoder and one in the decoder."""

from transformer_kit.corpus import SMALL_WORDS
from transformer_kit.parameters import Sizes
from transformer_kit.training.loop import Settings
from transformer_kit.training.run import new_model, training_data

N_PAIRS = 6000
SIZES = Sizes(n_layers=1)
SETTINGS = Settings(steps=1500, batch_tokens=512, warmup_steps=400, dropout=0.0, record_every=100, averaged=4)


def small_task(n_pairs=N_PAIRS, n_others=200, seed=SETTINGS.seed):
    """Draw the data and a model that knows nothing yet.

    Parameters
    ----------
    n_pairs, n_others, seed : int

    Returns
    -------
    pairs, others : list of (list of int, list of int)
        Ids of source and target, to train on and not to train on; the target ends with "<eos>".
    model : Model
    """
    pairs, others, vocabularies = training_data(n_pairs, n_others, SMALL_WORDS)
    return pairs, others, new_model(pairs, vocabularies, seed, SIZES)
