"""A beam along its length at every instant: shape, strains, section forces, stresses.

Signs, on the way from start to end, with the unit tangent t and the normal n, which is t turned by +90 degrees: to the left.

curvature kappa > 0     the beam turns to the left
N t + V n and M         force and moment of the part beyond a section on the part before it:
                        N > 0 is tension, M > 0 bends to the left
left, right             surfaces at +h/2 and -h/2 along n; strain N/EA -/+ M h/(2 EI), stress N/A -/+ M h/(2 I)

N, V and M follow from the equilibrium of each element (`PlanarBeamProfile.section`), not from its strain at a point: cubic
elements represent a small axial strain only on average, and in a slender bent beam EA times the strain at one point can be a
hundred times the axial force. The forces of the element are in equilibrium with the loads on any mesh.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.fem.beams.planar_beam_strain import (
    STRAIN_FUNCTIONS,
    compute_strains,
    formulation_family,
    interpolate_elements,
    planar_cross_product,
)
from gaitwright.mechanism.tables import Array
from gaitwright.physics.declarations import Elasticity
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.quantities import require_quantity

if TYPE_CHECKING:
    from gaitwright.result.outputs import StateHistory


class PlanarBeamProfile:
    """Quantities of a beam along its length during a motion. Arrays are (n_times, elements, len(xi)), or have a further axis
    (x, y).

    xi: local coordinates in every element, 0 to 1; the last is 1. elements: slice of the elements."""

    s: Array

    def __init__(self, loads: BeamLoads, motion: StateHistory, xi: Array, elements: slice = slice(None)):
        self.loads, self.beam, self.motion, self.xi, self.elements = loads, loads.beam, motion, xi, elements
        self.length = self.beam.lengths[elements][:, None]
        self.s = self.beam.stations[:-1][elements][:, None] + self.length * xi
        self.e = motion.q[:, self.beam.elements[elements]]

    def shaped(self, e: Array, derivative: int = 0) -> Array:
        """r, r_x or r_xx of elements with the coordinates e, (..., elements, 8)."""
        return interpolate_elements(e, self.xi, self.length, derivative)

    @functools.cached_property
    def r(self) -> Array:
        return self.shaped(self.e)

    @functools.cached_property
    def r_x(self) -> Array:
        return self.shaped(self.e, 1)

    @functools.cached_property
    def r_xx(self) -> Array:
        return self.shaped(self.e, 2)

    @functools.cached_property
    def strains(self) -> tuple[Array, Array]:
        """Axial strain, 1, and curvature, 1/m, as defined by the formulation of the beam."""
        return STRAIN_FUNCTIONS[formulation_family(self.beam.formulation)](self.e, self.r_x, self.r_xx, self.length)

    @functools.cached_property
    def changes(self) -> tuple[Array, Array]:
        """Axial strain and curvature relative to the unstressed shape."""
        rest = compute_strains(self.beam.formulation, self.beam.unstressed[self.elements], self.xi, self.length)
        return self.strains[0] - rest[0], self.strains[1] - rest[1]

    def stiffness(self) -> tuple[Array, Array]:
        """EA, N, and EI, N m^2; (elements, len(xi))."""
        section = self.beam.section
        return section.axial(self.s), section.bending(self.s)

    # section forces

    @functools.cached_property
    def masses(self) -> tuple[Array, Array, Array]:
        return self.loads.masses(self.xi, self.elements)

    @functools.cached_property
    def section(self) -> tuple[Array, Array]:
        """Force (x, y), N, and moment, N m, of the part beyond each section on the part before it.

        Every element is cut free. The loads of its neighbours on its ends balance its own forces, loads and inertia; from
        there force and moment are integrated along the element:

            R' = rho A (r'' - g) - f        M' = -r_x x R

            f: other loads, uniform over the element."""
        nodal, spread = self._open()
        force, moment = -nodal[..., 0, :], -planar_cross_product(self.r_x_at(0), nodal[..., 1, :])
        e = self.e.reshape(*self.e.shape[:-1], 4, 2)
        first_moments, second_moments, line = self.masses
        x = (self.length * self.xi)[None, ..., None]
        # Integrals of the distributed load and of its moment about the section, from the integrals over the shape
        # functions.
        mass = (first_moments[..., 0] + first_moments[..., 2])[None, ..., None]
        f = spread[:, :, None] / self.length[None, ..., None]
        g = self.loads.gravity
        total = -mass * g - f * x
        turned = -planar_cross_product(self.r * mass - self._summed(first_moments, e), g) - planar_cross_product(
            self.r * x - self._summed(line, e), f
        )
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]].reshape(e.shape)
            carried = self._summed(first_moments, a)
            total = total + carried
            turned = turned + planar_cross_product(self.r, carried)
            turned -= planar_cross_product(e[:, :, None], np.einsum("epij,tejc->tepic", second_moments, a)).sum(axis=-1)
        r = self.r - self.e[:, :, None, :2]
        moments = moment[..., None] - planar_cross_product(r, force[:, :, None]) - turned
        # Correction for loads that are not uniform over the element, such as pressure on a bent one: the moment at the end
        # is known.
        end = planar_cross_product(self.r_x_at(1), nodal[..., 3, :])
        moments += (end - moments[..., -1])[..., None] * self.xi
        return force[:, :, None] + total, moments

    def r_x_at(self, end: int) -> Array:
        """Slope vector r_x at an end (0 or 1) of each element, a nodal coordinate: (n_times, elements, 2)."""
        return self.e[..., 4 * end + 2 : 4 * end + 4]

    @staticmethod
    def _summed(weights: Array, e: Array) -> Array:
        return np.einsum("epi,teic->tepc", weights, e)

    def _open(self) -> tuple[Array, Array]:
        """Loads on the ends of each element from outside, (n_times, elements, 4, 2), and the sum of the loads without its
        weight, (n_times, elements, 2)."""
        nodal = np.zeros((self.motion.t.size, self.length.size, 4, 2))
        spread = np.zeros((self.motion.t.size, self.length.size, 2))
        for load in self.loads.kinds:
            forces = self.loads.force(load, self.motion, self.elements)
            nodal -= forces
            if not issubclass(load.kind, Elasticity) and load.kind.name != "gravity":
                spread += forces[..., 0, :] + forces[..., 2, :]
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]].reshape(nodal.shape)
            nodal += np.einsum("eij,tejc->teic", self.masses[1][:, -1], a)
        return nodal, spread

    def component(self, axis: int) -> Array:
        """Section force along the tangent (0) or the normal (1), N."""
        force, size = self.section[0], np.hypot(self.r_x[..., 0], self.r_x[..., 1])
        along = (force * self.r_x).sum(axis=-1) if axis == 0 else planar_cross_product(self.r_x, force)
        return along / size

    # at the surfaces; side: +1 left, -1 right

    def surface_stress(self, side: int) -> Array:
        """Normal stress at a surface, Pa. side: +1 left, -1 right."""
        require_quantity(self.beam, "stress_left")
        assert self.beam.section.youngs_modulus is not None
        return self.beam.section.youngs_modulus * self._at_surface(self._forces_by_stiffness(), side)

    def surface_strain(self, side: int) -> Array:
        """Strain at a surface from the section forces, as for the stress, without the part due to damping."""
        require_quantity(self.beam, "strain_left")
        strain = self._at_surface(self._forces_by_stiffness(), side)
        return strain - self.beam.damping * self._at_surface(self._rates(), side) if self.beam.damping else strain

    def _at_surface(self, strains: tuple[Array, Array], side: int) -> Array:
        assert self.beam.section.height is not None
        return strains[0] - side * strains[1] * self.beam.section.height(self.s) / 2.0

    def _forces_by_stiffness(self) -> tuple[Array, Array]:
        ea, ei = self.stiffness()
        return self.component(0) / ea, self.section[1] / ei

    def _rates(self) -> tuple[Array, Array]:
        """Rates of the strains of physics/beams/kelvin_voigt.py, 1/s and 1/(m s)."""
        v = self.motion.v[:, self.beam.elements[self.elements]]
        r_x, r_xx, v_x, v_xx = self.r_x, self.r_xx, self.shaped(v, 1), self.shaped(v, 2)
        square, half = (r_x**2).sum(axis=-1), (r_x * v_x).sum(axis=-1)
        bending = (
            planar_cross_product(v_x, r_xx)
            + planar_cross_product(r_x, v_xx)
            - 2.0 * planar_cross_product(r_x, r_xx) * half / square
        )
        return half / np.sqrt(square), bending / square

    def energy_density(self) -> Array:
        (ea, ei), (strain, curvature) = self.stiffness(), self.changes
        return (ea * strain**2 + ei * curvature**2) / 2.0
