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


def _serialise_material(material: Any) -> Any:
    if isinstance(material, (list, tuple)):
        return [_serialise_material(entry) for entry in material]
    return material.entry() if isinstance(material, Material) else material


def _replace_by_names(value: Any, name: str, objects: dict[str, RegionSelector]) -> Any:
    """Replace selectors by names, and add the selectors to `objects`."""
    if isinstance(value, (list, tuple)):
        return [_replace_by_names(entry, f"{name}{k + 1}", objects) for k, entry in enumerate(value)]
    if isinstance(value, Mapping) and isinstance(value.get("region"), RegionSelector):
        return {**value, "region": _replace_by_names(value["region"], name, objects)}
    if isinstance(value, RegionSelector):
        objects[name] = value
        return name
    return value


def mesh_with_regions(mesh: Any, unit: str | None, objects: dict[str, RegionSelector]) -> Any:
    """Mesh, given directly, by file name or as a shape, with selectors added as regions."""
    from gaitwright.mesh.files import read
    from gaitwright.model.reader.solids import make_mesh

    if not isinstance(mesh, Mesh):
        mesh = read(mesh, unit) if isinstance(mesh, str) else make_mesh(mesh)
    for name, selector in objects.items():
        mesh = mesh.with_region(name, selector)
    return mesh
