"""Foot from a scan: detects unit, axes and side, closes holes, and cuts it at a height."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.measures import map_heights_from_below, outline_below_ankle
from gaitwright.foot.orientation import FootAxes, detect_foot_axes, heel_middle, outline_length, rotate_to_foot_axes
from gaitwright.foot.shape import FootShape, Side, check_side
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.files import read, states_unit
from gaitwright.mesh.length_units import METRES_PER_UNIT, find_length_unit
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import format_point
from gaitwright.mesh.surface_repair import cut as cut_off
from gaitwright.mesh.surface_repair import find_hole_rims, repaired, surface_report

CUT_HEIGHT_M, MAX_HOLE_RIM_M = 0.08, 0.06
"""Default cut height, and default longest rim of a hole to close, m."""
MAX_CUT_HEIGHT_M = 0.6
"""Maximum cut height, m: above the calf; more is a height in another unit."""
MIN_FOOT_LENGTH_M, MAX_FOOT_LENGTH_M = 0.09, 0.36
"""Range of foot lengths, from a small child's, m."""
GUESSED_UNITS = ("m", "mm", "cm", "dm")
"""Candidate units: at most one of them gives a plausible foot length."""
MIN_CUT_HEIGHT_RATIO = 0.12
"""Minimum cut height, in foot lengths: below, the forefoot would lose its back."""
CUT_EDGE_MARGIN_RATIO = 0.004
"""Margin of the cut below the top of a scan, in foot lengths: 1 mm."""
SECOND_FOOT_AREA_RATIO = 0.2
"""Minimum area of a second foot, relative to the largest piece; smaller pieces are dust."""
LENGTH_TO_WIDTH_LIMITS = (1.7, 4.5)
"""Range of length over width of feet, with a margin."""
MIN_GROUND_SHARE = 0.25
"""Minimum fraction of the outline near the ground: a foot under a large calf has a third, a ball a tenth."""
MAX_BAREFOOT_GROUND_SHARE = 0.62
"""Maximum fraction of the outline within 1 mm of the ground for a bare foot; more indicates the sole of a shoe. Bare
feet have up to half."""
MIN_CONFIDENCE = 0.4
"""Minimum confidence of a detection that is reported as sure."""
MIN_SIDE_CONFIDENCE = 0.75
"""Minimum confidence in the detected side to reject a different given side."""
AXIS_DIRECTIONS = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}


def from_scan(
    scan: str | Path | Mesh, unit: str | float | None = None, side: str | None = None, cut: float = CUT_HEIGHT_M,
    holes: float = MAX_HOLE_RIM_M, axes: Mapping[str, Any] | None = None,
) -> FootShape:  # fmt: skip
    """Make a foot from a scan: a file (.stl, .obj, .ply) or a surface of triangles, in any position, with or without a leg.

    Unit, axes and side are detected from the shape unless given; `notes` reports the results and their confidence. unit: of
    the file (mm, cm, ..., or metres per unit). side: 'left' or 'right'. cut: height over the ground of the cut, m. holes:
    longest rim of a hole to close, m; the opening of the leg above the cut is always closed. axes: {"up": "+z",
    "forward": "-y"}, or one of them: directions in file coordinates, by name or as three numbers.

    Raises an error if the scan is not one foot, or if its unit, side or surface is implausible."""
    at = ErrorContext(f"scan '{Path(scan).name}'" if not isinstance(scan, Mesh) else "scan")
    cut, given_side = at["cut"].positive(cut, "m"), None if side is None else check_side(side, at)
    if cut > MAX_CUT_HEIGHT_M:
        reads = f"; {cut:g} mm are {1e-3 * cut:g} m" if cut > 1.0 else ""
        at["cut"].fail("is higher than any leg", cut, f"m, at most {MAX_CUT_HEIGHT_M:g}{reads}")
    at["holes"].not_negative(at["holes"].finite(holes, "a length, m"), "a length, m, or 0")
    surface, scale = _read_scan(scan, unit, at)
    up, forward = (_parse_direction((axes or {}).get(name), name, at) for name in ("up", "forward"))
    for name in axes or {}:
        at["axes"].one_of(name, ("up", "forward"), "is not an axis of a foot")
    notes = list(surface.notes)
    surface, more = _largest_piece(surface, at)
    notes += more
    finding = detect_foot_axes(surface, up, forward, given_side)
    _check_shape(surface, finding, at)
    length = outline_length(rotate_to_foot_axes(surface, finding.up, finding.forward))
    scale, name = _metres_per_unit(length, scale, unit, at)
    surface = surface.scaled(scale) if scale != 1.0 else surface
    length *= scale
    notes += [f"found: {text}" for text in _scan_notes(finding, given_side, name, length)]
    _check_side(finding, given_side, at)
    placed = _place_in_foot_frame(surface, finding)
    rotation = finding.rotation
    shift = placed.nodes[0] - rotation @ surface.nodes[0]
    placed, height, more = _close_and_cut(placed, length, cut, float(holes), at)
    notes += more
    heel = placed.nodes[outline_below_ankle(placed.nodes), 0].min()
    onto_ground = np.array([-float(heel), 0.0, -float(placed.bounds[0][2])])
    placed = placed.moved(onto_ground.tolist())
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = rotation, shift + onto_ground
    notes += _scan_warnings(placed, length)
    origin = {
        "scan": surface.origin or "a surface", "unit": name, "scale": scale, "up": finding.up.tolist(),
        "forward": finding.forward.tolist(), "sure": finding.sure, "side_told": given_side is not None, "cut": height,
        "transform": transform.tolist(),
    }  # fmt: skip
    return FootShape(replace(placed, notes=()), finding.side, tuple(notes), origin)


def to_foot_frame(surface: Mesh, shape: FootShape) -> Mesh:
    """Transform another surface of the same scan, such as its bones, in m, to the frame of the foot. Raises an error for a foot
    that is no scan."""
    if "transform" not in shape.origin:
        ErrorContext("foot").fail("was not made from a scan, and has no place in a file", expected="gw.foot.from_scan")
    matrix = np.array(shape.origin["transform"])
    return replace(surface, nodes=surface.nodes @ matrix[:3, :3].T + matrix[:3, 3])


def _read_scan(scan: str | Path | Mesh, unit: str | float | None, at: ErrorContext) -> tuple[Mesh, float | None]:
    """Return the surface and its metres per unit, or None if the unit is to be detected."""
    if isinstance(scan, Mesh):
        surface = scan if scan.is_surface else scan.surface()
        return repaired(surface), 1.0 if unit is None else find_length_unit(unit, 1.0, at).scale
    known = unit is not None or states_unit(scan)
    surface = read(scan, unit if known else 1.0)
    if not surface.is_surface:
        surface = surface.surface() if surface.dimension == 3 else at.fail("is flat", surface, "a surface in space")
    if not known:
        surface = replace(surface, notes=tuple(note for note in surface.notes if "its unit is" not in note))
    return surface, 1.0 if known else None


def _parse_direction(given: Any, name: str, at: ErrorContext) -> Array | None:
    if given is None:
        return None
    value = AXIS_DIRECTIONS.get(given if str(given)[:1] in "+-" else f"+{given}") if isinstance(given, str) else given
    direction = np.asarray(value, dtype=float) if value is not None else np.zeros(0)
    if direction.shape != (3,) or not np.isfinite(direction).all() or not direction.any():
        at["axes"].fail(f"'{name}' is not a direction", given, "one of +x, -x, +y, -y, +z, -z, or three numbers")
    return direction / np.linalg.norm(direction)


def _largest_piece(surface: Mesh, at: ErrorContext) -> tuple[Mesh, list[str]]:
    """Select the largest piece. A second large piece is another foot and raises an error."""
    pieces = surface.pieces
    areas = np.bincount(pieces, surface.side_areas)
    if len(areas) == 1:
        return surface, []
    order = np.argsort(-areas, kind="stable")
    if areas[order[1]] > SECOND_FOOT_AREA_RATIO * areas[order[0]]:
        middles = [surface.centroids[pieces == k].mean(axis=0) for k in order[:2]]
        at.fail(
            f"has {int((areas > SECOND_FOOT_AREA_RATIO * areas[order[0]]).sum())} pieces as large as a foot, about "
            f"{format_point(middles[0])} and "
            f"{format_point(middles[1])} of the file",
            expected="one foot per file: save each by itself",
        )
    cells = surface.cells[pieces == order[0]]
    used, flat = np.unique(cells, return_inverse=True)
    return (
        Mesh(surface.nodes[used], flat.reshape(-1, 3), {}, surface.origin, surface.notes),
        [f"{len(areas) - 1} small pieces beside the foot were left out"],
    )


def _check_shape(surface: Mesh, finding: FootAxes, at: ErrorContext) -> None:
    """Raise an error if the surface is not a foot."""
    expected = (
        "the scan of one foot; if it is one, say axes={'up': '+z', 'forward': '+x'} (--up +z --forward +x) "
        "as they are in the file"
    )
    mesh = rotate_to_foot_axes(surface, finding.up, finding.forward)
    length = outline_length(mesh)
    low = mesh.nodes[mesh.nodes[:, 2] < 0.13 * length]
    slender = length / max(float(np.ptp(low[:, 1])), 1e-12)
    if not LENGTH_TO_WIDTH_LIMITS[0] < slender < LENGTH_TO_WIDTH_LIMITS[1]:
        at.fail(f"is not a foot: where it stands it is {slender:.2g} times as long as wide", expected=expected)
    if finding.standing < MIN_GROUND_SHARE:
        at.fail(
            f"is not a foot: only {100 * finding.standing:.0f} % of its outline lies near the ground", expected=expected
        )
    if finding.sure.get("forward", 1.0) < 0.1:
        at.fail("is not a foot: heel and toes cannot be told apart", expected=expected)


def _metres_per_unit(
    length: float, scale: float | None, unit: str | float | None, at: ErrorContext
) -> tuple[float, str]:
    """Return the metres per unit of the surface, and the unit of the file."""
    possible = [
        name for name in GUESSED_UNITS if MIN_FOOT_LENGTH_M <= length * METRES_PER_UNIT[name] <= MAX_FOOT_LENGTH_M
    ]
    if scale is None:
        if not possible:
            at["unit"].fail(
                f"is not told, and a foot {length:.4g} long is none in {', '.join(GUESSED_UNITS)}",
                expected="the unit of the file, as unit='in' (--unit in), or metres per unit",
            )
        return METRES_PER_UNIT[possible[0]], possible[0]
    if not MIN_FOOT_LENGTH_M <= length * scale <= MAX_FOOT_LENGTH_M:
        given_scale = METRES_PER_UNIT.get(str(unit), 1.0)
        hint = [
            name
            for name in GUESSED_UNITS
            if MIN_FOOT_LENGTH_M <= length * scale / given_scale * METRES_PER_UNIT[name] <= MAX_FOOT_LENGTH_M
        ]
        at["unit"].fail(
            f"makes a foot {length * scale:.3g} m long", unit,
            f"{MIN_FOOT_LENGTH_M:g} to {MAX_FOOT_LENGTH_M:g} m{f'; did you mean {hint[0]}?' if hint else ''}",
        )  # fmt: skip
    return scale, "m" if unit is None else str(unit)


def _direction_name(direction: Array) -> str:
    name = max(AXIS_DIRECTIONS, key=lambda one: float(np.dot(AXIS_DIRECTIONS[one], direction)))
    angle = float(np.degrees(np.arccos(np.clip(np.dot(AXIS_DIRECTIONS[name], direction), -1.0, 1.0))))
    return (
        f"{name} of the file"
        if angle < 0.5
        else f"{format_point(direction.round(3))} of the file, {angle:.0f} deg from {name}"
    )


def _scan_notes(finding: FootAxes, told: Side | None, unit: str, length: float) -> list[str]:
    def how(name: str) -> str:
        return "told" if name not in finding.sure else "sure" if finding.sure[name] >= MIN_CONFIDENCE else "not sure"

    other = "left" if finding.side == "right" else "right"
    arch = "left" if finding.side == "right" else "right"
    notes = [
        f"unit = {unit}: the foot is {1e3 * length:.0f} mm long; say unit=... if that is wrong",
        f"up = {_direction_name(finding.up)} ({how('up')}), forward = {_direction_name(finding.forward)} ({how('forward')}); "
        "say axes={'up': ..., 'forward': ...} if that is wrong",
    ]
    if told is None:
        notes.append(f"{finding.side} foot (arch on the {arch}; {how('side')}); say side='{other}' if that is wrong")
    return notes


def _check_side(finding: FootAxes, told: Side | None, at: ErrorContext) -> None:
    """Raise an error if the given side contradicts a confident detection."""
    if told is not None and finding.looks != told and finding.sure["side"] >= MIN_SIDE_CONFIDENCE:
        where = "left" if finding.looks == "right" else "right"
        at["side"].fail(
            f"is told to be {told}, but arch and big toe are on the {where}, as of a {finding.looks} foot", told,
            f"side='{finding.looks}' (--side {finding.looks}), or the scan as it was before it was mirrored",
        )  # fmt: skip


def _place_in_foot_frame(surface: Mesh, finding: FootAxes) -> Mesh:
    mesh = rotate_to_foot_axes(surface, finding.up, finding.forward)
    mesh = mesh.moved((0.0, -heel_middle(mesh), 0.0))
    return replace(mesh, origin=surface.origin)


def _close_and_cut(
    mesh: Mesh, length: float, cut: float, holes: float, at: ErrorContext
) -> tuple[Mesh, float, list[str]]:
    """Close the surface and cut it with a flat cap. Return it with its height and notes."""
    notes = []
    top = float(mesh.bounds[1][2])
    if cut < MIN_CUT_HEIGHT_RATIO * length:
        at["cut"].fail("is too low for this foot", cut, f"at least {MIN_CUT_HEIGHT_RATIO * length:.2g} m")
    rims = find_hole_rims(mesh)
    lowest = [float(mesh.nodes[np.unique(rim.edges), 2].min()) for rim in rims]
    opening = [z for z, rim in zip(lowest, rims, strict=True) if rim.length > holes and z < cut]
    if opening and min(opening) >= max(MIN_CUT_HEIGHT_RATIO * length, 0.5 * top):
        cut = min(opening) - 1e-3 * length  # the leg is open below the cut: the foot ends there
        notes.append(f"the scan is open from {1e3 * cut:.0f} mm on: it is cut there")
    if cut < MIN_CUT_HEIGHT_RATIO * length or top < MIN_CUT_HEIGHT_RATIO * length:
        at.fail(
            f"ends {1e3 * min(cut, top):.0f} mm above the ground: the leg is cut too low",
            expected=f"a scan that reaches {1e3 * MIN_CUT_HEIGHT_RATIO * length:.0f} mm or higher",
        )
    for rim, z in zip(rims, lowest, strict=True):
        if rim.length > holes and z < cut:
            middle = mesh.nodes[np.unique(rim.edges)].mean(axis=0)
            at["holes"].fail(
                f"one has a rim of {1e3 * rim.length:.0f} mm, {1e3 * middle[0]:.0f} mm in front of the heel and "
                f"{1e3 * middle[2]:.0f} mm above the ground",
                holes,
                f"a closed scan, or holes={1.05 * rim.length:.2g} (--close-holes {1050.0 * rim.length:.0f}mm) to close it flat",
            )  # fmt: skip
    longest = max((rim.length for rim in rims), default=0.0)
    if rims:
        below = sum(z < cut for z in lowest)
        notes.append(
            f"{below} holes were closed, the longest rim {1e3 * longest:.0f} mm"
            if below
            else "the leg was open at its top"
        )
    mesh = repaired(mesh, holes=1.001 * longest)
    report = surface_report(mesh, crossings=False)
    if not report.closed:
        at.fail(", ".join(report.sentences()), expected="a scan whose surface has an inside; repair it")
    if top < cut + CUT_EDGE_MARGIN_RATIO * length:
        notes.append(f"the scan ends {1e3 * top:.0f} mm above the ground, which is where it is cut")
        level = mesh.nodes[mesh.cells][:, :, 2].min(axis=1) > top - 1e-6 * length
        if level.any():  # a flat top across the axis of the foot stays as it is
            return replace(mesh.with_region("cut", nodes=np.unique(mesh.cells[level])), notes=()), top, notes
        cut = top - CUT_EDGE_MARGIN_RATIO * length
    for lower in range(8):  # a plane through nodes or along a flat top leaves gaps: the next one does not
        height = cut - lower * CUT_EDGE_MARGIN_RATIO * length
        candidate = cut_off(mesh, (0.0, 0.0, height), (0.0, 0.0, -1.0))
        if surface_report(candidate, crossings=False).closed:
            return candidate, height, notes
    at["cut"].fail("leaves gaps", cut, "another height")


def _scan_warnings(mesh: Mesh, length: float) -> list[str]:
    """Warnings about implausible but possible shapes."""
    seen = map_heights_from_below(mesh, length / 260)
    x, y = np.meshgrid(seen.x, seen.y, indexing="ij")
    there = np.isfinite(seen.z)
    places, z = np.stack([x[there], y[there], np.ones(there.sum())], axis=1), seen.z[there]
    near = z < 0.02 * length
    for _ in range(4):  # the plane of the sole, which may be tilted a little
        plane = np.linalg.lstsq(places[near], z[near], rcond=None)[0]
        near = np.abs(z - places @ plane) < 0.004 * length
    flat = float(near.mean())
    if flat < MAX_BAREFOOT_GROUND_SHARE:
        return []
    return [
        f"warning: {100 * flat:.0f} % of the sole is flat to 1 mm: this looks like a shoe, or like a foot that stood "
        "on a plate while it was scanned"
    ]
