"""Questions that begin with a question word."""

from transformer_kit.corpus.clauses import Subject, english_clause, shown, subject
from transformer_kit.corpus.copula import DESCRIBED, MOVABLE, SIGHTS, WHERE_PEOPLE, quality, where
from transformer_kit.corpus.morphology import agree, conjugate, third_person
from transformer_kit.corpus.phrases import noun_phrase, usual_first
from transformer_kit.corpus.predicates import DEFINITE, Predicate, predicate, time
from transformer_kit.corpus.statements import ACTIONS, VERBS, choose_helper, helped, liked_thing
from transformer_kit.corpus.tenses import english_past, imperfect, preterite
from transformer_kit.corpus.verbs import INTRANSITIVE, TRANSITIVE
from transformer_kit.corpus.words import GROUPS, NOUNS

COUNTED = tuple(
    noun for noun in NOUNS if noun.kind not in {*GROUPS["MASS"], *GROUPS["PEOPLE"] - {"family", "offspring"}}
)
COUNTING = tuple(verb for verb in TRANSITIVE if verb.kinds & {noun.kind for noun in COUNTED})
# "What do you know?" and "What do you play?" have other verbs in Spanish.
WHAT_VERBS = tuple(
    verb for verb in TRANSITIVE if verb.kinds - GROUPS["PEOPLE"] and verb.english[0] not in ("know", "play")
)


def finite_or_once(g, lasting):
    """Return the function that conjugates: in the present, or for what used to be, or was done once."""
    return conjugate if not g.past else imperfect if lasting else preterite


def question(g, english_word, spanish_word, who, english, verbs, spanish=(), lasting=True):
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
    lasting : bool
        No action: in the past it is what used to be.

    Returns
    -------
    english, spanish : tuple of str
    """
    tense = finite_or_once(g, lasting)
    return (
        (*english_word, *english_clause("question", who, english[0], english[1:], past=g.past)),
        ("¿", *spanish_word, tense(verbs[0], who.phrase.person), *verbs[1:], *shown(g, who), *spanish, "?"),
    )


def what(g):
    """What does Ana want to eat? What do you see?"""
    helper = choose_helper(g)
    who = subject(g)
    verbs = [verb for verb in WHAT_VERBS if not helper or verb in ACTIONS]
    verb = g.pick(verbs, english=lambda verb: verb.forms)
    g.past = not helper and g.pick({False: 2, True: 1}, english=lambda past: ("did",) if past else None)
    when = time(g)
    done = Predicate((*verb.english, *when[0]), verb.spanish[0], when[1], lasting="lasting" in verb.traits)
    return question(g, ("what",), ("qué",), who, *helped(helper, done), lasting=done.lasting)


def where_or_when(g):
    """Where do you live? When does the girl go to the park?"""
    who = subject(g)
    helper = choose_helper(g)
    g.past = not helper and g.pick({False: 2, True: 1}, english=lambda past: ("did",) if past else None)
    if g.pick({True: 2, False: 1}, english=lambda place: ("where",) if place else ("when",)):
        if g.pick({False: 1, True: 1}):
            done = predicate(g, tuple(verb for verb in TRANSITIVE if verb in ACTIONS), times=())
        else:
            verbs = [verb for verb in INTRANSITIVE if not helper or verb in ACTIONS]
            verb = g.pick(verbs, english=lambda verb: verb.forms)
            done = Predicate(verb.english, verb.spanish[0], (), lasting="lasting" in verb.traits)
        return question(g, ("where",), ("dónde",), who, *helped(helper, done), lasting=done.lasting)
    done = predicate(g, ACTIONS, times=())
    return question(g, ("when",), ("cuándo",), who, *helped(helper, done), lasting=False)


def where_is(g):
    """Where is the cat? Where are my keys? Where is the library? How are you?"""
    things = Subject(noun_phrase(g, (*MOVABLE, *SIGHTS), DEFINITE)) if g.pick({True: 2, False: 1}) else None
    who = things or subject(g)
    pairs = {("where", "dónde"): 3} if things else {("where", "dónde"): 1, ("how", "cómo"): 1}
    english, spanish = g.pick(pairs, english=lambda pair: pair[:1])
    when = time(g) if not things else ((), ())
    return question(g, (english,), (spanish,), who, ("be", *when[0]), ("estar",), when[1])


def why(g):
    """Why are you sad? Why is the door open?"""
    who = Subject(noun_phrase(g, DESCRIBED, DEFINITE)) if g.pick({True: 1, False: 2}) else subject(g, animals=True)
    adjective, english, spanish = quality(g, who)
    copula = g.pick(usual_first(adjective.copulas))
    finite, name = conjugate(copula, who.phrase.person), shown(g, who)
    order = (*name, finite, *spanish) if name and g.pick((True, False)) else (finite, *spanish, *name)
    return ("why", *english_clause("question", who, "be", english)), ("¿", "por", "qué", *order, "?")


def why_does(g):
    """Why are you crying? Why did she sell the car? Why do you want to go home?"""
    helper = choose_helper(g)
    g.past = not helper and g.pick({False: 1, True: 1}, english=lambda past: ("did",) if past else None)
    who = subject(g)
    done = predicate(g, ACTIONS if helper else VERBS, times=())
    return question(g, ("why",), ("por", "qué"), who, *helped(helper, done), lasting=done.lasting)


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
    g.past = g.pick({False: 2, True: 1})
    done = predicate(g, VERBS)
    tense = finite_or_once(g, done.lasting)
    english = ((english_past if g.past else third_person)(done.english[0]), *done.english[1:])
    return ("who", *english, "?"), ("¿", "quién", tense(done.infinitive, 2), *done.spanish, "?")


def who_is(g):
    """Who is the man? Who are they?"""
    who = subject(g)
    word = "quiénes" if who.phrase.plural else "quién"
    return question(g, ("who",), (word,), who, ("be",), ("ser",))


def how_many(g):
    """How many apples do you want?"""
    verb = g.pick(COUNTING, english=lambda verb: verb.forms)
    nouns = tuple(noun for noun in COUNTED if noun.kind in verb.kinds)
    noun = noun_phrase(g, nouns, {"counted": 1}, plural=True)
    g.link(verb.english[0], noun.noun.english)
    many = agree("cuánto", noun.gender, True)
    return question(g, ("how", "many", *noun.english), (many, *noun.spanish), subject(g), verb.english, verb.spanish)
