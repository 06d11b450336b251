"""Commands about files of other programs: import, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gaitwright.checks import At
from gaitwright.commands.options import HERE, Allow, Json, Set, keep_interrupted, read_model
from gaitwright.errors import ModelError
from gaitwright.terminal import Watch, speaking

MODELS = (".yaml", ".yml", ".json")


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="URDF, MJCF (.xml), SDF, .osim, lines in DXF or SVG, or a shape in STL.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for FILE.yaml.")
    ] = HERE,
    as_json: Json = False,
    unit: Annotated[str | None, typer.Option("--unit", help="Of a drawing or a shape: mm, cm, m, in, ...")] = None,
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
        typer.Option("--mass-per-length", metavar="KG/M", help="Of links of a drawing; 1 kg/m without it."),
    ] = None,
    crank: Annotated[
        str | None, typer.Option("--crank", metavar="LINK", help="Link of a drawing that turns once per second.")
    ] = None,
    density: Annotated[float | None, typer.Option("--density", help="Of a shape, kg/m^3; 1000 without it.")] = None,
    look_of: Annotated[
        str | None, typer.Option("--look-of", metavar="BODY", help="Use a shape as the look of a body of --model.")
    ] = None,
    model: Annotated[Path | None, typer.Option("--model", metavar="MODEL", help="Model that gets a look.")] = None,
    base: Annotated[
        str | None, typer.Option("--base", help="First link of URDF: fixed to the ground, or free.")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="Keyframe of MJCF to start from.")] = None,
    stops: Annotated[
        float | None,
        typer.Option("--stops", help="Stiffness of bumpers at the limits of hinges, N m/rad; none without it."),
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Make one body of all that are fixed to each other.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Change masses that no moving body can have, instead of refusing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Make a model file of a file of another program, and say what was left out, assumed or snapped."""
    is_file = out.suffix in MODELS
    with speaking(out.parent if is_file else out, as_json) as screen:
        from gaitwright.formats.urdf_files import keep_meshes
        from gaitwright.model.foreign import read_foreign
        from gaitwright.model.model import Model

        path = out if is_file else out / f"{file.stem}.yaml"
        if path.exists() and not force and path != model:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --force to write over it")
        given = {
            "unit": unit, "ground": ground, "tolerance": None if tolerance is None else length(tolerance, "tolerance"),
            "mass_per_length": mass_per_length, "crank": crank, "density": density, "base": base, "key": key, "stops": stops,
            "merge": merge or None, "repair": repair or None,
        }  # fmt: skip
        options = {name: value for name, value in given.items() if value is not None}
        if look_of is not None:
            document, notes = _with_look(file, look_of, model, options)
            kind = "a look"
        else:
            found = read_foreign(file, **options)
            document, notes, kind = found.document, list(found.notes), found.kind
        folder = screen.make_folder(shared=True)
        notes += keep_meshes(document, folder, f"{path.stem}-meshes")
        made = Model.from_dict(document)
        screen.say(f"{file.name}: {kind}")
        screen.say(*(f"note: {note}" for note in notes))
        screen.wrote({"model": made.save(path)})
        screen.say(f"next: gaitwright check {path}")
        counts = {section: len(document.get(section, ())) for section in ("bodies", "links", "joints", "forces")}
        screen.finish({"name": document["name"], "kind": kind, **counts, "notes": notes})


import_.__name__ = "import"


def length(text: str, field: str) -> float:
    """A length of the command line: a number of m, or with its unit, '0.5 mm'."""
    from gaitwright.model.expressions import evaluate
    from gaitwright.model.fields import number
    from gaitwright.model.grammar import parse

    try:
        return evaluate(parse(number(text, "m")), {})
    except (ValueError, ModelError):
        At(field=f"--{field}").fail("is no length", text, "a number with its unit, such as '0.5 mm'")


def _with_look(file: Path, body: str, model: Path | None, options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    from gaitwright.model.shaped_bodies import UNIT, give_look

    if model is None:
        At(field="--look-of").fail("a look needs a model", body, "--model MODEL")
    unit = options.pop("unit", None)
    if options:
        name, value = next(iter(options.items()))
        At(field=f"--{name}").fail("means nothing for a look", value, "--unit alone")
    found = give_look(read_model(model, []), body, file, unit=unit)
    notes = [] if unit else [f"the file does not say its unit, and {UNIT} is assumed; --unit says another"]
    return found.to_dict(), notes


def export(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="Model file, or the result of a run (.nc).", show_default=False)
    ],
    to: Annotated[
        list[Path],
        typer.Option(
            "--to", metavar="PATH",
            help="What to write, by its ending: .dxf .svg .xml (MuJoCo) .glb .pvd .mat .parquet .csv .nc .yaml; repeatable.",
        ),
    ],
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
    unit: Annotated[str | None, typer.Option("--unit", help="Of a drawing; mm without it.")] = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", help="Of a drawing: all, assembled, parts, or skeleton (lines that import reads).")
    ] = None,
    hole: Annotated[
        str | None, typer.Option("--hole", metavar="LENGTH", help="Diameter of the holes in a drawing, as in '6 mm'.")
    ] = None,
    trace: Annotated[
        list[str], typer.Option("--trace", metavar="POINT", help="Point whose curve is drawn; the feet without it; repeatable.")
    ] = [],  # noqa: B006
) -> None:  # fmt: skip
    """Write a model or a result for other programs: drawings with hole distances, MuJoCo, viewers, MATLAB, tables."""
    first = to[0] if to else HERE
    with speaking(first.parent, as_json) as screen:
        from gaitwright.report.views.exporting import WRITERS, Exporting

        for path in to:
            if path.suffix.lower() not in WRITERS:
                Exporting().write(path)  # says what there is
        given = {"unit": unit, "sheet": sheet, "hole": None if hole is None else length(hole, "hole")}
        options = {name: value for name, value in given.items() if value is not None}
        with Watch("analysing") as watch:
            if source.suffix.lower() == ".nc":
                from gaitwright.model.files import load_result

                exporting = Exporting(result=load_result(source), trace=trace or None)
                status = exporting.result.attributes()["status"]
                if status != "complete":
                    exporting.notes.append(f"the result is {status}")
            else:
                exporting = Exporting(read_model(source, changes, folders), trace=trace or None, progress=watch)
            screen.make_folder(shared=True)
            files, known = {}, {path: WRITERS[path.suffix.lower()][0] for path in to}
            for path in to:  # an option is for those that know it; what none knows is refused by the first
                mine = {
                    k: v
                    for k, v in options.items()
                    if k in known[path] or not any(k in some for some in known.values())
                }
                files[path.suffix[1:].lower()] = exporting.write(path, **mine)
                if watch.interrupted:
                    raise keep_interrupted(screen, exporting.result)
        screen.say(*(f"note: {note}" for note in exporting.notes))
        screen.wrote(files)
        screen.finish({"notes": exporting.notes})
