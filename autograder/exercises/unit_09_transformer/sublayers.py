"""Mistakes that `decoder_layer` and `cached_decode_step` share: a sub-layer with the parameters of another one."""

from collections.abc import Mapping

from autograder.exercises.wrong import WrongAnswers

SUBLAYERS = {1: "self-attention", 2: "attention to the source", 3: "feed-forward network"}  # by the number of its norm


def take_other_norms(wrong: WrongAnswers, mistakes: Mapping[str, tuple[int, int]]) -> None:
    """Add mistakes in which one sub-layer uses the norm of another.

    Parameters
    ----------
    wrong : WrongAnswers
    mistakes : dict
        By id: the numbers of the sub-layer and of the norm that it uses.
    """
    for id, (sublayer, norm) in mistakes.items():
        again, order = (" again", "") if norm < sublayer else ("", ", in their order")
        wrong(id, {f"norm_{sublayer}": f"norm_{norm}"}, f"""
        The {SUBLAYERS[sublayer]} uses norm_{norm}{again}.
        Each of the three sub-layers has a norm of its own{order}.""")


def take_exchanged_norms(wrong: WrongAnswers, id: str, first: int, second: int) -> None:
    """Add the mistake that two sub-layers, told by their numbers, have each other's norm."""
    wrong(id, {f"norm_{first}": f"norm_{second}", f"norm_{second}": f"norm_{first}"}, f"""
    norm_{first} and norm_{second} are swapped.
    The norms are numbered in the order of the sub-layers.""")


def take_one_attention(wrong: WrongAnswers, id: str, sublayer: int) -> None:
    """Add the mistake that both attentions use the parameters of the same one, told by its number."""
    fields = "params.self_attention", "params.cross_attention"
    right, other = fields[sublayer - 1], fields[2 - sublayer]
    wrong(id, {other: right}, f"""
    Both attentions use the parameters of the {SUBLAYERS[sublayer]}.
    All their matrices have the same shapes, so nothing fails. They are two attentions, learned separately.""")
