"""The command that weighs several aims against each other: study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.measuring import question
from gaitwright.commands.options import OWN_FOLDER, Allow, Break, File, Json, Limits, Out, Set
from gaitwright.commands.people import (
    Height,
    Lifted,
    Mass,
    Moving,
    Plates,
    Sex,
    SubjectFile,
    model_or_device,
    worn_options,
)
from gaitwright.commands.ranges import read_bounds, read_limits, read_values
from gaitwright.terminal import FAILED, Watch, fail, speaking, stopped

if TYPE_CHECKING:
    from gaitwright.design.studied import Study
    from gaitwright.report.blocks import Block

COMPARED = 3
"""Variants whose moment is drawn over the angle: the best, and the sizes next to it."""


def study(
    model: File,
    parameters: Annotated[
        list[str], typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable.")
    ],
    maximise: Annotated[
        list[str], typer.Option("--maximise", metavar="NAME", help="What shall be large; the first counts most; repeatable.")
    ] = [],  # noqa: B006
    minimise: Annotated[
        list[str], typer.Option("--minimise", metavar="NAME", help="What shall be small; repeatable.")
    ] = [],  # noqa: B006
    limits: Limits = [],  # noqa: B006
    allow: Break = [],  # noqa: B006
    stock: Annotated[
        list[str], typer.Option("--stock", metavar="NAME=A,B,C", help="Sizes that can be bought; repeatable.")
    ] = [],  # noqa: B006
    outputs: Annotated[
        list[str], typer.Option("--output", metavar="NAME", help="What else to tell; repeatable.")
    ] = [],  # noqa: B006
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of an output over time: final, max, min or max_abs.")
    ] = "final",
    samples: Annotated[int, typer.Option("--samples", help="Values of every parameter.")] = 9,
    motion: Moving = "",
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    load: Lifted = None,
    forces: Plates = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; all cores unless given.")] = None,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:  # fmt: skip
    """Weigh aims against each other over parameters of a model, or of a device that someone wears: the best within limits, what
    none beats, sizes in stock; write study.html, study.csv and chosen.yaml."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.study import study as weigh

        asked = model_or_device(model, changes, folders)
        bounds: dict[str, Any] = read_bounds(parameters, "stiffness=100:600")
        allowed = read_limits(limits)
        sold = dict(read_values(text, "--stock", "thickness=0.0015,0.002,0.0025") for text in stock)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        analysis = worn
        if not worn:
            own = question(asked, [*maximise, *minimise, *outputs], measure, told=True, more=list(allowed)).analysis
            analysis = {} if own is None else {"analysis": own}
        folder = screen.make_folder()
        with Watch("studying") as watch:
            found = weigh(
                asked, bounds, maximise=maximise, minimise=minimise, limits=allowed, stock=sold, outputs=outputs,
                measure=measure, samples=samples, workers=workers, progress=watch, allow=allow, **analysis,
            )  # fmt: skip
            files = {**found.report(folder, device_blocks(found) if worn else ()), **found.save(folder)}
        show(screen, found)
        if found.best is not None or watch.interrupted:
            screen.say(*found.lines())
        screen.wrote(files)
        if watch.interrupted:
            screen.say("interrupted: variants that were not analysed have no numbers")
            screen.finish(found.summary())
            raise typer.Exit(stopped())
        if found.best is None:
            raise fail(screen, found.lines()[0], FAILED, kind="NothingFeasible", files=files)
        screen.finish(found.summary())


def show(screen: Any, found: Study) -> None:
    """What none beats, or the best, in a table."""
    rows = found.front if len(found.goals) > 1 else [row for row in found.rows if row["keeps"]]
    names = [*found.parameters, *found.names]
    header = [f"{name} ({found.unit(name).strip()})" if found.unit(name) else name for name in names]
    best = found.best
    cells = [
        (
            *(f"{row[name]:.4g}" for name in names),
            "<-" if best and all(row[n] == best[n] for n in found.parameters) else "",
        )
        for row in rows
    ]
    if cells:
        screen.table(*header, "", rows=cells, numbers=tuple(range(len(names))))


def device_blocks(found: Study) -> list[Block]:
    """Moment over angle at the joint that the device helps, of the best variant and of the sizes next to it in stock."""
    import numpy as np

    from gaitwright.report.blocks import Chart, Heading, Line
    from gaitwright.wear.choosing import helped, moment_angle

    best = found.best or found.least_broken
    if best is None:
        return []
    rows = {found.values(best): best}
    for sizes in found.next_sizes(best).values():
        rows |= {found.values(row): row for row in sizes}
    lines, joint = [], ""
    for label, row in list(rows.items())[:COMPARED]:
        worn = found.analysis(found.variant(row)).worn
        joint = joint or helped(worn)
        angle, moment = moment_angle(worn, joint)
        lines.append(Line(label, np.degrees(angle), moment))
    title = f"Moment of the device at the {joint.replace('_', ' ')} over its angle"
    return [Heading("What it gives"), Chart(title, lines, f"{joint.replace('_', ' ')} angle (deg)", "moment (N m)",
            note="plus helps extensors, or plantar flexors")]  # fmt: skip
