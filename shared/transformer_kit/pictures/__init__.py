"""Pictures that answer to pointer and keyboard, without a kernel.

* `clocks`: the position vectors as hands that turn, each at a speed of its own.
* `leak_meter`: which outputs of an attention move when one word is changed.
* `machine`: the whole model, with what is written and what is right.
* `attention_steps`: one query on its way through attention.
* `looks`: which words a word of a typed sentence looks at, in the trained model.
* `query_turner`: the blend of three values while a query turns.
* `reshape_steps`: where every number goes when heads are split or merged.
* `head_explorer`: all attention weights of a translation, head by head.
* `ripples`: how far the states of a recurrent network move when one word is replaced.
* `corners`: a network of ReLUs that learns a curve.
* `training_runs`: three recorded training runs of a deep stack, and the gradients of its layers.
* `training_film`: one sentence during a recorded training run.
* `leaking_runs`: two recorded training runs, one of which sees what it has to say.
* `ribbons`, `cross_ribbons`: which words look at which.
* `beam_tree`: a search, step by step.
* `dictionary_card`: a word that the dictionary model defines.
* `translation_card`: a sentence that a translation model translates at several temperatures.
* `rotary_clocks`: a query and a key that turn with their positions.
* `head_costs`: what each head of the chat model is needed for.
* `Chat`: a conversation; `broken_pairs`, `recorded_chats`: answers that were recorded.
* `finale`: a translation, and whose functions have computed it.

Each has a static drawing first, which is all that an untrusted notebook shows, and the same in words.
"""

from transformer_kit.pictures.beam import beam_tree
from transformer_kit.pictures.card import dictionary_card, translation_card
from transformer_kit.pictures.chat import Chat
from transformer_kit.pictures.chat_pages import broken_pairs, recorded_chats
from transformer_kit.pictures.clocks import clocks
from transformer_kit.pictures.corners import corners
from transformer_kit.pictures.film import training_film
from transformer_kit.pictures.finale import finale
from transformer_kit.pictures.head_costs import head_costs
from transformer_kit.pictures.heads import head_explorer
from transformer_kit.pictures.leaking import leaking_runs
from transformer_kit.pictures.leaks import leak_meter
from transformer_kit.pictures.looks import looks
from transformer_kit.pictures.machine import machine
from transformer_kit.pictures.norms import training_runs
from transformer_kit.pictures.one_query import attention_steps
from transformer_kit.pictures.reshaping import reshape_steps
from transformer_kit.pictures.ribbons import cross_ribbons, ribbons
from transformer_kit.pictures.ripples import ripples
from transformer_kit.pictures.rotary import rotary_clocks
from transformer_kit.pictures.turner import query_turner

__all__ = [
    "Chat",
    "attention_steps",
    "beam_tree",
    "broken_pairs",
    "clocks",
    "corners",
    "cross_ribbons",
    "dictionary_card",
    "finale",
    "head_costs",
    "head_explorer",
    "leak_meter",
    "leaking_runs",
    "looks",
    "machine",
    "query_turner",
    "recorded_chats",
    "reshape_steps",
    "ribbons",
    "ripples",
    "rotary_clocks",
    "training_film",
    "training_runs",
    "translation_card",
]
