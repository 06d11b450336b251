"""Sketch of a document that is not a valid model yet: its points and the lines between them."""

from __future__ import annotations

from typing import Any

from gaitwright._core.errors import GaitwrightError
from gaitwright.studio.draft import DocumentDraft
from gaitwright.studio.yaml_tree import YamlTree


def sketch_document(tree: YamlTree) -> dict[str, Any]:
    """Data with the same keys as a preview (live_preview.py), with one pose."""
    draft = DocumentDraft(tree)
    positions = {}
    for name in (*draft.ground, *draft.points):
        try:
            positions[name] = list(draft.drawn(name))
        except GaitwrightError:
            continue
    positions = {name: position for name, position in positions.items() if len(position) == 2}
    shapes = []
    for section, _, entry in draft.entries("links", "beams"):
        ends = [positions.get(str(entry.get(end))) for end in ("from", "to")]
        if all(ends):
            points = [[value for end in ends for value in end or ()]]
            shapes.append({"name": str(entry.get("name")), "kind": section[:-1], "closed": False, "points": points})
    xs, ys = zip(*positions.values(), strict=True) if positions else ((0.0, 1.0), (0.0, 1.0))
    size = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    margin = 0.1 * size
    return {
        "dimension": 2, "size": size, "bounds": [min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin],
        "time": [0.0], "period": None, "shapes": shapes,
        "joints": [{"name": name, "fixed": name in draft.ground, "points": [position]} for name, position in positions.items()],
        "places": {name: [position] for name, position in positions.items()}, "traces": [], "numbers": [], "freedom": None,
        "closed": None, "gaps": [], "faults": [], "warnings": [], "milliseconds": 0.0,
    }  # fmt: skip
