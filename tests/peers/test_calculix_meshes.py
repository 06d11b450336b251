"""Meshes that we write, computed on by CalculiX."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mesh.cell_measures import side_shares

pytest.importorskip("meshio")


@pytest.mark.peer
@pytest.mark.parametrize("order", [1, 2])
def test_calculix_stretches_a_box(order: int, tmp_path) -> None:
    """A uniform traction on a side: u = p L / E, whatever the cells, if areas, sides and the order of nodes are right."""
    ccx = shutil.which("ccx") or pytest.skip(
        "there is no CalculiX on this machine; Debian's package is called calculix-ccx"
    )
    box = gw.mesh.box((0.1, 0.1, 0.1), 2, order=order)
    box = box.with_region("everything", cells=np.arange(len(box.cells)))
    sides = box.boundary[box.sides_in("right")]
    forces = np.bincount(sides.reshape(-1), 1e3 * side_shares(box.nodes, sides).reshape(-1))
    lines = [f"{k + 1},1,{force:.12g}" for k, force in enumerate(forces) if abs(force) > 1e-12]
    deck = [
        box.save(tmp_path / "box.inp").read_text(), "*MATERIAL,NAME=M", "*ELASTIC", "1e6,0.3",
        "*SOLID SECTION,ELSET=everything,MATERIAL=M", "*STEP", "*STATIC", "*BOUNDARY", "left,1,1", "front,2,2", "bottom,3,3",
        "*CLOAD", *lines, "*NODE PRINT,NSET=right", "U", "*END STEP", "",
    ]  # fmt: skip
    (tmp_path / "run.inp").write_text("\n".join(deck))
    subprocess.run([ccx, "run"], cwd=tmp_path, capture_output=True, check=True, timeout=60)
    rows = [line.split() for line in (tmp_path / "run.dat").read_text().splitlines() if len(line.split()) == 4]
    moved = np.array([[float(word) for word in row[1:]] for row in rows if row[0].isdigit()])
    assert len(moved) == len(box.region("right").nodes)
    assert moved[:, 0] == pytest.approx(1e-4, rel=1e-5)
