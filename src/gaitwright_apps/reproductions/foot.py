"""Paper 004 sections 6.2 and 6.3: a foot of one soft material, clamped above and pressed into the ground, with its modulus
fitted to the measured force.

Neither the foot nor its clamped nodes are printed. Computed are the modulus for our parametric foot (and for a scan, if
available), and the influence of the clamp. The force is proportional to the modulus: E for 622 N follows from one run.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.errors import GaitwrightError
from gaitwright.fem.plane_equilibrium import REQUEST_FORCE
from gaitwright.foot import Clamp, Foot, FootShape, StandingResult, Tissue, from_measures, from_scan
from gaitwright.foot.standing import PLATE_CELL_SIZE_M, make_standing_result, pressing_model
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import MeshRegion
from gaitwright.model.model import Model
from gaitwright_apps.reproductions.experiments import (
    Experiment,
    ProgressCallback,
    experiment_heading,
    ignore_progress,
)
from gaitwright_apps.reproductions.perturbation import perturb_if_active
from gaitwright_apps.reproductions.sheets import make_setup_class

EXPERIMENT_NAME = "foot"
SCAN_FILE = Path(__file__).parents[4] / "shared" / "data" / "foot_gibbon_leg" / "post" / "Skin_coarse.stl"
"""Scan of a leg beside a checkout, if available; not part of this program."""
SCAN_CUT_HEIGHT_M, SCAN_CELL_SIZE_M = 0.082, 0.008
CELL_SIZE_M, COARSE_CELL_SIZE_M, FINE_CELL_SIZES_M = 0.014, 0.02, (0.010, 0.0075)
"""Cell sizes, m."""
SMALL_STRAIN_CELL_SIZES_M = (0.014, 0.005, 0.004)
"""Cell sizes for small strains, m."""
CUT_HEIGHTS_M, CLAMP_HEIGHTS_M, REAR_CLAMP_RATIOS = (0.095, 0.08, 0.07, 0.06), (0.06, 0.045, 0.03), (0.5, 0.25)
"""Cut heights, m; heights above which the foot is clamped, m; rear fraction of the cut that is clamped alone."""
PRESS_DEPTHS_M = (2e-3, 4e-3, 6e-3)
FRICTION_COEFFICIENTS = (0.3, 0.6)


class FootPressSetup(make_setup_class(EXPERIMENT_NAME)):
    """The thesis's material and test."""

    @property
    def tissue(self) -> Tissue:
        return Tissue.uniform(self.youngs_modulus, self.poissons_ratio)

    def drawn(self, height: float = CUT_HEIGHTS_M[1]) -> FootShape:
        """Left parametric foot."""
        return from_measures(length=self.length, height=height, side="left")

    def foot(self, shape: FootShape, mesh: Mesh, above: float | None = None) -> Foot:
        return Foot(shape, mesh, Clamp(above), self.tissue)

    def press(self, foot: Foot, depth: float = 0.0, friction: float | None = None) -> FootPressResult:
        """Press by a depth, m; default: the printed one."""
        began, depth = time.perf_counter(), depth or self.depth
        model, placing = pressing_model(foot, depth, friction=friction)
        pressed = perturb_if_active(model)
        result = make_standing_result(foot, pressed, pressed.static(), placing, PLATE_CELL_SIZE_M, depth)
        return FootPressResult.of(result, self, len(foot.mesh.nodes), time.perf_counter() - began)

    def press_linear(self, shape: FootShape, size: float) -> FootPressResult:
        """Press with small strains, from compliances of the sole; feasible for large meshes."""
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
        part: Any = perturb_if_active(model).mechanism().parts["foot"]
        force = -float(part.equilibrium.evaluate([0.0, 0.0, 0.0, 1.0], REQUEST_FORCE).slope[0])
        return FootPressResult(
            force, 1e-6 * self.youngs_modulus * self.force / force, len(mesh.nodes), time.perf_counter() - began
        )


@dataclass
class FootPressResult:
    """force: N, with the printed modulus. modulus: MPa, for the printed force. heel, ...: load shares. area: cm^2.
    peak: kPa of a cell of 5 mm, at the printed force."""

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
    standing: StandingResult | None = field(default=None, repr=False)

    @classmethod
    def of(cls, standing: StandingResult, setup: FootPressSetup, nodes: int, seconds: float) -> FootPressResult:
        modulus = 1e-6 * setup.youngs_modulus * setup.force / standing.force
        peak = 1e-3 * standing.peak_pressure * setup.force / standing.force
        quantities = {**standing.quarters, "area": 1e4 * standing.area, "peak": peak, "standing": standing}
        return cls(standing.force, modulus, nodes, seconds, **quantities)

    def numbers(self) -> dict[str, float]:
        return {name: value for name, value in asdict(replace(self, standing=None)).items() if name != "standing"}


def clamp_rear(mesh: Mesh, part: float) -> Mesh:
    """Restrict the clamped region to the rear part of the cut."""
    nodes = mesh.region("cut").nodes
    x = mesh.nodes[nodes, 0]
    rear_nodes = nodes[x <= x.min() + part * np.ptp(x)]
    return replace(mesh, regions={**mesh.regions, "cut": MeshRegion(rear_nodes, np.zeros(0, dtype=int))})


@dataclass
class FootPressExperiment(Experiment):
    """main: clamped at the cut. clamps, meshes, small, depths, rubbing: variants by their parameter; small are those of small
    strains. nodes, cells: of meshes by size, mm; cells are mean volumes, mm^3. scan: by clamp, empty without a scan."""

    main: FootPressResult
    clamps: dict[str, FootPressResult]
    meshes: dict[str, FootPressResult]
    small: dict[str, FootPressResult]
    depths: dict[str, FootPressResult]
    rubbing: dict[str, FootPressResult]
    nodes: dict[str, int]
    cells: dict[str, float]
    scan: dict[str, FootPressResult]
    scan_said: str
    setup: FootPressSetup
    runs: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def heights(self) -> dict[str, list[float]]:
        """Heights and results of the lower clamps: mm, MPa and per cent."""
        lower = [self.clamps[name] for name in clamp_names()]
        return {
            "cut": [1e3 * cut for cut in CUT_HEIGHTS_M],
            "cut_modulus": [self.clamps[f"cut at {1e3 * c:g} mm"].modulus for c in CUT_HEIGHTS_M],
            "cut_forefoot": [100.0 * self.clamps[f"cut at {1e3 * c:g} mm"].forefoot for c in CUT_HEIGHTS_M],
            "above": [1e3 * above for above in CLAMP_HEIGHTS_M],
            "above_modulus": [result.modulus for result in lower],
            "above_forefoot": [100.0 * result.forefoot for result in lower],
        }

    def facts(self) -> dict[str, Any]:
        moduli = [result.modulus for result in self.clamps.values()]
        lower = [self.main, *(self.clamps[name] for name in clamp_names())]
        finer = {"finite strains": self.meshes, "small strains": self.small}
        forces = np.array([result.force for result in self.meshes.values()][-3:])  # the three finest
        depth = [*(float(name) for name in self.depths), 1e3 * self.setup.depth]
        force = [*(result.force for result in self.depths.values()), self.main.force]
        return {
            "heights": self.heights,
            "least": min(moduli),
            "most": max(moduli),
            "sizes": ", ".join([*self.meshes][-3:]),
            "apart": float(np.ptp(forces) / forces.mean()),
            "more_forefoot": float(np.all(np.diff([result.forefoot + result.toes for result in lower]) > 0.0)),
            "by_size": {
                name: {
                    "size": [float(size) for size in results],
                    "force": [result.force for result in results.values()],
                }
                for name, results in finer.items()
            },
            "pushed": {"depth": depth, "force": force, "told": [self.setup.force * d / depth[-1] for d in depth]},
            "exponent": float(np.polyfit(np.log(depth), np.log(force), 1)[0]),
            "slip": abs(self.rubbing["0.6"].force / self.rubbing["0.3"].force - 1.0),
            "along": self._along(),
        }

    def _along(self) -> dict[str, Any]:
        """Force per length along the foot at the printed force, N/mm, by clamp."""
        profiles = {}
        for name in ("cut at 80 mm", "rear quarter of the cut", clamp_names()[-1]):
            seen_of = self.clamps[name].standing
            assert seen_of is not None
            picture = seen_of.pressure.transpose("y", "x")
            force = picture.values.sum(axis=0) * PLATE_CELL_SIZE_M**2 * self.setup.force / seen_of.force
            profiles[name] = {"x": 1e3 * picture["x"].values, "force": 1e-3 * force / PLATE_CELL_SIZE_M}
        return profiles

    def numbers(self) -> dict[str, dict[str, Any]]:
        groups = {
            "": {"main": self.main},
            "clamp: ": self.clamps,
            "mesh, mm: ": self.meshes,
            "small strains, mm: ": self.small,
            "depth, mm: ": self.depths,
            "friction: ": self.rubbing,
            "scan, ": self.scan,
        }
        return {
            f"{kind}{name}": result.numbers() for kind, results in groups.items() for name, result in results.items()
        }

    def draw(self, folder: Path) -> dict[str, Path]:
        """Draw the pictures, and the pressed foot."""
        assert self.main.standing is not None
        path = self.main.standing.run.draw(folder / f"{self.name}-pressed.png", labels=False)
        return {**super().draw(folder), "pressed": path}


def clamp_names() -> list[str]:
    return [f"all above {1e3 * above:g} mm" for above in CLAMP_HEIGHTS_M]


def run(
    progress: ProgressCallback = ignore_progress,
    setup: FootPressSetup = FootPressSetup(),  # noqa: B008
    quick: bool = False,
    scan: str | Path | None = None,
) -> FootPressExperiment:
    """Run all parts of the experiment. quick: without large meshes and without a scan. scan: a file; default: that
    beside the checkout, if available."""
    shape = setup.drawn()
    mesh = shape.fill(CELL_SIZE_M)
    foot, clamps = setup.foot(shape, mesh), {}
    for k, cut in enumerate(CUT_HEIGHTS_M):
        progress(f"cut at {1e3 * cut:g} mm", 0.05 * k)
        other_surface = setup.drawn(cut)
        clamps[f"cut at {1e3 * cut:g} mm"] = setup.press(setup.foot(other_surface, other_surface.fill(CELL_SIZE_M)))
    main = clamps["cut at 80 mm"]
    for name, above in zip(clamp_names(), CLAMP_HEIGHTS_M, strict=True):
        progress(name, 0.25)
        clamps[name] = setup.press(setup.foot(shape, mesh, above))
    for name, part in zip(("rear half of the cut", "rear quarter of the cut"), REAR_CLAMP_RATIOS, strict=True):
        progress(name, 0.3)
        clamps[name] = setup.press(setup.foot(shape, clamp_rear(mesh, part)))
    depths = {f"{1e3 * depth:g}": setup.press(foot, depth) for depth in PRESS_DEPTHS_M}
    progress("friction", 0.35)
    rubbing = {f"{mu:g}": setup.press(foot, friction=mu) for mu in FRICTION_COEFFICIENTS}
    sizes = (COARSE_CELL_SIZE_M, CELL_SIZE_M) if quick else (COARSE_CELL_SIZE_M, CELL_SIZE_M, *FINE_CELL_SIZES_M)
    meshes = {
        f"{1e3 * size:g}": main if size == CELL_SIZE_M else setup.press(setup.foot(shape, shape.fill(size)))
        for size in sizes
    }
    small = {}
    for size in SMALL_STRAIN_CELL_SIZES_M[:1] if quick else SMALL_STRAIN_CELL_SIZES_M:
        progress(f"cells of {1e3 * size:g} mm", 0.45)
        small[f"{1e3 * size:g}"] = setup.press_linear(shape, size)
    printed = {f"{1e3 * size:g}": shape.fill(size) for size in setup.sizes}
    nodes = {name: len(mesh.nodes) for name, mesh in printed.items()}
    cells = {name: 1e9 * float(mesh.volumes.mean()) for name, mesh in printed.items()}
    progress("a scan", 0.7)
    scanned, scan_remark = ({}, "") if quick else press_scan(setup, scan)
    heading = experiment_heading(EXPERIMENT_NAME, asdict(setup))
    return FootPressExperiment(
        *heading, main, clamps, meshes, small, depths, rubbing, nodes, cells, scanned, scan_remark, setup
    )


def press_scan(setup: FootPressSetup, scan: str | Path | None) -> tuple[dict[str, FootPressResult], str]:
    """Results of a scan by clamp, and a sentence about it. A given scan must be readable; the one beside the
    checkout may fail."""
    if scan is None and not SCAN_FILE.exists():
        return {}, "No scan: `--scan FILE` adds one."
    try:
        shape = from_scan(SCAN_FILE if scan is None else scan, cut=SCAN_CUT_HEIGHT_M)
        mesh = shape.fill(SCAN_CELL_SIZE_M)
    except GaitwrightError as error:
        if scan is not None:
            raise
        return {}, f"The scan was left out: {error}"
    results = {f"cut at {1e3 * SCAN_CUT_HEIGHT_M:g} mm": setup.press(setup.foot(shape, mesh))}
    results |= {
        name: setup.press(setup.foot(shape, mesh, a)) for name, a in zip(clamp_names(), CLAMP_HEIGHTS_M, strict=True)
    }
    first = next(iter(results.values()))
    return results, (
        f"A scan, {1e3 * shape.measures.length:.0f} mm long, cut at {1e3 * SCAN_CUT_HEIGHT_M:g} mm: "
        f"{first.force:.0f} N with the"
        f" printed modulus, {first.modulus:.2f} MPa for the printed force, {100 * first.heel:.0f} % of it on the heel."
    )
