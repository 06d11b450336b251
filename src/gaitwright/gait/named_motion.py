"""Motions by a word, as a command line has it: walk, sit-to-stand, lift, stoop, squat; or the file of a trial."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gaitwright.checks import At, offer
from gaitwright.gait.lifting import lift
from gaitwright.gait.rising import sit_to_stand
from gaitwright.gait.schematic import STRIDE, schematic_walk
from gaitwright.gait.schematic_motion import SchematicMotion
from gaitwright.gait.subject import Subject

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis

LOAD = 10.0
"""kg, that is lifted unless told."""
STRIDES = 3
"""Of a walk: two whole cycles of either side."""
NAMED: dict[str, Callable[[Subject, float], SchematicMotion]] = {
    "walk": lambda subject, load: schematic_walk(subject, STRIDES * STRIDE),
    "sit-to-stand": lambda subject, load: sit_to_stand(subject),
    "lift": lambda subject, load: lift(subject, "stoop", load),
    "stoop": lambda subject, load: lift(subject, "stoop", load),
    "squat": lambda subject, load: lift(subject, "squat", load),
}
"""By word; `lift` is stooping."""
LIFTING = ("lift", "stoop", "squat")
"""Those in which something is lifted."""


def word_of(name: str) -> str:
    """Of a motion, as NAMED has it: Sit_to_stand is sit-to-stand."""
    return str(name).strip().lower().replace("_", "-").replace(" ", "-")


def motion_named(
    name: str,
    subject: Subject,
    *,
    load: float = LOAD,
    forces: str | Path | None = None,
    static: str | Path | None = None,
) -> SchematicMotion | GaitAnalysis:
    """A schematic motion by its word, or an analysed trial by its file: both have motion and forces.

    load: kg, in the hands of who lifts. Of a trial: forces, of plates, where they have a file of their own; static, one in
    which the person stands."""
    plain = word_of(name)
    if plain in NAMED:
        return NAMED[plain](subject, load)
    path = Path(name)
    if not path.is_file():
        At("motion").fail("is neither a motion nor a file", name, f"a trial, as walk.c3d, or {offer(plain, NAMED)}")
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.trial import load as load_trial

    stood = None if static is None else load_trial(Path(static))
    return analyse(load_trial(path, None if forces is None else Path(forces)), subject, stood)
