"""Equilibrium of a foot on the ground: standing under a load, or pressed by a depth; and its pressure on a plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError
from gaitwright.foot.areas import AREA_GROUPS, AREAS, area_of
from gaitwright.foot.mat import Mat
from gaitwright.foot.placement import FootPlacement
from gaitwright.foot.plate_pressure import pressure_cells
from gaitwright.model.model import Model
from gaitwright.model.surfaces import HeightField, Plane, PlaneGround

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.foot.foot import Foot
    from gaitwright.result.result import Result

PLATE_CELL_SIZE_M = 5e-3
"""Side of a sensor, m."""
LOAD_POSITION_RATIOS = (0.345, -0.05)
"""Default position of the load in relaxed standing, in foot lengths from the heel and in ball widths to the medial
side: the centroid of the measured load shares of heel, midfoot, forefoot and toes (P. R. Cavanagh, M. M. Rodgers, A.
Iiboshi, Foot Ankle 7 (1987) 262), some cm in front of the ankle, as in D. A. Winter, Gait Posture 3 (1995) 193."""
MAX_SEARCH_TIME_S = 300.0
"""Time limit of the search for an equilibrium, s."""
MAX_ANKLE_SINK_RATIO = 0.5
"""Maximum sinking of an ankle, relative to its height: beyond, a free foot lies on its side."""
MAX_GROUND_GAP_M = 0.03
"""Maximum distance of the ground from the lowest point of the sole, m."""


@dataclass(frozen=True)
class StandingResult:
    """Result of standing or pressing. force: N, of the ground, upward. area: contact area, m^2. peak_pressure: Pa, of a cell.
    centre_of_pressure: (x, y), m. pressure: Pa per cell, (y, x). sinking: m, of the rearfoot from first contact of the sole.
    shares: fraction of the force per area of the sole. angles: rad, of the hinges, positive when the toes bend down. All in
    the frame of the foot, as drawn."""

    force: float
    area: float
    peak_pressure: float
    centre_of_pressure: tuple[float, float]
    pressure: xr.DataArray
    sinking: float
    shares: dict[str, float]
    angles: dict[str, float]
    run: Result
    model: Model
    notes: tuple[str, ...] = ()

    @property
    def quarters(self) -> dict[str, float]:
        """Shares of heel, midfoot, forefoot and toes."""
        return {name: sum(self.shares[area] for area in areas) for name, areas in AREA_GROUPS.items()}

    def to_dict(self) -> dict[str, Any]:
        """Numbers only, for files."""
        return {
            "force": self.force, "area": self.area, "peak_pressure": self.peak_pressure,
            "centre_of_pressure": list(self.centre_of_pressure), "sinking": self.sinking, "shares": dict(self.shares),
            "quarters": self.quarters, "angles": dict(self.angles),
        }  # fmt: skip


def standing_model(
    foot: Foot, load: float, ankle: str = "free", over: tuple[float, float] | None = None, ground: Any = None,
    friction: Any = None, **options: Any,
) -> tuple[Model, FootPlacement]:  # fmt: skip
    """Model of Foot.stand, ready for its static analysis."""
    at = ErrorContext("stand")
    load = at["load"].positive(load, "N")
    at["ankle"].one_of(ankle, ("free", "held"), "is neither free nor held")
    ground = require_ground_in_reach(ground, at)
    if ankle == "free" and friction is not None and not has_friction(friction):
        at["friction"].fail(
            "is zero, and a free foot would slide away",
            friction,
            "a coefficient above 0, None to leave shear out, or ankle='held'",
        )
    model = Model("standing foot", dimension=3)
    measures = foot.shape.measures
    at_ease = (
        LOAD_POSITION_RATIOS[0] * measures.length,
        LOAD_POSITION_RATIOS[1] * measures.ball_width * foot.shape.medial,
    )
    place = at_ease if over is None else (float(over[0]), float(over[1]))
    ankle_at = foot.ankle
    ahead = ankle_at + np.array([0.1 * measures.length, 0.0, 0.0])
    points = {"load": np.array([*place, ankle_at[2]]), "ahead": ahead}
    placing = foot.attach(model, at=(0.0, 0.0, foot.lift), ground=ground, friction=friction, points=points, **options)
    own = 9.81 * foot.mass
    if load <= own:
        at["load"].fail("is less than the foot weighs", load, f"more than {own:.3g} N")
    _require_balanced_load(foot, load, place if ankle == "free" else None, at)
    body, lifted = placing.bodies["rearfoot"], np.array([0.0, 0.0, foot.lift])
    model.force.at_point(f"{body}.foot_load", [0.0, 0.0, own - load], name="load")
    if ankle == "held":
        model.ground_point("guide", *(ankle_at + lifted))
        model.joint.prismatic("ground.guide", f"{body}.foot_ankle", axis=[0, 0, 1], name="guide")
    elif friction is None:
        # Without shear, the foot is free to move in the plane of the ground, but no force acts there. Constraints on
        # two points remove these three motions without carrying a force.
        model.ground_point("guide", *(ankle_at + lifted))
        model.ground_point("line", *(ahead + lifted))
        model.joint("point-on-line", "guide", a="ground.guide", b=f"{body}.foot_ankle", axis=[0, 0, 1])
        model.joint("point-on-plane", "line", a="ground.line", b=f"{body}.foot_ahead", axis=[0, 1, 0])
    return model, placing


def stand(foot: Foot, load: float, cell: float, **options: Any) -> StandingResult:
    """Compute standing; see Foot.stand."""
    model, placing = standing_model(foot, load, **options)
    remedy = ", a stiffer mat, or ankle='held'" if isinstance(options.get("ground"), Mat) else ""
    try:
        run = model.static(max_seconds=MAX_SEARCH_TIME_S)
    except AnalysisError as error:
        return ErrorContext("stand", "load").fail(
            f"no equilibrium was found ({str(error).splitlines()[0][:120]})",
            load,
            f"a load and a place that the foot can carry{remedy}",
        )
    high = foot.ankle[2] + foot.lift
    sunk = high - float(run.array(f"{placing.bodies['rearfoot']}.foot_ankle.z")[-1])
    if sunk > MAX_ANKLE_SINK_RATIO * high:
        ErrorContext("stand", "ankle").fail(
            f"is free, and the foot tips over: its load acts {1e3 * high:.0f} mm above what is too soft to hold it upright",
            expected="a stiffer ground or tissue, less load, or ankle='held'",
        )
    return make_standing_result(foot, model, run, placing, cell, sunk)


def pressing_model(foot: Foot, depth: float, ground: Any = None, **options: Any) -> tuple[Model, FootPlacement]:
    """Model of Foot.press, ready for its static analysis."""
    at = ErrorContext("press")
    depth = at["depth"].positive(depth, "m")
    if depth > 0.5 * foot.shape.measures.height:
        at["depth"].fail("is more than half of the foot", depth, "a few mm")
    ground = require_ground_in_reach(ground, at)
    model = Model("pressed foot", dimension=3, gravity=(0.0, 0.0, 0.0))
    if isinstance(ground, Mat):
        # On a mat, both sides deform, so they cannot start interpenetrated: the foot is moved down instead.
        placing = foot.attach(model, at=(0.0, 0.0, foot.lift), ground=ground, **options)
        x, y, z = map(float, foot.ankle + np.array([0.0, 0.0, foot.lift]))
        body = placing.bodies["rearfoot"]
        model.drive.position(f"{body}.foot_ankle", x=x, y=y, z=f"{z} - {depth}*t", name="holder")
        model.drive.orientation(body, [0.0, 0.0, 0.0], name="upright")
        return model, placing
    placing = foot.attach(model, at=(0.0, 0.0, foot.lift - depth), ground=ground, **options)
    model.ground_point("holder", *(foot.ankle + np.array([0.0, 0.0, foot.lift - depth])))
    model.joint.fixed("ground.holder", f"{placing.bodies['rearfoot']}.foot_ankle", name="holder")
    return model, placing


def press(foot: Foot, depth: float, cell: float, ground: Any = None, **options: Any) -> StandingResult:
    """Compute a press; see Foot.press."""
    model, placing = pressing_model(foot, depth, ground, **options)
    return make_standing_result(foot, model, model.static(1.0), placing, cell, depth)


def make_standing_result(
    foot: Foot, model: Model, run: Result, placing: FootPlacement, cell: float, sinking: float
) -> StandingResult:
    """Collect the result from the last pose of a run of the model."""

    def last(what: str) -> Any:
        return np.array([float(run.array(f"{name}.{what}")[-1]) for name in placing.contacts])

    forces = last("normal_force")
    force = float(last("fz").sum())
    if not force > 0.0:
        ErrorContext(f"foot '{placing.name}'").fail(
            "touches nothing: no ground is in reach", expected="a ground below its sole"
        )
    cells = pressure_cells(run, placing.contacts, cell)
    measures = foot.shape.measures
    x, y = np.meshgrid(cells["x"].values, cells["y"].values)
    areas = area_of(x, y, length=measures.length, ball_width=measures.ball_width, side=foot.shape.side)
    per_area = np.bincount(areas.ravel(), cells.values.ravel(), minlength=len(AREAS)) * cell**2
    shares = {area: float(value / force) for area, value in zip(AREAS, per_area, strict=True)}
    angles = {
        hinge.name: float(run.array(f"{joint}.angle")[-1])
        for hinge, joint in zip(foot.anatomy.hinges, placing.hinges, strict=True)
    }
    pressed = forces > 0.0
    x, y = (float(np.average(last(axis)[pressed], weights=forces[pressed])) for axis in "xy")
    area = float(last("contact_area" if placing.contacts[0] in run.mechanism.parts else "area").sum())
    notes = (*foot.anatomy.notes, *overcompression_warnings(run, placing))
    return StandingResult(force, area, float(cells.max()), (x, y), cells, sinking, shares, angles, run, model, notes)


def overcompression_warnings(run: Result, placing: FootPlacement) -> tuple[str, ...]:
    """Warning for each foundation layer compressed by more than its thickness."""
    warnings, known = [], set(run.names)
    for name in placing.contacts:
        if f"{name}.strain" not in known:
            continue
        strain = np.asarray(run.array(f"{name}.strain"))
        if (most := float(strain.max())) > 1.0:
            when = f" at {float(run.time[np.argmax(strain)]):.3g} s" if len(strain) > 1 else ""
            warnings.append(
                f"warning: {name}: a layer is pressed by {100.0 * most:.0f} % of its thickness{when}, which none can be; take"
                " less load, stiffer or thicker tissue, or speed='full'"
            )
    return tuple(warnings)


def has_friction(friction: Any) -> bool:
    """True if friction can resist sliding."""
    value = friction.get("coefficient", 1.0) if isinstance(friction, dict) else friction
    value = getattr(value, "values", {"coefficient": value}).get("coefficient", 1.0)
    return value is not None and (isinstance(value, str) or float(value) > 0.0)


def require_ground_in_reach(ground: Any, at: ErrorContext) -> Any:
    """Return the ground; raise an error if the foot, drawn with its lowest point at z = 0, cannot reach it."""
    if ground is None:
        return PlaneGround(0.0)
    level = None
    if isinstance(ground, PlaneGround) and not isinstance(ground.level, str):
        level = float(ground.level)
    elif isinstance(ground, Plane) and not any(isinstance(k, str) for k in (ground.c, ground.d)):
        level = -float(ground.d) / float(ground.c) if float(ground.c) else np.inf
    elif isinstance(ground, Mat):
        level = float(ground.level)
    elif isinstance(ground, HeightField) and not any(isinstance(z, str) for row in ground.z for z in row):
        level = min(
            float(np.max(np.asarray(ground.z, dtype=float))), 0.0
        )  # hills may be anywhere, but not all far below
    if level is not None and abs(level) > MAX_GROUND_GAP_M:
        at["ground"].fail(
            "is out of reach: the lowest point of the sole is at z = 0", level, f"within {MAX_GROUND_GAP_M} m of it"
        )
    return ground


def _require_balanced_load(foot: Foot, load: float, over: tuple[float, float] | None, at: ErrorContext) -> None:
    """Raise an error if pressure under the sole cannot balance the load."""
    from scipy.spatial import Delaunay

    sole = foot.mesh.nodes[foot.mesh.region("sole").nodes]
    if over is not None and Delaunay(sole[:, :2]).find_simplex(np.array(over)) < 0:
        at["over"].fail(
            "lies beside the sole: no pressure can balance the load", over, "a place (x, y), m, over the sole"
        )
    mean, most = load / foot.shape.measures.sole_area, foot.tissue["heel"].confined_modulus
    if mean > most:
        at["load"].fail(
            f"is more than tissue can carry: {1e-3 * mean:.3g} kPa on the whole sole", load,
            f"less than {most * foot.shape.measures.sole_area:.3g} N, or stiffer tissue",
        )  # fmt: skip
