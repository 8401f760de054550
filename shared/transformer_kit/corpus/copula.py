"""Sentences with a form of "to be": what something is like, who somebody is, where it is, and what there is."""

from transformer_kit.corpus.adjectives import ABSOLUTE
from transformer_kit.corpus.clauses import Subject, english_clause, finite, mood, spanish_clause, subject
from transformer_kit.corpus.morphology import agree
from transformer_kit.corpus.phrases import Phrase, adjectives_of, noun_phrase, nouns_of, usual_first
from transformer_kit.corpus.predicates import DEFINITE, PLACED, THING, USUAL_PLACES, time
from transformer_kit.corpus.statements import frequency
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.verbs import FEELINGS
from transformer_kit.corpus.words import GROUPS, NOUNS, kinds_of

DESCRIBED = tuple(noun for noun in NOUNS if adjectives_of(noun.kind) and noun.kind not in GROUPS["PEOPLE"])
RELATIONS = tuple(noun for noun in NOUNS if noun.kind in ("family", "parent", "friend", "spouse"))
THINGS = nouns_of(kinds_of("OBJECTS GOODS pair"))
MOVABLE = nouns_of(kinds_of("GOODS animal pair") - {"furniture", "clothes"})
PEOPLE_AND_PLACES = nouns_of(kinds_of("person profession building house furniture"))
SIGHTS = nouns_of(kinds_of("house room school building OUTDOORS water"))
POINTED = rows("""
    this  | este esta | esto
    that  | ese esa   | eso
    these | estos estas |
    those | esos esas   |
""")
# Where: English, Spanish (the first is the usual one), kinds of places.
WHERE = [
    (tuple(english.split()), tuple(tuple(way.split()) for way in spanish.split("/")), nouns_of(kinds_of(kinds)))
    for english, spanish, kinds in rows("""
        in      | en          | INDOORS OUTDOORS event
        at      | en          | building school outside
        near    | cerca de    | house building school outside
        behind  | detrás de   | house building school
        on      | en/sobre    | furniture
        under   | debajo de   | furniture
        near    | cerca de    | furniture
    """)
]

SPOTS = [
    (tuple(english.split()), tuple(spanish.split()))
    for english, spanish in rows("""
        here            | aquí
        there           | allí
        near here       | cerca de aquí
        far from here   | lejos de aquí
        on the left     | a la izquierda
        on the right    | a la derecha
    """)
]
WHERE_PEOPLE, WHERE_PLACES = WHERE[:4], WHERE[2:4]


PLACE_WORDS = {word for row in (*WHERE, *SPOTS) for word in row[0]}


def naming(g):
    """The red car. Ana's cat. Two black dogs."""
    what = noun_phrase(g, NOUNS, THING)
    return (*what.english, "."), (*what.spanish, ".")


def describing(g):
    """The car is red. Is Ana tired? We are not very happy."""
    sort = mood(g)
    who = described(g)
    adjective, english, spanish = quality(g, who)
    copula = g.pick(usual_first(adjective.copulas))
    adverb, when = ((), ()), ((), ())
    if copula == "estar":
        adverb = frequency(g) if sort == "statement" else adverb
        when = time(g)
    return (
        english_clause(sort, who, "be", (*english, *when[0]), adverb[0], g.past),
        spanish_clause(
            g, sort, who, finite(g, copula, who.phrase.person), (*spanish, *when[1]), (), adverb[1], subject_last=True
        ),
    )


def described(g):
    """Say whom or what a description is about."""
    if g.pick({True: 5, False: 4}):
        return subject(g, animals=True)
    return Subject(noun_phrase(g, DESCRIBED, {**DEFINITE, "bare": 1}, generic=True))


def quality(g, who, fitting=None):
    """Say what somebody or something is like.

    Parameters
    ----------
    g : Choices
    who : Subject
    fitting : tuple of Adjective, optional
        Those that can be said; those of the noun when left out.

    Returns
    -------
    adjective : Adjective
    english, spanish : tuple of str
        With "very", sometimes.
    """
    noun = who.phrase.noun
    fitting = fitting or adjectives_of(noun.kind if noun else "person")
    fitting = tuple(adjective for adjective in fitting if adjective.english not in who.phrase.english)  # the red car
    adjective = g.take(fitting, english=lambda adjective: (adjective.english,))
    if noun:
        g.link(adjective.english, noun.english)
    spanish = agree(g.pick(usual_first(adjective.spanish)), who.phrase.gender, who.phrase.plural)
    if adjective.english not in ABSOLUTE and g.perhaps(0.2, "very"):
        return adjective, ("very", adjective.english), ("muy", spanish)
    if adjective.english not in ABSOLUTE and g.perhaps(0.05, "too"):
        return adjective, ("too", adjective.english), ("demasiado", spanish)
    others = tuple(
        other for other in fitting if other.copulas == adjective.copulas and other.english != adjective.english
    )
    if others and g.perhaps(0.08, "and"):
        other = g.take(others, english=lambda other: (other.english,))
        if noun:
            g.link(other.english, noun.english)
        second = agree(other.spanish[0], who.phrase.gender, who.phrase.plural)
        return adjective, (adjective.english, "and", other.english), (spanish, "y", second)
    return adjective, (adjective.english,), (spanish,)


def feeling(g):
    """I am hungry. Is the boy cold? She is very thirsty. In Spanish one has hunger, cold and thirst."""
    sort = mood(g)
    who = subject(g, animals=True)
    word, spanish, gender = g.pick(FEELINGS, english=lambda row: row[:1])
    very = g.perhaps(0.2, "very")
    english = ("very", word) if very else (word,)
    has = finite(g, "tener", who.phrase.person)
    return (
        english_clause(sort, who, "be", english, past=g.past),
        spanish_clause(g, sort, who, has, (agree("mucho", gender, False), spanish) if very else (spanish,)),
    )


def profession(g):
    """She is a doctor. They are not good teachers. Spanish has an article only where there is an adjective."""
    sort = mood(g)
    who = subject(g)
    one = who.phrase
    what = noun_phrase(
        g,
        nouns_of(kinds_of("profession person")),
        {"bare" if one.plural else "a": 1},
        gender=one.gender,
        plural=one.plural,
    )
    bare = what.noun.kind == "profession" and len(what.spanish) == 2 and not one.plural
    spanish = what.spanish[1:] if bare else what.spanish
    copula = finite(g, "ser", one.person)
    return english_clause(sort, who, "be", what.english, past=g.past), spanish_clause(g, sort, who, copula, spanish)


def relation(g):
    """He is my brother. Are you Ana's friend?"""
    sort = mood(g)
    who = subject(g, nouns=False)
    one = who.phrase
    others = {"i": "not mine", "we": "not mine", "you": "not yours"}.get(one.english[0], "own")
    nouns = tuple(noun for noun in _countable(RELATIONS, one.plural) if one.gender in {g for _, g in noun.spanish})
    what = noun_phrase(g, nouns, {others: 3, "owner": 1}, gender=one.gender, plural=one.plural)
    copula = finite(g, "ser", one.person)
    return english_clause(sort, who, "be", what.english, past=g.past), spanish_clause(
        g, sort, who, copula, what.spanish
    )


def _countable(nouns, plural):
    return tuple(noun for noun in nouns if not plural or noun.kind not in GROUPS["UNCOUNTED"])


def pointing(g):
    """This is my sister. That is not a book. Are these your keys?"""
    sort = mood(g)
    word, forms, neuter = g.pick(POINTED, english=lambda row: row[:1])
    plural = not neuter
    people = g.pick({False: 2, True: 1})
    shapes = {"own": 3, "owner": 1} if people or plural else {"a": 4, "own": 3, "owner": 1}
    nouns = _countable(RELATIONS if people else THINGS, plural)
    nouns = tuple(noun for noun in nouns if plural or noun.kind not in GROUPS["PAIRS"])
    what = noun_phrase(g, nouns, shapes, plural=plural)
    pointed = forms.split()[what.gender == "f"]
    if neuter and not people:
        pointed = g.pick((pointed, neuter))
    who = Subject(Phrase((word,), (pointed,), what.person, what.gender, plural))
    copula = finite(g, "ser", what.person)
    return english_clause(sort, who, "be", what.english, past=g.past), spanish_clause(
        g, sort, who, copula, what.spanish
    )


def where(g, ways=WHERE):
    """Say where: in the park, behind the house, under the table.

    Parameters
    ----------
    g : Choices
    ways : list
        `WHERE`, or a part of it.

    Returns
    -------
    english, spanish : tuple of str
    """
    if ways is WHERE_PEOPLE and g.perhaps(0.1, *(english[-1] for english, _ in USUAL_PLACES)):
        return g.pick(USUAL_PLACES, english=lambda pair: pair[0][-1:])
    if g.perhaps(0.12, *(row[0][-1] for row in SPOTS)):
        return g.pick(SPOTS, english=lambda row: row[0][-1:])
    english, spanish, nouns = g.pick(ways, english=lambda row: row[0])
    place = noun_phrase(g, nouns, PLACED, plural=False)
    return (*english, *place.english), (*g.pick(usual_first(spanish)), *place.spanish)


def locating(g):
    """The keys are on the table. Is Ana in the garden? The museum is near the park."""
    sort = mood(g)
    when = ((), ())
    what = g.pick({"people": 4, "things": 4, "places": 1})
    if what == "people":
        who, when = subject(g, animals=True), time(g)
    else:
        who = Subject(noun_phrase(g, MOVABLE if what == "things" else SIGHTS, DEFINITE))
    english, spanish = where(g, {"people": WHERE_PEOPLE, "things": WHERE, "places": WHERE_PLACES}[what])
    is_ = finite(g, "estar", who.phrase.person)
    return (
        english_clause(sort, who, "be", (*english, *when[0]), past=g.past),
        spanish_clause(g, sort, who, is_, (*spanish, *when[1])),
    )


def existing(g):
    """There is a cat in the garden. There are no apples. Is there any milk? There was a dog here."""
    sort = g.pick({"statement": 6, "none": 2, "question": 2}, english={"none": ("no",), "question": ("?",)}.get)
    shapes = {"bare": 1} if sort == "none" else {"a": 3, "bare": 2, "count": 2}
    what = noun_phrase(g, (*MOVABLE, *PEOPLE_AND_PLACES), shapes)
    english, spanish = where(g) if g.perhaps(0.7, *PLACE_WORDS) else ((), ())
    be, there_is = ("were" if what.plural else "was", "había") if g.past else ("are" if what.plural else "is", "hay")
    if sort == "question":
        return (be, "there", *what.english, *english, "?"), ("¿", there_is, *what.spanish, *spanish, "?")
    no, none = (("no",), ("no",)) if sort == "none" else ((), ())
    return ("there", be, *no, *what.english, *english, "."), (*none, there_is, *what.spanish, *spanish, ".")
