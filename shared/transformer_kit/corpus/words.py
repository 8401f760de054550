"""The nouns of the grammar, and their kinds.

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
        child       | hijo m/hija f              | offspring
        parent      | padre m                    | elders
        grandparent | abuelo m                   | elders
        son         | hijo m                     | family
        daughter    | hija f                     | family
        boyfriend   | novio m                    | family
        girlfriend  | novia f                    | family
        cousin      | primo m/prima f            | family
        uncle       | tío m                      | family
        aunt        | tía f                      | family
        husband     | esposo m/marido m          | spouse
        mom         | mamá f                     | spouse
        dad         | papá m                     | spouse
        wife        | esposa f/mujer f           | spouse
        grandmother | abuela f                   | parent
        grandfather | abuelo m                   | parent
        person      | persona f                  | person
        baby        | bebé m                     | person
        neighbor    | vecino m/vecina f          | friend
        waiter      | camarero m/camarera f      | profession
        nurse       | enfermera f/enfermero m    | profession
        lawyer      | abogado m/abogada f        | profession
        cat         | gato m                     | animal
        dog         | perro m                    | animal
        bird        | pájaro m                   | animal
        horse       | caballo m                  | animal
        cow         | vaca f                     | animal
        apple       | manzana f                  | fruit
        orange      | naranja f                  | fruit
        banana      | plátano m                  | fruit
        lemon       | limón m                    | fruit
        sandwich    | bocadillo m/sándwich m     | food
        cake        | tarta f/pastel m           | food
        pizza       | pizza f                    | food
        salad       | ensalada f                 | food
        egg         | huevo m                    | food
        potato      | patata f                   | food
        tomato      | tomate m                   | food
        bread       | pan m                      | bread
        meat        | carne f                    | meal
        fish        | pescado m                  | meal
        rice        | arroz m                    | meal
        soup        | sopa f                     | meal
        cheese      | queso m                    | bread
        sugar       | azúcar m                   | bread
        salt        | sal f                      | bread
        chocolate   | chocolate m                | bread
        chicken     | pollo m                    | meal
        pizza       | pizza f                    | meal
        pasta       | pasta f                    | meal
        food        | comida f                   | meal
        breakfast   | desayuno m                 | dish
        lunch       | almuerzo m                 | dish
        dinner      | cena f                     | dish
        water       | agua f                     | drink
        milk        | leche f                    | drink
        coffee      | café m                     | drink
        tea         | té m                       | drink
        juice       | zumo m/jugo m              | drink
        wine        | vino m                     | drink
        beer        | cerveza f                  | drink
        book        | libro m                    | text
        letter      | carta f                    | text
        newspaper   | periódico m                | press
        poem        | poema m                    | poem
        movie       | película f                 | movie
        film        | película f                 | movie
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
        bag         | bolso m/bolsa f            | thing
        pen         | bolígrafo m                | thing
        watch       | reloj m                    | thing
        ticket      | billete m/boleto m         | thing
        passport    | pasaporte m                | thing
        umbrella    | paraguas m                 | thing
        camera      | cámara f                   | thing
        photo       | foto f                     | thing
        gift        | regalo m                   | thing
        suitcase    | maleta f                   | thing
        glass       | gafa f                     | pair
        money       | dinero m                   | money
        help        | ayuda f                    | money
        flower      | flor f                     | flower
        door        | puerta f                   | opening
        window      | ventana f                  | opening
        shirt       | camisa f                   | clothes
        dress       | vestido m                  | clothes
        hat         | sombrero m                 | clothes
        shoe        | zapato m                   | clothes
        jacket      | chaqueta f                 | clothes
        coat        | abrigo m                   | clothes
        skirt       | falda f                    | clothes
        car         | coche m/carro m            | vehicle
        bicycle     | bicicleta f                | vehicle
        train       | tren m                     | transport
        bus         | autobús m                  | transport
        taxi        | taxi m                     | transport
        plane       | avión m                    | transport
        house       | casa f                     | house
        kitchen     | cocina f                   | room
        room        | habitación f               | room
        office      | oficina f                  | room
        bathroom    | baño m                     | room
        school      | escuela f                  | school
        hospital    | hospital m                 | building
        restaurant  | restaurante m              | building
        library     | biblioteca f               | building
        museum      | museo m                    | building
        hotel       | hotel m                    | building
        bank        | banco m                    | building
        shop        | tienda f                   | building
        supermarket | supermercado m             | building
        pharmacy    | farmacia f                 | building
        cinema      | cine m                     | building
        gym         | gimnasio m                 | building
        church      | iglesia f                  | building
        bar         | bar m                      | building
        station     | estación f                 | building
        airport     | aeropuerto m               | building
        market      | mercado m                  | outside
        garden      | jardín m                   | garden
        park        | parque m                   | outside
        street      | calle f                    | outside
        city        | ciudad f                   | city
        village     | pueblo m                   | city
        beach       | playa f                    | outside
        square      | plaza f                    | outside
        mountain    | montaña f                  | outside
        river       | río m                      | water
        sea         | mar m                      | water
        lake        | lago m                     | water
        pool        | piscina f                  | water
        guitar      | guitarra f                 | instrument
        piano       | piano m                    | instrument
        spanish     | español m                  | language
        english     | inglés m                   | language
        french      | francés m                  | language
        german      | alemán m                   | language
        italian     | italiano m                 | language
        football    | fútbol m                   | sport
        tennis      | tenis m                    | sport
        basketball  | baloncesto m               | sport
        music       | música f                   | music
        sun         | sol m                      | sun
        rain        | lluvia f                   | sky
        summer      | verano m                   | sky
        winter      | invierno m                 | sky
        story       | historia f                 | text
        day         | día m                      | day
        night       | noche f                    | day
        idea        | idea f                     | idea
        party       | fiesta f                   | event
        class       | clase f                    | event
        question    | pregunta f                 | idea
    """)
]

# Kinds of nouns that go together; in the tables below a group stands for its kinds.
GROUPS = {
    name: frozenset(kinds.split())
    for name, kinds in rows("""
        PEOPLE    | person friend profession family parent spouse offspring elders
        EATABLE   | fruit food bread meal dish
        READING   | text press poem
        OBJECTS   | furniture thing opening clothes vehicle text press
        GOODS     | furniture thing clothes vehicle text press fruit food bread meal drink flower instrument
        WHEELS    | vehicle transport
        INDOORS   | house room school building
        OUTDOORS  | outside garden city
        MASS      | bread meal drink dish money sky sun language sport music
        UNCOUNTED | bread meal drink dish money sky sun language sport music parent spouse
        RELATIVES | family parent spouse elders
        NAMELIKE  | language sport music
        PAIRS     | pair elders
        OFFSPRING | offspring
        SKY       | sun
        PUBLIC    | person building outside transport water sky sun day
    """)
}


def kinds_of(cell):
    """Read a list of kinds and groups of kinds."""
    return frozenset().union(*(GROUPS.get(word, {word}) for word in cell.split()))
