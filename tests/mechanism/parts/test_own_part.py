"""A user-defined kind of part, a planar particle, works everywhere without other changes."""

import numpy as np
import pytest

import gaitwright as gw

G, R = 9.81, 0.5


class ParticleFamily(gw.extend.Family):
    """(x, y): a place without axes."""

    name = "particle"
    coordinates = ("x", "y")
    units = ("m", "m")
    markers = dict.fromkeys(
        (gw.extend.Place, gw.extend.Centre),
        gw.extend.MarkerKind((0, 1), (), lambda x, y: gw.extend.Marker((x, y), (), None, False)),
    )

    @staticmethod
    def components(*local):
        return {("position", k): gw.extend.LinearExpression(0.0, ((k, 1.0),)) for k in range(2)}


class Particle(gw.extend.PartType):
    name = "particle"
    parameters = {
        "mass": gw.extend.Number("kg", "mass", minimum=0.0),
        "at": gw.extend.Components("m", "where it is drawn"),
    }

    @staticmethod
    def read(scope, name, label, mass, at):
        return gw.extend.Part(name=name, kind="particle", family=ParticleFamily, drawn=np.array(at), mass=mass)


def pendulum() -> gw.Model:
    """On a massless rod, at 60 degrees."""
    model = gw.Model("pendulum", parameters={"m": 0.2}).ground_point("O", 0, 0)
    model.part("particle", "p", mass="m", at=["500 mm * sin(pi/3)", "-0.5*cos(pi/3)"])
    return model.joint.distance("ground.O", "p", length=R)


def test_swings_and_is_shown(tmp_path) -> None:
    model = gw.load(pendulum().save(tmp_path / "model.yaml"))
    run = model.simulate(until=1.0, step=1e-3, method="gauss2")
    height = R * (1 - np.cos(np.pi / 3)) - (run.array("p.y") + R)
    assert run.array("p.speed") ** 2 == pytest.approx(2 * G * height, abs=1e-8)
    assert np.hypot(run.array("p.x"), run.array("p.y")) == pytest.approx(R, abs=1e-9)
    assert run.array("energy.kinetic") == pytest.approx(0.1 * (run.array("p.vx") ** 2 + run.array("p.vy") ** 2))
    assert run.evidence.max_energy_residual < 1e-9 and model.check().degrees_of_freedom == 1
    (shape,) = [shape for shape in run.scene().shapes if shape.name == "p"]
    assert shape.outline.mean(axis=1)[-1] == pytest.approx([run.array("p.x")[-1], run.array("p.y")[-1]])
    assert run.animate(tmp_path / "swing.html", trace=[]).stat().st_size > 10_000
    modes = model.modes()
    assert modes.frequencies == pytest.approx([np.sqrt(G / R) / (2 * np.pi)]) and modes.coordinates == ["p.x", "p.y"]


def test_falls_and_bounces() -> None:
    model = gw.Model("ball").part("particle", "p", mass=1.0, at=(0.1, 0.5)).velocity("p", 2.0, 0.0)
    model.contact("p", gw.surfaces.LineGround(level=0.0), law=gw.laws.Hertz(stiffness=1e7), name="floor")
    run = model.simulate(until=0.6, step=1e-3)
    assert run.episodes[0].begin == pytest.approx(np.sqrt(2 * 0.5 / G), abs=1e-6)
    assert run.array("p.y").max() <= 0.5 + 1e-6 and run.array("p.y")[-1] > 0.2
    assert run.array("p.x")[-1] == pytest.approx(0.1 + 2.0 * 0.6) and run.array("floor.normal_force").max() > 1e3


def test_hangs_on_a_link_and_a_spring() -> None:
    model = gw.Model("scale").ground_point("O", 0, 0).point("A", 0.3, 0.0)
    model.link("arm", "O", "A", mass=1e-6).part("particle", "p", mass=2.0, at=(0.3, 0.0)).joint.revolute("arm.A", "p")
    model.force.spring_damper("ground.O", "p", stiffness=100.0)  # along the arm: never strained
    found = model.static()
    assert [found.array(f"p.{axis}")[0] for axis in "xy"] == pytest.approx([0.0, -0.3], abs=1e-6)
    model.drive.position("p", y="0.3*sin(t)")
    assert model.kinematics(1.0, step=0.5).array("arm.angle") == pytest.approx([0.0, 0.5, 1.0])
    with pytest.raises(gw.ModelError, match="has a position but no axes"):
        model.joint.fixed("arm.A", "p").mechanism()
