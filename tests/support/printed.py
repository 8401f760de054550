"""What cells of a notebook print, on the course's solutions."""

import io
from contextlib import redirect_stdout

from tools.course import notebook, solution_functions


def printed_by(unit_id, *starts):
    """Run the cells of a notebook that begin in some ways, after its imports and its functions.

    Parameters
    ----------
    unit_id : str
    *starts : str
        Of the sources of cells, each of exactly one.

    Returns
    -------
    list of str
        The lines that they print.
    """
    with redirect_stdout(io.StringIO()):  # what `load` says
        space = solution_functions(unit_id)
    cells = [cell.source for cell in notebook(unit_id).cells if cell.cell_type == "code"]
    told = io.StringIO()
    for start in starts:
        (source,) = (cell for cell in cells if cell.startswith(start))
        with redirect_stdout(told):
            exec(source, space)
    return told.getvalue().splitlines()
