"""The verbs of the grammar, and the small words that go with them."""

from typing import NamedTuple

from transformer_kit.corpus.morphology import third_person
from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.tenses import english_past, ing_form
from transformer_kit.corpus.words import kinds_of


class Verb(NamedTuple):
    """A verb and what it needs.

    Attributes
    ----------
    english : tuple of str
        With its preposition, as in ("look", "for").
    spanish : tuple of str
        Infinitives; the first is the usual one. A second word is a preposition, as in "jugar a".
    kinds : frozenset of str
        Kinds of nouns: of its object, or of the places where it happens.
    traits : frozenset of str
        "animals": animals do it, too. "lasting": no action, so one does not "want to" do it.
        For a verb without an object also the manners it goes with.
    """

    english: tuple
    spanish: tuple
    kinds: frozenset
    traits: frozenset

    @property
    def forms(self):
        """Its forms in English: eat, eats, ate, eating."""
        verb = self.english[0]
        return (verb, third_person(verb), english_past(verb), ing_form(verb))


def _verbs(text):
    return [
        Verb(tuple(english.split()), tuple(spanish.split("/")), kinds_of(kinds), frozenset(traits.split()))
        for english, spanish, kinds, traits in rows(text)
    ]


TRANSITIVE = _verbs("""
    eat        | comer        | EATABLE                               | animals
    drink      | beber        | drink                                 | animals
    read       | leer         | READING                               |
    write      | escribir     | text poem                             |
    buy        | comprar      | GOODS                                 |
    sell       | vender       | GOODS                                 |
    want       | querer       | GOODS animal money dish                | lasting animals
    need       | necesitar    | GOODS money pair profession friend            | lasting
    have       | tener        | GOODS animal family offspring profession friend money idea event pair | lasting
    see        | ver          | movie OBJECTS INDOORS OUTDOORS PEOPLE animal flower transport | animals
    look for   | buscar       | thing clothes animal press building school PEOPLE |
    paint      | pintar       | furniture opening flower house room   |
    clean      | limpiar      | furniture opening vehicle house room  |
    wash       | lavar        | clothes vehicle fruit food            |
    open       | abrir        | opening                               |
    close      | cerrar       | opening                               |
    cook       | cocinar      | food meal dish                        |
    wear       | llevar       | clothes                               | lasting
    visit      | visitar      | PEOPLE building school OUTDOORS              |
    help       | ayudar       | PEOPLE                                |
    know       | conocer      | PEOPLE OUTDOORS                       | lasting
    love       | querer/amar  | PEOPLE                                | lasting
    hate       | odiar        | PEOPLE animal GOODS sport music sky    | lasting
    wait for   | esperar      | PEOPLE transport                      |
    listen to  | escuchar     | PEOPLE music                          |
    speak      | hablar       | language                              |
    study      | estudiar     | language music                        |
    learn      | aprender     | language                              |
    find       | encontrar    | thing clothes animal money pair PEOPLE |
    lose       | perder       | thing clothes money pair               |
    forget     | olvidar      | thing clothes money pair               |
    bring      | traer        | thing EATABLE drink                    |
    use        | usar         | thing vehicle                          |
    take       | tomar        | transport drink                        |
    make       | hacer        | dish food drink                        |
    call       | llamar       | PEOPLE                                 |
    understand | entender     | language text idea PEOPLE              | lasting
    play       | tocar        | instrument                            |
    play       | jugar a      | sport                                 |
    watch      | ver          | movie                                 |
""")

# Their kinds are those of the places where they happen.
INTRANSITIVE = _verbs("""
    sleep      | dormir       | house room garden furniture                    | animals well
    work       | trabajar     | room building school OUTDOORS                | well a_lot
    run        | correr       | OUTDOORS                              | animals fast
    walk       | caminar      | OUTDOORS                              | animals fast a_lot
    swim       | nadar        | water                                 | animals well fast
    sing       | cantar       | house room OUTDOORS                   | well a_lot
    dance      | bailar       | house room OUTDOORS                   | well a_lot
    live       | vivir        | house city                            | well lasting
    eat        | comer        | INDOORS outside garden                    | well a_lot animals
    read       | leer         | INDOORS outside garden                    | well a_lot
    cook       | cocinar      | house room garden                     | well
    study      | estudiar     | INDOORS                               | well a_lot
    have breakfast | desayunar | INDOORS outside garden                |
    have lunch | almorzar     | INDOORS outside garden                |
    have dinner | cenar       | INDOORS outside garden                | late early
    rest       | descansar    | INDOORS OUTDOORS                      | well a_lot animals
    talk       | hablar       | INDOORS OUTDOORS                      | a_lot fast
    come       | venir        |                                       | late early
    go         | ir           |                                       |
    arrive     | llegar       |                                       | late early
    wait       | esperar      | INDOORS outside                       |
    travel     | viajar       |                                       | a_lot
    play       | jugar        | house room garden outside              | animals
    cry        | llorar       | house room                            | a_lot
""")

TOWARDS = _verbs("""
    go         | ir           | room building school OUTDOORS water event    |
    travel     | viajar       | city                                  |
    walk       | caminar      | building school OUTDOORS                     |
    come       | venir        | house room building school OUTDOORS event    |
    run        | correr       | building school OUTDOORS                     |
""")

MANNERS = {"well": ("bien",), "fast": ("rápido",), "a_lot": ("mucho",), "late": ("tarde",), "early": ("temprano",)}


def _phrases(text):
    """Pairs of phrases, English and Spanish, as tuples of words."""
    return [
        (tuple(english.split()), tuple(way.split())) for english, spanish in rows(text) for way in spanish.split("/")
    ]


FREQUENCIES = _phrases("""
    always     | siempre
    never      | nunca
    often      | a menudo
    sometimes  | a veces
    also       | también
""")

TIMES = _phrases("""
    today           | hoy
    now             | ahora
    every day       | todos los días
    at night        | por la noche
    every morning   | todas las mañanas
    every night     | todas las noches
    every week      | todas las semanas
    here            | aquí
    in the morning  | por la mañana
    in the afternoon | por la tarde
    in the evening  | por la noche/por la tarde
""")

TOMORROW = _phrases("""
    tomorrow         | mañana
    tonight          | esta noche
    next week        | la semana que viene/la próxima semana
""")

PAST_TIMES = _phrases("""
    yesterday           | ayer
    last night          | anoche
    last week           | la semana pasada
    last year           | el año pasado
    today               | hoy
    in the morning      | por la mañana
""")

# What one is in English and has in Spanish, with the gender of the Spanish noun.
FEELINGS = rows("""
    hungry   | hambre | f
    thirsty  | sed    | f
    cold     | frío   | m
    hot      | calor  | m
    sleepy   | sueño  | m
    afraid   | miedo  | m
""")
