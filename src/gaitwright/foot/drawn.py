"""A foot of our own drawing, from a few measures: heel, arch, ball and toes with smooth surfaces, cut flat at a height.

Its proportions are those of adults (outline.py, heights.py); every measure that is given is met by the drawing.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

import numpy as np

from gaitwright.checks import At
from gaitwright.foot import heights
from gaitwright.foot.measures import BALL_ZONE, measured
from gaitwright.foot.outline import Plan, plan
from gaitwright.foot.shape import FootShape, Side, side_of
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.lattices import prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Plane
from gaitwright.mesh.shapes import affordable

LENGTH, BALL_WIDTH, HEEL_WIDTH, ARCH_HEIGHT, HEIGHT = 0.26, 0.1, 0.065, 0.018, 0.08
"""An adult, m: of 6068 men and women the mean foot length is 263, foot breadth 99 and heel breadth 71 mm (C. C. Gordon et al.,
2012 Anthropometric Survey of U.S. Army Personnel, Natick/TR-15/007, 2014)."""
SMOOTH = 0.004
"""Size of triangles of the surface unless told, m, of a foot of the usual length."""
WIDE = {
    "ball_width": (0.25, 0.55),
    "heel_width": (0.15, 0.35),
    "arch_height": (0.0125, 0.14),
    "height": (heights.LOWEST, heights.HIGHEST),
}
"""What can be drawn, in lengths of the foot."""
DOWN = 0.5
"""A side is of the sole if its outward normal has at least this part downward: 60 degrees from straight down."""


@dataclass(frozen=True)
class Drawing:
    """What a drawn foot is made from, all m."""

    length: float = LENGTH
    ball_width: float = BALL_WIDTH
    heel_width: float = HEEL_WIDTH
    arch_height: float = ARCH_HEIGHT
    height: float = HEIGHT
    side: Side = "right"
    rise: float = math.nan
    """Of the arch where it is highest: what makes arch_height on the line where that is measured."""

    def plan(self, size: float) -> Plan:
        """From above, exactly as long and as wide as it should be, whatever the size."""
        found = plan(self.length, self.ball_width, self.heel_width, size)
        ball = (found.x >= BALL_ZONE[0] * self.length) & (found.x <= BALL_ZONE[1] * self.length)
        wide = self.ball_width / float(np.ptp(found.y[ball]))
        x = (found.x - found.x.min()) * self.length / float(np.ptp(found.x))
        return replace(found, x=x, y=found.y * wide)

    def lattice(self, size: float, layers: int) -> tuple[Array, Array, int]:
        """Nodes (layers + 1, n, 3) from sole to back, m, and triangles between those of one layer."""
        flat = self.plan(size)
        arch = heights.arch(flat, self.length, self.ball_width)
        low = heights.sole(flat, self.length, self.ball_width) + self.rise * arch
        low = low - low.min()
        # A higher arch than usual carries the back with it: its border would be thin otherwise.
        more = max(0.0, self.rise - ARCH_HEIGHT / LENGTH * self.length)
        high = np.minimum(heights.back(flat, self.length) + more * arch, self.height)
        s = ((np.arange(layers + 1) / layers) ** 1.25)[:, None]
        z = low + (high - low) * s
        # Above the sole the heel becomes narrower and its back leans forward, as the ankle begins: by height alone, so that
        # no cell is turned inside out.
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
        """Closed, of triangles of about a size, m."""
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
        affordable(3.0 * self.length * self.ball_width / size**2 * 2.0 * layers, At("foot", "size"))
        nodes, triangles, layers = self.lattice(size, layers)
        cells = prism_cells(triangles, layers, nodes.shape[1])
        mesh = Mesh(nodes.reshape(-1, 3), cells, origin=f"{self.said}, filled in {layers} layers, size {size:g} m")
        return with_regions(mesh, self.height)

    @property
    def said(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in asdict(self).items() if name != "rise")
        return f"gaitwright.foot.from_measures({told})"


def with_regions(mesh: Mesh, height: float) -> Mesh:
    """With the region sole, what looks down, and the region cut, the top at a height, m, unless it has one: that of a scan,
    whose nodes a mesher moves a little."""
    if "cut" not in mesh.regions:
        mesh = mesh.with_region("cut", nodes=Plane((0.0, 0.0, height), (0.0, 0.0, 1.0)).nodes(mesh), cells=[])
    down = mesh.boundary[mesh.side_normals[:, 2] < -DOWN]
    return mesh.with_region("sole", nodes=np.unique(down), cells=[])


def from_measures(
    length: float = LENGTH, ball_width: float | None = None, heel_width: float | None = None,
    arch_height: float | None = None, height: float | None = None, side: str = "right", size: float | None = None,
) -> FootShape:  # fmt: skip
    """A foot of our drawing. length: from heel to the longest toe; ball_width: across the heads of the metatarsals;
    heel_width: at 16 % of the length; arch_height: of the sole on the medial side; height: where it is cut; all m, and in
    proportion to the length unless told. side: 'right' or 'left'. size: of the triangles of its surface, m."""
    at = At("foot")
    length = at["length"].positive(length, "m")
    if not 0.05 <= length <= 0.5:
        at["length"].fail("is not the length of a foot", length, "0.05 to 0.5 m; is the unit right?")
    given = {"ball_width": ball_width, "heel_width": heel_width, "arch_height": arch_height, "height": height}
    usual = {"ball_width": BALL_WIDTH, "heel_width": HEEL_WIDTH, "arch_height": ARCH_HEIGHT, "height": HEIGHT}
    found = {}
    for name, value in given.items():
        low, high = (length * bound for bound in WIDE[name])
        value = length / LENGTH * usual[name] if value is None else at[name].finite(value, "a length, m")
        if not low <= value <= high:
            at[name].fail(
                "does not belong to a foot of this length", value, f"{low:.3g} to {high:.3g} m for {length:.3g} m"
            )
        found[name] = float(value)
    if found["heel_width"] > 0.95 * found["ball_width"]:
        at["heel_width"].fail("is not less than that of the ball", found["heel_width"], "a narrower heel")
    size = SMOOTH * length / LENGTH if size is None else at["size"].positive(size, "m")
    if not length / 400 <= size <= length / 10:
        at["size"].fail("does not fit the foot", size, f"{length / 400:.2g} to {length / 10:.2g} m")
    drawing = Drawing(length, **found, side=side_of(side, at), rise=found["arch_height"])
    drawing = _with_arch(drawing)
    notes = ("drawn, not scanned: smooth surfaces in the proportions of an adult",)
    return FootShape(drawing.surface(size), drawing.side, notes, {"drawn": asdict(drawing)}, drawing)


def _with_arch(drawing: Drawing) -> Drawing:
    """The rise of the arch that gives its height where it is measured: the sole is linear in it, up to who is lowest."""
    size = SMOOTH / LENGTH * drawing.length
    for _ in range(2):
        there = measured(replace(drawing, side="right").surface(size), "right").arch_height
        drawing = replace(drawing, rise=max(0.0, drawing.rise + drawing.arch_height - there))
    return drawing
