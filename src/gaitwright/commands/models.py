"""Commands about one model: run, check, example."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.checks import At
from gaitwright.commands.options import (
    HERE,
    OWN_FOLDER,
    Allow,
    File,
    Json,
    MaxSeconds,
    MaxSteps,
    Out,
    Set,
    keep_interrupted,
    read_model,
)
from gaitwright.errors import ModelError
from gaitwright.terminal import FAILED, Screen, Watch, fail, speaking

if TYPE_CHECKING:
    from gaitwright.result.result import Result

ROWS = 24
"""Outputs shown in the table of a run; the files have all."""


def run(
    model: File,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
    animate: Annotated[bool, typer.Option("--animate", help="Write animation.html too.")] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Write plot.png of the outputs too.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Write report.html too: all of it on one page.")] = False,
    charts: Annotated[
        list[str],
        typer.Option(
            "--chart", metavar="'Y over X'", help="Write a chart of outputs over another one too; repeatable."
        ),
    ] = [],  # noqa: B006
    max_steps: MaxSteps = None,
    max_seconds: MaxSeconds = None,
) -> None:
    """Run the analysis that a model file asks for and write result.nc and summary.json.

    While it runs, partial.nc holds what it has computed, for a process that is killed."""
    with speaking(out, as_json) as screen:
        given = {"max_steps": max_steps, "max_seconds": max_seconds}
        budget = [f"analysis.{name}={value}" for name, value in given.items() if value is not None]
        chosen = with_charts(read_model(model, [*changes, *budget], folders), charts)
        out = screen.make_folder()
        from gaitwright.plain import write_json
        from gaitwright.result.snapshots import storing_snapshots

        with Watch("analysing") as watch:
            with storing_snapshots(out) as snapshots:
                result: Any = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise keep_interrupted(screen, result)
            summary = result.summary()
            files = {"result": result.save(out / "result.nc"), "summary": write_json(summary, out / "summary.json")}
            snapshots.remove()
        show(screen, result, summary)
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


def with_charts(model: Any, charts: list[str]) -> Any:
    """The model with charts as they are said on the command line, 'assist.moment, trunk.torque over trunk.angle', before its
    own."""
    own = list(model.document.charts)
    model.document.charts.clear()
    for text in charts:
        y, over, x = text.rpartition(" over ")
        names = [name.strip() for name in y.split(",")]
        if not over or not x.strip() or not all(names):
            expected = "outputs over another, such as 'crank.torque over crank.angle', or over time"
            At(field="--chart").fail("says no chart", text, expected)
        model.chart(x.strip(), *names)
    model.document.charts.extend(own)
    return model


def check(model: File, out: Out = OWN_FOLDER, as_json: Json = False, changes: Set = [], folders: Allow = []) -> None:  # noqa: B006
    """Report freedom, redundant and conflicting joints, the error of the drawing and the contacts; draw it to a PNG."""
    with speaking(out, as_json) as screen:
        chosen = read_model(model, changes, folders)
        out = screen.make_folder()
        found = chosen.check()
        screen.say(*found.lines(), *_worn(chosen))
        screen.wrote({"picture": chosen.draw(out / "mechanism.png")})
        if not found.closed:
            more = f" and {len(found.conflicts) - 3} more, above" if len(found.conflicts) > 3 else ""
            message = f"the mechanism cannot be closed: {', '.join(found.conflicts[:3]) or 'no pose was found'}{more}"
            raise fail(screen, message, FAILED, kind="AssemblyError", **vars(found))
        screen.finish(found)


def _worn(model: Any) -> list[str]:
    """What binds a device to a person."""
    worn = model.document.worn
    if worn is None:
        return []
    where = {"both": "both legs", None: "a person"}.get(worn.side, f"the {worn.side} leg")
    cuffs = ", ".join(f"{cuff.name} on the {cuff.segment.replace('_', ' ')} ({cuff.type})" for cuff in worn.cuffs)
    return [f"worn on {where} by cuffs: {cuffs}; gaitwright device puts it on"]


def example(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A ready mechanism; all are listed without it.", show_default=False),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for NAME.yaml.")
    ] = HERE,
    as_json: Json = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write the model file of a ready mechanism, to run and to change; or list them all."""
    is_file = out.suffix in (".yaml", ".yml", ".json")
    with speaking(out.parent if is_file else out, as_json) as screen:
        from gaitwright.mechanisms.catalogue import CATALOGUE, find
        from gaitwright.wear.devices import DEVICES, Ready

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
        entry = DEVICES[name] if name in DEVICES else find(name)
        path = out if is_file else out / f"{name}.yaml"
        if path.exists() and not force:
            raise ModelError(f"the file '{path}' exists", expected="another --out, or --force to write over it")
        screen.make_folder()
        screen.say(entry.question)
        if isinstance(entry, Ready):
            screen.wrote({"device": entry.make().save(path)})
            screen.say(f"next: gaitwright device {path} --motion {entry.motion}")
        else:
            screen.wrote({"model": entry.write(path)})
            screen.say(f"next: gaitwright run {path}" + (f", or gaitwright leg {path}" if entry.feet else ""))
        screen.finish({"name": name, "question": entry.question})


def show(screen: Screen, result: Any, summary: dict[str, Any]) -> None:
    """A run for people: what came out, how far to trust it, what to look out for."""
    screen.say(f"{summary['name']}: {summary['analysis']} analysis")
    shown = show_modes if summary["analysis"] == "modes" else show_outputs
    shown(screen, result, summary)
    for warning in summary.get("warnings", summary.get("evidence", {}).get("warnings", [])):
        screen.say(f"warning: {warning}")


def show_modes(screen: Screen, modes: Any, summary: dict[str, Any]) -> None:
    rows = []
    for k, (frequency, damping) in enumerate(zip(summary["frequencies_hz"], summary["damping_ratios"], strict=True)):
        rows.append((k, f"{frequency:.6g}", "-" if damping is None else f"{damping:.4g}"))
    screen.table("mode", "frequency (Hz)", "damping ratio", rows=rows[:ROWS], numbers=(1, 2))
    screen.say("stable" if summary["stable"] else "unstable")


def show_outputs(screen: Screen, result: Result, summary: dict[str, Any]) -> None:
    from gaitwright.report.digits import without_noise
    from gaitwright.report.views.shown import shown_outputs
    from gaitwright.result.charted import told
    from gaitwright.result.ranges import Range

    names = shown_outputs(result)
    header = ("output", "least", "at (s)", "greatest", "at (s)", "final", "unit")
    rows = []
    for name in names[:ROWS]:
        found = summary["ranges"][name] or dict.fromkeys(Range._fields)
        cells = [found["least"], found["least_at"], found["greatest"], found["greatest_at"], summary["final"][name]]
        rows.append([name, *cells, result.catalogue[name].unit])
    if result.time.size < 2:  # an equilibrium has one value
        header, rows = ("output", "value", "unit"), [[row[0], row[5], row[6]] for row in rows]
    times = [k for k, title in enumerate(header) if title == "at (s)"]
    for row in rows:
        for k in times:
            row[k] = "-" if row[k] is None else f"{row[k]:.4g}"
    shown = [[told_number(cell) for cell in row] for row in without_noise(header, rows)]
    screen.table(*header, rows=shown, numbers=tuple(range(1, len(header) - 1)))
    if len(summary["final"]) > len(rows):
        screen.say(
            f"{len(rows)} of {len(summary['final'])} outputs; name others under 'outputs' in the model to see them"
        )
    show_contacts(screen, summary)
    screen.say(*(told(numbers) for numbers in summary["charts"]))
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
    lost = energy["residual"]  # None: not a number, as the energy of a solid that is inside out
    part = f" ({lost / turned:.1e} of what was turned over)" if turned and lost is not None else ""
    balance = "the energy is not a number" if lost is None else f"energy accounted for to {lost:.1e} J{part}"
    screen.say(
        f"{evidence.method}: {took}{newton}",
        f"joints closed to {evidence.max_position_violation:.1e} m, {balance}",
    )


def told_number(cell: Any) -> str:
    """A cell of a table for people."""
    return "-" if cell is None else cell if isinstance(cell, str) else f"{cell:.6g}"


def show_contacts(screen: Screen, summary: dict[str, Any]) -> None:
    """What every contact did, in a row; of an equilibrium only how hard it presses."""
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
    """Pictures of the charts that the command and the model ask for, or of the first ones."""
    if not hasattr(result, "catalogue"):
        return {}
    from gaitwright.report.views.output_charts import save_charts

    return save_charts(result, out, most)


def draw_plot(result: Any, out: Path) -> dict[str, Path]:
    """A picture of the outputs over time; for an equilibrium, of the mechanism."""
    if not hasattr(result, "catalogue"):
        return {}
    if result.time.size < 2:
        return {"picture": result.draw(out / "mechanism.png", colour=result.mechanism.colour)}
    from gaitwright.report.overview import save_overview
    from gaitwright.report.views.shown import shown_outputs

    names = shown_outputs(result)
    outputs = {name: (result.values(name), result.catalogue[name].unit) for name in names}
    bands = result.closed_times(names)
    files = {"plot": save_overview(result.mechanism.name, result.time, outputs, out / "plot.png", bands)}
    if result.mechanism.beams:
        result.plot_shapes(path=out / "shapes.png")
        files["shapes"] = out / "shapes.png"
    return files
