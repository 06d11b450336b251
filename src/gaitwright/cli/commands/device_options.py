"""Options for worn devices in commands that vary models: sweep, choose, optimise, study, trade-off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.devices import DEFAULT_BODY_MASS_AND_HEIGHT, LoadOption, load_device, load_motion
from gaitwright.cli.commands.gait import HeightOption, MassOption, SexOption, SubjectFileOption, read_subject
from gaitwright.cli.options import read_model

if TYPE_CHECKING:
    from gaitwright.cli.terminal import CommandOutput
    from gaitwright.model.model import Model

__all__ = [
    "ForcesFileOption",
    "HeightOption",
    "LoadOption",
    "MassOption",
    "MotionOption",
    "SexOption",
    "SubjectFileOption",
    "device_analysis_options",
    "read_model_or_device",
]

MotionOption = Annotated[
    str,
    typer.Option(
        "--motion",
        metavar="MOTION",
        help="For a worn device: walk, sit-to-stand, stoop, squat, or the file of a trial.",
    ),
]
ForcesFileOption = Annotated[
    Path | None,
    typer.Option("--forces", metavar="FILE", help="For a trial: file of force plate data.", show_default=False),
]


def read_model_or_device(path: Path, changes: list[str], folders: list[Path]) -> Model:
    """Read a model from a file, or create a ready device by its name."""
    from gaitwright.wear.devices import DEVICES

    if str(path) in DEVICES and not path.exists():
        return load_device(str(path), changes, folders)
    return read_model(path, changes, folders)


def device_analysis_options(
    screen: CommandOutput, model: Model, motion: str, subject: Path | None, mass: str | None, height: str | None, sex: str,
    load: str | None, forces: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Options for the analysis of a worn device: `analysis`; empty for any other model."""
    from gaitwright._core.error_context import ErrorContext

    if model.document.worn is None:
        if motion:
            ErrorContext("--motion").fail(
                "applies to worn devices only", motion, "a model with a section worn, or no --motion"
            )
        return {}
    if not motion:
        ErrorContext("--motion").fail(
            f"is missing: '{model.document.name}' is worn", expected="walk, sit-to-stand, stoop, squat or a trial"
        )
    from gaitwright.wear.device_evaluation import device_analysis

    person = read_subject(subject, mass, height, sex)
    moving = load_motion(motion, person, forces, None, load)
    if person is None:
        screen.say(
            f"worn by a person of {DEFAULT_BODY_MASS_AND_HEIGHT[0]:g} kg and {DEFAULT_BODY_MASS_AND_HEIGHT[1]:g} m: "
            f"set others with --mass and --height"
        )
    return {"analysis": device_analysis(moving)}
