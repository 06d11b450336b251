"""Condensed speed, between full and foundation: linear quasi-static tissue on each core, reduced to the nodes of the sole.

Each core carries the tissue nearest to it as a separate condensed solid (model/reader/quasi_static_solids.py); tissue is not
connected across a hinge. Linear elasticity makes strongly compressed tissue slightly too soft."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.foot.anatomy import FootAnatomy, extract_cells
from gaitwright.foot.foundation_model import nearest_core_and_thickness
from gaitwright.foot.mat import Mat
from gaitwright.foot.placement import FootPlacement
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.serialisation import choice_entry


def add_tissue(
    model: Model, foot: Any, placing: FootPlacement, ground: Any, law: Any, friction: Any
) -> tuple[str, ...]:
    """Add one quasi-static solid per core. Return their names, which are contact names as well."""
    at = ErrorContext(f"foot '{placing.name}'")
    if law is not None:
        at["law"].fail("is of no use to condensed tissue, whose nodes do not penetrate", expected="none")
    if isinstance(ground, Mat):
        at["ground"].fail(
            "is a mat, and condensed tissue touches what is hard",
            expected="speed='full' or 'foundation', or the mat as what the foot wears: foot.wearing(gw.foot.Insole(...))",
        )
    names = []
    for core, mesh in core_tissue_meshes(foot.anatomy):
        names.append(f"{placing.name}_sole_{core}")
        material = foot.materials(mesh)
        for one in material:
            one.pop("damping", None)
        model.solid(
            names[-1],
            mesh,
            at=list(placing.at),
            fixed={"region": core, "to": placing.bodies[core]},
            material=material,
            quasi_static={
                "surface": choice_entry(ground),
                "region": "sole",
                "condensed": True,
                "friction": _friction_coefficient(friction, at),
            },
            **placing.turned,
        )
    return tuple(names)


def core_tissue_meshes(found: FootAnatomy) -> list[tuple[str, Mesh]]:
    """Tissue mesh of each core, for cores with tissue on the sole."""
    owner, _ = nearest_core_and_thickness(found, found.mesh.centroids)
    meshes = []
    for k, core in enumerate(found.cores):
        piece, _ = extract_cells(found.mesh, np.flatnonzero(owner == k))
        fixed = np.zeros(len(piece.nodes), dtype=bool)
        fixed[piece.region(core.name).nodes] = True
        # Pieces without connection to a rigid part are removed: they cannot carry load.
        with_any = np.unique(piece.pieces[fixed[piece.cells].any(axis=1)])
        piece, _ = extract_cells(piece, np.flatnonzero(np.isin(piece.pieces, with_any)))
        if "sole" in piece.regions and len(piece.sides_in("sole")):
            meshes.append((core.name, piece))
    return meshes


def _friction_coefficient(friction: Any, at: ErrorContext) -> float | None:
    """Coefficient of the bristle law; other laws are rejected."""
    if friction is None or is_number(friction):
        return friction
    given = choice_entry(friction)
    if given.get("type") != "bristle":
        at["friction"].fail("is not a law of condensed tissue", given.get("type"), "a coefficient, or None")
    return given["coefficient"]
