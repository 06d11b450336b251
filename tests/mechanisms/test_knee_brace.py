"""Plain hinge beside a moving axis: errors compared with closed forms, moment with virtual work."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import knee_brace, knee_exoskeleton
from mechanisms.linkages import place

CUFF = 0.25


@pytest.fixture(scope="module", params=[(0.0, 0.0), (0.01, 0.01)], ids=["middle", "ahead"])
def braced(request):
    forward, up = request.param
    light = {"brace_stiffness": 10.0, "brace_rest": 5.0, "brace_mass": 1e-9}
    return request.param, knee_brace(forward, up, cuff=CUFF, thigh=20, **light).inverse(2.0, step=0.05)


def of_the_shank(where, run):
    """Positions of hinge and cuff in the straight leg, in the shank frame, m."""
    knee, turn = place(run, "thigh.K"), np.exp(1j * run.array("thigh.angle"))
    hinge = knee + complex(*where) * turn
    middle, back = place(run, "shank.T"), np.exp(-1j * run.array("shank.angle"))
    return (hinge - middle) * back, complex(where[0], where[1] - CUFF)


def test_the_angle_error_matches_the_hinge_offset(braced):
    where, run = braced
    hinge, cuff = of_the_shank(where, run)
    error = np.arcsin((hinge - cuff).real / CUFF)
    assert run.array("brace.error") == pytest.approx(np.degrees(error), abs=1e-9)
    assert np.abs(run.array("brace.error")).max() > 1 and run.array("brace.error")[0] == pytest.approx(0, abs=1e-9)
    assert run.array("brace.flexion") == pytest.approx(run.array("brace.error") + run.array("knee.flexion"), abs=1e-9)


def test_the_cuff_slides_by_the_offset_along_the_shank(braced):
    where, run = braced
    hinge, cuff = of_the_shank(where, run)
    slid = (hinge - cuff).imag - CUFF * np.cos(np.radians(run.array("brace.error")))
    assert run.array("cuff.pistoning") == pytest.approx(1e3 * slid, abs=1e-9)


def test_the_assist_reduces_the_knee_torque(braced):
    """Massless brace: its assist equals the reduction of the drive torque; if misaligned, it differs from the spring
    moment."""
    _, run = braced
    bare = knee_exoskeleton(100, thigh=20).inverse(2.0, step=0.05)
    spared = bare.array("knee.torque") - run.array("knee.torque")
    assert run.array("brace.assist") == pytest.approx(spared, abs=1e-7)
    # the moment scales with the derivative of one angle by the other
    slope = np.gradient(run.array("brace.flexion")[:21], run.array("knee.flexion")[:21])
    inner = slice(2, -2)
    moment = (run.array("brace_spring.torque")[:21] * slope)[inner]
    assert run.array("brace.assist")[:21][inner] == pytest.approx(moment, rel=0.01, abs=0.05)
    assert abs(run.array("brace.assist")[20] - run.array("brace_spring.torque")[20]) > 0.1


def test_a_hinge_near_the_axis_path_has_a_smaller_error():
    """The axis moves 13 mm backwards: a hinge on its path has a fifth of the error of one in the middle of the
    straight knee."""
    wrong = [np.ptp(knee_brace(x).kinematics(1.0, step=0.1).array("brace.error")) for x in (0.0, -0.012)]
    assert wrong[1] < 0.3 * wrong[0]


def test_its_charts_come_first():
    model = knee_brace()
    charts = [chart.y[0] for chart in model.document.charts]
    assert charts[:2] == ["brace.error", "cuff.pistoning"] and "brace.assist" not in charts


def test_invalid_arguments_are_refused():
    with pytest.raises(gw.ModelError, match="cuff"):
        knee_brace(cuff=-0.1)
    with pytest.raises(gw.ModelError, match=r"A_back.*A_forward"):
        knee_brace(A_back=0.1)
