"""Numbers of a walk against closed forms: a block is pulled over the ground while a crank on it turns."""

import json
import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.json_types import to_json
from gaitwright.legs.centre_of_mass import centre_of_mass, total_mass, weight
from gaitwright.legs.sinkage import static_sinkage
from gaitwright.legs.walk import measure_walk, shaft_torque
from gaitwright.legs.walk_numbers import FOOT_NUMBERS, WALK_NUMBERS

MASS, FRICTION, SPEED, RATE, DRAG = 2.0, 0.25, 0.4, 2.0, 0.03
"""kg, 1, m/s, turns per second of the crank, N m s/rad"""
TURN = 1.0 / RATE
GRAVITY = 9.81


@cache
def pulled(clockwise=False):
    """Block on two feet, pulled at ground height so that it does not tip, with a crank against a damper."""
    model = gw.Model("sledge", gravity=(0, -GRAVITY))
    model.body("body", mass=MASS, inertia=0.02, at=(0, 0.1), points={"heel": (-0.2, -0.1), "toe": (0.2, -0.1)})
    model.body("wheel", mass=0.5, inertia=1e-3, at=(0, 0.1)).joint.revolute("body", "wheel")
    model.drive.relative_rotation("body", "wheel", f"{'-' if clockwise else ''}2*pi*{RATE}*t", name="motor")
    model.force.torsion_spring("body", "wheel", stiffness=0.0, damping=DRAG)
    model.drive.position("body", x=f"{SPEED}*t", name="rope")
    for foot in ("heel", "toe"):
        law, friction = (
            gw.laws.KelvinVoigt(stiffness=2e4, damping=200),
            gw.friction.SmoothCoulomb(FRICTION, transition_speed=1e-3),
        )
        model.contact(f"body.{foot}", gw.surfaces.LineGround(), law=law, friction=friction, name=foot)
    return model.simulate(2.2, method="radau5", tolerance=1e-8, output_step=1e-3)


def sledge(**options):
    return measure_walk(pulled(), drives=["motor"], **options)


def test_distance_and_duration_of_a_turn():
    for turns in (1, 2):
        found = sledge(turns=turns)
        assert (found.begin, found.end) == pytest.approx((2.2 - turns * TURN, 2.2), abs=1e-9)
        assert found["period"] == pytest.approx(TURN, rel=1e-9)
        assert found["speed"] == pytest.approx(SPEED, rel=1e-9)
        assert found["distance"] == pytest.approx(SPEED * TURN, rel=1e-9)
        assert found["steadiness"] < 1e-9
        assert found["bounce"] < 1e-6 and found["pitch"] < 1e-6


def test_feet_that_never_leave_the_ground():
    found, carried = sledge(), (MASS + 0.5) * GRAVITY
    assert found["weight"] == pytest.approx(carried, rel=1e-12)
    assert found["normal_force"] == pytest.approx(carried, rel=1e-6)
    assert found["duty"] == 1.0 and found["feet_down"] == 2.0 and found["feet_down_fewest"] == 2.0
    for foot in ("heel", "toe"):
        assert found.feet[foot]["slip"] == pytest.approx(SPEED * TURN, rel=1e-6)
    assert found["slip"] == pytest.approx(2 * SPEED * TURN, rel=1e-6)
    assert found["slip_greatest"] == pytest.approx(SPEED * TURN, rel=1e-6)


def test_the_work_of_a_sledge_is_its_friction():
    """At constant speed the work is friction times distance, and the motor works only against its damper."""
    found = sledge()
    rubbed, stirred = FRICTION * found["weight"] * SPEED * TURN, DRAG * (2 * math.pi * RATE) ** 2 * TURN
    assert found["friction_loss"] == pytest.approx(rubbed, rel=1e-5)
    assert found["dissipated"] == pytest.approx(rubbed + stirred, rel=1e-5)
    assert found["work"] == pytest.approx(rubbed + stirred, rel=1e-5)
    assert found["energy"] == pytest.approx(stirred, rel=1e-6)
    assert found["positive_work"] == pytest.approx(stirred, rel=1e-6) and found["negative_work"] == 0.0
    assert abs(found["residual"]) < 1e-6


@pytest.mark.parametrize("clockwise", [False, True])
def test_torque_counts_in_the_direction_of_turning(clockwise):
    found = measure_walk(pulled(clockwise), drives=["motor"])
    expected = DRAG * 2 * math.pi * RATE
    for name in ("torque_mean", "torque_greatest", "torque_least", "torque_rms"):
        assert found[name] == pytest.approx(expected, rel=1e-5)
    assert shaft_torque(found.run, ["motor"])[-1] == pytest.approx(expected, rel=1e-5)
    assert found["speed"] == pytest.approx(SPEED, rel=1e-9)


def test_footfalls_of_a_bouncing_ball():
    """A body with a crank bounces on the ground without loss: flights of 2 v / g between short contacts."""
    model = gw.Model("ball", gravity=(0, -GRAVITY))
    model.body("body", mass=1.0, inertia=0.01, at=(0, 0.2), points={"foot": (0, 0)})
    model.body("wheel", mass=1e-3, inertia=1e-6, at=(0, 0.2)).joint.revolute("body", "wheel")
    model.drive.relative_rotation("body", "wheel", "2*pi*t", name="motor")
    model.contact("body.foot", gw.surfaces.LineGround(), law=gw.laws.Hertz(1e7), name="foot")
    run = model.simulate(2.5, method="dopri5", tolerance=1e-9, output_step=1e-3)
    found = measure_walk(run)
    flight, touch = 2 * math.sqrt(2 * 0.2 / GRAVITY), run.episodes[0].duration
    assert found["feet_down_fewest"] == 0.0 and found["bounce"] == pytest.approx(0.2, rel=0.02)
    bars = found.footfalls()["foot"]
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(bars)]
    assert len(gaps) >= 4 and gaps == pytest.approx([flight] * len(gaps), rel=1e-4)
    down = found.feet_down()
    assert set(down) <= {0, 1} and down.mean() == pytest.approx(sum(e - b for b, e in bars) / 2.5, abs=3e-3)
    within = found.footfalls(measured=True)["foot"]
    assert within == [bar for bar in bars if bar[0] > found.begin] and len(within) >= 2
    assert found["duty"] == pytest.approx(len(within) * touch / found["period"], rel=1e-3)


def test_centre_of_mass_includes_bodies_and_beams():
    """Bodies and beams: two equal bodies, and a beam of their total mass that hangs half its length below."""
    model = gw.Model("pair", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("one", mass=1.0, inertia=1.0, at=(1, 0), velocity=(3, 0))
    model.body("two", mass=1.0, inertia=1.0, at=(3, 2), velocity=(1, 2))
    beam = {"youngs_modulus": 1e9, "density": 1000.0, "width": 0.1, "height": 0.01, "elements": 4}
    model.point("P", 0, -2).beam("rod", "O", "P", length=2.0, **beam)
    run = model.simulate(0.01, method="generalized-alpha", step=1e-3)
    place, velocity = centre_of_mass(run)
    assert total_mass(run.mechanism) == pytest.approx(4.0) and weight(run.mechanism) == 0.0
    np.testing.assert_allclose(place[0], [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(velocity[0], [1.0, 0.5], atol=1e-9)


@pytest.mark.slow
def test_tables_and_figure(tmp_path):
    found = sledge()
    table = found.table()
    assert table.loc["speed", "unit"] == "m/s" and table.loc["speed", "value"] == found["speed"]
    assert list(found.feet_table().index) == ["heel", "toe"]
    figure = found.plot(tmp_path / "walk.png")
    assert (tmp_path / "walk.png").stat().st_size > 10_000
    # the path, one panel per curve, and the footfalls with one row per foot
    assert len(figure.axes) == 2 + len(found.curves())
    assert [label.get_text() for label in figure.axes[-1].get_yticklabels()] == ["heel", "toe"]


def test_costs_do_not_apply_to_a_sledge():
    from gaitwright.report.views.pages.walk_page import climb_text, footfall_chart, walk_report

    found = sledge()
    reason = found.not_applicable["cost_of_transport"]
    assert "slides by 200 mm per turn" in reason and "does not walk by its legs" in reason
    assert set(found.not_applicable) == {"cost_of_transport", "net_cost_of_transport", "scuffing"}
    assert all(math.isnan(found[name]) for name in found.not_applicable)
    said = f"{reason}; not applicable: scuffing, cost of transport, net cost of transport"
    assert (
        found.warnings()[0] == said and said in repr(found) and not any("scuffs" in text for text in found.warnings())
    )
    summary = json.loads(to_json(found.summary()))
    assert summary["numbers"]["cost_of_transport"] is None and summary["numbers"]["scuffing"] is None
    assert summary["not_applicable"] == found.not_applicable and said in summary["warnings"]
    assert ("cost of transport", "not applicable", "1", "energy / (weight x distance)") in found.rows()
    page = walk_report(found)
    assert page.blocks[0].tone == "warning" and reason[2:] in page.blocks[0].paragraphs[0]  # type: ignore[attr-defined]
    assert abs(found["rise"]) < 1e-9 and climb_text(found) == "per turn"
    assert footfall_chart(found).yticks == [(-1.0, "heel"), (-2.0, "toe")]


@pytest.mark.parametrize("turns", [1, 2])
def test_sinkage_is_that_of_the_law_under_the_weight(turns):
    """Each of the two feet carries about half of the weight on K d = 2e4 N/m d."""
    found = sledge(turns=turns)
    depth = (MASS + 0.5) * GRAVITY / 2 / 2e4
    assert found["sinkage_static"] == pytest.approx(depth, rel=1e-6)
    assert found["sinkage_largest"] == pytest.approx(found["normal_greatest"] / 2e4, rel=1e-4)
    assert found["leg_length"] == pytest.approx(
        0.1, abs=found["sinkage_largest"]
    )  # from the axle of the crank to the feet
    (said,) = [text for text in found.warnings() if "soft" in text]
    assert "a standing foot sinks 0.613 mm into it, 0.61 % of the leg length (limit 0.5 %)" in said


def rippling(output_step):
    """Crank with torque peaks shorter than the spacing of few outputs: ripple of 37 Hz on its speed."""
    model = gw.Model("rippling", gravity=(0, -GRAVITY))
    model.body("body", mass=MASS, inertia=0.02, at=(0, 0.1), points={"heel": (-0.2, -0.1), "toe": (0.2, -0.1)})
    model.body("wheel", mass=0.5, inertia=1e-3, at=(0, 0.1)).joint.revolute("body", "wheel")
    model.drive.relative_rotation("body", "wheel", f"2*pi*{RATE}*t + 0.01*sin(2*pi*37*t)", name="motor")
    model.force.torsion_spring("body", "wheel", stiffness=0.0, damping=DRAG)
    model.drive.position("body", x=f"{SPEED}*t", name="rope")
    for foot in ("heel", "toe"):
        law, friction = (
            gw.laws.KelvinVoigt(stiffness=2e4, damping=200),
            gw.friction.SmoothCoulomb(FRICTION, transition_speed=1e-3),
        )
        model.contact(f"body.{foot}", gw.surfaces.LineGround(), law=law, friction=friction, name=foot)
    return measure_walk(model.simulate(1.2, method="radau5", tolerance=1e-8, output_step=output_step), drives=["motor"])


def test_too_few_outputs_make_torque_and_energy_inexact():
    """The integrator's own work of the motor, and every second output, show how far the sums over the outputs are off."""
    fine, coarse = rippling(1e-3), rippling(2e-2)
    assert fine["sampling_error"] < 0.01 and not any("outputs" in text for text in fine.warnings())
    off = abs(coarse["torque_rms"] / fine["torque_rms"] - 1.0)
    assert off > 0.01 and coarse["sampling_error"] > 0.01
    (said,) = [text for text in coarse.warnings() if "outputs" in text]
    assert "one every 20 ms" in said and "(limit 1 %)" in said and "smaller output_step" in said


def test_a_machine_on_its_back_does_not_walk():
    """Its leg length is that at the start, so that sinkage has a reference."""
    model = gw.Model("capsized", gravity=(0, -GRAVITY))
    model.body("body", mass=MASS, inertia=0.02, at=(0, 0.1), points={"heel": (-0.2, -0.1), "toe": (0.2, -0.1)})
    model.body("wheel", mass=0.5, inertia=1e-3, at=(0, 0.1)).joint.revolute("body", "wheel")
    model.drive.relative_rotation("body", "wheel", f"2*pi*{RATE}*t", name="motor")
    model.drive.position("body", x=f"{SPEED}*t", y="0.1", name="rope")
    model.drive.rotation("body", "pi*min(t/0.1, 1)^2*(3 - 2*min(t/0.1, 1))", name="hand")
    for foot in ("heel", "toe"):
        model.contact(
            f"body.{foot}", gw.surfaces.LineGround(), law=gw.laws.KelvinVoigt(stiffness=2e4, damping=200), name=foot
        )
    found = measure_walk(model.simulate(1.2, method="generalized-alpha", step=1e-3), drives=["motor"])
    assert found["leg_length"] == pytest.approx(0.1, abs=1e-6)
    reason = found.not_applicable["cost_of_transport"]
    assert reason == found.not_applicable["scuffing"] and "has tipped over" in reason
    assert "100 mm below the lowest foot on average, and 100 mm above it at the start" in reason


LAWS = {
    "marhefka-orin": (gw.laws.MarhefkaOrin(2e6, dissipation=10), (20 / 2e6) ** (2 / 3)),
    "lankarani-nikravesh": (gw.laws.LankaraniNikravesh(2e6, restitution=0.5), (20 / 2e6) ** (2 / 3)),
    "kelvin-voigt": (gw.laws.KelvinVoigt(2e4, damping=100), 20 / 2e4),
    "hertz": (gw.laws.Hertz(1e6, exponent=2.0), (20 / 1e6) ** 0.5),
}


@pytest.mark.parametrize("law", LAWS)
def test_static_sinkage_inverts_each_law(law):
    given, depth = LAWS[law]
    model = gw.Model("foot").body("foot", mass=1.0, inertia=1.0, at=(0, 1), points={"sole": (0, 0)})
    model.contact("foot.sole", gw.surfaces.LineGround(), law=given, name="sole")
    assert static_sinkage(model.mechanism(), ["sole"], 20.0) == pytest.approx(depth, rel=1e-9)


def test_table_page_and_file_show_the_numbers_of_the_registry():
    found = sledge()
    assert list(found.numbers) == list(found.summary()["numbers"]) == list(found.table().index) == list(WALK_NUMBERS)
    assert [row[0] for row in found.rows()] == [name.replace("_", " ") for name in WALK_NUMBERS]
    for name, number in WALK_NUMBERS.items():
        assert (found.numbers[name].unit, found.numbers[name].text) == (number.unit, number.description)
        assert math.isnan(found[name]) == (name in found.not_applicable), name
        assert not number.scale or number.scale in WALK_NUMBERS
    assert all(list(foot) == list(FOOT_NUMBERS) for foot in found.feet.values())


WRONG = {
    "body": {"body": "horse"},
    "contacts": {"contacts": ["hoof"]},
    "drives": {"drives": []},
    "turns": {"turns": 40},
}


@pytest.mark.parametrize("field", WRONG)
def test_invalid_requests_are_reported(field):
    with pytest.raises(gw.ModelError) as caught:
        measure_walk(pulled(), **{"drives": ["motor"], **WRONG[field]})
    assert caught.value.field == field


def test_a_drive_that_does_not_rotate_has_no_turns():
    with pytest.raises(gw.ModelError, match="does not rotate"):
        measure_walk(pulled(), drives=["rope"])
    with pytest.raises(gw.ModelError, match="no number 'spede'"):
        sledge()["spede"]
