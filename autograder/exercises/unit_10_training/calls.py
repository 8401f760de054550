"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

SHIFT_RIGHT = ("shift_right(np.array([[5, 7, 1]]), 3)",)
SMOOTH_LABELS = ("smooth_labels(np.array([[0, 1], [2, 1]]), 3, 0.3)",)
_PADDED = """\
logits = np.array([[[1.0, 2.0], [0.5, -1.0]], [[2.0, 1.0], [3.0, 0.0]]])
target_distribution = np.array([[[0.0, 1.0], [0.5, 0.5]], [[1.0, 0.0], [0.25, 0.75]]])
is_token = np.array([[True, True], [True, False]])

"""
CROSS_ENTROPY = (
    _PADDED + "cross_entropy(logits, target_distribution, is_token)",
    "cross_entropy(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0]]))",
)
CROSS_ENTROPY_BACKWARD = (
    _PADDED + "cross_entropy_backward(logits, target_distribution, is_token)",
    "cross_entropy_backward(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0]]))",
)
ADAM_UPDATE = ("adam_update(np.array([1.0]), np.array([0.5]), np.array([0.25]), np.array([0.125]), step=2, lr=0.1)",)
_TRAINING = """\
from transformer_kit.parameters import SentencePairs, TrainingSettings, TrainingState

state = TrainingState({}, np.array([0.5, -1.0, 2.0]), np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6]))
batch = SentencePairs(np.array([[2, 1]]), np.array([[1, 2]]), np.array([[True, {}]]))
settings = TrainingSettings(bos_id=0, epsilon={}, d_model=4, warmup_steps=8)

def forward(params, source_ids, decoder_ids):
    return params * (1 + decoder_ids[..., None] + source_ids[..., None] ** 2)
def backward(d_logits, params, source_ids, decoder_ids):
    return (d_logits * (1 + decoder_ids[..., None] + source_ids[..., None] ** 2)).sum(axis=(0, 1))

train_step(state, batch, forward, backward, settings)"""
TRAIN_STEP = (
    _TRAINING.format(3, True, 0.0),
    _TRAINING.format(3, True, 0.3),
    _TRAINING.format(3, False, 0.0),
    _TRAINING.format(0, True, 0.3),
)
