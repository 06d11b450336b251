"""Commands for files of other programs: import, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.cli.options import (
    DEFAULT_OUTPUT_FOLDER,
    AllowFilesOption,
    JsonOption,
    SetOption,
    read_model,
    save_interrupted,
)
from gaitwright.cli.ranges import read_length
from gaitwright.cli.terminal import ProgressMonitor, command_output

MODEL_FILE_SUFFIXES = (".yaml", ".yml", ".json")


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="URDF, xacro, MJCF (.xml), SDF, .osim, lines in DXF or SVG, or a shape in STL.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for FILE.yaml.")
    ] = DEFAULT_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Length unit of a drawing or a shape: mm, cm, m, in, ...")
    ] = None,
    ground: Annotated[
        str | None,
        typer.Option("--ground", metavar="LAYER", help="Layer of a drawing whose marks are fixed; or 'circles'."),
    ] = None,
    tolerance: Annotated[
        str | None,
        typer.Option("--tolerance", metavar="LENGTH", help="Gap in a drawing that is closed, as in '0.5 mm'."),
    ] = None,
    mass_per_length: Annotated[
        float | None,
        typer.Option(
            "--mass-per-length", metavar="KG/M", help="Mass per length of the links of a drawing; default 1 kg/m."
        ),
    ] = None,
    crank: Annotated[
        str | None, typer.Option("--crank", metavar="LINK", help="Link of a drawing that turns once per second.")
    ] = None,
    density: Annotated[
        float | None, typer.Option("--density", help="Density of a shape, kg/m^3; default 1000.")
    ] = None,
    look_of: Annotated[
        str | None,
        typer.Option("--look-of", metavar="BODY", help="Use the shape as appearance of this body of --model."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL", help="Model whose body gets the appearance.")
    ] = None,
    base: Annotated[
        str | None, typer.Option("--base", help="First link of a URDF robot: fixed to the ground, or free.")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="Keyframe of an MJCF file for the start pose.")] = None,
    stops: Annotated[
        float | None,
        typer.Option("--stops", help="Stiffness of bumpers at the limits of hinges, N m/rad; default: no bumpers."),
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Merge bodies that are fixed to each other.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Correct impossible masses of moving bodies instead of reporting an error.")
    ] = False,
    force: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
) -> None:
    """Convert a file of another program to a model file, and report everything that was left out, assumed or snapped."""
    is_file = out.suffix in MODEL_FILE_SUFFIXES
    with command_output(out.parent if is_file else out, as_json) as screen:
        from gaitwright.formats.urdf_resources import write_shown_meshes
        from gaitwright.model.io.importers import import_document
        from gaitwright.model.model import Model

        path = out if is_file else out / f"{file.stem}.yaml"
        if path.exists() and not force and path != model:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --overwrite to write over it")
        given = {
            "unit": unit, "ground": ground, "tolerance": None if tolerance is None else read_length(tolerance, "tolerance"),
            "mass_per_length": mass_per_length, "crank": crank, "density": density, "base": base, "key": key, "stops": stops,
            "merge": merge or None, "repair": repair or None,
        }  # fmt: skip
        options = {name: value for name, value in given.items() if value is not None}
        if look_of is not None:
            document, notes = _add_look(file, look_of, model, options)
            kind, table = "a look", ()
        else:
            imported = import_document(file, **options)
            document, notes, kind, table = imported.document, list(imported.notes), imported.kind, imported.table
        folder = screen.make_folder(shared=True)
        notes += write_shown_meshes(document, folder, f"{path.stem}-meshes")
        imported_model = Model.from_dict(document)
        screen.say(f"{file.name}: {kind}")
        if table:
            screen.table("name", "in the file", "in the model", "called", "remark", rows=table)
        screen.say(*(f"note: {note}" for note in notes))
        screen.wrote({"model": imported_model.save(path)})
        screen.say(f"next: gaitwright check {path}")
        counts = {section: len(document.get(section, ())) for section in ("bodies", "links", "joints", "forces")}
        rows = {"table": [row._asdict() for row in table]} if table else {}
        screen.finish({"name": document["name"], "kind": kind, **counts, "notes": notes, **rows})


import_.__name__ = "import"


def _add_look(file: Path, body: str, model: Path | None, options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.model.io.cad_bodies import DEFAULT_LENGTH_UNIT, give_look

    if model is None:
        ErrorContext(field="--look-of").fail("a look needs a model", body, "--model MODEL")
    unit = options.pop("unit", None)
    if options:
        name, value = next(iter(options.items()))
        ErrorContext(field=f"--{name}").fail("does not apply to --look-of", value, "--unit alone")
    model_with_look = give_look(read_model(model, []), body, file, unit=unit)
    notes = (
        [] if unit else [f"the file does not say its unit, and {DEFAULT_LENGTH_UNIT} is assumed; --unit says another"]
    )
    return model_with_look.to_dict(), notes


def export(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="Model file, or the result of a run (.nc).", show_default=False)
    ],
    to: Annotated[
        list[Path],
        typer.Option(
            "--to", metavar="PATH",
            help="Output file; its suffix selects the format: .dxf .svg .xml (MuJoCo) .glb .pvd .mat .parquet .csv "
                 ".nc .yaml; repeatable.",
        ),
    ],
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
    unit: Annotated[str | None, typer.Option("--unit", help="Length unit of a drawing; default mm.")] = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet",
            help="Content of a drawing: all, assembled, parts, or skeleton (the lines that `import` reads).")
    ] = None,
    hole: Annotated[
        str | None, typer.Option("--hole-diameter", metavar="LENGTH", help="Diameter of the holes in a drawing, as in '6 mm'.")
    ] = None,
    trace: Annotated[
        list[str], typer.Option("--trace", metavar="POINT", help="Point whose path is drawn; default: the feet; repeatable.")
    ] = [],  # noqa: B006
) -> None:  # fmt: skip
    """Write a model or a result to files of other programs: drawings with hole distances, MuJoCo, viewers, MATLAB, tables."""
    first = to[0] if to else DEFAULT_OUTPUT_FOLDER
    with command_output(first.parent, as_json) as screen:
        from gaitwright.report.views.exporters import EXPORT_WRITERS, ExportSource

        for path in to:
            if path.suffix.lower() not in EXPORT_WRITERS:
                ExportSource().write(path)  # raises an exception that lists the formats
        given = {"unit": unit, "sheet": sheet, "hole": None if hole is None else read_length(hole, "hole-diameter")}
        options = {name: value for name, value in given.items() if value is not None}
        with ProgressMonitor("analysing") as watch:
            if source.suffix.lower() == ".nc":
                from gaitwright.model.io.files import load_result

                exporting = ExportSource(result=load_result(source), trace=trace or None)
                status = exporting.result.attributes()["status"]
                if status != "complete":
                    exporting.notes.append(f"the result is {status}")
            else:
                exporting = ExportSource(read_model(source, changes, folders), trace=trace or None, progress=watch)
            screen.make_folder(shared=True)
            files, known = {}, {path: EXPORT_WRITERS[path.suffix.lower()][0] for path in to}
            # Pass each option to the writers that accept it; an option that no writer accepts is rejected by the first.
            for path in to:
                mine = {
                    k: v
                    for k, v in options.items()
                    if k in known[path] or not any(k in some for some in known.values())
                }
                files[path.suffix[1:].lower()] = exporting.write(path, **mine)
                if watch.interrupted:
                    raise save_interrupted(screen, exporting.result)
        screen.say(*(f"note: {note}" for note in exporting.notes))
        screen.wrote(files)
        screen.finish({"notes": exporting.notes})
