"""A foot that is driven over the ground: contact times, forces and sub-phases of its points."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import gaitwright as gw
from gaitwright.legs.hoof import HoofMotion, analyse_hoof, put_on_ground
from gaitwright.physics.contact_laws.hertz import Hertz
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh

LENGTH, STIFFNESS = 0.1, 1e4
POINTS = {"back": "foot.back", "middle": "foot.middle", "front": "foot.front"}
TIMES = np.linspace(0.0, 1.0, 2001)


def foot(angle: str, height: str = "0.05*(2*t - 1)^2 - 0.002") -> gw.Model:
    """Straight sole with driven centre and angle."""
    model = gw.Model("foot", gravity=(0, 0))
    half = LENGTH / 2
    points = {"back": (-half, 0), "middle": (0, 0), "front": (half, 0)}
    model.body("foot", mass=1, inertia=0.01, at=(0, 0.048), points=points)
    model.drive.position("foot", x="0.1*t", y=height).drive.rotation("foot", angle)
    return model


def measure(model: gw.Model, law: gw.extend.ContactLaw, **options: float) -> tuple[HoofMotion, gw.Model]:
    grounded = put_on_ground(model, POINTS, level=0.0, law=law, **options)
    return analyse_hoof(grounded.inverse(times=TIMES), list(POINTS)), grounded


def depth(t: float, side: int) -> float:
    """Depth of the back (-1), middle (0) or front (+1) of the foot that rolls from 0.2 to -0.2 rad."""
    return -(0.05 * (2 * t - 1) ** 2 - 0.002 + side * LENGTH / 2 * math.sin(0.2 - 0.4 * t))


def root(side: int, first: float, last: float) -> float:
    """Time at which that point crosses the ground."""
    found: float = brentq(depth, first, last, args=(side,))  # type: ignore[assignment]
    return found


@pytest.fixture(scope="module")
def rolling() -> HoofMotion:
    return measure(foot("0.2 - 0.4*t"), Hertz(stiffness=STIFFNESS))[0]


def test_sub_phases_begin_when_the_points_touch(rolling: HoofMotion) -> None:
    (step,) = rolling.steps
    assert [part.name for part in step] == ["heel-strike", "flat", "toe-off"]
    back = [root(-1, *ends) for ends in ((0.1, 0.45), (0.45, 0.8))]
    front = [root(1, *ends) for ends in ((0.2, 0.55), (0.55, 0.9))]
    assert [part.begin for part in step] == pytest.approx([back[0], front[0], back[1]], abs=1e-6)
    assert step[-1].end == pytest.approx(front[1], abs=1e-6)
    assert rolling.duty == pytest.approx(front[1] - back[0], abs=2e-6)
    assert rolling.rotation() == pytest.approx(0.4 * (front[1] - back[0]), abs=1e-6)
    assert step[0].angles[0] == pytest.approx(0.2 - 0.4 * back[0], abs=1e-6)
    assert sum(rolling.share(name) for name in ("heel-strike", "flat", "toe-off")) == pytest.approx(1.0)
    assert rolling.share("flat") == pytest.approx((back[1] - front[0]) / (front[1] - back[0]), abs=1e-5)
    assert rolling.share("toe-strike") == 0.0
    assert step[1].closed == ("back", "middle", "front")


def test_forces_are_those_of_the_law_and_sum_up(rolling: HoofMotion) -> None:
    total = np.zeros(TIMES.size)
    for side, name in zip((-1, 0, 1), POINTS, strict=True):
        exact = np.array([STIFFNESS * max(depth(t, side), 0.0) ** 1.5 for t in TIMES])
        assert rolling.forces[name] == pytest.approx(exact, abs=1e-9)
        total += exact
    assert rolling.normal == pytest.approx(total, abs=1e-9)
    assert rolling.peak == pytest.approx(total.max())
    assert rolling.mean == pytest.approx(np.trapezoid(total, TIMES))
    assert rolling.angle == pytest.approx(0.2 - 0.4 * TIMES, abs=1e-12)


def test_centre_of_pressure_goes_from_heel_to_toe(rolling: HoofMotion) -> None:
    first, last = rolling.steps[0][0], rolling.steps[0][-1]
    t = rolling.time
    inside = (t > first.begin + 1e-3) & (t < last.end - 1e-3)
    assert np.isnan(rolling.along[t < first.begin]).all() and np.isnan(rolling.centre[t > last.end]).all()
    along = rolling.along[inside]
    assert along[0] == 0.0 and along[-1] == 1.0
    assert np.all(np.diff(along) > -1e-12)
    # moments about the back: the reaction at its centre replaces the three forces
    forces = np.stack([rolling.forces[name] for name in POINTS])[:, inside]
    assert along * rolling.normal[inside] == pytest.approx(0.5 * forces[1] + forces[2], abs=1e-9)


def test_the_ground_reaction_is_the_sum() -> None:
    options = {"law": Hertz(stiffness=STIFFNESS), "friction": gw.friction.Coulomb(0.4), "speed": 1.0}
    run = put_on_ground(foot("0.2 - 0.4*t"), POINTS, level=0.0, **options).inverse(times=TIMES)
    hoof = analyse_hoof(run, list(POINTS))
    assert hoof.normal == pytest.approx(run.array("ground_reaction.fy"), abs=1e-12)
    assert hoof.tangential == pytest.approx(run.array("ground_reaction.fx"), abs=1e-12)
    # the ground moves backwards at 1 m/s and drags the foot
    assert hoof.tangential == pytest.approx(-0.4 * hoof.normal, abs=1e-9)
    known = ~np.isnan(hoof.centre[:, 0])
    assert hoof.centre[known, 0] == pytest.approx(run.array("ground_reaction.x")[known], abs=1e-12)


@pytest.mark.parametrize(
    ("angle", "names"),
    [
        ("0.4*t - 0.2", ["toe-strike", "flat", "heel-off"]),
        ("-0.2", ["toe"]),
        ("0.2", ["heel"]),
        ("0", ["flat"]),
        ("0.5*(2*t - 1)^2", ["heel-strike", "flat", "heel-off"]),
    ],
)
def test_names_of_sub_phases(angle: str, names: list[str]) -> None:
    hoof, _ = measure(foot(f"{angle} + 0*t"), Hertz(stiffness=STIFFNESS))
    assert [part.name for part in hoof.steps[0]] == names


def test_two_steps_are_separated() -> None:
    hoof, _ = measure(foot("0.1*sin(4*pi*t)", "0.03*cos(4*pi*t) + 0.027"), Hertz(stiffness=STIFFNESS))
    assert len(hoof.steps) == 2
    assert hoof.duty == pytest.approx(sum(step[-1].end - step[0].begin for step in hoof.steps))


def test_driven_foot_has_the_same_mean_force_for_every_restitution() -> None:
    """The damping of Eq 3.9 integrates to zero between touchdown and lift-off, and the force is at most 1.75 times elastic."""
    runs = {
        cr: measure(foot("0.2 - 0.4*t"), LankaraniNikravesh(stiffness=STIFFNESS, restitution=cr))[0]
        for cr in (1.0, 0.5, 0.0)
    }
    assert runs[0.0].mean == pytest.approx(runs[1.0].mean, rel=1e-3)
    assert runs[0.5].mean == pytest.approx(runs[1.0].mean, rel=1e-3)
    assert runs[1.0].peak < runs[0.5].peak < runs[0.0].peak < 1.75 * runs[1.0].peak


def test_unknown_contacts_are_reported() -> None:
    run = put_on_ground(foot("0.2 - 0.4*t"), POINTS, level=0.0, law=Hertz(stiffness=1e4)).inverse(0.01)
    with pytest.raises(gw.ModelError, match=r"heel.*some of back, middle, front"):
        analyse_hoof(run)
    with pytest.raises(gw.ModelError, match="two or more"):
        analyse_hoof(run, ["back"])
