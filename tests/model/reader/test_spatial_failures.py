"""Invalid input in spatial models: one sentence with element, field and remedy."""

import copy
from typing import Any

import pytest

import gaitwright as gw

MODEL: dict[str, Any] = {
    "gaitwright": 1,
    "dimension": 3,
    "ground": {"points": {"O": [0, 0, 0]}},
    "bodies": [
        {"name": "a", "mass": 1, "inertia": [0.1, 0.1, 0.1], "points": {"P": [0, 0, 0.5]}},
        {
            "name": "b",
            "mass": 1,
            "inertia": [0.1, 0.1, 0.1],
            "at": [0, 0, 1],
            "points": {"P": [0, 0, -0.5], "Q": [0, 0, 0.5]},
        },
    ],
    "joints": [
        {"type": "revolute", "name": "h", "a": "ground.O", "b": "a", "axis": [0, 1, 0]},
        {"type": "revolute", "name": "k", "a": "a.P", "b": "b.P", "axis": [0, 1, 0]},
    ],
    "drives": [{"type": "rotation", "joint": "h", "angle": "t"}],
}
BODY: dict[str, tuple[dict[str, Any], str]] = {
    "triangle inequality": (
        {"inertia": [1, 1, 3]},
        "'inertia': no body has these principal moments: 3 is more than 1 + 1",
    ),
    "rotated triangle": ({"inertia": [2, 2, 1.0, 1.5, 0, 0]}, "no body has these principal moments"),
    "negative moment": ({"inertia": [1, 1, -3]}, "'inertia': has a principal moment that is not positive"),
    "no inertia": ({"inertia": [0, 0, 0]}, "'inertia': has a principal moment that is not positive"),
    "a number": ({"inertia": 0.1}, "'inertia': is not a tensor of inertia"),
    "four moments": ({"inertia": [1, 1, 1, 1]}, "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"),
    "nan": ({"inertia": [1, 1, float("nan")]}, "'inertia': is not finite"),
    "mass": ({"mass": 0}, "'mass': must be greater than zero"),
    "place": ({"at": [0, 0]}, "'at': has too few entries (got [0, 0]); expected three numbers [x, y, z]"),
    "planar angle": ({"angle": 0.2}, "'angle': there is no such field"),
    "spin": ({"spin": 3}, "'spin': is not a list (got 3); expected three numbers [x, y, z]"),
    "quaternion": (
        {"orientation": {"quaternion": [0, 0, 0, 0]}},
        "'orientation.quaternion': is zero, which is no rotation",
    ),
    "three of four": ({"orientation": {"quaternion": [0, 0, 1]}}, "expected four numbers [w, x, y, z]"),
    "sequence": ({"orientation": {"angles": [0, 0, 1], "sequence": "xxy"}}, "'orientation.sequence': is not known"),
    "oblique axes": ({"orientation": {"axes": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}}, "axes 1 and 2 are 45 degrees apart"),
    "left hand": ({"orientation": {"axes": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}}, "the frame is left-handed"),
    "zero axis": (
        {"orientation": {"axes": [[1, 0, 0], [0, 0, 0], [0, 0, 1]]}},
        "'orientation.axes[1]': has no direction",
    ),
    "two ways": (
        {"orientation": {"quaternion": [1, 0, 0, 0], "angles": [0, 0, 0]}},
        "is given as quaternion and as angles",
    ),
    "shape": ({"shapes": [{"ball": 1}]}, "'shapes[0].ball': there is no such field"),
    "two shapes": ({"shapes": [{"sphere": 1, "box": [1, 1, 1]}]}, "'shapes[0]': is not one shape"),
}
JOINT: dict[str, tuple[dict[str, Any], str]] = {
    "zero axis": ({"axis": [0, 0, 0]}, "'axis': has no direction"),
    "two numbers": ({"axis": [0, 1]}, "'axis': has too few entries"),
    "no axis": ({"axis": None}, "'axis': is missing"),
    "of the plane": ({"type": "slot"}, "there is no such joint in models of this dimension (got 'slot')"),
    "unknown": ({"type": "hinge"}, "there is no such joint (got 'hinge')"),
    "axis the other way": ({"axis_b": [0, -1, 0]}, "'axis_b': points away from the axis of a in the drawn pose"),
    "second axis": ({"type": "universal"}, "'axis_b': is missing"),
    "oblique cross": ({"type": "universal", "axis_b": [0, 1, 0.1]}, "'axis_b': is not perpendicular to the axis of a"),
}
DRIVE: dict[str, tuple[dict[str, Any], str]] = {
    "unknown joint": ({"joint": "hh"}, "'joint': there is no joint 'hh'; expected one of h, k"),
    "twice": ({"axis": [0, 1, 0]}, "'axis': is given besides the joint"),
    "nothing": ({"joint": None}, "'joint': is missing"),
    "sequence": (
        {
            "type": "orientation",
            "joint": None,
            "angle": None,
            "body": "b",
            "angles": ["0", "0", "t"],
            "sequence": "abc",
        },
        "'sequence': is not known (got 'abc')",
    ),
    "no orientation": (
        {"type": "orientation", "joint": None, "angle": None, "body": "b"},
        "the orientation is not given",
    ),
    "no coordinate": ({"type": "position", "joint": None, "angle": None, "point": "b.Q"}, "has neither x, y nor z"),
}
WHOLE: dict[str, tuple[dict[str, Any], str]] = {
    "gravity": ({"gravity": [0, -9.81]}, "'gravity': has too few entries"),
    "dimension": ({"dimension": 4}, "'dimension': is not known (got 4); expected 2 for the plane or 3 for space"),
    "plane": ({"dimension": 2}, "has too many entries (got [0, 0, 0]); expected two numbers [x, y]"),
    "beams": ({"beams": [{"name": "x", "from": "O", "to": "P"}]}, "there is no point 'P'"),
    "link": ({"links": [{"name": "l", "from": "O", "to": "X", "mass": 1}], "points": {"X": [1, 0, 0]}}, "'radius': is missing"),
    "torque": ({"forces": [{"type": "torque", "body": "a", "value": 3}]}, "expected three numbers [x, y, z]"),
    "bushing": (
        {"forces": [{"type": "bushing", "a": "a.P", "b": "b.P", "stiffness": [1, -1, 1]}]}, "'stiffness': is negative",
    ),
    "output": ({"outputs": ["a.angle"]}, "there is no output 'a.angle'"),
}  # fmt: skip
CASES = {
    f"{where}, {what}": (path, change, text)
    for where, path, table in (
        ("body", ("bodies", 0), BODY), ("joint", ("joints", 0), JOINT), ("drive", ("drives", 0), DRIVE), ("model", (), WHOLE),
    )
    for what, (change, text) in table.items()
}  # fmt: skip


@pytest.mark.parametrize("which", CASES)
def test_invalid_input_has_a_message(which):
    path, change, text = CASES[which]
    document = copy.deepcopy(MODEL)
    place: Any = document
    for key in path:
        place = place[key]
    place.update(change)
    for key in [key for key, value in place.items() if value is None]:
        del place[key]
    with pytest.raises(gw.ModelError) as caught:
        gw.Model.from_dict(document).mechanism()
    assert text in str(caught.value)


def test_unchanged_document_is_valid():
    """So that every failure above is caused by its change."""
    check = gw.Model.from_dict(copy.deepcopy(MODEL)).check()
    assert check.closed and check.degrees_of_freedom == 1 and not check.redundant


def test_open_joints_are_reported():
    document = copy.deepcopy(MODEL)
    document["joints"].append({"type": "distance", "name": "far", "a": "ground.O", "b": "b.Q", "length": 5})
    check = gw.Model.from_dict(document).check()
    assert not check.closed and any("'far'" in text and "mm" in text for text in check.conflicts)


def test_redundant_joint_is_reported_and_harmless():
    document = copy.deepcopy(MODEL)
    document["joints"].append(
        {"type": "point-on-plane", "name": "slab", "a": "ground.O", "b": "b.Q", "axis": [0, 1, 0]}
    )
    check = gw.Model.from_dict(document).check()
    assert check.closed and check.degrees_of_freedom == 1
    assert len(check.redundant) == 1 and "slab" in check.redundant[0]


def test_planar_model_rejects_spatial_joints():
    with pytest.raises(gw.ModelError, match="no such joint in models of this dimension"):
        gw.Model().joint.spherical("a", "b")


def test_inertia_in_wrong_units_gives_a_warning():
    """g mm^2 taken for kg m^2 would be a foot of one kilometre."""
    document = copy.deepcopy(MODEL)
    document["bodies"][0]["inertia"] = [1e6, 1e6, 1e6]
    warnings = gw.Model.from_dict(document).check().warnings
    assert any("body 'a'" in text and "kg m^2" in text for text in warnings)
    assert not gw.Model.from_dict(copy.deepcopy(MODEL)).check().warnings


def test_leg_analysis_rejects_spatial_models():
    with pytest.raises(gw.ModelError, match="is a model in space; legs and walking are analysed in the plane"):
        gw.analyse_leg(gw.Model.from_dict(copy.deepcopy(MODEL)))


def test_drive_is_named_after_its_joint():
    """The drive of joint h gives h.torque beside the reactions of the joint."""
    run = gw.Model.from_dict(copy.deepcopy(MODEL)).mechanism()
    assert [names.kind for names in run.constraint_names if names.name == "h"] == ["joint", "drive"]
