"""The words of the grammar.

A Spanish word with alternatives is written ``coche/carro``: the first is twice as likely as the others together. So is
a noun whose Spanish word depends on the sex of the person: ``amigo m/amiga f``.
"""

from typing import NamedTuple

from transformer_kit.corpus.morphology import plural_in_english
from transformer_kit.corpus.tables import rows


class Noun(NamedTuple):
    """A noun; `kind` decides which adjectives and verbs go with it.

    Attributes
    ----------
    english, kind : str
    spanish : tuple of (str, str)
        Words with their genders, "m" or "f".
    """

    english: str
    spanish: tuple
    kind: str

    @property
    def forms(self):
        """Both numbers in English."""
        return (self.english, plural_in_english(self.english))


class Adjective(NamedTuple):
    """An adjective with one of its Spanish words; the same English word may have several entries.

    Attributes
    ----------
    english, spanish : str
    copulas : tuple of str
        "ser", "estar" or both.
    kinds : frozenset of str
        Kinds of nouns that it goes with.
    """

    english: str
    spanish: tuple
    copulas: tuple
    kinds: frozenset


NOUNS = [
    Noun(english, tuple(tuple(word.split()) for word in spanish.split("/")), kind)
    for english, spanish, kind in rows("""
        man         | hombre m                   | person
        woman       | mujer f                    | person
        boy         | niño m                     | person
        girl        | niña f                     | person
        child       | niño m/niña f              | person
        friend      | amigo m/amiga f            | friend
        teacher     | profesor m/profesora f     | profession
        doctor      | médico m/médica f          | profession
        student     | estudiante m/estudiante f  | profession
        mother      | madre f                    | parent
        father      | padre m                    | parent
        brother     | hermano m                  | family
        sister      | hermana f                  | family
        cat         | gato m                     | animal
        dog         | perro m                    | animal
        bird        | pájaro m                   | animal
        horse       | caballo m                  | animal
        cow         | vaca f                     | animal
        apple       | manzana f                  | fruit
        orange      | naranja f                  | fruit
        egg         | huevo m                    | food
        potato      | patata f                   | food
        tomato      | tomate m                   | food
        bread       | pan m                      | bread
        meat        | carne f                    | meal
        fish        | pescado m                  | meal
        rice        | arroz m                    | meal
        soup        | sopa f                     | meal
        cheese      | queso m                    | bread
        water       | agua f                     | drink
        milk        | leche f                    | drink
        coffee      | café m                     | drink
        tea         | té m                       | drink
        juice       | zumo m/jugo m              | drink
        wine        | vino m                     | drink
        book        | libro m                    | text
        letter      | carta f                    | text
        newspaper   | periódico m                | press
        poem        | poema m                    | poem
        movie       | película f                 | movie
        table       | mesa f                     | furniture
        chair       | silla f                    | furniture
        bed         | cama f                     | furniture
        box         | caja f                     | opening
        key         | llave f                    | thing
        phone       | teléfono m                 | thing
        computer    | ordenador m/computadora f  | thing
        cup         | taza f                     | thing
        pencil      | lápiz m                    | thing
        map         | mapa m                     | thing
        flower      | flor f                     | flower
        door        | puerta f                   | opening
        window      | ventana f                  | opening
        shirt       | camisa f                   | clothes
        dress       | vestido m                  | clothes
        hat         | sombrero m                 | clothes
        shoe        | zapato m                   | clothes
        car         | coche m/carro m            | vehicle
        bicycle     | bicicleta f                | vehicle
        train       | tren m                     | transport
        bus         | autobús m                  | transport
        house       | casa f                     | house
        kitchen     | cocina f                   | room
        room        | habitación f               | room
        office      | oficina f                  | room
        school      | escuela f                  | school
        hospital    | hospital m                 | building
        restaurant  | restaurante m              | building
        library     | biblioteca f               | building
        museum      | museo m                    | building
        market      | mercado m                  | outside
        garden      | jardín m                   | garden
        park        | parque m                   | outside
        street      | calle f                    | outside
        city        | ciudad f                   | city
        beach       | playa f                    | outside
        river       | río m                      | water
        guitar      | guitarra f                 | instrument
        piano       | piano m                    | instrument
        spanish     | español m                  | language
        english     | inglés m                   | language
        french      | francés m                  | language
        football    | fútbol m                   | sport
        music       | música f                   | music
    """)
]

# Kinds of nouns that go together; in the tables below a group stands for its kinds.
GROUPS = {
    name: frozenset(kinds.split())
    for name, kinds in rows("""
        PEOPLE    | person friend profession family parent
        EATABLE   | fruit food bread meal
        READING   | text press poem
        OBJECTS   | furniture thing opening clothes vehicle text press
        GOODS     | furniture thing clothes vehicle text press fruit food bread meal drink flower instrument
        WHEELS    | vehicle transport
        INDOORS   | house room school building
        OUTDOORS  | outside garden city
        MASS      | bread meal drink language sport music
        UNCOUNTED | bread meal drink language sport music parent
        RELATIVES | family parent
        NAMELIKE  | language sport music
        PUBLIC    | person building outside transport water
    """)
}


def kinds_of(cell):
    """Read a list of kinds and groups of kinds."""
    return frozenset().union(*(GROUPS.get(word, {word}) for word in cell.split()))


ADJECTIVES = [
    Adjective(english, tuple(spanish.split("/")), tuple(copulas.split()), kinds_of(kinds))
    for english, spanish, copulas, kinds in rows("""
        red          | rojo               | ser       | OBJECTS WHEELS flower fruit food
        blue         | azul               | ser       | OBJECTS WHEELS flower
        green        | verde              | ser       | OBJECTS WHEELS fruit food
        yellow       | amarillo           | ser       | OBJECTS WHEELS flower fruit food
        white        | blanco             | ser       | OBJECTS WHEELS flower animal house
        black        | negro              | ser       | OBJECTS WHEELS animal
        big          | grande             | ser       | OBJECTS WHEELS INDOORS OUTDOORS animal
        small        | pequeño            | ser       | OBJECTS WHEELS INDOORS OUTDOORS animal flower
        new          | nuevo              | ser       | OBJECTS WHEELS INDOORS movie instrument
        old          | viejo              | ser       | OBJECTS WHEELS INDOORS movie instrument animal
        tall         | alto               | ser       | PEOPLE
        short        | bajo               | ser       | PEOPLE
        short        | corto              | ser       | READING movie
        long         | largo              | ser       | READING movie water
        young        | joven              | ser       | PEOPLE animal
        strong       | fuerte             | ser       | PEOPLE animal
        intelligent  | inteligente        | ser       | PEOPLE animal
        kind         | amable             | ser       | PEOPLE
        beautiful    | hermoso            | ser       | INDOORS OUTDOORS animal flower clothes water
        expensive    | caro               | ser       | OBJECTS WHEELS EATABLE drink instrument
        cheap        | barato             | ser       | OBJECTS WHEELS EATABLE drink instrument
        interesting  | interesante        | ser       | READING movie building
        famous       | famoso             | ser       | profession building movie READING
        good         | bueno              | ser       | person friend profession READING movie building school
        good         | bueno              | estar ser | EATABLE drink
        delicious    | delicioso          | estar ser | EATABLE drink
        cold         | frío               | estar     | meal drink
        hot          | caliente           | estar     | meal drink
        tired        | cansado            | estar     | PEOPLE animal
        sick         | enfermo            | estar     | PEOPLE animal
        sad          | triste             | estar     | PEOPLE animal
        happy        | feliz              | estar ser | PEOPLE animal
        busy         | ocupado            | estar     | PEOPLE
        angry        | enfadado/enojado   | estar     | PEOPLE
        open         | abierto            | estar     | opening building school
        closed       | cerrado            | estar     | opening building school
        clean        | limpio             | estar     | OBJECTS WHEELS house room
        dirty        | sucio              | estar     | OBJECTS WHEELS house room
    """)
]

# What does not come in degrees: no "very".
ABSOLUTE = frozenset(("delicious", "open", "closed", "red", "blue", "green", "yellow", "white", "black"))
