"""Known mistakes that go unnoticed at first, one for an exercise: see `Lookalike`."""

from autograder.exercises.unit_06_feed_forward import calls
from autograder.specification import Lookalike

RELU = Lookalike(
    "clipped-at-6",
    "relu(np.array([-1.0, 0.0, 2.0]))",
    "How far up does the line go on?",
)
GELU = Lookalike(
    "dip-cut-off",
    "gelu(np.array([0.0, 0.5, 2.0]))",
    "Look at the curve: on which side of 0 have you not tried it?",
)
POSITION_WISE_FFN = Lookalike(
    "always-relu",
    calls.POSITION_WISE_FFN[0],
    "Which argument has a default, and what else can it be?",
)
COLLAPSE_LINEAR = Lookalike(
    "relu-on-the-bias",
    calls.COLLAPSE_LINEAR[0].replace("-2.0, 0.5])\nW_2", "2.0, 0.5])\nW_2"),
    "Which signs have the numbers in `b_1`?",
)
FFN_BACKWARD = Lookalike(
    "open-at-0",
    calls.FFN_BACKWARD[0].replace("[-1.0, 0.5]]), params", "[-1.0, 3.0]]), params"),
    "ReLU has a corner. Which hidden number is exactly there?",
)
COUNT_LAYER_PARAMETERS = Lookalike(
    "matrices-four-times-as-wide",
    "count_layer_parameters(512, 2048)",
    "What is special about 512 and 2048?",
)
SWIGLU = Lookalike(
    "two-exponentials",
    "swiglu(np.array([[1.0, -2.0]]), np.eye(2), np.eye(2), np.eye(2))",
    "How large can the gate become before its activation?",
)
