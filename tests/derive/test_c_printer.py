"""Terms printed as C, compiled by the compiler of this machine."""

import ctypes

import numpy as np
import pytest

from gaitwright.codegen.c_library import _compile_program, find_compiler
from gaitwright.codegen.program import HEADER_FOLDER
from gaitwright.derive.c_printer import PreparedTerms, print_function
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, UNARY_FUNCTIONS, TermGraph

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
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


def test_terms_of_the_design_alone_are_prepared():
    graph, prepared = TermGraph(), PreparedTerms()
    x, p = graph.input("x[0]", MOTION_LEVEL), graph.input("p[0]", DESIGN_LEVEL)
    lines = print_function("void f(const real *c, const real *x, real *y)", [("y[0]", x / p + p * p)], prepared)
    assert "p[0]" not in "\n".join(lines)
    assert len(prepared.place) == 2
    assert any("INVERSE(p[0])" in line for line in prepared.lines())


@needs_compiler
def test_c_functions_match_numpy(tmp_path):
    """Every operation, in every lane; sines also of large angles."""
    graph = TermGraph()
    x, y = (graph.input(f"x[{k}]", MOTION_LEVEL) for k in range(2))
    terms = [graph.call(op, x / 3.0) for op in sorted(UNARY_FUNCTIONS)] + [
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
    body = print_function(
        "void printed(const real *c, const real *x, real *y)",
        [(f"y[{k}]", term) for k, term in enumerate(terms)],
        PreparedTerms(),
    )
    path, _, flags = find_compiler()
    file = tmp_path / "printed.so"
    text = "\n".join([(HEADER_FOLDER / "portable.h").read_text(), f"#define N {len(terms)}", *body, EDGE])
    _compile_program(text, path, flags, file)
    given = np.random.default_rng(1).uniform(0.1, 2.9, (2, 64))
    found = np.zeros((len(terms), 64))
    all_of_them = ctypes.CDLL(str(file)).all
    all_of_them(ctypes.c_longlong(64), given.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
    for term, row in zip(terms, found, strict=True):
        (wanted,) = graph.values([term], {"x[0]": given[0], "x[1]": given[1]})
        np.testing.assert_allclose(row, wanted, rtol=4e-15, atol=3e-16, err_msg=repr(term))
