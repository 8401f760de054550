"""Mistakes that `attention_scores` and `scaled_dot_product_attention` share: what the dot products are divided by."""

from autograder.exercises.wrong import WrongAnswers

D_MODEL = """Your function divides by the square root of d_model.
    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given."""

# By id: the divisor, and the text.
DIVISORS = {
    "multiplies": (
        "(1 / math.sqrt(Q.shape[-1]))",
        """The scores come out multiplied by the square root of d_k, not divided by it.
        The dot products of wide vectors are too large already; this makes the softmax saturate sooner. Dividing by
        `d_k ** -0.5` is multiplying by the root.""",
    ),
    "root-of-d-model-512": ("math.sqrt(512)", D_MODEL),
    "root-of-d-model-heads": ("math.sqrt(math.prod(Q.shape[-3:-2]) * Q.shape[-1])", D_MODEL),
    "root-of-d-model-eight-heads": ("math.sqrt(8 * Q.shape[-1])", D_MODEL),
    "root-of-n-keys": (
        "math.sqrt(K.shape[-2])",
        """Your function divides by the square root of the number of keys.
        The number of keys says how many scores a query gets, not how many terms each of them has.""",
    ),
    "root-of-first-axis": (
        "math.sqrt(Q.shape[0])",
        """Your function divides by the square root of the length of the first axis of Q.
        Without leading axes that is the number of queries, with a batch it is the size of the batch. Count the axes
        from the end.""",
    ),
    "root-of-second-axis": (
        "math.sqrt(Q.shape[1])",
        """Your function takes d_k from axis 1 of Q.
        Axis 1 holds d_k only while there are no leading axes. Count the axes from the end.""",
    ),
}
ROOTS_OF_SIZES = "root-of-d-model-512", "root-of-d-model-heads", "root-of-d-model-eight-heads", "root-of-n-keys"


def take_other_divisors(wrong: WrongAnswers, words: str, form: str, *ids: str) -> None:
    """Add mistakes of a function that divides by something else than the square root of d_k.

    Parameters
    ----------
    wrong : WrongAnswers
    words, form : str
        The words of the reference to replace, and what takes their place, with the divisor for "{}".
    *ids : str
        Of `DIVISORS`.
    """
    for id in ids:
        divisor, text = DIVISORS[id]
        wrong(id, {words: form.format(divisor)}, text)
