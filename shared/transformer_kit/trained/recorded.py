"""Recorded training runs: what `make record` writes, and the notebooks show."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit.trained.array_files import read_arrays, write_arrays
from transformer_kit.trained.model import ModelFileError, compare_with_checksum

RECORDINGS = Path(__file__).parent / "recordings"
ADVICE = "get it again, from the repository or with `make record`"


class Leaking(NamedTuple):
    """Two training runs of a small translation model that differ in the mask of the decoder alone.

    Attributes
    ----------
    runs : ndarray of shape (2,), str
        "causal" and "one ahead".
    steps : ndarray of shape (n_records,), int
    training_loss : ndarray of shape (2, n_records)
        Mean over the batches since the record before, in nats per token.
    development_loss : ndarray of shape (2, n_records)
        On pairs that are not trained on, computed with the run's own mask.
    share_right : ndarray of shape (2, n_records)
        Of 200 new sentences, those that the model translates correctly when it has to write by itself.
    english : ndarray of shape (n_sentences,), str
    written : ndarray of shape (2, n_sentences), str
        What the two models write in the end.
    """

    runs: np.ndarray
    steps: np.ndarray
    training_loss: np.ndarray
    development_loss: np.ndarray
    share_right: np.ndarray
    english: np.ndarray
    written: np.ndarray


class Norms(NamedTuple):
    """Three training runs of a deep stack of layers that predicts the next word.

    Attributes
    ----------
    runs : ndarray of shape (3,), str
        "post-norm", "post-norm, warm-up" and "pre-norm".
    steps : ndarray of shape (n_steps,), int
    learning_rate : ndarray of shape (3, n_steps)
    loss : ndarray of shape (3, n_steps)
        Of every batch, before the update, in nats per token.
    gradient_norm : ndarray of shape (3, n_steps, n_layers)
        Length of the gradient of all parameters of a layer; the layer that reads the embeddings comes first.
    norm_input : ndarray of shape (3, 11, 2 * n_layers)
        Size (root mean square) of what the two norms of every layer are given, for one batch: before the training, and
        after each of the first ten steps.
    frequency_loss : ndarray of shape ()
        The loss of a model that knows how often every word comes, and nothing else.
    """

    runs: np.ndarray
    steps: np.ndarray
    learning_rate: np.ndarray
    loss: np.ndarray
    gradient_norm: np.ndarray
    norm_input: np.ndarray
    frequency_loss: np.ndarray


class Film(NamedTuple):
    """One sentence during the training of a small translation model.

    Attributes
    ----------
    english : ndarray of shape (n_source,), str
        Its words and marks.
    spanish : ndarray of shape (n_target,), str
        The words of its likeliest translation, with "<eos>" at the end.
    steps : ndarray of shape (n_frames,), int
        From 0 on: the first frame is the untrained model.
    loss : ndarray of shape (n_frames,)
        On pairs that are not trained on, in nats per token.
    written : ndarray of shape (n_frames,), str
        What the model writes, greedily.
    attention : ndarray of shape (n_frames, n_heads, n_target, n_source)
        Weights of the attention to the source, one row for each word of `spanish`: what the decoder looks at when
        this word has to be said, and it has read those before it.
    """

    english: np.ndarray
    spanish: np.ndarray
    steps: np.ndarray
    loss: np.ndarray
    written: np.ndarray
    attention: np.ndarray


class Chat(NamedTuple):
    """What the public chat model does, with all its lines right and with one of them changed.

    Attributes
    ----------
    lines : ndarray of shape (n_lines,), str
        What was changed; the first is nothing.
    loss : ndarray of shape (n_lines, n_texts)
        Of three texts, the last of which is a program, in nats per piece.
    prompts : ndarray of shape (n_prompts,), str
    answers : ndarray of shape (n_lines, n_prompts), str
    probes : ndarray of shape (n_probes,), str
        What was hidden or stopped.
    probe_loss : ndarray of shape (n_probes, n_texts)
    systems, asked, said : ndarray of shape (n_chats,), str
        The system's line, a question, and the answer.
    countries : ndarray of shape (n_countries,), str
    ranks : ndarray of shape (n_countries, n_blocks), int
        How many pieces are likelier than the right capital if a block is taken for the last.
    copying_cost, english_cost : ndarray of shape (n_blocks, n_heads)
        By how much the loss grows when a head is silent: on random pieces that come a second time, and in English.
    random_loss : ndarray of shape (2,)
        Of random pieces, and of the same when they come again.
    first_share : ndarray of shape (n_texts,)
        Of all attention, what goes to the first token.
    looks : ndarray of shape (3,)
        Where pieces come again: how much head 16.0 looks at the token before, and how much head 18.6 looks at what
        came after the same piece, with head 16.0 and without it.
    """

    lines: np.ndarray
    loss: np.ndarray
    prompts: np.ndarray
    answers: np.ndarray
    probes: np.ndarray
    probe_loss: np.ndarray
    systems: np.ndarray
    asked: np.ndarray
    said: np.ndarray
    countries: np.ndarray
    ranks: np.ndarray
    copying_cost: np.ndarray
    english_cost: np.ndarray
    random_loss: np.ndarray
    first_share: np.ndarray
    looks: np.ndarray


KINDS = {"leaking": Leaking, "norms": Norms, "film": Film, "chat": Chat}


def load_recording(name, folder=RECORDINGS):
    """Load a recorded training run.

    Parameters
    ----------
    name : str
        "leaking", "norms", "film" or "chat".
    folder : Path
        The file is compared with its checksum there.

    Returns
    -------
    Leaking, Norms, Film or Chat
        Numbers are in single precision.

    Raises
    ------
    ModelFileError
        If there is no such recording, or its file is missing or damaged.
    """
    if name not in KINDS:
        raise ModelFileError(f"there is no recording {name!r}; there are {', '.join(map(repr, KINDS))}")
    path = folder / f"{name}.npz"
    if not path.is_file():
        raise ModelFileError(f"{path} is not there: {ADVICE}")
    compare_with_checksum(path, ADVICE)
    try:
        return KINDS[name](**read_arrays(path))
    except (ValueError, TypeError) as error:
        raise ModelFileError(f"{path} holds no recording {name!r} ({error}): {ADVICE}") from error


def save_recording(name, recording, folder):
    """Write a recording, in single precision: gradients that die out are too small for half of it.

    Parameters
    ----------
    name : str
    recording : Leaking, Norms, Film or Chat
        Lists in the place of arrays will do.
    folder : Path
    """
    arrays = {field: np.asarray(value) for field, value in recording._asdict().items()}
    floats = {field: array.astype(np.float32) for field, array in arrays.items() if array.dtype.kind == "f"}
    write_arrays(folder / f"{name}.npz", arrays | floats)
