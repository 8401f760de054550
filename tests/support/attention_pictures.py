"""The pictures of units 02 and 04, to be looked at in tests."""

from transformer_kit import reference
from transformer_kit.examples.attention import POEM
from transformer_kit.pictures import attention_steps, query_turner, reshape_steps

STEPS = (reference.attention_scores, reference.softmax, reference.scaled_dot_product_attention)


def plain_reshape(X, n_heads):
    """Make the classic mistake: the right shape, and the wrong numbers in each head."""
    return X.reshape(n_heads, 4, 6 // n_heads)


def pictures_of_attention():
    """Return the pictures by name."""
    return {
        "one query": attention_steps(*STEPS, POEM.Q, POEM.K, POEM.V, POEM.tokens),
        "turner": query_turner(reference.scaled_dot_product_attention),
        "split": reshape_steps(reference.split_heads),
        "plain reshape": reshape_steps(plain_reshape),
        "merge": reshape_steps(reference.merge_heads, back=True),
    }
