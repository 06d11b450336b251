"""A synthetic person with known angles, sizes and markers: walking, standing, mirrored.

Nothing here comes from the package except its writers: marker positions are chosen so that the ISB frames are the frames
in which they are defined. Frame of the laboratory: x forward, y left, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gaitwright.formats.c3d_file import C3dTrial, write_c3d
from gaitwright.formats.trc_file import write_trc

UPRIGHT = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
WIDTH, DEPTH, THIGH, SHANK, NAVEL = 0.24, 0.15, 0.42, 0.43, 0.1457
"""m: pelvis, limbs, and distance from the hips to the navel of a man of 1.741 m."""
HIP = np.array([0.24 * DEPTH + 0.0099, 0.30 * WIDTH + 0.0109, 0.33 * WIDTH + 0.0073])
"""From the midpoint of the hips to that of the ASIS, and half the hip distance: Harrington et al. 2007."""
TILT = 0.12
"""rad: tilt of the pelvis in standing."""
MIDDLE = {
    "pelvis": {},
    "trunk": {"C7": (-0.10, 0.48, 0), "Clavicle": (0.06, 0.42, 0), "Sternum": (0.10, 0.25, 0), "T10": (-0.14, 0.28, 0)},
}
OUTWARDS = {
    "pelvis": {
        "ASIS": (HIP[0], HIP[1], 0.5 * WIDTH),
        "PSIS": (HIP[0] - DEPTH, HIP[1], 0.05),
        "Iliac.Crest": (0.02, 0.15, 0.14),
    },
    "thigh": {"GTR": (0.01, -0.02, 0.09), "Knee": (0, 0.01 - THIGH, 0.055), "Knee.Medial": (0, -0.01 - THIGH, -0.055)},
    "shank": {
        "HF": (-0.03, -0.05, 0.05), "TT": (0.04, -0.06, 0.0), "Ankle": (0, -0.01 - SHANK, 0.04),
        "Ankle.Medial": (0, 0.01 - SHANK, -0.04),
    },
    "foot": {"Heel": (-0.06, -0.04, 0), "MT1": (0.14, -0.05, -0.04), "MT2": (0.15, -0.03, 0), "MT5": (0.12, -0.06, 0.05)},
}  # fmt: skip
"""Marker positions in the segment frames, m: forward, up, outwards."""
SIDES = {"right": 1.0, "left": -1.0}


def about(axis: int, angle: np.ndarray) -> np.ndarray:
    j, k = (axis + 1) % 3, (axis + 2) % 3
    found = np.zeros((len(angle), 3, 3))
    found[:, axis, axis] = 1.0
    found[:, j, j] = found[:, k, k] = np.cos(angle)
    found[:, k, j] = np.sin(angle)
    found[:, j, k] = -np.sin(angle)
    return found


def turned(first: np.ndarray, second: np.ndarray, third: np.ndarray, order: tuple[int, int, int]) -> np.ndarray:
    return about(order[0], first) @ about(order[1], second) @ about(order[2], third)


@dataclass(frozen=True)
class Person:
    """Angles by name, as documented, rad. markers: by label, (frames, 3). origins, rotations: by segment."""

    rate: float
    angles: dict[str, np.ndarray]
    markers: dict[str, np.ndarray]
    origins: dict[str, np.ndarray] = field(default_factory=dict)
    rotations: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def points(self) -> np.ndarray:
        return np.stack(list(self.markers.values()), axis=1)

    def save(self, path: Path, points: np.ndarray | None = None) -> Path:
        points = self.points if points is None else points
        if path.suffix == ".c3d":
            return write_c3d(path, C3dTrial(list(self.markers), points, "m", self.rate, 0.0, 0.0, [], []))
        return write_trc(path, list(self.markers), points, self.rate, "m")


def walking(seconds: float = 2.5, rate: float = 100.0, belt: bool = False, knee_hinge: bool = False) -> Person:
    """Synthetic curves; the feet do not touch the ground."""
    times = np.arange(round(seconds * rate)) / rate
    angles = {
        "pelvis_rotation": 0.09 * wave(times, 1, 0.1), "pelvis_obliquity": 0.06 * wave(times, 1, 0.3),
        "pelvis_tilt": TILT + 0.03 * wave(times, 2, 0.2), "trunk_flexion": 0.05 + 0.03 * wave(times, 2, 0.1),
        "trunk_bending": 0.07 * wave(times, 1, 0.8), "trunk_rotation": 0.12 * wave(times, 1, 0.6),
    }  # fmt: skip
    for side, late in (("right", 0.0), ("left", 0.5)):
        still = 0.0 if knee_hinge else 1.0
        angles |= {
            f"{side}_hip_flexion": 0.2 + 0.4 * wave(times, 1, late), f"{side}_hip_adduction": 0.1 * wave(times, 1, late + 0.2),
            f"{side}_hip_rotation": -0.1 + 0.08 * wave(times, 2, late + 0.4),
            f"{side}_knee_flexion": 0.5 - 0.35 * wave(times, 1, late + 0.2) + 0.12 * wave(times, 2, late),
            f"{side}_knee_adduction": -0.04 + still * 0.05 * wave(times, 1, late + 0.7),
            f"{side}_knee_rotation": -0.15 + still * 0.1 * wave(times, 2, late + 0.1),
            f"{side}_ankle_dorsiflexion": -0.05 + 0.2 * wave(times, 2, late + 0.3),
            f"{side}_ankle_inversion": 0.06 * wave(times, 1, late + 0.5),
            f"{side}_ankle_rotation": 0.1 + 0.07 * wave(times, 1, late),
        }  # fmt: skip
    speed = 0.0 if belt else 1.2
    path = np.column_stack([speed * times, 0.02 * wave(times, 1, 0.25), 0.92 + 0.02 * wave(times, 2, 0.0)])
    return built(rate, path, angles)


def wave(times: np.ndarray, harmonic: int, late: float) -> np.ndarray:
    return np.cos(2 * np.pi * harmonic * (times / 1.1 - late))


def standing(frames: int = 20) -> Person:
    """Feet flat, turned out slightly; the pelvis tilted, knees nearly straight."""
    still = np.zeros(frames)
    names = [
        f"{side}_{joint}_{turn}"
        for side in SIDES
        for joint in ("hip", "knee")
        for turn in ("flexion", "adduction", "rotation")
    ]
    names += ["pelvis_rotation", "pelvis_obliquity", "trunk_flexion", "trunk_bending", "trunk_rotation"]
    angles = {name: still + 0.01 * ((k % 5) - 2) for k, name in enumerate(names)}
    angles |= {"pelvis_tilt": still + TILT, "pelvis_obliquity": still, "pelvis_rotation": still}
    flat = {side: UPRIGHT @ about(1, still - sign * 0.1) for side, sign in SIDES.items()}
    return built(100.0, np.tile([0.0, 0.0, 0.93], (frames, 1)), angles, flat)


def joint(angles: dict[str, np.ndarray], name: str, signs: tuple[float, ...], turns: tuple[str, ...]) -> np.ndarray:
    """z sideways, x floating, y along the lower segment."""
    first, second, third = (sign * angles[f"{name}_{turn}"] for sign, turn in zip(signs, turns, strict=True))
    return turned(first, second, third, (2, 0, 1))


def built(
    rate: float, path: np.ndarray, angles: dict[str, np.ndarray], feet: dict[str, np.ndarray] | None = None
) -> Person:
    """Build a person from the path of the midpoint of the hips and angles. feet: their rotations, instead of ankle angles."""
    pelvis = UPRIGHT @ turned(angles["pelvis_rotation"], -angles["pelvis_obliquity"], -angles["pelvis_tilt"], (1, 0, 2))
    origins, rotations = {"pelvis": path}, {"pelvis": pelvis}
    navel = NAVEL * np.array([np.sin(TILT), np.cos(TILT), 0.0])  # tilted forward, it is above the hips in standing
    navel[0] *= -1
    origins["trunk"] = path + pelvis @ navel
    rotations["trunk"] = pelvis @ turned(
        -angles["trunk_flexion"], angles["trunk_bending"], angles["trunk_rotation"], (2, 0, 1)
    )
    for side, sign in SIDES.items():
        hip = path + pelvis @ [0, 0, sign * HIP[2]]
        thigh = pelvis @ joint(angles, f"{side}_hip", (1, sign, sign), ("flexion", "adduction", "rotation"))
        knee = hip + thigh @ [0, -THIGH, 0]
        shank = thigh @ joint(angles, f"{side}_knee", (-1, sign, sign), ("flexion", "adduction", "rotation"))
        turns = ("dorsiflexion", "inversion", "rotation")
        foot = feet[side] if feet else shank @ joint(angles, f"{side}_ankle", (1, sign, sign), turns)
        origins |= {f"{side}_thigh": hip, f"{side}_shank": knee, f"{side}_foot": knee + shank @ [0, -SHANK, 0]}
        rotations |= {f"{side}_thigh": thigh, f"{side}_shank": shank, f"{side}_foot": foot}
    markers = {}
    for segment, places in MIDDLE.items():
        markers |= {
            label: origins[segment] + rotations[segment] @ np.array(at, dtype=float) for label, at in places.items()
        }
    for side, sign in SIDES.items():
        for kind, places in OUTWARDS.items():
            name = kind if kind == "pelvis" else f"{side}_{kind}"
            for label, (x, y, z) in places.items():
                markers[f"{side[0].upper()}.{label}"] = origins[name] + rotations[name] @ np.array([x, y, sign * z])
    return Person(rate, angles, markers, origins, rotations)


def mirrored(person: Person) -> Person:
    """Mirrored person: left is right."""
    other = {"R.": "L.", "L.": "R."}
    markers = {
        other.get(label[:2], label[:2]) + label[2:]: places * [1, -1, 1] for label, places in person.markers.items()
    }
    return Person(person.rate, {}, {label: markers[label] for label in person.markers})


def without_trunk(person: Person) -> Person:
    return replace(person, markers={label: at for label, at in person.markers.items() if label not in MIDDLE["trunk"]})


PLUG_IN = {
    "ASIS": "ASI",
    "PSIS": "PSI",
    "GTR": "THI",
    "Knee": "KNE",
    "TT": "TIB",
    "Ankle": "ANK",
    "Heel": "HEE",
    "MT2": "TOE",
}


def plug_in(person: Person) -> Person:
    """Only the markers of the conventional gait model, with its names."""
    middle = {"C7": "C7", "T10": "T10", "Clavicle": "CLAV", "Sternum": "STRN"}
    names = {f"{side}.{ours}": f"{side}{theirs}" for side in "RL" for ours, theirs in PLUG_IN.items()} | middle
    return replace(person, markers={names[label]: at for label, at in person.markers.items() if label in names})
