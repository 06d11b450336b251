"""A user-defined kind of part with many elements: a string of beads with springs and weights as blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanism.parts.base import PlacedMarker
from gaitwright.mechanism.tables import GROUND
from gaitwright.physics.declarations import Force

COUNT, LENGTH, STIFFNESS, MASS, TENSION = 40, 1.0, 5e4, 0.3, 20.0


class Bead(gw.extend.Family):
    name = "bead"
    coordinates = ("x", "y")
    units = ("m", "m")
    markers = dict.fromkeys(
        (gw.extend.Place, gw.extend.Centre),
        gw.extend.MarkerKind((0, 1), (), lambda x, y: gw.extend.Marker((x, y), (), None, False)),
    )

    @staticmethod
    def components(*local):
        return {("position", k): gw.extend.LinearExpression(0.0, ((k, 1.0),)) for k in range(2)}


@dataclass(frozen=True, kw_only=True, eq=False)
class BeadsPart(gw.extend.Part):
    """Beads between the origin and the origin again, since the ground has one marker: the last spring is as long as the
    string."""

    damping: float = 0.0

    def coordinates(self):
        return [(f"{self.name}.bead{k}.{axis}", "m") for k in range(COUNT) for axis in "xy"]

    def scale(self, size):
        return np.full(self.drawn.size, size)

    def at(self, local):
        first = 2 * int(local[0])
        return PlacedMarker(Bead, self.index[first : first + 2], ())

    def place(self, name):
        return (float(name),)

    @property
    def centre(self):
        return None

    def mass_entries(self):
        return self.index, self.index, np.full(self.index.size, MASS / COUNT)

    def forces(self, gravity: Sequence[float]):
        beads = self.index.reshape(-1, 2)
        ends = np.vstack([[[GROUND, GROUND]], beads])
        pairs = np.hstack([ends, np.roll(ends, -1, axis=0)])  # the first spring starts and the last ends on the ground
        rest = np.full(COUNT + 1, LENGTH / (COUNT + 1) - TENSION / STIFFNESS)
        rest[-1] = LENGTH * COUNT / (COUNT + 1) - TENSION / STIFFNESS
        numbers = np.column_stack([np.full(COUNT + 1, STIFFNESS), np.full(COUNT + 1, self.damping), rest])
        weights = np.column_stack([np.full(COUNT, MASS / COUNT), np.tile(gravity, (COUNT, 1))])
        springs = Force.registry[2]["spring-damper"]
        return [
            (self.name, gw.extend.ElementBlock(springs, (Bead, Bead), pairs, numbers)),
            (self.name, gw.extend.ElementBlock(Force.registry[2]["gravity"], (Bead,), beads, weights)),
        ]


class Beads(gw.extend.PartType):
    name = "beads"
    parameters = {"damping": gw.extend.Number("N s/m", "of each spring", 0.0)}

    @staticmethod
    def read(scope, name, label, damping):
        x = LENGTH * np.arange(1, COUNT + 1) / (COUNT + 1)
        drawn = np.column_stack([x, np.zeros(COUNT)]).ravel()
        return BeadsPart(name=name, kind="string", family=Bead, drawn=drawn, mass=MASS, damping=damping)


def string(**fields) -> gw.Model:
    return gw.Model("string", gravity=(0, -9.81)).part("beads", "string", **fields)


def test_its_springs_are_one_batch_on_markers_and_its_powers_one():
    """Some of them are on the ground: their markers are constant."""
    mechanism = string(damping=0.1).mechanism()
    s = mechanism.system
    assert s.chain.forces.table[:, 0].tolist() == [COUNT + 1] and s.forces.table[:, 0].tolist() == [COUNT]
    assert mechanism.power_column == {(0, 1): 0} and s.power_entry.size == COUNT + 1


def test_it_moves_and_keeps_its_energy():
    """Compared with single particles and springs, declared one by one; the dampers' work is the missing energy."""
    run = string(damping=2.0).simulate(until=0.05, step=1e-4, method="gauss2")
    assert run.evidence.max_energy_residual < 1e-9
    assert run.array("energy.dissipated")[-1] > 1e-4
    step = LENGTH / (COUNT + 1)
    alone = gw.Model("beads", gravity=(0, -9.81)).ground_point("O", 0, 0)
    for k in range(COUNT):
        alone.part("bead-alone", f"b{k}", at=(step * (k + 1), 0.0))
    rest = {"stiffness": STIFFNESS, "damping": 2.0, "rest_length": step - TENSION / STIFFNESS}
    for k in range(COUNT):
        alone.force.spring_damper("ground.O" if k == 0 else f"b{k - 1}", f"b{k}", **rest)
    alone.force.spring_damper(f"b{COUNT - 1}", "ground.O", **rest | {"rest_length": COUNT * step - TENSION / STIFFNESS})
    same = alone.simulate(until=0.05, step=1e-4, method="gauss2")
    assert run.motion.q == pytest.approx(same.motion.q, abs=1e-12)
    assert run.array("energy.dissipated") == pytest.approx(same.array("energy.dissipated"), rel=1e-9, abs=1e-14)


class BeadAlone(gw.extend.PartType):
    name = "bead-alone"
    parameters = {"at": gw.extend.Components("m", "where it is drawn")}

    @staticmethod
    def read(scope, name, label, at):
        return gw.extend.Part(name=name, kind="particle", family=Bead, drawn=np.array(at), mass=MASS / COUNT)
