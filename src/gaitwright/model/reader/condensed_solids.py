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
    entry: SolidSpec, part: SolidPart, is_fixed: Array, at: ErrorContext, notes: list[str]
) -> CondensedSolidPart:
    """Same solid with its inner nodes condensed. is_fixed: bool[nodes, d], True for zero displacements. notes: list to
    which notes about it are appended."""
    context, mesh, spec = at["condensed"], part.mesh, entry.condensed
    assert spec is not None
    for body, *_ in (*part.tied, *part.pinned):
        context.fail(
            f"follows '{body.name}'",
            expected="quasi_static: {condensed: true, ...} for a solid that a body wears, or joints between that body and "
            "nodes that are kept",
        )
    if entry.lumped:
        at["lumped"].fail("is not for a condensed solid, whose mass couples the nodes that are kept", True, "false")
    regions = spec.onto if isinstance(spec.onto, list) else [spec.onto]
    is_retained = np.any([select_nodes(region, context["onto"], mesh) for region in regions], axis=0) & ~is_fixed.all(
        axis=1
    )
    free = ~is_fixed & is_retained[:, None]
    condensed_coordinates = part.number[~is_fixed & ~is_retained[:, None]]
    if (
        len(np.unique(condensed_coordinates)) < condensed_coordinates.size
        or np.isin(condensed_coordinates, part.number[free]).any()
    ):
        context["onto"].fail(
            "leaves out nodes that a drive displaces", expected="the region of the drive among those kept"
        )
    number = np.full(is_fixed.shape, HELD_COORDINATE)
    number[free] = np.unique(part.number[free], return_inverse=True)[1]
    count = int(number.max(initial=HELD_COORDINATE)) + 1
    if count > MAX_KEPT_COORDINATES:
        context["onto"].fail(
            f"keeps {count} coordinates",
            expected=(
                f"at most {MAX_KEPT_COORDINATES}: fewer nodes, quasi_static: {{condensed: true, ...}}, or the "
                f"solid without condensed"
            ),
        )
    condensation, duration = _cached_condensation(part, is_fixed, np.flatnonzero(is_retained), spec.skin, context)
    linear_fillings = [
        linearise_material(select_cells(f, cells), context)
        for f, cells in zip(part.fillings, condensation.inside, strict=True)
        if cells.any()
    ]
    skin = tuple(
        select_cells(f, ~cells) for f, cells in zip(part.fillings, condensation.inside, strict=True) if (~cells).any()
    )
    dampings = {beta for _, beta in linear_fillings}
    if len(dampings) > 1:
        at["material"].fail("has several dampings", sorted(dampings), "one for all that is condensed")
    shared_fields = {f.name: getattr(part, f.name) for f in fields(SolidPart)}
    retained = np.flatnonzero(is_retained)
    shared_fields |= {
        "number": number, "drawn": np.zeros(count), "fillings": (*(filling for filling, _ in linear_fillings), *skin),
        "points": {name: _nearest_kept_node(mesh.nodes, local, retained) for name, local in part.points.items()},
    }  # fmt: skip
    condensed = CondensedSolidPart(
        **shared_fields,
        condensation=condensation,
        kept=retained,
        fixed=is_fixed,
        nonlinear=skin,
        damping=dampings.pop(),
    )
    notes.append(
        f"solid '{part.name}': condensed onto {len(retained)} nodes in {duration:.2g} s: {count} coordinates in place of "
        f"{int((~is_fixed).sum())}, a dense matrix of {8e-6 * condensation.size**2:.2g} MB; "
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
    part: SolidPart, is_fixed: Array, retained: Array, skin: bool, at: ErrorContext
) -> tuple[Condensation, float]:
    """Condensation from the cache or newly computed, and its computing time, s."""
    digest = hashlib.sha256(repr((skin, part.thickness, part.mesh.kind.name)).encode())
    for array in (part.mesh.nodes, part.mesh.cells, is_fixed, retained):
        digest.update(np.ascontiguousarray(array).tobytes())
    for filling in part.fillings:
        digest.update(repr((id(filling.material), filling.constants, filling.mean)).encode() + filling.cells.tobytes())
    key = digest.hexdigest()
    if key not in _CONDENSATION_CACHE:
        start_time = time.perf_counter()
        condensation = Condensation(part.mesh.nodes, part.fillings, is_fixed, retained, skin, at)
        _CONDENSATION_CACHE[key] = condensation, time.perf_counter() - start_time
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


def _nearest_kept_node(positions: Array, local: tuple[float, ...], retained: Array) -> tuple[float, ...]:
    """Retained node nearest to a node."""
    distance = np.linalg.norm(positions[retained] - positions[int(local[0])], axis=1)
    return (float(retained[np.argmin(distance)]), 1.0)
