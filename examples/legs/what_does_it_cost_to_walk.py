"""What does it cost a machine on six of Jansen's legs to walk?

Its cost of transport is 0.088, at 0.474 m/s.
"""

import gaitwright as gw
from gaitwright.mechanisms import walking_machine


def main(picture: str | None = None) -> dict[str, float]:
    run = walking_machine("jansen", pairs=3).analyse()
    walk = gw.measure_walk(run)
    if picture:
        walk.plot(picture)
    return {"cost of transport": float(walk["cost_of_transport"]), "speed (m/s)": float(walk["speed"])}


if __name__ == "__main__":
    print(main("what_does_it_cost_to_walk.png"))
