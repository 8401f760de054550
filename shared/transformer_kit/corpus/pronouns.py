"""Pronouns: what an English one can mean in Spanish."""

from typing import NamedTuple

from transformer_kit.corpus.tables import rows


class Pronoun(NamedTuple):
    """One reading of an English pronoun; `drop` is the share of Spanish sentences that leave it out."""

    english: str
    object: str
    spanish: str
    strong: str
    person: int
    gender: str
    dative: str
    accusative: str
    drop: float


PRONOUNS = [
    Pronoun(english, object_, spanish, strong, int(person), gender, dative, accusative, float(drop))
    for english, object_, spanish, strong, person, genders, datives, drop in rows("""
        i    | me   | yo       | mí       | 0 | m f | me me me    | 0.85
        you  | you  | tú       | ti       | 1 | m f | te te te    | 0.85
        you  | you  | usted    | usted    | 2 | m f | le lo la    | 0.40
        he   | him  | él       | él       | 2 | m   | le lo lo    | 0.40
        she  | her  | ella     | ella     | 2 | f   | le la la    | 0.40
        we   | us   | nosotros | nosotros | 3 | m   | nos nos nos | 0.85
        we   | us   | nosotras | nosotras | 3 | f   | nos nos nos | 0.85
        they | them | ellos    | ellos    | 4 | m   | les los los | 0.40
        they | them | ellas    | ellas    | 4 | f   | les las las | 0.40
    """)
    for gender in genders.split()
    for dative, accusative in [(datives.split()[0], datives.split()[1 + (gender == "f")])]
]
ENGLISH_PRONOUNS = tuple(dict.fromkeys(pronoun.english for pronoun in PRONOUNS))


def formal(g):
    """Choose once for the whole sentence whether "you" is usted."""
    return g.once("you", {False: 0.75, True: 0.25})


def reading(g, english):
    """Choose one of the readings of an English pronoun."""
    readings = [pronoun for pronoun in PRONOUNS if pronoun.english == english]
    if english == "you":
        readings = [pronoun for pronoun in readings if (pronoun.spanish == "usted") == formal(g)]
    return g.pick(tuple(readings))
