"""Kinds of parts that a model may have besides bodies, links and beams: the door for new ones.

Defining a subclass of PartType registers it, in the library as in a user's script. Its name, fields and units serve the model
file (section `parts`) and `model.part(type, name, ...)`; `read` makes the part of the numbers (system/parts/base.py says what
a part is). tests/system/parts/test_own_part.py has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gaitwright.checks import At
from gaitwright.physics.declare import Attached, Attachment, ByDimension, by_dimension
from gaitwright.system.parts.base import Part

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering


class PartType(Attached):
    """A kind of part: `parameters` are its fields. It has no attachments: others attach to it."""

    registry: ClassVar[ByDimension] = by_dimension()
    attachments: ClassVar[dict[str, Attachment]] = {}

    @staticmethod
    def read(scope: Any, name: str, label: str, **numbers: Any) -> Part:
        """The part. numbers: those of the fields; vectors are tuples. scope: what else the document says (model/scope.py).
        label: the part in messages."""
        raise NotImplementedError


def read_part(s: Lowering, entry: dict[str, Any]) -> None:
    """Add one entry of the section `parts`."""
    label = f"part '{entry['name']}'"
    s.unused(entry["name"], "part")
    declaration: Any = PartType.registry[s.document.dimension][entry["type"]]
    numbers = s.numbers(declaration, entry, label, {})
    part = declaration.read(s, entry["name"], label, **numbers)
    if not isinstance(part, Part):
        At(label).fail(f"the type '{declaration.name}' makes no part", expected="a Part")
    s.add(part)
