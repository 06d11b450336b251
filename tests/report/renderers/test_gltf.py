"""Scenes as glTF: read by trimesh, and checked against the standard."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitwright.geometry.rotation import rotate_vectors
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.report.renderers.gltf import glb_bytes, save_glb
from gaitwright.report.scenes.spatial_scene import MovingBody, SceneSolid, SpatialScene
from gaitwright.report.views.scenes.extruded_mechanism import build_extruded_scene

TIME = np.linspace(0.0, 1.0, 5)


def spinning() -> SpatialScene:
    """A box that moves along x and rotates about z, a ball on the ground, a spring and a trace."""
    angle = np.pi * TIME / 2
    zero = np.zeros_like(TIME)
    turn = np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)
    place = np.stack([2 * TIME, zero, zero], axis=1)
    box = SceneSolid("box", "box", (0.2, 0.1, 0.4), (0.0, 0.0, 0.5), colour="#ff8000")
    ends = np.stack([place, place + np.array([0.0, 0.0, 1.0]) * (1 + TIME[:, None])], axis=1)
    return SpatialScene(
        "spin", TIME, [MovingBody("box", place, turn, [box])], [SceneSolid("ball", "sphere", (0.1,), (0.0, 1.0, 0.0))],
        springs={"s": ends}, traces={"P": place},
    )  # fmt: skip


def taken_apart(data: bytes) -> tuple[dict[str, Any], bytes]:
    magic, version, length = struct.unpack("<4sII", data[:12])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack("<I4s", data[12:20])
    text, rest = data[20 : 20 + size], data[20 + size :]
    amount, binary = struct.unpack("<I4s", rest[:8])
    assert kind == b"JSON" and binary == b"BIN\0" and not size % 4 and not amount % 4 and len(rest) == 8 + amount
    return json.loads(text), rest[8:]


def numbers(document: dict[str, Any], data: bytes, accessor: int) -> np.ndarray:
    one = document["accessors"][accessor]
    view = document["bufferViews"][one["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[one["type"]]
    found = np.frombuffer(data, "<f4", one["count"] * width, view["byteOffset"]).reshape(-1, width)
    assert np.allclose(found.min(axis=0), one["min"]) and np.allclose(found.max(axis=0), one["max"])
    return found


def test_bodies_move_as_in_the_scene() -> None:
    scene = spinning()
    document, data = taken_apart(glb_bytes(scene))
    nodes = [node["name"] for node in document["nodes"]]
    assert nodes == ["box", "ball", "s", "curve of P", "spin"]
    assert document["nodes"][-1]["children"] == [0, 1, 2, 3]
    animation = document["animations"][0]
    found = {
        (nodes[c["target"]["node"]], c["target"]["path"]): numbers(
            document, data, animation["samplers"][c["sampler"]]["output"]
        )
        for c in animation["channels"]
    }
    assert numbers(document, data, animation["samplers"][0]["input"])[:, 0] == pytest.approx(TIME)
    assert found["box", "translation"] == pytest.approx(scene.bodies[0].position)
    assert found["box", "rotation"] == pytest.approx(scene.bodies[0].rotation[:, [1, 2, 3, 0]], abs=1e-6)
    assert found["s", "scale"][:, 2] == pytest.approx(1 + TIME)


def test_up_axis_and_linear_colours() -> None:
    document, _ = taken_apart(glb_bytes(spinning()))
    x, y, z, w = document["nodes"][-1]["rotation"]
    assert rotate_vectors((w, x, y, z), (0.0, 0.0, 1.0)) == pytest.approx([0, 1, 0], abs=1e-9)
    colours = {m["name"]: m["pbrMetallicRoughness"]["baseColorFactor"] for m in document["materials"]}
    assert colours["#ff8000"] == pytest.approx([1.0, 0.21586, 0.0, 1.0], abs=1e-4)


def test_normals_point_outwards() -> None:
    document, data = taken_apart(glb_bytes(spinning()))
    for mesh, middle in (("box", (0, 0, 0.5)), ("ball", (0, 1, 0))):
        (part,) = next(m for m in document["meshes"] if m["name"] == mesh)["primitives"]
        place, normal = (numbers(document, data, part["attributes"][key]) for key in ("POSITION", "NORMAL"))
        assert np.all(((place - middle) * normal).sum(axis=1) > 0)
        corners = place.reshape(-1, 3, 3)
        winding = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert np.all((winding * normal[::3]).sum(axis=1) > 0)


def test_single_pose_has_no_animation() -> None:
    scene = SpatialScene(
        "still", np.zeros(1), [MovingBody("b", np.zeros((1, 3)), [[1.0, 0, 0, 0]], [SceneSolid("b", "sphere", (1.0,))])]
    )
    document, _ = taken_apart(glb_bytes(scene))
    assert "animations" not in document


def test_trimesh_reads_the_file(tmp_path: Path) -> None:
    """For planar and spatial runs, trimesh reads a scene of the size of the mechanism."""
    trimesh: Any = pytest.importorskip("trimesh", reason="pip install 'gaitwright[robots]'")
    run = jansen_leg().kinematics(1.0, step=0.05)
    flat = build_extruded_scene(run.mechanism, run.motion, trace=["F"])
    space = CATALOGUE["gyroscope"].make().simulate(0.05).scene()
    for scene in (flat, space):
        found = trimesh.load_scene(save_glb(scene, tmp_path / "scene.glb"))
        low, high = (part[0] for part in scene.boxes)
        size = np.ptp(found.bounds, axis=0)
        wanted = high - low
        wanted = wanted if scene is flat else np.abs(rotate_vectors((2**-0.5, -(2**-0.5), 0, 0), wanted))
        assert size.max() == pytest.approx(wanted.max(), rel=0.6)


def test_planar_body_has_its_position() -> None:
    run = jansen_leg().kinematics(1.0, step=0.05)
    scene = build_extruded_scene(run.mechanism, run.motion)
    crank = next(body for body in scene.bodies if body.name == "crank")
    assert crank.position[:, :2] == pytest.approx(np.stack([run.array("crank.x"), run.array("crank.y")], axis=1))
    angle = 2 * np.unwrap(np.arctan2(crank.rotation[:, 3], crank.rotation[:, 0]), period=np.pi)
    assert np.diff(angle) == pytest.approx(np.diff(run.array("crank.angle")))
