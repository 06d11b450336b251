"""Forms as terms give what the committed kernels give."""

import numpy as np
import pytest
import sympy

from gaitwright.derive.form_terms import Place, form_terms, place_of, term_of
from gaitwright.derive.library import derive, kernel_module
from gaitwright.derive.terms import MOVING, Graph, NotPrintable
from gaitwright.physics import load_all
from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import Drive, Force, Joint

load_all()


def test_places_of_loads():
    assert place_of("q[dof[6 * e + 2]]") == Place("q", 2)
    assert place_of("par[4 * e + 3]") == Place("par", 3)
    assert place_of("u[3 * sig[1 * e + 0] + 2]") == Place("u", 0, 2)
    with pytest.raises(NotPrintable):
        place_of("elsewhere[2]")


@pytest.mark.parametrize(
    ("declaration", "bodies", "kernel"),
    [
        (Joint.registry[2]["revolute"], 2, "motion"),
        (Joint.registry[2]["prismatic"], 2, "position"),
        (Drive.registry[2]["rotation"], 1, "motion"),
        (Force.registry[2]["gravity"], 1, "force"),
    ],
)
def test_a_form_gives_what_its_kernel_gives(declaration, bodies, kernel):
    families = (Planar,) * bodies
    module = kernel_module(declaration, families)
    form = next(form for form in derive(declaration, families).forms if form.name == kernel)
    generator = np.random.default_rng(3)
    n, rows = module.N_DOF, getattr(module, "N_ROW", 0)
    given = {name: generator.uniform(0.4, 1.9, size) for name, size in (("q", n), ("v", n), ("par", 9), ("u", 9))}
    graph, terms = Graph(), {}

    def load(place):
        k = 3 * place.entry + place.rate if place.array == "u" else place.entry
        return terms.setdefault((place.array, k), graph.input(f"{place.array}{k}", MOVING))

    found = form_terms(form, graph, load)
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
    graph = Graph()
    term = term_of(expression, graph, {x: graph.input("x", MOVING), y: graph.input("y", MOVING)})
    for point in ((0.7, 0.4), (1.6, -0.9 if "**" not in text else 0.9)):
        (value,) = graph.values([term], {"x": point[0], "y": point[1]})
        assert float(value) == pytest.approx(float(expression.subs({x: point[0], y: point[1]})), rel=1e-14)


def test_what_no_program_can_have_is_named():
    x = sympy.Symbol("x")
    with pytest.raises(NotPrintable, match="gamma"):
        term_of(sympy.gamma(x), Graph(), {x: Graph().input("x", MOVING)})
