"""The command that shows what one parameter does to several outputs: trade-off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.measuring import function_of, named, question, usual_numbers
from gaitwright.commands.options import OWN_FOLDER, Allow, File, Json, Limits, Out, Set
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
from gaitwright.commands.ranges import read_bounds, read_limits, read_number
from gaitwright.errors import ModelError
from gaitwright.terminal import FAILED, Screen, Watch, fail, speaking, stopped

if TYPE_CHECKING:
    from gaitwright.design.trade_off import TradeOff
    from gaitwright.model.model import Model

ROWS = 13
"""Values shown in the table on the screen; the files have all."""


def trade_off(
    model: File,
    parameter: Annotated[
        str, typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; units allowed.")
    ],
    outputs: Annotated[
        list[str],
        typer.Option("--output", metavar="NAME", help="Output, or number of a leg such as energy; repeatable."),
    ] = [],  # noqa: B006
    limits: Limits = [],  # noqa: B006
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of an output over time: final, max, min or max_abs.")
    ] = "final",
    chosen: Annotated[str, typer.Option("--chosen", metavar="VALUE", help="Value of the parameter to mark.")] = "",
    samples: Annotated[int, typer.Option("--samples", min=2, help="Values within the bounds.")] = 25,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; all cores unless given.")] = None,
    motion: Moving = "",
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    load: Lifted = None,
    forces: Plates = None,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Show what one parameter does to several outputs, with limits: a table, curves and a page to choose by."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.trade_off import trade_off as weigh
        from gaitwright.saving import save_text

        asked = model_or_device(model, changes, folders)
        ((name, bounds),) = read_bounds([parameter], "EI=0.5:10").items()
        allowed = read_limits(limits)
        wanted = list(outputs) or usual_numbers(asked)
        if not wanted:
            raise ModelError("nothing is shown", expected="--output NAME, or outputs in the model")
        marked = read_number(chosen, "--chosen") if chosen else None
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        options = {"outputs": wanted, **worn} if worn else shown_options(asked, wanted, list(allowed), measure)
        folder = screen.make_folder()
        with Watch("weighing") as watch:
            curve = weigh(
                asked, name, bounds=bounds, measure=measure, limits=allowed, chosen=marked, samples=samples,
                workers=workers, progress=watch, **options,
            )  # fmt: skip
        failed = [str(reason) for reason in curve.data["failure"].values if reason]
        if len(failed) == curve.data["failure"].size:
            raise fail(screen, f"no value can be analysed; the first: {failed[0]}", FAILED, kind="NothingFeasible")
        table = curve.data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        files = {"table": save_text(folder / "trade-off.csv", table)}
        curve.plot(folder / "plot.png")
        files["plot"] = folder / "plot.png"
        files |= curve.report(folder / "trade-off.html")
        show(screen, curve)
        screen.wrote(files)
        screen.finish(curve.summary())
        if any(reason.startswith(NOT_COMPUTED) for reason in failed):
            raise typer.Exit(stopped())


def shown_options(model: Model, wanted: Sequence[str], limits: Sequence[str], measure: str) -> dict[str, Any]:
    """What is shown of every value, and how it is analysed."""
    found = question(model, wanted, measure, told=True, more=limits)
    analysis = {} if found.analysis is None else {"analysis": found.analysis}
    return {**analysis, "outputs": {named(name)[0]: function_of(name) for name in wanted}}


def show(screen: Screen, curve: TradeOff) -> None:
    """Some of the values in a table, and which keep the limits."""
    import numpy as np

    from gaitwright.commands.sweeps import show_failures
    from gaitwright.report.views.trade_off_page import keeping

    data, parameter = curve.data, curve.question.parameter
    names = [str(name) for name in data.data_vars if name != "failure"]
    good, x = keeping(curve), data[parameter].values
    kept = np.union1d(np.arange(0, x.size, -(-x.size // ROWS)), [x.size - 1])  # evenly, and both bounds
    if curve.marked is not None:
        kept = np.union1d(kept, np.flatnonzero(x == curve.marked))
    rows = []
    for k in kept:
        cells = (f"{v:.5g}" if np.isfinite(v) else "-" for v in (float(data[name].values[k]) for name in names))
        rows.append((f"{x[k]:.5g}", *cells, "yes" if good[k] else "no"))
    header = [f"{n} ({u})" if (u := data[n].attrs["units"]) not in ("", "1", "mixed") else n for n in names]
    limited = bool(curve.question.limits)
    rows = rows if limited else [row[:-1] for row in rows]
    last = ["keeps the limits"] if limited else []
    screen.table(parameter, *header, *last, rows=rows, numbers=tuple(range(1 + len(names))))
    if kept.size < x.size:
        screen.say(f"{kept.size} of {x.size} values; all of them are in trade-off.csv and on the page")
    show_failures(screen, data, "values")
    if limited:
        values = x[good]
        said = f"from {values.min():.5g} to {values.max():.5g}" if values.size else "for no value"
        screen.say(f"the limits are kept {said} of {parameter}")
