"""The data of the dictionary: entries out of WordNet, what is left out, the split, and the pieces of words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_kit.dictionary.entries import (
    HELD_OUT_IN_A_THOUSAND,
    WORDNET,
    Entry,
    check_wordnet,
    first_definition,
    is_fit,
    is_held_out,
    load_entries,
    split_entries,
)
from transformer_kit.dictionary.pieces import FIRST_MERGE, Pieces, chunks, definition_ids, learn_merges, prompt_ids
from transformer_kit.dictionary.unfit import STEMS, is_unfit
from transformer_kit.experiments.dictionary.samples import blended_words

NOUNS = """\
  1 This is the licence.
00000001 03 n 02 tree 0 Big_Tree 0 001 @ 00000009 n 0000 | a tall plant; "it is a tree"
00000002 18 n 01 Ada 0 001 @i 00000001 n 0000 | a person who wrote programs
00000003 18 n 01 ada 0 001 @i 00000001 n 0000 | a person who wrote programs
00000004 03 n 01 apple_pie 0 000 | a pie (as of apples; or pears); eaten warm; "an apple pie"
00000005 03 n 01 boom 0 000 | (ethnic slur) something
00000006 03 n 01 year 0 000 | as in 1984
"""
NOUN_INDEX = """\
  1 This is the licence.
tree n 2 1 @ 2 1 00000001 00000004
big_tree n 1 1 @ 1 0 00000001
ada n 2 1 @ 2 1 00000002 00000003
apple_pie n 1 0 1 0 00000004
boom n 2 0 2 0 00000001 00000005
year n 1 0 1 0 00000006
"""
ADJECTIVES = '00000007 00 s 01 galore(ip) 0 000 | existing in abundance; "fruit galore"\n'
needs_wordnet = pytest.mark.skipif(not WORDNET.is_dir(), reason="WordNet is not installed (package wordnet-base)")


@pytest.fixture
def folder(tmp_path):
    for kind in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"data.{kind}").write_text(NOUNS if kind == "noun" else "")
        (tmp_path / f"index.{kind}").write_text(NOUN_INDEX if kind == "noun" else "")
    (tmp_path / "data.adj").write_text(ADJECTIVES)
    (tmp_path / "index.adj").write_text("galore a 1 0 1 0 00000007\n")
    return tmp_path


def test_entries_are_words_with_their_first_definitions(folder):
    """No names, with a capital letter or with WordNet's mark, no figures, and nothing that is marked as a slur."""
    assert load_entries(folder) == [
        Entry("apple pie", "noun", "a pie (as of apples; or pears)"),
        Entry("galore", "adjective", "existing in abundance"),
        Entry("tree", "noun", "a tall plant"),
    ]


def test_without_wordnet_the_error_says_what_helps(folder):
    (folder / "data.verb").unlink()
    with pytest.raises(FileNotFoundError, match=r"data\.verb is not there.*apt-get install wordnet-base"):
        load_entries(folder)
    with pytest.raises(FileNotFoundError, match="apt-get install wordnet-base"):
        check_wordnet(folder)


def test_the_first_definition_ends_outside_brackets():
    assert first_definition('a (b; c) d; e; "f"') == "a (b; c) d"
    assert first_definition("a plant  ") == "a plant"


@pytest.mark.parametrize(
    "entry",
    [
        Entry("tree", "noun", "x" * 101),
        Entry("a" * 25, "noun", "a plant"),
        Entry("year", "noun", "as in 1984"),
        Entry("tree", "noun", 'a "plant"'),
        Entry("tree", "noun", "a (plant"),
        Entry("tree", "noun", ""),
        Entry("naïve", "adjective", "not sly"),
        Entry("tree", "noun", "a naked plant"),
        Entry("brothel", "noun", "a house"),
    ],
)
def test_what_is_left_out(entry):
    assert is_fit(Entry("tree", "noun", "a plant"))
    assert not is_fit(entry)


def test_what_is_unfit_for_a_class():
    assert len(STEMS) == len(set(STEMS)) > 400
    unfit = ["Naked", "a sexual thing", "half-wit", "an old woman", "(of the HAREM)", "half wits", "an ass"]
    assert all(map(is_unfit, unfit))
    fit = ["Essex", "a cold woman", "analysis", "jewel", "grass", "therapist", "class", "half a wit", "during"]
    assert not any(map(is_unfit, fit))


def test_the_split_depends_on_the_word_alone():
    words = [f"word {i}" for i in range(5000)]
    shares = np.mean([is_held_out(word) for word in words])
    assert shares == pytest.approx(HELD_OUT_IN_A_THOUSAND / 1000, rel=0.3)
    entries = [Entry(word, "noun", f"the {i // 2}. thing") for i, word in enumerate(words)]
    training, held_out = split_entries(entries)
    assert split_entries(entries[::-1])[1] == held_out
    assert sorted(split_entries(entries[::-1])[0]) == sorted(training)
    assert len(held_out) == len({entry.definition for entry in held_out}) > 50
    assert not {entry.definition for entry in training} & {entry.definition for entry in held_out}
    assert not {entry.word for entry in training} & {entry.word for entry in held_out}
    assert len(training) > 4700


TEXTS = [" a tall tree", " a small tree", " a tree, tall", " trees"] * 3


@given(st.text())
def test_any_text_comes_back(text):
    pieces = Pieces(learn_merges(TEXTS, 10))
    assert "".join(chunks(text)) == text
    assert pieces.decode(pieces.encode(text)) == text


def test_chunks():
    assert chunks(" a tree, tall") == [" a", " tree", ",", " tall"]
    assert chunks("a1  b-c\n") == ["a", "1", " ", " b", "-", "c", "\n"]


def test_pieces_are_learned_from_what_is_frequent():
    pieces = Pieces(learn_merges(TEXTS, 10))
    assert len(pieces) == FIRST_MERGE + 10
    assert len(pieces.encode(" tree")) == 1
    assert len(pieces.encode(" trees")) == 2
    assert len(pieces.encode("é")) == 2
    assert pieces.decode([*pieces.encode("a"), pieces.encode("é")[0]]) == "a�"
    assert learn_merges(TEXTS[::-1], 10) == pieces.merges


def test_prompts_and_definitions():
    pieces = Pieces(learn_merges(TEXTS, 10))
    (tree,) = pieces.encode(" tree")
    assert prompt_ids("tree", "noun", pieces) == [2, tree, 4]
    assert prompt_ids("tree", "adverb", pieces) == [2, tree, 7]
    assert definition_ids("tree", pieces) == [tree, 3]


def test_blended_words():
    entries = [Entry(word, "noun", "x") for word in ("kettle", "window", "basket", "parsnip")]
    found = blended_words(entries, 20, np.random.default_rng(1))
    assert ("parsnow", "noun") in found
    assert not {word for word, _ in found} & {entry.word for entry in entries}
    assert found == blended_words(entries, 20, np.random.default_rng(1))


@needs_wordnet
def test_the_entries_of_wordnet():
    entries = load_entries()
    training, held_out = split_entries(entries)
    assert 90_000 < len(training) < 100_000
    assert 1500 < len(held_out) < 2500
    assert (
        Entry("book", "noun", "a written work or composition that has been published (printed on pages bound together)")
        in entries
    )
    assert not any(is_unfit(f"{entry.word} {entry.definition}") for entry in entries)
    assert not {"Paris", "paris", "einstein"} & {entry.word for entry in entries}
