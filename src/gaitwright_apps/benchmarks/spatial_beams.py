"""P4: a blade in space compared with Exudyn's spatial beams.

A soft blade of 0.5 m, horizontal and clamped at one end with its section rolled by 45 degrees, falls for 0.5 s: it
bends about both axes of its section and twists. Steps of 1 ms of generalized-alpha with spectral radius 0.8 on both
sides. The error is that of the path of its tip (root mean square over all steps), relative to its length, compared with
ours with many elements and short steps.

Exudyn has the geometrically exact beam of two nodes, with three angles each, and the ANCF beam with two slopes of the section;
both have shear, which for such a thin blade is 1e-5 of its deflection. It is tried with up to four times as many elements, with
full and modified Newton and several tolerances: the fastest run with an error of at most ours counts. A setting that does not
converge is skipped. Times are of the steps: SolveDynamic without storing, and our `integration`.
"""

from __future__ import annotations

import importlib
import time
from typing import Any

import numpy as np

from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import find_start
from gaitwright.geometry.inertia import torsion_of_rectangle
from gaitwright.model.model import Model
from gaitwright_apps.benchmarks.exudyn_peer import is_available, load_exudyn
from gaitwright_apps.benchmarks.timing import time_alternately

BLADE_LENGTH_M, BLADE_WIDTH_M, BLADE_HEIGHT_M, YOUNGS_MODULUS_PA, POISSONS_RATIO, DENSITY_KG_M3 = (
    0.5,
    0.03,
    0.003,
    5e8,
    0.3,
    1600.0,
)
STEP_S, DURATION_S, BLADE_ELEMENTS = 1e-3, 0.5, 8
REFERENCE_REFINEMENT = (32, 8)
"""Elements of the reference, and divisor of its steps."""
EXUDYN_ELEMENTS = (8, 16, 32)
"""Numbers of elements tried with Exudyn."""
NEWTON_SETTINGS = [(modified, tolerance) for modified in (False, True) for tolerance in (1e-8, 1e-6, 1e-4)]
EXUDYN_BEAM_COORDINATES = {"geometrically exact": 6, "ANCF with two slopes": 9}
"""Exudyn's spatial beams, and the number of node coordinates of each."""


def blade_model(elements: int = BLADE_ELEMENTS) -> Model:
    model = Model("P4 blade", dimension=3).ground_point("A", 0, 0, 0).point("B", BLADE_LENGTH_M, 0, 0)
    model.beam(
        "blade",
        "A",
        "B",
        elements=elements,
        normal=[0, 1, 1],
        youngs_modulus=YOUNGS_MODULUS_PA,
        poissons_ratio=POISSONS_RATIO,
        density=DENSITY_KG_M3,
        width=BLADE_WIDTH_M,
        height=BLADE_HEIGHT_M,
    )
    return model.joint("fixed", a="ground.A", b="blade.start")


class BladeRun:
    """Our run of the blade."""

    def __init__(self, elements: int, finer: int = 1):
        self.mechanism = blade_model(elements).mechanism()
        self.begin, self.finer = find_start(self.mechanism), finer

    def run(self, until: float, every: int = 1) -> Any:
        return simulate(
            self.mechanism, until, step=STEP_S / self.finer, every=every * self.finer, begin=self.begin,
            method="generalized-alpha", spectral_radius=0.8,
        )  # fmt: skip

    def path(self, until: float) -> np.ndarray:
        nodes = self.mechanism.beams["blade"].nodes
        return self.run(until).motion.q[:, nodes[-1, :3]]


class ExudynBladeRun:
    """The same blade in Exudyn."""

    def __init__(self, kind: str, elements: int, modified: bool, tolerance: float, record: bool):
        self.exudyn, items = load_exudyn(), importlib.import_module("exudyn.itemInterface")
        self.mbs, self.modified, self.tolerance = self.exudyn.SystemContainer().AddSystem(), modified, tolerance
        add, exact = self.mbs.AddObject, kind == "geometrically exact"
        second = 1.0 / np.sqrt(2.0)
        section_axes = np.array([[0.0, second, second], [0.0, -second, second]])  # our axes 2 and 3
        nodes = []
        for x in np.linspace(0.0, BLADE_LENGTH_M, elements + 1):
            slopes, turned = [*section_axes[0], *section_axes[1]], [np.pi / 4, 0.0, 0.0]
            node_type = items.NodeRigidBodyRxyz if exact else items.NodePointSlope23
            nodes.append(
                self.mbs.AddNode(node_type(referenceCoordinates=[x, 0.0, 0.0, *(turned if exact else slopes)]))
            )
        element = items.ObjectBeamGeometricallyExact if exact else items.ObjectANCFBeam
        for k in range(elements):
            body = add(
                element(nodeNumbers=nodes[k : k + 2], length=BLADE_LENGTH_M / elements, sectionData=self.section())
            )
            marker = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
            self.mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[0.0, 0.0, -9.81]))
        point = self.mbs.AddNode(items.NodePointGround())
        for k in range(EXUDYN_BEAM_COORDINATES[kind]):
            ends = [(point, 0), (nodes[0], k)]
            markers = [self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=n, coordinate=c)) for n, c in ends]
            add(items.ObjectConnectorCoordinate(markerNumbers=markers))
        position = self.exudyn.OutputVariableType.Position
        self.sensor = None
        if record:
            sensor = items.SensorNode(
                nodeNumber=nodes[-1], outputVariableType=position, storeInternal=True, writeToFile=False
            )
            self.sensor = self.mbs.AddSensor(sensor)
        self.mbs.Assemble()

    def section(self) -> Any:
        """Section properties; y is our axis 2, z our axis 3."""
        section, area = self.exudyn.BeamSection(), BLADE_WIDTH_M * BLADE_HEIGHT_M
        shear = YOUNGS_MODULUS_PA / (2.0 * (1.0 + POISSONS_RATIO))
        about_y, about_z = BLADE_HEIGHT_M * BLADE_WIDTH_M**3 / 12, BLADE_WIDTH_M * BLADE_HEIGHT_M**3 / 12
        torsion = float(torsion_of_rectangle(np.array(BLADE_WIDTH_M), np.array(BLADE_HEIGHT_M)))
        stiffness = [
            YOUNGS_MODULUS_PA * area,
            shear * area * 5 / 6,
            shear * area * 5 / 6,
            shear * torsion,
            YOUNGS_MODULUS_PA * about_y,
            YOUNGS_MODULUS_PA * about_z,
        ]
        section.stiffnessMatrix = np.diag(stiffness)
        section.inertia = DENSITY_KG_M3 * np.diag([about_y + about_z, about_y, about_z])
        section.massPerLength = DENSITY_KG_M3 * area
        return section

    def solve(self, until: float) -> float:
        """Integrate. Return the seconds of SolveDynamic."""
        steps, s = round(until / STEP_S), self.exudyn.SimulationSettings()
        march = s.timeIntegration
        march.endTime, march.numberOfSteps, march.adaptiveStep = until, steps, False
        march.verboseMode = march.verboseModeFile = march.stepInformation = 0
        march.newton.useModifiedNewton, march.newton.relativeTolerance = self.modified, self.tolerance
        march.newton.absoluteTolerance = 1e-2 * self.tolerance
        march.generalizedAlpha.spectralRadius = 0.8
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsWritePeriod = STEP_S if self.sensor is not None else 1e9
        s.linearSolver.solverType, s.parallel.numberOfThreads = self.exudyn.LinearSolverType.EigenSparse, 1
        s.linearSolver.reuseAnalyzedPattern = True
        begin = time.perf_counter()
        self.mbs.SolveDynamic(s, updateInitialValues=False, showHints=False, showCausingItems=False)
        return time.perf_counter() - begin

    def path(self) -> np.ndarray:
        return np.array(self.mbs.GetSensorStoredData(self.sensor))[:, 1:]


def measure(quick: bool) -> dict[str, Any]:
    """Times, errors and ratio of the comparison."""
    until = 0.05 if quick else DURATION_S
    exact = BladeRun(*((BLADE_ELEMENTS * 2, 2) if quick else REFERENCE_REFINEMENT)).path(until)

    def error(path: np.ndarray) -> float:
        return float(np.sqrt(np.mean(np.sum((path - exact) ** 2, axis=1)))) / BLADE_LENGTH_M

    ours = BladeRun(BLADE_ELEMENTS)
    ours_details = {"elements": BLADE_ELEMENTS, "coordinates": ours.mechanism.n, "error": error(ours.path(until))}
    details: dict[str, Any] = {"until": until, "step": STEP_S, "ours": ours_details, "exudyn": {}}
    candidates: dict[str, Any] = {"ours": lambda: ours.run(until, round(until / STEP_S)).evidence.wall_seconds}
    if is_available():
        for kind in EXUDYN_BEAM_COORDINATES:
            for elements in EXUDYN_ELEMENTS[:1] if quick else EXUDYN_ELEMENTS:
                for modified, tolerance in NEWTON_SETTINGS[1:2] if quick else NEWTON_SETTINGS:
                    name = f"{kind}, {elements} elements, {'modified' if modified else 'full'} Newton, {tolerance:g}"
                    setting = kind, elements, modified, tolerance
                    try:
                        peer = ExudynBladeRun(*setting, record=True)
                        seconds = peer.solve(until)
                        details["exudyn"][name] = {"error": error(peer.path()), "seconds": seconds}
                    except (
                        Exception
                    ):  # Exudyn raises plain exceptions when a solver fails; such a setting is not a good one
                        details["exudyn"][name] = {"error": None, "seconds": None}
        accurate = {name: numbers for name, numbers in details["exudyn"].items() if numbers["error"] is not None}
        fine = {
            name: numbers for name, numbers in accurate.items() if numbers["error"] <= ours_details["error"]
        } or accurate
        for name in sorted(fine, key=lambda numbers: fine[numbers]["seconds"])[:2]:
            kind, rest = name.split(", ", 1)
            elements, newton, tolerance = rest.split(", ")
            repeated_run = ExudynBladeRun(
                kind, int(elements.split()[0]), newton.startswith("modified"), float(tolerance), record=False
            )
            candidates[name] = lambda repeated_run=repeated_run: repeated_run.solve(until)
        details["as_exact"] = fine is not accurate
    best = time_alternately(candidates, 2 if quick else 5)
    ours_details["seconds"] = best.pop("ours")
    if best:
        details["fastest"] = min(best, key=lambda name: best[name])
        details["exudyn"][details["fastest"]]["seconds"] = best[details["fastest"]]
        details["ratio"] = best[details["fastest"]] / ours_details["seconds"]
    return details
