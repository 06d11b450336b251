"""Forms converted to terms give the values of the committed kernels."""

import numpy as np
import pytest
import sympy

from gaitwright.derive.form_terms import LoadPlace, form_to_terms, read_load, sympy_to_term
from gaitwright.derive.kernel_library import derive_kernels, kernel_module
from gaitwright.derive.term_graph import MOTION_LEVEL, NotPrintable, TermGraph
from gaitwright.physics import load_all
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Drive, Force, Joint

load_all()


def test_places_of_loads():
    assert read_load("q[dof[6 * e + 2]]") == LoadPlace("q", 2)
    assert read_load("par[4 * e + 3]") == LoadPlace("par", 3)
    assert read_load("u[3 * sig[1 * e + 0] + 2]") == LoadPlace("u", 0, 2)
    with pytest.raises(NotPrintable):
        read_load("elsewhere[2]")


@pytest.mark.parametrize(
    ("declaration", "bodies", "kernel"),
    [
        (Joint.registry[2]["revolute"], 2, "motion"),
        (Joint.registry[2]["prismatic"], 2, "position"),
        (Drive.registry[2]["rotation"], 1, "motion"),
        (Force.registry[2]["gravity"], 1, "force"),
    ],
)
def test_form_matches_its_kernel(declaration, bodies, kernel):
    families = (PlanarRigidBody,) * bodies
    module = kernel_module(declaration, families)
    form = next(form for form in derive_kernels(declaration, families).forms if form.name == kernel)
    generator = np.random.default_rng(3)
    n, rows = module.N_DOF, getattr(module, "N_ROW", 0)
    given = {name: generator.uniform(0.4, 1.9, size) for name, size in (("q", n), ("v", n), ("par", 9), ("u", 9))}
    graph, terms = TermGraph(), {}

    def load(place):
        k = 3 * place.entry + place.rate if place.array == "u" else place.entry
        return terms.setdefault((place.array, k), graph.input(f"{place.array}{k}", MOTION_LEVEL))

    found = form_to_terms(form, graph, load)
    values = graph.values([term for *_, term in found], {f"{a}{k}": given[a][k] for a, k in terms})
    arrays = {name: np.zeros(40) for name in ("phi", "phi_t", "phi_dot", "gamma", "jac", "total")}
    arguments = {
        "count": 1, "dof": np.arange(n), "sig": np.arange(3), "row": np.arange(max(rows, 1)), "slot": np.arange(40),
        **given, **arrays,
    }  # fmt: skip
    getattr(module, kernel)(*(arguments[name] for name, _ in form.arguments))
    for (array, k, _), value in zip(found, values, strict=True):
        assert float(value) == pytest.approx(arrays[array][k], rel=1e-13, abs=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "Max(x, y)",
        "Min(x, 2*y)",
        "Abs(x - 1)",
        "sign(x - 1)",
        "Heaviside(x - y)",
        "atan2(y, x)",
        "x**2.5/y",
        "exp(-x)*tanh(y)",
    ],
)
def test_functions_of_sympy(text):
    x, y = sympy.symbols("x y", real=True)
    expression = sympy.sympify(text, {"x": x, "y": y})
    graph = TermGraph()
    term = sympy_to_term(expression, graph, {x: graph.input("x", MOTION_LEVEL), y: graph.input("y", MOTION_LEVEL)})
    for point in ((0.7, 0.4), (1.6, -0.9 if "**" not in text else 0.9)):
        (value,) = graph.values([term], {"x": point[0], "y": point[1]})
        assert float(value) == pytest.approx(float(expression.subs({x: point[0], y: point[1]})), rel=1e-14)


def test_unsupported_function_is_named():
    x = sympy.Symbol("x")
    with pytest.raises(NotPrintable, match="gamma"):
        sympy_to_term(sympy.gamma(x), TermGraph(), {x: TermGraph().input("x", MOTION_LEVEL)})
