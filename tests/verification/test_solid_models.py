"""Solids in models against exact solutions: bending, torsion, pressure, near incompressibility, limit loads, free flight."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from verification.solid_solutions import Sphere, cook

E, NU = 1e6, 0.3
G = E / (2 * (1 + NU))


def material(kind="linear-elastic", nu=NU, youngs_modulus=E):
    return {"type": kind, "youngs_modulus": youngs_modulus, "poissons_ratio": nu, "density": 1000.0}


def still(name, dimension=3):
    return gw.Model(name, dimension=dimension, gravity=(0.0,) * dimension)


@pytest.mark.parametrize("kind", ["linear-elastic", "neo-hookean"])
def test_bending_by_beam_theory(kind):
    """F L^3 / 3EI + F L / kGA with k = 5/6: nu = 0, since beam theory does not include a clamp that constrains the shape of a
    section. The load is so small that the solid is linear."""
    length, width, height, force = 0.5, 0.04, 0.05, 1e-3
    model = still("bar")
    model.solid(
        "bar", gw.mesh.box((length, width, height), (16, 2, 2)), material=material(kind, 0.0), fixed="left",
        elements="quadratic",
    )  # fmt: skip
    model.force.at_point("bar.right", [0.0, 0.0, force])
    found = model.static().array("bar.right.z")[0]
    I, A = width * height**3 / 12, width * height
    wanted = force * length**3 / (3 * E * I) + force * length / (5 / 6 * E / 2 * A)
    assert found == pytest.approx(wanted, rel=5e-3)


@pytest.mark.slow
def test_torsion_of_a_round_bar():
    """T L / GJ: sections of a round bar stay plane, so that the held ends cause no disturbance. The remaining error is that the
    sides of the mesh are chords."""
    radius, length, torque = 0.02, 0.1, 1e-4
    mesh = gw.mesh.cylinder(radius, length, 0.01, order=2)
    model = still("bar")
    model.body("disc", mass=0.1, inertia=[1e-4] * 3, at=(0.0, 0.0, 0.5 * length))
    model.solid("bar", mesh, material=material(), fixed=["bottom", {"region": "top", "to": "disc"}])
    model.force.torque("disc", [0.0, 0.0, torque])
    moved = model.static().solid("bar", "displacement")["displacement"].values[0]
    rim = mesh.region("top").nodes[np.linalg.norm(mesh.nodes[mesh.region("top").nodes, :2], axis=1) > 0.9 * radius]
    (x, y), (u, v) = mesh.nodes[rim, :2].T, moved[rim, :2].T
    turned = ((x * v - y * u) / (x * x + y * y)).mean()
    assert turned == pytest.approx(torque * length / (G * np.pi * radius**4 / 2), rel=0.01)


@pytest.mark.parametrize("nu", [0.3, 0.4999])
def test_a_hollow_ball_under_pressure(nu):
    """Lame's solution, by a pressure that follows the surface, so small that the surface does not move noticeably. An eighth,
    TET10; near incompressibility with the mean dilatation, which is selected automatically."""
    mesh = gw.mesh.hollow_ball(0.5, 1.0, 0.25, cut=("x", "y", "z"), order=2)
    model = still("ball")
    planes = [{"region": f"cut_{axis}", "axes": axis} for axis in "xyz"]
    model.solid("ball", mesh, material=material(nu=nu), fixed=planes)
    model.force("pressure", on="ball.inner", value=-1.0)  # from inside: against the outward normal
    run = model.static()
    moved = run.solid("ball", "displacement")["displacement"].values[0]
    inner = mesh.region("inner").nodes
    radial = np.einsum("ai,ai->a", moved, mesh.nodes)[inner] / np.linalg.norm(mesh.nodes[inner], axis=1)
    assert np.abs(radial).mean() == pytest.approx(Sphere(0.5, 1.0, 1.0, E, nu).radial(0.5), rel=0.01)


def test_cooks_membrane_in_a_model():
    """nu = 0.4999, T6: between the limits of 32 x 32 elements with and without the mean dilatation (test_solids.py), to 4 %."""
    mesh, _, _, corner = cook(8, 2)
    sides = {"left": mesh.nodes[:, 0] < 1e-9, "right": mesh.nodes[:, 0] > 48 - 1e-9}
    for name, chosen in sides.items():
        mesh = mesh.with_region(name, nodes=np.flatnonzero(chosen))
    model = still("membrane", 2)
    model.solid("panel", mesh, material=material(nu=0.4999, youngs_modulus=250.0), fixed="left")
    model.force("traction", on="panel.right", value=[0.0, 100.0 / 16])
    moved = model.static().solid("panel", "displacement")["displacement"].values[0]
    assert moved.ravel()[corner] == pytest.approx(7.78, rel=0.04)


def rolled(kind, nu=0.0):
    """A bar on rollers."""
    rollers = [{"region": side, "axes": axis} for side, axis in (("left", "x"), ("front", "y"), ("bottom", "z"))]
    mesh = gw.mesh.box((0.1, 0.02, 0.02), (4, 1, 1))
    return still("bar").solid("bar", mesh, material=material(kind, nu), fixed=rollers)


def test_excessive_load_ends_at_limit_with_partial_result():
    """St Venant-Kirchhoff at nu = 0: P = E (a^3 - a)/2, least at a = 1/sqrt(3): no more than E/sqrt(27) can be carried."""
    limit = E / np.sqrt(27)
    model = rolled("st-venant-kirchhoff").force("traction", on="bar.right", value=[f"{-1.5 * limit}*t", 0.0, 0.0])
    with pytest.raises(gw.DidNotConverge, match="limit point") as failure:
        model.static_path(1.0, steps=6)
    kept = failure.value.partial
    assert kept is not None and kept.time[-1] == pytest.approx(1 / 1.5, rel=1e-6) and kept.time.size == 5
    a = (kept.array("bar.right.x") + 0.05) / 0.1
    assert 0.5 * E * (a - a**3) == pytest.approx(1.5 * limit * kept.time, abs=1e-6 * limit)
    with pytest.raises(gw.DidNotConverge, match=r"at 66\.6\d % of the loads") as failure:
        model.static(1.0)
    assert failure.value.partial is not None


@pytest.mark.parametrize("kind", ["neo-hookean", "st-venant-kirchhoff"])
def test_an_element_is_not_turned_inside_out(kind: str):
    """Pushed to no length at all: the path continues as far as the elements allow, although the energy has no limit there; the
    message gives the reason for its end, and the partial path is returned."""
    model = rolled(kind, NU).drive.displacement("bar.right", x="-0.11*t")
    with pytest.raises(gw.DidNotConverge, match=r"solid 'bar'.*inside out \(J <= 0\)") as failure:
        model.static_path(1.0, steps=10)
    kept = failure.value.partial
    assert kept is not None and 0.9 <= kept.time[-1] <= 1 / 1.1 + 1e-9
    assert (kept.array("bar.volume") > 0.0).all()
    with pytest.raises(gw.DidNotConverge, match="inside out"):
        model.static(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["neo-hookean", "st-venant-kirchhoff"])
def test_a_spinning_block_keeps_its_energy_and_momenta(kind):
    """A turn, free in space, without damping of the method; it bulges and vibrates by its spin. The method keeps momentum to
    rounding, what turns to the second order of its step."""
    mesh, spin = gw.mesh.box((0.1, 0.08, 0.06), (3, 2, 2)), np.array((20.0, 5.0, 90.0))
    model = still("block").solid("block", mesh, material=material(kind), velocity=(0.3, 0.0, 0.0), spin=tuple(spin))
    run = model.simulate(until=0.07, step=1e-4, spectral_radius=1.0)
    part: Any = run.mechanism.parts["block"]
    places = part.mesh.nodes + np.array([part.displacements(q) for q in run.motion.q])
    speeds = np.array([part.rates(v) for v in run.motion.v])
    shares = part.element_masses
    mass = np.zeros((len(mesh.nodes),) * 2)
    for cell, share in zip(mesh.cells, shares, strict=True):
        mass[np.ix_(cell, cell)] += share
    momentum = np.einsum("ab,tbi->ti", mass, speeds)
    turning = np.einsum("tai,ab,tbj->tij", places, mass, speeds)
    about = np.stack([turning[:, i, j] - turning[:, j, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
    assert momentum == pytest.approx(np.tile(momentum[0], (run.time.size, 1)), abs=1e-9)
    assert np.abs(about - about[0]).max() < 1e-4 * np.abs(about[0]).max()
    energy = run.array("energy.kinetic") + run.array("energy.potential")
    assert np.ptp(energy) < 2e-3 * energy[0]
    assert run.array("energy.potential").max() > 1e-3 * energy[0]  # it is not rigid
