"""Models with a solid, in CalculiX on the same mesh: force on the held region, and displacements of all nodes."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.fem.side_loads import traction_shares
from gaitwright_apps.benchmarks.calculix_peer import (
    NOT_INSTALLED_MESSAGE,
    CalculixDeck,
    elastic_material,
    find_program,
    neo_hookean_material,
)
from gaitwright_apps.benchmarks.solid_ramp import force_and_displacements

pytestmark = [pytest.mark.peer, pytest.mark.skipif(find_program() is None, reason=NOT_INSTALLED_MESSAGE)]
YOUNG, NU = 1e6, 0.3
MATERIALS = {"linear-elastic": (elastic_material, 0), "neo-hookean-split": (neo_hookean_material, 5)}
"""Theirs, and in how many steps the load grows."""
MOVED, PULL = np.array((0.006, -0.002, 0.012)), np.array((2e4, 0.0, 8e4))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2], ids=["C3D4", "C3D10"])
@pytest.mark.parametrize("load", ["displaced", "pulled"])
@pytest.mark.parametrize("kind", MATERIALS)
def test_a_pad(tmp_path, kind, load, order):
    """To the printed digits of CalculiX, or to its stopping tolerance if it iterates."""
    mesh = gw.mesh.pad((0.25, 0.09), 0.06, 0.03, rounding=0.04, order=order)
    model = gw.Model("pad", dimension=3, gravity=(0.0, 0.0, 0.0))
    material = {"type": kind, "youngs_modulus": YOUNG, "poissons_ratio": NU, "density": 1000.0}
    model.solid("pad", mesh, material=material, fixed="top")
    theirs, steps = MATERIALS[kind]
    held = np.zeros(mesh.nodes.shape, dtype=bool)
    held[mesh.region("top").nodes] = True
    deck = CalculixDeck(mesh, theirs(YOUNG, NU), held, steps=steps)
    if load == "displaced":
        model.drive.displacement("pad.bottom", **{axis: f"{by}*t" for axis, by in zip("xyz", MOVED, strict=True)})
        deck.moved = [(mesh.region("bottom").nodes, MOVED)]
    else:
        model.force("traction", on="pad.bottom", value=[f"{by}*t" for by in PULL])
        sides = mesh.boundary[mesh.sides_in("bottom")]
        deck.forces = traction_shares(mesh.nodes, sides)[:, None] * PULL
    force, moved = force_and_displacements(model.static_path(1.0, steps=max(steps, 1)))
    found = deck.run(tmp_path)
    assert np.abs(force - found.held).max() < 1e-5 * np.abs(force).max()
    assert np.abs(moved - found.displacements).max() < 1e-5 * np.abs(moved).max()
