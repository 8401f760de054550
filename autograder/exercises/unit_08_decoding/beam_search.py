"""Specification of `beam_search`; models are tables from prefixes to probabilities, and 1 is the end."""

from autograder.exercises.unit_08_decoding import beam_search_mistakes, beam_search_score_mistakes, calls
from autograder.exercises.unit_08_decoding.models import HANDS, agrees, agrees_renamed, endless_model, long_model, table
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.toy_models import BEAM_LOSES, SHORT_WINS, random_model

STOPPING = {(): {2: 0.55, 1: 0.3, 3: 0.15}, (2,): {3: 0.58, 1: 0.42}, (3,): {4: 1.0}}

EXERCISE = Exercise(
    reference=reference.beam_search,
    asks="the best finished sequences that a search of limited width finds, with their scores, best first.",
    returns=(Output("hypotheses"),),
    where=beam_search_mistakes.RULES,
    calls=calls.BEAM_SEARCH,
    mistakes=[*beam_search_mistakes.MISTAKES, *beam_search_score_mistakes.MISTAKES],
    hands=HANDS,
)


@EXERCISE.claim(0.5)
def width_1(call, rng):
    """a beam of width 1 is greedy search, on long sequences, too"""
    agrees(call, random_model(rng, 6), 0, 1, 1, 5)
    agrees(call, random_model(rng, 5, bos_id=4), 4, 2, 1, 4)
    agrees(call, long_model(), 0, 1, 1, 300)  # a probability of 1e-336, which is 0 in floating point


@EXERCISE.claim(0.5)
def exhaustive(call, rng):
    """a beam of full width is exhaustive search"""
    agrees(call, random_model(rng, 4), 0, 1, 60, 3)  # all 40 sequences
    agrees(call, random_model(rng, 3, bos_id=2), 2, 0, 9, 2)


@EXERCISE.claim(0.5)
def over_all_parents(call, rng):
    """keeps the best beam_width of all candidates, whichever hypothesis they extend"""
    agrees(call, endless_model(rng, 6, eos_id=1), 0, 1, 3, 4)
    agrees(call, endless_model(rng, 7, eos_id=2), 0, 2, 2, 5)
    agrees(call, BEAM_LOSES, 0, 1, 2, 6)  # greedy would find something better


@EXERCISE.claim(0.5)
def finished(call, rng):
    """a finished hypothesis is neither extended nor lost"""
    early = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {3: 0.6, 2: 0.4}, (3,): {2: 0.9, 3: 0.1}, (2, 3): {1: 0.75, 3: 0.25}}
    agrees_renamed(call, rng, table(early, otherwise={1: 0.6, 2: 0.4}), 0, 1, 2, 4)


@EXERCISE.claim(0.5)
def refilled(call, rng):
    """only an end among the best beam_width counts, and the live beam is refilled"""
    late = {(): {1: 0.4, 2: 0.35, 3: 0.25}, (2,): {4: 0.6, 5: 0.4}, (3,): {6: 1.0}}
    agrees_renamed(call, rng, table(late), 0, 1, 2, 5)
    tied = {(): {2: 0.5, 3: 0.25, 5: 0.25}}
    agrees_renamed(call, rng, table(tied), 0, 5, 2, 1)  # the end is as likely as what takes the last place
    third = {(): {2: 0.4, 3: 0.35, 1: 0.25}, (2,): {3: 0.53, 4: 0.47}, (3,): {2: 0.58, 5: 0.42}}
    agrees_renamed(call, rng, table(third), 0, 1, 2, 5)


@EXERCISE.claim(0.5)
def stops(call, rng):
    """before max_len, stops as soon as beam_width hypotheses have finished"""
    for max_len in (4, 7, 3):  # with 3 there is one step left
        agrees_renamed(call, rng, table(STOPPING), 0, 1, 2, max_len)


@EXERCISE.claim(0.5)
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


@EXERCISE.claim(0.5)
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


@EXERCISE.claim(0.5)
def impossible(call, rng):
    """drops what is impossible, and copes when nothing is left to extend"""
    agrees_renamed(call, rng, table({(): {2: 0.6, 3: 0.4}}), 0, 1, 3, 4)
    agrees_renamed(call, rng, table({(): {2: 1.0}, (2,): {4: 0.7, 3: 0.3}}), 0, 1, 4, 6)
    agrees_renamed(call, rng, table({(): {2: 1.0}, (2,): {3: 1.0}}), 0, 1, 2, 4)  # a sure one: its score is 0
