"""Doing and liking: statements, denials, and questions that ask whether."""

from functools import cache

from transformer_kit.corpus.clauses import english_clause, mood, shown, spanish_clause, subject
from transformer_kit.corpus.morphology import conjugate, third_person
from transformer_kit.corpus.phrases import coordinated, noun_phrase, nouns_of
from transformer_kit.corpus.predicates import predicate
from transformer_kit.corpus.tenses import gerund, imperfect, ing_form, preterite
from transformer_kit.corpus.verbs import FREQUENCIES, INTRANSITIVE, TIMES, TOMORROW, TOWARDS, TRANSITIVE
from transformer_kit.corpus.words import GROUPS, kinds_of

VERBS = (*TRANSITIVE, *INTRANSITIVE, *TOWARDS)
ACTIONS = tuple(verb for verb in VERBS if "lasting" not in verb.traits)
ANIMAL_VERBS = tuple(verb for verb in VERBS if "animals" in verb.traits)
MOVING = ("ir", "venir")  # "I am going to the park" is "voy al parque"
LOVE = tuple(verb for verb in TRANSITIVE if verb.english == ("love",))
LIKED = nouns_of(kinds_of("GOODS WHEELS INDOORS OUTDOORS animal movie water language sport music sky dish event idea"))

GOING_ON = ("-ing",)
# What may stand between subject and action: first English word, the other ones; Spanish verb, the other ones.
HELPERS = {
    ("can", (), "poder", ()): 3,
    ("want", ("to",), "querer", ()): 3,
    ("have", ("to",), "tener", ("que",)): 2,
    ("be", ("going", "to"), "ir", ("a",)): 2,
    ("need", ("to",), "necesitar", ()): 1,
    ("must", (), "deber", ()): 1,
    ("will", (), "ir", ("a",)): 1.5,
    ("be", GOING_ON, "estar", ()): 4,
}
HELPER_WORDS = {helper: (helper[1] or helper[:1])[:1] for helper in HELPERS} | {
    ("be", GOING_ON, "estar", ()): tuple(ing_form(verb.english[0]) for verb in VERBS)
}


def doing(g):
    """She eats an apple. We do not see the girl. Can Ana swim in the river? He is going to read."""
    helper = choose_helper(g)
    sort = mood(g)
    adverb = frequency(g) if sort == "statement" and not helper else ((), ())
    animals = g.perhaps(0.2)
    who = subject(g, animals)
    verbs = _verbs(animals, bool(helper))
    if not animals and not helper and g.perhaps(0.05, *LOVE[0].forms):
        verbs = LOVE  # as often as people speak of it
    what = predicate(g, verbs, who, (*TIMES, *TOMORROW) if helper else TIMES)
    english, verbs, spanish = helped(helper, what)
    finite = conjugate(verbs[0], who.phrase.person)
    return (
        english_clause(sort, who, english[0], english[1:], adverb[0]),
        spanish_clause(g, sort, who, finite, (*verbs[1:], *spanish), what.clitic, adverb[1]),
    )


@cache
def _verbs(animals, helped):
    return tuple(verb for verb in (ANIMAL_VERBS if animals else VERBS) if not helped or verb in ACTIONS)


def choose_helper(g, chance=0.4):
    """Choose what stands before the action, sometimes."""
    words = [word for words in HELPER_WORDS.values() for word in words]
    return g.perhaps(chance, *words) and g.pick(HELPERS, english=HELPER_WORDS.get)


def did(g):
    """She went to the beach yesterday. We did not see the girl. Did you eat the apple?"""
    sort = mood(g)
    g.past = True
    animals = g.perhaps(0.2)
    who = subject(g, animals)
    verbs = tuple(verb for verb in (ANIMAL_VERBS if animals else VERBS) if verb.spanish != ("conocer",))
    what = predicate(g, verbs, who)
    tense = imperfect if what.lasting else preterite
    return (
        english_clause(sort, who, what.english[0], what.english[1:], past=True),
        spanish_clause(g, sort, who, tense(what.infinitive, who.phrase.person), what.spanish, what.clitic),
    )


def helped(helper, what):
    """Put a helper before what is done, if there is one.

    Returns
    -------
    english, verbs, spanish : tuple of str
        English words, Spanish verbs, and what follows these. The first English word and the first Spanish verb take
        the form of the subject.
    """
    if not helper:
        return what.english, (what.infinitive,), what.spanish
    if helper[1] == GOING_ON:
        verb, *rest = what.english
        verbs = (what.infinitive,) if what.infinitive in MOVING else ("estar", gerund(what.infinitive))
        return ("be", ing_form(verb), *rest), verbs, what.spanish
    return (helper[0], *helper[1], *what.english), (helper[2], *helper[3], what.infinitive), what.spanish


def frequency(g):
    """Say how often, sometimes.

    Returns
    -------
    english, spanish : tuple of str
    """
    if not g.perhaps(0.12, *(english[0] for english, _ in FREQUENCIES)):
        return (), ()
    return g.pick(FREQUENCIES, english=lambda pair: pair[0])


def liking(g):
    """I like cats. Does Ana like to read? He loves the red car. Spanish makes the thing the subject."""
    verb, spanish_verb = g.pick(
        {("like", "gustar"): 5, ("love", "encantar"): 2}, english=lambda pair: (pair[0], third_person(pair[0]))
    )
    sort = mood(g)
    animals = g.perhaps(0.2)
    who = subject(g, animals)
    english, spanish, plural = liked_thing(g, verb, ANIMAL_VERBS if animals else VERBS)
    much = ((), ())
    if verb == "like" and english[0] != "to" and g.perhaps(0.1, "much", "lot"):
        much = (g.pick((("very", "much"), ("a", "lot")), english=lambda words: words[-1:]), ("mucho",))
    finite = spanish_verb[:-1].removesuffix("a") + ("an" if plural else "a")
    named = who.with_a if shown(g, who) else ()
    core = (*(("no",) if sort == "negative" else ()), who.dative, finite)
    if sort != "question":
        spanish = (*named, *core, *much[1], *spanish, ".")
    else:
        first, middle, last = _one_place(g, named, far=len(spanish) > 2)
        spanish = ("¿", *first, *core, *much[1], *middle, *spanish, *last, "?")
    return english_clause(sort, who, verb, (*english, *much[0])), spanish


def _one_place(g, words, far):
    """Put words into one of three places: before the verb, after it, or last where that is not far away."""
    place = g.pick({0: 4, 1: 1, 2: 0 if far else 1}) if words else 0
    return tuple(words if i == place else () for i in range(3))


def liked_thing(g, verb, verbs):
    """Say what is liked: cats, this book, to read.

    Parameters
    ----------
    g : Choices
    verb : str
        "like" or "love".
    verbs : tuple of Verb
        Those who like something can do.

    Returns
    -------
    english, spanish : tuple of str
    plural : bool
    """
    if g.perhaps(0.3, "to"):
        what = predicate(g, tuple(v for v in verbs if v in ACTIONS), times=())
        return ("to", *what.english), (what.infinitive, *what.spanish), False
    thing = noun_phrase(g, LIKED, {"bare": 8, "the": 2, "this": 1, "own": 1, "owner": 1}, generic=True)
    g.link(verb, thing.noun.english)
    if thing.plural and g.perhaps(0.1, "and"):
        others = tuple(noun for noun in LIKED if noun.kind not in GROUPS["MASS"] and noun is not thing.noun)
        second = noun_phrase(g, others, {"bare": 1}, generic=True)
        g.link(verb, second.noun.english)
        thing = coordinated(thing, second)
    return thing.english, thing.spanish, thing.plural
