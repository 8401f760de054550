"""Which hint belongs to what a report names: the one with which it shares the most of its notions."""

import math
import re
from collections.abc import Mapping

# The beginnings of words, in English or in code, that say what a step is about.
WORDS = """
    max subtract exp log sum add mean average norm divi root sqrt scal transpos swap exchang reshap axis axes
    keepdim broadcast mask hid visib inf pad causal triang copy copies place change head split merge quer key valu
    w_q w_k w_v w_o weight project softmax score gradient jacob diagonal outer chain einsum matri product bias activ
    relu gelu erf sigmoid silu gate varian devia eps gamma beta residual sublayer sub-layer cache memory source
    target encoder decoder posit frequen sine sin cos angle offset rotat even odd base vocab unknown id ids punct
    one-hot index range error prefix start end stop limit len length penalt beam candid rank live finish tempera top
    sort argsort cumul tie greedy probab likel random uniform loss smooth epsilon token_ids shift step warm rate
    moment squar correct layer loop embed logit ablat pair diagon identi rollout piece merg letter mark ##
"""
NOTIONS = tuple(re.findall(r"\S+", WORDS))


def belonging(hints: Mapping[int, str], named: str) -> int | None:
    """Return the number of the hint that belongs to what is named, or None where none does.

    Parameters
    ----------
    hints : dict of int to str
        The texts of the hints to choose from, by their numbers.
    named : str
        What is named: a line of code, or a mistake with its reason.

    Returns
    -------
    int or None
    """
    wanted = _notions(named)
    shares = {number: _share(_notions(text), wanted) for number, text in hints.items()}
    best = max(shares, key=lambda number: shares[number], default=None)  # of equals the first
    return best if best is not None and shares[best] else None


def _share(names, wanted):
    return len(names & wanted) / math.sqrt(len(names) or 1)


def _notions(text):
    words = re.findall(r"[a-z_#-]+", text.lower())
    return {notion for notion in NOTIONS if any(word.startswith(notion) for word in words)}
