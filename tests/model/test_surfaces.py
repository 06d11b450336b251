"""The declarations of surfaces agree with model files, readers and the documentation."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.model import surfaces
from gaitwright.model.reader.planar_contacts import PLANAR_SURFACE_READERS
from gaitwright.model.reader.spatial_contacts import SPATIAL_SURFACE_READERS
from gaitwright.model.spec.document import CONTACT_KINDS, SpatialSurfaceSpec, SurfaceSpec
from gaitwright.model.surfaces import SurfaceDescription, file_fields, surface_table

SPECS: dict[int, Any] = {2: SurfaceSpec, 3: SpatialSurfaceSpec}
READERS: dict[int, Any] = {2: PLANAR_SURFACE_READERS, 3: SPATIAL_SURFACE_READERS}
MESHES = {"mesh", "solid"}
"""Surfaces that the readers of both dimensions share."""


@pytest.mark.parametrize("dimension", [2, 3])
def test_every_surface_has_a_field_and_a_reader(dimension: int):
    declared = SurfaceDescription.registry[dimension]
    assert {*declared} <= {*SPECS[dimension].model_fields}
    assert {*declared} - MESHES == {*READERS[dimension]}
    assert CONTACT_KINDS[dimension].surfaces == tuple(declared)


@pytest.mark.parametrize("dimension", [2, 3])
def test_documentation_contains_the_tables(dimension: int):
    page = (Path(__file__).parents[2] / "docs" / "model-file.md").read_text()
    assert surface_table(dimension) in page, "run `python -m gaitwright.model.surfaces` and paste the tables"


CASES: list[Any] = [
    gw.surfaces.LineGround(0.1, 0.2), gw.surfaces.Line(1, 2, 3), gw.surfaces.Polyline([(0, 0), (1, 0)], velocity=(1, 0)),
    gw.surfaces.Circle("ground.O", 0.1), gw.surfaces.Segment("a.A", "a.B"), gw.surfaces.Face("a.A", "a.B"),
    gw.surfaces.MeshSurface("a.stl", at=(0, 1), unit="mm"), gw.surfaces.SolidSurface("a", region="top", both_ways=True),
    gw.surfaces.PlaneGround(0.1), gw.surfaces.Plane(0, 0, 1, 2), gw.surfaces.PlaneOfBody("a.A", (0, 0, 1)),
    gw.surfaces.Sphere("a", 0.1), gw.surfaces.HeightField([[0, 1], [2, 3]], (1, 1)),
]  # fmt: skip
FILE_NAMES = {"LineGround": "line", "PlaneGround": "plane", "PlaneOfBody": "plane"}
"""Names in files of surfaces that are a short form of another one."""


@pytest.mark.parametrize("surface", CASES, ids=lambda surface: type(surface).__name__)
def test_entry_of_every_surface_is_valid_in_a_file(surface: Any):
    name = FILE_NAMES.get(type(surface).__name__) or surface.file_field
    for dimension in (2, 3):
        if name in SurfaceDescription.registry[dimension]:
            entry = surface.entry()
            assert SPECS[dimension].model_validate(entry).model_dump(exclude_none=True).keys() == entry.keys()


def test_every_class_is_public_and_tested():
    classes = {kind for kinds in SurfaceDescription.registry.values() for kind in kinds.values()}
    assert classes <= {type(case) for case in CASES}
    assert {kind.__name__ for kind in classes} <= {*gw.surfaces.__all__}


@pytest.mark.parametrize(
    "of", ["Circle", "Along", "Foundation", "MeshSurface", "SolidSurface", "PlaneOfBody", "Sphere", "HeightField"]
)
def test_every_argument_is_a_field_of_files(of: str):
    kind = getattr(surfaces, of)
    motion = {"velocity", "displacement"}
    assert {*file_fields(kind)} == {field.name for field in dataclasses.fields(kind)} - motion


def test_invalid_radius_reports_its_field():
    model = gw.Model("ball").body("ball", mass=1, inertia=1, at=(0, 1))
    with pytest.raises(ModelError, match=r"surface\.circle\.radius"):
        model.contact("ball", gw.surfaces.Circle("ground.O", "1 kg"), law=gw.laws.Hertz(1e6))
