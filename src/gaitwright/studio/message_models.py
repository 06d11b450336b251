"""Pydantic models of messages, made from the signatures of their handler functions."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, create_model

STRICT_CONFIG = ConfigDict(extra="forbid", populate_by_name=True, strict=True, allow_inf_nan=False)
"""Unknown fields are errors, numbers are finite, and no value is converted: '1' and true are not numbers."""

ElementPlace = Annotated[tuple[str, int], Strict(False)]
"""Section and index of an element, ["links", 0]: JSON has lists where Python has tuples."""


def make_message_model(function: Callable[..., Any], name: str, *, skip: int, **more: Any) -> type[BaseModel]:
    """Make the model whose fields are the parameters of a function. A trailing underscore of a parameter (`from_`) is
    not part of the name in messages; a text in its annotation is the help of the field.

    skip: number of leading parameters that are not part of the message. more: further fields, as for `create_model`."""
    hints = typing.get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for field, parameter in list(inspect.signature(function).parameters.items())[skip:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[field] = (
            hints[field],
            Field(default, alias=field.rstrip("_"), description=_annotation_help(hints[field])),
        )
    return create_model(name, __config__=STRICT_CONFIG, **fields, **more)


def message_arguments(checked: BaseModel, skip: typing.Collection[str] = ()) -> dict[str, Any]:
    """Arguments of the function, by name."""
    return {name: getattr(checked, name) for name in type(checked).model_fields if name not in skip}


def _annotation_help(hint: Any) -> str | None:
    texts = [text for text in getattr(hint, "__metadata__", ()) if isinstance(text, str)]
    return texts[0] if texts else None
