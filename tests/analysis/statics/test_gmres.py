"""Solutions with the factors of another matrix: correct, or none."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics import saddle_point
from gaitwright.analysis.statics.gmres import solve_gmres

RANDOM = np.random.default_rng(3)
N = 60
BASE = np.diag(np.logspace(0, 4, N))
TURN = np.linalg.qr(RANDOM.standard_normal((N, N)))[0]
BEFORE = TURN @ BASE @ TURN.T
FAR = np.ones(N)
FAR[5] = -1.0
CHANGES = {
    "the same": np.zeros((N, N)),
    "symmetric": TURN @ (0.2 * BASE * RANDOM.standard_normal(N)) @ TURN.T,
    "not symmetric": 0.02 * RANDOM.standard_normal((N, N)),
    "scaled": 3.0 * BEFORE,
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-9])
def test_solution_with_changed_matrix(name, tolerance):
    A, b = BEFORE + CHANGES[name], RANDOM.standard_normal(N)
    found = solve_gmres(lambda x: A @ x, lambda x: np.linalg.solve(BEFORE, x), b, tolerance, 60)
    exact = np.linalg.solve(A, b)
    assert found is not None and not found.turned
    assert np.linalg.norm(found.x - exact) < 20 * tolerance * np.linalg.norm(exact)


def test_sign_change_is_detected_and_slow_solution_abandoned():
    turned = TURN @ (BASE * FAR) @ TURN.T
    b = RANDOM.standard_normal(N)
    found = solve_gmres(lambda x: turned @ x, lambda x: np.linalg.solve(BEFORE, x), b, 1e-9, 60)
    assert found is not None and found.turned
    other = np.diag(np.linspace(1, 100, N))
    assert solve_gmres(lambda x: other @ x, lambda x: np.linalg.solve(BEFORE, x), b, 1e-9, 20) is None
    nothing = solve_gmres(lambda x: other @ x, lambda x: x, np.zeros(N), 1e-9, 20)
    assert nothing is not None and nothing.count == 0 and not nothing.x.any()


def block(load: str, n: int = 4) -> gw.Model:
    model = gw.Model("block", dimension=3, gravity=(0.0, 0.0, 0.0))
    soft = {"type": "neo-hookean", "youngs_modulus": 1e6, "poissons_ratio": 0.3, "density": 1000.0}
    model.solid("block", gw.mesh.box((0.1, 0.1, 0.1), n), material=soft, fixed="bottom")
    if load == "pressure":  # follows the surface: its stiffness is not symmetric
        return model.force("pressure", on="block.top", value="1e5*t")
    return model.force("traction", on="block.top", value=["3e4*t", 0.0, "-1e5*t"])


@pytest.mark.parametrize("load", ["traction", "pressure"])
def test_path_with_reused_factors_is_unchanged(load, monkeypatch):
    """Fewer factorisations than steps, and the same digits."""
    one = block(load).static_path(1.0, steps=8)
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", -1)
    monkeypatch.setattr(saddle_point, "MIN_FACTOR_TO_SOLVE_RATIO", 0.0)
    other = block(load).static_path(1.0, steps=8)
    for name in ("block.top.x", "block.top.z", "block.bottom.reaction_z", "evidence.unstable"):
        np.testing.assert_allclose(other.array(name), one.array(name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert other.evidence.factorisations < 8 < one.evidence.factorisations
    assert other.evidence.max_energy_residual < 2e-4 * float(other.array("energy.potential")[-1])


@pytest.mark.parametrize("load", ["traction", "pressure"])
def test_equilibrium_with_reused_factors_is_balanced(load, monkeypatch):
    one = block(load).static(1.0)
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", -1)
    monkeypatch.setattr(saddle_point, "MIN_FACTOR_TO_SOLVE_RATIO", 0.0)
    other = block(load).static(1.0)
    assert other.array("block.top.z")[0] == pytest.approx(one.array("block.top.z")[0], rel=1e-11)
    assert other.evidence.warnings == one.evidence.warnings
    assert other.evidence.factorisations < one.evidence.factorisations
