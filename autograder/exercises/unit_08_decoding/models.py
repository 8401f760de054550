"""The models that the claims of this unit hand to the learner's function, and the words for them."""

import numpy as np

from autograder.evaluation.trials import Failed
from autograder.execution.describe import number_text
from autograder.execution.handed import Numbers
from transformer_kit.examples.toy_models import PrefixModel, TableModel, table_model

HANDS = {"next_log_probs": (Numbers("iu", axes=2, name="prefixes"),)}  # what every model takes
WRITTEN_OUT = 6  # rows: a table of up to so many is told in words


def table(rows, vocab_size=8, otherwise=None, bos_id=0):
    """Return a `TableModel`; where `otherwise` is left out, the end (id 1) is certain after other prefixes."""
    return table_model(rows, vocab_size, otherwise or {1: 1.0}, bos_id)


def endless_model(rng, vocab_size, eos_id, bos_id=0):
    """Return a random model in which the end never comes."""
    tables = rng.standard_normal((8, vocab_size, vocab_size))
    tables[..., eos_id] = -np.inf
    return PrefixModel(tables, bos_id)


def long_model(bos_id=0):
    """Return a model of 16 tokens that never ends and in which token 5 is a little likelier than the others."""
    probabilities = {token: 0.066 for token in range(16) if token != 1} | {5: 0.076}
    return table({}, 16, probabilities, bos_id)


def renamed(rng, model):
    """Give the tokens of a table other ids in the same order, so that no answer is the same twice.

    No token gets the id 1: whoever takes that for the end never meets it.

    Returns
    -------
    model : TableModel
    ids : list of int
        New id of every token.
    """
    n = len(model.otherwise)
    new = np.sort(rng.choice(np.delete(np.arange(n + 5), 1), n, replace=False))

    def row(log_probs):
        wide = np.full(n + 5, -np.inf)
        wide[new] = log_probs
        return wide

    rows = {tuple(new[list(ids)].tolist()): row(log_probs) for ids, log_probs in model.table.items()}
    return TableModel(rows, row(model.otherwise), int(new[model.bos_id])), new.tolist()


def agrees_renamed(call, rng, model, bos_id, eos_id, *args, **kwargs):
    """Require the reference's result for a table whose tokens have other ids."""
    model, ids = renamed(rng, model)
    return agrees(call, model, ids[bos_id], ids[eos_id], *args, **kwargs)


def agrees(call, model, *args, **kwargs):
    """Require the reference's result; where it differs, say what the model was."""
    try:
        return call.agrees(model, *args, **kwargs)
    except Failed as failed:
        raise type(failed)(f"{failed.text} {in_words(model)}", failed.difference) from None


def in_words(model):
    """Describe a model in a sentence, with all its numbers where they are few."""
    if not isinstance(model, TableModel):
        return f"The model: a random one of {model.tables.shape[-1]} tokens, which depends on the whole prefix."
    if not 0 < len(model.table) <= WRITTEN_OUT:
        return f"The model: the same probabilities after every prefix, for {len(model.otherwise)} tokens."
    rows = [f"after {ids} {_row(log_probs)}" for ids, log_probs in model.table.items()]
    return f"The model's probabilities by token id: {'; '.join([*rows, f'otherwise {_row(model.otherwise)}'])}."


def _row(log_probs):
    likely = {token: np.exp(log_prob) for token, log_prob in enumerate(log_probs) if log_prob > -np.inf}
    return "{" + ", ".join(f"{token}: {number_text(p)}" for token, p in likely.items()) + "}"
