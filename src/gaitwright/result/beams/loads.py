"""Loads on the elements of a planar beam, computed by their kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.derive.kernel_library import kernel_module
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.mechanism import ForceNames, Mechanism
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.single_element import array_kernels
from gaitwright.mechanism.tables import DISSIPATED_POWER, Array
from gaitwright.physics.bodies.beam import BeamElement, shape_functions
from gaitwright.physics.declarations import Elasticity

if TYPE_CHECKING:
    from gaitwright.result.outputs import StateHistory

GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(8)
GAUSS_POINTS, GAUSS_WEIGHTS = (GAUSS_POINTS + 1.0) / 2.0, GAUSS_WEIGHTS / 2.0


class BeamLoad(NamedTuple):
    """Forces of one kind on all elements of a beam."""

    kind: type[Any]
    module: ModuleType
    parameters: Array  # (numbers, elements)
    signals: Sequence[int]


class BeamLoads:
    """Loads on the elements of a beam, from elasticity to weight, computed by their kernels."""

    mechanism: Mechanism
    beam: PlanarBeamPart

    def __init__(self, mechanism: Mechanism, beam: PlanarBeamPart):
        self.mechanism, self.beam = mechanism, beam
        self._masses: Any = None

    @functools.cached_property
    def kinds(self) -> list[BeamLoad]:
        blocks = [names.element.block() for names in self._own if names.element.families == (BeamElement,)]
        return [
            BeamLoad(b.declaration, kernel_module(b.declaration, b.families), b.parameters.T, b.signals) for b in blocks
        ]

    @property
    def _own(self) -> list[ForceNames]:
        return [names for names in self.mechanism.force_names if names.bodies == (self.beam.name,)]

    def elastic(self) -> BeamLoad:
        """The load that stores energy: the elasticity of the beam's formulation."""
        return next(k for k in self.kinds if issubclass(k.kind, Elasticity) and k.module.POTENTIAL)

    def call(self, kernel: str, load: BeamLoad, motion: StateHistory, elements: slice, size: int) -> Array:
        """Values of a kernel at all times for some elements: (size, n_times, elements)."""
        index = self.beam.elements[elements].T
        q, v = (np.moveaxis(states[:, index], 0, 1) for states in (motion.q, motion.v))
        out = np.zeros((size, *q.shape[1:]))
        u = [f[:, None] for k in load.signals for f in evaluate_program(self.mechanism.signals[k], motion.t)]
        sig = range(len(load.signals))
        array_kernels(load.module)[kernel](1, range(8), load.parameters[:, elements], sig, q, v, u, out)
        return out

    def force(self, load: BeamLoad, motion: StateHistory, elements: slice = slice(None)) -> Array:
        """Generalised forces on the nodes of every element: (n_times, elements, 4, 2), of r_0, r_x0, r_1 and r_x1."""
        q = np.moveaxis(self.call("force", load, motion, elements, 8), 0, -1)
        return q.reshape(*q.shape[:-1], 4, 2)

    def energy(self, motion: StateHistory) -> Array:
        """Strain energy of every element, J: (n_times, elements)."""
        return self.call("energy", self.elastic(), motion, slice(None), 3)[0]

    @functools.cached_property
    def gravity(self) -> Array:
        """Gravity vector, m/s^2, (2,)."""
        weights = [load for load in self.kinds if load.kind.name == "gravity"]
        return weights[0].parameters[-2:, 0] if weights else np.zeros(2)

    def masses(self, xi: Array, elements: slice) -> tuple[Array, Array, Array]:
        """Integrals from the start of each element to xi: of rho A S_i, (elements, len(xi), 4), of rho A S_i S_j,
        (..., 4, 4), and of S_i. rho A is taken as a polynomial through the points of the mass matrix."""
        key = xi.tobytes(), elements.start, elements.stop
        if self._masses is not None and self._masses[0] == key:
            return self._masses[1]
        l = self.beam.lengths[elements][:, None]
        at = xi[:, None] * GAUSS_POINTS  # (len(xi), gauss)
        densities = self.beam.section.mass(self.beam.stations[:-1][elements][:, None] + l * GAUSS_POINTS)
        differences = GAUSS_POINTS[:, None] - GAUSS_POINTS + np.eye(GAUSS_POINTS.size)
        factors = (at[..., None, None] - GAUSS_POINTS) / differences  # (len(xi), gauss, k, other)
        lagrange = np.where(np.eye(GAUSS_POINTS.size) > 0, 1.0, factors).prod(axis=-1)
        dx = xi[:, None] * GAUSS_WEIGHTS * l[:, :, None]  # (elements, len(xi), gauss)
        dm = dx * np.einsum("pgk,ek->epg", lagrange, densities)
        s = np.stack(np.broadcast_arrays(*shape_functions(at, l[:, :, None])), axis=2)  # (elements, len(xi), 4, gauss)
        integrals = (
            np.einsum("epig,epg->epi", s, dm),
            np.einsum("epig,epjg,epg->epij", s, s, dm),
            np.einsum("epig,epg->epi", s, dx),
        )
        self._masses = key, integrals
        return integrals

    def damping_columns(self) -> list[int]:
        """Columns of the works that the beam dissipates."""
        own = [(names.place, DISSIPATED_POWER) for names in self._own if issubclass(names.declaration, Elasticity)]
        return [self.mechanism.power_column[power] for power in own if power in self.mechanism.power_column]
