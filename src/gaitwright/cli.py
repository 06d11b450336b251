"""The command line: gaitwright demo, run, check, choose, bench, reproduce. What is heavy is imported by the command that
needs it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.papers import EXPERIMENTS
from gaitwright.terminal import FAILED, INTERRUPTED, Screen, Watch, fail, save_partial, speaking

if TYPE_CHECKING:
    from gaitwright.analyse.result import Result
    from gaitwright.model.choose import Chosen
    from gaitwright.model.model import Model

HELP = "Planar multibody dynamics for walking mechanisms: kinematics, statics, dynamics, contact, energy."
app = typer.Typer(name="gaitwright", help=HELP, add_completion=False, pretty_exceptions_enable=False)

File = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file, YAML or JSON.", show_default=False)]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for what is written; made if missing.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else there.")]
Set = Annotated[
    list[str], typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as in parameters.L=0.2; repeatable.")
]
HERE = Path("gaitwright-output")
ROWS = 24
"""Outputs shown in the table of a run; the files have all."""


@app.command()
def demo(out: Out = HERE, as_json: Json = False) -> None:
    """Show Theo Jansen's leg: a report with animation, curves, forces, torque and energy, its numbers beside the thesis's."""
    with speaking(out, as_json) as screen:
        from gaitwright.demo import HEADER, run_demo

        out = screen.make_folder()
        with Watch("demo") as watch:
            found = run_demo(out, watch.say)
        screen.say("One turn of Theo Jansen's leg, crank at 1 turn per second, beside paper 003:")
        screen.table(*HEADER, rows=[row.cells() for row in found.rows], numbers=(2, 3))
        screen.say(*found.evidence())
        screen.wrote(found.files)
        screen.say(f"open {found.files['report']} in a browser; more legs: gaitwright example")
        screen.finish(found.summary())


@app.command()
def run(
    model: File,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    animate: Annotated[bool, typer.Option("--animate", help="Write animation.html too.")] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Write plot.png of the outputs too.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Write report.html too: all of it on one page.")] = False,
) -> None:
    """Run the analysis that a model file asks for and write result.nc and summary.json."""
    with speaking(out, as_json) as screen:
        chosen = read_model(model, changes)
        out = screen.make_folder()
        from gaitwright.report.plain import write_json

        with Watch("analysing") as watch:
            result: Any = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise keep_interrupted(screen, result)
            summary = result.summary()
            files = {"result": result.save(out / "result.nc"), "summary": write_json(summary, out / "summary.json")}
        show(screen, result, summary)
        if plot:
            files |= draw_plot(result, out)
        if animate:
            arrows = {"forces": True} if getattr(result, "episodes", []) else {}
            files["animation"] = result.animate(out / "animation.html", **arrows)
        if report:
            files |= result.report(out / "report.html")
        screen.wrote(files)
        screen.finish(summary)


@app.command()
def check(model: File, out: Out = HERE, as_json: Json = False, changes: Set = []) -> None:  # noqa: B006
    """Report freedom, redundant and conflicting joints, the error of the drawing and the contacts; draw it to a PNG."""
    with speaking(out, as_json) as screen:
        chosen = read_model(model, changes)
        out = screen.make_folder()
        found = chosen.check()
        screen.say(*found.lines())
        screen.wrote({"picture": chosen.draw(out / "mechanism.png")})
        if not found.closed:
            message = f"the mechanism cannot be closed: {', '.join(found.conflicts) or 'no pose was found'}"
            raise fail(screen, message, FAILED, kind="AssemblyError", **vars(found))
        screen.finish(found)


@app.command()
def choose(
    model: File,
    parameter: Annotated[str, typer.Option("--parameter", metavar="NAME", help="Parameter of the model to choose.")],
    output: Annotated[str, typer.Option("--output", metavar="NAME", help="Output that shall take a value.")],
    target: Annotated[float, typer.Option("--target", metavar="VALUE", help="The value it shall take.")],
    bounds: Annotated[tuple[float, float], typer.Option("--bounds", metavar="LOW HIGH", help="Where to search.")],
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="OUTPUT=VALUE", help="Largest size another output may have; repeatable."),
    ] = [],  # noqa: B006
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of the output over time: final, max, min or max_abs.")
    ] = "final",
    samples: Annotated[int, typer.Option("--samples", help="Values within the bounds to look at first.")] = 9,
    plot: Annotated[bool, typer.Option("--plot", help="Write plot.png of outputs against the parameter too.")] = False,
) -> None:
    """Find the value of a parameter for which an output takes a wanted value; write the model with it to chosen.yaml."""
    with speaking(out, as_json) as screen:
        from gaitwright.model.choose import OutOfReach
        from gaitwright.model.choose import choose as search
        from gaitwright.report.plain import write_json

        asked = read_model(model, changes)
        allowed = read_limits(limits)
        out = screen.make_folder()
        picture = {"plot": out / "plot.png"} if plot else {}
        try:
            with Watch("searching") as watch:
                found = search(
                    asked, parameter, output=output, target=target, bounds=bounds, measure=measure, limits=allowed,
                    samples=samples, progress=watch,
                )  # fmt: skip
        except OutOfReach as error:
            for path in picture.values():
                error.plot(path)
            table = error.evaluations.to_dict("records")
            raise fail(screen, str(error), FAILED, kind="OutOfReach", evaluations=table, files=picture) from None
        show_tried(screen, found)
        screen.say(*found.lines())
        summary = found.summary()
        files = {"model": found.model.save(out / "chosen.yaml"), "result": found.run.save(out / "result.nc")}
        files["summary"] = write_json(summary, out / "summary.json")
        for what, path in picture.items():
            found.plot(path)
            files[what] = path
        screen.wrote(files)
        screen.finish(summary)


@app.command()
def optimise(
    model: File,
    parameters: Annotated[
        list[str], typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable.")
    ],
    minimise: Annotated[
        str | None, typer.Option(metavar="NAME", help="What to make small: an output, or of a leg such as energy.")
    ] = None,
    maximise: Annotated[str | None, typer.Option(metavar="NAME", help="What to make large instead.")] = None,
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of an output over time: final, max, min or max_abs.")
    ] = "final",
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="NAME=LOW:HIGH", help="Limits, as in step_length=95%: or x=:0.2; repeatable."),
    ] = [],  # noqa: B006
    method: Annotated[
        str, typer.Option(help="differential-evolution, cobyqa or nelder-mead.")
    ] = "differential-evolution",
    budget: Annotated[int | None, typer.Option(help="Most variants to analyse.")] = None,
    seed: Annotated[int, typer.Option(help="The same one gives the same answer.")] = 0,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
) -> None:
    """Find values of parameters that make an output, or a number of a leg, smallest or largest; write improved.yaml."""
    with speaking(out, as_json) as screen:
        from gaitwright.model.optimise import optimise as improve
        from gaitwright.model.optimise import read_range
        from gaitwright.model.optimised import NothingFeasible
        from gaitwright.report.plain import write_json

        asked = read_model(model, changes)
        bounds = dict(read_range(text, "--parameter", "L2=0.32:0.35") for text in parameters)
        allowed = dict(read_range(text, "--limit", "step_length=95%: or crank.torque=-2:2") for text in limits)
        objective, largest = one_goal(minimise, maximise)
        out = screen.make_folder()
        options: dict[str, Any] = {"measure": measure, **leg_options(asked, objective)}
        try:
            with Watch("improving") as watch:
                found = improve(
                    asked, bounds, objective=objective, maximise=largest, constraints=allowed, method=method,
                    budget=budget, seed=seed, progress=watch, **options,
                )  # fmt: skip
        except NothingFeasible as error:
            table = error.history.to_dict("records")
            raise fail(screen, str(error), FAILED, kind="NothingFeasible", history=table) from None
        screen.say(*found.lines())
        found.plot(out / "plot.png")
        files = {"model": found.model.save(out / "improved.yaml"), "plot": out / "plot.png"}
        files["summary"] = write_json(found.summary(), out / "summary.json")
        screen.wrote(files)
        if found.interrupted:
            raise typer.Exit(INTERRUPTED)
        screen.finish(found.summary())


def leg_options(model: Model, name: str) -> dict[str, Any]:
    """How to analyse a leg for one of its numbers, whose names have no dot; nothing for an output."""
    if "." in name or model.document.gait is None:
        return {}
    from gaitwright.gait.measure import measure_leg, one_turn
    from gaitwright.gait.settings import read_settings

    speed = "turns_per_second" in model.document.parameters
    turn = one_turn() if speed else one_turn(period=read_settings(model).period)
    return {"measure": measure_leg, "analysis": turn}


def one_goal(minimise: str | None, maximise: str | None) -> tuple[str, bool]:
    """What is improved, and whether it is made large."""
    from gaitwright.errors import ModelError

    goal = maximise if minimise is None else minimise
    if goal is None or (minimise is not None and maximise is not None):
        raise ModelError("one of --minimise and --maximise is needed", expected="for example --minimise crank.torque")
    return goal, minimise is None


@app.command()
def leg(
    model: File,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    feet: Annotated[
        list[str], typer.Option("--foot", metavar="POINT", help="Point that touches the ground; repeatable.")
    ] = [],  # noqa: B006
    penetration: Annotated[float | None, typer.Option(help="Of the lowest foot into the ground, m.")] = None,
    level: Annotated[float | None, typer.Option(help="Height of the ground, m, instead of a penetration.")] = None,
) -> None:
    """Put a leg through one turn of its crank, in the air and on the ground: step, phases, forces, torque, energy, report."""
    with speaking(out, as_json) as screen:
        chosen = read_model(model, changes)
        out = screen.make_folder()
        with Watch("analysing") as watch:
            found = analysed_leg(chosen, watch, feet=feet or None, penetration=penetration, level=level)
            files = found.report(out / "report.html")
        show_legs(screen, [found])
        screen.wrote(files)
        screen.finish(found.summary())


@app.command()
def walk(
    model: File,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    body: Annotated[str, typer.Option("--body", metavar="NAME", help="Body whose speed and height count.")] = "body",
    turns: Annotated[int, typer.Option("--turns", help="How many of the last turns of the cranks are measured.")] = 1,
) -> None:
    """Let a machine walk, free in the plane: speed, bounce, slip, footfalls, torque, cost of transport, report."""
    with speaking(out, as_json) as screen:
        from gaitwright.gait.walk import measure_walk

        chosen = read_model(model, changes)
        out = screen.make_folder()
        with Watch("walking") as watch:
            result = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise keep_interrupted(screen, result)
            found = measure_walk(result, body=body, turns=turns)
            files = {**found.report(out / "report.html"), "result": result.save(out / "result.nc")}
        rows = [(name.replace("_", " "), f"{q.value:.5g}", q.unit, q.text) for name, q in found.numbers.items()]
        screen.table("quantity", "value", "unit", "meaning", rows=rows, numbers=(1,))
        screen.wrote(files)
        screen.finish(found.summary())


@app.command()
def compare(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL...", help="Model files of legs.", show_default=False)],
    out: Out = HERE,
    as_json: Json = False,
) -> None:
    """Put legs side by side: the same analysis for each, one table and one report."""
    with speaking(out, as_json) as screen:
        from gaitwright.gait.compare import compare as side_by_side
        from gaitwright.model.files import load

        chosen = [load(path) for path in models]
        out = screen.make_folder()
        with Watch("analysing") as watch:
            found = side_by_side(chosen, names=[path.stem for path in models], progress=watch)
            files = found.report(out / "report.html")
        show_legs(screen, found.legs)
        screen.wrote(files)
        screen.finish(found.summary())


def analysed_leg(model: Model, watch: Watch, **options: Any) -> Any:
    from gaitwright.gait.leg import analyse_leg

    return analyse_leg(model, progress=watch, **options)


def show_legs(screen: Screen, legs: Any) -> None:
    """Key numbers, one column per leg."""
    from gaitwright.gait.report import comparison_table

    table = comparison_table(legs)
    rows = [(name, *(v if isinstance(v, str) else f"{v:.5g}" for v in values), *rest)
            for name, *values, rest in ((*row[: 1 + len(legs)], row[1 + len(legs) :]) for row in table.rows)]  # fmt: skip
    screen.table(*table.header, rows=rows, numbers=tuple(range(1, 1 + len(legs))))


@app.command()
def example(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A ready mechanism; all are listed without it.", show_default=False),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Model file (.yaml, .json), or folder for NAME.yaml.")
    ] = HERE,
    as_json: Json = False,
) -> None:
    """Write the model file of a ready mechanism, to run and to change; or list them all."""
    is_file = out.suffix in (".yaml", ".yml", ".json")
    with speaking(out.parent if is_file else out, as_json) as screen:
        from gaitwright.mechanisms.catalogue import CATALOGUE, find

        if name is None:
            screen.table("name", "the question it answers", rows=[(k, e.question) for k, e in CATALOGUE.items()])
            screen.finish({"examples": {k: e.question for k, e in CATALOGUE.items()}})
            return
        entry = find(name)
        path = out if is_file else out / f"{name}.yaml"
        screen.make_folder()
        screen.say(entry.question)
        screen.wrote({"model": entry.write(path)})
        screen.say(f"next: gaitwright run {path}" + (f", or gaitwright leg {path}" if entry.feet else ""))
        screen.finish({"name": name, "question": entry.question})


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Problems to time; all unless named.")] = None,
    out: Out = HERE,
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: to see that it works, not for numbers.")] = False,
) -> None:
    """Time Gaitwright, against Exudyn where it is installed."""
    with speaking(out, as_json) as screen:
        from gaitwright import bench as benchmarks

        out = screen.make_folder()
        with Watch("timing") as watch:
            found = benchmarks.run(names, out, quick, watch.say)
        screen.table("problem", "peer / ours", rows=[(k, f"{v:.3g}") for k, v in found["ratios"].items()], numbers=(1,))
        screen.say(*found.get("notes", []))
        screen.wrote({"numbers": out / "bench.json", "report": out / "bench.md"})
        screen.finish(found)


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from gaitwright import __version__

        print(__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())


def read_model(path: Path, changes: list[str]) -> Model:
    """The model in a file, with values changed as --set asks."""
    from gaitwright.model.files import override, read_raw
    from gaitwright.model.model import Model

    raw = read_raw(path)
    for change in changes:
        override(raw, change)
    return Model.from_dict(raw)


def read_limits(given: list[str]) -> dict[str, float]:
    """Limits as --limit gives them."""
    from gaitwright.errors import ModelError

    limits = {}
    for text in given:
        name, _, value = text.partition("=")
        try:
            limits[name.strip()] = float(value)
        except ValueError:
            expected = "for example blade.max_strain=0.006"
            raise ModelError("--limit takes output=value", value=text, expected=expected) from None
    return limits


def show_tried(screen: Screen, found: Chosen) -> None:
    """Every value that was looked at, in a row."""
    names = [found.parameter, *dict.fromkeys([found.output, *found.limits])]
    rows = []
    for row in found.evaluations.to_dict("records"):
        cells = ("-" if row[name] != row[name] else f"{row[name]:.6g}" for name in names)
        rows.append((*cells, "<-" if row[found.parameter] == found.value else ""))
    header = [f"{name} ({unit.strip()})" if (unit := found.question.unit(name)) else name for name in names]
    screen.table(*header, "", rows=rows, numbers=tuple(range(len(names))))


def keep_interrupted(screen: Screen, result: Any) -> typer.Exit:
    """After Ctrl-C: save what there is, say where, and leave."""
    saved = save_partial(result, screen.out) if hasattr(result, "time") else None
    if saved is None:
        return fail(screen, "interrupted before anything was computed", INTERRUPTED, interrupted=True)
    end = float(result.time[-1])
    message = f"interrupted at t = {end:.6g} s; what was computed until then is in {saved}"
    return fail(screen, message, INTERRUPTED, interrupted=True, partial=str(saved), **result.summary())


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
    from gaitwright.analyse.shown import shown_outputs

    names = shown_outputs(result)
    rows = []
    for name in names[:ROWS]:
        values = summary["final"][name], summary["max_abs"][name]
        rows.append((name, *("-" if v is None else f"{v:.6g}" for v in values), result.catalogue[name].unit))
    screen.table("output", "final", "largest |.|", "unit", rows=rows, numbers=(1, 2))
    if len(summary["final"]) > len(rows):
        screen.say(
            f"{len(rows)} of {len(summary['final'])} outputs; name others under 'outputs' in the model to see them"
        )
    show_contacts(screen, summary)
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
    part = f" ({energy['residual'] / turned:.1e} of what was turned over)" if turned else ""
    screen.say(
        f"{evidence.method}: {took}{newton}",
        f"joints closed to {evidence.max_position_violation:.1e} m, energy accounted for to {energy['residual']:.1e} J{part}",
    )


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


def draw_plot(result: Any, out: Path) -> dict[str, Path]:
    """A picture of the outputs over time; for an equilibrium, of the mechanism."""
    if not hasattr(result, "catalogue"):
        return {}
    if result.time.size < 2:
        colour = {"colour": "bending_moment"} if result.mechanism.beams else {}
        return {"picture": result.draw(out / "mechanism.png", **colour)}
    from gaitwright.analyse.shown import shown_outputs
    from gaitwright.report.overview import save_overview

    names = shown_outputs(result)
    outputs = {name: (result.values(name), result.catalogue[name].unit) for name in names}
    bands = result.closed_times(names)
    files = {"plot": save_overview(result.mechanism.name, result.time, outputs, out / "plot.png", bands)}
    if result.mechanism.beams:
        result.plot_shapes(path=out / "shapes.png")
        files["shapes"] = out / "shapes.png"
    return files


@app.command()
def reproduce(
    name: Annotated[str, typer.Argument(help=f"{', '.join(EXPERIMENTS)}, or all.")],
    out: Out = HERE,
    as_json: Json = False,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Experiments at a time; as many as cores unless given.")
    ] = None,
) -> None:
    """Run a paper's experiment again and give a verdict on every number it prints; write NAME.json and pictures."""
    with speaking(out, as_json) as screen:
        from gaitwright import papers

        papers.chosen(name)
        out = screen.make_folder()
        with Watch("reproducing") as watch:
            found = papers.reproduce(name, out, watch.say, workers)
        answer = papers.show(screen, found)
        if problem := papers.complaint(found):
            raise fail(screen, problem, FAILED, **answer)
        screen.finish(answer)


def main() -> None:
    """Entry of the console script: exit codes 0, 1 (analysis failed), 2 (bad input), 3 (unexpected), 130 (Ctrl-C)."""
    try:
        code = app(standalone_mode=False)
    except BrokenPipeError:  # whoever read our output has gone
        sys.stderr.close()
        code = 1
    except typer.Abort:
        code = INTERRUPTED
    except Exception as error:
        say = getattr(error, "format_message", None)  # of what click says about wrong options
        if say is None:
            raise
        problem = " ".join(say().split()).rstrip(".")
        where = getattr(getattr(error, "ctx", None), "command_path", "") or "gaitwright"
        print(f"error: {problem}; see {where} --help", file=sys.stderr)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
