"""Who does what: subjects, verbs with their objects, and the order of words in statements and questions."""

from typing import NamedTuple

from transformer_kit.corpus.morphology import conjugate, third_person
from transformer_kit.corpus.phrases import (
    NAMES,
    Phrase,
    coordinated,
    noun_phrase,
    nouns_of,
    with_a,
)
from transformer_kit.corpus.pronouns import ENGLISH_PRONOUNS, reading
from transformer_kit.corpus.tenses import english_past, imperfect
from transformer_kit.corpus.words import GROUPS

MOODS = {"statement": 6, "negative": 2, "question": 2}
MODALS = ("can", "must", "will")
MOOD_WORDS = {"statement": (".",), "negative": ("not",), "question": ("?",)}


class Subject(NamedTuple):
    """Who does something.

    Attributes
    ----------
    phrase : Phrase
    pronoun : Pronoun or None
    """

    phrase: Phrase
    pronoun: object = None

    def be(self, past=False):
        """Return the form of to be that goes with it."""
        if past:
            return "was" if self.phrase.third or self.phrase.english == ("i",) else "were"
        if self.phrase.english == ("i",):
            return "am"
        return "is" if self.phrase.third else "are"

    @property
    def dative(self):
        """The Spanish pronoun of the one who likes something."""
        return self.pronoun.dative if self.pronoun else ("les" if self.phrase.plural else "le")

    @property
    def with_a(self):
        """The one who likes something, named: a mí, a Ana."""
        return ("a", self.pronoun.strong) if self.pronoun else with_a(self.phrase)


def subject(g, animals=False, nouns=True):
    """Say who: a pronoun, a name, a noun, or two of them.

    Parameters
    ----------
    g : Choices
    animals : bool
        Animals do it, too.
    nouns : bool
        Not only pronouns and names.

    Returns
    -------
    Subject
    """
    sort = g.pick({"pronoun": 9, "name": 3, "noun": 6 * nouns, "two": nouns})
    if sort == "pronoun":
        english = g.pick(ENGLISH_PRONOUNS, english=lambda english: (english,))
        chosen = reading(g, english)
        words = ((english,), (chosen.spanish,))
        return Subject(Phrase(*words, chosen.person, chosen.gender, chosen.person > 2), chosen)
    if sort == "name":
        return Subject(g.take(NAMES, english=lambda name: name.english))
    if sort == "two":
        first = g.take(NAMES, english=lambda name: name.english)
        return Subject(coordinated(first, _another(g, first)))
    kinds = g.pick({GROUPS["PEOPLE"]: 3, frozenset(("animal",)): 1}) if animals else GROUPS["PEOPLE"]
    shapes = {"the": 6, "own": 4, "this": 1, "a": 1, "bare": 1, "count": 1}
    return Subject(noun_phrase(g, nouns_of(kinds), shapes, generic=True))


def _another(g, first):
    """Say who else: another name, "my brother", "the doctor"."""
    if g.pick((True, False)):
        return g.take(tuple(name for name in NAMES if name != first), english=lambda name: name.english)
    return noun_phrase(g, nouns_of(GROUPS["PEOPLE"]), {"the": 1, "own": 1})


def mood(g):
    """Choose between a statement, a negative and a question."""
    return g.pick(MOODS, english=MOOD_WORDS.get)


def shown(g, who):
    """Return the Spanish subject, or nothing where its pronoun is left out."""
    if who.pronoun and g.pick({True: who.pronoun.drop, False: 1 - who.pronoun.drop}):
        return ()
    return who.phrase.spanish


def english_clause(mood, who, verb, rest, adverb=(), past=False):
    """Put English words in order.

    Parameters
    ----------
    mood : str
        "statement", "negative" or "question".
    who : Subject
    verb : str
        "be", "can", "must", "will", or the first form of another verb.
    rest, adverb : tuple of str
        What follows the verb, and what stands right before a verb and right after to be.
    past : bool

    Returns
    -------
    tuple of str
    """
    name, third = who.phrase.english, who.phrase.third
    if verb in ("be", *MODALS):
        form = who.be(past) if verb == "be" else verb
        if mood == "question":
            return (form, *name, *rest, "?")
        return (*name, form, *(("not",) if mood == "negative" else adverb), *rest, ".")
    do = "did" if past else "does" if third else "do"
    if mood == "question":
        return (do, *name, verb, *rest, "?")
    if mood == "negative":
        return (*name, do, "not", verb, *rest, ".")
    form = english_past(verb) if past else third_person(verb) if third else verb
    return (*name, *adverb, form, *rest, ".")


def finite(g, infinitive, person):
    """Return a Spanish verb for what is, or for what was: está, estaba."""
    return imperfect(infinitive, person) if g.past else conjugate(infinitive, person)


def spanish_clause(g, mood, who, verb, rest, clitic=(), adverb=(), subject_last=False):
    """Put Spanish words in order.

    Parameters
    ----------
    g : Choices
    mood : str
    who : Subject
    verb : str
        In its right form.
    rest, clitic, adverb : tuple of str
        What follows the verb, the pronoun right before it, and the adverb before both.
    subject_last : bool
        Where the subject stands if it comes after the verb in a question: last, or right after the verb.

    Returns
    -------
    tuple of str
    """
    name = shown(g, who)
    if mood == "question":
        if name and g.pick((True, False)):
            after = (*rest, *name) if subject_last else (*name, *rest)
            return ("¿", *clitic, verb, *after, "?")
        return ("¿", *name, *clitic, verb, *rest, "?")
    return (*name, *adverb, *(("no",) if mood == "negative" else ()), *clitic, verb, *rest, ".")
