"""What people say to each other in fixed words, with the name of the one they say it to: Hello, Ana."""

from transformer_kit.corpus.phrases import NAMES, usual_first
from transformer_kit.corpus.pronouns import formal
from transformer_kit.corpus.tables import rows

# English, Spanish (the first is the usual one). "o" as the end of a word stands for the gender of the one spoken to;
# before and after ":" stands what one says to somebody called tú and to somebody called usted.
FORMULAS = [
    (tuple(english.split()), tuple(way.strip() for way in spanish.split("/")), sort)
    for english, spanish, sort in rows("""
        hello               | hola                                | name
        hi                  | hola                                | name
        good morning        | buenos días                         | name
        good afternoon      | buenas tardes                       | name
        good evening        | buenas tardes / buenas noches       | name
        good night          | buenas noches                       | name
        goodbye             | adiós                               | name
        bye                 | adiós                               | name
        see you later       | hasta luego                         | name
        see you soon        | hasta pronto                        | name
        see you             | hasta luego                         | name
        welcome             | bienvenid@                          | name
        thank you           | gracias                             | name
        thanks              | gracias                             | name
        thank you very much | muchas gracias                      | name
        thanks a lot        | muchas gracias                      | name
        you are welcome     | de nada                             | name
        excuse me           | perdón / disculpa : disculpe         | name
        sorry               | perdón / lo siento                  | name
        i am sorry          | lo siento                           | name
        i am very sorry     | lo siento mucho                     | name
        nice to meet you    | mucho gusto                         | name
        pleased to meet you | mucho gusto                         | name
        happy birthday      | feliz cumpleaños                    | name
        merry christmas     | feliz navidad                       | name
        good luck           | buena suerte                        | name
        congratulations     | felicidades                         | name
        enjoy your meal     | buen provecho                       | name
        cheers              | salud                               | name
        of course           | por supuesto / claro                | name
        of course not       | claro que no                        | name
        no problem          | no hay problema                     | name
        all right           | está bien                           | name
        okay                | está bien                           | name
        very good           | muy bien                            | name
        please              | por favor                           | name
        it is late          | es tarde                            | name
        it is very late     | es muy tarde                        | name
        it is early         | es temprano                         | name
        me too              | yo también                          | name
        why not             | ¿ por qué no ?                      | asks
        what does this mean | ¿ qué significa esto ?              | asks
        do you understand   | ¿ entiendes ? : ¿ entiende ?        | asks
        what happened       | ¿ qué pasó ?                        | asks
        how is it going     | ¿ qué tal ?                         | asks
        happy new year      | feliz año nuevo                     | name
        that is all         | eso es todo                         | name
        i am in a hurry     | tengo prisa                         | name
        not bad             | no está mal                         | name
        hello how are you   | hola , ¿ cómo estás ? : hola , ¿ cómo está ? | asks
        hi how are you      | hola , ¿ cómo estás ? : hola , ¿ cómo está ? | asks
        good morning how are you | buenos días , ¿ cómo estás ? : buenos días , ¿ cómo está ? | asks
        how was your day    | ¿ qué tal tu día ? : ¿ qué tal su día ? | asks
        thank you so much   | muchas gracias                      | name
        i have to go now    | tengo que irme ahora                | name
        we have to go       | tenemos que irnos                   | name
        maybe               | quizás / tal vez                    | name
        sure                | claro                               | name
        well done           | bien hecho                          | name
        and you             | ¿ y tú ? : ¿ y usted ?              | asks
        really              | ¿ de verdad ?                       | asks
        how are you doing   | ¿ cómo estás ? : ¿ cómo está ?      | asks
        have a good day     | que tengas un buen día : que tenga un buen día | name
        have a nice day     | que tengas un buen día : que tenga un buen día | name
        have a good trip    | buen viaje                          | name
        i do not know       | no sé                               | name
        i do not understand | no entiendo                         | name
        i understand        | entiendo                            | name
        i think so          | creo que sí                         | name
        i do not think so   | creo que no                         | name
        that is right       | eso es                              | name
        that is true        | es verdad                           | name
        it is true          | es verdad                           | name
        it is not true      | no es verdad                        | name
        it does not matter  | no importa                          | name
        do not worry        | no te preocupes : no se preocupe    | name
        be careful          | ten cuidado : tenga cuidado         | name
        i love you          | te quiero                           | name
        i miss you          | te echo de menos : le echo de menos | name
        you are right       | tienes razón : tiene razón          | name
        let us go           | vamos                               | name
        i have to go        | tengo que irme                      | name
        here it is          | aquí está                           | name
        here you are        | aquí tienes : aquí tiene            | name
        fine                | bien                                | thanks
        very well           | muy bien                            | thanks
        i am fine           | estoy bien                          | thanks
        i am well           | estoy bien                          | thanks
        i am very well      | estoy muy bien                      | thanks
        i feel good         | me siento bien                      | thanks
        yes                 | sí                                  | thanks
        no                  | no                                  | thanks
    """)
]
DAYTIMES = rows("""
    tomorrow | hasta mañana
    tonight | hasta esta noche
    on monday | hasta el lunes
    on tuesday | hasta el martes
    on wednesday | hasta el miércoles
    on thursday | hasta el jueves
    on friday | hasta el viernes
    on saturday | hasta el sábado
    on sunday | hasta el domingo
    next week | hasta la semana que viene
""")
HELP = rows("""
    help       | la ayuda
    your help  | tu ayuda : su ayuda
    the gift   | el regalo
    the coffee | el café
    everything | todo
    the food   | la comida
    dinner     | la cena
    the tickets | los billetes
    the book   | el libro
""")
# Those whom one speaks to, beside the names: Spanish for one man, one woman, and several.
FRIENDS = rows(
    "my friend | mi amigo m / mi amiga f\nmom | mamá f\ndad | papá m\ndoctor | doctor m / doctora f\nsir | señor m"
)


def _way(g, spanish):
    """Choose what fits to somebody called tú or usted."""
    if " : " in spanish:
        return spanish.split(" : ")[formal(g)]
    return spanish


def _called(g, chance=0.45):
    """Say the name of the one who is spoken to, sometimes; return its gender, too."""
    sort = g.pick({"": 1 - chance, "name": chance * 0.85, "friend": chance * 0.15})
    if sort == "name":
        name = g.take(NAMES, english=lambda name: name.english)
        return name.english, name.spanish, name.gender
    if sort == "friend":
        english, spanish = g.pick(FRIENDS, english=lambda row: row[0].split()[-1:])
        *words, gender = g.pick(usual_first(spanish.split(" / "))).split()
        return tuple(english.split()), tuple(words), gender
    return (), (), None


def _after_comma(words):
    return (",", *words) if words else ()


def greeting(g):
    """Good morning, Ana. Thank you very much. Nice to meet you, Pedro. And you?"""
    english, ways, sort = g.pick(FORMULAS, english=lambda row: row[0][-1:])
    spanish = tuple(_way(g, g.pick(usual_first(ways))).split())
    if sort == "thanks":
        return _with_thanks(g, english, spanish)
    name, called, gender = _called(g)
    if "bienvenid@" in spanish:
        spanish = ("bienvenid" + g.pick(("o", "a") if gender is None else ("o" if gender == "m" else "a",)),)
    if sort == "asks":
        return (*english, *name, "?"), (*spanish[:-1], *_after_comma(called), "?")
    return (*english, *name, "."), (*spanish, *_after_comma(called), ".")


def _with_thanks(g, english, spanish):
    """Yes, please. I am very well, thank you, Ana."""
    polite = g.pick(
        {(): 3, ("thank", "you"): 5, ("thanks",): 2, ("please",): 2 if english in (("yes",), ("no",)) else 0},
        english=lambda words: words[-1:] or None,
    )
    name, called, _ = _called(g, 0.2)
    said = {(): (), ("please",): ("por", "favor")}.get(polite, ("gracias",))
    return (*english, *polite, *name, "."), (*spanish, *_after_comma(said), *_after_comma(called), ".")


def until(g):
    """See you tomorrow. See you on Monday, Ana."""
    english, spanish = g.pick(DAYTIMES, english=lambda row: row[0].split()[-1:])
    name, called, _ = _called(g)
    return ("see", "you", *english.split(), *name, "."), (*spanish.split(), *_after_comma(called), ".")


def thanking(g):
    """Thank you for your help. Thanks for the gift, Ana."""
    thanks, gracias = g.pick(
        (("thank you", "gracias"), ("thanks", "gracias"), ("thank you very much", "muchas gracias")),
        english=lambda row: row[0].split()[-1:],
    )
    english, spanish = g.pick(HELP, english=lambda row: row[0].split()[-1:])
    name, called, _ = _called(g)
    return (
        (*thanks.split(), "for", *english.split(), *name, "."),
        (*gracias.split(), "por", *_way(g, spanish).split(), *_after_comma(called), "."),
    )
