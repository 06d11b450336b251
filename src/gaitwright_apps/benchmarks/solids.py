"""Solids: forces and stiffness of elements compared with scikit-fem, a load ramp with CalculiX (solid_ramp.py), and a contact
step of a condensed sole (condensed_contact.py).

Elements: both convert displacements to one vector and one sparse matrix; ours adds into precomputed slots, as the tables do,
scikit-fem builds the matrix from triplets. Times are per element, on one thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.fem.element_geometry import build_element_geometry
from gaitwright.fem.element_types import ELEMENT_TYPES
from gaitwright.fem.kernel_modules import declare_force, element_module
from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.evaluation import evaluate_forces, evaluate_tangents, new_workspace
from gaitwright.mechanism.table_builder import build_tables, compile_tangents
from gaitwright.mesh.solid_shapes import box
from gaitwright.physics.materials.neo_hookean import NeoHookean
from gaitwright_apps.benchmarks.scikit_fem_peer import ScikitFemAssembly, is_available
from gaitwright_apps.benchmarks.timing import time_alternately, time_call


def measure(quick: bool) -> dict[str, Any]:
    """Element timings and their applications."""
    from gaitwright_apps.benchmarks import solid_ramp
    from gaitwright_apps.benchmarks.condensed_contact import measure_condensed

    elements, condensed = measure_elements(quick), measure_condensed(quick)
    details: dict[str, Any] = {
        "elements": elements,
        "ramp": solid_ramp.measure(quick),
        "condensed": condensed,
        "ratios": {},
    }
    details["condensed_ms"] = condensed["condensed_ms"]
    ratios = [row["ratio"] for row in elements.values() if "ratio" in row]
    if ratios:
        details["ratios"]["solids-assembly"] = min(ratios)
    details["ratios"] |= details["ramp"].pop("ratios")
    return details


def measure_elements(quick: bool) -> dict[str, Any]:
    """Microseconds per element; ratio: scikit-fem's time over ours, for force and stiffness together."""
    details: dict[str, Any] = {}
    material = NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)
    for order, n in ((1, 4), (2, 3)) if quick else ((1, 14), (2, 6)):
        mesh = box((1.0, 1.0, 1.0), n, order=order)
        shape = ELEMENT_TYPES[mesh.kind.name]
        size, cells = mesh.nodes.size, len(mesh.cells)
        parts = build_element_geometry(shape, mesh.nodes, mesh.cells)
        where = parts.dof(np.arange(size).reshape(mesh.nodes.shape))
        block = ElementBlock(
            declare_force(element_module(NeoHookean, shape)), (), where, parts.parameters(np.array(material.numbers()))
        )
        none = np.zeros(0, dtype=np.int64)
        s = build_tables(size, (none, none, none.astype(float)), [], [block], [])
        compile_tangents(s, stages=False)
        w, lam = new_workspace(s), np.zeros(0)
        q = np.append(1e-3 / n * np.random.default_rng(0).normal(size=size), 0.0)
        v = np.zeros(size + 1)
        candidates = {
            "force": time_call(lambda s=s, w=w, q=q, v=v: evaluate_forces(s, w, q, v)),
            "stiffness": time_call(lambda s=s, w=w, q=q, v=v, lam=lam: evaluate_tangents(s, w, q, v, lam)),
        }
        for timed in candidates.values():
            timed()  # compiles, or loads machine code
        if is_available():
            peer = ScikitFemAssembly(mesh.linear(), order, "neo-hookean", *material.numbers())
            u = np.zeros(peer.basis.N)
            candidates["scikit-fem"] = time_call(lambda peer=peer, u=u: peer.at(u))
        best = time_alternately(candidates, 1 if quick else 5)
        timing = {name: 1e6 * time / cells for name, time in best.items()}
        details[shape.name] = {"count": cells, **timing}
        if "scikit-fem" in timing:
            details[shape.name]["ratio"] = timing["scikit-fem"] / (timing["force"] + timing["stiffness"])
    return details
