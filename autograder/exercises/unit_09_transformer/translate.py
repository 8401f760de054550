"""Specification of `translate`."""

from autograder.exercises.unit_09_transformer import calls, lookalikes
from autograder.exercises.unit_09_transformer.inputs import sentences, trained
from autograder.exercises.unit_09_transformer.translations import (
    can_be_contracted,
    greedily,
    offers_more_to_a_beam,
    other_words,
    varied,
    without_penalty,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.corpus import english_text
from transformer_kit.corpus.sentences import prepare_sentence
from transformer_kit.corpus.vocabulary import words_of

WORDS = "From text to numbers and back"
DECODING = "The model as a function of prefixes"

BEAM = {"beam_width": 3, "alpha": 2.0}  # a penalty so strong that it matters

CONSONANTS = list("bcdfghjklmnpqrstvwxz")

EXERCISE = Exercise(
    reference=reference.translate,
    asks="the Spanish translation of an English sentence, by greedy search or with a beam.",
    returns=(Output("translation"),),
    where=DECODING,
    calls=calls.TRANSLATE,
    may_go_wrong_inside=False,
    lookalike=lookalikes.TRANSLATE,
)


@EXERCISE.claim(2.5)
def greedy(call, rng):
    """greedy: translates sentences as the trained model does"""
    for sentence in sentences(rng, 5):
        call.agrees(english_text(sentence.english), trained())
    call.agrees(english_text(sentence.english), other_words(rng))


@EXERCISE.claim(1)
def small(call, rng):
    """greedy: says what small random models say"""
    for _ in range(2):
        call.agrees(*varied(rng))


@EXERCISE.claim(0.5)
def longest(call, rng):
    """writes at most model.max_len tokens"""
    sentence = english_text(sentences(rng, 1)[0].english)
    for model, max_len in zip((trained(), other_words(rng)), rng.permutation([2, 3, 4]), strict=False):
        call.agrees(sentence, model._replace(max_len=int(max_len)))


@EXERCISE.claim(1.5)
def beam(call, rng):
    """with a beam: finds the likelier translation"""
    for sentence, width in zip(sentences(rng, 2, offers_more_to_a_beam), (2, 4), strict=True):
        call.agrees(english_text(sentence.english), trained(), width)
    for id in ("only-shifted", "fixed-width", "answers-of-the-first"):
        call.agrees(*varied(rng, greedily, _mistaken(id), beam_width=3), beam_width=3)


def _mistaken(id):
    """Return the function of a known mistake, whose results the inputs have to tell from right ones."""
    return next(mistake.function for mistake in EXERCISE.mistakes if mistake.id == id)


@EXERCISE.claim(1)
def alpha(call, rng):
    """the length penalty alpha reaches the beam search"""
    others = _mistaken("worst-of-the-beam"), _mistaken("raw-logits"), greedily  # these look alike at times
    call.agrees(*varied(rng, *others, **BEAM), **BEAM)
    call.agrees(*varied(rng, without_penalty, **BEAM), **BEAM)


@EXERCISE.claim(1)
def spelling(call, rng):
    """takes sentences as people type them"""
    negated, other = sentences(rng, 1, can_be_contracted)[0], sentences(rng, 1)[0]
    call.agrees(english_text(negated.english).replace(" do not", " don't").rstrip("."), trained())
    call.agrees(f"  {english_text(other.english).upper()} ", other_words(rng))


@EXERCISE.claim(1, side=True)
def refuses(call, rng):
    """refuses an unknown word, a sentence that is too long, and one without words"""
    known = english_text(sentences(rng, 1)[0].english)
    unknown = "".join(rng.choice(CONSONANTS, 7))
    n_words = trained().longest_source + int(rng.integers(1, 9))
    call.refuses(f"I like {unknown}.", trained(), mentions=(unknown,))
    call.refuses(f"I like {'big ' * (n_words - 4)}cats.", trained(), mentions=(n_words,))
    for empty in ("", "  ..."):
        call.refuses(empty, trained(), mentions=())
    call.agrees(known, other_words(rng))


@EXERCISE.claim(0.5)
def large_logits(call, rng):
    """logits in the thousands do no harm"""
    for id in ("maximum-of-all-rows", "added-in-the-logarithm"):
        call.agrees(*varied(rng, _mistaken(id), scale=1000, beam_width=3), beam_width=3)


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
SOURCE_IDS = "encode(prepare_sentence(sentence, model), model.source_vocabulary)"
MAXIMUM = "logits.max(axis=-1, keepdims=True)"
SUM = "np.exp(shifted).sum(axis=-1, keepdims=True)"
LOG_PROBS = f"shifted - np.log({SUM})"
TEXT = "written_sentence(token_ids, model)"


def _joined(token_ids, model):
    return " ".join(word for word in words_of(token_ids, model.target_words) if word != "<eos>")


def _checked(sentence, model):
    """Return a sentence as it was typed, once it has been prepared without complaint."""
    prepare_sentence(sentence, model)
    return sentence


wrong.at(WORDS)
wrong("end-kept", {TEXT: f"{TEXT} + ' <eos>' * (EOS in token_ids)"}, """
    The end symbol stands in the translation.
    It marks the end of the sentence and is not one of its words. `written_sentence` leaves it out.""")

wrong("words-only-joined", {TEXT: "_joined(token_ids, model)"}, """
    The words are joined by spaces, and nothing more.
    A sentence begins with a capital, and no space stands before its full stop. `written_sentence` does this.""")

wrong("ids-returned", {TEXT: "token_ids"}, """
    The ids are returned, not a text.
    What is missing is the way back, from numbers to words.""")

wrong("english-words", {TEXT: "' '.join(words_of(token_ids, model.source_vocabulary))"}, """
    The ids are looked up among the English words.
    Each language has its own numbers. The Spanish words are in model.target_words.""")

wrong("not-prepared", {"prepare_sentence(sentence, model)": "sentence"}, """
    The sentence is encoded as it was typed.
    “cats.” is one word then, and unknown. `prepare_sentence` separates the full stop, and refuses what the model cannot
    know.""")

wrong("prepared-in-vain", {"encode(prepare_sentence(sentence, model)": "encode(_checked(sentence, model)"}, """
    The sentence is encoded as it was typed, not as `prepare_sentence` returns it.
    Then unknown words are refused, but “cats.” is still one word, which `encode` does not know. Encode the prepared
    words.""")

wrong("own-preparation",
      {"prepare_sentence(sentence, model)": "sentence.lower().replace('.', ' .').replace('?', ' ?')"}, """
    Punctuation is separated, but unknown words, contractions and missing full stops pass.
    `encode` turns every unknown word into `<unk>` without complaint, and the model translates something else.
    `prepare_sentence` refuses the word by name.""")


@wrong.function
def error_as_text(sentence, model, beam_width=1, alpha=0.0):
    """A refusal is returned as if it were a translation.
    Do not catch the ValueError of `prepare_sentence`: the caller has to be able to tell a refusal from a
    translation."""
    try:
        return reference.translate(sentence, model, beam_width, alpha)
    except ValueError as error:
        return str(error)


wrong("source-with-end", {SOURCE_IDS: f"np.append({SOURCE_IDS}, EOS)"}, """
    An end symbol is added after the source.
    Many models are trained that way. This one never saw an end symbol in its source.""")

wrong("source-with-start", {SOURCE_IDS: f"np.append(BOS, {SOURCE_IDS})"}, """
    A start symbol is added before the source.
    The start symbol begins the target. The source comes as it is.""")

wrong.at(DECODING)
wrong("source-hidden", {"np.ones(source": "np.zeros(source"}, """
    source_is_token is False everywhere: the decoder sees nothing of the source.
    One sentence alone has no padding: all of its ids are tokens.""")

wrong("first-position", {"model)[:, -1]": "model)[:, 0]"}, """
    Every step uses the logits that follow the start symbol alone.
    The logits of the last position of the whole prefix say what comes next.""")

wrong("last-token-only", {"decode_target(prefixes,": "decode_target(prefixes[:, -1:],"}, """
    The decoder gets the newest token alone.
    It needs the whole prefix: it attends to everything written so far.""")

for id, symbol, words in (("end", "EOS", "the end symbol"), ("padding", "0", "padding")):
    wrong.everywhere(f"starts-with-{id}", {"BOS": symbol}, f"""
    The prefix begins with {words}.
    The model was trained to begin after `<bos>`.""")

wrong.everywhere("end-not-recognised", {"EOS": "0"}, """
    The end symbol is not recognised, and the search goes on after it.
    What a model says after the end means nothing: it has never seen anything there in training.""")

wrong.everywhere("length-of-source", {"model.max_len": "source_ids.shape[-1]"}, """
    The translation is cut to the length of the source.
    Translations are often longer than what they translate. The limit is model.max_len.""")

wrong.everywhere("fixed-limit", {"model.max_len": "50"}, """
    The limit is 50 tokens, whatever model.max_len is.
    Every model has a limit of its own.""")

wrong("always-greedy", "translate(sentence, model, 1, alpha)", """
    beam_width is ignored: the search is always greedy.
    With a beam_width above 1, call your `beam_search`.""", unless_called=["beam_search"])

wrong("beam-of-one", {"EOS, beam_width,": "EOS, 1,"}, """
    With a beam the translation is still that of the greedy search.
    Either `beam_search` does not get beam_width, or next_log_probs gives every word but the likeliest so little that a
    wide beam finds nothing else.""")

wrong("greedy-without-penalty", {"if beam_width == 1": "if beam_width == 1 or alpha == 0"}, """
    Without a length penalty the search is always greedy.
    beam_width alone decides between the two searches. alpha only changes how a beam's hypotheses are ranked.""")

wrong("width-and-length-exchanged", {"beam_width, model.max_len, alpha": "model.max_len, beam_width, alpha"}, """
    `beam_search` gets beam_width as the longest length, and model.max_len as the width.
    Its parameters are next_log_probs, bos_id, eos_id, beam_width, max_len and alpha, in this order.""")

wrong("fixed-width", {"EOS, beam_width,": "EOS, 4,"}, """
    The beam has the width 4, whatever beam_width is.
    A wider beam may find another translation than the one that was asked for.""")

wrong("alpha-ignored", "translate(sentence, model, beam_width, 0.0)", """
    alpha is not passed on.
    Without it a beam prefers short translations.""")

wrong("worst-of-the-beam", {"alpha)[0][1]": "alpha)[-1][1]"}, """
    The last hypothesis of the beam is taken.
    `beam_search` returns the best one first.""")

wrong.at(WORDS)
wrong("score-too", {
    "    token_ids = beam_search(": "    score, token_ids = beam_search(",
    "alpha)[0][1]": "alpha)[0]\n        return written_sentence(token_ids, model), score",
}, """
    With a beam the score is returned as well.
    The result is a text in both cases.""")

wrong.at(DECODING)
wrong.everywhere("symbols-exchanged", {"BOS, EOS": "EOS, BOS"}, """
    The start and the end symbol are swapped.
    Both searches take the start symbol first.""")

wrong.at(WORDS)
wrong("source-between-symbols", {SOURCE_IDS: f"np.array([BOS, *{SOURCE_IDS}, EOS])"}, """
    A start symbol is added before the source, and an end symbol after it.
    Many models are trained that way. This one never saw them in its source, which comes as it is.""")

wrong.at(DECODING)
wrong("raw-logits", {LOG_PROBS: "logits"}, """
    The search adds up logits, not log-probabilities.
    For the best next token that makes no difference. But a beam compares different sentences, and logits after
    different prefixes have no common scale.""")

wrong("probabilities", {LOG_PROBS: "softmax(logits)"}, """
    The search adds up probabilities, not their logarithms.
    The probability of a sentence is a product. Logarithms turn it into a sum.""")

wrong("normalised-over-beam", {
    MAXIMUM: "logits.max(axis=0, keepdims=True)",
    SUM: "np.exp(shifted).sum(axis=0, keepdims=True)",
}, """
    The log-probabilities are normalised over the hypotheses, not over the words.
    For each prefix the probabilities of all words sum to 1. Which axis is that?""")

wrong("normalised-over-everything", {MAXIMUM: "logits.max()", SUM: "np.exp(shifted).sum()"}, """
    One sum over all hypotheses normalises the log-probabilities.
    For each prefix the probabilities of all words sum to 1, whatever the others say. A sum without an axis adds up all
    rows.""")

wrong("unstable", {f" - {MAXIMUM}": ""}, """
    The exponentials are taken of the logits as they are.
    They overflow where a logit is large. Subtract the maximum first: it cancels.""")

wrong("maximum-of-all-rows", {MAXIMUM: "logits.max()"}, """
    The largest logit of all hypotheses is subtracted from every row.
    In a row of much smaller logits every exponential is then 0, and so is their sum. Each row has its own maximum.""")

wrong("sum-of-all-rows", {SUM: "np.exp(shifted).sum()"}, """
    The sum under the logarithm has no axis: it adds up the words of all hypotheses.
    For each prefix the probabilities of all words sum to 1, whatever the others say. The sum runs along the words.""")

wrong("sum-over-hypotheses", {"np.exp(shifted).sum(axis=-1": "np.exp(shifted).sum(axis=0"}, """
    The sum under the logarithm runs over the hypotheses, not over the words.
    For each prefix the probabilities of all words sum to 1. Which axis is that?""")

wrong("only-shifted", {LOG_PROBS: "shifted"}, """
    The logits of a prefix are shifted, but not by the logarithm of their own sum.
    So they are no log-probabilities, and the sums of two hypotheses cannot be compared. What has to be subtracted is
    the maximum, and then the logarithm of the sum of the exponentials of this prefix.""")

wrong("divided-by-maximum", {"logits - logits.max": "logits / logits.max"}, """
    The logits are divided by their maximum.
    That changes the differences between them, and so every probability. Subtracting the maximum changes none.""")

wrong("sharpened", {f"logits - {MAXIMUM}": f"10 * (logits - {MAXIMUM})"}, """
    The logits are multiplied by a number before they become log-probabilities.
    A factor sharpens all the distributions, as a low temperature does. The model's own logits are wanted.""")

wrong("base-two", {"np.log(": "np.log2("}, """
    The logarithm of the sum is taken to the base 2.
    It has to undo `np.exp`, so its base is e: `np.log`.""")

wrong("added-in-the-logarithm", {LOG_PROBS: "np.log(softmax(logits) + 1e-9)"}, """
    A small number is added to the probabilities before their logarithm.
    All words that are less likely than that number look alike then, and a beam cannot tell them apart. The
    logits give the log-probabilities without it.""")

wrong("divided-by-length", {LOG_PROBS: f"({LOG_PROBS}) / prefixes.shape[1]"}, """
    The log-probabilities of each step are divided by the length of the prefix.
    Late words would count less than early ones. The length penalty is the business of `beam_search`, at the end.""")

wrong("memory-of-the-first", {
    "np.repeat(memory, k, axis=0)": "np.concatenate([memory, np.zeros((k - 1, *memory.shape[1:]))])",
}, """
    Only the first hypothesis has the memory of the source.
    All of them translate the same sentence: each needs the same memory.""")

wrong("answers-of-the-first", {"is_token, k, axis=0), model)[:, -1]": "is_token, k, axis=0), model)[:1, -1]",
                               "return shifted - np": "return np.zeros((k, 1)) + shifted - np"}, """
    All hypotheses get the log-probabilities of the first one.
    What comes next depends on the prefix: row i of the result belongs to prefix i.""")
