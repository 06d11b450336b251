"""The command that analyses very many designs of a model: designs."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gaitwright.commands.designs import GOES_ON
from gaitwright.commands.measuring import numbers_in
from gaitwright.commands.options import OWN_FOLDER, Allow, Break, File, Json, Limits, Out, Set, read_model
from gaitwright.commands.ranges import read_bounds, read_limits
from gaitwright.terminal import Screen, Watch, showing_warnings, speaking, stopped

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.model.model import Model
    from gaitwright.result.result import Result

MOST_ROWS = 100_000
"""Designs that a CSV file is written for."""
WRITTEN, BESIDE = ("designs.csv", "front.png", "coordinates.png", "map.png"), "designs-files"
"""What is not written every time."""
MODELS = "best"
"""Folder of the model files of the best designs."""
ONLY = "best in all goals"
FILE = re.compile(r"[^\w.+-]+")
"""What is not in the name of a file."""
LONGEST_STEM = 100
"""Letters of such a name."""
NAMED = 2
"""Goals that the name of a design lists which is best in several."""
REASONS = 3
Names = list[str]


def designs(
    model: File,
    parameters: Annotated[
        list[str],
        typer.Option("--parameter", "--vary", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable."),
    ],
    count: Annotated[int, typer.Option("--count", min=1, help="How many designs.")] = 10_000,
    sampling: Annotated[str, typer.Option("--sampling", help="Where they lie: sobol, grid or random.")] = "sobol",
    seed: Annotated[int, typer.Option("--seed", help="The same one gives the same designs.")] = 0,
    measures: Annotated[
        list[str],
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Such as energy, crank.torque.max or ratio=energy/step_length; repeatable.",
        ),
    ] = [],  # noqa: B006
    limits: Limits = [],  # noqa: B006
    allow: Break = [],  # noqa: B006
    minimise: Annotated[list[str], typer.Option(metavar="NAME", help="Goal of the front; repeatable.")] = [],  # noqa: B006
    maximise: Annotated[list[str], typer.Option(metavar="NAME", help="Goal of the front; repeatable.")] = [],  # noqa: B006
    device: Annotated[str, typer.Option("--device", help="cpu, or cuda for an NVIDIA GPU.")] = "cpu",
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Cores; all unless given.")] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Keep what was computed: stopped, the same command goes on."),
    ] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that computes, as tcp://10.0.0.1:8786."),
    ] = "",
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Analyse very many designs within bounds; write designs.nc, a table, a page with the front and the best of them, and these
    as model files."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.cluster import connected
        from gaitwright.design.many.spread import sample_designs
        from gaitwright.design.many.table import INTERRUPTED, account, reasons_of, rejections
        from gaitwright.legs.designs import designs as analyse_all
        from gaitwright.legs.designs import usual_measures
        from gaitwright.plain import write_json
        from gaitwright.report.views.designs_page import save_designs
        from gaitwright.result.netcdf import write_dataset
        from gaitwright.saving import save_text

        asked = read_model(model, changes, folders)
        given = sample_designs(asked, read_bounds(parameters, "L3=0.26:0.30"), count, sampling=sampling, seed=seed)
        allowed = read_limits(limits)
        wanted = list(measures) or usual_measures(asked)
        wanted += [
            name
            for name in (*allowed, *minimise, *maximise)
            if name not in {text.partition("=")[0].strip() for text in wanted}
        ]
        client = connected(scheduler) if scheduler else None
        analysis = walking_analysis(asked, wanted)
        out = screen.make_folder()
        with showing_warnings(), Watch("analysing designs") as watch:
            began = time.perf_counter()
            data = analyse_all(
                asked, given, measures=list(dict.fromkeys(wanted)), constraints=allowed, minimise=minimise, maximise=maximise,
                device=device, workers=workers, progress=watch, store=store, client=client, allow=allow, analysis=analysis,
            )  # fmt: skip
            seconds = time.perf_counter() - began
        files: dict[str, Path] = {"designs": out / "designs.nc"}
        if store is None or store.resolve() != files["designs"].resolve():
            write_dataset(files["designs"], data)
        if data.sizes["design"] <= MOST_ROWS:
            files["table"] = save_text(
                out / "designs.csv", table_of(data).to_csv(index_label="design", lineterminator="\n")
            )
        best = best_designs(data)
        runs = {name: (k, run_of(asked, given, k)) for name, k in best.items()}
        reasons = reasons_of(data)
        facts = {"analysed in": (round(seconds, 2), "s")}
        files |= save_designs(data, runs, out / "designs.html", reasons, facts)
        files |= save_models(asked, given, best, out / MODELS)
        show(screen, data, best, reasons)
        summary = {
            "name": asked.document.name, "designs": int(data.sizes["design"]), "seconds": seconds,
            **account(data)._asdict(), "reasons": reasons, "rejections": rejections(data),
            "best": {name: {"design": k, **numbers_of(data, k)} for name, k in best.items()},
            "interrupted": watch.interrupted and INTERRUPTED in reasons,
        }  # fmt: skip
        files["summary"] = write_json(summary, out / "summary.json")
        forget_others(out, set(files.values()))
        screen.wrote(files)
        if store is not None and INTERRUPTED in reasons:
            screen.say(f"{reasons[INTERRUPTED]} of {data.sizes['design']} designs are missing; {GOES_ON}")
        screen.finish(summary)
        if summary["interrupted"]:
            raise typer.Exit(stopped())


def forget_others(out: Path, written: set[Path]) -> None:
    """What an earlier call wrote there and this one did not belongs to other designs."""
    for path in (out / name for name in WRITTEN):
        if path not in written:
            path.unlink(missing_ok=True)
    if (beside := out / BESIDE) not in written:
        shutil.rmtree(beside, ignore_errors=True)
    for path in (out / MODELS).glob("*.yaml"):
        if path not in written:
            path.unlink()
    if (out / MODELS).is_dir() and not any((out / MODELS).iterdir()):
        (out / MODELS).rmdir()


def save_models(
    model: Model, given: Mapping[str, np.ndarray], best: Mapping[str, int], folder: Path
) -> dict[str, Path]:
    """The best designs as model files, which `leg`, `walk` and all other commands take."""
    found = {}
    for name, k in best.items():
        copy = model.copy(**{parameter: float(values[k]) for parameter, values in given.items()})
        folder.mkdir(parents=True, exist_ok=True)
        stem = FILE.sub("-", name)[:LONGEST_STEM]
        if any(path.stem == stem for path in found.values()):
            stem += f"-{k}"
        found[f"model, {name}"] = copy.save(folder / f"{stem}.yaml")
    return found


def walking_analysis(model: Model, wanted: Sequence[str]) -> Any:
    """How to get numbers of a walk, where some are asked for; None otherwise."""
    from gaitwright.legs.leg_turns import needs_ground
    from gaitwright.legs.machine_walks import MachineWalks, is_machine
    from gaitwright.mechanisms.leg_walks import WALK, LegWalks

    asked = numbers_in(wanted, model)
    if model.document.gait is None:
        return MachineWalks() if asked and is_machine(model) else None
    if not any(name.startswith(WALK) for name in asked):
        return None
    return LegWalks(needs_ground(name for name in asked if not name.startswith(WALK)))


def table_of(data: xr.Dataset) -> Any:
    """A row per design, with the reason of a failure in words."""
    said = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    table = data.drop_dims(["code", "limit"], errors="ignore").to_dataframe()
    table["failure"] = [said[int(code)] for code in table["failure"]]
    if "broken" in data:
        names, broken = [str(name) for name in data["limit"].values], data["broken"].values.astype(bool)
        table["broken"] = ["; ".join(name for name, one in zip(names, row, strict=True) if one) for row in broken]
    return table


def best_designs(data: xr.Dataset) -> dict[str, int]:
    """The designs to show: the best in each goal, and of several goals the one that is nearest to the best in all. One design
    that is several of these comes once, under all of its names."""
    from gaitwright.report.views.designs_page import goals_of

    goals = goals_of(data)
    place = np.flatnonzero(data["front"].values) if goals else np.zeros(0, dtype=int)
    if not place.size:
        return {}
    costs = np.stack([sign * data[name].values[place] for name, sign in goals], axis=1)
    found = {
        f"{'least' if sign > 0 else 'greatest'} {name}": int(place[np.argmin(costs[:, k])])
        for k, (name, sign) in enumerate(goals)
    }
    if len(goals) > 1:
        spread = np.ptp(costs, axis=0)
        far = np.linalg.norm((costs - costs.min(axis=0)) / np.where(spread > 0, spread, 1.0), axis=1)
        found["between"] = int(place[np.argmin(far)])
    names: dict[int, list[str]] = {}
    for name, k in found.items():
        names.setdefault(k, []).append(name)
    if len(names) > 1:  # what is best in a goal is not called `between`, too
        names = {k: [name for name in own if name != "between"] or own for k, own in names.items()}
    return {ONLY if len(names) == 1 and len(goals) > 1 else together(own): k for k, own in names.items()}


def together(names: Sequence[str]) -> str:
    """What a design is called that is best in several goals."""
    if len(names) <= NAMED + 1:
        return " and ".join(names)
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"


def run_of(model: Model, given: Mapping[str, np.ndarray], k: int) -> Result:
    """One of the designs as a result."""
    from gaitwright.design.variants import Prepared
    from gaitwright.legs.designs import usual_analysis

    section = usual_analysis(model)
    raw = {**model.to_dict(), "outputs": [], **({"analysis": dict(section)} if section else {})}
    prepared = Prepared(type(model).from_dict(raw))
    return prepared.variant({name: float(values[k]) for name, values in given.items()}).analyse()


def numbers_of(data: xr.Dataset, k: int) -> dict[str, float]:
    return {str(name): float(one.values[k]) for name, one in data.data_vars.items() if one.attrs.get("role")}


def show(screen: Screen, data: xr.Dataset, best: Mapping[str, int], reasons: Mapping[str, int]) -> None:
    """Ranges of the measures of feasible designs, the best, and why designs failed."""
    from gaitwright.design.many.table import RULE, account, rejections
    from gaitwright.report.views.designs_page import names_of

    feasible = data["feasible"].values
    screen.say(str(account(data)))
    rows = []
    for name in names_of(data, "measure"):
        values = data[name].values[feasible]
        values = values[np.isfinite(values)]
        if values.size:
            unit = data[name].attrs.get("units", "")
            cells = (f"{x:.6g}" for x in (values.min(), np.median(values), values.max()))
            rows.append((name, *cells, unit, *(f"{float(data[name].values[k]):.6g}" for k in best.values())))
    if rows:
        numbers: Sequence[int] = (1, 2, 3, *range(5, 5 + len(best)))
        screen.table("measure", "least", "median", "greatest", "unit", *best, rows=rows, numbers=tuple(numbers))
    if reasons:
        screen.say(f"{sum(reasons.values())} designs have no numbers:")
        screen.say(*(f"  {count} x: {why}" for why, count in list(reasons.items())[:REASONS]))
    if broken := rejections(data):
        screen.say("designs rejected, which may break several:")
        screen.say(*(f"  {count} x: {name}" for name, count in broken.items()))
        rules = [name.removeprefix(RULE) for name in broken if name.startswith(RULE)]
        screen.say(*([f"rules are left out by --allow {' --allow '.join(rules)}"] if rules else []))
