"""Models written by OpenSim, against OpenSim: positions of bodies and markers, and their accelerations at release; and its
functions of one variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.formats.osim_functions import natural_spline, piecewise_constant, piecewise_linear, simm_spline
from gaitwright.model.io.importers import import_model
from gaitwright_apps.benchmarks.opensim_peer import is_available, load_opensim, to_vector

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(not is_available(), reason="OpenSim is not installed: pip install 'gaitwright[bench]'"),
]
KINDS = {
    "FreeJoint": 6, "PinJoint": 1, "SliderJoint": 1, "UniversalJoint": 2, "GimbalJoint": 3, "PlanarJoint": 3, "BallJoint": 3,
    "WeldJoint": 0,
}  # fmt: skip


def chain(kinds: list[str], seed: int, path: Path) -> Any:
    """Bodies in a row with offset frames anywhere and coordinates at random; as OpenSim reads it again."""
    opensim, random = load_opensim(), np.random.default_rng(seed)
    model = opensim.Model()
    model.setGravity(to_vector([0, -9.81, 0]))
    above = model.getGround()
    for k, kind in enumerate(kinds):
        inertia = opensim.Inertia(0.02, 0.03, 0.04, 0.001, 0.002, -0.001)
        body = opensim.Body(f"b{k}", 1.0 + float(random.random()), to_vector(random.normal(size=3) * 0.1), inertia)
        model.addBody(body)
        places = [to_vector(random.normal(size=3) * size) for size in (0.2, 1.0, 0.1, 1.0)]
        joint = getattr(opensim, kind)(f"j{k}", above, places[0], places[1], body, places[2], places[3])
        for i in range(KINDS[kind]):
            value = 0.0 if kind == "BallJoint" else float(random.uniform(-0.6, 0.6))
            joint.upd_coordinates(i).setDefaultValue(value)
        model.addJoint(joint)
        model.addMarker(opensim.Marker(f"m{k}", body, to_vector(random.normal(size=3) * 0.1)))
        above = body
    model.finalizeConnections()
    model.printToXML(str(path))
    return opensim.Model(str(path))


def three(values: Any) -> np.ndarray:
    return np.array([values.get(i) for i in range(3)])


@pytest.mark.parametrize(
    "kinds", [list(KINDS), *([kind, "PinJoint"] for kind in KINDS)], ids=lambda kinds: kinds[0] + str(len(kinds))
)
def test_bodies_markers_and_accelerations(kinds: list[str], tmp_path: Path) -> None:
    theirs = chain(kinds, len(kinds[0]), tmp_path / "chain.osim")
    state = theirs.initSystem()
    theirs.realizeAcceleration(state)
    model = import_model(tmp_path / "chain.osim")
    assert gw.load(tmp_path / "chain.osim").to_dict() == model.to_dict()
    run = model.simulate(1e-6, tolerance=1e-9, output_step=1e-6)
    for k in range(len(kinds)):
        body = theirs.getBodySet().get(f"b{k}")
        wanted = [
            three(body.getTransformInGround(state).p()),
            *(three(body.getAccelerationInGround(state).get(i)) for i in (1, 0)),
        ]
        wanted.append(three(theirs.getMarkerSet().get(k).getLocationInGround(state)))
        for what, numbers in zip(
            (f"b{k}.origin.*", f"b{k}.origin.a*", f"b{k}.alpha_*", f"b{k}.m{k}.*"), wanted, strict=True
        ):
            ours = [run.array(what.replace("*", axis))[0] for axis in "xyz"]
            assert ours == pytest.approx(numbers, rel=1e-9, abs=1e-9), what


FUNCTIONS = {
    "SimmSpline": (simm_spline, (2, 3, 4, 5, 9, 30)),
    "PiecewiseLinearFunction": (piecewise_linear, (1, 2, 9)),
    "PiecewiseConstantFunction": (piecewise_constant, (1, 2, 9)),
    "GCVSpline": (lambda x, y: natural_spline(x, y, 3), (9,)),
}


@pytest.mark.parametrize(
    ("kind", "count"), [(kind, count) for kind, (_, counts) in FUNCTIONS.items() for count in counts]
)
def test_functions_and_their_derivatives(kind: str, count: int) -> None:
    """Inside and beyond the range; relative to the size of each derivative. Steps have none in OpenSim."""
    opensim, random = load_opensim(), np.random.default_rng(count)
    for _ in range(20):
        x, y = np.cumsum(random.uniform(0.1, 1.0, count)), random.normal(size=count)
        theirs, ours = getattr(opensim, kind)(), FUNCTIONS[kind][0](x, y)
        if kind == "GCVSpline":
            theirs.setDegree(5)
        for pair in zip(x.tolist(), y.tolist(), strict=True):
            theirs.addPoint(*pair)
        places = [*random.uniform(x[0], x[-1], 20), x[0] - 1.3, x[0] - 1e-3, x[-1] + 1e-3, x[-1] + 2.7, x[0]]
        for order in range(1 if kind == "PiecewiseConstantFunction" else 3):
            wanted = []
            for place in places:
                at = opensim.Vector(1, float(place))
                parts = opensim.StdVectorInt([0] * order)
                wanted.append(theirs.calcDerivative(parts, at) if order else theirs.calcValue(at))
            found = [ours(place, order) for place in places]
            close = 1e-12 if kind != "GCVSpline" else 1e-10
            assert found == pytest.approx(wanted, rel=close, abs=close * max(1.0, np.abs(wanted).max())), order


KNEE = """<OpenSimDocument Version="40000"><Model name="knee"><BodySet name="bodyset"><objects><Body name="shank"><mass>3</mass>
<mass_center>0 -0.2 0</mass_center><inertia>0.05 0.01 0.05 0 0 0</inertia></Body></objects></BodySet>
<JointSet name="jointset"><objects><CustomJoint name="knee"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/shank</socket_child_frame><coordinates><Coordinate name="angle">
<default_value>{angle}</default_value></Coordinate></coordinates><SpatialTransform>
<TransformAxis name="rotation1"><axis>1 0 0</axis><Constant name="function"><value>0</value></Constant></TransformAxis>
<TransformAxis name="rotation2"><axis>0 1 0</axis><Constant name="function"><value>0</value></Constant></TransformAxis>
<TransformAxis name="rotation3"><coordinates>angle</coordinates><axis>0 0 1</axis>
<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="translation1"><coordinates>angle</coordinates><axis>1 0 0</axis>{spline}</TransformAxis>
<TransformAxis name="translation2"><coordinates>angle</coordinates><axis>0 1 0</axis><MultiplierFunction name="function">
<function>{spline}</function><scale>-1.3</scale></MultiplierFunction></TransformAxis>
<TransformAxis name="translation3"><axis>0 0 1</axis><Constant name="function"><value>0</value></Constant></TransformAxis>
</SpatialTransform></CustomJoint></objects></JointSet></Model></OpenSimDocument>"""
SHIFT = """<SimmSpline name="function"><x>-2 -1.6 -1.1 -0.4 0.1 0.2</x><y>0.01 -0.02 0.015 0.03 0.01 -0.01</y></SimmSpline>"""


@pytest.mark.parametrize("angle", [-2.5, -1.2, 0.0, 0.3])
def test_a_joint_whose_axes_follow_splines(angle: float, tmp_path: Path) -> None:
    """A knee: it turns about z, and shifts along x and y by a spline."""
    (tmp_path / "knee.osim").write_text(KNEE.format(angle=angle, spline=SHIFT))
    theirs = load_opensim().Model(str(tmp_path / "knee.osim"))
    state = theirs.initSystem()
    theirs.realizePosition(state)
    place = three(theirs.getBodySet().get("shank").getTransformInGround(state).p())
    assert np.abs(place[:2]).min() > 1e-3
    assert import_model(tmp_path / "knee.osim").document.bodies[0].at == pytest.approx(place, abs=1e-14)
