"""A condensed solid is a part like any other: a held one equals the full linear solid; a free one rotates, falls and swings
like it."""

import functools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gaitwright as gw

LENGTH, SIDE, YOUNG, DENSITY = 0.2, 0.04, 2e6, 1000.0
MASS = DENSITY * LENGTH * SIDE**2
HALF = (LENGTH / 2, SIDE / 2, SIDE / 2)
MESH = gw.mesh.box((LENGTH, SIDE, SIDE), (6, 2, 2))
SECTION = gw.mesh.rectangle((LENGTH, SIDE), (10, 3))


def bar(onto=None, mesh=MESH, type="linear-elastic", gravity=9.81, skin=True, damping=0.0, **fields):
    d = mesh.dimension
    model = gw.Model("bar", dimension=d, gravity=(0.0,) * (d - 1) + (-gravity,))
    if onto is not None:
        fields["condensed"] = {"onto": onto, "skin": skin}
    material = {"type": type, "youngs_modulus": YOUNG, "poissons_ratio": 0.3, "damping": damping}
    model.solid("bar", mesh, material=material, density=DENSITY, **fields)
    return model


@functools.cache
def part(*onto, mesh=MESH, **fields):
    return bar(list(onto), mesh, **fields).mechanism().parts["bar"]


OUTPUTS = (
    "right.z",
    "right.x",
    "z",
    "left.reaction_x",
    "left.reaction_z",
    "von_mises",
    "largest_displacement",
    "volume",
)
HELD = {
    "an end and a side": (MESH, ["right", "top"], {}),
    "quadratic": (MESH, ["right"], {"elements": "quadratic"}),
    "a place": (MESH, [gw.mesh.HalfSpaceSelector((0.05, 0, 0), (1, 0, 0))], {}),
    "plane": (SECTION, ["right", "top"], {"thickness": 0.04}),
}


@pytest.mark.parametrize("name", HELD)
def test_held_solid_matches_the_full_linear_solid(name):
    """Under its weight and a pull at its end."""
    mesh, onto, fields = HELD[name]
    found = []
    for kept in (None, onto):
        model = bar(kept, mesh, fixed="left", **fields)
        model.force("force", at="bar.right", value=[1.0, -0.5] if mesh is SECTION else [1.0, 0.3, -0.5])
        run = model.static()
        names = [f"bar.{name.replace('z', 'y') if mesh is SECTION else name}" for name in OUTPUTS]
        found.append((np.array([run.array(name)[-1] for name in names]), run.solid("bar", "displacement", "stress")))
    (full, fields), (small, recovered) = found
    np.testing.assert_allclose(small, full, rtol=1e-10)
    for name in ("displacement", "stress"):
        np.testing.assert_allclose(recovered[name], fields[name], atol=1e-10 * float(np.abs(fields[name]).max()))


def test_frequencies_of_a_held_solid_are_upper_bounds():
    full, small = bar(fixed="left").modes().frequencies, bar(["right", "top"], fixed="left").modes().frequencies
    assert (small[:4] >= full[:4]).all()  # Rayleigh: Guyan's modes are a subset of all
    np.testing.assert_allclose(small[:4], full[:4], rtol=0.03)


TURNS = {"a little": [0.1, 0.2, -0.1], "far": [2.0, -1.0, 0.5], "upside down": [np.pi, 0.0, 0.0]}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("onto", [("left", "right"), ("top", "bottom"), ("right",)], ids=str)
def test_rotated_solid_is_recovered_rotated(onto, turn):
    """Also if all kept nodes lie in one plane, and including the stresses inside."""
    one = part(*onto)
    R = Rotation.from_rotvec(TURNS[turn]).as_matrix()
    rng = np.random.default_rng(0)
    q = np.zeros((2, len(one.drawn) + 1))
    u = 1e-3 * rng.standard_normal((len(one.kept), 3))
    places = one.mesh.nodes[one.kept]
    q[0, :-1] = u.ravel()
    q[1, :-1] = ((places + u) @ R.T + 0.3 - places).ravel()
    before, after = one.displacements(q)
    whole = one.mesh.nodes
    np.testing.assert_allclose(whole + after, (whole + before) @ R.T + 0.3, atol=1e-13)
    first, second = (one.fields(one.fillings[0], x) for x in (before, after))
    scale = np.abs(first.stress).max()
    np.testing.assert_allclose(second.stress, R @ first.stress @ R.T, atol=1e-11 * scale)
    assert scale > 1e3


MASSES = {"ends": ("left", "right"), "sides": ("top", "bottom"), "all": ("left", "right", "top", "front")}


@pytest.mark.parametrize("name", MASSES)
def test_rigid_motions_have_the_momentum_and_energy_of_the_whole(name):
    one = part(*MASSES[name])
    M, x = one.carried_mass, one.mesh.nodes[one.kept] + np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(M.sum(), MASS)
    np.testing.assert_allclose(M.sum(axis=0) @ x / MASS, [0.1, 0.2, 0.3])
    about = x - [0.1, 0.2, 0.3]
    sides = np.array([LENGTH, SIDE, SIDE])
    np.testing.assert_allclose(about.T @ M @ about, np.diag(MASS * sides**2 / 12), atol=1e-10 * MASS * LENGTH**2)
    assert np.linalg.eigvalsh(M)[0] > 0.0


def test_coplanar_nodes_carry_the_mass_in_the_plane_and_are_flagged():
    model = bar(["right"])
    one = model.mechanism().parts["bar"]
    assert one.carried_by.flat and any("lie in a plane" in note for note in model.mechanism().warnings)
    np.testing.assert_allclose(one.carried_mass.sum(), MASS)


def test_it_falls_without_strain():
    run = bar(["top", "bottom"]).simulate(until=0.1, step=1e-2, method="generalized-alpha")
    np.testing.assert_allclose(run.array("bar.z")[-1], -0.5 * 9.81 * 0.1**2, rtol=1e-3)
    assert run.array("bar.von_mises").max() < 1e-6 * YOUNG
    np.testing.assert_allclose(run.energy()["energy.residual"], 0.0, atol=1e-8)


def test_free_spin_keeps_energy_and_angular_momentum():
    spin, step = 20.0, 2e-3
    run = bar(["left", "right"], gravity=0.0, velocity=[0.1, 0.0, 0.0], spin=[0.0, 0.0, spin]).simulate(
        until=0.5, step=step, method="generalized-alpha"
    )
    inertia = MASS * (LENGTH**2 + SIDE**2) / 12
    energy = run.energy()
    np.testing.assert_allclose(energy["energy.kinetic"][0], 0.5 * inertia * spin**2 + 0.5 * MASS * 0.1**2, rtol=1e-10)
    np.testing.assert_allclose(energy["energy.residual"], 0.0, atol=2e-3 * float(energy["energy.kinetic"][0]))
    np.testing.assert_allclose(run.array("bar.x")[-1], 0.05, atol=1e-9)
    one, motion = run.mechanism.parts["bar"], run.motion
    x, v = one.mesh.nodes[one.kept] + motion.q[:, one.at_nodes[one.kept]], motion.v[:, one.at_nodes[one.kept]]
    about = x - np.array([0.1, 0.0, 0.0]) * motion.t[:, None, None]
    moment = np.einsum("ab,tai,tbj->tij", one.carried_mass, about, v - [0.1, 0.0, 0.0])
    np.testing.assert_allclose(moment[:, 0, 1] - moment[:, 1, 0], inertia * spin, rtol=2e-3)


def swing(onto, **fields):
    model = bar(onto, points={"A": (-LENGTH / 2, SIDE / 2, SIDE / 2)}, **fields)
    model.ground_point("O", -LENGTH / 2, SIDE / 2, SIDE / 2)
    model.joint("spherical", a="bar.A", b="ground.O")
    return model.simulate(until=0.3, step=2e-3, method="generalized-alpha")


@pytest.mark.slow
@pytest.mark.parametrize(
    "onto",
    [["left", "right"], ["left", "right", gw.mesh.HalfSpaceSelector((0, 0, 0), (0, 0, 1))]],
    ids=["ends", "skin"],
)
def test_swing_matches_the_solid_with_large_rotations(onto):
    full, small = swing(None, type="st-venant-kirchhoff"), swing(onto, type="st-venant-kirchhoff")
    reach = LENGTH * np.ptp(full.array("bar.right.z")) / LENGTH
    for name in ("bar.right.z", "bar.right.x", "bar.z"):
        np.testing.assert_allclose(small.array(name), full.array(name), atol=0.02 * reach)
    kinetic = float(small.energy()["energy.kinetic"].max())
    assert float(np.abs(small.energy()["energy.residual"]).max()) < 2e-3 * kinetic


def test_damping_of_a_rotating_solid_is_in_the_energy_balance():
    run = swing(["left", "right"], damping=1e-3)
    energy = run.energy()
    lost = float(energy["energy.dissipated"][-1])
    assert lost > 0.0 and (np.diff(energy["energy.dissipated"]) >= 0.0).all()
    assert float(np.abs(energy["energy.residual"]).max()) < 2e-3 * float(energy["energy.kinetic"].max())


def test_the_skin_stays_nonlinear():
    layer = gw.mesh.HalfSpaceSelector((0, 0, 0), (0, 0, 1))
    one = part("left", "right", layer, type="neo-hookean")
    assert [f.material.name for f in one.fillings] == [
        "linear-elastic",
        "neo-hookean",
    ] and one.nonlinear == one.fillings[1:]
    assert part("left", "right", layer).nonlinear == ()
    assert part("left", "right", layer, type="neo-hookean", skin=False).nonlinear == ()
    total = sum(len(f.cells) for f in one.fillings)
    assert total == len(MESH.cells) and len(np.unique(np.concatenate([f.cells for f in one.fillings]))) == total


def test_a_pad_under_pressure_and_on_springs():
    """Loads on kept regions, and springs attached to it."""
    found = []
    for onto in (None, ["top", "right"]):
        model = bar(onto, fixed="left")
        model.force("pressure", on="bar.top", value=500.0)
        model.ground_point("O", *HALF[:2], 0.1)
        model.force("spring-damper", a="bar.right", b="ground.O", stiffness=50.0, rest_length=0.05)
        found.append(model.static().array("bar.right.z")[-1])
    np.testing.assert_allclose(*found, rtol=1e-8)


def test_contact_matches_the_full_solid():
    """Fixed at the top, pressed onto the ground below."""
    found = []
    for onto in (None, ["bottom", "right"]):
        model = bar(onto, fixed="top")
        model.contact(
            gw.surfaces.Skin("bar", "bottom"),
            gw.surfaces.PlaneGround(1e-3 - SIDE / 2),
            law=gw.laws.Penalty(stiffness=1e9),
            name="sole",
        )
        run = model.static()
        found.append([run.array(name)[-1] for name in ("sole.normal_force", "bar.right.z", "bar.top.reaction_z")])
    assert found[0][0] > 100.0
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)


def test_free_solid_rests_on_the_ground():
    model = bar(["bottom", "top"], damping=1e-3)
    model.contact(
        gw.surfaces.Skin("bar", "bottom"),
        gw.surfaces.PlaneGround(-SIDE / 2),
        law=gw.laws.Penalty(stiffness=1e8),
        name="sole",
    )
    np.testing.assert_allclose(model.static().array("sole.normal_force")[-1], MASS * 9.81, rtol=1e-6)


def test_deformed_mesh_includes_the_inside(tmp_path):
    run = bar(["right"], fixed="left").static()
    frames = run.mechanism.parts["bar"].deforming(run.motion)
    assert frames.points.shape == (len(run.motion.t), *MESH.nodes.shape) and not frames.free
    assert run.animate(tmp_path / "bar.html").exists()


def test_kept_nodes_are_reported():
    (note,) = bar(["right", "left"]).mechanism().warnings
    for words in ("condensed onto 18 nodes", "54 coordinates in place of 189", "turns with these nodes"):
        assert words in note


WRONG = {
    "onto nothing": (dict(onto=["nowhere"]), "solid 'bar', region 'nowhere': the mesh has no such region"),
    "onto what is held": (dict(onto=["left"], fixed="left"), "keeps no node that can move"),
    "a line": (dict(onto=[gw.mesh.BoxSelector((-1, -0.021, -0.021), (1, -0.019, -0.019))]), "too few nodes"),
    "lumped": (dict(onto=["right", "left"], lumped=True), "couples"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_condensation_is_refused(case):
    fields, message = WRONG[case]
    with pytest.raises(gw.ModelError, match=message):
        bar(**fields).mechanism()


def test_viscosities_are_refused():
    model = gw.Model("bar", dimension=3)
    rubber = {
        "type": "neo-hookean",
        "youngs_modulus": 1e6,
        "poissons_ratio": 0.3,
        "shear_viscosity": 3.0,
        "bulk_viscosity": 0.0,
    }
    model.solid("bar", MESH, material=rubber, density=DENSITY, condensed={"onto": ["left", "right"]})
    with pytest.raises(gw.ModelError, match="proportional to stiffness"):
        model.mechanism()


def test_places_inside_are_not_offered():
    model = bar(["right", "left"])
    model.force("force", at="bar.top", value=[0.0, 0.0, 1.0])
    with pytest.raises(gw.ModelError, match=r"kept.*left, right"):
        model.mechanism()
    model = bar(["right", "left"])
    model.force("pressure", on="bar.top", value=1.0)
    with pytest.raises(gw.ModelError, match=r"bar\.left"):
        model.mechanism()
