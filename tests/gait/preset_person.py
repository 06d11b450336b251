"""The synthetic person of person.py with the markers of any preset: a place on a segment for every landmark of the presets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gait.person import DEPTH, HIP, SHANK, SIDES, THIGH, WIDTH, Person
from gaitwright.gait.marker_sets import SIDE_LETTERS, MarkerSet

HEIGHT = 1.741
"""m."""
Place = tuple[float, float, float]
FRONT: Place = (HIP[0], HIP[1], 0.5 * WIDTH)
DEVICE_LEG = 0.11
"""m, of a knee alignment device; its axis points outwards from the marker of the knee."""
KNEE_HALF_WIDTH, ANKLE_HALF_WIDTH = 0.5 * 0.075 * HEIGHT, 0.5 * 0.052 * HEIGHT
"""m: where markers lie at right angles beside their joint, at the usual widths for the height."""
PLACES: dict[str, tuple[str, Place]] = {
    "asis": ("pelvis", FRONT),
    "psis": ("pelvis", (HIP[0] - DEPTH, HIP[1], 0.05)),
    "iliac_crest": ("pelvis", (0.02, 0.15, 0.14)),
    "hip_centre": ("pelvis", (0.0, 0.0, float(HIP[2]))),
    "trochanter": ("thigh", (0.01, -0.02, 0.09)),
    "thigh": ("thigh", (0.0, -0.2, 0.09)),
    "knee": ("thigh", (0.0, -THIGH, KNEE_HALF_WIDTH)),
    "knee_medial": ("thigh", (0.0, -THIGH, -KNEE_HALF_WIDTH)),
    "knee_centre": ("thigh", (0.0, -THIGH, 0.0)),
    "device_axis": ("thigh", (0.0, -THIGH, KNEE_HALF_WIDTH + DEVICE_LEG)),
    "device_first": ("thigh", (0.0, DEVICE_LEG - THIGH, KNEE_HALF_WIDTH)),
    "device_second": ("thigh", (DEVICE_LEG, -THIGH, KNEE_HALF_WIDTH)),
    "fibula": ("shank", (-0.03, -0.05, 0.05)),
    "tibia": ("shank", (0.0, -0.2, 0.07)),
    "shank": ("shank", (0.0, -0.2, 0.07)),
    "ankle": ("shank", (0.0, -SHANK, ANKLE_HALF_WIDTH)),
    "ankle_medial": ("shank", (0.0, -SHANK, -ANKLE_HALF_WIDTH)),
    "ankle_centre": ("shank", (0.0, -SHANK, 0.0)),
    "heel": ("foot", (-0.06, -0.04, 0.0)),
    "mt1": ("foot", (0.14, -0.05, -0.04)),
    "mt2": ("foot", (0.15, -0.03, 0.0)),
    "mt5": ("foot", (0.12, -0.06, 0.05)),
    "hallux": ("foot", (0.2, -0.05, -0.02)),
    "small_toe": ("foot", (0.17, -0.05, 0.025)),
    "shoulder": ("trunk", (0.0, 0.4, 0.2)),
    "sacrum": ("pelvis", (HIP[0] - DEPTH, HIP[1], 0.0)),
    "c7": ("trunk", (-0.10, 0.48, 0.0)),
    "clavicle": ("trunk", (0.06, 0.42, 0.0)),
    "sternum": ("trunk", (0.10, 0.25, 0.0)),
    "t10": ("trunk", (-0.14, 0.28, 0.0)),
}
"""Segment and place of every landmark in its frame, m: forward, up, outwards."""


def place_of(landmark: str) -> tuple[str, Place]:
    """Place of a landmark; those of a cluster, such as thigh_2, are around the middle of their segment."""
    if landmark in PLACES:
        return PLACES[landmark]
    segment = landmark.partition("_")[0]
    turn = 1.3 * sum(map(ord, landmark))
    middle = {"thigh": (-0.2, 0.07), "shank": (-0.2, 0.05), "foot": (-0.01, 0.03)}[segment]
    return segment, (0.05 * np.cos(turn), middle[0] + 0.05 * np.sin(turn), middle[1] + 0.01 * np.cos(3 * turn))


def with_preset(person: Person, preset: MarkerSet, without: tuple[str, ...] = ()) -> Person:
    """The person with the markers of a preset, by their first names, except some landmarks (of both sides)."""
    markers = {}
    for landmark, names in preset.names().items():
        side, _, rest = landmark.partition("_")
        rest = rest if side in SIDE_LETTERS else landmark
        if rest in without or landmark in without:
            continue
        kind, (x, y, out) = place_of(rest)
        segment = kind if kind in ("pelvis", "trunk") else f"{side}_{kind}"
        local = np.array([x, y, SIDES.get(side, 0.0) * out])
        markers[names[0]] = person.origins[segment] + person.rotations[segment] @ local
    return replace(person, markers=markers)
