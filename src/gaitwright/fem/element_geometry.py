"""Geometry of undeformed elements of a mesh, as parameters of their kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.fem.element_types import ElementType

Array = np.ndarray
HELD_COORDINATE = -1
"""Coordinate index of a displacement that is held."""


class ElementGeometry(NamedTuple):
    """Elements of one kind. cells: nodes of each, (elements, nodes); gradients: of the shape functions at the integration
    points, (elements, points, nodes, d), 1/m; weights: volumes of the points, (elements, points), m^3."""

    shape: ElementType
    cells: Array
    gradients: Array
    weights: Array

    @property
    def volumes(self) -> Array:
        return self.weights.sum(axis=1)

    def without(self, left_out: Array) -> ElementGeometry:
        """Return the same geometry without some elements."""
        if not left_out.any():
            return self
        return self._replace(
            cells=self.cells[~left_out], gradients=self.gradients[~left_out], weights=self.weights[~left_out]
        )

    def parameters(self, constants: Array) -> Array:
        """Return the parameters of a material's kernels (element_loops.py): (elements, numbers). constants: of the material,
        for all elements or (elements, numbers)."""
        constants = np.broadcast_to(constants, (len(self.cells), np.shape(constants)[-1]))
        points = np.concatenate(
            (self.weights[:, :, None], self.gradients[:, :, 1:].reshape(*self.weights.shape, -1)), axis=2
        )
        return np.concatenate((constants, points.reshape(len(self.cells), -1)), axis=1)

    def dof(self, coordinates: Array) -> Array:
        """Coordinates of the elements, (elements, nodes d), from those of the nodes, (nodes, d)."""
        return coordinates[self.cells].reshape(len(self.cells), -1)


def build_element_geometry(
    shape: ElementType, nodes: Array, cells: Array, thickness: float = 1.0, at: ErrorContext | None = None
) -> ElementGeometry:
    """Compute the geometry of elements. nodes: positions, (n, d), m; cells: (elements, nodes), in the order of
    mesh/cell_kinds.py. thickness: of a planar solid, m. Raises ModelError, with the number of the element, if an element has
    no volume or is inverted."""
    at = at or ErrorContext("mesh")
    places, cells = np.asarray(nodes, dtype=float), np.asarray(cells)
    if cells.ndim != 2 or cells.shape[1] != shape.nodes or places.ndim != 2 or places.shape[1] != shape.dimension:
        at.fail(
            f"has nodes of {places.shape[-1]} coordinates and cells of {cells.shape[-1]} nodes",
            expected=f"{shape.dimension} coordinates and {shape.nodes} nodes, as {shape.name} has",
        )
    slopes = shape.slopes()
    jacobian = np.einsum("eai,pak->epik", places[cells], slopes)
    size = np.linalg.det(jacobian)
    if not np.all(size > 0):  # also if something is NaN
        bad = int(np.argmin(np.where(np.isfinite(size), size, -np.inf).min(axis=1)))
        at["cells"].fail(
            f"element {bad} has no volume, or its nodes are in the wrong order", cells[bad].tolist(),
            "corners counter-clockwise, in space so that the fourth is on the side to which a right-handed screw moves",
        )  # fmt: skip
    gradients = np.einsum("pak,epki->epai", slopes, np.linalg.inv(jacobian))
    return ElementGeometry(shape, cells, gradients, size * shape.weights * (thickness if shape.dimension == 2 else 1.0))
