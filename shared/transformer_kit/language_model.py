"""A tiny language model, a stack that only writes: its parameters, in memory and in its file."""

from typing import NamedTuple

import numpy as np

from transformer_kit.array_files import read_arrays, write_arrays
from transformer_kit.model import ADVICE, WEIGHTS, ModelFileError, compare_with_checksum
from transformer_kit.parameters import SIZES, init_encoder_layer
from transformer_kit.trees import flatten, named_arrays, unflatten, with_arrays

FILE = "language.npz"


class LanguageModel(NamedTuple):
    """The decoder of a Transformer without its attention to a source: post-norm, sinusoidal positions, ReLU.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
        Also makes the logits, transposed.
    layers : tuple of EncoderLayerParams
        Without attention to a source, a decoder layer has the parameters of an encoder layer; its mask is causal.
    n_heads : int
    words : tuple of str
        The word of every id; "<pad>" is 0, "<unk>" 1, "<bos>" 2 and "<eos>" 3.
    max_len : int
        The largest number of tokens in a sentence that it was trained on, "<eos>" included.
    """

    embedding: np.ndarray
    layers: tuple
    n_heads: int
    words: tuple
    max_len: int


def init_language_model(rng, words, max_len, sizes=SIZES):
    """Draw the parameters of a language model, in single precision.

    Parameters
    ----------
    rng : numpy.random.Generator
    words : sequence of str
    max_len : int
    sizes : Sizes

    Returns
    -------
    LanguageModel
    """
    d_model, n_heads, d_ff, n_layers = sizes
    embedding = rng.normal(scale=d_model**-0.5, size=(len(words), d_model))
    layers = tuple(init_encoder_layer(rng, d_model, n_heads, d_ff) for _ in range(n_layers))
    model = LanguageModel(embedding, layers, n_heads, tuple(words), max_len)
    return unflatten(model, flatten(model, np.float32))


def save_language_model(model, path):
    """Write a language model in half precision.

    Parameters
    ----------
    model : LanguageModel
    path : Path
        Ends in ".npz".
    """
    arrays = {name: array.astype(np.float16) for name, array in named_arrays(model).items()}
    write_arrays(path, arrays | {"n_heads": model.n_heads, "max_len": model.max_len, "words": np.array(model.words)})


def load_language_model(path=WEIGHTS / FILE):
    """Load the language model of the course, or one's own, in single precision.

    Parameters
    ----------
    path : Path
        The file of the course is compared with its checksum.

    Returns
    -------
    LanguageModel

    Raises
    ------
    ModelFileError
        If there is no such file, or it is damaged.
    """
    if not path.is_file():
        raise ModelFileError(f"{path} is not there: {ADVICE}")
    if path.parent == WEIGHTS:
        compare_with_checksum(path)
    try:
        arrays = read_arrays(path)
        words, n_heads, max_len = (arrays.pop(name) for name in ("words", "n_heads", "max_len"))
        names = {name.split(".")[1] for name in arrays if name.startswith("layers.")}
        d_model, d_ff = arrays["layers.0.ffn.W_1"].shape
        sizes = SIZES._replace(d_model=d_model, n_heads=int(n_heads), d_ff=d_ff, n_layers=len(names))
        model = init_language_model(np.random.default_rng(0), tuple(map(str, words)), int(max_len), sizes)
        return with_arrays(model, [arrays[name].astype(np.float32) for name in named_arrays(model)])
    except (KeyError, ValueError) as error:
        raise ModelFileError(f"{path} holds no language model ({error}): {ADVICE}") from error
