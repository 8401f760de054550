"""Asking for something: A coffee, please. I would like two beers. Open the door, please. Can you help me?"""

from transformer_kit.corpus.clauses import english_clause, shown, spanish_clause, subject
from transformer_kit.corpus.morphology import conjugate, indefinite_article, plural_in_spanish
from transformer_kit.corpus.numbers import USUAL, english_number, number, spanish_number
from transformer_kit.corpus.phrases import noun_phrase, nouns_of, usual_first
from transformer_kit.corpus.predicates import predicate
from transformer_kit.corpus.pronouns import formal
from transformer_kit.corpus.statements import ACTIONS
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.tenses import command
from transformer_kit.corpus.words import kinds_of

PLEASE = ("please",), (",", "por", "favor")
WANTED = nouns_of(kinds_of("GOODS dish money pair"))
DRINKS = nouns_of(kinds_of("drink"))
CUPS = rows("glass | un vaso\ncup | una taza\nbottle | una botella")
BOUGHT = rows("""
    bill  | cuenta f
    menu  | menú m
    check | cuenta f
    room  | habitación f
    table | mesa f
    key   | llave f
""")
# All but those that sound odd as commands.
COMMANDED = tuple(verb for verb in ACTIONS if verb.spanish[0] not in ("jugar a", "caminar", "viajar", "nadar"))
WISHES = ("quisiera", "quisieras", "quisiera", "quisiéramos", "quisieran")
# What one tells others to do; the reflexive pronoun is put behind.
ORDERS = rows("""
    come here     | ven aquí : venga aquí
    come in       | entra : entre
    sit down      | siéntate : siéntese
    go away       | vete : váyase
    wait          | espera : espere
    wait a moment | espera un momento : espere un momento
    help me       | ayúdame : ayúdeme
    call me       | llámame : llámeme
    look          | mira : mire
    listen        | escucha : escuche
    stop          | para : pare
    turn right    | gira a la derecha : gire a la derecha
    turn left     | gira a la izquierda : gire a la izquierda
    go straight on | sigue todo recto : siga todo recto
    speak slowly  | habla despacio : hable despacio
    speak more slowly | habla más despacio : hable más despacio
    repeat that   | repite eso : repita eso
    tell me       | dime : dígame
    call the police | llama a la policía : llame a la policía
    call a doctor | llama a un médico : llame a un médico
""")
FAVORS = rows("""
    help me           | ayudarme
    repeat that       | repetir eso
    call me           | llamarme
    wait here         | esperar aquí
    speak more slowly | hablar más despacio
    speak slowly      | hablar despacio
    call a taxi       | llamar un taxi
    call the police   | llamar a la policía
""")
QUESTIONS = rows("""
    come in           | entrar
    sit here          | sentarme aquí
    pay with a card   | pagar con tarjeta
    help you          | ayudarte : ayudarle
    ask a question    | hacer una pregunta
    smoke here        | fumar aquí
    see the menu      | ver el menú
    pay here          | pagar aquí
""")


def politely(g, chance=0.5):
    """Say please at the end, sometimes."""
    return PLEASE if g.perhaps(chance, "please") else ((), ())


def wanted(g):
    """Say a glass of water, a coffee, two beers, or a thing to buy."""
    sort = g.pick({"cup": 2, "drinks": 2, "thing": 6}, english={"cup": ("of",)}.get)
    if sort == "drinks":
        return _drinks(g)
    if sort == "thing":
        thing = noun_phrase(g, WANTED, {"a": 5, "bare": 4, "this": 1, "count": 2, "the": 2, "some": 1})
        return thing.english, thing.spanish
    cup, spanish = g.pick(CUPS, english=lambda row: row[:1])
    drink = noun_phrase(g, DRINKS, {"bare": 1})
    return ("a", cup, "of", *drink.english), (*spanish.split(), "de", *drink.spanish)


def _drinks(g):
    """Say a coffee, two beers, which elsewhere cannot be counted."""
    drink = g.pick(DRINKS, english=lambda noun: noun.forms)
    spanish, gender = g.pick(usual_first(drink.spanish))
    if g.pick({True: 1, False: 1}, english=lambda one: drink.forms[not one : 2 - one]):
        article = "una" if gender == "f" and spanish != "agua" else "un"
        return (indefinite_article(drink.english), drink.english), (article, spanish)
    n = number(g, {n: weight for n, weight in USUAL.items() if n <= 10})
    return (*english_number(n), drink.forms[1]), (*spanish_number(n, gender), plural_in_spanish(spanish))


def _with(g):
    """Say with milk, without sugar, sometimes."""
    if not g.perhaps(0.15, "with", "without"):
        return (), ()
    word, spanish = g.pick((("with", "con"), ("without", "sin")), english=lambda row: row[:1])
    noun = noun_phrase(g, nouns_of(kinds_of("drink bread meal")), {"bare": 1})
    return (word, *noun.english), (spanish, *noun.spanish)


def ordering(g):
    """A coffee with milk, please. The bill, please. A table for two, please."""
    sort = g.pick({"drink": 5, "bill": 2, "for": 2}, english={"for": ("for",)}.get)
    please = politely(g, 0.8)
    if sort == "drink":
        english, spanish = wanted(g)
        more = _with(g)
        return (*english, *more[0], *please[0], "."), (*spanish, *more[1], *please[1], ".")
    if sort == "bill":
        word, spanish = g.pick(BOUGHT, english=lambda row: row[:1])
        spanish, gender = spanish.split()
        article = g.pick((("the", "la el"), ("a", "una un")), english=lambda row: row[:1])
        return (article[0], word, *please[0], "."), (article[1].split()[gender == "m"], spanish, *please[1], ".")
    english, spanish = _booked(g)
    return (*english, *please[0], "."), (*spanish, *please[1], ".")


def _booked(g):
    """Say a table for two, a room for three nights."""
    word, spanish = g.pick(BOUGHT, english=lambda row: row[:1])
    spanish, gender = spanish.split()
    n = number(g, {n: 1 for n in range(2, 11)})
    what, que = _for_what(g)
    return (
        ("a", word, "for", *english_number(n), *what),
        ("una" if gender == "f" else "un", spanish, "para", *spanish_number(n), *que),
    )


def _for_what(g):
    counted = {((), ()): 3, (("people",), ("personas",)): 1, (("nights",), ("noches",)): 1, (("days",), ("días",)): 1}
    return g.pick(counted, english=lambda row: row[0] or None)


def wishing(g):
    """I would like a coffee, please. We would like to eat. Would you like to drink a tea?"""
    who = subject(g)
    if g.perhaps(0.4, "to"):
        what = predicate(g, ACTIONS, times=())
        english, spanish = ("to", *what.english), (what.infinitive, *what.spanish)
    else:
        english, spanish = wanted(g)
    please = politely(g, 0.3)
    name, wish = who.phrase.english, WISHES[who.phrase.person]
    if g.pick({True: 1, False: 3}, english=lambda asks: ("?",) if asks else (".",)):
        return ("would", *name, "like", *english, *please[0], "?"), (
            "¿",
            *shown(g, who),
            wish,
            *spanish,
            *please[1],
            "?",
        )
    return (*name, "would", "like", *english, *please[0], "."), (*shown(g, who), wish, *spanish, *please[1], ".")


def wanting(g):
    """I want two coffees, please. I need a room for two nights."""
    who = subject(g, nouns=False)
    verb, spanish_verb = g.pick((("want", "querer"), ("need", "necesitar")), english=lambda row: (row[0], row[0] + "s"))
    english, spanish = _booked(g) if g.perhaps(0.2, "for") else wanted(g)
    more, please = _with(g), politely(g, 0.6)
    return (
        english_clause("statement", who, verb, (*english, *more[0], *please[0])),
        spanish_clause(
            g, "statement", who, conjugate(spanish_verb, who.phrase.person), (*spanish, *more[1], *please[1])
        ),
    )


def telling(g):
    """Open the door, please. Come here. Do not eat the apple."""
    if g.pick({True: 1, False: 1}):
        english, spanish = g.pick(ORDERS, english=lambda row: row[0].split()[-1:])
        please = politely(g)
        said = spanish.split(" : ")[formal(g)]
        return (*english.split(), *please[0], "."), (*said.split(), *please[1], ".")
    what = predicate(g, COMMANDED, times=())
    please = politely(g)
    return (
        (*what.english, *please[0], "."),
        (command(what.infinitive, formal(g)), *what.spanish, *please[1], "."),
    )


def asking(g):
    """Can you help me, please? Could you open the window? Can I come in?"""
    could = g.pick({"can": 3, "could": 2}, english=lambda word: (word,))
    who = g.pick({"you": 2, "i": 1}, english=lambda word: (word,))
    table = FAVORS if who == "you" else QUESTIONS
    if g.pick({True: 2, False: 1}):
        english, spanish = g.pick(table, english=lambda row: row[0].split()[-1:])
        ways = spanish.split(" : ")
        english, spanish = english.split(), ways[formal(g) if len(ways) > 1 else 0].split()
    else:
        what = predicate(g, ACTIONS, times=())
        english, spanish = what.english, (what.infinitive, *what.spanish)
    please = politely(g)
    person = 0 if who == "i" else 1 + formal(g)
    verb = {"can": conjugate("poder", person), "could": ("podría", "podrías", "podría")[person]}[could]
    return (could, who, *english, *please[0], "?"), ("¿", verb, *spanish, *please[1], "?")


def having(g):
    """Can I have a coffee, please? Could we have the bill? In Spanish one asks to be given it."""
    could = g.pick({"can": 3, "could": 2}, english=lambda word: (word,))
    who, dative = g.pick({("i", "me"): 3, ("we", "nos"): 1}, english=lambda pair: pair[:1])
    english, spanish = wanted(g) if g.perhaps(0.8) else (("the", "bill"), ("la", "cuenta"))
    please = politely(g)
    verb = {"can": conjugate("poder", 1 + formal(g)), "could": ("podrías", "podría")[formal(g)]}[could]
    return (could, who, "have", *english, *please[0], "?"), ("¿", dative, verb, "dar", *spanish, *please[1], "?")
