"""What a rule finds, and how much of a limit is used, as lines to print."""

from typing import NamedTuple


class Finding(NamedTuple):
    """A place that breaks a rule, with what to do about it."""

    path: str
    line: int
    what: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}"


class Used(NamedTuple):
    """How much of a limit something uses."""

    name: str
    used: int
    limit: int

    @property
    def left(self):
        return self.limit - self.used


def table(title: str, rows: list[Used]) -> list[str]:
    """Return the lines of a table, in which what has the least room comes first."""
    rows = sorted(rows, key=lambda row: (row.left, row.name))
    width = max(len(title), *(len(row.name) for row in rows))
    return [
        f"{title:{width}}   used  limit   left",
        *(f"{row.name:{width}} {row.used:6,} {row.limit:6,} {row.left:6,}" for row in rows),
    ]
