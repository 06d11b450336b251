"""Quasi-static solid with friction: a force with history between two bodies.

The history consists of the sticking points of its nodes at the end of the last step. Results replay the stored states in the
order of time, from the start, as the motion did with its own steps; so store states at short intervals if a foot slides back
and forth.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.fem.condensation import Condensation
from gaitwright.fem.equilibrium_force import declare_equilibrium_force
from gaitwright.fem.plane_equilibrium import REQUEST_COMMIT, REQUEST_FORCE, REQUEST_RESTART
from gaitwright.fem.quasi_static_part import QuasiStaticPart
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.parts.base import DeformedMesh, PartOutput
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.contact_points import ContactPoints, build_contact_points


class FrictionMotion(NamedTuple):
    """Results along a motion, one row per time. In the ground frame: force, and moment about the origin of the solid's frame,
    on its body. In the frame of the solid: forces of nodes, normals, displacements."""

    energy: Array
    friction_loss: Array
    force: Array
    moment: Array
    node_forces: Array
    normals: Array
    displacements: Array

    @property
    def normal_forces(self) -> Array:
        """Normal forces of the nodes, (times, nodes), N."""
        return np.sum(self.node_forces * self.normals, axis=2)

    @property
    def friction_forces(self) -> Array:
        """Friction forces of the nodes, (times, nodes), N."""
        return np.linalg.norm(self.node_forces - self.normal_forces[..., None] * self.normals, axis=2)


@dataclass(frozen=True, kw_only=True, eq=False)
class FrictionalSolidPart(QuasiStaticPart):
    """Quasi-static solid with friction. plane: the frame of the touched surface, with all its axes. condense: function that
    returns the nodes that can touch, their condensation, and the equilibrium model. belt, shift: displacement of the touched
    surface along the axes of that frame, as signals and as a function, (..., d) of times, m."""

    remembers: ClassVar[bool] = True
    condense: Callable[[Any], tuple[Array, Condensation, Any]]
    friction: float
    belt: Sequence[int] = ()
    shift: Callable[[Array], Array]

    @functools.cached_property
    def condensed(self) -> tuple[Array, Condensation, Any]:
        return self.condense(self)

    @functools.cached_property
    def equilibrium(self) -> Any:
        return self.condensed[2]

    @functools.cached_property
    def _start_pose(self) -> dict[int, Array]:
        """Pose at the start of the last analysis."""
        return {}

    @functools.cached_property
    def _cached_motion(self) -> dict[int, tuple[Any, FrictionMotion]]:
        return {}

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, MechanismElement | ElementBlock]]:
        return self.as_element(declare_equilibrium_force(self.dimension, self.dimension), self.belt)

    # in a pose -------------------------------------------------------------------------------------------------------

    def poses(self, q: Array, t: Any) -> Array:
        """Return x of frictional_solid.py, (..., d + d d), in poses q (..., n + 1) at times t."""
        (origin_a, surface_axes), (origin, axes) = self.plane.along(q), self.carrier.along(q)
        c = np.einsum("...kd,...d->...k", surface_axes, origin - origin_a) - self.shift(np.asarray(t))
        m = np.einsum("...kd,...ld->...kl", surface_axes, axes)
        return np.concatenate([c, m.reshape(*m.shape[:-2], -1)], axis=-1)

    def begin(self, q: Array, t: float) -> None:
        self._start_pose[0] = self.poses(q, t)
        self.restart()

    def restart(self) -> None:
        self.equilibrium.evaluate(self._start_pose[0], REQUEST_RESTART)

    def remember(self, q: Array, t: float) -> None:
        self.equilibrium.evaluate(self.poses(q, t), REQUEST_COMMIT)

    def along(self, motion: Any) -> FrictionMotion:
        """Results along a motion; cached for the last motion."""
        cached = self._cached_motion.get(0)
        if cached is None or cached[0] is not motion:
            cached = self._cached_motion[0] = motion, self._replay(motion.q, motion.t)
        return cached[1]

    def _replay(self, q: Array, t: Array) -> FrictionMotion:
        equilibrium, d, rows = self.equilibrium, self.dimension, []
        for k, x in enumerate(self.poses(q, t)):
            if k == 0:
                equilibrium.evaluate(self._start_pose.get(0, x), REQUEST_RESTART)
            result = equilibrium.evaluate(x, REQUEST_FORCE)
            equilibrium.evaluate(x, REQUEST_COMMIT)
            soft, friction_loss = equilibrium.record.soft, float(equilibrium.record.friction_loss[0])
            rows.append((result.energy, friction_loss, result.slope, soft.f.copy(), soft.n.copy(), soft.u.copy()))
        energy, friction_loss, slope, node_forces, normals, displacements = (
            np.array(x) for x in zip(*rows, strict=True)
        )
        surface_axes, axes = self.plane.along(q)[1], self.carrier.along(q)[1]
        force = -np.einsum("tkd,tk->td", surface_axes, slope[:, :d])
        arms = -np.einsum("tkp,tkl,tlq->tpq", surface_axes, slope[:, d:].reshape(-1, d, d), axes)  # F_p r_q
        moment_tensor = arms.transpose(0, 2, 1) - arms  # r_p F_q - r_q F_p
        moment = np.stack(
            [moment_tensor[:, i, j] for i, j in ([(0, 1)] if d == 2 else [(1, 2), (2, 0), (0, 1)])], axis=1
        )
        return FrictionMotion(
            energy, friction_loss - friction_loss[0], force, moment, node_forces, normals, displacements
        )

    def displacements(self, q: Array) -> Array:
        """Displacements of all nodes in the frame of the solid, including the recovered ones inside: at poses of the last
        motion; at other poses as if the solid were pressed there at once."""
        cached, displaced = self._cached_motion.get(0), []
        for pose in np.reshape(q, (-1, q.shape[-1])):
            rows = np.flatnonzero((cached[0].q == pose).all(axis=1)) if cached else np.zeros(0, dtype=np.int64)
            motion = cached[1] if cached and rows.size else self._replay(pose[None], np.zeros(1))
            displaced.append(self._recover_displacements(motion.displacements[rows[0] if rows.size else 0]))
        return np.reshape(displaced, (*q.shape[:-1], *self.mesh.nodes.shape))

    def _recover_displacements(self, moved: Array) -> Array:
        condensation = self.condensed[1]
        u, number = np.zeros(condensation.size), condensation.number
        u[number[number >= 0]] = moved[number >= 0]
        return condensation.displacements(u)

    def deforming(self, motion: Any) -> DeformedMesh:
        self.along(motion)
        return super().deforming(motion)

    def _von_mises(self, motion: Any) -> Array:
        self.along(motion)
        return super()._von_mises(motion)

    def node_pressures(self, motion: Any) -> tuple[Array, Array]:
        """Nodes of the mesh that can touch, and their pressures per undeformed area, (times, nodes), Pa."""
        return self.condensed[0], self.along(motion).normal_forces / self.equilibrium.areas

    def own_pressures(self, motion: Any) -> Array:
        pressures = np.zeros((motion.t.size, len(self.mesh.nodes)))
        pressures[:, self.condensed[0]] = np.nan_to_num(self.node_pressures(motion)[1])
        return pressures

    @functools.cached_property
    def skin(self) -> ContactPoints:
        """Surface that can touch, as points: its nodes."""
        return build_contact_points(self.mesh.nodes, self.touching, self.thickness)

    def normal_forces(self, motion: Any) -> Array:
        """Normal forces of the points of its skin, (times, points), N."""
        forces = np.zeros((motion.t.size, self.skin.count))
        forces[:, np.searchsorted(self.skin.nodes[:, 0], self.condensed[0])] = self.along(motion).normal_forces
        return forces

    def nodes_along(self, motion: Any) -> Array:
        """Positions of the nodes of its skin, (times, nodes, d), m, in the ground frame; other nodes as if undeformed."""
        places = np.repeat(self.mesh.nodes[None], motion.t.size, axis=0)
        places[:, self.condensed[0]] += self.along(motion).displacements
        return self.in_ground(motion.q, places)

    def in_ground(self, q: Array, places: Array) -> Array:
        """Transform positions in the frame of the solid, (..., nodes, d), to the ground frame in poses q (..., n + 1)."""
        origin, axes = self.carrier.along(q)
        return origin[..., None, :] + places @ axes

    def prepare_motion(self, motion: Any) -> None:
        self.along(motion)

    # outputs ---------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[PartOutput]:
        d, results = self.dimension, self.along
        yield PartOutput("normal_force", "N", "sum of normal forces", lambda m: results(m).normal_forces.sum(axis=1))
        for k, axis in enumerate("xyz"[:d]):
            yield PartOutput(f"f{axis}", "N", f"force on its body along {axis}", functools.partial(self._force, k))
        for k, axis in enumerate("z" if d == 2 else "xyz"):
            text = f"moment on its body about {axis}, at the origin of the body"
            yield PartOutput(f"m{axis}", "N m", text, functools.partial(self._moment, k))
        for k, axis in enumerate("xyz"[:d]):
            yield PartOutput(axis, "m", f"centre of pressure, {axis}", functools.partial(self._centre, k))
        if d == 3:
            yield PartOutput(
                "free_moment", "N m", "moment on its body about z, at the centre of pressure", self._free_moment
            )
        yield PartOutput("energy", "J", "elastic energy", lambda m: results(m).energy)
        yield PartOutput(
            "friction_loss", "J", "work lost by friction since the start", lambda m: results(m).friction_loss
        )
        yield PartOutput("touching", "1", "nodes that touch", lambda m: np.sum(results(m).normal_forces > 0.0, axis=1))
        yield PartOutput("sliding", "1", "nodes that slide", self._sliding)
        yield PartOutput("contact_area", "m^2", "undeformed area in contact", self._touched_area)
        yield PartOutput(
            "largest_pressure", "Pa", "largest contact pressure", lambda m: self.node_pressures(m)[1].max(axis=1)
        )
        yield PartOutput(
            "largest_displacement", "m", "largest displacement of a node that can touch, in the frame of its body",
            lambda m: np.linalg.norm(results(m).displacements, axis=2).max(axis=1),
        )  # fmt: skip
        yield PartOutput("von_mises", "Pa", "largest von Mises stress", self._von_mises)

    def _force(self, axis: int, motion: Any) -> Array:
        return self.along(motion).force[:, axis]

    def _moment(self, axis: int, motion: Any) -> Array:
        results, part = self.along(motion), self.carrier.part
        arm = self.carrier.along(motion.q)[0] - part.position(motion.q, (0.0,) * self.dimension)
        if self.dimension == 2:
            return results.moment[:, 0] + arm[:, 0] * results.force[:, 1] - arm[:, 1] * results.force[:, 0]
        return (results.moment + np.cross(arm, results.force))[:, axis]

    def _free_moment(self, motion: Any) -> Array:
        results, origin = self.along(motion), self.carrier.along(motion.q)[0]
        x, y = (np.nan_to_num(origin[:, k] - self._centre(k, motion)) for k in range(2))
        return results.moment[:, 2] + x * results.force[:, 1] - y * results.force[:, 0]

    def _centre(self, axis: int, motion: Any) -> Array:
        results, (origin, axes) = self.along(motion), self.carrier.along(motion.q)
        places = self.equilibrium.record.soft.X + results.displacements
        with np.errstate(invalid="ignore", divide="ignore"):
            middle = np.einsum("tn,tnl->tl", results.normal_forces, places) / results.normal_forces.sum(axis=1)[:, None]
        return (origin + np.einsum("tl,tld->td", middle, axes))[:, axis]

    def _sliding(self, motion: Any) -> Array:
        results = self.along(motion)
        return np.sum(
            (results.normal_forces > 0.0)
            & (results.friction_forces >= (1.0 - 1e-9) * self.friction * results.normal_forces),
            axis=1,
        )

    def _touched_area(self, motion: Any) -> Array:
        return np.sum((self.along(motion).normal_forces > 0.0) * self.equilibrium.areas, axis=1)
