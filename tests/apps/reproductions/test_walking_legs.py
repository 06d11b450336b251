"""Paper 003 chapter 4: every printed number has a verdict, and the arguments behind the verdicts hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, ran, require_sound
from gaitwright.legs.leg import remove_contacts
from gaitwright.legs.phases import STANCE, TURN
from gaitwright.mechanisms.chebyshev import chebyshev_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright_apps.reproductions import walking_legs_data as data
from gaitwright_apps.reproductions.experiments import FAIL, NOT_REPRODUCIBLE, PASS, WITHIN_ROUNDING
from gaitwright_apps.reproductions.rounding_bands import ROUNDING_BANDS
from gaitwright_apps.reproductions.walking_legs import WalkingLegsExperiment, inertia_misfit_percent
from gaitwright_apps.reproductions.walking_legs_data import pinned_depth
from gaitwright_apps.reproductions.walking_legs_ground_forces import FRICTION_RULES, ground_reaction
from gaitwright_apps.reproductions.walking_legs_runs import (
    BAUMGARTE_BETAS,
    CRANK_SPEED_RAD_S,
    run_leg,
    run_thesis_scheme,
    set_inertia,
    thesis_measures,
)
from gaitwright_apps.reproductions.walking_legs_statements import curve_peaks, leg_statements
from gaitwright_apps.reproductions.walking_legs_verdicts import AGREEMENT_RTOL, CLOSED_FORM_TOL, is_confirmed
from verification import benchmarks as bm

pytestmark = pytest.mark.slow

CLOSED = {"chebyshev": bm.CHEBYSHEV, "jansen": bm.JANSEN}


@pytest.fixture(scope="module")
def found() -> WalkingLegsExperiment:
    return ran("walking-legs")


def test_sound(found: WalkingLegsExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)


OVER_MIDDLE = ("4.3-speed-mean", "4.3-speed-swing", "4.3-text-speed-max")
"""Velocities of the Chebyshev leg that have an interpretation."""

PRINTED = """
    0.454 0.388 0.087 0.166 0.332 0.560 -0.002 -0.008 26.38 29.620 94.78 85.340 0.099 0.390 1.954 3.052 -0.673 -0.422 0.118
    0.043
    -0.798 -0.387 8.754 9.663 24.312 76.951 6.691 1.892 6.615 48.373 0.104 0.175 1.95 3.05 0.117 0.0426 0.3883
    0.083 0.019 2.280 1.694 -2.4313 -1.098 2.7686 1.6773 2.766 1.6774 0.417 0.888 0.077 5.088 -0.774 -1.465 0.011 0.018 0.061
    0.714 -0.154 -0.559 0.056 0.028 0.287 0.398 0.1769 0.9362 1.5314 5.0556 1.8375 14.0832 18.859 96.0835 0.8412 4.6052 5.6079
    28.5361 0.7990 6.1263 5.9895 52.3904 31.4 61.2
"""
"""Tables 4.3 and 4.4 and the text about them, as printed in the thesis."""


def test_every_printed_number_has_a_verdict(found: WalkingLegsExperiment) -> None:
    published = [check.published for check in found.judged()]
    printed = PRINTED.split()
    assert len(printed) == 32 + 4 + 6 + 4 + 16 + 4 + 12 + 1 + 2
    for number in printed:
        assert float(number) in published, number
    for leg in data.PRINTED_LEGS.values():
        for link, length in leg.table.items():
            assert length in published, link
    ids = by_id(found)
    for name in data.LEG_NAMES:
        assert {f"4.2-mass-crank-{name}", f"4.2-crank-{name}", f"4.2-length-base-{name}"} <= set(ids)
    assert {"4.1-alpha", "4.1-beta", "4.2-length-L5-chebyshev", "4.2-length-L6-chebyshev"} <= set(ids)
    assert len(published) >= 120


def test_numbers_are_those_of_closed_kinematics(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003, with the limits of stance found by bisection. SL of the Jansen leg agrees with the digits
    of the table, and with the fourth digit of the text within rounding."""
    known, leg = bm.LEG_REFERENCE["jansen"], found.legs["jansen"]
    for ours, theirs in {
        "step_length": "step_length", "step_height": "step_height", "curve_length": "x_range", "speed_mean": "speed_mean",
        "acceleration_mean": "acceleration_mean", "acceleration_swing_max": "acceleration_max_swing",
        "acceleration_stance_min": "acceleration_min_stance", "torque_swing_max": "torque_max",
        "torque_swing_min": "torque_min", "energy_swing": "energy_swing",
    }.items():  # fmt: skip
        assert leg.numbers[ours] == pytest.approx(known[theirs], rel=1e-6), ours
    checks = by_id(found)
    assert checks["4.3-step-length-jansen"]["verdict"] == PASS
    assert checks["text-step-length-jansen"]["verdict"] == WITHIN_ROUNDING


def test_chebyshev_with_his_own_lengths(found: WalkingLegsExperiment) -> None:
    """(3 + sqrt 7)/20 and (4 + sqrt 7)/30 m instead of the three digits of Table 4.2 give the printed numbers of the
    thesis. With the digits of the table, the recomputation of 003: 0.445795 m, 93.50 %, 0.11703 m/s2, 0.724 N."""
    leg, checks = found.legs["chebyshev"], by_id(found)
    for id, computed in {
        "step-length": 0.4535776, "step-height": 0.0872647, "straightness": 94.78014, "acceleration-stance-min": 0.1043786,
    }.items():  # fmt: skip
        check = checks[f"4.3-{id}-chebyshev"]
        assert check["verdict"] == PASS and check["computed"] == pytest.approx(computed, rel=1e-5), id
    for name, value in {
        "step_length": 0.4539692,
        "acceleration_stance_max": 6.62515,
        "acceleration_swing_min": 6.62515,
    }.items():
        assert leg.pinned[name] == pytest.approx(value, rel=1e-5)
    # over the length of the curve that the thesis's own numbers give, 0.454 / 0.9478 m; over the exact one it is 94.86 %
    assert 100 * leg.pinned["step_length"] / 0.479 == pytest.approx(94.77, abs=0.01)
    assert leg.pinned["straightness"] == pytest.approx(94.862, abs=1e-3)
    force = checks["4.2-normal-mean-elastic-chebyshev"]
    assert force["computed"] == pytest.approx(0.8445827, rel=1e-6) and force["verdict"] == WITHIN_ROUNDING
    for id in ("acceleration-swing-min", "acceleration-stance-max"):
        assert checks[f"4.3-{id}-chebyshev"]["verdict"] == WITHIN_ROUNDING, id


def test_velocities_over_the_middle_of_stance(found: WalkingLegsExperiment) -> None:
    """|V_FV| less 0.90689 m/s: this interpretation gives four velocities of the Chebyshev leg and is marked as one."""
    checks = by_id(found)
    for id, verdict, computed in (
        ("4.3-speed-swing-min", PASS, -0.6727936), ("4.3-speed-swing-max", WITHIN_ROUNDING, 1.943697),
        ("4.3-text-speed-max", WITHIN_ROUNDING, 1.943697),
    ):  # fmt: skip
        check = checks[f"{id}-chebyshev"]
        assert (check["verdict"], check["computed"]) == (verdict, pytest.approx(computed, rel=1e-6)), id
        assert "0.9069 m/s" in check["why"] and "does not say so" in check["why"]
    assert checks["4.3-speed-mean-chebyshev"]["verdict"] == WITHIN_ROUNDING
    scheme = found.legs["chebyshev"].thesis["beta = alpha sqrt(2), turn 1"]
    assert [scheme[f"over_middle_{of}"] for of in ("mean", "greatest", "least")] == pytest.approx(
        [0.0995, 1.9640, -0.6730], abs=1e-4
    )
    assert found.legs["jansen"].numbers["over_middle_greatest"] == pytest.approx(1.56765, rel=1e-5)  # printed: 3.052


def test_velocities_over_the_middle_of_stance_with_the_lengths_of_the_table() -> None:
    """The thesis's scheme with beta = alpha sqrt(2) and Table 4.2's three digits: range 2.621, mean 0.0994, max 1.9525, min
    -0.669 m/s by an independent program. Printed: 2.627, 0.099, 1.954, -0.673."""
    run = run_thesis_scheme(remove_contacts(chebyshev_leg()), BAUMGARTE_BETAS["alpha sqrt(2)"])
    numbers = thesis_measures(run, "L6.E", 0.0, data.PRINTED_LEGS["chebyshev"].depth, 1)
    mean, most, least = (numbers[f"over_middle_{of}"] for of in ("mean", "greatest", "least"))
    assert (mean, most, least) == pytest.approx((0.0994, 1.9525, -0.669), abs=5e-4)
    assert most - least == pytest.approx(2.621, abs=5e-4)


def test_statements(found: WalkingLegsExperiment) -> None:
    checks = by_id(found)
    verdicts = {id: c["verdict"] for id, c in checks.items() if c["kind"] == "statement"}
    holds = {
        "2-4-position-chebyshev", "2-4-velocity-jansen", "2-4-every-step-jansen", "4.1-middle-jansen", "4.1-slows-chebyshev",
        "4.1-accelerates-jansen", "4.2-saves-more", "4.2-negative-torque", "4.2-friction-middle",
        "4.2-geometric-work-swing", "4.2-early", "7-bell-jansen-clockwise", "7-bell-chebyshev-counter-clockwise",
    }  # fmt: skip
    assert {id: verdicts[id] for id in holds} == dict.fromkeys(holds, PASS)
    not_shown = {"4.2-saves-jansen-clockwise", "4.2-saves-chebyshev-counter-clockwise", "4.2-directions-chebyshev"}
    assert {id: verdicts[id] for id in not_shown} == dict.fromkeys(not_shown, NOT_REPRODUCIBLE)
    # any leg has the same energy in both directions without friction, so that this is no statement about the thesis's legs
    free = checks["4.2-directions-free-jansen"]
    assert (free["kind"], free["verdict"]) == ("verification", PASS)
    for leg in found.legs.values():
        says = leg_statements(leg)
        assert says["slows down"] == pytest.approx(says["slows down, closed"], rel=2e-3)
        # nothing else than friction tells the directions apart, and the ground adds the same torque to both without it
        assert says["by rule"]["free both ways"] == pytest.approx(1.0, abs=1e-4)


def test_shape_of_a_torque() -> None:
    time = np.linspace(0, 1, 1001)
    early = curve_peaks(np.exp(-(((time - 0.2) / 0.1) ** 2)))
    assert early["at"] == pytest.approx(0.2, abs=1e-3) and early["count"] == 1 and early["early over late"] > 100
    even = curve_peaks(-np.sin(2 * np.pi * time))
    assert even["count"] == 2 and even["early over late"] == pytest.approx(1.0, abs=0.01)


def test_thesis_scheme_gives_the_numbers_of_the_reference(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003, with the digits of Table 4.2: Euler, beta = sqrt(30): 24.320 and 0.104; beta = 15 sqrt 2:
    24.372 and 0.118. Joints open by up to 1 mm."""
    for beta, most, least in (("sqrt(2 alpha)", 24.320, 0.104), ("alpha sqrt(2)", 24.372, 0.118)):
        first = thesis_measures(
            run_thesis_scheme(remove_contacts(chebyshev_leg()), BAUMGARTE_BETAS[beta]), "E", 0.0, 2e-3, 0
        )
        assert first["acceleration_swing_max"] == pytest.approx(most, abs=6e-4)
        assert first["acceleration_stance_min"] == pytest.approx(least, abs=6e-4)
    for leg in found.legs.values():
        assert all(2e-4 < run.evidence.max_position_violation < 2e-3 for run in leg.euler.values())


def test_inertia_readings(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003: (largest, smallest torque, energy of the swing), of the leg that has the lengths of Table
    4.2."""
    known = {
        ("jansen", "m L^2 / 12"): (1.755, -1.175, 1.7535),
        ("jansen", "m L^2 / 3"): (2.055, -1.453, 2.3919),
        ("jansen", "none"): (1.660, -1.089, 1.5551),
        ("jansen", "2 L / 3, as printed"): (102.4, -37.99, 59.71),
    }
    for (leg, rule), values in known.items():
        assert tuple(found.legs[leg].readings[rule].values()) == pytest.approx(values, rel=3e-4), (leg, rule)


def test_energies_by_rule_are_those_of_the_reference(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003, clockwise: elastic, inelastic by Eq 3.9."""
    known = {
        ("jansen", "fitted"): (2.7204, 2.6636),
        ("jansen", "standing ground"): (3.5507, 3.6051),
    }
    for (leg, rule), energies in known.items():
        foot = found.legs[leg].feet["as driven"]
        ours = tuple(ground_reaction(foot, e, rule).energies[TURN] for e in (1.0, 0.0))
        assert ours == pytest.approx(energies, rel=1.3e-3), (leg, rule)


def test_by_hand_from_closed_kinematics(found: WalkingLegsExperiment) -> None:
    """The samples used for forces by hand are those of the closed curves."""
    for name, leg in found.legs.items():
        if name == "chebyshev":  # its lengths are not those of the benchmark
            continue
        foot, closed = leg.feet["as driven"], CLOSED[name]
        z, v, _ = closed.points(bm.LEG_RATE * foot.time)[closed.foot]
        np.testing.assert_allclose(foot.height, z.imag - leg.ground.foot.level, atol=1e-9)
        np.testing.assert_allclose(foot.vx + 1j * foot.vy, v, atol=1e-7)
        np.testing.assert_allclose(foot.torque, bm.leg_torque(closed, bm.LEG_RATE * foot.time), atol=1e-6)
        assert foot.omega == pytest.approx(bm.LEG_RATE)


# the arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["as driven", "backwards"])
def test_no_friction_exceeds_the_bound(found: WalkingLegsExperiment, direction: str) -> None:
    """|tau|, |mean tau| and the energy of a stance for the worst possible friction: against the power, or with it."""
    for leg in found.legs.values():
        foot = leg.feet[direction]
        energy, largest, mean = ground_reaction(foot, 0.0, "none").bounds[STANCE]
        inside = foot.parts[STANCE]
        for rule in ("none", "treadmill", "standing ground"):
            ground = ground_reaction(foot, 0.0, rule)
            assert ground.energies[STANCE] <= energy * (1 + 1e-12)
            assert np.abs(ground.torque[inside]).max() <= largest * (1 + 1e-12)
            assert abs(ground.torques[STANCE].mean) <= mean * (1 + 1e-12)
    assert "fitted" in FRICTION_RULES  # c_f = |v|: not bounded by mu F_N, and no friction law


def test_inelastic_force_is_at_most_1_75_times_the_elastic_one(found: WalkingLegsExperiment) -> None:
    for leg in found.legs.values():
        for foot in leg.feet.values():
            elastic, inelastic = (ground_reaction(foot, e, "none").normal for e in (1.0, 0.0))
            assert np.all(inelastic <= 1.75 * elastic + 1e-12)
            assert inelastic.mean() == pytest.approx(elastic.mean(), rel=1e-6)
    checks = by_id(found)
    for name in data.LEG_NAMES:
        elastic, inelastic = (data.PRINTED_NUMBERS[f"4.2-normal-peak-{how}-{name}"] for how in ("elastic", "inelastic"))
        assert inelastic > 6 * elastic
        check = checks[f"4.2-normal-peak-inelastic-{name}"]
        assert check["verdict"] == NOT_REPRODUCIBLE and "1.75" in check["why"]


def test_headline(found: WalkingLegsExperiment) -> None:
    """31.4 and 61.2 % follow from the printed energies, but cannot follow from Eq 3.9 and 3.10 with any friction."""
    checks = by_id(found)
    for name, quoted in (("chebyshev", 31.46), ("jansen", 61.18)):
        arithmetic, saved = checks[f"7-saving-arithmetic-{name}"], checks[f"7-saving-{name}"]
        assert arithmetic["computed"] == pytest.approx(quoted, abs=6e-3)
        assert arithmetic["verdict"] in (PASS, WITHIN_ROUNDING)
        assert saved["verdict"] == NOT_REPRODUCIBLE and abs(saved["computed"]) < 1.0
        leg = found.legs[name]
        swing = leg.ground.turn.air.energy["swing"].absolute
        most = ground_reaction(leg.feet["as driven"], 0.0, "none").bounds[STANCE].energy
        assert 100 * most / (most + swing) < saved["published"] - 5


def test_mean_torque_balances_the_losses_on_the_ground(found: WalkingLegsExperiment) -> None:
    """Over one turn the work of the drive equals the loss by friction and impact minus the work of the moving
    ground."""
    for leg in found.legs.values():
        for turn in leg.ground.turns.values():
            for loads in turn.ground.values():
                net = loads.energy[TURN].positive + loads.energy[TURN].negative
                assert net == pytest.approx(CRANK_SPEED_RAD_S * abs(loads.torque[TURN].mean), rel=2e-3)


def test_verdicts(found: WalkingLegsExperiment) -> None:
    checks = by_id(found)
    for id, verdict in {
        "4.3-step-height-jansen": WITHIN_ROUNDING,
        "4.3-acceleration-swing-max-jansen": WITHIN_ROUNDING,
        "4.3-acceleration-stance-max-jansen": NOT_REPRODUCIBLE,
        "4.3-acceleration-mean-chebyshev": NOT_REPRODUCIBLE,
        "4.3-speed-swing-max-jansen": NOT_REPRODUCIBLE,
        "4.3-speed-stance-min-chebyshev": NOT_REPRODUCIBLE,
        "4.2-normal-peak-elastic-jansen": WITHIN_ROUNDING,
        "4.2-normal-mean-elastic-jansen": WITHIN_ROUNDING,
        "4.2-normal-mean-elastic-chebyshev": WITHIN_ROUNDING,
        "4.4-torque-swing-max-jansen": WITHIN_ROUNDING,
        "4.4-torque-swing-max-chebyshev": WITHIN_ROUNDING,
        "4.4-torque-swing-min-chebyshev": NOT_REPRODUCIBLE,
        "4.4-energy-stance-elastic-chebyshev": NOT_REPRODUCIBLE,
        "4.2-length-base-jansen": NOT_REPRODUCIBLE,
        "text-links-chebyshev": NOT_REPRODUCIBLE,
        "eq-4.2-elements-jansen": PASS,
    }.items():  # fmt: skip
        assert checks[id]["verdict"] == verdict, id
    assert "nearest of 6" in checks["4.3-speed-mean-chebyshev"]["why"]
    assert "above the ground" in checks["4.3-acceleration-stance-max-jansen"]["why"]
    assert "not printed" in checks["4.4-energy-stance-elastic-jansen"]["why"]


def test_kinds(found: WalkingLegsExperiment) -> None:
    """Numbers that are read back, or follow from other printed numbers, confirm nothing, and their reasons state
    this."""
    for id, check in by_id(found).items():
        no_result = id.startswith(
            (
                "4.1-",
                "4.2-crank",
                "4.2-length",
                "4.2-mass",
                "eq-",
                "text-links",
                "text-63",
                "text-18",
                "4.3-penetration",
            )
        )
        no_result = no_result or "saving-arithmetic" in id or check["kind"] in ("statement", "verification")
        assert (check["kind"] != "result") == no_result, id
        if check["kind"] == "arithmetic":  # by the designer's proportions, one mass per length, or the printed energies
            assert id.startswith(("4.2-length", "4.2-mass-L", "7-saving-arithmetic")), id


def test_runs_use_the_parameters_of_table_4_1(found: WalkingLegsExperiment) -> None:
    """Baumgarte's parameters from the opening of a pin; the recomputation of 003: 1.8375 N and 14.0832 N belong to 2.0364
    and 7.9148 mm."""
    checks = by_id(found)
    assert checks["4.1-alpha"]["computed"] == pytest.approx(15.0, abs=1e-8) and checks["4.1-alpha"]["verdict"] == PASS
    assert checks["4.1-beta"]["computed"] == pytest.approx(30**0.5, abs=1e-8)
    assert checks["4.1-beta"]["verdict"] == NOT_REPRODUCIBLE and "21.21" in checks["4.1-beta"]["why"]
    for name, depth in (("chebyshev", 2.0364e-3), ("jansen", 7.9148e-3)):
        assert pinned_depth(name) == pytest.approx(depth, abs=4e-7)
        assert checks[f"4.1-stiffness-{name}"]["kind"] == "input"
        for id in ("4.1-stiffness", "4.3-penetration"):
            assert f"4.2-normal-peak-elastic-{name}" in checks[f"{id}-{name}"]["why"]
        assert checks[f"4.2-normal-peak-elastic-{name}"]["kind"] == "result"
    assert all(checks[f"4.2-mass-L2-{name}"]["verdict"] == PASS for name in data.LEG_NAMES)  # 0.0705 rounds to 0.071


def test_velocities_are_void(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003: no check. If our value coincides, the row states this and remains void."""
    for id, check in by_id(found).items():
        if "-speed-" in id and not (id.endswith("chebyshev") and id.startswith(OVER_MIDDLE)):
            assert check["verdict"] == NOT_REPRODUCIBLE and "V_VT is not printed" in check["why"], id
    assert "has the printed digits" in by_id(found)["4.3-text-speed-max-jansen"]["why"]
    # Chebyshev's own lengths have a smallest acceleration of 0.1044 m/s2, not 0.117, the digits of these velocities
    for id in ("4.3-speed-stance-max-chebyshev", "4.3-text-speed-mid-chebyshev"):
        assert "acceleration" not in by_id(found)[id]["why"]


def test_inertia_sentence(found: WalkingLegsExperiment) -> None:
    """The recomputation of 003: m L^2 / 12 within 7 % for both legs; m L^2 / 3 by the thesis's steps nearer for Chebyshev
    only."""
    cheb, jansen = found.legs.values()
    assert max(inertia_misfit_percent(leg, "m L^2 / 12") for leg in (cheb, jansen)) == pytest.approx(7.0, abs=0.1)
    coarse = "m L^2 / 3, thesis's steps"
    assert (
        inertia_misfit_percent(cheb, coarse) == pytest.approx(1.2, abs=0.1)
        and inertia_misfit_percent(jansen, coarse) > 30
    )
    assert tuple(cheb.readings[coarse].values()) == pytest.approx((2.3084, -2.4193, 2.7806), abs=1e-3)
    assert "nearer" not in by_id(found)["4.4-energy-swing-elastic-chebyshev"]["why"]


# verdicts that notice -----------------------------------------------------------------------------------------------


def results(found: WalkingLegsExperiment) -> dict[str, dict]:
    return {id: check for id, check in by_id(found).items() if check["kind"] == "result"}


def test_a_wrong_leg_fails(found: WalkingLegsExperiment) -> None:
    """Its dynamics are consistent, but it is not the printed leg, and neither rounding nor impossibility is accepted
    as a reason."""
    wrong = run_leg("jansen", ROUNDING_BANDS["jansen"], jansen_leg(L10=0.35))
    assert max(wrong.agree.values()) < AGREEMENT_RTOL and wrong.anchors["foot"] > 0.01
    mixed = results(replace(found, legs={**found.legs, "jansen": wrong}))
    of_it = {id: check["verdict"] for id, check in mixed.items() if id.endswith("jansen")}
    assert len(of_it) >= 40 and set(of_it.values()) == {FAIL}
    assert FAIL not in {check["verdict"] for id, check in mixed.items() if not id.endswith("jansen")}


def test_a_length_off_by_a_tenth_of_a_millimetre_is_noticed() -> None:
    off_by_little = run_leg("jansen", ROUNDING_BANDS["jansen"], jansen_leg(L10=0.3271))
    assert off_by_little.anchors["foot"] > 10 * CLOSED_FORM_TOL and not is_confirmed(off_by_little)


def test_another_inertia_is_noticed() -> None:
    """Same motion, other torque: only the derivative of the energy differs."""
    heavy = set_inertia(jansen_leg(), data.PRINTED_LEGS["jansen"], "m L^2 / 3")
    leg = run_leg("jansen", ROUNDING_BANDS["jansen"], heavy)
    assert leg.anchors["foot"] < CLOSED_FORM_TOL and leg.anchors["torque"] > 0.1 and not is_confirmed(leg)


@pytest.mark.parametrize("factor", [2.0, 1.1, 1.01])
def test_wrong_numbers_fail(found: WalkingLegsExperiment, factor: float) -> None:
    """Numbers that differ from the run, even by 1 %, are not accepted as rounding."""
    legs = {
        name: replace(
            leg, numbers={n: factor * v for n, v in leg.numbers.items()}, pinned={n: factor * v for n, v in leg.pinned.items()},
            thesis={k: {n: factor * v for n, v in row.items()} for k, row in leg.thesis.items()},
        )
        for name, leg in found.legs.items()
    }  # fmt: skip
    was, now = results(found), results(replace(found, legs=legs))
    from_numbers = [id for id in was if id.startswith(("4.3-", "4.4-torque-swing", "4.4-energy-swing", "text-step"))]
    judged = [id for id in from_numbers if "-speed-" not in id]
    assert len(judged) == 20 + 10 + 1
    verdicts = {id: now[id]["verdict"] for id in judged}
    assert set(verdicts.values()) <= {FAIL, PASS}  # PASS: the wrong number happens to have the printed digits
    assert list(verdicts.values()).count(PASS) <= (0 if factor == 2.0 else 1)


def test_a_disagreement_between_our_computations_makes_them_fail(found: WalkingLegsExperiment) -> None:
    """A number is called impossible only if two of our computations agree."""
    legs = {name: replace(leg, agree={"energy, 0": 0.1}) for name, leg in found.legs.items()}
    doubtful = replace(found, legs=legs)
    checks = by_id(doubtful)
    for id in ("4.3-acceleration-mean-chebyshev", "4.2-normal-peak-inelastic-jansen", "7-saving-jansen"):
        assert checks[id]["verdict"] == FAIL, id
    assert checks["4.3-step-length-jansen"]["verdict"] == PASS
