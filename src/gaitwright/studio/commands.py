"""Table of all commands that change a drawing, their parser from JSON, and their descriptions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import MaxLen
from pydantic import BaseModel, ValidationError

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.validation_messages import explain_validation_error
from gaitwright.studio.draft import DocumentDraft
from gaitwright.studio.edits import copies, elements, joints, names, points
from gaitwright.studio.message_models import STRICT_CONFIG, make_message_model, message_arguments

MAX_COMMANDS = 1000
"""Maximum number of commands in one command 'all'."""
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
"""Functions by command name."""
PLANAR_COMMANDS = (
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
"""Commands that exist only for plane models."""


def perform(draft: DocumentDraft, command: Any) -> None:
    """Carry out a command: {"do": name, ...}; {"do": "all", "commands": [...]} carries out several. `drag`
    identifies the drag that a command belongs to; the commands of one drag are undone together."""
    if not isinstance(command, dict):
        ErrorContext("command").fail("is not a mapping", command, '{"do": "add-point", ...}')
    if command.get("do") == "all":
        for part in _validate_fields(_CommandSequence, "all", command).commands:
            if isinstance(part, dict) and part.get("do") == "all":
                ErrorContext("command 'all'").fail("contains another 'all'", expected="single commands")
            perform(draft, part)
        return
    name = ErrorContext("command", "do").one_of(command.get("do"), list(COMMANDS))
    assert isinstance(name, str)
    if name in PLANAR_COMMANDS and draft.dimension != 2:
        ErrorContext(f"command '{name}'").fail(
            "is for models of the plane", expected="'add' with its fields, or the text"
        )
    checked = _validate_fields(_command_model(name), name, command)
    COMMANDS[name](draft, **message_arguments(checked, skip=("do", "drag")))


class _CommandSequence(BaseModel):
    model_config = STRICT_CONFIG
    do: Literal["all"]
    commands: Annotated[list[Any], MaxLen(MAX_COMMANDS)]
    drag: str | None = None


def _validate_fields(kind: type[Fields], name: str, command: dict[str, Any]) -> Fields:
    try:
        return kind.model_validate(command)
    except ValidationError as error:
        raise explain_validation_error(error, f"command '{name}'", kind) from None


@functools.cache
def _command_model(name: str) -> type[BaseModel]:
    """Model of the fields of a command, from the signature of its function."""
    return make_message_model(COMMANDS[name], name, skip=1, do=(Literal[name], name), drag=(str | None, None))


def describe_commands() -> list[dict[str, Any]]:
    """Commands with their help and fields, for menus and panels."""
    descriptions = []
    for name, function in COMMANDS.items():
        fields = [
            {"name": field.alias or key, "needed": field.is_required(), "help": field.description,
             "default": None if field.is_required() else field.default}
            for key, field in _command_model(name).model_fields.items()
            if key not in ("do", "drag")
        ]  # fmt: skip
        descriptions.append({"do": name, "help": " ".join((function.__doc__ or "").split()), "fields": fields})
    return descriptions
