"""A spatial scene as glTF 2.0 in one binary file (.glb), with its motion as an animation, for other viewers: Blender,
browsers, slides. Deforming bodies are not included.

Bodies are nodes with a mesh each; position and rotation over time are their channels. glTF has y up: the root node rotates
the scene accordingly."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.output_files import save_bytes
from gaitwright.geometry.rotation import quaternion_from_direction, rotate_vectors
from gaitwright.report.figures.style import PALETTE
from gaitwright.report.renderers.solid_facets import body_colours, compute_facets
from gaitwright.report.scenes.spatial_scene import SceneSolid, SpatialScene

GLTF_FLOAT, GLTF_TRIANGLES, GLTF_LINE_STRIP = 5126, 4, 3
ROD_RADIUS_RATIO = 0.006
"""Radius of rods and springs, relative to the size of the mechanism; joints are balls with twice the radius."""
GROUND_COLOUR, LINE_COLOUR = "#9aa5b1", "#334155"
MAX_FRAMES = 2000
CIRCLE_SIDES = 20
"""Sides of round solids."""
DEGENERATE_AREA_RTOL = 1e-9
"""Area of a triangle, relative to the largest, below which it is degenerate."""


def save_glb(scene: SpatialScene, path: str | Path) -> Path:
    """Write the scene as .glb and return its path."""
    return save_bytes(path, glb_bytes(scene))


def glb_bytes(scene: SpatialScene) -> bytes:
    """Encode a scene as a binary glTF file."""
    file = _GltfDocument(scene.name)
    frames = scene.pick_frames(MAX_FRAMES)
    time, thin = scene.time[frames] - scene.time[frames[0]], ROD_RADIUS_RATIO * scene.size()
    clock = file.floats(time, "SCALAR") if time.size > 1 else None
    colours = body_colours(scene)
    for body in scene.bodies:
        mesh = file.mesh(body.name, [(_solid_triangles(s), s.painted(colours[body.name])) for s in body.solids])
        node = file.node(body.name, mesh, body.position[frames[0]], body.rotation[frames[0]])
        file.move(node, clock, body.position[frames], body.rotation[frames])
    for solid in scene.ground:
        mesh = file.mesh(solid.name, [(_solid_triangles(solid), solid.painted(GROUND_COLOUR))])
        file.node(solid.name, mesh)
    ball = (
        file.mesh("joint", [(_solid_triangles(SceneSolid("joint", "sphere", (2 * thin,))), LINE_COLOUR)])
        if scene.joints
        else None
    )
    for joint in scene.joints:
        node = file.node(joint.name, ball, joint.position[frames[0]])
        file.move(node, clock, joint.position[frames])
    rods = {**scene.lines, **scene.springs}
    rod = (
        file.mesh("rod", [(_solid_triangles(SceneSolid("rod", "cylinder", (thin, 1.0))), LINE_COLOUR)])
        if rods
        else None
    )
    for name, ends in rods.items():
        start, end = ends[frames, 0], ends[frames, -1]
        length = np.maximum(np.linalg.norm(end - start, axis=1), 1e-12)
        size = np.column_stack([np.ones((len(frames), 2)), length])
        place = (start + end) / 2
        turn = quaternion_from_direction(np.where(length[:, None] > 1e-9, end - start, (0.0, 0.0, 1.0)))
        node = file.node(name, rod, place[0], turn[0], size[0])
        file.move(node, clock, place, turn, size)
    for k, (name, path) in enumerate(scene.traces.items()):
        file.node(f"curve of {name}", file.curve(name, path, PALETTE[k % len(PALETTE)]))
    return file.written(scene.up)


def _solid_triangles(solid: SceneSolid) -> np.ndarray:
    """Corners (n, 3, 3), m, in the frame of the body, counter-clockwise from outside."""
    quads = compute_facets(solid, 0.0, CIRCLE_SIDES)
    corners = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return solid.at + rotate_vectors(solid.rotation, corners)


@dataclass
class _GltfDocument:
    """JSON content of a file, and its binary data."""

    name: str
    nodes: list[dict[str, Any]] = field(default_factory=list)
    meshes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    channels: list[dict[str, Any]] = field(default_factory=list)
    samplers: list[dict[str, Any]] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    known: dict[str, int] = field(default_factory=dict)

    def floats(self, values: Any, kind: str) -> int:
        """Add an accessor of 32-bit floats; return its index."""
        array = np.ascontiguousarray(values, dtype="<f4")
        rows = array.reshape(len(array), -1)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes})
        self.data += array.tobytes()
        low, high = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
        self.accessors.append(
            {"bufferView": len(self.views) - 1, "componentType": GLTF_FLOAT, "count": len(rows), "type": kind}
            | {"min": low, "max": high}
        )
        return len(self.accessors) - 1

    def material(self, colour: str) -> int:
        if colour not in self.known:
            # glTF colours are linear: convert from sRGB
            parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
            linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
            look = {"baseColorFactor": [*linear.round(5).tolist(), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
            self.materials.append({"name": colour, "pbrMetallicRoughness": look, "doubleSided": True})
            self.known[colour] = len(self.materials) - 1
        return self.known[colour]

    def mesh(self, name: str, parts: Iterable[tuple[np.ndarray, str | None]]) -> int | None:
        primitives = []
        for corners, colour in parts:
            normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            area = np.linalg.norm(normal, axis=1)
            valid = area > DEGENERATE_AREA_RTOL * area.max(initial=0.0)
            if not valid.any():
                continue
            corners, normal = corners[valid], normal[valid] / area[valid, None]
            attributes = {
                "POSITION": self.floats(corners.reshape(-1, 3), "VEC3"),
                "NORMAL": self.floats(np.repeat(normal, 3, axis=0), "VEC3"),
            }
            primitives.append(
                {"attributes": attributes, "material": self.material(colour or PALETTE[0]), "mode": GLTF_TRIANGLES}
            )
        if not primitives:
            return None
        self.meshes.append({"name": name, "primitives": primitives})
        return len(self.meshes) - 1

    def curve(self, name: str, points: np.ndarray, colour: str) -> int:
        attributes = {"POSITION": self.floats(points, "VEC3")}
        lines = {"attributes": attributes, "material": self.material(colour), "mode": GLTF_LINE_STRIP}
        self.meshes.append({"name": name, "primitives": [lines]})
        return len(self.meshes) - 1

    def node(self, name: str, mesh: int | None, place: Any = None, turn: Any = None, size: Any = None) -> int:
        node: dict[str, Any] = {"name": name} | ({} if mesh is None else {"mesh": mesh})
        if place is not None:
            node["translation"] = [float(x) for x in place]
        if turn is not None:
            node["rotation"] = _to_xyzw(np.asarray(turn)).tolist()
        if size is not None:
            node["scale"] = [float(x) for x in size]
        self.nodes.append(node)
        return len(self.nodes) - 1

    def move(self, node: int, clock: int | None, place: Any, turn: Any = None, size: Any = None) -> None:
        if clock is None:
            return
        moves = {"translation": (place, "VEC3"), "rotation": (None if turn is None else _to_xyzw(turn), "VEC4")}
        moves["scale"] = (size, "VEC3")
        for path, (values, kind) in moves.items():
            if values is not None:
                self.samplers.append({"input": clock, "output": self.floats(values, kind), "interpolation": "LINEAR"})
                self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def written(self, up: np.ndarray) -> bytes:
        """Content of the whole file. up: the direction that points up in the scene."""
        children = list(range(len(self.nodes)))
        root = self.node(self.name, None, turn=_rotation_between(up, np.array([0.0, 1.0, 0.0])))
        self.nodes[root]["children"] = children
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "gaitwright"}, "scene": 0, "scenes": [{"nodes": [root]}],
            "nodes": self.nodes, "meshes": self.meshes, "materials": self.materials, "accessors": self.accessors,
            "bufferViews": self.views, "buffers": [{"byteLength": len(self.data)}],
        }  # fmt: skip
        if self.channels:
            document["animations"] = [{"name": "motion", "channels": self.channels, "samplers": self.samplers}]
        document = {key: value for key, value in document.items() if value not in ([], {})}
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _to_xyzw(quaternion: np.ndarray) -> np.ndarray:
    return np.concatenate([quaternion[..., 1:], quaternion[..., :1]], axis=-1)


def _rotation_between(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The shortest rotation from one unit vector to another, (w, x, y, z)."""
    turned = np.r_[1.0 + start @ end, np.cross(start, end)]
    return turned / np.linalg.norm(turned) if turned[0] > 1e-9 else np.array([0.0, 0.0, 0.0, 1.0])
