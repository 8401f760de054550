"""What is done: a verb with its object, manner, place, company and time."""

from typing import NamedTuple

from transformer_kit.corpus.phrases import (
    NAMES,
    coordinated,
    noun_phrase,
    nouns_of,
    usual_first,
    with_a,
)
from transformer_kit.corpus.pronouns import ENGLISH_PRONOUNS, PRONOUNS, reading
from transformer_kit.corpus.verbs import INTRANSITIVE, MANNERS, TIMES, TOWARDS
from transformer_kit.corpus.words import GROUPS, kinds_of

PLACES = kinds_of("INDOORS OUTDOORS")
HOME = ("at", "home"), ("en", "casa")
OBJECT_FORMS = {pronoun.english: pronoun.object for pronoun in PRONOUNS}
SPEAKERS = ("i", "we")
CERTAIN = {"the": 6, "own": 5, "this": 2, "owner": 1}
PLACED = {"the": 5, "own": 1, "this": 1}
THING = {"the": 6, "a": 6, "bare": 6, "own": 4, "this": 2, "count": 3, "owner": 1}
RELATIVES = {"a": 1, "count": 1}
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
    """

    english: tuple
    infinitive: str
    spanish: tuple
    clitic: tuple = ()


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
        parts = [what, ((), ()) if "lasting" in verb.traits else _place(g, 0.1, PLACES)]
    if "lasting" not in verb.traits:
        parts += [_company(g), time(g, times)]
    infinitive, *preposition = g.pick(usual_first(verb.spanish)).split()
    return Predicate(
        (*verb.english, *(word for english, _ in parts for word in english)),
        infinitive,
        (*preposition, *(word for _, spanish in parts for word in spanish)),
        clitic,
    )


def _manner(g, verb):
    manners = [manner for manner in MANNERS if manner in verb.traits]
    if not manners or not g.perhaps(0.3, "well", "fast", "lot"):
        return (), ()
    manner = g.pick(manners, english=lambda manner: manner.split("_")[-1:])
    return tuple(manner.split("_")), MANNERS[manner]


def _place(g, chance, kinds):
    """Say where, sometimes: "in the park" and "at the school" are both "en"."""
    if not g.perhaps(chance, "in", "at"):
        return (), ()
    if "house" in kinds and g.perhaps(0.06, "home"):
        return HOME
    place = noun_phrase(g, nouns_of(kinds), PLACED, plural=False)
    weights = {"building": {"in": 1, "at": 2}, "school": {"in": 1, "at": 2}, "outside": {"in": 2, "at": 1}}
    preposition = g.pick(weights.get(place.noun.kind, ("in",)), english=lambda word: (word,))
    return (preposition, *place.english), ("en", *place.spanish)


def _target(g, verb):
    target = noun_phrase(g, nouns_of(verb.kinds), PLACED, plural=False)
    g.link(verb.english[0], target.noun.english)
    return ("to", *target.english), with_a(target)


def _company(g):
    """Say with whom, now and then."""
    if not g.perhaps(0.05, "with"):
        return (), ()
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
    return g.pick(times, english=lambda pair: pair[0]) if times and g.perhaps(0.15) else ((), ())


def person(g):
    """Say a certain person: a name, or a noun with its determiner.

    Returns
    -------
    Phrase
    """
    if g.perhaps(0.3, *(name.english[0] for name in NAMES)):
        return g.pick(NAMES, english=lambda name: name.english)
    return noun_phrase(g, nouns_of(GROUPS["PEOPLE"]), CERTAIN)


def _object(g, verb, who):
    """Return the English object, what follows the verb in Spanish, and what goes before it."""
    people, things = verb.kinds & GROUPS["PEOPLE"], nouns_of(verb.kinds - GROUPS["PEOPLE"])
    relatives = people == {"family"}
    if people and not relatives and (not things or g.perhaps(0.5)):
        return _person_as_object(g, verb, who)
    if relatives and g.perhaps(0.15):
        thing = noun_phrase(g, nouns_of(people), RELATIVES)
    else:
        # "play football" is "jugar al fútbol", with an article
        generic = verb.spanish == ("jugar a",)
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
