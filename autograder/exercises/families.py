"""Mistakes that several exercises share, each written once with its words."""

from autograder.exercises.wrong import WrongAnswers

# By id: what is taken for the layers, and the text.
SKIPPED = {
    "last-layer-missing": (
        "{}[:-1]",
        """The last layer is left out.
        As many steps are needed as there are layers. Does a slice or a range end too early?""",
    ),
    "first-layer-missing": (
        "{}[1:]",
        """The first layer is left out.
        Layers are counted from 0, and the one at 0 takes the embeddings. Does a slice or a range begin too late?""",
    ),
    "every-second-layer-missing": (
        "{}[::2]",
        """Every second layer is left out.
        Each layer takes what the one before it gives. Does a counter go up twice in one step?""",
    ),
    "two-layers-only": (
        "{}[:2]",
        """Only the first two layers are run.
        A model may have any number of layers: go through all that it has.""",
    ),
    "last-layer-again-and-again": (
        "{0}[-1:] * len({0})",
        """All layers use the parameters of the last one.
        The model has one entry for each layer. Which of them does your loop take?""",
    ),
}


def skip_layers(wrong: WrongAnswers, field: str) -> None:
    """Add the mistakes of a function that goes through other layers than those of its argument `model`.

    Parameters
    ----------
    wrong : WrongAnswers
    field : str
        That of the model with its layers.
    """
    exercise = wrong.exercise
    for id, (layers, text) in SKIPPED.items():
        model = f"model._replace({field}={layers.format(f'model.{field}')})"
        arguments = [model if name == "model" else name for name in exercise.signature.parameters]
        wrong(id, f"{exercise.name}({', '.join(arguments)})", text)
