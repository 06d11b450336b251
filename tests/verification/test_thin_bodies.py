"""Rods and plates without thickness, with a singular mass matrix: their motion satisfies their equations, with every method.

Reference: the spherical pendulum in the direction of the rod, Euler's equations of a free plate, and the same linkages in the
plane, where a bar has no thickness to begin with."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from gaitwright._core.errors import SingularPose
from gaitwright.integrate import load_all

GRAVITY, MASS, LENGTH = 9.81, 2.0, 0.8
INERTIA = MASS * LENGTH**2 / 12
TILT, SPEED = 0.9, 1.25
END = 1.0

FINE = {"tolerance": 1e-11}
STEPS = {"step": 1e-3}
METHODS = {
    "dopri5": (FINE, 1e-11), "radau5": (FINE, 1e-11), "rosenbrock23": ({"tolerance": 1e-8}, 1e-5),
    "rk4": (STEPS, 1e-10), "gill": (STEPS, 1e-10), "gauss2": (STEPS, 1e-11), "gauss3": (STEPS, 1e-12),
    "gauss1": (STEPS, 1e-5), "generalized-alpha": (STEPS, 2e-5), "moreau": (STEPS, 1e-6), "euler": (STEPS, 1e-2),
}  # fmt: skip
"""Options, and how far the end of the rod may be off, in its length: the order of the method at this step."""


def pendulum(joint="universal", inertia=(0.0, INERTIA, INERTIA)):
    """A rod along its own x axis, hung up at one end and pushed sideways. Its turn about itself is held by the joint alone."""
    model = gw.Model(name="rod", dimension=3, gravity=(0, 0, -GRAVITY))
    along = np.array([0.0, np.sin(TILT), -np.cos(TILT)])
    axes = [along, [1.0, 0.0, 0.0], np.cross(along, [1.0, 0.0, 0.0])]
    model.body(
        "rod", mass=MASS, inertia=list(inertia), at=list(LENGTH / 2 * along), orientation={"axes": [list(a) for a in axes]},
        points={"top": [-LENGTH / 2, 0, 0], "end": [LENGTH / 2, 0, 0]},
    )  # fmt: skip
    model.ground_point("O", 0, 0, 0).velocity("rod.end", -SPEED, 0, 0)
    across = {"axis": [0, 1, 0], "axis_b": [0, 1, 0]} if joint == "universal" else {}
    return model.joint(joint, a="ground.O", b="rod.top", **across)


@pytest.fixture(scope="module")
def direction():
    """Final direction of the rod: u'' = -(u'.u') u + 3/2 g/L (e - (e.u) u), e downwards."""
    down = np.array([0.0, 0.0, -1.0])

    def rate(_, y):
        u, v = y[:3], y[3:]
        return np.r_[v, -(v @ v) * u + 1.5 * GRAVITY / LENGTH * (down - (down @ u) * u)]

    begin = [0.0, np.sin(TILT), -np.cos(TILT), -SPEED / LENGTH, 0.0, 0.0]
    return solve_ivp(rate, (0.0, END), begin, method="DOP853", rtol=1e-13, atol=1e-13).y[:3, -1]


def test_all_methods_are_tested():
    assert set(METHODS) == set(load_all())


@pytest.mark.parametrize("method", METHODS)
def test_spherical_pendulum(method, direction):
    options, tolerance = METHODS[method]
    run = pendulum().simulate(until=END, method=method, **options)
    found = np.array([run.array(f"rod.end.{axis}")[-1] for axis in "xyz"]) / LENGTH
    assert np.abs(found - direction).max() < tolerance


def test_almost_thin_is_the_limit(direction):
    """With a little inertia about its axis the same rod comes near, by as much as that inertia counts."""
    for part in (1e-3, 1e-5):
        run = pendulum(inertia=(part * INERTIA, INERTIA, INERTIA)).simulate(until=END, tolerance=1e-10)
        found = np.array([run.array(f"rod.end.{axis}")[-1] for axis in "xyz"]) / LENGTH
        assert 1e-2 * part < np.abs(found - direction).max() < 10 * part


@pytest.mark.parametrize("ends", [("top",), ("top", "end")])
def test_freely_spinning_rod_is_named(ends):
    model = pendulum("spherical")
    if len(ends) > 1:
        place = [0.0, LENGTH * np.sin(TILT), -LENGTH * np.cos(TILT)]
        model.body("block", mass=1.0, inertia=[0.1, 0.1, 0.1], at=place, points={"P": [0, 0, 0]})
        model.joint.spherical("rod.end", "block.P")
    for analysis in (lambda: model.simulate(until=0.1), model.modes):
        with pytest.raises(
            SingularPose, match=r"body 'rod' has no inertia about its axis \[1, 0, 0\] and nothing holds it"
        ):
            analysis()


def test_free_plate():
    """Euler's equations in the frame of the plate, I w' = -w x I w, and its frame by A' = A w~; here about no principal
    axis. A plate needs no joint."""
    moments, spin = np.array([0.02, 0.05, 0.07]), np.array([1.0, 6.0, 0.5])
    model = gw.Model(name="plate", dimension=3, gravity=(0, 0, 0))
    model.body(
        "plate", mass=1.0, inertia=list(moments), at=[0, 0, 0], spin=list(spin), points={"P": [1, 0, 0], "Q": [0, 0, 1]}
    )

    def rate(_, y):
        A, w = y[:9].reshape(3, 3), y[9:]
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.r_[(A @ skew).ravel(), -np.cross(w, moments * w) / moments]

    truth = solve_ivp(rate, (0, 3), np.r_[np.eye(3).ravel(), spin], method="DOP853", rtol=1e-13, atol=1e-13).y[:9, -1]
    for method, options, tolerance in (("dopri5", FINE, 1e-9), ("gauss3", {"step": 5e-3}, 1e-8)):
        run = model.simulate(until=3, method=method, **options)
        for point, column in (("P", 0), ("Q", 2)):
            found = [run.array(f"plate.{point}.{axis}")[-1] for axis in "xyz"]
            assert np.abs(np.array(found) - truth.reshape(3, 3)[:, column]).max() < tolerance
        assert np.ptp(run.energy()["energy.kinetic"].values) < 1e-8


PLACES = ((0.0, 0.0), (0.3, 0.1), (0.7, 0.5), (0.9, 0.0))


def planar_rods(count, drive=None):
    model = gw.Model(name="rods", gravity=(0, -GRAVITY))
    model.ground_point("p0", *PLACES[0])
    for k in range(1, count + 1):
        (model.ground_point if k == 3 else model.point)(f"p{k}", *PLACES[k])
    for k in range(count):
        model.link(f"rod{k}", f"p{k}", f"p{k + 1}", mass=1.0 + k)
    return model.drive.rotation("rod0", drive, name="motor") if drive else model


def spatial_rods(count, drive=None):
    """The same with hinges across thin rods; three rods close a four-bar, with three redundant rows."""
    model = gw.Model(name="rods", dimension=3, gravity=(0, -GRAVITY, 0))
    model.ground_point("p0", 0, 0, 0).ground_point("p3", *PLACES[3], 0)
    for k in range(count):
        a, b = (np.array([*PLACES[i], 0.0]) for i in (k, k + 1))
        length, mass = float(np.linalg.norm(b - a)), 1.0 + k
        x, y, _ = (b - a) / length
        moment, half = mass * length**2 / 12, length / 2
        model.body(
            f"rod{k}", mass=mass, inertia=[0, moment, moment], at=list((a + b) / 2),
            orientation={"axes": [[x, y, 0], [-y, x, 0], [0, 0, 1]]}, points={"a": [-half, 0, 0], "b": [half, 0, 0]},
        )  # fmt: skip
        model.joint.revolute("ground.p0" if k == 0 else f"rod{k - 1}.b", f"rod{k}.a", axis=[0, 0, 1], name=f"hinge{k}")
    if count == 3:
        model.joint.revolute("rod2.b", "ground.p3", axis=[0, 0, 1], name="hinge3")
    return model.drive.rotation("hinge0", drive, name="motor") if drive else model


@pytest.mark.parametrize("count", [2, 3])
def test_linkages_of_thin_rods_move_as_in_the_plane(count):
    flat, thin = (make(count).simulate(until=END, tolerance=1e-11) for make in (planar_rods, spatial_rods))
    assert len(thin.evidence.redundant) == (3 if count == 3 else 0)
    for k in range(count):
        for axis in "xy":
            assert abs(flat.array(f"rod{k}.{axis}")[-1] - thin.array(f"rod{k}.{axis}")[-1]) < 1e-10
            assert abs(flat.array(f"rod{k}.a{axis}")[-1] - thin.array(f"rod{k}.a{axis}")[-1]) < 1e-7


def test_driven_and_at_rest():
    """Torque of a driven four-bar, equilibrium and frequencies of a double pendulum."""
    angle = float(np.arctan2(0.1, 0.3))
    times = np.linspace(0, 1, 21)
    flat = planar_rods(3, f"{angle!r} + 0.4*sin(3*t)").inverse(times=times)
    thin = spatial_rods(3, "0.4*sin(3*t)").inverse(times=times)
    torque = flat.array("motor.torque")
    assert np.abs(thin.array("motor.torque") - torque).max() < 1e-10 * np.abs(torque).max()
    assert np.abs(thin.array("rod1.y") - flat.array("rod1.y")).max() < 1e-12
    assert np.abs(spatial_rods(2).static().array("rod1.y") - planar_rods(2).static().array("rod1.y")).max() < 1e-10
    assert np.allclose(spatial_rods(2).modes().frequencies, planar_rods(2).modes().frequencies, rtol=1e-9)
