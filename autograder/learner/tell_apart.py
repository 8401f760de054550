"""After a check that passed: a wrong version that looks right at first. On which input do the two differ?"""

import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from autograder import solutions
from autograder.decisions.here import why_no_hints
from autograder.evaluation.evaluate import Verdict
from autograder.feedback.report import Line
from autograder.learner import progress_file
from autograder.learner.apart import NotCompared, difference
from autograder.learner.hints import Help
from autograder.registry import find, unit_of
from transformer_kit import workbench

EXECUTION = "NBGRADER_EXECUTION"  # environment variable: what nbgrader runs a notebook for
LABEL = "Tell apart"
MAX_SIGNS = 80  # of a call that an invitation shows
PATIENCE = 2  # tries in vain, after which a question points to where to look
INVITED = (
    "a colleague's `{name}` gives what yours gives on {call}, and is wrong all the same. Find an input on which the "
    'two differ: `from autograder import tell_apart`, then `tell_apart("{name}", ...)`.'
)
OPENING = """\
A colleague's `{name}` gives what yours gives in this call, and is wrong all the same:

```python
{call}
```

On which input do the two differ? Hand over other arguments, after the name:

```python
tell_apart("{name}", ...)
```

As soon as they differ, you see the colleague's code and what is wrong with it. Nothing of this is graded."""
NONE = "There is no colleague's version of `{name}`: find another exercise that you have passed."
NOT_PASSED = "First write `{name}` and pass its check. Then there is a colleague's version to tell apart from yours."
NOT_FOUND = "Your own `{name}` is not here. Run the cell that defines it, then this one."
IN_VAIN = "Both give the same here, so this input does not tell them apart. Try another one."
BROKEN = "What comes of this input cannot be compared: that raises {error}. Try another one."
CLOSED = "The code itself is one change away from the course's solution, which is not open here."
_passed: dict[str, Callable[..., Any]] = {}  # in this session
_in_vain: Counter[str] = Counter()
_told_apart: set[str] = set()


def invitation(function: Callable[..., Any], verdict: Verdict) -> tuple[Line, ...]:
    """Return the last line of a report on a function with all points, where there is a version to tell it from."""
    exercise = verdict.exercise
    if verdict.status != "passed" or function is exercise.reference:
        return ()
    _passed[exercise.name] = function
    is_closed = why_no_hints(unit_of(exercise).id) or EXECUTION in os.environ
    if not exercise.lookalike or exercise.name in _told_apart or is_closed:
        return ()
    call = exercise.lookalike.call
    shown = f"`{call}`" if len(call) <= MAX_SIGNS and "\n" not in call else "an ordinary input"
    return (Line(LABEL, INVITED.format(name=exercise.name, call=shown)),)


def tell_apart(exercise: Callable[..., Any] | str, /, *args: Any, **kwargs: Any) -> Help:
    """Look for an input on which your function and a colleague's wrong version of it differ.

    Parameters
    ----------
    exercise : callable or str
        Your function, or its name; it has passed its check.
    *args, **kwargs
        The input. Without any you see a call in which the two agree.

    Returns
    -------
    Help
        Whether the two differ; if they do, also where, the colleague's code, and what is wrong with it.
    """
    try:
        asked = find(exercise if isinstance(exercise, str) else getattr(exercise, "__name__", repr(exercise)))
    except LookupError as unknown:
        return Help(unknown.args[0])
    name = asked.name
    if why := why_no_hints(unit_of(asked).id):
        return Help(why)
    if not asked.lookalike:
        return Help(NONE.format(name=name))
    if not _has_passed(asked):
        return Help(NOT_PASSED.format(name=name))
    if not args and not kwargs:
        return Help(OPENING.format(name=name, call=asked.lookalike.call))
    own = exercise if callable(exercise) else _own(asked, sys._getframe(1).f_globals)
    if own is None:
        return Help(NOT_FOUND.format(name=name))
    try:
        return Help(_told(asked, difference(asked, own, args, kwargs)))
    except NotCompared as reason:
        return Help(str(reason))
    except Exception as error:  # a result or an argument that breaks whoever looks at it
        return Help(BROKEN.format(error=type(error).__name__))


def _has_passed(exercise):
    if exercise.name in _passed:
        return True
    folder = workbench.place().folder
    return bool(folder) and progress_file.read(folder)[0].of(exercise.name).best >= exercise.points


def _own(exercise, names):
    """Return the learner's function: the notebook's, the one that was checked last, or that of the library."""
    here = names.get(exercise.name)
    if callable(here) and here is not exercise.reference:
        return here
    kept = workbench.own(exercise.name)
    return _passed.get(exercise.name) or (kept and kept.function)


def _told(exercise, found):
    """Return what is said of an input on which the two differ as found, or agree if that is empty."""
    name = exercise.name
    if not found:
        _in_vain[name] += 1
        return IN_VAIN + (f"\n\n{exercise.lookalike.question}" if _in_vain[name] >= PATIENCE else "")
    _in_vain.pop(name, None)
    _told_apart.add(name)
    mistake = exercise.wrong_version
    try:
        code = f"```python\n{solutions.lookalike_shown(name)}```"
    except solutions.NotShown:
        code = CLOSED
    title = mistake.name.replace("Your function", "It").replace("your function", "it")
    return f"**They differ.** {found}\n\nThe colleague's version:\n\n{code}\n\n**{title}.** {mistake.why}"
