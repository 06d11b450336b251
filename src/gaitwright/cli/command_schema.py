"""Analyses of the command line as data: arguments and options of each, with their help texts. The studio creates forms from
this schema and validates with it the options that it passes to a command."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.cli.commands.designs import designs
from gaitwright.cli.commands.devices import device
from gaitwright.cli.commands.feet import foot
from gaitwright.cli.commands.gait import gait
from gaitwright.cli.commands.legs import compare, leg, walk
from gaitwright.cli.commands.models import check, run
from gaitwright.cli.commands.optimise import choose, optimise
from gaitwright.cli.commands.studies import study
from gaitwright.cli.commands.sweeps import sweep
from gaitwright.cli.commands.trade_offs import trade_off

ANALYSES: tuple[Callable[..., None], ...] = (
    run, check, leg, walk, compare, sweep, trade_off, designs, choose, optimise, study, device, gait, foot,
)  # fmt: skip
EXCLUDED_OPTIONS = ("out", "as_json", "folders", "scheduler")
"""Options that the calling program sets itself, or that give access to other folders or machines."""
WORD_OR_FILE_OPTIONS = ("motion", "device")
"""Text options whose value is a word or the name of a file."""
VALUE_TYPE_NAMES = {int: "int", float: "float", str: "text", bool: "bool", Path: "file"}


def describe_analyses() -> list[dict[str, Any]]:
    """Schema of all analyses: name, help, options. models: 1 if the first argument is a model file, "many" if it takes
    several, 0 if it takes none."""
    return [_describe_command(command) for command in ANALYSES]


def _describe_command(command: Callable[..., None]) -> dict[str, Any]:
    hints = typing.get_type_hints(command, include_extras=True)
    options, models = [], 0
    for name, parameter in inspect.signature(command).parameters.items():
        if name in EXCLUDED_OPTIONS:
            continue
        kind, many, pair = _classify_option(hints[name])
        kind = "word-or-file" if name in WORD_OR_FILE_OPTIONS and kind == "text" else kind
        about = hints[name].__metadata__[0]
        if name in ("model", "models"):
            models = "many" if many else 1
            continue
        needed = parameter.default is inspect.Parameter.empty
        # The first name in typer.Option("--set", ...) is stored by typer as the default.
        words = [about.default, *(getattr(about, "param_decls", None) or ())]
        flags = [word for word in words if isinstance(word, str) and word.startswith("-")]
        is_option = type(about).__name__ == "OptionInfo"
        flag = (flags[0] if flags else f"--{name.replace('_', '-')}") if is_option else None
        default = None if needed or many else parameter.default
        options.append({
            "name": name, "flag": flag, "type": "pair" if pair else kind, "many": many, "needed": needed,
            "default": str(default) if isinstance(default, Path) else default, "help": about.help, "metavar": about.metavar,
        })  # fmt: skip
    text = " ".join((command.__doc__ or "").split())
    return {"name": command.__name__.replace("_", "-"), "help": text, "options": options, "models": models}


def _classify_option(hint: Any) -> tuple[str, bool, bool]:
    """Type name of one value of an option, True if it takes several values, and True if its value is a pair of numbers."""
    given = typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint
    if isinstance(given, types.UnionType):
        given = next(part for part in typing.get_args(given) if part is not type(None))
    origin = typing.get_origin(given)
    if origin is tuple:
        return "float", False, True
    if origin is list:
        return VALUE_TYPE_NAMES.get(typing.get_args(given)[0], "text"), True, False
    return VALUE_TYPE_NAMES.get(given, "text"), False, False
