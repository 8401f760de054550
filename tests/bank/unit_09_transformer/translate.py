"""Functions that learners wrote for `translate`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.reference import beam_search, decode_target, encode, encode_source, greedy_decode


@wrong(
    "alpha is not handed on to the beam search, which takes no length penalty",
    names={"alpha-ignored"},
    line="ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len)[0][1]",
)
def alpha_forgotten(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len)[0][1]
    return written_sentence(ids, model)


@wrong(
    "beam_width is never looked at: the search is always greedy",
    names={"always-greedy"},
    line="out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)",
)
def always_greedy(sentence, model, beam_width=1, alpha=0.0):
    source = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)
    source = source[np.newaxis, :]
    real = np.ones_like(source, dtype=bool)
    memory = reference.encode_source(source, real, model)

    def next_log_probs(prefixes):
        k = prefixes.shape[0]
        logits = reference.decode_target(prefixes, np.tile(memory, (k, 1, 1)), np.tile(real, (k, 1)), model)
        last = logits[:, -1, :]
        last = last - last.max(axis=-1, keepdims=True)
        return last - np.log(np.exp(last).sum(axis=-1, keepdims=True))

    out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    return written_sentence(out, model)


@wrong(
    "next_log_probs takes the logits of the first position instead of the last",
    names={"first-position"},
    line="z = logits[:, 0]",
)
def first_position(sentence, model, beam_width=1, alpha=0.0):
    words = prepare_sentence(sentence, model)
    ids = reference.encode(words, model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, memory.repeat(k, axis=0), is_token.repeat(k, axis=0), model)
        z = logits[:, 0]
        z = z - z.max(axis=1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=1, keepdims=True))

    if beam_width == 1:
        result = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        score, result = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0]
    return written_sentence(result, model)


@wrong(
    "gives the search probabilities instead of log-probabilities, so a beam adds up probabilities",
    names={"probabilities"},
    line="return reference.softmax(logits[:, -1])",
)
def probabilities(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary).reshape(1, -1)
    is_token = np.full(ids.shape, True)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = prefixes.shape[0]
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        return reference.softmax(logits[:, -1])

    if beam_width == 1:
        return written_sentence(reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len), model)
    beam = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)
    return written_sentence(beam[0][1], model)


@wrong(
    "gives the search the raw logits, which are no log-probabilities, so a beam compares sums of logits",
    names={"raw-logits"},
    line="return logits[:, -1, :]",
)
def raw_logits(sentence, model, beam_width=1, alpha=0.0):
    prepared = prepare_sentence(sentence, model)
    ids = reference.encode(prepared, model.source_vocabulary)[None, :]
    mask = np.ones(ids.shape, bool)
    memory = reference.encode_source(ids, mask, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, 0), np.repeat(mask, k, 0), model)
        return logits[:, -1, :]

    if beam_width == 1:
        best = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        best = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(best, model)


@wrong(
    "BOS and EOS are exchanged in the calls of both searches",
    names={"end-not-recognised", "starts-with-end", "symbols-exchanged"},
    line="args = (next_log_probs, EOS, BOS)",
)
def bos_and_eos_exchanged(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    args = (next_log_probs, EOS, BOS)
    if beam_width == 1:
        found = reference.greedy_decode(*args, model.max_len)
    else:
        found = reference.beam_search(*args, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(found, model)


@wrong(
    "encodes the sentence as it was typed: prepare_sentence is not used, so nothing is refused or put in order",
    names={"not-prepared"},
    line="ids = reference.encode(sentence, model.source_vocabulary)[None]",
)
def not_prepared(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(sentence, model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        z = logits[:, -1]
        z = z - z.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(ids, model)


@wrong(
    "catches the ValueError of prepare_sentence and returns its text instead of letting it pass",
    names={"error-as-text"},
    line="return str(error)",
)
def error_swallowed(sentence, model, beam_width=1, alpha=0.0):
    try:
        prepared = prepare_sentence(sentence, model)
    except ValueError as error:
        return str(error)
    ids = reference.encode(prepared, model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        z = logits[:, -1]
        c = z.max(axis=-1, keepdims=True)
        return z - c - np.log(np.exp(z - c).sum(axis=-1, keepdims=True))

    if beam_width > 1:
        ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    else:
        ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    return written_sentence(ids, model)


@wrong(
    "the axis of the batch is put at the end: the sentence becomes n_source sentences of one word, (n_source, 1)",
    line="ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[:, None]",
)
def batch_axis_at_the_end(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[:, None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        z = logits[:, -1] - logits[:, -1].max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        best = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        best = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(best, model)


@wrong(
    "repeats the memory and its mask along the axis of the words instead of the first one, so a beam fails",
    line="many = np.repeat(memory, k, axis=1)",
)
def repeats_words(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        many = np.repeat(memory, k, axis=1)
        real = np.ones((k, ids.shape[1]), dtype=bool)
        logits = reference.decode_target(prefixes, many, real, model)[:, -1]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        found = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        found = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(found, model)


@wrong(
    "returns the ids of the Spanish words instead of the written sentence",
    names={"ids-returned"},
    line="return ids",
)
def returns_ids(sentence, model, beam_width=1, alpha=0.0):
    source_ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(source_ids.shape, dtype=bool)
    memory = reference.encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return ids


@wrong(
    "takes the last hypothesis of the beam, which is the worst, instead of the first",
    names={"worst-of-the-beam"},
    line="score, best = hypotheses[-1]",
)
def worst_hypothesis(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        best = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        hypotheses = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)
        score, best = hypotheses[-1]
    return written_sentence(best, model)


@wrong(
    "the translation may be no longer than the English sentence: its length limits the search, not model.max_len",
    names={"length-of-source"},
    line="max_len = ids.shape[1]",
)
def as_long_as_source(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    max_len = ids.shape[1]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, max_len, alpha)[0][1]
    return written_sentence(out, model)


@wrong(
    "puts BOS in front of the source and EOS behind it before the encoder reads it",
    names={"source-between-symbols", "source-with-end", "source-with-start"},
    line="ids = np.concatenate([[BOS], ids, [EOS]])[None]",
)
def marks_around_source(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)
    ids = np.concatenate([[BOS], ids, [EOS]])[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(out, model)


@wrong(
    "normalises over the prefixes (axis 0) instead of over the words, so with one prefix every word gets 0",
    names={"normalised-over-beam"},
    line="return z - np.log(np.exp(z).sum(axis=0))",
)
def normalises_over_prefixes(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        z = logits[:, -1]
        return z - np.log(np.exp(z).sum(axis=0))

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(out, model)


@wrong(
    "beam_width and max_len are exchanged in the call of beam_search",
    line="beam = reference.beam_search(next_log_probs, BOS, EOS, model.max_len, beam_width, alpha)",
)
def width_and_length_exchanged(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        return written_sentence(reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len), model)
    beam = reference.beam_search(next_log_probs, BOS, EOS, model.max_len, beam_width, alpha)
    return written_sentence(beam[0][1], model)


@wrong(
    "the question of the beam width is turned round: greedy for every width but 1, and a beam of 1 for 1",
    names={"always-greedy"},
    line="if beam_width != 1:",
)
def searches_exchanged(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width != 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(out, model)


@wrong("prints the translation and returns None", line="print(written_sentence(out, model))")
def prints(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    print(written_sentence(out, model))


@wrong(
    "the outer variable: the decoder is always given the start symbol alone instead of the prefixes",
    names={"first-position"},
    line="logits = reference.decode_target(start, memory, is_token, model)",
)
def start_symbol_only(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)
    start = np.array([[BOS]])

    def next_log_probs(prefixes):
        logits = reference.decode_target(start, memory, is_token, model)
        z = logits[:, -1] - logits[:, -1].max(axis=-1, keepdims=True)
        z = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
        return np.repeat(z, len(prefixes), axis=0)

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(out, model)


@wrong(
    "two: the log-probabilities have the wrong sign, and the score is taken for the ids of the best hypothesis",
    line="return np.log(np.exp(z).sum(axis=-1, keepdims=True)) - z",
)
def sign_and_pair(sentence, model, beam_width=1, alpha=0.0):
    ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)
        z = logits[:, -1]
        return np.log(np.exp(z).sum(axis=-1, keepdims=True)) - z

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out, score = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0]
    return written_sentence(out, model)


@wrong(
    "two: the English words are looked up among the target's words, and the beam has width 4 whatever beam_width says",
    line="vocabulary = {word: i for i, word in enumerate(model.target_words)}",
)
def target_vocabulary_and_four(sentence, model, beam_width=1, alpha=0.0):
    vocabulary = {word: i for i, word in enumerate(model.target_words)}
    ids = reference.encode(prepare_sentence(sentence, model), vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = reference.encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        out = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        out = reference.beam_search(next_log_probs, BOS, EOS, 4, model.max_len, alpha)[0][1]
    return written_sentence(out, model)


@right
def inner_function(sentence, model, beam_width=1, alpha=0.0):
    source_ids = reference.encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(source_ids.shape, dtype=bool)
    memory = reference.encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[
            :, -1
        ]
        z = logits - logits.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        _, ids = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0]
    return written_sentence(ids, model)


@right
def lambdas_and_logaddexp(sentence, model, beam_width=1, alpha=0.0):
    ids = np.atleast_2d(reference.encode(prepare_sentence(sentence, model), model.source_vocabulary))
    real = ids == ids
    memory = reference.encode_source(ids, real, model)
    tiled = lambda k: (np.tile(memory, (k, 1, 1)), np.tile(real, (k, 1)))
    last = lambda prefixes: reference.decode_target(prefixes, *tiled(len(prefixes)), model)[:, -1, :]

    def log_probs(prefixes):
        z = last(prefixes)
        return z - np.logaddexp.reduce(z, axis=1)[:, None]

    if beam_width > 1:
        return written_sentence(
            reference.beam_search(log_probs, BOS, EOS, beam_width, model.max_len, alpha=alpha)[0][1], model
        )
    return written_sentence(reference.greedy_decode(log_probs, BOS, EOS, model.max_len), model)


@right
def own_greedy_loop(sentence, model, beam_width=1, alpha=0.0):
    words = prepare_sentence(sentence, model)
    source = reference.encode(words, model.source_vocabulary).reshape(1, -1)
    n = source.shape[1]
    memory = reference.encode_source(source, np.ones((1, n), dtype=bool), model)

    def logits_of(prefixes):
        k = prefixes.shape[0]
        copies = np.concatenate([memory] * k, axis=0)
        return reference.decode_target(prefixes, copies, np.ones((k, n), dtype=bool), model)[:, -1]

    def next_log_probs(prefixes):
        z = logits_of(prefixes)
        z = z - np.max(z, axis=-1, keepdims=True)
        return z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))

    if beam_width != 1:
        best = reference.beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0]
        return written_sentence(best[1], model)
    written = [BOS]
    while len(written) <= model.max_len and (len(written) == 1 or written[-1] != EOS):
        written.append(int(logits_of(np.array([written]))[0].argmax()))
    return written_sentence(tuple(written[1:]), model)


@wrong(
    "takes the logits of the first position",
    names={"first-position"},
    line="z = decode_target(prefixes, M, mask, model)[:, 0]",
)
def first_position_too(sentence, model, beam_width=1, alpha=0.0):
    ids = encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        M, mask = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
        z = decode_target(prefixes, M, mask, model)[:, 0]
        z = z - z.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        best = greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        best = beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(best, model)


@wrong(
    "normalises over all prefixes together",
    names={"normalised-over-everything"},
    line="return z - np.log(np.exp(z - z.max()).sum()) - z.max()",
)
def one_sum_for_all(sentence, model, beam_width=1, alpha=0.0):
    ids = encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        M, mask = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
        z = decode_target(prefixes, M, mask, model)[:, -1]
        return z - np.log(np.exp(z - z.max()).sum()) - z.max()

    if beam_width == 1:
        best = greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        best = beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(best, model)


@wrong("catches the refusal of prepare_sentence, and returns an empty text")
def refusal_caught(sentence, model, beam_width=1, alpha=0.0):
    try:
        words = prepare_sentence(sentence, model)
    except ValueError:
        return ""
    ids = encode(words, model.source_vocabulary)[None]
    is_token = np.ones(ids.shape, dtype=bool)
    memory = encode_source(ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        M, mask = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
        z = decode_target(prefixes, M, mask, model)[:, -1]
        z = z - z.max(axis=-1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        best = greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        best = beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(best, model)
