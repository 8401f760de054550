"""The known mistakes of `multi_head_attention`; the wrong functions are in multi_head_attention_wrong.py."""

from autograder.exercise import Mistake
from autograder.exercises.unit_04_multi_head_attention import multi_head_attention_wrong as wrong

SECTION = "Exercise 4.3: multi_head_attention"
WHOLE_INPUT = "Every head sees the whole input"
SCALE = "Which root? The width of one head"
MASKS = "One mask for all heads"
MIXING = "Putting the heads together again"
RESHAPE = "Predict: what does a plain reshape do?"
WAY_BACK = "The way back"

MISTAKES = (
    Mistake(
        "scaled-by-d-model",
        "The scores are divided by the square root of d_model",
        wrong.scaled_by_d_model,
        "A head's dot products have as many terms as that head has columns. Divided by more, the scores of every "
        "head become too small and its weights too even; with one head nobody notices.",
        SCALE,
    ),
    Mistake(
        "scaled-by-all-heads",
        "The scores are divided by the square root of the width of all heads together",
        wrong.scaled_by_all_heads,
        "The last axis of the queries is a head's own width only after the heads have been split.",
        SCALE,
    ),
    Mistake(
        "not-scaled",
        "The scores are not divided at all",
        wrong.not_scaled,
        "Every head is scaled dot-product attention, with the divisor that belongs to it.",
        SCALE,
    ),
    Mistake(
        "scaled-twice",
        "The scores are divided by the square root of d_k twice",
        wrong.scaled_twice,
        "`masked_attention` and `attention_scores` have divided already.",
        SCALE,
    ),
    Mistake(
        "scaled-by-keys",
        "The scores are divided by the square root of the number of keys",
        wrong.scaled_by_keys,
        "How many terms a dot product has depends on the width of the head, not on the length of the sequence.",
        SCALE,
    ),
    Mistake(
        "no-output-matrix",
        "The heads are put side by side, but W_O is forgotten",
        wrong.no_output_matrix,
        "The shape may be right by luck, but the heads are never mixed: each column of the output would belong to "
        "one head.",
        MIXING,
    ),
    Mistake(
        "output-matrix-transposed",
        "W_O is transposed",
        wrong.output_matrix_transposed,
        "Tokens are rows, so they stand on the left, and W_O has as many rows as the merged heads have columns. "
        "When both happen to be equal, no error tells you.",
        MIXING,
    ),
    Mistake(
        "first-rows-of-W_O-for-all",
        "Every head is multiplied by the same rows of W_O, those of head 0",
        wrong.first_rows_for_all,
        "Each head has its own block of rows in W_O, in the order of the heads.",
        MIXING,
    ),
    Mistake(
        "heads-averaged",
        "The contributions of the heads are averaged",
        wrong.heads_averaged,
        "Through their rows of W_O the heads add up. How much each of them counts is learnt with W_O; nothing is "
        "divided by their number.",
        MIXING,
    ),
    Mistake(
        "plain-reshape",
        "The projections are reshaped straight into heads, and straight back",
        wrong.plain_reshape,
        "Every head then gets some tokens whole instead of some columns of all tokens.",
        RESHAPE,
    ),
    Mistake(
        "merged-by-reshape",
        "The heads are joined without moving the head axis back",
        wrong.merged_by_reshape,
        "The weights are right, but a row of the output then mixes several tokens of one head.",
        WAY_BACK,
    ),
    Mistake(
        "interleaved",
        "The heads take columns in turn",
        wrong.interleaved,
        "Neighbouring columns belong to the same head in this course.",
        "From columns to heads",
    ),
    Mistake(
        "input-split",
        "The input is cut into heads before it is projected",
        wrong.input_split,
        "Every head would see its own slice of the token vectors only. Project first: then each of a head's "
        "columns can draw on the whole token.",
        WHOLE_INPUT,
    ),
    Mistake(
        "memory-ignored",
        "Queries, keys and values all come from X_query",
        wrong.memory_ignored,
        "That is self-attention. Keys and values come from X_memory, which may be another sequence.",
        SECTION,
    ),
    Mistake(
        "roles-exchanged",
        "The queries come from X_memory, the keys and values from X_query",
        wrong.roles_exchanged,
        "The sequence that asks gives the queries, and there is one output row for each of them.",
        SECTION,
    ),
    Mistake(
        "keys-from-queries",
        "The keys come from X_query",
        wrong.keys_from_queries,
        "Keys and values are two views of the same tokens, those of X_memory. If they come from sequences of two "
        "lengths, they cannot be paired.",
        SECTION,
    ),
    Mistake(
        "values-by-W_K",
        "The values are projected with W_K",
        wrong.values_by_W_K,
        "Each of the three has its own matrix. What a token offers (W_V) need not be what it is found by (W_K).",
        WHOLE_INPUT,
    ),
    Mistake(
        "keys-by-W_Q",
        "The keys are projected with W_Q",
        wrong.keys_by_W_Q,
        "Each of the three has its own matrix, also where everything comes from the same sequence.",
        WHOLE_INPUT,
    ),
    Mistake(
        "sum-over-heads",
        "The softmax runs over the heads",
        wrong.sum_over_heads,
        "Heads do not compete: in each of them the weights of a query sum to 1 over the keys.",
        SECTION,
    ),
    Mistake(
        "sum-over-queries",
        "The softmax runs over the queries",
        wrong.sum_over_queries,
        "Every query shares out its own attention among the keys.",
        SECTION,
    ),
    Mistake(
        "weights-averaged",
        "The weights that are returned are averaged over the heads",
        wrong.weights_averaged,
        "Some libraries do so by default. Here every head shows its own map: an average hides what heads do.",
        SECTION,
    ),
    Mistake(
        "head-axis-first",
        "The head axis stands in front of the batch",
        wrong.head_axis_first,
        "The leading axes come first, then the heads, then queries and keys.",
        SECTION,
    ),
    Mistake(
        "mask-ignored",
        "The mask is accepted but not passed on",
        wrong.mask_ignored,
        "Every key stays visible. Follow the argument through your code to the softmax.",
        MASKS,
    ),
    Mistake(
        "mask-inverted",
        "What should be hidden is visible, and the reverse",
        wrong.mask_inverted,
        "In this course True means “may attend”.",
        MASKS,
    ),
    Mistake(
        "mask-along-the-heads",
        "The batch axis of the mask is lined up with the heads",
        wrong.mask_along_the_heads,
        "Shapes are lined up from the right, and the weights have a head axis that the mask has not. With as many "
        "sequences as heads this runs without an error and gives every head another sentence's mask.",
        MASKS,
    ),
    Mistake(
        "mask-repeated-in-another-order",
        "The mask is repeated for the heads in another order than the sequences",
        wrong.mask_repeated,
        "Repeating the whole batch once per head and cutting the result into sequences mixes the masks up. There "
        "is no need to repeat anything: an axis of length 1 is enough.",
        MASKS,
    ),
    Mistake(
        "nan-where-nothing-is-visible",
        "A query that may attend to nothing gets NaN",
        wrong.nan_where_nothing_is_visible,
        "The plain softmax of a row of minus infinities has no value. `masked_attention` knows what to do.",
        MASKS,
    ),
    Mistake(
        "average-where-nothing-is-visible",
        "A query that may attend to nothing attends to everything",
        wrong.average_where_nothing_is_visible,
        "When every score is the same large negative number, the weights are even. `masked_attention` knows what "
        "to do.",
        MASKS,
    ),
)
