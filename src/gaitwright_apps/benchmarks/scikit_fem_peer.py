"""Solids in scikit-fem: forces and stiffness of linear elastic and neo-Hookean materials, in the style of its users."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np

Array = np.ndarray


def is_available() -> bool:
    return importlib.util.find_spec("skfem") is not None


class ScikitFemAssembly:
    """A solid of one material. mesh: of linear cells; order: of the elements; lame, shear: Pa."""

    def __init__(self, mesh: Any, order: int, material: str, lame: float, shear: float):
        fem: Any = importlib.import_module("skfem")
        self.fem, d = fem, mesh.nodes.shape[1]
        self.linear, self.lame, self.shear = material == "linear-elastic", lame, shear
        kind = {2: fem.MeshTri, 3: fem.MeshTet}[d]
        element = getattr(fem, f"Element{'Tri' if d == 2 else 'Tet'}P{order}")()
        nodes, cells = np.ascontiguousarray(mesh.nodes.T), np.ascontiguousarray(mesh.cells.T)
        vector = fem.ElementVector(element)
        # as many integration points as our elements
        self.basis = fem.Basis(kind(nodes, cells), vector, intorder=1 if order == 1 else 2)
        self.fine = fem.Basis(kind(nodes, cells), vector, intorder=4)

        def stress(v: Any, w: Any) -> Any:
            return np.einsum("ij...,ij...->...", w["P"], v.grad)

        def stiffness(u: Any, v: Any, w: Any) -> Any:
            inverse, volume = w["inverse"], w["volume"]
            turned = np.einsum("ji...,kj...->ik...", inverse, u.grad)
            turned = np.einsum("ik...,lk...->il...", turned, inverse)
            trace = np.einsum("ji...,ij...->...", inverse, u.grad)
            dP = shear * u.grad + (shear - lame * volume) * turned + lame * trace * inverse.swapaxes(0, 1)
            return np.einsum("ij...,ij...->...", dP, v.grad)

        def small(u: Any) -> Any:
            return (u.grad + u.grad.swapaxes(0, 1)) / 2

        def linear(u: Any, v: Any, w: Any) -> Any:
            e, trace = small(u), np.einsum("ii...->...", u.grad)
            return 2 * shear * np.einsum("ij...,ij...->...", e, small(v)) + lame * trace * np.einsum(
                "ii...->...", v.grad
            )

        def linear_stress(v: Any, w: Any) -> Any:
            return linear(w["now"], v, w)

        of_material = {"neo-hookean": (stress, stiffness), "linear-elastic": (linear_stress, linear)}[material]
        self.force, self.stiffness = fem.LinearForm(of_material[0]), fem.BilinearForm(of_material[1])

    def at(self, u: Array) -> tuple[Array, Any]:
        """Internal forces and stiffness for displacements in scikit-fem numbering."""
        now = self.basis.interpolate(u)
        given = {"now": now} if self.linear else self._known(now.grad)
        return self.force.assemble(self.basis, **given), self.stiffness.assemble(self.basis, **given)

    def _known(self, H: Array) -> dict[str, Array]:
        """Terms that do not depend on shape functions, computed once for all of them."""
        F = np.moveaxis(H, (0, 1), (-2, -1)) + np.eye(len(H))
        inverse, volume = np.moveaxis(np.linalg.inv(F), (-2, -1), (0, 1)), np.log(np.linalg.det(F))
        P = self.shear * np.moveaxis(F, (-2, -1), (0, 1))
        P = P + (self.lame * volume - self.shear) * inverse.swapaxes(0, 1)
        return {"P": P, "inverse": inverse, "volume": volume}

    def mass(self) -> Any:
        """Mass matrix for density 1."""
        return self.fem.BilinearForm(lambda u, v, w: np.einsum("i...,i...->...", u, v)).assemble(self.fine)

    def places(self) -> tuple[Array, Array]:
        """Position (n, d), m, and direction of each unknown."""
        axis = np.zeros(self.basis.N, dtype=int)
        for dofs in (self.basis.nodal_dofs, self.basis.edge_dofs, self.basis.facet_dofs):
            for i, row in enumerate(dofs):
                axis[row] = i
        return self.basis.doflocs.T, axis
