"""Loops of MJCF: equality constraints between bodies and joints, and tendons between two sites."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.imported_assembly import Array, ImportedAssembly, ImportedGear, ImportedJoint, ImportedSpring
from gaitwright.formats.mjcf_file import MjcfBody, MjcfJoint, MjcfModel, iterate_bodies
from gaitwright.formats.urdf_tree import GROUND, MovingFrame
from gaitwright.formats.xml_text import parse_numbers

FramesByBody = dict[str, MovingFrame]
EqualityAttributes = dict[str, str]
SOFT_CONSTRAINTS_NOTE = "equality constraints are rigid here, whatever solref and solimp say"


def add_equality_constraints(all_: ImportedAssembly, mjcf: MjcfModel, file: FramesByBody) -> None:
    """Add the equality constraints of a file to the assembly. file: frames in the pose of the file."""
    reading = _MjcfEqualityReader(all_, mjcf, file)
    for k, (kind, attributes) in enumerate(mjcf.equality):
        name = attributes.get("name") or f"{kind}{k + 1}"
        if attributes.get("active") == "false":
            all_.leave("equality constraints that are not active are left out", name)
        elif kind in EQUALITY_READERS:
            EQUALITY_READERS[kind](reading, name, attributes)
            if "solref" in attributes or "solimp" in attributes:
                all_.left_out.setdefault(SOFT_CONSTRAINTS_NOTE, [])
        else:
            all_.leave("equality constraints of flexible bodies are left out", name)


class _MjcfEqualityReader:
    def __init__(self, all_: ImportedAssembly, mjcf: MjcfModel, file: FramesByBody):
        self.all, self.mjcf, self.file = all_, mjcf, file
        self.joints = {joint.name: (body, joint) for body in mjcf.bodies.values() for joint in body.joints}
        self.sites = {name: (body, at) for body in iterate_bodies(mjcf) for name, at in body.sites.items()}

    def body(self, name: str | None, at: ErrorContext) -> str:
        if name is None or name == "world":
            return GROUND
        return at.one_of(name, self.mjcf.bodies, "there is no such body")

    def ends(self, name: str, attributes: EqualityAttributes) -> tuple[str, Array, str, Array]:
        """Two bodies, and a point of each in its frame; the points coincide in the pose of the file unless they are sites."""
        at = ErrorContext(f"equality '{name}'")
        if "site1" in attributes:
            sides: list[Any] = []
            for side in ("site1", "site2"):
                owner, local = self.sites[
                    at[side].one_of(attributes.get(side, ""), self.sites, "there is no such site")
                ]
                sides += [owner.name if owner.name != "world" else GROUND, local]
            return sides[0], sides[1], sides[2], sides[3]
        a = self.body(at["body1"].given(attributes.get("body1"), "a body"), at["body1"])
        b = self.body(attributes.get("body2"), at["body2"])
        local = np.array(parse_numbers(attributes.get("anchor", "0 0 0"), 3, at["anchor"]))
        if "relpose" in attributes:
            local = np.zeros(3)
        world = self.file[a].at + self.file[a].rotation @ local
        return a, local, b, self.file[b].rotation.T @ (world - self.file[b].at)

    def drawn(self, body: str, local: Array) -> Array:
        """Drawn position of a point of a body, m, ground frame."""
        frame = self.all.piece(body).frame
        return frame.at + frame.rotation @ local

    def connect(self, name: str, attributes: EqualityAttributes) -> None:
        a, at_a, b, at_b = self.ends(name, attributes)
        self._tie(ImportedJoint(self._unused(name), "spherical", a, b, self.drawn(a, at_a), self.drawn(b, at_b)))

    def weld(self, name: str, attributes: EqualityAttributes) -> None:
        a, at_a, b, at_b = self.ends(name, attributes)
        at = ErrorContext(f"equality '{name}'")
        if any(parse_numbers(attributes.get("relpose", "0 1 0 0 0 0 0"), 7, at["relpose"])[3:]):
            at["relpose"].fail(
                "holds the bodies in another pose than that of the file", attributes["relpose"], "no relpose"
            )
        drawn, meant = (
            f[a].rotation.T @ f[b].rotation for f in ({x: self.all.piece(x).frame for x in (a, b)}, self.file)
        )
        if not np.allclose(drawn, meant, atol=1e-6):
            at.fail(
                "is not met in the drawn pose", expected="positions in which what it holds is turned as in the file"
            )
        self._tie(ImportedJoint(self._unused(name), "fixed", a, b, self.drawn(a, at_a), self.drawn(b, at_b)))

    def joint(self, name: str, attributes: EqualityAttributes) -> None:
        at = ErrorContext(f"equality '{name}'")
        follower = self._joint(attributes.get("joint1"), at["joint1"])
        poly = [
            *parse_numbers(attributes.get("polycoef", "0 1 0 0 0"), (1, 2, 3, 4, 5), at["polycoef"]),
            0.0,
            0.0,
            0.0,
            0.0,
        ][:5]
        if "joint2" not in attributes:
            self._locked(name, follower, poly[0], at)
            return
        leader = self._joint(attributes.get("joint2"), at["joint2"])
        if any(poly[2:]):
            at["polycoef"].fail("is not linear", poly, "a constant and one factor: 0 1 0 0 0")
        if not poly[1]:
            self._locked(name, follower, poly[0], at)
            return
        offset = follower.ref + poly[0] - poly[1] * leader.ref
        self.all.gears.append(ImportedGear(self._unused(name), leader.name, follower.name, poly[1], offset))

    def _joint(self, name: str | None, at: ErrorContext) -> MjcfJoint:
        joint = self.joints[at.one_of(name or "", self.joints, "there is no such joint")][1]
        if joint.kind not in ("hinge", "slide"):
            at.fail(f"'{name}' is a {joint.kind}", name, "a hinge or a slide")
        return joint

    def _locked(self, name: str, joint: MjcfJoint, by: float, at: ErrorContext) -> None:
        tie = self.all.ties[joint.name]
        if abs(tie.travel - joint.ref - by) > 1e-9:
            at["polycoef"].fail(
                "holds a joint at another position than it is drawn at", by, f"positions={{'{joint.name}': ...}}"
            )
        tie.kind, tie.stiffness, tie.damping, tie.limits = "fixed", 0.0, 0.0, None

    def tendon(self, name: str, equality: EqualityAttributes) -> None:
        """Constraint on the length of a tendon between two sites."""
        at = ErrorContext(f"equality '{name}'")
        tendons = {attributes.get("name"): (kind, path) for kind, attributes, path in self.mjcf.tendons}
        kind, path = tendons[at["tendon1"].one_of(equality.get("tendon1"), tendons, "there is no such tendon")]
        poly = [
            *parse_numbers(equality.get("polycoef", "0 1 0 0 0"), (1, 2, 3, 4, 5), at["polycoef"]),
            0.0,
            0.0,
            0.0,
            0.0,
        ][:5]
        ends = tendon_end_sites(kind, path, self.sites)
        if ends is None or "tendon2" in equality:
            at.fail(
                "ties tendons that are no straight line between two sites",
                expected="a spatial tendon of two sites, alone",
            )
        (a, at_a), (b, at_b) = ends
        length = math.dist(*(self.file[body].at + self.file[body].rotation @ p for body, p in ends)) + poly[0]
        tie = ImportedJoint(
            self._unused(name), "distance", a, b, self.drawn(a, at_a), self.drawn(b, at_b), length=length
        )
        self._tie(tie)

    def _tie(self, tie: ImportedJoint) -> None:
        if tie.a == tie.b:
            ErrorContext(f"equality '{tie.name}'").fail("ties a body to itself", expected="two bodies")
        self.all.ties[tie.name] = tie

    def _unused(self, name: str) -> str:
        used_names = {*self.all.ties, *(gear.name for gear in self.all.gears)}
        while name in used_names:
            name += "_"
        return name


EQUALITY_READERS = {
    "connect": _MjcfEqualityReader.connect,
    "weld": _MjcfEqualityReader.weld,
    "joint": _MjcfEqualityReader.joint,
    "tendon": _MjcfEqualityReader.tendon,
}


def tendon_end_sites(kind: str, path: Any, sites: dict[str, tuple[MjcfBody, Array]]) -> list[tuple[str, Array]] | None:
    """Bodies and positions of the ends of a straight tendon; None for other tendons."""
    if kind != "spatial" or [word for word, _ in path] != ["site", "site"]:
        return None
    ends = []
    for _, attributes in path:
        at = ErrorContext("tendon", "site")
        owner, local = sites[at.one_of(attributes.get("site"), sites, "there is no such site")]
        ends.append((owner.name if owner.name != "world" else GROUND, local))
    return ends


def add_tendons(all_: ImportedAssembly, mjcf: MjcfModel, file: FramesByBody) -> None:
    """Add springs for straight tendons; other tendons are left out."""
    sites = {name: (body, at) for body in iterate_bodies(mjcf) for name, at in body.sites.items()}
    constrained = {attributes.get("tendon1") for kind, attributes in mjcf.equality if kind == "tendon"}
    for k, (kind, attributes, path) in enumerate(mjcf.tendons):
        name = attributes.get("name") or f"tendon{k + 1}"
        at = ErrorContext(f"tendon '{name}'")
        ends = tendon_end_sites(kind, path, sites)
        stiffness, damping = (
            parse_numbers(attributes.get(key, "0").split()[0], 1, at[key])[0] for key in ("stiffness", "damping")
        )
        if ends is None:
            if name not in constrained:
                all_.leave("tendons that are no straight line between two sites are left out", name)
            continue
        if not (stiffness or damping):
            continue
        rest = parse_numbers(attributes.get("springlength", "-1"), (1, 2), at["springlength"])
        if len(rest) == 2 and rest[0] != rest[1]:
            all_.leave("tendons with a slack range are left out", name)
            continue
        (a, at_a), (b, at_b) = ends
        length = math.dist(*(file[body].at + file[body].rotation @ p for body, p in ends))
        all_.lines.append(
            ImportedSpring(name, a, at_a, b, at_b, stiffness, damping, rest[0] if rest[0] >= 0 else length)
        )
