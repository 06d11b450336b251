"""Plate forces on each foot: known values of a synthetic walk, the effect of the filter, unknown forces, and the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.gait.synthetic import STANCE, STRIDE, WEIGHT, walk

import gaitwright as gw
from gaitwright.formats.opensim_table import read_table
from gaitwright.gait.ground_reaction import FOOT_SIDES, ground_forces_at_points, ground_forces_from_plates


def loaded(folder: Path, **how: Any) -> tuple[gw.gait.GaitTrial, dict]:
    """The trial, and by side the force, point and free moment of all contacts at the instants of the markers."""
    made = walk(**how)
    trial = gw.gait.load(*made.save(folder))
    every = round(made.force_rate / made.rate)
    truth = {
        side: [tuple(part[::every] for part in one) for one in made.forces if sign * one[1][0, 1] > 0]
        for side, sign in (("right", -1), ("left", 1))
    }
    return trial, truth


@pytest.mark.parametrize("belt", [False, True], ids=["ground", "treadmill"])
def test_plate_forces_are_assigned_to_feet(tmp_path: Path, belt: bool) -> None:
    trial, truth = loaded(tmp_path, belt=belt)
    found = ground_forces_from_plates(trial, cutoff=None)
    assert found.source == "plates" and not found.notes
    centre, free = found.centre(), found.free_moment()
    for k, side in enumerate(FOOT_SIDES):
        force = np.sum([one[0] for one in truth[side]], axis=0)
        # below 20 N no foot counts as standing; the file has two decimals
        assert found.force[:, k] == pytest.approx(np.where(force[:, 2:] > 20.5, force, found.force[:, k]), abs=0.02)
        for contact in truth[side]:
            on = contact[0][:, 2] > 60
            assert centre[on, k] == pytest.approx(contact[1][on], abs=2e-5)
            assert free[on, k] == pytest.approx(contact[2][on], abs=0.02)
        assert np.isnan(centre[force[:, 2] < 45, k]).all()


def test_filter_keeps_impulses_and_smooths_the_wrench(tmp_path: Path) -> None:
    trial, _ = loaded(tmp_path)
    raw, smooth = (ground_forces_from_plates(trial, cutoff=cutoff) for cutoff in (None, 6.0))
    assert smooth.force[..., 2].sum(axis=0) == pytest.approx(raw.force[..., 2].sum(axis=0), rel=0.01)
    assert np.abs(np.diff(smooth.force[..., 2], axis=0)).max() < 0.5 * np.abs(np.diff(raw.force[..., 2], axis=0)).max()
    # the centre is a ratio of filtered quantities: it stays at the foot
    apart = smooth.centre(200) - raw.centre(200)
    assert np.nanmax(np.linalg.norm(apart, axis=-1)) < 0.03
    fine = ground_forces_from_plates(trial, times=np.arange(0, 2.0, 1e-3))
    assert np.interp(trial.times[:250], fine.time, fine.force[:, 0, 2]) == pytest.approx(
        smooth.force[:250, 0, 2], abs=0.5
    )


def test_both_feet_carry_the_weight(tmp_path: Path) -> None:
    trial, _ = loaded(tmp_path, seconds=4.0)
    found = ground_forces_from_plates(trial)
    stride = (trial.times >= 1.0) & (trial.times < 1.0 + STRIDE - 1e-9)
    assert found.force[stride, :, 2].sum(axis=1).mean() == pytest.approx(WEIGHT, rel=0.01)


def test_unmeasured_forces_are_unknown(tmp_path: Path) -> None:
    trial, _ = loaded(tmp_path)
    steps = gw.gait.contacts(trial)
    assert ground_forces_from_plates(trial).known.all()
    gone = next(step for step in steps if step.whole)
    found = ground_forces_from_plates(trial, leave_out=[gone.name])
    k, inside = FOOT_SIDES.index(gone.side), (trial.times > gone.start + 0.02) & (trial.times < gone.end - 0.02)
    assert not found.known[inside, k].any() and found.known[~inside, 1 - k].all()
    assert (~found.known).sum() == pytest.approx(STANCE * trial.rate, abs=6)
    assert f"{gone.name} from" in found.notes[0]
    assert np.abs(found.force[inside, k]).max() < 1.0
    with pytest.raises(gw.ModelError, match="no such plate"):
        ground_forces_from_plates(trial, leave_out=["plate 99"])


def test_missing_plates_are_refused(tmp_path: Path) -> None:
    made = walk(seconds=1.5)
    with pytest.raises(gw.ModelError, match=r"no forces of plates.*prediction"):
        ground_forces_from_plates(gw.gait.load(made.save(tmp_path)[0]))


def test_centre_and_free_moment_are_inverted_exactly(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    force = rng.uniform(-50, 50, (20, 2, 3)) + np.array([0, 0, 400])
    centre = rng.uniform(-1, 1, (20, 2, 3)) * [1, 1, 0] + [0, 0, 0.1]
    free = rng.uniform(-5, 5, (20, 2))
    made = ground_forces_at_points(np.arange(20) / 100, force, centre, free)
    assert made.centre() == pytest.approx(centre) and made.free_moment() == pytest.approx(free)
    upright = np.zeros_like(centre)
    upright[..., 2] = free
    assert made.about(centre) == pytest.approx(upright, abs=1e-9)
    table = read_table(made.save(tmp_path / "feet.mot"))
    assert table.column("left_force_vy") == pytest.approx(force[:, 1, 2])
    assert table.column("right_force_pz") == pytest.approx(-centre[:, 0, 1])
    assert table.column("right_torque_y") == pytest.approx(free[:, 0])
    data = made.dataset()
    assert data["force"].sel(side="left", axis="z").values == pytest.approx(force[:, 1, 2])
    assert data.attrs["source"] == "predicted"
