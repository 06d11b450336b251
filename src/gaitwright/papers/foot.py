"""Paper 004 sections 6.2 and 6.3: a foot of one soft material, clamped above and pressed into the ground until its modulus
gives the force that was measured.

Neither the foot nor which of its nodes are clamped is printed. So what is computed is what a foot of our own drawing (and a
scan, where there is one) asks for, and how much of it is the clamp. Force is proportional to the modulus: E for 622 N follows
from one run.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.errors import GaitwrightError
from gaitwright.foot import Clamp, Foot, FootShape, Standing, Tissue, from_measures, from_scan
from gaitwright.foot.standing import CELL, pressing_model, seen
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region
from gaitwright.model.model import Model
from gaitwright.papers.check import Experiment, Said, heading, silent
from gaitwright.papers.disturb import built
from gaitwright.papers.sheet import setup_of
from gaitwright.system.solids.settling import FORCE

NAME = "foot"
SCAN = Path(__file__).parents[4] / "shared" / "data" / "foot_gibbon_leg" / "post" / "Skin_coarse.stl"
"""A scan of a leg that lies beside a checkout, for those who have it; not part of this program."""
SCAN_CUT, SCAN_SIZE = 0.082, 0.008
SIZE, COARSE, FINE = 0.014, 0.02, (0.010, 0.0075)
"""m: of cells."""
LINEAR = (0.014, 0.005, 0.004)
"""m: of cells, of small strains."""
CUTS, ABOVE, REAR = (0.095, 0.08, 0.07, 0.06), (0.06, 0.045, 0.03), (0.5, 0.25)
"""m: where it is cut; above what it is clamped; which part of the cut from behind is clamped alone."""
DEPTHS = (2e-3, 4e-3, 6e-3)
FRICTION = (0.3, 0.6)


class Setup(setup_of(NAME)):
    """The thesis's material and test."""

    @property
    def tissue(self) -> Tissue:
        return Tissue.uniform(self.youngs_modulus, self.poissons_ratio)

    def drawn(self, height: float = CUTS[1]) -> FootShape:
        """A left foot of our drawing."""
        return from_measures(length=self.length, height=height, side="left")

    def foot(self, shape: FootShape, mesh: Mesh, above: float | None = None) -> Foot:
        return Foot(shape, mesh, Clamp(above), self.tissue)

    def press(self, foot: Foot, depth: float = 0.0, friction: float | None = None) -> Press:
        """By a depth, m, the printed one unless given."""
        began, depth = time.perf_counter(), depth or self.depth
        model, placing = pressing_model(foot, depth, friction=friction)
        found = seen(foot, built(model).static(), placing, CELL, depth)
        return Press.of(found, self, len(foot.mesh.nodes), time.perf_counter() - began)

    def press_linear(self, shape: FootShape, size: float) -> Press:
        """Of small strains, from compliances of the sole: that of large meshes can be had."""
        began, mesh = time.perf_counter(), shape.fill(size)
        model = Model("pressed foot of small strains", dimension=3, gravity=(0.0, 0.0, 0.0))
        model.body("leg", mass=1.0, inertia=[1.0] * 3, at=(0.0, 0.0, -self.depth)).ground_point("O", 0.0, 0.0, 0.0)
        model.joint("prismatic", a="ground.O", b="leg", axis=[0, 0, 1], name="guide")
        material = {
            "type": "linear-elastic",
            "youngs_modulus": self.youngs_modulus,
            "poissons_ratio": self.poissons_ratio,
        }
        model.solid(
            "foot", mesh, at=(0.0, 0.0, -self.depth), material=material, fixed={"region": "cut", "to": "leg"},
            quasi_static={"plane": [0.0, 0.0, 1.0, 0.0], "region": "sole", "condensed": True},
        )  # fmt: skip
        part: Any = built(model).mechanism().parts["foot"]
        force = -float(part.settling.ask([0.0, 0.0, 0.0, 1.0], FORCE).slope[0])
        return Press(
            force, 1e-6 * self.youngs_modulus * self.force / force, len(mesh.nodes), time.perf_counter() - began
        )


@dataclass
class Press:
    """force: N, with the printed modulus. modulus: MPa, for the printed force. heel, ...: shares. area: cm^2. peak: kPa of a
    cell of 5 mm, at the printed force."""

    force: float
    modulus: float
    nodes: int
    seconds: float
    heel: float = float("nan")
    midfoot: float = float("nan")
    forefoot: float = float("nan")
    toes: float = float("nan")
    area: float = float("nan")
    peak: float = float("nan")
    standing: Standing | None = field(default=None, repr=False)

    @classmethod
    def of(cls, found: Standing, setup: Setup, nodes: int, seconds: float) -> Press:
        modulus = 1e-6 * setup.youngs_modulus * setup.force / found.force
        peak = 1e-3 * found.peak_pressure * setup.force / found.force
        about = {**found.quarters, "area": 1e4 * found.area, "peak": peak, "standing": found}
        return cls(found.force, modulus, nodes, seconds, **about)

    def numbers(self) -> dict[str, float]:
        return {name: value for name, value in asdict(replace(self, standing=None)).items() if name != "standing"}


def rear(mesh: Mesh, part: float) -> Mesh:
    """With only the hindmost part of the cut to be clamped."""
    nodes = mesh.region("cut").nodes
    x = mesh.nodes[nodes, 0]
    kept = nodes[x <= x.min() + part * np.ptp(x)]
    return replace(mesh, regions={**mesh.regions, "cut": Region(kept, np.zeros(0, dtype=int))})


@dataclass
class FootFound(Experiment):
    """main: clamped at the cut. clamps, meshes, small, depths, rubbing: by what differs; small are those of small strains.
    nodes, cells: of meshes by size, mm; cells are mean volumes, mm^3. scan: by clamp, empty without one."""

    main: Press
    clamps: dict[str, Press]
    meshes: dict[str, Press]
    small: dict[str, Press]
    depths: dict[str, Press]
    rubbing: dict[str, Press]
    nodes: dict[str, int]
    cells: dict[str, float]
    scan: dict[str, Press]
    scan_said: str
    setup: Setup
    runs: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def heights(self) -> dict[str, list[float]]:
        """Of the clamps that reach down: mm, MPa and per cent."""
        lower = [self.clamps[name] for name in clamped_above()]
        return {
            "cut": [1e3 * cut for cut in CUTS], "cut_modulus": [self.clamps[f"cut at {1e3 * c:g} mm"].modulus for c in CUTS],
            "cut_forefoot": [100.0 * self.clamps[f"cut at {1e3 * c:g} mm"].forefoot for c in CUTS],
            "above": [1e3 * above for above in ABOVE], "above_modulus": [each.modulus for each in lower],
            "above_forefoot": [100.0 * each.forefoot for each in lower],
        }  # fmt: skip

    def facts(self) -> dict[str, Any]:
        moduli = [each.modulus for each in self.clamps.values()]
        lower = [self.main, *(self.clamps[name] for name in clamped_above())]
        finer = {"finite strains": self.meshes, "small strains": self.small}
        forces = np.array([each.force for each in self.meshes.values()][-3:])  # the finest
        depth = [*(float(name) for name in self.depths), 1e3 * self.setup.depth]
        force = [*(each.force for each in self.depths.values()), self.main.force]
        return {
            "heights": self.heights, "least": min(moduli), "most": max(moduli), "sizes": ", ".join([*self.meshes][-3:]),
            "apart": float(np.ptp(forces) / forces.mean()),
            "more_forefoot": float(np.all(np.diff([each.forefoot + each.toes for each in lower]) > 0.0)),
            "by_size": {
                name: {"size": [float(size) for size in found], "force": [each.force for each in found.values()]}
                for name, found in finer.items()
            },
            "pushed": {"depth": depth, "force": force, "told": [self.setup.force * d / depth[-1] for d in depth]},
            "exponent": float(np.polyfit(np.log(depth), np.log(force), 1)[0]),
            "slip": abs(self.rubbing["0.6"].force / self.rubbing["0.3"].force - 1.0),
            "along": self._along(),
        }  # fmt: skip

    def _along(self) -> dict[str, Any]:
        """Force per length along the foot at the printed force, N/mm, by clamp."""
        found = {}
        for name in ("cut at 80 mm", "rear quarter of the cut", clamped_above()[-1]):
            seen_of = self.clamps[name].standing
            assert seen_of is not None
            picture = seen_of.pressure.transpose("y", "x")
            force = picture.values.sum(axis=0) * CELL**2 * self.setup.force / seen_of.force
            found[name] = {"x": 1e3 * picture["x"].values, "force": 1e-3 * force / CELL}
        return found

    def numbers(self) -> dict[str, dict[str, Any]]:
        groups = {
            "": {"main": self.main}, "clamp: ": self.clamps, "mesh, mm: ": self.meshes, "small strains, mm: ": self.small,
            "depth, mm: ": self.depths, "friction: ": self.rubbing, "scan, ": self.scan,
        }  # fmt: skip
        return {f"{kind}{name}": each.numbers() for kind, these in groups.items() for name, each in these.items()}

    def draw(self, folder: Path) -> dict[str, Path]:
        """Also the pressed foot."""
        assert self.main.standing is not None
        path = self.main.standing.run.draw(folder / f"{self.name}-pressed.png", labels=False)
        return {**super().draw(folder), "pressed": path}


def clamped_above() -> list[str]:
    return [f"all above {1e3 * above:g} mm" for above in ABOVE]


def run(
    progress: Said = silent,
    setup: Setup = Setup(),  # noqa: B008
    quick: bool = False,
    scan: str | Path | None = None,
) -> FootFound:
    """All of the experiment. quick: without large meshes and without a scan. scan: a file; that beside the checkout where it
    is there unless given."""
    shape = setup.drawn()
    mesh = shape.fill(SIZE)
    foot, clamps = setup.foot(shape, mesh), {}
    for k, cut in enumerate(CUTS):
        progress(f"cut at {1e3 * cut:g} mm", 0.05 * k)
        other = setup.drawn(cut)
        clamps[f"cut at {1e3 * cut:g} mm"] = setup.press(setup.foot(other, other.fill(SIZE)))
    main = clamps["cut at 80 mm"]
    for name, above in zip(clamped_above(), ABOVE, strict=True):
        progress(name, 0.25)
        clamps[name] = setup.press(setup.foot(shape, mesh, above))
    for name, part in zip(("rear half of the cut", "rear quarter of the cut"), REAR, strict=True):
        progress(name, 0.3)
        clamps[name] = setup.press(setup.foot(shape, rear(mesh, part)))
    depths = {f"{1e3 * depth:g}": setup.press(foot, depth) for depth in DEPTHS}
    progress("friction", 0.35)
    rubbing = {f"{mu:g}": setup.press(foot, friction=mu) for mu in FRICTION}
    sizes = (COARSE, SIZE) if quick else (COARSE, SIZE, *FINE)
    meshes = {
        f"{1e3 * size:g}": main if size == SIZE else setup.press(setup.foot(shape, shape.fill(size))) for size in sizes
    }
    small = {}
    for size in LINEAR[:1] if quick else LINEAR:
        progress(f"cells of {1e3 * size:g} mm", 0.45)
        small[f"{1e3 * size:g}"] = setup.press_linear(shape, size)
    printed = {f"{1e3 * size:g}": shape.fill(size) for size in setup.sizes}
    nodes = {name: len(mesh.nodes) for name, mesh in printed.items()}
    cells = {name: 1e9 * float(mesh.volumes.mean()) for name, mesh in printed.items()}
    progress("a scan", 0.7)
    scanned, said = ({}, "") if quick else of_scan(setup, scan)
    about = heading(NAME, asdict(setup))
    return FootFound(*about, main, clamps, meshes, small, depths, rubbing, nodes, cells, scanned, said, setup)


def of_scan(setup: Setup, scan: str | Path | None) -> tuple[dict[str, Press], str]:
    """A scan by clamp, and a sentence about it. One that is told has to work; the one beside the checkout may not."""
    if scan is None and not SCAN.exists():
        return {}, "No scan: `--scan FILE` adds one."
    try:
        shape = from_scan(SCAN if scan is None else scan, cut=SCAN_CUT)
        mesh = shape.fill(SCAN_SIZE)
    except GaitwrightError as error:
        if scan is not None:
            raise
        return {}, f"The scan was left out: {error}"
    found = {f"cut at {1e3 * SCAN_CUT:g} mm": setup.press(setup.foot(shape, mesh))}
    found |= {name: setup.press(setup.foot(shape, mesh, a)) for name, a in zip(clamped_above(), ABOVE, strict=True)}
    first = next(iter(found.values()))
    return found, (
        f"A scan, {1e3 * shape.measures.length:.0f} mm long, cut at {1e3 * SCAN_CUT:g} mm: {first.force:.0f} N with the"
        f" printed modulus, {first.modulus:.2f} MPa for the printed force, {100 * first.heel:.0f} % of it on the heel."
    )
