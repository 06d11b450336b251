"""Scene of a walk: skeleton, or sticks between landmarks, markers, plates, and arrows of the ground forces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import ConvexHull

from gaitwright.geometry.rotation import quaternion_from_direction, quaternion_of
from gaitwright.report.scenes.spatial_scene import MovingBody, SceneSolid, SpatialScene

if TYPE_CHECKING:
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.force_plates import ForcePlate
    from gaitwright.gait.motion import SkeletonMotion
    from gaitwright.gait.trial import GaitTrial

RIGHT_COLOUR, LEFT_COLOUR, MIDDLE_COLOUR, MARKER_COLOUR = "#0072B2", "#D55E00", "#7d8896", "#f4f6f9"
SIDE_COLOURS = {"right": RIGHT_COLOUR, "left": LEFT_COLOUR}
BONE_RADIUS_M, MARKER_RADIUS_M = 0.021, 0.011
"""Radii of bones and markers, m."""
PLATE_THICKNESS_M = 0.02
SEGMENT_LANDMARKS = (
    ("thigh", ("trochanter", "hip_centre", "asis"), ("knee", "knee_centre")),
    ("shank", ("knee", "knee_centre"), ("ankle", "ankle_centre")),
    ("foot", ("heel",), ("mt2", "mt1", "mt5", "hallux")),
)
"""Segments from the first available upper landmark to the first available lower landmark."""


def gait_scene(gait: GaitAnalysis) -> SpatialScene:
    """Scene of a trial: bones or a stick figure, markers and forces."""
    trial = gait.trial
    bodies = bone_bodies(gait.motion) if gait.motion is not None else _stick_figure(trial)
    bodies += _marker_bodies(trial)
    forces = {}
    source = gait.forces.get("measured") or gait.forces.get("predicted")
    if source is not None:
        centre = source.centre()
        for k, side in enumerate(("right", "left")):
            forces[f"force on the {side} foot"] = (
                centre[:, k],
                np.where(np.isfinite(centre[:, k]), source.force[:, k], np.nan),
            )
    ground = [solid for k, plate in enumerate(trial.plates) if (solid := _plate_solid(plate, k)) is not None]
    return SpatialScene(trial.name, trial.times, bodies, ground, forces=forces, floor=-0.005)


def bone_bodies(motion: SkeletonMotion) -> list[MovingBody]:
    """Bodies of the bones of a skeleton in motion."""
    bodies = []
    for name, segment in motion.skeleton.segments.items():
        side, _, kind = name.partition("_")
        origin, rotation = motion.origin(name), motion.turned(name)
        visible = np.isfinite(origin).all(axis=1) & np.isfinite(rotation).all(axis=(1, 2))
        if not visible.any():
            continue
        joints = list(segment.joints.values())
        if kind == "foot":
            solids = [_foot_solid(segment.markers, name)]
        elif name == "trunk":
            top = 2.2 * segment.centre
            solids = [_bone_rod(joints[0], 0.8 * top, name, 2 * BONE_RADIUS_M), SceneSolid(name, "sphere", (0.1,), top)]
        else:
            ends = [(a, b) for k, a in enumerate(joints) for b in joints[k + 1 :]]
            solids = [_bone_rod(a, b, name) for a, b in ends if np.linalg.norm(b - a) > 1e-3]
        for solid in solids:
            solid.colour = SIDE_COLOURS.get(side, MIDDLE_COLOUR)
        frames = _nearest_seen_frames(visible)
        bodies.append(MovingBody(_legend_name(name), origin[frames], quaternion_of(rotation[frames]), solids))
    return bodies


def _legend_name(segment: str) -> str:
    """Convert right_thigh to 'right leg-thigh': legends show the text before the dash."""
    side, _, kind = segment.partition("_")
    return f"{side} leg-{kind}" if kind else segment


def _foot_solid(markers: dict[str, np.ndarray], name: str) -> SceneSolid:
    """A wedge around the ankle and the markers of the foot, with toes."""
    points = np.array([[0.0, 0.0, 0.0], *markers.values()])
    ahead = points[:, 0].max() - points[:, 0].min()
    low, tip = points[:, 1].min() - 0.015, points[:, 0].max() + 0.28 * ahead
    sole = points * [1, 0, 1] + [0, low, 0]
    middle = float(points[points[:, 0] > points[:, 0].min() + 0.5 * ahead][:, 2].mean())
    toes = [[tip, low, middle - 0.02], [tip, low, middle + 0.02], [tip - 0.01, low + 0.02, middle]]
    around = [[0.0, 0.01, z] for z in (-0.025, 0.025)]
    cloud = np.vstack([points, sole, toes, around])
    hull = ConvexHull(cloud)
    faces = hull.simplices.copy()
    corners = cloud[faces]
    outwards = np.einsum(
        "fi,fi->f", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), hull.equations[:, :3]
    )
    faces[outwards < 0] = faces[outwards < 0][:, ::-1]
    used, faces = np.unique(faces, return_inverse=True)
    return SceneSolid(name, "mesh", vertices=cloud[used], faces=faces.reshape(-1, 3))


def _bone_rod(a: np.ndarray, b: np.ndarray, name: str, radius: float = BONE_RADIUS_M) -> SceneSolid:
    return SceneSolid(
        name, "capsule", (radius, float(np.linalg.norm(b - a))), 0.5 * (a + b), quaternion_from_direction(b - a)
    )


def _stick_figure(trial: GaitTrial) -> list[MovingBody]:
    """Stick figure for trials without skeleton: lines between landmarks, with their median length."""
    bodies = []
    for side in ("right", "left"):
        for kind, upper, lower in SEGMENT_LANDMARKS:
            ends = [_first_landmark(trial, side, names) for names in (upper, lower)]
            if ends[0] is not None and ends[1] is not None:
                bodies += _stick_bodies(ends[0], ends[1], f"{side} leg-{kind}", SIDE_COLOURS[side])
    hips = [_first_landmark(trial, side, ("asis", "psis", "trochanter")) for side in ("right", "left")]
    if hips[0] is not None and hips[1] is not None:
        bodies += _stick_bodies(hips[0], hips[1], "pelvis-", MIDDLE_COLOUR)
    return bodies


def _first_landmark(trial: GaitTrial, side: str, names: tuple[str, ...]) -> np.ndarray | None:
    return next((place for name in names if (place := trial.place(f"{side}_{name}")) is not None), None)


def _stick_bodies(a: np.ndarray, b: np.ndarray, name: str, colour: str) -> list[MovingBody]:
    visible = np.isfinite(a + b).all(axis=1) & (np.linalg.norm(b - a, axis=1) > 1e-6)
    if not visible.any():
        return []
    frames = _nearest_seen_frames(visible)
    a, b = a[frames], b[frames]
    solid = SceneSolid(
        name, "capsule", (0.7 * BONE_RADIUS_M, float(np.median(np.linalg.norm(b - a, axis=1)))), colour=colour
    )
    return [MovingBody(name, 0.5 * (a + b), quaternion_from_direction(b - a), [solid])]


def _marker_bodies(trial: GaitTrial) -> list[MovingBody]:
    """Bodies of the markers; a lost marker stays at its last visible position."""
    bodies, points = [], trial.markers.to_numpy()
    for k, label in enumerate(trial.labels):
        visible = np.isfinite(points[:, k]).all(axis=1)
        if visible.any():
            still = np.tile([1.0, 0.0, 0.0, 0.0], (len(points), 1))
            dot = SceneSolid(label, "sphere", (MARKER_RADIUS_M,), colour=MARKER_COLOUR)
            bodies.append(MovingBody(f"markers-{label}", points[_nearest_seen_frames(visible), k], still, [dot]))
    return bodies


def _nearest_seen_frames(visible: ArrayLike) -> np.ndarray:
    """For each frame the last visible frame before it, or the first visible one; (frames,)."""
    visible_frames = np.flatnonzero(visible)
    return visible_frames[
        np.clip(np.searchsorted(visible_frames, np.arange(np.size(visible)), side="right") - 1, 0, None)
    ]


def _plate_solid(plate: ForcePlate, number: int) -> SceneSolid | None:
    """Solid of a force plate by its corners or, if they are not given, around the measured centres of pressure."""
    if plate.corners is not None:
        corners = plate.corners
    else:
        centre = plate.centre_of_pressure(100.0)
        centre = centre[np.isfinite(centre).all(axis=1)]
        if not len(centre):
            return None
        low, high = centre.min(axis=0) - 0.08, centre.max(axis=0) + 0.08
        corners = np.array([[high[0], high[1], 0], [high[0], low[1], 0], [low[0], low[1], 0], [low[0], high[1], 0]])
        corners[:, 2] = plate.height
    c1, c2, c3, c4 = corners
    x, y = 0.5 * (c1 + c4 - c2 - c3), 0.5 * (c1 + c2 - c3 - c4)
    size = (float(np.linalg.norm(x)), float(np.linalg.norm(y)), PLATE_THICKNESS_M)
    if min(size) < 1e-3:
        return None
    axes = np.stack([x / size[0], y / size[1], np.cross(x / size[0], y / size[1])], axis=1)
    down = corners.mean(axis=0) - [0, 0, 0.5 * PLATE_THICKNESS_M]
    return SceneSolid(plate.name or f"plate {number + 1}", "box", size, down, quaternion_of(axes), colour="#c9d2dc")
