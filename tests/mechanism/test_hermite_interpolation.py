"""Interpolation between two states of a step."""

import numpy as np

from gaitwright.mechanism.hermite_interpolation import interpolate_step_coordinates, interpolate_step_state


def quintics(n, rng):
    """n polynomials of degree 5 and their derivatives."""
    found = [np.polynomial.Polynomial(rng.uniform(-1, 1, 6)) for _ in range(n)]
    return [found, [p.deriv() for p in found], [p.deriv(2) for p in found]]


def test_quintic_motions_are_interpolated_exactly():
    rng, h, x = np.random.default_rng(3), 0.7, 0.3
    motions = quintics(4, rng)
    ends = [np.array([p(t) for p in of]) for t in (0.0, h) for of in motions]
    q, v = np.full(5, 9.0), np.full(5, 9.0)
    interpolate_step_state(4, *ends, x, h, q, v)
    np.testing.assert_allclose(q, [*(p(x * h) for p in motions[0]), 0.0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(v, [*(p(x * h) for p in motions[1]), 0.0], rtol=0, atol=1e-13)
    some_q, some_v = np.full(5, 9.0), np.full(5, 9.0)
    interpolate_step_coordinates(np.array([2, 4, 0], dtype=np.int32), 4, *ends, x, h, some_q, some_v)
    assert some_q.tolist() == [q[0], 9.0, q[2], 9.0, 0.0] and some_v.tolist() == [v[0], 9.0, v[2], 9.0, 0.0]
