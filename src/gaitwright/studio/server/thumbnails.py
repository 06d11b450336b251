"""Gallery thumbnails: a driven mechanism through its turn; an undriven one along its own analysis."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.report.array_checks import round_to_size

THUMBNAIL_FRAMES = 36


def make_thumbnail(workspace: Any, name: str) -> dict[str, Any]:
    """Preview of a ready model, as from `ModelEditor.show`, with poses to play; computed once by the workspace, or
    here."""
    picture = workspace.thumbnail(name)
    if len(picture["time"]) > 1 or picture["dimension"] != 2 or name not in CATALOGUE:
        return picture
    try:
        return {**picture, **_run_pictures(name)}
    except AnalysisError:
        return picture


def _run_pictures(name: str) -> dict[str, Any]:
    """Shapes, joints and bounds along the analysis of a ready model."""
    model = CATALOGUE[name].model()
    run = model.analyse()
    seen = run.scene(max_frames=THUMBNAIL_FRAMES)
    frames = seen.pick_frames(THUMBNAIL_FRAMES)
    size = seen.size()
    return {
        "time": seen.time[frames].tolist(),
        "bounds": list(seen.bounds()),
        "shapes": [
            {
                "name": shape.name,
                "kind": shape.kind,
                "closed": shape.closed,
                "points": round_to_size(_outline_rows(shape.outline, frames), size).tolist(),
            }
            for shape in seen.shapes
        ],
        "joints": [
            {"name": joint, "fixed": joint in seen.ground_joints, "points": round_to_size(path[frames], size).tolist()}
            for joint, path in seen.joints.items()
        ],
    }


def _outline_rows(outline: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Outline of a shape in selected frames, one row each; a single row for a fixed shape."""
    rows = outline if len(outline) == 1 else outline[frames]
    return rows.reshape(len(rows), -1)
