"""Beam searches that go wrong in one respect each: the reference with a switch for every rule."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference


def wrong(**changes):
    """Return a beam search that breaks the rules named in `changes`; see `_search`."""

    def beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
        return _search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha, **changes)

    return beam_search


def _search(
    next_log_probs,
    bos_id,
    eos_id,
    beam_width,
    max_len,
    alpha,
    *,
    seen=lambda ids: ids,  # what the model gets to see
    rank=lambda candidate: -candidate[0],
    impossible=False,  # keep candidates of log-probability -inf
    per_parent=False,  # the best of every hypothesis, instead of the best of all
    all_finish=False,  # every candidate that ends finishes, whatever its rank
    refill=True,
    extend_finished=False,
    keep_finished=True,
    enough=None,  # stop when so many have finished
    stop_at_end=False,  # the stopping rule also holds at max_len
    stop_joins=False,  # the live ones also join when the search stops early
    join=lambda live, finished: live,  # which live hypotheses join at the end
    divisor=lambda ids, alpha: ((5 + len(ids)) / 6) ** alpha,
    final=lambda hypothesis: -hypothesis[0],  # the order of the result
    cut=True,
):
    live, finished = [(0.0, ())], []
    enough = enough or beam_width
    for length in range(1, max_len + 1):
        candidates = []
        for total, ids in live:
            row = next_log_probs(np.array([(bos_id, *seen(ids))]))[0]
            own = [(total + float(more), (*ids, v)) for v, more in enumerate(row) if impossible or more > -np.inf]
            candidates += sorted(own, key=rank)[:beam_width] if per_parent else own
        candidates.sort(key=rank)
        best = candidates[:beam_width]
        ended = [c for c in (candidates if all_finish else best) if c[1][-1] == eos_id]
        finished += ended if keep_finished else []
        going_on = candidates if extend_finished else [c for c in (candidates if refill else best) if c not in ended]
        live = going_on if per_parent else [c for c in going_on if extend_finished or c[1][-1] != eos_id][:beam_width]
        if not live or (len(finished) >= enough and (length < max_len or stop_at_end)):
            live = live if stop_joins else []
            break
    hypotheses = finished + join(live, finished)
    scored = [(total / divisor(ids, alpha), ids) for total, ids in hypotheses]
    scored.sort(key=final)
    return scored[:beam_width] if cut else scored


def _swapped(*args, **kwargs):
    return [(ids, score) for score, ids in reference.beam_search(*args, **kwargs)]


def _probabilities(*args, **kwargs):
    return [(float(np.exp(score)), ids) for score, ids in reference.beam_search(*args, **kwargs)]


def _only_best(*args, **kwargs):
    return reference.beam_search(*args, **kwargs)[0]


def _ids_alone(*args, **kwargs):
    return [ids for _, ids in reference.beam_search(*args, **kwargs)]


def _start_included(next_log_probs, bos_id, *args, **kwargs):
    found = reference.beam_search(next_log_probs, bos_id, *args, **kwargs)
    return [(score, (bos_id, *ids)) for score, ids in found]


def _end_left_out(next_log_probs, bos_id, eos_id, *args, **kwargs):
    found = reference.beam_search(next_log_probs, bos_id, eos_id, *args, **kwargs)
    return [(score, ids[:-1] if ids[-1] == eos_id else ids) for score, ids in found]


def _products(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Multiply probabilities, and take the logarithm when all is over."""
    found = _multiplied(next_log_probs, bos_id, eos_id, beam_width, max_len)
    with np.errstate(divide="ignore"):
        scored = [(float(np.log(product)) / ((5 + len(ids)) / 6) ** alpha, ids) for product, ids in found]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])[:beam_width]


def _multiplied(next_log_probs, bos_id, eos_id, beam_width, max_len):
    live, finished = [(1.0, ())], []
    for length in range(1, max_len + 1):
        rows = np.exp(next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))).tolist()
        pairs = zip(live, rows, strict=True)
        candidates = [(p * q, (*ids, v)) for (p, ids), row in pairs for v, q in enumerate(row) if q > 0]
        candidates.sort(key=lambda candidate: -candidate[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if not live or (length < max_len and len(finished) >= beam_width):
            return finished
    return finished + live


SECTION = "Exercise 8.7: beam_search"
RULES = "The rules of the beam"
PENALTY = "The length penalty"

MISTAKES = (
    Mistake(
        "products",
        "Probabilities are multiplied",
        _products,
        "After some hundred tokens every product is exactly 0, and nothing can be ranked any more. Add "
        "log-probabilities.",
        RULES,
    ),
    Mistake(
        "probabilities",
        "The scores are probabilities",
        _probabilities,
        "A score is a log-probability, divided by the length penalty.",
        PENALTY,
    ),
    Mistake(
        "per-parent",
        "Every hypothesis keeps its own best extensions",
        wrong(per_parent=True),
        "Then the beam grows at every step, or the extensions of a poor hypothesis push out those of a good one. "
        "All candidates compete with one another.",
        RULES,
    ),
    Mistake(
        "finished-extended",
        "A finished hypothesis stays in the beam and is extended",
        wrong(extend_finished=True),
        "After the end nothing comes. A finished hypothesis leaves the beam and waits for the final ranking.",
        RULES,
    ),
    Mistake(
        "finished-lost",
        "Hypotheses that have finished are forgotten",
        wrong(keep_finished=False),
        "They are what you are looking for: put them aside when they finish, and rank them at the end.",
        RULES,
    ),
    Mistake(
        "not-refilled",
        "A hypothesis that finishes leaves a gap in the beam",
        wrong(refill=False),
        "The beam gets narrower with every finished hypothesis. The next best candidate that goes on takes the "
        "free place.",
        RULES,
    ),
    Mistake(
        "all-ends-finish",
        "Every candidate that ends is put among the finished, whatever its rank",
        wrong(all_finish=True),
        "A poor candidate does not become a good one by ending. It has to rank among the best beam_width.",
        RULES,
    ),
    Mistake(
        "stops-at-first",
        "The search stops when the first hypothesis has finished",
        wrong(enough=1),
        "Short sequences finish first, and others that are still growing may be better. Wait for beam_width of them.",
        RULES,
    ),
    Mistake(
        "never-stops-early",
        "The search always goes on to max_len",
        wrong(enough=10**9),
        "That may find more, but it costs passes through the model. The rule here says to stop when beam_width "
        "hypotheses have finished.",
        RULES,
    ),
    Mistake(
        "not-joined",
        "Hypotheses that are still live at max_len are dropped",
        wrong(join=lambda live, finished: []),
        "A model need not have come to its end by then. What is live after the last step joins the finished ones.",
        RULES,
    ),
    Mistake(
        "joined-if-none",
        "Live hypotheses join only where none has finished",
        wrong(join=lambda live, finished: [] if finished else live),
        "They always join after the last step, and are ranked together with the finished ones.",
        RULES,
    ),
    Mistake(
        "stops-at-max-len",
        "Live hypotheses do not join when enough have finished in the last step",
        wrong(stop_at_end=True),
        "The stopping rule holds before max_len only. After the last step the live ones always join: they have "
        "cost nothing more.",
        RULES,
    ),
    Mistake(
        "joined-early",
        "Live hypotheses join even if the search stops before max_len",
        wrong(stop_joins=True),
        "When enough have finished, the live ones are discarded: they are no complete sentences.",
        RULES,
    ),
    Mistake(
        "alpha-ignored",
        "The length penalty is left out",
        wrong(divisor=lambda ids, alpha: 1.0),
        "With alpha = 0 that is right. With any other alpha the sum has to be divided.",
        PENALTY,
    ),
    Mistake(
        "length-without-end",
        "The end symbol is not counted in the length",
        wrong(divisor=lambda ids, alpha: ((5 + len(ids) - (ids[-1] == 1)) / 6) ** alpha),
        "The end is a token like any other here: it has a probability in the sum, so it counts in the length.",
        PENALTY,
    ),
    Mistake(
        "length-with-start",
        "The start symbol is counted in the length",
        wrong(divisor=lambda ids, alpha: ((6 + len(ids)) / 6) ** alpha),
        "The start symbol has no probability in the sum, so it does not count in the length.",
        PENALTY,
    ),
    Mistake(
        "plain-length",
        "The sum is divided by a power of the length alone",
        wrong(divisor=lambda ids, alpha: len(ids) ** alpha),
        "Some programs do that. The formula here has two constants more, which soften the penalty for short sequences.",
        PENALTY,
    ),
    Mistake(
        "multiplied-by-penalty",
        "The sum is multiplied by the length penalty",
        wrong(divisor=lambda ids, alpha: ((5 + len(ids)) / 6) ** -alpha),
        "Log-probabilities are negative, so multiplying makes long sequences even worse.",
        PENALTY,
    ),
    Mistake(
        "order-of-finishing",
        "The hypotheses are returned in the order in which they finished",
        wrong(final=lambda hypothesis: 0),
        "The first to finish is the shortest, not the best. Sort by score before you cut the list.",
        PENALTY,
    ),
    Mistake(
        "worst-first",
        "The hypotheses are returned with the worst first",
        wrong(final=lambda hypothesis: hypothesis[0]),
        "Python sorts in ascending order, and the best score is the largest.",
        PENALTY,
    ),
    Mistake(
        "not-cut",
        "More than beam_width hypotheses are returned",
        wrong(cut=False),
        "Finished and joined ones together may be more than beam_width. Return the best of them only.",
        RULES,
    ),
    Mistake(
        "later-first",
        "Of equally likely candidates the later one is preferred",
        wrong(rank=lambda candidate: (-candidate[0], [-token for token in candidate[1]])),
        "Reading an ascending sort backwards turns the order of equal entries round. Sort the negated numbers "
        "with a stable method.",
        RULES,
    ),
    Mistake(
        "ties-by-ids",
        "Of equally likely candidates the one with the lower ids is preferred, from the first id on",
        wrong(rank=lambda candidate: (-candidate[0], candidate[1])),
        "Sorting pairs compares the ids as well. The rule looks at the rank of the parents first.",
        RULES,
    ),
    Mistake(
        "final-ties-by-ids",
        "Equal scores are put in the order of their ids",
        wrong(final=lambda hypothesis: (-hypothesis[0], hypothesis[1])),
        "Sorting pairs compares the ids as well. Equal scores keep the order in which the hypotheses finished.",
        RULES,
    ),
    Mistake(
        "impossible-kept",
        "Candidates of probability 0 are kept",
        wrong(impossible=True),
        "They can never become possible again. Drop what has log-probability -inf before you rank.",
        RULES,
    ),
    Mistake(
        "last-token-only",
        "Only the last token is fed back to the model",
        wrong(seen=lambda ids: ids[-1:]),
        "The next token depends on everything that came before. Hand the model the whole prefix.",
        SECTION,
    ),
    Mistake(
        "swapped",
        "The pairs hold the ids first and the score second",
        _swapped,
        "The order asked for is score, then ids.",
        SECTION,
    ),
    Mistake(
        "only-best",
        "Only the best hypothesis is returned",
        _only_best,
        "Asked for is the list of all that were found, at most beam_width.",
        SECTION,
    ),
    Mistake(
        "ids-alone",
        "The scores are left out",
        _ids_alone,
        "Each entry of the list is a pair of score and ids.",
        SECTION,
    ),
    Mistake(
        "start-included",
        "The start symbol is part of the sequences",
        _start_included,
        "The start symbol was given, not produced. It belongs to the prefix only.",
        SECTION,
    ),
    Mistake(
        "end-left-out",
        "The end symbol is left out of the sequences",
        _end_left_out,
        "A finished sequence keeps its end symbol, so that one can tell it from one that was cut off at max_len.",
        SECTION,
    ),
)
