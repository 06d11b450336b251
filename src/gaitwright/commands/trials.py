"""The command that analyses many trials of a motion laboratory: trials."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.designs import GOES_ON
from gaitwright.commands.gait import FIRST, Height, Mass, Sex, SubjectFile, subject_of
from gaitwright.commands.options import OWN_FOLDER, Json, Out
from gaitwright.errors import ModelError
from gaitwright.terminal import FAILED, Screen, Watch, showing_warnings, speaking, stopped

if TYPE_CHECKING:
    import xarray as xr

REASONS = 5
"""Failed trials that are told."""


def trials(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="TRIALS",
            show_default=False,
            help="Walks, .c3d .trc; or a .csv with columns trial, mass, height, ...",
        ),
    ],
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    reports: Annotated[bool, typer.Option("--reports", help="Also files and a page of every trial.")] = False,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; all cores unless given.")] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that computes, as tcp://10.0.0.1:8786."),
    ] = "",
    allow_files: Annotated[
        list[Path],
        typer.Option(
            "--allow-files",
            metavar="DIR",
            show_default=False,
            help="Folder from which a table may name files, besides its own; repeatable.",
        ),
    ] = [],  # noqa: B006
    restart: Annotated[bool, typer.Option("--restart", help="Forget what is in the folder.")] = False,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
) -> None:
    """Analyse many trials as `gait` does; write trials.nc and trials.csv, a row for each. Stopped, it goes on where it was."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.cluster import connected
        from gaitwright.design.store import OtherStore
        from gaitwright.gait.trial_table import read_trials
        from gaitwright.gait.trials import NOT_COMPUTED, analyse_trials
        from gaitwright.saving import save_text

        person = subject_of(subject, mass, height, sex)
        asked: list[Any] = (
            read_trials(files[0], allow_files) if len(files) == 1 and files[0].suffix.lower() == ".csv" else list(files)
        )
        client = connected(scheduler) if scheduler else None
        out = screen.make_folder()
        store = out / "trials.nc"
        if restart:
            for path in (store, store.with_name(f"{store.name}.log")):
                path.unlink(missing_ok=True)
        with showing_warnings(), Watch("analysing trials") as watch:
            try:
                data = analyse_trials(
                    asked, person, folder=out if reports else None, report=reports, workers=workers, client=client,
                    store=store, progress=watch,
                )  # fmt: skip
            except OtherStore as error:
                raise ModelError(error.problem, expected="another --out, or --restart to begin anew") from None
        table = data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        written = {"trials": store, "table": save_text(out / "trials.csv", table)}
        show(screen, data)
        failures = {str(name): str(why) for name, why in zip(data["trial"].values, data["failure"].values, strict=True)}
        failures = {name: why for name, why in failures.items() if why}
        missing = sum(why.startswith(NOT_COMPUTED) for why in failures.values())
        screen.wrote({what: path for what, path in written.items() if path.exists()})
        if missing:
            screen.say(f"{missing} of {data.sizes['trial']} trials are missing; {GOES_ON}")
        screen.finish({"trials": data.sizes["trial"], "failed": failures, "interrupted": missing > 0})
        if missing:
            raise typer.Exit(stopped() if watch.interrupted else FAILED)


def show(screen: Screen, data: xr.Dataset) -> None:
    """The first numbers of every trial, and why some have none."""
    from gaitwright.commands.gait import shown

    names = [name for name in FIRST if name in data]
    good = data["failure"].values == ""
    rows = [
        (str(trial), *(shown(float(data[name].sel(trial=trial).mean())) for name in names), str(verdict))
        for trial, verdict in zip(data["trial"].values[good], data["verdict"].values[good], strict=True)
    ]
    if rows:
        header = [f"{name.replace('_', ' ')} ({data[name].attrs['units']})" for name in names]
        screen.table("trial", *header, "data", rows=rows, numbers=tuple(range(1, 1 + len(names))))
    failed = [
        f"  {trial}: {why}" for trial, why in zip(data["trial"].values, data["failure"].values, strict=True) if why
    ]
    if failed:
        more = [f"  and {len(failed) - REASONS} more"] if len(failed) > REASONS else []
        screen.say(f"{len(failed)} of {data.sizes['trial']} trials have no numbers:", *failed[:REASONS], *more)
