"""Redundant constraints of joints and drives that follow from others, and drives that prescribe the same degree of freedom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mechanism.evaluation import new_workspace
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.pose_assembly import dependent_rows, redundant_rows
from gaitwright.mechanism.tables import Array

DEPENDENCE_TOL = 1e-6
"""Smallest weight of a row of Phi_q in a redundant row for which the redundant row depends on it."""


class RedundantRow(NamedTuple):
    """One row of Phi that depends on others. label: the name of its reaction, such as fx. partners: the joints and drives
    that already determine it."""

    constraint: ConstraintNames
    label: str
    partners: list[ConstraintNames]

    def sentence(self) -> str:
        """Sentence such as: drive 'again' (torque) follows from crank."""
        others = ", ".join(dict.fromkeys(partner.name for partner in self.partners))
        because = f"follows from {others}" if others else "restrains nothing"
        return f"{self.constraint.kind} '{self.constraint.name}' ({self.label}) {because}"


class RedundancySearch(NamedTuple):
    """Result of `exclude_redundant`. mechanism: the mechanism without its redundant rows. singular: True if the pose has more
    dependent rows than poses nearby."""

    mechanism: Mechanism
    rows: list[RedundantRow]
    singular: bool

    def sentences(self) -> list[str]:
        """One sentence per redundant row."""
        return [row.sentence() for row in self.rows]


def exclude_redundant(mechanism: Mechanism, q: Array, t: float) -> RedundancySearch:
    """Find the redundant rows of Phi in a pose, and exclude them from the solution."""
    mechanism = mechanism.without_rows(())
    s = mechanism.system
    if not s.m_all or not dependent_rows(s, new_workspace(s), build_kkt(s), q, mechanism.scale, t)[0]:
        return RedundancySearch(mechanism, [], False)
    rows, weights, singular = redundant_rows(s, mechanism.joint_system, q, mechanism.scale, t)
    redundant = []
    for row, weight in zip(rows, weights, strict=True):
        constraint = mechanism.constraint_of_row(row)
        label, _ = constraint.labels[int(np.flatnonzero(constraint.rows == row)[0])]
        partners: list[ConstraintNames] = []
        for partner_row in np.flatnonzero(np.abs(weight) > DEPENDENCE_TOL):
            partner = mechanism.constraint_of_row(int(partner_row))
            # A drive may have the name of its joint: kind and name together identify a constraint.
            is_same = (partner.kind, partner.name) == (constraint.kind, constraint.name)
            if partner.kind != "body" and not is_same and partner not in partners:
                partners.append(partner)
        redundant.append(RedundantRow(constraint, label, partners))
    return RedundancySearch(mechanism.without_rows(rows), redundant, singular)


def describe_competing_drives(redundant: list[RedundantRow]) -> str:
    """One sentence that names drives which prescribe the same degree of freedom; empty if there are none."""
    for row in redundant:
        rivals = [row.constraint, *row.partners]
        drives = list(dict.fromkeys(f"'{names.name}'" for names in rivals if names.kind == "drive"))
        if row.constraint.kind == "drive" and len(drives) > 1:
            return f"drives {', '.join(drives[:-1])} and {drives[-1]} prescribe the same degree of freedom"
    return ""
