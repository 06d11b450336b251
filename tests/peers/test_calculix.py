"""The same solids in CalculiX: the force that a bar needs to be pulled, bent and sheared.

G. Dhondt, The Finite Element Method for Three-Dimensional Thermomechanical Applications, Wiley 2004. Debian: calculix-ccx."""

from __future__ import annotations

import os
import shutil
import subprocess

import numpy as np
import pytest

import gaitwright as gw
from finite_elements import coordinates, solid, solve
from solids import MATERIALS

CCX = shutil.which("ccx")
pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(CCX is None, reason="CalculiX is not installed (Debian: calculix-ccx)"),
]
YOUNG, NU = 3.0e6, 0.3
BULK, MU = YOUNG / (3 * (1 - 2 * NU)), YOUNG / (2 * (1 + NU))
ELASTIC = f"*ELASTIC\n{YOUNG!r},{NU!r}"
PAIR = {"youngs_modulus": YOUNG, "poissons_ratio": NU}
CASES = {
    "linear-elastic": (PAIR, ELASTIC, False),
    "st-venant-kirchhoff": (PAIR, ELASTIC, True),
    "neo-hookean-split": (PAIR, f"*HYPERELASTIC, NEO HOOKE\n{MU / 2:.12e},{2 / BULK:.12e}", True),
    "mooney-rivlin": (
        {"c10": 0.35 * MU, "c01": 0.15 * MU, "bulk_modulus": BULK},
        f"*HYPERELASTIC, MOONEY-RIVLIN\n{0.35 * MU:.12e},{0.15 * MU:.12e},{2 / BULK:.12e}", True,
    ),
    "ogden": (
        {"mu_1": 2 * MU / 3.2, "alpha_1": 3.2, "bulk_modulus": BULK},
        f"*HYPERELASTIC, OGDEN, N=1\n{MU:.12e},3.2,{2 / BULK:.12e}", True,
    ),
}  # fmt: skip
"""Ours, theirs (a number has 20 letters at most), and whether deformations are large. Their mu of
Ogden's terms is ours times alpha/2."""
MOVED = np.array([0.012, 0.018, -0.006])


def bar(order):
    """Held at the left, moved at the right; one that is a little skew."""
    mesh = gw.mesh.box((0.1, 0.03, 0.02), (4, 1, 1))
    nodes = mesh.nodes.copy()
    nodes[:, 1] += 0.1 * nodes[:, 0]
    mesh = gw.mesh.Mesh(nodes, mesh.cells)
    mesh = mesh.quadratic() if order == 2 else mesh
    x = mesh.nodes[:, 0]
    return mesh, np.flatnonzero(np.isclose(x, -0.05)), np.flatnonzero(np.isclose(x, 0.05))


def theirs(folder, mesh, left, right, material, large):
    """Force on the moved end, N."""
    rows = [f"{k + 1},{','.join(f'{value:.12e}' for value in x)}" for k, x in enumerate(mesh.nodes)]
    cells = [f"{k + 1},{','.join(str(n + 1) for n in cell)}" for k, cell in enumerate(mesh.cells)]
    kind = "C3D4" if mesh.kind.order == 1 else "C3D10"
    lines = [
        "*NODE,NSET=ALL", *rows, f"*ELEMENT,TYPE={kind},ELSET=BAR", *cells,
        "*NSET,NSET=LEFT", *(f"{n + 1}," for n in left), "*NSET,NSET=RIGHT", *(f"{n + 1}," for n in right),
        "*MATERIAL,NAME=M", material, "*SOLID SECTION,ELSET=BAR,MATERIAL=M", "*BOUNDARY", "LEFT,1,3",
        f"*STEP{',NLGEOM,INC=400' if large else ''}", "*STATIC", "0.25,1." if large else "",
        "*CONTROLS,PARAMETERS=FIELD", "1e-6,1e-5" if large else "",
        "*BOUNDARY", *(f"RIGHT,{i + 1},{i + 1},{float(value)!r}" for i, value in enumerate(MOVED)),
        "*NODE PRINT,NSET=RIGHT,TOTALS=ONLY,FREQUENCY=400", "RF", "*END STEP",
    ]  # fmt: skip
    if not large:
        lines = [line for line in lines if line and not line.startswith("*CONTROLS")]
    (folder / "bar.inp").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [CCX, "-i", "bar"], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    text = (folder / "bar.dat").read_text() if (folder / "bar.dat").exists() else ""
    numbers = [line.split() for line in text.splitlines() if line.strip() and line.strip()[0] in "-0123456789"]
    assert numbers and "0.1000000E+01" in text, done.stdout[-2000:]
    return np.array([float(x) for x in numbers[-1][-3:]])


@pytest.mark.parametrize("order", [1, 2], ids=["C3D4", "C3D10"])
@pytest.mark.parametrize("name", CASES)
def test_the_force_on_a_bar(tmp_path, name, order):
    """To what CalculiX prints: seven digits."""
    fields, material, large = CASES[name]
    mesh, left, right = bar(order)
    elements = solid(mesh, MATERIALS[name](**fields))
    dof = coordinates(mesh)
    fixed = np.concatenate((dof[left].ravel(), dof[right].ravel()))
    q = np.zeros(mesh.nodes.size)
    for part in np.linspace(0.25, 1, 4) if large else (1.0,):
        values = np.concatenate((np.zeros(3 * len(left)), np.tile(part * MOVED, len(right))))
        q = solve([elements], fixed, values, start=q, tolerance=1e-9)
    ours = -elements.force(q)[dof[right]].sum(axis=0)
    found = theirs(tmp_path, mesh, left, right, material, large)
    assert np.abs(ours - found).max() < 1e-5 * np.abs(found).max()
