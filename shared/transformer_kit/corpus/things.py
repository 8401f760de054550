"""It, this and that: what it is and is like, where it is, and what is done with it."""

from transformer_kit.corpus.adjectives import ADJECTIVES
from transformer_kit.corpus.clauses import Subject, english_clause, finite, mood, shown, spanish_clause, subject
from transformer_kit.corpus.copula import THINGS, WHERE, quality, where
from transformer_kit.corpus.morphology import conjugate
from transformer_kit.corpus.phrases import Phrase, noun_phrase, nouns_of, usual_first
from transformer_kit.corpus.predicates import Predicate, time
from transformer_kit.corpus.statements import ACTIONS, choose_helper, helped
from transformer_kit.corpus.tenses import imperfect, preterite
from transformer_kit.corpus.verbs import TRANSITIVE
from transformer_kit.corpus.words import GROUPS, kinds_of

# Spanish words for what is the subject, and the object: before the verb or after it.
SUBJECTS = {"it": (), "this": ("esto",), "that": ("eso",)}
OBJECTS = {"it": 5, "this": 2, "that": 1, "them": 2}
QUESTION_WORDS = (("where", "dónde"), ("when", "cuándo"), ("why", "por qué"))
CLITICS = {"it": ("lo", "la"), "them": ("los", "las")}
USED = tuple(
    verb
    for verb in TRANSITIVE
    if verb.kinds - GROUPS["PEOPLE"] and verb.spanish[0] not in ("jugar a", "tocar", "hablar")
)
OTHERS = nouns_of(kinds_of("day idea building city movie animal event outside"))
SAID_OF_THINGS = tuple(adjective for adjective in ADJECTIVES if adjective.kinds - GROUPS["PEOPLE"] - {"animal"})


def _it(g):
    """Say it, this or that, as a subject."""
    word = g.pick({"it": 5, "this": 1, "that": 1}, english=lambda word: (word,))
    gender = g.pick(("m", "f")) if word == "it" else "m"
    return Subject(Phrase((word,), SUBJECTS[word], 2, gender, False))


def it_is_like(g):
    """It is very big. Is it red? That is too expensive. This was not good."""
    sort, who = mood(g), _it(g)
    adjective, english, spanish = quality(g, who, SAID_OF_THINGS)
    copula = g.pick(usual_first(adjective.copulas))
    return (
        english_clause(sort, who, "be", english, past=g.past),
        spanish_clause(g, sort, who, finite(g, copula, 2), spanish),
    )


def it_is(g):
    """It is a gift. It is not my book. Was it your bag? It is mine."""
    sort = mood(g)
    if g.perhaps(0.15, "mine", "yours", "ours"):
        who = _it(g)
        english, stem = g.pick((("mine", "mí"), ("yours", "tuy"), ("ours", "nuestr")), english=lambda row: row[:1])
        ending = "a" if who.phrase.gender == "f" else "o"
        what = Phrase((english,), (stem + ending,), 2, who.phrase.gender, False)
    else:
        nouns = g.pick((tuple(noun for noun in THINGS if noun.kind != "pair"), OTHERS))
        what = noun_phrase(g, nouns, {"a": 5, "own": 4, "owner": 1}, plural=False)
        who = Subject(Phrase(("it",), (), 2, what.gender, False))
    return (
        english_clause(sort, who, "be", what.english, past=g.past),
        spanish_clause(g, sort, who, finite(g, "ser", 2), what.spanish),
    )


def it_is_where(g):
    """It is on the table. Is it near the station? It is here. Where is it? Where are they?"""
    if g.pick({True: 1, False: 4}, english=lambda asks: ("where",) if asks else None):
        be = "was" if g.past else "is"
        return ("where", be, "it", "?"), ("¿", "dónde", finite(g, "estar", 2), "?")
    sort = mood(g)
    english, spanish = _far(g) if g.perhaps(0.15, "far", "near") else where(g, WHERE)
    who = Subject(Phrase(("it",), (), 2, "m", False))
    return (
        english_clause(sort, who, "be", english, past=g.past),
        spanish_clause(g, sort, who, finite(g, "estar", 2), spanish),
    )


def _far(g):
    english, spanish = g.pick((("far", "lejos"), ("near", "cerca")), english=lambda row: row[:1])
    very = g.perhaps(0.3, "very")
    return (*(("very",) if very else ()), english), (*(("muy",) if very else ()), spanish)


def what_is(g):
    """What is this? What are these? Who is that?"""
    return g.pick(
        (
            (("what", "is", "this", "?"), ("¿", "qué", "es", "esto", "?")),
            (("what", "is", "that", "?"), ("¿", "qué", "es", "eso", "?")),
            (("what", "is", "it", "?"), ("¿", "qué", "es", "?")),
            (("what", "are", "these", "?"), ("¿", "qué", "son", "estos", "?")),
            (("what", "are", "they", "?"), ("¿", "qué", "son", "?")),
            (("who", "is", "that", "?"), ("¿", "quién", "es", "ese", "?")),
            (("who", "is", "this", "?"), ("¿", "quién", "es", "este", "?")),
            (("who", "is", "it", "?"), ("¿", "quién", "es", "?")),
            (("what", "was", "that", "?"), ("¿", "qué", "era", "eso", "?")),
            (("what", "was", "it", "?"), ("¿", "qué", "era", "?")),
        ),
        english=lambda row: row[0][2:3],
    )


def doing_it(g):
    """I see it. Do you want them? She does not want to buy this. Where did you buy it?"""
    helper = choose_helper(g)
    past = not helper and g.pick({False: 3, True: 1})
    sort, who = mood(g), subject(g)
    verbs = [verb for verb in USED if verb in ACTIONS] if helper else USED
    verb = g.pick(verbs, english=lambda verb: verb.forms)
    word = g.pick(OBJECTS, english=lambda word: (word,))
    infinitive, *preposition = g.pick(usual_first(verb.spanish)).split()
    clitic = (g.pick(CLITICS[word]),) if word in CLITICS else ()
    after = () if clitic else SUBJECTS[word]
    g.past = past
    when = time(g)
    english, verbs, spanish = helped(
        helper, Predicate((*verb.english, word, *when[0]), infinitive, (*preposition, *after, *when[1]), clitic)
    )
    once = imperfect if "lasting" in verb.traits else preterite
    form, *others = (once if past else conjugate)(verbs[0], who.phrase.person), *verbs[1:]
    english = english_clause(sort, who, english[0], english[1:], past=past)
    if sort == "question" and g.perhaps(0.3, "where", "when", "why"):
        word, palabra = g.pick(QUESTION_WORDS, english=lambda row: row[:1])
        spanish = ("¿", *palabra.split(), *clitic, form, *others, *shown(g, who), *spanish, "?")
        return (word, *english), spanish
    return english, spanish_clause(g, sort, who, form, (*others, *spanish), clitic)


def liking_it(g):
    """I like it. Do you like this? She does not like that. They love it."""
    verb, spanish = g.pick(
        {("like", "gusta"): 5, ("love", "encanta"): 1}, english=lambda pair: (pair[0], pair[0] + "s")
    )
    sort, who = mood(g), subject(g)
    word = g.pick({"it": 4, "this": 2, "that": 1}, english=lambda word: (word,))
    much = ((), ())
    if verb == "like" and g.perhaps(0.2, "much", "lot"):
        much = (g.pick((("very", "much"), ("a", "lot")), english=lambda words: words[-1:]), ("mucho",))
    named = who.with_a if shown(g, who) else ()
    none = ("no",) if sort == "negative" else ()
    core = (*named, *none, who.dative, spanish, *much[1], *SUBJECTS[word])
    return (
        english_clause(sort, who, verb, (word, *much[0])),
        ("¿", *core, "?") if sort == "question" else (*core, "."),
    )
