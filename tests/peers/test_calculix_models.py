"""Models with a solid, in CalculiX on the same mesh: force on what is held, and displacements of all nodes."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.bench.calculix_peer import MISSING, Deck, elastic, neo_hookean, program
from gaitwright.bench.solid_ramp import answer
from gaitwright.system.solids.sides import traction_shares

pytestmark = [pytest.mark.peer, pytest.mark.skipif(program() is None, reason=MISSING)]
YOUNG, NU = 1e6, 0.3
MATERIALS = {"linear-elastic": (elastic, 0), "neo-hookean-split": (neo_hookean, 5)}
"""Theirs, and in how many steps the load grows."""
MOVED, PULL = np.array((0.006, -0.002, 0.012)), np.array((2e4, 0.0, 8e4))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2], ids=["C3D4", "C3D10"])
@pytest.mark.parametrize("load", ["displaced", "pulled"])
@pytest.mark.parametrize("kind", MATERIALS)
def test_a_pad(tmp_path, kind, load, order):
    """To the digits that CalculiX prints, and where it iterates to what it stops at."""
    mesh = gw.mesh.pad((0.25, 0.09), 0.06, 0.03, rounding=0.04, order=order)
    model = gw.Model("pad", dimension=3, gravity=(0.0, 0.0, 0.0))
    material = {"type": kind, "youngs_modulus": YOUNG, "poissons_ratio": NU, "density": 1000.0}
    model.solid("pad", mesh, material=material, fixed="top")
    theirs, steps = MATERIALS[kind]
    held = np.zeros(mesh.nodes.shape, dtype=bool)
    held[mesh.region("top").nodes] = True
    deck = Deck(mesh, theirs(YOUNG, NU), held, steps=steps)
    if load == "displaced":
        model.drive_displacement("pad.bottom", **{axis: f"{by}*t" for axis, by in zip("xyz", MOVED, strict=True)})
        deck.moved = [(mesh.region("bottom").nodes, MOVED)]
    else:
        model.force("traction", on="pad.bottom", value=[f"{by}*t" for by in PULL])
        sides = mesh.boundary[mesh.sides_in("bottom")]
        deck.forces = traction_shares(mesh.nodes, sides)[:, None] * PULL
    force, moved = answer(model.static_path(1.0, steps=max(steps, 1)))
    found = deck.run(tmp_path)
    assert np.abs(force - found.held).max() < 1e-5 * np.abs(force).max()
    assert np.abs(moved - found.displacements).max() < 1e-5 * np.abs(moved).max()
