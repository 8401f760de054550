"""Wrong ways through the layers of a model: some are left out, or one is taken for all."""


def add_skips(mistakes, right, field, where):
    """Add what becomes of a function that goes through other layers than those of the model.

    Parameters
    ----------
    mistakes : KnownMistakes
    right : function
        The reference; it takes a `model`, as its last argument.
    field : str
        That of the model with its layers.
    where : str
        The heading to read again.
    """

    def taking(select, described):
        def wrong(*args, model=None):
            *args, model = (*args, model) if model else args
            return right(*args, model._replace(**{field: select(getattr(model, field))}))

        wrong.__name__, wrong.__doc__ = described.__name__, described.__doc__
        return wrong

    for described, select in SKIPS.items():
        mistakes.add(where=where)(taking(select, described))


def last_layer_missing():
    """The last layer is left out.

    As many steps are needed as there are layers. Does a slice or a range end too early?
    """


def first_layer_missing():
    """The first layer is left out.

    Layers are counted from 0, and the one at 0 takes the embeddings. Does a slice or a range begin too late?
    """


def every_second_layer_missing():
    """Every second layer is left out.

    Each layer takes what the one before it gives. Does a counter go up twice in one step?
    """


def two_layers_only():
    """Only the first two layers are run.

    A model may have any number of layers: go through all that it has.
    """


def last_layer_again_and_again():
    """All layers use the parameters of the last one.

    The model has one entry for each layer. Which of them does your loop take?
    """


SKIPS = {
    last_layer_missing: lambda layers: layers[:-1],
    first_layer_missing: lambda layers: layers[1:],
    every_second_layer_missing: lambda layers: layers[::2],
    two_layers_only: lambda layers: layers[:2],
    last_layer_again_and_again: lambda layers: layers[-1:] * len(layers),
}
