"""What results show of a solid as a whole, of its regions and of what holds it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mesh.measure import volumes
from gaitwright.system.parts.base import OutputOf
from gaitwright.system.parts.quantities import POINT_OF
from gaitwright.system.signals import evaluate_program
from gaitwright.system.solids.alone import forces_alone
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    from gaitwright.system.parts.solid import SolidPart


def solid_outputs(part: SolidPart) -> Iterator[OutputOf]:
    """All of them are computed when asked for."""
    known = POINT_OF[part.dimension]
    for what, (unit, text, value) in known.items():
        yield OutputOf(what, unit, f"centre of mass: {text}", lambda motion, value=value: value(*_centre(part, motion)))
    for name in (*part.points, *part.mesh.regions):
        place = part.place(name)
        if place is not None and name not in known:
            yield from part.outputs_at(place, f"{name}.", f"{name}: ")
    for name, held in part.supports.items():
        for k in np.flatnonzero(held.any(axis=0)):
            text = f"force of what holds it on the solid along {'xyz'[k]}"
            yield OutputOf(
                f"{name}.reaction_{'xyz'[k]}", "N", text, functools.partial(_reaction, part, held[:, k], int(k))
            )
    volume = "m^3" if part.dimension == 3 else "m^2"
    yield OutputOf("largest_displacement", "m", "largest displacement of a node", functools.partial(_largest, part))
    yield OutputOf("von_mises", "Pa", "largest von Mises stress", functools.partial(_von_mises, part))
    yield OutputOf("volume", volume, "volume as it is deformed", functools.partial(_volume, part))


def _centre(part: SolidPart, motion: Any) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of the centre of mass, (n_times, d)."""
    shares = part.node_masses / part.node_masses.sum()
    moved = part.displacements(motion.q), part.rates(motion.v), part.rates(motion.a)
    u, v, a = (np.einsum("a,tai->ti", shares, x) for x in moved)
    return shares @ part.mesh.nodes + u, v, a


def _reaction(part: SolidPart, held: Array, axis: int, motion: Any) -> Array:
    """M u'' - f, summed over the nodes that are held along an axis. Loads on its surface count, also where it is held."""
    blocks = part.blocks(part.gravity)
    cells, matrices = part.mesh.cells, part.element_masses
    loads = [(block, np.array([evaluate_program(p, motion.t)[0] for p in programs])) for block, programs in part.loads]
    found = []
    for k, (q, v, a) in enumerate(zip(motion.q, motion.v, motion.a, strict=True)):
        given = [*((block, ()) for block in blocks), *((block, signals[:, k]) for block, signals in loads)]
        u, u_v = part.displacements(q), part.rates(v)
        Q = np.sum([forces_alone(block, u, u_v, signals) for block, signals in given], axis=0)
        along = part.rates(a)[:, axis]
        inertia = np.bincount(
            cells.ravel(), np.einsum("eab,eb->ea", matrices, along[cells]).ravel(), minlength=len(part.mesh.nodes)
        )
        found.append((inertia - Q[:, axis])[held].sum())
    return np.array(found)


def _largest(part: SolidPart, motion: Any) -> Array:
    return np.array([np.linalg.norm(part.displacements(q), axis=1).max() for q in motion.q])


def _von_mises(part: SolidPart, motion: Any) -> Array:
    return np.array([part.strain(q).stress for q in motion.q])


def _volume(part: SolidPart, motion: Any) -> Array:
    cells, kind = part.mesh.cells, part.mesh.kind
    return np.array([volumes(part.mesh.nodes + part.displacements(q), cells, kind).sum() for q in motion.q])
