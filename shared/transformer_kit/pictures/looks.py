"""Which words a word of a typed sentence looks at, in one head of the trained model."""

from transformer_kit.experiments.whole_model.one_head import one_head
from transformer_kit.pictures.asked import NothingToDraw, computed, or_message
from transformer_kit.plots import bars
from transformer_kit.reference import scaled_dot_product_attention


@or_message
def looks(attention, sentence, word="it"):
    """Draw the weights that one word of a sentence gives to all its words.

    Parameters
    ----------
    attention : callable
        The learner's `scaled_dot_product_attention`.
    sentence : str
    word : str
        Its first place in the sentence counts.

    Returns
    -------
    DescribedFigure or Message
        A message where the model cannot read the sentence, or the function returns nothing that could be drawn.
    """
    try:
        words, *arrays = one_head(sentence)
    except ValueError as error:
        raise NothingToDraw(str(error)) from None
    if word.lower() not in words:
        raise NothingToDraw(f"There is no “{word}” in “{' '.join(words)}”.")
    weights, verdict = computed(attention, arrays, scaled_dot_product_attention(*arrays), pick=1)
    title = f"Where “{word}” looks" + ("" if verdict == "same numbers" else f" ({verdict})")
    row, alt = weights[words.index(word.lower())], f"The sentence: {' '.join(words)}"
    return bars(row, words, title=title, y_label="weight", limits=(0, 1), alt=alt)
