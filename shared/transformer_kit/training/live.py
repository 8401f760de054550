"""A training run that takes less than a minute: few words, one layer in the encoder and one in the decoder."""

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus import SMALL_WORDS
from transformer_kit.corpus.vocabulary import BOS, PAD
from transformer_kit.parameters import SentencePairs, Sizes, TrainingSettings, TrainingState
from transformer_kit.parameters.tree import flatten, unflatten
from transformer_kit.training import loop
from transformer_kit.training.loop import Settings
from transformer_kit.training.network import Batch, backward, forward
from transformer_kit.training.run import new_model, training_data

N_PAIRS = 6000
SIZES = Sizes(d_ff=128, n_layers=1)
SETTINGS = Settings(steps=1500, batch_tokens=512, warmup_steps=400, dropout=0.0, record_every=100, averaged=4)
FUNCTIONS = (  # of the units before, which a Trainee calls
    "embed", "positional_encoding", "split_heads", "merge_heads", "masked_attention", "position_wise_ffn", "layer_norm",
    "attention_backward", "ffn_backward", "layer_norm_backward",
)  # fmt: skip


def small_task(n_pairs=N_PAIRS, n_others=200, seed=SETTINGS.seed):
    """Draw the data and an untrained model.

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


def sentence_pairs(pairs):
    """Put sentence pairs into one batch.

    Parameters
    ----------
    pairs : sequence of (list of int, list of int)

    Returns
    -------
    SentencePairs
    """
    sources, targets = zip(*pairs, strict=True)
    return SentencePairs(reference.pad_batch(sources, PAD)[0], *reference.pad_batch(targets, PAD))


def batches(pairs, n_steps):
    """Yield the numbers of so many steps, from 1, and their batches.

    Parameters
    ----------
    pairs : sequence of (list of int, list of int)
    n_steps : int

    Yields
    ------
    step : int
    batch : SentencePairs
    """
    for step, chosen in loop.batches(pairs, SETTINGS._replace(steps=n_steps), done=0):
        yield step, sentence_pairs(chosen)


class Trainee:
    """A translation model in training: all its parameters in one array, its passes made of given functions.

    Parameters
    ----------
    model : Model
        With its initial parameters.
    functions : object
        Has those of units 00 to 07 that are in FUNCTIONS as attributes.
    ahead : int
        How many places beyond itself a position of the decoder sees: 0 if all is right.
    """

    def __init__(self, model, functions=reference, ahead=0):
        self.model, self.functions, self.ahead = model, functions, ahead
        params = flatten(model)
        self.beginning = TrainingState(0, params, np.zeros_like(params), np.zeros_like(params))
        d_model = model.source_embedding.shape[-1]
        self.settings = TrainingSettings(BOS, SETTINGS.label_smoothing, d_model, SETTINGS.warmup_steps)
        self._read, self._saved = (), None  # what the last forward pass was given, and what it has kept

    def model_with(self, params):
        """Return the model with these parameters, in the precision of the first ones."""
        return unflatten(self.model, np.asarray(params).astype(self.beginning.params.dtype, copy=False))

    def forward(self, params, source_ids, decoder_ids):
        """Return the logits."""
        batch = self._batch(source_ids, decoder_ids)
        logits, self._saved = forward(self.model_with(params), batch, functions=self.functions)
        self._read = params, source_ids, decoder_ids
        return logits

    def backward(self, d_logits, *read):
        """Return the gradient of all parameters, in one array; `read` is what `forward` was given."""
        if len(read) != len(self._read) or any(new is not old for new, old in zip(read, self._read, strict=True)):
            self.forward(*read)
        d_logits = d_logits.astype(self.beginning.params.dtype, copy=False)
        return flatten(backward(d_logits, self._saved, self.model_with(read[0]), self.functions))

    def decoder(self):
        """Return the layer of the decoder as a function of the vectors that it reads, as `first_leak` takes it."""
        params, memory = self.model.decoder[0], np.ones((1, self.settings.d_model))

        def decode(X):
            return reference.decoder_layer(X, memory, params, self.model.n_heads, self._mask(len(X)))

        return decode

    def _mask(self, n):
        return np.tri(n, k=self.ahead, dtype=bool)

    def _batch(self, source_ids, decoder_ids):
        read = decoder_ids != PAD
        encoder, _, cross = reference.translation_masks(source_ids != PAD, read)
        decoder = self._mask(decoder_ids.shape[1]) & read[:, None]
        return Batch(source_ids, None, decoder_ids, None, encoder, decoder, cross)
