"""Fill the tables of the model card: `python -m tests.model_card`."""

from tests.course import ROOT
from tests.readme import filled
from transformer_kit.evaluation import figures

CARD = ROOT / "docs" / "model_card.md"


def main():
    """Write the model card anew."""
    CARD.write_text(filled(CARD.read_text(encoding="utf-8"), figures()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
