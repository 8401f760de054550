"""A hundred definitions, chosen by nobody, with a reader's judgement of their grammar."""

from tools.course import ROOT

JUDGED_SEED = 3  # of the words and of the draws
JUDGED = ROOT / "tools" / "judged_definitions.txt"


def judged_definitions():
    """Return words, kinds, definitions, and whether the English of the definition is without a fault."""
    found = []
    for line in JUDGED.read_text(encoding="utf-8").splitlines():
        if line.startswith(("+ ", "- ")):
            entry, definition = line[2:].split(": ", 1)
            word, kind = entry.removesuffix(")").rsplit(" (", 1)
            found.append((word, kind, definition, line[0] == "+"))
    return found


def share_of_good_grammar():
    """Return the figure as a sentence of the model card."""
    judged = judged_definitions()
    good = sum(good for *_, good in judged)
    return f"Of {len(judged)} such definitions, {good} are English without a fault in grammar."
