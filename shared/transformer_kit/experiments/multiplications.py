"""Count the multiplications that a function makes with the matrices of a model."""

import math

import numpy as np

from transformer_kit.parameters.tree import named_arrays, with_arrays


class CountedArray(np.ndarray):
    """A parameter that counts the multiplications of every matrix product that it takes part in.

    The results are plain arrays. So products of results with each other, such as queries times keys, do not count,
    in whatever style they are written.
    """

    total = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        result = getattr(ufunc, method)(*map(_plain, inputs), **options)
        if ufunc is np.matmul:
            _count(np.size(result) * np.shape(inputs[0])[-1])
        return result

    def __array_function__(self, function, types, arguments, options):
        if function not in (np.dot, np.einsum):
            return super().__array_function__(function, types, arguments, options)
        result = function(*map(_plain, arguments), **options)
        dot = function is np.dot
        _count(np.size(result) * np.shape(arguments[0])[-1] if dot else _multiplications_of_einsum(*arguments))
        return result


def count_multiplications(function, *arguments):
    """Call a function, and count its multiplications with entries of weight matrices.

    Parameters
    ----------
    function : callable
    *arguments : object
        Arrays of a `Model` among them are watched.

    Returns
    -------
    count : int
        In the products ``@``, `numpy.matmul`, `numpy.dot` and `numpy.einsum` in which a parameter takes part.
    result : object
        What the function returns.
    """
    before = CountedArray.total
    result = function(*(_watched(argument) for argument in arguments))
    return CountedArray.total - before, result


def _watched(argument):
    """Return a model whose arrays count, and anything else as it is."""
    if not hasattr(argument, "n_heads"):
        return argument
    return with_arrays(argument, (array.view(CountedArray) for array in named_arrays(argument).values()))


def _count(number):
    CountedArray.total += number


def _plain(argument):
    return argument.view(np.ndarray) if isinstance(argument, CountedArray) else argument


def _multiplications_of_einsum(subscripts, *operands):
    """Multiply the sizes of all indices; for products of two arrays."""
    inputs = subscripts.replace(" ", "").split("->")[0].split(",")
    sizes = {}
    for letters, operand in zip(inputs, operands, strict=True):
        before, dots, after = letters.partition("...")
        shape = np.shape(operand)
        n_named = len(before) + len(after)
        ends = shape[: len(before)] + shape[len(shape) - len(after) :]
        sizes |= dict(zip(before + after, ends, strict=True))
        if dots:
            leading = shape[len(before) : len(before) + len(shape) - n_named]
            sizes["..."] = max(sizes.get("...", 1), math.prod(leading))
    return math.prod(sizes.values())
