"""The adjectives of the grammar; the first of several Spanish words is twice as likely as the others together."""

from typing import NamedTuple

from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.words import kinds_of


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


ADJECTIVES = [
    Adjective(english, tuple(spanish.split("/")), tuple(copulas.split()), kinds_of(kinds))
    for english, spanish, copulas, kinds in rows("""
        red          | rojo               | ser       | house OBJECTS WHEELS flower fruit food
        blue         | azul               | ser       | house OBJECTS WHEELS flower
        green        | verde              | ser       | house OBJECTS WHEELS fruit food
        yellow       | amarillo           | ser       | house sun OBJECTS WHEELS flower fruit food
        white        | blanco             | ser       | OBJECTS WHEELS flower animal house
        black        | negro              | ser       | OBJECTS WHEELS animal
        big          | grande             | ser       | sun OBJECTS WHEELS INDOORS OUTDOORS animal
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
        hot          | caliente           | estar     | meal drink sun
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
        beautiful    | guapo/hermoso      | ser       | PEOPLE
        brown        | marrón             | ser       | OBJECTS WHEELS animal
        gray         | gris               | ser       | OBJECTS WHEELS animal
        pretty       | bonito             | ser       | INDOORS OUTDOORS OBJECTS flower animal day
        ugly         | feo                | ser       | INDOORS OBJECTS animal
        nice         | bonito             | ser       | INDOORS OUTDOORS OBJECTS flower day
        nice         | simpático          | ser       | PEOPLE
        rich         | rico               | ser       | PEOPLE
        poor         | pobre              | ser       | PEOPLE
        funny        | divertido          | ser       | PEOPLE READING movie
        boring       | aburrido           | ser       | READING movie school building event
        difficult    | difícil            | ser       | text language idea
        easy         | fácil              | ser       | text language idea
        important    | importante         | ser       | text press idea building day
        good         | bueno              | ser       | idea event day
        beautiful    | hermoso            | ser       | day sky
        long         | largo              | ser       | day
        cold         | frío               | ser       | day
        dark         | oscuro             | ser       | day room
        fresh        | fresco             | estar     | EATABLE
        ready        | listo              | estar     | PEOPLE dish
        full         | lleno              | estar     | opening building transport
        empty        | vacío              | estar     | opening building transport
        alone        | solo               | estar     | PEOPLE
    """)
]

# What does not come in degrees: no "very".
ABSOLUTE = frozenset(
    ("delicious", "alone", "brown", "gray", "open", "closed", "red", "blue", "green", "yellow", "white", "black")
)

# What is said of somebody after "to be" only: not "the alone man".
PREDICATIVE = frozenset(("alone", "ready"))
