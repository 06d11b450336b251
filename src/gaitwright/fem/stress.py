"""Fields at the integration points of a deformed solid, and their extrapolation to its nodes.

    sigma = P F^T / J        Cauchy stress: force per deformed area, ground frame
    von Mises = sqrt(3/2 s:s)        s = sigma - tr(sigma)/3 I

In plane strain there is a stress across the plane, too, so all quantities are three-dimensional. With mean dilatation, F is
scaled to the volume change of the element: its stress gives the forces of the element. For materials of small strains sigma =
P: their areas do not change.
"""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np

from gaitwright.fem.element_geometry import ElementGeometry
from gaitwright.fem.material_point import build_points_module
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.cell_measures import sum_by_index
from gaitwright.physics.materials.base import Material


class PointFields(NamedTuple):
    """Fields at points, (elements, points, ...)."""

    gradient: Array
    """Deformation gradient F, (3, 3)."""
    stress: Array
    """Cauchy stress, (3, 3), Pa."""
    energy_density: Array
    """Energy W per undeformed volume, J/m^3."""

    @property
    def volume_ratio(self) -> Array:
        """Volume ratio J."""
        return np.linalg.det(self.gradient)

    @property
    def pressure(self) -> Array:
        """-tr(sigma)/3, Pa: positive under compression from all sides."""
        return -np.trace(self.stress, axis1=-2, axis2=-1) / 3

    @property
    def von_mises(self) -> Array:
        """Von Mises stress, Pa."""
        deviator = self.stress + self.pressure[..., None, None] * np.eye(3)
        return np.sqrt(1.5 * np.einsum("...ij,...ij->...", deviator, deviator))

    @property
    def principal_stresses(self) -> Array:
        """Principal stresses, Pa, the largest first."""
        return np.linalg.eigvalsh(self.stress)[..., ::-1]

    @property
    def principal_stretches(self) -> Array:
        """Principal stretches, the largest first."""
        return np.linalg.svd(self.gradient, compute_uv=False)


def evaluate_point_fields(
    material: type[Material], constants: Array, geometry: ElementGeometry, displacements: Array, mean: bool = False
) -> PointFields:
    """Evaluate the fields of a solid of one material. constants: of all or (elements, numbers); displacements: of the nodes,
    (nodes, d), m."""
    u = np.asarray(displacements, dtype=float)[geometry.cells]
    H = np.einsum("eai,epaj->epij", u - u[:, :1], geometry.gradients)
    H = _apply_mean_dilatation(material, geometry, H) if mean else H
    count, d = H.shape[0] * H.shape[1], H.shape[-1]
    space = np.zeros((count, 3, 3))
    space[:, :d, :d] = H.reshape(count, d, d)
    module = build_points_module(material, 3)
    par = np.broadcast_to(constants, (len(geometry.cells), module.N_PAR))
    par = np.ascontiguousarray(np.repeat(par, H.shape[1], axis=0), dtype=float)
    shape = H.shape[:2]
    P = _call_point_kernel(module, "stress", par, space, 9).reshape(*shape, 3, 3)
    W = _call_point_kernel(module, "energy", par, space, 1).reshape(shape)
    F = space.reshape(*shape, 3, 3) + np.eye(3)
    if material.linear:
        return PointFields(F, P, W)
    return PointFields(F, P @ F.swapaxes(-1, -2) / np.linalg.det(F)[..., None, None], W)


def _apply_mean_dilatation(material: type[Material], geometry: ElementGeometry, H: Array) -> Array:
    """Return H with its dilatation replaced by the mean over each element."""
    d = H.shape[-1]
    share = geometry.weights / geometry.volumes[:, None]
    if material.linear:
        trace = np.trace(H, axis1=-2, axis2=-1)
        return H + (((share * trace).sum(axis=1)[:, None] - trace) / d)[..., None, None] * np.eye(d)
    F = H + np.eye(d)
    J = np.linalg.det(F)
    mean = (share * J).sum(axis=1)[:, None]
    return ((mean / J) ** (1 / d))[..., None, None] * F - np.eye(d)


def _call_point_kernel(module: object, kernel: str, par: Array, gradients: Array, size: int) -> Array:
    """Call a kernel of a material at many points."""
    out = np.zeros((len(gradients), size))
    pointer = compiled_kernel(module, kernel)  # pyright: ignore[reportArgumentType]
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)(pointer.address)
    call(len(gradients), *(array.ctypes.data for array in (par, gradients, out)))
    return out


def extrapolate_to_nodes(geometry: ElementGeometry, values: Array, count: int) -> Array:
    """Extrapolate from points, (elements, points, ...), to nodes, (count, ...): linearly in each element, then the mean of
    the elements around a node, weighted by volume."""
    shape = geometry.shape
    kind = shape.kind
    corners = np.eye(kind.corners)
    if len(shape.rule) == 1:
        matrix = np.ones((kind.nodes, 1))
    else:
        places = (
            corners
            if kind.order == 1
            else np.concatenate((corners, [(corners[i] + corners[j]) / 2 for i, j in kind.edges]))
        )
        # the barycentric coordinates are the shape functions of a linear function
        matrix = places @ np.linalg.pinv(shape.points)
    values = np.asarray(values, dtype=float)
    flat = values.reshape(*values.shape[:2], -1)
    weights = np.broadcast_to(geometry.volumes[:, None], geometry.cells.shape)
    local = np.einsum("ap,epk->eak", matrix, flat) * weights[..., None]
    index = geometry.cells.ravel()
    total = sum_by_index(index, local.reshape(index.size, -1), count)
    around = np.bincount(index, weights.ravel(), minlength=count)
    nodal = np.divide(total, around[:, None], out=np.zeros_like(total), where=around[:, None] > 0)
    return nodal.reshape(count, *values.shape[2:])
