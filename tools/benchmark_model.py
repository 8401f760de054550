"""Time the trained model in NumPy and the same model in PyTorch, one thread each: `python -m tools.benchmark_model`.

NumPy runs it twice: on the course's own functions, and on a learner's, which are those that the notebooks ask for,
written as their solutions are. PyTorch gets its own fast functions (fused attention, layer norm and linear maps) in
inference mode; without it, only the times of NumPy are printed. All sides compute the same logits and the same
translations, which is tested before anything is timed.
"""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # before NumPy is imported

import statistics  # noqa: E402
import time  # noqa: E402
from contextlib import nullcontext  # noqa: E402
from functools import partial  # noqa: E402

import numpy as np  # noqa: E402

from tools.course import learners_functions  # noqa: E402
from transformer_kit import corpus, reference  # noqa: E402
from transformer_kit.corpus.vocabulary import BOS, EOS, PAD, ids_of  # noqa: E402
from transformer_kit.parameters.cache import start_cache  # noqa: E402
from transformer_kit.parameters.tree import named_arrays, with_arrays  # noqa: E402
from transformer_kit.trained.dictionary import load_dictionary  # noqa: E402
from transformer_kit.trained.model import TRAINED, load_model  # noqa: E402

try:
    import torch
    import torch.nn.functional as F
except ModuleNotFoundError:
    torch = None

REPEATS = 25
N_SENTENCES = 64
LAST_UNIT = "09"
WIDTH = 34  # of the names


class InNumPy:
    """The model on functions of units 00 to 09."""

    def __init__(self, model, functions):
        self.model, self.functions = model, functions

    def encode(self, source_ids, is_token):
        return self.functions.encode_source(source_ids, is_token, self.model)

    def logits(self, target_ids, memory, is_token):
        return self.functions.decode_target(target_ids, memory, is_token, self.model)

    def start(self, memory):
        return start_cache(memory, self.model, self.functions.project_memory)

    def step(self, newest, cache, is_token):
        return self.functions.cached_decode_step(newest, cache, is_token, self.model)

    def whole(self, ids):
        return ids


class InTorch:
    """The same with PyTorch's functions."""

    def __init__(self, model):
        self.model = with_arrays(model, [torch.from_numpy(array) for array in named_arrays(model).values()])
        self.width = model.source_embedding.shape[-1]
        self.positions = torch.from_numpy(reference.positional_encoding(64, self.width).astype(np.float32))

    def whole(self, ids):
        return torch.from_numpy(np.asarray(ids))

    def _vectors(self, ids, E, start=0):
        return F.embedding(ids, E) * self.width**0.5 + self.positions[start : start + ids.shape[1]]

    def _split(self, X):
        return X.unflatten(-1, (self.model.n_heads, -1)).transpose(1, 2)

    def _attend(self, Q, K, V, W_O, mask=None, causal=False):
        heads = F.scaled_dot_product_attention(self._split(Q), K, V, attn_mask=mask, is_causal=causal)
        return heads.transpose(1, 2).flatten(2) @ W_O

    def _add_and_norm(self, X, output, params):
        return F.layer_norm(X + output, (self.width,), params.gamma, params.beta, 1e-5)

    def _feed_forward(self, X, params):
        return F.linear(F.relu(F.linear(X, params.W_1.T, params.b_1)), params.W_2.T, params.b_2)

    def encode(self, source_ids, is_token):
        X, mask = self._vectors(source_ids, self.model.source_embedding), is_token[:, None, None]
        for p in self.model.encoder:
            K, V = self._split(X @ p.attention.W_K), self._split(X @ p.attention.W_V)
            X = self._add_and_norm(X, self._attend(X @ p.attention.W_Q, K, V, p.attention.W_O, mask), p.norm_1)
            X = self._add_and_norm(X, self._feed_forward(X, p.ffn), p.norm_2)
        return X

    def logits(self, target_ids, memory, is_token):
        cache, n = self.start(memory), target_ids.shape[1]
        return self._decode(target_ids, cache, is_token, causal=n > 1)[0]

    def start(self, memory):
        crosses = [p.cross_attention for p in self.model.decoder]
        return [(None, None, self._split(memory @ p.W_K), self._split(memory @ p.W_V)) for p in crosses]

    def step(self, newest, cache, is_token):
        logits, cache = self._decode(newest[:, None], cache, is_token, causal=False)
        return logits[:, 0], cache

    def _decode(self, ids, cache, is_token, causal):
        before = 0 if cache[0][0] is None else cache[0][0].shape[2]
        X, mask, kept = self._vectors(ids, self.model.target_embedding, before), is_token[:, None, None], []
        for p, (K_old, V_old, K_source, V_source) in zip(self.model.decoder, cache, strict=True):
            own, cross = p.self_attention, p.cross_attention
            K, V = self._split(X @ own.W_K), self._split(X @ own.W_V)
            if before:
                K, V = torch.cat([K_old, K], dim=2), torch.cat([V_old, V], dim=2)
            X = self._add_and_norm(X, self._attend(X @ own.W_Q, K, V, own.W_O, causal=causal), p.norm_1)
            X = self._add_and_norm(X, self._attend(X @ cross.W_Q, K_source, V_source, cross.W_O, mask), p.norm_2)
            X = self._add_and_norm(X, self._feed_forward(X, p.ffn), p.norm_3)
            kept.append((K, V, K_source, V_source))
        return X @ self.model.target_embedding.T, kept


def greedy(side, source_ids, is_token, max_len):
    """Translate a batch, running the whole decoder for every token."""
    memory = side.encode(source_ids, is_token)
    target = np.full((len(source_ids), 1), BOS)
    while target.shape[1] <= max_len and not (target == EOS).any(axis=1).all():
        newest = np.asarray(side.logits(side.whole(target), memory, is_token)[:, -1].argmax(-1))
        target = np.concatenate([target, newest[:, None]], axis=1)
    return target[:, 1:]


def greedy_with_cache(side, source_ids, is_token, max_len):
    """Translate a batch, one position at a time."""
    memory = side.encode(source_ids, is_token)
    newest, cache, written = side.whole(np.full(len(source_ids), BOS)), side.start(memory), []
    ended = np.zeros(len(source_ids), dtype=bool)
    while len(written) < max_len and not ended.all():
        logits, cache = side.step(newest, cache, is_token)
        newest = logits.argmax(-1)
        written.append(np.asarray(newest))
        ended |= written[-1] == EOS
    return np.stack(written, axis=1)


def forward(side, source_ids, is_token, target_ids):
    """Run encoder and decoder once."""
    return side.logits(target_ids, side.encode(source_ids, is_token), is_token)


def tasks(side, model):
    """Return what is timed, by name: functions of no arguments."""
    sentences = corpus.load("new", N_SENTENCES)
    source_ids, is_token = reference.pad_batch([ids_of(s.english, model.source_vocabulary) for s in sentences], PAD)
    numbers = {word: i for i, word in enumerate(model.target_words)}
    rows = [[BOS, *ids_of(s.spanish, numbers)] for s in sentences]
    target_ids, _ = reference.pad_batch(rows, PAD)
    n = is_token[0].sum()
    one = side.whole(source_ids[:1, :n]), side.whole(is_token[:1, :n])
    many = side.whole(source_ids), side.whole(is_token)
    targets, first = side.whole(target_ids), side.whole(target_ids[:1, : len(rows[0])])
    return {
        "forward pass, one sentence": lambda: forward(side, *one, first),
        f"forward pass, {N_SENTENCES} sentences": lambda: forward(side, *many, targets),
        "greedy, one sentence": lambda: greedy(side, *one, model.max_len),
        f"greedy, {N_SENTENCES} sentences": lambda: greedy(side, *many, model.max_len),
        "greedy with cache, one sentence": lambda: greedy_with_cache(side, *one, model.max_len),
        f"greedy with cache, {N_SENTENCES} sentences": lambda: greedy_with_cache(side, *many, model.max_len),
    }


def milliseconds(actions):
    """Return the median processor time of every action; with one thread it is the time on a machine at leisure."""
    times = [[] for _ in actions]
    for _ in range(REPEATS + 1):
        for action, measured in zip(actions, times, strict=True):
            start = time.process_time()
            action()
            measured.append(1000 * (time.process_time() - start))
    return [statistics.median(measured[1:]) for measured in times]


def require_same(name, results):
    """Stop if not all sides compute the same."""
    first, *others = map(np.asarray, results)
    are_same = np.array_equal if "greedy" in name else partial(np.allclose, atol=1e-4)
    if not all(are_same(first, other) for other in others):
        raise SystemExit(f"{name}: the sides do not compute the same")


def loading():
    """Return the processor time in milliseconds of loading all models of the course: two translators, a dictionary."""
    return sum(milliseconds([*(partial(load_model, name) for name in TRAINED), load_dictionary]))


def main():
    """Print the table."""
    model = load_model()
    own = learners_functions(LAST_UNIT)
    sides = {"course": InNumPy(model, reference), "learner": InNumPy(model, own)}
    if torch:
        torch.set_num_threads(1)
        sides["PyTorch"] = InTorch(model)
    versions = f"NumPy {np.__version__}" + (f", PyTorch {torch.__version__}" if torch else "")
    print(f"Milliseconds of processor time, one thread each, median of {REPEATS}; {versions}.")
    print("Install PyTorch for the comparison.\n" if not torch else "")
    print(" " * WIDTH + "".join(f"{name:>10}" for name in sides) + "   learner / PyTorch" * bool(torch))
    with torch.inference_mode() if torch else nullcontext():
        by_side = [tasks(side, model) for side in sides.values()]
        for name in by_side[0]:
            actions = [by_name[name] for by_name in by_side]
            require_same(name, [action() for action in actions])
            times = milliseconds(actions)
            ratio = f"{times[1] / times[2]:20.2f}" if torch else ""
            print(f"{name:{WIDTH}}" + "".join(f"{ms:10.2f}" for ms in times) + ratio)
    print(f"\nLoading all models: {loading():.0f} ms.")


if __name__ == "__main__":
    main()
