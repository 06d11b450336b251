"""Legs with beams: as these grow stiffer their numbers become those of rigid links; they settle; they walk; they stop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.flexible_leg import critical_damping, damp_beams, simulate_settled_turn
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.walking_machine import walking_machine
from legs.bending import ALUMINIUM, SECTION, with_beam

AIR: dict[str, Any] = {"directions": ("as driven",), "restitutions": ()}


def numbers(leg: gw.Model, **options: Any) -> np.ndarray:
    """Step, torque and energy of a turn in the air."""
    found = gw.analyse_leg(leg, **{"samples": 250, **AIR, **options}).numbers
    names = ("step_length", "step_height", "air_torque_turn_greatest", "air_torque_turn_least", "air_energy_turn")
    return np.array([found[name].value for name in names])


def test_a_stiffer_beam_makes_the_leg_rigid():
    """The deflection under given loads goes with 1/E. With E times 4 every number comes 4 times closer to its limit: the
    observed order in 1/E, from differences in which the error of the step cancels, is 0.99 to 1.001 here [0.03].
    The limit is the rigid leg: lengths 5e-7, torque and energy to the error of 500 steps per turn, of order 2 [3e-3]."""
    firm, stiff, stiffer = (
        numbers(with_beam(jansen_leg(), "L4", factor * ALUMINIUM, damping=1e-4), samples=500) for factor in (1, 4, 16)
    )
    order = np.log(np.abs((firm - stiff) / (stiff - stiffer))) / np.log(4.0)
    assert np.all(np.abs(order - 1.0) < 0.03), order
    rigid, limit = numbers(jansen_leg(), samples=500), stiffer + (stiffer - stiff) / 3.0
    np.testing.assert_allclose(limit[:2], rigid[:2], rtol=2e-6)
    np.testing.assert_allclose(limit[2:], rigid[2:], rtol=5e-3)


def test_a_flexible_leg_drawn_roughly():
    """Points drawn 15 mm off: the same numbers, and no stress at the start."""
    exact, rough = (with_beam(jansen_leg(), "L11", ALUMINIUM, off, damping=1e-5) for off in (0.0, 0.015))
    assert rough.assemble().strains["L11"].strain < 1e-12
    np.testing.assert_allclose(numbers(rough), numbers(exact), rtol=1e-6)


def test_a_leg_on_the_ground_bends_and_reports_its_method():
    leg = gw.analyse_leg(
        with_beam(jansen_leg(), "L11", ALUMINIUM, damping=1e-5), samples=250, directions=("as driven",)
    )
    rigid = gw.analyse_leg(jansen_leg(), samples=250, directions=("as driven",))
    for name in ("restitution_0_normal_greatest", "restitution_0_energy_turn", "restitution_1_normal_greatest"):
        assert leg.numbers[name].value == pytest.approx(rigid.numbers[name].value, rel=0.02)
    said = leg.warnings()
    assert any("its beams bend and vibrate: forward dynamics by generalized-alpha" in text for text in said)
    assert not any("comes back" in text for text in said)


def test_a_vibrating_leg_is_reported():
    """A very soft leg without damping does not repeat its motion; with quasi-static beams it does."""
    soft = with_beam(jansen_leg(), "L11", ALUMINIUM / 100)
    dynamic, still = (gw.analyse_leg(soft, samples=250, beams=how, **AIR) for how in ("dynamic", "quasi-static"))
    assert any("its beams still vibrate; give them damping" in text for text in dynamic.warnings())
    assert not any("still vibrate" in text for text in still.warnings())
    assert any("quasi-statically" in text for text in still.warnings())


def test_slow_settling_is_simulated_longer():
    """A soft beam with little damping still moves by 1 % of its length from turn to turn; a stiffer one has settled by then."""
    soft = with_beam(jansen_leg(), "L11", ALUMINIUM / 20, damping=1e-4)
    found, firm = (
        simulate_settled_turn(leg, leg, 1.0, 150) for leg in (soft, with_beam(jansen_leg(), "L11", ALUMINIUM))
    )
    assert [found.time[0], firm.time[0]] == pytest.approx([7.0, 2.0])
    assert "turn 8, which repeats the one before" in found.evidence.warnings[0]
    assert "turn 3, which repeats the one before" in firm.evidence.warnings[0]


def test_settling_damping_is_critical():
    """The damping ratio of the first bending mode of a pinned beam is 1, up to the error of three elements."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", 1, 0)
    model.beam("rod", "O", "E", elements=3, youngs_modulus=70e9, density=2700, **SECTION)
    beam = model.mechanism().beams["rod"]
    omega = 2 * np.pi * model.modes(1).frequencies[0]
    assert 0.5 * critical_damping(beam) * omega == pytest.approx(1.0, rel=1e-2)
    assert damp_beams(model).document.beams[0].damping == critical_damping(beam)


def test_unknown_treatment_is_refused():
    with pytest.raises(gw.ModelError, match=r"beams.*dynamic or quasi-static"):
        gw.analyse_leg(with_beam(jansen_leg(), "L11", ALUMINIUM), beams="stiff")


def test_interrupted_analysis_stops():
    """Progress is reported inside every turn, and an interruption there ends the whole analysis."""
    told: list[float] = []

    def stop(fraction: float) -> None:
        told.append(fraction)
        if fraction > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gw.analyse_leg(with_beam(jansen_leg(), "L11", ALUMINIUM), samples=100, progress=stop)
    assert sum(fraction > 0.4 for fraction in told) == 1
    assert told == sorted(told)
    with pytest.raises(KeyboardInterrupt):
        gw.analyse_leg(jansen_leg(), samples=100, progress=stop)


@pytest.mark.slow
def test_a_machine_on_flexible_legs_starts_as_one_on_rigid_legs():
    """The copies and mirror images of the leg start unstressed, in the same place; the run uses a method for beams."""
    leg = with_beam(jansen_leg(), "L3", ALUMINIUM)  # from an axle on the body
    flexible, rigid = walking_machine(leg, pairs=1), walking_machine(jansen_leg(), pairs=1)
    assert max(found.strain for found in flexible.assemble().strains.values()) < 1e-9
    runs = [model.simulate(2e-3, step=1e-3) for model in (flexible, rigid)]
    for name in ("left1-F.x", "left1-F.y", "right1-F.x", "right1-F.y"):
        assert runs[0].array(name)[0] == pytest.approx(runs[1].array(name)[0], abs=1e-9)
    assert flexible.to_dict()["analysis"]["method"] == "generalized-alpha"
