"""The speed between: tissue that is linear about its core and rests at every instant, known by the nodes of the sole alone.

Each core carries the tissue that is nearest to it as a condensed solid of its own (model/rubbing.py): across a hinge
tissue of one does not pull at that of the next. Linear inside, so that what is pressed hard is a little too soft."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.foot.anatomy import Anatomy, kept
from gaitwright.foot.attaching import Placing
from gaitwright.foot.foundation import layers
from gaitwright.foot.mat import Mat
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.entries import said
from gaitwright.model.model import Model


def put(model: Model, foot: Any, placing: Placing, ground: Any, law: Any, friction: Any) -> tuple[str, ...]:
    """A solid at rest per core, whose names it gives: they are contacts as well."""
    at = At(f"foot '{placing.name}'")
    if law is not None:
        at["law"].fail("is of no use to condensed tissue, whose nodes do not penetrate", expected="none")
    if isinstance(ground, Mat):
        at["ground"].fail(
            "is a mat, and condensed tissue touches what is hard",
            expected="speed='full' or 'foundation', or the mat as what the foot wears: foot.wearing(gw.foot.Insole(...))",
        )
    names = []
    for core, mesh in pieces(foot.anatomy):
        names.append(f"{placing.name}_sole_{core}")
        material = foot.materials(mesh)
        for one in material:
            one.pop("damping", None)
        model.solid(
            names[-1], mesh, at=list(placing.at), fixed={"region": core, "to": placing.bodies[core]}, material=material,
            quasi_static={"surface": said(ground), "region": "sole", "condensed": True, "friction": _coefficient(friction, at)},
            **placing.turned,
        )  # fmt: skip
    return tuple(names)


def pieces(found: Anatomy) -> list[tuple[str, Mesh]]:
    """The tissue that belongs to each core, if some of it can touch."""
    owner, _ = layers(found, found.mesh.centroids)
    made = []
    for k, core in enumerate(found.cores):
        piece, _ = kept(found.mesh, np.flatnonzero(owner == k))
        held = np.zeros(len(piece.nodes), dtype=bool)
        held[piece.region(core.name).nodes] = True
        # What hangs on nothing rigid is left out: it would carry nothing.
        with_any = np.unique(piece.pieces[held[piece.cells].any(axis=1)])
        piece, _ = kept(piece, np.flatnonzero(np.isin(piece.pieces, with_any)))
        if "sole" in piece.regions and len(piece.sides_in("sole")):
            made.append((core.name, piece))
    return made


def _coefficient(friction: Any, at: At) -> float | None:
    """The coefficient of bristles; others are not there."""
    if friction is None or is_number(friction):
        return friction
    given = said(friction)
    if given.get("type") != "bristle":
        at["friction"].fail("is not a law of condensed tissue", given.get("type"), "a coefficient, or None")
    return given["coefficient"]
