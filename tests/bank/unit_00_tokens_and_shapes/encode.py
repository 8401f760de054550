"""Functions that learners wrote for `encode`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.examples.tokens import VOCABULARY


@wrong(
    "never turns the text into small letters, so words with capitals count as unknown", names={"case-kept"}, line=None
)
def keeps_capitals(text, vocabulary):
    ids = []
    for word in text.split():
        if word in vocabulary:
            ids.append(vocabulary[word])
        else:
            ids.append(vocabulary["<unk>"])
    return np.array(ids, dtype=int)


@wrong(
    "calls lower() but throws its result away, so capitals stay in the text", names={"case-kept"}, line="text.lower()"
)
def lower_thrown_away(text, vocabulary):
    text.lower()
    words = text.split()
    ids = [vocabulary.get(word, vocabulary["<unk>"]) for word in words]
    return np.array(ids, dtype=int)


@wrong(
    "splits at every single space, so double spaces and empty texts give extra unknown words and tabs and new lines "
    "do not separate",
    names={"single-spaces"},
    line='words = text.lower().split(" ")',
)
def splits_at_single_spaces(text, vocabulary):
    words = text.lower().split(" ")
    ids = [vocabulary.get(w, vocabulary["<unk>"]) for w in words]
    return np.array(ids, dtype=int)


@wrong(
    "separates words at spaces only: tabs and new lines do not separate words",
    names={"single-spaces", "spaces-only"},
    line='parts = text.lower().split(" ")',
)
def forgets_tabs(text, vocabulary):
    parts = text.lower().split(" ")
    words = [part for part in parts if part != ""]
    ids = np.zeros(len(words), dtype=int)
    for i, word in enumerate(words):
        ids[i] = vocabulary.get(word, vocabulary["<unk>"])
    return ids


@wrong(
    "leaves unknown words out instead of giving them the id of <unk>",
    names={"unknown-dropped"},
    line="if word in vocabulary:",
)
def leaves_out_unknown(text, vocabulary):
    ids = []
    for word in text.lower().split():
        if word in vocabulary:
            ids.append(vocabulary[word])
    return np.array(ids, dtype=int)


@wrong(
    "looks unknown words up directly, which raises a KeyError",
    names={"unknown-key-error"},
    line="ids.append(vocabulary[word])",
)
def key_error(text, vocabulary):
    words = text.lower().split()
    ids = []
    for word in words:
        ids.append(vocabulary[word])
    return np.array(ids, dtype=int)


@wrong(
    "gives an array of floats for a text without words, because no dtype is set",
    names={"empty-is-float"},
    line="return np.array(ids)",
)
def empty_is_float(text, vocabulary):
    unknown = vocabulary["<unk>"]
    ids = [vocabulary.get(word, unknown) for word in text.lower().split()]
    return np.array(ids)


@wrong(
    "gives an array of floats for a text of white space alone; only the empty string has a case of its own",
    names={"empty-is-float"},
    line="return np.array(ids)",
)
def only_empty_string_handled(text, vocabulary):
    if text == "":
        return np.zeros(0, dtype=int)
    ids = []
    for word in text.lower().split():
        ids.append(vocabulary.get(word, vocabulary["<unk>"]))
    return np.array(ids)


@wrong(
    "returns a list instead of an array",
    names={"list"},
    line='return [vocabulary.get(w, vocabulary["<unk>"]) for w in words]',
)
def returns_list(text, vocabulary):
    words = text.lower().split()
    return [vocabulary.get(w, vocabulary["<unk>"]) for w in words]


@wrong(
    "gives the place of the word in the order of the vocabulary instead of its id",
    names={"renumbered"},
    line="ids.append(known.index(word))",
)
def place_instead_of_id(text, vocabulary):
    known = list(vocabulary)
    ids = []
    for word in text.lower().split():
        if word not in known:
            word = "<unk>"
        ids.append(known.index(word))
    return np.array(ids, dtype=int)


@wrong(
    "gives unknown words the fixed id 0 instead of the id of <unk>",
    names={"unknown-is-zero"},
    line="ids = [vocabulary.get(w, 0) for w in words]",
)
def unknown_is_zero(text, vocabulary):
    words = text.lower().split()
    ids = [vocabulary.get(w, 0) for w in words]
    return np.array(ids, dtype=int)


@wrong(
    "takes a word whose id is 0 for an unknown word, because 0 counts as false",
    names={"zero-taken-for-missing"},
    line="if not word_id:",
)
def zero_counts_as_unknown(text, vocabulary):
    ids = []
    for word in text.lower().split():
        word_id = vocabulary.get(word)
        if not word_id:
            word_id = vocabulary["<unk>"]
        ids.append(word_id)
    return np.array(ids, dtype=int)


@wrong("goes through the single characters instead of the words", names={"characters"}, line="for word in text:")
def characters(text, vocabulary):
    text = text.lower()
    ids = []
    for word in text:
        ids.append(vocabulary.get(word, vocabulary["<unk>"]))
    return np.array(ids, dtype=int)


@wrong(
    'puts the string "<unk>" itself among the ids instead of its id, so the array holds strings',
    names={"unknown-makes-texts"},
    line='ids = [vocabulary.get(word, "<unk>") for word in words]',
)
def unk_as_string(text, vocabulary):
    words = text.lower().split()
    if len(words) == 0:
        return np.array([], dtype=int)
    ids = [vocabulary.get(word, "<unk>") for word in words]
    return np.array(ids)


@wrong(
    "returns inside the loop, so only the first word is encoded",
    names={"first-word-only"},
    line="return np.array(ids, dtype=int)",
)
def returns_in_loop(text, vocabulary):
    ids = []
    for word in text.lower().split():
        ids.append(vocabulary.get(word, vocabulary["<unk>"]))
        return np.array(ids, dtype=int)


@wrong("uses the notebook's global VOCABULARY instead of the argument", line="if word in VOCABULARY:")
def global_vocabulary(text, vocabulary):
    token_ids = []
    for word in text.lower().split():
        if word in VOCABULARY:
            token_ids.append(VOCABULARY[word])
        else:
            token_ids.append(VOCABULARY["<unk>"])
    return np.array(token_ids, dtype=int)


@wrong(
    "adds unknown words to the vocabulary with a new id instead of using the id of <unk>",
    names={"unknown-added"},
    line="vocabulary[word] = len(vocabulary)",
)
def learns_new_words(text, vocabulary):
    ids = []
    for word in text.lower().split():
        if word not in vocabulary:
            vocabulary[word] = len(vocabulary)
        ids.append(vocabulary[word])
    return np.array(ids, dtype=int)


@wrong(
    "lists every different word once, sorted, so repetitions and the order are lost",
    names={"each-word-once"},
    line="words = sorted(set(text.lower().split()))",
)
def unique_words(text, vocabulary):
    words = sorted(set(text.lower().split()))
    unk = vocabulary["<unk>"]
    return np.array([vocabulary.get(w, unk) for w in words], dtype=int)


@wrong("prints the ids and returns nothing", line="print(np.array(ids, dtype=int))")
def prints_ids(text, vocabulary):
    ids = []
    for word in text.lower().split():
        ids.append(vocabulary.get(word, vocabulary["<unk>"]))
    print(np.array(ids, dtype=int))


@wrong(
    "two: splits at every single space instead of any white space, and leaves unknown words out",
    names={"single-spaces", "unknown-dropped"},
    line='for word in text.lower().split(" "):',
)
def single_spaces_and_left_out(text, vocabulary):
    ids = []
    for word in text.lower().split(" "):
        if word in vocabulary:
            ids.append(vocabulary[word])
    return np.array(ids, dtype=int)


@wrong(
    "two: never turns the text into small letters, and gives an array of floats for a text without words",
    names={"case-kept", "empty-is-float"},
    line=None,
)
def capitals_and_float(text, vocabulary):
    words = text.split()
    ids = [vocabulary[w] if w in vocabulary else vocabulary["<unk>"] for w in words]
    return np.array(ids)


@wrong("gives floats instead of integers", names={"floats"}, line="ids = np.zeros(len(words))")
def float_ids(text, vocabulary):
    words = text.lower().split()
    ids = np.zeros(len(words))
    for i in range(len(words)):
        ids[i] = vocabulary.get(words[i], vocabulary["<unk>"])
    return ids


@wrong("gives the length of every word instead of its id", line="ids.append(len(word))")
def word_lengths(text, vocabulary):
    ids = []
    for word in text.lower().split():
        ids.append(len(word))
    return np.array(ids, dtype=int)


@wrong(
    "two: gives unknown words the fixed id 0 instead of the id of <unk>, and returns a list instead of an array",
    names={"unknown-is-zero", "list"},
    line="ids.append(0)",
)
def zero_and_list(text, vocabulary):
    ids = []
    for word in text.lower().split():
        if word in vocabulary:
            ids.append(vocabulary[word])
        else:
            ids.append(0)
    return ids


@right
def comprehension(text, vocabulary):
    return np.array([vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()], dtype=int)


@right
def with_loop(text, vocabulary):
    words = text.lower().split()
    ids = np.zeros(len(words), dtype=np.int64)
    for i, word in enumerate(words):
        if word in vocabulary:
            ids[i] = vocabulary[word]
        else:
            ids[i] = vocabulary["<unk>"]
    return ids


@right
def with_fromiter(text, vocabulary):
    unk = vocabulary["<unk>"]
    return np.fromiter((vocabulary.get(w.lower(), unk) for w in text.split()), dtype=int)


@right
def with_try(text, vocabulary):
    ids = []
    for word in text.split():
        try:
            ids.append(vocabulary[word.lower()])
        except KeyError:
            ids.append(vocabulary["<unk>"])
    return np.array(ids).astype(int)


@wrong(
    "takes the id 0 for unknown, because `or` does",
    names={"zero-taken-for-missing"},
    line='ids = [vocabulary.get(word) or vocabulary["<unk>"] for word in text.lower().split()]',
)
def or_unknown(text, vocabulary):
    ids = [vocabulary.get(word) or vocabulary["<unk>"] for word in text.lower().split()]
    return np.array(ids, dtype=int)


@wrong("adds unknown words to the vocabulary", names={"noted-as-unknown"})
def set_default(text, vocabulary):
    ids = []
    for word in text.lower().split():
        ids.append(vocabulary.setdefault(word, vocabulary["<unk>"]))
    return np.array(ids, dtype=int)


@wrong("finds words of no letters between two spaces")
def spaces_one_by_one(text, vocabulary):
    text = text.lower().replace("\t", " ").replace("\n", " ").strip()
    words = text.split(" ") if text else []
    return np.array([vocabulary.get(word, vocabulary["<unk>"]) for word in words], dtype=int)


@wrong("leaves out letters with accents, so that word and look-alike become one", names={"ascii-only"})
def without_accents(text, vocabulary):
    plain = text.encode("ascii", "ignore").decode()
    return reference.encode(plain, vocabulary)


@wrong("takes an apostrophe for white space")
def apostrophes_split(text, vocabulary):
    words = text.lower().replace("'", " ").split()
    return np.array([vocabulary.get(word, vocabulary["<unk>"]) for word in words], dtype=int)


@wrong(
    "writes the text `<unk>` for an unknown word, and has no dtype, so that no words give floats",
    names={"empty-is-float", "unknown-is-its-name", "unknown-makes-texts"},
)
def unknown_is_a_text(text, vocabulary):
    return np.array([vocabulary.get(w, "<unk>") for w in text.lower().split()])


@wrong("writes the text `<unk>` for an unknown word", names={"unknown-makes-texts"})
def unknown_is_a_text_for_words(text, vocabulary):
    words = text.lower().split()
    if not words:
        return np.array([], dtype=int)
    return np.array([vocabulary[w] if w in vocabulary else "<unk>" for w in words])
