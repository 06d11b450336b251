"""A spatial model file with every joint, drive and force: read, written, read again; and minimal output."""

from pathlib import Path
from typing import Any

import numpy as np
import yaml

import gaitwright as gw
from gaitwright.model.io.files import load
from gaitwright.model.spec.document import ELEMENT_REGISTRIES
from gaitwright.physics import load_all

A, B = "a.P", "b.Q"
AXIS = [0.0, 0.6, 0.8]
FULL: dict[str, Any] = {
    "gaitwright": 1,
    "name": "everything in space",
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "parameters": {"L": 0.2},
    "ground": {"points": {"O": [0, 0, 0]}},
    "points": {"R": [1, 0, 0], "S": [1, "2*L", 0]},
    "velocities": {"b.Q": [0, 0, 1]},
    "bodies": [
        {
            "name": "a", "mass": 1, "inertia": [0.1, 0.11, 0.12, 0.01, 0, 0], "centre": [0, 0, "L/4"], "at": [0, 0, "L"],
            "orientation": {"angles": [10, 20, 30], "sequence": "zyx"}, "spin": [0, 0, 1], "points": {"P": [0, "L", 0]},
            "shapes": [{"box": [0.1, 0.1, 0.2]}, {"sphere": 0.05, "at": [0, 0, 0.1], "colour": "#102030"}],
        },
        {
            "name": "b", "mass": 2, "inertia": [0.1, 0.1, 0.1], "orientation": {"quaternion": [1, 0, 1, 0]},
            "points": {"Q": [0, 0, 0.1]},
        },
        {"name": "c", "mass": 2, "inertia": [1, 1, 1], "orientation": {"axes": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]}},
    ],
    "links": [{"name": "rod", "from": "R", "to": "S", "mass": 0.3, "radius": 0.01, "points": {"M": [0, 0.01, 0]}}],
    "joints": [
        {"type": "revolute", "name": "hinge", "a": A, "b": B, "axis": AXIS, "drawn_angle": 0.1},
        {"type": "universal", "a": A, "b": B, "axis": [1, 0, 0], "axis_b": [0, 1, 0]},
        *({"type": kind, "a": A, "b": B, "axis": AXIS} for kind in (
            "cylindrical", "prismatic", "planar", "point-on-line", "point-on-plane")),
        *({"type": kind, "a": A, "b": B} for kind in ("spherical", "fixed")),
        {"type": "distance", "a": A, "b": B, "length": 0.3},
        {"type": "gear", "a": "prismatic-4", "b": "hinge", "ratio": "10*L", "offset": 0.1},
        {"type": "rack", "name": "rack", "a": "hinge", "b": "prismatic-4", "radius": "L"},
    ],
    "drives": [
        {"type": "rotation", "joint": "hinge", "angle": "2*t"},
        {"type": "translation", "joint": "cylindrical-3", "displacement": "0.1*t"},
        {"type": "distance", "a": A, "b": B, "length": "0.3 + 0.1*t"},
        {"type": "position", "point": B, "x": "t", "z": "0"},
        {"type": "orientation", "body": "b", "relative_to": "a", "angles": ["t", "0", "0"], "sequence": "zxz"},
        {"type": "axes", "body": "c", "axis_1": [1, 0, 0], "axis_2": [0, "cos(t)", "sin(t)"],
         "axis_3": [0, "-sin(t)", "cos(t)"]},
        {"type": "frame", "point": "c", "x": "0", "y": "0", "z": "t", "quaternion": ["cos(t/2)", "sin(t/2)", "0", "0"]},
    ],
    "forces": [
        {"type": "spring-damper", "a": A, "b": B, "stiffness": 10, "damping": 1},
        {"type": "torsion-spring", "joint": "hinge", "stiffness": 3, "rest_angle": 0.2},
        {"type": "bumper", "joint": "hinge", "lower": -1, "upper": 1, "stiffness": 100},
        {"type": "joint-torque", "joint": "hinge", "value": "sin(t)"},
        {"type": "torque", "body": "a", "value": [0, 0, "t"], "frame": "body"},
        {"type": "force", "at": B, "value": [1, 2, 3]},
        {"type": "bushing", "a": A, "b": B, "stiffness": [1e3, 1e3, 1e3], "torsional_stiffness": [1, 1, 1]},
        {"type": "nonlinear-spring", "a": A, "b": B, "force": "1e3*(length - 0.1)^3 + rate"},
        {"type": "nonlinear-torsion-spring", "joint": "hinge", "torque": "-angle - 0.1*rate"},
    ],
}  # fmt: skip


def test_every_element_type_is_read_back(tmp_path: Path):
    model = gw.Model.from_dict(FULL)
    load_all()
    # gravity; results of a position drive and of a force in the frame of a body; and loads of solids (test_solids.py)
    parts = {
        "gravity",
        "position-x",
        "position-y",
        "position-z",
        "follower-force",
        "pressure",
        "traction",
        "displacement",
    }
    for section, registry in ELEMENT_REGISTRIES.items():
        library = {n for n, d in registry[3].items() if d.__module__.startswith("gaitwright.")}
        assert {entry["type"] for entry in FULL.get(section, [])} == library - parts, section
    for name in ("full.yaml", "full.json"):
        again = load(model.save(tmp_path / name))
        assert again.to_dict() == model.to_dict()
        first, second = model.mechanism(), again.mechanism()
        for a, b in zip([*first.constraints, *first.forces], [*second.constraints, *second.forces], strict=True):
            assert a.declaration is b.declaration and list(a.parameters) == list(b.parameters)
        assert np.array_equal(first.drawn, second.drawn)


def test_joints_measured_in_the_drawn_pose_are_closed():
    """Joints with an orientation taken from the drawn pose have no error in their rows of orientation."""
    mechanism = gw.Model.from_dict({**FULL, "drives": [], "forces": []}).mechanism()
    from gaitwright.mechanism.evaluation import evaluate_residual, new_workspace, update_signals

    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, 0.0)
    evaluate_residual(s, w, mechanism.drawn)
    for names in mechanism.constraint_names:
        for given, what in zip(names.rows, names.declaration.rows, strict=True):
            if what.startswith(("tilt", "turn", "length_", "angle_")):
                assert abs(w.phi[mechanism.row_position[given]]) < 1e-14, (names.name, what)


def test_written_file_is_minimal(tmp_path: Path):
    model = gw.Model("top", dimension=3)
    model.body("top", mass=1.0, inertia=[1.0, 1.0, 1.5], points={"tip": (0, 0, -1)})
    raw = yaml.safe_load(model.save(tmp_path / "top.yaml").read_text())
    assert raw["dimension"] == 3 and raw["gravity"] == [0.0, 0.0, -9.81]
    (body,) = raw["bodies"]
    assert set(body) <= {"name", "mass", "inertia", "at", "centre", "points", "shapes"}
    assert body["inertia"] == [1.0, 1.0, 1.5] and body["points"] == {"tip": [0.0, 0.0, -1.0]}
