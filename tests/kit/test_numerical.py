"""The finite-difference helper against derivatives that are known."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient


def test_the_gradient_of_a_number_has_xs_shape():
    x = np.random.default_rng(0).standard_normal((2, 3, 5))
    np.testing.assert_allclose(numerical_gradient(lambda x: (x**3).sum(), x), 3 * x**2, atol=1e-8, strict=True)


def test_a_linear_maps_jacobian_is_its_matrix():
    A = np.random.default_rng(1).standard_normal((3, 5))
    np.testing.assert_allclose(numerical_gradient(lambda x: A @ x, np.ones(5)), A, atol=1e-8, strict=True)


def test_axes_of_the_result_precede_those_of_x():
    x = np.random.default_rng(2).standard_normal((3, 5))
    derivative = numerical_gradient(lambda x: x.T, x)
    assert derivative.shape == (5, 3, 3, 5)
    np.testing.assert_allclose(derivative, np.einsum("il,jk->ijkl", np.eye(5), np.eye(3)), atol=1e-9)


def test_a_number_goes_in_and_comes_out():
    assert numerical_gradient(np.exp, 0.5) == pytest.approx(np.exp(0.5))


def test_integers_are_moved_by_fractions():
    x = np.array([1, 2, 3])
    np.testing.assert_allclose(numerical_gradient(lambda x: (x**2).sum(), x), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(x, [1, 2, 3])


def test_a_function_that_changes_its_argument_is_harmless():
    def doubled(x):
        x *= 2
        return x.sum()

    np.testing.assert_allclose(numerical_gradient(doubled, np.ones(3)), 2.0)


def test_it_agrees_with_the_softmax_jacobian():
    s = np.random.default_rng(3).standard_normal(7)
    expected = reference.softmax_jacobian(s, 1.7)
    np.testing.assert_allclose(numerical_gradient(lambda s: reference.softmax(s / 1.7), s), expected, atol=1e-9)
