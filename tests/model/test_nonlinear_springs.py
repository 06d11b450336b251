"""Springs with an expression of length and rate, springs of zero length, and messages for invalid ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import gaitwright as gw
from gaitwright.mechanism.evaluation import evaluate_forces, new_workspace
from gaitwright.model.formulas import FormulaFunction, _antiderivative
from gaitwright.model.grammar import parse

MASS = 0.5


def block(force: dict[str, Any], x: float = 1.1, speed: float = 0.0, **parameters: Any) -> gw.Model:
    """A mass on a rail along x, and a spring to the origin."""
    model = gw.Model("block", gravity=(0, 0), parameters=parameters).ground_point("O", 0, 0).ground_point("R", 0, 0)
    model.body("block", mass=MASS, inertia=1.0, at=(x, 0.0), velocity=(speed, 0.0), points={"P": (0.0, 0.0)})
    model.joint.prismatic("R", "block.P", (1, 0))
    return model.force(force.pop("type"), "spring", a="O", b="block.P", **force)


def test_period_of_a_hardening_spring() -> None:
    """Period T = 4 int_0^A dx / sqrt(2 (V(A) - V(x)) / m), with x = A sin(s) to remove the singularity at A."""
    k1, k3, amplitude = 20.0, 4000.0, 0.1
    law = "k1*(length - rest) + k3*(length - rest)^3"
    run = block({"type": "nonlinear-spring", "force": law}, k1=k1, k3=k3, rest=1.0).simulate(
        1.5, tolerance=1e-11, output_step=0.01
    )
    slowness = quad(
        lambda s: 1 / math.sqrt((k1 + k3 * amplitude**2 * (1 + math.sin(s) ** 2) / 2) / MASS),
        0,
        math.pi / 2,
        epsabs=1e-13,
    )[0]
    rising = run.crossings("spring.length", 1.0, direction=1)
    assert np.diff(rising) == pytest.approx(4 * slowness, rel=1e-7)
    d = run.array("spring.length") - 1.0
    assert run.array("energy.potential") == pytest.approx(k1 * d**2 / 2 + k3 * d**4 / 4, abs=1e-13)
    assert run.array("spring.force") == pytest.approx(-(k1 * d + k3 * d**3), abs=1e-11)
    assert run.evidence.max_energy_residual < 1e-9


@pytest.mark.slow
def test_energy_of_springs_with_friction_or_without_integral() -> None:
    """Rate-dependent parts are dissipated; a force without a known integral counts as a load."""
    damped = block({"type": "nonlinear-spring", "force": "40*(length - 1) + 0.3*rate*abs(rate) + 0.5*rate"}).simulate(
        1.0, tolerance=1e-10
    )
    assert damped.array("energy.dissipated")[-1] > 0.01 and damped.array("energy.work")[-1] == 0.0
    unknown = block({"type": "nonlinear-spring", "force": "4*tanh(10*(length - 1))"}).simulate(1.0, tolerance=1e-10)
    assert np.ptp(unknown.array("energy.work")) > 0.01 and np.ptp(unknown.array("energy.potential")) == 0.0
    for run in (damped, unknown):
        assert run.evidence.max_energy_residual < 1e-8


LINEAR: list[dict[str, Any]] = [
    {"type": "spring-damper", "stiffness": 50.0, "damping": 0.7, "rest_length": 0.3},
    {"type": "nonlinear-spring", "force": "50*(length - 0.3) + 0.7*rate"},
]


def pair(force: dict[str, Any], dimension: int) -> gw.Model:
    """Two bodies that move apart, and a spring between them."""
    zero, inertia = [0.0] * dimension, {2: 0.01, 3: [0.01, 0.02, 0.025]}[dimension]
    model = gw.Model("pair", dimension=dimension, gravity=[*zero[1:], -9.81])
    for k, name in enumerate(("one", "two")):
        at, end, velocity = [0.5 * k, *zero[1:]], [0.02, 0.1, 0.05][:dimension], [0.0, 0.3, 0.1][:dimension]
        model.body(name, mass=0.4 + k, inertia=inertia, at=at, points={"P": end}, velocity=velocity)
    fields = {name: value for name, value in force.items() if name != "type"}
    return model.force(force["type"], "spring", a="one.P", b="two.P", **fields)


@pytest.mark.slow
def test_linear_expression_equals_the_linear_spring() -> None:
    """Same motion, forces and losses with a method that needs tangents; energies up to a constant."""
    runs = [pair(force, 2).simulate(0.2, step=2e-3, method="generalized-alpha") for force in LINEAR]
    for name in ("one.x", "two.y", "spring.length", "spring.rate", "spring.force", "energy.dissipated"):
        assert runs[1].array(name) == pytest.approx(runs[0].array(name), rel=1e-9, abs=1e-11), name
    stored = [run.array("energy.potential") - run.array("energy.potential")[0] for run in runs]
    assert stored[1] == pytest.approx(stored[0], abs=1e-11)


def test_spatial_forces_equal_those_of_the_linear_spring() -> None:
    """Generalised forces in a random state."""
    found = []
    for force in LINEAR:
        mechanism = pair(force, 3).mechanism()
        random = np.random.default_rng(1)
        q, v = (
            np.append(mechanism.drawn[: mechanism.n] + 0.1 * random.normal(size=mechanism.n), 0.0) for _ in range(2)
        )
        w = new_workspace(mechanism.system)
        evaluate_forces(mechanism.system, w, q, v)
        found.append(w.force.copy())
    assert np.abs(found[0]).max() > 1.0
    assert found[1] == pytest.approx(found[0], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("dimension", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_torsion_spring_with_an_expression(dimension: int) -> None:
    """A rod on a hinge: equilibrium where f(angle) carries its weight, and small oscillations with f'(angle)."""
    axes = {2: (0, -9.81), 3: (0, -9.81, 0)}
    model = gw.Model("rod", dimension=dimension, gravity=axes[dimension], parameters={"k": 3.0})
    law = "k*angle + 2*k*angle^3"
    if dimension == 2:
        model.ground_point("O", 0, 0).point("A", 0.4, 0).link("rod", "O", "A", mass=0.3)
        model.force("nonlinear-torsion-spring", "spring", a="ground", b="rod", torque=law)
    else:
        model.ground_point("O", 0, 0, 0)
        model.body("rod", mass=0.3, inertia=[1e-5, 0.004, 0.004], at=[0.2, 0, 0], points={"O": [-0.2, 0, 0]})
        model.joint.revolute("ground.O", "rod.O", axis=[0, 0, 1], name="hinge")
        model.force("nonlinear-torsion-spring", "spring", joint="hinge", torque=law)
    rest = model.static()
    angle, torque = float(rest.array("spring.angle")[0]), float(rest.array("spring.torque")[0])
    assert -0.5 < angle < -0.05 and torque == pytest.approx(-3 * angle - 6 * angle**3, rel=1e-12)
    assert torque == pytest.approx(0.3 * 9.81 * 0.2 * math.cos(angle), rel=1e-9)
    stiffness = 3 + 18 * angle**2 - 0.3 * 9.81 * 0.2 * math.sin(angle)
    inertia = 0.3 * 0.4**2 / 3 if dimension == 2 else 0.004 + 0.3 * 0.2**2
    assert model.modes().frequencies[0] == pytest.approx(math.sqrt(stiffness / inertia) / (2 * math.pi), rel=1e-6)


LAWS = {
    "2*length^3 - length + 4": "length^4/2 - length^2/2 + 4*length",
    "k*max(length - 0.2, 0)^1.5": "k*max(length - 0.2, 0)^2.5/2.5",
    "3*exp(-2*length) + sin(4*length)": "-1.5*exp(-2*length) - cos(4*length)/4",
    "sqrt(length + 1)": "(length + 1)^1.5/1.5",
    "k*(length - 0.2)^3 + 5*abs(length - 0.3)": "k*(length - 0.2)^4/4 + 2.5*(length - 0.3)*abs(length - 0.3)",
    "tanh(length)": None,
    "1/length": None,
    "if(length > 0.1, length, 0)": None,
}


@pytest.mark.parametrize("law", LAWS)
def test_energies_are_integrals(law: str) -> None:
    """Up to a constant."""

    def value(text: str, length: float) -> float:
        return float(
            FormulaFunction(parse(text, ("length", "rate", "k")).items, ("length", "rate"), {"k": 7.0})(length, 0)
        )

    function = FormulaFunction(parse(law, ("length", "rate", "k")).items, ("length", "rate"), {"k": 7.0})
    x = function.symbols[0]
    found, known = _antiderivative(function.expression, x), LAWS[law]
    assert (found is None) == (known is None)
    if known is not None:
        ours = [float(found.subs(x, length)) for length in (0.1, 0.25, 0.7)]
        theirs = [value(known, length) for length in (0.1, 0.25, 0.7)]
        assert np.diff(ours) == pytest.approx(np.diff(theirs), rel=1e-12)


def test_spring_of_zero_free_length_may_start_at_zero_length() -> None:
    """k r along r: every coordinate oscillates independently, also through coincidence of the ends."""
    k, speed = 50.0, 0.8
    model = gw.Model("point", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("ball", mass=MASS, inertia=1.0, at=(0, 0), velocity=(speed, 0.3), points={"P": (0, 0)})
    model.force.spring_damper("O", "ball.P", stiffness=k, rest_length=0.0, name="spring")
    run = model.simulate(1.0, tolerance=1e-10, output_step=0.01)
    omega = math.sqrt(k / MASS)
    assert run.array("ball.x") == pytest.approx(speed / omega * np.sin(omega * run.time), abs=1e-8)
    assert run.array("spring.length")[0] < 1e-12 and run.array("spring.force")[0] == pytest.approx(0.0, abs=1e-12)
    still = model.static()
    assert [float(still.array(f"ball.{c}")[0]) for c in "xy"] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert model.modes().frequencies[-2:] == pytest.approx([omega / (2 * math.pi)] * 2, rel=1e-6)


@pytest.mark.parametrize("analysis", ["simulate", "static"])
@pytest.mark.parametrize("force", ["spring-damper", "nonlinear-spring"])
def test_pushing_spring_at_zero_length_has_a_message(analysis: str, force: str) -> None:
    fields = {"stiffness": 50.0, "rest_length": 0.1} if force == "spring-damper" else {"force": "50*(length - 0.1)"}
    model = block({"type": force, **fields}, x=0.0)
    with pytest.raises(
        gw.ModelError, match=r"force 'spring' field 'b': has no length at the start, where its force is 5 N"
    ):
        getattr(model, analysis)(*([0.1] if analysis == "simulate" else []))


WRONG = {
    "length + t": "depends on time",
    "50*lenght": "unknown name 'lenght' at column 4",
    "length % 2": "is discontinuous because of its %",
    "length +": "the expression ends too early",
}


@pytest.mark.parametrize("law", WRONG)
def test_invalid_formula_has_a_message(law: str) -> None:
    with pytest.raises(gw.ModelError, match="force 'spring'.*" + WRONG[law].replace("%", "%")):
        block({"type": "nonlinear-spring", "force": law}).mechanism()


def test_parameter_with_the_name_of_a_variable_is_rejected() -> None:
    with pytest.raises(gw.ModelError, match="the parameter 'rate' of the model has the name of a variable"):
        block({"type": "nonlinear-spring", "force": "2*length"}, rate=3.0).mechanism()


def test_parameter_values_share_a_kernel_and_files_keep_the_expression() -> None:
    model = block({"type": "nonlinear-spring", "force": "k*(length - 1)^3"}, k=100.0)
    again = gw.Model.from_dict(model.to_dict())
    one, two = (m.mechanism().forces[-1].declaration for m in (model, again.copy(k=200.0)))
    assert one is two
    assert model.to_dict()["forces"][0]["restoring_force"] == "k*(length - 1)^3"
