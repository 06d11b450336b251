"""What is drawn of a document that is no mechanism yet: its points and the lines between them, as they stand in the text."""

from __future__ import annotations

from typing import Any

from gaitwright.errors import GaitwrightError
from gaitwright.studio.draft import Draft
from gaitwright.studio.tree import Tree


def sketch(tree: Tree) -> dict[str, Any]:
    """The same keys as a picture (alive.py), with one pose."""
    draft = Draft(tree)
    at = {}
    for name in (*draft.ground, *draft.points):
        try:
            at[name] = list(draft.drawn(name))
        except GaitwrightError:
            continue
    at = {name: place for name, place in at.items() if len(place) == 2}
    shapes = []
    for section, _, entry in draft.entries("links", "beams"):
        ends = [at.get(str(entry.get(end))) for end in ("from", "to")]
        if all(ends):
            points = [[value for end in ends for value in end or ()]]
            shapes.append({"name": str(entry.get("name")), "kind": section[:-1], "closed": False, "points": points})
    xs, ys = zip(*at.values(), strict=True) if at else ((0.0, 1.0), (0.0, 1.0))
    size = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    room = 0.1 * size
    return {
        "dimension": 2, "size": size, "bounds": [min(xs) - room, max(xs) + room, min(ys) - room, max(ys) + room],
        "time": [0.0], "period": None, "shapes": shapes,
        "joints": [{"name": name, "fixed": name in draft.ground, "points": [place]} for name, place in at.items()],
        "places": {name: [place] for name, place in at.items()}, "traces": [], "numbers": [], "freedom": None,
        "closed": None, "gaps": [], "faults": [], "warnings": [], "milliseconds": 0.0,
    }  # fmt: skip
