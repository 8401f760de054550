"""English sentences and their Spanish translations, all of which one small grammar says."""

from transformer_kit.corpus.grammar import Sentence, draws, translations
from transformer_kit.corpus.small import SMALL_WORDS
from transformer_kit.corpus.splits import has_held_out_pair, held_out_pairs, load
from transformer_kit.corpus.text import english_text, normalise, spanish_text

__all__ = [
    "SMALL_WORDS",
    "Sentence",
    "draws",
    "english_text",
    "has_held_out_pair",
    "held_out_pairs",
    "load",
    "normalise",
    "spanish_text",
    "translations",
]
