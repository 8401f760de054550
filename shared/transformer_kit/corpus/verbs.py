"""The verbs of the grammar, and the small words that go with them."""

from typing import NamedTuple

from transformer_kit.corpus.morphology import third_person
from transformer_kit.corpus.tables import rows
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
        """Its two forms in English: eat, eats."""
        return (self.english[0], third_person(self.english[0]))


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
    want       | querer       | GOODS animal                          | lasting animals
    need       | necesitar    | GOODS                                 | lasting
    have       | tener        | GOODS animal family                   | lasting
    see        | ver          | OBJECTS INDOORS OUTDOORS PEOPLE animal flower transport | animals
    look for   | buscar       | thing clothes animal press building school PEOPLE |
    paint      | pintar       | furniture opening flower house room   |
    clean      | limpiar      | furniture opening vehicle house room  |
    wash       | lavar        | clothes vehicle fruit food            |
    open       | abrir        | opening                               |
    close      | cerrar       | opening                               |
    cook       | cocinar      | food meal                             |
    wear       | llevar       | clothes                               | lasting
    visit      | visitar      | PEOPLE building school OUTDOORS              |
    help       | ayudar       | PEOPLE                                |
    know       | conocer      | PEOPLE OUTDOORS                       | lasting
    love       | querer/amar  | PEOPLE                                | lasting
    wait for   | esperar      | PEOPLE transport                      |
    listen to  | escuchar     | PEOPLE music                          |
    speak      | hablar       | language                              |
    study      | estudiar     | language music                        |
    learn      | aprender     | language                              |
    play       | tocar        | instrument                            |
    play       | jugar a      | sport                                 |
    watch      | ver          | movie                                 |
""")

# Their kinds are those of the places where they happen.
INTRANSITIVE = _verbs("""
    sleep      | dormir       | house room garden                     | animals well
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
""")

TOWARDS = _verbs("""
    go         | ir           | room building school OUTDOORS                |
    travel     | viajar       | city                                  |
    walk       | caminar      | building school OUTDOORS                     |
""")

MANNERS = {"well": ("bien",), "fast": ("rápido",), "a_lot": ("mucho",)}


def _phrases(text):
    """Pairs of phrases, English and Spanish, as tuples of words."""
    return [tuple(tuple(cell.split()) for cell in row) for row in rows(text)]


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
    in the morning  | por la mañana
    on sundays      | los domingos
""")

TOMORROW = _phrases("tomorrow | mañana")

# What one is in English and has in Spanish, with the gender of the Spanish noun.
FEELINGS = rows("""
    hungry   | hambre | f
    thirsty  | sed    | f
    cold     | frío   | m
    hot      | calor  | m
    sleepy   | sueño  | m
    afraid   | miedo  | m
""")
