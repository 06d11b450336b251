"""How much slower does the carrier of a planetary gear turn than its sun?

4 times slower with 20 teeth on the sun and 60 on the ring that stands still (Willis).
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    sun_teeth, planet_teeth, ring_teeth = 20, 20, 60
    m = gw.Model("planetary gear", gravity=(0, 0))
    m.ground_point("O", 0, 0).point("P", 0.04, 0)
    m.body("sun", mass=0.2, inertia=1e-4, at=(0, 0), points={"O": (0, 0)})
    m.body("planet", mass=0.1, inertia=1e-5, at=(0.04, 0), points={"P": (0, 0)})
    m.link("carrier", "O", "P", length=0.04, mass=0.1)
    m.joint.revolute("ground.O", "sun.O").joint.revolute("carrier.P", "planet.P")
    m.joint.gear("sun", "planet", ratio=-sun_teeth / planet_teeth, carrier="carrier")  # external
    m.joint.gear("planet", "ground", ratio=planet_teeth / ring_teeth, carrier="carrier")  # internal, the ring is the ground
    m.drive.rotation("sun", "2*pi*t")
    run = m.kinematics(until=1.0, step=1e-2)
    if picture:
        run.plot("sun.angle", "planet.angle", "carrier.angle", path=picture)
    return {"ratio": float(run.array("sun.spin")[-1] / run.array("carrier.spin")[-1])}


if __name__ == "__main__":
    print(main("how_fast_turns_a_planetary_gear.png"))
