"""Specification of `count_transformer_parameters`."""

from autograder.exercises.unit_09_transformer.count_transformer_parameters_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.count_transformer_parameters,
    asks="how many numbers a Transformer learns that has one table for source, target and output.",
    returns=(Output("count"),),
    where=SECTION,
    mistakes=MISTAKES,
)


def _sizes(rng):
    """Draw sizes that differ from each other; d_ff is not four times d_model."""
    d_model = 2 * int(rng.integers(6, 40))
    return int(rng.integers(100, 1000)), d_model, 3 * d_model + int(rng.integers(1, 9)), int(rng.integers(3, 9))


@EXERCISE.claim(1)
def table(call, rng):
    """one table of embeddings, and nothing else without layers"""
    vocab_size, d_model, d_ff, _ = _sizes(rng)
    call.agrees(vocab_size, d_model, d_ff, 0)
    call.agrees(vocab_size + 1, d_model, d_ff, 0)


@EXERCISE.claim(1)
def layers(call, rng):
    """what one more layer in the encoder and in the decoder adds"""
    vocab_size, *rest, n_layers = _sizes(rng)
    sizes = vocab_size, *rest
    more, fewer = (call(*sizes, n) for n in (n_layers + 1, n_layers))
    call.holds(all(isinstance(n, int) for n in (more, fewer)), f"expected integers, got {more} and {fewer}.")
    right = reference.count_transformer_parameters(*sizes, 1) - reference.count_transformer_parameters(*sizes, 0)
    text = f"one more layer in each stack adds {more - fewer} parameters, expected {right}."
    call.holds(more - fewer == right, text)


@EXERCISE.claim(1)
def whole(call, rng):
    """the whole model, up to the size of the paper's"""
    call.agrees(*_sizes(rng))
    call.agrees(vocab_size=37000 + int(rng.integers(1000)), d_model=512, d_ff=2048, n_layers=6)
