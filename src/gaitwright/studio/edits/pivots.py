"""Points that links carry, and the link that a motor at a pivot turns."""

from __future__ import annotations

from gaitwright.checks import At
from gaitwright.studio.draft import Draft, mapping

BODIES = ("links", "bodies")
ROTATIONS = ("rotation", "relative-rotation")


def link_at_pivot(draft: Draft, point: str) -> str:
    """The only link that can turn about a ground point. Raises ModelError if there is none or more than one."""
    point = point.removeprefix("ground.")
    at = At("drive", "point")
    draft.point_path(point)
    held = [link for link in bodies(draft) if point in carried(draft, link)]
    if point not in draft.ground:
        turning = [link for link in held if any(other in draft.ground for other in carried(draft, link))]
        advice = f"the link to turn: {' or '.join(turning)}" if turning else "a ground point, or the link to turn"
        at.fail(f"'{point}' moves, and a motor stands on the ground", expected=advice)
    if not held:
        at.fail(f"no link turns about ground point '{point}' yet", expected="a ground point at which a link ends")
    free = [link for link in held if sum(other in draft.ground for other in carried(draft, link)) == 1]
    if not free:
        at.fail(f"link '{held[0]}' is held at two ground points and cannot turn", expected="a link with one")
    if len(free) > 1:
        at.fail(f"{len(free)} links turn about ground point '{point}'", expected=f"a click on one of {', '.join(free)}")
    return free[0]


def require_undriven(draft: Draft, body: str) -> None:
    """Raise ModelError if a drive turns this body already."""
    for _, k, drive in draft.entries("drives"):
        if drive.get("type") in ROTATIONS and drive.get("body", drive.get("b")) == body:
            called = drive.get("name") or k + 1
            At("drive", "body").fail(f"link '{body}' is turned by drive '{called}' already", expected="another link")


def bodies(draft: Draft) -> list[str]:
    """Names of all links and bodies."""
    return [str(entry.get("name")) for *_, entry in draft.entries(*BODIES)]


def carried(draft: Draft, body: str) -> list[str]:
    """Names of the points of a link; for a body, names of the points to which it is joined by revolute joints."""
    section, _, entry = draft.named(body, *BODIES)
    if section == "links":
        return [str(entry.get("from")), str(entry.get("to")), *map(str, mapping(entry.get("points")))]
    pinned = []
    for _, _, joint in draft.entries("joints"):
        if joint.get("type") == "revolute":
            sides = [str(joint.get(side)) for side in "ab"]
            if any(side.partition(".")[0] == body for side in sides):
                pinned += [side.removeprefix("ground.") for side in sides if side.partition(".")[0] != body]
    return pinned
