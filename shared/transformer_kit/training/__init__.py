"""Training in NumPy, with backward passes written by hand."""

from transformer_kit.training.loop import Settings, batches, train
from transformer_kit.training.network import Batch, backward, forward, loss_and_gradients, make_batch
from transformer_kit.training.sublayers import Dropout

__all__ = [
    "Batch",
    "Dropout",
    "Settings",
    "backward",
    "batches",
    "forward",
    "loss_and_gradients",
    "make_batch",
    "train",
]
