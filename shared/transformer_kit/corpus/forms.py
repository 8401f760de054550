"""All forms of sentence: how often each is drawn, and the English words of which it needs one."""

from transformer_kit.corpus import (
    clock,
    comparing,
    copula,
    everyday,
    giving,
    greetings,
    introductions,
    money,
    questions,
    requests,
    routine,
    statements,
    things,
    weather,
)
from transformer_kit.corpus.tenses import english_past


def in_the_past(form):
    """Return a form of sentence with "was" and "were" where the given one has "is" and "are"."""

    def past(g):
        g.past = True
        return form(g)

    return past


# The others do with almost any words.
FORMS = (
    (statements.doing, 34, ""),
    (statements.did, 15, "did " + " ".join(english_past(verb.english[0]) for verb in statements.VERBS)),
    (statements.liking, 12, "like likes love loves"),
    (copula.describing, 15, "am is are"),
    (copula.naming, 2, ""),
    (copula.locating, 6, "am is are"),
    (copula.existing, 4, "there"),
    (copula.feeling, 3, "am is are"),
    (copula.profession, 3, "am is are"),
    (copula.relation, 2, "am is are"),
    (copula.pointing, 3, "this that these those"),
    (questions.what, 4, "what"),
    (questions.where_or_when, 3, "where when"),
    (questions.where_is, 3, "where how"),
    (questions.why, 2, "why"),
    (questions.why_does, 2, "why"),
    (questions.who_does, 3, "who"),
    (questions.who_is, 1, "who"),
    (questions.how_many, 2, "how"),
    (greetings.greeting, 14, ""),
    (greetings.until, 1, "see"),
    (greetings.thanking, 1, "thank thanks"),
    (introductions.name_is, 2, "name"),
    (introductions.someones_name, 1, "name"),
    (introductions.being_someone, 1, "am is are"),
    (introductions.presenting, 1.5, "this that"),
    (introductions.origin, 3, "am is are"),
    (introductions.age, 2, "am is are"),
    (introductions.state_of, 0.5, "am is are"),
    (introductions.birthday, 1, "birthday"),
    (things.it_is_like, 5, "is"),
    (things.it_is, 2, "it mine yours ours"),
    (things.it_is_where, 2, "it"),
    (things.what_is, 0.5, "what who"),
    (things.doing_it, 5, "it this that them"),
    (things.liking_it, 2, "it this that"),
    (money.how_much, 2, "much"),
    (money.price, 2, "euros dollars"),
    (weather.weather, 3, " ".join(row[0] for row in weather.KINDS)),
    (weather.falling, 2, "rain rains rained snow snows snowed"),
    (weather.good_weather, 1, "weather"),
    (clock.what_time, 3, "it"),
    (clock.what_day, 1, "today tomorrow"),
    (clock.asked_day, 0.2, "day"),
    (routine.routine, 3, ""),
    (routine.schedule, 2, ""),
    (comparing.comparing, 2, "than"),
    (everyday.what_doing, 1.5, "what"),
    (everyday.where_going, 1.5, "where"),
    (everyday.what_color, 1, "color"),
    (everyday.favorite, 0.5, "favorite"),
    (everyday.hurting, 0.5, "hurts hurt"),
    (everyday.aching, 0.5, "have has"),
    (everyday.suggesting, 1, "let"),
    (everyday.getting_there, 1, "how"),
    (everyday.here_is, 1, "here"),
    (clock.answer, 0.5, "at on in"),
    (requests.ordering, 4, ""),
    (requests.wishing, 3, "would"),
    (requests.wanting, 2, "want wants need needs"),
    (requests.telling, 4, ""),
    (requests.asking, 3, "can could"),
    (requests.having, 2, "have"),
    (giving.give_me, 1, "give"),
    (giving.giving, 2, "give gives gave"),
    (in_the_past(copula.describing), 3, "was were"),
    (in_the_past(copula.locating), 2, "was were"),
    (in_the_past(copula.existing), 2, "was were"),
    (in_the_past(copula.feeling), 1, "was were"),
    (in_the_past(copula.profession), 1, "was were"),
    (in_the_past(things.it_is_like), 2, "was were"),
    (in_the_past(things.it_is), 1, "was were"),
    (in_the_past(things.it_is_where), 1, "was were"),
    (in_the_past(introductions.origin), 0.5, "was were"),
    (in_the_past(introductions.birthday), 0.5, "was were"),
)
WEIGHTS = {form: weight for form, weight, _ in FORMS}
NEEDED = {form: tuple(words.split()) for form, _, words in FORMS if words}
