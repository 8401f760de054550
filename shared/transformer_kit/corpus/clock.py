"""Hours, days and months: when something is done, and what time it is."""

from transformer_kit.corpus.numbers import SPANISH, english_number
from transformer_kit.corpus.tables import rows

HOURS = {n: 1 for n in range(1, 13)}
DAYS = rows("""
    monday | lunes
    tuesday | martes
    wednesday | miércoles
    thursday | jueves
    friday | viernes
    saturday | sábado
    sunday | domingo
""")
MONTHS = rows("""
    january | enero
    february | febrero
    march | marzo
    april | abril
    may | mayo
    june | junio
    july | julio
    august | agosto
    september | septiembre
    october | octubre
    november | noviembre
    december | diciembre
""")
SEASONS = rows("spring | primavera\nsummer | verano\nautumn | otoño\nwinter | invierno")
# Before the hour in English, after it in Spanish; the last column says whether it is the hour to come.
PARTS = [
    (tuple(english.split()), tuple(spanish.split()), ahead == "to")
    for english, spanish, ahead in rows("""
        half past     | y media        | past
        a quarter past | y cuarto      | past
        a quarter to  | menos cuarto   | to
        ten past      | y diez         | past
        twenty past   | y veinte       | past
        five past     | y cinco        | past
        ten to        | menos diez     | to
    """)
]
PARTS_OF_DAY = rows("in the morning | de la mañana\nin the afternoon | de la tarde\nat night | de la noche")


def hour(g):
    """Say a time of the clock: three o'clock, half past nine, a quarter to one.

    Parameters
    ----------
    g : Choices

    Returns
    -------
    english, spanish : tuple of str
        The Spanish one with its article: "las tres".
    """
    n = g.pick(HOURS, english=lambda n: english_number(n))
    spanish = ("la", "una") if n == 1 else ("las", SPANISH[n])
    sort = g.pick({"o'clock": 4, "past": 4, "plain": 1}, english={"o'clock": ("o'clock",), "past": ("past", "to")}.get)
    if sort == "past":
        before, after, _ = g.pick(PARTS, english=lambda part: part[0][-2:-1])
        return (*before, *english_number(n)), (*spanish, *after)
    return (*english_number(n), *(("o'clock",) if sort == "o'clock" else ())), spanish


def at_a_time(g):
    """Say when: at three o'clock, on Monday, on Mondays, in May, in summer.

    Returns
    -------
    english, spanish : tuple of str
    """
    sort = g.pick(
        {"at": 5, "day": 2, "days": 2, "in": 1},
        english={"at": ("at",), "day": ("on",), "days": ("on",), "in": ("in",)}.get,
    )
    if sort == "at":
        english, spanish = hour(g)
        return ("at", *english), ("a", *spanish)
    if sort == "in":
        english, spanish = g.pick((*MONTHS, *SEASONS), english=lambda row: row[:1])
        return ("in", english), ("en", spanish)
    english, spanish = g.pick(DAYS, english=lambda row: (row[0], row[0] + "s"))
    if sort == "day":
        return ("on", english), ("el", spanish)
    return ("on", english + "s"), ("los", spanish if spanish.endswith("s") else spanish + "s")


def answer(g):
    """At half past nine. On Monday."""
    english, spanish = at_a_time(g)
    return (*english, "."), (*spanish, ".")


def what_time(g):
    """What time is it? It is half past four. Is it one o'clock?"""
    if g.pick({True: 1, False: 4}, english=lambda asks: ("what",) if asks else None):
        then = g.pick({"": 2, "now": 1, "please": 2}, english=lambda word: (word,) if word else None)
        return (
            ("what", "time", "is", "it", *then.split(), "?"),
            ("¿", "qué", "hora", "es", *{"": (), "now": ("ahora",), "please": (",", "por", "favor")}[then], "?"),
        )
    english, spanish = hour(g)
    is_ = "es" if spanish[0] == "la" else "son"
    if g.perhaps(0.15, "in", "at"):
        part = g.pick(PARTS_OF_DAY, english=lambda row: row[0].split()[-1:])
        english, spanish = (*english, *part[0].split()), (*spanish, *part[1].split())
    sort = g.pick(
        {"statement": 6, "negative": 1, "question": 1}, english={"negative": ("not",), "question": ("?",)}.get
    )
    if sort == "question":
        return ("is", "it", *english, "?"), ("¿", is_, *spanish, "?")
    no, none = (("not",), ("no",)) if sort == "negative" else ((), ())
    return ("it", "is", *no, *english, "."), (*none, is_, *spanish, ".")


def what_day(g):
    """Today is Monday. Is tomorrow Friday? It is Tuesday today. What day is it?"""
    day, dia = g.pick(DAYS, english=lambda row: row[:1])
    today, hoy = g.pick((("today", "hoy"), ("tomorrow", "mañana")), english=lambda row: row[:1])
    sort = g.pick(
        {"statement": 4, "it": 1, "negative": 1, "question": 1}, english={"it": ("it",), "question": ("?",)}.get
    )
    if sort == "question":
        return ("is", today, day, "?"), ("¿", "es", dia, hoy, "?") if g.pick((0, 1)) else ("¿", hoy, "es", dia, "?")
    if sort == "it":
        return ("it", "is", day, "today", "."), ("hoy", "es", dia, ".")
    if sort == "negative":
        return (today, "is", "not", day, "."), (hoy, "no", "es", dia, ".")
    return (today, "is", day, "."), (hoy, "es", dia, ".")


def asked_day(g):
    """What day is it today? What day is tomorrow?"""
    return g.pick(
        (
            (("what", "day", "is", "it", "today", "?"), ("¿", "qué", "día", "es", "hoy", "?")),
            (("what", "day", "is", "it", "?"), ("¿", "qué", "día", "es", "?")),
            (("what", "day", "is", "today", "?"), ("¿", "qué", "día", "es", "hoy", "?")),
            (("what", "day", "is", "tomorrow", "?"), ("¿", "qué", "día", "es", "mañana", "?")),
        )
    )
