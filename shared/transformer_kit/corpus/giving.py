"""Who gives what to whom: Give me a coffee, please. He gave me a book."""

from transformer_kit.corpus.clauses import english_clause, mood, spanish_clause, subject
from transformer_kit.corpus.morphology import conjugate
from transformer_kit.corpus.phrases import noun_phrase, nouns_of
from transformer_kit.corpus.pronouns import PRONOUNS, formal
from transformer_kit.corpus.requests import politely, wanted
from transformer_kit.corpus.tenses import preterite
from transformer_kit.corpus.words import kinds_of

GIVEN = nouns_of(kinds_of("GOODS money pair"))
SHAPES = {"a": 6, "the": 4, "own": 2, "bare": 2, "this": 2, "count": 2, "some": 1}
COMMANDS = {"me": ("dame", "deme"), "us": ("danos", "denos")}
DATIVES = {pronoun.object: pronoun.dative for pronoun in PRONOUNS if pronoun.spanish != "usted"}


def give_me(g):
    """Give me a coffee, please. Give us the keys."""
    whom = g.pick(tuple(COMMANDS), english=lambda word: (word,))
    (english, spanish), please = wanted(g), politely(g, 0.7)
    command = COMMANDS[whom][formal(g)]
    return ("give", whom, *english, *please[0], "."), (command, *spanish, *please[1], ".")


def giving(g):
    """He gave me a book. She gives him the keys. Did you give her the letter?"""
    sort, who = mood(g), subject(g)
    own = {"i": ("me", "us"), "we": ("me", "us"), "you": ("you",)}.get(who.phrase.english[0], ())
    whom = g.pick(tuple(word for word in DATIVES if word not in own), english=lambda word: (word,))
    dative = "le" if whom == "you" and formal(g) else DATIVES[whom]
    g.past = g.pick(
        {False: 1, True: 2}, english=lambda past: ("did", "gave") if past else ("do", "does", "give", "gives")
    )
    thing = noun_phrase(g, GIVEN, SHAPES)
    verb = (preterite if g.past else conjugate)("dar", who.phrase.person)
    return (
        english_clause(sort, who, "give", (whom, *thing.english), past=g.past),
        spanish_clause(g, sort, who, verb, thing.spanish, (dative,)),
    )
