"""The interface of parts is consistent: places, markers, motions, masses and outlines of all kinds of parts."""

from types import SimpleNamespace

import numpy as np
import pytest

import gaitwright as gw


def planar():
    """Link, body and beam."""
    model = gw.Model("plane").ground_point("O", 0, 0).point("A", 0.3, 0.1).point("B", 0.7, 0.0)
    model.link("bar", "O", "A", mass=0.4, points={"C": (0.02, 0.05)})
    model.body("block", mass=1.5, inertia=0.02, at=(0.7, 0.2), angle=0.4, points={"P": (0.1, -0.05), "Q": (-0.1, 0.02)})
    section = {"youngs_modulus": 2e9, "density": 1200.0, "width": 0.02, "height": 0.003}
    model.beam("rod", "A", "B", elements=3, curvature=0.8, points={"M": 0.1}, **section)
    return model.mechanism()


def spatial():
    """Link, beam, body with its centre beside its origin, counter, and solids, one tied to a body and one held."""
    model = (
        gw.Model("space", dimension=3).ground_point("O", 0, 0, 0).ground_point("C", 1, 0, 0).point("A", 0.2, 0.3, 0.1)
    )
    model.link("bar", "O", "A", mass=0.4, radius=0.01).point("B", 0.5, 0.1, 0.4)
    section = {"youngs_modulus": 2e9, "poissons_ratio": 0.3, "density": 1200.0, "width": 0.02, "height": 0.003}
    model.beam("blade", "A", "B", elements=3, curvature=0.8, twist=2.0, points={"M": 0.1}, **section)
    turned = {"angles": [20, 30, 40], "sequence": "xyz"}
    inertia = {"inertia": [0.1, 0.2, 0.25], "centre": (0.1, 0.2, 0.0)}
    for name, at in (("wheel", (0, 0, 0)), ("other", (1, 0, 0))):
        model.body(name, mass=2.0, at=at, orientation=turned, points={"M": (0, 0, 0), "R": (0.1, 0.3, -0.2)}, **inertia)
    model.joint.revolute("ground.O", "wheel.M", axis=(0, 0, 1), name="a").joint.revolute(
        "ground.C", "other.M", axis=(0, 0, 1), name="b"
    )
    soft = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "density": 10.0}
    for name, fixed in (("free", None), ("tied", {"region": "left", "to": "wheel"}), ("held", "bottom")):
        model.solid(
            name, gw.mesh.box((1, 1, 1), 2), material=soft, fixed=fixed, points={"P": (-0.5, 0, 0), "Q": (0.5, 0.5, 0)}
        )
    return model.joint.gear("a", "b", ratio=-0.5).mechanism()


MECHANISMS = {2: planar(), 3: spatial()}
PARTS = [(dimension, name) for dimension, mechanism in MECHANISMS.items() for name in mechanism.parts]
each = pytest.mark.parametrize(("dimension", "name"), PARTS)


def found(dimension, name):
    mechanism = MECHANISMS[dimension]
    part = mechanism.parts[name]
    named = {point: part.place(point) for point in part.points}
    return mechanism, part, named | ({} if part.centre is None else {"centre": part.centre})


def path(mechanism, t):
    """A motion through the drawn pose at t = 0, quadratic in time."""
    rng = np.random.default_rng(1)
    v, a = rng.normal(size=(2, mechanism.n + 1))
    v[-1] = a[-1] = 0.0
    t = np.asarray(t)[:, None]
    q = mechanism.drawn + t * v + t**2 / 2 * a
    return SimpleNamespace(t=t[:, 0], q=q, v=v + t * a, a=a + 0 * t)


@pytest.mark.parametrize("dimension", MECHANISMS)
def test_coordinates_follow_the_order_of_the_parts(dimension):
    mechanism = MECHANISMS[dimension]
    assert np.concatenate([part.index for part in mechanism.parts.values()]).tolist() == list(range(mechanism.n))
    names = [name for part in mechanism.parts.values() for name, _ in part.coordinates()]
    assert len(set(names)) == mechanism.n and (mechanism.scale > 0.0).all()
    assert all(mechanism.body_of(int(k)).endswith(f"'{p.name}'") for p in mechanism.parts.values() for k in p.index)


@each
def test_mass_resists_a_common_motion(dimension, name):
    mechanism, part, _ = found(dimension, name)
    M = np.zeros((mechanism.n, mechanism.n))
    row, col, value = part.mass_entries()
    M[row, col] = value
    assert pytest.approx(M.T) == M
    for axis in range(dimension):
        along = np.zeros(mechanism.n)
        for moved in (part, *part.carriers):
            along[moved.index] = moved.translation(axis)
        free = name != "held"
        assert not free or along @ M @ along == pytest.approx(part.mass, rel=1e-12)


@each
def test_place_agrees_in_drawing_pose_and_motion(dimension, name):
    mechanism, part, places = found(dimension, name)
    h = 1e-4
    motion = path(mechanism, [-h, 0.0, h])
    for local in places.values():
        assert part.marker_drawn(local).position == pytest.approx(part.position(mechanism.drawn, local), abs=1e-14)
        assert part.place(part.name_of(local) or "centre") == pytest.approx(local, abs=1e-12)
        r, v, a = part.motion_at(motion, local)
        assert r == pytest.approx(part.position(motion.q, local), abs=1e-12)
        assert v[1] == pytest.approx((r[2] - r[0]) / (2 * h), abs=1e-6)
        assert a[1] == pytest.approx((v[2] - v[0]) / (2 * h), abs=1e-6)
        index, rows = part.velocity_at(local)
        assert rows(motion.q[1, index]) @ motion.v[1, index] == pytest.approx(v[1], abs=1e-12)


@each
def test_outputs_and_outlines_are_there_at_all_times(dimension, name):
    mechanism, part, _ = found(dimension, name)
    motion = path(mechanism, np.linspace(0.0, 0.01, 4))
    outputs = [*part.outputs(), *part.more_outputs()]
    assert len({output.name for output in outputs}) == len(outputs)
    assert all(np.isfinite(output.values(motion)).all() and output.values(motion).shape == (4,) for output in outputs)
    lines = list(part.outline(motion.q, mechanism.size))
    assert lines or dimension == 3
    assert all(line.points.shape[::2] == (4, 2) and np.isfinite(line.points).all() for line in lines)


def test_moving_a_beam_as_a_whole_does_not_strain_it():
    mechanism, part, _ = found(2, "rod")
    ((elements, form),) = part.strain_form(mechanism.drawn)
    turn = np.zeros(mechanism.n + 1)
    x, y, u, v = mechanism.drawn[part.index].reshape(-1, 4).T
    turn[part.index] = np.stack([-y, x, -v, u], axis=1).ravel()
    shift = np.zeros(mechanism.n + 1)
    shift[part.index] = part.translation(0)
    for way in (turn, shift):
        strain = np.einsum("ei,eij,ej->", way[elements], form, way[elements])
        assert abs(strain) < 1e-6 * np.einsum("eii,ei,ei->", form, way[elements], way[elements])
    piece = part.piece()
    own = mechanism.drawn[part.index]
    stretched = piece.moved(own, np.zeros(3))
    assert piece.moved(stretched, np.zeros(3)) == pytest.approx(stretched, abs=1e-14)
    h, rows, cols, values = 1e-6, *piece.rates(stretched)
    for k, step in enumerate(h * np.eye(3)):
        rate = np.zeros(own.size)
        rate[rows[cols == k]] = values[cols == k]
        assert piece.moved(stretched, step) - stretched == pytest.approx(h * rate, abs=1e-11)
