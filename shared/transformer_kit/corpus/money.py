"""What things cost: How much is it? The shirts cost twenty euros."""

from transformer_kit.corpus.numbers import english_number, number, spanish_number
from transformer_kit.corpus.phrases import Phrase, noun_phrase, nouns_of
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.words import kinds_of

SOLD = nouns_of(kinds_of("GOODS pair"))
COINS = rows("euro | euros\ndollar | dólares")
PRICES = {n: 4 if n % 5 == 0 else 1 for n in range(2, 101)}
POINTED = {"it": (), "this": ("esto",), "that": ("eso",)}


def _what(g):
    """Say what is sold: it, this, the red shirt, these shoes."""
    if g.pick({True: 1, False: 1}):
        word = g.pick({"it": 3, "this": 2, "that": 1}, english=lambda word: (word,))
        return Phrase((word,), POINTED[word], 2, "m", False)
    return noun_phrase(g, SOLD, {"the": 4, "this": 3, "a": 1, "own": 1})


def how_much(g):
    """How much is it? How much does this shirt cost? How much are the apples?"""
    what = _what(g)
    cost = "cuestan" if what.plural else "cuesta"
    if g.pick({True: 1, False: 2}, english=lambda does: ("do", "does", "did") if does else ("is", "are")):
        past = g.pick({False: 4, True: 1}, english=lambda past: ("did",) if past else ("do", "does"))
        do = "did" if past else "do" if what.plural else "does"
        cost = {"cuestan": "costaron", "cuesta": "costó"}[cost] if past else cost
        return ("how", "much", do, *what.english, "cost", "?"), ("¿", "cuánto", cost, *what.spanish, "?")
    is_ = "are" if what.plural else "is"
    return ("how", "much", is_, *what.english, "?"), ("¿", "cuánto", cost, *what.spanish, "?")


def price(g):
    """It costs twenty euros. The apples do not cost two dollars. It is ten dollars."""
    coin, moneda = g.pick(COINS, english=lambda row: (row[0] + "s",))
    n = number(g, PRICES)
    english, spanish = (*english_number(n), coin + "s"), (*spanish_number(n, "m"), moneda)
    sort = g.pick({"cost": 6, "is": 2, "not": 1, "past": 1}, english={"is": ("is", "are"), "not": ("not",)}.get)
    if sort == "is":
        return ("it", "is", *english, "."), ("son", *spanish, ".")
    what = _what(g)
    costs, cuesta = ("cost", "cuestan") if what.plural else ("costs", "cuesta")
    if sort == "not":
        do = "do" if what.plural else "does"
        return (*what.english, do, "not", "cost", *english, "."), (*what.spanish, "no", cuesta, *spanish, ".")
    if sort == "past":
        cuesta = "costaron" if what.plural else "costó"
        return (*what.english, "cost", *english, "."), (*what.spanish, cuesta, *spanish, ".")
    return (*what.english, costs, *english, "."), (*what.spanish, cuesta, *spanish, ".")
