"""Fill the table in docs/proof.md of what is handed in to try the grading: `python -m tests.support.grading_table`."""

from collections import Counter

from tests.attacks import ATTACKS
from tests.support import damaged_notebooks
from tools.readme import PROOF, fill


def grading_table():
    """Return what is handed in to try the grading of a class, as a Markdown table."""
    families = Counter(attack.family for attack in ATTACKS.values())
    outcomes = [expected for _, expected in damaged_notebooks.KINDS.values()]
    readable = len(outcomes) - outcomes.count("unreadable")
    listed = ", ".join(f"{name} {count}" for name, count in families.most_common())
    lines = [
        "| handed in | how many | what comes of it |",
        "|---|---:|---|",
        f"| hostile submissions ({listed}) | {len(ATTACKS)} | what their functions are worth without the attack |",
        f"| damaged notebooks whose code can be read | {readable} | the points of the functions that are left |",
        f"| files that hold no notebook | {outcomes.count('unreadable')} | the verdict *unreadable*, and why |",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    fill(PROOF, {"grading": grading_table()})
