"""Quasi-static paths against closed forms: limit points, bifurcations, displacement control; loads that grow in statics."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics.path_following import EquilibriumPath
from gaitwright.analysis.statics.quasi_static_path import find_path
from gaitwright.result.result import Result
from verification import analytical as an
from verification import beam_solutions as bs

HALF_SPAN, RISE, STIFFNESS = 1.0, 0.3, 1000.0
REST = float(np.hypot(HALF_SPAN, RISE))
LIMIT_HEIGHT, LIMIT_LOAD = an.von_mises_truss_limit(HALF_SPAN, REST, STIFFNESS)
FULL = 2.0 * LIMIT_LOAD
"""Load at t = 1 s."""


def truss(load: str | None = f"-{FULL!r}*t") -> gw.Model:
    """Two springs that meet in a slider above the line of their supports (von Mises truss)."""
    model = gw.Model("truss", gravity=(0, 0)).ground_point("L", -HALF_SPAN, 0).ground_point("R", HALF_SPAN, 0)
    model.ground_point("O", 0, 0).body("apex", mass=1, inertia=1, at=(0, RISE))
    model.joint.prismatic("ground.O", "apex", axis=(0, 1), name="guide")
    for support in ("L", "R"):
        model.force.spring_damper(f"ground.{support}", "apex", stiffness=STIFFNESS, rest_length=REST)
    return model.force.at_point("apex", [0, load], name="push") if load else model


def held(height: Any) -> Any:
    return an.von_mises_truss_load(height, HALF_SPAN, REST, STIFFNESS)


def follow(model: gw.Model, until: float = 1.0, **options: Any) -> tuple[EquilibriumPath, Result]:
    path, result = find_path(model.mechanism(), until, document=model.to_dict(), **options)
    assert result.evidence.max_position_violation < 1e-12
    rounding = 1e-7 if model.document.beams else 1e-10  # positions are known to 1e-16, beams are stiff along their axis
    assert max(point.history[-1] for point in path.points[1:]) < rounding
    return path, result


@pytest.mark.slow
def test_truncated_path_gives_warning():
    run = truss().static_path(1.0, control="arc-length", max_steps=5)
    assert not run.evidence.complete and "CUT SHORT" in repr(run) and run.time[-1] < 1.0
    (said,) = [text for text in run.evidence.warnings if "cut after 5 steps" in text]
    assert f"at t = {run.time[-1]:.6g} s, before its end at 1 s" in said and "max_steps" in said
    whole = truss()
    raw = {**whole.to_dict(), "analysis": {"type": "static", "until": 1, "control": "arc-length", "max_steps": 400}}
    assert gw.Model.from_dict(raw).analyse().evidence.complete
    for steps in (0, 1.5, math.nan, math.inf):
        with pytest.raises(gw.ModelError, match="field 'max_steps': is no"):
            whole.static_path(1.0, control="arc-length", max_steps=steps)


# Snap-through ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_arc_length_traces_the_snap_through_of_a_truss():
    path, run = follow(truss(), control="arc-length")
    height, load = run.array("apex.y"), FULL * run.time
    assert load == pytest.approx(held(height), abs=1e-11 * FULL)
    assert run.time[[0, -1]].tolist() == [0.0, 1.0] and height[-1] < -RISE
    first, second = path.events
    assert first.kind == second.kind == "limit"
    for event, sign in ((first, 1), (second, -1)):
        assert path.p_of(event.point) == pytest.approx(sign * 0.5, rel=1e-12)
        assert np.min(np.abs(height - sign * LIMIT_HEIGHT)) < 1e-6  # limit points are points of the result
    assert np.all(np.diff(height) < 0.0)
    unstable = run.array("evidence.unstable")
    inside = np.abs(height) < LIMIT_HEIGHT - 1e-6
    assert np.all(unstable[inside] == 1) and np.all(unstable[np.abs(height) > LIMIT_HEIGHT + 1e-6] == 0)
    said = run.evidence.warnings
    assert len(said) == 2 and said[0].startswith("limit point at t = 0.5 s") and said[0].endswith("unstable in 1 way")
    assert said[1].startswith("limit point at t = -0.5 s") and said[1].endswith("beyond it stable")
    assert run.evidence.method == "arc-length" and run.evidence.steps < 200


@pytest.mark.slow
def test_load_control_fails_at_the_limit_load():
    with pytest.raises(gw.DidNotConverge, match="limit point") as caught:
        truss().static_path(1.0)
    error = caught.value
    assert error.time == pytest.approx(0.5, rel=1e-9)
    assert "arc-length" in error.suggestion and "drive" in error.suggestion
    partial = error.partial
    assert partial.time == pytest.approx([*np.arange(10) / 20, 0.5], rel=1e-9)
    assert FULL * partial.time == pytest.approx(held(partial.array("apex.y")), abs=1e-10)
    assert partial.array("apex.y")[-1] == pytest.approx(LIMIT_HEIGHT, rel=1e-5)
    assert any(text.startswith("limit point") for text in partial.evidence.warnings)
    below = truss().static_path(0.4999999)
    assert FULL * below.time[-1] == pytest.approx(held(below.array("apex.y")[-1]), rel=1e-12)
    assert below.array("apex.y")[-1] > LIMIT_HEIGHT


def test_displacement_control_passes_the_limit_points():
    model = truss(None).drive.position("apex.centre", y=f"{RISE} - 0.7*t", name="jack")
    run = model.static_path(1.0, steps=30)
    height = run.array("apex.y")
    assert height == pytest.approx(RISE - 0.7 * run.time, abs=1e-14)
    assert -run.array("jack.force_y") == pytest.approx(held(height), abs=1e-10)
    assert not run.evidence.warnings and not run.array("evidence.unstable").any()
    # Drives have no speed, but do work along the path: the energy stored in the springs.
    assert not run.array("jack.power").any()
    assert run.array("jack.work") == pytest.approx(run.array("energy.potential"), abs=1e-3)
    assert run.evidence.max_energy_residual < 1e-3
    work = run.drive_work("jack")
    assert work["net"] == pytest.approx(run.array("jack.work")[-1]) and work["negative"] < 0.0


def test_works_converge_with_the_fourth_power_of_the_step():
    residuals = [
        truss(None)
        .drive.position("apex.centre", y="0.3 - 0.7*t")
        .static_path(1.0, steps=n)
        .evidence.max_energy_residual
        for n in (16, 32, 64)
    ]
    assert all(before / after > 12 for before, after in itertools.pairwise(residuals))


@pytest.mark.parametrize("control", ["time", "arc-length"])
def test_path_stops_where_an_output_reaches_a_value(control):
    value = 0.25 if control == "time" else -0.1
    run = truss().static_path(1.0, control=control, stop={"apex.y": value})
    assert run.array("apex.y")[-1] == pytest.approx(value, abs=1e-12)
    assert FULL * run.time[-1] == pytest.approx(float(held(value)), abs=1e-9)


def test_unloading_goes_back_the_same_way():
    up = truss().static_path(0.4, steps=8)
    down = truss().static_path(0.0, start=up, steps=8)
    assert down.time == pytest.approx(up.time[::-1])
    assert down.array("apex.y") == pytest.approx(up.array("apex.y")[::-1], abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("control", ["time", "arc-length"])
def test_a_path_in_two_parts_is_the_same(control):
    model = lean(0.1)
    whole = model.static_path(2.0, control=control)
    first = model.static_path(1.0, control=control)
    second = model.static_path(2.0, start=first, control=control)
    assert second.time[0] == 1.0 and second.time[-1] == 2.0
    assert second.motion.q[-1] == pytest.approx(whole.motion.q[-1], abs=1e-12)
    assert second.motion.lam[-1] == pytest.approx(whole.motion.lam[-1], abs=1e-11)


# Bifurcation ----------------------------------------------------------------------------------------------------------


def lean(rest: float, load: str = "-3*t") -> gw.Model:
    """A rod of 1 m on a torsion spring of 2 N m/rad that holds it upright but for an angle, under a load at its top."""
    tilt = np.pi / 2 + rest
    model = gw.Model("lean", gravity=(0, 0)).ground_point("O", 0, 0).point("A", np.cos(tilt), np.sin(tilt))
    model.link("rod", "O", "A", mass=1).force.torsion_spring("ground", "rod", stiffness=2.0, rest_angle=tilt)
    return model.force.at_point("rod.A", [0, load], name="weight")


@pytest.mark.parametrize("control", ["time", "arc-length"])
@pytest.mark.parametrize("rest", [0.1, -0.01, 1e-4])
def test_imperfect_pitchfork(control, rest):
    """P sin(a) = k (a - rest): past buckling without a limit point, on the side of the imperfection."""
    run = lean(rest).static_path(1.5, control=control)
    angle = run.array("rod.angle") - np.pi / 2
    assert 3.0 * run.time * np.sin(angle) == pytest.approx(2.0 * (angle - rest), abs=1e-12)
    assert angle[-1] * np.sign(rest) > 1.8
    assert not run.evidence.warnings and not run.array("evidence.unstable").any()


@pytest.mark.slow
def test_other_branch_of_the_imperfect_pitchfork_has_a_limit_point():
    """Unloading the rod on the side against its imperfection: it snaps where P cos(a) = k, tan(a) = a - rest."""
    from scipy.optimize import brentq

    rest, stiffness = 0.05, 2.0
    model = lean(rest)
    model.document.points["A"] = [float(np.sin(1.5)), float(np.cos(1.5))]
    angle: Any = brentq(lambda a: np.tan(a) - a + rest, -1.0, -0.1, xtol=1e-15)
    limit = stiffness / np.cos(angle) / 3.0
    path, run = follow(model, 0.0, start=1.0, control="arc-length", stop={"rod.angle": np.pi / 2 - 0.01})
    assert [event.kind for event in path.events] == ["limit"]
    assert path.p_of(path.events[0].point) == pytest.approx(limit, rel=1e-10)
    with pytest.raises(gw.DidNotConverge) as caught:
        model.static_path(0.0, start=1.0)
    assert caught.value.time == pytest.approx(limit, rel=1e-9)
    assert run.array("evidence.unstable")[[0, -1]].tolist() == [0, 1]


@pytest.mark.parametrize("control", ["time", "arc-length"])
def test_bifurcation_of_the_perfect_rod(control):
    path, run = follow(lean(0.0), control=control)
    assert [event.kind for event in path.events] == ["bifurcation"]
    assert path.p_of(path.events[0].point) == pytest.approx(2.0 / 3.0, rel=1e-4)
    assert "bifurcation point at t = 0.6666" in run.evidence.warnings[0]
    assert run.array("rod.angle") == pytest.approx(np.pi / 2, abs=1e-12)
    assert run.array("evidence.unstable")[[0, -1]].tolist() == [0, 1]


# Newton ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("control", "steps"), [("time", 6), ("arc-length", 4)])
def test_converges_quadratically(control, steps):
    """Residuals of all steps: each iteration squares them, up to rounding."""
    path, _ = follow(lean(0.1), 1.5, control=control, steps=steps)
    pairs = [pair for point in path.points for pair in itertools.pairwise(point.history) if pair[0] < 1e-2]
    assert len(pairs) > 8
    assert all(after < 20.0 * before**2 + 1e-14 for before, after in pairs)


def test_loads_and_drives_may_be_any_functions_of_t():
    """Load control by a load that starts flat, and a drive that runs back and forth."""
    run = lean(0.1, "-3*t^2").static_path(1.2, control="arc-length")
    angle = run.array("rod.angle") - np.pi / 2
    assert 3.0 * run.time**2 * np.sin(angle) == pytest.approx(2.0 * (angle - 0.1), abs=1e-11)
    run = lean(0.0, "-1").drive.rotation("rod", "pi/2 + 0.5*sin(4*t)", name="motor").static_path(2.0)
    angle = run.array("rod.angle") - np.pi / 2
    assert angle == pytest.approx(0.5 * np.sin(4 * run.time), abs=1e-14)
    assert run.array("motor.torque") == pytest.approx(2.0 * angle - np.sin(angle), abs=1e-12)
    run = lean(0.1, "-min(t, 1)").static_path(2.0, steps=7)
    angle = run.array("rod.angle") - np.pi / 2
    assert np.minimum(run.time, 1.0) * np.sin(angle) == pytest.approx(2.0 * (angle - 0.1), abs=1e-12)


def test_follower_load():
    """A force across the rod that turns with it: k (a - rest) = F, however far it turns."""
    model = lean(0.0, "0").force.at_point("rod.A", [0, "8*t"], frame="body")
    for control in ("time", "arc-length"):
        run = model.static_path(1.0, control=control, steps=5)
        assert run.array("rod.angle") - np.pi / 2 == pytest.approx(4.0 * run.time, abs=1e-12)


def test_redundant_joints_and_neutral_motions():
    model = lean(0.1)
    model.body("puck", mass=1, inertia=1, at=(2, 0)).ground_point("G", 2, 0)
    model.joint.prismatic("ground.G", "puck", axis=(1, 0)).joint(
        "slot", "again", a="ground.G", b="puck.centre", axis=[1, 0]
    )
    run = model.static_path(1.0, steps=4)
    angle = run.array("rod.angle") - np.pi / 2
    assert 3.0 * run.time * np.sin(angle) == pytest.approx(2.0 * (angle - 0.1), abs=1e-11)
    assert run.array("puck.x") == pytest.approx(2.0, abs=1e-12)
    assert run.evidence.redundant and "neutral" in run.evidence.warnings[0]


def test_given_times_are_kept():
    times = [0.0, 0.1, 0.15, 0.7, 2.0]
    run = lean(0.1).static_path(times=times)
    assert run.time.tolist() == times


# The result -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_result_with_decreasing_time_can_be_used(tmp_path):
    run = truss().static_path(1.0, control="arc-length", steps=8)
    summary = json.loads(json.dumps(run.summary()))
    assert summary["analysis"] == "static" and summary["time"] == 1.0
    assert run["apex.y"].attrs["units"] == "m" and "back and forth" in run["apex.y"].time.attrs["long_name"]
    loaded = gw.load_result(run.save(tmp_path / "path.nc"))
    assert np.array_equal(loaded.time, run.time)
    for name in ("apex.y", "push.work", "evidence.unstable", "evidence.newton"):
        assert np.array_equal(loaded.array(name), run.array(name))
    with pytest.raises(gw.ModelError, match="goes back in t"):
        run.at(0.3)
    # The load passes 0.4 of the full one on the way up, back, and up again.
    assert len(run.crossings("apex.y", 0.0)) == 1
    assert run.crossings("apex.y", LIMIT_HEIGHT)[0] == pytest.approx(0.5, abs=1e-6)
    run.plot("apex.y", path=tmp_path / "over_t.png")
    run.plot("push.work", against="apex.y", path=tmp_path / "over_y.png")
    run.draw(tmp_path / "pose.png", 0.5)
    run.animate(tmp_path / "path.html", signals=["apex.y"])
    assert all(
        (tmp_path / name).stat().st_size > 1000 for name in ("over_t.png", "over_y.png", "pose.png", "path.html")
    )


def test_between_equilibria_states_change_linearly():
    run = lean(0.1).static_path(1.0, steps=2)
    middle = run.at(0.25)
    assert middle.q[0] == pytest.approx((run.motion.q[0] + run.motion.q[1]) / 2, abs=1e-15)
    assert not middle.v.any()


def test_document_selects_static_path():
    raw = {**truss().to_dict(), "analysis": {"type": "static", "until": 1, "steps": 10, "control": "arc-length"}}
    model = gw.Model.from_dict(raw)
    assert gw.Model.from_dict(model.to_dict()).analyse().evidence.method == "arc-length"
    raw["analysis"] = {"type": "static", "until": "1/4", "steps": 5}
    run = gw.Model.from_dict(raw).analyse()
    assert run.evidence.method == "load stepping" and run.time == pytest.approx(np.arange(6) / 20)
    raw["analysis"] = {"type": "static"}
    again = gw.Model.from_dict(gw.Model.from_dict(raw).to_dict()).analyse()
    assert again.time.tolist() == [0.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"until": 1.0, "control": "work"}, "'control'.*time or arc-length"),
        ({"until": 0.0}, "'until'.*other than 0"),
        ({"until": float("nan")}, "'until'"),
        ({"until": "a"}, "'until'.*a number of s"),
        ({"until": 1.0, "start": "a"}, "'start'.*a number of s"),
        ({"until": 1.0, "steps": 0}, "'steps'.*1, 2, 3"),
        ({"times": [0.0, 1.0, 0.5]}, "'times'.*in order"),
        ({"times": [0.0, 1.0], "control": "arc-length"}, "'times'"),
        ({"until": 1.0, "stop": {"apex.z": 1.0}}, "apex.z.*did you mean"),
        ({"until": 1.0, "stop": {"push.work": 1.0}}, "push.work"),
    ],
)
def test_bad_input(options, said):
    with pytest.raises(gw.ModelError, match=said):
        truss().static_path(**options)


def test_start_from_a_result_of_another_model():
    with pytest.raises(gw.ModelError, match="another model"):
        truss().static_path(1.0, start=two_rods().static())


def two_rods() -> gw.Model:
    model = gw.Model("two", gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0).point("B", 2, 0)
    model.link("one", "O", "A", mass=1).link("two", "A", "B", mass=1)
    return model.force.torsion_spring("ground", "one", stiffness=1).force.torsion_spring("one", "two", stiffness=1)


def test_unbalanced_load_raises():
    """The load acts on a motion without stiffness."""
    model = gw.Model("loose", gravity=(0, 0)).body("puck", mass=1, inertia=1).force.at_point("puck", ["1*t", 0])
    for control in ("time", "arc-length"):
        with pytest.raises(gw.DidNotConverge, match=r"puck|no stiffness") as caught:
            model.static_path(1.0, control=control)
        assert caught.value.partial.time.size >= 1


def test_a_load_that_jumps_is_named_as_such():
    with pytest.raises(gw.DidNotConverge, match="suddenly") as caught:
        lean(0.1, "if(t < 0.55, -t, -30)").static_path(1.0, steps=10)
    assert caught.value.time == pytest.approx(0.55, abs=1e-2)


# Loads that grow in statics -------------------------------------------------------------------------------------------


def stiff_chain(stiffness: float, load: float, rods: int = 10) -> gw.Model:
    """Rods that slide on each other against stiff springs and turn against soft ones: a valley as narrow as that of beams."""
    length = 1.0 / rods
    model = gw.Model("chain", gravity=(0, 0)).ground_point("O", 0, 0)
    for k in range(rods):
        points = {"a": (-length / 2, 0), "b": (length / 2, 0)}
        model.body(f"b{k}", mass=1, inertia=1, at=((k + 0.5) * length, 0), points=points)
        model.force.torsion_spring(f"b{k - 1}" if k else "ground", f"b{k}", stiffness=rods)
        if k:
            model.joint.slot(f"b{k - 1}", f"b{k}.a", axis=(1, 0))
            model.force.spring_damper(f"b{k - 1}.a", f"b{k}.a", stiffness=stiffness, rest_length=length)
    return model.joint.revolute("ground.O", "b0.a").force.at_point(f"b{rods - 1}.b", [0, load])


@pytest.mark.slow
def test_loads_grow_where_the_search_fails(monkeypatch):
    monkeypatch.setattr("gaitwright.analysis.statics.equilibrium_search.MAX_SEARCH_ITERATIONS", 20)
    tip = [stiff_chain(k, 10.0).static().motion.q[0, 27:29] for k in (1e4, 1e9, 1e11)]
    assert abs(tip[2] - tip[1]).max() < 0.02 * abs(tip[1] - tip[0]).max() < 1e-3


def cantilever(elements: int, axial: float = 1e6, **kind: Any) -> gw.Model:
    model = gw.Model("cantilever", gravity=(0, 0)).ground_point("O", 0, 0).point("T", 1, 0)
    model.beam(
        "rod", "O", "T", elements=elements, axial_stiffness=axial, bending_stiffness=1.0, mass_per_length=1.0, **kind
    )
    return model.joint.fixed("ground.O", "rod.start")


@pytest.mark.parametrize("axial", [1e4, 1e8])
@pytest.mark.parametrize("load", [2, 10])
def test_static_cantilever_under_a_large_load(axial, load):
    run = cantilever(20, axial, integration="reduced").force.at_point("rod.end", [0, load]).static()
    assert run.array("rod.end.y")[0] == pytest.approx(bs.elastica(load).y, abs=1e-3)
    assert run.evidence.newton_iterations < 100 and not run.evidence.warnings


@pytest.mark.parametrize("control", ["time", "arc-length"])
@pytest.mark.parametrize("steps", [1, 10])
def test_cantilever_rolls_up_to_a_circle(control, steps):
    run = (
        cantilever(10, integration="reduced")
        .force.moment("rod.end", "2*pi*t")
        .static_path(1.0, control=control, steps=steps)
    )
    tip = [bs.arc(2 * np.pi * t) for t in run.time[1:]]
    assert run.array("rod.end.x")[1:] == pytest.approx([p.x for p in tip], abs=2e-3)
    assert run.array("rod.end.y")[1:] == pytest.approx([p.y for p in tip], abs=2e-3)
    assert run.evidence.newton_iterations < 200
    assert steps == 1 or not run.evidence.warnings
    assert all("take more steps" in text for text in run.evidence.warnings)


@pytest.mark.slow
def test_a_thousand_elements_take_seconds():
    run = cantilever(1000).force.moment("rod.end", "2*pi*t").static_path(1.0, steps=8)
    assert [run.array(f"rod.end.{axis}")[-1] for axis in "xy"] == pytest.approx([0.0, 0.0], abs=1e-8)
    assert run.mechanism.n == 4004 and run.evidence.factorisations < 200


def arch(load: Any, elements: int = 24) -> gw.Model:
    """Circular arch of 215 degrees and radius 1, clamped left and hinged right, with a load on its crown."""
    angle = np.radians(215.0)
    x, y = float(np.sin(angle / 2)), float(np.cos(angle / 2))
    model = gw.Model("arch", gravity=(0, 0)).ground_point("A", -x, y).ground_point("B", x, y)
    stiff = {"axial_stiffness": 1e6, "bending_stiffness": 1.0, "mass_per_length": 1.0, "integration": "reduced"}
    model.beam("arch", "A", "B", elements=elements, length=angle, curvature=-1.0, points={"crown": angle / 2}, **stiff)
    return (
        model.joint.fixed("ground.A", "arch.start")
        .force.at_point("arch.crown", [0, load], name="push")
        .output("arch.crown.y")
    )


@pytest.mark.slow
def test_deep_arch_snaps_through():
    """P R^2/EI = 8.97 (D. A. DaDeppo, R. Schmidt, J. Appl. Mech. 42 (1975) 940-944)."""
    path, run = follow(arch("-12*t"), control="arc-length")
    assert [event.kind for event in path.events] == ["limit", "limit"]
    limit = path.p_of(path.events[0].point)
    assert 12 * limit == pytest.approx(8.97, abs=0.01)
    assert "arch.crown.y = -0.13" in run.evidence.warnings[0]
    with pytest.raises(gw.DidNotConverge) as caught:
        arch("-12*t").static_path(1.0)
    assert caught.value.time == pytest.approx(limit, rel=1e-8)
    # The same load at once: one sentence with the part of it that the arch can bear.
    with pytest.raises(gw.DidNotConverge, match=rf"at {100 * limit:.4g} % of the loads .*limit point.*arc-length"):
        arch(-12).static()
    assert arch(-12 * 0.999 * limit).static().array("arch.crown.y")[0] > -0.14


@pytest.mark.slow
def test_straight_column():
    """A path stays straight and reports where it could buckle; statics buckles immediately, to a stable side."""
    model = cantilever(8).force.at_point("rod.end", ["-6*t", 0])
    path, run = follow(model)
    critical = bs.euler_load(1e6, 1.0, 1.0, np.pi / 2)
    assert [event.kind for event in path.events] == ["bifurcation"]
    assert 6 * path.p_of(path.events[0].point) == pytest.approx(critical, rel=1e-4)
    assert abs(run.array("rod.end.y")).max() < 1e-9
    aside = model.static(1.0)
    assert abs(aside.array("rod.end.y")[0]) > 0.6 and not aside.evidence.warnings


def test_load_stiffened_mechanism_finds_equilibrium():
    """Without its weight a hinged beam, or a link on a beam, has no stiffness: loads cannot be increased from zero."""
    section = {"youngs_modulus": 2e9, "density": 1200, "width": 0.02, "height": 0.003}
    model = gw.Model("hung").ground_point("O", 0, 0).point("T", 1, 0).beam("rod", "O", "T", elements=6, **section)
    run = model.static()
    assert [run.array(f"rod.end.{axis}")[0] for axis in "xy"] == pytest.approx([0.0, -1.0], abs=1e-4)
    model = gw.Model("bob").ground_point("O", 0, 0).point("T", 1, 0).point("E", 1.2, 0)
    model.beam("rod", "O", "T", elements=6, **section).joint.fixed("ground.O", "rod.start").link(
        "bob", "T", "E", mass=0.1
    )
    run = model.static()
    assert np.sin(run.array("bob.angle")[0]) == pytest.approx(-1.0, abs=1e-12) and run.array("rod.end.y")[0] < -0.7


@pytest.mark.parametrize("steps", [4, 10, 20])
def test_path_continues_where_drive_reverses(steps):
    """At the turn nothing moves with t, and the tangent of the curve is t alone: with few steps the path once ended there.
    A body between two springs, along an arm that turns: 100 (1 - r) = 50 (r - 1/2), so r = 5/6."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0)
    model.link("arm", "O", "A", length=1, mass=1).body("block", mass=1, inertia=1, at=(1, 0), points={"S": (0, 0)})
    model.force.spring_damper("arm.A", "block.S", stiffness=100, rest_length=0.0)
    model.force.spring_damper("ground.O", "block.S", stiffness=50, rest_length=0.5)
    model.force.torsion_spring("ground", "block", stiffness=1.0)
    model.drive.rotation("arm", "3*(1 - cos(pi*t))/2", name="motor")
    run = model.static_path(2.0, steps=steps)
    turned = 1.5 * (1 - np.cos(np.pi * run.time))
    assert run.evidence.complete and run.time[-1] == pytest.approx(2.0)
    assert run.array("block.x") == pytest.approx(5 / 6 * np.cos(turned), abs=1e-7)
    assert run.array("block.y") == pytest.approx(5 / 6 * np.sin(turned), abs=1e-7)
