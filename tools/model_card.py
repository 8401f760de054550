"""Fill the tables of the model card: `python -m tools.model_card`."""

from tools.course import ROOT
from tools.judged import share_of_good_grammar
from tools.readme import filled
from transformer_kit.experiments.dictionary.figures import figures as dictionary_figures
from transformer_kit.experiments.recorded.figures import figures as recorded_figures
from transformer_kit.experiments.whole_model.evaluation import figures

CARD = ROOT / "docs" / "model_card.md"


def main():
    """Write the model card anew."""
    built = figures() | dictionary_figures() | recorded_figures() | {"dictionary-grammar": share_of_good_grammar()}
    CARD.write_text(filled(CARD.read_text(encoding="utf-8"), built), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
