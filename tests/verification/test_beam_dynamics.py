"""Moving beams: every method to one answer, conserved quantities, work and losses, and a published spin-up.

Measured errors are in brackets.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import find_start
from gaitwright.result.result import Result
from verification import analytical as an
from verification import beam_solutions as bs

REDUCED = {"formulation": "continuum", "integration": "reduced"}
TAKAHASHI = {"formulation": "takahashi"}
FULL = {"formulation": "continuum", "integration": "full"}
KINDS = [pytest.param(FULL, id="full"), pytest.param(REDUCED, id="reduced"), pytest.param(TAKAHASHI, id="takahashi")]


def pendulum(elements: int = 4, *, turn: float = 0.0, gravity: float = an.G, **fields: Any) -> gw.Model:
    """A beam of 1 m and 1 kg on a pin, at rest and straight; turned from the horizontal, with gravity."""
    z, down = np.exp(1j * turn), -1j * gravity * np.exp(1j * turn)
    section = {"axial_stiffness": 1e3, "bending_stiffness": 0.05, "mass_per_length": 1.0}
    section |= ({"integration": "full"} if fields.get("formulation") != "takahashi" else {}) | fields
    model = gw.Model("pendulum", gravity=(down.real, down.imag)).ground_point("O", 0, 0).point("E", z.real, z.imag)
    return model.beam("rod", "O", "E", elements=elements, **section)


def tip(run: Result) -> np.ndarray:
    return run.array("rod.end.x") + 1j * run.array("rod.end.y")


def energy(run: Result) -> np.ndarray:
    return run.array("energy.kinetic") + run.array("energy.potential")


# Methods -----------------------------------------------------------------------------------------------------------------

#: Flexible pendulum, 0.5 s from the horizontal, past the vertical: method, step, error of the tip (m), order. Measured with
#: this step and half of it.
FIXED = [
    ("euler", 1e-5, 1.1e-4, 1),
    ("rk4", 5e-4, 5.2e-9, 4),
    ("gill", 5e-4, 5.1e-9, 4),
    ("gauss1", 1e-3, 4.9e-5, 2),
    ("gauss2", 1e-3, 1.3e-8, 4),
    ("gauss3", 2e-3, 2.6e-10, 6),
    ("generalized-alpha", 1e-3, 5.4e-5, 2),
    ("moreau", 1e-3, 2.5e-5, 2),
]
#: Method, tolerance, error (m).
ADAPTIVE = [("dopri5", 1e-6, 3.8e-11), ("radau5", 1e-8, 1.8e-13), ("rosenbrock23", 1e-6, 2.0e-7)]


@pytest.fixture(scope="module")
def swung() -> complex:
    """Position of the tip of the pendulum after 0.5 s."""
    return complex(tip(pendulum().simulate(0.5, method="dopri5", tolerance=1e-10, output_step=0.1))[-1])


@pytest.mark.parametrize(("method", "step", "error", "order"), FIXED, ids=[row[0] for row in FIXED])
def test_methods_with_fixed_steps_converge_with_their_order(
    method: str, step: float, error: float, order: int, swung: complex
) -> None:
    errors = [
        abs(tip(pendulum().simulate(0.5, method=method, step=h, every=round(0.1 / h)))[-1] - swung)
        for h in (step, step / 2)
    ]
    assert errors[0] < 1.5 * error
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25)


@pytest.mark.parametrize(("method", "tolerance", "error"), ADAPTIVE, ids=[row[0] for row in ADAPTIVE])
def test_adaptive_methods_meet_their_tolerance(method: str, tolerance: float, error: float, swung: complex) -> None:
    run = pendulum().simulate(0.5, method=method, tolerance=tolerance, output_step=0.1)
    assert abs(tip(run)[-1] - swung) < max(3 * error, 2e-12)


def test_stiff_pendulum_swings_as_a_rigid_rod() -> None:
    """EI = 1e4 N m^2, EA = 1e7 N: the tip [8e-6 m] is where Jacobi's functions have it; the pin force, once its ringing from
    the sudden release has died, is that of the closed form [2e-4 N of up to 24.5 N]."""
    model = pendulum(3, bending_stiffness=1e4, axial_stiffness=1e7, damping=1e-4)
    run = model.simulate(1.0, method="generalized-alpha", step=5e-4, every=20)
    angle, rate, _ = an.pendulum_motion(run.time, math.pi / 2, 0.0, an.rod_pendulum_frequency(1.0))
    np.testing.assert_allclose(tip(run), -1j * np.exp(1j * angle), rtol=0, atol=2e-5)
    force = run.array("O.fx") + 1j * run.array("O.fy")
    exact = an.pendulum_pin_force(angle, rate, mass=1.0, inertia=1 / 12, arm=0.5)
    np.testing.assert_allclose(force[run.time > 0.3], exact[run.time > 0.3], rtol=0, atol=5e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_motion_turns_with_the_model(kind: dict) -> None:
    how = {"method": "dopri5", "tolerance": 1e-10, "output_step": 0.05}
    here, there = pendulum(**kind).simulate(0.5, **how), pendulum(turn=2.3, **kind).simulate(0.5, **how)
    np.testing.assert_allclose(tip(there), tip(here) * np.exp(2.3j), rtol=0, atol=1e-12)  # [2e-14]


@pytest.mark.parametrize("kind", [pytest.param({}, id="full"), pytest.param(REDUCED, id="reduced")])
def test_motion_converges_with_the_mesh(kind: dict) -> None:
    """Cantilever that a smooth load bends by 0.45 m: order 4 [3.99] in the number of elements."""
    ends = []
    for n in (4, 8, 16, 32):
        model = pendulum(n, gravity=0.0, bending_stiffness=1.0, **kind).joint.fixed("ground.O", "rod.start")
        model.force.at_point("rod.end", [0, "3*sin(pi*t)^4"])
        ends.append(tip(model.simulate(0.6, method="radau5", tolerance=1e-9, output_step=0.1))[-1])
    steps = np.abs(np.diff(ends))
    assert np.log2(steps[-2] / steps[-1]) > 3.9


# Conserved quantities ----------------------------------------------------------------------------------------------------


def momenta(run: Result, elements: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Momentum, moment of momentum about the origin and kinetic energy of a beam of 1 m and 1 kg, from cubic Hermite
    functions and Gauss points of our own."""
    x, weight = np.polynomial.legendre.leggauss(6)
    xi, l = (x + 1) / 2, 1 / elements
    shapes = np.array(
        [1 - 3 * xi**2 + 2 * xi**3, l * (xi - 2 * xi**2 + xi**3), 3 * xi**2 - 2 * xi**3, l * (xi**3 - xi**2)]
    )
    nodes = run.mechanism.beams["rod"].nodes

    def along(q: np.ndarray) -> np.ndarray:
        z = q[:, nodes[:, [0, 2]]] + 1j * q[:, nodes[:, [1, 3]]]  # (times, nodes, 2): position and slope
        return np.concatenate([z[:, :-1], z[:, 1:]], axis=2) @ shapes

    r, v, mass = along(run.motion.q), along(run.motion.v), weight * l / 2
    kinetic = (np.abs(v) ** 2 @ mass).sum(axis=1) / 2
    return (v @ mass).sum(axis=1), ((r.conj() * v).imag @ mass).sum(axis=1), kinetic


@pytest.mark.parametrize(("method", "step", "lost"), [("gauss2", 1e-3, 1e-9), ("gauss3", 1e-3, 1e-11)])
def test_flying_spaghetti_keeps_energy_and_momenta(method: str, step: float, lost: float) -> None:
    """A free beam that flies, turns six times and bends to and fro by 55 degrees for 10 s: energy of 0.89 J [6e-10, 2e-12],
    momentum and moment of momentum [1e-14]."""
    model = gw.Model("spaghetti", gravity=(0, 0)).point("A", 0, 0).point("B", 1, 0)
    model.beam("rod", "A", "B", elements=8, axial_stiffness=2e3, bending_stiffness=0.1, mass_per_length=1.0)
    mechanism = model.mechanism()
    begin, nodes = find_start(mechanism), mechanism.beams["rod"].nodes
    x, v = np.linspace(-0.5, 0.5, 9), np.zeros_like(find_start(mechanism).v)
    v[nodes[:, 0]], v[nodes[:, 1]], v[nodes[:, 3]] = 0.5, 4 * x + 6 * (x**2 - 1 / 12), 4 + 12 * x
    run = simulate(mechanism, 10.0, begin=replace(begin, v=v), method=method, step=step, every=20)
    p, spin, kinetic = momenta(run, 8)
    np.testing.assert_allclose(kinetic, run.array("energy.kinetic"), rtol=1e-13)
    assert np.ptp(energy(run)) < lost
    assert np.abs(p - p[0]).max() < 1e-13 and np.abs(spin - spin[0]).max() < 1e-13
    assert p[0] == pytest.approx(0.5, abs=1e-13) and spin[0] == pytest.approx(4 / 12, abs=1e-13)
    assert np.abs(run.array("rod.end.angle") - run.array("rod.start.angle")).max() > 0.9
    assert run.array("rod.end.angle")[-1] > 12 * math.pi


@pytest.mark.parametrize("kind", KINDS)
def test_work_of_loads_and_losses_balance(kind: dict) -> None:
    """Gravity, a moment and a follower force that change with time, and damping: the work-energy residual is [2e-12] J of the
    1.1 J that are turned over."""
    model = pendulum(4, damping=2e-3, **kind)
    model.force.moment("rod.end", "0.2*sin(7*t)").force.at_point("rod.node3", [0, "2*sin(5*t)"], frame="body")
    run = model.simulate(1.0, method="dopri5", tolerance=1e-9, output_step=0.02)
    work, lost = run.array("energy.work"), run.array("energy.dissipated")
    residual = energy(run) - energy(run)[0] - work + lost
    assert np.abs(residual).max() < 1e-11 and lost[-1] > 0.1 and abs(work[-1]) > 0.1
    assert np.all(np.diff(lost) >= 0)


# Damping -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_kelvin_voigt_only_takes_energy(kind: dict) -> None:
    """A free beam without loads: energy falls all the time, momenta stay [2e-13]. Once it has stretched, turning costs
    nothing: without bending [7e-9] J in the last second, of [2e-3] J before."""
    model = gw.Model("damped", gravity=(0, 0)).point("A", 0, 0).point("B", 1, 0)
    model.beam("rod", "A", "B", elements=6, axial_stiffness=500.0, bending_stiffness=0.1, mass_per_length=1.0, damping=5e-3,
               **kind)  # fmt: skip
    mechanism = model.mechanism()
    begin, nodes = find_start(mechanism), mechanism.beams["rod"].nodes
    x = np.linspace(-0.5, 0.5, 7)
    for bent in (6.0, 0.0):
        v = np.zeros_like(begin.v)
        v[nodes[:, 0]], v[nodes[:, 1]], v[nodes[:, 3]] = 0.5, 4 * x + bent * (x**2 - 1 / 12), 4 + 2 * bent * x
        run = simulate(mechanism, 3.0, begin=replace(begin, v=v), method="radau5", tolerance=1e-9, output_step=0.01)
        p, spin, _ = momenta(run, 6)
        assert np.diff(energy(run)).max() < 0.0
        assert np.abs(p - p[0]).max() < 1e-12 and np.ptp(spin) < 1e-12
        assert np.ptp(energy(run) + run.array("energy.dissipated")) < 1e-12
        if bent == 0.0:
            assert energy(run)[0] - energy(run)[-1] > 1e-3
            assert energy(run)[run.time < 2.0][-1] - energy(run)[-1] < 2e-8


def test_first_mode_decays_with_half_eta_w() -> None:
    """Cantilever pushed along its first mode: the oscillator with the damping ratio eta w/2, here 5 %."""
    w = bs.bending_frequency("clamped-free", 1, 1.0, 2.0, 0.5)
    eta = 0.1 / w
    model = gw.Model("mode", gravity=(0, 0)).ground_point("O", 0, 0).point("E", 1, 0)
    model.beam(
        "rod", "O", "E", elements=6, axial_stiffness=2e4, bending_stiffness=2.0, mass_per_length=0.5, damping=eta
    )
    model.joint.fixed("ground.O", "rod.start")
    mechanism, found = model.mechanism(), model.modes(1)
    begin = find_start(mechanism)
    v = np.append(1e-3 * np.real(found.shapes[0]), 0.0)
    run = simulate(mechanism, 2.2 * math.pi / w, begin=replace(begin, v=v), method="radau5", tolerance=1e-10,
                   output_step=1e-3 / w)  # fmt: skip
    y, speed = run.array("rod.end.y"), run.array("rod.end.vy")
    x, _ = an.damped_free(run.time, 1.0, eta * w * w, w * w, 0.0, float(speed[0]))
    np.testing.assert_allclose(y, x, rtol=0, atol=1e-4 * np.abs(x).max())  # [3e-5]


# A published motion ------------------------------------------------------------------------------------------------------


def test_spin_up_of_simo_and_vu_quoc() -> None:
    """A beam of 10 m is spun up to 6 rad/s in 15 s: it lags by 0.574 m, then straightens and stretches by 0.514 mm.

    Lag all along: within [0.1 %] of the peak from the linear theory with centrifugal stiffening. Extension: exact [1.4e-5]."""
    model = gw.Model("spin-up", gravity=(0, 0)).ground_point("O", 0, 0).point("R", 0, 0).point("E", 10, 0)
    model.body("hub", mass=1.0, inertia=1.0, points={"C": (0, 0)})
    model.beam("rod", "R", "E", elements=8, axial_stiffness=bs.SPIN_AXIAL, bending_stiffness=bs.SPIN_BENDING,
               mass_per_length=bs.SPIN_MASS)  # fmt: skip
    model.joint.revolute("ground.O", "hub.C").joint.fixed("hub.C", "rod.start").drive.rotation("hub", bs.SPIN_ANGLE)
    run = model.simulate(20.0, method="generalized-alpha", step=2.5e-3, every=20)
    turned = tip(run) * np.exp(-1j * np.array([bs.spin(t)[0] for t in run.time]))
    lag = bs.spin_up_lag(run.time)
    assert lag.min() == pytest.approx(-0.574, abs=1e-3)
    np.testing.assert_allclose(turned.imag, lag, rtol=0, atol=1e-3)
    stretched = np.abs(turned[run.time > 18]) - bs.SPIN_LENGTH
    exact = bs.spinning_extension(bs.SPIN_LENGTH, bs.SPIN_AXIAL, bs.SPIN_MASS, bs.SPIN_SPEED)
    assert exact == pytest.approx(bs.SPIN_EXTENSION, abs=5e-7)
    assert stretched.mean() == pytest.approx(exact, rel=1e-4)  # [1.4e-5]
