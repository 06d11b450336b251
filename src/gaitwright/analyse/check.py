"""What can be said about a mechanism before any analysis: freedom, redundancy, conflicts, closure."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gaitwright.analyse.outputs import Motion
from gaitwright.analyse.start import close_gap, describe_open, find_redundant, start
from gaitwright.errors import AssemblyError, SingularPose
from gaitwright.system.assemble import Assembly, close
from gaitwright.system.evaluate import workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array


@dataclass
class Check:
    """Findings about a model. `closed`: the joints can be closed; if not, `conflicts` says which stay open and by how
    much. degrees_of_freedom: what joints and drives leave free. mobility: without the drives."""

    name: str
    bodies: int
    coordinates: int
    constraints: int
    drives: int
    degrees_of_freedom: int
    mobility: int
    closed: bool
    drawn_error: float
    remaining_error: float
    redundant: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The report as short lines."""
        freedom = _count(self.degrees_of_freedom, "degree", "degrees")
        lines = [
            f"{self.name}: {_count(self.bodies, 'body', 'bodies')}, {_count(self.coordinates, 'coordinate', 'coordinates')}, "
            f"{_count(self.constraints, 'constraint row', 'constraint rows')}, {_count(self.drives, 'drive', 'drives')}",
            f"{freedom} of freedom left by joints and drives ({self.mobility} by joints alone)",
            f"start pose: drawn within {1000 * self.drawn_error:.3g} mm, closed to {1000 * self.remaining_error:.1e} mm"
            if self.closed
            else "start pose: cannot be closed",
        ]
        lines += [f"conflict: {text}" for text in self.conflicts]
        lines += [f"redundant: {text}" for text in self.redundant] or ["redundant: none"]
        lines += [f"warning: {text}" for text in self.warnings]
        return lines


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def check(mechanism: Mechanism, t: float = 0.0) -> Check:
    """Assemble at time t and report."""
    n_drives = sum(names.kind == "drive" for names in mechanism.constraint_names)
    conflicts: list[str] = []
    closed, drawn = True, close_gap(mechanism, t)
    try:
        begin = start(mechanism, t)
        redundant, warnings, pose, gap = begin.redundant, begin.warnings, begin.q, begin.gap
    except (AssemblyError, SingularPose) as error:
        nearest = nearest_pose(mechanism, t)
        gap, closed = nearest.gap, not getattr(error, "open_joints", {})
        conflicts = [f"{gap} stays open" for gap in describe_open(mechanism, nearest.phi)] or [error.cause]
        # The nearest pose is stretched to its limit and singular; the drawn one tells what the joints do in general.
        pose = mechanism.drawn_at(t)
        redundant, _ = find_redundant(mechanism, pose, t)
        warnings = []
    attached = {body for names in mechanism.constraint_names for body in names.bodies}
    attached |= {body for names in mechanism.force_names if not names.declaration.implied for body in names.bodies}
    warnings = [
        *warnings,
        *(f"body '{b}' is not connected to anything" for b in mechanism.body_names if b not in attached),
    ]
    rank = mechanism.system.m
    return Check(
        name=mechanism.name,
        bodies=len(mechanism.body_names),
        coordinates=mechanism.n,
        constraints=mechanism.system.m_all,
        drives=n_drives,
        degrees_of_freedom=mechanism.n - rank,
        mobility=mechanism.n - _rank(mechanism, pose, t),
        closed=closed,
        drawn_error=drawn,
        remaining_error=gap,
        redundant=redundant,
        conflicts=conflicts,
        warnings=warnings,
    )


def _rank(mechanism: Mechanism, q: Array, t: float) -> int:
    """Rank of the joints alone in a pose."""
    from gaitwright.system.assemble import dependent_rows

    joints = mechanism.joints_only()
    rows, _ = dependent_rows(joints, workspace(joints), kkt(joints), q, mechanism.scale, t)
    return joints.m - len(rows)


def nearest_pose(mechanism: Mechanism, t: float) -> Assembly:
    """The pose with the smallest gaps that the assembly finds, closed or not."""
    s = mechanism.system
    return close(s, workspace(s), kkt(s), mechanism.drawn_at(t), mechanism.scale, t)


def draw_pose(mechanism: Mechanism, path: str | Path, t: float = 0.0) -> Path:
    """PNG of the assembled mechanism, or of the nearest pose if it cannot be closed."""
    from gaitwright.analyse.picture import scene
    from gaitwright.report.draw import save_png

    q = nearest_pose(mechanism, t).q[None, :]
    nothing = np.zeros((1, 0))
    return save_png(scene(mechanism, Motion(np.array([t]), q, 0 * q, 0 * q, nothing, nothing)), path)
