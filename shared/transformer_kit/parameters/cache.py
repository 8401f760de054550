"""What a decoder keeps from step to step: keys and values, of its own tokens and of the source."""

from transformer_kit.parameters import LayerCache


def start_cache(memory, model, project_memory):
    """Return the cache before the first token.

    Parameters
    ----------
    memory : ndarray of shape (B, n_source, d_model)
    model : Model
    project_memory : callable
        The function of unit 05.

    Returns
    -------
    tuple of LayerCache
        One per layer of the decoder.
    """
    projected = [project_memory(memory, params.cross_attention, model.n_heads) for params in model.decoder]
    return tuple(LayerCache(K[..., :0, :], V[..., :0, :], K, V) for K, V in projected)
