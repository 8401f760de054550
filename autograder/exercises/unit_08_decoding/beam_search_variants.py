"""A beam search with a switch for every rule, for the known mistakes of `beam_search`."""

import numpy as np


def search(
    next_log_probs,
    bos_id,
    eos_id,
    beam_width,
    max_len,
    alpha=0.0,
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
