"""A solid as Python says it, in the words of a model file: materials as mappings, places on its mesh as named regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Where
from gaitwright.physics.materials.base import Material


def in_words(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an entry, with what only Python has replaced. Places that are objects become regions of the mesh."""
    found = dict(fields)
    regions = dict(found.pop("regions") or {})
    objects = {name: regions.pop(name) for name in list(regions) if isinstance(regions[name], Where)}
    found["fixed"] = _named(found["fixed"], "fixed", objects)
    found["material"] = _named(_material(found["material"]), "material", objects)
    if isinstance(found.get("condensed"), Mapping):
        onto = found["condensed"].get("onto")
        found["condensed"] = {**found["condensed"], "onto": _named(onto, "kept", objects)}
    found["regions"] = regions
    if objects:
        found["mesh"] = with_regions(found["mesh"], found.get("unit"), objects)
    return found


def _material(given: Any) -> Any:
    if isinstance(given, (list, tuple)):
        return [_material(one) for one in given]
    return given.entry() if isinstance(given, Material) else given


def _named(given: Any, name: str, objects: dict[str, Where]) -> Any:
    """The same with names in the place of objects, which are put to the others."""
    if isinstance(given, (list, tuple)):
        return [_named(one, f"{name}{k + 1}", objects) for k, one in enumerate(given)]
    if isinstance(given, Mapping) and isinstance(given.get("region"), Where):
        return {**given, "region": _named(given["region"], name, objects)}
    if isinstance(given, Where):
        objects[name] = given
        return name
    return given


def with_regions(mesh: Any, unit: str | None, objects: dict[str, Where]) -> Any:
    """A mesh, or what names one, with places on it as regions."""
    from gaitwright.mesh.files import read
    from gaitwright.model.solids import made

    if not isinstance(mesh, Mesh):
        mesh = read(mesh, unit) if isinstance(mesh, str) else made(mesh)
    for name, where in objects.items():
        mesh = mesh.with_region(name, where)
    return mesh
