"""The file of nbgrader's gradebook: made where there is none, and completed where it was left half made."""

from pathlib import Path

from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, make_url

from autograder.whole_file import replacing


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
