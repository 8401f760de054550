"""Public models on the course's functions against the libraries that they come from; skipped without these."""

import numpy as np
import pytest

from tests.support import needs, small_gpt2
from tests.support.odd_texts import MORE, TEXTS
from transformer_kit import reference
from transformer_kit.public import gpt2, minilm


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason=needs.TORCH)


@pytest.fixture(scope="module")
def transformers(torch):
    return pytest.importorskip("transformers", reason=needs.TRANSFORMERS)


def original_of(folder, model, torch, transformers):
    """Return the same weights in the library's model."""
    d_model, n_positions = model.embedding.shape[1], len(model.positions)
    sizes = {"vocab_size": len(model.embedding), "n_positions": n_positions, "n_embd": d_model}
    config = transformers.GPT2Config(**sizes, n_layer=len(model.blocks), n_head=model.n_heads)
    original = transformers.GPT2LMHeadModel(config).eval()
    arrays = gpt2.read_safetensors(folder / "model.safetensors")
    state = {f"transformer.{name}": torch.from_numpy(array) for name, array in arrays.items()}
    missing = original.load_state_dict(state, strict=False)
    assert (missing.missing_keys, missing.unexpected_keys) == (["lm_head.weight"], [])
    return original


@pytest.mark.parametrize(
    "sizes",
    [
        {"d_model": 24, "n_blocks": 3, "n_positions": 30},
        pytest.param(
            {"d_model": 768, "n_blocks": 12, "n_positions": 1024, "n_vocabulary": 50257}, marks=pytest.mark.exhaustive
        ),
    ],
    ids=["small", "as public"],
)
def test_gpt2_is_the_original(tmp_path, torch, transformers, sizes):
    small_gpt2.write_folder(tmp_path, np.random.default_rng(4), **sizes)
    model = gpt2.load_gpt2(tmp_path, n_heads=3 if sizes["d_model"] == 24 else None)
    ids = np.random.default_rng(5).integers(0, len(model.embedding), (2, 11))
    with torch.no_grad():
        expected = original_of(tmp_path, model, torch, transformers)(torch.from_numpy(ids)).logits.numpy()
    assert expected.std() > 1
    got = gpt2.gpt2_logits(ids, model, reference)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, expected, atol=1e-4)
    cache = gpt2.empty_cache(2, model)
    for start, end in ((0, 8), (8, 9), (9, 10), (10, 11)):
        logits, cache = gpt2.cached_logits(ids[:, start:end], cache, model, reference)
        np.testing.assert_allclose(logits, expected[:, end - 1], atol=1e-4)


def test_pieces_of_gpt2_are_the_originals(tmp_path, transformers):
    small_gpt2.write_folder(tmp_path, np.random.default_rng(4))
    pieces = gpt2.read_pieces(tmp_path)
    files = [str(tmp_path / name) for name in ("vocab.json", "merges.txt")]
    original = transformers.GPT2Tokenizer(*files)
    for text in (small_gpt2.TEXT, *TEXTS, *MORE):
        ids = pieces.encode(text, reference.byte_pair_merge)
        assert ids == original.encode(text)
        assert pieces.decode(ids) == text


@pytest.fixture(scope="module")
def model():
    if minilm.minilm_folder() is None:
        pytest.skip(needs.MINILM)
    return minilm.load_minilm()


def test_minilm_is_the_original(model, torch, transformers):
    """Sentence vectors as the library makes them: mean over real tokens, length 1."""
    folder = str(minilm.minilm_folder())
    tokenizer, original = (
        transformers.AutoTokenizer.from_pretrained(folder),
        transformers.AutoModel.from_pretrained(folder),
    )
    got = minilm.sentence_vectors(TEXTS, model, reference)
    read = tokenizer(TEXTS, padding=True, truncation=True, max_length=minilm.LONGEST, return_tensors="pt")
    for text, ids, is_token in zip(TEXTS, read["input_ids"], read["attention_mask"].bool(), strict=True):
        assert minilm.pieces(text, model, reference) == tokenizer.convert_ids_to_tokens(ids[is_token])
    with torch.no_grad():
        X = original.eval()(**read).last_hidden_state
    mask = read["attention_mask"][..., None]
    mean = (X * mask).sum(1) / mask.sum(1)
    np.testing.assert_allclose(got, torch.nn.functional.normalize(mean).numpy(), atol=2e-6)
