"""Drawing of spatial beams: the surface of their section along the axis, coloured by a quantity."""

from __future__ import annotations

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.fem.beams.planar_beam import join_element_values
from gaitwright.fem.beams.spatial_beam import SpatialBeamPart
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.report.scenes.deformable_body import DeformingBody
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.result.beams.quantities import available_quantities, require_quantity
from gaitwright.result.beams.spatial_profile import SpatialBeamLoads, SpatialBeamProfile
from gaitwright.result.beams.spatial_quantities import SECTION_QUANTITIES
from gaitwright.result.outputs import StateHistory

PIECES_PER_ELEMENT, MAX_BEAM_PIECES, SECTION_SIDES = 4, 60, 12
"""Pieces per element, approximate maximum number of pieces of a beam, and sides of a round section."""
DEFAULT_HALF_SECTION_RATIO = 0.006
"""Half the side of a section of unknown size, relative to the size of the mechanism."""
COLOURING_QUANTITIES = ("bending_moment", "torque", "normal_stress", "shear_stress")
"""Quantities offered for colouring by default; the first one is shown."""


def beam_bodies(mechanism: Mechanism, frames: StateHistory, colour: str | None) -> list[DeformingBody]:
    """Bodies for the beams of a mechanism during a motion. colour: quantity that colours them; default: a choice of some."""
    beams = [part for part in mechanism.parts.values() if isinstance(part, SpatialBeamPart)]
    if colour is not None and not beams:
        ErrorContext(field="colour").fail("colours beams, and this model has none", colour)
    if colour is not None and colour not in SECTION_QUANTITIES:
        ErrorContext(field="colour").fail(
            f"there is no quantity '{colour}' along a beam of space", colour, format_choices(colour, SECTION_QUANTITIES)
        )
    return [_beam_body(mechanism, part, frames, colour) for part in beams]


def _beam_body(mechanism: Mechanism, beam: SpatialBeamPart, frames: StateHistory, colour: str | None) -> DeformingBody:
    if colour is not None:
        require_quantity(beam, colour)
    pieces = int(np.clip(MAX_BEAM_PIECES // beam.lengths.size, 1, PIECES_PER_ELEMENT))
    xi = np.linspace(0.0, 1.0, pieces + 1)
    profile = SpatialBeamProfile(SpatialBeamLoads(mechanism, beam), frames, xi)
    names = [colour] if colour is not None else available_quantities(beam, COLOURING_QUANTITIES)
    around = _section_corners(beam, mechanism.size)(_arc_lengths(beam, xi))
    fields = []
    for name in names:
        along = join_element_values(SECTION_QUANTITIES[name].values(profile))
        fields.append(
            NodalField(name.replace("_", " "), SECTION_QUANTITIES[name].unit, np.repeat(along, around.shape[1], axis=1))
        )
    rest = type(frames)(*(x[:1] for x in frames))._replace(q=_reference_coordinates(beam, frames.q[:1]))
    points, reference = (_surface_points(p, around) for p in (profile, SpatialBeamProfile(profile.loads, rest, xi)))
    faces, edges = _surface_faces(*around.shape[:2])
    return DeformingBody(beam.name, points, faces, fields, edges=edges, reference=reference[0], carried=True)


def _reference_coordinates(beam: SpatialBeamPart, q: np.ndarray) -> np.ndarray:
    q = q.copy()
    q[:, beam.index] = beam.reference.ravel()
    return q


def _arc_lengths(beam: SpatialBeamPart, xi: np.ndarray) -> np.ndarray:
    """Arc lengths of the drawn positions."""
    return np.append((beam.stations[:-1, None] + beam.lengths[:, None] * xi[:-1]).ravel(), beam.length)


def _section_corners(beam: SpatialBeamPart, size: float):
    """Function of the arc length: corners of the section, (positions, corners, 2), m, along the axes 2 and 3."""
    section = beam.section
    height, width = (
        side or (lambda s: np.full(s.shape, 2.0 * DEFAULT_HALF_SECTION_RATIO * size))
        for side in (section.height, section.width)
    )
    angle = -np.arange(SECTION_SIDES) * 2.0 * np.pi / SECTION_SIDES
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if not section.round:
        unit = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]])
    return lambda s: unit * np.stack([height(s), width(s)], axis=1)[:, None] / 2.0


def _surface_points(profile: SpatialBeamProfile, around: np.ndarray) -> np.ndarray:
    """Points of the surface, (n_times, positions * corners, 3)."""
    r = np.stack([join_element_values(profile.r[..., k]) for k in range(3)], axis=-1)
    # (2, 3, times, places).
    axes = np.stack([[join_element_values(profile.axes[..., i, k]) for k in range(3)] for i in (1, 2)])
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    points = r[:, :, None] + np.einsum("pci,iktp->tpck", around, axes)
    return points.reshape(len(r), -1, 3)


def _surface_faces(places: int, corners: int) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of the surface with both ends, and lines along its corners and around its ends."""
    at = np.arange(places * corners).reshape(places, corners)
    a, b, c, d = at[:-1], np.roll(at, -1, axis=1)[:-1], np.roll(at, -1, axis=1)[1:], at[1:]
    sides = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, c, b), (a, d, c))])
    fan = np.array([[0, k + 1, k] for k in range(1, corners - 1)])
    ends = np.concatenate([at[0][fan[:, ::-1]], at[-1][fan]])
    around = [np.stack([row, np.roll(row, -1)], axis=1) for row in (at[0], at[-1])]
    along = np.stack([at[:-1], at[1:]], axis=-1).reshape(-1, 2) if corners == 4 else np.zeros((0, 2), dtype=int)
    return np.concatenate([sides, ends]), np.concatenate([along, *around])
