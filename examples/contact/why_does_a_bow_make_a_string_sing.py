"""Why does a bow make a string sing?

Stick-slip: the belt drags a block on a spring along, friction gives way at 0.5 of its weight, and at 0.3 the block
swings back, 2.43 times a second.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("stick-slip")
    m.ground_point("wall", -0.3, 0.0)
    m.body("block", mass=1.0, inertia=0.01, at=(0, 0), points={"left": (-0.1, 0), "right": (0.1, 0), "P": (0, 0)})
    m.force.spring_damper("ground.wall", "block.P", stiffness=400.0, rest_length=0.3)
    belt = gw.surfaces.LineGround(level=0.0, velocity=(0.05, 0))
    rough = gw.friction.Stribeck(0.5, 0.3, stribeck_speed=2e-3, transition_speed=2e-5)
    for foot in ("left", "right"):
        m.contact(f"block.{foot}", belt, law=gw.laws.KelvinVoigt(stiffness=1e5, damping=500), friction=rough, name=foot)
    run = m.simulate(until=2.0, method="radau5", tolerance=1e-6)
    releases = run.crossings("block.vx", 0.0, direction=-1)
    if picture:
        run.plot("block.x", "block.vx", path=picture)
    return {"cycles per second": float(1 / np.diff(releases)[1:].mean())}


if __name__ == "__main__":
    print(main("why_does_a_bow_make_a_string_sing.png"))
