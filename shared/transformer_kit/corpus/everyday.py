"""Questions of every day: What are you doing? Where are you going? What color is your car?"""

from transformer_kit.corpus.clauses import english_clause, shown, subject
from transformer_kit.corpus.morphology import agree, conjugate
from transformer_kit.corpus.phrases import noun_phrase, nouns_of
from transformer_kit.corpus.predicates import time
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.tenses import gerund, preterite
from transformer_kit.corpus.words import kinds_of

COLORED = nouns_of(kinds_of("OBJECTS flower animal"))
HANDED = nouns_of(kinds_of("GOODS pair money transport animal person family"))
FAVORITES = rows("""
    color | color m
    food  | comida f
    movie | película f
    film  | película f
    book  | libro m
    city  | ciudad f
    sport | deporte m
    day   | día m
    song  | canción f
""")
OWNERS = {"your": ("tu", "su"), "his": ("su",), "her": ("su",), "my": ("mi",)}


def what_doing(g):
    """What are you doing? What does she do? What did they do yesterday?"""
    tense = g.pick({"doing": 4, "do": 1, "did": 2}, english={"doing": ("doing",), "did": ("did",)}.get)
    who = subject(g)
    person = who.phrase.person
    g.past = tense == "did"
    when = time(g)
    verbs = {
        "doing": (conjugate("estar", person), gerund("hacer")),
        "do": (conjugate("hacer", person),),
        "did": (preterite("hacer", person),),
    }[tense]
    verb, rest = ("be", ("doing",)) if tense == "doing" else ("do", ())
    return (
        ("what", *english_clause("question", who, verb, (*rest, *when[0]), past=g.past)),
        ("¿", "qué", *verbs, *shown(g, who), *when[1], "?"),
    )


def where_going(g):
    """Where are you going? Where did she go yesterday? Where do you want to go?"""
    tense = g.pick(
        {"going": 4, "did": 2, "want": 2}, english={"going": ("going",), "did": ("did",), "want": ("want",)}.get
    )
    who = subject(g)
    person = who.phrase.person
    g.past = tense == "did"
    when = time(g)
    verb, rest, verbs = {
        "going": ("be", ("going",), (conjugate("ir", person),)),
        "did": ("go", (), (preterite("ir", person),)),
        "want": ("want", ("to", "go"), (conjugate("querer", person), "ir")),
    }[tense]
    return (
        ("where", *english_clause("question", who, verb, (*rest, *when[0]), past=g.past)),
        ("¿", "adónde", *verbs, *shown(g, who), *when[1], "?"),
    )


def what_color(g):
    """What color is your car? What color are these shoes?"""
    thing = noun_phrase(g, COLORED, {"own": 4, "the": 3, "this": 1})
    is_, es = ("are", "son") if thing.plural else ("is", "es")
    return ("what", "color", is_, *thing.english, "?"), ("¿", "de", "qué", "color", es, *thing.spanish, "?")


def favorite(g):
    """What is your favorite book? My favorite color is red."""
    english, spanish = g.pick(FAVORITES, english=lambda row: row[:1])
    spanish, gender = spanish.split()
    owner = g.pick(tuple(OWNERS), english=lambda word: (word,))
    owners = OWNERS[owner]
    possessive = owners[g.pick({0: 3, 1: 1})] if len(owners) > 1 else owners[0]
    is_, es = g.pick((("is", "es"), ("was", "era")), english=lambda row: row[:1])
    return (
        ("what", is_, owner, "favorite", english, "?"),
        ("¿", "cuál", es, possessive, spanish, agree("favorito", gender, False), "?"),
    )


def hurting(g):
    """My head hurts. I have a headache. Her feet hurt."""
    owner, dative = g.pick(
        (("my", "me"), ("your", "te"), ("his", "le"), ("her", "le"), ("our", "nos")), english=lambda row: row[:1]
    )
    english, spanish = g.pick(
        (
            ("head hurts", "duele la cabeza"),
            ("stomach hurts", "duele el estómago"),
            ("back hurts", "duele la espalda"),
            ("foot hurts", "duele el pie"),
            ("feet hurt", "duelen los pies"),
            ("leg hurts", "duele la pierna"),
            ("arm hurts", "duele el brazo"),
            ("eyes hurt", "duelen los ojos"),
        ),
        english=lambda row: row[0].split()[:1],
    )
    return (owner, *english.split(), "."), (dative, *spanish.split(), ".")


def aching(g):
    """I have a headache. Do you have a cold?"""
    who = subject(g)
    english, spanish = g.pick(
        (
            ("a headache", "dolor de cabeza"),
            ("a fever", "fiebre"),
            ("a reservation", "una reserva"),
            ("time", "tiempo"),
        ),
        english=lambda row: row[0].split()[-1:],
    )
    sort = g.pick(
        {"statement": 5, "negative": 1, "question": 2}, english={"negative": ("not",), "question": ("?",)}.get
    )
    has = conjugate("tener", who.phrase.person)
    name = shown(g, who)
    clause = english_clause(sort, who, "have", tuple(english.split()))
    if sort == "question":
        return clause, ("¿", has, *name, *spanish.split(), "?")
    return clause, (*name, *(("no",) if sort == "negative" else ()), has, *spanish.split(), ".")


def suggesting(g):
    """Let us go to the beach."""
    if g.perhaps(0.15, "home"):
        to, a = ("home",), ("a", "casa")
    else:
        nouns = nouns_of(kinds_of("building school OUTDOORS water event"))
        target = noun_phrase(g, nouns, {"the": 5, "a": 1}, plural=False)
        to, a = ("to", *target.english), ("a", *target.spanish)
    when = time(g)
    return ("let", "us", "go", *to, *when[0], "."), ("vamos", *a, *when[1], ".")


def getting_there(g):
    """How do I get to the station? How can we go to the beach?"""
    who = subject(g, nouns=False)
    target = noun_phrase(g, nouns_of(kinds_of("building school OUTDOORS water")), {"the": 5, "own": 1}, plural=False)
    verb, spanish = g.pick((("get", "llegar"), ("go", "ir")), english=lambda row: row[:1])
    way = g.pick({"do": 2, "can": 1}, english=lambda word: ("can",) if word == "can" else ("do", "does"))
    person = who.phrase.person
    verbs = (conjugate("poder", person), spanish) if way == "can" else (conjugate(spanish, person),)
    english = (way, (verb, "to", *target.english)) if way == "can" else (verb, ("to", *target.english))
    return (
        ("how", *english_clause("question", who, *english)),
        ("¿", "cómo", *verbs, *shown(g, who), "a", *target.spanish, "?"),
    )


def here_is(g):
    """Here is my passport. Here are the keys."""
    thing = noun_phrase(g, HANDED, {"own": 3, "the": 3, "owner": 1})
    be, is_ = ("are", "están") if thing.plural else ("is", "está")
    return ("here", be, *thing.english, "."), ("aquí", is_, *thing.spanish, ".")
