"""Drive torques and joint reactions: thesis 003 Eq 2.19, Newton and Euler for every body, power balance, mixed systems."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from analysis.mechanisms import drawn_four_bar, five_bar, parallelogram, slider_crank
from gaitwright.mechanisms import four_bar, jansen_leg
from gaitwright.physics.declarations import Drive, Force, Joint
from gaitwright.physics.joints.point_on_curve import CurveContact

G = 9.81


# One rotational drive: Eq 2.19


def random_four_bar(seed):
    """A crank-rocker with random lengths, masses, springs, a coupler mass off the line and a load."""
    rng = np.random.default_rng(seed)
    crank = rng.uniform(0.05, 0.1)
    lengths = (crank, *rng.uniform(0.25, 0.35, 2))
    ground = rng.uniform(0.25, 0.35)  # shortest + longest < sum of the others: the crank turns fully
    model = drawn_four_bar((crank, 0.0), (0.3, 0.25), lengths, ground, rng.uniform(0.1, 2.0, 3))
    model.body("mass", mass=rng.uniform(0.1, 1), inertia=rng.uniform(1e-3, 1e-2), at=(0.2, 0.2), points={"P": (0, 0)})
    model.fixed("coupler.A", "mass.P")
    model.ground_point("S", 0.1, 0.5).spring_damper("S", "coupler.B", stiffness=rng.uniform(10, 200), damping=2.0)
    model.torsion_spring("ground", "rocker", stiffness=0.3, damping=0.01)
    model.apply_force("coupler.B", (rng.uniform(-5, 5), "3*sin(5*t)")).apply_torque("rocker", "0.2*cos(3*t)")
    return model.drive_rotation("crank", f"{rng.uniform(3, 12)!r}*t + 0.3*sin(4*t)")


ONE_DRIVE = {f"four-bar {seed}": lambda seed=seed: random_four_bar(seed) for seed in range(8)} | {
    "jansen": jansen_leg,
    "slider-crank": slider_crank,
    "parallelogram": lambda: parallelogram(drive="1 + 2*t"),
}


def body_wise(run, quantity):
    """Sum over all bodies of quantity(mass, inertia, outputs of the body)."""
    total = np.zeros(run.time.size)
    for name, body in run.mechanism.body_names.items():
        total += quantity(body.mass, body.inertia, lambda what, name=name: run.array(f"{name}.{what}"))
    return total


def power_of_inertia_and_weight(run):
    """d/dt of kinetic energy and of the potential of gravity, from the motion."""
    return body_wise(
        run,
        lambda m, J, of: (
            m * (of("vx") * of("ax") + of("vy") * (of("ay") + G)) + J * of("spin") * of("angular_acceleration")
        ),
    )


def power_of_forces(run):
    """Power of springs, dampers and loads on the mechanism, from their own outputs and the motion of their points."""
    total, t = np.zeros(run.time.size), run.time
    for names in run.mechanism.force_names:
        if names.type == "spring-damper":
            total += run.array(f"{names.name}.force") * run.array(f"{names.name}.rate")
        elif names.type == "torsion-spring":
            total += run.array(f"{names.name}.torque") * run.array("rocker.spin")
        elif names.type == "force":
            entry = run.document["forces"][2]["value"]
            total += float(entry[0]) * run.array("B.vx") + 3 * np.sin(5 * t) * run.array("B.vy")
        elif names.type == "torque":
            total += 0.2 * np.cos(3 * t) * run.array("rocker.spin")
    return total


@pytest.mark.parametrize("name", ONE_DRIVE)
def test_one_drive_torque_by_eq_2_19(name):
    """lambda = q'^T (M q'' - h) / omega to 1e-12 of the largest torque."""
    model = ONE_DRIVE[name]()
    run = model.inverse(1.0, step=0.01)
    (drive,) = (names for names in run.mechanism.constraint_names if names.kind == "drive")
    power = power_of_inertia_and_weight(run) - power_of_forces(run)
    omega = run.array(f"{drive.bodies[0]}.spin")
    tau = run.array(f"{drive.name}.torque")
    assert np.abs(tau - power / omega).max() < 1e-12 * np.abs(tau).max()
    assert run.evidence.analysis == "inverse"


# Several drives


@pytest.mark.parametrize("build", [five_bar])
def test_power_of_several_drives(build):
    """Sum of tau_i omega_i is the rate of the energy; each drive has its own torque."""
    run = build().inverse(2.0, step=0.01)
    drives = [names for names in run.mechanism.constraint_names if names.kind == "drive"]
    assert len(drives) == 2
    power = sum(run.array(f"{d.name}.torque") * run.array(f"{d.bodies[0]}.spin") for d in drives)
    truth = power_of_inertia_and_weight(run)
    assert np.abs(power - truth).max() < 1e-12 * np.abs(truth).max()
    for d in drives:
        mine = run.array(f"{d.name}.torque") * run.array(f"{d.bodies[0]}.spin")
        assert np.allclose(run.array(f"{d.name}.power"), mine, rtol=0, atol=1e-13 * np.abs(mine).max())
    total = run.array("m1.work") + run.array("m2.work")
    assert np.allclose(run.array("energy.work"), total, rtol=0, atol=1e-14)
    change = run.array("energy.kinetic") + run.array("energy.potential")
    assert np.allclose(total, change - change[0], rtol=0, atol=1e-6 * np.abs(change - change[0]).max())


# Newton and Euler for every body


def everything():
    """All joints, all drives and all forces of the library in one driven machine."""
    model = slider_crank(0.7, None)
    model.document.name = "everything"
    # a weld on the rod, a distance rod to a rocker, a slot on the rocker, a gear from the crank
    model.body("plate", mass=0.2, inertia=1e-3, at=(0.2, 0.1), angle=0.3, points={"P": (-0.02, 0.01)})
    model.fixed("rod.A", "plate.P", name="weld")
    model.ground_point("R", 0.1, 0.4)
    model.body(
        "rocker", mass=0.3, inertia=2e-3, at=(0.2, 0.4), points={"R": (-0.1, 0), "Q": (0.1, 0.02), "S": (0, 0.05)}
    )
    model.revolute("R", "rocker.R", name="pivot").distance("block.P", "rocker.Q", name="strut")
    model.body(
        "follower", mass=0.15, inertia=1e-3, at=(0.3, 0.7), angle=0.2, points={"P": (0.03, 0), "Q": (-0.05, 0.02)}
    )
    model.slot("rocker.S", "follower.P", (0.8, 0.6), name="slot")
    model.ground_point("W", -0.3, 0.1).body("wheel", mass=0.4, inertia=1e-3, at=(-0.3, 0.1), points={"M": (0, 0)})
    model.revolute("W", "wheel.M", name="axle").gear("crank", "wheel", -2.5, carrier="rocker", name="teeth")
    # a rack that the rocker guides, on the wheel
    model.body("bar", mass=0.25, inertia=1e-3, at=(0.25, 0.5), angle=0.1, points={"P": (0.02, -0.03)})
    model.prismatic("rocker.S", "bar.P", (0.6, 0.8), name="way")
    model.joint("rack", "pinion", a="rocker.Q", b="bar.P", axis=(0.6, 0.8), pinion="wheel", radius=0.02)
    # a lifter on a round cam of the crank
    model.ground_point("L", 0.005, 0).body(
        "lifter", mass=0.2, inertia=1e-3, at=(-0.005, 1.02), points={"P": (0.01, -0.02)}
    )
    model.prismatic("L", "lifter.P", (0, 1), name="lane")
    circle = {"x": "cos(s)", "y": "sin(s)", "start": 0.9}
    model.joint("point-on-curve", "cam", a="crank.A", b="lifter.P", **circle)
    # drives: crank, follower (rotation relative to the rocker, one coordinate), three carriages
    model.drive_rotation("crank", "0.7 + 5*t", name="motor")
    model.drive_relative_rotation("rocker", "follower", "0.2 + 0.5*sin(2*t)", name="servo")
    model.drive_position("follower.Q", x="0.25 + 0.05*sin(3*t)", name="rail")
    for k, name in enumerate(("one", "two")):
        model.body(name, mass=0.3 + 0.1 * k, inertia=1e-3, at=(1 + k, 1), points={"P": (0.1, 0.05), "Q": (0, -0.1)})
    model.drive_position("one.P", x="1 + 0.1*sin(2*t)", y="1 + 0.2*t^2", name="robot").drive_rotation(
        "one", "t", name="wrist2"
    )
    model.drive_position("two.P", y="1 - 0.3*sin(t)", name="lift").drive_rotation("two", "0.3*t^2", name="tilt")
    model.drive_distance("one.Q", "two.Q", "1.1 + 0.2*sin(4*t)", name="actuator")
    # forces
    model.ground_point("S", 0.5, -0.3).spring_damper(
        "S", "plate", stiffness=80, damping=3, rest_length=0.2, name="spring"
    )
    model.torsion_spring("rocker", "plate", stiffness=0.5, damping=0.05, rest_angle=0.1, name="coil")
    model.bumper("crank", "rod", lower=-0.5, upper=0.5, stiffness=4.0, damping=0.05, name="stop")
    model.apply_force("one.Q", ("2*t", -1), name="dead").apply_force(
        "two.Q", (1, "sin(t)"), frame="body", name="follow"
    )
    return model.apply_torque("wheel", "0.1*cos(t)", name="brake")


class Wrenches:
    """Adds up the reported forces and moments per body: about the centre of mass, (n_times, 3)."""

    def __init__(self, run):
        self.run = run
        self.total = {name: np.zeros((run.time.size, 3)) for name in run.mechanism.body_names}

    def place(self, body, local):
        if body == "ground":
            return np.tile(local, (self.run.time.size, 1)).astype(float)
        names = self.run.mechanism.body_names[body]
        x, y, theta = (self.run.array(f"{names.name}.{what}") for what in ("x", "y", "angle"))
        c, s = np.cos(theta), np.sin(theta)
        return np.stack([x + c * local[0] - s * local[1], y + s * local[0] + c * local[1]], axis=1)

    def direction(self, body, vector):
        theta = np.zeros(self.run.time.size) if body == "ground" else self.run.array(f"{body}.angle")
        c, s = np.cos(theta), np.sin(theta)
        return np.stack([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]], axis=1)

    def push(self, body, force, at):
        """A force (n_times, 2) on a body at a place of the ground frame."""
        if body == "ground":
            return
        centre = np.stack([self.run.array(f"{body}.x"), self.run.array(f"{body}.y")], axis=1)
        arm = at - centre
        self.total[body][:, :2] += force
        self.total[body][:, 2] += arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]

    def twist(self, body, moment):
        if body != "ground":
            self.total[body][:, 2] += moment

    def pair(self, a, b, force, at):
        """A force on b, its opposite on a, at one place."""
        self.push(b, force, at)
        self.push(a, -force, at)


def pinned(w, bodies, p, of):
    at = w.place(bodies[1], p[2:4])
    w.pair(*bodies, np.stack([of("fx"), of("fy")], axis=1), at)


def welded(w, bodies, p, of):
    pinned(w, bodies, p, of)
    twisted(w, bodies, of("moment"))


def twisted(w, bodies, moment):
    w.twist(bodies[1], moment)
    w.twist(bodies[0], -moment)


def slotted(w, bodies, p, of):
    normal = w.direction(bodies[0], (-p[5], p[4]))
    w.pair(*bodies, of("normal")[:, None] * normal, w.place(bodies[1], p[2:4]))


def sliding(w, bodies, p, of):
    slotted(w, bodies, p, of)
    twisted(w, bodies, of("moment"))


def curved(w, bodies, p, of):
    """The normal force of the round cam, along its tangent turned by +90 degrees: towards its centre."""
    cam, lifter, _ = bodies
    at = w.place(lifter, p[2:4])
    way = at - w.place(cam, p[0:2])
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0, rtol=0, atol=1e-12)
    w.pair(cam, lifter, -of("normal")[:, None] * way, at)


def strutted(w, bodies, p, of):
    a, b = w.place(bodies[0], p[0:2]), w.place(bodies[1], p[2:4])
    w.pair(*bodies, of("force")[:, None] * (b - a) / np.linalg.norm(b - a, axis=1)[:, None], b)


def geared(w, bodies, p, of):
    a, b, carrier = bodies
    torque, ratio = of("torque"), p[0]
    w.twist(b, torque)
    w.twist(a, -ratio * torque)
    w.twist(carrier, (ratio - 1) * torque)


def racked(w, bodies, p, of):
    guide, rack, pinion = bodies
    force, radius = of("force"), p[6]
    w.pair(guide, rack, force[:, None] * w.direction(guide, p[4:6]), w.place(rack, p[2:4]))
    w.twist(pinion, -radius * force)
    w.twist(guide, radius * force)


def held(w, bodies, p, of, names):
    force = np.zeros((w.run.time.size, 2))
    for k, what in enumerate(("force_x", "force_y")):
        if what in names:
            force[:, k] = of(what)
    w.push(bodies[0], force, w.place(bodies[0], p[0:2]))


REACTIONS = {
    ("joint", "revolute"): pinned,
    ("joint", "fixed"): welded,
    ("joint", "prismatic"): sliding,
    ("joint", "slot"): slotted,
    ("joint", "point-on-curve"): curved,
    ("joint", "distance"): strutted,
    ("joint", "gear"): geared,
    ("joint", "rack"): racked,
    ("drive", "distance"): strutted,
    ("drive", "rotation"): lambda w, bodies, p, of: w.twist(bodies[0], of("torque")),
    ("drive", "relative-rotation"): lambda w, bodies, p, of: twisted(w, bodies, of("torque")),
    ("drive", "position"): lambda w, bodies, p, of: held(w, bodies, p, of, ("force_x", "force_y")),
    ("drive", "position-x"): lambda w, bodies, p, of: held(w, bodies, p, of, ("force_x",)),
    ("drive", "position-y"): lambda w, bodies, p, of: held(w, bodies, p, of, ("force_y",)),
}


def loaded(w, run):
    """The loads of `everything`, with the values given there."""
    t, one = run.time, np.ones(run.time.size)
    points = run.mechanism.body_names
    w.push("one", np.stack([2 * t, -one], axis=1), w.place("one", points["one"].points["Q"]))
    c, s = np.cos(run.array("two.angle")), np.sin(run.array("two.angle"))
    f = np.stack([c - s * np.sin(t), s + c * np.sin(t)], axis=1)
    w.push("two", f, w.place("two", points["two"].points["Q"]))
    w.twist("wheel", 0.1 * np.cos(t))


def type_of(names):
    """Type of a joint or drive in model files: every curve has a separate declaration."""
    return "point-on-curve" if names.type.startswith(f"{CurveContact.name}-") else names.type


def test_newton_and_euler_for_every_body():
    """Reported reactions 'on b' (and their opposites on a), springs, loads and weight add up to m a and J alpha."""
    run = everything().inverse(0.6, step=0.02)
    mechanism = run.mechanism
    w = Wrenches(run)
    assert mechanism.degrees_of_freedom == 0
    for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
        apply = REACTIONS[names.kind, type_of(names)]
        apply(w, names.bodies, element.parameters, lambda what, names=names: run.array(f"{names.name}.{what}"))
    for names in mechanism.force_names:
        p = names.element.parameters

        def of(what, names=names):
            return run.array(f"{names.name}.{what}")

        if names.type == "spring-damper":
            strutted(w, names.bodies, p, of)
        elif names.type in ("torsion-spring", "bumper"):
            twisted(w, names.bodies, of("torque"))
    loaded(w, run)
    for name, body in mechanism.body_names.items():
        ax, ay, alpha = (run.array(f"{name}.{what}") for what in ("ax", "ay", "angular_acceleration"))
        needed = np.stack([body.mass * ax, body.mass * (ay + G), body.inertia * alpha], axis=1)
        size = np.abs(w.total[name]).max() + np.abs(needed).max() + 1.0
        assert np.abs(w.total[name] - needed).max() < 1e-11 * size, name
    assert np.abs(run.array("stop.torque")).max() > 0.1  # the bumper is hit


def test_the_machine_contains_every_joint_drive_and_force():
    mechanism = everything().mechanism()
    used = {(names.kind, type_of(names)) for names in mechanism.constraint_names}
    used |= {("force", names.type) for names in mechanism.force_names}
    library = {
        (kind, name)
        for kind, registry in (("joint", Joint.registry[2]), ("drive", Drive.registry[2]), ("force", Force.registry[2]))
        for name, declaration in registry.items()
        if declaration.__module__.startswith("gaitwright.physics.")
        and "nonlinear" not in name  # test_nonlinear_springs.py
    }
    library -= {
        ("force", name) for name in ("moment", "distributed-force", "pressure", "traction")
    }  # of beams and solids
    library -= {("drive", "displacement")}  # tests/model/test_solid_drives.py
    assert used == library == {*REACTIONS, *(key for key in library if key[0] == "force")}


def test_reaction_label_names_loaded_body():
    run = everything().inverse(0.02, step=0.01)
    for output, body in (("teeth.torque", "wheel"), ("strut.force", "rocker"), ("motor.torque", "crank")):
        assert f"on {body}" in run[output].attrs["long_name"]


def test_inverse_dynamics_is_the_kinematic_analysis_with_reactions():
    kinematic, inverse = four_bar().kinematics(0.5, step=0.01), four_bar().inverse(0.5, step=0.01)
    assert np.array_equal(kinematic.motion.q, inverse.motion.q)
    assert np.array_equal(kinematic.motion.lam, inverse.motion.lam)


# Mixed systems


def cart_pendulum():
    """A cart on a driven rail carries a free pendulum (uniform rod of 1 m, 0.5 kg)."""
    model = gw.Model("cart").ground_point("O", 0, 0)
    model.body("cart", mass=2.0, inertia=0.1, points={"P": (0, 0)}).prismatic("O", "cart.P", (1, 0))
    model.body("rod", mass=0.5, inertia=0.5 / 12, at=(0, -0.5), points={"P": (0, 0.5)})
    return model.revolute("cart.P", "rod.P", name="pin").drive_position("cart.P", x="0.1*sin(6*t)", name="rail")


def test_a_mixed_system_is_solved_forward_and_reports_its_drive():
    """Cart follows its drive; the pendulum swings freely: J' theta'' = -m l (g sin + a cos); force by momentum."""
    run = cart_pendulum().inverse(1.0, step=0.01, tolerance=1e-10)
    t = run.time
    assert np.allclose(t, np.arange(101) * 0.01, rtol=0, atol=1e-12)
    assert run.evidence.analysis == "inverse" and run.mechanism.degrees_of_freedom == 1
    assert "the drives leave 1 degree of freedom free: solved as forward dynamics" in run.evidence.warnings
    m, l, about_pin = 0.5, 0.5, 0.5 / 3

    def rail(t):
        return -3.6 * np.sin(6 * t)

    def swing(t, y):
        return y[1], -m * l * (G * np.sin(y[0]) + rail(t) * np.cos(y[0])) / about_pin

    # The drive moves with 0.6 m/s at the start; the pendulum has the velocity that costs least kinetic energy.
    begin = run.array("rod.spin")[0]
    truth = solve_ivp(swing, (0, 1), (0.0, begin), t_eval=t, rtol=1e-12, atol=1e-12).y
    assert np.allclose(run.array("rod.angle"), truth[0], rtol=0, atol=1e-7)
    force = 2.0 * run.array("cart.ax") + 0.5 * run.array("rod.ax")
    assert np.allclose(run.array("rail.force_x"), force, rtol=0, atol=1e-10)
    assert np.allclose(run.array("cart.x"), 0.1 * np.sin(6 * t), rtol=0, atol=1e-14)
    assert run.drive_work("rail")["absolute"] > 0


@pytest.mark.parametrize("options", [{"method": "rk4"}, {"method": "generalized-alpha"}, {"method": "radau5"}])
def test_a_mixed_system_takes_the_options_of_simulate(options):
    reference = cart_pendulum().inverse(0.3, step=0.01, tolerance=1e-10)
    run = cart_pendulum().inverse(0.3, step=2e-3 if options["method"] != "radau5" else 0.01, **options)
    assert run.evidence.method == options["method"] and run.time.size in (31, 151)
    assert run.array("rod.angle")[-1] == pytest.approx(reference.array("rod.angle")[-1], abs=1e-4)


def test_a_mixed_system_at_given_times():
    times = np.linspace(0, 0.2, 5)
    assert np.allclose(cart_pendulum().inverse(times=times).time, times, rtol=0, atol=1e-12)
    for wrong in ([0.0, 0.1, 0.3], [0.1, 0.2], [0.0]):
        with pytest.raises(gw.ModelError, match="times"):
            cart_pendulum().inverse(times=wrong)
    with pytest.raises(gw.ModelError, match="until"):
        cart_pendulum().inverse()


def test_drive_reactions_of_a_free_run_agree_with_inverse_dynamics():
    """The same fully driven leg by forward dynamics: its torque is that of inverse dynamics."""
    forward, inverse = (
        jansen_leg().simulate(0.3, tolerance=1e-10, output_step=0.01),
        jansen_leg().inverse(0.3, step=0.01),
    )
    tau = inverse.array("crank.torque")
    assert np.abs(forward.array("crank.torque") - tau).max() < 1e-9 * np.abs(tau).max()
    assert math.isclose(forward.time[-1], 0.3)
