"""Foot in a plane model, seen from its side."""

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.014))
LOAD, TURNED = 350.0, 0.4


def stood(body=None):
    """Foot under a load with its ankle guided vertically; on a new body, or on a rotated one."""
    model = gw.Model("planar foot")
    x, _, z = FOOT.ankle
    model.ground_point("guide", x + 0.2, z)
    if body:
        model.body(body, mass=1.0, inertia=0.01, at=(0.25, 0.3), angle=TURNED)
    placing = FOOT.attach(model, body, at=(0.2, 0.0), speed="foundation", friction=None)
    rear = placing.bodies["rearfoot"]
    model.joint.prismatic("ground.guide", f"{rear}.foot_ankle", axis=[0, 1], angle=TURNED if body else 0.0)
    own = 9.81 * sum(part.mass for part in model.mechanism().parts.values())
    model.force.at_point(f"{rear}.foot_ankle", [0.0, own - LOAD])
    return placing, model.static()


@pytest.mark.parametrize("body", [None, "shank"])
def test_planar_standing_matches_spatial_standing(body):
    placing, run = stood(body)
    forces = {name: run.array(f"{name}.normal_force")[-1] for name in placing.contacts}
    assert sum(forces.values()) == pytest.approx(LOAD, rel=1e-9)
    space = FOOT.stand(LOAD, ankle="held", friction=None, speed="foundation")
    for name in placing.contacts:
        there = space.run.array(f"{name}.normal_force")[-1]
        assert forces[name] == pytest.approx(there, abs=0.04 * LOAD), name
    bent = run.array("foot_midtarsal_spring.angle")[-1] + (TURNED if body else 0.0)
    assert bent == pytest.approx(-space.angles["midtarsal"], rel=0.15)


@pytest.mark.parametrize(
    ("options", "said"),
    [({}, "speed.*not there in the plane"), ({"speed": "foundation", "body": "shin"}, "there is no body 'shin'"),
     ({"speed": "foundation", "body": "ground"}, "cannot touch itself")],
)  # fmt: skip
def test_bad_input(options, said):
    with pytest.raises(ModelError, match=said):
        FOOT.attach(gw.Model(), **options)
