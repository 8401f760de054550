"""Past, gerund and command: forms of English and Spanish verbs beyond the present."""

from transformer_kit.corpus.morphology import VOWELS, conjugate
from transformer_kit.corpus.tables import rows

ENGLISH_PAST = dict(
    rows("""
        eat   | ate
        drink | drank
        read  | read
        write | wrote
        buy   | bought
        sell  | sold
        have  | had
        see   | saw
        wear  | wore
        know  | knew
        speak | spoke
        sleep | slept
        run   | ran
        swim  | swam
        sing  | sang
        go    | went
        give  | gave
        come  | came
        make  | made
        do    | did
        take  | took
        find  | found
        lose  | lost
        forget | forgot
        bring | brought
        pay   | paid
        leave | left
        begin | began
        wake  | woke
        get   | got
        understand | understood
        cost  | cost
    """)
)
DOUBLED = ("run", "swim", "forget", "get", "sit", "stop", "begin")

# Endings of the persons: yo, tú, él (and usted), nosotros, ellos.
PRETERITE = {"ar": "é aste ó amos aron", "er": "í iste ió imos ieron", "ir": "í iste ió imos ieron"}
STRONG = "e iste o imos ieron"  # after a stem of its own
STRONG_STEMS = {
    "tener": "tuv",
    "querer": "quis",
    "poder": "pud",
    "estar": "estuv",
    "venir": "vin",
}
IRREGULAR_PRETERITE = {
    infinitive: tuple(forms.split())
    for infinitive, forms in rows("""
        ser     | fui fuiste fue fuimos fueron
        ir      | fui fuiste fue fuimos fueron
        dar     | di diste dio dimos dieron
        ver     | vi viste vio vimos vieron
        dormir  | dormí dormiste durmió dormimos durmieron
        leer    | leí leíste leyó leímos leyeron
        hacer   | hice hiciste hizo hicimos hicieron
        traer   | traje trajiste trajo trajimos trajeron
    """)
}
SPELLED_FIRST = {"car": "qué", "gar": "gué", "zar": "cé"}  # busqué, jugué, empecé
IMPERFECT = {"ar": "aba abas aba ábamos aban", "er": "ía ías ía íamos ían", "ir": "ía ías ía íamos ían"}
IRREGULAR_IMPERFECT = {
    "ser": "era eras era éramos eran",
    "ir": "iba ibas iba íbamos iban",
    "ver": "veía veías veía veíamos veían",
}
GERUNDS = {"dormir": "durmiendo", "leer": "leyendo", "ir": "yendo", "venir": "viniendo", "traer": "trayendo"}
# To one whom one calls tú, and to one whom one calls usted; the others follow the present tense.
COMMANDS = {
    "venir": ("ven", "venga"),
    "ir": ("ve", "vaya"),
    "hacer": ("haz", "haga"),
    "salir": ("sal", "salga"),
}


def english_past(verb):
    """Return the past tense of an English verb: ate, walked, studied, danced."""
    if verb in ENGLISH_PAST:
        return ENGLISH_PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in DOUBLED else verb) + "ed"


def ing_form(verb):
    """Return the form of an English verb after a form of to be: eating, swimming, writing."""
    if verb in DOUBLED:
        return verb + verb[-1] + "ing"
    return (verb[:-1] if verb.endswith("e") and verb != "see" else verb) + "ing"


def preterite(infinitive, person):
    """Return what was done once: comí, jugué, fue; persons as in `conjugate`."""
    if infinitive in IRREGULAR_PRETERITE:
        return IRREGULAR_PRETERITE[infinitive][person]
    if infinitive in STRONG_STEMS:
        return STRONG_STEMS[infinitive] + STRONG.split()[person]
    if person == 0 and infinitive[-3:] in SPELLED_FIRST:
        return infinitive[:-3] + SPELLED_FIRST[infinitive[-3:]]
    return infinitive[:-2] + PRETERITE[infinitive[-2:]].split()[person]


def imperfect(infinitive, person):
    """Return what used to be: era, estaba, tenía; persons as in `conjugate`."""
    if infinitive in IRREGULAR_IMPERFECT:
        return IRREGULAR_IMPERFECT[infinitive].split()[person]
    return infinitive[:-2] + IMPERFECT[infinitive[-2:]].split()[person]


def gerund(infinitive):
    """Return the Spanish form for what is going on: comiendo, hablando, durmiendo."""
    if infinitive in GERUNDS:
        return GERUNDS[infinitive]
    return infinitive[:-2] + ("ando" if infinitive.endswith("ar") else "iendo")


def command(infinitive, formal):
    """Return the Spanish command: abre or, to usted, abra."""
    if infinitive in COMMANDS:
        return COMMANDS[infinitive][formal]
    if not formal:
        return conjugate(infinitive, 2)
    stem, ending = conjugate(infinitive, 0)[:-1], infinitive[-2:]
    if ending == "ar":
        return {"c": stem[:-1] + "qu", "g": stem + "u"}.get(stem[-1], stem) + "e"
    return stem + "a"
