"""Files of this package, by their paths in it. In a file that a learner takes home `take_home.embedded` stands in."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent


def content(name):
    """Return what is in a file.

    Parameters
    ----------
    name : str
        Its path below `transformer_kit`, such as ``"trained/weights/smoothed.npz"``.

    Returns
    -------
    bytes
    """
    return (ROOT / name).read_bytes()
