"""Parameters as a tree: arrays, by name, in nested named tuples."""

import math

import numpy as np


def named_arrays(tree, prefix=""):
    """List the arrays of a tree by their names.

    Parameters
    ----------
    tree : named tuple or tuple
        Of arrays, other trees, and anything else, which is left out.
    prefix : str
        What all names begin with.

    Returns
    -------
    dict from str to ndarray
        In the order of the fields; a name is such as ``"encoder.0.attention.W_Q"``.
    """
    found = {}
    for name, branch in zip(_names(tree), tree, strict=True):
        if isinstance(branch, np.ndarray):
            found[prefix + name] = branch
        elif isinstance(branch, tuple):
            found |= named_arrays(branch, f"{prefix}{name}.")
    return found


def with_arrays(tree, arrays):
    """Put other arrays in the place of those of a tree.

    Parameters
    ----------
    tree : named tuple or tuple
    arrays : iterable of ndarray
        As many as the tree has, in its order.

    Returns
    -------
    named tuple or tuple
        Of the same type; what is no array stays.
    """
    arrays = iter(arrays)

    def rebuilt(branch):
        if isinstance(branch, np.ndarray):
            return next(arrays)
        if not isinstance(branch, tuple):
            return branch
        parts = [rebuilt(part) for part in branch]
        return type(branch)(*parts) if hasattr(branch, "_fields") else tuple(parts)

    return rebuilt(tree)


def flatten(tree, dtype=None):
    """Return all arrays of a tree end to end.

    Parameters
    ----------
    tree : named tuple or tuple
    dtype : dtype, optional

    Returns
    -------
    ndarray of shape (n_parameters,)
    """
    return np.concatenate([array.ravel() for array in named_arrays(tree).values()], dtype=dtype)


def unflatten(tree, flat):
    """Cut a flat array into the shapes of a tree.

    Parameters
    ----------
    tree : named tuple or tuple
    flat : ndarray of shape (n_parameters,)

    Returns
    -------
    named tuple or tuple
        Like `tree`; its arrays are views of `flat`.
    """
    shapes = [array.shape for array in named_arrays(tree).values()]
    parts = np.split(flat, np.cumsum([math.prod(shape) for shape in shapes])[:-1])
    return with_arrays(tree, (part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def _names(tree):
    return getattr(tree, "_fields", None) or [str(i) for i in range(len(tree))]
