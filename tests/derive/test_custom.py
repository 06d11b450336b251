"""User-defined joints, drives, forces, contact laws and friction laws, given as expressions at run time."""

import math
import subprocess
import sys

import numpy as np
import pytest
import sympy
from scipy.integrate import quad, solve_ivp

import gaitwright as gw
from gaitwright.derive import kernel_library
from gaitwright.derive.kernel_library import derive_source, kernel_module
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Force, Joint
from gaitwright.physics.symbolic import clip, cos, log, minus, norm, rate

G = 9.81


class ParabolicTrack(gw.extend.Joint):
    """A bead on y = curvature x^2."""

    name = "parabolic-track"
    attachments = {"bead": gw.extend.Point("the bead")}
    parameters = {"curvature": gw.extend.Number("1/m", "half the second derivative")}
    rows = {"normal": ("N", "m")}

    @staticmethod
    def residual(bead, curvature):
        x, y = bead.position
        return (y - curvature * x**2,)


class HardeningSpring(gw.extend.Force):
    """F = -(k1 d + k3 d^3) along the line, d the elongation."""

    name = "hardening-spring"
    attachments = {"a": gw.extend.Point(), "b": gw.extend.Point()}
    parameters = {
        "k1": gw.extend.Number("N/m"),
        "k3": gw.extend.Number("N/m^3"),
        "rest_length": gw.extend.Number("m", "as drawn unless given", gw.extend.DRAWN),
    }
    observed = {"elongation": ("m", "beyond the rest length")}

    @staticmethod
    def effect(a, b, k1, k3, rest_length):
        d = norm(minus(b.position, a.position)) - rest_length
        return gw.extend.Effect(potential=k1 * d**2 / 2 + k3 * d**4 / 4)

    @staticmethod
    def observe(a, b, k1, k3, rest_length):
        return {"elongation": norm(minus(b.position, a.position)) - rest_length}

    @staticmethod
    def drawn(a, b):
        return {"rest_length": math.dist(a.position, b.position)}


class AirDrag(gw.extend.Force):
    """F = -c |v| v on a point: a load with lost work."""

    name = "air-drag"
    attachments = {"point": gw.extend.Point()}
    parameters = {"c": gw.extend.Number("N s^2/m^2")}

    @staticmethod
    def effect(point, c):
        v = tuple(rate(component) for component in point.position)
        speed = norm(v)
        loads = tuple((-c * speed * component, r) for component, r in zip(v, point.position, strict=True))
        return gw.extend.Effect(loads=loads, dissipative=True)


class SeriesElastic(gw.extend.Force):
    """A spring with a driven rest length."""

    name = "series-elastic"
    attachments = {"a": gw.extend.Point(), "b": gw.extend.Point()}
    parameters = {"k": gw.extend.Number("N/m"), "length": gw.extend.Signal("m")}

    @staticmethod
    def effect(a, b, k, length):
        return gw.extend.Effect(potential=k * (norm(minus(b.position, a.position)) - length) ** 2 / 2)


class CamHeight(gw.extend.Drive):
    """y = e cos(phase(t)) + c0: an eccentric that lifts a point. Its names intentionally match those used in kernels."""

    name = "cam-height"
    attachments = {"q": gw.extend.Point("lifted point")}
    parameters = {
        "e": gw.extend.Number("m"),
        "c0": gw.extend.Number("m"),
        "u": gw.extend.Signal("rad", "angle of the cam"),
    }
    rows = {"lift": ("N", "m")}

    @staticmethod
    def residual(q, e, c0, u):
        return (q.position[1] - e * cos(u) - c0,)


class Sponge(gw.extend.ContactLaw):
    """F = K d / (1 - d / t) + c d d': a layer of thickness t with unbounded force at full compression."""

    name = "sponge"
    valid = "For a test."
    remembers = False
    parameters = {
        "stiffness": gw.extend.Number("N/m"),
        "thickness": gw.extend.Number("m"),
        "damping": gw.extend.Number("N s/m^2"),
    }

    @staticmethod
    def force(penetration, rate, approach, stiffness, thickness, damping):
        return stiffness * penetration / (1 - penetration / thickness) + damping * penetration * rate

    @staticmethod
    def energy(penetration, stiffness, thickness, damping):
        return -stiffness * thickness * (penetration + thickness * log(1 - penetration / thickness))


class Grease(gw.extend.Friction):
    """F = -c v F_n."""

    name = "grease"
    parameters = {"c": gw.extend.Number("s/m")}

    @staticmethod
    def force(slip, stretch, normal, c):
        return -c * slip * normal


def bead_model(x=0.5, curvature=0.8, **body):
    model = gw.Model("bead", gravity=(0, -G))
    fields = {"mass": 0.7, "inertia": 0.01, "at": (x, curvature * x**2), **body}
    model.body("bead", points={"P": (0.0, 0.0)}, **fields)
    return model.joint(ParabolicTrack, "track", bead="bead.P", curvature=curvature)


def test_none_of_these_is_in_the_library():
    own = {ParabolicTrack, HardeningSpring, AirDrag, CamHeight, Sponge, Grease}
    assert own.isdisjoint(declaration for declaration, _ in kernel_library.library_kernels())
    assert Joint.registry[2]["parabolic-track"] is ParabolicTrack and Force.registry[2]["air-drag"] is AirDrag


@pytest.mark.slow
def test_a_bead_swings_on_a_parabola():
    """Compared with the pendulum equation of the bead: (1 + 4 k^2 x^2) x'' + 4 k^2 x x'^2 + 2 g k x = 0."""
    k, x0 = 0.8, 0.5
    run = bead_model(x0, k).simulate(2.0, method="dopri5", tolerance=1e-11, output_step=0.02)

    def motion(t, state):
        x, v = state
        return v, -(4 * k**2 * x * v**2 + 2 * G * k * x) / (1 + 4 * k**2 * x**2)

    truth = solve_ivp(motion, (0, 2), (x0, 0.0), t_eval=run.time, rtol=1e-12, atol=1e-12).y
    x, y = run.array("bead.x"), run.array("bead.y")
    assert np.abs(x - truth[0]).max() < 1e-8
    assert np.abs(y - k * x**2).max() < 1e-14
    assert run.evidence.max_energy_residual < 1e-8
    # The reaction is the force of the track on the bead, along the gradient of Phi.
    normal = run.array("track.normal")
    assert np.allclose(normal, 0.7 * (run.array("bead.ay") + G), rtol=0, atol=1e-12)
    assert np.allclose(-2 * k * x * normal, 0.7 * run.array("bead.ax"), rtol=0, atol=1e-12)
    assert run["track.normal"].attrs["units"] == "N"


@pytest.mark.parametrize("method", ["rk4", "gauss2", "radau5", "rosenbrock23", "generalized-alpha"])
def test_own_joint_in_every_kind_of_method(method):
    """Explicit, implicit with Hessian and acceleration tangents, index 3."""
    options = {} if method in ("radau5", "rosenbrock23") else {"step": 1e-3}
    run = bead_model().simulate(0.3, method=method, **options)
    reference = bead_model().simulate(0.3, tolerance=1e-11)
    assert run.array("bead.x")[-1] == pytest.approx(reference.array("bead.x")[-1], abs=2e-5)


@pytest.mark.parametrize("method", ["dopri5", "radau5", "rk4", "generalized-alpha"])
def test_own_contact_law_and_friction_in_every_kind_of_method(method):
    """Compared with the two equations of motion of a point that hits a sponge at an angle."""
    k, thickness, damping, c, speed = 2e4, 0.05, 4e4, 0.3, 2.0
    model = gw.Model("point", gravity=(0, 0)).body("b", mass=1.0, inertia=1.0, at=(0, 0.1), velocity=(1.5, -speed))
    model.contact("b", gw.surfaces.LineGround(), law=Sponge(k, thickness, damping), friction=Grease(c=c), name="c")
    options = {"tolerance": 1e-9} if method in ("dopri5", "radau5") else {"step": 1e-3}
    run = model.simulate(0.1, method=method, **options)

    def normal(y, vy):
        return max(-k * y / (1 + y / thickness) + damping * y * vy, 0.0)

    def motion(t, state):
        y, vx, vy = state
        return vy, -c * vx * normal(y, vy), normal(y, vy)

    def out(t, state):
        return state[0]

    out.terminal, out.direction = True, 1
    truth = solve_ivp(motion, (0, 1), (0.0, 1.5, -speed), method="DOP853", events=out, rtol=1e-12, atol=1e-13)
    (episode,) = run.episodes
    assert (episode.begin, episode.duration) == pytest.approx((0.05, truth.t[-1]), abs=1e-6)
    assert (run.array("b.vx")[-1], run.array("b.vy")[-1]) == pytest.approx(truth.y[1:, -1], abs=1e-5)
    assert run.evidence.max_energy_residual < 1e-4
    assert 0 < run.array("c.friction_loss")[-1] < run.array("c.dissipated")[-1]


def test_kinematics_of_a_driven_bead():
    k = 0.8
    model = bead_model(0.0, k).drive.position("bead.P", x="0.3*sin(2*t)", name="push").drive.rotation("bead", "t")
    run = model.kinematics(1.0, step=0.05)
    t = run.time
    x, v, a = 0.3 * np.sin(2 * t), 0.6 * np.cos(2 * t), -1.2 * np.sin(2 * t)
    assert np.allclose(run.array("bead.y"), k * x**2, rtol=0, atol=1e-14)
    assert np.allclose(run.array("bead.vy"), 2 * k * x * v, rtol=0, atol=1e-13)
    assert np.allclose(run.array("bead.ay"), 2 * k * (v**2 + x * a), rtol=0, atol=1e-12)


@pytest.mark.slow
def test_a_hardening_spring_swings_faster():
    """Period T = 4 int_0^A dx / sqrt(2 (V(A) - V(x)) / m), with x = A sin(s) against the singularity at A."""
    mass, k1, k3, amplitude, rest = 0.5, 20.0, 4000.0, 0.1, 1.0
    model = gw.Model("duffing", gravity=(0, 0)).ground_point("O", 0, 0).ground_point("R", 0, 0)
    model.body("block", mass=mass, inertia=1.0, at=(rest + amplitude, 0.0), points={"P": (0.0, 0.0)})
    model.joint.prismatic("O", "block.P", (1, 0))
    model.force(HardeningSpring, "spring", a="R", b="block.P", k1=k1, k3=k3, rest_length=rest)
    run = model.simulate(1.5, tolerance=1e-11, output_step=0.01)

    def integrand(s):
        x = amplitude * math.sin(s)
        speed_squared = (k1 + k3 * (amplitude**2 + x**2) / 2) / mass  # (V(A) - V(x)) 2 / m / (A^2 - x^2)
        return 1 / math.sqrt(speed_squared)

    period = 4 * quad(integrand, 0, math.pi / 2, epsabs=1e-13)[0]
    rising = run.crossings("spring.elongation", 0.0, direction=1)
    assert np.diff(rising) == pytest.approx(period, rel=1e-7)
    d = run.array("spring.elongation")
    assert np.allclose(run.array("energy.potential"), k1 * d**2 / 2 + k3 * d**4 / 4, rtol=0, atol=1e-13)
    assert run.evidence.max_energy_residual < 1e-8


def test_a_drawn_rest_length_is_measured():
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("block", mass=1.0, inertia=1.0, at=(0.6, 0.8), points={"P": (0.0, 0.0)})
    model.force(HardeningSpring, "spring", a="O", b="block.P", k1=1.0, k3=1.0)
    assert model.simulate(0.1).array("spring.elongation")[-1] == pytest.approx(0.0, abs=1e-14)


def test_own_dissipative_load_is_counted_as_dissipated():
    """Free fall with quadratic drag: v = v_end tanh(g t / v_end); the dissipated energy is the gravity work minus the kinetic
    energy."""
    mass, c = 0.4, 0.3
    model = gw.Model(gravity=(0, -G)).body("ball", mass=mass, inertia=1.0, velocity=(0, -0.001), points={"P": (0, 0)})
    model.force(AirDrag, "air", point="ball.P", c=c)
    run = model.simulate(1.0, tolerance=1e-10, output_step=0)
    end = math.sqrt(mass * G / c)
    speed = end * np.tanh(G * run.time / end + math.atanh(0.001 / end))
    assert np.allclose(-run.array("ball.vy"), speed, rtol=0, atol=1e-8)
    assert run.array("air.dissipated")[-1] > 0.5
    assert run.evidence.max_energy_residual < 1e-9


def test_a_spring_that_is_tightened_does_work():
    """A rest length that changes with time (an actuator in series) does work on the mechanism: the energy balance closes."""
    model = gw.Model("actuated", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("block", mass=0.5, inertia=1.0, at=(1.0, 0.0), velocity=(0, 0.4), points={"P": (0.0, 0.0)})
    model.force(SeriesElastic, "muscle", a="O", b="block.P", k=50.0, length="1 - 0.3*sin(3*t)")
    run = model.simulate(2.0, tolerance=1e-10, output_step=0)
    stored = 25 * (np.hypot(run.array("block.x"), run.array("block.y")) - 1 + 0.3 * np.sin(3 * run.time)) ** 2
    assert np.allclose(run.array("muscle.energy"), stored, rtol=0, atol=1e-12)
    assert run.array("muscle.work")[-1] > 0.1
    assert run.evidence.max_energy_residual < 1e-8


def test_own_drive_with_names_that_kernels_use_themselves():
    model = gw.Model(gravity=(0, -G)).body("lifter", mass=1.0, inertia=1.0, at=(0, 0.3), points={"P": (0.1, 0.0)})
    model.drive(CamHeight, "cam", q="lifter.P", e=0.05, c0=0.25, u="3*t^2")
    model.drive.rotation("lifter", 0).drive.position("lifter.P", x=0.1, name="guide")
    run = model.inverse(1.0, step=0.01)
    t = run.time
    phase, speed = 3 * t**2, 6 * t
    assert np.allclose(run.array("lifter.y"), 0.05 * np.cos(phase) + 0.25, rtol=0, atol=1e-14)
    lift = -0.05 * (np.cos(phase) * speed**2 + np.sin(phase) * 6)
    assert np.allclose(run.array("lifter.ay"), lift, rtol=0, atol=1e-12)
    assert np.allclose(run.array("cam.lift"), lift + G, rtol=0, atol=1e-12)


def test_an_own_joint_in_a_model_file(tmp_path):
    model = bead_model()
    loaded = gw.load(model.save(tmp_path / "bead.yaml"))
    assert loaded.simulate(0.1).array("bead.x")[-1] == model.simulate(0.1).array("bead.x")[-1]


def test_a_declaration_is_derived_once(monkeypatch):
    """Many elements of a user's type cost one derivation, not one each."""

    class Once(gw.extend.Force):
        name = "derived-once"
        attachments = {"point": gw.extend.Point()}
        parameters = {"k": gw.extend.Number("N/m")}

        @staticmethod
        def effect(point, k):
            return gw.extend.Effect(potential=k * point.position[0] ** 2 / 2)

    calls = []
    original = kernel_library.derive_source
    monkeypatch.setattr(kernel_library, "derive_source", lambda *given: calls.append(1) or original(*given))
    model = gw.Model().body("ball", mass=1, inertia=1, points={"P": (0, 0)})
    for k in range(3):
        model.force(Once, f"f{k}", point="ball.P", k=1.0)
    model.simulate(0.01)
    assert len(calls) == 1


SCRIPT = """
import gaitwright as gw

class Track(gw.extend.Joint):
    name = "track"
    attachments = {"bead": gw.extend.Point()}
    rows = {"normal": ("N", "m")}

    @staticmethod
    def residual(bead):
        x, y = bead.position
        return (y - x**2,)

model = gw.Model().body("bead", mass=1, inertia=1, at=(1, 1), points={"P": (0, 0)})
model.joint(Track, bead="bead.P")
print(model.simulate(0.1).array("bead.x")[-1], model.simulate(0.1).array("bead.x")[-1])
"""


@pytest.mark.slow
def test_the_next_process_loads_what_was_compiled():
    results = set()
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=200)
        assert run.returncode == 0, run.stderr
        results |= set(run.stdout.split())
    assert len(results) == 1


def test_functions_beyond_sine_and_cosine():
    class Ramp(gw.extend.Joint):
        name = "ramp"
        attachments = {"bead": gw.extend.Point()}
        rows = {"normal": ("N", "m")}

        @staticmethod
        def residual(bead):
            x, y = bead.position
            return (y - sympy.atan(x) - sympy.sinh(x) * sympy.pi / 10 - sympy.Abs(x + 5),)

    model = gw.Model().body("ball", mass=1, inertia=1, at=(0.2, 5.0), points={"P": (0, 0)})
    model.joint(Ramp, "ramp", bead="ball.P").drive.position("ball.P", x="0.2 + t").drive.rotation("ball", 0)
    run = model.kinematics(0.2, step=0.1)
    x = 0.2 + run.time
    slope = 1 / (1 + x**2) + np.cosh(x) * math.pi / 10 + 1
    assert np.allclose(run.array("ball.vy"), slope, rtol=0, atol=1e-13)


def test_a_tangent_is_symmetric_only_if_it_is_so_everywhere():
    """A load that acts on one side only must not count as symmetric because the trial points lie on the other side."""
    for sign in (1, -1):

        class OneSided(gw.extend.Force):
            name = "one-sided"
            attachments = {"point": gw.extend.Point()}
            parameters = {"k": gw.extend.Number("N/m")}

            @staticmethod
            def effect(point, k, sign=sign):
                x, y = point.position
                return gw.extend.Effect(loads=((k * clip(sign * y), x),))

        assert kernel_module(OneSided, (PlanarRigidBody,)).SYMMETRIC is False


def declared(base, **members):
    members = {
        "attachments": {"a": gw.extend.Point(), "b": gw.extend.Point()},
        "rows": {"normal": ("N", "m")},
        **members,
    }
    members = {k: staticmethod(v) if callable(v) else v for k, v in members.items()}
    return type("Wrong", (base,), {"name": "wrong", **members})


def _rate_in_residual(a, b):
    return (rate(b.position[0] - a.position[0]),)


WRONG = {
    "more entries than rows": (
        gw.extend.Joint,
        {"residual": lambda a, b: minus(b.position, a.position)},
        "2 entries.*1",
    ),
    "unknown symbol": (
        gw.extend.Joint,
        {"residual": lambda a, b: (b.position[0] - sympy.Symbol("offset"),)},
        "unknown symbol 'offset'",
    ),
    "missing argument": (gw.extend.Joint, {"residual": lambda a: (a.position[0],)}, "residual.* does not fit.*'b'"),
    "no expression": (gw.extend.Joint, {}, r"has no residual\(\)"),
    "velocity in a joint": (gw.extend.Joint, {"residual": _rate_in_residual}, "depends on velocities"),
    "rate of a signal in a drive": (
        gw.extend.Drive,
        {"parameters": {"s": gw.extend.Signal("m")}, "residual": lambda a, b, s: (b.position[0] - rate(s),)},
        "depends on the rate 's_t'",
    ),
    "two quantities of one name": (
        gw.extend.Joint,
        {"parameters": {"x_a": gw.extend.Number("m")}, "residual": lambda a, b, x_a: (b.position[0] - x_a,)},
        "'x_a' stands for two quantities",
    ),
    "unknown function": (
        gw.extend.Joint,
        {"residual": lambda a, b: (sympy.Function("mystery")(b.position[0]),)},
        "mystery",
    ),
    "velocity in a potential": (
        gw.extend.Force,
        {"effect": lambda a, b: gw.extend.Effect(potential=rate(b.position[0]) ** 2)},
        "the potential depends on velocities",
    ),
    "unknown symbol in a force": (
        gw.extend.Force,
        {"effect": lambda a, b: gw.extend.Effect(potential=sympy.Symbol("k") * b.position[0])},
        "unknown symbol 'k'",
    ),
    "observed under another name": (
        gw.extend.Force,
        {
            "observed": {"length": ("m", "")},
            "effect": lambda a, b: gw.extend.Effect(potential=b.position[0]),
            "observe": lambda a, b: {"width": b.position[0]},
        },
        "width.*length",
    ),
}


WRONG_LAWS = {
    "unknown symbol": (
        gw.extend.ContactLaw,
        {"force": lambda penetration, rate, approach: sympy.Symbol("k") * penetration, "energy": lambda penetration: 0},
        "unknown symbol 'k'",
    ),
    "energy of the rate": (
        gw.extend.ContactLaw,
        {"force": lambda penetration, rate, approach: penetration, "energy": lambda penetration, rate: rate},
        "energy.* does not fit.*'rate'",
    ),
    "stretch without limit": (
        gw.extend.Friction,
        {"force": lambda slip, stretch, normal: -stretch * normal},
        r"depends on the stretch; expected a limit\(\)",
    ),
}


@pytest.mark.parametrize("case", WRONG_LAWS)
def test_a_wrong_law_is_explained(case):
    base, members, expected = WRONG_LAWS[case]
    with pytest.raises(gw.ModelError, match=expected) as caught:
        derive_source(declared(base, attachments={}, **members), ())
    assert "type 'wrong'" in str(caught.value)


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_declaration_is_explained(case):
    base, members, expected = WRONG[case]
    with pytest.raises(gw.ModelError, match=expected) as caught:
        derive_source(declared(base, **members), (PlanarRigidBody, PlanarRigidBody))
    assert f"{base.__name__.lower()} type 'wrong'" in str(caught.value) or case == "unknown function"


def test_a_wrong_declaration_is_explained_when_a_model_uses_it():
    wrong = declared(gw.extend.Joint, residual=lambda a, b: minus(b.position, a.position))
    model = gw.Model().ground_point("O", 0, 0).body("ball", mass=1, inertia=1, points={"P": (0, 0)})
    model.joint(wrong, a="O", b="ball.P")
    with pytest.raises(gw.ModelError, match="2 entries"):
        model.simulate(0.1)


def test_a_name_of_the_library_cannot_be_taken():
    with pytest.raises(gw.ModelError, match=r"'revolute' is used by gaitwright\.physics"):
        type("Mine", (gw.extend.Joint,), {"name": "revolute", "attachments": {}, "rows": {}})
    assert Joint.registry[2]["revolute"].__module__.startswith("gaitwright.physics.")
