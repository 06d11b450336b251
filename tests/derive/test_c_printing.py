"""Terms as C: what the compiler of this machine makes of them."""

import ctypes

import numpy as np
import pytest

from gaitwright.derive.c_printing import Prepared, function
from gaitwright.derive.terms import DESIGN, FUNCTIONS, MOVING, Graph
from gaitwright.design.many.library import _compile, compiler
from gaitwright.design.many.program import HERE

needs_compiler = pytest.mark.skipif(compiler() is None, reason="no C compiler")
EDGE = """
KERNEL all(long long count, const double *X, double *Y) {
    EACH(i, count) {
        real x[2], y[N];
        for (int k = 0; k < 2; k++) for (int l = 0; l < W; l++) LANE(x[k], l) = X[k * count + i + l];
        printed(0, x, y);
        for (int k = 0; k < N; k++) for (int l = 0; l < W; l++) Y[k * count + i + l] = LANE(y[k], l);
    }
}
"""


def test_what_depends_on_the_design_alone_is_prepared():
    graph, prepared = Graph(), Prepared()
    x, p = graph.input("x[0]", MOVING), graph.input("p[0]", DESIGN)
    lines = function("void f(const real *c, const real *x, real *y)", [("y[0]", x / p + p * p)], prepared)
    assert "p[0]" not in "\n".join(lines)
    assert len(prepared.place) == 2
    assert any("INVERSE(p[0])" in line for line in prepared.lines())


@needs_compiler
def test_functions_of_c_are_those_of_numpy(tmp_path):
    """Every operation, in every lane; sines also of large angles."""
    graph = Graph()
    x, y = (graph.input(f"x[{k}]", MOVING) for k in range(2))
    terms = [graph.call(op, x / 3.0) for op in sorted(FUNCTIONS)] + [
        x + y,
        x - y,
        x * y,
        x / y,
        abs(x - 1.0),
        -x,
        x**y,
        x**2.5,
    ]
    terms += [graph.call(op, x, y) for op in ("max", "min", "atan2", "fmod")] + [graph.call("select", x - y, x, y)]
    terms += [graph.call(op, 1000.0 * x) for op in ("sin", "cos")]
    body = function(
        "void printed(const real *c, const real *x, real *y)",
        [(f"y[{k}]", term) for k, term in enumerate(terms)],
        Prepared(),
    )
    path, _, flags = compiler()
    file = tmp_path / "printed.so"
    text = "\n".join([(HERE / "portable.h").read_text(), f"#define N {len(terms)}", *body, EDGE])
    _compile(text, path, flags, file)
    given = np.random.default_rng(1).uniform(0.1, 2.9, (2, 64))
    found = np.zeros((len(terms), 64))
    all_of_them = ctypes.CDLL(str(file)).all
    all_of_them(ctypes.c_longlong(64), given.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
    for term, row in zip(terms, found, strict=True):
        (wanted,) = graph.values([term], {"x[0]": given[0], "x[1]": given[1]})
        np.testing.assert_allclose(row, wanted, rtol=4e-15, atol=3e-16, err_msg=repr(term))
