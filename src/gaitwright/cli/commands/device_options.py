"""Options for worn devices in commands that vary models: sweep, choose, optimise, study, trade-off."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.devices import DEFAULT_BODY_MASS_AND_HEIGHT, load_device, load_motion
from gaitwright.cli.commands.gait import read_subject
from gaitwright.cli.options import ForcesFileOption, LiftedMassOption, ModelFileOptions, PersonOptions, read_model

if TYPE_CHECKING:
    from gaitwright.cli.terminal import CommandOutput
    from gaitwright.model.model import Model


@dataclass
class DeviceOptions(PersonOptions):
    """Options for the motion of a person who wears the device."""

    motion: Annotated[
        str,
        typer.Option(
            "--motion", metavar="MOTION",
            help="For a worn device: walk, sit-to-stand, stoop, squat (schematic), or the file of a trial.",
        ),
    ] = ""  # fmt: skip
    lifted_mass: LiftedMassOption = None
    forces: ForcesFileOption = None


def read_model_or_device(path: Path, files: ModelFileOptions) -> Model:
    """Read a model from a file, or create a ready device by its name."""
    from gaitwright.wear.devices import DEVICES

    if str(path) in DEVICES and not path.exists():
        return load_device(str(path), files)
    return read_model(path, files.changes, files.folders)


def read_device_analysis(screen: CommandOutput, model: Model, worn: DeviceOptions) -> Any:
    """Analysis of a device that a person wears in a motion; None for other models. Raises ModelError for a motion without a
    device, and for a device without a motion."""
    from gaitwright._core.error_context import ErrorContext

    if model.document.worn is None and not worn.motion:
        return None
    if model.document.worn is None:
        ErrorContext("--motion").fail(
            "applies to worn devices only", worn.motion, "a model with a section worn, or no --motion"
        )
    if not worn.motion:
        ErrorContext("--motion").fail(
            f"is missing: '{model.document.name}' is worn", expected="walk, sit-to-stand, stoop, squat or a trial"
        )
    from gaitwright.wear.device_evaluation import device_analysis

    person = read_subject(worn)
    moving = load_motion(worn.motion, person, worn.forces, None, worn.lifted_mass)
    if person is None:
        screen.say(
            f"worn by a person of {DEFAULT_BODY_MASS_AND_HEIGHT[0]:g} kg and {DEFAULT_BODY_MASS_AND_HEIGHT[1]:g} m: "
            f"set others with --mass and --height"
        )
    return device_analysis(moving)
