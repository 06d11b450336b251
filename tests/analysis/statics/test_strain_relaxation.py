"""A beam starts unstressed however roughly it is drawn, strained only as its loops require, or with an explicit prestress."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics.strain_relaxation import UNSTRESSED_STRAIN_TOL

ALUMINIUM = {"youngs_modulus": 70e9, "density": 2700.0, "width": 0.02, "height": 0.006}
SIZES = (0.01, 0.03, 0.1, 0.3)
"""Error of drawn points, relative to the largest length."""


def strains(model: gw.Model) -> dict[str, float]:
    return {name: found.strain for name, found in model.assemble().strains.items()}


def crossing(a: complex, r: float, b: complex, s: float) -> complex:
    """The point at distances r from a and s from b, to the left of the way from a to b."""
    d = abs(b - a)
    x = (d * d + r * r - s * s) / (2 * d)
    return a + (x + 1j * math.sqrt(r * r - x * x)) * (b - a) / d


B = crossing(0.1, 0.30, 0.30, 0.25)


def four_bar(a: complex = 0.1, b: complex = B, **fields: Any) -> gw.Model:
    """README's crank-rocker with its coupler as a beam."""
    m = gw.Model("crank-rocker").ground_point("O", 0, 0).ground_point("C", 0.30, 0)
    m.point("A", a.real, a.imag).point("B", b.real, b.imag)
    m.link("crank", "O", "A", length=0.10, mass=0.05)
    m.beam("coupler", "A", "B", **{"length": 0.30, "elements": 4, **ALUMINIUM, **fields})
    m.link("rocker", "C", "B", length=0.25, mass=0.12)
    return m.drive.rotation("crank", angle="2*pi*t")


def six_bar(off: list[complex], **fields: Any) -> gw.Model:
    """Two loops in series, a beam in both and one in the second alone; a curved one."""
    points = {"A": 0.1 + 0j, "B": B}
    points["E"] = crossing(0.55, 0.22, B, 0.30)
    m = gw.Model("six-bar").ground_point("O", 0, 0).ground_point("C", 0.30, 0).ground_point("D", 0.55, 0)
    for (name, at), wrong in zip(points.items(), off, strict=True):
        m.point(name, (at + wrong).real, (at + wrong).imag)
    m.link("crank", "O", "A", length=0.10, mass=0.05)
    m.beam("coupler", "A", "B", length=0.30, elements=3, **ALUMINIUM)
    m.link("rocker", "C", "B", length=0.25, mass=0.12)
    bent = 2.0  # 1/m; of this chord
    m.beam("arc", "B", "E", length=2 / bent * math.asin(0.15 * bent), curvature=bent, elements=4, **ALUMINIUM)
    m.link("second", "D", "E", length=0.22, mass=0.1)
    return m.drive.rotation("crank", angle="2*pi*t")


def scattered(count: int, size: float, seed: int) -> list[complex]:
    """Errors of a drawing, each of a given size, in any direction."""
    turns = np.random.default_rng(seed).uniform(0.0, 2 * np.pi, count)
    return [complex(size * np.cos(x), size * np.sin(x)) for x in turns]


# Unstressed ---------------------------------------------------------------------------------------------------------------


def test_four_bar_of_the_readme_drawn_roughly():
    """B drawn 6 mm off gave 115 MPa and 724 N m. Assembly closes joints to 1e-14 m: 1e-13 of strain, some 0.01 Pa."""
    runs = [model.simulate(0.25, step=1e-3) for model in (four_bar(), four_bar(b=0.25 + 0.25j))]
    exact, rough = ([float(run.array("coupler.max_stress")[0]), *run.array("crank.torque")] for run in runs)
    np.testing.assert_allclose(rough, exact, rtol=1e-6, atol=1e-7)
    assert exact[0] < 1e5  # stress due to inertia
    assert max(map(abs, exact[1:])) < 0.2  # as with rigid links, plus vibrations at the start
    assert runs[1].evidence.initial_strains["coupler"]["strain"] < 1e-12
    assert not runs[1].evidence.warnings


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_sloppy_drawings_of_one_loop(size: float, seed: int):
    """The pose is that of the exact drawing, on the drawn branch, to the closure tolerance."""
    a, b = scattered(2, 0.30 * size / 2, seed)
    model, exact = four_bar(0.1 + a, B + b), four_bar()
    assert strains(model)["coupler"] < UNSTRESSED_STRAIN_TOL
    np.testing.assert_allclose(model.assemble().q, exact.assemble().q, rtol=0, atol=1e-11)


@pytest.mark.parametrize("size", SIZES)
def test_sloppy_drawings_of_several_loops_with_a_curved_beam(size: float):
    model, exact = (six_bar(scattered(3, part * 0.30 * size / 2, 1)) for part in (1.0, 0.0))
    assert max(strains(model).values()) < UNSTRESSED_STRAIN_TOL
    np.testing.assert_allclose(model.assemble().q, exact.assemble().q, rtol=0, atol=1e-10)


@pytest.mark.parametrize("drawn", [0.15, 0.27, 0.33, 0.45])
def test_a_beam_drawn_with_the_wrong_length(drawn: float):
    """Its length counts: the free end of a clamped one, and a whole loop."""
    loose = gw.Model().ground_point("O", 0, 0).point("E", drawn, 0.02)
    loose.beam("rod", "O", "E", length=0.30, elements=4, **ALUMINIUM).joint.fixed("ground.O", "rod.start", angle=0.4)
    q, rod = loose.assemble().q, loose.mechanism().beams["rod"]
    assert strains(loose)["rod"] < UNSTRESSED_STRAIN_TOL
    assert q[rod.nodes[-1, :2]] == pytest.approx([0.30 * math.cos(0.4), 0.30 * math.sin(0.4)], abs=1e-12)
    model = four_bar(b=0.1 + drawn * (B - 0.1) / 0.30)
    np.testing.assert_allclose(model.assemble().q, four_bar().assemble().q, rtol=0, atol=1e-10)


def test_a_beam_welded_at_an_angle_into_a_loop():
    """Clamped to the crank at an angle, it carries a slider: two loops, closed without bending the beam."""

    def model(off: complex) -> gw.Model:
        m = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0)
        end = 0.1 + 0.2 * np.exp(0.5j) + off
        m.point("A", 0.1, 0).point("B", end.real, end.imag)
        m.link("crank", "O", "A", length=0.1, mass=0.1)
        m.beam("rod", "A", "B", length=0.2, elements=4, **ALUMINIUM).joint.fixed("crank.A", "rod.start", angle=0.5)
        m.body("slider", mass=0.1, inertia=1e-4, at=(end.real, 0.0)).joint.slot("slider", "rod.end", axis=(0, 1))
        return m.joint.prismatic("ground.O", "slider", axis=(1, 0)).drive.rotation("crank", "0.3*t")

    exact, rough = model(0j), model(0.03 - 0.02j)
    assert strains(rough)["rod"] < UNSTRESSED_STRAIN_TOL
    np.testing.assert_allclose(rough.assemble().q, exact.assemble().q, rtol=0, atol=1e-11)


def test_start_velocities_do_not_depend_on_the_drawing():
    """A start velocity that the drive does not allow, and the velocities of all nodes: as from the exact drawing."""
    exact, rough = (four_bar(b=b).velocity("B", 0.1, 0.0).assemble() for b in (B, B + 0.02 - 0.01j))
    np.testing.assert_allclose(rough.v, exact.v, rtol=1e-7, atol=1e-8)
    assert rough.warnings == exact.warnings != []


# Strained as far as loops demand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("clamped", [False, True])
@pytest.mark.parametrize("apart", [0.999, 1.001])
def test_a_beam_between_two_points_of_another_distance(apart: float, clamped: bool):
    """Longer or shorter than the beam by 1 in 1000. If held straight by clamps or too short it is strained evenly, in agreement
    with the distance to second order in 1e-3; and there is a warning."""
    m = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", apart, 0)
    # Stiff across, so that the clamped one does not buckle: 4 pi^2 (r / L)^2 = 3.3e-2 is far above 1e-3.
    m.beam("rod", "O", "E", length=1.0, elements=4, youngs_modulus=70e9, density=2700, width=0.02, height=0.1)
    if clamped:
        m.joint.fixed("ground.O", "rod.start", angle=0.0).joint.fixed("ground.E", "rod.end", angle=0.0)
    start = m.assemble()
    assert start.strains["rod"].strain == pytest.approx(1e-3, rel=2e-3)
    assert start.strains["rod"].stress == pytest.approx(70e6, rel=2e-3)
    assert any("'rod' starts strained by 0.1 % (70 MPa)" in text for text in start.warnings)
    stretch = m.mechanism().beams["rod"].stretch(start.q)
    np.testing.assert_allclose(stretch, apart - 1.0, rtol=2e-3)


def test_least_strain_energy_not_least_changes():
    """Two beams in line, together too short by 2 mm: their strains follow from the ratio of their compliances."""
    m = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", 1.002, 0).point("M", 0.5, 0)
    section = {"youngs_modulus": 70e9, "density": 2700.0, "height": 0.1, "elements": 2, "length": 0.5}
    m.beam("thin", "O", "M", width=0.001, **section).beam("thick", "M", "E", width=0.003, **section)
    m.joint.fixed("thin.end", "thick.start", angle=0.0)
    found = strains(m)
    assert found["thin"] == pytest.approx(3 * found["thick"], rel=1e-6)
    assert found["thin"] + found["thick"] == pytest.approx(0.004, rel=1e-3)


def test_a_bent_beam_starts_in_equilibrium():
    """Longer than the distance of the points that hold it: it starts as an elastica, not as the arc in which it is drawn."""
    m = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", 0.9, 0)
    m.beam("rod", "O", "E", length=1.0, elements=8, youngs_modulus=70e9, density=2700, width=0.02, height=0.002)
    at_rest = m.static()
    np.testing.assert_allclose(m.assemble().q, at_rest.motion.q[0], rtol=0, atol=1e-7)
    assert at_rest.array("rod.node5.y")[0] > 0.15


def test_drive_bends_clamped_beam_to_constant_curvature():
    """A drive prescribes more than rigid pieces allow: a clamped beam with a rotated tip bends with the corresponding
    moment and the constant curvature angle / L."""
    m = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", 0.5, 0)
    m.beam("rod", "O", "E", length=0.5, elements=4, youngs_modulus=70e9, density=2700, width=0.02, height=0.002)
    m.joint.fixed("ground.O", "rod.start", angle=0.0).drive.rotation("rod.end", "0.2 + t")
    assert strains(m)["rod"] == pytest.approx(0.2 / 0.5 * 0.001, rel=1e-3)


# Prestressed by name ----------------------------------------------------------------------------------------------------


def test_prestress_as_drawn():
    """Its ends start at the drawn distance: 0.1 % too far, in a loop that would allow it to be unstressed."""
    b = crossing(0.1, 0.3003, 0.30, 0.25)
    model = four_bar(b=b, prestress="drawn")
    start = model.assemble()
    assert start.strains["coupler"].strain == pytest.approx(1e-3, rel=1e-6)
    assert not start.warnings  # the prestress is intentional
    assert model.check().beams[0].initial_stress == pytest.approx(70e6, rel=1e-6)
    assert strains(four_bar(b=b))["coupler"] < UNSTRESSED_STRAIN_TOL


def test_prestress_by_a_bow_in_a_loop():
    """Drawn 2 % closer than its length, and bowed: bent at the start with explicit prestress; straight without it."""
    b = crossing(0.1, 0.294, 0.30, 0.25)
    found = {}
    for bow, prestress in itertools.product((None, "left", "right"), (None, "none", "drawn")):
        model = four_bar(b=b, bow=bow, prestress=prestress)
        q, beam = model.assemble().q, model.mechanism().beams["coupler"]
        chord = q[beam.nodes[-1, :2]] - q[beam.nodes[0, :2]]
        middle = q[beam.nodes[2, :2]] - q[beam.nodes[0, :2]]
        found[bow, prestress] = float(chord[0] * middle[1] - chord[1] * middle[0]) / math.hypot(*chord)
    straight = [(None, None), (None, "none"), ("left", "none"), ("right", "none")]
    assert all(abs(found.pop(key)) < 1e-12 for key in straight)
    assert all((offset < 0) == (key[0] == "right") and abs(offset) > 0.02 for key, offset in found.items())


# Reports --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_check_and_results_report_initial_strain(tmp_path: Any):
    rough = four_bar(b=0.25 + 0.25j)
    assert "; unstressed at the start" in rough.check().beams[0].line()
    tight = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", 1.001, 0)
    tight.beam("rod", "O", "E", length=1.0, elements=2, **ALUMINIUM)
    found = tight.check()
    assert "; strained by 0.1 % (70 MPa) at the start" in found.beams[0].line()
    assert any("starts strained by 0.1 %" in text for text in found.warnings)
    run = tight.static()
    assert run.summary()["evidence"]["initial_strains"]["rod"]["stress"] == pytest.approx(70e6, rel=1e-3)
    again = gw.load_result(run.save(tmp_path / "tight.nc"))
    assert again.evidence.initial_strains == run.evidence.initial_strains
