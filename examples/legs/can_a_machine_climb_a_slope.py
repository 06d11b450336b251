"""Can a machine on six legs climb a slope of 10 degrees?

Yes, at 0.451 m/s, and it costs 3.71 times as much per metre as on level ground.
"""

import math

import gaitwright as gw
from gaitwright.mechanisms import walking_machine


def main(picture: str | None = None) -> dict[str, float]:
    level = gw.measure_walk(walking_machine("jansen", pairs=3).analyse())
    climb = walking_machine("jansen", pairs=3, slope=math.radians(10)).analyse()
    up = gw.measure_walk(climb)
    if picture:
        climb.draw(picture, time=4.0)
    return {"speed (m/s)": float(up["speed"]), "cost": float(up["cost_of_transport"] / level["cost_of_transport"])}


if __name__ == "__main__":
    print(main("can_a_machine_climb_a_slope.png"))
