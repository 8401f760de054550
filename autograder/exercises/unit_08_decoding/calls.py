"""Small calls for reports, as code to be copied: see `Exercise`. None of them is a call of a claim."""

APPLY_TEMPERATURE = ("apply_temperature(np.array([1.0, 2.0]), -1.0)",)
TOP_K_FILTER = (
    "top_k_filter(np.array([1.0, 2.0]), 0)",
    "top_k_filter(np.array([1.0, 2.0]), 2)",
)
TOP_P_FILTER = (
    "top_p_filter(np.array([1.0, 2.0]), 0.0)",
    "top_p_filter(np.array([1.0, 2.0]), 1.5)",
    "top_p_filter(np.array([1.0, 2.0]), 1.0)",
)
SAMPLE_TOKEN = (
    "sample_token(np.array([0.25, 0.75]), 0.5)",
    "sample_token(np.array([0.5000004, 0.4999996]), 0.5000002)",
)


def _model(table, otherwise):
    """Return the lines that make a model of ids up to 4 from probabilities: after these ids, and after all others."""
    made = f"model = table_model(table, 5, {otherwise})"
    return f"from transformer_kit.examples.toy_models import table_model\n\ntable = {table}\n{made}\n\n"


_CHAIN = _model("{(): {2: 0.5, 3: 0.3, 1: 0.2}, (2,): {1: 0.25, 2: 0.75}, (2, 2): {3: 1.0}}", "{1: 1.0}")
_FIRST = _model("{(): {2: 0.4, 3: 0.3, 4: 0.2, 1: 0.1}}", "{1: 0.55, 4: 0.45}")
_TIED = _model("{(): {2: 0.5, 3: 0.5}}", "{1: 0.75, 4: 0.25}")
_START = _model("{(): {0: 0.7, 3: 0.3}}", "{1: 0.75, 4: 0.25}")
_END = _model("{(): {1: 0.75, 3: 0.25}}", "{1: 0.75, 4: 0.25}")
_SPLIT = _model("{(): {3: 0.5, 2: 0.25, 4: 0.25}, (3,): {2: 0.5, 4: 0.5}}", "{1: 1.0}")
_EQUAL = _model("{(): {2: 0.5, 3: 0.5}, (2,): {4: 1.0}}", "{1: 1.0}")
_SURE = _model("{(): {2: 0.7, 3: 0.3}, (2,): {2: 0.55, 4: 0.45}, (3,): {1: 1.0}}", "{1: 0.6, 2: 0.4}")
_WIDE = _model("{(): {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, (4,): {1: 1.0}}", "{1: 0.28, 2: 0.26, 3: 0.24, 4: 0.22}")
_LATE = _model("{(): {2: 0.9, 1: 0.1}, (2,): {3: 0.55, 4: 0.45}}", "{1: 1.0}")
_TINY = _model("{}", "{1: 1.0, 2: 1e-200}")
SEQUENCE_LOG_PROB = (
    _CHAIN + "sequence_log_prob(model, 0, (2, 2, 3, 1))",
    _CHAIN + "sequence_log_prob(model, 0, (3, 1))",
    _CHAIN + "sequence_log_prob(model, 0, (2, 2))",
    _FIRST + "sequence_log_prob(model, 0, (1, 4))",
    _TINY + "sequence_log_prob(model, 0, (2, 2, 1))",
)
GREEDY_DECODE = (
    _CHAIN + "greedy_decode(model, 0, 1, max_len=5)",
    _CHAIN + "greedy_decode(model, 0, 1, max_len=2)",
    _CHAIN + "greedy_decode(model, 0, 1, max_len=4)",
    _CHAIN + "greedy_decode(model, 0, 3, max_len=4)",
    _TIED + "greedy_decode(model, 0, 1, max_len=3)",
    _END + "greedy_decode(model, 0, 1, max_len=3)",
    _START + "greedy_decode(model, 0, 1, max_len=3)",
    _END + "greedy_decode(model, 0, 3, max_len=3)",
)
SAMPLE_DECODE = (
    _CHAIN + "sample_decode(model, 0, 1, 5, [0.25, 0.5, 0.75, 0.5, 0.5])",
    _FIRST + "sample_decode(model, 0, 1, 3, [0.3, 0.9, 0.1, 0.8])",
    _FIRST + "sample_decode(model, 0, 1, 2, [0.3, 0.3, 0.9])",
    _FIRST + "sample_decode(model, 0, 1, 2, [0.3, 0.9, 0.9, 0.9])",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.95], temperature=2.0, top_p=0.65)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.75], temperature=0.5)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.75], temperature=0)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.9], temperature=0.5)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.95], top_k=2)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.5], top_k=2)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.95], top_p=0.6)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.95], top_k=3, top_p=0.75)",
    _FIRST + "sample_decode(model, 0, 1, 1, [0.95], top_k=2, top_p=0.85)",
    _FIRST + "sample_decode(model, 0, 3, 2, [0.05, 0.3])",
    _END + "sample_decode(model, 0, 1, 3, [0.5, 0.9, 0.9])",
)
BEAM_SEARCH = (
    _CHAIN + "beam_search(model, 0, 1, beam_width=2, max_len=4)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=2, max_len=2)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=1, max_len=4)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=3, max_len=3)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=4, max_len=1)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=2, max_len=4, alpha=1.0)",
    _CHAIN + "beam_search(model, 0, 1, beam_width=3, max_len=4, alpha=2.0)",
    _SURE + "beam_search(model, 0, 1, beam_width=2, max_len=3)",
    _WIDE + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _FIRST + "beam_search(model, 0, 1, beam_width=3, max_len=3, alpha=3.0)",
    _START + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _TINY + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _LATE + "beam_search(model, 0, 1, beam_width=2, max_len=5)",
    _TIED + "beam_search(model, 0, 1, beam_width=2, max_len=3)",
    _TIED + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _SPLIT + "beam_search(model, 0, 1, beam_width=2, max_len=2)",
    _SPLIT + "beam_search(model, 0, 1, beam_width=3, max_len=2)",
    _EQUAL + "beam_search(model, 0, 1, beam_width=2, max_len=4)",
)
