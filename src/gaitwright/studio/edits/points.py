"""Commands for points: add, move with connected elements, set as foot."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

from annotated_types import Len

from gaitwright._core.error_context import ErrorContext
from gaitwright.studio.draft import DocumentDraft, Position, as_mapping, distance
from gaitwright.studio.edits.frames import to_ground, to_local
from gaitwright.studio.edits.lengths import set_number

PointPlace = Annotated[list[float], Len(2, 3), "place [x, y], m; [x, y, z] in space"]
PlaceInPlane = Annotated[list[float], Len(2, 2), "place [x, y], m"]
DirectionInPlane = Annotated[list[float], Len(2, 2), "direction [x, y]"]
LineInPlane = Annotated[list[PlaceInPlane], Len(2, 2), "two places of a line"]
OptionalName = Annotated[str | None, "its name; a free one unless given"]
_PHASE_PATTERN = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*[-+]\s*[^\s].*)")
DEFAULT_CONTACT_LAW = {"type": "lankarani-nikravesh", "stiffness": 20000, "restitution": 0}
DEFAULT_FRICTION = {"type": "coulomb", "coefficient": 0.4}
"""Default contact law and friction of contacts and feet: those of paper 003."""


def add_point(draft: DocumentDraft, at: PointPlace, ground: bool = False, name: OptionalName = None) -> None:
    """Draw a point: a moving one, or one of the ground."""
    draft.place(at, "point")
    name = draft.new_name(name, "O" if ground else "P", letters=not ground)
    draft.set(["ground", "points", name] if ground else ["points", name], draft.rounded(*at))
    draft.made.append(name)


def move_point(
    draft: DocumentDraft,
    name: Annotated[str, "a point: B, ground point O1, or of a body, K1.F"],
    to: PointPlace,
    lengths: Annotated[
        Literal["follow", "keep"], "follow: lengths become those of the drawing; keep: only where it is drawn changes"
    ] = "follow",
    time: Annotated[float, "of the pose that is seen, s"] = 0.0,
) -> None:
    """Move a point. Elements that end at it get their new drawn length."""
    draft.place(to, f"point '{name}'")
    owner, _, local = name.partition(".")
    if local and owner != "ground":
        _move_on_body(draft, owner, local, to, time)
        return
    name = local or owner
    path = draft.point_path(name)
    shown = draft.shown(time)
    if lengths == "follow":
        to = list(_constrain_to_drive(draft, name, tuple(to), shown))
        _update_lengths(draft, name, tuple(to), shown)
    if name in draft.ground:
        for k, value in enumerate(to):
            set_number(draft, [*path, k], value, f"ground point '{name}'")
    elif time == 0.0 or lengths == "keep":  # the pose at another time would make the start drawing a worse guess
        draft.set(path, draft.rounded(*to))


def _update_lengths(draft: DocumentDraft, name: str, to: Position, shown: dict[str, Position]) -> None:
    """Update the lengths of bars, beams and distances at a moved point."""
    moved_positions = {**shown, name: to}
    for section, k, entry in list(draft.entries("links", "beams")):
        ends, inner = [str(entry.get("from")), str(entry.get("to"))], as_mapping(entry.get("points"))
        if any(end not in shown for end in ends):
            continue
        label = f"{section[:-1]} '{entry.get('name')}'"
        if name in ends and entry.get("length") is not None:
            length = distance(moved_positions[ends[0]], moved_positions[ends[1]])
            set_number(draft, [section, k, "length"], length, label)
        if section == "links" and len(to) == 2 and name in (*ends, *inner):
            old_ends = [shown[end] for end in ends]
            for point, position in inner.items():
                if name in inner and point != name:
                    continue
                local = tuple(draft.number(value) for value in position)
                ground_position = moved_positions.get(point) or to_ground(local, *old_ends)
                new_local = to_local(ground_position, *(moved_positions[end] for end in ends))
                for axis, value in enumerate(new_local):
                    if abs(value - local[axis]) > 1e-12:
                        set_number(draft, [section, k, "points", point, axis], value, f"{label} point '{point}'")
    for section, k, entry in list(draft.entries("joints")):
        if entry.get("type") == "distance" and entry.get("length") is not None:
            ends = [str(entry.get(side)).rpartition(".")[2] for side in "ab"]
            if name in ends and all(end in moved_positions for end in ends):
                length = distance(moved_positions[ends[0]], moved_positions[ends[1]])
                set_number(draft, [section, k, "length"], length, f"joint '{entry.get('name') or k + 1}'")


def _constrain_to_drive(draft: DocumentDraft, name: str, to: Position, shown: dict[str, Position]) -> Position:
    """Constrain a move of the end of a bar with a driven angle: along the bar; or unconstrained, if the drive angle
    starts with a number, which is then updated."""
    for _, k, drive in list(draft.entries("drives")):
        if drive.get("type") != "rotation" or len(to) != 2:
            continue
        links = [entry for *_, entry in draft.entries("links") if entry.get("name") == drive.get("body")]
        if not links or name not in (ends := [links[0].get("from"), links[0].get("to")]):
            continue
        pivot = ends[0] if ends[1] == name else ends[1]
        if pivot not in draft.ground or pivot not in shown or name not in shown:
            continue
        centre, old_position = shown[pivot], shown[name]
        phase_match = _PHASE_PATTERN.fullmatch(str(drive.get("angle")))
        rotation = _direction_angle(centre, to) - _direction_angle(centre, old_position)
        if phase_match and distance(centre, to) > 0:
            phase = float(phase_match.group(1)) + math.remainder(rotation, 2 * math.pi)
            draft.set(["drives", k, "angle"], f"{phase:.6g}{phase_match.group(2)}")
            return to
        length = max(distance(centre, to) * math.cos(rotation), 1e-3 * distance(centre, old_position))
        ratio = length / (distance(centre, old_position) or 1.0)
        return tuple(c + ratio * (b - c) for c, b in zip(centre, old_position, strict=True))
    return to


def _direction_angle(centre: Position, at: Position) -> float:
    return math.atan2(at[1] - centre[1], at[0] - centre[0])


def _move_on_body(draft: DocumentDraft, owner: str, point: str, to: list[float], time: float) -> None:
    """Move a point in the frame of its body or link."""
    section, k, entry = draft.named(owner, "bodies", "links")
    points: Any = as_mapping(entry.get("points"))
    if point not in points:
        if section == "links" and point in (entry.get("from"), entry.get("to")):
            move_point(draft, point, to, time=time)
            return
        ErrorContext(f"{'body' if section == 'bodies' else 'link'} '{owner}'").fail(
            f"has no point '{point}'", expected=", ".join(points)
        )
    shown = draft.shown(time)
    if section == "links":
        local = to_local(tuple(to), *(shown[entry[end]] for end in ("from", "to")))
    else:
        pose = shown.get(f"{owner}.pose") or (
            *(draft.number(value) for value in entry.get("at", (0.0, 0.0))), draft.number(entry.get("angle", 0.0)),
        )  # fmt: skip
        if len(pose) != 3:
            ErrorContext(f"body '{owner}'").fail(
                "is moved in numbers in models of space", expected="other numbers in the table"
            )
        x, y, angle = pose
        x_axis_end = (x + math.cos(angle), y + math.sin(angle))
        local = to_local(tuple(to), (2 * x - x_axis_end[0], 2 * y - x_axis_end[1]), x_axis_end)
    for axis, value in enumerate(local):
        set_number(draft, [section, k, "points", point, axis], value, f"point '{owner}.{point}'")


def set_foot(draft: DocumentDraft, point: str, hip: Annotated[str | None, "the point it hangs on"] = None) -> None:
    """Set the foot of a leg mechanism."""
    if "." not in point:
        draft.point_path(point)
    if draft.data.get("gait"):
        draft.set(["gait", "feet"], [point])
        if hip is not None:
            draft.set(["gait", "hip"], hip)
        return
    gait: dict[str, Any] = {"feet": [point]} | ({"hip": hip} if hip else {})
    draft.set(["gait"], {**gait, "law": DEFAULT_CONTACT_LAW, "friction": DEFAULT_FRICTION})
