"""Noun phrases in both languages: a noun with its determiner, adjective and owner."""

from functools import cache
from typing import NamedTuple

from transformer_kit.corpus.adjectives import ADJECTIVES, PREDICATIVE
from transformer_kit.corpus.determiners import FORMAL_YOUR, FORMS, SHAPE_WORDS, UNFIT
from transformer_kit.corpus.morphology import agree, indefinite_article, plural_in_spanish
from transformer_kit.corpus.names import PEOPLE
from transformer_kit.corpus.numbers import english_number, number, spanish_number
from transformer_kit.corpus.pronouns import formal
from transformer_kit.corpus.words import GROUPS, NOUNS


class Phrase(NamedTuple):
    """The same thing in both languages.

    Attributes
    ----------
    english, spanish : tuple of str
    person : int
        0 yo, 1 tú, 2 él and usted, 3 nosotros, 4 ellos.
    gender : str
        "m" or "f".
    plural : bool
    noun : Noun or None
        None for names and pronouns.
    definite : bool
        A particular one, not just any.
    """

    english: tuple
    spanish: tuple
    person: int
    gender: str
    plural: bool
    noun: object = None
    definite: bool = True

    @property
    def third(self):
        """Whether the English verb takes its -s."""
        return not self.plural and self.english not in (("i",), ("you",))


NAMES = [Phrase((english,), (spanish,), 2, gender, False) for english, spanish, gender in PEOPLE]


SOME = {("unos", "unas"): 2, ("algunos", "algunas"): 1}
# The order of two adjectives in English; in Spanish they follow their noun in the opposite order.
RANKS = {
    word: rank
    for rank, words in enumerate(
        (
            "beautiful pretty ugly nice expensive cheap famous",
            "big small long short tall",
            "new old young",
            "red blue green yellow white black brown gray",
        ),
        start=1,
    )
    for word in words.split()
}


@cache
def nouns_of(kinds):
    """Return the nouns of some kinds."""
    return tuple(noun for noun in NOUNS if noun.kind in kinds)


@cache
def adjectives_of(kind):
    """Return the adjectives that go with a kind of noun."""
    return tuple(adjective for adjective in ADJECTIVES if kind in adjective.kinds)


def usual_first(options):
    """Weigh alternatives: the first is twice as likely as the others together."""
    return {option: 2.0 * max(1, len(options) - 1) if i == 0 else 1.0 for i, option in enumerate(options)}


def with_a(phrase):
    """Return the Spanish of a person as an object, or as the one who likes something: with "a"."""
    return ("a", *phrase.spanish)


def noun_phrase(g, nouns, shapes, generic=False, gender=None, plural=None):
    """Say a noun with its determiner and perhaps an adjective.

    Parameters
    ----------
    g : Choices
    nouns : tuple of Noun
    shapes : dict from str to weight
        Kinds of determiners.
    generic : bool
        Without a determiner all of them are meant: "cats" is "los gatos".
    gender : str, optional
    plural : bool, optional
        Given where another word decides.

    Returns
    -------
    Phrase
    """
    noun = g.take(nouns, english=lambda noun: noun.forms)
    shape = g.pick(_fitting(shapes, noun), english=lambda shape: SHAPE_WORDS.get(shape, noun.forms))
    generic = generic or noun.kind == "dish"
    numbers = _numbers(shape, noun) if plural is None else (plural,)
    plural = g.pick(numbers, english=lambda plural: noun.forms[plural : plural + 1])
    spanish, gender = g.pick(_variants(noun, gender))
    before, determiner, after = _determiner(g, shape, noun, plural, gender, generic)
    words = (plural_in_spanish(spanish),) if plural else (spanish,)
    adjective, words = _with_adjective(g, noun, words, gender, plural)
    noun_words = (*adjective, noun.forms[plural])
    if before == ("a",):
        before = (indefinite_article(noun_words[0]),)
    definite = shape not in ("a", "bare", "counted", "count", "some")
    g.say((*before, *noun_words))
    return Phrase((*before, *noun_words), (*determiner, *words, *after), 2 + 2 * plural, gender, plural, noun, definite)


def _fitting(shapes, noun):
    """Leave out the determiners that a noun cannot have."""
    if noun.kind in GROUPS["NAMELIKE"]:
        return ("bare",)
    unfit = {shape for group, shapes in UNFIT.items() if noun.kind in GROUPS[group] for shape in shapes}
    return {shape: weight for shape, weight in shapes.items() if shape not in unfit}


def _numbers(shape, noun):
    """Say which numbers are possible: False is the singular."""
    if noun.kind in GROUPS["PAIRS"]:
        return (True,)
    if noun.kind in GROUPS["UNCOUNTED"] or shape == "a":
        return (False,)
    return (True,) if shape in ("bare", "count", "counted", "some") else {False: 2, True: 1}


def _variants(noun, gender):
    if gender:
        return tuple(variant for variant in noun.spanish if variant[1] == gender)
    return usual_first(noun.spanish)


def _determiner(g, shape, noun, plural, gender, generic):
    """Return the English determiner, the Spanish one, and what follows the noun in Spanish."""
    place = 2 * plural + (gender == "f")
    article = FORMS["the"][0].forms[place]
    if shape in ("bare", "counted"):
        return (), (article,) if generic else (), ()
    if shape == "owner":
        owner = _owner(g)
        return (*owner.english, "'s"), (article,), ("de", *owner.spanish)
    if shape == "some":
        words = () if not plural else g.pick(SOME)[gender == "f" :][:1]
        return ("some",), words, ()
    if shape == "count":
        if g.perhaps(0.15, "many"):
            return ("many",), ("muchas" if gender == "f" else "muchos",), ()
        n = number(g)
        return english_number(n), spanish_number(n, gender), ()
    fitting = tuple(d for d in FORMS[shape] if d.forms[place] != "-")
    chosen = g.take(fitting, english=lambda d: ("a", "an") if d.english == "a" else (d.english,))
    forms = chosen.forms
    if chosen.english == "your" and formal(g):
        forms = FORMAL_YOUR
    return (chosen.english,), (forms[place],), ()


def _owner(g):
    """Say who the owner is: a name, or "the girl", "my friend"."""
    if g.perhaps(0.6, *(name.english[0] for name in NAMES)):
        return g.take(NAMES, english=lambda name: name.english)
    return noun_phrase(g, nouns_of(GROUPS["PEOPLE"]), {"the": 2, "own": 1}, plural=False)


def _with_adjective(g, noun, words, gender, plural):
    """Return the English adjective, or nothing, and the Spanish noun with it."""
    fitting = tuple(adjective for adjective in adjectives_of(noun.kind) if adjective.english not in PREDICATIVE)
    if not fitting or noun.kind == "family" or not g.perhaps(0.3, *(adjective.english for adjective in fitting)):
        return (), words
    adjective = g.take(fitting, english=lambda adjective: (adjective.english,))
    g.link(adjective.english, noun.english)
    spanish = agree(g.pick(usual_first(adjective.spanish)), gender, plural)
    inner = tuple(other for other in fitting if RANKS.get(other.english, 0) > RANKS.get(adjective.english, 9))
    if inner and g.perhaps(0.15, *(other.english for other in inner)):
        second = g.take(inner, english=lambda other: (other.english,))
        g.link(second.english, noun.english)
        return (adjective.english, second.english), (*words, agree(second.spanish[0], gender, plural), spanish)
    if adjective.english == "good" and g.pick({True: 2, False: 1}):
        return ("good",), ("buen" if spanish == "bueno" else spanish, *words)
    return (adjective.english,), (*words, spanish)


def coordinated(first, second):
    """Join two phrases with "and"."""
    gender = "f" if first.gender == second.gender == "f" else "m"
    english, spanish = (*first.english, "and", *second.english), (*first.spanish, "y", *second.spanish)
    return Phrase(english, spanish, 4, gender, True, first.noun, first.definite and second.definite)
