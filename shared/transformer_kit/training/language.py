"""Train the tiny language model: the same parts, without a source."""

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.language_model import FILE, init_language_model, save_language_model
from transformer_kit.progress import ProgressBar
from transformer_kit.training.loop import Settings, batches
from transformer_kit.training.network import encoder_layer, encoder_layer_backward
from transformer_kit.training.sublayers import NO_DROPOUT, embed_backward, embed_with_positions, rows, times
from transformer_kit.trees import flatten, unflatten
from transformer_kit.vocabulary import BOS, EOS, PAD, ids_of, make_vocabulary

N_SENTENCES = 50_000
SETTINGS = Settings(steps=4000, warmup_steps=400, label_smoothing=0.0, dropout=0.0)
AVERAGED = 500  # the result is the mean of the parameters after the last so many batches


def loss_and_gradients(model, sentences):
    """Return the loss of predicting every next word of some sentences, and its gradients.

    Parameters
    ----------
    model : LanguageModel
    sentences : sequence of list of int
        Each ends with "<eos>".

    Returns
    -------
    loss : float
        In nats per token.
    gradients : LanguageModel
    """
    ids, is_token = reference.pad_batch(sentences, PAD)
    mask = reference.causal_mask(ids.shape[1])[None]  # (1, n, n)
    X, embedded = embed_with_positions(reference.shift_right(ids, BOS), model.embedding, NO_DROPOUT)
    saved = []
    for params in model.layers:
        X, layer = encoder_layer(X, params, model.n_heads, mask, NO_DROPOUT)
        saved.append(layer)
    logits, wanted = times(X, model.embedding.T), reference.one_hot(ids, len(model.words)).astype(X.dtype)
    loss = reference.cross_entropy(logits, wanted, is_token)
    d_logits = reference.cross_entropy_backward(logits, wanted, is_token)
    dX, d_layers = times(d_logits, model.embedding), []
    for layer, params in zip(saved[::-1], model.layers[::-1], strict=True):
        dX, d_params = encoder_layer_backward(dX, layer, params, model.n_heads)
        d_layers.insert(0, d_params)
    d_embedding = embed_backward(dX, embedded, model.embedding) + rows(d_logits).T @ rows(X)
    return loss, model._replace(embedding=d_embedding, layers=tuple(d_layers))


def train_language_model(model, sentences, settings=SETTINGS, averaged=AVERAGED, watch=None):
    """Train a language model.

    Parameters
    ----------
    model : LanguageModel
        With its initial parameters.
    sentences : sequence of list of int
        Each ends with "<eos>".
    settings : Settings
    averaged : int
        The result is the mean of the parameters after the last so many batches.
    watch : callable, optional
        Called with the number of the step and its loss after every step.

    Returns
    -------
    LanguageModel
    """
    pairs = [((), sentence) for sentence in sentences]  # no source
    parameters = flatten(model)
    m, v, total = (np.zeros_like(parameters) for _ in range(3))
    for step, chosen in batches(pairs, settings, 0):
        loss, gradients = loss_and_gradients(unflatten(model, parameters), [sentence for _, sentence in chosen])
        rate = reference.noam_learning_rate(step, model.embedding.shape[-1], settings.warmup_steps)
        parameters, m, v = reference.adam_update(parameters, flatten(gradients), m, v, step, rate)
        if step > settings.steps - averaged:
            total += parameters
        if watch:
            watch(step, loss)
    return unflatten(model, total / np.float32(averaged))


def train_and_save(folder, settings=SETTINGS, n_sentences=N_SENTENCES):
    """Train on the English side of the training data, and write the file.

    Parameters
    ----------
    folder : Path
    settings : Settings
    n_sentences : int
    """
    english = [sentence.english for sentence in corpus.load("training", n_sentences)]
    vocabulary = make_vocabulary(english)
    sentences = [[*ids_of(words, vocabulary), EOS] for words in english]
    model = init_language_model(np.random.default_rng(settings.seed), vocabulary, max(map(len, sentences)))
    bar = ProgressBar(settings.steps)
    model = train_language_model(
        model, sentences, settings, watch=lambda step, loss: bar.show(step, f"language model: loss {loss:.3f}")
    )
    folder.mkdir(parents=True, exist_ok=True)
    save_language_model(model, folder / FILE)
