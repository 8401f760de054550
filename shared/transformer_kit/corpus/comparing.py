"""Comparisons: The dog is bigger than the cat. Ana is taller than Pedro."""

from transformer_kit.corpus.clauses import Subject, english_clause, mood, spanish_clause, subject
from transformer_kit.corpus.morphology import agree, conjugate
from transformer_kit.corpus.phrases import NAMES, noun_phrase, nouns_of
from transformer_kit.corpus.pronouns import PRONOUNS
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.words import GROUPS, kinds_of

GRADES = rows("""
    bigger             | más grande     | GOODS animal
    smaller            | más pequeño    | GOODS animal
    more expensive     | más caro       | GOODS
    cheaper            | más barato     | GOODS
    better             | mejor          | GOODS
    older              | más viejo      | GOODS
    more beautiful     | más hermoso    | GOODS animal
    taller             | más alto       | PEOPLE
    older              | mayor          | PEOPLE
    younger            | menor          | PEOPLE
    stronger           | más fuerte     | PEOPLE animal
    more intelligent   | más inteligente | PEOPLE animal
""")


def comparing(g):
    """The dog is bigger than the cat. Is Ana taller than Pedro?"""
    english, spanish, kinds = g.pick(GRADES, english=lambda row: row[0].split()[-1:])
    people = bool(kinds_of(kinds) & GROUPS["PEOPLE"])
    who = subject(g) if people and g.pick((True, False)) else Subject(_compared(g, kinds_of(kinds)))
    sort = mood(g)
    if people and g.perhaps(0.4, *(pronoun.object for pronoun in PRONOUNS)):
        them = g.pick(tuple(PRONOUNS), english=lambda pronoun: (pronoun.object,))
        other = ((them.object,), (them.spanish,))
    else:
        other = _compared(g, kinds_of(kinds))[:2]
    *more, adjective = spanish.split()
    adjective = agree(adjective, who.phrase.gender, who.phrase.plural)
    return (
        english_clause(sort, who, "be", (*english.split(), "than", *other[0])),
        spanish_clause(g, sort, who, conjugate("ser", who.phrase.person), (*more, adjective, "que", *other[1])),
    )


def _compared(g, kinds):
    if kinds & GROUPS["PEOPLE"] and g.pick((True, False)):
        return g.take(NAMES, english=lambda name: name.english)
    return noun_phrase(g, nouns_of(kinds), {"the": 3, "own": 2, "this": 1})
