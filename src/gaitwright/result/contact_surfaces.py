"""Contact surfaces of solids and of layers on bodies: outputs of all their points together, pressure at nodes and points,
and pressure per sensor cell.

Pressures of points are forces divided by undeformed area. At a pressing edge the largest point pressure does not converge
with mesh refinement. The pressure per cell of fixed size converges, as for a sensor: the normal forces on a cell divided by
its area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.frictional_solid_part import FrictionalSolidPart
from gaitwright.mechanism.mechanism import ContactNames, Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.mesh.contact_points import ContactPoints
from gaitwright.result.contact_episodes import ContactEpisode, contact_columns, sample_contacts

if TYPE_CHECKING:
    import xarray as xr

PARTS_PER_CELL, MAX_PARTS_PER_EDGE = 3, 8
"""Sub-sides per cell along an edge of a side, and maximum number of sub-sides along an edge."""
EQUAL_DISTANCE_RTOL = 1e-9
"""Relative tolerance for equal distances, in lengths of a side: a sub-side at equal distance from two points belongs to
both."""


def surface_outputs(names: ContactNames, skin: ContactPoints) -> dict[str, tuple[str, str, Any]]:
    """Outputs that replace or extend those of other contacts: functions of the data of `sample_contacts`."""
    d, k, on = names.outline.shape[-1], list(names.pieces), f"contact {names.name}: "

    def column(name: str, data: Array) -> Array:
        return data[:, k, contact_columns(d).index(name)]

    def penetration(data: Array) -> Array:
        gap = np.where(column("holds", data) > 0.0, column("gap", data), np.inf)
        return np.maximum(-gap.min(axis=1), 0.0)

    def slip(data: Array) -> Array:
        return column("slipped", data) @ skin.areas / skin.areas.sum()

    def strain(data: Array) -> Array:
        gap = np.where(column("holds", data) > 0.0, column("gap", data), np.inf).reshape(len(data), -1, skin.count)
        return np.maximum(-gap.min(axis=1) / skin.layer, 0.0).max(axis=1)

    further_outputs = {}
    if skin.layer is not None:
        further_outputs["strain"] = ("1", on + "largest part of its thickness that the layer is pressed by", strain)
    if d == 2:
        further_outputs["tangential_force"] = (
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
        **further_outputs,
    }  # fmt: skip


def _point_normal_forces(mechanism: Mechanism, motion: Any, names: ContactNames) -> Array:
    """Normal forces of the points, (times, points), N."""
    return sample_contacts(mechanism, motion)[
        :, list(names.pieces), contact_columns(mechanism.dimension).index("normal")
    ]


def surface_episodes(
    mechanism: Mechanism, motion: Any, skins: Sequence[ContactNames], values: Callable[[str], Array]
) -> list[ContactEpisode]:
    """Episodes from first to last touch, from the forces at the output times. Begin and end: instant at which the gap of the
    nearest point outside vanishes, extrapolated with its speed; at rest by linear interpolation between two output times.
    values: function that returns an output by name."""
    if motion.t.size < 2:
        return []
    data, d, episodes = sample_contacts(mechanism, motion), mechanism.dimension, []
    for names in skins:
        normal, gap, rate, holds = (
            data[:, list(names.pieces), contact_columns(d).index(x)] for x in ("normal", "gap", "rate", "holds")
        )
        force, gap = normal.sum(axis=1), np.where(holds > 0.0, gap, np.inf)
        nearest = gap.argmin(axis=1)[:, None]
        nearest_gap, speed = (np.take_along_axis(x, nearest, 1)[:, 0] for x in (gap, rate))
        lost, slip = values(f"{names.name}.dissipated"), values(f"{names.name}.slip")
        edges = np.flatnonzero(np.diff(np.concatenate([[False], force > 0.0, [False]])))
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            last, (begin, speed_in) = end - 1, _gap_crossing(motion.t, nearest_gap, speed, first - 1, first)
            until, speed_out = (
                _gap_crossing(motion.t, nearest_gap, speed, end, last) if end < force.size else (np.nan, np.nan)
            )
            times = np.concatenate([[begin], motion.t[first:end], [until]])[: None if end < force.size else -1]
            forces = np.concatenate([[0.0 if first else force[0]], force[first:end], [0.0]])[: times.size]
            before, after = max(first - 1, 0), min(end, force.size - 1)
            episodes.append(
                ContactEpisode(
                    names.name, begin, until, speed_in, speed_out, float(max(-nearest_gap[first:end].min(), 0.0)),
                    float(force[first:end].max()), float(np.trapezoid(forces, times)),
                    float(lost[after] - lost[before]), float(slip[after] - slip[before]),
                )
            )  # fmt: skip
    return episodes


def _gap_crossing(t: Array, gap: Array, rate: Array, outside: int, inside: int) -> tuple[float, float]:
    """Instant at which a gap vanishes between two samples, and its speed there, m/s. If the contact was closed at the start:
    time of the sample `inside`, and speed 0."""
    if outside < 0 or not (np.isfinite(gap[outside]) and gap[outside] >= 0.0 > gap[inside]):
        return float(t[inside]), 0.0
    away, step = gap[outside], t[inside] - t[outside]
    closing = -rate[outside] * np.sign(step)
    part = min(away / (closing * abs(step)), 1.0) if closing > 0.0 else away / (away - gap[inside])
    return float(t[outside] + part * step), float(abs(rate[outside]))


def contact_pressure(mechanism: Mechanism, motion: Any, solid: str) -> Array:
    """Contact pressure at the nodes of a solid, (times, nodes), Pa, by undeformed area; 0 without contact."""
    part: Any = mechanism.parts[solid]
    pressures = np.zeros((motion.t.size, len(part.mesh.nodes)))
    for names in mechanism.contact_names:
        if names.skin is not None and names.bodies[1] == solid:
            pressure = _point_normal_forces(mechanism, motion, names) / names.skin.areas
            pressures += names.skin.at_nodes(pressure, len(part.mesh.nodes))
    return pressures + part.own_pressures(motion)


class PressureSurface(NamedTuple):
    """A surface in contact: of a contact, or of a quasi-static solid with friction. skin: its points. undeformed: its nodes
    (nodes, d), m, or in the frame of the body that carries them. drawn: function; the same nodes in the ground frame in the
    drawn pose, undeformed. Functions of a motion: normal_forces of the points, (times, points), N; nodes: (times, nodes, d),
    m, in the ground frame."""

    skin: ContactPoints
    undeformed: Array
    drawn: Callable[[], Array]
    normal_forces: Callable[[Any], Array]
    nodes: Callable[[Any], Array]


SurfaceNodePositions = Callable[[PressureSurface], Array]


def find_pressure_surface(mechanism: Mechanism, name: str) -> PressureSurface:
    """Surface by the name of a contact or of a quasi-static solid with friction."""
    pose, part = np.append(mechanism.drawn, 0.0)[: mechanism.n + 1], mechanism.parts.get(name)
    if isinstance(part, FrictionalSolidPart):
        return PressureSurface(
            part.skin,
            part.mesh.nodes,
            lambda: part.in_ground(pose, part.mesh.nodes),
            part.normal_forces,
            part.nodes_along,
        )
    names = find_surface_contact(mechanism, name)
    skin, carrier = names.skin, mechanism.parts.get(names.bodies[1], mechanism.ground)
    assert skin is not None
    body: Any = carrier
    if skin.carried is not None:
        carried = skin.carried
        places = (lambda: body.positions(pose, carried)), (lambda motion: body.positions(motion.q, carried))
    else:
        carried = body.mesh.nodes
        places = (lambda: carried), (lambda motion: carried + body.displacements(motion.q))
    return PressureSurface(
        skin, carried, places[0], lambda motion: _point_normal_forces(mechanism, motion, names), places[1]
    )


def find_surface_contact(mechanism: Mechanism, name: str) -> ContactNames:
    """The contact of a surface, by its name."""
    skins = {names.name: names for names in mechanism.contact_names if names.skin is not None}
    if name not in skins:
        rubbing = [part.name for part in mechanism.parts.values() if isinstance(part, FrictionalSolidPart)]
        ErrorContext().fail(
            f"there is no contact '{name}' of a surface",
            expected=format_choices(name, [*skins, *rubbing], "(the model has none)"),
        )
    return skins[name]


def point_dataset(mechanism: Mechanism, motion: Any, name: str) -> xr.Dataset:
    """Pressure, force, penetration and position of each point (facet) of a surface in contact, over (time, point)."""
    import xarray as xr

    names = find_surface_contact(mechanism, name)
    skin, d = names.skin, mechanism.dimension
    assert skin is not None
    data = sample_contacts(mechanism, motion)[:, list(names.pieces)]
    columns = {name: data[..., k] for k, name in enumerate(contact_columns(d))}
    normal, axes = columns["normal"], list("xyz"[:d])
    gap = np.where(columns["holds"] > 0.0, columns["gap"], np.inf)
    force = np.stack([columns[f"f{x}"] for x in axes], axis=-1)
    places = skin.places(find_pressure_surface(mechanism, name).nodes(motion))
    over = ("time", "point")
    dataset = xr.Dataset(
        {
            "pressure": (over, normal / skin.areas, {"units": "Pa", "long_name": "normal force by undeformed area"}),
            "force": ((*over, "axis"), force, {"units": "N", "long_name": f"force on {names.bodies[1]}"}),
            "position": ((*over, "axis"), places, {"units": "m", "long_name": "place in the ground frame"}),
            "penetration": (over, np.maximum(-gap, 0.0), {"units": "m", "long_name": "penetration"}),
            "slip": (over, columns["slipped"], {"units": "m", "long_name": "distance slipped since the start"}),
            "area": ("point", skin.areas, {"units": "m^2", "long_name": "undeformed area"}),
        },
        coords={"time": motion.t, "point": np.arange(1, skin.count + 1), "axis": axes},
    )
    dataset.time.attrs["units"] = "s"
    return dataset


def pressure_map(
    mechanism: Mechanism,
    motion: Any,
    name: str | Sequence[str],
    cell: float,
    node_positions: SurfaceNodePositions | None = None,
) -> xr.DataArray:
    """Normal forces of surfaces in contact per cell of a grid, divided by its area, Pa: (time, y, x), where x and y are the
    cell centres; in the plane (time, x). name: a contact or a quasi-static solid with friction, or several, which are added.
    cell: side length, m. node_positions: function that returns the positions of the nodes of a surface in the frame of the
    grid, (times, nodes, d), or (1, nodes, d) if constant; default: in the ground frame."""
    import xarray as xr

    surfaces = [name] if isinstance(name, str) else list(name)
    label = f"pressure of '{', '.join(surfaces)}'"
    if not surfaces:
        ErrorContext(label).fail("has no contact", expected="the name of a contact of a surface, or several")
    cell, d = ErrorContext(label)["cell"].positive(cell, "m"), mechanism.dimension
    parts = [
        _cell_forces(find_pressure_surface(mechanism, surface), motion, cell, node_positions) for surface in surfaces
    ]
    middles, flat = [], [np.broadcast_to(time[:, None], weight.shape) for time, _, weight in parts]
    for axis in reversed(range(d - 1)):
        cells = [own[axis] for _, own, _ in parts]
        low = min((int(own.min()) for own in cells if own.size), default=0)
        count = max((int(own.max()) for own in cells if own.size), default=0) - low + 1
        flat = [before * count + (own - low) for before, own in zip(flat, cells, strict=True)]
        middles.append((low + np.arange(count) + 0.5) * cell)
    shape = (motion.t.size, *map(len, middles))
    weights = np.concatenate([weight.ravel() for _, _, weight in parts])
    values = np.bincount(np.concatenate([x.ravel() for x in flat]), weights, minlength=int(np.prod(shape)))
    axes = ("x", "y")[: d - 1]
    coords = {"time": motion.t, **dict(zip(axes, middles[::-1], strict=True))}
    data = xr.DataArray(
        values.reshape(shape) / cell ** (d - 1), dims=("time", *axes[::-1]), coords=coords, name="pressure"
    )
    data.attrs |= {"units": "Pa", "long_name": f"pressure of {', '.join(surfaces)} per cell"}
    for axis in ("time", *axes):
        data[axis].attrs["units"] = "s" if axis == "time" else "m"
    return data


def _cell_forces(
    surface: PressureSurface, motion: Any, cell: float, node_positions: SurfaceNodePositions | None
) -> tuple[Array, list[Array], Array]:
    """Loaded sub-sides: index of the time of each side, the cells (sides, parts) of its sub-sides along each axis, and their
    forces (sides, parts), N; in the plane per thickness."""
    skin, forces = surface.skin, surface.normal_forces(motion)
    nodes = surface.nodes(motion) if node_positions is None else node_positions(surface)
    local, owner, share = _divide_side(skin, surface.undeformed, cell)
    time, side = np.nonzero((forces[:, skin.members] > 0.0).any(axis=2))
    members, corners = skin.members[side], skin.sides[side][:, : skin.local.shape[1]]
    per_side = forces[time[:, None], members] * skin.portions[side] / (skin.areas[members] * skin.thickness)
    at = time[:, None] if len(nodes) > 1 else np.zeros((len(time), 1), dtype=np.int64)
    cells = [
        np.floor(nodes[at, corners, axis] @ (local.T / cell)).astype(np.int64) for axis in range(nodes.shape[-1] - 1)
    ]
    return time, cells, per_side[:, owner] * share


def _divide_side(skin: ContactPoints, undeformed: Array, cell: float) -> tuple[Array, Array, Array]:
    """Divide a side into sub-sides that are smaller than a cell: their centres (parts, corners), the point of the side that
    each of them belongs to, and its share of the force of that point."""
    d = skin.local.shape[1]
    if d == 1:  # a facet, of which only the centre is known
        return np.ones((1, 1)), np.zeros(1, dtype=np.int64), np.ones(1)
    ends = undeformed[skin.sides[:, :d]]
    edge = float(np.linalg.norm(ends - np.roll(ends, 1, axis=1), axis=2).max())
    n = int(np.clip(np.ceil(PARTS_PER_CELL * edge / cell), 1, MAX_PARTS_PER_EDGE)) * (2 if d == 2 else 1)
    if d == 2:
        x = (np.arange(n) + 0.5) / n
        local = np.stack([1.0 - x, x], axis=1)
    else:
        i, j = (a.ravel() for a in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
        up, down = i + j < n, i + j < n - 1
        xy = np.concatenate([np.stack([i[up], j[up]], 1) + 1.0 / 3.0, np.stack([i[down], j[down]], 1) + 2.0 / 3.0]) / n
        local = np.column_stack([1.0 - xy.sum(axis=1), xy])
    away = np.linalg.norm(local[:, None] - skin.local, axis=2)
    nearest = away <= away.min(axis=1, keepdims=True) + EQUAL_DISTANCE_RTOL
    part, owner = np.nonzero(nearest)
    weight = (nearest / nearest.sum(axis=1, keepdims=True))[part, owner]
    total = np.bincount(owner, weight, minlength=len(skin.local))
    return local[part], owner, weight / total[owner]
