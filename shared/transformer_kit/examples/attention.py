"""Worked examples of attention: inputs and right numbers, and two printed examples that hold errors."""

from typing import NamedTuple

import numpy as np


class Poem(NamedTuple):
    """Self-attention of three words with d_model = d_k = d_v = 2; right numbers are rounded to six decimals."""

    tokens: tuple
    X: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    products: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


POEM = Poem(
    tokens=("write", "a", "poem"),
    X=np.array([[1.16, 0.23], [0.57, 1.36], [4.41, -2.16]]),
    W_Q=np.array([[0.54, -0.17], [0.59, 0.65]]),
    W_K=np.array([[-0.15, -0.34], [0.14, 0.42]]),
    W_V=np.array([[0.62, 0.61], [-0.52, 0.13]]),
    Q=np.array([[0.7621, -0.0477], [1.1102, 0.7871], [1.1070, -2.1537]]),
    K=np.array([[-0.1418, -0.2978], [0.1049, 0.3774], [-0.9639, -2.4066]]),
    V=np.array([[0.5996, 0.7375], [-0.3538, 0.5245], [3.8574, 2.4093]]),
    products=np.array(
        [[-0.093861, 0.061942, -0.619793], [-0.391825, 0.413512, -2.964357], [0.484399, -0.696682, 4.116057]]
    ),
    scores=np.array(
        [[-0.066370, 0.043800, -0.438260], [-0.277062, 0.292397, -2.096117], [0.342522, -0.492629, 2.910492]]
    ),
    weights=np.array([[0.356392, 0.397900, 0.245707], [0.341356, 0.603283, 0.055361], [0.069094, 0.029973, 0.900933]]),
    output=np.array([[1.020708, 1.063521], [0.204785, 0.701553], [3.506083, 2.237296]]),
)


class Cats(NamedTuple):
    """Two queries over "I like cats" with d_k = 4, where K = V = E; `printed_*` is what was published."""

    tokens: tuple
    Q: np.ndarray
    E: np.ndarray
    products: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray
    printed_products: np.ndarray
    printed_scores: np.ndarray
    printed_weights: np.ndarray
    printed_output: np.ndarray

    def __repr__(self):
        """Show what was published, and none of the answers to the questions about it."""
        return self.printed

    @property
    def printed(self):
        """What was published, one line for each step."""
        lines = {
            "Q =": self.Q,
            "E =": self.E,
            "1. Q Kᵀ": self.printed_products,
            "2. divided by 2": self.printed_scores,
            "3. softmax": self.printed_weights,
            "4. times V": self.printed_output,
        }
        return "\n".join(f"{line:16} {numbers.tolist()}" for line, numbers in lines.items())


CATS = Cats(
    tokens=("I", "like", "cats"),
    Q=np.array([[0.2, 0.4, 0.6, 0.8], [0.1, 0.3, 0.5, 0.7]]),
    E=np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]]),
    products=np.array([[0.6, 1.4, 2.2], [0.5, 1.14, 1.78]]),
    scores=np.array([[0.3, 0.7, 1.1], [0.25, 0.57, 0.89]]),
    weights=np.array([[0.211983, 0.316241, 0.471776], [0.233994, 0.322240, 0.443766]]),
    output=np.array([[0.603917, 0.703917, 0.803917, 0.903917], [0.583909, 0.683909, 0.783909, 0.883909]]),
    printed_products=np.array([[0.3, 0.7, 1.1], [0.26, 0.62, 0.98]]),
    printed_scores=np.array([[0.15, 0.35, 0.55], [0.13, 0.31, 0.49]]),
    printed_weights=np.array([[0.2, 0.3, 0.5], [0.25, 0.35, 0.4]]),
    printed_output=np.array([[0.62, 0.72, 0.82, 0.92], [0.65, 0.75, 0.85, 0.95]]),
)


class WideCats(NamedTuple):
    """The four columns of V that a printed example with 512 columns shows, and what it printed from them."""

    V: np.ndarray
    printed_scores: np.ndarray
    printed_weights: np.ndarray
    printed_output: np.ndarray


WIDE_CATS = WideCats(
    V=np.array([[0.1, 0.3, 0.5, 0.8], [0.2, 0.4, 0.6, 0.9], [0.3, 0.5, 0.7, 1.0]]),
    printed_scores=np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]),
    printed_weights=np.array([[0.4, 0.3, 0.3], [0.5, 0.3, 0.2]]),
    printed_output=np.array([[0.2, 0.5, 0.7, 0.9], [0.3, 0.6, 0.8, 1.0]]),
)
