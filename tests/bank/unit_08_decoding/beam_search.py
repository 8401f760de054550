"""Functions that learners wrote for `beam_search`, each with what is truly wrong with it."""

import heapq

import numpy as np

from tests.bank import right, wrong


@wrong(
    "a hypothesis that finishes leaves a gap: only the best beam_width candidates are looked at, so fewer stay live",
    names={"not-refilled"},
    line="for logp, ids in candidates[:beam_width]:",
)
def finishing_leaves_gap(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live = [(0.0, ())]
    finished = []
    for step in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for i, (logp, ids) in enumerate(live):
            for token in range(log_probs.shape[1]):
                if log_probs[i, token] > -np.inf:
                    candidates.append((logp + log_probs[i, token], ids + (token,)))
        candidates.sort(key=lambda c: -c[0])
        live = []
        for logp, ids in candidates[:beam_width]:
            if ids[-1] == eos_id:
                finished.append((logp, ids))
            else:
                live.append((logp, ids))
        if step < max_len - 1 and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    results.sort(key=lambda r: -r[0])
    return results[:beam_width]


@wrong(
    "throws the live hypotheses away at max_len: only those that ended in eos_id are returned",
    names={"not-joined"},
    line="results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished]",
)
def live_thrown_away(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for _ in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, log_probs):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: c[0], reverse=True)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if len(finished) >= beam_width or not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished]
    results.sort(key=lambda r: r[0], reverse=True)
    return results[:beam_width]


@wrong(
    "the length does not count the end symbol in the penalty: a finished sequence gets L - 1",
    names={"length-without-end"},
    line="length = len([i for i in ids if i != eos_id])",
)
def eos_not_counted(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [((), 0.0)], []
    for step in range(1, max_len + 1):
        log_probs = next_log_probs(np.array([(bos_id,) + ids for ids, _ in live]))
        candidates = []
        for (ids, logp), row in zip(live, log_probs):
            for token, x in enumerate(row):
                if np.isfinite(x):
                    candidates.append((ids + (token,), logp + x))
        candidates.sort(key=lambda c: -c[1])
        finished += [c for c in candidates[:beam_width] if c[0][-1] == eos_id]
        live = [c for c in candidates if c[0][-1] != eos_id][:beam_width]
        if step < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    scored = []
    for ids, logp in finished + live:
        length = len([i for i in ids if i != eos_id])
        scored.append((float(logp / ((5 + length) / 6) ** alpha), ids))
    scored.sort(key=lambda s: -s[0])
    return scored[:beam_width]


@wrong(
    "multiplies the log-probability by the penalty instead of dividing it",
    names={"multiplied-by-penalty"},
    line="score = logp * ((5 + len(ids)) / 6) ** alpha",
)
def penalty_multiplied(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for i in range(len(live)):
            for token in range(log_probs.shape[1]):
                x = log_probs[i, token]
                if x != -np.inf:
                    candidates.append((live[i][0] + x, live[i][1] + (token,)))
        candidates = sorted(candidates, key=lambda c: -c[0])
        finished.extend(c for c in candidates[:beam_width] if c[1][-1] == eos_id)
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if len(finished) >= beam_width and step + 1 < max_len:
            live = []
        if len(live) == 0:
            break
    results = []
    for logp, ids in finished + live:
        score = logp * ((5 + len(ids)) / 6) ** alpha
        results.append((float(score), ids))
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "sorts the candidates as tuples in reverse, so of equally likely ones the higher ids come first",
    names={"later-first"},
    line="candidates.sort(reverse=True)",
)
def ties_to_higher_ids(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            for token in np.flatnonzero(row > -np.inf):
                candidates.append((logp + row[token], ids + (int(token),)))
        candidates.sort(reverse=True)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "does not drop candidates of log-probability -inf, so impossible sequences fill the beam and the results",
    names={"impossible-kept"},
    line=None,
)
def impossible_kept(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            for token, x in enumerate(row):
                candidates.append((logp + x, ids + (token,)))
        candidates.sort(key=lambda c: c[0], reverse=True)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: r[0], reverse=True)[:beam_width]


@wrong(
    "every candidate that ends in eos_id is finished, also one that does not rank among the best beam_width",
    names={"all-ends-finish"},
    line="finished += [c for c in candidates if c[1][-1] == eos_id]",
)
def all_endings_finish(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "stops as soon as one hypothesis has finished instead of waiting for beam_width of them",
    names={"stops-at-first"},
    line="if finished and step < max_len - 1:",
)
def stops_at_first(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if finished and step < max_len - 1:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "never stops early: goes on to max_len, or until nothing is live, however many hypotheses have finished",
    names={"never-stops-early"},
    line=None,
)
def no_early_stop(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for _ in range(max_len):
        if not live:
            break
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "keeps the live hypotheses when it stops before max_len, so unfinished sequences join the results",
    names={"joined-early"},
    line="if not live or len(finished) >= beam_width:",
)
def live_join_after_early_stop(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for _ in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if not live or len(finished) >= beam_width:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "the results are not sorted by score: they come in the order of finishing",
    names={"order-of-finishing"},
    line="return results[:beam_width]",
)
def unsorted_results(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = []
    for logp, ids in finished + live:
        results.append((float(logp / ((5 + len(ids)) / 6) ** alpha), ids))
    return results[:beam_width]


@wrong(
    "keeps only the best token of each live hypothesis, so the beam never grows beyond one hypothesis",
    names={"never-branches"},
    line="token = int(np.argmax(row))",
)
def best_child_only(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            token = int(np.argmax(row))
            candidates.append((logp + row[token], ids + (token,)))
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "ranks the candidates by the log-probability of the last token alone, which is not added to that of the parent",
    line="candidates += [(x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]",
)
def parent_not_added(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "the entries of the result are (token_ids, score) instead of (score, token_ids)",
    names={"swapped"},
    line="results.append((ids, float(logp / penalty)))",
)
def ids_before_score(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = []
    for logp, ids in finished + live:
        penalty = ((5 + len(ids)) / 6) ** alpha
        results.append((ids, float(logp / penalty)))
    results.sort(key=lambda r: -r[1])
    return results[:beam_width]


@wrong(
    "two: the power covers only the numerator of the penalty, (5 + L) ** alpha / 6, and the results are not cut to "
    "beam_width",
    names={"not-cut"},
    line="penalty = (5 + len(ids)) ** alpha / 6",
)
def penalty_and_cut(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = []
    for logp, ids in finished + live:
        penalty = (5 + len(ids)) ** alpha / 6
        results.append((float(logp / penalty), ids))
    return sorted(results, key=lambda r: -r[0])


@wrong(
    "the id tuples of the result still begin with the start symbol, and so the length is one too large",
    names={"length-with-start", "start-included"},
    line="results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]",
)
def results_with_bos(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, (bos_id,))], []
    for step in range(max_len):
        rows = next_log_probs(np.array([ids for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "takes one step too few: sequences have at most max_len - 1 ids",
    names={"one-step-too-few"},
    line="for step in range(1, max_len):",
)
def one_step_too_few(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(1, max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step < max_len - 1 and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@wrong(
    "a greedy search: only the likeliest token is followed, and a list with one result is returned",
    names={"never-branches"},
    line="token = int(next_log_probs(np.array([[bos_id, *ids]]))[0].argmax())",
)
def greedy(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    ids, logp = (), 0.0
    while len(ids) < max_len:
        token = int(next_log_probs(np.array([[bos_id, *ids]]))[0].argmax())
        logp += next_log_probs(np.array([[bos_id, *ids]]))[0, token]
        ids += (token,)
        if token == eos_id:
            break
    return [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids)]


@wrong(
    "two: the end symbol is not counted in the length of the penalty, and the worst score comes first",
    names={"length-without-end", "worst-first"},
    line="n = len(ids) - 1 if ids[-1:] == (eos_id,) else len(ids)",
)
def length_and_ascending(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = []
    for logp, ids in finished + live:
        n = len(ids) - 1 if ids[-1:] == (eos_id,) else len(ids)
        results.append((float(logp / ((5 + n) / 6) ** alpha), ids))
    results.sort(key=lambda r: r[0])
    return results[:beam_width]


@wrong(
    "half finished: ends after the first step, so every result has one id",
    line="results = [(float(row[i]), (int(i),)) for i in order if row[i] > -np.inf]",
)
def first_step_only(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    row = next_log_probs(np.array([[bos_id]]))[0]
    order = np.argsort(-row, kind="stable")[:beam_width]
    results = [(float(row[i]), (int(i),)) for i in order if row[i] > -np.inf]
    return results


@right
def two_lists(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (logp, ids), row in zip(live, rows):
            candidates += [(logp + x, ids + (token,)) for token, x in enumerate(row) if x > -np.inf]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step + 1 < max_len and len(finished) >= beam_width:
            live = []
        if not live:
            break
    results = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for logp, ids in finished + live]
    return sorted(results, key=lambda r: -r[0])[:beam_width]


@right
def with_arrays(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    prefixes = np.array([[bos_id]])
    scores = np.zeros(1)
    done = []
    for t in range(1, max_len + 1):
        total = scores[:, None] + next_log_probs(prefixes)
        V = total.shape[1]
        order = np.argsort(-total, axis=None, kind="stable")
        order = order[total.ravel()[order] > -np.inf]
        parents, tokens = order // V, order % V
        for i in np.flatnonzero(tokens[:beam_width] == eos_id):
            ids = (*prefixes[parents[i], 1:].tolist(), eos_id)
            done.append((total[parents[i], eos_id], ids))
        going = np.flatnonzero(tokens != eos_id)[:beam_width]
        prefixes = np.column_stack([prefixes[parents[going]], tokens[going]])
        scores = total[parents[going], tokens[going]]
        if len(done) >= beam_width and t < max_len:
            scores = scores[:0]
        if len(scores) == 0:
            break
    done += [(s, tuple(row[1:].tolist())) for s, row in zip(scores, prefixes)]
    final = [float(s / ((5 + len(ids)) / 6) ** alpha) for s, ids in done]
    best = np.argsort(-np.array(final), kind="stable")[:beam_width]
    return [(final[i], done[i][1]) for i in best]


@right
def with_heap(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    beam = [((), 0.0)]
    ended = []
    length = 0
    while beam and length < max_len:
        answers = next_log_probs(np.array([(bos_id,) + ids for ids, _ in beam], dtype=int))
        length += 1
        heap = []
        for rank, (ids, logp) in enumerate(beam):
            for token in range(answers.shape[1]):
                value = logp + answers[rank, token]
                if value != -np.inf:
                    heapq.heappush(heap, (-value, rank, token))
        beam_before, beam, place = beam, [], 0
        while heap and len(beam) < beam_width:
            value, rank, token = heapq.heappop(heap)
            ids = beam_before[rank][0] + (token,)
            if token != eos_id:
                beam.append((ids, -value))
            elif place < beam_width:
                ended.append((ids, -value))
            place += 1
        if len(ended) >= beam_width and length < max_len:
            beam = []
    scored = [(float(logp / ((5 + len(ids)) / 6) ** alpha), ids) for ids, logp in ended + beam]
    scored.sort(key=lambda entry: entry[0], reverse=True)
    return scored[:beam_width]


@wrong("stops as soon as one hypothesis has finished", names={"stops-at-first"})
def first_finish(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for _ in range(max_len):
        log_probs = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))
        candidates = [
            (score + log_p, (*ids, v))
            for (score, ids), row in zip(live, log_probs)
            for v, log_p in enumerate(row)
            if log_p > -np.inf
        ]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if finished or not live:
            break
    if live and len(live[0][1]) == max_len:
        finished += live
    scored = [(float(s / ((5 + len(ids)) / 6) ** alpha), ids) for s, ids in finished]
    return sorted(scored, key=lambda c: -c[0])[:beam_width]


@wrong(
    "sorts pairs, so that equal scores are ordered by their ids, the higher ones first",
    names={"later-first"},
    line="candidates.sort(reverse=True)",
)
def ties_by_ids(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for _ in range(max_len):
        if not live or len(finished) >= beam_width:
            break
        log_probs = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))
        candidates = []
        for (score, ids), row in zip(live, log_probs):
            for v, log_p in enumerate(row):
                if log_p > -np.inf:
                    candidates.append((score + log_p, (*ids, v)))
        candidates.sort(reverse=True)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
    else:
        finished += live
    scored = [(float(s / ((5 + len(ids)) / 6) ** alpha), ids) for s, ids in finished]
    return sorted(scored, key=lambda c: -c[0])[:beam_width]


@wrong(
    "divides by the length to the power of alpha, without the 5 and the 6",
    names={"plain-length"},
    line="scored = [(float(s / len(ids) ** alpha), ids) for s, ids in finished]",
)
def plain_length(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        log_probs = next_log_probs(np.array([(bos_id, *ids) for _, ids in live]))
        candidates = [
            (live[b][0] + log_probs[b, v], (*live[b][1], v))
            for b in range(len(live))
            for v in range(log_probs.shape[1])
            if log_probs[b, v] > -np.inf
        ]
        candidates.sort(key=lambda c: c[0], reverse=True)
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if not live or (len(finished) >= beam_width and step + 1 < max_len):
            live = []
            break
    finished += live
    scored = [(float(s / len(ids) ** alpha), ids) for s, ids in finished]
    return sorted(scored, key=lambda c: c[0], reverse=True)[:beam_width]


@wrong("keeps only the single likeliest extension of every hypothesis", names={"never-branches"})
def best_child_of_every_parent(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, finished = [(0.0, ())], []
    for step in range(max_len):
        log_probs = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        candidates = []
        for (lp, ids), row in zip(live, log_probs):
            for v in range(len(row)):
                if row[v] > -np.inf:
                    candidates.append((lp + row[v], ids + (v,)))
        candidates = [
            c
            for p in range(len(live))
            for c in sorted([c for c in candidates if c[1][:-1] == live[p][1]], key=lambda c: -c[0])[:1]
        ]
        candidates.sort(key=lambda c: -c[0])
        finished += [c for c in candidates[:beam_width] if c[1][-1] == eos_id]
        live = [c for c in candidates if c[1][-1] != eos_id][:beam_width]
        if step < max_len - 1 and len(finished) >= beam_width:
            live = []
        if not live:
            break
    scored = [(float(lp / ((5 + len(ids)) / 6) ** alpha), ids) for lp, ids in finished + live]
    scored.sort(key=lambda c: -c[0])
    return scored[:beam_width]


@wrong("divides only the length by 6 in the length penalty", names={"only-the-length-divided"})
def penalty_bracket(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    live, done = [(0.0, ())], []
    for t in range(max_len):
        rows = next_log_probs(np.array([[bos_id, *ids] for _, ids in live]))
        everything = []
        for (total, ids), row in zip(live, rows):
            for token in range(len(row)):
                if row[token] > -np.inf:
                    everything.append((total + row[token], ids + (token,)))
        everything.sort(key=lambda pair: -pair[0])
        done = done + [pair for pair in everything[:beam_width] if pair[1][-1] == eos_id]
        live = [pair for pair in everything if pair[1][-1] != eos_id][:beam_width]
        if t < max_len - 1 and len(done) >= beam_width:
            live = []
        if not live:
            break
    scores = [(float(total / (5 + len(ids) / 6) ** alpha), ids) for total, ids in done + live]
    return sorted(scores, key=lambda pair: -pair[0])[:beam_width]
