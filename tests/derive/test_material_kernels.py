"""Kernels of materials and of damping: stress is the derivative of the energy, the tangent that of the stress."""

import numpy as np
import pytest

from gaitwright.fem.material_point import keep_in_python
from gaitwright.fem.viscous_point import build_viscous_point_kernels
from gaitwright.physics.declarations import Number
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.viscous import SmallViscosity, Viscosity
from solids import MATERIALS, STEP, at_point, constants, mp, with_numbers

ROUNDING = 5e-15
"""Tolerance for printed constants, such as 1/3."""


def gradients(d, seed):
    """H at random, zero, with equal stretches, and with two equal ones."""
    some = 0.2 * np.random.default_rng(seed).normal(size=(d, d))
    swollen = 0.1 * np.eye(d)
    bar = np.diag([0.3, -0.1, -0.1][:d]) + 0.0
    return [some, np.zeros((d, d)), swollen, bar]


def slopes(function, given):
    """Central differences with 60 digits: (variables, size)."""
    rows = []
    for k in range(len(given)):
        above, below = list(given), list(given)
        above[k], below[k] = above[k] + STEP, below[k] - STEP
        rows.append([(a - b) / (2 * STEP) for a, b in zip(function(above), function(below), strict=True)])
    return np.array(rows)


def largest(values):
    return float(max(abs(x) for x in np.ravel(values)))


@pytest.mark.parametrize("mean", [False, True], ids=["", "mean"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", MATERIALS)
def test_stress_and_tangent_are_derivatives(name, d, mean):
    prefix, n = "mean_" if mean else "", d * d + mean

    def at(kernel):
        return lambda given: at_point(MATERIALS[name], f"{prefix}{kernel}", constants(name), given, mp.mpf)

    for H in gradients(d, seed=d):
        given = [mp.mpf(x) for x in (*np.ravel(H), *([0.07] if mean else []))]
        A = np.reshape(at("tangent")(given), (n, n))
        assert largest(slopes(at("energy"), given)[:, 0] - at("stress")(given)) < ROUNDING
        assert largest(slopes(at("stress"), given) - A) < ROUNDING


@pytest.mark.parametrize("name", MATERIALS)
def test_plane_strain_is_space_without_the_third_direction(name):
    H = gradients(2, 7)[0]
    space = np.zeros((3, 3))
    space[:2, :2] = H
    inside = [0, 1, 3, 4]
    for kernel, shape, there in (("energy", 1, 0), ("stress", 9, inside), ("tangent", (9, 9), np.ix_(inside, inside))):
        two, three = (at_point(MATERIALS[name], kernel, constants(name), np.ravel(x)) for x in (H, space))
        assert np.allclose(two, np.ravel(np.reshape(three, shape)[there]), rtol=0, atol=1e-14)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", MATERIALS)
def test_mean_dilatation_of_one_point_changes_nothing(name, d):
    """With t = J - 1 (tr H for small strains) the energy is the same."""
    material, par, H = MATERIALS[name], constants(name), gradients(d, 3)[0]
    t = np.trace(H) if material.linear else np.linalg.det(H + np.eye(d)) - 1
    plain = at_point(material, "energy", par, np.ravel(H))[0]
    assert at_point(material, "mean_energy", par, [*np.ravel(H), t])[0] == pytest.approx(plain, rel=1e-13)


@pytest.mark.parametrize("name", MATERIALS)
def test_small_strains_keep_their_digits(name):
    """The energy of a strain of 1e-7, with floats and with 60 digits; written in terms of F, half of the digits would be
    lost."""
    material, par, H = MATERIALS[name], constants(name), 1e-7 * np.ravel(gradients(3, 5)[0])
    exact = at_point(material, "energy", par, H, mp.mpf)[0]
    assert abs(at_point(material, "energy", par, H)[0] / exact - 1) < 2e-7


@pytest.mark.parametrize("difference", [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
def test_ogden_where_stretches_are_nearly_equal(difference):
    """Divided differences keep their digits for any difference of the stretches."""
    material, par = MATERIALS["ogden"], constants("ogden")
    H = np.diag([0.2, 0.2 + difference, 0.2 - 2 * difference])
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    H = np.ravel(turn @ H @ turn.T)
    exact = np.array(at_point(material, "tangent", par, H, mp.mpf), dtype=float)
    assert np.allclose(at_point(material, "tangent", par, H), exact, rtol=0, atol=3e-14)


ENTRIES = {
    "entries of F alone": (lambda x, k: k / 8 * (x.F[0][0] ** 2 + x.F[1][0] ** 2 + x.F[2][0] ** 2 - 1) ** 2, False),
    "with invariants": (lambda x, k: k * (x.I1 - 3) * (x.F[0][1] + x.H[1][0]) ** 2 + k * (x.J - 1) ** 2 / 2, False),
    "both strains": (lambda x, k: k * x.E[0][1] * x.strain[0][1] + k * x.E[0][0] ** 2, False),
    "a linear one with Green's strain": (lambda x, k: k * x.E[0][1] ** 2 + k * x.strain[0][0] ** 2, True),
    "powers of stretches": (lambda x, k: k * (x.power_sum(4) - 3) + k * (x.power_sum(3) - 3) * (x.I1 - 3), False),
    "a single power": (lambda x, k: k * (x.power_sum(4) - 3), False),
    "all invariants": (
        lambda x, k: k * (x.I2 - 3) ** 2 + k * (x.I1 - 3) * x.E[0][0] + k * (x.J - 1) * (x.I2 - 3),
        False,
    ),
}


@pytest.mark.parametrize("mean", [False, True], ids=["", "mean"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("case", ENTRIES)
def test_user_defined_energies(case, d, mean):
    """For energies written in entries of H, strains, invariants and powers, linear or nonlinear in each of them."""
    energy, linear = ENTRIES[case]
    members = {"name": f"own {case}", "parameters": {"k": Number("Pa", "k")}, "linear": linear}
    own = type("Own", (Material,), {**members, "energy": staticmethod(lambda deformation, k: energy(deformation, k)),
                                    "registry": {}})  # fmt: skip
    n, prefix = d * d + mean, "mean_" if mean else ""
    given = [mp.mpf(x) for x in (*np.ravel(gradients(d, seed=d)[0]), *([0.07] if mean else []))]
    at = {
        kernel: (lambda x, kernel=kernel: at_point(own, f"{prefix}{kernel}", [0.1], x, mp.mpf))
        for kernel in ("energy", "stress", "tangent")
    }
    assert largest(slopes(at["energy"], given)[:, 0] - at["stress"](given)) < ROUNDING
    assert largest(slopes(at["stress"], given) - np.reshape(at["tangent"](given), (n, n))) < ROUNDING


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kind", [Viscosity, SmallViscosity])
def test_viscous_stress_is_half_the_slope_of_the_power(kind, d):
    """R = power/2 is quadratic in the rates."""
    point, par, n = build_viscous_point_kernels(kind, d, with_numbers(mp.mpf)), [mp.mpf(0.8), mp.mpf(0.5)], d * d
    random = np.random.default_rng(d)
    given = [mp.mpf(x) for x in (*(0.2 * random.normal(size=n)), *random.normal(size=n))]

    def stress(x):
        out = [mp.mpf(0)] * n
        point.stress(par, x[:n], x[n:], out)
        return out

    def power(x):
        return [point.power(par, x[:n], x[n:])]

    P, by_h, by_rate = np.array(stress(given)), [mp.mpf(0)] * n**2, [mp.mpf(0)] * n**2
    point.tangent(mp.mpf(1), par, given[:n], given[n:], by_h, by_rate)
    assert largest(slopes(power, given)[n:, 0] / 2 - P) < ROUNDING
    by = slopes(stress, given)
    assert largest(by[:n].T - np.reshape(by_h, (n, n))) < ROUNDING
    assert largest(by[n:].T - np.reshape(by_rate, (n, n))) < ROUNDING
    assert abs(sum(P * given[n:]) - power(given)[0]) < ROUNDING and power(given)[0] > 0


def test_a_spin_is_not_damped():
    """V = spin F of a deformed solid."""
    point, F = build_viscous_point_kernels(Viscosity, 3, keep_in_python), np.eye(3) + gradients(3, 2)[0]
    spin = np.array([[0.0, -0.3, 0.7], [0.3, 0.0, -1.1], [-0.7, 1.1, 0.0]])
    H, V, P = np.ravel(F - np.eye(3)), np.ravel(spin @ F), np.zeros(9)
    assert abs(point.power([1.0, 1.0], H, V)) < 1e-28
    point.stress([1.0, 1.0], H, V, P)
    assert np.abs(P).max() < 1e-14
