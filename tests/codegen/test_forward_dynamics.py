"""Forward dynamics by generated programs compared with single models, for all contact laws, frictions, surfaces and methods.

Smooth motion agrees to rounding. If contacts subdivide steps by an error estimate, rounding may change the subdivision, and
both runs then agree only to the tolerance of such runs, 1e-8 per step.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.codegen.c_library import find_compiler
from gaitwright.codegen.forward_dynamics import CODEGEN_METHODS, read_integration_settings
from gaitwright.design.batch.fallback import CODE_MOTION_LOST, CODE_STARTS_INSIDE, FallbackTask, analyse_design
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.model import compile_model, require_compilable
from gaitwright.model.spec.document import CONTACT_CHOICE_REGISTRIES, AnalysisSpec
from gaitwright.physics import load_all

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
pytestmark = needs_compiler
load_all()
ROUNDING, NEAR = 1e-11, 2e-5
"""Of what is compared, relative to its largest value."""
NUMBERS = {
    "stiffness": "k", "restitution": 0.6, "damping": 30.0, "modulus": 1e6, "penetration": 1e-3, "exponent": 1.5,
    "coefficient": 0.3, "static": 0.4, "dynamic": 0.3,
}  # fmt: skip
LINE = {"line": [0, 1, 0]}
POST = {
    "ground": {"points": {"G": [-0.3, 0.1]}},
    "joints": [{"type": "fixed", "a": "post.A", "b": "ground.G"}],
}
SURFACES = {
    "line": LINE,
    "slope": {"line": [0.3, 1, "level"]},
    "belt": {"line": [0, 1, 0], "velocity": [0.5, 0]},
    "shaken": {"line": [0, 1, 0], "displacement": [0, "0.02*sin(20*t)"]},
    "hill": {"polyline": [[-2, 0], [0.0, 0.1], [2, 0]]},
    "trough": {"polyline": [[-1, 0.3], [-0.3, 0], [-0.1, -0.05], [0.2, -0.03], [1, 0.4]]},
    "circle": {"circle": {"body": "post", "radius": 0.15}},
    "segment": {"segment": ["post.A", "post.B"]},
    "face": {"face": ["post.A", "post.B"]},
}


def declared(kind, name):
    """Law or friction with values for all parameters without a default."""
    given = {"type": name}
    for field, parameter in CONTACT_CHOICE_REGISTRIES[kind][name].parameters.items():
        if field in ("stiffness", "restitution") or getattr(parameter, "default", None) is None:
            given[field] = 1e4 if kind == "friction" and field == "stiffness" else NUMBERS.get(field, 0.5)
    return given


def ball(surface="line", law="hunt-crossley", friction="coulomb"):
    contact = {
        "name": "floor", "circle": {"body": "ball", "radius": 0.1}, "surface": SURFACES[surface],
        "law": declared("law", law), "friction": declared("friction", friction),
    }  # fmt: skip
    bodies = [{"name": "ball", "mass": 1.0, "inertia": 0.004, "at": ["x0", 0.3], "velocity": ["vx", 0], "spin": 3.0}]
    post = {"name": "post", "mass": 2.0, "inertia": 0.02, "at": [0, 0], "points": {"A": [-0.3, 0.1], "B": [0.3, 0.1]}}
    raw = {
        "gaitwright": 1, "parameters": {"k": 2e4, "g": 9.81, "x0": 0.02, "vx": 0.4, "level": 0.0},
        "gravity": [0, "-g"], "bodies": bodies, "contacts": [contact],
    }  # fmt: skip
    if "post" in str(SURFACES[surface]):
        raw = {**raw, **POST, "bodies": [bodies[0] | {"at": ["x0", 0.5]}, post]}
    return gw.Model.from_dict(raw)


def compared(model, outputs, method, until=0.5, step=1e-3, count=3, spread=0.02, **more):
    """Largest difference of each output from that of single runs, relative to its largest value, over some designs."""
    numbers = {name: value for name, value in model.document.parameters.items() if isinstance(value, float)}
    generator = np.random.default_rng(3)
    designs = {
        name: value + spread * (value or 0.1) * generator.uniform(-1, 1, count) for name, value in numbers.items()
    }
    section = {"type": "forward", "until": until, "step": step, "method": method, **more}
    whats = ("final", "max", "min", "mean")
    table = gw.designs(
        model, designs, analysis=section, measures=[f"{name}.{what}" for name in outputs for what in whats]
    )
    prepared = require_compilable(gw.Model.from_dict({**model.to_dict(), "outputs": []}))
    march = read_integration_settings(AnalysisSpec(**section), compile_model(model))
    task = FallbackTask(prepared, "forward", tuple(outputs), round(until / step), march)
    worst = dict.fromkeys(outputs, 0.0)
    for k in range(count):
        done = analyse_design(task, ({name: float(values[k]) for name, values in designs.items()}, until))
        code = CODE_STARTS_INSIDE if "approach_speed" in done.reason else done.code
        assert int(table["failure"].values[k]) == code
        for name, track in zip(outputs, done.track.T if done.track is not None else (), strict=False):
            wanted = {"final": track[-1], "max": track.max(), "min": track.min()}
            wanted["mean"] = (track[1:].sum() + track[:-1].sum()) / (2 * (track.size - 1))
            off = max(abs(float(table[f"{name}.{what}"].values[k]) - value) for what, value in wanted.items())
            worst[name] = max(worst[name], off / max(np.abs(track).max(), 1e-9))
    return worst


OUTPUTS = [
    "ball.x",
    "ball.y",
    "ball.vy",
    "ball.angle",
    "floor.normal_force",
    "floor.tangential_force",
    "floor.penetration",
]


def slow(names, quick):
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in names]


@pytest.mark.parametrize(
    "law", slow(sorted(CONTACT_CHOICE_REGISTRIES["law"]), ("hunt-crossley", "lankarani-nikravesh"))
)
def test_contact_laws(law):
    assert max(compared(ball(law=law), OUTPUTS, "rk4").values()) < NEAR


@pytest.mark.parametrize("method", CODEGEN_METHODS)
@pytest.mark.parametrize("friction", slow(sorted(CONTACT_CHOICE_REGISTRIES["friction"]), ("bristle",)))
def test_frictions(friction, method):
    """Balls on a slope that slip, stick and roll."""
    assert max(compared(ball("slope", friction=friction), OUTPUTS[:5], method).values()) < NEAR


@pytest.mark.parametrize("method", CODEGEN_METHODS)
@pytest.mark.parametrize("surface", slow(SURFACES, ("line",)))
def test_surfaces(surface, method):
    """Surfaces of several pieces, on bodies, moving: also where the contact changes from one piece to the next."""
    assert max(compared(ball(surface, friction="smooth-coulomb"), OUTPUTS[:5], method).values()) < NEAR


FREE = {
    "pendulum": ["rod1.angle"], "double-pendulum": ["rod1.angle", "rod2.angle"], "pendulum-chain": ["rod5.angle"],
    "rigid-slider-crank": ["rod.angle", "motor.torque", "wall.normal_force"], "four-bar": ["rocker.angle", "crank.torque"],
    "sprung-slider-crank": ["rod.angle", "motor.torque"], "knee-lock": ["shank.angle", "hip_drive.torque"],
}  # fmt: skip


@pytest.mark.parametrize("method", CODEGEN_METHODS)
@pytest.mark.parametrize("name", slow(FREE, ("double-pendulum",)))
def test_ready_mechanisms(name, method):
    """Forward dynamics of mechanisms with degrees of freedom, and of driven ones."""
    model = CATALOGUE[name].model()
    raw = model.to_dict()
    raw["parameters"] = {**raw.get("parameters", {}), "own_gravity": 9.81}
    model = gw.Model.from_dict({**raw, "gravity": [0, "-own_gravity"], "outputs": []})
    worst = compared(model, FREE[name], method, until=0.4)
    # Newton's method stops when positions change by less than 1e-12 of their scale: the error of multipliers is 1e-12/h^2
    limits = {output: 1e-6 if method == CODEGEN_METHODS[1] and "." in output else ROUNDING for output in worst}
    assert all(worst[output] < limits[output] for output in worst), worst


def test_baumgarte_and_none():
    for stabilisation in ({"stabilisation": "baumgarte", "alpha": 20, "beta": 10}, {"stabilisation": "none"}):
        raw = CATALOGUE["double-pendulum"].model().to_dict()
        model = gw.Model.from_dict({**raw, "parameters": {"g": 9.81}, "gravity": [0, "-g"], "outputs": []})
        assert max(compared(model, ["rod2.angle"], "rk4", until=0.2, **stabilisation).values()) < ROUNDING


def leg_on_ground(level=-0.6035):
    """The Jansen leg with its foot on the ground, starting in the air."""
    raw = gw.mechanisms.jansen_leg().to_dict()
    raw["drives"][0]["angle"] = "2 - 2*pi*turns_per_second*t"
    raw["parameters"]["level"] = -level
    raw["contacts"] = [
        {
            "name": "toe", "point": "F", "surface": {"line": [0, 1, "level"]},
            "law": {"type": "lankarani-nikravesh", "stiffness": 2e4, "restitution": 0.3},
            "friction": {"type": "coulomb", "coefficient": 0.4},
        }
    ]  # fmt: skip
    return gw.Model.from_dict({**raw, "outputs": []})


@pytest.mark.parametrize("method", CODEGEN_METHODS)
def test_a_driven_leg_on_the_ground(method):
    """Torques and ground forces, with located touchdown and release; the same designs cannot be closed in both."""
    outputs = ["F.x", "F.y", "crank.torque", "toe.normal_force", "ground_reaction.fx"]
    worst = compared(leg_on_ground(), outputs, method, until=1.0, count=6, spread=0.03)
    assert max(worst.values()) < (1e-9 if method == "rk4" else 1e-6), worst


def test_failed_designs_report_their_reason():
    table = gw.designs(
        leg_on_ground(), {"level": [0.6035, 0.45]}, measures=["toe.normal_force.max"],
        analysis={"type": "forward", "until": 0.01, "step": 1e-3, "method": "rk4"},
    )  # fmt: skip
    assert table["failure"].values.tolist() == [0, CODE_STARTS_INSIDE]
    assert "approach_speed" in str(table["reason"].sel(code=CODE_STARTS_INSIDE).values)
    raw = CATALOGUE["sprung-slider-crank"].model().to_dict()
    raw["parameters"] = {**raw.get("parameters", {}), "stiff": 4530.0}
    for force in raw["forces"]:
        if force["type"] == "spring-damper":
            force["stiffness"] = "stiff"
    model = gw.Model.from_dict({**raw, "outputs": []})
    lost = gw.designs(
        model, {"stiff": [4530.0, 4.5e11]}, measures=["rod.angle.final"],
        analysis={"type": "forward", "until": 0.2, "step": 1e-3, "method": "rk4"},
    )  # fmt: skip
    assert lost["failure"].values[0] == 0 and lost["failure"].values[1] == CODE_MOTION_LOST
    assert 0.0 < float(lost["failed_at"].values[1]) <= 0.2


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"method": "dopri5", "step": 1e-3}, "dopri5"),
        ({}, "fixed step"),
        ({"step": 0.3}, "whole number of times"),
        ({"step": 1e-3, "output_step": 0.1}, "output_step"),
    ],
)
def test_unsupported_models_are_reported(section, said):
    with pytest.raises(ModelError, match=said):
        gw.designs(ball(), {"k": [2e4]}, measures=["ball.x.final"], analysis={"type": "forward", "until": 1, **section})


def test_surfaces_with_lookup_are_refused():
    raw = ball("hill").to_dict()
    raw["contacts"][0]["surface"]["polyline"][1] = ["x0", 0.1]
    with pytest.raises(ModelError, match="contact 'floor' depends on the parameters"):
        gw.designs(
            gw.Model.from_dict(raw), {"x0": [0.1]}, measures=["ball.x.final"],
            analysis={"type": "forward", "until": 0.01, "step": 1e-3},
        )  # fmt: skip


def differences(model, names, measures, section, delta):
    """Exact derivatives of the model, and central differences, (n_measures, n_parameters)."""
    own = {name: float(model.document.parameters[name]) for name in names}
    rows = [own]
    for name in names:
        rows += [{**own, name: own[name] + sign * delta * max(abs(own[name]), 0.01)} for sign in (1, -1)]
    table = gw.designs(model, {n: [row[n] for row in rows] for n in names}, analysis=section, measures=measures)
    exact = gw.designs(model, {n: [own[n]] for n in names}, analysis=section, measures=measures, gradient=measures)
    steps = [2 * delta * max(abs(own[name]), 0.01) for name in names]
    found = []
    for measure in measures:
        values = table[measure].values
        found.append([(values[1 + 2 * k] - values[2 + 2 * k]) / step for k, step in enumerate(steps)])
    return np.array([exact[f"{measure}.gradient"].values[0] for measure in measures]), np.array(found)


def swinging():
    """Double pendulum with a drawn pose that depends on a parameter, and does not fit its lengths."""
    raw = CATALOGUE["double-pendulum"].model().to_dict()
    raw["parameters"] = {"g": 9.81, "length": 1.0, "heavy": 1.0, "x": 1.0}
    raw["links"][0]["length"], raw["links"][1]["mass"] = "length", "heavy"
    return gw.Model.from_dict({**raw, "gravity": [0, "-g"], "points": {"P1": ["x", 0.0], "P2": [2.0, 0.1]}})


def swept():
    """Four-bar with constant crank speed and without contacts."""
    raw = CATALOGUE["four-bar"].model().to_dict()
    raw["parameters"] = {"crank": 0.1, "rocker": 0.25, "heavy": 0.4, "w": 6.0}
    raw["links"][0]["length"], raw["links"][2]["length"], raw["links"][1]["mass"] = "crank", "rocker", "heavy"
    raw["drives"][0]["angle"] = "w*t"
    return gw.Model.from_dict({**raw, "outputs": []})


GRADIENTS = {
    # the last: after a touchdown forces start as gap^1.5 with an unbounded second derivative: differences and derivatives
    # differ by the error of the steps, 3e-5 of the largest with a tolerance of 1e-13, 9e-4 with 1e-8
    "pendulum": (
        swinging, ["g", "length", "heavy", "x"],
        ["rod2.angle.final", "P2.y.mean", "rod1.angle.min"], 0.5, {}, 1e-5, 1e-7,
    ),
    "crank": (
        swept, ["crank", "rocker", "heavy", "w"],
        ["crank.torque.final", "crank.torque.max_abs", "rocker.angle.mean", "B.x.sample_100"], 0.2, {}, 1e-5, 1e-6,
    ),
    "leg": (
        leg_on_ground, ["crank", "L3", "level"],
        ["crank.torque.max_abs", "toe.normal_force.mean", "F.y.min"], 1.0, {}, 1e-5, 3e-6,
    ),
    "ball": (
        lambda: ball(friction="smooth-coulomb"), ["k", "g", "x0", "vx"],
        ["ball.vy.final", "ball.x.final", "floor.normal_force.max"], 0.45, {"tolerance": 1e-13}, 1e-4, 1e-4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", slow(GRADIENTS, ("pendulum", "crank")))
def test_gradients_through_forward_dynamics(name):
    """With touchdowns and releases, stored approach speeds, and starts that depend on the drawn pose."""
    model, names, measures, until, more, delta, near = GRADIENTS[name]
    section = {"type": "forward", "until": until, "step": 1e-3, "method": "rk4", **more}
    exact, found = differences(model(), names, measures, section, delta)
    assert np.all(np.abs(exact - found) <= near * np.abs(found).max(axis=1, keepdims=True)), (exact, found)
    assert np.any(exact != 0.0)


def test_gradients_of_a_bounce_are_those_of_the_motion():
    """Derivative of the speed after a bounce by Hertz' law with respect to the drop height, against a fine integration.
    Derivatives at fixed times, integrated over the root with which forces start and end, were off by 3e-3."""
    drop = {
        "gaitwright": 1, "parameters": {"drop": 0.4}, "gravity": [0, -9.81],
        "bodies": [{"name": "ball", "mass": 1.0, "inertia": 0.004, "at": [0, "drop"]}],
        "contacts": [{"name": "floor", "circle": {"body": "ball", "radius": 0.1}, "surface": {"line": [0, 1, 0]},
                      "law": {"type": "hertz", "stiffness": 2e4}}],
    }  # fmt: skip

    def speed(height):
        def rates(_, state):
            return [state[1], -9.81 + 2e4 * max(0.1 - state[0], 0.0) ** 1.5]

        found = solve_ivp(rates, (0.0, 0.32), [height, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, max_step=1e-3)
        return found.y[1, -1]

    section = {"type": "forward", "until": 0.32, "step": 1e-3, "method": "rk4"}
    asked = {"measures": ["ball.vy.final"], "gradient": ["ball.vy.final"], "analysis": section}
    table = gw.designs(gw.Model.from_dict(drop), {"drop": [0.4]}, **asked)
    wanted = (speed(0.4 + 1e-5) - speed(0.4 - 1e-5)) / 2e-5
    assert float(table["ball.vy.final.gradient"][0, 0]) == pytest.approx(wanted, rel=5e-4)


STEEP = ("kuwabara-kono", "tsuji")
"""Laws with damping that goes with a root of the penetration."""


@pytest.mark.slow
@pytest.mark.parametrize("law", sorted(CONTACT_CHOICE_REGISTRIES["law"]))
def test_gradients_with_all_laws(law):
    """To the error of the steps at a touchdown, where forces start with a kink or a jump: at most 1e-3 of the largest, with a
    tolerance of 1e-12. A law that starts with an unbounded slope is refused."""
    model, measures = (
        ball(law=law, friction="smooth-coulomb"),
        ["ball.vy.final", "ball.x.final", "floor.normal_force.mean"],
    )
    section = {"type": "forward", "until": 0.33, "step": 1e-3, "method": "rk4", "tolerance": 1e-12}
    names = ["g", "vx", *(["k"] if "'k'" in str(declared("law", law)) else [])]
    if law in STEEP:
        with pytest.raises(ModelError, match=f"law '{law}' begins with an unbounded slope"):
            differences(model, names, measures, section, 1e-4)
        return
    exact, found = differences(model, names, measures, section, 1e-4)
    assert np.all(np.abs(exact - found) <= 2e-3 * np.abs(found).max(axis=1, keepdims=True)), (exact, found)


@pytest.mark.parametrize(
    ("model", "section", "said"),
    [
        (ball, {"method": "generalized-alpha"}, "generalized-alpha"),
        (lambda: ball(friction="bristle"), {}, "bristles"),
        (lambda: ball("hill"), {}, "several pieces"),
        (ball, {"until": "5*vx", "step": "5*vx/100"}, "length is a parameter"),
    ],
)
def test_unsupported_gradients_are_reported(model, section, said):
    section = {"type": "forward", "until": 0.1, "step": 1e-3, "method": "rk4", **section}
    with pytest.raises(ModelError, match=said):
        gw.designs(
            model(), {"k": [2e4], "vx": [0.4]}, measures=["ball.x.final"], analysis=section, gradient=["ball.x.final"]
        )


def bar_on_three_cranks():
    """Three cranks of equal length: one of them is redundant, unless its length differs."""
    raw = {"gaitwright": 1, "parameters": {"L": 0.3}, "ground": {"points": {}}, "points": {}, "links": [], "joints": []}
    for k in range(3):
        raw["ground"]["points"][f"O{k}"], raw["points"][f"A{k}"] = [0.4 * k, 0], [0.4 * k, 0.3]
        length = "L" if k == 2 else 0.3
        raw["links"].append({"name": f"crank{k}", "from": f"O{k}", "to": f"A{k}", "length": length, "mass": 0.1})
        raw["joints"].append({"type": "revolute", "a": f"bar.B{k}", "b": f"crank{k}.A{k}"})
    points = {f"B{k}": [0.4 * k - 0.4, 0] for k in range(3)}
    bar = {"name": "bar", "mass": 1.0, "inertia": 0.1, "at": [0.4, 0.3], "points": points}
    return gw.Model.from_dict({**raw, "bodies": [bar]})


def test_redundant_joints_are_refused():
    """Other designs may violate a joint that is redundant in the model's own pose, and reactions would not be unique."""
    section = {"type": "forward", "until": 0.1, "step": 1e-3, "method": "rk4"}
    with pytest.raises(ModelError, match="redundant joints cannot be printed yet"):
        gw.designs(bar_on_three_cranks(), {"L": [0.3, 0.31]}, measures=["bar.x.final"], analysis=section)


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"spectral_radius": 1.7}, "outside"),
        ({"tolerance": -1}, "tolerance"),
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": "1e-9*k"}, "depends on a parameter that is varied"),
    ],
)
def test_analysis_settings_are_validated(section, said):
    section = {"type": "forward", "until": 0.1, "step": 1e-3, **section}
    with pytest.raises(ModelError, match=said):
        gw.designs(ball(), {"k": [2e4, 3e4]}, measures=["ball.x.final"], analysis=section)


def test_a_varied_approach_speed_is_refused():
    raw = ball().to_dict()
    raw["contacts"][0]["approach_speed"] = "vx"
    section = {"type": "forward", "until": 0.1, "step": 1e-3}
    with pytest.raises(ModelError, match=r"approach_speed.*depends on a parameter that is varied"):
        gw.designs(gw.Model.from_dict(raw), {"vx": [0.4]}, measures=["ball.x.final"], analysis=section)


@pytest.mark.slow
def test_gradients_where_two_feet_touch_down_at_once():
    raw = ball(friction="smooth-coulomb").to_dict()
    raw["bodies"][0] |= {"at": [0, "height"], "spin": 0, "velocity": [0, 0], "points": {"L": [-0.2, 0], "R": [0.2, 0]}}
    raw["parameters"] = {"k": 2e4, "height": 0.2}
    raw["gravity"] = [0, -9.81]
    foot = raw["contacts"][0]
    del foot["circle"]
    raw["contacts"] = [foot | {"name": side, "point": f"ball.{side}"} for side in "LR"]
    section = {"type": "forward", "until": 0.25, "step": 1e-3, "method": "rk4", "tolerance": 1e-12}
    measures = ["ball.vy.final", "L.normal_force.mean"]
    exact, found = differences(gw.Model.from_dict(raw), ["height", "k"], measures, section, 1e-4)
    assert np.all(np.abs(exact - found) <= 5e-3 * np.abs(found).max(axis=1, keepdims=True)), (exact, found)


def test_a_start_next_to_a_singular_pose_fails():
    """Parallelogram with a drawn pose that is flat up to a billionth."""
    model = gw.Model("flat", parameters={"turn": 1e-9})
    model.ground_point("O", 0, 0).ground_point("C", 0.4, 0).point("A", "0.2*cos(turn)", "0.2*sin(turn)")
    model.point("B", "0.4 + 0.2*cos(turn)", "0.2*sin(turn)")
    for name, ends, length in (("crank", ("O", "A"), 0.2), ("bar", ("A", "B"), 0.4), ("rocker", ("C", "B"), 0.2)):
        model.link(name, *ends, length=length, mass=0.1)
    section = {"type": "forward", "until": 0.05, "step": 1e-3, "method": "rk4"}
    table = gw.designs(model, {"turn": [1e-9, 0.5]}, measures=["bar.y.final"], analysis=section)
    assert table["failure"].values.tolist() == [3, 0]


def test_a_start_velocity_may_be_zero_in_some_designs():
    """A start velocity of zero is not stored as a requested velocity; the design must still match the others."""
    body = {"name": "ball", "mass": 1.0, "inertia": 0.004, "at": [0, "h"], "velocity": ["vx", 0]}
    for own in (0.0, 0.3):
        model = gw.Model.from_dict({"gaitwright": 1, "parameters": {"vx": own, "h": 0.4}, "bodies": [body]})
        section = {"type": "forward", "until": 0.1, "step": 1e-3, "method": "rk4"}
        table = gw.designs(model, {"vx": [0.0, 0.1, 0.2]}, measures=["ball.x.final"], analysis=section)
        np.testing.assert_allclose(table["ball.x.final"], [0.0, 0.01, 0.02], atol=1e-15)


def test_unsupported_outputs_are_reported():
    section = {"type": "forward", "until": 0.01, "step": 1e-3, "method": "rk4"}
    for name in ("floor.slip", "floor.dissipated"):
        with pytest.raises(ModelError, match=rf"{name}.*(cannot be printed yet|no output)"):
            gw.designs(ball(), {"k": [2e4]}, measures=[f"{name}.final"], analysis=section)


@needs_compiler
def test_designs_that_diverge_fail_with_their_reason():
    """A stiff spring with a step that is too long: the motion stays finite, but its energy is wrong."""
    model = gw.Model("bar", parameters={"k": 100.0})
    model.ground_point("O", 0, 0).ground_point("S", 0.2, -1).point("A", 0.5, 0)
    model.link("bar", "O", "A", mass=1.0).force.spring_damper("A", "S", stiffness="k", rest_length=0.2)
    found = {}
    for step in (0.02, 0.002):
        section = {"type": "forward", "until": 2, "step": step, "method": "rk4"}
        data = gw.designs(model, {"k": [100.0, 1000.0]}, analysis=section, measures=["bar.spin.max_abs"])
        reasons = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
        found[step] = [reasons[code] for code in data["failure"].values.tolist()], data["feasible"].values.tolist()
    assert found[0.002] == (["", ""], [True, True])
    assert found[0.02][1] == [True, False] and "has diverged: its energy does not balance" in found[0.02][0][1]
