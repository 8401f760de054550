"""Values within values."""


def leaves(value):
    """Yield what tuples, lists and the values of dictionaries hold, however deep; anything else is its own leaf.

    Parameters
    ----------
    value : object
        Not one that holds itself.
    """
    if isinstance(value, tuple | list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from leaves(entry)
    else:
        yield value
