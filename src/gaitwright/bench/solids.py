"""Solids: forces and stiffness of elements against scikit-fem, a ramp of loads against CalculiX (solid_ramp.py), and a contact
step of a condensed sole (condensed.py).

Elements: both go from displacements to one vector and one sparse matrix; ours adds into slots that are numbered before, as the
tables do, scikit-fem builds the matrix from triplets. Times are per element, on one thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.bench.clock import alternate, seconds
from gaitwright.bench.scikit_fem_peer import Assembly, available
from gaitwright.mesh.solid_shapes import box
from gaitwright.physics.materials.neo_hookean import NeoHookean
from gaitwright.system.blocks import Block
from gaitwright.system.build import build, compile_tangents
from gaitwright.system.evaluate import forces, tangents, workspace
from gaitwright.system.solids.geometry import geometry
from gaitwright.system.solids.kernels import element_module, force_of
from gaitwright.system.solids.shapes import SOLIDS


def measure(quick: bool) -> dict[str, Any]:
    """Elements, and what they are for."""
    from gaitwright.bench import solid_ramp
    from gaitwright.bench.condensed import measure_condensed

    found, condensed = elements(quick), measure_condensed(quick)
    details: dict[str, Any] = {
        "elements": found,
        "ramp": solid_ramp.measure(quick),
        "condensed": condensed,
        "ratios": {},
    }
    details["condensed_ms"] = condensed["condensed_ms"]
    ratios = [row["ratio"] for row in found.values() if "ratio" in row]
    if ratios:
        details["ratios"]["solids-assembly"] = min(ratios)
    details["ratios"] |= details["ramp"].pop("ratios")
    return details


def elements(quick: bool) -> dict[str, Any]:
    """Microseconds per element; ratio: of scikit-fem's time to ours for both, force and stiffness."""
    details: dict[str, Any] = {}
    material = NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)
    for order, n in ((1, 4), (2, 3)) if quick else ((1, 14), (2, 6)):
        mesh = box((1.0, 1.0, 1.0), n, order=order)
        shape = SOLIDS[mesh.kind.name]
        size, cells = mesh.nodes.size, len(mesh.cells)
        parts = geometry(shape, mesh.nodes, mesh.cells)
        where = parts.dof(np.arange(size).reshape(mesh.nodes.shape))
        block = Block(
            force_of(element_module(NeoHookean, shape)), (), where, parts.parameters(np.array(material.numbers()))
        )
        none = np.zeros(0, dtype=np.int64)
        s = build(size, (none, none, none.astype(float)), [], [block], [])
        compile_tangents(s, stages=False)
        w, lam = workspace(s), np.zeros(0)
        q = np.append(1e-3 / n * np.random.default_rng(0).normal(size=size), 0.0)
        v = np.zeros(size + 1)
        candidates = {
            "force": seconds(lambda s=s, w=w, q=q, v=v: forces(s, w, q, v)),
            "stiffness": seconds(lambda s=s, w=w, q=q, v=v, lam=lam: tangents(s, w, q, v, lam)),
        }
        for timed in candidates.values():
            timed()  # compiles, or loads machine code
        if available():
            peer = Assembly(mesh.linear(), order, "neo-hookean", *material.numbers())
            u = np.zeros(peer.basis.N)
            candidates["scikit-fem"] = seconds(lambda peer=peer, u=u: peer.at(u))
        best = alternate(candidates, 1 if quick else 5)
        found = {name: 1e6 * time / cells for name, time in best.items()}
        details[shape.name] = {"count": cells, **found}
        if "scikit-fem" in found:
            details[shape.name]["ratio"] = found["scikit-fem"] / (found["force"] + found["stiffness"])
    return details
