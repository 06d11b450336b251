"""Commands for one model: run, check, example."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    DEFAULT_OUTPUT_FOLDER,
    AllowFilesOption,
    JsonOption,
    MaxSecondsOption,
    MaxStepsOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
    read_model,
    save_interrupted,
)
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    report_failure,
)

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_TABLE_ROWS = 24
"""Outputs shown in the table of a run; the files have all."""


def run(
    model: ModelArgument,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
    animate: Annotated[bool, typer.Option("--animate", help="Also write animation.html.")] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Also write plot.png of the outputs.")] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Also write report.html with all results on one page.")
    ] = False,
    charts: Annotated[
        list[str],
        typer.Option(
            "--chart", metavar="'Y over X'", help="Also write a chart of outputs over another output; repeatable."
        ),
    ] = [],  # noqa: B006
    max_steps: MaxStepsOption = None,
    max_seconds: MaxSecondsOption = None,
) -> None:
    """Run the analysis that a model file specifies and write result.nc and summary.json.

    During the run, partial.nc holds the results so far, in case the process is killed."""
    with command_output(out, as_json) as screen:
        given = {"max_steps": max_steps, "max_seconds": max_seconds}
        budget = [f"analysis.{name}={value}" for name, value in given.items() if value is not None]
        chosen = add_charts(read_model(model, [*changes, *budget], folders), charts)
        out = screen.make_folder()
        from gaitwright._core.json_types import write_json
        from gaitwright.result.files.snapshots import store_snapshots

        with ProgressMonitor("analysing") as watch:
            with store_snapshots(out) as snapshots:
                result: Any = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise save_interrupted(screen, result)
            summary = result.summary()
            files = {"result": result.save(out / "result.nc"), "summary": write_json(summary, out / "summary.json")}
            snapshots.remove()
        show_result(screen, result, summary)
        if plot:
            files |= draw_plot(result, out)
        if plot or charts:
            files |= draw_charts(result, out, None if plot else len(charts))
        if animate:
            arrows = {"forces": True} if getattr(result, "episodes", []) else {}
            files["animation"] = result.animate(out / "animation.html", **arrows)
        if report:
            files |= result.report(out / "report.html")
        screen.wrote(files)
        screen.finish(summary)


def add_charts(model: Any, charts: list[str]) -> Any:
    """Insert charts given on the command line, 'assist.moment, trunk.torque over trunk.angle', before the model's own
    charts."""
    own = list(model.document.charts)
    model.document.charts.clear()
    for text in charts:
        y, over, x = text.rpartition(" over ")
        names = [name.strip() for name in y.split(",")]
        if not over or not x.strip() or not all(names):
            expected = "outputs over another, such as 'crank.torque over crank.angle', or over time"
            ErrorContext(field="--chart").fail("is not a chart", text, expected)
        model.chart(x.strip(), *names)
    model.document.charts.extend(own)
    return model


def check(
    model: ModelArgument,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
) -> None:
    """Report degrees of freedom, redundant and conflicting joints, the assembly error of the drawn pose and the contacts;
    draw the mechanism to a PNG."""
    with command_output(out, as_json) as screen:
        chosen = read_model(model, changes, folders)
        out = screen.make_folder()
        report = chosen.check()
        screen.say(*report.lines(), *_describe_worn_device(chosen))
        screen.wrote({"picture": chosen.draw(out / "mechanism.png")})
        if not report.closed:
            more = f" and {len(report.conflicts) - 3} more, above" if len(report.conflicts) > 3 else ""
            message = f"the mechanism cannot be closed: {', '.join(report.conflicts[:3]) or 'no pose was found'}{more}"
            raise report_failure(screen, message, EXIT_ANALYSIS_FAILED, kind="AssemblyError", **vars(report))
        screen.finish(report)


def _describe_worn_device(model: Any) -> list[str]:
    """Text about the cuffs that connect a worn device to a person."""
    worn = model.document.worn
    if worn is None:
        return []
    where = {"both": "both legs", None: "a person"}.get(worn.side, f"the {worn.side} leg")
    cuffs = ", ".join(f"{cuff.name} on the {cuff.segment.replace('_', ' ')} ({cuff.type})" for cuff in worn.cuffs)
    return [f"worn on {where} by cuffs: {cuffs}; gaitwright device puts it on"]


def example(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Name of a ready mechanism; default: list them all.", show_default=False),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for NAME.yaml.")
    ] = DEFAULT_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    force: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
) -> None:
    """Write the model file of a ready mechanism, to run or to change; or list them all."""
    is_file = out.suffix in (".yaml", ".yml", ".json")
    with command_output(out.parent if is_file else out, as_json) as screen:
        from gaitwright.mechanisms.catalogue import CATALOGUE, find_entry
        from gaitwright.wear.devices import DEVICES, ReadyDevice

        if name is None:
            screen.table("name", "the question it answers", rows=[(k, e.question) for k, e in CATALOGUE.items()])
            screen.table(
                "device to be worn", "the question it answers", rows=[(k, e.question) for k, e in DEVICES.items()]
            )
            screen.finish({
                "examples": {k: e.question for k, e in CATALOGUE.items()},
                "devices": {k: e.question for k, e in DEVICES.items()},
            })  # fmt: skip
            return
        entry = DEVICES[name] if name in DEVICES else find_entry(name)
        path = out if is_file else out / f"{name}.yaml"
        if path.exists() and not force:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --overwrite to write over it")
        screen.make_folder()
        screen.say(entry.question)
        if isinstance(entry, ReadyDevice):
            screen.wrote({"device": entry.make().save(path)})
            screen.say(f"next: gaitwright device {path} --motion {entry.motion}")
        else:
            screen.wrote({"model": entry.write(path)})
            screen.say(f"next: gaitwright run {path}" + (f", or gaitwright leg {path}" if entry.feet else ""))
        screen.finish({"name": name, "question": entry.question})


def show_result(screen: CommandOutput, result: Any, summary: dict[str, Any]) -> None:
    """Show the summary of a run: outputs, accuracy, warnings."""
    screen.say(f"{summary['name']}: {summary['analysis']} analysis")
    shown = show_modes if summary["analysis"] == "modes" else show_outputs
    shown(screen, result, summary)
    for warning in summary.get("warnings", summary.get("evidence", {}).get("warnings", [])):
        screen.say(f"warning: {warning}")


def show_modes(screen: CommandOutput, modes: Any, summary: dict[str, Any]) -> None:
    rows = []
    for k, (frequency, damping) in enumerate(zip(summary["frequencies_hz"], summary["damping_ratios"], strict=True)):
        rows.append((k, f"{frequency:.6g}", "-" if damping is None else f"{damping:.4g}"))
    screen.table("mode", "frequency (Hz)", "damping ratio", rows=rows[:MAX_TABLE_ROWS], numbers=(1, 2))
    screen.say("stable" if summary["stable"] else "unstable")


def show_outputs(screen: CommandOutput, result: Result, summary: dict[str, Any]) -> None:
    from gaitwright.report.rounding import zero_table_noise
    from gaitwright.report.views.default_outputs import select_default_outputs
    from gaitwright.result.cross_plots import describe_numbers
    from gaitwright.result.output_ranges import OutputRange

    names = select_default_outputs(result)
    header = ("output", "least", "at (s)", "greatest", "at (s)", "final", "unit")
    rows = []
    for name in names[:MAX_TABLE_ROWS]:
        extremes = summary["ranges"][name] or dict.fromkeys(OutputRange._fields)
        cells = [
            extremes["least"],
            extremes["least_at"],
            extremes["greatest"],
            extremes["greatest_at"],
            summary["final"][name],
        ]
        rows.append([name, *cells, result.catalogue[name].unit])
    if result.time.size < 2:  # an equilibrium has one value
        header, rows = ("output", "value", "unit"), [[row[0], row[5], row[6]] for row in rows]
    times = [k for k, title in enumerate(header) if title == "at (s)"]
    for row in rows:
        for k in times:
            row[k] = "-" if row[k] is None else f"{row[k]:.4g}"
    shown = [[format_cell(cell) for cell in row] for row in zero_table_noise(header, rows)]
    screen.table(*header, rows=shown, numbers=tuple(range(1, len(header) - 1)))
    if len(summary["final"]) > len(rows):
        screen.say(
            f"{len(rows)} of {len(summary['final'])} outputs; name others under 'outputs' in the model to see them"
        )
    show_contacts(screen, summary)
    screen.say(*(describe_numbers(numbers) for numbers in summary["charts"]))
    for name, work in summary["drives"].items():
        given, back = work["positive"], -work["negative"]
        screen.say(
            f"{name}: {given:.6g} J into the mechanism, {back:.6g} J back; |P| integrates to {work['absolute']:.6g} J"
        )
    evidence, energy = result.evidence, summary["energy"]
    took = f"{evidence.steps} steps in {evidence.wall_seconds:.3g} s"
    took += f", {evidence.events} events of contacts" if evidence.events else ""
    newton = f", {evidence.newton_iterations} Newton iterations" if evidence.newton_iterations else ""
    turned = result.balance.turned_over()
    lost = energy["residual"]  # None if it is not a number, such as the energy of an inverted solid
    part = f" ({lost / turned:.1e} of what was turned over)" if turned and lost is not None else ""
    balance = "the energy is not a number" if lost is None else f"energy accounted for to {lost:.1e} J{part}"
    screen.say(
        f"{evidence.method}: {took}{newton}",
        f"joints closed to {evidence.max_position_violation:.1e} m, {balance}",
    )


def format_cell(cell: Any) -> str:
    """Text of a table cell."""
    return "-" if cell is None else cell if isinstance(cell, str) else f"{cell:.6g}"


def show_contacts(screen: CommandOutput, summary: dict[str, Any]) -> None:
    """Show a table of all contacts; for an equilibrium only penetration and normal force."""
    contacts = summary["contacts"]
    if not contacts:
        return
    if summary["analysis"] == "static":
        rows = [(n, f"{1e3 * c['max_penetration']:.4g}", f"{c['max_normal_force']:.5g}") for n, c in contacts.items()]
        screen.table("contact", "penetration (mm)", "normal force (N)", rows=rows, numbers=(1, 2))
        return
    rows = []
    for name, c in contacts.items():
        first = "-" if c["first_touchdown"] is None else f"{c['first_touchdown']:.5g}"
        part = "-" if c["duty"] is None else f"{100 * c['duty']:.3g}"
        most = (f"{1e3 * c['max_penetration']:.4g}", f"{c['max_normal_force']:.5g}", f"{c['impulse']:.5g}")
        rows.append((name, c["episodes"], first, part, *most, f"{c['dissipated']:.4g}", f"{1e3 * c['slip']:.4g}"))
    screen.table(
        "contact", "touches", "first (s)", "closed (%)", "deepest (mm)", "hardest (N)", "impulse (N s)", "lost (J)",
        "slip (mm)", rows=rows, numbers=tuple(range(1, 9)),
    )  # fmt: skip


def draw_charts(result: Any, out: Path, most: int | None) -> dict[str, Path]:
    """Save pictures of the charts given by the command and the model; most: only the first ones."""
    if not hasattr(result, "catalogue"):
        return {}
    from gaitwright.report.views.cross_plot_charts import save_cross_plots

    return save_cross_plots(result, out, most)


def draw_plot(result: Any, out: Path) -> dict[str, Path]:
    """Save a picture of the outputs over time; for an equilibrium, of the mechanism."""
    if not hasattr(result, "catalogue"):
        return {}
    if result.time.size < 2:
        return {"picture": result.draw(out / "mechanism.png", colour=result.mechanism.colour)}
    from gaitwright.report.figures.run_overview import save_overview
    from gaitwright.report.views.default_outputs import select_default_outputs

    names = select_default_outputs(result)
    outputs = {name: (result.array(name), result.catalogue[name].unit) for name in names}
    bands = result.closed_times(names)
    files = {"plot": save_overview(result.mechanism.name, result.time, outputs, out / "plot.png", bands)}
    if result.mechanism.beams:
        result.plot_shapes(path=out / "shapes.png")
        files["shapes"] = out / "shapes.png"
    return files
