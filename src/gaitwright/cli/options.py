"""Options that commands share, and the functions that evaluate them."""

from __future__ import annotations

import functools
import inspect
import sys
import typing
import warnings
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
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
        help="Further folder from which the input may read files; repeatable.",
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
ParameterOption = Annotated[
    list[str],
    typer.Option(
        "--parameter", metavar="NAME=LOW:HIGH",
        help="Parameter and its range; or values, NAME=LOW:HIGH:COUNT or NAME=A,B,C; units allowed; repeatable.",
    ),
]  # fmt: skip
MeasureOption = Annotated[
    list[str],
    typer.Option(
        "--measure", metavar="NAME",
        help="Number to report: a number of a leg such as energy, an expression such as ratio=energy/step_length, or an output "
        f"with its value over time such as crank.torque.max ({REDUCTION_CHOICES}); repeatable.",
    ),
]  # fmt: skip
MinimiseOption = Annotated[
    list[str],
    typer.Option(
        "--minimise",
        metavar="NAME",
        help="Goal to minimise, named as in --measure of sweep; repeatable.",
    ),
]
MaximiseOption = Annotated[
    list[str],
    typer.Option("--maximise", metavar="NAME", help="Goal to maximise; the first goal has priority; repeatable."),
]
LimitOption = Annotated[
    list[str],
    typer.Option(
        "--limit", metavar="NAME=LOW:HIGH",
        help="Limit, such as energy=:2 or step_length=0.25:; NAME=VALUE limits the magnitude; repeatable.",
    ),
]  # fmt: skip
ProcessorOption = Annotated[
    str, typer.Option("--processor", help="Processor of generated programs: cpu, or cuda for an NVIDIA GPU.")
]
SamplesOption = Annotated[
    int, typer.Option("--samples", min=2, help="Number of values of each parameter that is given as a range.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Random seed; equal seeds give equal results.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Number of processes or threads; default: all cores.")
]
SchedulerOption = Annotated[
    str,
    typer.Option("--scheduler", metavar="ADDRESS", help="Address of a Dask cluster, such as tcp://10.0.0.1:8786."),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="Store of computed numbers: after a stop, the same command continues.",
        show_default=False,
    ),
]  # fmt: skip
RestartOption = Annotated[
    bool, typer.Option("--restart", help="Delete the stored results of an earlier call in the folder.")
]
SubjectFileOption = Annotated[
    Path | None, typer.Option("--subject", metavar="FILE", help="YAML with mass, height, sex.", show_default=False)
]
MassOption = Annotated[
    str | None, typer.Option("--mass", metavar="KG", help="Body mass, such as 73 or 73kg; overrides --subject.")
]
HeightOption = Annotated[
    str | None, typer.Option("--height", metavar="M", help="Body height, such as 1.74 or 174cm; overrides --subject.")
]
SexOption = Annotated[str, typer.Option("--sex", help="female or male; default: the mean of both.")]
LiftedMassOption = Annotated[
    str | None,
    typer.Option(
        "--lifted-mass", metavar="KG", help="For stoop and squat: lifted mass, such as 8 or 8kg; default 10.",
        show_default=False,
    ),
]  # fmt: skip
ForcesFileOption = Annotated[
    Path | None,
    typer.Option("--forces", metavar="FILE", help="For a trial: file of force plate data.", show_default=False),
]
StaticFileOption = Annotated[
    Path | None,
    typer.Option("--static", metavar="FILE", help="For a trial: file of a standing trial.", show_default=False),
]
MaxStepsOption = Annotated[int | None, typer.Option("--max-steps", metavar="N", help=_option_help("max_steps"))]
MaxSecondsOption = Annotated[float | None, typer.Option("--max-seconds", metavar="S", help=_option_help("max_seconds"))]
RESUME_NOTE = "the results so far are kept: the same command continues"
DEFAULT_OUTPUT_FOLDER = Path("gaitwright-output")
"""Output folder of model files unless --out is given."""
COMMAND_OUTPUT_FOLDER = DEFAULT_OUTPUT_FOLDER / "MODEL" / "COMMAND"
"""Placeholder for the output folder of a command on a model, if --out is not given: see `with_command_folder`."""


@dataclass
class OutputOptions:
    """Options for the results of a command."""

    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER
    as_json: JsonOption = False


@dataclass
class ModelFileOptions:
    """Options for reading a model file."""

    changes: SetOption = field(default_factory=list)
    folders: AllowFilesOption = field(default_factory=list)


@dataclass
class PersonOptions:
    """Options for the person who walks or wears a device."""

    subject: SubjectFileOption = None
    mass: MassOption = None
    height: HeightOption = None
    sex: SexOption = ""


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that each parameter with a dataclass of options as its type becomes the options of this dataclass."""
    hints = typing.get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if not is_dataclass(hint):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint))
            continue
        groups[parameter.name] = hint
        types = typing.get_type_hints(hint, include_extras=True)
        for option in fields(hint):
            default = option.default if option.default_factory is MISSING else option.default_factory()
            kind = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(option.name, kind, default=default, annotation=types[option.name]))

    @functools.wraps(command)
    def run(**options: Any) -> None:
        for name, group in groups.items():
            options[name] = group(**{option.name: options.pop(option.name) for option in fields(group)})
        command(**options)

    run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


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
