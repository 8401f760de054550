"""How unlikely it is that two students agree by chance in just the exercises in which they do.

Short exercises are naturally alike, so what counts is where two students agree and others do not. Suppose that all
choose their versions of the exercises independently, each version as often as this class did: how likely is it that
two students agree in just these exercises? Students who agree in every exercise count as one here, so that a group does
not make its own solution common.
"""

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

ALIKE = 0.9  # share of the structure that is the same
BITS_PER_TOKEN = 0.05  # before anything is known of a class: 20 tokens agree by chance in one of two cases
MAX_TOKENS = 2000  # that count for it
PRIOR = 4  # students whom this prior knowledge is worth
MIN_EXERCISES = 2  # in which two students agree; a single one is too short to tell


def alike_in_structure(sequences: Sequence[Sequence[str]]) -> np.ndarray:
    """Return which sequences of tokens are much alike, as ndarray of shape (n, n); an empty one is like no other."""
    vocabulary = dict.fromkeys(token for sequence in sequences for token in sequence)
    numbers = {token: number for number, token in enumerate(vocabulary)}
    encoded = [tuple(numbers[token] for token in sequence) for sequence in sequences]
    versions = list(dict.fromkeys(encoded))
    index = {version: number for number, version in enumerate(versions)}
    which = [index[version] for version in encoded]
    scores = cdist(versions, versions, scorer=Indel.normalized_similarity, score_cutoff=ALIKE)
    written = np.array([bool(version) for version in versions])
    return ((scores >= ALIKE) & written & written[:, None])[np.ix_(which, which)]


def surprise_of(versions: Sequence[Sequence[Sequence[str]]]) -> tuple[np.ndarray, np.ndarray]:
    """Return how many bits it takes to say that two students agree in the exercises in which they do.

    Parameters
    ----------
    versions : sequence of sequence of sequence of str
        For every exercise the tokens of each of the n students, and of the course's own solution at the end.

    Returns
    -------
    ndarray of shape (n, n)
        An exercise in which both agree with the course adds nothing, and fewer than `MIN_EXERCISES` are not enough.
    ndarray of shape (n_exercises, n, n), bool
        Who agree in an exercise.
    """
    same = np.array([alike_in_structure(sequences) for sequences in versions])
    lengths = np.array([[min(len(s), MAX_TOKENS) for s in sequences] for sequences in versions])[:, :-1]
    same, like_the_course = same[:, :-1, :-1], same[:, :-1, -1:]
    unwritten = lengths == 0
    count, labels = connected_components(
        np.all([of_it | (empty & empty[:, None]) for of_it, empty in zip(same, unwritten, strict=True)], axis=0),
        directed=False,
    )
    author = csr_array((np.ones(len(labels), dtype=np.float32), (range(len(labels)), labels)))  # (n, n_authors)
    of_another = labels[:, None] != labels
    bits = np.zeros(of_another.shape, dtype=np.float32)
    exercises = np.zeros(of_another.shape, dtype=int)
    for of_it, length, own in zip(same, lengths, like_the_course, strict=True):
        agree = of_it.astype(np.float32) @ author > 0  # (n, n_authors): does any of these agree with a student
        others = agree.sum(axis=1)[:, None] - 1 - (agree[:, labels] & of_another)
        prior = PRIOR * 2.0 ** (-BITS_PER_TOKEN * np.minimum(length[:, None], length))
        share = (others + prior) / (count - 1 - of_another + PRIOR)  # of the others who agree, too
        bits -= np.where(of_it & ~own, np.log2(share), 0)
        exercises += of_it & ~own
    return np.where(exercises >= MIN_EXERCISES, bits, 0), same
