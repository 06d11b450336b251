"""Small vibrations of beams: bending, stretching, preloaded, hanging, bent far, damped, under follower loads.

Exact frequencies are those of `beam_solutions.py`. Measured errors are in brackets.
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
from verification import beam_solutions as bs

FULL = {"formulation": "continuum", "integration": "full"}
REDUCED = {"formulation": "continuum", "integration": "reduced"}
TAKAHASHI = {"formulation": "takahashi"}
KINDS = [pytest.param(FULL, id="full"), pytest.param(REDUCED, id="reduced"), pytest.param(TAKAHASHI, id="takahashi")]
#: Length, EA, EI, mass per length.
L, EA, EI, RHO = 1.5, 4e5, 7.0, 0.3


def beam(ends: str, elements: int, **fields: Any) -> gw.Model:
    """A straight beam along x, with the given supports; `sliding` lets its end move along x."""
    section = {"axial_stiffness": EA, "bending_stiffness": EI, "mass_per_length": RHO, "elements": elements} | fields
    model = gw.Model(ends, gravity=section.pop("gravity", (0, 0)))
    held = ends.split("-")
    for name, x, how in (("A", 0.0, held[0]), ("B", section.get("length", L), held[1])):
        (model.point if how in ("free", "sliding") else model.ground_point)(name, x, 0.0)
    model.beam("rod", "A", "B", **section)
    for name, node, how in (("A", "start", held[0]), ("B", "end", held[1])):
        if how == "clamped":
            model.joint.fixed(f"ground.{name}", f"rod.{node}")
        if how == "sliding":
            model.ground_point("S", L, 0.0).joint.slot("ground.S", f"rod.{node}", axis=(1, 0))
    return model


def flexible(model: gw.Model, count: int, **how: Any) -> np.ndarray:
    """The lowest angular frequencies other than 0, rad/s."""
    frequencies = 2 * math.pi * model.modes(**how).frequencies
    return frequencies[frequencies > 1e-3][:count]


def nearest(found: np.ndarray, exact: float) -> float:
    """Relative error of the frequency that is next to an exact one."""
    return float(np.abs(found / exact - 1).min())


# Reference solutions -----------------------------------------------------------------------------------------------------


def test_roots_are_those_of_reference_d() -> None:
    for ends, printed in bs.BETA.items():
        for mode, value in enumerate(printed, 1):
            assert bs.beta(ends, mode) == pytest.approx(value, abs=6e-12)  # half a unit of the last digit
    for ends in ("clamped-free", "free-free", "clamped-pinned", "pinned-pinned"):
        for mode in range(1, 12):
            b = bs.beta(ends, mode)
            assert b == pytest.approx({"clamped-free": mode - 0.5, "free-free": mode + 0.5, "clamped-pinned": mode + 0.25,
                                       "pinned-pinned": mode}[ends] * math.pi, abs=2 * math.exp(-1.5 * mode))  # fmt: skip


def test_tension_and_beck_in_their_limits() -> None:
    string = math.pi / 2.0 * math.sqrt(50.0 / 0.3)
    assert bs.tensioned_frequency(1, 2.0, 1e12, 1e-9, 0.3, 50.0) == pytest.approx(string, rel=1e-9)
    free = bs.bending_frequency("pinned-pinned", 2, 2.0, 5.0, 0.3)
    assert bs.tensioned_frequency(2, 2.0, 1e5, 5.0, 0.3, 0.0) == pytest.approx(free, rel=1e-14)
    load = bs.euler_load(80.0, 3.0, 2.0)
    assert bs.tensioned_frequency(1, 2.0, 80.0, 3.0, 0.3, -load * (1 - 1e-10)) < 1e-4
    plain = [bs.bending_frequency("clamped-free", mode, 1, 1, 1) for mode in (1, 2)]
    np.testing.assert_allclose(bs.beck_frequencies(1e-6), plain, rtol=1e-6)
    assert bs.beck_load() == pytest.approx(20.05, abs=0.005)


# Straight beams ----------------------------------------------------------------------------------------------------------


HELD = [pytest.param(ends, kind.values[0], id=f"{ends}-{kind.id}")
        for ends in ("clamped-free", "clamped-pinned", "pinned-pinned") for kind in KINDS]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("ends", "kind"), [*HELD, pytest.param("free-free", REDUCED, id="free-free-reduced")])
def test_bending_frequencies_converge_with_order_4(ends: str, kind: dict) -> None:
    """The first three with 20 elements, relative: clamped-free [5e-8, 2e-6, 2e-5], free-free [2e-6, 2e-5, 6e-5],
    clamped-pinned [1e-6, 1e-5, 5e-5], pinned-pinned [4e-7, 7e-6, 3e-5], the same for all kinds of element, which do not
    differ in small deflections of a straight beam. Orders [3.9 to 4.0]."""
    exact = np.array([bs.bending_frequency(ends, mode, L, EI, RHO) for mode in (1, 2, 3)])
    errors = [flexible(beam(ends, n, **kind), 3) / exact - 1 for n in (10, 20)]
    assert np.all(np.abs(errors[1]) < 1e-4)
    assert np.all(np.log2(errors[0][1:] / errors[1][1:]) > 3.85)


#: Kind, how many of the axial frequencies, elements, largest relative error, order. Slopes of Takahashi elements stretch
#: against bending stiffness alone, which adds soft modes and spoils all but the lowest axial ones.
AXIAL = [
    pytest.param(FULL, 3, 8, 3e-5, 4.9, id="full"),  # [3e-5, 6e-7, 1e-8 with 8, 16, 32 elements: order 6]
    pytest.param(REDUCED, 3, 8, 9e-4, 4.0, id="reduced"),  # [9e-4, 5e-5, 3e-6: order 4]
    pytest.param(TAKAHASHI, 1, 32, 4e-4, 2.0, id="takahashi"),  # [1.7e-3, 3.7e-4 with 16, 32: order 2]
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count", "elements", "error", "order"), AXIAL)
@pytest.mark.parametrize("ends", ["clamped-free", "pinned-pinned"])
def test_axial_frequencies(ends: str, kind: dict, count: int, elements: int, error: float, order: float) -> None:
    exact = [bs.axial_frequency(ends, mode, L, EA, RHO) for mode in range(1, count + 1)]
    coarse, fine = (
        np.array([nearest(flexible(beam(ends, n, **kind), 1000), w) for w in exact]) for n in (elements // 2, elements)
    )
    assert np.all(fine < error) and np.all(np.log2(coarse / fine) > order)


@pytest.mark.parametrize("tension", [40.0, 4000.0, -20.0])
def test_preloaded_beam(tension: float) -> None:
    """One end slides: tension stiffens and thrust softens; also where it stretches by a fifth. [9e-5, 5e-6, 8e-5]"""
    model = beam("pinned-sliding", 16, axial_stiffness=2e4, **FULL).force.at_point("rod.end", [tension, 0])
    found = flexible(model, 1000)
    for mode in (1, 2, 3):
        assert nearest(found, bs.tensioned_frequency(mode, L, 2e4, EI, RHO, tension)) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(("ends", "factor"), [("pinned-sliding", math.pi), ("clamped-free", math.pi / 2)])
def test_euler_buckling(ends: str, factor: float) -> None:
    """Straight 0.01 % below the Euler load of a compressible column (8 % compressed), bent 0.01 % above it."""
    load = bs.euler_load(400.0, EI, L, factor)
    for part in (0.9999, 1.0001):
        model = beam(ends, 16, axial_stiffness=400.0, **REDUCED).force.at_point("rod.end", [-part * load, 0])
        found = model.modes(1)
        bow = max(abs(found.equilibrium.array(f"rod.node{k}.y")[0]) for k in range(1, 18))
        assert found.stable and (bow < 1e-9 if part < 1 else bow > 5e-3)
        if (
            ends == "pinned-sliding" and part < 1
        ):  # w^2 goes with 1 - P/P_Euler: it is known to 2 %, P_Euler to 2e-6 [1.1e-6]
            exact = bs.tensioned_frequency(1, L, 400.0, EI, RHO, -part * load)
            assert (found.frequencies[0] * 2 * math.pi / exact) ** 2 == pytest.approx(1, abs=0.02)


def test_hanging_cable() -> None:
    """A heavy cable with next to no bending stiffness: zeros of J0. 24 elements [2e-7, 3e-8, 2e-6]."""
    model = gw.Model(gravity=(0, -9.81)).ground_point("A", 0, 0).point("B", 0, -2)
    model.beam("cable", "A", "B", elements=24, axial_stiffness=1e7, bending_stiffness=1e-7, mass_per_length=0.5,
               **FULL)  # fmt: skip
    exact = [bs.hanging_cable_frequency(mode, 2.0) for mode in (1, 2, 3)]
    np.testing.assert_allclose(flexible(model, 3), exact, rtol=5e-6)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_modes_about_a_large_deflection_are_those_of_a_free_vibration(mode: int) -> None:
    """Bent to y = 0.71 L by a tip load, then pushed a little along a mode: half periods between passages of the middle.
    The frequencies are 1.60, 0.96, 0.80 times those of the straight beam. [6e-8, 8e-6, 3e-7]"""
    unit = {"length": 1.0, "axial_stiffness": 1e3, "bending_stiffness": 1.0, "mass_per_length": 1.0} | REDUCED
    model = beam("clamped-free", 5, **unit).force.at_point("rod.end", [0, 5.0])
    found = model.modes(3)
    straight = bs.bending_frequency("clamped-free", mode + 1, 1, 1, 1) / (2 * math.pi)
    assert abs(found.frequencies[mode] / straight - 1) > 0.02  # the deflection counts
    mechanism = model.mechanism()
    begin = find_start(mechanism)
    q = found.equilibrium.motion.q[0]
    v = np.append(1e-5 * found.frequencies[mode] * np.real(found.shapes[mode]), 0.0)
    period = 1 / found.frequencies[mode]
    run = simulate(mechanism, 2.2 * period, begin=replace(begin, q=q, v=v), method="dopri5", tolerance=1e-12)
    passages = run.crossings("rod.end.y", float(q[mechanism.beams["rod"].nodes[-1, 1]]))
    passages = passages[passages > 0.1 * period]
    np.testing.assert_allclose(passages, period * np.array([0.5, 1.0, 1.5, 2.0]), rtol=2e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_kelvin_voigt_damps_every_mode_by_half_eta_w(kind: dict) -> None:
    """The six bending modes and, of continuum elements, two more. The slopes of Takahashi elements are soft, but damped as if
    they were not. Eigenvalues straight from the solver were off by 5e-9, on some processors: rounding of the fastest motion."""
    found = beam("clamped-free", 6, damping=2e-4, **kind).modes(6 if kind == TAKAHASHI else 8)
    ratios = 1e-4 * 2 * np.pi * found.frequencies
    np.testing.assert_allclose(found.damping_ratios, ratios, rtol=1e-5 if kind == REDUCED else 1e-10)  # [2e-6, 2e-11]


@pytest.mark.slow
def test_beck_column_flutters_at_20_05() -> None:
    """A thrust that follows the tangent: two frequencies [4e-6 to 3e-5] meet at P L^2/EI = 20.05, within 0.1 %."""
    unit = {"length": 1.0, "axial_stiffness": 1e6, "bending_stiffness": 1.0, "mass_per_length": 1.0} | REDUCED

    def loaded(load: float) -> gw.Model:
        return beam("clamped-free", 12, **unit).force.at_point("rod.end", [-load, 0], frame="body")

    for load in (5.0, 19.0):
        np.testing.assert_allclose(flexible(loaded(load), 2), bs.beck_frequencies(load), rtol=5e-5)
    critical = bs.beck_load()
    assert loaded(0.999 * critical).modes().stable and not loaded(1.001 * critical).modes().stable
