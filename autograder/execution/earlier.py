"""What a call does to the results of the calls before it: it must neither change them nor hand one of them out again.

A buffer that is filled anew, a table that is kept for all callers, a list in a default argument: compared one by one,
every result is right. So the latest results are kept, and looked at again after every call.
"""

import collections

import numpy as np

CHANGED, SHARES = "changed", "shares"
KEPT = 8  # results
MAX_PARTS, MAX_BYTES = 1000, 1 << 20  # of a result that is kept


class Earlier:
    """The latest results of one function, each with what it was when it came back."""

    def __init__(self) -> None:
        self._kept: collections.deque[list[_Kept]] = collections.deque(maxlen=KEPT)

    def look(self, value: object) -> tuple[str, ...]:
        """Keep a new result, and return what its call has done to those before it.

        Parameters
        ----------
        value : object
            Only arrays, lists and dictionaries in it can be changed, and are looked at; an array that nobody may write
            into can be handed out twice.

        Returns
        -------
        tuple of str
            `CHANGED` if one of them is no longer what it was, `SHARES` if the new one shares memory with one of them.
        """
        try:
            parts = list(_parts(value))
            before = [one for kept in self._kept for one in kept]
            changed = any([one.has_changed() for one in before])
            shares = any(_are_shared(part, one.part) for part in parts for one in before)
            if sum(part.nbytes for part in parts if isinstance(part, np.ndarray)) <= MAX_BYTES:
                self._kept.append([_Kept(part) for part in parts])
        except Exception:  # an object that refuses to be looked at
            return ()
        return tuple(what for what, is_so in ((CHANGED, changed), (SHARES, shares)) if is_so)


class _Kept:
    """A part of an earlier result, and what it was when it was looked at last."""

    def __init__(self, part):
        self.part = part
        self.state = _state(part)

    def has_changed(self):
        """Return whether it is another one than at the last look; a list has to hold the same objects."""
        before, self.state = self.state, _state(self.part)
        if isinstance(before, tuple):
            return before != self.state
        return len(before) != len(self.state) or any(a is not b for a, b in zip(before, self.state, strict=True))


def _parts(value):
    """Yield what can be changed in a result, however deep, once each: a list may hold itself."""
    waiting = [value]
    seen = set()
    while waiting and len(seen) < MAX_PARTS:
        one = waiting.pop()
        if id(one) in seen or not isinstance(one, np.ndarray | list | dict | tuple):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            yield np.ndarray.view(one, np.ndarray)
        else:
            waiting += one.values() if isinstance(one, dict) else one
            yield from () if isinstance(one, tuple) else (one,)


def _state(part):
    """Return what tells whether a part has been changed: of an array the hash of its numbers, else what it holds."""
    if isinstance(part, np.ndarray):
        return part.shape, part.dtype.str, hash(part.tobytes())
    return [*part, *part.values()] if isinstance(part, dict) else [*part]


def _are_shared(new, old):
    """Return whether writing into a part of a new result changes one of an earlier result."""
    if isinstance(new, np.ndarray) and isinstance(old, np.ndarray):
        return new.flags.writeable and np.may_share_memory(new, old)
    return new is old
