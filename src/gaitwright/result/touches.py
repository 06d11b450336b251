"""Contacts in an analysis: their memory at the start, what they did along a motion, and their episodes."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gaitwright.compiled import compiled
from gaitwright.compiled.pace import blocks
from gaitwright.contact.history import (
    BEGIN,
    CONTACT_NUMBER,
    DEEPEST,
    END,
    IMPULSE,
    LOST,
    SLID,
    SPEED_IN,
    SPEED_OUT,
    STRONGEST,
)
from gaitwright.system.evaluate import signals_at, workspace
from gaitwright.system.mechanism import ContactNames, Mechanism
from gaitwright.system.tables import Array
from gaitwright.system.touch import (
    BY_IMPULSE,
    BY_LAW,
    GAP,
    NORMAL,
    NORMAL_FORCE,
    RATE,
    REGION,
    SLIPPED,
    STRETCH,
    TOUCHING,
    along_surface,
    memory_of,
    position_in_pose,
    slid,
    speed_of_slip,
    touch,
)

# What `_along` writes per contact and time: in the plane slip and tangential are numbers along the tangent (normal turned by
# -90 degrees), in space sizes. holds: the weight of the piece if the place is in its region, otherwise 0. Then force on b,
# point of application and tangential force, vectors in the ground frame.
NUMBERS = ("gap", "rate", "slip", "normal", "tangential", "slipped", "touching", "holds")
AXES = "xyz"


def columns(dimension: int) -> tuple[str, ...]:
    return (*NUMBERS, *(f"{name}{x}" for name in ("f", "", "t") for x in AXES[:dimension]))


@compiled
def _along(s, w, t, q, v, memory, out):
    """Fill out[time, contact, column]."""
    b = s.contacts
    d = b.dimension
    for k in range(t.size):
        signals_at(s, w, t[k])
        for i in range(w.memory.size):
            w.memory[i] = memory[k, i]
        for c in range(b.count):
            m, o = memory_of(s, c), out[k, c]
            fn = touch(s, w, c, q[k], v[k])
            state, slipped = w.memory[m + TOUCHING], w.memory[m + SLIPPED]
            if state == BY_LAW:  # the memory is that of the begin of the step
                slipped += slid(s, w, c)
            elif state == BY_IMPULSE:
                fn = w.memory[m + NORMAL_FORCE]
            else:
                fn = 0.0
            for i in range(d):
                if state != BY_LAW:
                    w.friction[i] = w.memory[m + STRETCH + d + i] if state == BY_IMPULSE else 0.0
            n0, n1, size = w.surface[NORMAL], w.surface[NORMAL + 1], 0.0
            for i in range(d):
                w.wrench[i] = along_surface(s, w, w.friction, 0, i)  # the tangential force alone
                size += w.wrench[i] ** 2
            slip = n1 * w.slip[0] - n0 * w.slip[1] if d == 2 else speed_of_slip(s, w)
            tangential = n1 * w.wrench[0] - n0 * w.wrench[1] if d == 2 else math.sqrt(size)
            o[0], o[1], o[2], o[3], o[4] = w.frame[GAP], w.frame[RATE], slip, fn, tangential
            o[5], o[6] = slipped, 1.0 if state != 0.0 else 0.0
            o[7] = b.weight[c] if w.frame[REGION] >= 0.0 else 0.0
            place = position_in_pose(s)
            for i in range(d):
                f, x, along = 8 + i, 8 + d + i, 8 + 2 * d + i
                o[f], o[x], o[along] = 0.0, w.pose[place + i], 0.0
                for j in range(d):
                    axis = w.pose[place + d + d * j + i]
                    o[f] += fn * w.surface[NORMAL + d + j] * axis
                    o[x] -= b.radius[c] * w.surface[NORMAL + j] * axis
                    o[along] += w.wrench[j] * axis
                o[f] += o[along]


def along(mechanism: Mechanism, motion: Any) -> Array:
    """All contacts at all times: (n_times, n_pieces, columns), in the order of Mechanism.contacts."""
    s = mechanism.system
    states = [np.ascontiguousarray(x) for x in (motion.q, motion.v, motion.memory)]
    out = np.zeros((motion.t.size, s.contacts.count, len(columns(s.contacts.dimension))))
    for rows in blocks(motion.t.size, s.n):
        _along(s, workspace(s), motion.t[rows], *(x[rows] for x in states), out[rows])
    return out[:, mechanism.contact_place]


class Episode(NamedTuple):
    """One time that a contact was closed. end and separation_speed are NaN while it still is. SI units."""

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


def episodes(mechanism: Mechanism, log: Array) -> list[Episode]:
    """The log of a run with names, sorted by begin. As long as any piece of its surface touches, it is one episode."""
    owner = {int(mechanism.contact_place[k]): names.name for names in mechanism.contact_names for k in names.pieces}
    found: list[Episode] = []
    last: dict[str, int] = {}
    for row in sorted(log.tolist(), key=lambda row: row[BEGIN]):
        now = Episode(
            owner[int(row[CONTACT_NUMBER])], row[BEGIN], row[END], row[SPEED_IN],
            row[SPEED_OUT] if np.isfinite(row[END]) else float("nan"), row[DEEPEST], row[STRONGEST], row[IMPULSE],
            row[LOST], row[SLID],
        )  # fmt: skip
        before = last.get(now.contact)
        if before is None or found[before].end < now.begin:  # not if it has no end yet
            last[now.contact] = len(found)
            found.append(now)
            continue
        e = found[before]
        later = e if not now.end > e.end and np.isfinite(now.end) else now
        found[before] = e._replace(
            end=later.end, separation_speed=later.separation_speed,
            max_penetration=max(e.max_penetration, now.max_penetration), max_force=max(e.max_force, now.max_force),
            impulse=e.impulse + now.impulse, dissipated=e.dissipated + now.dissipated, slip=e.slip + now.slip,
        )  # fmt: skip
    return found


def too_fast(mechanism: Mechanism, found: list[Episode]) -> Iterator[str]:
    """Warnings where a law was used beyond the approach speed it holds for."""
    speeds: dict[str, float] = {}
    for e in found:
        speeds[e.contact] = max(e.approach_speed, speeds.get(e.contact, 0.0))
    for names in mechanism.contact_names:
        speed = speeds.get(names.name, 0.0)
        if names.fastest is not None and speed > names.fastest:
            yield (
                f"contact '{names.name}' touches down at {speed:.3g} m/s; {names.law} holds up to "
                f"{names.fastest:.3g} m/s = 1e-5 sqrt(E/rho), above which plastic deformation is likely"
            )


def contact_outputs(names: ContactNames) -> dict[str, tuple[str, str, Any]]:
    """Outputs of one contact: unit, description, and a function of what `along` gives (all pieces of the contact)."""
    k = list(names.pieces)
    dimension = names.outline.shape[-1]

    def column(name: str) -> Any:
        i = columns(dimension).index(name)
        return lambda data: data[:, k, i]

    normal, touching = column("normal"), column("touching")

    def summed(name: str) -> Any:
        return lambda data: column(name)(data).sum(axis=1)

    def of_main(name: str) -> Any:
        """Of the piece that carries the force, or the nearest while none does."""

        def values(data: Array) -> Array:
            rank = np.where(touching(data) > 0, 1e9 + normal(data), -np.abs(column("gap")(data)))
            rank = np.where(column("holds")(data) > 0, rank, -1e9)
            return np.take_along_axis(column(name)(data), rank.argmax(axis=1)[:, None], axis=1)[:, 0]

        return values

    def weighted(name: str) -> Any:
        """Point of application: mean of the pieces weighted by their forces, NaN in the air."""

        def values(data: Array) -> Array:
            force = normal(data)
            total = force.sum(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.where(total > 0, (force * column(name)(data)).sum(axis=1) / total, np.nan)

        return values

    on = f"contact {names.name}: "
    axes = AXES[:dimension]
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
        **(_in_space(names, column, summed) if dimension == 3 else {}),
        **(_of_skin(names) if names.skin is not None else {}),
    }


def _of_skin(names: ContactNames) -> dict[str, tuple[str, str, Any]]:
    from gaitwright.result.skins import skin_outputs

    assert names.skin is not None
    return skin_outputs(names, names.skin)


def _in_space(names: ContactNames, column: Any, summed: Any) -> dict[str, tuple[str, str, Any]]:
    """What is a vector in space, and the free moment of all forces about the point of application."""
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


def time_closed(intervals: list[tuple[float, float]]) -> float:
    """Length of the union of intervals: pieces of one surface may be closed at the same time."""
    total, reached = 0.0, -np.inf
    for begin, end in sorted(intervals):
        total += max(end - max(begin, reached), 0.0)
        reached = max(reached, end)
    return float(total)


def contact_summaries(result: Any) -> dict[str, dict[str, Any]]:
    """What each contact did over the run; one along a beam is one contact."""
    whole = {names.name: names.whole or names.name for names in result.mechanism.contact_names}
    found: dict[str, list[Episode]] = {name: [] for name in result.contact_names()}
    for e in result.episodes:
        found[whole[e.contact]].append(e)
    return {name: _contact_summary(result, name, of_it) for name, of_it in found.items()}


SUMMARISED = ("penetration", "normal_force", "dissipated", "slip")
"""Outputs of a contact that its summary is made of."""


def _contact_summary(result: Any, name: str, episodes: list[Episode]) -> dict[str, Any]:
    """Times in s, m, N, N s, J. duty: part of the run in which it was closed."""
    start, end = (float(result.time[0]), float(result.time[-1])) if result.time.size else (0.0, 0.0)
    closed = time_closed([(e.begin, e.end if np.isfinite(e.end) else end) for e in episodes])

    def largest(output: str, found: list[float]) -> float:
        """At the output times too: several pieces of a surface may press at once, and statics has no episodes."""
        return float(max([np.max(result.values(f"{name}.{output}"), initial=0.0), *found]))

    def last(output: str) -> float:
        values = result.values(f"{name}.{output}")
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
