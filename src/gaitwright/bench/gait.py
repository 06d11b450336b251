"""A trial of a motion laboratory: how long inverse kinematics and the whole way from files to a report take.

kinematics   a skeleton that follows 32 markers through a schematic walk with noise, joints kept, from the file on, against
             OpenSim's tool on the same skeleton and file: as it comes, which leaves angles 0.2 degrees off the minimum, and
             as near to it as we are. The ratio is against the former
report       files to angles, forces, moments, table and page
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.bench import opensim_peer
from gaitwright.bench.clock import alternate, seconds
from gaitwright.gait.analysis import analyse
from gaitwright.gait.axes import Lab
from gaitwright.gait.poses import follow
from gaitwright.gait.schematic import schematic_walk
from gaitwright.gait.skeleton import Skeleton, skeleton_of
from gaitwright.gait.subject import Subject
from gaitwright.gait.trial import load

LASTS = {"quick": 0.5, "full": 10.0}
"""s, at 100 frames a second."""
NOISE = 1e-3
EXACT = 1e-9
"""What OpenSim's accuracy must be for the same angles."""
LIMIT = 15.0
"""s, for 10 s from files to a report."""
PERSON = Subject(73.0, 1.741, "male")


def measure(quick: bool) -> dict[str, Any]:
    lasts = LASTS["quick" if quick else "full"]
    trial = schematic_walk(PERSON, lasts if not quick else 3.0).trial(noise=NOISE)
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as name:
        folder = Path(name)
        markers, forces = trial.save(folder / "walk.trc"), trial.save(folder / "walk.mot")
        upright = replace(trial, lab=Lab(np.eye(3))).save(
            folder / "upright.trc"
        )  # OpenSim takes a file as it is: z is up
        skeleton = skeleton_of(load(upright), PERSON)
        found = {"lasts": lasts, "frames": round(lasts * trial.rate), "markers": len(trial.labels), "limit": LIMIT}
        found |= _kinematics(skeleton, upright, lasts, folder, 1 if quick else 3)

        def report() -> None:
            analyse(load(markers, forces), PERSON).report(folder / "page")

        if not quick:
            report()
            found["report_seconds"] = alternate({"ours": seconds(report)}, 2)["ours"]
    return found


def _kinematics(skeleton: Skeleton, markers: Path, lasts: float, folder: Path, repeats: int) -> dict[str, Any]:
    def ours() -> np.ndarray:
        read = load(markers)
        return follow(_until(read, lasts), skeleton, cutoff=None).rotation.to_numpy()

    candidates = {"ours": seconds(ours)}
    ours()
    if not opensim_peer.available():
        best = alternate(candidates, repeats)
        return {"seconds": best, "real_time": lasts / best["ours"], "skipped": "OpenSim is not installed"}
    before = Path.cwd()
    os.chdir(folder)  # it leaves a log where it stands
    try:
        model = opensim_peer.as_opensim(skeleton)
        model.initSystem()
        times = np.array([0.0, lasts])
        for name, accuracy in (("opensim", None), ("opensim, exact", EXACT)):
            tool = opensim_peer.inverse_kinematics(model, markers, times, folder)
            if accuracy is not None:
                tool.set_accuracy(accuracy)
            candidates[name] = seconds(tool.run)
        best = alternate(candidates, repeats)
        apart = _apart(model, folder / "found.mot", skeleton, ours())
    finally:
        os.chdir(before)
    return {
        "seconds": best, "real_time": lasts / best["ours"], "apart": apart,
        "ratios": {"gait-kinematics": best["opensim"] / best["ours"]},
    }  # fmt: skip


def _until(trial: Any, lasts: float) -> Any:
    frames = round(lasts * trial.rate) + 1
    return replace(trial, markers=trial.markers[:frames], filled=trial.filled[:frames])


def _apart(model: Any, file: Path, skeleton: Skeleton, ours: np.ndarray) -> float:
    """Largest difference of entries of rotation matrices, in every 25th frame."""
    opensim = opensim_peer.load()
    table = opensim.TimeSeriesTable(str(file))
    state, found = model.initSystem(), table.getMatrix().to_numpy()
    coordinates = [model.getCoordinateSet().get(name) for name in table.getColumnLabels()]
    worst = 0.0
    for frame in range(0, min(len(found), len(ours)), 25):
        for coordinate, value in zip(coordinates, found[frame], strict=True):
            angle = coordinate.getMotionType() == opensim_peer.ANGLE
            coordinate.setValue(state, float(np.deg2rad(value) if angle else value), False)
        model.realizePosition(state)
        for k, segment in enumerate(skeleton.segments):
            worst = max(worst, float(np.abs(opensim_peer.pose(model, state, segment)[1] - ours[frame, k]).max()))
    return worst
