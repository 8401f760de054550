"""The folder that a site is built into."""

import shutil

MARK = "contents.html"  # a folder with this page is a site


def make_room(folder):
    """Delete an earlier site.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    FileExistsError
        If the folder holds something else than a site.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise FileExistsError(f"{folder} holds something else than a site: name another folder, or empty it")
    shutil.rmtree(folder, ignore_errors=True)
