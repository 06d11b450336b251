"""Pictures of the gallery: a driven mechanism through its turn; what swings or falls, along the run of its own analysis."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.errors import AnalysisError
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.report.arrays import rounded_to

FRAMES = 36


def thumbnail(workspace: Any, name: str) -> dict[str, Any]:
    """A ready model as `Sheet.show` gives it, with poses to play; computed once by the workspace, or here."""
    picture = workspace.thumbnail(name)
    if len(picture["time"]) > 1 or picture["dimension"] != 2 or name not in CATALOGUE:
        return picture
    try:
        return {**picture, **_run(name)}
    except AnalysisError:
        return picture


def _run(name: str) -> dict[str, Any]:
    """Shapes, joints and bounds along the analysis of a ready model."""
    model = CATALOGUE[name].model()
    run = model.analyse()
    seen = run.scene(max_frames=FRAMES)
    frames = seen.pick_frames(FRAMES)
    size = seen.size()
    return {
        "time": seen.time[frames].tolist(),
        "bounds": list(seen.bounds()),
        "shapes": [
            {
                "name": shape.name,
                "kind": shape.kind,
                "closed": shape.closed,
                "points": rounded_to(_rows(shape.outline, frames), size).tolist(),
            }
            for shape in seen.shapes
        ],
        "joints": [
            {"name": joint, "fixed": joint in seen.ground_joints, "points": rounded_to(path[frames], size).tolist()}
            for joint, path in seen.joints.items()
        ],
    }


def _rows(outline: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """The outline of a shape in some frames, a row each; a single one of what stands still."""
    kept = outline if len(outline) == 1 else outline[frames]
    return kept.reshape(len(kept), -1)
