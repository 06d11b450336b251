"""How far does the rocker of a crank-rocker swing?

By 51.5 degrees, between the two poses in which crank and coupler lie in line; the law of cosines gives the same.
"""

import numpy as np

from gaitwright.mechanisms import four_bar


def main(picture: str | None = None) -> dict[str, float]:
    run = four_bar(crank=0.10, coupler=0.30, rocker=0.25, ground=0.30).kinematics(until=1.0)
    angle = np.degrees(run.array("rocker.angle"))
    if picture:
        run.draw(picture, ghosts=8)
    return {"swing (deg)": float(np.ptp(angle))}


if __name__ == "__main__":
    print(main("how_far_does_a_rocker_swing.png"))
