"""Meshes of every kind become bodies of scenes."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.report.views.scenes.deformable_solids import deforming_body_from_mesh


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("inside", [True, False])
def test_a_ball(order, inside):
    mesh = gw.mesh.ball(1.0, 0.4, order=order)
    body = deforming_body_from_mesh(
        "ball", mesh, mesh.nodes[None], [NodalField("height", "m", mesh.nodes[None, :, 2])], inside=inside
    )
    a, b, c = (mesh.nodes[body.faces[:, k]] for k in range(3))
    np.testing.assert_array_less(0.0, (np.cross(b - a, c - a) * a).sum(axis=1))
    assert body.closed and (body.cells is not None) == inside
    assert not inside or len(body.cells) == len(mesh.cells) * (1 if order == 1 else 8)
    if inside:
        p, q, r, s = (mesh.nodes[body.cells[:, k]] for k in range(4))
        volumes = (np.cross(q - p, r - p) * (s - p)).sum(axis=1) / 6
        assert volumes.min() > 0 and volumes.sum() == pytest.approx(mesh.volume, rel=0.05)


@pytest.mark.parametrize("order", [1, 2])
def test_a_disc(order):
    mesh = gw.mesh.disc(1.0, 0.4, order=order)
    body = deforming_body_from_mesh("disc", mesh, mesh.nodes[None])
    assert body.dimension == 2 and body.cells is None
    np.testing.assert_allclose(np.linalg.norm(mesh.nodes[body.outline], axis=2), 1.0)
