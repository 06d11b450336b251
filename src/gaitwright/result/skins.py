"""Surfaces of solids and of layers on bodies in contact: outputs of all their points together, pressure at nodes and points,
and pressure per sensor cell.

Pressures of points are forces by undeformed area. The largest of them does not converge on a finer mesh where an edge presses;
that of cells of a size does, as a sensor's: the normal forces on a cell by its area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.result.touches import Episode, along, columns
from gaitwright.system.mechanism import ContactNames, Mechanism
from gaitwright.system.parts.rubbing import RubbingPart
from gaitwright.system.solids.skin import Skin
from gaitwright.system.tables import Array

if TYPE_CHECKING:
    import xarray as xr

FINER, FINEST = 3, 8
"""Parts of a side per cell along an edge, and the most of them."""
EQUALLY = 1e-9
"""Difference of distances, in lengths of a side, up to which a part is as near to one point as to another: it is of both."""


def skin_outputs(names: ContactNames, skin: Skin) -> dict[str, tuple[str, str, Any]]:
    """What differs from, and is added to, the outputs of other contacts: functions of what `along` gives."""
    d, k, on = names.outline.shape[-1], list(names.pieces), f"contact {names.name}: "

    def column(name: str, data: Array) -> Array:
        return data[:, k, columns(d).index(name)]

    def penetration(data: Array) -> Array:
        gap = np.where(column("holds", data) > 0.0, column("gap", data), np.inf)
        return np.maximum(-gap.min(axis=1), 0.0)

    def slip(data: Array) -> Array:
        return column("slipped", data) @ skin.areas / skin.areas.sum()

    def strain(data: Array) -> Array:
        gap = np.where(column("holds", data) > 0.0, column("gap", data), np.inf).reshape(len(data), -1, skin.count)
        return np.maximum(-gap.min(axis=1) / skin.layer, 0.0).max(axis=1)

    more = {}
    if skin.layer is not None:
        more["strain"] = ("1", on + "largest part of its thickness that the layer is pressed by", strain)
    if d == 2:
        more["tangential_force"] = (
            "N", on + f"tangential force on {names.bodies[1]}", lambda data: column("tangential", data).sum(axis=1),
        )  # fmt: skip
    return {
        "penetration": ("m", on + "largest penetration", penetration),
        "slip": ("m", on + "distance slipped since the start, in the mean of its area", slip),
        "area": ("m^2", on + "area that presses, undeformed", lambda data: (column("normal", data) > 0.0) @ skin.areas),
        "largest_pressure": (
            "Pa", on + "largest pressure of a point, by undeformed area",
            lambda data: (column("normal", data) / skin.areas).max(axis=1),
        ),
        **more,
    }  # fmt: skip


def _normal_forces(mechanism: Mechanism, motion: Any, names: ContactNames) -> Array:
    """Of the points, (times, points), N."""
    return along(mechanism, motion)[:, list(names.pieces), columns(mechanism.dimension).index("normal")]


def skin_episodes(
    mechanism: Mechanism, motion: Any, skins: Sequence[ContactNames], values: Callable[[str], Array]
) -> list[Episode]:
    """From first to last touch, by the forces at the output times. Begin and end: when the nearest point, from outside, has no
    gap by its speed; at rest, by a straight line between two of the times. values: outputs by name."""
    if motion.t.size < 2:
        return []
    data, d, found = along(mechanism, motion), mechanism.dimension, []
    for names in skins:
        normal, gap, rate, holds = (
            data[:, list(names.pieces), columns(d).index(x)] for x in ("normal", "gap", "rate", "holds")
        )
        force, gap = normal.sum(axis=1), np.where(holds > 0.0, gap, np.inf)
        nearest = gap.argmin(axis=1)[:, None]
        near, speed = (np.take_along_axis(x, nearest, 1)[:, 0] for x in (gap, rate))
        lost, slip = values(f"{names.name}.dissipated"), values(f"{names.name}.slip")
        edges = np.flatnonzero(np.diff(np.concatenate([[False], force > 0.0, [False]])))
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            last, (begin, speed_in) = end - 1, _crossing(motion.t, near, speed, first - 1, first)
            until, speed_out = _crossing(motion.t, near, speed, end, last) if end < force.size else (np.nan, np.nan)
            times = np.concatenate([[begin], motion.t[first:end], [until]])[: None if end < force.size else -1]
            forces = np.concatenate([[0.0 if first else force[0]], force[first:end], [0.0]])[: times.size]
            before, after = max(first - 1, 0), min(end, force.size - 1)
            found.append(
                Episode(
                    names.name, begin, until, speed_in, speed_out, float(max(-near[first:end].min(), 0.0)),
                    float(force[first:end].max()), float(np.trapezoid(forces, times)),
                    float(lost[after] - lost[before]), float(slip[after] - slip[before]),
                )
            )  # fmt: skip
    return found


def _crossing(t: Array, gap: Array, rate: Array, outside: int, inside: int) -> tuple[float, float]:
    """When a gap was zero between two instants, and its speed then, m/s; where it began closed, that instant, without speed."""
    if outside < 0 or not (np.isfinite(gap[outside]) and gap[outside] >= 0.0 > gap[inside]):
        return float(t[inside]), 0.0
    away, step = gap[outside], t[inside] - t[outside]
    closing = -rate[outside] * np.sign(step)
    part = min(away / (closing * abs(step)), 1.0) if closing > 0.0 else away / (away - gap[inside])
    return float(t[outside] + part * step), float(abs(rate[outside]))


def contact_pressure(mechanism: Mechanism, motion: Any, solid: str) -> Array:
    """At the nodes of a solid, (times, nodes), Pa by undeformed area; 0 where nothing presses."""
    part: Any = mechanism.parts[solid]
    found = np.zeros((motion.t.size, len(part.mesh.nodes)))
    for names in mechanism.contact_names:
        if names.skin is not None and names.bodies[1] == solid:
            pressure = _normal_forces(mechanism, motion, names) / names.skin.areas
            found += names.skin.at_nodes(pressure, len(part.mesh.nodes))
    return found + part.own_pressures(motion)


class Surface(NamedTuple):
    """A surface that touches: of a contact, or of a solid at rest that rubs. skin: its points. undeformed: its nodes (nodes,
    d), m, or in the frame of the body that carries them. drawn: the same in the ground frame, as the model is drawn and nothing
    is deformed. Of a motion, normal_forces: of the points, (times, points), N; nodes: (times, nodes, d), m, in the ground
    frame."""

    skin: Skin
    undeformed: Array
    drawn: Callable[[], Array]
    normal_forces: Callable[[Any], Array]
    nodes: Callable[[Any], Array]


Places = Callable[[Surface], Array]


def surface_of(mechanism: Mechanism, name: str) -> Surface:
    """By the name of a contact or of a solid at rest that rubs."""
    pose, part = np.append(mechanism.drawn, 0.0)[: mechanism.n + 1], mechanism.parts.get(name)
    if isinstance(part, RubbingPart):
        return Surface(
            part.skin,
            part.mesh.nodes,
            lambda: part.in_ground(pose, part.mesh.nodes),
            part.normal_forces,
            part.nodes_along,
        )
    names = with_skin(mechanism, name)
    skin, carrier = names.skin, mechanism.parts.get(names.bodies[1], mechanism.ground)
    assert skin is not None
    body: Any = carrier
    if skin.carried is not None:
        carried = skin.carried
        places = (lambda: body.positions(pose, carried)), (lambda motion: body.positions(motion.q, carried))
    else:
        carried = body.mesh.nodes
        places = (lambda: carried), (lambda motion: carried + body.displacements(motion.q))
    return Surface(skin, carried, places[0], lambda motion: _normal_forces(mechanism, motion, names), places[1])


def with_skin(mechanism: Mechanism, name: str) -> ContactNames:
    """A contact of a surface by its name."""
    skins = {names.name: names for names in mechanism.contact_names if names.skin is not None}
    if name not in skins:
        rubbing = [part.name for part in mechanism.parts.values() if isinstance(part, RubbingPart)]
        At().fail(
            f"there is no contact '{name}' of a surface",
            expected=offer(name, [*skins, *rubbing], "(the model has none)"),
        )
    return skins[name]


def point_dataset(mechanism: Mechanism, motion: Any, name: str) -> xr.Dataset:
    """Pressure, force, penetration and place of each point (facet) of a surface that touches, over (time, point)."""
    import xarray as xr

    names = with_skin(mechanism, name)
    skin, d = names.skin, mechanism.dimension
    assert skin is not None
    data = along(mechanism, motion)[:, list(names.pieces)]
    of = {what: data[..., k] for k, what in enumerate(columns(d))}
    normal, axes = of["normal"], list("xyz"[:d])
    gap = np.where(of["holds"] > 0.0, of["gap"], np.inf)
    force = np.stack([of[f"f{x}"] for x in axes], axis=-1)
    places = skin.places(surface_of(mechanism, name).nodes(motion))
    over = ("time", "point")
    found = xr.Dataset(
        {
            "pressure": (over, normal / skin.areas, {"units": "Pa", "long_name": "normal force by undeformed area"}),
            "force": ((*over, "axis"), force, {"units": "N", "long_name": f"force on {names.bodies[1]}"}),
            "position": ((*over, "axis"), places, {"units": "m", "long_name": "place in the ground frame"}),
            "penetration": (over, np.maximum(-gap, 0.0), {"units": "m", "long_name": "penetration"}),
            "slip": (over, of["slipped"], {"units": "m", "long_name": "distance slipped since the start"}),
            "area": ("point", skin.areas, {"units": "m^2", "long_name": "undeformed area"}),
        },
        coords={"time": motion.t, "point": np.arange(1, skin.count + 1), "axis": axes},
    )
    found.time.attrs["units"] = "s"
    return found


def pressure_map(
    mechanism: Mechanism, motion: Any, name: str | Sequence[str], cell: float, seen: Places | None = None
) -> xr.DataArray:
    """Normal forces of surfaces that touch per cell of a grid by its area, Pa: (time, y, x), x and y being the middles of the
    cells; in the plane (time, x). name: of a contact or of a solid at rest that rubs, or of several, which are added up. cell:
    its side, m. seen: where the nodes of a surface are in the frame of the grid, (times, nodes, d), or (1, nodes, d) where they
    stay; in the ground frame unless given."""
    import xarray as xr

    wanted = [name] if isinstance(name, str) else list(name)
    label = f"pressure of '{', '.join(wanted)}'"
    if not wanted:
        At(label).fail("is that of no contact", expected="the name of a contact of a surface, or several")
    cell, d = At(label)["cell"].positive(cell, "m"), mechanism.dimension
    found = [_loads(surface_of(mechanism, one), motion, cell, seen) for one in wanted]
    middles, flat = [], [np.broadcast_to(time[:, None], weight.shape) for time, _, weight in found]
    for axis in reversed(range(d - 1)):
        cells = [own[axis] for _, own, _ in found]
        low = min((int(own.min()) for own in cells if own.size), default=0)
        count = max((int(own.max()) for own in cells if own.size), default=0) - low + 1
        flat = [before * count + (own - low) for before, own in zip(flat, cells, strict=True)]
        middles.append((low + np.arange(count) + 0.5) * cell)
    shape = (motion.t.size, *map(len, middles))
    weights = np.concatenate([weight.ravel() for _, _, weight in found])
    values = np.bincount(np.concatenate([x.ravel() for x in flat]), weights, minlength=int(np.prod(shape)))
    axes = ("x", "y")[: d - 1]
    coords = {"time": motion.t, **dict(zip(axes, middles[::-1], strict=True))}
    data = xr.DataArray(
        values.reshape(shape) / cell ** (d - 1), dims=("time", *axes[::-1]), coords=coords, name="pressure"
    )
    data.attrs |= {"units": "Pa", "long_name": f"pressure of {', '.join(wanted)} per cell"}
    for axis in ("time", *axes):
        data[axis].attrs["units"] = "s" if axis == "time" else "m"
    return data


def _loads(surface: Surface, motion: Any, cell: float, seen: Places | None) -> tuple[Array, list[Array], Array]:
    """Parts of sides that press: the number of the time of each side, the cells (sides, parts) of its parts along each axis,
    and their forces (sides, parts), N; in the plane by thickness."""
    skin, forces = surface.skin, surface.normal_forces(motion)
    nodes = surface.nodes(motion) if seen is None else seen(surface)
    local, owner, share = _parts(skin, surface.undeformed, cell)
    time, side = np.nonzero((forces[:, skin.members] > 0.0).any(axis=2))
    members, corners = skin.members[side], skin.sides[side][:, : skin.local.shape[1]]
    per_side = forces[time[:, None], members] * skin.portions[side] / (skin.areas[members] * skin.thickness)
    at = time[:, None] if len(nodes) > 1 else np.zeros((len(time), 1), dtype=np.int64)
    cells = [
        np.floor(nodes[at, corners, axis] @ (local.T / cell)).astype(np.int64) for axis in range(nodes.shape[-1] - 1)
    ]
    return time, cells, per_side[:, owner] * share


def _parts(skin: Skin, undeformed: Array, cell: float) -> tuple[Array, Array, Array]:
    """A side cut into parts that are smaller than a cell: their middles (parts, corners), the point of the side that each of
    them belongs to, and its share in what that point carries there."""
    d = skin.local.shape[1]
    if d == 1:  # a facet of which only the middle is known
        return np.ones((1, 1)), np.zeros(1, dtype=np.int64), np.ones(1)
    ends = undeformed[skin.sides[:, :d]]
    edge = float(np.linalg.norm(ends - np.roll(ends, 1, axis=1), axis=2).max())
    n = int(np.clip(np.ceil(FINER * edge / cell), 1, FINEST)) * (2 if d == 2 else 1)
    if d == 2:
        x = (np.arange(n) + 0.5) / n
        local = np.stack([1.0 - x, x], axis=1)
    else:
        i, j = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
        up, down = i + j < n, i + j < n - 1
        xy = np.concatenate([np.stack([i[up], j[up]], 1) + 1.0 / 3.0, np.stack([i[down], j[down]], 1) + 2.0 / 3.0]) / n
        local = np.column_stack([1.0 - xy.sum(axis=1), xy])
    away = np.linalg.norm(local[:, None] - skin.local, axis=2)
    nearest = away <= away.min(axis=1, keepdims=True) + EQUALLY
    part, owner = np.nonzero(nearest)
    weight = (nearest / nearest.sum(axis=1, keepdims=True))[part, owner]
    total = np.bincount(owner, weight, minlength=len(skin.local))
    return local[part], owner, weight / total[owner]
