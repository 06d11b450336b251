"""Models of OpenSim as text: joints, offset frames, splines, markers; and invalid files. Against OpenSim: tests/peers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.formats.osim_file import osim_assembly
from gaitwright.model.io.assembly_import import convert_assembly

HINGE = """<PinJoint name="hip"><socket_parent_frame>ground_offset</socket_parent_frame>
  <socket_child_frame>/bodyset/leg</socket_child_frame>
  <coordinates><Coordinate name="flexion"><default_value>0.3</default_value></Coordinate></coordinates>
  <frames><PhysicalOffsetFrame name="ground_offset"><socket_parent>/ground</socket_parent>
  <translation>0 1 0</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame></frames></PinJoint>"""
LEG = '<Body name="leg"><mass>2</mass><mass_center>0 -0.2 0</mass_center><inertia>0.1 0.02 0.1 0 0 0</inertia></Body>'
MARKER = (
    '<Marker name="toe"><socket_parent_frame>/bodyset/leg</socket_parent_frame><location>0.1 -0.4 0</location></Marker>'
)


def osim(joints: str = HINGE, bodies: str = LEG, markers: str = MARKER, more: str = "", version: str = "40000") -> str:
    sets = {"BodySet": bodies, "JointSet": joints, "MarkerSet": markers}
    inner = "".join(f"<{name}><objects>{parts}</objects></{name}>" for name, parts in sets.items())
    return f'<OpenSimDocument Version="{version}"><Model name="m">{inner}{more}</Model></OpenSimDocument>'


def read(text: str, positions: Any = None) -> tuple[gw.Model, list[str]]:
    document, notes = convert_assembly(osim_assembly(text, "the file 'm.osim'", positions), "f")
    return gw.Model.from_dict(document), notes


def test_leg_has_its_default_pose() -> None:
    model, notes = read(osim())
    run = model.simulate(1e-6)
    assert run.array("hip.angle")[0] == pytest.approx(0.3) and not notes
    toe = np.array([run.array(f"leg.toe.{axis}")[0] for axis in "xyz"])
    turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    assert toe[:2] == pytest.approx(np.array([0, 1]) + turn @ [0.1, -0.4])
    assert model.document.gravity == pytest.approx([0, -9.80665, 0])
    assert read(osim(), {"flexion": 0.0})[0].simulate(1e-6).array("leg.toe.x")[0] == pytest.approx(0.1)


def axis(kind: str, name: str, way: str, function: str, coordinate: str = "") -> str:
    inner = f"<coordinates>{coordinate}</coordinates><axis>{way}</axis>{function}"
    return f'<TransformAxis name="{kind}{name}">{inner}</TransformAxis>'


LINE, NONE = (
    "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>",
    "<Constant><value>0</value></Constant>",
)
CURVE = "<SimmSpline><x>-1 0.5 1 2</x><y>-1 0.125 1 8</y></SimmSpline>"


def custom(turns: int, slides: int, follows: str = NONE) -> str:
    ways = ("1 0 0", "0 1 0", "0 0 1")
    coordinates = [f"t{k}" for k in range(turns)] + [f"s{k}" for k in range(slides)]
    parts = [
        axis("rotation", str(k), ways[k], LINE if k < turns else NONE, f"t{k}" if k < turns else "") for k in range(3)
    ]
    parts += [
        axis(
            "translation",
            str(k),
            ways[k],
            LINE if k < slides else follows,
            f"s{k}" if k < slides else "t0" * (follows != NONE),
        )
        for k in range(3)
    ]
    named = "".join(f'<Coordinate name="{name}"/>' for name in coordinates)
    return (
        '<CustomJoint name="j"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/leg'
        f"</socket_child_frame><coordinates>{named}</coordinates><SpatialTransform>{''.join(parts)}</SpatialTransform></CustomJoint>"
    )


@pytest.mark.parametrize(
    ("turns", "slides", "freedom"),
    [(1, 0, 1), (2, 0, 2), (3, 0, 3), (0, 1, 1), (3, 1, 4), (3, 2, 5), (3, 3, 6), (0, 0, 0)],
)
def test_custom_joints(turns: int, slides: int, freedom: int) -> None:
    assert read(osim(custom(turns, slides)))[0].check().degrees_of_freedom == freedom


def test_spline_axes_are_fixed_and_listed() -> None:
    """The spline through points of a cubic is that cubic; a natural spline differs."""
    model, notes = read(osim(custom(1, 0, CURVE)), {"t0": 0.25})
    assert model.document.bodies[0].at == pytest.approx([0.25**3] * 3)
    assert "axes that follow splines are held where they are by default: j (translation0 of t0)" in notes[0]


def test_multiples_of_lines_and_constants_are_not_splines() -> None:
    line = f"<MultiplierFunction><scale>1</scale><function>{LINE}</function></MultiplierFunction>"
    constant = line.replace(LINE, "<Constant><value>0.6</value></Constant>")
    assert read(osim(custom(2, 0).replace(LINE, line)))[0].check().degrees_of_freedom == 2
    model, notes = read(osim(custom(1, 0, constant)))
    assert model.document.bodies[0].at == pytest.approx([0.6, 0.6, 0.6]) and not notes


def test_omitted_muscles_and_constraints_are_listed() -> None:
    more = (
        '<ForceSet><objects><Millard2012EquilibriumMuscle name="soleus"/></objects></ForceSet>'
        '<ConstraintSet><objects><CoordinateCouplerConstraint name="patella"/></objects></ConstraintSet>'
    )
    _, notes = read(osim(more=more))
    assert notes == ["constraints are left out: patella", "ForceSet is left out: soleus"]


BAD = {
    "cut in half": (osim()[:400], {}, "not valid XML"),
    "old": (osim(version="30000"), {}, "version 30000.*open it in OpenSim 4 and save it"),
    "another": ("<OpenSimDocument/>", {}, "has no model of OpenSim"),
    "empty": (osim(bodies=""), {}, "has no bodies"),
    "NaN": (osim(bodies=LEG.replace("<mass>2", "<mass>nan")), {}, "body 'leg' field 'mass': is not a mass"),
    "negative": (osim(bodies=LEG.replace("<mass>2", "<mass>-2")), {}, "body 'leg' field 'mass': is negative"),
    "joint": (osim(HINGE.replace("PinJoint", "EllipsoidJoint")), {}, "joint 'hip' field 'type': is not read.*EllipsoidJoint"),
    "no frame": (osim(HINGE.replace("/bodyset/leg", "/bodyset/lge")), {}, "there is no frame 'lge'.*did you mean 'leg'"),
    "no body": (osim(markers=MARKER.replace("/leg", "/arm")), {}, "marker 'toe'.*there is no frame 'arm'"),
    "coordinate": (osim(), {"flex": 1.0}, "positions.*no coordinate 'flex'.*did you mean 'flexion'"),
    "no number": (osim(), {"flexion": "x"}, "coordinate 'flexion'.*not a finite number"),
    "two joints": (osim(HINGE + HINGE.replace('"hip"', '"hip2"')), {}, "leads to 'leg', which has another joint already"),
    "function": (osim(custom(1, 0, "<SineFunction/>")), {}, "joint 'j' field 'function': is not read.*SineFunction"),
    "points": (osim(custom(1, 0, CURVE.replace("0.5", "3"))), {}, "joint 'j' field 'SimmSpline': has points whose"),
    "two for one": (osim(custom(2, 0).replace(">t0<", ">t0 t1<")), {}, "'coordinates': are several for one axis"),
    "skew": (osim(custom(2, 0).replace("0 1 0", "1 1 0")), {}, "coordinates t0, t1 do not combine into a known joint"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_file_has_a_message(name: str) -> None:
    text, positions, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said):
        read(text, positions)
