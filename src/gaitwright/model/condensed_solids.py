"""Solids that are condensed to some of their nodes: what of them is kept, and what that costs."""

from __future__ import annotations

import hashlib
import time
from dataclasses import fields
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.model.solid_supports import nodes_of
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.viscous import SmallViscosity, proportional
from gaitwright.system.parts.condensed_solid import CondensedSolidPart
from gaitwright.system.parts.solid import Filling, SolidPart
from gaitwright.system.solids.condensation import Condensation, only
from gaitwright.system.solids.geometry import HELD
from gaitwright.system.solids.kernels import small_strain

Array = np.ndarray
MOST = 3_000
"""Coordinates that are kept: a dense matrix of as many rows has 72 MB, and its factors take half a second."""


def read_condensed(entry: Any, part: SolidPart, held: Array, at: At, notes: list[str]) -> CondensedSolidPart:
    """The same solid with its inner nodes condensed. held: (nodes, d), which displacements are zero. notes: what is said of it
    is put to these."""
    here, mesh = at["condensed"], part.mesh
    for body, *_ in (*part.tied, *part.pinned):
        here.fail(
            f"follows '{body.name}'",
            expected="quasi_static: {condensed: true, ...} for a solid that a body wears, or joints between that body and "
            "nodes that are kept",
        )
    if entry.lumped:
        at["lumped"].fail("is not for a condensed solid, whose mass couples the nodes that are kept", True, "false")
    given = entry.condensed.onto if isinstance(entry.condensed.onto, list) else [entry.condensed.onto]
    chosen = np.any([nodes_of(one, here["onto"], mesh) for one in given], axis=0) & ~held.all(axis=1)
    free = ~held & chosen[:, None]
    moving = part.number[~held & ~chosen[:, None]]
    if len(np.unique(moving)) < moving.size or np.isin(moving, part.number[free]).any():
        here["onto"].fail(
            "leaves out nodes that a drive displaces", expected="the region of the drive among those kept"
        )
    number = np.full(held.shape, HELD)
    number[free] = np.unique(part.number[free], return_inverse=True)[1]
    count = int(number.max(initial=HELD)) + 1
    if count > MOST:
        here["onto"].fail(
            f"keeps {count} coordinates",
            expected=f"at most {MOST}: fewer nodes, quasi_static: {{condensed: true, ...}}, or the solid without condensed",
        )
    condensation, took = _condensation(part, held, np.flatnonzero(chosen), entry.condensed.skin, here)
    inside = [
        linear(only(f, cells), here) for f, cells in zip(part.fillings, condensation.inside, strict=True) if cells.any()
    ]
    skin = tuple(only(f, ~cells) for f, cells in zip(part.fillings, condensation.inside, strict=True) if (~cells).any())
    dampings = {beta for _, beta in inside}
    if len(dampings) > 1:
        at["material"].fail("has several dampings", sorted(dampings), "one for all that is condensed")
    same = {f.name: getattr(part, f.name) for f in fields(SolidPart)}
    kept = np.flatnonzero(chosen)
    same |= {
        "number": number, "drawn": np.zeros(count), "fillings": (*(filling for filling, _ in inside), *skin),
        "points": {name: _nearest_kept(mesh.nodes, place, kept) for name, place in part.points.items()},
    }  # fmt: skip
    found = CondensedSolidPart(
        **same, condensation=condensation, kept=kept, fixed=held, nonlinear=skin, damping=dampings.pop()
    )
    notes.append(
        f"solid '{part.name}': condensed onto {len(kept)} nodes in {took:.2g} s: {count} coordinates in place of "
        f"{int((~held).sum())}, a dense matrix of {8e-6 * condensation.size**2:.2g} MB; "
        + ("its frame turns with these nodes" if found.free else "it is held, so it is linear and does not turn")
        + (f"; {sum(len(f.cells) for f in skin)} cells between them stay nonlinear" if skin else "")
        + ("; they lie in a plane, onto which its mass is put" if found.free and found.carried_by.flat else "")
    )
    return found


_KEPT: dict[str, tuple[Condensation, float]] = {}
"""The last ones, with the time that each took: analyses of one model begin with its document."""
REMEMBERED = 3
SAME = 1e-9
"""Relative difference of viscosities up to which they are proportional to stiffness: they were computed so."""


def _condensation(part: SolidPart, held: Array, kept: Array, skin: bool, at: At) -> tuple[Condensation, float]:
    """And how long it took, s."""
    digest = hashlib.sha256(repr((skin, part.thickness, part.mesh.kind.name)).encode())
    for array in (part.mesh.nodes, part.mesh.cells, held, kept):
        digest.update(np.ascontiguousarray(array).tobytes())
    for filling in part.fillings:
        digest.update(repr((id(filling.material), filling.constants, filling.mean)).encode() + filling.cells.tobytes())
    key = digest.hexdigest()
    if key not in _KEPT:
        began = time.perf_counter()
        found = Condensation(part.mesh.nodes, part.fillings, held, kept, skin, at)
        _KEPT[key] = found, time.perf_counter() - began
        while len(_KEPT) > REMEMBERED:
            _KEPT.pop(next(iter(_KEPT)))
    return _KEPT[key]


def linear(filling: Filling, at: At) -> tuple[Filling, float]:
    """What is condensed of a material: its stiffness at small strains, and its damping by stiffness, s."""
    lame, shear = small_strain(filling.material, filling.constants)
    beta = 0.0
    if filling.viscosity is not None:
        _, constants = filling.viscosity
        beta = constants[0] / shear
        if not np.allclose(constants, proportional(beta, lame, shear), rtol=SAME):
            at.fail("has viscosities", list(constants), "damping that is proportional to stiffness: `damping`, s")
    viscosity = (SmallViscosity, proportional(beta, lame, shear)) if beta else None
    return filling._replace(material=LinearElastic, constants=(lame, shear), viscosity=viscosity), beta


def _nearest_kept(places: Array, local: tuple[float, ...], kept: Array) -> tuple[float, ...]:
    """The kept node next to a node."""
    distance = np.linalg.norm(places[kept] - places[int(local[0])], axis=1)
    return (float(kept[np.argmin(distance)]), 1.0)
