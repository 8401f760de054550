"""The file of nbgrader's gradebook: made where there is none, completed where it was left half made; its errors."""

from pathlib import Path

from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, make_url

from autograder.file_errors import full, is_a_folder, is_full
from autograder.whole_file import replacing

BUSY, CLOSED = "database is locked", ("readonly database", "unable to open")


class CannotUse(Exception):
    """The gradebook cannot be read or written; the message is a sentence that says why, and what to do."""


def in_words(error, url):
    """Return an error of the database as a sentence.

    Parameters
    ----------
    error : sqlalchemy.exc.DatabaseError
    url : str
        Of the gradebook.

    Returns
    -------
    str
    """
    url = make_url(url)
    why = str(error.orig)
    if url.get_backend_name() != "sqlite":
        return f"the gradebook at {url.render_as_string()} does not work: {why}"
    if is_full(why):
        return full(url.database)
    if Path(url.database).is_dir():
        return is_a_folder(url.database)
    if BUSY in why:
        return f"another program is writing to {url.database}. Wait until it is done, or close it, and run this again."
    if any(words in why for words in CLOSED):
        return f"{url.database} may not be written to: {why}. Give yourself the right to, and run this again."
    return (
        f"{url.database} is damaged ({why}). Put back a backup, or set it aside under another name and grade again, "
        "which makes a new one. Then points and comments that people had given are named, as far as a page shows them."
    )


def create_or_complete(url):
    """Create an empty gradebook where there is none, and complete one that was left half made.

    nbgrader does this by calling the program `alembic`; where that is not found, the tables lack their version.
    """
    url = make_url(url)
    if url.get_backend_name() != "sqlite":
        return  # a database server, which the instructor has prepared
    path = Path(url.database)
    if path.exists():
        _complete(url)
    else:
        with replacing(path) as draft:
            _complete(url.set(database=str(draft)))


def _complete(url):
    """Create the missing tables, and note their version where none is noted."""
    engine = create_engine(url)
    with engine.begin() as connection:
        context = MigrationContext.configure(connection)
        if context.get_current_revision() is None:
            alembic = AlembicConfig()
            alembic.set_main_option("script_location", ALEMBIC_DIR.replace("%", "%%"))
            Base.metadata.create_all(connection)
            context.stamp(ScriptDirectory.from_config(alembic), "head")
    engine.dispose()
