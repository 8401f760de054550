"""What the chat model does, written down for whoever does not have it; `make record` calls `record`."""

from types import SimpleNamespace

import numpy as np

from transformer_kit import reference
from transformer_kit.experiments.chat.lines import LINES, PROBES
from transformer_kit.experiments.chat.running import LEAVES, logits_of, loss_of, loss_of_states, read, through, written
from transformer_kit.parameters import empty_cache
from transformer_kit.public.smollm import END, SYSTEM, load_smollm
from transformer_kit.trained.recorded import Chat

TEXTS = (
    "The river begins in the mountains, where snow melts every spring. It runs through three villages and past an old "
    "mill before it reaches the sea. In summer children swim in it, and in autumn the water is brown with leaves. The "
    "people who live there say that the river has a voice, and that it tells them when rain is coming. Nobody knows "
    "how old the mill is, but the oldest stone in its wall bears the number 1642.",
    "Penguins are birds that cannot fly. They live mostly in the southern half of the world, and they spend about half "
    "of their lives in the water. A penguin's black and white feathers help it to hide: from above its back is as dark "
    "as the sea, and from below its belly is as bright as the sky. In winter the males of the emperor penguin keep "
    "the egg warm on their feet for two months.",
    'def mean(numbers):\n    """Return the mean of a list."""\n    total = 0\n    for number in numbers:\n        '
    'total += number\n    return total / len(numbers)\n\n\ndef variance(numbers):\n    """Return the variance of '
    'a list."""\n    middle = mean(numbers)\n    return mean([(number - middle) ** 2 for number in numbers])\n',
)
LENGTH = 100  # pieces of a text that are read
PROMPTS = ("What is the capital of France?", "Why is the sky blue?", "Hello!")
ANSWER = 24  # pieces
CHATS = (  # the system's line, and what is asked
    (SYSTEM, "Who are you?"),
    (SYSTEM, "What is 17 + 25?"),
    (SYSTEM, 'How do you say "I like cats" in Spanish?'),
    (SYSTEM, "Who wrote Don Quixote?"),
    (SYSTEM, "Why is the sky blue?"),
    (SYSTEM, "Tell me a joke."),
    ("You are a pirate.", "Who are you?"),
    ("You are a wizard.", "Who are you?"),
    ("You are a cat.", "What do you want for dinner?"),
)
CAPITALS = {
    "France": "Paris", "Japan": "Tokyo", "Italy": "Rome", "Germany": "Berlin", "Spain": "Madrid", "England": "London",
    "Russia": "Moscow", "Egypt": "Cairo", "China": "Beijing", "Greece": "Athens",
}  # fmt: skip
N_REPEATED, COPIES = 30, 4  # random pieces that come twice, and how many such sequences there are
FUNCTIONS = SimpleNamespace(**{name: getattr(reference, name) for name in LEAVES})
KNOWN_PIECES = 300, 45_000  # ids of pieces that are no single bytes


def record(model=None):
    """Try everything out, in some minutes.

    Parameters
    ----------
    model : ChatModel, optional
        The public one by default.

    Returns
    -------
    Chat
    """
    decoder, pieces = model or load_smollm(reference.dequantised)

    def ids_of(text):
        return pieces.encode(text, reference.byte_pair_merge)

    def answered(system, prompt, functions, length):
        ids = ids_of(reference.chat_prompt([("user", prompt)], system))
        ends = {pieces.marks[END]}
        return pieces.decode(written(ids, decoder, functions, np.argmax, ends, length))

    texts = [ids_of(text)[:LENGTH] for text in TEXTS]
    changed = [line.applied(FUNCTIONS) for line in LINES]
    probed = [line.applied(FUNCTIONS) for line in PROBES]
    costs = _costs_of_heads(decoder, texts[0])
    with np.errstate(all="ignore"):  # of lines that are wrong
        return Chat(
            lines=[line.name for line in LINES],
            loss=[[loss_of(ids, decoder, functions) for ids in texts] for functions in changed],
            prompts=PROMPTS,
            answers=[[answered(SYSTEM, text, functions, ANSWER) for text in PROMPTS] for functions in changed],
            probes=[line.name for line in PROBES],
            probe_loss=[[loss_of(ids, decoder, functions) for ids in texts] for functions in probed],
            systems=[system for system, _ in CHATS],
            asked=[asked for _, asked in CHATS],
            said=[answered(system, asked, FUNCTIONS, 60) for system, asked in CHATS],
            countries=list(CAPITALS),
            ranks=[_ranks(ids_of(f"The capital of {country} is"), ids_of(f" {city}")[0], decoder)
                   for country, city in CAPITALS.items()],
            first_share=[first_share(ids, decoder) for ids in texts],
            looks=looks(decoder),
            **costs,
        )  # fmt: skip


def first_share(token_ids, decoder):
    """Return the share of all attention that goes to the first token, of those that see more than a few."""
    weights = np.array(read(token_ids, decoder, reference).weights)  # (n_blocks, n_heads, n, n)
    return weights[:, :, 5:, 0].mean()


def looks(decoder):
    """Return how much head 16.0 looks at the token before, and head 18.6 at what it can copy, with 16.0 and without."""
    n, found = N_REPEATED, []
    again = np.arange(n, 2 * n - 1)
    for seed in range(COPIES):
        whole, silent = (
            read(random_twice(seed), one, reference).weights for one in (decoder, without_head(decoder, 16, 0))
        )
        copied = (weights[18][6, again, again - n + 1].mean() for weights in (whole, silent))
        found.append([whole[16][0, again, again - 1].mean(), *copied])
    return np.mean(found, axis=0)


def _ranks(token_ids, answer, decoder):
    """Return after each block how many pieces are likelier than the answer, if that block were the last."""
    states = read(token_ids, decoder, reference).states[1:]
    logits = logits_of(np.stack([X[-1] for X in states]), decoder, reference)
    return (logits > logits[:, answer, None]).sum(axis=1)


def random_twice(seed):
    """Return random pieces, and then the same again."""
    low, high = KNOWN_PIECES
    return np.tile(np.random.default_rng(seed).integers(low, high, N_REPEATED), 2)


def _costs_of_heads(decoder, text):
    """Silence every head by itself: how much loss does that cost where random pieces come again, and in English?"""
    n = N_REPEATED
    sequences = [(random_twice(seed), n) for seed in range(COPIES)] + [(np.asarray(text), 0)]
    whole = [read(ids, decoder, reference).states for ids, _ in sequences]

    def losses(all_states):
        return np.array([
            loss_of_states(X, ids, decoder, reference, start)
            for X, (ids, start) in zip(all_states, sequences, strict=True)
        ])  # fmt: skip

    base = losses([states[-1] for states in whole])
    cost = np.zeros((len(decoder.blocks), decoder.n_heads, 2))
    for block, head in np.ndindex(cost.shape[:2]):
        silent = without_head(decoder, block, head)
        ends = [through(states[block], silent, reference, empty_cache(silent), block).states[-1] for states in whole]
        lost = losses(ends) - base
        cost[block, head] = lost[:-1].mean(), lost[-1]
    first = [loss_of_states(states[-1][:n], ids[:n], decoder, reference) for states, (ids, _) in
             zip(whole[:-1], sequences[:-1], strict=True)]  # fmt: skip
    return {
        "copying_cost": cost[..., 0],
        "english_cost": cost[..., 1],
        "random_loss": [np.mean(first), base[:-1].mean()],
    }


def without_head(decoder, block, head):
    """Return a decoder in which one head is silent.

    Parameters
    ----------
    decoder : ModernDecoder
    block, head : int

    Returns
    -------
    ModernDecoder
    """
    params = decoder.blocks[block]
    W_O = params.attention.W_O.copy()
    width = len(W_O) // decoder.n_heads
    W_O[head * width : (head + 1) * width] = 0
    blocks = list(decoder.blocks)
    blocks[block] = params._replace(attention=params.attention._replace(W_O=W_O))
    return decoder._replace(blocks=tuple(blocks))
