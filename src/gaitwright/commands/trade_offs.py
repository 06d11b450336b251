"""The command that shows what one parameter does to several outputs: trade-off."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.measuring import LEG
from gaitwright.commands.options import HERE, Allow, File, Json, Out, Set
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
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="OUTPUT=VALUE", help="Largest size an output may have; repeatable."),
    ] = [],  # noqa: B006
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
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Show what one parameter does to several outputs, with limits: a table, curves and a page to choose by."""
    with speaking(out, as_json) as screen:
        from gaitwright.commands.sweeps import plain_values
        from gaitwright.design.optimise import read_range
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.trade_off import trade_off as weigh
        from gaitwright.legs.measure import UNITS
        from gaitwright.saving import save_text

        asked = model_or_device(model, changes, folders)
        name, bounds = read_range(parameter, "--parameter", "EI=0.5:10")
        if None in bounds or any(isinstance(side, str) for side in bounds):
            raise ModelError("--parameter takes NAME=LOW:HIGH", value=parameter, expected="two bounds, as in EI=0.5:10")
        allowed = dict(_limit(text) for text in limits)
        wanted = list(outputs) or list(asked.document.outputs) or ([] if asked.document.gait is None else list(LEG))
        if not wanted:
            raise ModelError("nothing is shown", expected="--output NAME, or outputs in the model")
        marked = plain_values(chosen, "--chosen")[0] if chosen else None
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        folder = screen.make_folder()
        with Watch("weighing") as watch:
            curve = weigh(
                asked, name, bounds=bounds, measure=measure, limits=allowed, chosen=marked, samples=samples,
                workers=workers, progress=watch, **({"outputs": wanted, **worn} if worn else question(asked, wanted)),
            )  # fmt: skip
        failed = [str(reason) for reason in curve.data["failure"].values if reason]
        if len(failed) == curve.data["failure"].size:
            raise fail(screen, f"no value can be analysed; the first: {failed[0]}", FAILED, kind="NothingFeasible")
        for each in wanted:
            if not worn and (unit := UNITS.get(each)) and "." not in each:
                curve.data[each].attrs["units"] = unit
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


def question(model: Model, wanted: Sequence[str]) -> dict[str, Any]:
    """What is shown of every value: outputs, or numbers of a leg, whose names have no dot."""
    of_leg = [name for name in wanted if "." not in name] if model.document.gait is not None else []
    if not of_leg:
        return {"outputs": list(wanted)}
    from gaitwright.legs.measure import one_turn

    named = {name: functools.partial(leg_number, name) if name in of_leg else name for name in wanted}
    return {"outputs": named, "analysis": one_turn(model=model)}


def leg_number(name: str, run: Any) -> float:
    """A number of one turn of a leg."""
    from gaitwright.checks import At
    from gaitwright.legs.measure import measure_leg

    numbers = measure_leg(run)
    return numbers[At(field="--output").one_of(name, numbers, "is no number of a leg")]


def _limit(text: str) -> tuple[str, float]:
    from gaitwright.commands.sweeps import plain_values

    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise ModelError("--limit takes OUTPUT=VALUE", value=text, expected="for example blade.max_strain=0.006")
    return name.strip(), plain_values(value, "--limit")[0]


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
