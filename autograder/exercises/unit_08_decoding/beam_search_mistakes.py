"""The known mistakes of `beam_search` with the rules by which it searches."""

import numpy as np

from autograder.exercises.unit_08_decoding.beam_search_variants import search
from autograder.specification import KnownMistakes
from transformer_kit import reference

RULES = "The rules of the beam"
PENALTY = "The length penalty"

MISTAKES = KnownMistakes()


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


@MISTAKES.add(where=RULES)
def products(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Probabilities are multiplied.

    After some hundred tokens every product is exactly 0, and nothing can be ranked any more. Add log-probabilities.
    """
    found = _multiplied(next_log_probs, bos_id, eos_id, beam_width, max_len)
    with np.errstate(divide="ignore"):
        scored = [(float(np.log(product)) / ((5 + len(ids)) / 6) ** alpha, ids) for product, ids in found]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])[:beam_width]


@MISTAKES.add(where=PENALTY)
def probabilities(*args, **kwargs):
    """The scores are probabilities.

    A score is a log-probability, divided by the length penalty.
    """
    return [(float(np.exp(score)), ids) for score, ids in reference.beam_search(*args, **kwargs)]


@MISTAKES.add(where=RULES)
def per_parent(*args, **kwargs):
    """Every hypothesis keeps its own best extensions.

    Then the beam grows at every step, or the extensions of a poor hypothesis push out those of a good one. All
    candidates compete with one another.
    """
    return search(*args, **kwargs, per_parent=True)


@MISTAKES.add(where=RULES)
def finished_extended(*args, **kwargs):
    """A finished hypothesis stays in the beam and is extended.

    After the end nothing comes. A finished hypothesis leaves the beam and waits for the final ranking.
    """
    return search(*args, **kwargs, extend_finished=True)


def _going_on(next_log_probs, bos_id, eos_id, total, ids):
    if eos_id in ids[-1:]:
        return [(total, ids)]
    row = next_log_probs(np.array([(bos_id, *ids)]))[0].tolist()
    return [(total + more, (*ids, v)) for v, more in enumerate(row) if more > -np.inf]


@MISTAKES.add(where=RULES)
def finished_keep_their_places(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    """Hypotheses that have finished keep their places in the beam.

    Put them aside, and give their places to the next best that go on. Otherwise the search narrows as it goes.
    """
    beam = [(0.0, ())]
    for _ in range(max_len):
        candidates = [c for one in beam for c in _going_on(next_log_probs, bos_id, eos_id, *one)]
        beam = sorted(candidates, key=lambda candidate: -candidate[0])[:beam_width]
    scored = [(total / ((5 + len(ids)) / 6) ** alpha, ids) for total, ids in beam]
    return sorted(scored, key=lambda hypothesis: -hypothesis[0])


@MISTAKES.add(where=RULES)
def finished_lost(*args, **kwargs):
    """Hypotheses that have finished are forgotten.

    They are what you are looking for: put them aside when they finish, and rank them at the end.
    """
    return search(*args, **kwargs, keep_finished=False)


@MISTAKES.add(where=RULES)
def not_refilled(*args, **kwargs):
    """A hypothesis that finishes leaves a gap in the beam.

    The beam gets narrower with every finished hypothesis. The next best candidate that goes on takes the free
    place.
    """
    return search(*args, **kwargs, refill=False)


@MISTAKES.add(where=RULES)
def all_ends_finish(*args, **kwargs):
    """Every candidate that ends is put among the finished, whatever its rank.

    A poor candidate does not become a good one by ending. It has to rank among the best beam_width.
    """
    return search(*args, **kwargs, all_finish=True)


@MISTAKES.add(where=RULES)
def all_ends_finish_and_live_join(*args, **kwargs):
    """Every candidate that ends finishes, and live hypotheses join even if the search stops before max_len.

    A poor candidate does not become a good one by ending: it has to rank among the best beam_width. And when enough
    have finished, the live ones are discarded: they are not complete sentences.
    """
    return search(*args, **kwargs, all_finish=True, stop_joins=True)


@MISTAKES.add(where=RULES)
def stops_at_first(*args, **kwargs):
    """The search stops when the first hypothesis has finished.

    Short sequences finish first, and others that are still growing may be better. Wait for beam_width of them.
    """
    return search(*args, **kwargs, enough=1)


@MISTAKES.add(where=RULES)
def never_stops_early(*args, **kwargs):
    """The search always goes on to max_len.

    That may find more, but it costs passes through the model. The rule here says to stop when beam_width hypotheses
    have finished.
    """
    return search(*args, **kwargs, enough=10**9)


@MISTAKES.add(where=RULES)
def not_joined(*args, **kwargs):
    """Hypotheses that are still live at max_len are dropped.

    A model need not have come to its end by then. What is live after the last step joins the finished ones.
    """
    return search(*args, **kwargs, join=lambda live, finished: [])


@MISTAKES.add(where=RULES)
def joined_if_none(*args, **kwargs):
    """Live hypotheses join only where none has finished.

    They always join after the last step, and are ranked together with the finished ones.
    """
    return search(*args, **kwargs, join=lambda live, finished: [] if finished else live)


@MISTAKES.add(where=RULES)
def stops_at_max_len(*args, **kwargs):
    """Live hypotheses do not join when enough have finished in the last step.

    The stopping rule holds before max_len only. After the last step the live ones always join: they cost no further
    pass.
    """
    return search(*args, **kwargs, stop_at_end=True)


@MISTAKES.add(where=RULES)
def joined_early(*args, **kwargs):
    """Live hypotheses join even if the search stops before max_len.

    When enough have finished, the live ones are discarded: they are not complete sentences.
    """
    return search(*args, **kwargs, stop_joins=True)
