"""Specification of `beam_search`; models are tables from prefixes to probabilities, and 1 is the end."""

import math

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, agrees_renamed, endless_model, long_model, table
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.toy_models import BEAM_LOSES, SHORT_WINS, random_model

RULES = "The rules of the beam"
PENALTY = "The length penalty"

STOPPING = {(): {2: 0.55, 1: 0.3, 3: 0.15}, (2,): {3: 0.58, 1: 0.42}, (3,): {4: 1.0}}

EXERCISE = Exercise(
    reference=reference.beam_search,
    asks="the best finished sequences that a search of limited width finds, with their scores, best first.",
    returns=(Output("hypotheses"),),
    where=RULES,
    calls=calls.BEAM_SEARCH,
    hands=HANDS,
    lookalike=lookalikes.BEAM_SEARCH,
)


@EXERCISE.claim(0.25)
def width_1(call, rng):
    """a beam of width 1 is greedy search, on long sequences, too"""

    def early():
        return random_model(rng, 6), 0, 1, 1, 5

    def at_max_len():
        return random_model(rng, 5, bos_id=4), 4, 2, 1, 4

    shown = "finished-lost", "all-ends-finish", "all-ends-finish-and-live-join", "last-token-only", "end-left-out"
    joined = "worst-first", "not-cut"  # they show where a live hypothesis joins one that has finished
    agrees(call, *telling(EXERCISE, early, *shown, alike=joined))
    agrees(call, *telling(EXERCISE, at_max_len, *joined))
    agrees(call, long_model(), 0, 1, 1, 300)  # a probability of 1e-336, which is 0 in floating point


@EXERCISE.claim(0.5)
def exhaustive(call, rng):
    """a beam of full width is exhaustive search"""
    agrees(call, random_model(rng, 4), 0, 1, 60, 3)  # all 40 sequences
    agrees(call, random_model(rng, 3, bos_id=2), 2, 0, 9, 2)


@EXERCISE.claim(0.5)
def over_all_parents(call, rng):
    """keeps the best beam_width of all candidates, whichever hypothesis they extend"""

    def draw():
        return endless_model(rng, 6, eos_id=1), 0, 1, 3, 4

    agrees(call, *telling(EXERCISE, draw, "ranked-by-last-token"))
    agrees(call, endless_model(rng, 7, eos_id=2), 0, 2, 2, 5)
    agrees(call, BEAM_LOSES, 0, 1, 2, 6)  # greedy would find something better


@EXERCISE.claim(0.5)
def finished(call, rng):
    """a finished hypothesis is neither extended nor lost"""
    early = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {3: 0.6, 2: 0.4}, (3,): {2: 0.9, 3: 0.1}, (2, 3): {1: 0.75, 3: 0.25}}
    agrees_renamed(call, rng, table(early, otherwise={1: 0.6, 2: 0.4}), 0, 1, 2, 4)
    third_is_best = {(): {2: 0.9, 1: 0.1}, (2,): {3: 0.6, 4: 0.4}}  # of three that finish, the first is the worst
    agrees_renamed(call, rng, table(third_is_best), 0, 1, 2, 5)


@EXERCISE.claim(0.5)
def refilled(call, rng):
    """only an end among the best beam_width counts, and the live beam is refilled"""
    late = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {4: 0.6, 5: 0.4}, (3,): {6: 1.0}}
    agrees_renamed(call, rng, table(late), 0, 1, 2, 5)
    tied = {(): {2: 0.5, 3: 0.25, 5: 0.25}}
    agrees_renamed(call, rng, table(tied), 0, 5, 2, 1)  # the end is as likely as what takes the last place
    third = {(): {2: 0.4, 3: 0.35, 1: 0.25}, (2,): {3: 0.53, 4: 0.47}, (3,): {2: 0.58, 5: 0.42}}
    agrees_renamed(call, rng, table(third), 0, 1, 2, 5)
    own = {(): {2: 0.6, 3: 0.4}, (2,): {4: 0.36, 1: 0.34, 5: 0.3}, (2, 4): {6: 0.5, 7: 0.5}}
    other = {(3,): {4: 0.29, 5: 0.25, 6: 0.24, 7: 0.22}}  # less likely than the third extension of the better parent
    agrees_renamed(call, rng, table(own | other), 0, 1, 2, 5)


@EXERCISE.claim(0.5)
def stops(call, rng):
    """before max_len, stops as soon as beam_width hypotheses have finished"""
    for max_len in (4, 7, 3):  # with 3 there is one step left
        agrees_renamed(call, rng, table(STOPPING), 0, 1, 2, max_len)


@EXERCISE.claim(0.25)
def joins(call, rng):
    """after the step that reaches max_len the live hypotheses join"""
    agrees_renamed(call, rng, table(STOPPING), 0, 1, 2, 2)
    agrees_renamed(call, rng, table({(): {2: 0.7, 3: 0.3}, (3,): {4: 1.0}}, otherwise={4: 0.8, 5: 0.2}), 0, 1, 3, 2)


@EXERCISE.claim(0.5)
def penalty(call, rng):
    """the score is the log-probability divided by the length penalty; best first"""
    for alpha in (0.6, float(rng.uniform(1.2, 1.6))):
        agrees(call, SHORT_WINS, 0, 1, 2, 6, alpha)
    agrees_renamed(call, rng, table({(): {2: 0.5, 3: 0.3, 1: 0.2}}, otherwise={1: 0.8, 5: 0.2}), 0, 1, 3, 5, alpha=0.6)
    late = {(): {2: 0.7, 1: 0.3}, (2,): {3: 0.6, 4: 0.4}}  # the third of all is the second once it is scored
    agrees_renamed(call, rng, table(late, otherwise={6: 1.0}), 0, 1, 2, 4, 1.0)


@EXERCISE.claim(0.25)
def ties(call, rng):
    """ties go to the earlier parent, then to the lower id; equal scores keep their order"""
    siblings = {(): {2: 0.25, 3: 0.5, 4: 0.25}, (3,): {5: 0.25, 6: 0.25, 7: 0.5}, (2,): {4: 0.5, 5: 0.5}}
    agrees_renamed(call, rng, table(siblings), 0, 1, 2, 1)  # lower id
    agrees_renamed(call, rng, table(siblings), 0, 1, 2, 2)  # earlier parent, though its token has the higher id
    equal = {(): {1: 0.25, 2: 0.5, 3: 0.25}, (2,): {1: 0.5, 4: 0.5}, (3,): {4: 1.0}}
    agrees_renamed(call, rng, table(equal), 0, 1, 3, 2)  # in the order of finishing, live ones last
    agrees_renamed(
        call, rng, table({(): {5: 0.5, 4: 0.5}, (5,): {1: 0.5, 6: 0.5}}, otherwise={6: 0.5, 7: 0.5}), 0, 1, 4, 2
    )


@EXERCISE.claim(0.25)
def impossible(call, rng):
    """drops what is impossible, and copes when nothing is left to extend"""
    agrees_renamed(call, rng, table({(): {2: 0.6, 3: 0.4}}), 0, 1, 3, 4)
    agrees_renamed(call, rng, table({(): {2: 1.0}, (2,): {4: 0.7, 3: 0.3}}), 0, 1, 4, 6)
    agrees_renamed(call, rng, table({(): {2: 1.0}, (2,): {3: 1.0}}), 0, 1, 2, 4)  # a sure one: its score is 0


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
CANDIDATES = "candidates = _extensions(next_log_probs, bos_id, live)"
FINISHED = "finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]"
LIVE = "live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]"
ENOUGH = " or (length < max_len and len(finished) >= beam_width)"
SCORE = "log_prob / ((5 + len(ids)) / 6) ** alpha"
BEST_FIRST = "sorted(scored, key=lambda hypothesis: -hypothesis[0])"
LIKELIEST_FIRST = "sorted(extended, key=lambda hypothesis: -hypothesis[0])"


def of_every_parent(extended):
    """Return the code that goes through all hypotheses, and ranks together what each of them brings."""
    return f"candidates = sorted((c for one in live for c in {extended}), key=lambda candidate: -candidate[0])"


ITS_BEST = of_every_parent("_extensions(next_log_probs, bos_id, [one])[:beam_width]")


def log_of(product):
    """Return the logarithm, also of 0."""
    return math.log(product) if product else -math.inf


wrong("products", {
    "[(0.0, ())]": "[(1.0, ())]",
    "log_prob + more": "log_prob * float(np.exp(more))",
    SCORE: SCORE.replace("log_prob", "log_of(log_prob)"),
}, """
    Probabilities are multiplied.
    After some hundred tokens every product is exactly 0, and nothing can be ranked any more. Add log-probabilities.""")

wrong.at(PENALTY)
wrong("probabilities", {SCORE: f"float(np.exp({SCORE}))"}, """
    The scores are probabilities.
    A score is a log-probability, divided by the length penalty.""")

wrong.at(RULES)
wrong("per-parent", {CANDIDATES: ITS_BEST, LIVE: "live = [c for c in candidates if c not in finished]"}, """
    Every hypothesis keeps its own best extensions.
    Then the beam grows at every step, or the extensions of a poor hypothesis push out those of a good one. All
    candidates compete with one another.""")

wrong("finished-extended", {LIVE: "live = candidates[:beam_width]"}, """
    A finished hypothesis stays in the beam and is extended.
    After the end nothing comes. A finished hypothesis leaves the beam and waits for the final ranking.""")

wrong("finished-keep-their-places", {
    CANDIDATES: of_every_parent("([one] if eos_id in one[1] else _extensions(next_log_probs, bos_id, [one]))"),
    FINISHED: "",
    LIVE: "live = candidates[:beam_width]",
    ENOUGH: "",
}, """
    Hypotheses that have finished keep their places in the beam.
    Put them aside, and give their places to the next best that go on. Otherwise the search narrows as it goes.""")

wrong("finished-lost", {FINISHED: "finished += []"}, """
    Hypotheses that have finished are forgotten.
    They are what you are looking for: put them aside when they finish, and rank them at the end.""")

wrong("not-refilled", {LIVE: "live = [c for c in candidates[:beam_width] if c[1][-1] != eos_id]"}, """
    A hypothesis that finishes leaves a gap in the beam.
    The beam gets narrower with every finished hypothesis. The next best candidate that goes on takes the free
    place.""")

wrong("all-ends-finish", {"c in candidates[:beam_width] if": "c in candidates if"}, """
    Every candidate that ends is put among the finished, whatever its rank.
    A poor candidate does not become a good one by ending. It has to rank among the best beam_width.""")

wrong("all-ends-finish-and-live-join",
      {"c in candidates[:beam_width] if": "c in candidates if", "            live = []\n": ""}, """
    Every candidate that ends finishes, and live hypotheses join even if the search stops before max_len.
    A poor candidate does not become a good one by ending: it has to rank among the best beam_width. And when enough
    have finished, the live ones are discarded: they are not complete sentences.""")

wrong("stops-at-first", {"len(finished) >= beam_width": "finished"}, """
    The search stops when the first hypothesis has finished.
    Short sequences finish first, and others that are still growing may be better. Wait for beam_width of them.""")

wrong("never-stops-early", {ENOUGH: ""}, """
    The search always goes on to max_len.
    That may find more, but it costs passes through the model. The rule here says to stop when beam_width hypotheses
    have finished.""")

wrong("not-joined", {"finished + live": "finished"}, """
    Hypotheses that are still live at max_len are dropped.
    A model need not have come to its end by then. What is live after the last step joins the finished ones.""")

wrong("joined-if-none", {"finished + live": "finished or live"}, """
    Live hypotheses join only where none has finished.
    They always join after the last step, and are ranked together with the finished ones.""")

wrong("stops-at-max-len", {"length < max_len and ": ""}, """
    Live hypotheses do not join when enough have finished in the last step.
    The stopping rule holds before max_len only. After the last step the live ones always join: they cost no further
    pass.""")

wrong("joined-early", {"            live = []\n": ""}, """
    Live hypotheses join even if the search stops before max_len.
    When enough have finished, the live ones are discarded: they are not complete sentences.""")

wrong.at(PENALTY)
wrong("alpha-ignored", {" / ((5 + len(ids)) / 6) ** alpha": ""}, """
    The length penalty is left out.
    With alpha = 0 that is right. With any other alpha the sum has to be divided.""")

wrong("length-without-end", {"5 + len(ids)": "5 + len(ids) - (ids[-1] == eos_id)"}, """
    The end symbol is not counted in the length.
    The end is a token like any other here: it has a probability in the sum, so it counts in the length.""")

wrong("length-with-start", {"5 + len(ids)": "6 + len(ids)"}, """
    The start symbol is counted in the length.
    The start symbol has no probability in the sum, so it does not count in the length.""")

wrong("plain-length", {"((5 + len(ids)) / 6) ** alpha": "len(ids) ** alpha"}, """
    The sum is divided by a power of the length alone.
    Some programs do that. The formula here has two more constants, which soften the penalty for short sequences.""")

wrong("multiplied-by-penalty", {"log_prob / (": "log_prob * ("}, """
    The sum is multiplied by the length penalty.
    Log-probabilities are negative, so multiplying makes long sequences even worse.""")

wrong("order-of-finishing", {BEST_FIRST: "scored"}, """
    The hypotheses are returned in the order in which they finished.
    The first to finish is the shortest, not the best. Sort by score before you cut the list.""")

wrong("worst-first", {BEST_FIRST: "sorted(scored, key=lambda hypothesis: hypothesis[0])"}, """
    The hypotheses are returned with the worst first.
    Python sorts in ascending order, and the best score is the largest.""")

wrong.at(RULES)
wrong("not-cut", {f"{BEST_FIRST}[:beam_width]": BEST_FIRST}, """
    More than beam_width hypotheses are returned.
    Finished and joined ones together may be more than beam_width. Return the best of them only.""")

wrong("later-first", {
    LIKELIEST_FIRST: "sorted(extended, key=lambda found: (-found[0], [-token for token in found[1]]))",
}, """
    Of equally likely candidates the later one is preferred.
    Reading an ascending sort backwards reverses the order of equal entries. Sort the negated numbers with a stable
    method.""")

wrong("ties-by-ids", {LIKELIEST_FIRST: "sorted(extended, key=lambda found: (-found[0], found[1]))"}, """
    Of equally likely candidates the one with the lower ids is preferred, from the first id on.
    Sorting pairs compares the ids as well. The rule looks at the rank of the parents first.""")

wrong("final-ties-by-ids", {BEST_FIRST: "sorted(scored, key=lambda found: (-found[0], found[1]))"}, """
    Equal scores are put in the order of their ids.
    Sorting pairs compares the ids as well. Equal scores keep the order in which the hypotheses finished.""")

wrong("impossible-kept", {"        if more > -np.inf\n": ""}, """
    Candidates of probability 0 are kept.
    They can never become possible again. Drop what has log-probability -inf before you rank.""")

wrong.at()
wrong("last-token-only", {"(bos_id, *ids) for": "(bos_id, *ids[-1:]) for"}, """
    Only the last token is fed back to the model.
    The next token depends on everything that came before. Give the model the whole prefix.""")

wrong("swapped",
      "[found[::-1] for found in beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)]", """
    The pairs hold the ids first and the score second.
    Each pair is the score, then the ids.""")

wrong("only-best", "beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)[0]", """
    Only the best hypothesis is returned.
    Return the list of all that were found, at most beam_width.""")

wrong("ids-alone", "[ids for _, ids in beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)]", """
    The scores are left out.
    Each entry of the list is a pair of score and ids.""")

wrong("start-included", {"** alpha, ids)": "** alpha, (bos_id, *ids))"}, """
    The start symbol is part of the sequences.
    The start symbol was given, not produced. It belongs to the prefix only.""")

wrong("end-left-out", {"** alpha, ids)": "** alpha, ids[:-1] if ids[-1] == eos_id else ids)"}, """
    The end symbol is left out of the sequences.
    A finished sequence keeps its end symbol, so that one can tell it from one that was cut off at max_len.""")

wrong.at(PENALTY)
wrong("penalty-without-brackets", {"((5 + len(ids)) / 6) ** alpha": "((5 + len(ids)) / 6**alpha)"}, """
    Only the 6 of the length penalty is raised to the power alpha.
    `**` binds more tightly than `/`. The whole fraction is raised to the power, so it needs brackets.""")

wrong.at(RULES)

wrong("ranked-by-last-token", {
    "(log_prob + more, (*ids, token))": "(more, log_prob + more, (*ids, token))",
    LIKELIEST_FIRST: f"[found[1:] for found in {LIKELIEST_FIRST}]",
}, """
    The candidates are ranked by the log-probability of their last token.
    What counts is the whole sequence: add the token's log-probability to that of its parent.""")

wrong.at(PENALTY)
wrong("cut-before-scores",
      {"in finished + live]": "in sorted(finished + live, key=lambda found: -found[0])[:beam_width]]"}, """
    The list is cut to beam_width before the scores are computed.
    The penalty may lift a long hypothesis above a short one that is likelier. Score all of them, then sort and cut.""")

wrong.at(RULES)
wrong("one-step-too-few", "beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len - 1, alpha)", """
    The search takes one step too few.
    `range(1, max_len)` ends before max_len. There are max_len steps, one for each id.""")

wrong("never-branches", {"if more > -np.inf": "if more > -np.inf and token == np.argmax(row)"}, """
    Only the likeliest extension is kept, so the beam never holds more than one hypothesis.
    The beam begins with one hypothesis and has to branch: its beam_width best extensions are kept. From then on, all
    extensions of all hypotheses compete with one another.""")

wrong.at(PENALTY)
wrong("only-the-length-divided", {"((5 + len(ids)) / 6) ** alpha": "(5 + len(ids) / 6) ** alpha"}, """
    In the length penalty only the length is divided by 6, because a pair of brackets is missing.
    The sum of 5 and the length is divided. So a sequence of one token has the penalty 1.""")

wrong.at(RULES)
wrong("logarithms-multiplied", {"log_prob + more": "log_prob * more"}, """
    The log-probabilities are multiplied.
    Probabilities are multiplied, and so their logarithms are added. What begins at 0 stays 0 here.""")

wrong.at(PENALTY)
wrong("finished-cut-before-scores", {"finished + live": "finished[:beam_width] + live"}, """
    Of the finished hypotheses only the first beam_width are scored.
    More than beam_width may have finished, and a later one may be better. Score all of them, then sort and cut.""")

wrong.at(RULES)

wrong("few-offered", {CANDIDATES: ITS_BEST}, """
    Of every hypothesis only its beam_width best extensions are candidates.
    Where some of these end the sentence, the next best ones have to take their places among the live hypotheses. So
    all extensions are candidates.""")

wrong("narrower-with-each-end",
      {"!= eos_id][:beam_width]": "!= eos_id][:beam_width - len(finished)]"}, """
    The live beam loses one place for every hypothesis that has finished.
    There are always beam_width places for live hypotheses: what has finished waits elsewhere.""")

wrong("not-added-up", {"log_prob + more": "more"}, """
    A hypothesis has the log-probability of its last token, not the sum over all of its tokens.
    Add the log-probability of the new token to what the hypothesis has so far.""")

wrong("only-one-joins", {"finished + live": "finished + live[:1]"}, """
    Of the live hypotheses only the best one joins after the last step.
    All of them join, and are ranked together with the finished ones.""")

wrong("renormalised", {
    "        finished += [":
        "        total = np.logaddexp.reduce([log_prob for log_prob, _ in candidates] or [0.0])\n"
        "        candidates = [(float(log_prob - total), ids) for log_prob, ids in candidates]\n"
        "        finished += [",
}, """
    The probabilities of the candidates are divided by their sum at every step.
    The score is the log-probability of the whole sequence, whatever else is in the beam.""")
