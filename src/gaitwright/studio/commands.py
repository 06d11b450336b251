"""The table of all commands that change a drawing, how one is read from JSON, and what each says about itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import MaxLen
from pydantic import BaseModel, ValidationError

from gaitwright.checks import At
from gaitwright.messages import explain
from gaitwright.studio.draft import Draft
from gaitwright.studio.edits import copies, elements, joints, names, points
from gaitwright.studio.signatures import STRICT, arguments_of, model_of

MAX_COMMANDS = 1000
"""In one command 'all'."""
Fields = TypeVar("Fields", bound=BaseModel)
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
    """Carry out a command: {"do": name, ...}; {"do": "all", "commands": [...]} carries out several. `drag` names the drag
    that a command belongs to, whose commands are undone together."""
    if not isinstance(command, dict):
        At("command").fail("is not a mapping", command, '{"do": "add-point", ...}')
    if command.get("do") == "all":
        for one in _checked(_Several, "all", command).commands:
            if isinstance(one, dict) and one.get("do") == "all":
                At("command 'all'").fail("contains another 'all'", expected="single commands")
            perform(draft, one)
        return
    name = At("command", "do").one_of(command.get("do"), list(COMMANDS))
    assert isinstance(name, str)
    if name in IN_THE_PLANE and draft.dimension != 2:
        At(f"command '{name}'").fail("is for models of the plane", expected="'add' with its fields, or the text")
    checked = _checked(_fields(name), name, command)
    COMMANDS[name](draft, **arguments_of(checked, skip=("do", "drag")))


class _Several(BaseModel):
    model_config = STRICT
    do: Literal["all"]
    commands: Annotated[list[Any], MaxLen(MAX_COMMANDS)]
    drag: str | None = None


def _checked(kind: type[Fields], name: str, command: dict[str, Any]) -> Fields:
    try:
        return kind.model_validate(command)
    except ValidationError as error:
        raise explain(error, f"command '{name}'", kind) from None


@functools.cache
def _fields(name: str) -> type[BaseModel]:
    """The fields of a command, from the signature of its function."""
    return model_of(COMMANDS[name], name, skip=1, do=(Literal[name], name), drag=(str | None, None))


def describe() -> list[dict[str, Any]]:
    """Every command with its help and its fields, for menus and panels."""
    found = []
    for name, function in COMMANDS.items():
        fields = [
            {"name": field.alias or key, "needed": field.is_required(), "help": field.description,
             "default": None if field.is_required() else field.default}
            for key, field in _fields(name).model_fields.items()
            if key not in ("do", "drag")
        ]  # fmt: skip
        found.append({"do": name, "help": " ".join((function.__doc__ or "").split()), "fields": fields})
    return found
