"""The hints of the frozen course, for tests of what opens them."""

HINTS = {
    "softmax": (
        {"title": "a question", "text": "Which number can you subtract from a row so that no exponent is above 0?"},
        {"title": "shapes", "text": "A sum over the last axis of (2, 3) has shape (2,). Look up `keepdims`."},
        {"title": "a plan", "text": "Subtract a maximum, then exponentiate, then normalise: each row by its own sum."},
    ),
    "relu": (
        {"title": "a question", "text": "Which of two numbers is larger?"},
        {"title": "shapes", "text": "The result has the shape of the input."},
        {"title": "a plan", "text": "Compare every number with 0."},
    ),
}
