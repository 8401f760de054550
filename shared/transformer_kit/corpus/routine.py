"""What happens when: I get up at seven o'clock, The museum opens at ten, What time does the train leave?"""

from transformer_kit.corpus.clauses import Subject, english_clause, mood, shown, spanish_clause, subject
from transformer_kit.corpus.clock import at_a_time
from transformer_kit.corpus.introductions import REFLEXIVE
from transformer_kit.corpus.morphology import conjugate, third_person
from transformer_kit.corpus.phrases import noun_phrase, nouns_of
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.tenses import english_past, preterite
from transformer_kit.corpus.words import kinds_of

# The first word of the English verb, the others, and Spanish verbs with their pronoun.
PERSONAL = [
    (tuple(english.split()), spanish)
    for english, spanish in rows("""
        get up         | levantarse
        go to bed      | acostarse
        have breakfast | desayunar
        have lunch     | almorzar
        have dinner    | cenar
        work           | trabajar
        arrive         | llegar
        leave          | salir
        eat            | comer
        get home       | llegar a casa
        wake up        | despertarse
        go to work     | ir al trabajo
        come home      | venir a casa
    """)
]
TIMED = {
    "opens": (("open", "abrir"), nouns_of(kinds_of("building school"))),
    "closes": (("close", "cerrar"), nouns_of(kinds_of("building school"))),
    "leaves": (("leave", "salir"), nouns_of(kinds_of("transport"))),
    "arrives": (("arrive", "llegar"), nouns_of(kinds_of("transport"))),
    "stops": (("stop", "parar"), nouns_of(kinds_of("transport"))),
    "begins": (("begin", "empezar"), nouns_of(kinds_of("movie event"))),
    "starts": (("start", "empezar"), nouns_of(kinds_of("movie event"))),
}


def _forms(verb):
    return (verb, third_person(verb), english_past(verb))


def routine(g):
    """I get up at seven o'clock. She went to bed late. What time do you have lunch?"""
    english, spanish = g.pick(PERSONAL, english=lambda row: _forms(row[0][0]))
    who = subject(g)
    g.past = g.pick({False: 4, True: 1}, english=lambda past: ("did", english_past(english[0])) if past else None)
    infinitive, *rest = spanish.split()
    person = who.phrase.person
    clitic = (REFLEXIVE[person],) if infinitive.endswith("se") else ()
    form = (preterite if g.past else conjugate)(infinitive.removesuffix("se"), person)
    asked = g.pick({False: 4, True: 1}, english=lambda asks: ("what", "when") if asks else None)
    if asked:
        at, a = g.pick(((("what", "time"), ("a", "qué", "hora")), (("when",), ("cuándo",))), english=lambda row: row[0])
        return (
            (*at, *english_clause("question", who, english[0], english[1:], past=g.past)),
            ("¿", *a, *clitic, form, *shown(g, who), *rest, "?"),
        )
    sort = mood(g)
    late = g.pick({"at": 5, "late": 1, "early": 1}, english=lambda word: None if word == "at" else (word,))
    when = at_a_time(g) if late == "at" else ((late,), ("tarde" if late == "late" else "temprano",))
    return (
        english_clause(sort, who, english[0], (*english[1:], *when[0]), past=g.past),
        spanish_clause(g, sort, who, form, (*rest, *when[1]), clitic),
    )


def schedule(g):
    """The museum opens at ten o'clock. What time does the train leave? The bus stops here."""
    (verb, infinitive), nouns = TIMED[g.pick(tuple(TIMED), english=lambda key: (key, key[:-1], english_past(key[:-1])))]
    g.past = g.pick({False: 5, True: 1}, english=lambda past: ("did", english_past(verb)) if past else None)
    who = Subject(noun_phrase(g, nouns, {"the": 5, "this": 1}))
    form = (preterite if g.past else conjugate)(infinitive, who.phrase.person)
    asks = g.pick({"": 4, "what": 2, "when": 1}, english=lambda word: (word,) if word else None)
    if asks:
        english, a = {"what": (("what", "time"), ("a", "qué", "hora")), "when": (("when",), ("cuándo",))}[asks]
        return (
            (*english, *english_clause("question", who, verb, (), past=g.past)),
            ("¿", *a, form, *who.phrase.spanish, "?"),
        )
    sort = mood(g)
    place = g.pick({"at": 4, "here": 1, "late": 1}, english=lambda word: None if word == "at" else (word,))
    when = {"here": (("here",), ("aquí",)), "late": (("late",), ("tarde",))}.get(place) or at_a_time(g)
    return (
        english_clause(sort, who, verb, when[0], past=g.past),
        spanish_clause(g, sort, who, form, when[1]),
    )
