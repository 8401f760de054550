"""Functions that learners wrote for `word_pieces`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "a word without a first piece ends the loop with what was found so far, not with the mark for unknown words",
    names={"stops-there"},
    line="break",
)
def breaks_out(word, vocabulary, unknown="[UNK]"):
    pieces = []
    start = 0
    while start < len(word):
        end = len(word)
        piece = None
        while start < end:
            part = word[start:end]
            if start > 0:
                part = "##" + part
            if part in vocabulary:
                piece = part
                end = start
            else:
                end -= 1
        if piece is None:
            break
        pieces.append(piece)
        start += len(piece.replace("##", ""))
    return pieces


@wrong(
    "the length of a piece is counted with its ##, so that two letters are skipped after each continuing piece",
    names={"marks-counted"},
    line="start += len(piece)",
)
def counts_the_mark(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start += len(piece)
                break
        else:
            return [unknown]
    return pieces


@wrong(
    "the inner range stops before start + 1, so a piece of one letter is never tried",
    names={"two-letters-at-least"},
    line="for end in range(len(word), start + 1, -1):",
)
def at_least_two_letters(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start + 1, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return [unknown]
    return pieces


@wrong("the pieces are returned as their ids", names={"ids"}, line="return [vocabulary[p] for p in pieces]")
def numbers(word, vocabulary, unknown="[UNK]"):
    pieces, rest = [], word
    while rest:
        for n in range(len(rest), 0, -1):
            candidate = rest[:n] if not pieces else "##" + rest[:n]
            if candidate in vocabulary:
                pieces.append(candidate)
                rest = rest[n:]
                break
        else:
            return [unknown]
    return [vocabulary[p] for p in pieces]


@wrong(
    "goes from short to long pieces, and so takes the shortest that fits",
    names={"shortest-first"},
    line="for end in range(start + 1, len(word) + 1):",
)
def upwards(word, vocabulary, unknown="[UNK]"):
    result, start = [], 0
    while start < len(word):
        for end in range(start + 1, len(word) + 1):
            part = word[start:end] if start == 0 else "##" + word[start:end]
            if part in vocabulary:
                result.append(part)
                start = end
                break
        else:
            return [unknown]
    return result


@wrong(
    "two: only asks whether the whole word is known and never cuts, and takes an empty word for an unknown one",
    names={"whole-words-only", "empty-is-unknown"},
    line="return [word] if word in vocabulary else [unknown]",
)
def whole_words_only(word, vocabulary, unknown="[UNK]"):
    return [word] if word in vocabulary else [unknown]


@wrong("returns the mark itself, not a list with it", names={"bare-unknown"}, line="return unknown")
def a_text_for_unknown(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while ("##" if start else "") + word[start:end] not in vocabulary:
            end -= 1
            if end == start:
                return unknown
        pieces.append(("##" if start else "") + word[start:end])
        start = end
    return pieces


@wrong(
    "`is not None` of the id is right, but `if vocabulary.get(piece)` takes the id 0 for a missing piece",
    names={"id-0-missing"},
    line="if vocabulary.get(piece):",
)
def id_0_is_false(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if vocabulary.get(piece):
                pieces.append(piece)
                start = end
                break
        else:
            return [unknown]
    return pieces


@wrong(
    "appends the mark for the letter that does not fit, and goes on behind it",
    names={"unknown-letters"},
    line="pieces.append(unknown)",
)
def mark_by_mark(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            pieces.append(unknown)
            start += 1
    return pieces


@right
def with_a_helper(word, vocabulary, unknown="[UNK]"):
    def longest(rest, prefix):
        for n in range(len(rest), 0, -1):
            if prefix + rest[:n] in vocabulary:
                return n
        return 0

    pieces = []
    prefix = ""
    while word:
        n = longest(word, prefix)
        if n == 0:
            return [unknown]
        pieces.append(prefix + word[:n])
        word = word[n:]
        prefix = "##"
    return pieces


@right
def with_a_list_of_candidates(word, vocabulary, unknown="[UNK]"):
    pieces, i = [], 0
    while i < len(word):
        prefix = "##" * (i > 0)
        fits = [j for j in range(i + 1, len(word) + 1) if prefix + word[i:j] in vocabulary]
        if len(fits) == 0:
            return [unknown]
        pieces.append(prefix + word[i : max(fits)])
        i = max(fits)
    return pieces


@wrong("keeps the pieces that were found before the end is unknown", names={"unknown-rest"})
def pieces_and_unknown(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start:
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
            end -= 1
        if end == start:
            pieces.append(unknown)
            break
        pieces.append(piece)
        start = end
    return pieces


@wrong("skips a letter that nothing fits, with the mark for it", names={"unknown-letters"})
def letter_skipped(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            pieces.append(unknown)
            start += 1
    return pieces


@wrong("goes back and tries shorter pieces", names={"takes-cuts-back"})
def goes_back(word, vocabulary, unknown="[UNK]"):
    def cut(start):
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                rest = cut(end)
                if rest is not None:
                    return [piece, *rest]
        return None

    found = cut(0)
    return [unknown] if found is None else found


@wrong("turns the word into lower case", names={"lower-case"})
def in_lower_case(word, vocabulary, unknown="[UNK]"):
    return reference.word_pieces(word.lower(), vocabulary, unknown)


@wrong("takes accents off the letters", names={"accents-taken-off"})
def accents_off(word, vocabulary, unknown="[UNK]"):
    import unicodedata

    letters = unicodedata.normalize("NFD", word)
    return reference.word_pieces("".join(c for c in letters if not unicodedata.combining(c)), vocabulary, unknown)


@wrong("takes words of more than 100 letters for unknown, as BERT's own program does", names={"long-words-unknown"})
def at_most_100_letters(word, vocabulary, unknown="[UNK]"):
    if len(word) > 100:
        return [unknown]
    return reference.word_pieces(word, vocabulary, unknown)


@wrong("cuts off the full stop at the end of a word")
def full_stop_off(word, vocabulary, unknown="[UNK]"):
    return reference.word_pieces(word.rstrip("."), vocabulary, unknown)


@wrong("tries pieces of up to ten letters only")
def pieces_of_ten_letters(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(min(start + 10, len(word)), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [unknown]
        pieces.append(piece)
        start = end
    return pieces


@wrong(
    "returns the first piece with ##, too",
    names={"mark-returned-on-the-first"},
    line='pieces.append("##" + word[start:end])',
)
def marks_the_first_piece(word, vocabulary, unknown="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [unknown]
        pieces.append("##" + word[start:end])
        start = end
    return pieces
