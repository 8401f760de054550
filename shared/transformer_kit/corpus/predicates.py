"""What is done: a verb with its object, manner, place, company and time."""

from typing import NamedTuple

from transformer_kit.corpus.clock import at_a_time
from transformer_kit.corpus.names import PLACES
from transformer_kit.corpus.phrases import (
    NAMES,
    coordinated,
    noun_phrase,
    nouns_of,
    usual_first,
    with_a,
)
from transformer_kit.corpus.pronouns import ENGLISH_PRONOUNS, PRONOUNS, reading
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.verbs import INTRANSITIVE, MANNERS, PAST_TIMES, TIMES, TOWARDS
from transformer_kit.corpus.words import GROUPS, kinds_of

ANYWHERE = kinds_of("INDOORS OUTDOORS")
HOME = ("at", "home"), ("en", "casa")
USUAL_PLACES = (
    HOME,
    (("at", "work"), ("en", "el", "trabajo")),
    (("at", "school"), ("en", "la", "escuela")),
    (("in", "bed"), ("en", "la", "cama")),
)
OBJECT_FORMS = {pronoun.english: pronoun.object for pronoun in PRONOUNS}
SPEAKERS = ("i", "we")
DEFINITE = {"the": 6, "own": 5, "this": 2, "owner": 1}
PLACED = {"the": 10, "own": 2, "this": 2, "a": 1}
THING = {"the": 12, "a": 12, "bare": 12, "own": 8, "this": 4, "count": 6, "owner": 2, "some": 1}
RELATIVES = {"a": 2, "count": 2, "bare": 1}
OWNED = frozenset(("family", "offspring", "profession", "friend"))
USUAL_TARGETS = (
    (("home",), ("a", "casa")),
    (("to", "work"), ("al", "trabajo")),
    (("to", "school"), ("a", "la", "escuela")),
    (("to", "bed"), ("a", "la", "cama")),
)
COMPANY_FORMS = rows("""
    me   | conmigo
    you  | contigo
    him  | con él
    her  | con ella
    us   | con nosotros
    them | con ellos
""")
COMPANY = tuple(english for english, _ in COMPANY_FORMS)
VEHICLES = rows("train | tren\nbus | autobús\ncar | coche\nplane | avión\ntaxi | taxi\nbicycle | bicicleta")
PLAYED = {"the": 4, "own": 1, "a": 1}


class Predicate(NamedTuple):
    """What is done, in parts that the order of words can still move.

    Attributes
    ----------
    english : tuple of str
        From the first form of the verb on.
    infinitive : str
    spanish : tuple of str
        What follows the verb.
    clitic : tuple of str
        The pronoun that goes before the verb.
    lasting : bool
        No action: in the past it is what used to be.
    """

    english: tuple
    infinitive: str
    spanish: tuple
    clitic: tuple = ()
    lasting: bool = False


def predicate(g, verbs, who=None, times=TIMES):
    """Say what is done.

    Parameters
    ----------
    g : Choices
    verbs : sequence of Verb
    who : Subject, optional
        Who does it.
    times : sequence
        Pairs of English and Spanish adverbs.

    Returns
    -------
    Predicate
    """
    verb = g.pick(verbs, english=lambda verb: verb.forms)
    clitic = ()
    if verb in INTRANSITIVE:
        # "she lives" alone says too little
        parts = [_manner(g, verb), _place(g, 1.0 if "lasting" in verb.traits else 0.5, verb.kinds)]
    elif verb in TOWARDS:
        parts = [_target(g, verb)]
    else:
        *what, clitic = _object(g, verb, who)
        parts = [what, ((), ()) if "lasting" in verb.traits else _place(g, 0.1, ANYWHERE)]
    if "lasting" not in verb.traits:
        parts += [_company(g), time(g, times)]
    english = tuple(word for english, _ in parts for word in english)
    g.say(english)
    infinitive, *preposition = g.pick(usual_first(verb.spanish)).split()
    return Predicate(
        (*verb.english, *english),
        infinitive,
        (*preposition, *(word for _, spanish in parts for word in spanish)),
        clitic,
        "lasting" in verb.traits,
    )


def _manner(g, verb):
    manners = [manner for manner in MANNERS if manner in verb.traits]
    if not manners or not g.perhaps(0.3, "well", "fast", "lot", "late", "early"):
        return (), ()
    manner = g.pick(manners, english=lambda manner: manner.split("_")[-1:])
    return tuple(manner.split("_")), MANNERS[manner]


def _place(g, chance, kinds):
    """Say where, sometimes: "in the park" and "at the school" are both "en"."""
    if not kinds or not g.perhaps(chance, "in", "at", "on", "here"):
        return (), ()
    if "house" in kinds and g.perhaps(0.08, *(english[-1] for english, _ in USUAL_PLACES)):
        return g.pick(USUAL_PLACES, english=lambda pair: pair[0][-1:])
    if g.perhaps(0.08, "here"):
        return ("here",), ("aquí",)
    if "city" in kinds and g.perhaps(0.2, *(english for english, _ in PLACES)):
        english, spanish = g.pick(PLACES, english=lambda row: row[:1])
        return ("in", english), ("en", spanish)
    place = noun_phrase(g, nouns_of(kinds), PLACED, plural=False)
    weights = {
        "building": {"in": 1, "at": 2},
        "school": {"in": 1, "at": 2},
        "outside": {"in": 2, "at": 1},
        "furniture": {"on": 1},
    }
    preposition = g.pick(weights.get(place.noun.kind, ("in",)), english=lambda word: (word,))
    return (preposition, *place.english), ("en", *place.spanish)


def _target(g, verb):
    if g.perhaps(0.15, "home", "work", "school", "bed"):
        return _by(g, *g.pick(USUAL_TARGETS, english=lambda pair: pair[0][-1:]))
    if "city" in verb.kinds and g.perhaps(0.2, *(english for english, _ in PLACES)):
        english, spanish = g.pick(PLACES, english=lambda row: row[:1])
        return _by(g, ("to", english), ("a", spanish))
    target = noun_phrase(g, nouns_of(verb.kinds), PLACED, plural=False)
    g.link(verb.english[0], target.noun.english)
    return _by(g, ("to", *target.english), with_a(target))


def _by(g, english, spanish):
    """Say by what one travels, sometimes: by train."""
    if not g.perhaps(0.1, "by"):
        return english, spanish
    word, tren = g.pick(VEHICLES, english=lambda row: row[:1])
    return (*english, "by", word), (*spanish, "en", tren)


def _company(g):
    """Say with whom, sometimes."""
    if not g.perhaps(0.05, "with"):
        return (), ()
    if g.perhaps(0.3, *COMPANY):
        english, spanish = g.pick(COMPANY_FORMS, english=lambda row: row[:1])
        return ("with", english), tuple(spanish.split())
    friend = person(g)
    return ("with", *friend.english), ("con", *friend.spanish)


def time(g, times=TIMES):
    """Say when, sometimes.

    Parameters
    ----------
    g : Choices
    times : sequence

    Returns
    -------
    english, spanish : tuple of str
    """
    if not times or not g.perhaps(0.2):
        return (), ()
    if g.perhaps(0.4, "at", "on", "in"):
        return at_a_time(g)
    when = g.pick(PAST_TIMES if g.past else times, english=lambda pair: pair[0][-1:])
    g.say(when[0])
    return when


def person(g):
    """Say a definite person: a name, or a noun with its determiner.

    Returns
    -------
    Phrase
    """
    if g.perhaps(0.3, *(name.english[0] for name in NAMES)):
        return g.take(NAMES, english=lambda name: name.english)
    return noun_phrase(g, nouns_of(GROUPS["PEOPLE"]), DEFINITE)


def _object(g, verb, who):
    """Return the English object, what follows the verb in Spanish, and what goes before it."""
    people, things = verb.kinds & GROUPS["PEOPLE"], nouns_of(verb.kinds - GROUPS["PEOPLE"])
    relatives = people <= OWNED
    if people and not relatives and (not things or g.perhaps(0.5)):
        return _person_as_object(g, verb, who)
    if people and relatives and g.perhaps(0.15):
        thing = noun_phrase(g, nouns_of(people), RELATIVES)
    else:
        # "play football" is "jugar al fútbol", with an article
        generic = verb.spanish in (("jugar a",), ("odiar",))
        thing = noun_phrase(g, things, PLAYED if verb.english == ("play",) else THING, generic)
    g.link(verb.english[0], thing.noun.english)
    beloved = thing.noun.kind == "animal" and thing.definite and verb.spanish[0] in ("ver", "buscar")
    if beloved and g.pick((True, False)):
        return thing.english, with_a(thing), ()
    others = tuple(noun for noun in things if noun is not thing.noun)
    if others and g.perhaps(0.06, "and"):
        second = noun_phrase(g, others, THING)
        g.link(verb.english[0], second.noun.english)
        thing = coordinated(thing, second)
    return thing.english, thing.spanish, ()


def _person_as_object(g, verb, who):
    """Say him, Ana or my brother; in Spanish a pronoun before the verb, or a phrase with "a"."""
    speaker = who and who.pronoun and who.pronoun.english
    others = [p for p in ENGLISH_PRONOUNS if p != "you" or speaker != "you"]
    if speaker in SPEAKERS:
        others = [p for p in others if p not in SPEAKERS]
    if who and g.perhaps(0.3, *OBJECT_FORMS.values()):
        chosen = g.pick(others, english=lambda english: (OBJECT_FORMS[english],))
        return (OBJECT_FORMS[chosen],), (), (reading(g, chosen).accusative,)
    someone = person(g)
    if someone.noun:
        g.link(verb.english[0], someone.noun.english)
    return someone.english, with_a(someone), ()
