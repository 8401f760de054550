"""Numbers, places and ranges in words: what the text alternatives are made of."""

import math


def number(value):
    """Write one number with three significant digits: ``0.0974``, ``-2``, ``1.7e-05``, ``True``."""
    if isinstance(value, (bool, int)):
        return str(value)
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, (bool, int)):
        return str(value)
    if math.isfinite(value) and float(value).is_integer() and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.3g}"


def numbers(values):
    """Write several numbers, separated by commas."""
    return ", ".join(number(value) for value in values)


def name(labels, index):
    """Name a row or column by its label, or by its index where there are none."""
    return str(index) if labels is None else str(labels[index])


def ranges(indices):
    """Write rising indices briefly: ``0 to 3, 5``."""
    runs = []
    for index in indices:
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in runs)


def cell_format(values):
    """Choose one format for all the cells of a small table, so that their digits line up.

    Parameters
    ----------
    values : ndarray
        Finite entries of the table.

    Returns
    -------
    callable
        From one entry to its text of about three significant digits of the largest entry.
    """
    largest = float(abs(values).max()) if values.size else 0.0
    if values.dtype.kind in "iub" or (largest < 1e4 and (values == values.round()).all()):
        return lambda value: _spelled(value, "d")
    if not 1e-3 <= largest < 1e4:
        return lambda value: _spelled(value, ".0e")
    decimals = min(max(2 - math.floor(math.log10(largest)), 0), 4)
    return lambda value: _spelled(value, f".{decimals}f")


def _spelled(value, code):
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    text = format(int(value) if code == "d" else float(value), code)
    return text.lstrip("-") if float(text) == 0 else text  # no "-0.00"
