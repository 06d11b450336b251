"""A solid that rests at every instant and rubs on what it touches: a force between two bodies that remembers.

What it remembers is where its nodes stood at the end of the last step. Results walk along the stored states in the order of
time, from the begin, as the motion did with its own steps; so store states closely where a foot slides to and fro.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gaitwright.system.blocks import Block, Element
from gaitwright.system.parts.base import Deformed, OutputOf
from gaitwright.system.parts.quasi_static import QuasiStaticPart
from gaitwright.system.solids.condensation import Condensation
from gaitwright.system.solids.settled_force import settled_force
from gaitwright.system.solids.settling import BEGIN, FORCE, KEEP
from gaitwright.system.solids.skin import Skin, skin_of
from gaitwright.system.tables import Array


class Rubbed(NamedTuple):
    """Along a motion, a row for each time. In the ground frame: force, and moment about the origin of the solid's frame, on its
    body. In the frame of the solid: forces of nodes, normals, displacements."""

    energy: Array
    lost: Array
    force: Array
    moment: Array
    pushes: Array
    normals: Array
    moved: Array

    @property
    def pressing(self) -> Array:
        """Normal forces of the nodes, (times, nodes), N."""
        return np.sum(self.pushes * self.normals, axis=2)

    @property
    def rubbing(self) -> Array:
        """Friction of the nodes, (times, nodes), N."""
        return np.linalg.norm(self.pushes - self.pressing[..., None] * self.normals, axis=2)


@dataclass(frozen=True, kw_only=True, eq=False)
class RubbingPart(QuasiStaticPart):
    """plane: the frame of what it touches, with all its axes. condense: nodes that can touch, what they are condensed to, and
    what answers. belt, shift: how far what it touches has moved along axes of that frame, by signals and in numbers, (..., d)
    of times, m."""

    remembers: ClassVar[bool] = True
    condense: Callable[[Any], tuple[Array, Condensation, Any]]
    friction: float
    belt: Sequence[int] = ()
    shift: Callable[[Array], Array]

    @functools.cached_property
    def condensed(self) -> tuple[Array, Condensation, Any]:
        return self.condense(self)

    @functools.cached_property
    def settling(self) -> Any:
        return self.condensed[2]

    @functools.cached_property
    def _begun(self) -> dict[int, Array]:
        """The pose in which the last analysis began."""
        return {}

    @functools.cached_property
    def _along(self) -> dict[int, tuple[Any, Rubbed]]:
        return {}

    def forces(self, gravity: Sequence[float]) -> list[tuple[str, Element | Block]]:
        return self.as_element(settled_force(self.dimension, self.dimension), self.belt)

    # in a pose -------------------------------------------------------------------------------------------------------

    def poses(self, q: Array, t: Any) -> Array:
        """x of rubbing_solid.py, (..., d + d d), in poses q (..., n + 1) at times t."""
        (at, sees), (origin, axes) = self.plane.along(q), self.carrier.along(q)
        c = np.einsum("...kd,...d->...k", sees, origin - at) - self.shift(np.asarray(t))
        m = np.einsum("...kd,...ld->...kl", sees, axes)
        return np.concatenate([c, m.reshape(*m.shape[:-2], -1)], axis=-1)

    def begin(self, q: Array, t: float) -> None:
        self._begun[0] = self.poses(q, t)
        self.begin_again()

    def begin_again(self) -> None:
        self.settling.ask(self._begun[0], BEGIN)

    def remember(self, q: Array, t: float) -> None:
        self.settling.ask(self.poses(q, t), KEEP)

    def along(self, motion: Any) -> Rubbed:
        """Everything along a motion; kept for the motion that was asked for last."""
        kept = self._along.get(0)
        if kept is None or kept[0] is not motion:
            kept = self._along[0] = motion, self._walk(motion.q, motion.t)
        return kept[1]

    def _walk(self, q: Array, t: Array) -> Rubbed:
        settling, d, rows = self.settling, self.dimension, []
        for k, x in enumerate(self.poses(q, t)):
            if k == 0:
                settling.ask(self._begun.get(0, x), BEGIN)
            found = settling.ask(x, FORCE)
            settling.ask(x, KEEP)
            soft, lost = settling.record.soft, float(settling.record.lost[0])
            rows.append((found.energy, lost, found.slope, soft.f.copy(), soft.n.copy(), soft.u.copy()))
        energy, lost, slope, pushes, normals, moved = (np.array(x) for x in zip(*rows, strict=True))
        sees, axes = self.plane.along(q)[1], self.carrier.along(q)[1]
        force = -np.einsum("tkd,tk->td", sees, slope[:, :d])
        arms = -np.einsum("tkp,tkl,tlq->tpq", sees, slope[:, d:].reshape(-1, d, d), axes)  # F_p r_q
        turn = arms.transpose(0, 2, 1) - arms  # r_p F_q - r_q F_p
        moment = np.stack([turn[:, i, j] for i, j in ([(0, 1)] if d == 2 else [(1, 2), (2, 0), (0, 1)])], axis=1)
        return Rubbed(energy, lost - lost[0], force, moment, pushes, normals, moved)

    def displacements(self, q: Array) -> Array:
        """Of all nodes in the frame of the solid, those inside recovered: in poses of the motion that was looked at last; in
        another one, as if it were pressed there at once."""
        kept, found = self._along.get(0), []
        for pose in np.reshape(q, (-1, q.shape[-1])):
            rows = np.flatnonzero((kept[0].q == pose).all(axis=1)) if kept else np.zeros(0, dtype=np.int64)
            moved = kept[1].moved[rows[0]] if kept and rows.size else self._walk(pose[None], np.zeros(1)).moved[0]
            found.append(self._inside(moved))
        return np.reshape(found, (*q.shape[:-1], *self.mesh.nodes.shape))

    def _inside(self, moved: Array) -> Array:
        condensation = self.condensed[1]
        u, own = np.zeros(condensation.size), condensation.number
        u[own[own >= 0]] = moved[own >= 0]
        return condensation.displacements(u)

    def deforming(self, motion: Any) -> Deformed:
        self.along(motion)
        return super().deforming(motion)

    def _von_mises(self, motion: Any) -> Array:
        self.along(motion)
        return super()._von_mises(motion)

    def node_pressures(self, motion: Any) -> tuple[Array, Array]:
        """Nodes of the mesh that can touch, and their pressures by undeformed area, (times, nodes), Pa."""
        return self.condensed[0], self.along(motion).pressing / self.settling.areas

    def own_pressures(self, motion: Any) -> Array:
        found = np.zeros((motion.t.size, len(self.mesh.nodes)))
        found[:, self.condensed[0]] = np.nan_to_num(self.node_pressures(motion)[1])
        return found

    @functools.cached_property
    def skin(self) -> Skin:
        """The surface that can touch, as points: its nodes."""
        return skin_of(self.mesh.nodes, self.touching, self.thickness)

    def normal_forces(self, motion: Any) -> Array:
        """Of the points of its skin, (times, points), N."""
        found = np.zeros((motion.t.size, self.skin.count))
        found[:, np.searchsorted(self.skin.nodes[:, 0], self.condensed[0])] = self.along(motion).pressing
        return found

    def nodes_along(self, motion: Any) -> Array:
        """Where nodes of its skin are, (times, nodes, d), m, in the ground frame; others as if undeformed."""
        places = np.repeat(self.mesh.nodes[None], motion.t.size, axis=0)
        places[:, self.condensed[0]] += self.along(motion).moved
        return self.in_ground(motion.q, places)

    def in_ground(self, q: Array, places: Array) -> Array:
        """Places in the frame of the solid, (..., nodes, d), in the ground frame in poses q (..., n + 1)."""
        origin, axes = self.carrier.along(q)
        return origin[..., None, :] + places @ axes

    def look_along(self, motion: Any) -> None:
        self.along(motion)

    # seen ------------------------------------------------------------------------------------------------------------

    def outputs(self) -> Iterator[OutputOf]:
        d, see = self.dimension, self.along
        yield OutputOf("normal_force", "N", "sum of normal forces", lambda m: see(m).pressing.sum(axis=1))
        for k, axis in enumerate("xyz"[:d]):
            yield OutputOf(f"f{axis}", "N", f"force on its body along {axis}", functools.partial(self._force, k))
        for k, axis in enumerate("z" if d == 2 else "xyz"):
            text = f"moment on its body about {axis}, at the body's own place"
            yield OutputOf(f"m{axis}", "N m", text, functools.partial(self._moment, k))
        for k, axis in enumerate("xyz"[:d]):
            yield OutputOf(axis, "m", f"centre of pressure, {axis}", functools.partial(self._centre, k))
        if d == 3:
            yield OutputOf(
                "free_moment", "N m", "moment on its body about z, at the centre of pressure", self._free_moment
            )
        yield OutputOf("energy", "J", "elastic energy", lambda m: see(m).energy)
        yield OutputOf("friction_loss", "J", "work lost by friction since the begin", lambda m: see(m).lost)
        yield OutputOf("touching", "1", "nodes that touch", lambda m: np.sum(see(m).pressing > 0.0, axis=1))
        yield OutputOf("sliding", "1", "nodes that slide", self._sliding)
        yield OutputOf("contact_area", "m^2", "undeformed area that touches", self._touched_area)
        yield OutputOf(
            "largest_pressure", "Pa", "largest contact pressure", lambda m: self.node_pressures(m)[1].max(axis=1)
        )
        yield OutputOf(
            "largest_displacement", "m", "largest displacement of a node that can touch, in the frame of its body",
            lambda m: np.linalg.norm(see(m).moved, axis=2).max(axis=1),
        )  # fmt: skip
        yield OutputOf("von_mises", "Pa", "largest von Mises stress", self._von_mises)

    def _force(self, axis: int, motion: Any) -> Array:
        return self.along(motion).force[:, axis]

    def _moment(self, axis: int, motion: Any) -> Array:
        found, part = self.along(motion), self.carrier.part
        arm = self.carrier.along(motion.q)[0] - part.position(motion.q, (0.0,) * self.dimension)
        if self.dimension == 2:
            return found.moment[:, 0] + arm[:, 0] * found.force[:, 1] - arm[:, 1] * found.force[:, 0]
        return (found.moment + np.cross(arm, found.force))[:, axis]

    def _free_moment(self, motion: Any) -> Array:
        found, origin = self.along(motion), self.carrier.along(motion.q)[0]
        x, y = (np.nan_to_num(origin[:, k] - self._centre(k, motion)) for k in range(2))
        return found.moment[:, 2] + x * found.force[:, 1] - y * found.force[:, 0]

    def _centre(self, axis: int, motion: Any) -> Array:
        found, (origin, axes) = self.along(motion), self.carrier.along(motion.q)
        places = self.settling.record.soft.X + found.moved
        with np.errstate(invalid="ignore", divide="ignore"):
            middle = np.einsum("tn,tnl->tl", found.pressing, places) / found.pressing.sum(axis=1)[:, None]
        return (origin + np.einsum("tl,tld->td", middle, axes))[:, axis]

    def _sliding(self, motion: Any) -> Array:
        found = self.along(motion)
        return np.sum((found.pressing > 0.0) & (found.rubbing >= (1.0 - 1e-9) * self.friction * found.pressing), axis=1)

    def _touched_area(self, motion: Any) -> Array:
        return np.sum((self.along(motion).pressing > 0.0) * self.settling.areas, axis=1)
