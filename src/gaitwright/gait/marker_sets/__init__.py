"""Marker sets: landmarks of markers, on a side or on the midline of the body, from the marker names of laboratories or a
user's own map.

cortex.yaml, plug_in.yaml, ior.yaml, opensim.yaml: one preset each. Add a preset by adding a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import packaged_yaml

SIDE_LETTERS = {"right": "R", "left": "L"}
FOREFOOT_LANDMARKS = ("mt1", "mt2", "mt5")
PELVIS_LANDMARKS = ("asis", "psis", "iliac_crest")
SEGMENT_LANDMARKS = {
    "pelvis": ("asis", "psis", "iliac_crest", "sacrum"),
    "thigh": ("trochanter", "knee", "knee_medial"),
    "shank": ("fibula", "tibia", "ankle", "ankle_medial"),
    "foot": ("heel", "mt1", "mt2", "mt5", "toe"),
    "trunk": ("c7", "t10", "clavicle", "sternum", "shoulder"),
}
"""Landmarks that move with a segment; also those whose name begins with the segment's, such as right_thigh_2."""


@cache
def _read_marker_sets() -> list[dict]:
    return [packaged_yaml(path) for path in sorted(Path(__file__).parent.glob("*.yaml"))]


def marker_presets() -> dict[str, dict[str, list[str]]]:
    """Marker names by marker set and landmark; {side} stands for the letter of the side."""
    return {one["name"]: one["landmarks"] for one in _read_marker_sets()}


def midline_presets() -> dict[str, dict[str, list[str]]]:
    """The same for landmarks on the midline, such as c7."""
    return {one["name"]: one.get("middle", {}) for one in _read_marker_sets()}


def usual_marker_names(landmark: str) -> list[str]:
    """Names of a landmark's marker in the marker sets: right_heel -> R.Heel, RCA, RHEE."""
    side, _, rest = landmark.partition("_")
    kinds, name = (marker_presets(), rest) if side in SIDE_LETTERS else (midline_presets(), landmark)
    usual_names = [
        names[0].format(side=SIDE_LETTERS.get(side, "")) for preset in kinds.values() if (names := preset.get(name))
    ]
    return list(dict.fromkeys(usual_names))


def match_landmarks(labels: Iterable[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """Labels by landmark, `right_heel` -> 'R.Heel', `c7` -> 'C7' and so on, from the preset with the most matching labels.

    own: additional or replaced labels by landmark: {'right_heel': 'my marker'}. Case, blanks, points and underscores do
    not matter, nor does the name of a subject before a colon. Raises ModelError for a label in `own` that does not exist."""
    labels = list(labels)
    known = {_normalise_label(label): label for label in reversed(labels)}
    best: dict[str, str] = {}
    for set_name, preset in marker_presets().items():
        matches = {
            f"{side}_{landmark}": known[_normalise_label(name.format(side=letter))]
            for side, letter in SIDE_LETTERS.items()
            for landmark, names in preset.items()
            for name in reversed(names)
            if _normalise_label(name.format(side=letter)) in known
        }
        matches |= {
            landmark: known[_normalise_label(name)]
            for landmark, names in midline_presets()[set_name].items()
            for name in reversed(names)
            if _normalise_label(name) in known
        }
        best = matches if len(matches) > len(best) else best
    for landmark, label in (own or {}).items():
        best[landmark] = ErrorContext("marker set", landmark).one_of(label, labels, "there is no such marker")
    return best


def landmark_segment(landmark: str) -> str | None:
    """Segment of a landmark: right_heel -> right_foot; None if unknown."""
    side, _, rest = landmark.partition("_")
    rest = rest if side in SIDE_LETTERS else landmark
    for kind, names in SEGMENT_LANDMARKS.items():
        if rest in names or rest == kind or rest.startswith(f"{kind}_"):
            return kind if kind in ("pelvis", "trunk") else f"{side}_{kind}" if side in SIDE_LETTERS else None
    return None


def _normalise_label(name: str) -> str:
    return re.sub(r"[\s._-]", "", name.rpartition(":")[2]).lower()
