"""What people say every day: greetings, it, the past, numbers, the clock, the weather, money, requests; by hand."""

import pytest

from transformer_kit import corpus
from transformer_kit.corpus.clock import DAYS
from transformer_kit.corpus.numbers import english_number, in_words, spanish_number
from transformer_kit.corpus.tenses import command, english_past, gerund, imperfect, ing_form, preterite


def translated(text):
    """All translations of a typed sentence, the likeliest first."""
    found = corpus.translations(corpus.normalise(text).split())
    return {corpus.spanish_text(words): probability for words, probability in found.items()}


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Good morning, Ana!", "Buenos días, Ana."),
        ("Welcome, Laura!", "Bienvenida, Laura."),
        ("Thanks for your help, Pedro.", "Gracias por tu ayuda, Pedro."),
        ("And you?", "¿Y tú?"),
        ("Hello, how are you?", "Hola, ¿cómo estás?"),
        ("See you on Monday.", "Hasta el lunes."),
        ("My name is Ana.", "Me llamo Ana."),
        ("What's your name?", "¿Cómo te llamas?"),
        ("His name is David.", "Se llama David."),
        ("She is from Mexico.", "Ella es de México."),
        ("Where are you from?", "¿De dónde eres?"),
        ("They are French.", "Son franceses."),
        ("Maria is Spanish.", "María es española."),
        ("My daughter is six years old.", "Mi hija tiene seis años."),
        ("I am 21 years old.", "Tengo veintiún años."),
        ("It is a beautiful day.", "Es un día hermoso."),
        ("It's very big.", "Es muy grande."),
        ("This is too expensive.", "Esto es demasiado caro."),
        ("I don't want it.", "No lo quiero."),
        ("I want to buy them.", "Los quiero comprar."),
        ("I am reading it.", "Lo estoy leyendo."),
        ("Where did you buy it?", "¿Dónde lo compraste?"),
        ("I like it.", "Me gusta."),
        ("It is mine.", "Es mío."),
        ("Where is it?", "¿Dónde está?"),
        ("I went to the beach.", "Fui a la playa."),
        ("She ate an apple.", "Ella comió una manzana."),
        ("We had a car.", "Teníamos un coche."),
        ("Did you see the film?", "¿Viste la película?"),
        ("I was tired.", "Estaba cansado."),
        ("The house was white.", "La casa era blanca."),
        ("There was a dog in the garden.", "Había un perro en el jardín."),
        ("There were no apples.", "No había manzanas."),
        ("Who wrote this book?", "¿Quién escribió este libro?"),
        ("I am eating.", "Estoy comiendo."),
        ("They are not sleeping.", "No están durmiendo."),
        ("I am going to the beach.", "Voy a la playa."),
        ("We are going home by bus.", "Vamos a casa en autobús."),
        ("Let's go to the park.", "Vamos al parque."),
        ("I will call you tomorrow.", "Te voy a llamar mañana."),
        ("I have a small black dog.", "Tengo un perro negro pequeño."),
        ("The beautiful big house.", "La casa grande hermosa."),
        ("Thirty one tables.", "Treinta y una mesas."),
        ("There are 100 chairs.", "Hay cien sillas."),
        ("It is one o'clock.", "Es la una."),
        ("It is half past four.", "Son las cuatro y media."),
        ("It is a quarter to six.", "Son las seis menos cuarto."),
        ("At three o'clock.", "A las tres."),
        ("I get up at seven o'clock.", "Me levanto a las siete."),
        ("What time does the train leave?", "¿A qué hora sale el tren?"),
        ("I don't work on Saturdays.", "No trabajo los sábados."),
        ("Today is Monday.", "Hoy es lunes."),
        ("It is raining.", "Está lloviendo."),
        ("It is very cold today.", "Hace mucho frío hoy."),
        ("It rained yesterday.", "Llovió ayer."),
        ("How much is it?", "¿Cuánto cuesta?"),
        ("The shoes cost 45 euros.", "Los zapatos cuestan cuarenta y cinco euros."),
        ("A coffee, please.", "Un café, por favor."),
        ("A glass of water, please.", "Un vaso de agua, por favor."),
        ("I would like two beers, please.", "Quisiera dos cervezas, por favor."),
        ("Can I have the bill, please?", "¿Me puedes dar la cuenta, por favor?"),
        ("Open the door, please.", "Abre la puerta, por favor."),
        ("Give me a coffee, please.", "Dame un café, por favor."),
        ("He gave me a book.", "Él me dio un libro."),
        ("I hate cats.", "Odio los gatos."),
        ("Ana is taller than me.", "Ana es más alta que yo."),
        ("Do you have any milk?", "¿Tienes leche?"),
        ("I need a doctor.", "Necesito un médico."),
        ("My head hurts.", "Me duele la cabeza."),
        ("Do you want to come with me?", "¿Quieres venir conmigo?"),
        ("What colour is your car?", "¿De qué color es tu coche?"),
    ],
)
def test_sentences_by_hand(english, spanish):
    assert translated(english).get(spanish, 0) > 0.05


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Welcome, Laura!", "Bienvenido, Laura."),
        ("It is cold today.", "Es frío hoy."),
        ("It is raining.", "Es lloviendo."),
        ("I am 21 years old.", "Soy veintiuno años."),
        ("It is one o'clock.", "Son la una."),
        ("I want it.", "Quiero lo."),
        ("There were three dogs.", "Habían tres perros."),
        ("I need a doctor.", "Necesito a un médico."),
        ("I have a small black dog.", "Tengo un pequeño negro perro."),
    ],
)
def test_wrong_translations_are_not_among_them(english, spanish):
    found = translated(english)
    assert found
    assert spanish not in found


def test_numbers():
    assert [" ".join(english_number(n)) for n in (1, 13, 20, 42, 100)] == [
        *("one", "thirteen", "twenty", "forty two", "a hundred")
    ]
    assert [" ".join(spanish_number(n)) for n in (2, 16, 22, 30, 31, 99, 100)] == [
        *("dos", "dieciséis", "veintidós", "treinta", "treinta y uno", "noventa y nueve", "cien")
    ]
    assert [" ".join(spanish_number(n, "m")) for n in (1, 11, 21, 31)] == ["un", "once", "veintiún", "treinta y un"]
    assert [" ".join(spanish_number(n, "f")) for n in (1, 21, 31, 40)] == [
        *("una", "veintiuna", "treinta y una", "cuarenta")
    ]
    assert (in_words("25"), in_words("101")) == ("twenty five", "101")
    assert corpus.normalise("I have 2 twenty-one cats") == "i have two twenty one cats ."


def test_english_tenses():
    assert [english_past(verb) for verb in ("walk", "dance", "study", "play", "stop", "go")] == [
        *("walked", "danced", "studied", "played", "stopped", "went")
    ]
    assert [ing_form(verb) for verb in ("eat", "write", "swim", "see", "study")] == [
        *("eating", "writing", "swimming", "seeing", "studying")
    ]


def test_spanish_tenses():
    assert [preterite("hablar", p) for p in range(5)] == ["hablé", "hablaste", "habló", "hablamos", "hablaron"]
    assert [preterite("tener", p) for p in range(5)] == ["tuve", "tuviste", "tuvo", "tuvimos", "tuvieron"]
    assert [preterite(verb, 0) for verb in ("buscar", "jugar", "empezar", "hacer", "ir")] == [
        *("busqué", "jugué", "empecé", "hice", "fui")
    ]
    assert [preterite(verb, 2) for verb in ("leer", "dormir", "ver", "hacer", "traer")] == [
        *("leyó", "durmió", "vio", "hizo", "trajo")
    ]
    assert [imperfect("ser", p) for p in range(5)] == ["era", "eras", "era", "éramos", "eran"]
    assert [imperfect(verb, 3) for verb in ("estar", "tener", "vivir")] == ["estábamos", "teníamos", "vivíamos"]
    assert [gerund(verb) for verb in ("comprar", "comer", "leer", "dormir")] == [
        *("comprando", "comiendo", "leyendo", "durmiendo")
    ]
    assert [command(verb, False) for verb in ("abrir", "comprar", "venir", "hacer")] == ["abre", "compra", "ven", "haz"]
    assert [command(verb, True) for verb in ("abrir", "comprar", "buscar", "tocar", "traer", "ir")] == [
        *("abra", "compre", "busque", "toque", "traiga", "vaya")
    ]


@pytest.mark.parametrize("day", [english for english, _ in DAYS])
def test_days_have_a_plural(day):
    (one,), (many,) = translated(f"On {day}."), translated(f"On {day}s.")
    assert one.startswith("El ")
    assert many.startswith("Los ")
    assert many.endswith("s.")


def test_a_long_sentence_is_searched_fast():
    """Without giving up early, this one takes minutes."""
    text = "Peter and their lawyers do not like to see the expensive black box with the tall teachers."
    assert len(translated(text)) == 4
