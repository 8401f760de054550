"""The dictionary, a decoder without a source: its parameters, in memory and in its file."""

from typing import NamedTuple

import numpy as np

from transformer_kit.dictionary.pieces import Pieces
from transformer_kit.parameters import Sizes, init_encoder_layer
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten, with_arrays
from transformer_kit.trained.array_files import read_arrays, write_arrays
from transformer_kit.trained.model import ADVICE, WEIGHTS, ModelFileError, compare_with_checksum

FILE = "dictionary.npz"
SIZES = Sizes(d_model=160, n_heads=5, d_ff=480, n_layers=4)
NUMBERS = ("n_heads", "longest_word", "max_len")


class Dictionary(NamedTuple):
    """The decoder of a Transformer without its attention to a source: post-norm, sinusoidal positions, ReLU.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
        Also makes the logits, transposed.
    layers : tuple of EncoderLayerParams
        Without attention to a source, a decoder layer has the parameters of an encoder layer; its mask is causal.
    n_heads : int
    pieces : Pieces
        What every id stands for.
    longest_word, max_len : int
        The largest number of pieces of a word, and of a definition, that it was trained on, "<eos>" included.
    """

    embedding: np.ndarray
    layers: tuple
    n_heads: int
    pieces: Pieces
    longest_word: int
    max_len: int


def init_dictionary(rng, pieces, sizes=SIZES, lengths=(30, 60)):
    """Draw the parameters of a dictionary, in single precision.

    Parameters
    ----------
    rng : numpy.random.Generator
    pieces : Pieces
    sizes : Sizes
    lengths : tuple of (int, int)
        `Dictionary.longest_word` and `Dictionary.max_len`.

    Returns
    -------
    Dictionary
    """
    d_model, n_heads, d_ff, n_layers = sizes
    embedding = rng.normal(scale=d_model**-0.5, size=(len(pieces), d_model))
    layers = tuple(init_encoder_layer(rng, d_model, n_heads, d_ff) for _ in range(n_layers))
    model = Dictionary(embedding, layers, n_heads, pieces, *lengths)
    return unflatten(model, flatten(model, np.float32))


def save_dictionary(model, path, **facts):
    """Write a dictionary in half precision.

    Parameters
    ----------
    model : Dictionary
    path : Path
        Ends in ".npz".
    **facts : array_like
        What else to keep with it.
    """
    arrays = {name: array.astype(np.float16) for name, array in named_arrays(model).items()}
    numbers = {name: getattr(model, name) for name in NUMBERS}
    write_arrays(path, arrays | numbers | {"merges": np.array(model.pieces.merges, dtype=np.int16)} | facts)


def load_dictionary(path=WEIGHTS / FILE):
    """Load the dictionary of the course, or your own, in single precision.

    Parameters
    ----------
    path : Path
        The course's own file is compared with its checksum.

    Returns
    -------
    Dictionary

    Raises
    ------
    ModelFileError
        If there is no such file, or it is damaged.
    """
    return read_dictionary(path)[0]


def read_dictionary(path=WEIGHTS / FILE):
    """Load a dictionary and what its file says about its training; argument and errors as in `load_dictionary`.

    Returns
    -------
    model : Dictionary
    facts : dict from str to ndarray
        Everything else that was given to `save_dictionary`.
    """
    if not path.is_file():
        raise ModelFileError(f"{path} is not there: {ADVICE}")
    if path.parent == WEIGHTS:
        compare_with_checksum(path)
    try:
        arrays = read_arrays(path)
        model = dictionary_of(arrays)
    except (KeyError, ValueError) as error:
        raise ModelFileError(f"{path} holds no dictionary ({error}): {ADVICE}") from error
    return model, arrays


def dictionary_of(arrays):
    """Take a dictionary out of the arrays of a file; KeyError or ValueError if some are missing, or do not fit.

    Parameters
    ----------
    arrays : dict from str to ndarray
        Keeps those that are not the model's.

    Returns
    -------
    Dictionary
    """
    n_heads, *lengths = (int(arrays.pop(name)) for name in NUMBERS)
    n_layers = len({name.split(".")[1] for name in arrays if name.startswith("layers.")})
    d_model, d_ff = arrays["layers.0.ffn.W_1"].shape
    sizes = Sizes(d_model, n_heads, d_ff, n_layers)
    model = init_dictionary(np.random.default_rng(0), Pieces(arrays.pop("merges").tolist()), sizes, lengths)
    return with_arrays(model, [arrays.pop(name).astype(np.float32) for name in named_arrays(model)])
