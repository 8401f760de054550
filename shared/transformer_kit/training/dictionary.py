"""Train the dictionary: the same parts, without a source."""

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import PAD
from transformer_kit.dictionary.entries import WORDNET, load_entries, split_entries
from transformer_kit.dictionary.pieces import FIRST_MERGE, Pieces, definition_ids, learn_merges, prompt_ids
from transformer_kit.parameters.tree import unflatten
from transformer_kit.progress import ProgressBar
from transformer_kit.trained.dictionary import FILE, SIZES, init_dictionary, save_dictionary
from transformer_kit.trained.model import write_checksums
from transformer_kit.training.loop import Settings, iterate, updated
from transformer_kit.training.network import encoder_layer, encoder_layer_backward
from transformer_kit.training.run import CHECKPOINTS
from transformer_kit.training.sublayers import NO_DROPOUT, embed_backward, embed_with_positions

N_PIECES = 2048
SETTINGS = Settings(steps=9500, label_smoothing=0.0, record_every=500, cooldown=0.42)


def loss_and_gradients(model, examples, dropout=NO_DROPOUT, with_gradients=True):
    """Return the loss of predicting every next piece of some definitions, and its gradients.

    Parameters
    ----------
    model : Dictionary
    examples : sequence of (list of int, list of int)
        Prompts, which are only read, and definitions.
    dropout : Dropout
    with_gradients : bool
        Without, the gradients are None.

    Returns
    -------
    loss : float
        In nats per piece.
    gradients : Dictionary
    """
    ids, targets, is_target = _padded(examples)
    mask = reference.causal_mask(ids.shape[1])[None]  # (1, n, n); padding comes last, and nothing looks ahead
    X, embedded = embed_with_positions(ids, model.embedding, dropout)
    saved = []
    for params in model.layers:
        X, layer = encoder_layer(X, params, model.n_heads, mask, dropout)
        saved.append(layer)
    rows = X[is_target]  # (n_targets, d_model)
    loss, d_logits = _cross_entropy(rows @ model.embedding.T, targets)
    if not with_gradients:
        return loss, None
    dX, d_layers = np.zeros_like(X), []
    dX[is_target] = d_logits @ model.embedding
    for layer, params in zip(saved[::-1], model.layers[::-1], strict=True):
        dX, d_params = encoder_layer_backward(dX, layer, params, model.n_heads)
        d_layers.insert(0, d_params)
    d_embedding = embed_backward(dX, embedded, model.embedding) + d_logits.T @ rows
    return loss, model._replace(embedding=d_embedding, layers=tuple(d_layers))


def _padded(examples):
    """Return what is read, of shape (B, n), the ids to be predicted, and where, of shape (B, n)."""
    ids, _ = reference.pad_batch([(*prompt, *definition[:-1]) for prompt, definition in examples], PAD)
    starts, ends = np.array([(len(prompt) - 1, len(prompt) + len(d) - 1) for prompt, d in examples]).T[..., None]
    places = np.arange(ids.shape[1])
    return ids, np.concatenate([d for _, d in examples]), (starts <= places) & (places < ends)


def _cross_entropy(logits, targets):
    """Return the mean loss of some rows of logits and its gradient; the course's own makes a one-hot row for each."""
    probs = np.exp(logits - logits.max(axis=-1, keepdims=True))
    probs /= probs.sum(axis=-1, keepdims=True)
    places = np.arange(len(targets)), targets
    loss = -np.log(probs[places]).mean(dtype=np.float64)
    probs[places] -= 1
    probs /= probs.dtype.type(len(targets))
    return loss, probs


def train_dictionary(model, examples, held_out, settings=SETTINGS, checkpoint=None, watch=None):
    """Train a dictionary.

    Parameters
    ----------
    model : Dictionary
        With its initial parameters.
    examples, held_out : sequence of (list of int, list of int)
        Prompts and definitions, to train on and not to train on.
    settings : Settings
    checkpoint : Path, optional
        A file that keeps the progress; if it exists, training resumes from it.
    watch : callable, optional
        Called with the number of the step and its loss after every step.

    Returns
    -------
    model : Dictionary
    history : ndarray of shape (n_records, 3)
        Step, mean loss of the batches since the last record, and loss on `held_out`, in nats per piece.
    """

    def update(progress, chosen, step):
        return _step(model, chosen, step, progress, settings)

    def held_out_loss(current):
        return mean_loss(current, held_out)

    return iterate(model, examples, settings, update, held_out_loss, checkpoint, watch)


def _step(model, chosen, step, progress, settings):
    """Make one update."""
    loss, gradients = loss_and_gradients(unflatten(model, progress.parameters), chosen, settings.dropout_at(step))
    return loss, updated(progress, gradients, step, settings.rate(step, model.embedding.shape[-1]))


def mean_loss(model, examples, batch_size=128):
    """Return the loss of some definitions.

    Parameters
    ----------
    model : Dictionary
    examples : sequence of (list of int, list of int)
    batch_size : int

    Returns
    -------
    float
        In nats per piece.
    """
    examples = sorted(examples, key=lambda example: len(example[1]))  # little padding
    parts = [examples[start : start + batch_size] for start in range(0, len(examples), batch_size)]
    losses = [loss_and_gradients(model, part, with_gradients=False)[0] for part in parts]
    return np.average(losses, weights=[sum(len(definition) for _, definition in part) for part in parts])


def training_data(folder=WORDNET, n_pieces=N_PIECES):
    """Prepare the data.

    Parameters
    ----------
    folder : Path
        Of WordNet.
    n_pieces : int

    Returns
    -------
    examples, held_out : list of (list of int, list of int)
        Prompts and definitions.
    pieces : Pieces
    """
    splits = split_entries(load_entries(folder))
    texts = (f" {text}" for word, _, definition in splits[0] for text in (word, definition))
    pieces = Pieces(learn_merges(texts, n_pieces - FIRST_MERGE))
    return *(
        [(prompt_ids(word, kind, pieces), definition_ids(definition, pieces)) for word, kind, definition in entries]
        for entries in splits
    ), pieces


def train_and_save(folder, settings=SETTINGS, wordnet=WORDNET, sizes=SIZES):
    """Train the dictionary and write its file; training resumes from a checkpoint, which stays.

    Parameters
    ----------
    folder : Path
    settings : Settings
    wordnet : Path
    sizes : Sizes
    """
    examples, held_out, pieces = training_data(wordnet)
    longest_prompt, max_len = (max(map(len, side)) for side in zip(*examples, strict=True))
    lengths = longest_prompt - 2, max_len  # without "<bos>" and the kind
    model = init_dictionary(np.random.default_rng(settings.seed), pieces, sizes, lengths)
    checkpoint = folder / CHECKPOINTS / FILE
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    bar = ProgressBar(settings.steps)

    def watch(step, loss):
        bar.show(step, f"dictionary: loss {loss:.3f}")

    model, history = train_dictionary(model, examples, held_out, settings, checkpoint, watch)
    facts = {f"setting_{key}": value for key, value in settings._asdict().items()}
    save_dictionary(model, folder / FILE, history=history.astype(np.float32), **facts)
    write_checksums(folder)
