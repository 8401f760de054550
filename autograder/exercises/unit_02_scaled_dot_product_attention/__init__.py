"""Unit 02: scaled dot-product attention and the softmax Jacobian."""

from autograder.exercise import Unit
from autograder.exercises.unit_02_scaled_dot_product_attention import softmax

UNIT = Unit(
    id="02_scaled_dot_product_attention",
    title="Scaled dot-product attention and the softmax Jacobian",
    minutes=90,
    exercises=(softmax.EXERCISE,),
)
