"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

WORD_PIECES = (
    'word_pieces("cats", {"c": 1, "cat": 2, "##at": 3, "##ats": 4, "##s": 5})',
    'word_pieces("cats", {"cat": 1, "ca": 2, "##ts": 3, "##t": 4})',
    'word_pieces("cats", {"ca": 1, "cat": 2, "##t": 3, "##s": 4, "c": 5, "##ats": 6})',
    'word_pieces("catx", {"cat": 1, "##s": 2})',
    'word_pieces("caxt", {"ca": 1, "##t": 2})',
    'word_pieces("catx", {"cat": 1, "##s": 2}, unknown="<?>")',
    'word_pieces("Cats", {"cat": 1, "##s": 2})',
    'word_pieces("cáts", {"cat": 1, "##s": 2})',
    'word_pieces("", {"cat": 1, "##s": 2})',
    'word_pieces("abcde", {"abc": 1, "ab": 2, "##d": 3, "##e": 4, "##cde": 5})',
    'word_pieces("a" * 500, {"a" * 500: 1})',
)
_LAYER = """\
from transformer_kit.parameters import init_biased_attention

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
params = init_biased_attention(np.random.default_rng(5), d_model=4, n_heads=2, noise=0.5)

"""
BIASED_ATTENTION = tuple(
    _LAYER + call
    for call in (
        "biased_attention(X, X, params, 2)",
        "biased_attention(X, X, params, 2, mask=np.array([[True, False], [True, True]]))",
        "biased_attention(X, 2 * X[::-1], params, 2)",
        "biased_attention(\n    np.stack([X[:1], X[1:]]), np.stack([X, X]), params, 2,\n"
        "    mask=np.array([[[True, False]], [[True, True]]]),\n)",
    )
)
_BLOCK = """\
from transformer_kit.parameters import init_biased_attention, init_encoder_layer

X = np.array([[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, -2.0, 1.5]])
rng = np.random.default_rng(5)
layer = init_encoder_layer(rng, d_model=4, n_heads=2, d_ff=3, noise=0.5)
params = layer._replace(attention=init_biased_attention(rng, d_model=4, n_heads=2, noise=0.5))

"""
GPT2_BLOCK = (
    _BLOCK + "gpt2_block(X, params, 2)",
    _BLOCK + "gpt2_block(X, params, 2, mask=np.array([[True, False], [True, True]]))",
    _BLOCK + "gpt2_block(0.001 * X, params, 2)",
)
SENTENCE_VECTOR = (
    "sentence_vector(np.array([[3.0, 4.0], [1.0, 2.0]]), np.array([True, False]))",
    "sentence_vector(np.array([[3e-6, 4e-6]]), np.array([True]))",
)
