"""Solids condensed to some of their nodes: selection of the retained nodes, and cost."""

from __future__ import annotations

import hashlib
import time
from dataclasses import fields

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.condensation import Condensation, select_cells
from gaitwright.fem.condensed_solid_part import CondensedSolidPart
from gaitwright.fem.element_geometry import HELD_COORDINATE
from gaitwright.fem.kernel_modules import lame_constants
from gaitwright.fem.solid_part import MaterialRegion, SolidPart
from gaitwright.model.reader.solid_supports import select_nodes
from gaitwright.model.spec.document import SolidSpec
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.viscous import SmallViscosity, proportional_viscosity

Array = np.ndarray
MAX_KEPT_COORDINATES = 3_000
"""Maximum number of retained coordinates: a dense matrix of this size has 72 MB, and its factors take half a second."""


def read_condensed_solid(
    entry: SolidSpec, part: SolidPart, held: Array, at: ErrorContext, notes: list[str]
) -> CondensedSolidPart:
    """Same solid with its inner nodes condensed. held: (nodes, d), True for zero displacements. notes: notes about it are
    appended here."""
    here, mesh, wanted = at["condensed"], part.mesh, entry.condensed
    assert wanted is not None
    for body, *_ in (*part.tied, *part.pinned):
        here.fail(
            f"follows '{body.name}'",
            expected="quasi_static: {condensed: true, ...} for a solid that a body wears, or joints between that body and "
            "nodes that are kept",
        )
    if entry.lumped:
        at["lumped"].fail("is not for a condensed solid, whose mass couples the nodes that are kept", True, "false")
    given = wanted.onto if isinstance(wanted.onto, list) else [wanted.onto]
    chosen = np.any([select_nodes(one, here["onto"], mesh) for one in given], axis=0) & ~held.all(axis=1)
    free = ~held & chosen[:, None]
    moving = part.number[~held & ~chosen[:, None]]
    if len(np.unique(moving)) < moving.size or np.isin(moving, part.number[free]).any():
        here["onto"].fail(
            "leaves out nodes that a drive displaces", expected="the region of the drive among those kept"
        )
    number = np.full(held.shape, HELD_COORDINATE)
    number[free] = np.unique(part.number[free], return_inverse=True)[1]
    count = int(number.max(initial=HELD_COORDINATE)) + 1
    if count > MAX_KEPT_COORDINATES:
        here["onto"].fail(
            f"keeps {count} coordinates",
            expected=(
                f"at most {MAX_KEPT_COORDINATES}: fewer nodes, quasi_static: {{condensed: true, ...}}, or the "
                f"solid without condensed"
            ),
        )
    condensation, took = _cached_condensation(part, held, np.flatnonzero(chosen), wanted.skin, here)
    inside = [
        linearise_material(select_cells(f, cells), here)
        for f, cells in zip(part.fillings, condensation.inside, strict=True)
        if cells.any()
    ]
    skin = tuple(
        select_cells(f, ~cells) for f, cells in zip(part.fillings, condensation.inside, strict=True) if (~cells).any()
    )
    dampings = {beta for _, beta in inside}
    if len(dampings) > 1:
        at["material"].fail("has several dampings", sorted(dampings), "one for all that is condensed")
    same = {f.name: getattr(part, f.name) for f in fields(SolidPart)}
    kept = np.flatnonzero(chosen)
    same |= {
        "number": number, "drawn": np.zeros(count), "fillings": (*(filling for filling, _ in inside), *skin),
        "points": {name: _nearest_kept_node(mesh.nodes, place, kept) for name, place in part.points.items()},
    }  # fmt: skip
    condensed = CondensedSolidPart(
        **same, condensation=condensation, kept=kept, fixed=held, nonlinear=skin, damping=dampings.pop()
    )
    notes.append(
        f"solid '{part.name}': condensed onto {len(kept)} nodes in {took:.2g} s: {count} coordinates in place of "
        f"{int((~held).sum())}, a dense matrix of {8e-6 * condensation.size**2:.2g} MB; "
        + ("its frame turns with these nodes" if condensed.free else "it is held, so it is linear and does not turn")
        + (f"; {sum(len(f.cells) for f in skin)} cells between them stay nonlinear" if skin else "")
        + ("; they lie in a plane, onto which its mass is put" if condensed.free and condensed.carried_by.flat else "")
    )
    return condensed


_CONDENSATION_CACHE: dict[str, tuple[Condensation, float]] = {}
"""Most recent condensations, with the computing time of each: analyses of one model all start from its document."""
MAX_CACHED_CONDENSATIONS = 3
VISCOSITY_RTOL = 1e-9
"""Relative difference of viscosities that still count as proportional to stiffness; only rounding is expected."""


def _cached_condensation(
    part: SolidPart, held: Array, kept: Array, skin: bool, at: ErrorContext
) -> tuple[Condensation, float]:
    """Condensation from the cache or newly computed, and its computing time, s."""
    digest = hashlib.sha256(repr((skin, part.thickness, part.mesh.kind.name)).encode())
    for array in (part.mesh.nodes, part.mesh.cells, held, kept):
        digest.update(np.ascontiguousarray(array).tobytes())
    for filling in part.fillings:
        digest.update(repr((id(filling.material), filling.constants, filling.mean)).encode() + filling.cells.tobytes())
    key = digest.hexdigest()
    if key not in _CONDENSATION_CACHE:
        began = time.perf_counter()
        condensation = Condensation(part.mesh.nodes, part.fillings, held, kept, skin, at)
        _CONDENSATION_CACHE[key] = condensation, time.perf_counter() - began
        while len(_CONDENSATION_CACHE) > MAX_CACHED_CONDENSATIONS:
            _CONDENSATION_CACHE.pop(next(iter(_CONDENSATION_CACHE)))
    return _CONDENSATION_CACHE[key]


def linearise_material(filling: MaterialRegion, at: ErrorContext) -> tuple[MaterialRegion, float]:
    """Linearised material of the condensed part: its stiffness at small strains, and its stiffness-proportional damping, s."""
    lame, shear = lame_constants(filling.material, filling.constants)
    beta = 0.0
    if filling.viscosity is not None:
        _, constants = filling.viscosity
        beta = constants[0] / shear
        if not np.allclose(constants, proportional_viscosity(beta, lame, shear), rtol=VISCOSITY_RTOL):
            at.fail("has viscosities", list(constants), "damping that is proportional to stiffness: `damping`, s")
    viscosity = (SmallViscosity, proportional_viscosity(beta, lame, shear)) if beta else None
    return filling._replace(material=LinearElastic, constants=(lame, shear), viscosity=viscosity), beta


def _nearest_kept_node(places: Array, local: tuple[float, ...], kept: Array) -> tuple[float, ...]:
    """Retained node nearest to a node."""
    distance = np.linalg.norm(places[kept] - places[int(local[0])], axis=1)
    return (float(kept[np.argmin(distance)]), 1.0)
