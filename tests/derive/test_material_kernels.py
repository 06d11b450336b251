"""Kernels of materials and of damping: stress is the slope of the energy, the tangent that of the stress."""

import numpy as np
import pytest

from gaitwright.derive.library import Solid, module_on
from gaitwright.physics.materials.viscous import SmallViscosity, Viscosity
from solids import MATERIALS, STEP, constants, evaluated, full, mp

ROUNDING = 5e-15
"""Of printed constants, such as 1/3."""


def gradients(d, seed):
    """H at random, none, of equal stretches, and of two equal ones."""
    some = 0.2 * np.random.default_rng(seed).normal(size=(d, d))
    swollen = 0.1 * np.eye(d)
    bar = np.diag([0.3, -0.1, -0.1][:d]) + 0.0
    return [some, np.zeros((d, d)), swollen, bar]


def slopes(module, kernel, par, given, size):
    """Central differences with 60 digits: (variables, size)."""
    rows = []
    for k in range(len(given)):
        above, below = list(given), list(given)
        above[k], below[k] = above[k] + STEP, below[k] - STEP
        high, low = (evaluated(module, kernel, par, x, size, mp.mpf) for x in (above, below))
        rows.append([(a - b) / (2 * STEP) for a, b in zip(high, low, strict=True)])
    return np.array(rows)


def largest(values):
    return float(max(abs(x) for x in np.ravel(values)))


@pytest.mark.parametrize("mean", [False, True], ids=["", "mean"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", MATERIALS)
def test_stress_and_tangent_are_derivatives(name, d, mean):
    module, par = module_on(MATERIALS[name], Solid(d)), constants(name)
    prefix, n = "mean_" if mean else "", d * d + mean
    for H in gradients(d, seed=d):
        given = [mp.mpf(x) for x in (*np.ravel(H), *([0.07] if mean else []))]
        P = np.array(evaluated(module, f"{prefix}stress", par, given, n, mp.mpf))
        A = full(evaluated(module, f"{prefix}tangent", par, given, n * (n + 1) // 2, mp.mpf), n)
        assert largest(slopes(module, f"{prefix}energy", par, given, 1)[:, 0] - P) < ROUNDING
        assert largest(slopes(module, f"{prefix}stress", par, given, n) - A) < ROUNDING


@pytest.mark.parametrize("name", MATERIALS)
def test_plane_strain_is_space_without_the_third_direction(name):
    H = gradients(2, 7)[0]
    space = np.zeros((3, 3))
    space[:2, :2] = H
    for kernel, size2, size3 in (("energy", 1, 1), ("stress", 4, 9), ("tangent", 10, 45)):
        two, three = (
            np.array(evaluated(module_on(MATERIALS[name], Solid(d)), kernel, constants(name), np.ravel(x), size))
            for d, x, size in ((2, H, size2), (3, space, size3))
        )
        inside = [0, 1, 3, 4]
        if kernel == "stress":
            three = three[inside]
        elif kernel == "tangent":
            three = full(three, 9)[np.ix_(inside, inside)][np.triu_indices(4)].astype(float)
        assert np.allclose(two, three, rtol=0, atol=1e-14)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", MATERIALS)
def test_the_mean_of_one_point_is_its_own(name, d):
    """With t = J - 1 (tr H where strains are small) the energy is the same."""
    module, par = module_on(MATERIALS[name], Solid(d)), constants(name)
    H = gradients(d, 3)[0]
    t = np.trace(H) if MATERIALS[name].linear else np.linalg.det(H + np.eye(d)) - 1
    plain = evaluated(module, "energy", par, np.ravel(H), 1)[0]
    assert evaluated(module, "mean_energy", par, [*np.ravel(H), t], 1)[0] == pytest.approx(plain, rel=1e-13)


@pytest.mark.parametrize("name", MATERIALS)
def test_small_strains_keep_their_digits(name):
    """The energy of a strain of 1e-7, with floats and with 60 digits; written with F itself, half of them would be lost."""
    module, par = module_on(MATERIALS[name], Solid(3)), constants(name)
    H = 1e-7 * np.ravel(gradients(3, 5)[0])
    exact = evaluated(module, "energy", par, H, 1, mp.mpf)[0]
    assert abs(evaluated(module, "energy", par, H, 1)[0] / exact - 1) < 2e-7


@pytest.mark.parametrize("difference", [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
def test_ogden_where_stretches_are_nearly_equal(difference):
    """Divided differences keep their digits at every distance of the stretches."""
    module, par = module_on(MATERIALS["ogden"], Solid(3)), constants("ogden")
    H = np.diag([0.2, 0.2 + difference, 0.2 - 2 * difference])
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    H = np.ravel(turn @ H @ turn.T)
    exact = np.array(evaluated(module, "tangent", par, H, 45, mp.mpf), dtype=float)
    assert np.allclose(evaluated(module, "tangent", par, H, 45), exact, rtol=0, atol=3e-14)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kind", [Viscosity, SmallViscosity])
def test_viscous_stress_is_half_the_slope_of_the_power(kind, d):
    """R = power/2 is of the second degree in the rates."""
    module, par, n = module_on(kind, Solid(d)), (0.8, 0.5), d * d
    random = np.random.default_rng(d)
    given = [mp.mpf(x) for x in (*(0.2 * random.normal(size=n)), *random.normal(size=n))]
    P = np.array(evaluated(module, "stress", par, given, n, mp.mpf))
    tangent = evaluated(module, "tangent", par, given, n * n + n * (n + 1) // 2, mp.mpf)
    power = evaluated(module, "power", par, given, 1, mp.mpf)[0]
    assert largest(slopes(module, "power", par, given, 1)[n:, 0] / 2 - P) < ROUNDING
    by = slopes(module, "stress", par, given, n)
    assert largest(by[:n].T - np.reshape(tangent[: n * n], (n, n))) < ROUNDING
    assert largest(by[n:] - full(tangent[n * n :], n)) < ROUNDING
    assert abs(sum(P * given[n:]) - power) < ROUNDING and power > 0


def test_a_spin_is_not_damped():
    """V = spin F of a deformed solid."""
    module, F = module_on(Viscosity, Solid(3)), np.eye(3) + gradients(3, 2)[0]
    spin = np.array([[0.0, -0.3, 0.7], [0.3, 0.0, -1.1], [-0.7, 1.1, 0.0]])
    given = [*np.ravel(F - np.eye(3)), *np.ravel(spin @ F)]
    assert abs(evaluated(module, "power", (1.0, 1.0), given, 1)[0]) < 1e-28
    assert np.abs(evaluated(module, "stress", (1.0, 1.0), given, 9)).max() < 1e-14
