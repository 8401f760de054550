"""Forms of English and Spanish words: plural, gender, agreement, present tense."""

from transformer_kit.corpus.tables import rows

VOWELS = "aeiou"
ENGLISH_PLURALS = {
    **{"man": "men", "woman": "women", "child": "children", "person": "people"},
    **{"potato": "potatoes", "tomato": "tomatoes"},
}
PLURALS = {"joven": "jóvenes", "paraguas": "paraguas"}
UNACCENTED = str.maketrans("áéíóú", "aeiou")

# Endings of the persons: yo, tú, él (and usted), nosotros, ellos.
PRESENT = {"ar": "o as a amos an", "er": "o es e emos en", "ir": "o es e imos en"}
IRREGULAR = {
    infinitive: tuple(forms.split())
    for infinitive, forms in rows("""
        ser      | soy eres es somos son
        estar    | estoy estás está estamos están
        tener    | tengo tienes tiene tenemos tienen
        querer   | quiero quieres quiere queremos quieren
        poder    | puedo puedes puede podemos pueden
        ir       | voy vas va vamos van
        dar      | doy das da damos dan
        ver      | veo ves ve vemos ven
        cerrar   | cierro cierras cierra cerramos cierran
        dormir   | duermo duermes duerme dormimos duermen
        jugar    | juego juegas juega jugamos juegan
        conocer  | conozco conoces conoce conocemos conocen
        hacer    | hago haces hace hacemos hacen
        traer    | traigo traes trae traemos traen
        venir    | vengo vienes viene venimos vienen
        salir    | salgo sales sale salimos salen
        encontrar | encuentro encuentras encuentra encontramos encuentran
        perder   | pierdo pierdes pierde perdemos pierden
        entender | entiendo entiendes entiende entendemos entienden
        almorzar | almuerzo almuerzas almuerza almorzamos almuerzan
        costar   | cuesto cuestas cuesta costamos cuestan
        empezar  | empiezo empiezas empieza empezamos empiezan
        despertar | despierto despiertas despierta despertamos despiertan
        acostar  | acuesto acuestas acuesta acostamos acuestan
    """)
}


def plural_in_english(noun):
    """Return the plural of an English noun: cat, cats; box, boxes; city, cities; man, men."""
    if noun in ENGLISH_PLURALS:
        return ENGLISH_PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def third_person(verb):
    """Return the form of an English verb after he or she: eats, watches, studies, goes, has."""
    if verb == "have":
        return "has"
    return verb + "es" if verb in ("go", "do") else plural_in_english(verb)


def indefinite_article(word):
    """Return the English article before a word: a cat, an apple."""
    return "an" if word[0] in VOWELS else "a"


def plural_in_spanish(word):
    """Return the plural of a Spanish noun or adjective: gato, gatos; flor, flores; lápiz, lápices; jardín, jardines."""
    if word in PLURALS:
        return PLURALS[word]
    if word[-1].translate(UNACCENTED) in VOWELS:
        return word + "s"
    if word[-1] == "z":
        return word[:-1] + "ces"
    # One more syllable: the stress that the accent marked now falls where it falls without one.
    stem = word[:-2] + word[-2:].translate(UNACCENTED)
    return stem + "es"


def agree(adjective, gender, plural):
    """Return the form of a Spanish adjective for a gender ("m" or "f") and a number."""
    if gender == "f" and adjective.endswith("o"):
        adjective = adjective[:-1] + "a"
    return plural_in_spanish(adjective) if plural else adjective


def conjugate(infinitive, person):
    """Return the present tense of a Spanish verb.

    Parameters
    ----------
    infinitive : str
    person : int
        0 yo, 1 tú, 2 él and usted, 3 nosotros, 4 ellos.

    Returns
    -------
    str
    """
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive][person]
    return infinitive[:-2] + PRESENT[infinitive[-2:]].split()[person]


def contract(words):
    """Put words that meet into the form they take then: al parque, del niño, el agua, español e inglés.

    Parameters
    ----------
    words : sequence of str

    Returns
    -------
    tuple of str
    """
    words, joined = list(words), []
    for i, following in enumerate(words[1:]):
        if (words[i], following) == ("la", "agua"):  # feminine, and stressed on its first sound
            words[i] = "el"
        if words[i] == "y" and following.startswith("i"):
            words[i] = "e"
    for word in words:
        if word == "el" and joined and joined[-1] in ("a", "de"):
            joined[-1] = {"a": "al", "de": "del"}[joined[-1]]
        else:
            joined.append(word)
    return tuple(joined)
