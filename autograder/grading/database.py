"""The file of nbgrader's gradebook: made and completed, its errors, and who is deleted from it."""

from pathlib import Path

from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base, Gradebook, MissingEntry, Student
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from autograder.file_errors import full, is_a_folder, is_full
from autograder.whole_file import replacing

BUSY, CLOSED = "database is locked", ("readonly database", "unable to open")


class CannotUse(Exception):
    """The gradebook cannot be read or written; the message is a sentence that says why, and what to do."""


def in_words(error: DatabaseError, url: str) -> str:
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
    place = make_url(url)
    file = place.database
    why = str(error.orig)
    if place.get_backend_name() != "sqlite" or not file:
        return f"the gradebook at {place.render_as_string()} does not work: {why}"
    if is_full(why):
        return full(file)
    if Path(file).is_dir():
        return is_a_folder(file)
    if BUSY in why:
        return f"another program is writing to {file}. Wait until it is done, or close it, and run this again."
    if any(words in why for words in CLOSED):
        return f"{file} may not be written to: {why}. Give yourself the right to, and run this again."
    return (
        f"{file} is damaged ({why}). Put back a backup, or set it aside under another name and grade again, "
        "which makes a new one. Then points and comments that people had given are named, as far as a page shows them."
    )


def create_or_complete(url: str) -> None:
    """Create an empty gradebook where there is none, and complete one that was left half made.

    nbgrader does this by calling the program `alembic`; where that is not found, the tables lack their version.
    """
    place = make_url(url)
    if place.get_backend_name() != "sqlite" or not place.database:
        return  # a database server, which the instructor has prepared
    path = Path(place.database)
    if path.exists():
        _complete(place)
    else:
        with replacing(path) as draft:
            _complete(place.set(database=str(draft)))


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


def forget_in_copy(path: Path, student: str) -> bool:
    """Delete a student from a gradebook that was set aside, if it is one; return whether there was one."""
    try:
        with Gradebook(f"sqlite:///{path}") as book:
            return forget_student(book, student)
    except (DatabaseError, MissingEntry):  # no gradebook, or one of an older nbgrader
        return False


def forget_student(book: Gradebook, student: str) -> bool:
    """Delete a student, with no trace left in the file; return whether there was one."""
    if student not in {id for (id,) in book.db.query(Student.id)}:
        return False
    book.remove_student(student)
    if _is_file(book.db):  # which keeps what is deleted until it is overwritten
        with book.db.get_bind().execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("VACUUM"))
    return True


def number_of(db: Session) -> int | None:
    """Return the number that SQLite keeps in a file for its users; None for another database."""
    return db.execute(text("PRAGMA user_version")).scalar() if _is_file(db) else None


def set_number(db: Session, number: int) -> None:
    """Set the number of a file, and save it."""
    db.execute(text(f"PRAGMA user_version = {number:d}"))
    db.commit()


def _is_file(db):
    return db.get_bind().dialect.name == "sqlite"
