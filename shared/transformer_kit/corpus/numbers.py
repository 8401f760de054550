"""The numbers from one to a hundred in both languages."""

from transformer_kit.corpus.tables import rows

# From zero on, and the tens.
ENGLISH, ENGLISH_TENS, SPANISH, SPANISH_TENS = (
    tuple(" ".join(cells).split())
    for cells in rows("""
        zero one two three four five six seven eight nine | ten eleven twelve thirteen fourteen fifteen sixteen | \
        seventeen eighteen nineteen
        twenty thirty forty fifty sixty seventy eighty ninety
        cero uno dos tres cuatro cinco seis siete ocho nueve | diez once doce trece catorce quince dieciséis | \
        diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco | \
        veintiséis veintisiete veintiocho veintinueve
        treinta cuarenta cincuenta sesenta setenta ochenta noventa
    """)
)
# Small numbers and round ones are the usual ones.
USUAL = {n: 6.0 if n <= 10 else 3.0 if n % 10 == 0 else 1.0 for n in range(2, 101)}


def english_number(n):
    """Return the words of a number up to 100: ("twenty", "five"), ("a", "hundred")."""
    if n == 100:
        return ("a", "hundred")
    if n < 20:
        return (ENGLISH[n],)
    tens = ENGLISH_TENS[n // 10 - 2]
    return (tens, ENGLISH[n % 10]) if n % 10 else (tens,)


def spanish_number(n, gender=None):
    """Return the words of a number up to 100, before a noun of a gender, or alone: treinta y un, una, uno."""
    if n == 100:
        return ("cien",)
    tens = (SPANISH_TENS[n // 10 - 3],) if n >= 30 else ()
    words = (SPANISH[n],) if n < 30 else (*tens, "y", SPANISH[n % 10]) if n % 10 else tens
    if n % 10 == 1 and n != 11 and gender:
        last = {"f": words[-1][:-1] + "a", "m": "veintiún" if n == 21 else "un"}[gender]
        return (*words[:-1], last)
    return words


def in_words(digits):
    """Return the English words of a number that is written in digits, or the digits where it is beyond 100."""
    n = int(digits)
    return " ".join(english_number(n)) if n <= 100 else digits


def number(g, weights=USUAL):
    """Say a number.

    Parameters
    ----------
    g : Choices
    weights : dict from int to weight

    Returns
    -------
    int
    """
    return g.pick(weights, english=lambda n: english_number(n)[-1:])
