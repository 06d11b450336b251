"""Complete analysis of a leg: both legs of the thesis against closed-form kinematics and the recomputation of 003; feet,
directions."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.mechanisms import chebyshev_leg, horse_leg, jansen_leg
from gaitwright.mechanisms.jansen import LENGTHS_M
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from legs.turning import HIP, RADIUS, Circle, crank
from verification import benchmarks as bm

LEGS = {"chebyshev": (chebyshev_leg, bm.CHEBYSHEV), "jansen": (jansen_leg, bm.JANSEN)}
PINNED = {"chebyshev": 2.0361e-3, "jansen": 7.9149e-3}
"""m, at which the thesis's elastic peak is K d^1.5: the recomputation of 003."""
PEAKS = {"chebyshev": (1.8375, 1.856), "jansen": (14.0832, 14.82)}
"""N, the recomputation of 003: elastic, inelastic, clockwise."""


@pytest.fixture(scope="module", params=LEGS)
def leg(request) -> tuple[str, LegAnalysis]:
    return request.param, analyse_leg(LEGS[request.param][0](), penetration=PINNED[request.param])


def test_energies_are_the_exact_ones() -> None:
    for name, (make, _) in LEGS.items():
        air = analyse_leg(make(), restitutions=(), directions=("as driven",)).turn.air
        known = bm.LEG_REFERENCE[name]
        assert air.energy[TURN].absolute == pytest.approx(known["energy_per_cycle"], rel=1e-6)
        assert air.energy[SWING].absolute == pytest.approx(known["energy_swing"], rel=1e-6)
        assert air.torque[TURN].greatest == pytest.approx(known["torque_max"], rel=1e-6)
        assert air.torque[TURN].least == pytest.approx(known["torque_min"], rel=1e-6)


def test_peaks_are_those_of_the_reference(leg: tuple[str, LegAnalysis]) -> None:
    name, found = leg
    for restitution, peak in zip((1.0, 0.0), PEAKS[name], strict=True):
        assert found.turn.ground[restitution].normal[TURN].greatest == pytest.approx(peak, rel=5e-4)


@pytest.mark.parametrize("direction", ["as driven", "backwards"])
def test_torque_on_the_ground_by_hand(leg: tuple[str, LegAnalysis], direction: str) -> None:
    """From closed-form kinematics: the torque in the air plus that of the force at the foot."""
    name, found = leg
    closed = LEGS[name][1]
    sign = 1.0 if direction == "as driven" else -1.0
    rate = sign * bm.LEG_RATE
    turn = found.turns[direction]
    for restitution, loads in turn.ground.items():
        t = loads.run.time
        z, v, _ = closed.points(rate * t, rate)[closed.foot]
        depth = np.maximum(turn.foot.level - z.imag, 0.0)
        normal = 2e4 * depth**1.5 * (1 - 0.75 * (1 - restitution**2) * v.imag / turn.foot.touchdown_speed[0])
        normal = np.maximum(normal, 0.0)
        slip = v.real + turn.foot.body_speed
        tangential = -0.4 * normal * np.sign(slip) * np.clip((np.abs(slip) - 1e-3) / 9e-3, 0.0, 1.0)
        exact = bm.leg_torque(closed, rate * t, rate) - (tangential * v.real + normal * v.imag) / rate
        scale = float(normal.max())
        np.testing.assert_allclose(loads.run.array("foot.normal_force"), normal, atol=1e-5 * scale)
        np.testing.assert_allclose(loads.run.array("crank.torque"), exact, atol=1e-5 * scale)


def test_both_directions_in_the_air_are_mirrored(leg: tuple[str, LegAnalysis]) -> None:
    _, found = leg
    one, other = found.turns["as driven"], found.turns["backwards"]
    assert other.foot.step_length == pytest.approx(one.foot.step_length, rel=1e-9)
    assert other.foot.body_speed == pytest.approx(-one.foot.body_speed, rel=1e-9)
    assert other.air.torque[SWING] == pytest.approx(one.air.torque[SWING], rel=1e-6)
    assert other.air.energy[STANCE].positive == pytest.approx(-one.air.energy[STANCE].negative, rel=1e-6)


def test_forward_dynamics_agree(leg: tuple[str, LegAnalysis]) -> None:
    name, found = leg
    largest = bm.LEG_REFERENCE[name]["torque_max"]
    apart = found.check_forward()
    assert set(apart) == {"air", "1", "0"} and 0 < max(apart.values()) < 1e-3 * largest
    finer = found.check_forward(step=2.5e-4)  # of order 2
    assert finer["air"] < 0.1 * apart["air"]


def test_numbers_table_and_summary_agree(leg: tuple[str, LegAnalysis]) -> None:
    _, found = leg
    numbers, table, summary = found.numbers, found.table(), found.summary()
    assert list(table.index) == list(numbers)
    for name, quantity in numbers.items():
        assert table.loc[name, "as driven"] == quantity.value and table.loc[name, "unit"] == quantity.unit
        assert summary["directions"]["as driven"][name] == quantity.value
    assert numbers["step_length"].value == found.foot.step_length
    assert numbers["restitution_0_energy_turn"].value == found.turn.ground[0.0].energy[TURN].absolute
    assert math.isfinite(sum(q.value for q in numbers.values()))
    json.dumps(summary)
    assert f"{found.foot.step_length:.4g} m" in repr(found)


# the crank that is a leg ---------------------------------------------------------------------------------------------


def test_without_a_law_the_leg_stays_in_the_air() -> None:
    found = analyse_leg(crank(penetration=0.05))
    assert not found.turn.ground and set(found.turns) == {"as driven", "backwards"}


def test_the_motion_is_computed_once_for_all_laws() -> None:
    """The turns on the ground have the same motion: the second reuses that of the first, and its forces equal those of a
    separate run."""
    leg = {"model": crank(penetration=0.05), "law": gw.laws.Flores(1e4, restitution=0.5), "samples": 100}
    both = analyse_leg(**leg).turn.ground
    alone = analyse_leg(**leg, restitutions=(0.5,)).turn.ground[0.5]
    assert np.shares_memory(both[0.5].run.motion.q, both[1.0].run.motion.q)
    for what in ("q", "v", "a", "lam", "work"):
        assert np.array_equal(getattr(both[0.5].run.motion, what), getattr(alone.run.motion, what))


def test_a_law_without_restitution_is_one_run() -> None:
    found = analyse_leg(crank(penetration=0.05), law=gw.laws.Hertz(1e4), directions=("as driven",))
    (restitution,) = found.turn.ground
    assert math.isnan(restitution)
    assert found.numbers["ground_normal_greatest"].value == pytest.approx(1e4 * 0.05**1.5, rel=1e-5)
    assert found.numbers["ground_dissipated"].value == pytest.approx(0.0, abs=1e-12)


def test_level_and_penetration_are_equivalent() -> None:
    one = analyse_leg(crank(penetration=0.05))
    other = analyse_leg(crank(penetration=0.01), level=HIP - RADIUS + 0.05)
    assert other.foot.duty == pytest.approx(one.foot.duty, rel=1e-9)
    assert other.foot.duty == pytest.approx(Circle(0.05).duty, rel=1e-8)


def test_default_penetration_is_a_hundredth_of_the_leg() -> None:
    found = analyse_leg(crank(), feet="F", hip="O")
    assert found.foot.level - found.foot.lowest == pytest.approx(0.01 * RADIUS, rel=1e-6)
    assert analyse_leg(crank(), feet="F").foot.leg_length == pytest.approx(RADIUS - HIP, rel=1e-8)  # from height 0


def test_two_feet_alternate_on_the_ground() -> None:
    """Both ends of a rod that turns about its centre: each on the ground once, half a turn apart."""
    model = gw.Model("rod", gravity=(0, -9.81))
    model.ground_point("O", 0.0, 0.0)
    for name, x in (("F", RADIUS), ("G", -RADIUS)):
        model.point(name, x, 0.0)
        model.link(f"to-{name}", "O", name, length=RADIUS, mass=0.1)
    model.joint("gear", "rigid", a="to-F", b="to-G", ratio=1, offset="pi")
    model.drive.rotation("to-F", "2*pi*t")
    circle = Circle(0.05, rate=2 * math.pi)
    found = analyse_leg(model, feet=["F", "G"], hip="O", penetration=circle.depth, law=gw.laws.Hertz(1e4))
    assert list(found.turn.feet) == ["F", "G"]
    assert found.turn.phases.duty == pytest.approx(2 * circle.duty, rel=1e-7)
    assert len(found.turn.phases.steps) == 2
    (loads,) = found.turn.ground.values()
    one = analyse_leg(model, feet="F", hip="O", penetration=circle.depth, law=gw.laws.Hertz(1e4))
    (alone,) = one.turn.ground.values()
    assert loads.normal[TURN].mean == pytest.approx(2 * alone.normal[TURN].mean, rel=1e-4)


def test_the_body_reverses_with_the_crank() -> None:
    found = analyse_leg(crank("-rate*t", penetration=0.05), body_speed=1.2)
    assert [turn.foot.body_speed for turn in found.turns.values()] == [1.2, -1.2]
    one, other = (turn.foot.relative_speed[STANCE] for turn in found.turns.values())
    assert (other.least, other.greatest) == pytest.approx((-one.greatest, -one.least), rel=1e-7)


def test_progress_reaches_its_end() -> None:
    said: list[float] = []
    found = analyse_leg(
        crank(penetration=0.05), law=gw.laws.Flores(1e4, restitution=0.5), samples=100, progress=said.append
    )
    assert said == sorted(said) and said[-1] == 1.0
    assert {k / 6 for k in range(1, 7)} <= {round(6 * part, 9) / 6 for part in said}  # the end of every run, at least
    assert list(found.turn.ground) == [1.0, 0.5]  # elastic, and the law's own: Flores' law has no restitution 0


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "not a whole turn": ({"period": 0.8}, r"period.*0\.8.*repeats"),
    "out of reach": ({"level": 0.1}, "no foot reaches the ground.*level"),
    "too few samples": ({"samples": 5}, "samples.*5"),
    "unknown direction": ({"directions": ("as driven", "sideways")}, "directions.*sideways"),
    "only backwards": ({"directions": ("backwards",)}, "directions"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_invalid_settings_are_reported(what: str) -> None:
    given, sentence = MISTAKES[what]
    with pytest.raises(ModelError) as raised:
        analyse_leg(crank(penetration=0.05), **given)
    assert re.search(sentence, str(raised.value)), str(raised.value)


@pytest.mark.slow
@pytest.mark.parametrize("make", [jansen_leg, chebyshev_leg])
def test_drive_work_equals_losses_and_belt_work(make) -> None:
    """Over a turn no energy is stored: net work of the drives = losses in the contact + work on the belt."""
    leg = gw.analyse_leg(make(), directions=("as driven",), samples=4000)  # reversing friction has steep flanks
    for loads in leg.turn.ground.values():
        net = loads.energy["turn"].positive + loads.energy["turn"].negative
        assert net == pytest.approx(loads.dissipated + loads.belt_work, abs=5e-6 * loads.energy["turn"].absolute)
        assert abs(loads.belt_work) > 0.05


@pytest.mark.parametrize("size", [0.2, 3.0])
def test_a_scaled_leg_has_scaled_steps(size: float) -> None:
    """With all lengths scaled, the steps scale, too."""
    lengths = {name: size * length for name, length in LENGTHS_M.items()}
    quick = {"restitutions": (), "directions": ("as driven",), "samples": 200}
    large = gw.analyse_leg(jansen_leg(**lengths), penetration=0.008 * size, **quick).foot
    small = gw.analyse_leg(jansen_leg(), **quick).foot
    assert large.step_length == pytest.approx(size * small.step_length, rel=1e-9)
    assert large.duty == pytest.approx(small.duty, rel=1e-9)


def test_the_ground_has_one_speed_for_all_feet() -> None:
    turn = gw.analyse_leg(horse_leg(), directions=("as driven",), restitutions=(0.0,)).turn
    assert len(turn.feet) > 1 and len({foot.body_speed for foot in turn.feet.values()}) == 1


@pytest.mark.slow
def test_names_and_order_of_parts_do_not_matter(tmp_path) -> None:
    """A link with the name foot, and a crank that is not the first drive."""
    raw = jansen_leg().to_dict()
    for link in raw["links"]:
        link["name"] = {"L11": "foot"}.get(link["name"], link["name"])
    found = gw.analyse_leg(gw.Model.from_dict(raw), directions=("as driven",), restitutions=(1.0,))
    assert found.turn.ground[1.0].normal["turn"].greatest == pytest.approx(2e4 * 0.008**1.5, rel=1e-4)
    raw = horse_leg().to_dict()
    raw["drives"].reverse()
    leg = gw.analyse_leg(gw.Model.from_dict(raw), directions=("as driven",), restitutions=(0.0,))
    assert leg.report(tmp_path / "leg.html")["report"].exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"feet": ["F", "F"]}, "the same foot is given twice"),
        ({"feet": 3}, "the name of a point"),
        ({"restitutions": 0.5}, "several from 0 to 1"),
        ({"restitutions": ("a",)}, "several from 0 to 1"),
        ({"samples": 100.5}, "a whole number of at least 20"),
        ({"directions": ("sideways",)}, "'as driven', or that and 'backwards'"),
    ],
)
def test_invalid_options_are_reported(options, said) -> None:
    with pytest.raises(gw.ModelError, match=said):
        gw.analyse_leg(jansen_leg(), **options)


def test_a_scuffing_foot_is_reported() -> None:
    """So deep in the ground that the foot reverses in it; at the penetration of the thesis it does not."""
    quick = {"restitutions": (), "directions": ("as driven",), "samples": 200}
    assert gw.analyse_leg(jansen_leg(), **quick).warnings() == []
    deep = gw.analyse_leg(jansen_leg(), penetration=0.08, **quick)
    run = deep.turn.run
    t = np.linspace(run.time[0], run.time[-1], 100_001)
    forward = np.interp(t, run.time, run.array("F.vx")) > 0
    # a fraction of time; linear interpolation of 200 samples locates the reversal of the foot to about 1e-4 of the stance
    share = np.mean(forward[deep.foot.phases.is_stance(t)])
    assert deep.foot.scuffing == pytest.approx(share, abs=5e-4) and deep.foot.scuffing > 0.02
    assert "the foot 'F' moves forward in" in deep.warnings()[0]


def test_a_leg_is_read_and_validated_once(monkeypatch):
    """Six runs, in the air and on two kinds of ground in both directions, differ only in numbers."""
    leg, read, checked, reading = jansen_leg(), [], [], MechanismBuilder.read
    monkeypatch.setattr(MechanismBuilder, "read", lambda lowering: read.append(1) or reading(lowering))
    monkeypatch.setattr("gaitwright.model.builder.validate_document", checked.append)
    found = analyse_leg(leg, samples=40)
    assert [len(turn.ground) for turn in found.turns.values()] == [2, 2]
    assert len(read) == 1 and not checked


def test_every_run_contains_its_own_document():
    found = analyse_leg(jansen_leg(), samples=40)
    for turn in found.turns.values():
        for run in (turn.run, *(loads.run for loads in turn.ground.values())):
            again = gw.Model.from_dict(run.document).inverse(times=run.time)
            np.testing.assert_array_equal(again.motion.q, run.motion.q)
            np.testing.assert_array_equal(again.motion.lam, run.motion.lam)
            assert again.evidence.warnings == run.evidence.warnings
