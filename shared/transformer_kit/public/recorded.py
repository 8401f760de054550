"""What all-MiniLM-L6-v2 has said to the texts of unit 12, for whoever has not installed it."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit.trained.array_files import read_arrays, write_arrays
from transformer_kit.trained.model import ModelFileError

PATH = Path(__file__).with_name("recorded.npz")


class Recorded(NamedTuple):
    """Stands in for the model, for some texts.

    Attributes
    ----------
    vectors : dict from str to ndarray of shape (d_model,)
    pieces : dict from str to list of str
    weights : dict from str to ndarray of shape (n_layers, n_heads, n, n)
        Where every head looks.
    """

    vectors: dict
    pieces: dict
    weights: dict

    def of(self, texts, kind):
        """Return what is recorded of some texts, one after another.

        Parameters
        ----------
        texts : sequence of str
        kind : str
            "vectors", "pieces" or "weights".

        Raises
        ------
        ModelFileError
            If one of them is not recorded.
        """
        known = getattr(self, kind)
        for text in texts:
            if text not in known:
                raise ModelFileError(
                    f"what the model makes of {text!r} is not recorded. For texts of your own it has to be installed: "
                    "the text above says how"
                )
        return [known[text] for text in texts]


def load_recorded(path=PATH):
    """Load what was recorded.

    Returns
    -------
    Recorded
    """
    arrays = read_arrays(path)
    vectors = dict(zip(map(str, arrays["texts"]), arrays["vectors"].astype(np.float32), strict=True))
    texts = list(map(str, arrays["cut"]))
    pieces = {text: str(one).split() for text, one in zip(texts, arrays["pieces"], strict=True)}
    weights = {text: arrays[f"weights.{i}"] for i, text in enumerate(texts) if f"weights.{i}" in arrays}
    return Recorded(vectors, pieces, {text: one.astype(np.float32) for text, one in weights.items()})


def save_recorded(recorded, path=PATH):
    """Write a recording, in half precision.

    Parameters
    ----------
    recorded : Recorded
        Every text with weights has its pieces, too.
    path : Path
        Ends in ".npz".
    """
    cut = list(recorded.pieces)
    weights = {f"weights.{cut.index(text)}": one.astype(np.float16) for text, one in recorded.weights.items()}
    texts, vectors = list(recorded.vectors), np.stack(list(recorded.vectors.values())).astype(np.float16)
    pieces = np.array([" ".join(one) for one in recorded.pieces.values()])
    write_arrays(path, {"texts": np.array(texts), "vectors": vectors, "cut": np.array(cut), "pieces": pieces} | weights)
