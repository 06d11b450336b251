"""Properties of random mechanisms: closure, balance of energy, indifference to where and how they are drawn, files.

Hypothesis draws the mechanisms. Sizes are those of legs (centimetres to metres, grams to kilograms), so that one set of
tolerances fits all; a failing example is printed with the numbers that make it fail.
"""

from __future__ import annotations

import cmath
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gaitwright as gw
from verification import analytical as an
from verification.models import complex_of, four_bar

FEW = settings(max_examples=25, deadline=None, derandomize=True)
lengths = st.floats(0.05, 1.0)
masses = st.floats(0.02, 3.0)
angles = st.floats(-3.1, 3.1)
offsets = st.floats(-2.0, 2.0)


@st.composite
def linkages(draw) -> tuple[float, float, float, float, float]:
    """Four lengths (m) and a crank angle, any at all."""
    return draw(lengths), draw(lengths), draw(lengths), draw(lengths), draw(angles)


@st.composite
def trees(draw) -> list[tuple[int, float, float, float]]:
    """Links of a tree: parent (-1: ground), angle, length, mass."""
    count = draw(st.integers(1, 5))
    return [(draw(st.integers(-1, k - 1)), draw(angles), draw(st.floats(0.1, 0.6)), draw(masses)) for k in range(count)]


@st.composite
def springs(draw, nodes: int) -> list[tuple[int, float, float, float, float, float]]:
    """Springs from a tip to a ground point: tip, x, y, stiffness, damping, rest length."""
    one = st.tuples(
        st.integers(0, nodes - 1), offsets, offsets, st.floats(1.0, 200.0), st.floats(0.0, 5.0), st.floats(0.0, 1.0)
    )
    return draw(st.lists(one, min_size=0, max_size=3))


def tree_model(links, struts, *, turn: float = 0.0, shift: complex = 0j, speed: float = 0.0) -> gw.Model:
    """Links pinned to the tip of their parent, springs to the ground; the whole, gravity included, turned and shifted."""
    spin, down = cmath.exp(1j * turn), -1j * an.G * cmath.exp(1j * turn)

    def place(z: complex) -> tuple[float, float]:
        moved = shift + spin * z
        return moved.real, moved.imag

    model = gw.Model("tree", gravity=(down.real, down.imag)).ground_point("G", *place(0j))
    tips: list[complex] = []
    for k, (parent, angle, length, mass) in enumerate(links):
        base = tips[parent] if parent >= 0 else 0j
        tips.append(base + length * cmath.exp(1j * angle))
        model.point(f"P{k}", *place(tips[k]))
        model.link(f"L{k}", "G" if parent < 0 else f"P{parent}", f"P{k}", length=length, mass=mass)
    for k, (tip, x, y, stiffness, damping, rest) in enumerate(struts):
        model.ground_point(f"S{k}", *place(complex(x, y)))
        model.force.spring_damper(
            f"ground.S{k}", f"P{tip}", stiffness=stiffness, damping=damping, rest_length=rest, name=f"spring{k}"
        )
    if speed:
        v = spin * 1j * speed
        model.velocity("P0", v.real, v.imag)
    return model


def keeps_clear(run, struts) -> bool:
    """No spring passes through length zero, where its direction is undefined."""
    return all(run.array(f"spring{k}.length").min() > 0.02 for k in range(len(struts)))


# Four-bars ----------------------------------------------------------------------------------------------------------------


@FEW
@given(linkages(), st.sampled_from([1, -1]))
def test_four_bar_closes_or_raises_with_reason(bars, branch: int) -> None:
    """Assembly succeeds exactly when the triangle inequality allows it, and on the side that was drawn."""
    crank, coupler, rocker, ground, angle = bars
    reach = abs(ground - crank * cmath.exp(1j * angle))
    slack = min(coupler + rocker - reach, reach - abs(coupler - rocker))
    assume(abs(slack) > 1e-3 and reach > 1e-2)  # neither at a dead point nor undecidable by rounding
    # B is drawn where the law of cosines puts it, or on the line towards C if there is no such place
    along = (reach**2 + coupler**2 - rocker**2) / (2 * reach)
    height = np.sqrt(max(coupler**2 - along**2, 0.01 * coupler**2))
    a = crank * cmath.exp(1j * angle)
    b = a + (along + 1j * branch * height) * (ground - a) / reach
    model = gw.Model("random four-bar").ground_point("O", 0, 0).ground_point("C", ground, 0)
    model.point("A", a.real, a.imag).point("B", b.real, b.imag)
    for name, start, end, length in (
        ("crank", "O", "A", crank),
        ("coupler", "A", "B", coupler),
        ("rocker", "C", "B", rocker),
    ):
        model.link(name, start, end, length=length, mass=1.0)
    model.drive.rotation("crank", repr(angle))
    if slack > 0:
        run = model.kinematics(times=[0.0])
        exact = an.dyad(an.crank_point(crank, angle), an.fixed_point(ground, angle), coupler, rocker, branch)[0]
        assert complex(complex_of(run, "B")[0]) == pytest.approx(complex(exact), abs=1e-9)
    else:
        with pytest.raises(gw.AssemblyError) as stop:
            model.kinematics(times=[0.0])
        # the gap cannot be closed further than the triangle misses, shared by up to four joints
        assert sum(stop.value.open_joints.values()) > 0.2 * abs(slack)
        assert "mm" in str(stop.value)
        assert not model.check().closed


@st.composite
def crank_rockers(draw) -> tuple[tuple[float, float, float, float], float]:
    """Lengths of a linkage with a fully rotating crank (Grashof, with 2 % to spare), and a crank angle."""
    crank, coupler, rocker = draw(st.floats(0.05, 0.2)), draw(st.floats(0.3, 0.6)), draw(st.floats(0.3, 0.6))
    least, most = abs(coupler - rocker) + 1.02 * crank, coupler + rocker - 1.02 * crank
    return (crank, coupler, rocker, least + draw(st.floats(0.05, 0.95)) * (most - least)), draw(angles)


@FEW
@given(crank_rockers(), angles, offsets, offsets)
def test_turned_and_shifted_four_bar_moves_turned_and_shifted(bars, turn: float, x: float, y: float) -> None:
    sides, angle = bars
    spin, shift = cmath.exp(1j * turn), complex(x, y)
    plain = four_bar(sides, angle, drive=f"{angle!r} + 4*t")
    raw = plain.to_dict()
    for points in (raw["points"], raw["ground"]["points"]):
        for name, (px, py) in points.items():
            z = shift + spin * complex(px, py)
            points[name] = [z.real, z.imag]
    g = -1j * an.G * spin
    raw["gravity"] = [g.real, g.imag]
    raw["drives"][0]["angle"] = f"{turn!r} + {angle!r} + 4*t"
    times = np.linspace(0.0, 1.0, 21)
    one, two = plain.inverse(times=times), gw.Model.from_dict(raw).inverse(times=times)
    # Rounding of coordinates of up to 4 m, times the conditioning of nearly flat linkages.
    np.testing.assert_allclose(complex_of(two, "B"), shift + spin * complex_of(one, "B"), rtol=0, atol=1e-10)
    scale = np.abs(complex_of(one, "B", 2)).max()
    np.testing.assert_allclose(complex_of(two, "B", 2), spin * complex_of(one, "B", 2), rtol=0, atol=1e-9 * scale)
    torque = one.array("crank.torque")
    np.testing.assert_allclose(two.array("crank.torque"), torque, rtol=0, atol=1e-9 * np.abs(torque).max())
    pin = [run.array("A.fx") + 1j * run.array("A.fy") for run in (one, two)]
    np.testing.assert_allclose(pin[1], spin * pin[0], rtol=0, atol=1e-9 * np.abs(pin[0]).max())


# Trees of links with springs ----------------------------------------------------------------------------------------------


@FEW
@given(trees(), st.data())
def test_energy_balances(links, data) -> None:
    """Kinetic + potential + dissipated energy is constant, to the tolerance, for all trees and their springs."""
    struts = data.draw(springs(len(links)))
    run = tree_model(links, struts, speed=1.0).simulate(0.5, method="dopri5", tolerance=1e-9)
    assume(keeps_clear(run, struts))
    scale = np.abs(run.array("energy.kinetic")).max() + np.ptp(run.array("energy.potential")) + 1e-3
    assert run.evidence.max_energy_residual < 1e-6 * scale  # 1e-9 per step, up to 1000 steps
    assert run.evidence.max_position_violation < 1e-13
    assert np.all(np.diff(run.array("energy.dissipated")) > -1e-9 * scale)  # dampers only take


@FEW
@given(trees(), st.data(), angles, offsets, offsets)
def test_turned_and_shifted_tree_moves_turned_and_shifted(links, data, turn: float, x: float, y: float) -> None:
    struts = data.draw(springs(len(links)))
    spin, shift = cmath.exp(1j * turn), complex(x, y)
    how = {"method": "gauss2", "step": 1e-3, "every": 20}
    try:
        one = tree_model(links, struts, speed=1.0).simulate(0.2, **how)
    except gw.DidNotConverge:
        assume(False)  # a whip that steps of 1 ms do not resolve
    assume(keeps_clear(one, struts) and np.abs(one.motion.a).max() < 2e4)  # nor may it crack: that magnifies rounding
    two = tree_model(links, struts, turn=turn, shift=shift, speed=1.0).simulate(0.2, **how)
    last = f"P{len(links) - 1}"
    # The method itself is indifferent to the frame: what differs is rounding, grown by 200 steps of a chain.
    np.testing.assert_allclose(complex_of(two, last), shift + spin * complex_of(one, last), rtol=0, atol=1e-11)
    np.testing.assert_allclose(complex_of(two, last, 1), spin * complex_of(one, last, 1), rtol=0, atol=1e-9)
    np.testing.assert_allclose(two.array("energy.kinetic"), one.array("energy.kinetic"), rtol=1e-9, atol=1e-11)


@FEW
@given(trees())
def test_redrawing_order_does_not_matter(links) -> None:
    """Links given in another order (parents still first for the drawing) are the same mechanism."""
    forward = tree_model(links, [])
    raw = forward.to_dict()
    raw["links"] = raw["links"][::-1]
    how = {"method": "rk4", "step": 1e-3, "every": 50}
    one, two = forward.simulate(0.2, **how), gw.Model.from_dict(raw).simulate(0.2, **how)
    for k in range(len(links)):
        np.testing.assert_allclose(complex_of(two, f"P{k}"), complex_of(one, f"P{k}"), rtol=0, atol=1e-11)


@FEW
@given(trees(), st.data())
def test_model_file_round_trip(links, data) -> None:
    """Saved and loaded, a model is the same document and moves to the last bit the same."""
    struts = data.draw(springs(len(links)))
    model = tree_model(links, struts, speed=0.5)
    model.output("L0.angle", "energy.kinetic")
    with TemporaryDirectory() as folder:
        loaded = gw.load(model.save(Path(folder) / "model.yaml"))
    assert loaded.to_dict() == model.to_dict()
    one, two = (m.simulate(0.05, method="rk4", step=1e-3) for m in (model, loaded))
    np.testing.assert_array_equal(two.motion.q, one.motion.q)
    np.testing.assert_array_equal(two.motion.v, one.motion.v)


@FEW
@given(st.floats(0.2, 5.0), st.floats(1.0, 500.0), st.floats(0.0, 20.0), st.floats(0.05, 0.4), st.floats(-2.0, 2.0))
def test_random_oscillators(mass: float, stiffness: float, damping: float, x0: float, v0: float) -> None:
    model = gw.Model("oscillator", gravity=(0, 0)).ground_point("O", 0, 0)
    rest = 2.0 + abs(v0) * np.sqrt(mass / stiffness)  # never passes through length zero
    model.body("m", mass=mass, inertia=1.0, at=(rest + x0, 0), velocity=(v0, 0)).joint.prismatic(
        "ground.O", "m", (1, 0)
    )
    model.force.spring_damper("ground.O", "m", stiffness=stiffness, damping=damping, rest_length=rest, name="spring")
    run = model.simulate(1.0, method="radau5", tolerance=1e-9)
    x, v = an.damped_free(run.time, mass, damping, stiffness, x0, v0)
    # error per step 1e-9 of (size + value), radau5's own error is smaller by a power of h
    np.testing.assert_allclose(run.array("m.x") - rest, x, rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.array("m.vx"), v, rtol=0, atol=1e-6)
