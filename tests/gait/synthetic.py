"""A synthetic, reproducible and fully known walk: markers of a lower body, forces under the feet, events.

Frame: x forward, y left, z up, m. Feet are rigid: they land on the heel, lie flat, rise over the ball, and swing. Instants
and positions are those of walking, without a solution of its dynamics; but the forces of both feet carry the weight over a
stride exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gaitwright.formats.forces_file import PlateForceTable, write_forces
from gaitwright.formats.trc_file import write_trc

STRIDE, STANCE, LENGTH = 1.1, 0.66, 1.3
"""s, s, m: duration of a stride, of a stance, and distance between two strikes of a foot."""
FOOT, BALL_HEIGHT, HIPS = 0.19, 0.03, 0.2
WEIGHT = 700.0
Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Rows: axes of a laboratory with x forward, y up, z to the right."""


@dataclass(frozen=True)
class Walk:
    """A walk. markers: label -> (frames, 3). forces: of each contact, with force (n, 3), point (n, 3), free moment (n,).
    strikes, offs: (side, s), all within the duration."""

    rate: float
    force_rate: float
    markers: dict[str, np.ndarray]
    forces: list[tuple[np.ndarray, np.ndarray, np.ndarray]]
    strikes: list[tuple[str, float]]
    offs: list[tuple[str, float]]

    @property
    def labels(self) -> list[str]:
        return list(self.markers)

    @property
    def points(self) -> np.ndarray:
        return np.stack(list(self.markers.values()), axis=1)

    def save(
        self, folder: Path, axes: np.ndarray = Y_UP, unit: str = "mm", points: np.ndarray | None = None
    ) -> tuple[Path, Path]:
        """Write walk.trc in given axes, and walk.forces with y up."""
        scale = {"mm": 1e3, "m": 1.0}[unit]
        points = self.points if points is None else points
        trc = write_trc(folder / "walk.trc", self.labels, scale * points @ axes.T, self.rate, unit)
        force, point = (np.stack([one[k] @ axes.T for one in self.forces], axis=1) for k in (0, 1))
        free = np.stack([one[2] for one in self.forces], axis=1)
        return trc, write_forces(
            folder / "walk.forces", PlateForceTable(self.force_rate, force, 1e3 * point, 1e3 * free)
        )


def walk(seconds: float = 3.0, rate: float = 150.0, force_rate: float = 900.0, belt: bool = False) -> Walk:
    times, fine = np.arange(round(seconds * rate)) / rate, np.arange(round(seconds * force_rate)) / force_rate
    speed = LENGTH / STRIDE
    body = np.column_stack(
        [speed * times, 0.02 * np.sin(2 * np.pi * times / STRIDE), 0.95 + 0.02 * np.cos(4 * np.pi * times / STRIDE)]
    )
    markers: dict[str, np.ndarray] = {}
    forces, strikes, offs = [], [], []
    for side, sign, shift in (("R", -1, 0.0), ("L", 1, 0.5 * STRIDE)):
        across = np.array([0.0, sign * 0.5 * HIPS, 0.0])
        markers[f"{side}.ASIS"] = body + across + [0.1, 0, 0.03]
        markers[f"{side}.PSIS"] = body + 0.4 * across + [-0.1, 0, 0.05]
        heel, ball = _foot(times, shift, speed)
        sole = (ball - heel) / FOOT
        ankle = heel + 0.3 * (ball - heel) + 0.05 * np.column_stack([-sole[:, 2], 0 * times, sole[:, 0]])
        hip = body + across
        # knee flexion that fits the lengths of thigh and shank
        line = ankle - hip
        reach = np.linalg.norm(line, axis=1)
        out = np.sqrt(np.maximum(0.0, 0.46**2 - 0.25 * reach**2))
        normal = np.column_stack([-line[:, 2], 0 * reach, line[:, 0]]) / np.hypot(line[:, 0], line[:, 2])[:, None]
        knee = 0.5 * (hip + ankle) + out[:, None] * normal
        foot_across = np.array([0.0, sign * 0.05, 0.0])
        markers |= {
            f"{side}.Knee": knee + foot_across,
            f"{side}.Ankle": ankle + across + foot_across,
            f"{side}.Heel": heel + across,
        }
        markers |= {f"{side}.MT1": ball + across - 0.8 * foot_across, f"{side}.MT5": ball + across + 0.8 * foot_across}
        k0 = int(np.floor(-shift / STRIDE)) - 1
        for k in range(k0, int(seconds / STRIDE) + 2):
            start = shift + k * STRIDE + 0.2
            if start + STANCE > 0 and start < seconds:
                forces.append(_force(fine, start, (shift + 0.2 + k * STRIDE) * speed, across))
            name = "right" if side == "R" else "left"
            strikes += [(name, start)] if 0 < start < seconds else []
            offs += [(name, start + STANCE)] if 0 < start + STANCE < seconds else []
    if belt:
        markers = {label: places - np.outer(speed * times, [1, 0, 0]) for label, places in markers.items()}
        forces = [(f, p - np.outer(speed * fine, [1, 0, 0]), m) for f, p, m in forces]
    return Walk(
        rate, force_rate, markers, forces, sorted(strikes, key=lambda s: s[1]), sorted(offs, key=lambda s: s[1])
    )


def _foot(times: np.ndarray, shift: float, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """Heel and ball, in the sagittal plane. The heel strikes at `shift` + 0.2 s + k STRIDE, 0.25 m ahead of the pelvis."""
    since = np.mod(times - shift - 0.2, STRIDE)
    begun = (times - shift - 0.2 - since) * speed + 0.2 * speed + shift * speed
    place = begun + 0.25  # of the heel in this stance
    heel, ball = np.zeros((len(times), 3)), np.zeros((len(times), 3))
    turned = np.where(since < 0.36, -np.interp(since, [0, 0.08], np.radians([18, 0])), 0.0)
    rise = np.where(since >= 0.36, np.radians(58) * np.clip((since - 0.36) / (STANCE - 0.36), 0, 1) ** 2, 0.0)
    swing = np.clip((since - STANCE + 0.02) / (STRIDE - STANCE + 0.02), 0, 1)
    swung = swing**2 * (3 - 2 * swing)
    angle = turned + rise - swung * np.radians(76)  # positive: heel up
    roll = 0.02 * np.clip((since - STANCE + 0.10) / 0.10, 0, 1) ** 3
    ahead = FOOT * (np.cos(np.radians(18)) - 1)
    ball[:, 0] = place + FOOT + roll + swung * (LENGTH - 0.02 + ahead)
    ball[since < 0.08, 0] = place[since < 0.08] + FOOT * np.cos(turned[since < 0.08])
    landing = FOOT * np.sin(np.radians(18))
    lift = 0.05 * np.sin(np.pi * swing) ** 2 + swing * landing * swing**3
    fall = 0.10 * swing**3 * (1 - swing) * 4  # lowered with 0.9 m/s
    ball[:, 2] = BALL_HEIGHT + np.where(swing > 0, lift + fall, -FOOT * np.sin(turned))
    heel[:, 0] = ball[:, 0] - FOOT * np.cos(angle)
    heel[:, 2] = ball[:, 2] + FOOT * np.sin(angle)
    return heel, ball


def _force(
    times: np.ndarray, start: float, place: float, across: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two humps with an impulse over a stance that carries half the weight of a stride."""
    part = (times - start) / STANCE
    on = (part > 0) & (part < 1)
    inside = np.clip(part, 0, 1)
    shape = np.sin(np.pi * inside) ** 0.5 * (1 + 0.35 * np.sin(3 * np.pi * inside)) * on
    grid = np.linspace(0, 1, 20001)
    mean = np.trapezoid(np.sin(np.pi * grid) ** 0.5 * (1 + 0.35 * np.sin(3 * np.pi * grid)), grid)
    vertical = WEIGHT * shape * 0.5 * STRIDE / STANCE / mean
    force = np.column_stack([-0.2 * vertical * np.cos(np.pi * inside), 0.04 * vertical * np.sign(-across[1]), vertical])
    x = place + 0.25 + 0.03 + FOOT * np.interp(inside, [0, 0.15, 0.6, 1], [0.0, 0.25, 0.85, 1.0])
    point = np.column_stack([x, 0 * x + across[1], 0 * x])
    return force, point, 3.0 * np.sin(2 * np.pi * inside) * on
