"""Mistakes that several exercises share, each written once with its words."""

from autograder.exercises.wrong import WrongAnswers

# By id: what the model is taken to have, and the text.
OTHER_MODELS = {
    "last-layer-missing": (
        "{field}=model.{field}[:-1]",
        """The last layer is left out.
        As many steps are needed as there are layers. Does a slice or a range end too early?""",
    ),
    "first-layer-missing": (
        "{field}=model.{field}[1:]",
        """The first layer is left out.
        Layers are counted from 0, and the one at 0 takes the embeddings. Does a slice or a range begin too late?""",
    ),
    "every-second-layer-missing": (
        "{field}=model.{field}[::2]",
        """Every second layer is left out.
        Each layer takes what the one before it gives. Does a counter go up twice in one step?""",
    ),
    "two-layers-only": (
        "{field}=model.{field}[:2]",
        """Only the first two layers are run.
        A model may have any number of layers: go through all that it has.""",
    ),
    "last-layer-again-and-again": (
        "{field}=model.{field}[-1:] * len(model.{field})",
        """All layers use the parameters of the last one.
        The model has one entry for each layer. Which of them does your loop take?""",
    ),
    "one-layer-again-and-again": (
        "{field}=model.{field}[:1] * len(model.{field})",
        """All layers use the parameters of the first one.
        model.{field} has one entry per layer.""",
    ),
    "layers-reversed": (
        "{field}=model.{field}[::-1]",
        """The layers are run in reverse order.
        The first entry of model.{field} is the layer at the bottom, which takes the embeddings.""",
    ),
    "one-head": (
        "n_heads=1",
        """The layers are run with one head.
        The number of heads is model.n_heads. The shapes fit for every number that divides the width.""",
    ),
    "four-heads": (
        "n_heads=4",
        """The number of heads is fixed at 4.
        Models differ in that, too. model.n_heads says how many there are.""",
    ),
}

SKIPPED = (
    *("last-layer-missing", "first-layer-missing", "every-second-layer-missing"),
    *("two-layers-only", "last-layer-again-and-again"),
)


def take_other_models(wrong: WrongAnswers, field: str, *ids: str) -> None:
    """Add mistakes of a function that goes through other layers than those of its argument `model`, or runs them so.

    Parameters
    ----------
    wrong : WrongAnswers
    field : str
        That of the model with its layers.
    *ids : str
        Of `OTHER_MODELS`.
    """
    exercise = wrong.exercise
    for id in ids:
        other, text = (words.format(field=field) for words in OTHER_MODELS[id])
        arguments = [f"model._replace({other})" if name == "model" else name for name in exercise.signature.parameters]
        wrong(id, f"{exercise.name}({', '.join(arguments)})", text)
