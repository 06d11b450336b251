"""The table of all commands that change a drawing, how one is read from JSON, and what each says about itself."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from gaitwright.checks import At
from gaitwright.messages import explain
from gaitwright.studio.draft import Draft
from gaitwright.studio.edits import copies, elements, joints, names, points

MOST = 1000
"""Commands in one."""
COMMANDS: dict[str, Callable[..., None]] = {
    "add-point": points.add_point,
    "move-point": points.move_point,
    "set-foot": points.set_foot,
    "add-link": elements.add_link,
    "add-body": elements.add_body,
    "add-beam": elements.add_beam,
    "add-slider": elements.add_slider,
    "add-spring": elements.add_spring,
    "add-drive": elements.add_drive,
    "add-contact": elements.add_contact,
    "add-force": elements.add_force,
    "add-joint": joints.add_joint,
    "add-guide": joints.add_guide,
    "add-gear": joints.add_gear,
    "add-rack": joints.add_rack,
    "add-weld": joints.add_weld,
    "add": elements.add,
    "set": elements.set_field,
    "set-parameter": elements.set_parameter,
    "set-length": elements.set_length,
    "rename": names.rename,
    "delete": names.delete,
    "copy": copies.copy,
    "mirror": copies.mirror,
}
"""By what the page calls them."""
IN_THE_PLANE = (
    "add-link",
    "add-body",
    "add-beam",
    "add-slider",
    "add-guide",
    "add-gear",
    "add-rack",
    "add-weld",
    "add-contact",
    "copy",
    "mirror",
)
"""Those that draw what looks otherwise in space."""


def perform(draft: Draft, command: Any) -> None:
    """Do what a command says: {"do": name, ...}; {"do": "all", "commands": [...]} does several."""
    if not isinstance(command, dict):
        At("command").fail("is not a mapping", command, '{"do": "add-point", ...}')
    given = {key: value for key, value in command.items() if key not in ("do", "drag")}
    name = command.get("do")
    if name == "all":
        several = given.get("commands")
        if not isinstance(several, list) or len(several) > MOST:
            At("command 'all'", "commands").fail("is not a list of commands", expected=f"at most {MOST}")
        for one in several:
            if isinstance(one, dict) and one.get("do") == "all":
                At("command 'all'").fail("contains another 'all'", expected="single commands")
            perform(draft, one)
        return
    At("command", "do").one_of(name, list(COMMANDS))
    assert isinstance(name, str)
    if name in IN_THE_PLANE and draft.dimension != 2:
        At(f"command '{name}'").fail("is for models of the plane", expected="'add' with its fields, or the text")
    try:
        checked = _fields(name).model_validate(given)
    except ValidationError as error:
        raise explain(error, f"command '{name}'", _fields(name)) from None
    COMMANDS[name](draft, **{field: getattr(checked, field) for field in type(checked).model_fields})


@functools.cache
def _fields(name: str) -> type[BaseModel]:
    """The fields of a command, from the signature of its function."""
    function = COMMANDS[name]
    hints = typing.get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for field, parameter in list(inspect.signature(function).parameters.items())[1:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[field] = hints[field], Field(default, alias=field.rstrip("_"), description=_help(hints[field]))
    return create_model(name, __config__=ConfigDict(extra="forbid", populate_by_name=True), **fields)


def _help(hint: Any) -> str | None:
    texts = [text for text in getattr(hint, "__metadata__", ()) if isinstance(text, str)]
    return texts[0] if texts else None


def describe() -> list[dict[str, Any]]:
    """Every command with its help and its fields, for menus and panels."""
    found = []
    for name, function in COMMANDS.items():
        fields = [
            {"name": field.alias or key, "needed": field.is_required(), "help": field.description,
             "default": None if field.is_required() else field.default}
            for key, field in _fields(name).model_fields.items()
        ]  # fmt: skip
        found.append({"do": name, "help": " ".join((function.__doc__ or "").split()), "fields": fields})
    return found
