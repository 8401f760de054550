"""Slips are named, or their line is: a field for another, two arguments exchanged, a bracket moved, an axis dropped."""

import pytest

from autograder.learner.local import evaluate_locally, whereabouts
from autograder.registry import find
from tools.bank import specimens
from tools.diagnosis import judged

SLIPS = {  # functions of the bank, by exercise
    "encode": "unknown_is_a_text unknown_is_a_text_for_words",
    "add_positions": "leaves_the_check_to_numpy",
    "position_similarity": "float32_inside",
    "shift_matrix": "least_squares_of_four",
    "attention_backward": "capital_T_everywhere weights_as_they_stand products_as_they_stand",
    "attention_scores": "float32_inside root_of_everything",
    "causal_mask": "triu_without_shift triu_from_a_blog",
    "combine_masks": "adds_boolean_masks",
    "first_leak": "adds_one_to_all signs_kept",
    "masked_attention": "adds_the_mask",
    "masked_softmax": "tiny_in_place_of_huge",
    "fused_self_attention": "slices_axis_1 keys_first_and_no_mask blocks_of_one_head",
    "multi_head_attention": "mask_axis_and_W_O_missing keys_from_W_V raw_queries",
    "cross_attention": "mask_of_four_axes roles_and_raw_mask",
    "project_memory": "one_block_for_all_heads first_block_of_own_width",
    "count_layer_parameters": "matrices_of_four_d_model",
    "ffn_backward": "first_map_from_dH dW1_alone_from_dH",
    "gelu": "float32_inside root_of_two_pi half_of_one",
    "swiglu": "sigmoid_without_brackets sigmoid_of_up silu_over_one",
    "layer_norm": "float32_inside variance_squared power_one_half",
    "layer_norm_backward": "only_last_term_divided means_of_everything no_gamma_and_axis_0 one_mean_without_axis",
    "pre_norm": "norms_the_sum",
    "rms_norm": "vector_length_plus_eps mean_square_squared",
    "beam_search": "best_child_of_every_parent penalty_bracket",
    "sample_decode": "top_k_lost temperature_at_both_ends one_number_and_filters_first",
    "top_k_filter": "smallest_and_zeros slice_one_too_long",
    "cached_decode_step": (
        "cross_attention_without_W_O network_with_norm_2 no_W_Q_to_the_source own_W_Q_to_the_source "
        "source_values_as_keys residual_from_the_start new_value_behind_old_keys new_key_behind_old_values "
        "mask_of_one_key"
    ),
    "decode_target": "loops_over_the_encoder memory_comes_first",
    "decoder_layer": "norm_1_for_both_attentions network_with_norm_1",
    "adam_update": "betas_of_the_means_swapped corrections_swapped beta_1_twice",
    "smooth_labels": "one_over_V",
    "train_step": (
        "step_and_lr_swapped m_and_v_swapped width_and_warm_up_swapped goal_before_logits v_before_m_in_the_state"
    ),
    "head_outputs": "values_from_W_K values_not_projected keys_and_values_crossed",
    "biased_attention": "b_K_for_the_values",
    "word_pieces": "marks_the_first_piece",
}
FAST = ("combine_masks", "count_layer_parameters", "encode", "rms_norm", "swiglu")
EXERCISES = [pytest.param(name, marks=() if name in FAST else pytest.mark.exhaustive) for name in SLIPS]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_slip_is_named_or_its_line_is(name):
    exercise = find(name)
    found = {specimen.function.__name__: specimen for specimen in specimens(name)}
    for slip in SLIPS[name].split():
        verdict, _ = evaluate_locally(exercise, found[slip].function)
        told = judged(found[slip], verdict, whereabouts(found[slip].function, verdict))
        assert [fault for _, fault in told if fault] == [], slip
