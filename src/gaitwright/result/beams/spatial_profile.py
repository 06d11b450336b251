"""A spatial beam along its length at every instant: shape, strains, section forces, stresses.

The axes of a section are t along the centre line, d2 along its height and d3 along its width (physics/beams/section.py).
Force and moment of the part beyond a section on the part before it:

    force     N t + V2 d2 + V3 d3        N > 0 is tension
    moment    T t + M2 d2 + M3 d3        T twists, M2 and M3 bend about axes 2 and 3; curvatures have the same sign

They follow from the equilibrium of each element, as for planar beams, and for the same reason (planar_profile.py). At a
point y, z along d2, d3 the strain along the beam is strain + curvature_2 z - curvature_3 y, with strains from the section
forces.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.fem.beams.spatial_beam_strain import evaluate_elements
from gaitwright.geometry.inertia import torsion_of_rectangle
from gaitwright.mechanism.mechanism import ForceNames, Mechanism
from gaitwright.mechanism.tables import DISSIPATED_POWER, Array
from gaitwright.physics.declarations import Elasticity
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.beams.quantities import require_quantity

if TYPE_CHECKING:
    from gaitwright.result.outputs import StateHistory


class SpatialBeamLoads:
    """Loads on the elements of a spatial beam, from elasticity to weight, computed by their kernels."""

    def __init__(self, mechanism: Mechanism, beam: SpatialBeamPart):
        self.mechanism, self.beam = mechanism, beam
        self.gravity = gravity = np.array(mechanism.gravity, dtype=float)
        self.masses = BeamLoads(mechanism, beam).masses  # type: ignore[arg-type]
        shapes, mass = beam.mass_points
        parts = np.einsum("eig,eg->ei", shapes, mass)
        self.weight = np.zeros((beam.lengths.size, 8, 3))
        self.weight[:, :4] = parts[..., None] * gravity

    def forces(self, motion: StateHistory, elements: slice) -> Array:
        """Generalised forces of elasticity, damping and weight on the eight vectors of elements: (n_times, elements, 8, 3)."""
        q, v = (states[:, self.beam.elements[elements]] for states in (motion.q, motion.v))
        blocks = [self.beam.elastic, *([self.beam.damped] if self.beam.damping > 0.0 else [])]
        forces = sum(self.alone(block, "force", q, v, elements, 24) for block in blocks)
        return np.reshape(forces, (*q.shape[:-1], 8, 3)) + self.weight[elements]

    def energy(self, motion: StateHistory, elements: slice = slice(None)) -> Array:
        """Strain energy of every element, J: (n_times, elements)."""
        q = motion.q[:, self.beam.elements[elements]]
        return self.alone(self.beam.elastic, "energy", q, np.zeros_like(q), elements, 3)[..., 0]

    @staticmethod
    def alone(block: Any, kernel: str, q: Array, v: Array, elements: slice, size: int) -> Array:
        return evaluate_elements(block.declaration.kernels, kernel, block.parameters[elements], q, v, size)

    def damping_columns(self) -> list[int]:
        """Columns of the works that the beam dissipates."""
        own: list[ForceNames] = [names for names in self.mechanism.force_names if names.bodies == (self.beam.name,)]
        powers = [(names.place, DISSIPATED_POWER) for names in own if not issubclass(names.declaration, Elasticity)]
        return [self.mechanism.power_column[power] for power in powers if power in self.mechanism.power_column]


class SpatialBeamProfile:
    """Quantities of a beam along its length during a motion. Arrays are (n_times, elements, len(xi)), or have a further
    axis.

    xi: local coordinates in every element, 0 to 1; the last is 1. elements: slice of the elements."""

    s: Array

    def __init__(self, loads: SpatialBeamLoads, motion: StateHistory, xi: Array, elements: slice = slice(None)):
        self.loads, self.beam, self.motion, self.xi, self.elements = loads, loads.beam, motion, xi, elements
        self.length = self.beam.lengths[elements][:, None]
        self.s = self.beam.stations[:-1][elements][:, None] + self.length * xi
        self.e = motion.q[:, self.beam.elements[elements]]

    @functools.cached_property
    def r(self) -> Array:
        return self.beam.along(self.motion.q, self.xi)[:, self.elements]

    @functools.cached_property
    def _strained(self) -> tuple[Array, Array]:
        return self.beam.strained(self.e, self.xi, self.elements)

    @property
    def strains(self) -> Array:
        """Strain, twist and both curvatures, (..., 4)."""
        return self._strained[0]

    @property
    def axes(self) -> Array:
        """Axes t, d2, d3 of the section as rows, (..., 3, 3)."""
        return self._strained[1]

    @functools.cached_property
    def section(self) -> tuple[Array, Array]:
        """Force, N, and moment, N m, of the part beyond each section on the part before it, along t, d2 and d3.

        Every element is cut free: the loads of its neighbours on its ends balance its own forces and its inertia. The moment
        on a node is the moment of its forces on r_x, v2 and v3. From there force and moment are integrated along the
        element, R' = rho A (r'' - g), M' = -r_x x R."""
        nodal = -self.loads.forces(self.motion, self.elements)
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]]
            nodal += np.einsum("eij,tej->tei", self.beam.element_masses[self.elements], a).reshape(nodal.shape)
        e = self.e.reshape(*self.e.shape[:-1], 8, 3)
        upright = np.zeros((8, 3))
        upright[4:6, 1] = upright[6:8, 2] = 1.0
        turned = np.cross(e + upright, nodal)
        force = -nodal[..., None, 0, :]
        first = -(turned[..., 1, :] + turned[..., 4, :] + turned[..., 6, :])[..., None, :]
        last = (turned[..., 3, :] + turned[..., 5, :] + turned[..., 7, :])[..., None, :]
        first_moments, second_moments, _ = self.loads.masses(self.xi, self.elements)
        mass = (first_moments[..., 0] + first_moments[..., 2])[None, ..., None]
        line = e[..., :4, :]
        g = self.loads.gravity
        total = -mass * g
        spread = -np.cross(self.r * mass - weighted_sum(first_moments, line), g)
        if self.motion.a.any():
            a = self.motion.a[:, self.beam.elements[self.elements]].reshape(e.shape)[..., :4, :]
            carried = weighted_sum(first_moments, a)
            total = total + carried
            spread = spread + np.cross(self.r, carried)
            spread -= np.cross(line[:, :, None], np.einsum("epij,tejc->tepic", second_moments, a)).sum(axis=-2)
        moment = first - np.cross(self.r - e[..., None, 0, :], force) - spread
        moment += (last - moment[..., -1:, :]) * self.xi[:, None]  # rotational inertia of the sections
        return tuple(np.einsum("...ij,...j->...i", self.axes, vector) for vector in (force + total, moment))  # type: ignore

    @functools.cached_property
    def local_strains(self) -> Array:
        """Strains that correspond to the section forces, (..., 4), including the part of damping."""
        force, moment = self.section
        loads = np.concatenate([force[..., :1], moment], axis=-1)
        return np.linalg.solve(self.beam.section.stiffness(self.s), loads[..., None])[..., 0]

    def surface_strain(self) -> Array:
        """The largest strain along the beam at its surface, with its sign."""
        require_quantity(self.beam, "surface_strain")
        section, e = self.beam.section, self.local_strains
        assert section.height is not None and section.width is not None
        y, z = section.height(self.s) / 2.0, section.width(self.s) / 2.0
        bent = np.hypot(e[..., 2], e[..., 3]) * y if section.round else np.abs(e[..., 2]) * z + np.abs(e[..., 3]) * y
        return e[..., 0] + np.where(e[..., 0] < 0.0, -bent, bent)

    def normal_stress(self) -> Array:
        """Largest normal stress at the surface, with its sign, Pa."""
        require_quantity(self.beam, "normal_stress")
        return self.beam.section.youngs_modulus * self.surface_strain()  # type: ignore[operator]

    def shear_stress(self) -> Array:
        """Largest shear stress of torsion, Pa, for a uniform section: 16 T / (pi d^3), or at the middle of the long side."""
        require_quantity(self.beam, "shear_stress")
        section, torque = self.beam.section, np.abs(self.section[1][..., 0])
        assert section.height is not None and section.width is not None
        h, b = section.height(self.s), section.width(self.s)
        return torque * (16.0 / (np.pi * h**3) if section.round else 1.0 / torsion_modulus(b, h))

    def energy_density(self) -> Array:
        """Strain energy per length, J/m, from the local strains."""
        rest = self.beam.strained(self.beam.unstressed[self.elements], self.xi, self.elements)[0]
        change = self.strains - rest
        return np.einsum("...i,...ij,...j->...", change, self.beam.section.stiffness(self.s), change) / 2.0


def weighted_sum(weights: Array, vectors: Array) -> Array:
    """Sums of nodal vectors of elements, (n_times, elements, 4, 3), with weights at positions, (elements, positions, 4)."""
    return np.einsum("epi,teic->tepc", weights, vectors)


def torsion_modulus(b: Array, h: Array) -> Array:
    """Torque over the largest shear stress of a rectangle, m^3 (Timoshenko, Goodier, Theory of Elasticity, section 109)."""
    short, long = np.minimum(b, h), np.maximum(b, h)
    odd = np.arange(1, 40, 2)
    ratio = np.multiply.outer(long / short, odd) * np.pi / 2
    largest = short * (1.0 - 8.0 / np.pi**2 * (1.0 / (odd**2 * np.cosh(np.minimum(ratio, 300.0)))).sum(axis=-1))
    return torsion_of_rectangle(b, h) / largest
