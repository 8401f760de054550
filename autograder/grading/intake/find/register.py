"""The ids of a class's students: whoever has one keeps it, and no name can be made that claims another's."""

import hashlib
import hmac
import json
import re
import secrets
import unicodedata
from pathlib import Path
from typing import Any

from autograder.grading.intake.find.names import MAX_ID, spelled, student_id
from autograder.grading.intake.find.senders import Sender
from autograder.whole_file import write_atomically

CODE_LENGTH = 12  # hexadecimal digits
# lower-case letters, Cyrillic and Greek ones among them, and digits that are taken for others
CONFUSABLE = str.maketrans("аеорсухіјѕһԁԛԝοανικρτυχ01i", "aeopcyxljshdqwoavlkptuxoll")  # noqa: RUF001

Accounts = dict[str, str]  # a number by where it distinguishes students


class Register:
    """Which id was given to whom.

    Parameters
    ----------
    secret : bytes, optional
        Of the class: nobody can foresee the ids of those whose names are taken.
    given : dict, optional
        By id, the name and the accounts of its owner; an account is that of a platform's course or assignment. Also by
        unit, "came as", the whole name as a platform gave it, which it wants to see again. "units" has those that were
        handed in under nothing but a name.
    """

    def __init__(self, secret: bytes | None = None, given: dict[str, dict[str, Any]] | None = None) -> None:
        self.secret = secret or secrets.token_bytes(32)
        self.given = given or {}
        self.by_key = {confusable_key(id): id for id in self.given}

    def id_of(self, name: str, accounts: Accounts, several: bool = False) -> str:
        """Return somebody's id, a new one for somebody new.

        Parameters
        ----------
        name : str
        accounts : dict
            What distinguishes students of one name, by where it does; empty if nothing is known.
        several : bool
            Whether somebody else of this name is there as well: then the name alone proves nothing.
        """
        accounts = accounts or {"": ""}
        id = self._lookup(name, accounts, several)
        return self.admit(id, accounts) if id else self.new_id(name, accounts)

    def new_id(self, name: str, accounts: Accounts) -> str:
        """Return an id for somebody who has none; see `id_of`."""
        id = self._new(name, accounts)
        self.given[id] = {"name": name, "accounts": dict(accounts)}
        self.by_key[confusable_key(id)] = id
        return id

    def admit(self, id: str, accounts: Accounts) -> str:
        """Keep further accounts of somebody who has an id, and return it."""
        self.given[id]["accounts"].update(accounts)
        return id

    def note_name(self, id: str, unit: str, sender: Sender) -> None:
        """Keep the name of what somebody handed in for a unit, if a platform gave it."""
        if sender.label.platform:
            self.given[id].setdefault("came as", {})[unit] = sender.place[-1]

    def note_unit(self, id: str, unit: str, sender: Sender) -> None:
        """Keep that somebody has handed in a unit, if nothing but a name tells who it is."""
        if sender.is_written and unit not in self.given[id].get("units", ()):
            self.given[id].setdefault("units", []).append(unit)

    def lookup(self, name: str, accounts: Accounts) -> str:
        """Return the id of the one person who handed in before under a name and accounts; empty without one."""
        return self._lookup(name, accounts or {"": ""}, several=False)

    def id_like(self, name: str) -> str:
        """Return the id that looks like the one that a name would get; empty if there is none."""
        return self.by_key.get(confusable_key(student_id(name)), "")

    def write(self, path: str | Path) -> None:
        """Write the register for `read_register`."""
        write_atomically(Path(path), json.dumps(self.given, indent=1) + "\n")

    def _lookup(self, name, accounts, several):
        """Return the id that can only be this student's; empty where nobody or more than one student may be meant."""
        possible = []
        for id, owner in self.given.items():
            if spelled(owner["name"]) == spelled(name) and agree(owner["accounts"], accounts):
                possible.append(id)
        certain = [id for id in possible if accounts.keys() & self.given[id]["accounts"].keys()]
        if not certain and len(possible) == 1 and not several:
            certain = possible
        return certain[0] if certain else ""

    def _new(self, name, accounts):
        id = student_id(name)
        number = 0
        base = id.encode()[: MAX_ID - CODE_LENGTH - 1].decode(errors="ignore")
        while confusable_key(id) in self.by_key:
            message = json.dumps([name, accounts, number], sort_keys=True).encode()
            id = f"{base}-{hmac.digest(self.secret, message, hashlib.sha256).hex()[:CODE_LENGTH]}"
            number += 1
        return id


def read_register(path: str | Path, secret: bytes | None = None) -> Register:
    """Return the Register in a file, an empty one where there is none; the secret is that of the class.

    Raises
    ------
    ValueError
        If the file holds something else: without it, students might get each other's ids.
    """
    path = Path(path)
    if not path.exists():
        return Register(secret)
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        for owner in given.values():
            owner["name"], owner["accounts"].items()
    except (ValueError, AttributeError, KeyError, TypeError):
        raise ValueError(
            f"{path} should say which student has which id, and cannot be read. Take it from a backup. Without "
            "one, write {} into it: then students of similar names might get each other's ids."
        ) from None
    return Register(secret, given)


def confusable_key(id: str) -> str:
    """Return what is the same for ids that a person, or a file system, may take for each other."""
    text = unicodedata.normalize("NFKC", id).casefold().translate(CONFUSABLE)
    return re.sub(r"[._@-]+", "-", text).strip("-")


def agree(recorded: Accounts, accounts: Accounts) -> bool:
    """Return whether accounts can be those of somebody of whom some are known."""
    return all(recorded.get(scope, account) == account for scope, account in accounts.items())
