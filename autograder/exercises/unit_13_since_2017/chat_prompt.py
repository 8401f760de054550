"""Specification of `chat_prompt`."""

from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MARKS = "A conversation is one text"
SPEAK = "Where the model speaks"
LETTERS = "abcdefghij"
DEFAULT = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"  # of the model's own template

EXERCISE = Exercise(
    reference=reference.chat_prompt,
    asks="the whole conversation as one text with marks, up to where the model has to speak.",
    returns=(Output("prompt"),),
    where=MARKS,
    calls=calls.CHAT_PROMPT,
    lookalike=lookalikes.CHAT_PROMPT,
)


def _said(rng, n_words=2):
    """Draw something to say."""
    return " ".join("".join(rng.choice(list(LETTERS), 4)) for _ in range(n_words))


def _turns(rng, n):
    """Draw a conversation."""
    return [(("user", "assistant")[i % 2], _said(rng)) for i in range(n)]


@EXERCISE.claim(0.5)
def whole(call, rng):
    """every turn stands between its marks, in order"""
    for n in (3, 5):
        call.agrees(_turns(rng, n), _said(rng, 3))
    call.agrees([("user", f"{_said(rng)}\n{_said(rng)}")], _said(rng))
    call.agrees([("user", f"  {_said(rng)} "), ("assistant", ""), ("user", _said(rng))], _said(rng))


@EXERCISE.claim(0.25)
def one_turn(call, rng):
    """the system's line stands once, at the front, and the text ends where the model speaks"""
    call.agrees(_turns(rng, 1), _said(rng, 4))
    call.agrees(_turns(rng, 1), "")


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its input alone"""
    turns = _turns(rng, 3)
    system = _said(rng)
    call.leaves_inputs_alone(turns, system)
    call.agrees(turns, system)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(SPEAK)
wrong("nobody-speaks", {' + "<|im_start|>assistant\\n"': ""}, """
    The text ends after the last turn.
    Then the model decides who speaks next, and may write your next line. Open its turn for it.""")

wrong("line-not-ended", {'"<|im_start|>assistant\\n"': '"<|im_start|>assistant"'}, """
    The line end after the last "assistant" is missing.
    The model has seen it there every time. Without it, it writes the line end itself, or something else.""")

wrong("turn-closed", {'"<|im_start|>assistant\\n"': '"<|im_start|>assistant\\n<|im_end|>\\n"'}, """
    The model's turn is closed before it has said anything.
    The end mark is what the model writes when it is done.""")


@wrong.function
def speaks_after_every_turn(turns, system):
    """The assistant is asked to speak after every turn.
    It speaks at the end. What it has said before is among the turns, with its own marks."""
    asked = "<|im_start|>assistant\n"
    opened = reference.chat_prompt([], system).removesuffix(asked)
    return opened + "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n{asked}" for role, text in turns)


wrong("user-speaks", {'"<|im_start|>assistant\\n"': '"<|im_start|>user\\n"'}, """
    It is the user's turn at the end.
    The model plays the assistant.""")

wrong.at(MARKS)
wrong("space-for-line-end", {"{role}\\n{text}": "{role} {text}"}, """
    A space stands between the role and what is said.
    There is a line end, as in the texts that the model was trained on.""")

wrong("line-end-before-the-mark", {"<|im_end|>\\n": "\\n<|im_end|>"}, """
    The line end comes before the end mark.
    What is said ends with the mark, and the line ends after it.""")

wrong("no-line-end-after-the-mark", {"<|im_end|>\\n": "<|im_end|>"}, """
    The line does not end after the end mark.
    After the mark there is a line end, after every turn.""")

wrong("line-ends-around-the-mark", {"<|im_end|>\\n": "\\n<|im_end|>\\n"}, """
    There is one more line end, before the end mark.
    The mark follows the text at once.""")

wrong("empty-lines", {'"".join': '"\\n".join', ' + "<|im_start|>assistant\\n"': ' + "\\n<|im_start|>assistant\\n"'}, """
    Empty lines stand between the turns.
    The line end after the end mark is the only one. Where turns are joined, nothing comes between them.""")

wrong("start-mark-at-the-end", {"<|im_end|>": "<|im_start|>"}, """
    The mark at the end of a turn is the start mark.
    There are two marks: `<|im_start|>` before the role, `<|im_end|>` after what is said.""")

wrong("backslashes", 'chat_prompt(turns, system).replace(chr(10), chr(92) + "n")', """
    There are no line ends, but backslashes, each with an n.
    In a raw text, as in `r"..."`, \\n is not a line end.""")

wrong("no-end-marks", {"<|im_end|>\\n": "\\n"}, """
    The end marks are missing.
    The model would not know where a turn ends, and would not end its own.""")

wrong("no-start-marks", {"<|im_start|>{role}": "{role}"}, """
    The start marks are missing.
    A role is only a role after its mark. Anybody may say "user".""")

wrong("no-roles", {"{role}\\n": ""}, """
    The roles are missing.
    The model has to know who says what.""")

wrong("system-missing", {'[("system", system), *turns]': "turns"}, """
    The system's line is missing.
    It is a turn like the others, and the first.""")

wrong("system-left-out-where-empty", "chat_prompt(turns, system) if system else "
      "chat_prompt(turns, system)[len(chat_prompt([], system)) - len('<|im_start|>assistant\\n') :]", """
    An empty system's line is left out.
    It is written like any other: with its marks, its role, and nothing between them.""")

wrong("system-by-default", "chat_prompt(turns, system or DEFAULT)", """
    Where the system's line is empty, another text takes its place.
    The model gets what was given, even where that is nothing.""")

wrong("roles-ignored", 'chat_prompt([("user", text) for _, text in turns], system)', """
    Every turn is the user's.
    The first entry of a turn says who speaks.""")

wrong("system-every-time",
      {'[("system", system), *turns]': '[each for turn in turns for each in (("system", system), turn)]'}, """
    The system's line stands before every turn.
    It is said once, at the front.""")

wrong("system-last", {'[("system", system), *turns]': '[*turns, ("system", system)]'}, """
    The system's line comes last.
    It is the first thing that the model reads.""")

wrong("last-turn-only", {"*turns]": "*turns[-1:]]"}, """
    Only the last turn is kept.
    The model remembers nothing by itself. What was said before has to be said again.""")

wrong("stripped", {"{text}": "{text.strip()}"}, """
    Spaces at the ends of what was said are removed.
    Say what was said.""")

wrong("reversed", {"*turns]": "*turns[::-1]]"}, """
    The turns are in the opposite order.
    The first comes first.""")

wrong("a-list", '[*chat_prompt(turns, system).splitlines()]', """
    The result is a list of lines.
    It is one text.""")


@wrong.function
def turns_extended(turns, system):
    """The system's line is put into the list that was given.
    At the next call it would stand there twice. Make a list of your own."""
    turns.insert(0, ("system", system))
    return reference.chat_prompt(turns[1:], system)
