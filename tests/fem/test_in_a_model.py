"""A clamped bar of finite elements as a user-defined part: it hangs, vibrates and loses energy correctly."""

from dataclasses import dataclass

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import Batch, coordinates, solid, solve
from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import damping_module, declare_force, element_module
from gaitwright.fem.mass import (
    element_masses,
    expand_to_coordinates,
    mass_entries,
    node_masses,
    weight_module,
    weight_parameters,
)
from gaitwright.mechanism.parts.base import PlacedMarker
from gaitwright.mechanism.tables import GROUND
from gaitwright.physics.materials.viscous import Viscosity, proportional_viscosity

LENGTH, SIDE, YOUNG, NU, DENSITY, G = 0.2, 0.02, 2e6, 0.3, 1000.0, 9.81
MATERIAL = gw.materials.NeoHookean(youngs_modulus=YOUNG, poissons_ratio=NU)
MESH = gw.mesh.box((LENGTH, SIDE, SIDE), (10, 1, 1), order=2)
HELD = np.isclose(MESH.nodes[:, 0], -LENGTH / 2)
SHAPE = ELEMENT_TYPES[MESH.kind.name]
MASSES = element_masses(MESH.kind, MESH.nodes, MESH.cells, DENSITY)


class Node(gw.extend.Family):
    name = "bar-node"
    dimension = 3
    coordinates = ("x", "y", "z")
    units = ("m", "m", "m")
    markers = {
        gw.extend.Place: gw.extend.MarkerKind(
            (0, 1, 2), (), lambda x, y, z: gw.extend.Marker((x, y, z), (), None, False)
        )
    }

    @staticmethod
    def components(*local):
        return {("position", k): gw.extend.LinearExpression(0.0, ((k, 1.0),)) for k in range(3)}


@dataclass(frozen=True, kw_only=True, eq=False)
class BarPart(gw.extend.Part):
    beta: float = 0.0

    def coordinates(self):
        return [(f"{self.name}.n{k}.{axis}", "m") for k in range(self.drawn.size // 3) for axis in "xyz"]

    def scale(self, size):
        return np.full(self.drawn.size, size)

    def at(self, local):
        first = 3 * int(local[0])
        return PlacedMarker(Node, self.index[first : first + 3], ())

    @property
    def centre(self):
        return None

    @property
    def where(self):
        found = np.full(MESH.nodes.shape, GROUND)
        found[~HELD] = self.index.reshape(-1, 3)
        return found

    def mass_entries(self):
        return expand_to_coordinates(mass_entries(MASSES, MESH.cells), self.where)

    def forces(self, gravity):
        parts = build_element_geometry(SHAPE, MESH.nodes, MESH.cells)
        masses = node_masses(MASSES, MESH.cells, len(MESH.nodes))
        numbers = parts.parameters(np.array(MATERIAL.numbers()))
        weights = weight_parameters(masses, gravity, MESH.nodes)
        found = [
            gw.extend.ElementBlock(
                declare_force(element_module(gw.materials.NeoHookean, SHAPE)), (), parts.dof(self.where), numbers
            ),
            gw.extend.ElementBlock(declare_force(weight_module(3)), (), self.where, weights),
        ]
        if self.beta:
            eta = np.array(proportional_viscosity(self.beta, *MATERIAL.numbers()))
            module = damping_module(Viscosity, SHAPE)
            found.append(
                gw.extend.ElementBlock(declare_force(module), (), parts.dof(self.where), parts.parameters(eta))
            )
        return [(self.name, block) for block in found]


class Bar(gw.extend.PartType):
    name = "bar-of-elements"
    dimensions = (3,)
    parameters = {"beta": gw.extend.Number("s", "of damping", 0.0)}

    @staticmethod
    def read(scope, name, label, beta):
        drawn = np.zeros(3 * int((~HELD).sum()))
        return BarPart(name=name, kind="solid", family=Node, drawn=drawn, mass=float(MASSES.sum()), beta=beta)


def bar(**fields):
    return gw.Model("bar", dimension=3, gravity=(0, 0, -G)).part("bar-of-elements", "bar", **fields)


@pytest.mark.slow
def test_it_hangs_under_its_weight():
    """Compared with a direct solution, and with linear beam theory: tip deflection q L^4 / (8 E I)."""
    q = bar().static().motion.q[-1][:-1]  # the last entry is the ground
    elements = solid(MESH, MATERIAL)
    weights = weight_parameters(node_masses(MASSES, MESH.cells, len(MESH.nodes)), [0, 0, -G], MESH.nodes)
    load = Batch(weight_module(3), coordinates(MESH), weights, MESH.nodes.size).force(np.zeros(MESH.nodes.size))
    alone = solve([elements], coordinates(MESH)[HELD].ravel(), load=load, tolerance=1e-10)
    assert np.abs(q - alone[coordinates(MESH)[~HELD].ravel()]).max() < 1e-9
    sag = -q.reshape(-1, 3)[:, 2].min()
    assert sag == pytest.approx(DENSITY * SIDE**2 * G * LENGTH**4 / (8 * YOUNG * SIDE**4 / 12), rel=0.05)


@pytest.mark.slow
def test_vibration_loses_the_dissipated_energy():
    """Released without load: its energy balances, with and without damping."""
    for beta in (0.0, 5e-3):
        run = bar(beta=beta).simulate(until=0.05, step=1e-3, method="generalized-alpha")
        assert run.evidence.max_energy_residual < 2e-4
        lost = run.array("energy.dissipated")
        assert (np.diff(lost) > 0).all() if beta else not lost.any()


@pytest.mark.slow
def test_its_slowest_vibration():
    """Lowest frequency of a clamped beam: 1.875^2 / (2 pi L^2) sqrt(E I / (rho A))."""
    frequency = bar().modes(count=2).frequencies[0]
    assert frequency == pytest.approx(
        1.8751**2 / (2 * np.pi * LENGTH**2) * np.sqrt(YOUNG * SIDE**2 / 12 / DENSITY), rel=0.02
    )
