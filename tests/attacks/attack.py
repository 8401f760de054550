"""What an attack is, and what every hostile submission begins with."""

from dataclasses import dataclass

# Runs first. `attempt` tries something and logs how it ended; `breach` logs a success that must not be.
# The wrong functions below print the log, so that it reaches the judge with every answer.
START = '''\
import numpy as np
import builtins, ctypes, gc, importlib, io, json, os, platform, resource, signal, socket, struct, sys, threading, time
import types

log = []
TOKEN = STAGE["token"][::-1]


def attempt(action, *args, **kwargs):
    try:
        found = action(*args, **kwargs)
    except Exception as error:
        found = error
    log.append(repr(found)[:80])
    return found


def breach(what):
    log.insert(0, TOKEN + " " + what)


def succeeded(found):
    return not isinstance(found, Exception)


def connection():
    """Return the descriptor of the connection to the judge."""
    import stat
    found = [fd for fd in range(256) if succeeded(attempt(os.fstat, fd)) and stat.S_ISSOCK(os.fstat(fd).st_mode)]
    log.clear()
    return found[0]


def peer():
    """Return the worker's own end of the conversation."""
    return next(thing for thing in gc.get_objects() if "Peer" in [kind.__name__ for kind in type(thing).__mro__])
'''

# Functions that get no point at all, whatever their arguments are.
WRONG = {
    "softmax": """\
def softmax(x, axis=-1):
    print(log)
    return np.full(np.shape(x), 0.123)
""",
    "scaled_dot_product_attention": """\
def scaled_dot_product_attention(Q, K, V):
    print(log)
    return np.full((*Q.shape[:-1], V.shape[-1]), 0.123), np.full((*Q.shape[:-1], K.shape[-2]), 0.123)
""",
    "softmax_backward": """\
def softmax_backward(p, d_p, axis=-1):
    print(log)
    return np.full(np.shape(p), 0.123)
""",
    "first_leak": """\
def first_leak(attend, X, seed=0):
    print(log)
    return -1
""",
    "masked_softmax": """\
def masked_softmax(scores, mask=None, axis=-1):
    print(log)
    return np.full(np.shape(scores), 0.123)
""",
    "gelu": """\
def gelu(x):
    print(log)
    return np.full(np.shape(x), 0.123)
""",
    "position_wise_ffn": """\
def position_wise_ffn(X, params, activation=None):
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    "pre_norm": """\
def pre_norm(X, sublayer, gamma, beta, eps=1e-5):
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    "noam_learning_rate": """\
def noam_learning_rate(step, d_model, warmup_steps):
    print(log)
    return 0.123
""",
    "adam_update": """\
def adam_update(param, grad, m, v, step, lr, beta_1=0.9, beta_2=0.98, eps=1e-9):
    print(log)
    return (np.full(np.shape(param), 0.123),) * 3
""",
    "post_norm": """\
def post_norm(X, sublayer, gamma, beta, eps=1e-5):
    print(log)
    return np.full(np.shape(X), 0.123)
""",
    "greedy_decode": """\
def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
    print(log)
    return (-1,)
""",
    "beam_search": """\
def beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha=0.0):
    print(log)
    return [(-1.0, (-1,))]
""",
}
WRONG |= {
    name: f"def {name}(*args, **kwargs):\n    print(log)\n    return 0.123\n"
    for name in (
        *("angular_frequencies", "position_similarity", "attention_scores", "softmax_jacobian"),
        *("project_memory", "cross_attention", "encoder_layer", "noam_learning_rate"),
        *("encode_source", "translate", "cross_entropy", "cross_entropy_backward", "next_token_logits"),
        *("fold_norm", "losing_beam", "read_on"),
    )
}


@dataclass(frozen=True)
class Attack:
    """A hostile submission: a function that earns nothing or little, and what is to make it worth more.

    Attributes
    ----------
    code : str
        The cell with the attack. It may define the function anew.
    exercise : str
        Name of the function that it is about.
    unit : int
    honest : str
        The cell that stands in the attack's place when its worth is measured; empty for the function of `WRONG`.
    spoils : bool
        What it does to its own process may cost a right function points, too.
    pure : bool
        It changes nothing but its own interpreter: harmless wherever it runs.
    slow : bool
        Takes seconds, because it has to be waited for.
    """

    code: str
    exercise: str = "softmax"
    unit: int = 2
    honest: str = ""
    spoils: bool = False
    pure: bool = False
    slow: bool = False
    family: str = ""

    @property
    def defines(self):
        """Whether the attack brings its own function."""
        return any(f"{word} {self.exercise}(" in self.code for word in ("def", "class")) or (
            f"\n{self.exercise} = " in self.code
        )

    def cells(self, stage):
        """Return the cells to hand in: the attack rides on its wrong function.

        Parameters
        ----------
        stage : dict
            The places that it may address, and its mark; see `tests.attacks.stage`.
        """
        return (self.start(stage), WRONG[self.exercise], self.needed(self.code))

    def carried(self, stage, right):
        """Return the same with right functions, in a cell, which do not need the attack beside them."""
        return (self.start(stage), right, self.code)

    def control(self, stage):
        """Return the same submission without the attack."""
        return (self.start(stage), WRONG[self.exercise], self.needed(self.honest))

    def needed(self, code):
        """Return a cell that runs some code even where only that is run which the function needs."""
        tools = "log, attempt, breach, succeeded, connection, peer, STAGE, np, os, types"
        return f"log += filter(None, [exec({code!r}, globals())])\n{self.exercise}.needs = {tools}\n"

    def solution(self, stage):
        """Return all of it as the source of one solution cell."""
        return "\n\n".join(self.cells(stage))

    @staticmethod
    def start(stage):
        """Return the cell with the tools of all attacks."""
        return f"STAGE = {stage!r}\n{START}"
