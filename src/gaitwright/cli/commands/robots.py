"""Command for robots of other programs: urdf."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gaitwright._core.errors import ModelError
from gaitwright.cli.options import DEFAULT_OUTPUT_FOLDER, JsonOption
from gaitwright.cli.terminal import command_output


def urdf(
    robot: Annotated[Path, typer.Argument(metavar="ROBOT", help="URDF file.", show_default=False)],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for ROBOT.yaml.")
    ] = DEFAULT_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    base: Annotated[
        str, typer.Option("--base", help="First link of the robot: fixed to the ground, or free.")
    ] = "fixed",
    stops: Annotated[
        float | None,
        typer.Option("--stops", help="Stiffness of bumpers at the limits of hinges, N m/rad; default: no bumpers."),
    ] = None,
    merge: Annotated[
        bool,
        typer.Option("--merge", help="Merge links that are fixed to each other: fewer bodies, faster."),
    ] = False,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Correct impossible masses and inertias of moving bodies instead of reporting an error."
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
) -> None:
    """Write the model file of a URDF robot, to add drives, forces and contacts to it; report how each element was converted.

    `check` and `run` read URDF files directly."""
    is_file = out.suffix in (".yaml", ".yml", ".json")
    with command_output(out.parent if is_file else out, as_json) as screen:
        from gaitwright.formats.urdf_resources import write_shown_meshes
        from gaitwright.model.io.urdf_import import read_urdf
        from gaitwright.model.model import Model

        path = out if is_file else out / f"{robot.stem}.yaml"
        document, notes, table = read_urdf(robot, base=base, stops=stops, merge=merge, repair=repair)
        if path.exists() and not force:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --overwrite to write over it")
        folder = screen.make_folder(shared=True)
        notes += write_shown_meshes(document, folder, f"{path.stem}-meshes")
        model = Model.from_dict(document)
        screen.table("name", "in the file", "in the model", "called", "remark", rows=table)
        screen.say(*(f"note: {note}" for note in notes))
        screen.wrote({"model": model.save(path)})
        screen.say(f"next: gaitwright check {path}")
        parts = {"bodies": len(document["bodies"]), "joints": len(document["joints"]), "notes": notes}
        parts["table"] = [row._asdict() for row in table]
        screen.finish({"name": document["name"], **parts})
