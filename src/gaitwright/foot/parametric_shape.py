"""Parametric foot from a few measures: heel, arch, ball and toes with smooth surfaces, cut flat at a height.

Its proportions are those of adults (parametric_outline.py, parametric_heights.py); the shape matches every given measure.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot import parametric_heights
from gaitwright.foot.measures import BALL_ZONE_RATIOS, measure_foot
from gaitwright.foot.parametric_outline import FootPlan, make_foot_plan
from gaitwright.foot.shape import FootShape, Side, check_side
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.lattices import prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import PlaneSelector
from gaitwright.mesh.shape_construction import check_cell_count

ADULT_FOOT_LENGTH_M, ADULT_BALL_WIDTH_M, ADULT_HEEL_WIDTH_M, ADULT_ARCH_HEIGHT_M, ADULT_CUT_HEIGHT_M = (
    0.26,
    0.1,
    0.065,
    0.018,
    0.08,
)
"""Default measures of an adult, m: of 6068 men and women the mean foot length is 263, foot breadth 99 and heel breadth
71 mm (C. C. Gordon et al., 2012 Anthropometric Survey of U.S. Army Personnel, Natick/TR-15/007, 2014)."""
SURFACE_TRIANGLE_SIZE_M = 0.004
"""Default size of surface triangles, m, for a foot of ADULT_FOOT_LENGTH_M."""
MEASURE_RATIO_LIMITS = {
    "ball_width": (0.25, 0.55),
    "heel_width": (0.15, 0.35),
    "arch_height": (0.0125, 0.14),
    "height": (parametric_heights.MIN_CUT_HEIGHT_RATIO, parametric_heights.MAX_CUT_HEIGHT_RATIO),
}
"""Valid range of each measure, in foot lengths."""
MIN_SOLE_NORMAL_DOWN = 0.5
"""Minimum downward component of the outward normal of a sole facet: 60 degrees from straight down."""


@dataclass(frozen=True)
class ParametricFootDimensions:
    """Measures of a parametric foot, all m."""

    length: float = ADULT_FOOT_LENGTH_M
    ball_width: float = ADULT_BALL_WIDTH_M
    heel_width: float = ADULT_HEEL_WIDTH_M
    arch_height: float = ADULT_ARCH_HEIGHT_M
    height: float = ADULT_CUT_HEIGHT_M
    side: Side = "right"
    rise: float = math.nan
    """Peak rise of the arch that gives arch_height on the line where it is measured, m."""

    def plan(self, size: float) -> FootPlan:
        """Plan view, scaled to the exact length and ball width for any size."""
        plan = make_foot_plan(self.length, self.ball_width, self.heel_width, size)
        ball = (plan.x >= BALL_ZONE_RATIOS[0] * self.length) & (plan.x <= BALL_ZONE_RATIOS[1] * self.length)
        wide = self.ball_width / float(np.ptp(plan.y[ball]))
        x = (plan.x - plan.x.min()) * self.length / float(np.ptp(plan.x))
        return replace(plan, x=x, y=plan.y * wide)

    def lattice(self, size: float, layers: int) -> tuple[Array, Array, int]:
        """Nodes (layers + 1, n, 3) from sole to back, m, triangles between those of one layer, and the number of
        layers."""
        flat = self.plan(size)
        arch = parametric_heights.arch_shape(flat, self.length, self.ball_width)
        low = parametric_heights.sole_heights(flat, self.length, self.ball_width) + self.rise * arch
        low = low - low.min()
        # A higher arch than usual raises the back as well: its border would be thin otherwise.
        more = max(0.0, self.rise - ADULT_ARCH_HEIGHT_M / ADULT_FOOT_LENGTH_M * self.length)
        high = np.minimum(parametric_heights.back_heights(flat, self.length) + more * arch, self.height)
        s = ((np.arange(layers + 1) / layers) ** 1.25)[:, None]
        z = low + (high - low) * s
        # Above the sole, the heel becomes narrower and its back leans forward, towards the ankle. The shift depends on
        # height alone, so that no cell is inverted.
        start = max(0.25 * self.height, 0.06 * self.length)  # above the round of the sole
        up = (np.maximum(z - start, 0.0) / (self.height - start)) ** 2
        ankle = np.clip((0.5 - flat.x / self.length) / 0.2, 0.0, 1.0)
        behind = np.clip(1.0 - flat.x / (0.25 * self.length), 0.0, 1.0)
        y = flat.y * (1.0 - 0.12 * ankle * up)
        x = flat.x + 0.035 * self.length * behind * up
        nodes = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
        triangles = flat.triangles
        if self.side == "left":
            nodes, triangles = nodes * np.array([1.0, -1.0, 1.0]), triangles[:, [1, 0, 2]]
        return nodes, triangles, layers

    def surface(self, size: float) -> Mesh:
        """Closed surface of triangles of about a size, m."""
        nodes, triangles, layers = self.lattice(size, max(4, round(0.14 * self.length / size)))
        count = nodes.shape[1]
        edges = Mesh(nodes[0, :, :2], triangles).boundary[:, :2]
        a, b = edges.T
        walls = [np.stack([a, b, b + count], axis=1), np.stack([a, b + count, a + count], axis=1)]
        faces = [triangles[:, ::-1], triangles + layers * count]
        faces += [wall + k * count for k in range(layers) for wall in walls]
        used, flat = np.unique(np.concatenate(faces), return_inverse=True)
        return Mesh(nodes.reshape(-1, 3)[used], flat.reshape(-1, 3), origin=self.said)

    def filled(self, size: float) -> Mesh:
        """Tetrahedra of about a size, m, in layers that are thinner towards the sole. Regions: sole, cut."""
        layers = max(3, round(0.45 * self.height / size))
        check_cell_count(3.0 * self.length * self.ball_width / size**2 * 2.0 * layers, ErrorContext("foot", "size"))
        nodes, triangles, layers = self.lattice(size, layers)
        cells = prism_cells(triangles, layers, nodes.shape[1])
        mesh = Mesh(nodes.reshape(-1, 3), cells, origin=f"{self.said}, filled in {layers} layers, size {size:g} m")
        return add_sole_and_cut_regions(mesh, self.height)

    @property
    def said(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in asdict(self).items() if name != "rise")
        return f"gaitwright.foot.from_measures({arguments})"


def add_sole_and_cut_regions(mesh: Mesh, height: float) -> Mesh:
    """Add the region sole (facets that face down) and, unless the mesh has one, the region cut (the top at a height,
    m). A scan has its own cut, because a mesher moves its nodes slightly."""
    if "cut" not in mesh.regions:
        mesh = mesh.with_region("cut", nodes=PlaneSelector((0.0, 0.0, height), (0.0, 0.0, 1.0)).nodes(mesh), cells=[])
    down = mesh.boundary[mesh.side_normals[:, 2] < -MIN_SOLE_NORMAL_DOWN]
    return mesh.with_region("sole", nodes=np.unique(down), cells=[])


def from_measures(
    length: float = ADULT_FOOT_LENGTH_M, ball_width: float | None = None, heel_width: float | None = None,
    arch_height: float | None = None, height: float | None = None, side: str = "right", size: float | None = None,
) -> FootShape:  # fmt: skip
    """Make a parametric foot. length: from heel to the longest toe; ball_width: across the heads of the metatarsals;
    heel_width: at 16 % of the length; arch_height: of the sole on the medial side; height: of the cut; all m; default: in
    proportion to the length. side: 'right' or 'left'. size: of the surface triangles, m.

    Raises an error that names the measure if one is out of proportion to the length."""
    at = ErrorContext("foot")
    length = at["length"].positive(length, "m")
    if not 0.05 <= length <= 0.5:
        at["length"].fail("is not the length of a foot", length, "0.05 to 0.5 m; is the unit right?")
    given = {"ball_width": ball_width, "heel_width": heel_width, "arch_height": arch_height, "height": height}
    usual = {
        "ball_width": ADULT_BALL_WIDTH_M,
        "heel_width": ADULT_HEEL_WIDTH_M,
        "arch_height": ADULT_ARCH_HEIGHT_M,
        "height": ADULT_CUT_HEIGHT_M,
    }
    measures = {}
    for name, value in given.items():
        low, high = (length * bound for bound in MEASURE_RATIO_LIMITS[name])
        value = length / ADULT_FOOT_LENGTH_M * usual[name] if value is None else at[name].finite(value, "a length, m")
        if not low <= value <= high:
            at[name].fail(
                "does not belong to a foot of this length", value, f"{low:.3g} to {high:.3g} m for {length:.3g} m"
            )
        measures[name] = float(value)
    if measures["heel_width"] > 0.95 * measures["ball_width"]:
        at["heel_width"].fail("is not less than that of the ball", measures["heel_width"], "a narrower heel")
    size = SURFACE_TRIANGLE_SIZE_M * length / ADULT_FOOT_LENGTH_M if size is None else at["size"].positive(size, "m")
    if not length / 400 <= size <= length / 10:
        at["size"].fail("does not fit the foot", size, f"{length / 400:.2g} to {length / 10:.2g} m")
    drawing = ParametricFootDimensions(length, **measures, side=check_side(side, at), rise=measures["arch_height"])
    drawing = _fit_arch_height(drawing)
    notes = ("drawn, not scanned: smooth surfaces in the proportions of an adult",)
    return FootShape(drawing.surface(size), drawing.side, notes, {"drawn": asdict(drawing)}, drawing)


def _fit_arch_height(drawing: ParametricFootDimensions) -> ParametricFootDimensions:
    """Rise of the arch that gives the required height on the measuring line. The sole is linear in the rise, except
    that its lowest point may change; two iterations are enough."""
    size = SURFACE_TRIANGLE_SIZE_M / ADULT_FOOT_LENGTH_M * drawing.length
    for _ in range(2):
        there = measure_foot(replace(drawing, side="right").surface(size), "right").arch_height
        drawing = replace(drawing, rise=max(0.0, drawing.rise + drawing.arch_height - there))
    return drawing
