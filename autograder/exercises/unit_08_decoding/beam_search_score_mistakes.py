"""The known mistakes of `beam_search` with its scores and its result."""

from functools import cache

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_08_decoding.beam_search_variants import search
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import unit_08_decoding as unit_08

SECTION = "Exercise 8.8: beam_search"
RULES = "The rules of the beam"
PENALTY = "The length penalty"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=PENALTY)
def alpha_ignored(*args, **kwargs):
    """The length penalty is left out.

    With alpha = 0 that is right. With any other alpha the sum has to be divided.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: 1.0)


@MISTAKES.add(where=PENALTY)
def length_without_end(*args, **kwargs):
    """The end symbol is not counted in the length.

    The end is a token like any other here: it has a probability in the sum, so it counts in the length.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: ((5 + len(ids) - (ids[-1] == 1)) / 6) ** alpha)


@MISTAKES.add(where=PENALTY)
def length_with_start(*args, **kwargs):
    """The start symbol is counted in the length.

    The start symbol has no probability in the sum, so it does not count in the length.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: ((6 + len(ids)) / 6) ** alpha)


@MISTAKES.add(where=PENALTY)
def plain_length(*args, **kwargs):
    """The sum is divided by a power of the length alone.

    Some programs do that. The formula here has two more constants, which soften the penalty for short sequences.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: len(ids) ** alpha)


@MISTAKES.add(where=PENALTY)
def multiplied_by_penalty(*args, **kwargs):
    """The sum is multiplied by the length penalty.

    Log-probabilities are negative, so multiplying makes long sequences even worse.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: ((5 + len(ids)) / 6) ** -alpha)


@MISTAKES.add(where=PENALTY)
def order_of_finishing(*args, **kwargs):
    """The hypotheses are returned in the order in which they finished.

    The first to finish is the shortest, not the best. Sort by score before you cut the list.
    """
    return search(*args, **kwargs, final=lambda hypothesis: 0)


@MISTAKES.add(where=PENALTY)
def worst_first(*args, **kwargs):
    """The hypotheses are returned with the worst first.

    Python sorts in ascending order, and the best score is the largest.
    """
    return search(*args, **kwargs, final=lambda hypothesis: hypothesis[0])


@MISTAKES.add(where=RULES)
def not_cut(*args, **kwargs):
    """More than beam_width hypotheses are returned.

    Finished and joined ones together may be more than beam_width. Return the best of them only.
    """
    return search(*args, **kwargs, cut=False)


@MISTAKES.add(where=RULES)
def later_first(*args, **kwargs):
    """Of equally likely candidates the later one is preferred.

    Reading an ascending sort backwards reverses the order of equal entries. Sort the negated numbers with a
    stable method.
    """
    return search(*args, **kwargs, rank=lambda candidate: (-candidate[0], [-token for token in candidate[1]]))


@MISTAKES.add(where=RULES)
def ties_by_ids(*args, **kwargs):
    """Of equally likely candidates the one with the lower ids is preferred, from the first id on.

    Sorting pairs compares the ids as well. The rule looks at the rank of the parents first.
    """
    return search(*args, **kwargs, rank=lambda candidate: (-candidate[0], candidate[1]))


@MISTAKES.add(where=RULES)
def final_ties_by_ids(*args, **kwargs):
    """Equal scores are put in the order of their ids.

    Sorting pairs compares the ids as well. Equal scores keep the order in which the hypotheses finished.
    """
    return search(*args, **kwargs, final=lambda hypothesis: (-hypothesis[0], hypothesis[1]))


@MISTAKES.add(where=RULES)
def impossible_kept(*args, **kwargs):
    """Candidates of probability 0 are kept.

    They can never become possible again. Drop what has log-probability -inf before you rank.
    """
    return search(*args, **kwargs, impossible=True)


@MISTAKES.add(where=SECTION)
def last_token_only(*args, **kwargs):
    """Only the last token is fed back to the model.

    The next token depends on everything that came before. Give the model the whole prefix.
    """
    return search(*args, **kwargs, seen=lambda ids: ids[-1:])


@MISTAKES.add(where=SECTION)
def swapped(*args, **kwargs):
    """The pairs hold the ids first and the score second.

    Each pair is the score, then the ids.
    """
    return [(ids, score) for score, ids in reference.beam_search(*args, **kwargs)]


@MISTAKES.add(where=SECTION)
def only_best(*args, **kwargs):
    """Only the best hypothesis is returned.

    Return the list of all that were found, at most beam_width.
    """
    return reference.beam_search(*args, **kwargs)[0]


@MISTAKES.add(where=SECTION)
def ids_alone(*args, **kwargs):
    """The scores are left out.

    Each entry of the list is a pair of score and ids.
    """
    return [ids for _, ids in reference.beam_search(*args, **kwargs)]


@MISTAKES.add(where=SECTION)
def start_included(next_log_probs, bos_id, *args, **kwargs):
    """The start symbol is part of the sequences.

    The start symbol was given, not produced. It belongs to the prefix only.
    """
    found = reference.beam_search(next_log_probs, bos_id, *args, **kwargs)
    return [(score, (bos_id, *ids)) for score, ids in found]


@MISTAKES.add(where=SECTION)
def end_left_out(next_log_probs, bos_id, eos_id, *args, **kwargs):
    """The end symbol is left out of the sequences.

    A finished sequence keeps its end symbol, so that one can tell it from one that was cut off at max_len.
    """
    found = reference.beam_search(next_log_probs, bos_id, eos_id, *args, **kwargs)
    return [(score, ids[:-1] if ids[-1] == eos_id else ids) for score, ids in found]


@MISTAKES.add(where=PENALTY)
def penalty_without_brackets(*args, **kwargs):
    """Only the 6 of the length penalty is raised to the power alpha.

    `**` binds more tightly than `/`. The whole fraction is raised to the power, so it needs brackets.
    """
    return search(*args, **kwargs, divisor=lambda ids, alpha: (5 + len(ids)) / 6**alpha)


@MISTAKES.add(where=RULES)
def ranked_by_last_token(next_log_probs, bos_id, *args, **kwargs):
    """The candidates are ranked by the log-probability of their last token.

    What counts is the whole sequence: add the token's log-probability to that of its parent.
    """

    @cache  # all candidates of one parent ask for the same
    def after(prefix):
        return next_log_probs(np.array([(bos_id, *prefix)]))[0]

    def last(candidate):
        *prefix, token = candidate[1]
        return -float(after(tuple(prefix))[token])

    return search(next_log_probs, bos_id, *args, **kwargs, rank=last)


@MISTAKES.add(where=PENALTY)
def cut_before_scores(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """The list is cut to beam_width before the scores are computed.

    The penalty may lift a long hypothesis above a short one that is likelier. Score all of them, then sort and cut.
    """
    likeliest = search(next_log_probs, bos_id, eos_id, beam_width, max_len)
    scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, ids) for log_prob, ids in likeliest]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])


@MISTAKES.add(where=RULES)
def one_step_too_few(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """The search takes one step too few.

    `range(1, max_len)` ends before max_len. There are max_len steps, one for each id.
    """
    return search(next_log_probs, bos_id, eos_id, beam_width, max_len - 1, alpha)


@MISTAKES.add(where=RULES)
@edited(
    reference.beam_search,
    {"if more > -np.inf": "if more > -np.inf and token == np.argmax(row)"},
    unit_08._extensions,
)
def never_branches():
    """Only the likeliest extension is kept, so the beam never holds more than one hypothesis.

    The beam begins with one hypothesis and has to branch: its beam_width best extensions are kept. From then on, all
    extensions of all hypotheses compete with one another.
    """


@MISTAKES.add(where=PENALTY)
@edited(reference.beam_search, {"((5 + len(ids)) / 6) ** alpha": "(5 + len(ids) / 6) ** alpha"})
def only_the_length_divided():
    """In the length penalty only the length is divided by 6, because a pair of brackets is missing.

    The sum of 5 and the length is divided. So a sequence of one token has the penalty 1.
    """


@MISTAKES.add(where=RULES)
@edited(reference.beam_search, {"log_prob + float(more)": "log_prob * float(more)"}, unit_08._extensions)
def logarithms_multiplied():
    """The log-probabilities are multiplied.

    Probabilities are multiplied, and so their logarithms are added. What begins at 0 stays 0 here.
    """
