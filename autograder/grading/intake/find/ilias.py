"""How ILIAS names the folder of somebody's submission, and that of what goes back."""

import re
import unicodedata

FOLDER = re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>.+)_(?P<number>\d+)")
LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def folder_name(last: str, first: str, login: str, number: str) -> str:
    """Return the name of somebody's folder, in the letters that ILIAS leaves in it."""
    name = unicodedata.normalize("NFC", f"{last}_{first}_{login}_{number}").translate(LETTERS)
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().replace("/", "_")
