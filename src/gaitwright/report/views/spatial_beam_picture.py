"""Beams of space as they are drawn: the surface of their section along them, coloured by a quantity."""

from __future__ import annotations

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.report.deforming import DeformingBody
from gaitwright.report.fields import Field
from gaitwright.result.outputs import Motion
from gaitwright.result.spatial_beam_outputs import ALONG
from gaitwright.result.spatial_beam_profile import SpatialLoads, SpatialProfile, available, require
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.beam import joined
from gaitwright.system.parts.spatial_beam import SpatialBeamPart

PIECES, MOST, SIDES = 4, 60, 12
"""Pieces in which an element is drawn, about how many a whole beam may have, and sides of a round section."""
THIN = 0.006
"""Half the side, in sizes of the mechanism, of a section whose size is not known."""
COLOURS = ("bending_moment", "torque", "normal_stress", "shear_stress")
"""What can be shown, unless a quantity is asked for; the first is."""


def beams_of(mechanism: Mechanism, frames: Motion, colour: str | None) -> list[DeformingBody]:
    """The beams of a mechanism along a motion. colour: the quantity that colours them; some can be chosen unless given."""
    beams = [part for part in mechanism.parts.values() if isinstance(part, SpatialBeamPart)]
    if colour is not None and not beams:
        At(field="colour").fail("colours beams, and this model has none", colour)
    if colour is not None and colour not in ALONG:
        At(field="colour").fail(f"there is no quantity '{colour}' along a beam of space", colour, offer(colour, ALONG))
    return [_beam(mechanism, part, frames, colour) for part in beams]


def _beam(mechanism: Mechanism, beam: SpatialBeamPart, frames: Motion, colour: str | None) -> DeformingBody:
    if colour is not None:
        require(beam, colour)
    pieces = int(np.clip(MOST // beam.lengths.size, 1, PIECES))
    xi = np.linspace(0.0, 1.0, pieces + 1)
    profile = SpatialProfile(SpatialLoads(mechanism, beam), frames, xi)
    names = [colour] if colour is not None else available(beam, COLOURS)
    around = _around(beam, mechanism.size)(_line(beam, xi))
    fields = []
    for name in names:
        along = joined(ALONG[name].values(profile))
        fields.append(Field(name.replace("_", " "), ALONG[name].unit, np.repeat(along, around.shape[1], axis=1)))
    rest = type(frames)(*(x[:1] for x in frames))._replace(q=_reference(beam, frames.q[:1]))
    points, reference = (_surface(p, around) for p in (profile, SpatialProfile(profile.loads, rest, xi)))
    faces, edges = _faces(*around.shape[:2])
    return DeformingBody(beam.name, points, faces, fields, edges=edges, reference=reference[0], carried=True)


def _reference(beam: SpatialBeamPart, q: np.ndarray) -> np.ndarray:
    q = q.copy()
    q[:, beam.index] = beam.reference.ravel()
    return q


def _line(beam: SpatialBeamPart, xi: np.ndarray) -> np.ndarray:
    """Arc lengths of the places that are drawn."""
    return np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)


def _around(beam: SpatialBeamPart, size: float):
    """The corners of the section by arc length: (places, corners, 2), m, along the axes 2 and 3."""
    section = beam.section
    height, width = (
        side or (lambda s: np.full(s.shape, 2.0 * THIN * size)) for side in (section.height, section.width)
    )
    angle = -np.arange(SIDES) * 2.0 * np.pi / SIDES
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if not section.round:
        unit = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]])
    return lambda s: unit * np.stack([height(s), width(s)], axis=1)[:, None] / 2.0


def _surface(profile: SpatialProfile, around: np.ndarray) -> np.ndarray:
    """Points of the surface, (n_times, places * corners, 3)."""
    r = np.stack([joined(profile.r[..., k]) for k in range(3)], axis=-1)
    axes = np.stack([[joined(profile.axes[..., i, k]) for k in range(3)] for i in (1, 2)])  # (2, 3, times, places)
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    points = r[:, :, None] + np.einsum("pci,iktp->tpck", around, axes)
    return points.reshape(len(r), -1, 3)


def _faces(places: int, corners: int) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of the surface with both ends, and the lines along its corners and around its ends."""
    at = np.arange(places * corners).reshape(places, corners)
    a, b, c, d = at[:-1], np.roll(at, -1, axis=1)[:-1], np.roll(at, -1, axis=1)[1:], at[1:]
    sides = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, c, b), (a, d, c))])
    fan = np.array([[0, k + 1, k] for k in range(1, corners - 1)])
    ends = np.concatenate([at[0][fan[:, ::-1]], at[-1][fan]])
    around = [np.stack([row, np.roll(row, -1)], axis=1) for row in (at[0], at[-1])]
    along = np.stack([at[:-1], at[1:]], axis=-1).reshape(-1, 2) if corners == 4 else np.zeros((0, 2), dtype=int)
    return np.concatenate([sides, ends]), np.concatenate([along, *around])
