"""User-defined kinds of parts, besides bodies, links and beams.

Defining a subclass of PartType registers it, in the library as well as in a user's script. Its name, fields and units serve
the model file (section `parts`) and `model.part(type, name, ...)`; `read` creates the part from the numbers
(mechanism/parts/base.py defines parts). Example: tests/mechanism/parts/test_own_part.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.parts.base import Part
from gaitwright.physics.declarations import AttachedDeclaration, Attachment, RegistriesByDimension, make_registries

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder
    from gaitwright.model.reader.name_resolver import NameResolver


class PartType(AttachedDeclaration):
    """Kind of part: `parameters` are its fields. It has no attachments: other elements attach to it."""

    registry: ClassVar[RegistriesByDimension] = make_registries()
    attachments: ClassVar[dict[str, Attachment]] = {}

    @staticmethod
    def read(scope: NameResolver, name: str, label: str, **numbers: Any) -> Part:
        """Create the part. numbers: values of the fields; vectors are tuples. scope: parts, points
        and numbers of the document. label: name of the part in messages."""
        raise NotImplementedError


def read_part(builder: MechanismBuilder, entry: dict[str, Any]) -> None:
    """Add one entry of the section `parts`."""
    label = f"part '{entry['name']}'"
    builder.names.unused(entry["name"], "part")
    declaration: Any = PartType.registry[builder.document.dimension][entry["type"]]
    numbers = builder.elements.parameter_values(declaration, entry, label, {})
    part = declaration.read(builder.names, entry["name"], label, **numbers)
    if not isinstance(part, Part):
        ErrorContext(label).fail(f"the type '{declaration.name}' returns no part", expected="a Part")
    builder.names.add(part)
