"""What markers stand for: landmarks, by side or of the middle of the body, from the names that laboratories give them, or from
a user's own map.

cortex.yaml, plug_in.yaml, ior.yaml, opensim.yaml: one preset each. A further one is a further file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from gaitwright.checks import At
from gaitwright.input_files import packaged_yaml

SIDES = {"right": "R", "left": "L"}
FOREFOOT = ("mt1", "mt2", "mt5")
PELVIS = ("asis", "psis", "iliac_crest")
OF_SEGMENT = {
    "pelvis": ("asis", "psis", "iliac_crest", "sacrum"),
    "thigh": ("trochanter", "knee", "knee_medial"),
    "shank": ("fibula", "tibia", "ankle", "ankle_medial"),
    "foot": ("heel", "mt1", "mt2", "mt5", "toe"),
    "trunk": ("c7", "t10", "clavicle", "sternum", "shoulder"),
}
"""Landmarks that move with a segment; further ones are those whose name begins with its own, such as right_thigh_2."""


@cache
def _files() -> list[dict]:
    return [packaged_yaml(path) for path in sorted(Path(__file__).parent.glob("*.yaml"))]


def presets() -> dict[str, dict[str, list[str]]]:
    """Name of a marker set -> landmark -> names of its marker, with {side}."""
    return {one["name"]: one["landmarks"] for one in _files()}


def middles() -> dict[str, dict[str, list[str]]]:
    """The same of landmarks that have no side, such as c7."""
    return {one["name"]: one.get("middle", {}) for one in _files()}


def usual_names(landmark: str) -> list[str]:
    """What marker sets call a landmark: right_heel -> R.Heel, RCA, RHEE."""
    side, _, rest = landmark.partition("_")
    kinds, name = (presets(), rest) if side in SIDES else (middles(), landmark)
    found = [names[0].format(side=SIDES.get(side, "")) for preset in kinds.values() if (names := preset.get(name))]
    return list(dict.fromkeys(found))


def landmarks(labels: Iterable[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """`right_heel` -> 'R.Heel', `c7` -> 'C7' and so on, as far as the labels are known: by the preset that knows most of them.

    own: further ones, or others, by landmark: {'right_heel': 'my marker'}. Case, blanks, points and underscores do not
    matter, nor does the name of a subject before a colon."""
    labels = list(labels)
    known = {_plain(label): label for label in reversed(labels)}
    best: dict[str, str] = {}
    for set_name, preset in presets().items():
        found = {
            f"{side}_{landmark}": known[_plain(name.format(side=letter))]
            for side, letter in SIDES.items()
            for landmark, names in preset.items()
            for name in reversed(names)
            if _plain(name.format(side=letter)) in known
        }
        found |= {
            landmark: known[_plain(name)]
            for landmark, names in middles()[set_name].items()
            for name in reversed(names)
            if _plain(name) in known
        }
        best = found if len(found) > len(best) else best
    for landmark, label in (own or {}).items():
        best[landmark] = At("marker set", landmark).one_of(label, labels, "there is no such marker")
    return best


def segment_of(landmark: str) -> str | None:
    """right_heel -> right_foot; None where nobody knows."""
    side, _, rest = landmark.partition("_")
    rest = rest if side in SIDES else landmark
    for kind, names in OF_SEGMENT.items():
        if rest in names or rest == kind or rest.startswith(f"{kind}_"):
            return kind if kind in ("pelvis", "trunk") else f"{side}_{kind}" if side in SIDES else None
    return None


def _plain(name: str) -> str:
    return re.sub(r"[\s._-]", "", name.rpartition(":")[2]).lower()
