"""Time of a motion laboratory trial: inverse kinematics, and the whole analysis from files to a report.

kinematics   a skeleton that follows 32 markers through a schematic noisy walk, with joint constraints, including reading,
             compared with OpenSim's tool on the same skeleton and file: with its default accuracy, which leaves angles
             0.2 degrees from the minimum, and with an accuracy equal to ours. The ratio refers to the former
report       from files to angles, forces, moments, table and page
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.gait.analysis import analyse
from gaitwright.gait.axes import LaboratoryFrame
from gaitwright.gait.inverse_kinematics import follow
from gaitwright.gait.schematic_gait import schematic_walk
from gaitwright.gait.skeleton import HumanSkeleton, skeleton_of
from gaitwright.gait.subject import Subject
from gaitwright.gait.trial import load
from gaitwright_apps.benchmarks import opensim_peer
from gaitwright_apps.benchmarks.timing import time_alternately, time_call

TRIAL_DURATION_S = {"quick": 0.5, "full": 10.0}
"""Trial duration, s, at 100 frames per second."""
MARKER_NOISE_M = 1e-3
OPENSIM_ACCURACY = 1e-9
"""OpenSim accuracy that gives the same angles as ours."""
MAX_SECONDS = 15.0
"""Time limit, s, for 10 s of motion from files to a report."""
SUBJECT = Subject(73.0, 1.741, "male")


def measure(quick: bool) -> dict[str, Any]:
    lasts = TRIAL_DURATION_S["quick" if quick else "full"]
    trial = schematic_walk(SUBJECT, lasts if not quick else 3.0).trial(noise=MARKER_NOISE_M)
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as name:
        folder = Path(name)
        markers, forces = trial.save(folder / "walk.trc"), trial.save(folder / "walk.mot")
        upright = replace(trial, lab=LaboratoryFrame(np.eye(3))).save(
            folder / "upright.trc"
        )  # OpenSim does not rotate a file: z is up
        skeleton = skeleton_of(load(upright), SUBJECT)
        details = {
            "lasts": lasts,
            "frames": round(lasts * trial.rate),
            "markers": len(trial.labels),
            "limit": MAX_SECONDS,
        }
        details |= _measure_kinematics(skeleton, upright, lasts, folder, 1 if quick else 3)

        def report() -> None:
            analyse(load(markers, forces), SUBJECT).report(folder / "page")

        if not quick:
            report()
            details["report_seconds"] = time_alternately({"ours": time_call(report)}, 2)["ours"]
    return details


def _measure_kinematics(
    skeleton: HumanSkeleton, markers: Path, lasts: float, folder: Path, repeats: int
) -> dict[str, Any]:
    def ours() -> np.ndarray:
        trial = load(markers)
        return follow(_cut_trial(trial, lasts), skeleton, cutoff=None).rotation.to_numpy()

    candidates = {"ours": time_call(ours)}
    ours()
    if not opensim_peer.is_available():
        best = time_alternately(candidates, repeats)
        return {"seconds": best, "real_time": lasts / best["ours"], "skipped": "OpenSim is not installed"}
    before = Path.cwd()
    os.chdir(folder)  # it writes a log to the current folder
    try:
        model = opensim_peer.to_opensim(skeleton)
        model.initSystem()
        times = np.array([0.0, lasts])
        for name, accuracy in (("opensim", None), ("opensim, exact", OPENSIM_ACCURACY)):
            tool = opensim_peer.inverse_kinematics(model, markers, times, folder)
            if accuracy is not None:
                tool.set_accuracy(accuracy)
            candidates[name] = time_call(tool.run)
        best = time_alternately(candidates, repeats)
        difference = _rotation_difference(model, folder / "found.mot", skeleton, ours())
    finally:
        os.chdir(before)
    return {
        "seconds": best, "real_time": lasts / best["ours"], "apart": difference,
        "ratios": {"gait-kinematics": best["opensim"] / best["ours"]},
    }  # fmt: skip


def _cut_trial(trial: Any, lasts: float) -> Any:
    frames = round(lasts * trial.rate) + 1
    return replace(trial, markers=trial.markers[:frames], filled=trial.filled[:frames])


def _rotation_difference(model: Any, file: Path, skeleton: HumanSkeleton, ours: np.ndarray) -> float:
    """Largest difference of rotation matrix entries, in every 25th frame."""
    opensim = opensim_peer.load_opensim()
    table = opensim.TimeSeriesTable(str(file))
    state, rows = model.initSystem(), table.getMatrix().to_numpy()
    coordinates = [model.getCoordinateSet().get(name) for name in table.getColumnLabels()]
    worst = 0.0
    for frame in range(0, min(len(rows), len(ours)), 25):
        for coordinate, value in zip(coordinates, rows[frame], strict=True):
            angle = coordinate.getMotionType() == opensim_peer.ROTATIONAL_COORDINATE
            coordinate.setValue(state, float(np.deg2rad(value) if angle else value), False)
        model.realizePosition(state)
        for k, segment in enumerate(skeleton.segments):
            worst = max(worst, float(np.abs(opensim_peer.body_pose(model, state, segment)[1] - ours[frame, k]).max()))
    return worst
