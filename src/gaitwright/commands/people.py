"""Devices that are worn in commands that vary models: sweep, choose, optimise, study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.devices import SOMEBODY, Lifted, device_of, motion_of
from gaitwright.commands.gait import Height, Mass, Sex, SubjectFile, subject_of
from gaitwright.commands.options import read_model

if TYPE_CHECKING:
    from gaitwright.model.model import Model
    from gaitwright.terminal import Screen

__all__ = ["Height", "Lifted", "Mass", "Moving", "Plates", "Sex", "SubjectFile", "model_or_device", "worn_options"]

Moving = Annotated[
    str, typer.Option("--motion", metavar="MOTION", help="Of a device: walk, sit-to-stand, stoop, squat, or a trial.")
]
Plates = Annotated[
    Path | None, typer.Option("--forces", metavar="FILE", help="Of a trial: forces of plates.", show_default=False)
]


def model_or_device(path: Path, changes: list[str], folders: list[Path]) -> Model:
    """The model in a file, or a ready device by its name."""
    from gaitwright.wear.devices import DEVICES

    if str(path) in DEVICES and not path.exists():
        return device_of(str(path), changes, folders)
    return read_model(path, changes, folders)


def worn_options(
    screen: Screen, model: Model, motion: str, subject: Path | None, mass: str | None, height: str | None, sex: str,
    load: str | None, forces: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """How to analyse a device that is worn: `analysis`; nothing for any other model."""
    from gaitwright.checks import At

    if model.document.worn is None:
        if motion:
            At("--motion").fail("is of devices that are worn", motion, "a model with a section worn, or no --motion")
        return {}
    if not motion:
        At("--motion").fail(
            f"is missing: '{model.document.name}' is worn", expected="walk, sit-to-stand, stoop, squat or a trial"
        )
    from gaitwright.wear.choosing import on

    person = subject_of(subject, mass, height, sex)
    moving = motion_of(motion, person, forces, None, load)
    if person is None:
        screen.say(f"worn by someone of {SOMEBODY[0]:g} kg and {SOMEBODY[1]:g} m: others by --mass and --height")
    return {"analysis": on(moving)}
