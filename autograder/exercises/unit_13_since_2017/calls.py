"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

ROTATE = (
    "rotate(np.array([[1.0, 0.0, 1.0, 0.0]]), np.array([3]))",
    "rotate(np.array([[0.0, 2.0, 0.0, 1.0]]), np.array([1]), 100.0)",
    "rotate(np.array([[1.0, 0.5], [1.0, 0.5]]), np.array([4, 2]))",
    "rotate(np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]), np.array([0, 1]))",
    "rotate(np.array([[1.0, 2.0, 3.0]]), np.array([1]))",
)
SHARE_HEADS = (
    "share_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]), 4)",
    "share_heads(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), 4)",
    "share_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]), 2)",
    "share_heads(np.array([[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]), 4)",
    "share_heads(np.array([[[1.0]], [[2.0]]]), 3)",
)
_ATTENTION = """\
from transformer_kit.parameters import KeysAndValues, init_modern_block

rng = np.random.default_rng(5)
X = np.array([[1.0, 2.0, 0.5, -1.0, 0.0, 1.0, 1.5, -0.5], [0.0, 1.0, -2.0, 1.5, 1.0, 0.5, -1.0, 2.0]])
params = init_modern_block(rng, d_model=8, n_heads=4, n_kv_heads=2, d_ff=3, noise=0.3)
cache = KeysAndValues(*rng.normal(size=(2, 2, {n_before}, 2)))

"""
_FIRST, _LATER = _ATTENTION.format(n_before=0), _ATTENTION.format(n_before=2)
_WIDE = _LATER.replace("n_heads=4, n_kv_heads=2", "n_heads=2, n_kv_heads=1").replace("(2, 2, 2, 2)", "(2, 1, 2, 4)")
GROUPED_ATTENTION = (
    f"{_FIRST}grouped_attention(X, params.attention, 4, 2, 30.0, cache)",
    f"{_LATER}grouped_attention(X, params.attention, 4, 2, 30.0, cache)",
    f"{_LATER}grouped_attention(X[:1], params.attention, 4, 2, 30.0, cache)",
    f"{_WIDE}grouped_attention(X, params.attention, 2, 1, 30.0, cache)",
)
MODERN_BLOCK = (
    f"{_FIRST}modern_block(X, params, 4, 2, 30.0, 0.1, cache)",
    f"{_LATER}modern_block(0.1 * X, params, 4, 2, 30.0, 0.1, cache)",
    f"{_LATER}modern_block(X[:1] + 1, params, 4, 2, 30.0, 0.5, cache)",
)
_MODEL = """\
from transformer_kit.parameters import empty_cache, init_modern_decoder

rng = np.random.default_rng({seed})
sizes = {{"d_model": 8, "n_heads": 4, "n_kv_heads": 2, "d_ff": 3, "n_blocks": {blocks}}}
model = init_modern_decoder(rng, vocab_size={V}, **sizes, noise=0.3)._replace(base=30.0, eps=0.1)

"""
_TWO, _THREE = (_MODEL.format(seed=5, V=5, blocks=blocks) for blocks in (2, 3))
_WIDE_MODEL = _TWO.replace('"n_heads": 4, "n_kv_heads": 2', '"n_heads": 2, "n_kv_heads": 1')
_AFTER = "_, cache = reference.read_on(np.array([4, 1]), model, empty_cache(model))\n"
_KNOWN = "from transformer_kit import reference\n"
READ_ON = (
    f"{_TWO}read_on(np.array([3, 1]), model, empty_cache(model))",
    f"{_KNOWN}{_TWO}{_AFTER}read_on(np.array([3, 1]), model, cache)",
    f"{_KNOWN}{_THREE}{_AFTER}read_on(np.array([2]), model, cache)",
    f"{_WIDE_MODEL}read_on(np.array([3, 1]), model, empty_cache(model))",
)
_LOUD = [_MODEL.format(seed=seed, V=7, blocks=2) + "model = model._replace(embedding=3 * model.embedding)\n"
         for seed in (5, 6, 8)]  # fmt: skip
_CHOOSE = "choose = lambda logits: int(np.argsort(-logits)[int(7 * np.abs(logits).sum()) % 3])\n"
WRITE = tuple(
    f"{model}{_CHOOSE}write({arguments})"
    for model in _LOUD
    for arguments in (
        "[4, 1], model, choose, (), 4",
        "[4, 1, 5], model, choose, (0, 2), 5",
        "[3], model, choose, (6, 1), 5",
        "[3, 2], model, choose, (5, 3, 4), 5",
    )
)
_HALF = "np.array([{}], np.float16)"
_BYTES = "np.arange(16, dtype=np.uint8)[None] * 17"
DEQUANTISED = (
    f"dequantised({_HALF.format(1.0)}, {_HALF.format(0.0)}, np.arange(16, dtype=np.uint8)[None] * 16 + 3)",
    f"dequantised({_HALF.format(0.5)}, {_HALF.format(-3.0)}, {_BYTES})",
    f"dequantised({_HALF.format('1.0, 2.0')}, {_HALF.format('0.0, 5.0')}, np.full((2, 16), 0x21, np.uint8))",
    f"dequantised({_HALF.format(6000.0)}, {_HALF.format(1.0)}, {_BYTES})",
    f"dequantised({_HALF.format(1.0)}, {_HALF.format(0.0)}, np.full((1, 16), 0xBD, np.uint8))",
)
CHAT_PROMPT = (
    'chat_prompt([], "a")',
    'chat_prompt([("user", "a"), ("assistant", "b"), ("user", "c")], "")',
    'chat_prompt([("user", " a ")], "")',
    'chat_prompt([("user", "Hello!")], "You are a cat.")',
)
