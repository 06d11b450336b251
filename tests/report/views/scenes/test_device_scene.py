"""Person with a moving device: the device is at its cuffs, on both sides."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.pages.device_page import affected_joints, device_report
from gaitwright.report.views.scenes.device_scene import device_scene


@pytest.fixture(scope="module")
def worn() -> gw.wear.DeviceResult:
    walk = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.74), 2.5, rate=50.0)
    return gw.wear.put_on(gw.wear.devices.ankle_spring(), walk, side="both")


def test_device_is_on_the_legs(worn: gw.wear.DeviceResult) -> None:
    scene = device_scene(worn)
    bodies = {body.name: body for body in scene.bodies}
    for side in ("right", "left"):
        ankle = worn.motion.joint_centre(f"{side}_ankle")
        plate = bodies[f"{side} device-plate"].position  # its frame starts at the hinge, 50 mm outwards of the ankle
        assert np.linalg.norm(plate - ankle, axis=1) == pytest.approx(0.05, abs=0.02)
        out = (plate - ankle)[:, 1] * {"right": -1, "left": 1}[side]
        assert out.min() > 0.02
        assert f"of cuff {side} calf" in scene.forces


def test_page_has_the_largest_relief_first(worn: gw.wear.DeviceResult) -> None:
    assert set(affected_joints(worn)[:2]) == {"right_ankle", "left_ankle"}
    titles = [getattr(block, "title", "") for block in device_report(worn).blocks]
    assert titles.index("Right ankle, moment") < titles.index("All joints") < titles.index("Cuffs")


def test_notebook_card(worn: gw.wear.DeviceResult) -> None:
    html = worn._repr_html_()
    assert html is not None and "(Worn)" in html and "taken off the peak" in html and "Right ankle: " in html
    assert 1 <= html.count("data:image/png;base64,") <= 3
