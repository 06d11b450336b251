"""A solid pad on a solid section of a limb: finite elements in plane strain around a rigid bone, with contact between them.

The section is a ring of tissue between bone and skin, the pad a sector of a ring on it, whose outer side is rigid and is moved
by the force. Both are linear solids of which the nodes that may touch are left, as compliances (contact/compliance.py). With
C = C_limb + C_pad between the radial directions n of these nodes, forces f >= 0 and the motion d of the pad's outer side:

    gap = g + C f + N d >= 0        f >= 0        f gap = 0        -N^T f = F

No friction: what shears is left to the bed. What the foundation does not know, this does: tissue that bulges beside the pad,
pressures that concentrate at its edges, and a bone that is near or far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.contact.compliance import CompliantSolid
from gaitwright.errors import DidNotConverge
from gaitwright.foot.layer import Layer
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.lattices import grid_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.wear.pads.cells import gap_of
from gaitwright.wear.pads.pad import Pad

if TYPE_CHECKING:
    from gaitwright.wear.pads.pressure import PadPressure

SHELL = Layer(0.004, 2.0e7, 0.3)
"""A pad without a cushion: a shell that is hard to tissue."""
CLOSED = 180.0
"""Degrees: of a cuff that goes further around, this much is pressed; the rest does not touch."""
FINE = 40
"""Elements by radius of the limb, unless told."""
ROUNDS = 200


@dataclass(frozen=True)
class Section:
    """angle: (k,), degrees from the pad's middle; pressure: (k,), Pa; force: (2,), N/m, on the limb: towards its axis, and
    sideways (the way that angles grow); displacement: (2,), m, of the pad's outer side, likewise. edges:
    degrees, and springs: Pa between them, what the foundation has under the same force, where both were asked."""

    angle: Array
    pressure: Array
    force: Array
    displacement: Array
    edges: Array | None = None
    springs: Array | None = None

    def mean_between(self, edges: Array) -> Array:
        """Pa, between angles, degrees: what a sensor there would see. Below the edge of a stiff pad the pressure of a point has
        no bound, as below a punch, and depends on the mesh; means do not."""
        half = 0.5 * np.diff(self.angle)
        ends = np.concatenate([self.angle[:1], self.angle[:-1] + half, self.angle[-1:]])
        carried = np.concatenate([[0.0], np.cumsum(self.pressure * np.diff(ends))])
        return np.diff(np.interp(edges, ends, carried)) / np.diff(edges)


def solid_section(pad: Pad, pressing: float, sideways: float = 0.0, fine: int = FINE) -> Section:
    """pressing, sideways: N/m, force by length of the limb, towards its axis and across. fine: elements by radius."""
    pad.at["force"].positive(pressing, "N/m")
    radius, soft, cushion = pad.mean_radius, pad.soft, pad.cushion or SHELL
    reach = math.radians(min(pad.around, CLOSED))
    step = 1.0 / fine
    inside = 2 * math.ceil(0.5 * reach / step) + 1
    below = np.linspace(-0.5 * reach, 0.5 * reach, inside)  # an even number of sides: the mesh is symmetric
    outside = 2 * math.ceil(0.5 * (2.0 * math.pi - reach) / step)
    free = np.linspace(0.5 * reach, 2.0 * math.pi - 0.5 * reach, outside + 1)[1:-1]
    size = radius * step
    bone = bone_of(pad)
    deep, high = (
        np.linspace(start, end, 1 + max(2, math.ceil((end - start) / size)))
        for start, end in ((bone, radius), (radius, radius + cushion.thickness))
    )
    compliance = np.zeros((inside, inside))
    normal = np.stack([np.cos(below), np.sin(below)], axis=1)
    for radii, angles, layer in ((deep, np.concatenate([below, free]), soft), (high, below, cushion)):
        mesh = _ring(radii, angles, closed=layer is soft)
        rows = np.arange(len(mesh.nodes)).reshape(len(radii), -1)
        core, skin = (rows[0], rows[-1, :inside]) if layer is soft else (rows[-1], rows[0])
        mesh = mesh.with_region("core", nodes=core, cells=[]).with_region("skin", nodes=skin, cells=[])
        material = LinearElastic(youngs_modulus=layer.youngs_modulus, poissons_ratio=layer.poissons_ratio)
        C = CompliantSolid.of_mesh(mesh, material, "core", "skin").compliance
        compliance += np.einsum("ia,ijab,jb->ij", normal, C, normal)
    gap = gap_of(pad, below, np.full(inside, radius))
    forces, moved = _touching(compliance, gap, normal, np.array([pressing, sideways]), pad)
    lengths = radius * np.gradient(below)
    lengths[[0, -1]] *= 0.5
    return Section(np.degrees(below), forces / lengths, -forces @ normal * [1.0, -1.0], moved)


def _ring(radii: Array, angles: Array, closed: bool) -> Mesh:
    """Triangles between circles; nodes by circle and angle."""
    count = len(angles)
    nodes = (radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)).reshape(-1, 2)
    cells = grid_cells((len(radii) - 1, count if closed else count - 1))
    if closed:  # the last column is the first
        row, column = np.divmod(cells, count + 1)
        cells = row * count + column % count
    return Mesh(nodes, cells)


def _touching(C: Array, gap: Array, normal: Array, force: Array, pad: Pad) -> tuple[Array, Array]:
    """Forces of the nodes, N/m, and the motion of the pad, m, in the directions of the force: those that pull leave the set of
    nodes that touch, those that penetrate enter it, until none does."""
    count = len(gap)
    motion = -normal * [1.0, -1.0]  # how a motion of the pad towards the axis, and sideways, closes gaps
    touching = gap <= gap.min() + 1e-9 if np.ptp(gap) > 0.0 else np.ones(count, dtype=bool)
    touching |= np.abs(np.arange(count) - count // 2) <= max(1, count // 4)
    for _ in range(ROUNDS):
        on = np.flatnonzero(touching)
        a = len(on)
        matrix = np.zeros((a + 2, a + 2))
        matrix[:a, :a], matrix[:a, a:] = C[np.ix_(on, on)], motion[on]
        matrix[a:, :a] = -motion[on].T
        matrix[a:, a:] = 1e-12 * np.eye(2) * np.trace(C) ** -1  # sideways, a flat pad is held by nothing
        solved = np.linalg.solve(matrix, np.concatenate([-gap[on], force]))
        f = np.zeros(count)
        f[on] = solved[:a]
        left = gap + C @ f + motion @ solved[a:]
        pulls = touching & (f < -1e-12 * np.abs(f).max())
        enters = ~touching & (left < -1e-12 * np.abs(left).max())
        if not (pulls.any() or enters.any()):
            return f, solved[a:]
        touching = (touching & ~pulls) | enters
    raise DidNotConverge(f"{pad.at.element}: no set of touching nodes was found in its section")


def bone_of(pad: Pad) -> float:
    """m: radius of what is rigid inside: that of the pad if given, else where its soft tissue ends."""
    if pad.bone is None:
        return pad.mean_radius - pad.soft.thickness
    if pad.bone >= pad.mean_radius:
        pad.at["bone"].fail("is not inside the limb", pad.bone, f"less than {pad.mean_radius:g} m")
    return pad.at["bone"].positive(pad.bone, "m")


def at_the_worst(found: PadPressure) -> PadPressure:
    """A pressure by foundation, with that of a section at the instant of the largest pressure: everything is scaled by what the
    section's largest pressure is of the foundation's, in cells of the same size, under the same force straight towards the
    limb."""
    from gaitwright.wear.pads.pressure import by_foundation

    pad = found.pad
    worst = int(np.argmax(found.peak))
    pressing = float(found.pressing[worst])
    if not pressing > 0.0:
        return replace(found, method="solid", notes=(*found.notes, "nothing presses: no section was computed"))
    around = min(pad.around, CLOSED)
    straight = replace(pad, strap=None, cells=None, facing=0.0, around=around, friction=0.0)
    bed = by_foundation(straight, np.array([[-pressing, 0.0, 0.0]]), np.zeros((1, 3)), np.zeros(1))
    section = solid_section(straight, pressing / pad.width)
    edges = np.linspace(-0.5, 0.5, straight.cells[1] + 1) * around  # type: ignore[index]
    section = replace(section, edges=edges, springs=np.asarray(bed.pressure)[0, 0])
    ratio = float(section.mean_between(edges).max() / bed.peak[0])
    note = (
        f"at {found.time[worst]:.3g} s a section by finite elements has {ratio:.2f} times the largest pressure of the"
        f" foundation under {pressing:.3g} N; all pressures are scaled by it"
    )
    scaled = found.pressure * ratio
    scaled.attrs = found.pressure.attrs
    return replace(found, pressure=scaled, method="solid", notes=(*found.notes, note), section=section, scale=ratio)
