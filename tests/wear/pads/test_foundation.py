"""Pressure below a pad on an elastic foundation, against closed forms, balance and symmetry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.wear.pads import CuffPad, press

RNG = np.random.default_rng(17)
FLAT = {"radius": 1000.0, "friction": 0.0}
"""A limb so large that 0.1 m of it are practically flat."""


def flat(width: float = 0.1, length: float = 0.06, **more) -> CuffPad:
    return CuffPad.of_length("thigh", width, length, **{**FLAT, **more})


def resultant(found) -> np.ndarray:
    """Resultant of the pressures, (n, 6)."""
    return -(found.values * found.cells.area) @ found.cells.normal


def test_flat_pad_has_force_over_area():
    found = press(flat(), [-30.0, 0.0, 0.0])
    np.testing.assert_allclose(found.values, 30.0 / (0.1 * 0.06), rtol=1e-5)
    uniform = press(flat(), [-30.0, 0.0, 0.0], method="uniform")
    np.testing.assert_allclose(uniform.values, found.values, rtol=1e-5)
    assert found.area[0] == pytest.approx(0.006)


def test_a_moment_within_the_kern_is_linear():
    """p = F/A + M y/I with I = b h^3/12: Navier. The moment on the limb about z grows with force -x at larger y."""
    pad = flat()
    force, moment, inertia = 30.0, 0.3, 0.06 * 0.1**3 / 12.0
    found = press(pad, [-force, 0.0, 0.0], [0.0, 0.0, moment])
    expected = force / 0.006 + moment * found.cells.along / inertia
    # springs of cells have the inertia of their centres: h^3/12 (1 - 1/rows^2)
    slope = moment / (inertia * (1.0 - 1.0 / 12**2))
    np.testing.assert_allclose(found.pressure.values[0, :, 5], force / 0.006 + slope * found.cells.along, rtol=1e-4)
    np.testing.assert_allclose(found.pressure.values[0, :, 5], expected, rtol=0.01)


def test_load_beyond_the_kern_gives_a_pressure_triangle():
    """e = M/F > h/6: the pressure is a triangle over 3 (h/2 - e), its peak 2 F/(3 b (h/2 - e))."""
    force, moment = 30.0, 0.9
    found = press(flat(cells=(200, 8)), [-force, 0.0, 0.0], [0.0, 0.0, moment])
    long = 3.0 * (0.05 - moment / force)
    assert found.peak[0] == pytest.approx(2.0 * force / (0.06 * long), rel=0.01)
    assert found.area[0] == pytest.approx(0.06 * long, rel=0.02)


def test_half_cuff_has_a_cosine_pressure():
    """p = p0 cos a with F = p0 R w pi/2: a stiff half shell on a cylinder that is compressed along its normal."""
    pad = CuffPad("thigh", 0.1, 180.0, friction=0.0, cells=(4, 90))
    found = press(pad, [-100.0, 0.0, 0.0])
    top = 2.0 * 100.0 / (math.pi * pad.mean_radius * 0.1)
    cosine = top * np.cos(np.radians(found.cells.around))
    np.testing.assert_allclose(found.pressure.values[0, 0], cosine, atol=2e-4 * top)


def test_a_closed_cuff_under_tension_is_linear_until_it_lifts_off():
    """p = T/(R w) + p1 cos a with F = p1 R w pi: all around, as if bonded, as long as p1 is less than the strap's
    pressure."""
    pad = CuffPad("calf", 0.08, 360.0, strap=40.0, friction=0.0, cells=(4, 90))
    held = 40.0 / (pad.mean_radius * 0.08)
    found = press(pad, [[-20.0, 0.0, 0.0], [-300.0, 0.0, 0.0]])
    more = 20.0 / (math.pi * pad.mean_radius * 0.08)
    expected = held + more * np.cos(np.radians(found.cells.around))
    np.testing.assert_allclose(found.pressure.values[0, 0], expected, atol=1e-4 * held)
    assert found.area[0] == pytest.approx(2.0 * math.pi * pad.mean_radius * 0.08)
    assert found.area[1] < 0.9 * found.area[0]


def test_unloaded_strap_presses_with_its_tension():
    for around in (90.0, 180.0, 270.0, 360.0):
        pad = CuffPad("thigh", 0.1, around, strap=50.0)
        found = press(pad, [0.0, 0.0, 0.0])
        np.testing.assert_allclose(found.values, 50.0 / (pad.mean_radius * 0.1), rtol=1e-9)
        assert found.tension[0] == pytest.approx(50.0)


def test_strap_carries_a_pull():
    """With the pad lifted off its pressure is zero, and 2 T sin(around/2) = F."""
    pad = CuffPad("thigh", 0.1, 120.0, strap=10.0)
    found = press(pad, [90.0, 0.0, 0.0])
    assert found.tension[0] == pytest.approx(90.0 / (2.0 * math.sin(math.radians(60.0))), rel=1e-3)
    assert found.peak[0] < 0.02 * found.strap_pressure[0]


@pytest.mark.parametrize("pad", [
    CuffPad("thigh", 0.1, 180.0, strap=80.0, friction=0.4),
    CuffPad("calf", 0.08, 360.0, strap=60.0, radius=(0.045, 0.055)),
    CuffPad("shin", 0.06, 100.0, strap=60.0, facing=30.0, shape=0.07, cushion=SoftLayer(0.01, 1e5, 0.3)),
], ids=["half", "cone", "other shape"])  # fmt: skip
def test_pressure_shear_and_strap_balance_the_wrench(pad):
    from gaitwright.wear.pads.cells import build_pad_cells
    from gaitwright.wear.pads.foundation import PadFoundation

    wrench = RNG.normal(size=(20, 6)) * [60.0, 10.0, 40.0, 0.8, 0.3, 0.8] - [60.0, 0, 0, 0, 0, 0]
    cells = build_pad_cells(pad)
    found = PadFoundation(pad, cells).rest(wrench)
    assert found.pressure.min() >= 0.0
    carried = -(found.pressure * cells.area) @ cells.normal
    carried += np.einsum("c,nct,cti->ni", cells.area, found.shear, cells.tangents) + found.beyond
    carried += found.tension[:, None] * (cells.area @ cells.normal) / (pad.mean_radius * pad.width)
    np.testing.assert_allclose(carried, wrench, atol=1e-9 * np.abs(wrench).max())
    assert np.all(np.linalg.norm(found.shear, axis=2) <= pad.friction * found.pressure * (1.0 + 1e-9) + 1e-9)


def test_a_mirrored_load_has_a_mirrored_pressure():
    left, right = (CuffPad("calf", 0.08, 140.0, facing=side, strap=30.0) for side in (-40.0, 40.0))
    force, moment = np.array([-80.0, 6.0, -35.0]), np.array([0.5, 0.2, 0.7])
    one = press(right, force, moment)
    other = press(left, force * [1, 1, -1], moment * [-1, -1, 1])
    np.testing.assert_allclose(
        other.values.reshape(12, -1)[:, ::-1], one.values.reshape(12, -1), atol=1e-6 * one.peak[0]
    )
    np.testing.assert_allclose(other.centre[0] * [1, 1, -1], one.centre[0], atol=1e-9)


def test_rotated_load_has_the_same_pressure():
    """Facing and force are rotated by the same angle about the limb's axis."""
    turn = math.radians(70.0)
    force = np.array([-80.0, 5.0, -30.0])
    turned = [
        force[0] * math.cos(turn) - force[2] * math.sin(turn),
        force[1],
        force[0] * math.sin(turn) + force[2] * math.cos(turn),
    ]
    one, other = (press(CuffPad("calf", 0.08, 140.0, facing=f), g) for f, g in ((0.0, force), (70.0, turned)))
    np.testing.assert_allclose(other.values, one.values, atol=1e-7 * one.peak[0])


def test_a_flat_plate_on_a_cylinder_touches_a_strip():
    """Hertz' problem on springs: p = k (d - x^2/2R), half width a, F = (2/3) k w a^3/R, peak k a^2/2R."""
    pad = CuffPad("thigh", 0.1, 60.0, shape=math.inf, friction=0.0, cells=(2, 400))
    found = press(pad, [-5.0, 0.0, 0.0])
    stiff = pad.stiffness[0]
    half = (1.5 * 5.0 * pad.mean_radius / (stiff * 0.1)) ** (1.0 / 3.0)
    assert found.area[0] / 0.1 == pytest.approx(2.0 * half, rel=0.02)
    assert found.peak[0] == pytest.approx(0.5 * stiff * half**2 / pad.mean_radius, rel=0.02)


def test_layers_act_in_series():
    tissue, foam = SoftLayer(0.02, 4e4, 0.45, density=1000.0), SoftLayer(0.01, 1e5, 0.3)
    k, kt = (CuffPad("thigh", 0.1, tissue=tissue, cushion=foam)).stiffness
    moduli = [e * (1 - v) / ((1 + v) * (1 - 2 * v)) for e, v in ((4e4, 0.45), (1e5, 0.3))]
    assert k == pytest.approx(1.0 / (0.02 / moduli[0] + 0.01 / moduli[1]))
    assert kt == pytest.approx(1.0 / (0.02 * 2 * 1.45 / 4e4 + 0.01 * 2 * 1.3 / 1e5))


def test_load_beyond_friction_is_reported_as_unheld():
    pad = CuffPad("thigh", 0.1, 360.0, strap=60.0, friction=0.3)
    most = 0.3 * 60.0 / (pad.mean_radius * 0.1) * 2.0 * math.pi * pad.mean_radius * 0.1
    found = press(pad, [[0.0, 0.5 * most, 0.0], [0.0, 1.5 * most, 0.0]])
    assert found.unheld[0] == 0.0
    assert found.unheld[1] == pytest.approx(0.5 * most, rel=1e-6)
    assert "slides" in found.notes[0]
