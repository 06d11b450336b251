"""Outputs of a solid as a whole, of its regions and of its supports."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.mechanism.parts.base import PartOutput
from gaitwright.mechanism.parts.point_outputs import POINT_OUTPUTS
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.cell_measures import volumes

if TYPE_CHECKING:
    from gaitwright.fem.solid_part import SolidPart


import ctypes

from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mechanism.blocks import ElementBlock


def solid_outputs(part: SolidPart) -> Iterator[PartOutput]:
    """Yield the outputs of a solid; each is computed on demand."""
    point_outputs = POINT_OUTPUTS[part.dimension]
    for name, (unit, text, value) in point_outputs.items():
        yield PartOutput(
            name,
            unit,
            f"centre of mass: {text}",
            lambda motion, value=value: value(*_centre_of_mass_motion(part, motion)),
        )
    for name in (*part.points, *part.mesh.regions):
        place = part.place(name)
        if place is not None and name not in point_outputs:
            yield from part.outputs_at(place, f"{name}.", f"{name}: ")
    for name, mask in part.supports.items():
        for k in np.flatnonzero(mask.any(axis=0)):
            text = f"force of the support on the solid along {'xyz'[k]}"
            yield PartOutput(
                f"{name}.reaction_{'xyz'[k]}", "N", text, functools.partial(_support_reaction, part, mask[:, k], int(k))
            )
    volume = "m^3" if part.dimension == 3 else "m^2"
    yield PartOutput(
        "largest_displacement", "m", "largest displacement of a node", functools.partial(_largest_displacement, part)
    )
    yield PartOutput("von_mises", "Pa", "largest von Mises stress", functools.partial(_largest_von_mises_stress, part))
    yield PartOutput("volume", volume, "deformed volume", functools.partial(_deformed_volume, part))


def _centre_of_mass_motion(part: SolidPart, motion: Any) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of the centre of mass, (n_times, d)."""
    shares = part.node_masses / part.node_masses.sum()
    moved = part.displacements(motion.q), part.rates(motion.v), part.rates(motion.a)
    u, v, a = (np.einsum("a,tai->ti", shares, x) for x in moved)
    return shares @ part.mesh.nodes + u, v, a


def _support_reaction(part: SolidPart, is_held: Array, axis: int, motion: Any) -> Array:
    """M u'' - f, summed over the nodes held along an axis. Loads on its surface count, including those on held nodes."""
    blocks = part.blocks(part.gravity)
    cells, matrices = part.mesh.cells, part.element_masses
    loads = [(block, np.array([evaluate_program(p, motion.t)[0] for p in programs])) for block, programs in part.loads]
    reactions = []
    for k, (q, v, a) in enumerate(zip(motion.q, motion.v, motion.a, strict=True)):
        loaded = [*((block, ()) for block in blocks), *((block, signals[:, k]) for block, signals in loads)]
        u, u_v = part.displacements(q), part.rates(v)
        Q = np.sum([evaluate_block_forces(block, u, u_v, signals) for block, signals in loaded], axis=0)
        along = part.rates(a)[:, axis]
        inertia = np.bincount(
            cells.ravel(), np.einsum("eab,eb->ea", matrices, along[cells]).ravel(), minlength=len(part.mesh.nodes)
        )
        reactions.append((inertia - Q[:, axis])[is_held].sum())
    return np.array(reactions)


def _largest_displacement(part: SolidPart, motion: Any) -> Array:
    return np.array([np.linalg.norm(part.displacements(q), axis=1).max() for q in motion.q])


def _largest_von_mises_stress(part: SolidPart, motion: Any) -> Array:
    return np.array([part.strain(q).stress for q in motion.q])


def _deformed_volume(part: SolidPart, motion: Any) -> Array:
    cells, kind = part.mesh.cells, part.mesh.kind
    return np.array([volumes(part.mesh.nodes + part.displacements(q), cells, kind).sum() for q in motion.q])


# Forces of elements outside of the tables -----------------------------------------------------------------------------


def evaluate_block_forces(block: ElementBlock, u: Array, v: Array, signals: Array | tuple[float, ...] = ()) -> Array:
    """Return the forces of all nodes, (nodes, d), N. u, v: their displacements, m, and velocities, m/s; the block numbers its
    coordinates like these arrays. signals: values of its functions of time."""
    total = np.zeros(u.size)
    arrays = [
        np.ascontiguousarray(block.coordinates, dtype=np.int32), np.ascontiguousarray(block.parameters, dtype=float),
        np.tile(np.arange(len(signals), dtype=np.int32), block.count),
        np.ascontiguousarray(u, dtype=float), np.ascontiguousarray(v, dtype=float),
        np.repeat(np.asarray(signals, dtype=float), 3), total,
    ]  # fmt: skip
    pointer = compiled_kernel(block.declaration.kernels, "force")
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(pointer.address)
    call(block.count, *(array.ctypes.data for array in arrays))
    return total.reshape(u.shape)
