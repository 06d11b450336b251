"""Options that commands share, and the functions that evaluate them."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.analysis.options import ANALYSIS_OPTIONS
from gaitwright.cli.terminal import CommandOutput, report_failure, save_partial, stop_exit_code
from gaitwright.result.reductions import REDUCTION_CHOICES

if TYPE_CHECKING:
    from gaitwright.model.model import Model


def _option_help(name: str) -> str:
    """Help of an analysis option, from the table of options."""
    option = ANALYSIS_OPTIONS[name]
    unit = f", {option.unit_text}" if option.unit_text else ""
    return f"{option.plain_text.capitalize()}{unit}; default {option.default_text}."


ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="Model file (YAML or JSON), or a robot (URDF).", show_default=False)
]
OutputFolderOption = Annotated[Path, typer.Option("--out", metavar="DIR", help="Output folder; created if missing.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
SetOption = Annotated[
    list[str], typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as in parameters.L=0.2; repeatable.")
]
AllowFilesOption = Annotated[
    list[Path],
    typer.Option(
        "--allow-files", metavar="DIR",
        help="Further folder from which the model may read tables; repeatable.",
    ),
]  # fmt: skip
AllowRuleOption = Annotated[
    list[str],
    typer.Option(
        "--allow",
        metavar="RULE",
        help="Rule for legs that designs may violate: foot-below-hip, step, scuffing, locking, or all; repeatable.",
    ),
]
LimitOption = Annotated[
    list[str],
    typer.Option(
        "--limit", metavar="NAME=LOW:HIGH",
        help="Limit, such as energy=:2 or step_length=0.25:; NAME=VALUE limits the magnitude; repeatable.",
    ),
]  # fmt: skip
MeasureOption = Annotated[
    str,
    typer.Option("--measure", metavar="NAME", help=f"Value of an output over time: {REDUCTION_CHOICES}."),
]
MaxStepsOption = Annotated[int | None, typer.Option("--max-steps", metavar="N", help=_option_help("max_steps"))]
MaxSecondsOption = Annotated[float | None, typer.Option("--max-seconds", metavar="S", help=_option_help("max_seconds"))]
DEFAULT_OUTPUT_FOLDER = Path("gaitwright-output")
"""Output folder of model files unless --out is given."""
COMMAND_OUTPUT_FOLDER = DEFAULT_OUTPUT_FOLDER / "MODEL" / "COMMAND"
"""Placeholder for the output folder of a command on a model, if --out is not given: see `with_command_folder`."""


def with_command_folder(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that its default output folder is gaitwright-output/MODEL/COMMAND; so commands do not overwrite each
    other's files. MODEL: stem of the model file or of another first argument; omitted if there are several."""
    first = next(iter(inspect.signature(command).parameters))
    name = command.__name__.rstrip("_").replace("_", "-")

    @functools.wraps(command)
    def run(**options: Any) -> None:
        if options.get("out") == COMMAND_OUTPUT_FOLDER:
            subject = options.get(first)
            names = [Path(str(subject)).stem] if isinstance(subject, (str, Path)) and first != "what" else []
            options["out"] = DEFAULT_OUTPUT_FOLDER.joinpath(*names, name)
        command(**options)

    return run


def read_model(path: Path, changes: list[str], folders: Sequence[Path] = ()) -> Model:
    """Read a model file, with the changes of --set and the permissions of --allow-files."""
    from gaitwright.model.io.files import apply_override, find_empty_fields, read_raw_document
    from gaitwright.model.model import Model

    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        raw = read_raw_document(path, folders)
    for note in notes:  # about a URDF robot, or an encoding
        print(f"note: {note.message}", file=sys.stderr)
    empty = find_empty_fields(raw)  # before --set, which may empty a field intentionally
    for change in changes:
        apply_override(raw, change)
    model = Model.from_dict(raw)
    for text in empty:
        print(f"note: {text}", file=sys.stderr)
    return model


def save_interrupted(screen: CommandOutput, result: Any) -> typer.Exit:
    """Save the partial result after Ctrl-C and print its path; returns the exit to raise."""
    saved = save_partial(result, screen.out) if hasattr(result, "time") else None
    if saved is None:
        return report_failure(screen, "interrupted before anything was computed", stop_exit_code(), interrupted=True)
    end = float(result.time[-1])
    message = f"interrupted at t = {end:.6g} s; what was computed until then is in {saved}"
    return report_failure(screen, message, stop_exit_code(), interrupted=True, partial=str(saved), **result.summary())
