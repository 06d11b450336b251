"""Models that OpenSim wrote, against OpenSim: where bodies and markers are, and how they accelerate when they are let go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.bench.opensim_peer import available, load, vector
from gaitwright.model.foreign import import_model

pytestmark = [
    pytest.mark.peer, pytest.mark.skipif(not available(), reason="OpenSim is not installed: pip install 'gaitwright[bench]'"),
]  # fmt: skip
KINDS = {
    "FreeJoint": 6, "PinJoint": 1, "SliderJoint": 1, "UniversalJoint": 2, "GimbalJoint": 3, "PlanarJoint": 3, "BallJoint": 3,
    "WeldJoint": 0,
}  # fmt: skip


def chain(kinds: list[str], seed: int, path: Path) -> Any:
    """Bodies in a row with offset frames anywhere and coordinates at random; as OpenSim reads it again."""
    opensim, random = load(), np.random.default_rng(seed)
    model = opensim.Model()
    model.setGravity(vector([0, -9.81, 0]))
    above = model.getGround()
    for k, kind in enumerate(kinds):
        inertia = opensim.Inertia(0.02, 0.03, 0.04, 0.001, 0.002, -0.001)
        body = opensim.Body(f"b{k}", 1.0 + float(random.random()), vector(random.normal(size=3) * 0.1), inertia)
        model.addBody(body)
        places = [vector(random.normal(size=3) * size) for size in (0.2, 1.0, 0.1, 1.0)]
        joint = getattr(opensim, kind)(f"j{k}", above, places[0], places[1], body, places[2], places[3])
        for i in range(KINDS[kind]):
            value = 0.0 if kind == "BallJoint" else float(random.uniform(-0.6, 0.6))
            joint.upd_coordinates(i).setDefaultValue(value)
        model.addJoint(joint)
        model.addMarker(opensim.Marker(f"m{k}", body, vector(random.normal(size=3) * 0.1)))
        above = body
    model.finalizeConnections()
    model.printToXML(str(path))
    return opensim.Model(str(path))


def three(values: Any) -> np.ndarray:
    return np.array([values.get(i) for i in range(3)])


@pytest.mark.parametrize(
    "kinds", [list(KINDS), *([kind, "PinJoint"] for kind in KINDS)], ids=lambda kinds: kinds[0] + str(len(kinds))
)
def test_bodies_markers_and_accelerations(kinds: list[str], tmp_path: Path) -> None:
    theirs = chain(kinds, len(kinds[0]), tmp_path / "chain.osim")
    state = theirs.initSystem()
    theirs.realizeAcceleration(state)
    model = import_model(tmp_path / "chain.osim")
    assert gw.load(tmp_path / "chain.osim").to_dict() == model.to_dict()
    run = model.simulate(1e-6, tolerance=1e-9, output_step=1e-6)
    for k in range(len(kinds)):
        body = theirs.getBodySet().get(f"b{k}")
        wanted = [
            three(body.getTransformInGround(state).p()),
            *(three(body.getAccelerationInGround(state).get(i)) for i in (1, 0)),
        ]
        wanted.append(three(theirs.getMarkerSet().get(k).getLocationInGround(state)))
        for what, numbers in zip(
            (f"b{k}.origin.*", f"b{k}.origin.a*", f"b{k}.alpha_*", f"b{k}.m{k}.*"), wanted, strict=True
        ):
            ours = [run.values(what.replace("*", axis))[0] for axis in "xyz"]
            assert ours == pytest.approx(numbers, rel=1e-9, abs=1e-9), what
