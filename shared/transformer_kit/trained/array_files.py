"""Files of named arrays (.npz), read without pickle, and written whole or not at all."""

import zipfile
import zlib

import numpy as np

DAMAGE = (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, zlib.error)


def read_arrays(path):
    """Read all arrays of a file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict from str to ndarray

    Raises
    ------
    ValueError
        If the file is damaged or holds something other than arrays.
    """
    try:
        with path.open("rb") as stream:
            return arrays_of(stream)
    except DAMAGE as error:
        raise ValueError(f"{path} is damaged, or is not a file of arrays ({error})") from error


def arrays_of(stream):
    """Read all arrays of an open file; a damaged one raises one of `DAMAGE`.

    Parameters
    ----------
    stream : binary file

    Returns
    -------
    dict from str to ndarray
    """
    with np.load(stream, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def write_arrays(path, arrays, compress=True):
    """Write arrays to a file; an interruption leaves the old file as it was.

    Parameters
    ----------
    path : Path
        Ends in ".npz".
    arrays : dict from str to array_like
    compress : bool
        Smaller, and slower to write.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")  # not .npz, which readers look for
    with unfinished.open("wb") as file:
        (np.savez_compressed if compress else np.savez)(file, **arrays)
    unfinished.replace(path)
