"""The program that translates."""

from io import BytesIO

from transformer_kit.content import content
from transformer_kit.reference import translate
from transformer_kit.trained.array_files import arrays_of
from transformer_kit.trained.model import model_of

TRANSLATOR = "trained/weights/smoothed.npz"
EXAMPLE = "I like cats."
FILES = (TRANSLATOR,)


def translator():
    """Translate an English sentence of a beginner's phrase book into Spanish, such as: I like cats.

    Returns
    -------
    callable
        From words to a sentence.
    """
    model = model_of(arrays_of(BytesIO(content(TRANSLATOR))))

    def answer(words):
        return translate(" ".join(words), model)

    return answer
