"""Who somebody is, how old, and where from: My name is Ana, She is from Spain, He is twenty years old."""

from transformer_kit.corpus.clauses import english_clause, finite, mood, shown, spanish_clause, subject
from transformer_kit.corpus.clock import MONTHS
from transformer_kit.corpus.morphology import conjugate, plural_in_spanish
from transformer_kit.corpus.names import NATIONS, PLACES
from transformer_kit.corpus.numbers import english_number, number, spanish_number
from transformer_kit.corpus.phrases import NAMES, Phrase, noun_phrase, nouns_of
from transformer_kit.corpus.pronouns import formal
from transformer_kit.corpus.words import kinds_of

CALLED = nouns_of(kinds_of("family spouse friend animal profession"))
REFLEXIVE = ("me", "te", "se", "nos", "se")
PERSONS = {"my": 0, "your": 1, "his": 2, "her": 2}


def name_is(g):
    """My name is Ana. Her name is Maria. What is your name?"""
    owner, person = g.pick(tuple(PERSONS.items()), english=lambda pair: pair[:1])
    if owner == "your":
        person += formal(g)
    sort = g.pick(
        {"statement": 5, "question": 3, "negative": 1}, english={"question": ("what",), "negative": ("not",)}.get
    )
    named = g.pick({True: 3, False: 1})
    possessive = {"my": "mi", "your": "su" if person == 2 else "tu"}.get(owner, "su")
    called = (REFLEXIVE[person], conjugate("llamar", person))
    if sort == "question":
        spanish = ("cómo", *called) if named else ("cuál", "es", possessive, "nombre")
        return ("what", "is", owner, "name", "?"), ("¿", *spanish, "?")
    name = g.take(NAMES, english=lambda name: name.english)
    no, none = (("not",), ("no",)) if sort == "negative" else ((), ())
    who = {"his": ("él",), "her": ("ella",)}.get(owner, ()) if named and g.pick((True, False)) else ()
    spanish = (*who, *none, *called) if named else (possessive, "nombre", *none, "es")
    return (owner, "name", "is", *no, *name.english, "."), (*spanish, *name.spanish, ".")


def someones_name(g):
    """My son's name is Pablo. What is your dog's name?"""
    who = noun_phrase(g, CALLED, {"own": 4, "the": 1}, plural=False)
    if g.pick({True: 1, False: 2}, english=lambda asks: ("what",) if asks else None):
        return ("what", "is", *who.english, "'s", "name", "?"), ("¿", "cómo", "se", "llama", *who.spanish, "?")
    name = g.take(NAMES, english=lambda name: name.english)
    return (*who.english, "'s", "name", "is", *name.english, "."), (*who.spanish, "se", "llama", *name.spanish, ".")


def being_someone(g):
    """I am Ana. Are you Pedro? She is not Maria."""
    sort, who = mood(g), subject(g)
    names = tuple(name for name in NAMES if name.gender == who.phrase.gender)
    name = g.take(names, english=lambda name: name.english)
    copula = conjugate("ser", who.phrase.person)
    return english_clause(sort, who, "be", name.english), spanish_clause(g, sort, who, copula, name.spanish)


def presenting(g):
    """This is Ana. This is my friend Carlos. Is that your sister Maria?"""
    pointed = g.pick({"this": 4, "that": 1}, english=lambda word: (word,))
    sort = mood(g)
    name = g.take(NAMES, english=lambda name: name.english)
    who = name
    if g.perhaps(0.6, "my", "your", "his", "her", "our", "their"):
        nouns = tuple(noun for noun in CALLED if name.gender in {gender for _, gender in noun.spanish})
        noun = noun_phrase(g, nouns, {"own": 1}, gender=name.gender, plural=False)
        who = Phrase((*noun.english, *name.english), (*noun.spanish, *name.spanish), 2, name.gender, False)
    spanish = {"this": "est", "that": "es"}[pointed] + ("a" if name.gender == "f" else "e")
    no, none = (("not",), ("no",)) if sort == "negative" else ((), ())
    if sort == "question":
        return ("is", pointed, *who.english, "?"), ("¿", "es", spanish, *who.spanish, "?")
    return (pointed, "is", *no, *who.english, "."), (spanish, *none, "es", *who.spanish, ".")


def origin(g):
    """Where are you from? I am from Spain. She is Mexican. Are they from Paris?"""
    sort = g.pick({"from": 5, "where": 2, "nation": 3}, english={"from": ("from",), "where": ("where",)}.get)
    who = subject(g)
    copula = finite(g, "ser", who.phrase.person)
    if sort == "where":
        return (
            ("where", who.be(g.past), *who.phrase.english, "from", "?"),
            ("¿", "de", "dónde", copula, *shown(g, who), "?"),
        )
    said = mood(g)
    if sort == "from":
        english, spanish = g.pick(PLACES, english=lambda row: row[:1])
        return (
            english_clause(said, who, "be", ("from", english), past=g.past),
            spanish_clause(g, said, who, copula, ("de", spanish)),
        )
    english, forms = g.pick(NATIONS, english=lambda row: row[:1])
    spanish = forms.split()[who.phrase.gender == "f"]
    spanish = plural_in_spanish(spanish) if who.phrase.plural else spanish
    return english_clause(said, who, "be", (english,), past=g.past), spanish_clause(g, said, who, copula, (spanish,))


def age(g):
    """How old are you? My son is six years old. She is thirty."""
    who = subject(g, animals=True)
    has = finite(g, "tener", who.phrase.person)
    if g.pick({True: 1, False: 3}, english=lambda asks: ("how",) if asks else None):
        return (
            ("how", "old", who.be(g.past), *who.phrase.english, "?"),
            ("¿", "cuántos", "años", has, *shown(g, who), "?"),
        )
    sort = mood(g)
    n = number(g, {n: 3 if n % 10 == 0 else 2 for n in range(2, 101)})
    years = ("years", "old") if g.perhaps(0.8, "years") else ()
    return (
        english_clause(sort, who, "be", (*english_number(n), *years), past=g.past),
        spanish_clause(g, sort, who, has, (*spanish_number(n, "m"), "años")),
    )


def state_of(g):
    """I am married. Is she lost? They were not in love."""
    sort, who = mood(g), subject(g)
    english, stem = g.pick((("married", "casad"), ("lost", "perdid"), ("wrong", "equivocad"), ("sure", "segur")),
                           english=lambda row: row[:1])  # fmt: skip
    spanish = stem + ("a" if who.phrase.gender == "f" else "o") + ("s" if who.phrase.plural else "")
    copula = finite(g, "estar", who.phrase.person)
    return (
        english_clause(sort, who, "be", (english,), past=g.past),
        spanish_clause(g, sort, who, copula, (spanish,)),
    )


def _whose_birthday(g):
    """Say my birthday, Ana's birthday, my sister's birthday."""
    if g.perhaps(0.3, "'s"):
        named = g.perhaps(0.5, *(name.english[0] for name in NAMES))
        owner = (
            g.take(NAMES, english=lambda name: name.english)
            if named
            else noun_phrase(g, CALLED, {"own": 1}, plural=False)
        )
        return (*owner.english, "'s", "birthday"), ("el", "cumpleaños", "de", *owner.spanish)
    whose = g.pick(
        (("my", "mi"), ("your", "su" if formal(g) else "tu"), ("his", "su"), ("her", "su")), english=lambda row: row[:1]
    )
    return (whose[0], "birthday"), (whose[1], "cumpleaños")


def birthday(g):
    """When is your birthday? My birthday is in May. It is Ana's birthday."""
    english, spanish = _whose_birthday(g)
    is_, es = ("was", "era") if g.past else ("is", "es")
    sort = g.pick(
        {"when": 2, "in": 3, "it": 2, "today": 2}, english={"when": ("when",), "in": ("in",), "it": ("it",)}.get
    )
    if sort == "when":
        return ("when", is_, *english, "?"), ("¿", "cuándo", es, *spanish, "?")
    if sort == "it":
        return ("it", is_, *english, "."), (es, *spanish, ".")
    if sort == "today":
        days = (("yesterday", "ayer"),) if g.past else (("today", "hoy"), ("tomorrow", "mañana"))
        day, dia = g.pick(days, english=lambda row: row[:1])
        return (*english, is_, day, "."), (*spanish, es, dia, ".")
    month, mes = g.pick(MONTHS, english=lambda row: row[:1])
    return (*english, is_, "in", month, "."), (*spanish, es, "en", mes, ".")
