"""The walk of synthetic.py with all markers that a skeleton needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gait.synthetic import Walk, walk


def with_all_markers(seconds: float = 3.0, **options) -> Walk:
    made = walk(seconds, **options)
    more: dict[str, np.ndarray] = {}
    for side, sign in (("R", -1), ("L", 1)):
        out = np.array([0.0, sign * 0.05, 0.0])
        front, back = made.markers[f"{side}.ASIS"], made.markers[f"{side}.PSIS"]
        hip = 0.5 * (front + back) * [1, 0, 1] + [0, 0, -0.06] + (front * [0, 1, 0])
        knee, ankle = (made.markers[f"{side}.{name}"] for name in ("Knee", "Ankle"))
        shin = knee + 0.3 * (ankle - knee)
        more |= {
            f"{side}.GTR": hip + out, f"{side}.Knee.Medial": knee - 2 * out, f"{side}.Ankle.Medial": ankle - 2 * out,
            f"{side}.HF": shin + 0.2 * out, f"{side}.TT": shin - out + [0.04, 0, 0],
        }  # fmt: skip
    return replace(made, markers={**made.markers, **more})
