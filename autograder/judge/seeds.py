"""The seeds of a class: the same for the same submission, and impossible to guess without the course's secret."""

import contextlib
import hashlib
import hmac
import os
import secrets
import struct
from pathlib import Path

N_BYTES = 32
ANEW = b"new"  # stands in the file where a new secret is to be made


def read_secret(path: Path | str, is_first: bool = True) -> bytes:
    """Return the secret of a course; on first use it is created, readable by its owner only.

    Parameters
    ----------
    path : path
        Of the file, such as classroom/secret, which git ignores.
    is_first : bool
        Whether this may be the first use: a secret that is missing later is not replaced in silence.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If the file holds anything else, or is missing though it was used.
    """
    path = Path(path)
    if path.is_file() and path.read_bytes().strip() == ANEW:
        path.unlink()
        is_first = True
    if is_first and not path.exists():
        _make(path)
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii")) if path.exists() else b""
    except ValueError:
        secret = b""
    if len(secret) != N_BYTES:
        raise ValueError(
            f"{path} should hold {2 * N_BYTES} hexadecimal digits and does not. Take the file from a backup: with "
            "another secret every submission gets other inputs. Without a backup write the word new into it; then a "
            "new one is made, and everything is graded again."
        )
    return secret


def _make(path):
    """Write a new secret whole or not at all; one that another process has written meanwhile stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_hex(N_BYTES))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


def seed_of(secret: bytes, exercise: str, submission: str) -> list[int]:
    """Derive the seed for one exercise of one submission.

    Parameters
    ----------
    secret : bytes
    exercise : str
        Name of the exercise.
    submission : str
        Hash of what was handed in, as far as it matters.

    Returns
    -------
    list of int
        Eight numbers of 32 bits, for `numpy.random.default_rng` and for `autograder.evaluation.evaluate.evaluate`.
    """
    parts = [part.encode() for part in (exercise, submission)]
    message = b"".join(struct.pack("!I", len(part)) + part for part in parts)  # no two pairs share a message
    return list(struct.unpack("!8I", hmac.digest(secret, message, hashlib.sha256)))
