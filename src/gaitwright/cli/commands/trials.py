"""Command `trials`: analyse many trials of a motion laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright._core.errors import ModelError
from gaitwright.cli.commands.gait import read_subject
from gaitwright.cli.options import (
    RESUME_NOTE,
    AllowFilesOption,
    OutputOptions,
    PersonOptions,
    RestartOption,
    SchedulerOption,
    WorkersOption,
    with_option_groups,
)
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    print_warnings,
    stop_exit_code,
)

if TYPE_CHECKING:
    import xarray as xr

MAX_LISTED_FAILURES = 5
"""Maximum number of failed trials listed."""


@with_option_groups
def trials(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="TRIALS",
            show_default=False,
            help="Files of walks, .c3d .trc; or a .csv with columns trial, mass, height, ...",
        ),
    ],
    report: Annotated[bool, typer.Option("--report", help="Also write the files and a page of every trial.")] = False,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = "",
    folders: AllowFilesOption = [],  # noqa: B006
    restart: RestartOption = False,
    *,
    person_options: PersonOptions,
    output: OutputOptions,
) -> None:
    """Analyse many trials as `gait` does; write trials.nc and trials.csv with a row per trial. After a stop, the same
    command continues."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright._core.output_files import save_text
        from gaitwright.design.executors.dask_executor import connect_client
        from gaitwright.design.result_store import StoreMismatch, remove_table_store
        from gaitwright.gait.trial_batch import NOT_COMPUTED_TEXT, analyse_trials
        from gaitwright.gait.trial_table import read_trials

        person = read_subject(person_options)
        given: list[Any] = (
            read_trials(files[0], folders) if len(files) == 1 and files[0].suffix.lower() == ".csv" else list(files)
        )
        client = connect_client(scheduler) if scheduler else None
        out = screen.make_folder()
        store = out / "trials.nc"
        if restart:
            remove_table_store(store)
        with print_warnings(), ProgressMonitor("analysing trials") as watch:
            try:
                data = analyse_trials(
                    given, person, folder=out if report else None, report=report, workers=workers, client=client,
                    store=store, progress=watch,
                )  # fmt: skip
            except StoreMismatch as error:
                raise ModelError(error.problem, expected="another --out, or --restart to begin anew") from None
        table = data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        written = {"trials": store, "table": save_text(out / "trials.csv", table)}
        show_trials(screen, data)
        failures = {str(name): str(why) for name, why in zip(data["trial"].values, data["failure"].values, strict=True)}
        failures = {name: why for name, why in failures.items() if why}
        missing = sum(why.startswith(NOT_COMPUTED_TEXT) for why in failures.values())
        screen.wrote({what: path for what, path in written.items() if path.exists()})
        if missing:
            screen.say(f"{missing} of {data.sizes['trial']} trials are missing; {RESUME_NOTE}")
        screen.finish({"trials": data.sizes["trial"], "failed": failures, "interrupted": missing > 0})
        if missing:
            raise typer.Exit(stop_exit_code() if watch.interrupted else EXIT_ANALYSIS_FAILED)


def show_trials(screen: CommandOutput, data: xr.Dataset) -> None:
    """Show the key numbers of every trial, and the reasons of failures."""
    from gaitwright.cli.commands.gait import format_number
    from gaitwright.gait.spatiotemporal_table import SPATIOTEMPORAL_MEASURES

    names = [name for name, measure in SPATIOTEMPORAL_MEASURES.items() if measure.key and name in data]
    good = data["failure"].values == ""
    rows = [
        (str(trial), *(format_number(float(data[name].sel(trial=trial).mean())) for name in names), str(verdict))
        for trial, verdict in zip(data["trial"].values[good], data["verdict"].values[good], strict=True)
    ]
    if rows:
        header = [f"{name.replace('_', ' ')} ({data[name].attrs['units']})" for name in names]
        screen.table("trial", *header, "data", rows=rows, numbers=tuple(range(1, 1 + len(names))))
    failed = [
        f"  {trial}: {why}" for trial, why in zip(data["trial"].values, data["failure"].values, strict=True) if why
    ]
    if failed:
        more = [f"  and {len(failed) - MAX_LISTED_FAILURES} more"] if len(failed) > MAX_LISTED_FAILURES else []
        screen.say(
            f"{len(failed)} of {data.sizes['trial']} trials have no numbers:", *failed[:MAX_LISTED_FAILURES], *more
        )
