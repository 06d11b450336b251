"""Which torque does the crank of a slider-crank need?

Up to 1.99 N m for a slider of 2 kg on light bars at two turns per second, in the air without gravity: mass times
acceleration times the lever of the slider.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("slider-crank", gravity=(0, 0))
    m.ground_point("O", 0, 0).point("A", 0.1, 0).point("B", 0.5, 0)
    m.link("crank", "O", "A", length=0.1, mass=1e-9).link("rod", "A", "B", length=0.4, mass=1e-9)
    m.body("slider", mass=2.0, inertia=1e-3, at=(0.5, 0), points={"P": (0, 0)})
    m.joint.revolute("rod.B", "slider.P").joint.prismatic("ground.O", "slider.P", axis=(1, 0))
    m.drive.rotation("crank", "4*pi*t")
    run = m.inverse(until=0.5, step=5e-4)
    if picture:
        run.plot("crank.torque", path=picture)
    return {"largest torque (N m)": float(np.abs(run.array("crank.torque")).max())}


if __name__ == "__main__":
    print(main("which_torque_turns_a_slider_crank.png"))
