"""Models in files: the trained ones that come with the course, and your own."""

import hashlib
from pathlib import Path

import numpy as np

from transformer_kit.parameters import (
    AttentionParams,
    DecoderLayerParams,
    EncoderLayerParams,
    FeedForwardParams,
    LayerNormParams,
    Model,
)
from transformer_kit.parameters.tree import named_arrays, with_arrays
from transformer_kit.trained.array_files import read_arrays, write_arrays

WEIGHTS = Path(__file__).parent / "weights"
CHECKSUMS = "SHA256SUMS"
TRAINED = ("smoothed", "unsmoothed")
NUMBERS = ("n_heads", "longest_source", "max_len")
WORDS = ("source_words", "target_words")


class ModelFileError(ValueError):
    """A file that holds no model or recording, or not the one that it should."""


def load_model(name="smoothed", dtype=np.float32):
    """Load a trained model.

    Parameters
    ----------
    name : str or Path
        "smoothed" or "unsmoothed": trained with label smoothing 0.1 or without; these are compared with their
        checksums first. Otherwise the path of a file.
    dtype : dtype
        Of the parameters; the file holds half precision.

    Returns
    -------
    Model

    Raises
    ------
    ModelFileError
        If there is no such file, or it is damaged.
    """
    return read_model(name, dtype)[0]


def read_model(name="smoothed", dtype=np.float32):
    """Load a trained model and what its file says about its training.

    Parameters
    ----------
    name : str or Path
    dtype : dtype
        As in `load_model`.

    Returns
    -------
    model : Model
    facts : dict from str to ndarray
        Everything else that was given to `save_model`.
    """
    path = WEIGHTS / f"{name}.npz" if name in TRAINED else Path(name)
    if not path.is_file():
        raise ModelFileError(f"{path} is not there; trained models are {' and '.join(map(repr, TRAINED))}")
    if name in TRAINED:
        compare_with_checksum(path)
    try:
        arrays = read_arrays(path)
    except ValueError as error:
        raise ModelFileError(f"{error}: {ADVICE}") from error
    return model_of(arrays, dtype, path), arrays


ADVICE = "get it again, from the repository or with `make train`"


def compare_with_checksum(path, advice=ADVICE):
    """Make sure that the file of a trained model is the course's own.

    Parameters
    ----------
    path : Path
        The file of checksums lies beside it.
    advice : str
        Ends the message of the error.

    Raises
    ------
    ModelFileError
        If it is not.
    """
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    lines = (path.parent / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    expected = {name: digest for digest, name in (line.split() for line in lines)}
    if expected.get(path.name) != checksum:
        raise ModelFileError(f"{path} is damaged: its SHA-256 checksum is not that of {CHECKSUMS}; {advice}")


def model_of(arrays, dtype=np.float32, path="the file"):
    """Take a model out of the arrays of a file.

    Parameters
    ----------
    arrays : dict from str to ndarray
        Keeps those that are not the model's.
    dtype : dtype
    path : Path or str
        For messages.

    Returns
    -------
    Model

    Raises
    ------
    ModelFileError
        If some are missing, or do not fit together.
    """
    missing = [name for name in (*NUMBERS, *WORDS) if name not in arrays]
    if missing:
        raise ModelFileError(f"{path} holds no model: it has no {', '.join(missing)}")
    numbers = {name: int(arrays.pop(name)) for name in NUMBERS}
    words = [tuple(map(str, arrays.pop(name))) for name in WORDS]
    n_layers = len({name.split(".")[1] for name in arrays if name.startswith("encoder.")})
    template = _template(n_layers, "output_projection" in arrays, numbers, words)
    names = list(named_arrays(template))
    missing = [name for name in names if name not in arrays]
    if missing:
        raise ModelFileError(f"{path} is not complete: it has no {', '.join(missing)}")
    model = with_arrays(template, [arrays.pop(name).astype(dtype) for name in names])
    rows = (len(model.source_embedding), len(model.target_embedding))
    if rows != tuple(map(len, words)):
        raise ModelFileError(f"{path} is not complete: {rows} rows of embeddings for {tuple(map(len, words))} words")
    return model


def _template(n_layers, own_projection, numbers, words):
    """Return a model of the right structure with empty arrays."""
    nothing = np.empty(0)
    attention, ffn = AttentionParams(*[nothing] * 4), FeedForwardParams(*[nothing] * 4)
    norm = LayerNormParams(nothing, nothing)
    return Model(
        source_embedding=nothing,
        target_embedding=nothing,
        encoder=(EncoderLayerParams(attention, norm, ffn, norm),) * n_layers,
        decoder=(DecoderLayerParams(attention, norm, attention, norm, ffn, norm),) * n_layers,
        output_projection=nothing if own_projection else None,
        source_vocabulary={word: i for i, word in enumerate(words[0])},
        target_words=words[1],
        **numbers,
    )


def save_model(model, path, **facts):
    """Write a model in half precision; a reader never sees half a file.

    Parameters
    ----------
    model : Model
    path : Path
        Ends in ".npz".
    **facts : array_like
        What else to keep with it.
    """
    arrays = {name: array.astype(np.float16) for name, array in named_arrays(model).items()}
    numbers = {name: getattr(model, name) for name in NUMBERS}
    sides = tuple(model.source_vocabulary), model.target_words
    words = {name: np.array(side) for name, side in zip(WORDS, sides, strict=True)}
    write_arrays(path, arrays | numbers | words | facts)


def write_checksums(folder):
    """Write the SHA-256 checksums of the .npz files in a folder, in the form that `sha256sum --check` reads.

    Parameters
    ----------
    folder : Path
    """
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.glob("*.npz"))]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
