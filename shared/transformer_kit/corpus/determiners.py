"""Determiners by their shapes: the, a, this, own (my, your, ...), count (two, many, ...).

Three more shapes have no table: "bare" (none at all), "owner" (Ana's), and parts of "own".
"""

from typing import NamedTuple

from transformer_kit.corpus.numbers import USUAL, english_number
from transformer_kit.corpus.tables import rows


class Determiner(NamedTuple):
    """A determiner and its Spanish forms: masculine and feminine, singular, then plural; "-" where there is none."""

    english: str
    forms: tuple


FORMS = {
    name: tuple(Determiner(english.replace("_", " "), tuple(forms.split())) for english, forms in rows(text))
    for name, text in {
        "the": "the | el la los las",
        "a": "a | un una - -",
        "this": """
            this  | este esta - -
            that  | ese esa - -
            these | - - estos estas
            those | - - esos esas""",
        "own": """
            my    | mi mi mis mis
            his   | su su sus sus
            her   | su su sus sus
            our   | nuestro nuestra nuestros nuestras
            their | su su sus sus
            your  | tu tu tus tus""",
    }.items()
}
# Nobody is a friend of his own: "I am her friend", "you are my friend".
FORMS["not mine"] = tuple(d for d in FORMS["own"] if d.english not in ("my", "our"))
FORMS["not yours"] = tuple(d for d in FORMS["own"] if d.english != "your")
FORMAL_YOUR = ("su", "su", "sus", "sus")

# Determiners that do not go with a group of nouns.
UNFIT = {
    "PUBLIC": ("own", "owner"),
    "UNCOUNTED": ("a", "count"),
    "PAIRS": ("a", "count"),
    "OFFSPRING": ("a", "the", "this"),
    "SKY": ("bare", "this", "some"),
    "RELATIVES": ("this", "bare", "some"),
}
SHAPE_WORDS = {shape: [w for d in forms for w in d.english.split()] for shape, forms in FORMS.items()}
NUMBER_WORDS = sorted({english_number(n)[-1] for n in USUAL})
SHAPE_WORDS |= {"a": ["a", "an"], "some": ["some"], "owner": ["'s"], "count": ["many", *NUMBER_WORDS]}
