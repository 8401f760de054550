"""Small tables written as text."""


def rows(text):
    """Split a table into its rows and cells.

    Parameters
    ----------
    text : str
        One row per line, ``|`` between the cells; empty lines are skipped.

    Returns
    -------
    list of tuple of str
    """
    return [tuple(cell.strip() for cell in line.split("|")) for line in text.splitlines() if line.strip()]
