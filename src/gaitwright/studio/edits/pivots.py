"""Points carried by links, and the link driven by a motor at a pivot."""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext
from gaitwright.studio.draft import DocumentDraft, as_mapping

BODY_SECTIONS = ("links", "bodies")
ROTATION_DRIVES = ("rotation", "relative-rotation")


def link_at_pivot(draft: DocumentDraft, point: str) -> str:
    """The only link that can turn about a ground point. Raises ModelError if there is none or more than one."""
    point = point.removeprefix("ground.")
    context = ErrorContext("drive", "point")
    draft.point_path(point)
    links = [link for link in body_names(draft) if point in carried_points(draft, link)]
    if point not in draft.ground:
        rotating_links = [
            link for link in links if any(link_point in draft.ground for link_point in carried_points(draft, link))
        ]
        advice = (
            f"the link to turn: {' or '.join(rotating_links)}"
            if rotating_links
            else "a ground point, or the link to turn"
        )
        context.fail(f"'{point}' moves, and a motor stands on the ground", expected=advice)
    if not links:
        context.fail(f"no link turns about ground point '{point}' yet", expected="a ground point at which a link ends")
    candidates = [
        link for link in links if sum(link_point in draft.ground for link_point in carried_points(draft, link)) == 1
    ]
    if not candidates:
        context.fail(f"link '{links[0]}' is held at two ground points and cannot turn", expected="a link with one")
    if len(candidates) > 1:
        context.fail(
            f"{len(candidates)} links turn about ground point '{point}'",
            expected=f"a click on one of {', '.join(candidates)}",
        )
    return candidates[0]


def require_undriven(draft: DocumentDraft, body: str) -> None:
    """Raise ModelError if a drive turns this body already."""
    for _, k, drive in draft.entries("drives"):
        if drive.get("type") in ROTATION_DRIVES and drive.get("body", drive.get("b")) == body:
            drive_name = drive.get("name") or k + 1
            ErrorContext("drive", "body").fail(
                f"link '{body}' is turned by drive '{drive_name}' already", expected="another link"
            )


def body_names(draft: DocumentDraft) -> list[str]:
    """Names of all links and bodies."""
    return [str(entry.get("name")) for *_, entry in draft.entries(*BODY_SECTIONS)]


def carried_points(draft: DocumentDraft, body: str) -> list[str]:
    """Names of the points of a link; for a body, names of the points to which it is joined by revolute joints."""
    section, _, entry = draft.named(body, *BODY_SECTIONS)
    if section == "links":
        return [str(entry.get("from")), str(entry.get("to")), *map(str, as_mapping(entry.get("points")))]
    pinned = []
    for _, _, joint in draft.entries("joints"):
        if joint.get("type") == "revolute":
            sides = [str(joint.get(side)) for side in "ab"]
            if any(side.partition(".")[0] == body for side in sides):
                pinned += [side.removeprefix("ground.") for side in sides if side.partition(".")[0] != body]
    return pinned
