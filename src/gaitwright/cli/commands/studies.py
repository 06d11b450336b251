"""Command `study`: weigh several objectives against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.device_options import (
    ForcesFileOption,
    HeightOption,
    LoadOption,
    MassOption,
    MotionOption,
    SexOption,
    SubjectFileOption,
    device_analysis_options,
    read_model_or_device,
)
from gaitwright.cli.measures import plan_measures
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    AllowRuleOption,
    JsonOption,
    LimitOption,
    MeasureOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
)
from gaitwright.cli.ranges import read_bounds, read_limits, read_values
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    ProgressMonitor,
    command_output,
    report_failure,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.study_result import Study
    from gaitwright.report.blocks import ReportBlock

MAX_COMPARED_VARIANTS = 3
"""Variants whose moment is drawn over the angle: the best, and the stock sizes next to it."""


def study(
    model: ModelArgument,
    parameters: Annotated[
        list[str], typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable.")
    ],
    maximise: Annotated[
        list[str], typer.Option("--maximise", metavar="NAME", help="Goal to maximise; the first goal has priority; repeatable.")
    ] = [],  # noqa: B006
    minimise: Annotated[
        list[str], typer.Option("--minimise", metavar="NAME", help="Goal to minimise; repeatable.")
    ] = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    stock: Annotated[
        list[str], typer.Option("--stock", metavar="NAME=A,B,C", help="Available sizes of a parameter; repeatable.")
    ] = [],  # noqa: B006
    outputs: Annotated[
        list[str], typer.Option("--output", metavar="NAME", help="Further output to report; repeatable.")
    ] = [],  # noqa: B006
    measure: MeasureOption = "final",
    samples: Annotated[int, typer.Option("--samples", help="Number of values of every parameter.")] = 9,
    motion: MotionOption = "",
    subject: SubjectFileOption = None,
    mass: MassOption = None,
    height: HeightOption = None,
    sex: SexOption = "",
    load: LoadOption = None,
    forces: ForcesFileOption = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Number of processes; default: all cores.")] = None,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
) -> None:  # fmt: skip
    """Weigh goals against each other over parameters of a model or of a worn device: the best variant within limits, the
    Pareto front, and stock sizes; write study.html, study.csv and chosen.yaml."""
    with command_output(out, as_json) as screen:
        from gaitwright.design.study import study as weigh

        base_model = read_model_or_device(model, changes, folders)
        bounds: dict[str, Any] = read_bounds(parameters, "stiffness=100:600")
        allowed = read_limits(limits)
        sold = dict(read_values(text, "--stock", "thickness=0.0015,0.002,0.0025") for text in stock)
        worn = device_analysis_options(screen, base_model, motion, subject, mass, height, sex, load, forces)
        analysis = worn
        if not worn:
            own = plan_measures(
                base_model, [*maximise, *minimise, *outputs], measure, told=True, more=list(allowed)
            ).analysis
            analysis = {} if own is None else {"analysis": own}
        folder = screen.make_folder()
        with ProgressMonitor("studying") as watch:
            result = weigh(
                base_model, bounds, maximise=maximise, minimise=minimise, limits=allowed, stock=sold, outputs=outputs,
                measure=measure, samples=samples, workers=workers, progress=watch, allow=allow, **analysis,
            )  # fmt: skip
            files = {**result.report(folder, make_device_blocks(result) if worn else ()), **result.save(folder)}
        show_study(screen, result)
        if result.best is not None or watch.interrupted:
            screen.say(*result.lines())
        screen.wrote(files)
        if watch.interrupted:
            screen.say("interrupted: variants that were not analysed have no numbers")
            screen.finish(result.summary())
            raise typer.Exit(stop_exit_code())
        if result.best is None:
            raise report_failure(screen, result.lines()[0], EXIT_ANALYSIS_FAILED, kind="NothingFeasible", files=files)
        screen.finish(result.summary())


def show_study(screen: Any, found: Study) -> None:
    """Show the Pareto front (or, with one goal, the variants within the limits) in a table."""
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


def make_device_blocks(found: Study) -> list[ReportBlock]:
    """Chart of the moment over the angle at the joint with most assistance, for the best variant and the stock sizes next to
    it."""
    import numpy as np

    from gaitwright.report.blocks import Chart, ChartLine, Heading
    from gaitwright.wear.device_evaluation import moment_angle, most_assisted_joint

    best = found.best or found.least_broken
    if best is None:
        return []
    rows = {found.values(best): best}
    for sizes in found.next_sizes(best).values():
        rows |= {found.values(row): row for row in sizes}
    lines, joint = [], ""
    for label, row in list(rows.items())[:MAX_COMPARED_VARIANTS]:
        worn = found.analysis(found.variant(row)).worn
        joint = joint or most_assisted_joint(worn)
        angle, moment = moment_angle(worn, joint)
        lines.append(ChartLine(label, np.degrees(angle), moment))
    title = f"Moment of the device at the {joint.replace('_', ' ')} over its angle"
    return [Heading("Moment of the device"), Chart(title, lines, f"{joint.replace('_', ' ')} angle (deg)", "moment (N m)",
            note="plus helps extensors, or plantar flexors")]  # fmt: skip
