"""Options that commands share, and what they stand for."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.terminal import Screen, fail, save_partial, stopped

if TYPE_CHECKING:
    from gaitwright.model.model import Model

File = Annotated[
    Path, typer.Argument(metavar="MODEL", help="Model file, YAML or JSON; or a robot, URDF.", show_default=False)
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for what is written; made if missing.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else there.")]
Set = Annotated[
    list[str], typer.Option("--set", metavar="PATH=VALUE", help="Change a value, as in parameters.L=0.2; repeatable.")
]
Allow = Annotated[
    list[Path],
    typer.Option(
        "--allow-files", metavar="DIR",
        help="Folder from which the model may read tables, besides its own; repeatable.",
    ),
]  # fmt: skip
Break = Annotated[
    list[str],
    typer.Option(
        "--allow",
        metavar="RULE",
        help="Rule for legs that designs may break: foot-below-hip, step, scuffing, locking, or all; repeatable.",
    ),
]
Limits = Annotated[
    list[str],
    typer.Option(
        "--limit", metavar="NAME=LOW:HIGH",
        help="As in energy=:2 or step_length=0.25:; NAME=VALUE limits the size; repeatable.",
    ),
]  # fmt: skip
MaxSteps = Annotated[
    int | None, typer.Option("--max-steps", metavar="N", help="Give up after so many steps; 1e8 unless given.")
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", metavar="S", help="Give up after so much time; 3600 s unless given.")
]
HERE = Path("gaitwright-output")
"""Where model files are written unless --out says where."""
OWN_FOLDER = HERE / "MODEL" / "COMMAND"
"""What stands for the folder of a command on a model, where nothing else is asked for: see `in_own_folder`."""


def in_own_folder(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with gaitwright-output/MODEL/COMMAND as its folder unless another one is asked for, so that commands do not
    overwrite each other's files. MODEL: the name of the model file, or of what else comes first; none of several."""
    first = next(iter(inspect.signature(command).parameters))
    name = command.__name__.rstrip("_").replace("_", "-")

    @functools.wraps(command)
    def run(**options: Any) -> None:
        if options.get("out") == OWN_FOLDER:
            subject = options.get(first)
            names = [Path(str(subject)).stem] if isinstance(subject, (str, Path)) and first != "what" else []
            options["out"] = HERE.joinpath(*names, name)
        command(**options)

    return run


def read_model(path: Path, changes: list[str], folders: Sequence[Path] = ()) -> Model:
    """The model in a file, with values changed as --set asks, and tables read where --allow-files allows it."""
    from gaitwright.model.files import left_empty, override, read_raw
    from gaitwright.model.model import Model

    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        raw = read_raw(path, folders)
    for note in notes:  # about a robot in URDF, or an encoding
        print(f"note: {note.message}", file=sys.stderr)
    empty = left_empty(raw)  # before --set, which empties a field on purpose
    for change in changes:
        override(raw, change)
    model = Model.from_dict(raw)
    for text in empty:
        print(f"note: {text}", file=sys.stderr)
    return model


def keep_interrupted(screen: Screen, result: Any) -> typer.Exit:
    """After Ctrl-C: save what there is, say where, and leave."""
    saved = save_partial(result, screen.out) if hasattr(result, "time") else None
    if saved is None:
        return fail(screen, "interrupted before anything was computed", stopped(), interrupted=True)
    end = float(result.time[-1])
    message = f"interrupted at t = {end:.6g} s; what was computed until then is in {saved}"
    return fail(screen, message, stopped(), interrupted=True, partial=str(saved), **result.summary())
