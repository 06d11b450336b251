"""A solid pad on a solid section of a limb: finite elements in plane strain around a rigid bone, with contact between them.

The section is a ring of tissue between bone and skin; the pad is a sector of a ring on it, whose rigid outer side is moved
by the force. Both are linear solids, condensed to compliances of the possible contact nodes (fem/compliant_solid.py). With
C = C_limb + C_pad between the radial directions n of these nodes, forces f >= 0 and the motion d of the pad's outer side:

    gap = g + C f + N d >= 0        f >= 0        f gap = 0        -N^T f = F

Contact is frictionless: shear is left to the foundation. In contrast to the foundation, the section includes tissue that
bulges beside the pad, pressure concentrations at the pad's edges, and the distance of the bone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.errors import DidNotConverge
from gaitwright.fem.compliant_solid import CompliantSolid
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.lattices import grid_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.wear.pads.cells import pad_gap
from gaitwright.wear.pads.pad import CuffPad

if TYPE_CHECKING:
    from gaitwright.wear.pads.pressure import PadPressure

SHELL_LAYER = SoftLayer(0.004, 2.0e7, 0.3)
"""Layer for a pad without a cushion: a shell, stiff compared with tissue."""
MAX_PRESSED_ANGLE_DEG = 180.0
"""Degrees: contact angle of a cuff that reaches further around; the rest does not touch."""
DEFAULT_ELEMENTS_PER_RADIUS = 40
"""Default number of elements per radius of the limb."""
MAX_CONTACT_ITERATIONS = 200


@dataclass(frozen=True)
class LimbSection:
    """Contact of a pad with a limb section. angle: (k,), degrees from the pad's middle; pressure: (k,), Pa; force: (2,),
    N/m, on the limb: towards its axis, and sideways (towards growing angles); displacement: (2,), m, of the pad's outer
    side, in the same directions. edges: degrees, and springs: Pa between them, pressure of the foundation under the same
    force, if both were computed."""

    angle: Array
    pressure: Array
    force: Array
    displacement: Array
    edges: Array | None = None
    springs: Array | None = None

    def mean_between(self, edges: Array) -> Array:
        """Mean pressures between angles, degrees, in Pa: the reading of a sensor there. Below the edge of a stiff pad the
        pressure at a point is singular, as below a punch, and depends on the mesh; means do not."""
        half = 0.5 * np.diff(self.angle)
        ends = np.concatenate([self.angle[:1], self.angle[:-1] + half, self.angle[-1:]])
        cumulative_force = np.concatenate([[0.0], np.cumsum(self.pressure * np.diff(ends))])
        return np.diff(np.interp(edges, ends, cumulative_force)) / np.diff(edges)


def solve_limb_section(
    pad: CuffPad, pressing: float, sideways: float = 0.0, elements_per_radius: int = DEFAULT_ELEMENTS_PER_RADIUS
) -> LimbSection:
    """Solve the contact of a pad with its limb section. pressing, sideways: N/m, force per length of the limb, towards its
    axis and across. elements_per_radius: mesh density. Raises ModelError for a force that is not positive, and
    DidNotConverge."""
    pad.at["force"].positive(pressing, "N/m")
    radius, soft, cushion = pad.mean_radius, pad.soft, pad.cushion or SHELL_LAYER
    reach = math.radians(min(pad.around, MAX_PRESSED_ANGLE_DEG))
    step = 1.0 / elements_per_radius
    contact_node_count = 2 * math.ceil(0.5 * reach / step) + 1
    contact_angles = np.linspace(
        -0.5 * reach, 0.5 * reach, contact_node_count
    )  # an even number of sides keeps the mesh symmetric
    free_side_count = 2 * math.ceil(0.5 * (2.0 * math.pi - reach) / step)
    free_angles = np.linspace(0.5 * reach, 2.0 * math.pi - 0.5 * reach, free_side_count + 1)[1:-1]
    size = radius * step
    bone = bone_radius(pad)
    tissue_radii, cushion_radii = (
        np.linspace(start, end, 1 + max(2, math.ceil((end - start) / size)))
        for start, end in ((bone, radius), (radius, radius + cushion.thickness))
    )
    compliance = np.zeros((contact_node_count, contact_node_count))
    normal = np.stack([np.cos(contact_angles), np.sin(contact_angles)], axis=1)
    for radii, angles, layer in (
        (tissue_radii, np.concatenate([contact_angles, free_angles]), soft),
        (cushion_radii, contact_angles, cushion),
    ):
        mesh = _ring_mesh(radii, angles, closed=layer is soft)
        rows = np.arange(len(mesh.nodes)).reshape(len(radii), -1)
        core, skin = (rows[0], rows[-1, :contact_node_count]) if layer is soft else (rows[-1], rows[0])
        mesh = mesh.with_region("core", nodes=core, cells=[]).with_region("skin", nodes=skin, cells=[])
        material = LinearElastic(youngs_modulus=layer.youngs_modulus, poissons_ratio=layer.poissons_ratio)
        C = CompliantSolid.of_mesh(mesh, material, "core", "skin").compliance
        compliance += np.einsum("ia,ijab,jb->ij", normal, C, normal)
    gap = pad_gap(pad, contact_angles, np.full(contact_node_count, radius))
    forces, displacement = _solve_contact(compliance, gap, normal, np.array([pressing, sideways]), pad)
    lengths = radius * np.gradient(contact_angles)
    lengths[[0, -1]] *= 0.5
    return LimbSection(np.degrees(contact_angles), forces / lengths, -forces @ normal * [1.0, -1.0], displacement)


def _ring_mesh(radii: Array, angles: Array, closed: bool) -> Mesh:
    """Triangle mesh between circles; nodes ordered by circle, then by angle."""
    count = len(angles)
    nodes = (radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)).reshape(-1, 2)
    cells = grid_cells((len(radii) - 1, count if closed else count - 1))
    if closed:  # the last column is the first one again
        row, column = np.divmod(cells, count + 1)
        cells = row * count + column % count
    return Mesh(nodes, cells)


def _solve_contact(C: Array, gap: Array, normal: Array, force: Array, pad: CuffPad) -> tuple[Array, Array]:
    """Forces of the nodes, N/m, and the motion of the pad, m, in the directions of the force, by an active-set iteration:
    nodes with tensile forces leave the active set, penetrating nodes enter it, until neither is left. Raises
    DidNotConverge."""
    count = len(gap)
    motion = -normal * [1.0, -1.0]  # gap closure per motion of the pad towards the axis, and sideways
    touching = gap <= gap.min() + 1e-9 if np.ptp(gap) > 0.0 else np.ones(count, dtype=bool)
    touching |= np.abs(np.arange(count) - count // 2) <= max(1, count // 4)
    for _ in range(MAX_CONTACT_ITERATIONS):
        active = np.flatnonzero(touching)
        a = len(active)
        matrix = np.zeros((a + 2, a + 2))
        matrix[:a, :a], matrix[:a, a:] = C[np.ix_(active, active)], motion[active]
        matrix[a:, :a] = -motion[active].T
        matrix[a:, a:] = 1e-12 * np.eye(2) * np.trace(C) ** -1  # regularisation: a flat pad is free sideways
        solution = np.linalg.solve(matrix, np.concatenate([-gap[active], force]))
        f = np.zeros(count)
        f[active] = solution[:a]
        left = gap + C @ f + motion @ solution[a:]
        pulls = touching & (f < -1e-12 * np.abs(f).max())
        enters = ~touching & (left < -1e-12 * np.abs(left).max())
        if not (pulls.any() or enters.any()):
            return f, solution[a:]
        touching = (touching & ~pulls) | enters
    raise DidNotConverge(f"{pad.at.element}: no set of touching nodes was found in its section")


def bone_radius(pad: CuffPad) -> float:
    """Radius of the rigid core, m: that of the pad if given, else the inner radius of its soft tissue."""
    if pad.bone is None:
        return pad.mean_radius - pad.soft.thickness
    if pad.bone >= pad.mean_radius:
        pad.at["bone"].fail("is not inside the limb", pad.bone, f"less than {pad.mean_radius:g} m")
    return pad.at["bone"].positive(pad.bone, "m")


def scale_by_solid_section(found: PadPressure) -> PadPressure:
    """Scale a pressure by foundation with a finite-element section at the instant of the largest pressure: the factor on all
    pressures is the largest pressure of the section over that of the foundation, in cells of the same size, under the same
    force straight towards the limb."""
    from gaitwright.wear.pads.pressure import press_by_foundation

    pad = found.pad
    worst = int(np.argmax(found.peak))
    pressing = float(found.pressing[worst])
    if not pressing > 0.0:
        return replace(found, method="solid", notes=(*found.notes, "nothing presses: no section was computed"))
    around = min(pad.around, MAX_PRESSED_ANGLE_DEG)
    straight = replace(pad, strap=None, cells=None, facing=0.0, around=around, friction=0.0)
    bed = press_by_foundation(straight, np.array([[-pressing, 0.0, 0.0]]), np.zeros((1, 3)), np.zeros(1))
    section = solve_limb_section(straight, pressing / pad.width)
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
