"""How straight does a Hoeken linkage draw?

Over a stroke of 200 mm, half a turn of its crank, the point leaves its line by less than 0.50 mm.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    unit = 0.05  # m, the crank; Hoeken's proportions are 1 : 2 : 2.5, the coupler twice as long as to its pin
    m = gw.Model("Hoeken", gravity=(0, 0))
    m.ground_point("O", 0, 0).ground_point("C", 2 * unit, 0).point("A", -unit, 0).point("B", 0.0, 1.5 * unit)
    m.link("crank", "O", "A", length=unit, mass=0.02)
    m.link("coupler", "A", "B", length=2.5 * unit, mass=0.1, points={"P": (3.75 * unit, 0)})  # from the middle of A B
    m.link("rocker", "C", "B", length=2.5 * unit, mass=0.05)
    m.drive.rotation("crank", "pi + 2*pi*t")
    run = m.kinematics(until=1.0, step=2e-3)
    x, y = run.array("coupler.P.x"), run.array("coupler.P.y")
    straight = np.abs(run.time - 0.5) > 0.2499  # the half turn around the side away from the rocker
    if picture:
        run.draw(picture, ghosts=6, trace=["coupler.P"])
    return {"stroke (mm)": 1e3 * float(np.ptp(x[straight])), "off the line (mm)": 1e3 * float(np.ptp(y[straight]))}


if __name__ == "__main__":
    print(main("how_straight_is_a_hoeken_linkage.png"))
