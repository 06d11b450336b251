"""The analyses of the command line as data: what each needs and takes, in the words of its help. The studio makes forms of
it, and checks with it what it hands to a command."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.commands.designs import choose, optimise
from gaitwright.commands.devices import device
from gaitwright.commands.feet import foot
from gaitwright.commands.gait import gait
from gaitwright.commands.legs import compare, leg, walk
from gaitwright.commands.many import designs
from gaitwright.commands.models import check, run
from gaitwright.commands.studies import study
from gaitwright.commands.sweeps import sweep
from gaitwright.commands.trade_offs import trade_off

ANALYSES: tuple[Callable[..., None], ...] = (
    run, check, leg, walk, compare, sweep, trade_off, designs, choose, optimise, study, device, gait, foot,
)  # fmt: skip
OWN = ("out", "as_json", "folders", "scheduler")
"""Options that whoever starts a command sets by itself, or that reach out of the folder or the machine."""
WORDS_OR_FILES = ("motion", "device", "pressure")
"""Texts that may be the name of a file instead of a word."""
KINDS = {int: "int", float: "float", str: "text", bool: "bool", Path: "file"}


def offered() -> list[dict[str, Any]]:
    """Every analysis: name, help, options; models: 1 if its first argument is a model file, "many" if it takes several, 0 if
    none."""
    return [_described(command) for command in ANALYSES]


def _described(command: Callable[..., None]) -> dict[str, Any]:
    hints = typing.get_type_hints(command, include_extras=True)
    options, models = [], 0
    for name, parameter in inspect.signature(command).parameters.items():
        if name in OWN:
            continue
        kind, many, pair = _kind(hints[name])
        kind = "word-or-file" if name in WORDS_OR_FILES and kind == "text" else kind
        about = hints[name].__metadata__[0]
        if name in ("model", "models"):
            models = "many" if many else 1
            continue
        needed = parameter.default is inspect.Parameter.empty
        # The first word of typer.Option("--set", ...) is its default, as far as typer knows.
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


def _kind(hint: Any) -> tuple[str, bool, bool]:
    """Of the type of an option: what one value is, whether there may be several, whether it is two numbers."""
    given = typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint
    if isinstance(given, types.UnionType):
        given = next(part for part in typing.get_args(given) if part is not type(None))
    origin = typing.get_origin(given)
    if origin is tuple:
        return "float", False, True
    if origin is list:
        return KINDS.get(typing.get_args(given)[0], "text"), True, False
    return KINDS.get(given, "text"), False, False
