"""Small tables written as text."""


def rows(text):
    """Split a table into its rows and cells.

    Parameters
    ----------
    text : str
        One row a line, ``|`` between the cells; empty lines count for nothing.

    Returns
    -------
    list of tuple of str
    """
    return [tuple(cell.strip() for cell in line.split("|")) for line in text.splitlines() if line.strip()]
