"""Rigid foot with several contact points: its angle, sub-phases, ground reaction and centre of pressure.

The contacts of the foot are named in order from heel to toe.

angle               from x to the line from the first to the last point, rad; positive with the toe up if it points to +x
ground reaction     sum of the forces of the contacts
centre of pressure  mean of the points of application, weighted by their normal forces
sub-phases          named by the closed contacts and the position within the stance:

    closed              first in the stance   last in the stance   between or alone
    heel but not toe    heel-strike           heel-off             heel
    toe but not heel    toe-strike            toe-off              toe
    heel and toe        flat                  flat                 flat
    neither             sole                  sole                 sole

Source of the terms: paper 003 section 6.2.1, Fig 6-8 and 6-9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.legs.phase_statistics import compute_statistics, fit_spline
from gaitwright.model.model import Model
from gaitwright.model.surfaces import LineGround

if TYPE_CHECKING:
    from gaitwright.result.result import Result

SUB_PHASE_NAMES = {
    ("heel", "first"): "heel-strike", ("heel", "last"): "heel-off",
    ("toe", "first"): "toe-strike", ("toe", "last"): "toe-off",
}  # fmt: skip
"""Names of special sub-phases, by contact state and position within the stance."""


class SubPhase(NamedTuple):
    """Sub-phase of a stance. begin, end: s. angles: of the foot at begin and end, rad. closed: names of the closed contacts."""

    name: str
    begin: float
    end: float
    angles: tuple[float, float]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class HoofMotion:
    """Motion of a rigid foot in a run. time: (n,), s. angle: (n,), rad. normal, tangential: (n,), N, sum of all contacts, on
    the foot. centre: centre of pressure, (n, 2), m, NaN in the air; along: its relative position, (n,), 0 at the heel, 1 at
    the toe. steps: stances, each as its sub-phases in order. forces: normal force of each contact, (n,), N."""

    time: np.ndarray = field(repr=False)
    angle: np.ndarray = field(repr=False)
    normal: np.ndarray = field(repr=False)
    tangential: np.ndarray = field(repr=False)
    centre: np.ndarray = field(repr=False)
    along: np.ndarray = field(repr=False)
    forces: dict[str, np.ndarray] = field(repr=False)
    steps: list[list[SubPhase]]

    @property
    def duty(self) -> float:
        """Fraction of the run with the foot on the ground, 0 to 1."""
        return sum(step[-1].end - step[0].begin for step in self.steps) / float(self.time[-1] - self.time[0])

    @property
    def peak(self) -> float:
        """Largest normal force at the output times, N."""
        return float(self.normal.max(initial=0.0))

    @property
    def mean(self) -> float:
        """Mean normal force over the whole run, N."""
        return float(np.trapezoid(self.normal, self.time) / (self.time[-1] - self.time[0]))

    def rotation(self, step: int = 0) -> float:
        """Range of the angle of the foot in a stance, rad."""
        stance = self.steps[step][0].begin, self.steps[step][-1].end
        statistics = compute_statistics(fit_spline(self.time, self.angle), [stance])
        return statistics.greatest - statistics.least

    def share(self, name: str) -> float:
        """Fraction of the time on the ground that a sub-phase takes, 0 to 1."""
        sub_phases = [part for step in self.steps for part in step]
        total = sum(part.end - part.begin for part in sub_phases)
        return sum(part.end - part.begin for part in sub_phases if part.name == name) / total if total else 0.0


def analyse_hoof(run: Result, contacts: Sequence[str] = ("heel", "sole", "toe")) -> HoofMotion:
    """Measure the motion of a foot in a run. contacts: contacts of points of the foot, from heel to toe. Raises ModelError for
    fewer than two contacts or an unknown one."""
    points = _contact_points(run, contacts)
    t = run.time
    ends = [np.stack([run.array(f"{points[name]}.{axis}") for axis in "xy"], axis=1) for name in contacts]
    sole = ends[-1] - ends[0]
    angle = np.unwrap(np.arctan2(sole[:, 1], sole[:, 0]))
    angle -= 2 * np.pi * np.round(angle.mean() / (2 * np.pi))
    forces = {name: run.array(f"{name}.normal_force") for name in contacts}
    normal = sum(forces.values(), np.zeros(t.size))
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.stack(list(forces.values()))[..., None] / normal[:, None]
        centre = (weights * np.stack(ends)).sum(axis=0)
    relative_position = ((centre - ends[0]) * sole).sum(axis=1) / (sole**2).sum(axis=1)
    tangential = sum((run.array(f"{name}.tangential_force") for name in contacts), np.zeros(t.size))
    return HoofMotion(
        t, angle, normal, tangential, centre, relative_position, forces, _find_steps(run, contacts, angle)
    )


def _contact_points(run: Result, contacts: Sequence[str]) -> dict[str, str]:
    """Points of the contacts, by contact."""
    point_by_contact = {c.get("name"): c.get("point") for c in (run.document or {}).get("contacts", [])}
    if len(contacts) < 2:
        ErrorContext(field="contacts").fail("a foot has a heel and a toe", list(contacts), "two or more")
    for name in contacts:
        if point_by_contact.get(name) is None:
            ErrorContext(field="contacts").fail(
                "there is no contact of a point with this name",
                name,
                f"some of {', '.join(str(contact) for contact, point in point_by_contact.items() if point) or '(none)'}",
            )
    return {name: str(point_by_contact[name]) for name in contacts}


def _find_steps(run: Result, contacts: Sequence[str], angle: np.ndarray) -> list[list[SubPhase]]:
    """Stances and their sub-phases, from the times at which the contacts close and open."""
    last = float(run.time[-1])
    closed = {
        name: [(e.begin, e.end if np.isfinite(e.end) else last) for e in run.episodes if e.contact == name]
        for name in contacts
    }
    instants = sorted({instant for parts in closed.values() for part in parts for instant in part})
    stances: list[list[tuple[float, float, tuple[str, ...]]]] = [[]]
    for begin, end in pairwise(instants):
        middle = 0.5 * (begin + end)
        closed_contacts = tuple(name for name in contacts if any(a < middle < b for a, b in closed[name]))
        if closed_contacts:
            stances[-1].append((begin, end, closed_contacts))
        elif stances[-1]:
            stances.append([])
    return [_name_sub_phases(_merge_parts(parts, contacts), run.time, angle) for parts in stances if parts]


def _merge_parts(parts: list[Any], contacts: Sequence[str]) -> list[Any]:
    """Merge successive parts with the same state of heel and toe, whatever the state of the points between them."""
    merged: list[Any] = []
    for begin, end, closed in parts:
        state = (contacts[0] in closed, contacts[-1] in closed)
        if merged and merged[-1][3] == state:
            previous = merged[-1]
            closed_during = tuple(name for name in contacts if name in previous[2] or name in closed)
            merged[-1] = (previous[0], end, closed_during, state)
        else:
            merged.append((begin, end, closed, state))
    return merged


CONTACT_STATE_NAMES = {(True, True): "flat", (True, False): "heel", (False, True): "toe", (False, False): "sole"}
"""Names of contact states, by (heel closed, toe closed)."""


def _name_sub_phases(parts: list[Any], time: np.ndarray, angle: np.ndarray) -> list[SubPhase]:
    positions = ["alone"] if len(parts) == 1 else ["first", *["between"] * (len(parts) - 2), "last"]
    sub_phases = []
    for position, (begin, end, closed, state) in zip(positions, parts, strict=True):
        name = SUB_PHASE_NAMES.get((CONTACT_STATE_NAMES[state], position), CONTACT_STATE_NAMES[state])
        first, last = (float(a) for a in np.interp([begin, end], time, angle))
        sub_phases.append(SubPhase(name, begin, end, (first, last), closed))
    return sub_phases


def put_on_ground(
    model: Model, contacts: Mapping[str, str], *, level: float, law: Any, friction: Any = None, speed: float = 0.0
) -> Model:
    """Copy of a leg with a fixed hip and a ground below it that moves backwards, as on a treadmill.

    contacts: {name: point}, from heel to toe. level: height of the ground, m. law, friction: of the contacts. speed: of the
    hip over the ground along x, m/s."""
    grounded = Model.from_dict(model.to_dict())
    for name, point in contacts.items():
        grounded.contact(point, LineGround(level, velocity=(-speed, 0.0)), law=law, friction=friction, name=name)
    return grounded
