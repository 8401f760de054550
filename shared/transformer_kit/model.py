"""A Transformer with its vocabularies: its parts, its initial values, and sentences in and out."""

import difflib
from typing import NamedTuple

import numpy as np

from transformer_kit.corpus.text import normalise, spanish_text
from transformer_kit.parameters import init_decoder_layer, init_encoder_layer
from transformer_kit.vocabulary import SPECIAL, words_of


class Model(NamedTuple):
    """An encoder-decoder Transformer as in the paper: post-norm, sinusoidal positions, ReLU; eps is 1e-5.

    Attributes
    ----------
    source_embedding : ndarray of shape (V_source, d_model)
    target_embedding : ndarray of shape (V, d_model)
    encoder : tuple of EncoderLayerParams
    decoder : tuple of DecoderLayerParams
    output_projection : ndarray of shape (d_model, V), or None
        None: the logits are made with the target's embedding, transposed.
    n_heads : int
    source_vocabulary, target_vocabulary : dict from str to int
        In both "<pad>" is 0, "<unk>" 1, "<bos>" 2 and "<eos>" 3.
    longest_source : int
        Words and marks of the longest sentence that it was trained on.
    max_len : int
        The largest number of tokens that it writes, "<eos>" included.
    """

    source_embedding: np.ndarray
    target_embedding: np.ndarray
    encoder: tuple
    decoder: tuple
    output_projection: np.ndarray | None
    n_heads: int
    source_vocabulary: dict
    target_vocabulary: dict
    longest_source: int
    max_len: int


class Sizes(NamedTuple):
    """The sizes of a Transformer; the values are those of the trained one."""

    d_model: int = 64
    n_heads: int = 4
    d_ff: int = 128
    n_layers: int = 2


SIZES = Sizes()


def init_model(rng, source_vocabulary, target_vocabulary, sizes=SIZES, tied=True, noise=0.0, lengths=(20, 20)):
    """Draw the parameters of a Transformer.

    Parameters
    ----------
    rng : numpy.random.Generator
    source_vocabulary, target_vocabulary : dict from str to int
    sizes : Sizes
    tied : bool
        Whether the target's embedding makes the logits, too.
    noise : float
        Standard deviation of what is added to biases, gammas and betas.
    lengths : tuple of (int, int)
        `Model.longest_source` and `Model.max_len`.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        If a size is not positive or d_model is not divisible by n_heads.
    """
    d_model, n_heads, d_ff, n_layers = sizes
    layer = (rng, d_model, n_heads, d_ff, noise)

    def vectors(count):
        # times the root of d_model, they have entries of standard deviation 1, as the positions have entries up to 1
        return rng.normal(scale=d_model**-0.5, size=(count, d_model))

    return Model(
        source_embedding=vectors(len(source_vocabulary)),
        target_embedding=vectors(len(target_vocabulary)),
        encoder=tuple(init_encoder_layer(*layer) for _ in range(n_layers)),
        decoder=tuple(init_decoder_layer(*layer) for _ in range(n_layers)),
        output_projection=None if tied else vectors(len(target_vocabulary)).T.copy(),
        n_heads=n_heads,
        source_vocabulary=source_vocabulary,
        target_vocabulary=target_vocabulary,
        longest_source=lengths[0],
        max_len=lengths[1],
    )


def prepare_sentence(sentence, model):
    """Turn a typed English sentence into words that a model knows.

    Parameters
    ----------
    sentence : str
    model : Model

    Returns
    -------
    str
        Words and marks in lower case, separated by spaces, with a full stop or question mark: "i like cats ."

    Raises
    ------
    ValueError
        If there is no word, more than one sentence, an unknown word, or more words than in any sentence that the
        model was trained on.
    """
    text = normalise(sentence)
    words = text.split()
    if not words:
        raise ValueError(f"expected an English sentence, got {sentence!r}, which has no words")
    unknown = [word for word in dict.fromkeys(words) if word not in model.source_vocabulary]
    if unknown:
        raise ValueError(" ".join(_unknown_word(word, model.source_vocabulary) for word in unknown))
    if any(mark in words[:-1] for mark in ".?"):
        raise ValueError(f"expected one sentence at a time, got {text!r}")
    if len(words) > model.longest_source:
        raise ValueError(
            f"the sentence has {len(words)} words and marks, and the model has seen no sentence of more than "
            f"{model.longest_source}: make it shorter"
        )
    return text


def _unknown_word(word, vocabulary):
    known = [other for other in vocabulary if other not in SPECIAL and other.isalpha()]
    near = difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    advice = f"Words that look like it: {', '.join(near)}." if near else "No word that it knows looks like it."
    return f"The model does not know the word {word!r}. {advice}"


def written_sentence(token_ids, model):
    """Write the tokens that a model has chosen as a Spanish sentence.

    Parameters
    ----------
    token_ids : sequence of int
        Special tokens among them are left out.
    model : Model

    Returns
    -------
    str
        With a capital at the beginning: "Me gustan los gatos."
    """
    words = words_of(token_ids, model.target_vocabulary)
    return spanish_text([word for word in words if word not in SPECIAL])
