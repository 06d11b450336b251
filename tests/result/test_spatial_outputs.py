"""Results and checks of spatial models: joint and drive with the same name, start poses far from the solution, many outputs."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.geometry.rotation import matrix_of
from gaitwright.report.views.default_outputs import select_default_outputs


def arm() -> gw.Model:
    """An unconnected body with its centre of mass beside its origin."""
    model = gw.Model("arm", dimension=3)
    model.ground_point("O", 0, 0, 0)
    model.body("b", mass=1.0, inertia=[0.1, 0.2, 0.25], centre=[0.1, 0.2, 0], points={"A": [0, 0, 0]})
    return model


def chain(count: int) -> gw.Model:
    model, before = gw.Model("chain", dimension=3), "ground.O"
    model.ground_point("O", 0, 0, 0)
    for k in range(count):
        ends = {"A": [0, 0, 0], "B": [0.5, 0, 0]}
        model.body(f"b{k}", mass=1.0, inertia=[0.1, 0.2, 0.25], at=[0.5 * k, 0, 0], points=ends)
        model.joint.revolute(before, f"b{k}.A", axis=[0, 1, 0], name=f"j{k}")
        before = f"b{k}.B"
    return model


def test_redundant_drive_with_the_name_of_its_joint() -> None:
    model = arm()
    model.joint.revolute("ground.O", "b.A", axis=[0, 0, 1], name="h")
    model.drive.translation("h", "0")
    assert model.check().redundant == ["drive 'h' (force) follows from h"]


def test_open_parts_of_a_drive_are_reported() -> None:
    model = arm()
    model.joint.revolute("ground.O", "b.A", axis=[0, 0, 1], name="h")
    model.drive("frame", "d", point="b.A", x="0", y="0", z="0", angles=["0.5", "0", "0"])
    with pytest.raises(gw.AssemblyError) as failure:
        model.assemble()
    assert "drive 'd' by 0." in str(failure.value) and " rad" in str(failure.value)


@pytest.mark.parametrize("degrees", [175.0, 179.99, 180.0, 181.0])
def test_orientation_drive_assembles_a_body_drawn_upside_down(degrees: float) -> None:
    model = arm()
    turn = np.radians(degrees)
    model.drive("frame", "d", point="b.A", x="0", y="0", z="0", angles=["0", "0", f"{turn:.17g}"])
    found = matrix_of(model.assemble().q[:12])
    c, s = np.cos(turn), np.sin(turn)
    assert np.allclose(found, [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-12)
    assert np.isfinite(model.check().drawn_error)


def test_orientation_relative_to_a_body_driven_by_half_a_turn() -> None:
    model = arm()
    model.body("c", mass=1.0, inertia=[0.1, 0.2, 0.25], at=[1, 0, 0])
    model.drive("frame", "d", point="b.A", x="0", y="0", z="0", angles=["pi", "0", "0"])
    model.drive("orientation", "o", body="c", relative_to="b", quaternion=["0", "0", "1", "0"])
    found = matrix_of(model.assemble().q[12:24])
    # half a turn about x, then about y, gives half a turn about z
    assert np.allclose(found, np.diag([-1.0, -1.0, 1.0]), atol=1e-12)


def test_drives_are_counted_as_given_and_loose_bodies_are_reported() -> None:
    model = arm()
    model.body("loose", mass=1.0, inertia=[1, 1, 1])
    model.drive("frame", "d", point="b.A", x="0", y="0", z="0", angles=["0.1", "0", "0"])
    found = model.check()
    assert found.drives == 1
    assert "body 'loose' is not connected to anything" in found.warnings


def test_long_chain_shows_its_motion() -> None:
    run = chain(8).simulate(0.02)
    assert len(run.names) > 400
    assert {"b7.x", "b7.qw", "j7.angle", "energy.kinetic"} <= set(run.default_names())
    assert [name for name in select_default_outputs(run) if name.endswith(".angle")] == [
        f"j{k}.angle" for k in range(8)
    ]


def test_resting_mechanism_causes_no_energy_warning() -> None:
    """Its velocities are rounding errors, with an energy turnover of 1e-18 J: no reason for a smaller step."""
    model = arm()
    model.joint.fixed("ground.O", "b.A", name="weld")
    assert model.simulate(0.01).evidence.warnings == []
