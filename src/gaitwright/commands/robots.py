"""Commands about robots of other programs: urdf."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gaitwright.commands.options import HERE, Json
from gaitwright.errors import ModelError
from gaitwright.terminal import speaking


def urdf(
    robot: Annotated[Path, typer.Argument(metavar="ROBOT", help="URDF file.", show_default=False)],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for ROBOT.yaml.")
    ] = HERE,
    as_json: Json = False,
    base: Annotated[str, typer.Option("--base", help="Its first link is fixed to the ground, or free.")] = "fixed",
    stops: Annotated[
        float | None,
        typer.Option("--stops", help="Stiffness of bumpers at the limits of hinges, N m/rad; none without it."),
    ] = None,
    merge: Annotated[
        bool,
        typer.Option("--merge", help="Make one body of all links that are fixed to each other: fewer, and faster."),
    ] = False,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Change masses and inertias that no moving body can have, instead of refusing."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write the model file of a robot in URDF, to add drives, forces and contacts to; say what became of what.

    `check` and `run` read URDF as it is."""
    is_file = out.suffix in (".yaml", ".yml", ".json")
    with speaking(out.parent if is_file else out, as_json) as screen:
        from gaitwright.formats.urdf_files import keep_meshes
        from gaitwright.model.model import Model
        from gaitwright.model.robots import read_urdf

        path = out if is_file else out / f"{robot.stem}.yaml"
        document, notes, table = read_urdf(robot, base=base, stops=stops, merge=merge, repair=repair)
        if path.exists() and not force:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --force to write over it")
        folder = screen.make_folder(shared=True)
        notes += keep_meshes(document, folder, f"{path.stem}-meshes")
        model = Model.from_dict(document)
        screen.table("name", "in the file", "in the model", "called", "remark", rows=table)
        screen.say(*(f"note: {note}" for note in notes))
        screen.wrote({"model": model.save(path)})
        screen.say(f"next: gaitwright check {path}")
        parts = {"bodies": len(document["bodies"]), "joints": len(document["joints"]), "notes": notes}
        parts["table"] = [row._asdict() for row in table]
        screen.finish({"name": document["name"], **parts})
