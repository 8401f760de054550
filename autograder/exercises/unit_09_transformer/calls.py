"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

_LAYER = """\
from transformer_kit.parameters import init_decoder_layer

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
memory = np.array([[0.5, 1.0, 0.0, 2.0], [1.0, -1.0, 1.0, 0.0], [2.0, 0.5, 0.0, 1.0]])
params = init_decoder_layer(np.random.default_rng(5), d_model=4, n_heads=2, d_ff=3, noise=0.5)

"""
_SELF, _CROSS = "self_mask=np.array([[True, False]])", "cross_mask=np.array([[True, True, False]])"
DECODER_LAYER = tuple(
    f"{_LAYER}decoder_layer(X, memory, params, 2{options})"
    for options in (
        "",
        f", {_SELF}",
        f", {_CROSS}",
        ", norm_first=True",
        f", norm_first=True, {_SELF}",
        ", eps=0.5",
    )
)


def _model(sizes, options=""):
    """Return the lines that draw a model with a vocabulary of three words on both sides."""
    return f"""\
from transformer_kit.parameters import Sizes, init_model

rng = np.random.default_rng(5)
words = {{"<pad>": 0, "a": 1, "b": 2}}, ("<pad>", "c", "d")
model = init_model(rng, *words, Sizes({sizes}), noise=0.5{options})

"""


_SMALL, _SINGLE, _HIGH, _NARROW = (_model(sizes) for sizes in ("6, 2, 3, 2", "6, 2, 3, 1", "6, 2, 3, 3", "4, 2, 3, 1"))
_UNTIED, _LONG = _model("6, 2, 3, 2", ", tied=False"), _model("6, 2, 3, 2", ", lengths=(200, 200)")
_WORDS = "np.array([[2, 1]]), np.array([[True, True]])"
ENCODE_SOURCE = (
    f"{_SMALL}encode_source({_WORDS}, model)",
    f"{_SMALL}encode_source(np.array([[2, 0]]), np.array([[True, False]]), model)",
    f"{_SINGLE}encode_source({_WORDS}, model)",
    f"{_HIGH}encode_source({_WORDS}, model)",
    f"{_NARROW}encode_source(np.array([[2, 0], [2, 1]]), np.array([[True, False], [True, True]]), model)",
    f"{_LONG}encode_source(np.ones((1, 101), dtype=int), np.ones((1, 101), dtype=bool), model)",
)
_MEMORY = "memory = rng.normal(size=(1, 2, 6))\n"
_BOTH = "np.array([[True, True]])"
DECODE_TARGET = (
    f"{_SMALL}{_MEMORY}decode_target(np.array([[1, 2]]), memory, {_BOTH}, model)",
    f"{_SMALL}{_MEMORY}decode_target(np.array([[1, 2]]), memory, np.array([[True, False]]), model)",
    f"{_UNTIED}{_MEMORY}decode_target(np.array([[1, 2]]), memory, {_BOTH}, model)",
    f"{_SMALL}{_MEMORY}decode_target(np.array([[1, 2, 1]]), memory, {_BOTH}, model)",
    f"{_HIGH}{_MEMORY}decode_target(np.array([[1, 2]]), memory, {_BOTH}, model)",
    f"{_LONG}{_MEMORY}decode_target(np.ones((1, 101), dtype=int), memory, {_BOTH}, model)",
)
_CACHE = """\
from transformer_kit import reference
from transformer_kit.parameters.cache import start_cache
"""
_START = "cache = start_cache(rng.normal(size=({}, 2, 6)), model, reference.project_memory)\n"
_FIRST = f"{_START.format(1)}_, cache = reference.cached_decode_step(np.array([1]), cache, {_BOTH}, model)\n"
_PAST = """\
past = np.zeros((1, 2, 100, 3))
cache = tuple(layer._replace(K=past, V=past) for layer in cache)
"""
CACHED_DECODE_STEP = (
    f"{_CACHE}{_SMALL}{_FIRST}cached_decode_step(np.array([2]), cache, {_BOTH}, model)",
    f"{_CACHE}{_SMALL}{_FIRST}cached_decode_step(np.array([2]), cache, np.array([[True, False]]), model)",
    f"{_CACHE}{_UNTIED}{_FIRST}cached_decode_step(np.array([2]), cache, {_BOTH}, model)",
    f"{_CACHE}{_SMALL}{_START.format(2)}cached_decode_step(\n"
    "    np.array([1, 2]), cache, np.array([[True, False], [True, True]]), model\n)",
    f"{_CACHE}{_LONG}{_START.format(1)}{_PAST}cached_decode_step(np.array([2]), cache, {_BOTH}, model)",
)
_TRAINED = "from transformer_kit.trained.model import load_model\n\n"
_LETTERS = """\
from transformer_kit.corpus.vocabulary import make_vocabulary
from transformer_kit.parameters import Sizes, init_model

vocabularies = make_vocabulary(["abc.?"]), make_vocabulary(["uvw"])
model = init_model(np.random.default_rng({}), *vocabularies, Sizes(4, 2, 3, 1), tied=False, lengths=(9, 5))
model = model._replace(output_projection=3 * model.output_projection)

"""
TRANSLATE = (
    _TRAINED + 'translate("I like cats.", load_model())',
    _TRAINED + 'translate("I like xylophones.", load_model())',
    _TRAINED + 'translate("I like cats.", load_model()._replace(max_len=2))',
    _LETTERS.format(8) + 'translate("a b c", model, beam_width=3)',
    _LETTERS.format(31) + 'translate("a b c", model, beam_width=2)',
    _LETTERS.format(34).replace("3 * ", "40 * ") + 'translate("a b c", model, beam_width=4)',
    _LETTERS.format(2) + 'translate("a b c", model, beam_width=3, alpha=5.0)',
    _TRAINED + 'translate("The red car is new", load_model())',
)
