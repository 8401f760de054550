"""The program that chats, with a public model that has to be installed beside the file."""

from transformer_kit.public.smollm import END, INSTALL, PACKAGE, SYSTEM, load_smollm
from transformer_kit.reference import byte_pair_merge, chat_prompt, dequantised, write

EXAMPLE = "chat Who are you?"
FILES = ()
NEEDS = PACKAGE, INSTALL
N_PIECES = 120  # of an answer, at most


def chat():
    """Talk to SmolLM2, a small public model: what it says is likely, and often not true.

    Returns
    -------
    callable
        From words to what is left to say; all before is printed while it is written. It remembers the conversation.
    """
    decoder, pieces = load_smollm(dequantised)
    ends, turns = (pieces.marks[END],), []

    def answer(words):
        ids, printed = [], ""

        def likeliest(logits):
            nonlocal printed
            chosen = int(logits.argmax())
            if chosen not in ends:
                ids.append(chosen)
                text = pieces.decode(ids).rstrip("\ufffd")  # a character may need several pieces
                print(text[len(printed) :], end="", flush=True)
                printed = text
            return chosen

        turns.append(("user", " ".join(words)))
        write(pieces.encode(chat_prompt(turns, SYSTEM), byte_pair_merge), decoder, likeliest, ends, N_PIECES)
        turns.append(("assistant", pieces.decode(ids)))
        return pieces.decode(ids)[len(printed) :]

    return answer
