"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_07_add_and_layer_norm import calls
from autograder.specification import Lookalike

LAYER_NORM = Lookalike(
    "difference-of-squares",
    "layer_norm(np.array([[1.0, 2.0, 4.0]]), np.ones(3), np.zeros(3))",
    "Adding the same number to all features changes nothing on paper. And in floating point, if that number is huge?",
)
POST_NORM = Lookalike(
    "token-by-token",
    "post_norm(np.eye(2, 3), np.tanh, np.ones(3), np.zeros(3))",
    "What kind of sub-layer does something else with a sequence than with its tokens one by one?",
)
PRE_NORM = Lookalike(
    "scaled-behind-the-sublayer",
    "pre_norm(np.eye(2, 3), np.sin, np.ones(3), np.zeros(3))",
    "What do a gamma of ones and a beta of zeros hide?",
)
ENCODER_LAYER = Lookalike(
    "keys-not-normed",
    calls.ENCODER_LAYER[0],
    "There are two arrangements of a layer. Which one did the first call use?",
)
LAYER_NORM_BACKWARD = Lookalike(
    "first-axis-only",
    "layer_norm_backward(np.array([[1.0, 0.0, 2.0]]), np.array([[1.0, 2.0, 4.0]]), np.ones(3))",
    "Over which axes are the gradients of gamma and beta summed? How many can there be?",
)
RMS_NORM = Lookalike(
    "over-everything",
    "rms_norm(np.array([[3.0, 4.0]]), np.ones(2))",
    "How many tokens were in the first call?",
)
