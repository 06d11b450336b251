"""Solutions with Phi_q alone, where drives determine the motion."""

import numpy as np

from gaitwright.derive.terms import MOVING, Graph
from gaitwright.design.many.direct import Direct


def test_a_block_next_to_a_singular_pose_is_told():
    """Also where rounding makes the last pivot of its Gram matrix negative: about a third of matrices of condition 1e9. All
    pivots multiply to det^2 and the first is at most 1, so the least is at most |det|: its inverse, times a third of the
    trace, at least 7e8."""
    graph, size = Graph(), 3
    jac = {(i, j): graph.input(f"x[{size * i + j}]", MOVING) for i in range(size) for j in range(size)}
    factors = Direct(graph, [graph.number(1.0)] * size, jac, np.ones(size), 1.0)
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.normal(size=(400, size, size)))[0] for _ in range(2))
    entries = (left * [1.0, 0.7, 1e-9] @ right).reshape(400, -1)
    (near,) = graph.values(factors.inverse_pivots, {f"x[{k}]": row for k, row in enumerate(entries.T)})
    assert np.abs(near).min() > 1e8
