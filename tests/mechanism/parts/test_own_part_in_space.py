"""A user-defined spatial part: a particle without axes in joints, contact and graphics."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.physics.bodies.spatial import SpatialMarker

G = 9.81


class SpatialParticleFamily(gw.extend.Family):
    name = "spatial-particle"
    dimension = 3
    coordinates = ("x", "y", "z")
    units = ("m", "m", "m")
    markers = dict.fromkeys(
        (gw.extend.Place, gw.extend.Centre), gw.extend.MarkerKind((0, 1, 2), (), lambda *r: SpatialMarker(r, ()))
    )

    @staticmethod
    def components(*local):
        return {("position", k): gw.extend.LinearExpression(0.0, ((k, 1.0),)) for k in range(3)}


class SpatialParticle(gw.extend.PartType):
    name = "particle"
    dimensions = (3,)
    parameters = {
        "mass": gw.extend.Number("kg", "mass", minimum=0.0),
        "at": gw.extend.Components("m", "where it is drawn"),
    }

    @staticmethod
    def read(scope, name, label, mass, at):
        return gw.extend.Part(name=name, kind="particle", family=SpatialParticleFamily, drawn=np.array(at), mass=mass)


def test_a_conical_pendulum(tmp_path) -> None:
    """At an angle c from the vertical on a rod of 1 m its period is 2 pi sqrt(cos(c)/g)."""
    c = 0.6
    turn = 2 * np.pi * np.sqrt(np.cos(c) / G)
    model = gw.Model("cone", dimension=3).ground_point("O", 0, 0, 0)
    model.part("particle", "p", mass=0.5, at=(np.sin(c), 0, -np.cos(c))).joint.distance("ground.O", "p")
    model.velocity("p", 0, 2 * np.pi / turn * np.sin(c), 0)
    run = model.simulate(until=turn, step=turn / 1000, method="gauss3")
    assert run.array("p.z") == pytest.approx(-np.cos(c), abs=1e-8)
    assert [run.array(f"p.{axis}")[-1] for axis in "xy"] == pytest.approx([np.sin(c), 0.0], abs=1e-7)
    (ball,) = run.scene().bodies
    assert ball.position[-1] == pytest.approx([run.array(f"p.{axis}")[-1] for axis in "xyz"])
    assert run.animate(tmp_path / "cone.html", trace=[]).stat().st_size > 10_000


def test_a_pearl_at_the_tip_of_a_body_falls_with_it_onto_the_ground() -> None:
    model = gw.Model("pearl", dimension=3)
    model.body("stick", mass=1.0, inertia=[0.1, 0.1, 0.1], at=(0, 0, 0.4), points={"T": (0, 0, -0.3)})
    model.part("particle", "p", mass=0.2, at=(0, 0, 0.1)).joint.spherical("stick.T", "p")
    model.contact("p", gw.surfaces.PlaneGround(), law=gw.laws.Hertz(stiffness=1e6), name="floor")
    run = model.simulate(until=0.2, step=1e-3)
    assert run.episodes[0].begin == pytest.approx(np.sqrt(2 * 0.1 / G), abs=1e-6)
    assert run.array("p.z") == pytest.approx(run.array("stick.T.z"), abs=1e-7)
    pull, push = run.array("spherical-1.fz"), run.array("floor.normal_force")
    assert pull + push - 0.2 * G == pytest.approx(0.2 * run.array("p.az"), abs=1e-6 * push.max())
