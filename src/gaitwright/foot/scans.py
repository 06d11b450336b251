"""A foot from a scan: its unit, axes and side found, holes closed, and cut at a height."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.measures import from_below
from gaitwright.foot.orientation import Finding, found_in, heel_middle, outline_length, turned
from gaitwright.foot.shape import FootShape, Side, side_of
from gaitwright.mesh.files import read, told_unit
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import said
from gaitwright.mesh.surfaces import cut as cut_off
from gaitwright.mesh.surfaces import holes_of, repaired, surface_report
from gaitwright.mesh.units import UNITS, unit_of

CUT, HOLES = 0.08, 0.06
"""Where a scan is cut, and the longest rim of a hole that is closed, unless told, m."""
SHORTEST, LONGEST = 0.09, 0.36
"""Lengths of feet, from a small child's, m."""
GUESSED = ("m", "mm", "cm", "dm")
"""Units that are guessed: at most one of them makes a foot of what is found."""
LOWEST = 0.12
"""A foot is cut at this part of its length at least: below, its forefoot would lose its back."""
EDGE = 0.004
"""In lengths of the foot, 1 mm: how much lower it is cut than where it ends."""
SECOND = 0.2
"""Another piece with this part of the area of the largest is another foot; what is smaller is dust."""
SLENDER = (1.7, 4.5)
"""Length over width of feet, with room."""
STANDING = 0.25
"""The least of the outline that lies near the ground: a foot under a large calf has a third, a ball a tenth."""
FLAT = 0.62
"""More of the outline than this within 1 mm of the ground is the sole of a shoe: of bare feet, it is up to half."""
SURE = 0.4
"""From here on a finding is called sure."""
PLAIN = 0.75
"""How sure the shape has to be of its side to be believed against what is told."""
NAMES = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1), "-z": (0, 0, -1)}


def from_scan(
    scan: str | Path | Mesh, unit: str | float | None = None, side: str | None = None, cut: float = CUT,
    holes: float = HOLES, axes: Mapping[str, Any] | None = None,
) -> FootShape:  # fmt: skip
    """The foot in a scan: a file (.stl, .obj, .ply) or a surface of triangles, in any position, with or without a leg.

    Unit, axes and side are found from its shape unless told; `notes` say what was found and how sure that is. unit: of the
    file (mm, cm, ..., or metres per unit). side: 'left' or 'right'. cut: height over the ground at which it is cut off, m.
    holes: the longest rim of a hole that is closed, m; that of the leg above the cut always is. axes: {"up": "+z",
    "forward": "-y"}, directions of the file by name or as three numbers, or one of them."""
    at = At(f"scan '{Path(scan).name}'" if not isinstance(scan, Mesh) else "scan")
    cut, told = at["cut"].positive(cut, "m"), None if side is None else side_of(side, at)
    at["holes"].not_negative(at["holes"].finite(holes, "a length, m"), "a length, m, or 0")
    surface, scale = _read(scan, unit, at)
    up, forward = (_direction((axes or {}).get(name), name, at) for name in ("up", "forward"))
    for name in axes or {}:
        at["axes"].one_of(name, ("up", "forward"), "is not an axis of a foot")
    notes = list(surface.notes)
    surface, more = _one_piece(surface, at)
    notes += more
    finding = found_in(surface, up, forward, told)
    _check_shape(surface, finding, at)
    length = outline_length(turned(surface, finding.up, finding.forward))
    scale, name = _scale(length, scale, unit, at)
    surface = surface.scaled(scale) if scale != 1.0 else surface
    length *= scale
    notes += [f"found: {text}" for text in _sentences(finding, told, name, length)]
    _check_side(finding, told, at)
    placed = _placed(surface, finding)
    placed, height, more = _closed_and_cut(placed, length, cut, float(holes), at)
    notes += more
    low = placed.bounds[0]
    placed = placed.moved((-low[0], 0.0, -low[2]))
    notes += _warnings(placed, length)
    origin = {
        "scan": surface.origin or "a surface", "unit": name, "scale": scale, "up": finding.up.tolist(),
        "forward": finding.forward.tolist(), "sure": finding.sure, "side_told": told is not None, "cut": height,
    }  # fmt: skip
    return FootShape(replace(placed, notes=()), finding.side, tuple(notes), origin)


def _read(scan: str | Path | Mesh, unit: str | float | None, at: At) -> tuple[Mesh, float | None]:
    """The surface, and metres per unit of it, or None where that is to be found."""
    if isinstance(scan, Mesh):
        surface = scan if scan.is_surface else scan.surface()
        return repaired(surface), 1.0 if unit is None else unit_of(unit, 1.0, at).scale
    known = unit is not None or told_unit(scan)
    surface = read(scan, unit if known else 1.0)
    if not surface.is_surface:
        surface = surface.surface() if surface.dimension == 3 else at.fail("is flat", surface, "a surface in space")
    if not known:
        surface = replace(surface, notes=tuple(note for note in surface.notes if "its unit is" not in note))
    return surface, 1.0 if known else None


def _direction(given: Any, name: str, at: At) -> Array | None:
    if given is None:
        return None
    value = NAMES.get(given if str(given)[:1] in "+-" else f"+{given}") if isinstance(given, str) else given
    found = np.asarray(value, dtype=float) if value is not None else np.zeros(0)
    if found.shape != (3,) or not np.isfinite(found).all() or not found.any():
        at["axes"].fail(f"'{name}' is not a direction", given, "one of +x, -x, +y, -y, +z, -z, or three numbers")
    return found / np.linalg.norm(found)


def _one_piece(surface: Mesh, at: At) -> tuple[Mesh, list[str]]:
    """Its largest piece; another large one is another foot."""
    pieces = surface.pieces
    areas = np.bincount(pieces, surface.side_areas)
    if len(areas) == 1:
        return surface, []
    order = np.argsort(-areas, kind="stable")
    if areas[order[1]] > SECOND * areas[order[0]]:
        middles = [surface.centroids[pieces == k].mean(axis=0) for k in order[:2]]
        at.fail(
            f"has {int((areas > SECOND * areas[order[0]]).sum())} pieces as large as a foot, about {said(middles[0])} and "
            f"{said(middles[1])} of the file",
            expected="one foot per file: save each by itself",
        )
    kept = surface.cells[pieces == order[0]]
    used, flat = np.unique(kept, return_inverse=True)
    return (
        Mesh(surface.nodes[used], flat.reshape(-1, 3), {}, surface.origin, surface.notes),
        [f"{len(areas) - 1} small pieces beside the foot were left out"],
    )


def _check_shape(surface: Mesh, finding: Finding, at: At) -> None:
    """Whether it is a foot at all."""
    expected = (
        "the scan of one foot; if it is one, say axes={'up': '+z', 'forward': '+x'} (--up +z --forward +x) "
        "as they are in the file"
    )
    mesh = turned(surface, finding.up, finding.forward)
    length = outline_length(mesh)
    low = mesh.nodes[mesh.nodes[:, 2] < 0.13 * length]
    slender = length / max(float(np.ptp(low[:, 1])), 1e-12)
    if not SLENDER[0] < slender < SLENDER[1]:
        at.fail(f"is not a foot: where it stands it is {slender:.2g} times as long as wide", expected=expected)
    if finding.standing < STANDING:
        at.fail(
            f"is not a foot: only {100 * finding.standing:.0f} % of its outline lies near the ground", expected=expected
        )
    if finding.sure.get("forward", 1.0) < 0.1:
        at.fail("is not a foot: heel and toes cannot be told apart", expected=expected)


def _scale(length: float, scale: float | None, unit: str | float | None, at: At) -> tuple[float, str]:
    """Metres per unit of what was read, and the name of the unit of the file."""
    possible = [name for name in GUESSED if SHORTEST <= length * UNITS[name] <= LONGEST]
    if scale is None:
        if not possible:
            at["unit"].fail(
                f"is not told, and a foot {length:.4g} long is none in {', '.join(GUESSED)}",
                expected="the unit of the file, as unit='in' (--unit in), or metres per unit",
            )
        return UNITS[possible[0]], possible[0]
    if not SHORTEST <= length * scale <= LONGEST:
        told = UNITS.get(str(unit), 1.0)
        hint = [name for name in GUESSED if SHORTEST <= length * scale / told * UNITS[name] <= LONGEST]
        at["unit"].fail(
            f"makes a foot {length * scale:.3g} m long", unit,
            f"{SHORTEST:g} to {LONGEST:g} m{f'; did you mean {hint[0]}?' if hint else ''}",
        )  # fmt: skip
    return scale, "m" if unit is None else str(unit)


def _named(direction: Array) -> str:
    name = max(NAMES, key=lambda one: float(np.dot(NAMES[one], direction)))
    angle = float(np.degrees(np.arccos(np.clip(np.dot(NAMES[name], direction), -1.0, 1.0))))
    return (
        f"{name} of the file" if angle < 0.5 else f"{said(direction.round(3))} of the file, {angle:.0f} deg from {name}"
    )


def _sentences(finding: Finding, told: Side | None, unit: str, length: float) -> list[str]:
    def how(name: str) -> str:
        return "told" if name not in finding.sure else "sure" if finding.sure[name] >= SURE else "not sure"

    other = "left" if finding.side == "right" else "right"
    arch = "left" if finding.side == "right" else "right"
    found = [
        f"unit = {unit}: the foot is {1e3 * length:.0f} mm long; say unit=... if that is wrong",
        f"up = {_named(finding.up)} ({how('up')}), forward = {_named(finding.forward)} ({how('forward')}); "
        "say axes={'up': ..., 'forward': ...} if that is wrong",
    ]
    if told is None:
        found.append(f"{finding.side} foot (arch on the {arch}; {how('side')}); say side='{other}' if that is wrong")
    return found


def _check_side(finding: Finding, told: Side | None, at: At) -> None:
    """A side that is told and plainly not there."""
    if told is not None and finding.looks != told and finding.sure["side"] >= PLAIN:
        where = "left" if finding.looks == "right" else "right"
        at["side"].fail(
            f"is told to be {told}, but arch and big toe are on the {where}, as of a {finding.looks} foot", told,
            f"side='{finding.looks}' (--side {finding.looks}), or the scan as it was before it was mirrored",
        )  # fmt: skip


def _placed(surface: Mesh, finding: Finding) -> Mesh:
    mesh = turned(surface, finding.up, finding.forward)
    mesh = mesh.moved((0.0, -heel_middle(mesh), 0.0))
    return replace(mesh, origin=surface.origin)


def _closed_and_cut(mesh: Mesh, length: float, cut: float, holes: float, at: At) -> tuple[Mesh, float, list[str]]:
    """Closed, and cut with a flat cap. Returns it with its height and what is to be noted."""
    notes = []
    top = float(mesh.bounds[1][2])
    if cut < LOWEST * length:
        at["cut"].fail("is too low for this foot", cut, f"at least {LOWEST * length:.2g} m")
    rims = holes_of(mesh)
    lowest = [float(mesh.nodes[np.unique(rim.edges), 2].min()) for rim in rims]
    opening = [z for z, rim in zip(lowest, rims, strict=True) if rim.length > holes and z < cut]
    if opening and min(opening) >= max(LOWEST * length, 0.5 * top):
        cut = min(opening) - 1e-3 * length  # the leg is open below the cut: the foot ends there
        notes.append(f"the scan is open from {1e3 * cut:.0f} mm on: it is cut there")
    if cut < LOWEST * length or top < LOWEST * length:
        at.fail(
            f"ends {1e3 * min(cut, top):.0f} mm above the ground: the leg is cut too low",
            expected=f"a scan that reaches {1e3 * LOWEST * length:.0f} mm or higher",
        )
    for rim, z in zip(rims, lowest, strict=True):
        if rim.length > holes and z < cut:
            middle = mesh.nodes[np.unique(rim.edges)].mean(axis=0)
            at["holes"].fail(
                f"one has a rim of {1e3 * rim.length:.0f} mm, {1e3 * middle[0]:.0f} mm in front of the heel and "
                f"{1e3 * middle[2]:.0f} mm above the ground",
                holes,
                f"a closed scan, or holes={1.05 * rim.length:.2g} (--holes {1050.0 * rim.length:.0f}mm) to close it flat",
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
    if top < cut + EDGE * length:
        notes.append(f"the scan ends {1e3 * top:.0f} mm above the ground, which is where it is cut")
        level = mesh.nodes[mesh.cells][:, :, 2].min(axis=1) > top - 1e-6 * length
        if level.any():  # a flat top across the axis of the foot stays as it is
            return replace(mesh.with_region("cut", nodes=np.unique(mesh.cells[level])), notes=()), top, notes
        cut = top - EDGE * length
    for lower in range(8):  # a plane through nodes or along a flat top leaves gaps: the next one does not
        height = cut - lower * EDGE * length
        found = cut_off(mesh, (0.0, 0.0, height), (0.0, 0.0, -1.0))
        if surface_report(found, crossings=False).closed:
            return found, height, notes
    at["cut"].fail("leaves gaps", cut, "another height")


def _warnings(mesh: Mesh, length: float) -> list[str]:
    """What looks strange, but may be."""
    seen = from_below(mesh, length / 260)
    x, y = np.meshgrid(seen.x, seen.y, indexing="ij")
    there = np.isfinite(seen.z)
    places, z = np.stack([x[there], y[there], np.ones(there.sum())], axis=1), seen.z[there]
    near = z < 0.02 * length
    for _ in range(4):  # the plane of the sole, which may be tilted a little
        plane = np.linalg.lstsq(places[near], z[near], rcond=None)[0]
        near = np.abs(z - places @ plane) < 0.004 * length
    flat = float(near.mean())
    if flat < FLAT:
        return []
    return [
        f"warning: {100 * flat:.0f} % of the sole is flat to 1 mm: this looks like a shoe, or like a foot that stood "
        "on a plate while it was scanned"
    ]
