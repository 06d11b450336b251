"""Solids in CalculiX (`ccx`): writes input files with the same mesh, material, supports, loads and steps as ours.

It does not read CalculiX models. Computed results are the force on the supports, and displacements.

Source: G. Dhondt, The Finite Element Method for Three-Dimensional Thermomechanical Applications, Wiley 2004. Debian:
calculix-ccx."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright_apps.benchmarks.timing import TimedCall, time_alternately

Array = np.ndarray
NOT_INSTALLED_MESSAGE = "CalculiX is not installed (Debian: apt install calculix-ccx)"
ELEMENT_TYPES = {"TET4": "C3D4", "TET10": "C3D10"}
CONVERGENCE_CONTROLS = "1e-6,1e-5"
"""Residual force and correction, relative to their largest value, at which an increment converges; defaults of
CalculiX: 5e-3 and 1e-2."""


def find_program() -> str | None:
    """Path of the program; None if it is not installed."""
    return shutil.which("ccx")


def race_against_calculix(
    ours: TimedCall, decks: Mapping[str, Callable[[], CalculixDeck]], repeats: int
) -> CalculixRace:
    """Time ours and CalculiX alternately, by the name of each deck; ours alone if the program is missing or fails."""
    results: dict[str, CalculixResult] = {}

    def theirs(name: str) -> float:
        with tempfile.TemporaryDirectory(prefix="gaitwright-ccx-") as folder:
            results[name] = decks[name]().run(Path(folder))
        return results[name].seconds

    if find_program() is None:
        return CalculixRace(time_alternately({"ours": ours}, repeats), {}, NOT_INSTALLED_MESSAGE)
    try:
        candidates = {"ours": ours, **{name: partial(theirs, name) for name in decks}}
        return CalculixRace(time_alternately(candidates, repeats), results, "")
    except RuntimeError as error:
        return CalculixRace(time_alternately({"ours": ours}, repeats), {}, str(error))


def elastic_material(youngs_modulus: float, poissons_ratio: float) -> str:
    """Linear elastic material; St Venant-Kirchhoff for large deformations."""
    return f"*ELASTIC\n{youngs_modulus!r},{poissons_ratio!r}"


def neo_hookean_material(youngs_modulus: float, poissons_ratio: float) -> str:
    """Split neo-Hookean material: C10 = mu/2, D1 = 2/kappa. CalculiX numbers have at most 20 characters."""
    shear, bulk = youngs_modulus / (2 * (1 + poissons_ratio)), youngs_modulus / (3 * (1 - 2 * poissons_ratio))
    return f"*HYPERELASTIC, NEO HOOKE\n{shear / 2:.12e},{2 / bulk:.12e}"


class CalculixResult(NamedTuple):
    """displacements: (nodes, 3), m. held: sum of the support forces, (3,), N. seconds: of the whole program.
    iterations: total number of Newton iterations."""

    displacements: Array
    held: Array
    seconds: float
    iterations: int


class CalculixRace(NamedTuple):
    """seconds: minimum of each candidate. found: results by deck. skipped: reason why CalculiX was not run."""

    seconds: dict[str, float]
    found: dict[str, CalculixResult]
    skipped: str


class CalculixGround(NamedTuple):
    """A fixed plane z = 0. nodes: that may come into contact. stiffness: pressure per penetration, Pa/m."""

    nodes: Array
    stiffness: float


@dataclass
class CalculixDeck:
    """Input of an analysis. material: see elastic_material and neo_hookean_material. held: (nodes, 3), True for zero
    displacements. moved: nodes and their displacement (3,), m. forces: (nodes, 3), N. steps: number of equal increments of
    loads and displacements; 0 for a linear analysis. solver: of CalculiX; default: its own choice. ground: contact plane."""

    mesh: Any
    material: str
    held: Array
    moved: Sequence[tuple[Array, Array]] = ()
    forces: Array | None = None
    steps: int = 0
    tight: bool = True
    solver: str = ""
    name: str = field(default="solid")
    ground: CalculixGround | None = None

    def lines(self) -> Iterable[str]:
        mesh = self.mesh
        yield "*NODE,NSET=ALL"
        yield from (f"{k + 1},{x:.12e},{y:.12e},{z:.12e}" for k, (x, y, z) in enumerate(mesh.nodes.tolist()))
        yield f"*ELEMENT,TYPE={ELEMENT_TYPES[mesh.kind.name]},ELSET=CELLS"
        yield from (f"{k + 1},{','.join(map(str, cell))}" for k, cell in enumerate((mesh.cells + 1).tolist()))
        yield from ("*MATERIAL,NAME=M", self.material, "*SOLID SECTION,ELSET=CELLS,MATERIAL=M", "*BOUNDARY")
        yield from (f"{node + 1},{axis + 1},{axis + 1}" for node, axis in np.argwhere(self.held).tolist())
        yield "*NSET,NSET=HELD"
        moved = np.concatenate([nodes for nodes, _ in self.moved]) if self.ground else np.zeros(0, dtype=np.int64)
        printed = np.union1d(np.flatnonzero(self.held.any(axis=1)), moved)
        yield from (f"{node + 1}," for node in printed.tolist())
        yield from self._touching(self.ground) if self.ground else ()
        yield f"*STEP,NLGEOM,INC={self.steps}" if self.steps else "*STEP"
        solver = f",SOLVER={self.solver}" if self.solver else ""
        yield f"*STATIC{',DIRECT' if self.steps else ''}{solver}"
        if self.steps:
            yield f"{1.0 / self.steps!r},1."
            yield from ("*CONTROLS,PARAMETERS=FIELD", CONVERGENCE_CONTROLS) if self.tight else ()
        yield from self._loads()
        often = max(self.steps, 1)
        yield from (f"*NODE PRINT,NSET=ALL,FREQUENCY={often}", "U")
        yield from (f"*NODE PRINT,NSET=HELD,TOTALS=ONLY,FREQUENCY={often}", "RF", "*END STEP")

    def _touching(self, ground: CalculixGround) -> Iterable[str]:
        """Block of one cell below the plane, and contact of the sole nodes with its upper face."""
        mesh = self.mesh
        low, high = mesh.nodes.min(axis=0) - 0.5, mesh.nodes.max(axis=0) + 0.5
        first, cell = len(mesh.nodes) + 1, len(mesh.cells) + 1
        around = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
        yield "*NODE,NSET=BLOCK"
        corners = [(x, y, z) for z in (-0.1, 0.0) for x, y in around]
        yield from (f"{first + k},{x:.12e},{y:.12e},{z:.12e}" for k, (x, y, z) in enumerate(corners))
        yield "*ELEMENT,TYPE=C3D8,ELSET=BLOCKS"
        yield f"{cell},{','.join(str(first + k) for k in range(8))}"
        yield from ("*MATERIAL,NAME=STONE", "*ELASTIC", "1e9,0.3", "*SOLID SECTION,ELSET=BLOCKS,MATERIAL=STONE")
        yield from ("*BOUNDARY", "BLOCK,1,3")
        yield from ("*NSET,NSET=SOLENODES", *(f"{node + 1}," for node in ground.nodes.tolist()))
        yield from ("*SURFACE,NAME=SOLE,TYPE=NODE", "SOLENODES", "*SURFACE,NAME=GROUND", f"{cell},S2")
        yield from ("*CONTACT PAIR,INTERACTION=PRESS,TYPE=NODE TO SURFACE", "SOLE,GROUND")
        yield from ("*SURFACE INTERACTION,NAME=PRESS", "*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR")
        yield f"{ground.stiffness!r},1.,1.e-3"

    def _loads(self) -> Iterable[str]:
        if self.moved:
            yield "*BOUNDARY"
        for nodes, displacement in self.moved:
            for axis, value in enumerate(displacement):
                yield from (f"{node + 1},{axis + 1},{axis + 1},{float(value)!r}" for node in nodes.tolist())
        if self.forces is not None:
            yield "*CLOAD"
            rows = np.argwhere(self.forces).tolist()
            yield from (f"{node + 1},{axis + 1},{self.forces[node, axis]:.12e}" for node, axis in rows)

    def run(self, folder: Path, timeout: float = 300.0) -> CalculixResult:
        """Run with one thread. Raises RuntimeError if it fails or exceeds the timeout, s."""
        ccx = find_program()
        if ccx is None:
            raise RuntimeError(NOT_INSTALLED_MESSAGE)
        (folder / f"{self.name}.inp").write_text("\n".join(self.lines()) + "\n", encoding="utf-8")
        single_thread = {"OMP_NUM_THREADS": "1", "CCX_NPROC_EQUATION_SOLVER": "1"}
        began = time.perf_counter()
        try:
            process = subprocess.run(
                [ccx, "-i", self.name],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=timeout,
                env=os.environ | single_thread,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"CalculiX was not ready after {timeout:g} s") from None
        seconds = time.perf_counter() - began
        answer = folder / f"{self.name}.dat"
        text = answer.read_text("utf-8", "replace") if answer.exists() else ""
        if "total force" not in text or " displacements" not in text:
            raise RuntimeError(f"CalculiX has stopped: {process.stdout[-300:]}")
        # Only the last increment is printed: one table of displacements, one line of forces.
        displacement_text, _, total = text[text.index(" displacements") :].partition("total force")
        rows = [line.split() for line in displacement_text.splitlines()[1:] if line.strip()]
        displacements = np.array([[float(x) for x in row[1:]] for row in rows if row[0].isdigit()])
        reaction = np.array([float(x) for x in total.strip().splitlines()[-1].split()])
        return CalculixResult(displacements, reaction, seconds, process.stdout.count("iteration "))
