"""The weather, for which Spanish has verbs of its own: hace frío, está lloviendo."""

from transformer_kit.corpus.names import CITIES
from transformer_kit.corpus.tables import rows

# English, Spanish now and in the past, and whether it goes with "very": mucho, or a form of "buen tiempo".
KINDS = rows("""
    cold    | hace   | hacía  | frío          | mucho
    hot     | hace   | hacía  | calor         | mucho
    warm    | hace   | hacía  | calor         | mucho
    sunny   | hace   | hacía  | sol           | mucho
    windy   | hace   | hacía  | viento        | mucho
    cloudy  | está   | estaba | nublado       | muy
    raining | está   | estaba | lloviendo     |
    snowing | está   | estaba | nevando       |
""")
MOODS = {"statement": 6, "negative": 2, "question": 2}
NOW = rows(
    "today | hoy\nnow | ahora\nhere | aquí\nagain | otra vez\nin the morning | por la mañana\nat night | por la noche"
)
BEFORE = rows("yesterday | ayer\nlast night | anoche\nlast week | la semana pasada\nin the morning | por la mañana")
LATER = rows("tomorrow | mañana\ntoday | hoy\ntonight | esta noche\nhere | aquí")
FALLING = rows("""
    rain | llueve | llovió | llover
    snow | nieva  | nevó   | nevar
""")


def _when(g, times):
    """Say when or in which city, sometimes."""
    sort = g.pick({"": 6, "time": 4, "city": 1}, english=lambda sort: ("in",) if sort == "city" else None)
    if sort == "city":
        english, spanish = g.pick(CITIES, english=lambda row: row[:1])
        return ("in", english), ("en", spanish)
    if sort == "time":
        english, spanish = g.pick(times, english=lambda row: row[0].split())
        return tuple(english.split()), tuple(spanish.split())
    return (), ()


def _said(sort, english, spanish):
    """Return a statement, negative or question of an English "it is ..." and a Spanish verb with what follows."""
    first, *rest = english
    if sort == "question":
        return (first, "it", *rest, "?"), ("¿", *spanish, "?")
    no, none = (("not",), ("no",)) if sort == "negative" else ((), ())
    return ("it", first, *no, *rest, "."), (*none, *spanish, ".")


def weather(g):
    """It is cold today. Is it raining? It was not very hot in Madrid."""
    word, now, before, spanish, degree = g.pick(KINDS, english=lambda row: row[:1])
    past = g.pick({False: 5, True: 1}, english=lambda past: ("was",) if past else ("is",))
    sort = g.pick(MOODS, english={"negative": ("not",), "question": ("?",)}.get)
    very = bool(degree) and g.perhaps(0.25, "very")
    when = _when(g, BEFORE if past else NOW)
    english = ("was" if past else "is", *(("very",) if very else ()), word, *when[0])
    return _said(sort, english, (before if past else now, *((degree,) if very else ()), spanish, *when[1]))


def falling(g):
    """It rains a lot here. It rained yesterday. Is it going to snow? It did not rain."""
    verb, now, once, infinitive = g.pick(FALLING, english=lambda row: (row[0], row[0] + "s", row[0] + "ed"))
    tense = g.pick({"now": 1, "past": 2, "future": 2}, english={"future": ("going",)}.get)
    sort = g.pick(MOODS, english={"negative": ("not",), "question": ("?",)}.get)
    lot = g.perhaps(0.2, "lot")
    when = _when(g, {"now": NOW, "past": BEFORE, "future": LATER}[tense])
    much, mucho = (("a", "lot"), ("mucho",)) if lot else ((), ())
    if tense == "future":
        return _said(sort, ("is", "going", "to", verb, *much, *when[0]), ("va", "a", infinitive, *mucho, *when[1]))
    spanish = (once if tense == "past" else now, *mucho, *when[1])
    if sort == "statement":
        return ("it", verb + ("ed" if tense == "past" else "s"), *much, *when[0], "."), (*spanish, ".")
    return _said(sort, ("did" if tense == "past" else "does", verb, *much, *when[0]), spanish)


def good_weather(g):
    """The weather is nice today. What is the weather like?"""
    sort = g.pick({"is": 3, "like": 1}, english={"like": ("like",)}.get)
    past = g.pick({False: 4, True: 1}, english=lambda past: ("was",) if past else ("is",))
    when = _when(g, BEFORE if past else NOW)
    is_ = "was" if past else "is"
    makes = "hacía" if past else "hace"
    if sort == "like":
        return ("what", is_, "the", "weather", "like", *when[0], "?"), ("¿", "qué", "tiempo", makes, *when[1], "?")
    word, spanish = g.pick((("nice", "buen"), ("good", "buen"), ("bad", "mal")), english=lambda row: row[:1])
    mood = g.pick(MOODS, english={"negative": ("not",), "question": ("?",)}.get)
    if mood == "question":
        return (is_, "the", "weather", word, *when[0], "?"), ("¿", makes, spanish, "tiempo", *when[1], "?")
    no, none = (("not",), ("no",)) if mood == "negative" else ((), ())
    return ("the", "weather", is_, *no, word, *when[0], "."), (*none, makes, spanish, "tiempo", *when[1], ".")
