"""Which crank makes the rocker of a four-bar swing by 60 degrees?

One of 115.7 mm: the wanted value is met by the law of cosines.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("four-bar", gravity=(0, 0), parameters={"r": 0.1})
    m.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "r", 0).point("B", 0.25, 0.25)
    m.link("crank", "O", "A", length="r", mass=0.1).link("coupler", "A", "B", length=0.3, mass=0.1)
    m.link("rocker", "C", "B", length=0.25, mass=0.1).drive.rotation("crank", "2*pi*t")

    def swing(run) -> float:
        return float(np.degrees(np.ptp(run.array("rocker.angle"))))

    turn = {"type": "kinematic", "until": 1, "step": 2e-3}
    found = gw.choose(m, {"r": (0.06, 0.14)}, target={"swing": 60.0}, measures={"swing": swing}, analysis=turn)
    if picture:
        found.model.kinematics(until=1.0).draw(picture, ghosts=6)
    return {"crank (mm)": 1e3 * float(found.value)}


if __name__ == "__main__":
    print(main("which_crank_gives_a_wanted_swing.png"))
