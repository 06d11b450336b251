"""Beams in contact: at rest their nodes carry the weight, the loss in a fall is that of the law, and a run may start from
another one."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw

G = 9.81


def strip(height: float = 0.02, elements: int = 6, **fields: float) -> gw.Model:
    """A strip of rubber of 0.4 m above the floor, level."""
    model = gw.Model("strip").point("A", 0, height).point("B", 0.4, height)
    section = {"youngs_modulus": 2e7, "density": 1000, "width": 0.02, "height": 0.01} | fields
    return model.beam("strip", "A", "B", elements=elements, **section)


def test_nodes_carry_the_weight_at_rest():
    """The normal forces are those of consistent loads: m g in total, and the floor is at half the thickness."""
    model = strip(0.0049).contact(
        gw.surfaces.Along("strip"), gw.surfaces.LineGround(), law=gw.laws.Hertz(stiffness=1e6), name="floor"
    )
    run = model.static()
    weight = 1000 * 0.02 * 0.01 * 0.4 * G
    assert run.array("floor.normal_force")[0] == pytest.approx(weight, rel=1e-9)
    assert run.array("floor.fy")[0] == pytest.approx(weight, rel=1e-9)
    parts = [run.array(f"floor:node{k + 1}.normal_force")[0] for k in range(7)]
    assert sum(parts) == pytest.approx(weight, rel=1e-9) and min(parts) > 0
    assert np.allclose(parts, parts[::-1], rtol=1e-6)
    for k in range(7):
        depth = 0.005 - run.array(f"strip.node{k + 1}.y")[0]
        assert parts[k] == pytest.approx(1e6 * depth**1.5, rel=1e-6)


def test_a_level_fall_begins_as_that_of_a_stone():
    """Until the touchdown nothing bends; then it is met to the instant, at all nodes at once."""
    run = (
        strip(0.055)
        .contact(
            gw.surfaces.Along("strip"),
            gw.surfaces.LineGround(),
            law=gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5),
            name="floor",
        )
        .simulate(0.12, step=2e-4)
    )
    touches = run.contacts("floor")
    assert len(touches) >= 7
    assert touches.begin.min() == pytest.approx(math.sqrt(2 * 0.05 / G), abs=1e-9)
    first = touches[touches.begin < touches.begin.min() + 1e-6]
    assert len(first) == 7
    assert first.approach_speed.to_numpy() == pytest.approx(math.sqrt(2 * 0.05 * G), rel=1e-6)
    assert run.summary()["contacts"].keys() == {"floor"}


def test_methods_agree_on_a_tilted_fall():
    """One end first, with friction and damping: generalized-alpha goes to what dopri5 finds to 1e-9 of energy."""

    def fall() -> gw.Model:
        model = gw.Model("rod").point("A", 0, 0.05).point("B", 0.3, 0.1)
        model.beam("rod", "A", "B", elements=3, youngs_modulus=5e6, density=1000, width=0.02, height=0.02, damping=2e-3)
        law = gw.laws.HuntCrossley(stiffness=2e4, restitution=0.4)
        return model.contact(
            gw.surfaces.Along("rod"), gw.surfaces.LineGround(), law=law, friction=gw.friction.Coulomb(0.3), name="floor"
        )

    exact = fall().simulate(0.2, method="dopri5", tolerance=1e-9)
    assert np.abs(exact.array("energy.residual")).max() < 1e-8
    errors = []
    for step in (4e-4, 1e-4):
        run = fall().simulate(0.2, step=step)
        errors.append(abs(run.array("rod.end.y")[-1] - exact.array("rod.end.y")[-1]))
    assert errors[1] < 2e-4 and errors[1] < errors[0]


def test_energy_never_comes_from_the_floor():
    model = strip(0.03).contact(
        gw.surfaces.Along("strip"),
        gw.surfaces.LineGround(),
        law=gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5),
        name="floor",
    )
    run = model.simulate(0.3, step=2e-4)
    total = run.array("energy.kinetic") + run.array("energy.potential")
    assert np.max(np.diff(total)) < 1e-4 * np.ptp(total)


@pytest.mark.parametrize("formulation", ["continuum", "takahashi"])
def test_release_from_an_equilibrium(formulation: str):
    """Bent by a weight, let go: the run begins where the equilibrium was, at rest, and keeps its energy."""

    def blade(load: float) -> gw.Model:
        model = gw.Model("blade", gravity=(0, 0)).ground_point("O", 0, 0).point("E", 0.5, 0)
        model.beam("blade", "O", "E", elements=6, bending_stiffness=1.4, axial_stiffness=1e4, mass_per_length=0.1,
                   formulation=formulation)  # fmt: skip
        return model.joint.fixed("ground.O", "blade.start").force.at_point("blade.end", [0, load])

    bent = blade(-4.0).static()
    run = blade(0.0).simulate(0.1, method="gauss2", step=1e-4, start=bent)
    assert run.array("blade.end.y")[0] == bent.array("blade.end.y")[0] < -0.08
    assert run.array("blade.end.vy")[0] == 0.0
    assert run.array("blade.end.y").max() > 0.05
    assert np.abs(run.array("energy.residual")).max() < 1e-5 * bent.array("energy.potential")[0]


def test_a_start_that_does_not_fit_is_refused():
    model = strip()
    other = gw.Model().point("A", 0, 0).point("B", 1, 0).link("bar", "A", "B", mass=1.0)
    with pytest.raises(gw.ModelError, match="coordinates"):
        model.simulate(0.1, start=other.simulate(0.1))
    driven = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0).link("bar", "O", "A", mass=1.0)
    driven.drive.rotation("bar", "t")
    with pytest.raises(gw.AssemblyError, match="not closed"):
        driven.simulate(0.1, start=driven.simulate(1.0))
