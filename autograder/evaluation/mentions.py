"""Whether a message names what is wrong: the numbers and words in question, not every number that there might be."""

import re
from collections.abc import Iterable

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
MAX_NUMBERS = 20  # two shapes and a few ids have fewer; a message is cut after 300 characters


def why_not_mentioned(message: str, wanted: Iterable[object]) -> str:
    """Return what a message does not do that should mention some numbers or words; empty where it does.

    A number may be written in another way, such as -2.0 for -2, but a part of a longer one is another number.

    Parameters
    ----------
    message : str
    wanted : iterable of object
        Numbers, or what they are written like, and words.
    """
    found = {float(text) for text in NUMBER.findall(message)}
    signless = {abs(number) for number in found}  # a hyphen before a number, as in "row-3", is no minus
    missing = [text for text in map(str, wanted) if not _is_there(text, message, found, signless)]
    if missing:
        return f"does not mention {' and '.join(missing)}"
    return f"lists {len(found)} numbers instead of those that are wrong" if len(found) > MAX_NUMBERS else ""


def _is_there(text, message, found, signless):
    if not NUMBER.fullmatch(text):
        return text in message
    return float(text) in found or float(text) in signless
