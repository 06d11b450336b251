"""Contacts in an analysis: contact data along a motion, and contact episodes."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.contact.history import (
    EPISODE_BEGIN,
    EPISODE_CONTACT,
    EPISODE_END,
    EPISODE_ENERGY_LOSS,
    EPISODE_IMPULSE,
    EPISODE_MAX_FORCE,
    EPISODE_MAX_PENETRATION,
    EPISODE_SLIP_DISTANCE,
    EPISODE_SPEED_IN,
    EPISODE_SPEED_OUT,
)
from gaitwright.contact.state import (
    MEMORY_NORMAL_FORCE,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
    STATE_GAP,
    STATE_GAP_RATE,
    STATE_REGION,
    SURFACE_NORMAL,
    TOUCHING_BY_IMPULSE,
    TOUCHING_BY_LAW,
    evaluate_contact_force,
    memory_start,
    position_in_pose,
    slip_speed,
    step_slip_distance,
    tangential_component,
)
from gaitwright.jit import jit_compile
from gaitwright.jit.call_pacing import split_rows
from gaitwright.mechanism.evaluation import new_workspace, update_signals
from gaitwright.mechanism.mechanism import ContactNames, Mechanism
from gaitwright.mechanism.tables import Array

# Columns of `_sample_contacts` per contact and time. In the plane slip and tangential are components along the tangent
# (normal turned by -90 degrees), in space magnitudes. holds: weight of the piece if the contact point is in its region,
# otherwise 0. Then force on b, point of application and tangential force, vectors in the ground frame.
CONTACT_NUMBERS = ("gap", "rate", "slip", "normal", "tangential", "slipped", "touching", "holds")
AXIS_NAMES = "xyz"


def contact_columns(dimension: int) -> tuple[str, ...]:
    """Names of the columns of the data of `sample_contacts`."""
    return (*CONTACT_NUMBERS, *(f"{name}{x}" for name in ("f", "", "t") for x in AXIS_NAMES[:dimension]))


@jit_compile
def _sample_contacts(s, w, t, q, v, memory, out):
    """Fill out[time, contact, column]."""
    b = s.contacts
    d = b.dimension
    for k in range(t.size):
        update_signals(s, w, t[k])
        for i in range(w.memory.size):
            w.memory[i] = memory[k, i]
        for c in range(b.count):
            m, o = memory_start(s, c), out[k, c]
            fn = evaluate_contact_force(s, w, c, q[k], v[k])
            state, slipped = w.memory[m + MEMORY_TOUCHING], w.memory[m + MEMORY_SLIP_DISTANCE]
            if state == TOUCHING_BY_LAW:  # the memory is that at the start of the step
                slipped += step_slip_distance(s, w, c)
            elif state == TOUCHING_BY_IMPULSE:
                fn = w.memory[m + MEMORY_NORMAL_FORCE]
            else:
                fn = 0.0
            for i in range(d):
                if state != TOUCHING_BY_LAW:
                    w.friction[i] = w.memory[m + MEMORY_STRETCH + d + i] if state == TOUCHING_BY_IMPULSE else 0.0
            n0, n1, size = w.surface[SURFACE_NORMAL], w.surface[SURFACE_NORMAL + 1], 0.0
            for i in range(d):
                w.wrench[i] = tangential_component(s, w, w.friction, 0, i)  # the tangential force alone
                size += w.wrench[i] ** 2
            slip = n1 * w.slip[0] - n0 * w.slip[1] if d == 2 else slip_speed(s, w)
            tangential = n1 * w.wrench[0] - n0 * w.wrench[1] if d == 2 else math.sqrt(size)
            o[0], o[1], o[2], o[3], o[4] = w.frame[STATE_GAP], w.frame[STATE_GAP_RATE], slip, fn, tangential
            o[5], o[6] = slipped, 1.0 if state != 0.0 else 0.0
            o[7] = b.weight[c] if w.frame[STATE_REGION] >= 0.0 else 0.0
            place = position_in_pose(s)
            for i in range(d):
                f, x, along = 8 + i, 8 + d + i, 8 + 2 * d + i
                o[f], o[x], o[along] = 0.0, w.pose[place + i], 0.0
                for j in range(d):
                    axis = w.pose[place + d + d * j + i]
                    o[f] += fn * w.surface[SURFACE_NORMAL + d + j] * axis
                    o[x] -= b.radius[c] * w.surface[SURFACE_NORMAL + j] * axis
                    o[along] += w.wrench[j] * axis
                o[f] += o[along]


def sample_contacts(mechanism: Mechanism, motion: Any) -> Array:
    """All contacts at all times: (n_times, n_pieces, columns), in the order of Mechanism.contacts."""
    s = mechanism.system
    states = [np.ascontiguousarray(x) for x in (motion.q, motion.v, motion.memory)]
    out = np.zeros((motion.t.size, s.contacts.count, len(contact_columns(s.contacts.dimension))))
    for rows in split_rows(motion.t.size, s.n):
        _sample_contacts(s, new_workspace(s), motion.t[rows], *(x[rows] for x in states), out[rows])
    return out[:, mechanism.contact_place]


class ContactEpisode(NamedTuple):
    """One closed interval of a contact. end and separation_speed are NaN if the contact is still closed. SI units."""

    contact: str
    begin: float
    end: float
    approach_speed: float
    separation_speed: float
    max_penetration: float
    max_force: float
    impulse: float
    dissipated: float
    slip: float

    @property
    def duration(self) -> float:
        return self.end - self.begin

    @property
    def restitution(self) -> float:
        """Separation speed over approach speed."""
        return self.separation_speed / self.approach_speed if self.approach_speed else float("nan")


EPISODE_UNITS = {
    "begin": "s", "end": "s", "approach_speed": "m/s", "separation_speed": "m/s", "max_penetration": "m", "max_force": "N",
    "impulse": "N s", "dissipated": "J", "slip": "m",
}  # fmt: skip


def build_episodes(mechanism: Mechanism, log: Array) -> list[ContactEpisode]:
    """Episodes from the log of a run, with names, sorted by begin. Overlapping episodes of the pieces of one surface are
    merged."""
    owner = {int(mechanism.contact_place[k]): names.name for names in mechanism.contact_names for k in names.pieces}
    episodes: list[ContactEpisode] = []
    last: dict[str, int] = {}
    for row in sorted(log.tolist(), key=lambda row: row[EPISODE_BEGIN]):
        now = ContactEpisode(
            owner[int(row[EPISODE_CONTACT])],
            row[EPISODE_BEGIN],
            row[EPISODE_END],
            row[EPISODE_SPEED_IN],
            row[EPISODE_SPEED_OUT] if np.isfinite(row[EPISODE_END]) else float("nan"),
            row[EPISODE_MAX_PENETRATION],
            row[EPISODE_MAX_FORCE],
            row[EPISODE_IMPULSE],
            row[EPISODE_ENERGY_LOSS],
            row[EPISODE_SLIP_DISTANCE],
        )
        before = last.get(now.contact)
        if before is None or episodes[before].end < now.begin:  # not if the episode has no end yet
            last[now.contact] = len(episodes)
            episodes.append(now)
            continue
        e = episodes[before]
        later = e if not now.end > e.end and np.isfinite(now.end) else now
        episodes[before] = e._replace(
            end=later.end,
            separation_speed=later.separation_speed,
            max_penetration=max(e.max_penetration, now.max_penetration),
            max_force=max(e.max_force, now.max_force),
            impulse=e.impulse + now.impulse,
            dissipated=e.dissipated + now.dissipated,
            slip=e.slip + now.slip,
        )
    return episodes


def approach_speed_warnings(mechanism: Mechanism, episodes: list[ContactEpisode]) -> Iterator[str]:
    """Warnings for contact laws that were used above the approach speed up to which they are valid."""
    speeds: dict[str, float] = {}
    for e in episodes:
        speeds[e.contact] = max(e.approach_speed, speeds.get(e.contact, 0.0))
    for names in mechanism.contact_names:
        speed = speeds.get(names.name, 0.0)
        if names.fastest is not None and speed > names.fastest:
            yield (
                f"contact '{names.name}' touches down at {speed:.3g} m/s; {names.law} holds up to "
                f"{names.fastest:.3g} m/s = 1e-5 sqrt(E/rho), above which plastic deformation is likely"
            )


def contact_outputs(names: ContactNames) -> dict[str, tuple[str, str, Any]]:
    """Outputs of one contact: unit, description, and a function of the data of `sample_contacts` (all pieces of the
    contact)."""
    k = list(names.pieces)
    dimension = names.outline.shape[-1]

    def column(name: str) -> Any:
        i = contact_columns(dimension).index(name)
        return lambda data: data[:, k, i]

    normal, touching = column("normal"), column("touching")

    def summed(name: str) -> Any:
        return lambda data: column(name)(data).sum(axis=1)

    def of_main(name: str) -> Any:
        """Value of the piece that carries the largest force, or of the nearest piece if none carries a force."""

        def values(data: Array) -> Array:
            rank = np.where(touching(data) > 0, 1e9 + normal(data), -np.abs(column("gap")(data)))
            rank = np.where(column("holds")(data) > 0, rank, -1e9)
            return np.take_along_axis(column(name)(data), rank.argmax(axis=1)[:, None], axis=1)[:, 0]

        return values

    def weighted(name: str) -> Any:
        """Point of application: mean of the pieces weighted by their forces, NaN if the contact is open."""

        def values(data: Array) -> Array:
            force = normal(data)
            total = force.sum(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.where(total > 0, (force * column(name)(data)).sum(axis=1) / total, np.nan)

        return values

    on = f"contact {names.name}: "
    axes = AXIS_NAMES[:dimension]
    return {
        "gap": ("m", on + "distance of the surfaces, negative inside", of_main("gap")),
        "penetration": ("m", on + "penetration", lambda d: np.maximum(-of_main("gap")(d), 0) * touching(d).any(axis=1)),
        "penetration_rate": ("m/s", on + "rate of penetration", lambda d: -of_main("rate")(d)),
        "normal_force": ("N", on + f"normal force on {names.bodies[1]}", summed("normal")),
        "tangential_force": ("N", on + f"tangential force on {names.bodies[1]}", of_main("tangential")),
        "slip_velocity": ("m/s", on + f"velocity of {names.bodies[1]} along the surface", of_main("slip")),
        "slip": ("m", on + "distance slipped since the start", summed("slipped")),
        **{f"f{x}": ("N", on + f"force on {names.bodies[1]} along {x}", summed(f"f{x}")) for x in axes},
        **{x: ("m", on + f"{x} of the point of application", weighted(x)) for x in axes},
        **(_spatial_outputs(names, column, summed) if dimension == 3 else {}),
        **(_surface_outputs(names) if names.skin is not None else {}),
    }


def _surface_outputs(names: ContactNames) -> dict[str, tuple[str, str, Any]]:
    from gaitwright.result.contact_surfaces import surface_outputs

    assert names.skin is not None
    return surface_outputs(names, names.skin)


def _spatial_outputs(names: ContactNames, column: Any, summed: Any) -> dict[str, tuple[str, str, Any]]:
    """Outputs that are vectors in space, and the free moment of all forces about the point of application."""
    on = f"contact {names.name}: "

    def free_moment(axis: int, data: Array) -> Array:
        normal = column("normal")(data)
        place, force = (np.stack([column(name + x)(data) for x in "xyz"], axis=2) for name in ("", "f"))
        total = normal.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            centre = (normal[..., None] * place).sum(axis=1, keepdims=True) / total[:, None, None]
            return np.where(total > 0, np.cross(place - centre, force).sum(axis=1)[:, axis], 0.0)

    def size(data: Array) -> Array:
        return np.sqrt(sum(summed(f"t{x}")(data) ** 2 for x in "xyz"))

    return {
        "tangential_force": ("N", on + f"size of the tangential force on {names.bodies[1]}", size),
        **{f"tangential_{x}": ("N", on + f"tangential force along {x}", summed(f"t{x}")) for x in "xyz"},
        **{
            f"m{x}": (
                "N m",
                on + f"free moment about {x}, at the point of application",
                functools.partial(free_moment, k),
            )
            for k, x in enumerate("xyz")
        },
    }


def closed_duration(intervals: list[tuple[float, float]]) -> float:
    """Length of the union of intervals: pieces of one surface may be closed at the same time."""
    total, reached = 0.0, -np.inf
    for begin, end in sorted(intervals):
        total += max(end - max(begin, reached), 0.0)
        reached = max(reached, end)
    return float(total)


def contact_summaries(result: Any) -> dict[str, dict[str, Any]]:
    """Summary of each contact over the run; a contact along a beam counts as one contact."""
    contact_of_piece = {names.name: names.whole or names.name for names in result.mechanism.contact_names}
    episodes: dict[str, list[ContactEpisode]] = {name: [] for name in result.contact_names()}
    for e in result.episodes:
        episodes[contact_of_piece[e.contact]].append(e)
    return {name: _contact_summary(result, name, of_it) for name, of_it in episodes.items()}


SUMMARY_OUTPUTS = ("penetration", "normal_force", "dissipated", "slip")
"""Outputs of a contact that its summary needs."""


def _contact_summary(result: Any, name: str, episodes: list[ContactEpisode]) -> dict[str, Any]:
    """Summary of one contact: times in s, m, N, N s, J. duty: fraction of the run in which it was closed."""
    start, end = (float(result.time[0]), float(result.time[-1])) if result.time.size else (0.0, 0.0)
    closed = closed_duration([(e.begin, e.end if np.isfinite(e.end) else end) for e in episodes])

    def largest(output: str, found: list[float]) -> float:
        """Largest value, including the output times: several pieces of a surface may press at once, and statics has no
        episodes."""
        return float(max([np.max(result.array(f"{name}.{output}"), initial=0.0), *found]))

    def last(output: str) -> float:
        values = result.array(f"{name}.{output}")
        return float(values[-1]) if values.size else 0.0

    return {
        "episodes": len(episodes),
        "first_touchdown": min((e.begin for e in episodes), default=None),
        "time_in_contact": closed,
        "duty": closed / (end - start) if end > start else None,
        "max_penetration": largest("penetration", [e.max_penetration for e in episodes]),
        "max_normal_force": largest("normal_force", [e.max_force for e in episodes]),
        "impulse": float(sum(e.impulse for e in episodes)),
        "dissipated": last("dissipated"),
        "slip": last("slip"),
    }
