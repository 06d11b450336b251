"""Paper 003 chapter 6: verdicts, and tests of our own runs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, require_sound
from gaitwright.mechanisms.horse_leg import CONTACT_POINTS, GAIT_PARAMETERS
from gaitwright_apps.reproductions import horse_leg
from gaitwright_apps.reproductions.experiments import NOT_REPRODUCIBLE
from gaitwright_apps.reproductions.horse_leg import (
    ELASTIC_CONTACT,
    INELASTIC_CONTACT,
    HorseLegExperiment,
    HorseLegSetup,
)


@pytest.fixture(scope="module")
def found() -> HorseLegExperiment:
    return horse_leg.run(setup=HorseLegSetup(samples=2000))


@pytest.mark.slow
def test_sound(found: HorseLegExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)
    assert len(found.judged()) >= 50
    assert len(found.remarks()) == 4
    for header, rows in found.tables():
        assert rows and all(len(row) == len(header) for row in rows)


def test_arithmetic_of_the_thesis(found: HorseLegExperiment) -> None:
    checks = by_id(found)
    wanted = {
        "6-10-walk-reduction": ("pass", 100 * (1 - 175.34 / 453.65)),
        "6-10-run-reduction": ("pass", 100 * (1 - 5719 / 8694)),
        "6-9-ratio": ("pass", 64.8 / 26),
        "6-9-run-from-ends": ("within-rounding", 71.08 - 6.20),
        "6-9-walk-from-ends": ("not-reproducible", 20.9 - 6.83),
        "6.1-elements": ("pass", 42),
        "6.1-links": ("pass", 14),
        "6.1-six": ("not-reproducible", 14),
    }
    for name, (verdict, computed) in wanted.items():
        assert checks[name]["verdict"] == verdict
        assert checks[name]["computed"] == pytest.approx(computed)


def test_largest_turn_of_the_hoof_within_the_printed_stance(found: HorseLegExperiment) -> None:
    """The largest rotation within 0.270 s, over all starts at the samples, is 59.8 degrees; 64.8 are not reached, as
    the reason states."""
    turn = found.turns["run"]
    angle = np.degrees(found.hoofs["run", ELASTIC_CONTACT].angle)[:-1]
    ahead = round(0.270 / float(turn.time[1] - turn.time[0]))
    largest = max(angle[(k + ahead) % angle.size] - angle[k] for k in range(angle.size))
    assert found.known["reach"] == pytest.approx(largest, abs=1e-6) and largest == pytest.approx(59.84, abs=0.01)
    assert horse_leg.largest_rotation(turn, 0.0) == pytest.approx(0.0, abs=1e-9)
    check = by_id(found)["6-9-run-rotation"]
    assert "+59.8 degrees" in check["why"] and check["verdict"] == "not-reproducible"


def test_rows_about_the_hoof_have_reasons(found: HorseLegExperiment) -> None:
    """Walking has the printed order of sub-phases, but its sole was fitted; the printed angles differ in sign."""
    checks = by_id(found)
    walk = checks["6-9-walk-phases"]
    assert walk["computed"] == 1.0 and walk["verdict"] == NOT_REPRODUCIBLE and "were picked" in walk["why"]
    assert "same sign convention" in checks["6-9-run-angle3"]["why"]
    assert "same sign convention" not in checks["6-9-walk-angle3"]["why"]


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
def test_hoof_contacts_sum_to_the_ground_reaction(found: HorseLegExperiment, gait: str) -> None:
    for how in (ELASTIC_CONTACT, INELASTIC_CONTACT):
        run, hoof = found.grounded[gait, how], found.hoofs[gait, how]
        assert sum(hoof.forces[name] for name in CONTACT_POINTS) == pytest.approx(
            run.array("ground_reaction.fy"), abs=1e-12
        )
        assert hoof.tangential == pytest.approx(run.array("ground_reaction.fx"), abs=1e-12)
        assert len(hoof.steps) == 1


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
def test_elastic_force_is_hertz_of_the_driven_motion(found: HorseLegExperiment, gait: str) -> None:
    """The motion is that without a ground, which lies 4 mm above the lowest point, by a parabola through three samples."""
    turn, hoof = found.turns[gait], found.hoofs[gait, ELASTIC_CONTACT]
    heights = [turn.array(f"{point}.y") for point in CONTACT_POINTS.values()]
    lowest = min(heights, key=np.min)
    before, least, after = lowest[int(np.argmin(lowest)) + np.array([-1, 0, 1])]
    level = least - (after - before) ** 2 / (8 * (before - 2 * least + after)) + 0.004
    exact = sum(2e4 * np.maximum(level - y, 0.0) ** 1.5 for y in heights)
    assert hoof.normal == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
def test_inelastic_force_obeys_its_bounds(found: HorseLegExperiment, gait: str) -> None:
    elastic, inelastic = (found.hoofs[gait, how] for how in (ELASTIC_CONTACT, INELASTIC_CONTACT))
    assert np.all(inelastic.normal <= 1.75 * elastic.normal + 1e-9)
    assert inelastic.mean == pytest.approx(elastic.mean, rel=1e-5)
    assert inelastic.peak > elastic.peak


def test_energy_of_the_ground(found: HorseLegExperiment) -> None:
    """Over one turn, the energy from drives and belt equals the loss by contact and friction."""
    for run in found.grounded.values():
        put_in = sum(run.drive_work(name)["net"] for name in ("crank", "actuator"))
        belt = sum(run.array(f"{name}.work")[-1] for name in CONTACT_POINTS)
        assert put_in + belt == pytest.approx(run.array("energy.dissipated")[-1], abs=2e-4)


def test_walking_rolls_from_heel_to_toe(found: HorseLegExperiment) -> None:
    """With the sole chosen here, walking has roughly the printed contact time and rotation; running does not."""
    walk, run = (found.hoofs[gait, ELASTIC_CONTACT] for gait in GAIT_PARAMETERS)
    assert [part.name for part in walk.steps[0]] == ["heel-strike", "flat", "toe-off"]
    assert walk.duty == pytest.approx(0.302, abs=0.015)
    assert math.degrees(walk.rotation()) == pytest.approx(26, abs=2)
    assert run.duty < 0.6 * walk.duty
    along = walk.along[~np.isnan(walk.along)]
    assert along[0] == pytest.approx(0, abs=1e-9) and along[-1] == pytest.approx(1, abs=1e-9)


def test_longer_l3_swings_the_rocker_less(found: HorseLegExperiment) -> None:
    """Fig 6-4. By the dead centres of the crank-rocker: O2 A B with the crank in line with the coupler."""

    def rocker(l3: float) -> float:
        ends = [0.333 + sign * 0.1 for sign in (-1, 1)]
        cosines = [(0.257**2 + l3**2 - end**2) / (2 * 0.257 * l3) for end in ends]
        return math.degrees(math.acos(cosines[1]) - math.acos(cosines[0]))

    for change, turn in found.lengths.items():
        assert horse_leg.turn_measures(turn)["rocker_deg"] == pytest.approx(rocker(0.277 + change), abs=0.01)
