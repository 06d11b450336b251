"""Marker sets: landmarks of markers, on a side or on the midline of the body, from the marker names of laboratories or a
user's own map.

One preset per YAML file; add a preset by adding a file:

    landmarks, middle   marker names by landmark, on a side and on the midline; {side} stands for R or L, {side_word} for right
                        or left
    wands               by segment, the landmark in the plane of the segment and the axis of its lower joint: defines the centre
                        of that joint where an inner marker is missing
    hips                regression of the hip centres that belongs to the set
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.input_files import packaged_yaml

SIDE_LETTERS = {"right": "R", "left": "L"}
TOE_LANDMARKS = ("hallux", "small_toe")
"""Tips of the toes: forefoot of sets without metatarsal heads."""
FOREFOOT_LANDMARKS = ("mt1", "mt2", "mt5", *TOE_LANDMARKS)
PELVIS_LANDMARKS = ("asis", "psis", "iliac_crest", "hip_centre")
SEGMENT_LANDMARKS = {
    "pelvis": ("asis", "psis", "iliac_crest", "sacrum", "hip_centre"),
    "thigh": ("trochanter", "knee", "knee_medial", "knee_centre"),
    "shank": ("fibula", "tibia", "ankle", "ankle_medial", "ankle_centre"),
    "foot": ("heel", *FOREFOOT_LANDMARKS, "toe"),
    "trunk": ("c7", "t10", "clavicle", "sternum", "shoulder"),
}
"""Landmarks that move with a segment; also those whose name begins with the segment's, such as right_thigh_2."""
COMPUTED_POINT_PATTERN = re.compile(
    r"^[LR]?(Hip|Knee|Ankle|Pelvis|Thorax|Spine|Neck|Head|Shoulder|Elbow|Wrist|Foot|Abs|Ground|Norm|Waist)\w*?"
    r"(Angles?|Moment|Force|Power|Progress\w*|Score)$|^[LR]?(FE|TI|FO|TO|PE|HE|TH|CL|HU|RA|HN|TR|SA)[LX]?[OPLA]$"
    r"|^[LR](HJC|KJC|AJC)$|^CentreOfMass(Floor)?$|^(COM|CoM)$",
)
"""Points that programs compute and store as if they were markers: results of Plug-in Gait, axes of its bones, joint centres."""


@dataclass(frozen=True)
class MarkerSet:
    """A preset. landmarks: marker names by landmark of a side; middle: of landmarks on the midline. wands, hips: as above."""

    name: str
    landmarks: dict[str, list[str]]
    middle: dict[str, list[str]] = field(default_factory=dict)
    wands: dict[str, str] = field(default_factory=dict)
    hips: str | None = None

    def names(self) -> dict[str, list[str]]:
        """Marker names by landmark of the body: right_heel -> [RHEE]."""
        sides = {
            f"{side}_{landmark}": [name.format(side=letter, side_word=side) for name in names]
            for side, letter in SIDE_LETTERS.items()
            for landmark, names in self.landmarks.items()
        }
        return sides | self.middle


@cache
def marker_sets() -> dict[str, MarkerSet]:
    """All presets by name."""
    sets = [MarkerSet(**packaged_yaml(path)) for path in sorted(Path(__file__).parent.glob("*.yaml"))]
    return {one.name: one for one in sets}


def usual_marker_names(landmark: str) -> list[str]:
    """Names of a landmark's marker in the marker sets: right_heel -> R.Heel, RCA, RHEE."""
    usual_names = [names[0] for preset in marker_sets().values() if (names := preset.names().get(landmark))]
    return list(dict.fromkeys(usual_names))


def detect_marker_set(labels: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Name of the preset with the most matching labels, on a tie of the smallest one ('' without any match), and labels by
    landmark in it.

    Case, blanks, points and underscores do not matter, nor does the name of a subject before a colon, or another beginning that
    all labels share."""
    labels = list(labels)
    best_name, best, best_size = "", {}, 0
    for known in _label_spellings(labels):
        for name, preset in marker_sets().items():
            matches: dict[str, str] = {}
            for landmark, names in preset.names().items():
                hit = next((known[key] for one in names if (key := _normalise_label(one)) in known), None)
                if hit is not None and hit not in matches.values():
                    matches[landmark] = hit
            if (len(matches), -len(preset.names())) > (len(best), -best_size):
                best_name, best, best_size = name, matches, len(preset.names())
    return best_name, best


def match_landmarks(labels: Iterable[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """Labels by landmark, `right_heel` -> 'R.Heel', `c7` -> 'C7' and so on, from the preset with the most matching labels.

    own: additional or replaced labels by landmark: {'right_heel': 'my marker'}. Raises ModelError for a label in `own` that
    does not exist."""
    labels = list(labels)
    landmarks = detect_marker_set(labels)[1]
    for landmark, label in (own or {}).items():
        landmarks[landmark] = ErrorContext("marker set", landmark).one_of(label, labels, "there is no such marker")
    return landmarks


def is_computed_point(label: str) -> bool:
    """True for the name of a point that a program computes, such as LKneeAngles."""
    return COMPUTED_POINT_PATTERN.match(label.rpartition(":")[2]) is not None


def landmark_segment(landmark: str) -> str | None:
    """Segment of a landmark: right_heel -> right_foot; None if unknown."""
    side, _, rest = landmark.partition("_")
    rest = rest if side in SIDE_LETTERS else landmark
    for kind, names in SEGMENT_LANDMARKS.items():
        if rest in names or rest == kind or rest.startswith(f"{kind}_"):
            return kind if kind in ("pelvis", "trunk") else f"{side}_{kind}" if side in SIDE_LETTERS else None
    return None


def _label_spellings(labels: list[str]) -> list[dict[str, str]]:
    """Labels by normalised name, once without the part before a colon, and once without the beginning that all share."""
    spellings = [{_normalise_label(label): label for label in reversed(labels)}]
    first, last = (min(labels), max(labels)) if labels else ("", "")
    equal = [a == b for a, b in zip(first, last, strict=False)]
    common = first[: equal.index(False) if False in equal else len(equal)]
    shared = re.match(r".*[_.\- ]", common) if len(labels) > 3 else None
    if shared:
        spellings.append({_normalise_label(label[shared.end() :]): label for label in reversed(labels)})
    return spellings


def _normalise_label(name: str) -> str:
    return re.sub(r"[\s._-]", "", name.rpartition(":")[2]).lower()
