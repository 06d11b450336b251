"""How much faster does a crank-and-slotted-lever shaper return than it cuts?

2 times: the crank sweeps 240 degrees while the lever goes forward and 120 while it comes back.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("shaper", gravity=(0, 0))
    m.ground_point("Q", 0, 0).ground_point("O", 0, 0.2).point("A", 0.1, 0.2).point("T", 0.2, 0.4)
    m.link("crank", "O", "A", length=0.1, mass=0.1)  # 0.1 / 0.2: the lever turns back at asin(1/2) beside the vertical
    m.link("lever", "Q", "T", length=0.45, mass=0.5)
    m.joint.slot("lever.Q", "crank.A", axis=(1, 0))
    m.drive.rotation("crank", "2*pi*t")
    run = m.kinematics(until=1.0, step=1e-3)
    first, second = run.crossings("lever.spin")
    if picture:
        run.draw(picture, ghosts=6)
    part = float(second - first)  # of a turn, in one direction
    return {"ratio": max(part, 1 - part) / min(part, 1 - part)}


if __name__ == "__main__":
    print(main("how_quick_is_the_return_of_a_shaper.png"))
