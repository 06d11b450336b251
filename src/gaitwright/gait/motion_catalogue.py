"""Motions by name, as on the command line: walk, sit-to-stand, lift, stoop, squat; or the file of a trial."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.gait.chair_rise import sit_to_stand
from gaitwright.gait.lift_loads import lift
from gaitwright.gait.schematic_gait import SCHEMATIC_STRIDE_SECONDS, schematic_walk
from gaitwright.gait.schematic_motion import SchematicMotion
from gaitwright.gait.subject import Subject

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis

DEFAULT_LIFTED_LOAD_KG = 10.0
"""kg: default lifted load."""
SCHEMATIC_STRIDE_COUNT = 3
"""Number of strides of a schematic walk: two complete cycles on each side."""
SCHEMATIC_MOTIONS: dict[str, Callable[[Subject, float], SchematicMotion]] = {
    "walk": lambda subject, load: schematic_walk(subject, SCHEMATIC_STRIDE_COUNT * SCHEMATIC_STRIDE_SECONDS),
    "sit-to-stand": lambda subject, load: sit_to_stand(subject),
    "lift": lambda subject, load: lift(subject, "stoop", load),
    "stoop": lambda subject, load: lift(subject, "stoop", load),
    "squat": lambda subject, load: lift(subject, "squat", load),
}
"""Schematic motions by name; `lift` is a stoop lift."""
LIFTING_MOTIONS = ("lift", "stoop", "squat")
"""Motions with a lifted load."""


def normalise_motion_name(name: str) -> str:
    """Name of a motion in the form used by SCHEMATIC_MOTIONS: Sit_to_stand becomes sit-to-stand."""
    return str(name).strip().lower().replace("_", "-").replace(" ", "-")


def motion_by_name(
    name: str,
    subject: Subject,
    *,
    load: float = DEFAULT_LIFTED_LOAD_KG,
    forces: str | Path | None = None,
    static: str | Path | None = None,
) -> SchematicMotion | GaitAnalysis:
    """Return a schematic motion by its name, or an analysed trial by its file: both have motion and forces.

    load: kg, in the hands, for lifting. For a trial: forces, file of the plate forces if separate; static, file of a standing
    trial. Raises ModelError for an unknown name."""
    plain = normalise_motion_name(name)
    if plain in SCHEMATIC_MOTIONS:
        return SCHEMATIC_MOTIONS[plain](subject, load)
    path = Path(name)
    if not path.is_file():
        ErrorContext("motion").fail(
            "is neither a motion nor a file",
            name,
            f"a trial, as walk.c3d, or {format_choices(plain, SCHEMATIC_MOTIONS)}",
        )
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.trial import load as load_trial

    static_trial = None if static is None else load_trial(Path(static))
    return analyse(load_trial(path, None if forces is None else Path(forces)), subject, static_trial)
