"""Solid of the Python API as an entry of a model file: materials as mappings, selectors on its mesh as named regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import RegionSelector
from gaitwright.physics.materials.base import Material


def serialise_solid(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an entry with Python objects replaced. Selectors become regions of the mesh."""
    entry = dict(fields)
    regions = dict(entry.pop("regions") or {})
    objects = {name: regions.pop(name) for name in list(regions) if isinstance(regions[name], RegionSelector)}
    entry["fixed"] = _replace_by_names(entry["fixed"], "fixed", objects)
    entry["material"] = _replace_by_names(_serialise_material(entry["material"]), "material", objects)
    if isinstance(entry.get("condensed"), Mapping):
        onto = entry["condensed"].get("onto")
        entry["condensed"] = {**entry["condensed"], "onto": _replace_by_names(onto, "kept", objects)}
    entry["regions"] = regions
    if objects:
        entry["mesh"] = mesh_with_regions(entry["mesh"], entry.get("unit"), objects)
    return entry


def _serialise_material(given: Any) -> Any:
    if isinstance(given, (list, tuple)):
        return [_serialise_material(one) for one in given]
    return given.entry() if isinstance(given, Material) else given


def _replace_by_names(given: Any, name: str, objects: dict[str, RegionSelector]) -> Any:
    """Replace selectors by names, and add the selectors to `objects`."""
    if isinstance(given, (list, tuple)):
        return [_replace_by_names(one, f"{name}{k + 1}", objects) for k, one in enumerate(given)]
    if isinstance(given, Mapping) and isinstance(given.get("region"), RegionSelector):
        return {**given, "region": _replace_by_names(given["region"], name, objects)}
    if isinstance(given, RegionSelector):
        objects[name] = given
        return name
    return given


def mesh_with_regions(mesh: Any, unit: str | None, objects: dict[str, RegionSelector]) -> Any:
    """Mesh, given directly, by file name or as a shape, with selectors added as regions."""
    from gaitwright.mesh.files import read
    from gaitwright.model.reader.solids import make_mesh

    if not isinstance(mesh, Mesh):
        mesh = read(mesh, unit) if isinstance(mesh, str) else make_mesh(mesh)
    for name, where in objects.items():
        mesh = mesh.with_region(name, where)
    return mesh
