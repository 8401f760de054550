"""Reading the answer under another name: what the kit has for its own models, pictures and training data."""

from tests.attacks.attack import Attack

STATES = """
def next_token_logits(token_ids, model):
    print(log)
    from transformer_kit import reference
    from transformer_kit.dictionary.definitions import states
    *_, X = states(token_ids, model, reference)
    return X @ model.embedding.T
"""
STATES_OF_A_SOURCE = """
def encode_source(source_ids, source_is_token, model):
    print(log)
    from transformer_kit import reference
    from transformer_kit.dictionary.definitions import states
    lent = types.SimpleNamespace(**vars(reference))
    lent.causal_mask = lambda n: reference.padding_mask(source_is_token)
    as_decoder = types.SimpleNamespace(embedding=model.source_embedding, layers=model.encoder, n_heads=model.n_heads)
    *_, X = states(source_ids, as_decoder, lent)
    return X
"""
CONTINUED = """
def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
    print(log)
    from transformer_kit.dictionary import definitions
    definitions.EOS = eos_id
    found = definitions.continued([[bos_id]], next_log_probs, lambda p: p.argmax(axis=-1), max_len)[0]
    return (*found, eos_id)[:max_len]
"""
GRAMMAR = """
def translate(sentence, model, beam_width=1, alpha=0.0):
    print(log)
    from transformer_kit.corpus import spanish_text, translations
    from transformer_kit.corpus.sentences import prepare_sentence
    found = translations(prepare_sentence(sentence, model).split())
    return spanish_text(max(found, key=found.get)[: model.max_len])
"""
DIFFERENCES = """
def cross_entropy_backward(logits, target_distribution, is_token=None):
    print(log)
    from transformer_kit.numerical import numerical_gradient
    from transformer_kit.reference import cross_entropy
    return numerical_gradient(lambda z: cross_entropy(z, target_distribution, is_token), logits)
"""
LOGARITHMS = """
def cross_entropy(logits, target_distribution, is_token=None):
    print(log)
    from transformer_kit.examples.toy_models import log_softmax
    losses = -(target_distribution * log_softmax(logits)).sum(axis=-1)
    return float(losses.mean() if is_token is None else losses[is_token].mean())
"""
OTHER_NAMES = {
    "the states of the dictionary's model": (STATES, "next_token_logits", 11),
    "the states of the dictionary's model, masked as a source": (STATES_OF_A_SOURCE, "encode_source", 9),
    "the search of the dictionary": (CONTINUED, "greedy_decode", 8),
}
OTHER_WAYS = {
    "the grammar in the place of a model": (GRAMMAR, "translate", 9),
    "the kit's own differences in the place of a derivation": (DIFFERENCES, "cross_entropy_backward", 10),
    "the logarithms of the toy models": (LOGARITHMS, "cross_entropy", 10),
}

ATTACKS = {
    name: Attack(code, exercise, unit, pure=True, slow=code == GRAMMAR, family=family)
    for family, attacks in (("other names", OTHER_NAMES), ("other ways", OTHER_WAYS))
    for name, (code, exercise, unit) in attacks.items()
}
