"""Questions that begin with a question word."""

from transformer_kit.corpus.being import DESCRIBED, MOVABLE, SIGHTS, WHERE_PEOPLE, quality, where
from transformer_kit.corpus.clauses import Subject, english_clause, shown, subject
from transformer_kit.corpus.morphology import agree, conjugate, third_person
from transformer_kit.corpus.phrases import noun_phrase, usual_first
from transformer_kit.corpus.predicates import CERTAIN, Predicate, predicate, time
from transformer_kit.corpus.statements import ACTIONS, HELPERS, VERBS, helped, liked_thing
from transformer_kit.corpus.verbs import INTRANSITIVE, TRANSITIVE
from transformer_kit.corpus.words import GROUPS, NOUNS

COUNTED = tuple(noun for noun in NOUNS if noun.kind not in {*GROUPS["MASS"], *GROUPS["PEOPLE"]})
COUNTING = tuple(verb for verb in TRANSITIVE if verb.kinds & {noun.kind for noun in COUNTED})
# "What do you know?" and "What do you play?" have other verbs in Spanish.
ASKED = tuple(verb for verb in TRANSITIVE if verb.kinds - GROUPS["PEOPLE"] and verb.english[0] not in ("know", "play"))


def question(g, english_word, spanish_word, who, english, verbs, spanish=()):
    """Ask with a question word; the Spanish subject stands right after the verbs.

    Parameters
    ----------
    g : Choices
    english_word, spanish_word : tuple of str
    who : Subject
    english : tuple of str
        What is done, the first form of the verb first.
    verbs, spanish : tuple of str
        The Spanish verbs, of which the first one is still an infinitive, and what follows them.

    Returns
    -------
    english, spanish : tuple of str
    """
    finite = conjugate(verbs[0], who.phrase.person)
    return (
        (*english_word, *english_clause("question", who, english[0], english[1:])),
        ("¿", *spanish_word, finite, *verbs[1:], *shown(g, who), *spanish, "?"),
    )


def what(g):
    """What does Ana want to eat? What do you see?"""
    helper = g.perhaps(0.3, "can", "to") and g.pick(HELPERS)
    who = subject(g)
    verbs = [verb for verb in ASKED if not helper or verb in ACTIONS]
    verb = g.pick(verbs, english=lambda verb: verb.forms)
    when = time(g)
    done = Predicate((*verb.english, *when[0]), verb.spanish[0], when[1])
    return question(g, ("what",), ("qué",), who, *helped(helper, done))


def where_or_when(g):
    """Where do you live? When does the girl go to the park?"""
    who = subject(g)
    if g.pick({True: 2, False: 1}, english=lambda place: ("where",) if place else ("when",)):
        verb = g.pick(INTRANSITIVE, english=lambda verb: verb.forms)
        return question(g, ("where",), ("dónde",), who, verb.english, verb.spanish)
    return question(g, ("when",), ("cuándo",), who, *helped(None, predicate(g, ACTIONS, times=())))


def where_is(g):
    """Where is the cat? Where are my keys? Where is the library? How are you?"""
    things = Subject(noun_phrase(g, (*MOVABLE, *SIGHTS), CERTAIN)) if g.pick({True: 2, False: 1}) else None
    who = things or subject(g)
    pairs = {("where", "dónde"): 3} if things else {("where", "dónde"): 1, ("how", "cómo"): 1}
    english, spanish = g.pick(pairs, english=lambda pair: pair[:1])
    return question(g, (english,), (spanish,), who, ("be",), ("estar",))


def why(g):
    """Why are you sad? Why is the door open?"""
    who = Subject(noun_phrase(g, DESCRIBED, CERTAIN)) if g.pick({True: 1, False: 2}) else subject(g, animals=True)
    adjective, english, spanish = quality(g, who)
    copula = g.pick(usual_first(adjective.copulas))
    finite, name = conjugate(copula, who.phrase.person), shown(g, who)
    order = (*name, finite, *spanish) if name and g.pick((True, False)) else (finite, *spanish, *name)
    return ("why", *english_clause("question", who, "be", english)), ("¿", "por", "qué", *order, "?")


def who_does(g):
    """Who eats bread? Who likes cats? Who is in the kitchen? Who can swim?"""
    sort = g.pick({"does": 4, "likes": 2, "is": 2})
    if sort == "likes":
        english, spanish, plural = liked_thing(g, "like", VERBS)
        likes = "gustan" if plural else "gusta"
        return ("who", "likes", *english, "?"), ("¿", "a", "quién", "le", likes, *spanish, "?")
    if sort == "is":
        english, spanish = where(g, WHERE_PEOPLE)
        return ("who", "is", *english, "?"), ("¿", "quién", "está", *spanish, "?")
    done = predicate(g, VERBS)
    english = (third_person(done.english[0]), *done.english[1:])
    return ("who", *english, "?"), ("¿", "quién", conjugate(done.infinitive, 2), *done.spanish, "?")


def who_is(g):
    """Who is the man? Who are they?"""
    who = subject(g)
    word = "quiénes" if who.phrase.plural else "quién"
    return question(g, ("who",), (word,), who, ("be",), ("ser",))


def how_many(g):
    """How many apples do you want?"""
    verb = g.pick(COUNTING, english=lambda verb: verb.forms)
    nouns = tuple(noun for noun in COUNTED if noun.kind in verb.kinds)
    noun = noun_phrase(g, nouns, {"bare": 1}, plural=True)
    g.link(verb.english[0], noun.noun.english)
    many = agree("cuánto", noun.gender, True)
    return question(g, ("how", "many", *noun.english), (many, *noun.spanish), subject(g), verb.english, verb.spanish)
