"""Fuzz imports of MJCF, SDF, .osim, DXF, SVG and STL: every mutated file gives a model or a one-sentence error."""

from __future__ import annotations

from typing import Any

import pytest

from fuzz.trial import attempt, case
from gaitwright._core.errors import ModelError
from gaitwright.formats.drawing import DrawingCircle, DrawingPath, TechnicalDrawing
from gaitwright.formats.svg_file import svg_text
from gaitwright.model.io.importers import import_document
from gaitwright.model.io.mjcf_export import mjcf_text
from gaitwright.model.model import Model
from made_up_mechanisms import made_up

pytestmark = pytest.mark.fuzz

MJCF = mjcf_text(made_up(3, ["revolute", "prismatic", "spherical"], [-1, 0, 1], [False] * 3))[0].replace(
    "</mujoco>",
    '<default><joint damping="1"/></default><equality><connect body1="b2" anchor="0 0 0"/></equality></mujoco>',
)
SDF = """<sdf version="1.7"><model name="m"><link name="a"><pose>0 0 1 0.1 0 0</pose><inertial><mass>2</mass>
<inertia><ixx>0.1</ixx>
<iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><visual><geometry><box><size>1 2 3</size></box></geometry></visual>
</link>
<link name="b"><pose relative_to="a">0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="i" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz><limit><lower>-1</lower>
</limit></axis></joint>
<joint name="j" type="universal"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis><axis2>
<xyz>0 1 0</xyz></axis2></joint>
</model></sdf>"""
OSIM = """<OpenSimDocument Version="40000"><Model name="m"><gravity>0 -9.8 0</gravity><BodySet><objects>
<Body name="leg"><mass>2</mass>
<mass_center>0 -0.2 0</mass_center><inertia>0.1 0.02 0.1 0 0 0</inertia></Body></objects></BodySet><JointSet><objects>
<CustomJoint name="hip"><socket_parent_frame>off</socket_parent_frame>
<socket_child_frame>/bodyset/leg</socket_child_frame>
<coordinates><Coordinate name="q"><default_value>0.3</default_value></Coordinate></coordinates><frames>
<PhysicalOffsetFrame name="off">
<socket_parent>/ground</socket_parent><translation>0 1 0</translation><orientation>0 0 0</orientation>
</PhysicalOffsetFrame></frames>
<SpatialTransform><TransformAxis name="r1"><coordinates>q</coordinates><axis>0 0 1</axis><LinearFunction>
<coefficients>1 0</coefficients>
</LinearFunction></TransformAxis><TransformAxis name="r2"><axis>0 1 0</axis></TransformAxis><TransformAxis name="r3">
<axis>1 0 0</axis>
</TransformAxis><TransformAxis name="t1"><coordinates>q</coordinates><axis>1 0 0</axis><SimmSpline><x>-1 0 1</x>
<y>0 1 2</y></SimmSpline>
</TransformAxis></SpatialTransform></CustomJoint></objects></JointSet><MarkerSet><objects><Marker name="toe">
<socket_parent_frame>
/bodyset/leg</socket_parent_frame><location>0 1 2</location></Marker></objects></MarkerSet></Model></OpenSimDocument>"""
LINES = TechnicalDrawing(
    "d",
    [DrawingPath([(0, 0), (0.1, 0)], "crank"), DrawingPath([(0.1, 0), (0.3, 0.2)], "rod"),
     DrawingPath([(0.3, 0.2), (0.3, 0), (0.4, 0.1)], "rocker", True)],
    [DrawingCircle((0, 0), 0.01, "ground"), DrawingCircle((0.3, 0), 0.01, "ground")],
)  # fmt: skip
TEXTS = {".xml": MJCF, ".sdf": SDF, ".osim": OSIM, ".svg": svg_text(LINES)}


def read(path: Any) -> None:
    Model.from_dict(import_document(path).document).mechanism()


NESTED = {
    "bodies": "<mujoco><worldbody>" + "<body><geom size='1'/>" * 3000,
    "classes": "<mujoco>" + "<default>" * 20_000,
    "groups": "<svg>" + "<g>" * 20_000,
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_deep_nesting_is_refused(text: str) -> None:
    with case(text, ".xml") as path, pytest.raises(ModelError) as refused:
        read(path)
    assert len(str(refused.value)) < 600


def test_deep_valid_chain() -> None:
    """A chain of bodies deeper than Python's stack is refused in a sentence, or read."""
    deep = "<mujoco><worldbody>" + "<body><geom size='1'/><joint/>" * 700 + "</body>" * 700 + "</worldbody></mujoco>"
    with case(deep, ".xml") as path:
        attempt(lambda: read(path))
